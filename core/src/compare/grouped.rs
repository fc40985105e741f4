//! Scores of a cell that can be divided in groups of samples: those of paired samples, or of several
//! runs over the same samples.

use super::evidence::ComparisonEvidence;
use super::joined::Joined;
use super::seeds::GroupableRuns;
use crate::pairing::{ArmPair, CellPair, PairPartition};

/// The scores of a cell, to be divided by what samples share.
#[derive(Debug)]
pub(super) enum Groupable<'c, 'a> {
    Pairs(Joined<'c, 'a>),
    Runs(GroupableRuns),
}

impl<'c, 'a> Groupable<'c, 'a> {
    /// `None` where samples are not paired, or are not those of all runs.
    pub(super) fn new(pair: &'c ArmPair<'a>, cell: &'c CellPair<'a>) -> Option<Self> {
        if pair.is_repeated() {
            return GroupableRuns::new(pair, cell).map(Self::Runs);
        }
        Joined::new(pair, cell).map(Self::Pairs)
    }

    /// Candidate − baseline of each sample, over the runs, behind the position of its pair.
    pub(super) fn differences(&self) -> Vec<(usize, f64)> {
        match self {
            Self::Pairs(joined) => joined.differences(),
            Self::Runs(runs) => runs.differences(),
        }
    }

    /// The same scores with such groups as clusters.
    pub(super) fn evidence_by(
        &self,
        groups: &'c PairPartition,
        cell: &CellPair<'_>,
    ) -> Option<ComparisonEvidence> {
        match self {
            Self::Pairs(joined) => {
                let joined = joined.by(groups);
                joined.evidence(joined.complete())
            }
            Self::Runs(runs) => Some(ComparisonEvidence::new(runs.by_groups(groups), &cell.spec)),
        }
    }
}
