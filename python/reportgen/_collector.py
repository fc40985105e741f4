"""Judged answers collected while an evaluation goes on, and what they add up to."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from ._commands import metrics
from ._reports import Metrics, Row


@dataclass
class EvalResult:
    """One judged answer. What is not known stays ``None`` and is never taken for 0.

    Attributes:
        problem_id: Which problem; several answers to one share it.
        accepted: Whether all cases passed.
        pass_ratio: Share of cases that passed, 0 to 1.
        error_type: ``success``, ``wrong_answer``, ``syntax_error``, ``runtime_error``,
            ``timeout``, ``api_error``, or as a sandbox writes it (``NameError: …``, ``TLE``).
        judge_time: Seconds of judging.
        gen_tokens: Tokens generated.
        gen_time: Seconds of generation.
        truncated: Whether the answer was cut at the limit of tokens.
        prompt: The prompt, for QA logs.
        response: The answer, for QA logs.
        extra: Anything else, kept in QA logs.
    """

    problem_id: str | int
    accepted: bool | None = None
    pass_ratio: float | None = None
    error_type: str | None = None
    judge_time: float | None = None
    gen_tokens: int | None = None
    gen_time: float | None = None
    truncated: bool | None = None
    prompt: str | None = None
    response: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


_FIELDS = [one.name for one in fields(EvalResult)]


class MetricsCollector:
    """Collects judged answers by dataset.

        >>> collector = MetricsCollector(step=500)
        >>> collector.add_result("valid", EvalResult("1575/G", accepted=True, pass_ratio=1.0))
        >>> collector.set_wall_clock_time("valid", 120.0)
        >>> collector.get_summary()["datasets"]["valid"]["exec_success_rate"]
        >>> collector.save("eval_step_500")

    Args:
        step: Step of the checkpoint, written into every record.
        max_tokens: Limit of generation, where results do not say that they were cut.
        **extra: Kept in every record of the QA logs: ``checkpoint``, ``model`` and the like.
    """

    def __init__(
        self, *, step: int | None = None, max_tokens: int | None = None, **extra: Any
    ) -> None:
        self._step = step
        self._max_tokens = max_tokens
        self._extra = extra
        self._records: list[Row] = []
        self._seconds: dict[str, float] = {}
        self._report: Metrics | None = None

    def add_result(self, dataset: str, result: EvalResult | Mapping[str, Any]) -> None:
        """Adds one answer; a mapping has the fields of :class:`EvalResult`, others go to extra."""
        self.add_results(dataset, [result])

    def add_results(self, dataset: str, results: Iterable[EvalResult | Mapping[str, Any]]) -> None:
        """Adds a batch of answers."""
        records = [self._record(dataset, result) for result in results]
        self._records += records
        self._report = None

    def set_wall_clock_time(self, dataset: str, seconds: float) -> None:
        """Says how long the evaluation of a dataset took, for its throughput."""
        self._seconds[dataset] = seconds
        self._report = None

    def __len__(self) -> int:
        return len(self._records)

    def report(self) -> Metrics:
        """The report of what has been added so far.

        Raises:
            InputError: If nothing was added that says how an answer ended.
        """
        if self._report is None:
            present = {record["dataset"] for record in self._records}
            seconds = {name: one for name, one in self._seconds.items() if name in present}
            self._report = metrics(
                list(self._records), wall_clock=seconds, max_tokens=self._max_tokens
            )
        return self._report

    def get_summary(self) -> Row:
        """The figures by dataset, as in ``summary.json``: ``summary["datasets"][name][metric]``."""
        return self.report().summary

    def save(self, directory: str | os.PathLike[str]) -> Path:
        """Writes ``metrics.json``, ``summary.json``, ``qa_logs/`` and the report.

        Files of other datasets of the same step stay, so that datasets may be evaluated one after
        another.
        """
        return self.report().save(directory)

    def _record(self, dataset: str, result: EvalResult | Mapping[str, Any]) -> Row:
        if isinstance(result, EvalResult):
            given = {name: getattr(result, name) for name in _FIELDS}
        elif isinstance(result, Mapping):
            given = dict(result)
        else:
            raise TypeError(f"a result is an EvalResult or a mapping, not {type(result).__name__}")
        if given.get("problem_id") is None:
            raise ValueError("a result needs a problem_id")
        extra = {**self._extra, **(given.pop("extra", None) or {})}
        extra.update({name: given.pop(name) for name in list(given) if name not in _FIELDS})
        record = {name: value for name, value in given.items() if value is not None}
        if self._step is not None:
            record["step"] = self._step
        return {"dataset": dataset, **record, **({"extra": extra} if extra else {})}
