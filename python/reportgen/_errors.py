"""What goes wrong, by the exit statuses of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._reports import Report


class ReportgenError(Exception):
    """The program ended without doing what was asked; the message is its own.

    Attributes:
        status: Exit status of the program, negative for a signal; ``None`` if it did not start.
        report: The report that was made all the same, or ``None``.
    """

    def __init__(
        self, message: str, *, status: int | None = None, report: Report | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.report = report


class ProgramNotFound(ReportgenError):
    """There is no program ``reportgen`` to start."""


class UsageError(ReportgenError, ValueError):
    """Wrong usage, configuration or template (exit status 2)."""


class InputError(ReportgenError):
    """Input or output failed, or a run holds nothing that can be read (exit status 4)."""


class GateError(ReportgenError):
    """A gate did not pass; ``report`` says why. Raised by :func:`reportgen.gate` alone."""


class GateFailed(GateError):
    """A gate failed, or with ``strict=True`` stayed undecided (exit status 1)."""


class NotGateable(GateError):
    """A gate could not be applied: the runs are not comparable, or results are missing (3)."""
