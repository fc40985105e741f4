//! Scores without bounds that the arms may have given on different scales.

use crate::diag::{Code, Diagnostic};
use crate::model::Direction;
use crate::pairing::{CellPair, PairArm, RunPair, SampledSide};
use crate::quantity::{Quantity, Unit};

/// Fewer samples may leave out the ends of a scale.
const FEWEST_SAMPLES: usize = 20;
/// A scale of marks has no more of them; what has more is measured.
const MOST_MARKS: usize = 21;
/// How many times as wide as the other one range is where the scales are taken to differ: 1 to 10
/// against 1 to 5 is 2.25 times as wide.
const TIMES: f64 = 1.8;

pub(super) fn run(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    pair.cells.iter().filter_map(finding).collect()
}

fn finding(cell: &CellPair<'_>) -> Option<Diagnostic> {
    let spec = &cell.spec;
    let is_open = spec.unit == Unit::Plain && spec.range().is_none();
    if !is_open || spec.direction != Direction::Higher || !cell.is_judged() {
        return None;
    }
    let [Some(mine), Some(theirs)] =
        PairArm::BOTH.map(|which| marks(cell.side(which).samples.as_ref()?))
    else {
        return None;
    };
    let (narrow, wide) = (mine.width().min(theirs.width()), mine.width().max(theirs.width()));
    let is_apart = mine.highest < theirs.lowest || theirs.highest < mine.lowest;
    if wide < TIMES * narrow && !is_apart {
        return None;
    }
    let range = |marks: Marks| [marks.lowest, marks.highest].map(Quantity::Computed);
    let ([lowest, highest], [other_lowest, other_highest]) = (range(mine), range(theirs));
    let source = cell.candidate.source(&cell.key.metric);
    Some(
        Diagnostic::new(Code::ScalesMayDiffer)
            .about_dataset(cell.key.dataset.as_deref())
            .dims(&cell.key.dims)
            .about_metric(&cell.key.metric)
            .with("baseline_lowest", lowest)
            .with("baseline_highest", highest)
            .with("candidate_lowest", other_lowest)
            .with("candidate_highest", other_highest)
            .at(source.map(|source| source.location())),
    )
}

/// The lowest and the highest mark that an arm gave.
#[derive(Debug, Clone, Copy)]
struct Marks {
    lowest: f64,
    highest: f64,
}

impl Marks {
    fn width(self) -> f64 {
        self.highest - self.lowest
    }
}

/// The ends of the scores of an arm, where these are at least two and few enough to be marks.
fn marks(samples: &SampledSide<'_>) -> Option<Marks> {
    let mut given: Vec<f64> = Vec::with_capacity(MOST_MARKS);
    let mut count = 0;
    for score in samples.scores() {
        count += 1;
        if !given.contains(&score) {
            given.push(score);
        }
        if given.len() > MOST_MARKS {
            return None;
        }
    }
    let ends = (given.iter().copied().reduce(f64::min)?, given.into_iter().reduce(f64::max)?);
    let marks = Marks { lowest: ends.0, highest: ends.1 };
    (count >= FEWEST_SAMPLES && marks.width() > 0.0).then_some(marks)
}
