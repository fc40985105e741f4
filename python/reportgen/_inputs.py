"""Runs as people have them, laid out as the program reads them."""

from __future__ import annotations

import os
import shutil
import string
import tempfile
import weakref
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard

from . import _program, _rows

_SAMPLES = "samples.jsonl"

# A path, or a table: a pandas or polars frame, an Arrow table, records.
Data = Any
RunLike: TypeAlias = "str | os.PathLike[str] | Run | Data"


@dataclass(frozen=True)
class Run:
    """One run: its results with its name and its settings.

    Attributes:
        samples: One record for each sample, with an id and a score: a pandas or polars frame, an
            Arrow table, a list of dicts. ``None`` for a run without results, to be checked only.
        name: What reports call it; by default ``a``, ``b`` and so on.
        config: Its settings, which are compared key by key; ``vary`` names one of them.
    """

    samples: Data = None
    name: str | None = None
    config: Mapping[str, Any] | None = None


class Workplace:
    """Where a command runs, and how its runs are called there.

    Runs in memory are written to a directory of its own, which lives as long as this object. The
    command then runs in that directory, so that reports name such runs without the place where
    they lay for a moment; paths are made absolute for it.

    Args:
        runs: All runs of the command, arms of several among them.
    """

    def __init__(self, runs: Iterable[RunLike]) -> None:
        # Each is asked, so that what is no run is told before anything is written.
        memory = [_in_memory(run) for arm in runs for run in members(arm)]
        self._holds_memory = any(memory)
        self.directory = os.getcwd()
        if self._holds_memory:
            self.directory = tempfile.mkdtemp(prefix="reportgen-")
            weakref.finalize(self, shutil.rmtree, self.directory, ignore_errors=True)

    def options(self, options: Mapping[str, object]) -> list[str]:
        """Options as arguments, with the settings file that the caller's directory has."""
        arguments = _program.arguments_of(options)
        settings = Path.cwd() / "reportgen.toml"
        stated = options.get("config") or options.get("untrusted")
        if self._holds_memory and not stated and settings.is_file():
            arguments.append(f"--config={settings}")
        return arguments

    def place(self, run: RunLike, name: str) -> str:
        """How the command is told this run; one in memory is written under this name."""
        if isinstance(run, (str, os.PathLike)):
            text = os.fspath(run)
            if self._holds_memory:
                return str(Path(text).absolute())
            return f"./{text}" if text.startswith("-") else text
        return self._write(run if isinstance(run, Run) else Run(run), name)

    def file(self, run: RunLike, name: str) -> str:
        """The same, but of one in memory the file of its records."""
        placed = self.place(run, name)
        return f"{placed}/{_SAMPLES}" if _in_memory(run) else placed

    def _write(self, run: Run, name: str) -> str:
        name = run.name or name
        if not name or name[0] in ".-" or any(one in name for one in '/\\:=*?[]"\0'):
            raise ValueError(f"a run cannot be called {name!r}")
        directory = Path(self.directory) / name
        try:
            directory.mkdir()
        except FileExistsError:
            raise ValueError(f"two runs are called {name!r}") from None
        if run.samples is not None:
            _rows.write(run.samples, directory / _SAMPLES)
        if run.config is not None:
            (directory / "config.json").write_text(_rows.to_json(run.config), encoding="utf-8")
        return name


def _in_memory(data: object) -> bool:
    """Whether this run has to be written before the program can read it.

    Raises:
        TypeError: For what is no run.
    """
    if isinstance(data, (str, os.PathLike)):
        return False
    if isinstance(data, Run) or _rows.is_table(data):
        return True
    raise TypeError(
        f"a run is a path, a frame, an Arrow table, a list of dicts or a reportgen.Run, "
        f"not {type(data).__name__}"
    )


def members(arm: RunLike) -> list[RunLike]:
    """The runs of an arm: those of a list of runs, or one."""
    return list(arm) if _is_arm(arm) else [arm]


def _is_arm(data: object) -> TypeGuard[Sequence[Data]]:
    """Whether this is a list of runs and not one of records."""
    return (
        isinstance(data, (list, tuple))
        and bool(data)
        and not any(isinstance(one, Mapping) for one in data)
    )


def arms_of(runs: Sequence[RunLike]) -> list[RunLike]:
    """The runs or arms that are meant: a single mapping names them."""
    named = named_in(runs)
    return list(runs) if named is None else list(named.values())


def named_in(runs: Sequence[RunLike]) -> Mapping[str, RunLike] | None:
    """The mapping that is all that was given, or ``None``."""
    return runs[0] if len(runs) == 1 and isinstance(runs[0], Mapping) else None


def lay_out(runs: Sequence[RunLike], workplace: Workplace) -> list[str]:
    """The arguments that name these runs, the first of which is the baseline."""
    named = named_in(runs)
    if named is not None:
        arms = [(str(name), arm) for name, arm in named.items()]
    else:
        arms = [(_letter(at), run) for at, run in enumerate(runs)]
    if named is not None or any(_is_arm(run) for run in runs):
        return _as_arms(arms, workplace)
    return [workplace.place(run, name) for name, run in arms]


def _letter(at: int) -> str:
    """``a``, ``b`` and so on for runs without a name."""
    return string.ascii_lowercase[at] if at < 26 else f"run{at + 1}"


def _as_arms(arms: Sequence[tuple[str, RunLike]], workplace: Workplace) -> list[str]:
    arguments = []
    for arm, data in arms:
        if not arm or "=" in arm:
            raise ValueError(f"an arm cannot be called {arm!r}")
        runs = members(data)
        for at, run in enumerate(runs):
            name = arm if len(runs) == 1 else f"{arm}-run{at + 1}"
            arguments.append(f"--arm={arm}={workplace.place(run, name)}")
    return arguments
