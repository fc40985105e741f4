//! Samples whose record holds no answer of the model although it has a place for one, and that were
//! scored all the same.

use super::{PerArm, SampledSide};
use crate::model::MetricSpec;

/// The scored samples without an answer and all scored ones of some runs of baseline and candidate at
/// one cell; `None` where no run lacks any.
pub fn unanswered_parts(
    runs: [&[&SampledSide<'_>]; 2],
    spec: &MetricSpec,
) -> Option<PerArm<(u64, u64)>> {
    let lacks = runs.iter().copied().flatten().any(|side| side.has_unanswered(spec));
    lacks.then(|| {
        runs.map(|sides| {
            let lacking = sides.iter().map(|side| side.unanswered().count() as u64).sum();
            (lacking, sides.iter().map(|side| side.scored).sum())
        })
    })
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
