//! Samples whose record holds no answer of the model although it has a place for one, and that were
//! scored all the same.

use super::{CellPair, PairArm, SampledSide};
use crate::model::MetricSpec;

/// Square of the distance of two shares in standard errors from which on they differ by more than
/// chance at 5 %.
const BEYOND_CHANCE: f64 = 3.841;

/// Scored samples without an answer, of which one arm has more than by chance.
#[derive(Debug, Clone, Copy)]
pub struct LackingAnswers {
    /// The arm with the larger share.
    pub arm: PairArm,
    /// Such samples and all scored ones, of baseline and candidate.
    pub parts: [(u64, u64); 2],
}

impl LackingAnswers {
    /// What the runs of baseline and candidate lack at one cell; `None` where chance explains it.
    pub fn between(runs: [&[&SampledSide<'_>]; 2], spec: &MetricSpec) -> Option<Self> {
        if !runs.iter().copied().flatten().any(|side| side.has_unanswered(spec)) {
            return None;
        }
        let parts = runs.map(|sides| {
            let lacking = sides.iter().map(|side| side.unanswered().count() as u64).sum();
            (lacking, sides.iter().map(|side| side.scored).sum::<u64>())
        });
        let [(mine, n), (theirs, other_n)] = parts;
        let shares = parts.map(|(count, n)| count as f64 / n as f64);
        let all = (mine + theirs) as f64 / (n + other_n) as f64;
        let variance = all * (1.0 - all) * (1.0 / n as f64 + 1.0 / other_n as f64);
        // An arm without a score gives no number here, of which nothing is true.
        let apart = (shares[0] - shares[1]).powi(2) > BEYOND_CHANCE * variance;
        let arm = if shares[0] > shares[1] { PairArm::Baseline } else { PairArm::Candidate };
        apart.then_some(Self { arm, parts })
    }

    /// What the two runs of a cell lack.
    pub fn of_cell(cell: &CellPair<'_>) -> Option<Self> {
        let [mine, theirs] = [cell.baseline.samples.as_ref()?, cell.candidate.samples.as_ref()?];
        Self::between([&[mine], &[theirs]], &cell.spec)
    }
}

impl SampledSide<'_> {
    /// Whether rows without an answer can be failed requests that were scored as wrong answers: they
    /// all have one score, which is not the best there is. Where some are right, an empty answer is
    /// one, or the answers were not kept.
    pub fn has_unanswered(&self, spec: &MetricSpec) -> bool {
        if !self.table.has_unanswered() {
            return false;
        }
        let mut scores = self.rows().filter(|&row| self.table.is_unanswered(row));
        if self.table.answers().is_some() {
            // Means over several answers, of which one is missing, tell nothing by being different.
            return scores.count() < self.rows().count();
        }
        let Some(first) = scores.find_map(|row| self.score(row)) else { return false };
        let highest = spec.bounds.map_or(f64::INFINITY, |(_, highest)| highest);
        let best = match spec.direction.sign() {
            Some(sign) if sign < 0.0 => first == 0.0,
            _ => first != 0.0 && (self.right_score() == Some(first) || first >= highest),
        };
        !best && scores.filter_map(|row| self.score(row)).all(|score| score == first)
    }

    /// Rows without an answer that have a score.
    pub fn unanswered(&self) -> impl Iterator<Item = usize> {
        self.rows().filter(|&row| self.table.is_unanswered(row) && self.is_scored(row))
    }
}
