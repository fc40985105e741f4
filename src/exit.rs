//! How a command ends: its exit status, and why it could not do its work.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use crate::diag::Diagnostic;
use crate::gate::{GateEffect, JudgedGate};
use crate::text::{Catalogue, Refusal};

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
    /// 5: another process does the same work; nothing was done.
    Busy,
}

impl ExitStatus {
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::GateFailed => 1,
            Self::Usage => 2,
            Self::NotGateable => 3,
            Self::InputOutput => 4,
            Self::Busy => 5,
        }
    }

    /// The status of some gates. A gate that could not be judged outweighs one that failed,
    /// because a failure between incomparable runs means nothing.
    pub fn from_gates(gates: &[JudgedGate]) -> Self {
        let any = |effect| gates.iter().any(|gate| gate.effect() == effect);
        if any(GateEffect::Blocks) {
            Self::NotGateable
        } else if any(GateEffect::Fails) {
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

#[derive(Debug)]
pub struct Failure {
    pub status: ExitStatus,
    pub cause: Box<dyn Error + Send + Sync>,
    /// What was noticed before, and the words to say it in.
    pub noticed: Option<(Vec<Diagnostic>, &'static Catalogue)>,
}

impl Failure {
    /// Words on the command line or in a configuration cannot be used.
    pub fn usage(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { status: ExitStatus::Usage, cause: cause.into(), noticed: None }
    }

    /// As [`Self::usage`], with a text of the catalogues and the words that belong in it.
    pub fn refused(key: &'static str, facts: &[(&'static str, &str)]) -> Self {
        let with =
            |refusal: Refusal, (name, fact): &(&'static str, &str)| refusal.with(name, *fact);
        Self::usage(facts.iter().fold(Refusal::new(key), with))
    }

    /// An input cannot be read, or holds nothing that could be used.
    pub fn input(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { status: ExitStatus::InputOutput, cause: cause.into(), noticed: None }
    }

    /// A file that the user named cannot be read.
    pub fn read(path: &Path, source: io::Error) -> Self {
        Self::input(on_disk("refused.cannot-read", path, source))
    }

    pub fn write(path: &Path, source: io::Error) -> Self {
        Self::input(on_disk("refused.cannot-write", path, source))
    }

    /// Standard output cannot be written.
    pub fn standard_output(source: io::Error) -> Self {
        Self::input(Refusal::new("refused.standard-output").because(source))
    }

    /// The same after something was noticed.
    #[must_use]
    pub fn after(self, noticed: Vec<Diagnostic>, words: &'static Catalogue) -> Self {
        Self { noticed: Some((noticed, words)), ..self }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cause.fmt(f)
    }
}

fn on_disk(key: &'static str, path: &Path, source: io::Error) -> Refusal {
    Refusal::new(key).with("path", path.display().to_string()).because(source)
}
