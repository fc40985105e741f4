//! The two arms of a pair, and what either of them has.

use std::ops::Index;

/// One of the two arms of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairArm {
    Baseline,
    Candidate,
}

impl PairArm {
    /// Baseline, then candidate.
    pub const BOTH: [Self; 2] = [Self::Baseline, Self::Candidate];

    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Baseline => Self::Candidate,
            Self::Candidate => Self::Baseline,
        }
    }

    /// The name in `report.json` and in the catalogue.
    pub fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Candidate => "candidate",
        }
    }
}

/// What both arms of a pair have: of the baseline, then of the candidate.
pub type PerArm<T> = [T; 2];

impl<T> Index<PairArm> for PerArm<T> {
    type Output = T;

    fn index(&self, which: PairArm) -> &T {
        let [baseline, candidate] = self;
        match which {
            PairArm::Baseline => baseline,
            PairArm::Candidate => candidate,
        }
    }
}
