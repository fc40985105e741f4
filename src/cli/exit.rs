//! Exit statuses.

use std::process::ExitCode;

use crate::gate::{Gate, Outcome};

/// How a command ended. The numbers are a promise to scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// 0: done, and every gate asked for passed or stayed undecided (it says so).
    Done,
    /// 1: a gate failed, or stayed undecided where that was asked to fail, or a check of the program
    /// itself failed.
    GateFailed,
    /// 2: wrong usage or configuration.
    Usage,
    /// 3: not gateable: the runs are not comparable, or required results are missing.
    NotGateable,
    /// 4: input or output failed.
    InputOutput,
}

impl ExitStatus {
    /// The number.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::GateFailed => 1,
            Self::Usage => 2,
            Self::NotGateable => 3,
            Self::InputOutput => 4,
        }
    }

    /// The status of some gates. A gate that could not be judged outweighs one that failed,
    /// because a failure between incomparable runs means nothing. With `strict` an undecided gate
    /// counts as failed.
    pub fn of_gates(gates: &[Gate], strict: bool) -> Self {
        let any = |outcome| gates.iter().any(|gate| gate.outcome == outcome);
        if any(Outcome::NotGateable) {
            Self::NotGateable
        } else if any(Outcome::Fail) || (strict && any(Outcome::Inconclusive)) {
            Self::GateFailed
        } else {
            Self::Done
        }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status.code())
    }
}
