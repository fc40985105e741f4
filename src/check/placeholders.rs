//! Values that stand among scores for none: −1 among shares, −999 among rewards.

use crate::diag::{Code, Diagnostic};
use crate::pairing::{CellPair, PairArm, RunPair, SampledSide};
use crate::quantity::Quantity;

/// Fewer scores do not show their range.
const FEWEST_SAMPLES: u64 = 20;
/// A value that comes once may be a score far off.
const LEAST_OFTEN: u64 = 2;
/// Values that programs write where there is no number, if they lie so many times as far from 0 as all
/// scores.
const CODES: [f64; 9] = [-99.0, -100.0, -999.0, -1000.0, -9999.0, 99.0, 999.0, 9999.0, 99_999.0];
const FAR: f64 = 10.0;

pub(super) fn run(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    pair.cells.iter().filter_map(finding).collect()
}

fn finding(cell: &CellPair<'_>) -> Option<Diagnostic> {
    if cell.spec.range().is_some() || !cell.is_judged() {
        return None;
    }
    let sides = PairArm::BOTH.map(|which| cell.side(which).samples.as_ref());
    let scores = || sides.into_iter().flatten().flat_map(SampledSide::scores);
    let lowest = scores().reduce(f64::min)?;
    let highest = scores().reduce(f64::max)?;
    let value = [lowest, highest].into_iter().find(|&value| {
        let others = OtherScores::than(value, scores());
        others.left_out >= LEAST_OFTEN && others.n >= FEWEST_SAMPLES && others.exclude(value)
    })?;
    let counts = sides.map(|side| {
        let scores = side.into_iter().flat_map(SampledSide::scores);
        scores.filter(|&score| score == value).count() as u64
    });
    let source = sides.into_iter().flatten().find_map(|side| {
        let row = side.rows().find(|&row| side.score(row) == Some(value))?;
        Some(side.table.source(row, &cell.key.metric))
    });
    Some(
        Diagnostic::new(Code::NoScoreAmongScores)
            .dataset(cell.key.dataset.as_deref())
            .dims(&cell.key.dims)
            .metric(&cell.key.metric)
            .with("value", Quantity::Computed(value))
            .with("baseline", counts[0])
            .with("candidate", counts[1])
            .at(source.map(|source| source.location())),
    )
}

/// The scores besides one value.
#[derive(Debug, Default)]
struct OtherScores {
    n: u64,
    left_out: u64,
    lowest: f64,
    highest: f64,
    /// Whether some lie between whole numbers.
    graded: bool,
}

impl OtherScores {
    fn than(value: f64, scores: impl Iterator<Item = f64>) -> Self {
        let mut found =
            Self { lowest: f64::INFINITY, highest: f64::NEG_INFINITY, ..Self::default() };
        for score in scores {
            if score == value {
                found.left_out += 1;
                continue;
            }
            found.n += 1;
            found.lowest = found.lowest.min(score);
            found.highest = found.highest.max(score);
            found.graded |= score.fract() != 0.0;
        }
        found
    }

    /// Whether a value is none of a range that these show: shares, marks from 0 or 1 on, or values that
    /// are all small beside a code. Of 0 and 1 alone, −1 is the third mark.
    fn exclude(&self, value: f64) -> bool {
        let is_outside = value < self.lowest.min(0.0) || value > self.highest.max(1.0);
        let are_shares = self.graded && self.lowest >= 0.0 && self.highest <= 1.0;
        let are_marks = value == -1.0 && self.lowest >= 0.0 && self.highest > 1.0;
        let extent = self.lowest.abs().max(self.highest.abs());
        let is_code = CODES.contains(&value) && value.abs() >= FAR * extent;
        is_outside && (are_shares || are_marks || is_code)
    }
}
