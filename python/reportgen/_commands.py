"""The commands of the program as functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from . import _program
from ._errors import GateError, GateFailed, NotGateable
from ._inputs import RunLike, Workplace, arms_of, lay_out, members, named_in
from ._reports import Best, Check, Comparison, Metrics, make

Names: TypeAlias = "str | Iterable[str] | None"
Values: TypeAlias = "Mapping[str, float | str]"


def compare(
    *runs: RunLike,
    vary: Names = None,
    cluster: str | None = None,
    metric: Names = None,
    higher: Names = None,
    lower: Names = None,
    margin: Values | None = None,
    accept: Names = None,
    noise: RunLike = None,
    fail_on: Names = None,
    lang: str | None = None,
    **flags: object,
) -> Comparison:
    """Compares a baseline with one or more candidates.

    Args:
        *runs: The baseline, then the candidates. Each is a path as on the command line, a pandas
            or polars frame, an Arrow table, a list of dicts or a :class:`Run`, which adds a name
            and settings; or a list of such: the seeds of one arm. A single mapping names the
            arms: ``compare({"base": a, "tuned": b})``.
        vary: Settings that are meant to differ.
        cluster: Field that says which samples belong together; ``none`` if all are independent.
        metric: The metrics that decide.
        higher: Metrics of which more is better, where the shipped catalogue does not know them.
        lower: The same, less is better.
        margin: By metric, the largest difference that does not matter: ``{"accuracy": "1pp"}``.
        accept: Findings that you answer for, such as ``R201:base_checkpoint``.
        noise: Runs that repeat the baseline.
        fail_on: Gates; their outcomes are in ``gates`` and ``status`` of the report. To have a
            failed one raised, use :func:`gate`.
        lang: ``en`` or ``zh``; by default that of the locale.
        **flags: Every other option of ``reportgen compare``: ``alpha=0.01``, ``across="model"``,
            ``samples=20``, ``where={"seed": 1}``, ``strict=True``, ``config="reportgen.toml"``.

    Raises:
        UsageError: For runs or options that do not fit together.
        InputError: If a run cannot be read.
    """
    options = {
        "vary": vary,
        "cluster": cluster,
        "metric": metric,
        "higher": higher,
        "lower": lower,
        "margin": margin,
        "accept": accept,
        "fail_on": fail_on,
        "lang": lang,
        **flags,
    }
    repeats = [] if noise is None else members(noise)
    workplace = Workplace([*arms_of(runs), *repeats])
    arguments = lay_out(runs, workplace)
    for at, run in enumerate(repeats):
        arguments.append(f"--noise={workplace.place(run, f'noise-{at + 1}')}")
    command = ["compare", *arguments, *workplace.options(options)]
    return make(Comparison, workplace, command, ["md", "html", "json", "jsonl"])


def gate(*runs: RunLike, fail_on: Names = "regression", **options: Any) -> Comparison:
    """Compares runs, and raises unless every gate passes or stays undecided.

    Args:
        *runs: As those of :func:`compare`.
        fail_on: Any of ``regression``, ``mismatch``, ``missing`` and ``warning``; ``()`` for the
            gates of ``reportgen.toml`` alone.
        **options: Those of :func:`compare`; ``strict=True`` lets no undecided gate pass.

    Raises:
        GateFailed: If a gate failed.
        NotGateable: If a gate could not be applied: runs are not comparable, or results missing.
        UsageError: For runs or options that do not fit together.
        InputError: If a run cannot be read.
    """
    report = compare(*runs, fail_on=fail_on, **options)
    if report.status == 0:
        return report
    kind: type[GateError] = GateFailed if report.status == 1 else NotGateable
    closed = {"fail", "not-gateable", "inconclusive"}
    reasons = [str(one) for one in report.gates if one.outcome in closed]
    message = "\n".join([*reasons, report.headline])
    raise kind(message, status=report.status, report=report)


def check(
    *runs: RunLike,
    vary: Names = None,
    cluster: str | None = None,
    accept: Names = None,
    lang: str | None = None,
    **flags: object,
) -> Check:
    """Says whether runs may be compared, before there are results.

    Args:
        *runs: As those of :func:`compare`; ``Run(config={…})`` has settings alone.
        vary: Settings that are meant to differ.
        cluster: Field that says which samples belong together.
        accept: Findings that you answer for.
        lang: ``en`` or ``zh``.
        **flags: Every other option of ``reportgen check``.

    Raises:
        UsageError: For runs or options that do not fit together.
        InputError: If a run cannot be read.
    """
    options = {"vary": vary, "cluster": cluster, "accept": accept, "lang": lang, **flags}
    workplace = Workplace(arms_of(runs))
    arguments = lay_out(runs, workplace)
    command = ["check", *arguments, *workplace.options(options)]
    return make(Check, workplace, command, ["md", "html", "json"])


def metrics(
    *samples: RunLike,
    wall_clock: Values | None = None,
    max_tokens: int | None = None,
    seed: int | None = None,
    lang: str | None = None,
    **flags: object,
) -> Metrics:
    """Adds up judged answers: rates, kinds of errors, costs, each with its interval.

    ``save(directory)`` of the report writes ``metrics.json``, ``summary.json`` and QA logs too.

    Args:
        *samples: JSON lines, directories of them, or tables with one judged answer a row. A
            single mapping names datasets: ``metrics({"HumanEval": frame})``; else the records
            name theirs.
        wall_clock: Seconds that the evaluation of a dataset took, by dataset.
        max_tokens: Limit of generation, where records do not say that they were cut.
        seed: Of the draw of records for review.
        lang: ``en`` or ``zh``.
        **flags: Every other option of ``reportgen metrics``.

    Raises:
        UsageError: For options that do not fit together.
        InputError: If no record of an outcome could be read.
    """
    options = {
        "wall_clock": wall_clock,
        "max_tokens": max_tokens,
        "seed": seed,
        "lang": lang,
        **flags,
    }
    tables = arms_of(samples)
    workplace = Workplace(tables)
    names = [f"samples-{at + 1}" for at in range(len(tables))]
    named = named_in(samples)
    if named is not None:
        files = [workplace.file(table, name) for table, name in zip(tables, names)]
        placed = _program.arguments_of({"dataset": dict(zip(named, files))})
    else:
        placed = [workplace.place(table, name) for table, name in zip(tables, names)]
    command = ["metrics", *placed, *workplace.options(options)]
    return make(Metrics, workplace, command, ["md", "html", "json", "jsonl"])


def best(
    run: RunLike,
    *,
    metric: str | None = None,
    dataset: str | None = None,
    loss: str | None = None,
    higher: Names = None,
    lower: Names = None,
    lang: str | None = None,
    **flags: object,
) -> Best:
    """Chooses the best checkpoint of a run, and says how sure the choice is.

    Args:
        run: A directory, or a table with a step or epoch in each record.
        metric: The metric that decides.
        dataset: The dataset that decides.
        loss: The loss to set beside it.
        higher: Metrics of which more is better, where the shipped catalogue does not know them.
        lower: The same, less is better.
        lang: ``en`` or ``zh``.
        **flags: Every other option of ``reportgen best``.

    Raises:
        UsageError: If it is not clear which metric decides.
        InputError: If the run cannot be read.
    """
    options = {
        "metric": metric,
        "dataset": dataset,
        "loss": loss,
        "higher": higher,
        "lower": lower,
        "lang": lang,
        **flags,
    }
    workplace = Workplace([run])
    command = ["best", workplace.place(run, "run"), *workplace.options(options)]
    return make(Best, workplace, command, ["md", "html", "json", "jsonl"])
