//! Figures that one arm has, and that the other could have and lacks.

use std::collections::BTreeSet;

use super::{CellPair, PairArm, RunPair};
use crate::model::{Absence, CHECKPOINT_DIMS, Measured};

impl RunPair<'_> {
    /// Whether the other arm has a figure in the cell that this one lacks, although it records what
    /// the figure follows from and does not say that the figure cannot exist.
    pub fn lacks(&self, cell: &CellPair<'_>, which: PairArm) -> bool {
        cell.figure(which.other()).is_some()
            && cell.figure(which).is_none()
            && self.can_be_in(cell, which)
    }

    /// Whether that arm can have a figure in the cell: it records what the figure follows from, and
    /// does not say that there is none.
    pub fn can_be_in(&self, cell: &CellPair<'_>, which: PairArm) -> bool {
        let cannot = Measured::Absent(Absence::NotApplicable);
        self.unrecorded_in(cell) != Some(which) && cell.side(which).value() != cannot
    }

    /// Whether both arms have figures of the same metrics, and none at a place where the other has a
    /// figure or has planned one: nothing that can be run again would give a pair.
    pub fn lies_elsewhere(&self) -> bool {
        let mut metrics = PairArm::BOTH.map(|_| BTreeSet::new());
        for cell in &self.cells {
            let there = PairArm::BOTH.map(|which| {
                let side = cell.side(which);
                side.stated.is_some() || side.samples.is_some()
            });
            if there == [true, true] {
                return false;
            }
            for (which, metrics) in PairArm::BOTH.into_iter().zip(&mut metrics) {
                if cell.figure(which).is_some() {
                    metrics.insert((
                        &cell.key.dataset,
                        &cell.key.metric,
                        cell.key.dims.names().collect::<Vec<_>>(),
                    ));
                }
            }
        }
        let [mine, theirs] = metrics;
        let same = |one: &(_, _, Vec<&str>)| {
            theirs.iter().any(|other| (one.0, one.1) == (other.0, other.1))
        };
        mine.is_disjoint(&theirs) && mine.iter().any(same)
    }

    /// Whether the candidate lacks a figure of the baseline in which it could have become worse: the
    /// metric can have a verdict, and the candidate has no figure of it from a later checkpoint either.
    pub fn leaves_open(&self, cell: &CellPair<'_>) -> bool {
        cell.is_judged() && self.lacks(cell, PairArm::Candidate) && !self.went_past(cell)
    }

    /// Whether the candidate lacks more of the baseline's results than points of a curve that it went
    /// past: a figure in which it could have become worse, or a whole dataset.
    pub fn loses_results(&self) -> bool {
        self.cells.iter().any(|cell| self.leaves_open(cell))
            || !self.absent_datasets(PairArm::Candidate).is_empty()
    }

    /// Datasets of which the other arm has figures and that arm none.
    pub fn absent_datasets(&self, which: PairArm) -> BTreeSet<&str> {
        let of = |which| {
            let known = self.cells.iter().filter(move |cell| cell.figure(which).is_some());
            known.filter_map(|cell| cell.key.dataset.as_deref()).collect::<BTreeSet<&str>>()
        };
        let lacked = self.cells.iter().filter(|cell| self.lacks(cell, which));
        let theirs = of(which);
        let names = lacked.filter_map(|cell| cell.key.dataset.as_deref());
        names.filter(|name| !theirs.contains(name)).collect()
    }

    /// Whether the candidate has the same figure at a later checkpoint: it was evaluated less often,
    /// but as far.
    fn went_past(&self, cell: &CellPair<'_>) -> bool {
        let own = &cell.key;
        CHECKPOINT_DIMS.iter().any(|&dim| {
            let Some(at) = own.dims.get(dim) else { return false };
            let rest = own.dims.without(dim);
            self.cells.iter().any(|other| {
                let other_key = &other.key;
                (&other_key.metric, &other_key.dataset) == (&own.metric, &own.dataset)
                    && other_key.dims.get(dim).is_some_and(|later| later > at)
                    && other_key.dims.without(dim) == rest
                    && other.figure(PairArm::Candidate).is_some()
            })
        })
    }
}
