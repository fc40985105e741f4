"""Compare evaluation and training runs: comparability first, then statistics, then a report.

    >>> import reportgen
    >>> report = reportgen.compare("runs/base", "runs/tuned", vary="lr")
    >>> print(report.headline)
    >>> report.verdicts
    >>> report.save("out")

Runs are paths, pandas or polars frames, Arrow tables or lists of dicts. The module starts the
program ``reportgen``, which the wheel brings along, and needs nothing but the standard library.
"""

from importlib import metadata

from ._collector import EvalResult, MetricsCollector
from ._commands import best, check, compare, gate, metrics
from ._errors import (
    GateError,
    GateFailed,
    InputError,
    NotGateable,
    ProgramNotFound,
    ReportgenError,
    UsageError,
)
from ._inputs import Run
from ._program import find_program
from ._reports import Best, Check, Comparison, Finding, Gate, Metrics, Report, RunsChanged

__all__ = [
    "Best",
    "Check",
    "Comparison",
    "EvalResult",
    "Finding",
    "Gate",
    "GateError",
    "GateFailed",
    "InputError",
    "Metrics",
    "MetricsCollector",
    "NotGateable",
    "ProgramNotFound",
    "Report",
    "ReportgenError",
    "Run",
    "RunsChanged",
    "UsageError",
    "best",
    "check",
    "compare",
    "find_program",
    "gate",
    "metrics",
]


def __getattr__(name: str) -> str:
    if name == "__version__":
        return metadata.version("reportgen")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
