"""The program: where it is, and how keywords become its arguments."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ._errors import InputError, ProgramNotFound, ReportgenError, UsageError

# Options that take one list instead of being repeated.
_LISTS = {"by", "fail_on", "format", "pass_at", "prose"}
# Options whose values are paths; they have to mean the same from another directory.
PATHS = {"config", "data_root", "previous", "templates"}
# How an error begins, in each language of the program.
ERRORS = ("error: ", "错误：")
# What decides where output goes, or what the terminal is; the module decides both.
_OWN = {"format", "help", "output"}


def find_program() -> str:
    """Path of the program ``reportgen``.

    The first of: the variable ``REPORTGEN_BIN``, the script that was installed with this package,
    the search path.

    Raises:
        ProgramNotFound: If there is none.
    """
    named = os.environ.get("REPORTGEN_BIN")
    if named:
        if not Path(named).is_file():
            raise ProgramNotFound(f"REPORTGEN_BIN names no file: {named}")
        return str(Path(named).absolute())
    name = "reportgen" + (sysconfig.get_config_var("EXE") or "")
    for scripts in _script_directories():
        if (scripts / name).is_file():
            return str(scripts / name)
    found = shutil.which("reportgen")
    if found is None:
        raise ProgramNotFound(
            "the program reportgen was not found; install the wheel of this package, or set "
            "REPORTGEN_BIN to the path of a built one"
        )
    return found


def _script_directories() -> Iterable[Path]:
    """Where installers put scripts: of this environment, of the user, of ``pip --target``."""
    yield Path(sysconfig.get_path("scripts"))
    yield Path(sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user")))
    yield Path(__file__).resolve().parent.parent / "bin"


def arguments_of(options: Mapping[str, object]) -> list[str]:
    """Keywords as options of the command line.

    ``max_tokens=5`` is ``--max-tokens=5``, ``True`` a flag, ``None`` and ``False`` nothing; a list
    repeats the option, and a mapping does so with ``KEY=VALUE``.

    Raises:
        TypeError: For an option that the module sets itself.
    """
    arguments: list[str] = []
    for key, value in options.items():
        if key in _OWN:
            raise TypeError(f"{key}= is not for this function; use save(directory, formats=…)")
        name = "--" + key.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            arguments.append(name)
            continue
        words = _words(value)
        if key in _LISTS:
            words = [",".join(words)] if words else []
        if key in PATHS:
            words = [str(Path(word).absolute()) for word in words]
        arguments += [f"{name}={word}" for word in words]
    return arguments


def _words(value: object) -> list[str]:
    if isinstance(value, Mapping):
        return [f"{key}={_word(one)}" for key, one in value.items()]
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, os.PathLike)):
        return [_word(one) for one in value]
    return [_word(value)]


def _word(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


@dataclass(frozen=True)
class Ended:
    """What the program left behind: exit status and what it said."""

    status: int
    out: str
    err: str


def run(arguments: Sequence[str], directory: str) -> Ended:
    """Runs the program in this directory and waits for it.

    Raises:
        UsageError: With exit status 2.
        ReportgenError: If it was ended by a signal, or cannot be started.
    """
    environment = {**os.environ, "NO_COLOR": "1"}
    for name in ("COLUMNS", "CLICOLOR_FORCE"):
        environment.pop(name, None)
    try:
        ended = subprocess.run(
            [find_program(), *arguments],
            cwd=directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            encoding="utf-8",
            errors="replace",
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError as error:
        raise ReportgenError(f"reportgen cannot be started: {error}") from error
    if ended.returncode == 2:
        raise UsageError(error_in(ended.stderr), status=2)
    if ended.returncode < 0 or ended.returncode > 5:
        said = error_in(ended.stderr)
        raise ReportgenError(
            f"reportgen was ended by status {ended.returncode}: {said}", status=ended.returncode
        )
    return Ended(ended.returncode, ended.stdout, ended.stderr)


def failed(ended: Ended) -> ReportgenError:
    """The exception for a program that made no report."""
    message = error_in(ended.err)
    if ended.status == 4:
        return InputError(message, status=4)
    return ReportgenError(message, status=ended.status)


def error_in(said: str) -> str:
    """The program's own message among what it wrote to standard error."""
    lines = [
        line
        for line in said.strip().splitlines()
        if line.strip() and not line.startswith("Usage: ") and "'--help'" not in line
    ]
    first = next((at for at, line in enumerate(lines) if line.startswith(ERRORS)), 0)
    message = "\n".join(lines[first:]) or "it said nothing"
    for begin in ERRORS:
        message = message.removeprefix(begin)
    return message
