//! The scores of a record, and those that it states twice.

use super::field::ScoreId;
use super::value::RecordScore;

/// Scores in the order of their fields. Few fields are scores, so that looking through them costs
/// nothing.
#[derive(Debug, Default)]
pub(crate) struct RecordScores {
    found: Vec<(ScoreId, RecordScore)>,
    /// Of a metric that stands in two places with two values, the one that does not count.
    pub(super) overruled: Vec<(ScoreId, f64)>,
}

impl RecordScores {
    pub(super) fn clear(&mut self) {
        self.found.clear();
        self.overruled.clear();
    }

    /// Sets the score of a metric. Of two the last one counts.
    pub(super) fn set(&mut self, id: ScoreId, score: RecordScore) {
        let Some((_, earlier)) = self.found.iter_mut().find(|(known, _)| *known == id) else {
            return self.found.push((id, score));
        };
        match (*earlier, score) {
            (RecordScore::Finite(before), RecordScore::Finite(now)) if before != now => {
                self.overruled.push((id, before));
            }
            _ => {}
        }
        *earlier = score;
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (ScoreId, RecordScore)> {
        self.found.iter().copied()
    }
}
