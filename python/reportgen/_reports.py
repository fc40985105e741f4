"""What the program found, as objects: the data of its report and the report as it drew it."""

from __future__ import annotations

import html
import importlib
import json
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from . import _program
from ._inputs import Workplace

Row = dict[str, Any]
ReportType = TypeVar("ReportType", bound="Report")

# Columns of report.csv that say what a comparison came to.
_VERDICT = (
    "metric",
    "dataset",
    "baseline",
    "candidate",
    "unit",
    "delta",
    "ci_lo",
    "ci_hi",
    "delta_unit",
    "p_adjusted",
    "paired",
    "verdict",
    "reason",
    "role",
    "grade",
    "baseline_run",
    "candidate_run",
)


class RunsChanged(UserWarning):
    """The files of the runs changed between the making of a report and its saving."""


@dataclass(frozen=True)
class Finding:
    """Something that the program noticed; ``reportgen explain CODE`` says all about it.

    Attributes:
        code: Such as ``R201``.
        severity: ``error``, ``warning`` or ``info``.
        message: What was found, in English.
        subject: What it is about: ``run``, ``metric``, ``dataset``, ``key`` and the like.
        location: ``path``, ``line`` and ``column``, or ``None``.
        help: What to do, or ``None``.
        accepted: The rule of ``accept`` that covers it, or ``None``.
        evidence: The facts behind the message, by name.
    """

    code: str
    severity: str
    message: str
    subject: Row
    location: Row | None
    help: str | None
    accepted: str | None
    evidence: Row

    def __str__(self) -> str:
        place = ""
        if self.location:
            line = self.location["line"]
            place = self.location["path"] + (f":{line}" if line else "") + ": "
        return f"{place}{self.severity}[{self.code}]: {self.message}"


@dataclass(frozen=True)
class Gate:
    """A rule of ``fail_on`` or ``[gate.NAME]``, and what came of it.

    Attributes:
        name: Such as ``regression``.
        rule: What it asks for, in English.
        outcome: ``pass``, ``fail``, ``inconclusive`` or ``not-gateable``.
        reason: Why, in English.
    """

    name: str
    rule: str
    outcome: str
    reason: str

    def __str__(self) -> str:
        return f"gate {self.name}: {self.outcome} ({self.reason})"


class Report:
    """A report: its answer, its data, and the document in several formats.

    A notebook shows the answer, the first table and the whole report behind a click.
    """

    _rows: Sequence[Row]

    def __init__(
        self,
        workplace: Workplace,
        command: Sequence[str],
        files: dict[str, str],
        ended: _program.Ended,
    ) -> None:
        self._workplace = workplace
        self._command = list(command)
        self._files = files
        self._said = ended.out.strip()
        self._rows = [json.loads(line) for line in files.get("jsonl", "").split("\n") if line]
        #: Exit status of the program: 0 done, 1 a gate failed, 3 a gate could not be applied.
        self.status = ended.status
        #: ``report.json`` as it is documented in docs/formats.md.
        self.json: Row = json.loads(files["json"])

    @property
    def headline(self) -> str:
        """The answer, as one paragraph of text."""
        return self._said.partition("\n\n")[0]

    @property
    def kind(self) -> str:
        """``compare``, ``check``, ``metrics`` or ``best``."""
        return str(self.json["kind"])

    @cached_property
    def findings(self) -> list[Finding]:
        """What was noticed while reading and checking."""
        names = Finding.__dataclass_fields__
        return [Finding(**{name: one[name] for name in names}) for one in self.json["findings"]]

    @cached_property
    def gates(self) -> list[Gate]:
        """What came of the gates that were asked for."""
        names = Gate.__dataclass_fields__
        return [Gate(**{name: one[name] for name in names}) for one in self.json["gates"]]

    @property
    def rows(self) -> list[Row]:
        """The figures as dicts, one a row, with the columns of ``report.csv``."""
        return [dict(row) for row in self._rows]

    def to_pandas(self) -> Any:
        """:attr:`rows` as a pandas frame."""
        return _frame("pandas", self.rows)

    def to_polars(self) -> Any:
        """:attr:`rows` as a polars frame."""
        return _frame("polars", self.rows)

    def to_markdown(self) -> str:
        """The report as Markdown, as the program prints it: without places for your words."""
        return re.sub(r"(\n<!-- reportgen:[^\n]*-->)+\n", "", self._files["md"])

    def to_html(self) -> str:
        """The report as one page that needs nothing else."""
        return self._files["html"]

    def save(
        self,
        directory: str | os.PathLike[str],
        formats: Iterable[str] = ("md", "html", "json"),
        **options: object,
    ) -> Path:
        """Writes ``report.md``, ``report.html`` and the like, as ``reportgen -o`` does.

        What you wrote between the marked lines of an older ``report.md`` there stays, and nothing
        is replaced that is no report of this kind. The program draws the report again.

        Args:
            directory: Where to; it is made if it is not there.
            formats: Such as ``csv``, ``latex`` or ``github`` besides.
            **options: ``assets``, ``force`` and others of the command line.

        Returns:
            The directory.

        Warns:
            RunsChanged: If the files of the runs are no longer those that this report is about.
        """
        place = Path(directory).absolute()
        formats = list(dict.fromkeys(formats))
        _, files = _draw(self._workplace, self._command, place, formats, options)
        if "json" in files and json.loads(files["json"]) != self.json:
            warnings.warn(
                f"the runs changed since this report was made; {place} has the newer state",
                RunsChanged,
                stacklevel=2,
            )
        return place

    def __str__(self) -> str:
        return self._said

    def __repr__(self) -> str:
        return f"<reportgen.{type(self).__name__}: {self.headline}>"

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def _repr_html_(self) -> str:
        page = self.to_html()
        whole = (
            f'<iframe srcdoc="{html.escape(page)}" sandbox="allow-scripts allow-popups" '
            'style="width:100%;height:70vh;border:1px solid #8884"></iframe>'
        )
        answer = _first_part(page)
        if answer is None:
            return whole
        folded = f"<details><summary>{html.escape(_title(page))}</summary>{whole}</details>"
        return f'<div class="reportgen">{answer}{folded}</div>'


class Comparison(Report):
    """What :func:`reportgen.compare` found."""

    @property
    def result(self) -> str | None:
        """``failed``, ``worse``, ``undecided``, ``better``, ``unchanged`` or ``no-verdict``."""
        return _text(self.json["headline"]["result"])

    @property
    def grade(self) -> str:
        """``identical``, ``as-declared``, ``confounded`` or ``not-comparable``."""
        return str(self.json["comparability"]["grade"])

    @property
    def verdicts(self) -> Any:
        """One row for each comparison, with verdict, interval and p.

        A frame of the library that is in use, pandas or polars, else a list of dicts. The columns
        are some of those of :attr:`rows`, which has sources, seeds and noise besides.
        """
        axes = [name for name in (self._rows[0] if self._rows else {}) if name.startswith("dim.")]
        names = [*_VERDICT[:2], *axes, *_VERDICT[2:]]
        return _table([{name: row[name] for name in names} for row in self._rows])


class Check(Report):
    """What :func:`reportgen.check` found."""

    @property
    def grade(self) -> str:
        """``identical``, ``as-declared``, ``confounded`` or ``not-comparable``."""
        return str(self.json["comparability"]["grade"])

    @property
    def comparable(self) -> bool:
        """Whether nothing but what was declared differs, and no gate is closed."""
        return self.status == 0 and self.grade in {"identical", "as-declared"}


class Metrics(Report):
    """What :func:`reportgen.metrics` found."""

    @property
    def summary(self) -> Row:
        """``summary.json``: every metric by dataset under ``datasets``."""
        summary: Row = json.loads(self._files["summary.json"])
        return summary

    @property
    def figures(self) -> Any:
        """One row for each figure: dataset, metric, value, n and interval. A frame as elsewhere."""
        return _table(self.rows)


class Best(Report):
    """What :func:`reportgen.best` found."""

    @property
    def step(self) -> int | float | None:
        """The best step (or epoch), ``None`` if there is none."""
        best = self.json["best"]
        step: int | float | None = best and best["step"]
        return step

    @property
    def not_separable(self) -> list[int | float]:
        """Steps that the data does not tell apart from the best."""
        best = self.json["best"]
        return list(best["not_separable"]) if best else []

    @property
    def checkpoints(self) -> Any:
        """One row for each checkpoint. A frame as elsewhere."""
        return _table(self.rows)


def make(
    kind: type[ReportType], workplace: Workplace, command: Sequence[str], formats: Sequence[str]
) -> ReportType:
    """Runs a command and reads the report that it made.

    Raises:
        ReportgenError: If it made none, or could not read a run.
    """
    with tempfile.TemporaryDirectory(prefix="reportgen-") as place:
        ended, files = _draw(workplace, command, Path(place), formats, {})
        out = "\n".join(line for line in ended.out.splitlines() if place not in line)
        # Reports end with the command that made them; where they lay for a moment is no part of it.
        made = re.compile(rf" \S*--output=[^\n]*?{re.escape(Path(place).name)}\S* --format=[\w,]+")
        for form in {"md", "html"} & set(files):
            files[form] = made.sub("", files[form])
    ended = _program.Ended(ended.status, out, ended.err)
    if "json" not in files:
        raise _program.failed(ended)
    report = kind(workplace, command, files, ended)
    if ended.status not in {0, 1, 3}:
        error = _program.failed(ended)
        error.report = report
        raise error
    return report


def _draw(
    workplace: Workplace,
    command: Sequence[str],
    place: Path,
    formats: Sequence[str],
    options: dict[str, object],
) -> tuple[_program.Ended, dict[str, str]]:
    """Runs the command, and reads what it wrote: reports by format, other files by name."""
    output = [f"--output={place}", f"--format={','.join(formats)}"]
    arguments = [*command, *output, *_program.arguments_of(options)]
    ended = _program.run(arguments, workplace.directory)
    files = {}
    for name in (*(f"report.{one}" for one in formats), "summary.json"):
        if (place / name).is_file():
            text = (place / name).read_text(encoding="utf-8")
            files[name.removeprefix("report.")] = text
    return ended, files


def _table(rows: list[Row]) -> Any:
    """A frame of the library that the session uses, else of one that is installed."""
    libraries = ("pandas", "polars")
    for library in sorted(libraries, key=lambda name: name not in sys.modules):
        try:
            return _frame(library, rows)
        except ImportError:
            continue
    return rows


def _frame(library: str, rows: list[Row]) -> Any:
    frames = importlib.import_module(library)
    if library == "polars":
        return frames.DataFrame(rows, infer_schema_length=None)
    return frames.DataFrame(rows)


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _first_part(page: str) -> str | None:
    """The header of a page without its title, and the tables that its first section shows."""
    header = re.search(r"<header[^>]*>(.*?)</header>", page, re.DOTALL)
    section = re.search(r"<main[^>]*>\s*<h2.*?</h2>(.*?)(?=<h2|</main>)", page, re.DOTALL)
    if header is None:
        return None
    words = re.sub(r"<h1.*?</h1>", "", header[1], flags=re.DOTALL)
    shown = re.sub(r"<details.*?</details>", "", section[1] if section else "", flags=re.DOTALL)
    tables = re.findall(r"<table>.*?</table>", shown, re.DOTALL)
    return words + "".join(tables)


def _title(page: str) -> str:
    title = re.search(r"<title>(.*?)</title>", page, re.DOTALL)
    return html.unescape(title[1]) if title else "Report"
