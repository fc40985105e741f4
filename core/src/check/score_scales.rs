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
/// The highest mark of most scales of few marks.
const COMMON_HIGHEST: f64 = 5.0;

/// How many times as large the middle score of one arm is where it is written in thousandths of the
/// unit of the other.
const THOUSAND: std::ops::RangeInclusive<f64> = 500.0..=2000.0;

/// The same of other units, which are no improvements where all quartiles of the scores are about as many
/// times as large: tens, minutes, hundreds, hours, millions or megabytes, thousand millions or gigabytes.
const UNITS: [(std::ops::RangeInclusive<f64>, f64); 5] = [
    (9.0..=11.0, 1.25),
    (40.0..=150.0, 2.0),
    (2_000.0..=6_000.0, 2.0),
    (5e5..=2e6, 2.0),
    (5e8..=2e9, 2.0),
];
/// How far from each other negatives of what the other arm has may be.
const NEGATED: std::ops::RangeInclusive<f64> = -2.0..=-0.5;

/// Parts of names of logarithms of probabilities, and how many times as large they are in another base:
/// bits against nats, nats against decimal digits, bits against these.
const LOGARITHMS: [&str; 9] =
    ["loss", "nll", "bpb", "bpc", "bits", "logp", "log_prob", "likelihood", "entropy"];
const BASES: [f64; 3] =
    [std::f64::consts::LOG2_E, std::f64::consts::LN_10, std::f64::consts::LOG2_10];
/// How far from that the quartiles of the scores may be.
const LOOSE: f64 = 0.05;

pub(super) fn run(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    pair.cells.iter().filter_map(|cell| other_scale(cell).or_else(|| finding(cell))).collect()
}

/// Marks of one arm that are all those of the other less one, which begin at 0; −1 and 1 against 0 and 1;
/// and measured scores in another unit.
fn other_scale(cell: &CellPair<'_>) -> Option<Diagnostic> {
    let spec = &cell.spec;
    let is_told = spec.unit.is_rate() || cell.mixed_units;
    if is_told || spec.range().is_some() || !cell.is_judged() {
        return None;
    }
    let mut scores = PairArm::BOTH.map(|which| {
        let samples = cell.side(which).samples.as_ref();
        samples.into_iter().flat_map(SampledSide::scores).collect::<Vec<f64>>()
    });
    if scores.iter().any(|scores| scores.len() < FEWEST_SAMPLES) {
        return None;
    }
    let quartiles = quartiles(&mut scores);
    let [mine, theirs] = quartiles.map(|quartiles| quartiles[1]);
    let times = (mine / theirs).max(theirs / mine);
    let ends = scores.each_ref().map(|scores| {
        let end = |pick: fn(f64, f64) -> f64| scores.iter().copied().fold(scores[0], pick);
        [end(f64::min), end(f64::max)]
    });
    let is_log = is_in_other_base(cell, quartiles)
        || is_in_other_unit(quartiles)
        || is_negated(ends, quartiles);
    let are_signs = [[0, 1], [1, 0]].iter().any(|&[signs, marks]| {
        ends[signs] == [-1.0, 1.0]
            && ends[marks] == [0.0, 1.0]
            && scores[signs].iter().all(|score| score.abs() == 1.0)
            && scores[marks].iter().all(|score| score.fract() == 0.0)
    });
    let shifted = are_signs
        || is_log
        || ends[0].map(|end| end + 1.0) == ends[1] && are_shifted(&scores[0], &scores[1])
        || ends[1].map(|end| end + 1.0) == ends[0] && are_shifted(&scores[1], &scores[0]);
    (THOUSAND.contains(&times) || shifted)
        .then(|| told(Code::ScalesDiffer, cell, ends.map(|ends| ends.map(Quantity::Computed))))
}

fn quartiles(scores: &mut [Vec<f64>; 2]) -> [[f64; 3]; 2] {
    scores.each_mut().map(|scores| {
        [1, 2, 3].map(|quarter| {
            let at = quarter * scores.len() / 4;
            *scores.select_nth_unstable_by(at, f64::total_cmp).1
        })
    })
}

/// Whether the quartiles of one arm are all about as many times those of the other as in another unit.
fn is_in_other_unit([mine, theirs]: [[f64; 3]; 2]) -> bool {
    if mine[0] == mine[2] || theirs[0] == theirs[2] {
        return false;
    }
    let fits = |(factor, loose): &(std::ops::RangeInclusive<f64>, f64), times: [f64; 3]| {
        let [low, high] = [f64::min, f64::max].map(|end| times.into_iter().fold(times[1], end));
        factor.contains(&times[1]) && low > 0.0 && high / low <= *loose
    };
    let times = |of: [f64; 3], to: [f64; 3]| [0, 1, 2].map(|at| of[at] / to[at]);
    UNITS.iter().any(|unit| fits(unit, times(mine, theirs)) || fits(unit, times(theirs, mine)))
}

/// Whether all scores of one arm are below 0 and those of the other above, about as far.
fn is_negated(ends: [[f64; 2]; 2], quartiles: [[f64; 3]; 2]) -> bool {
    let [mine, theirs] = quartiles;
    let are_apart = ends[0][1] < 0.0 && ends[1][0] > 0.0 || ends[1][1] < 0.0 && ends[0][0] > 0.0;
    let vary = mine[0] < mine[2] && theirs[0] < theirs[2];
    let mut turned = mine.iter().zip(theirs.iter().rev());
    are_apart && vary && turned.all(|(mine, theirs)| NEGATED.contains(&(mine / theirs)))
}

/// Whether the quartiles of one arm's logarithms are all as many times those of the other as in another
/// base.
fn is_in_other_base(cell: &CellPair<'_>, quartiles: [[f64; 3]; 2]) -> bool {
    let name = cell.key.metric.to_ascii_lowercase();
    if !LOGARITHMS.iter().any(|part| name.contains(part)) {
        return false;
    }
    BASES.iter().flat_map(|base| [*base, base.recip()]).any(|base| {
        let mut pairs = quartiles[0].iter().zip(&quartiles[1]);
        pairs.all(|(mine, theirs)| (theirs / mine / base - 1.0).abs() <= LOOSE)
    })
}

/// Whether the lower marks are whole numbers from 0 on, and the higher ones the same and 1.
fn are_shifted(low: &[f64], high: &[f64]) -> bool {
    let marks = |scores: &[f64]| {
        let mut marks = scores.to_vec();
        marks.sort_unstable_by(f64::total_cmp);
        marks.dedup();
        marks
    };
    let (low, high) = (marks(low), marks(high));
    let are_whole = low.iter().all(|mark| mark.fract() == 0.0);
    low[0] == 0.0 && low.len() > 1 && are_whole && low.iter().map(|mark| mark + 1.0).eq(high)
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
    if wide < TIMES * narrow && !is_apart || mine.lies_within(theirs) || theirs.lies_within(mine) {
        return None;
    }
    let range = |marks: Marks| [marks.lowest, marks.highest].map(Quantity::Computed);
    Some(told(Code::ScalesMayDiffer, cell, [range(mine), range(theirs)]))
}

fn told(code: Code, cell: &CellPair<'_>, ends: [[Quantity; 2]; 2]) -> Diagnostic {
    let [[lowest, highest], [other_lowest, other_highest]] = ends;
    let source = cell.candidate.source(&cell.key.metric);
    let found = Diagnostic::new(code)
        .about_dataset(cell.key.dataset.as_deref())
        .dims(&cell.key.dims)
        .with("baseline_lowest", lowest)
        .with("baseline_highest", highest)
        .with("candidate_lowest", other_lowest)
        .with("candidate_highest", other_highest)
        .at(source.map(|source| source.location()));
    match code {
        Code::ScalesDiffer => found.metric(&cell.key.metric),
        _ => found.about_metric(&cell.key.metric),
    }
}

/// The lowest and the highest mark that an arm gave.
#[derive(Debug, Clone, Copy)]
struct Marks {
    lowest: f64,
    highest: f64,
    are_whole: bool,
}

impl Marks {
    /// Whether they are whole numbers of the scale of the others: up to the same highest mark, or one so low
    /// that no other scale is likely.
    fn lies_within(self, other: Self) -> bool {
        let same_end = self.highest == other.highest || other.highest <= COMMON_HIGHEST;
        let inside = other.lowest <= self.lowest && self.highest <= other.highest;
        self.are_whole && other.are_whole && inside && same_end
    }

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
    let are_whole = given.iter().all(|mark| mark.fract() == 0.0);
    let ends = (given.iter().copied().reduce(f64::min)?, given.into_iter().reduce(f64::max)?);
    let marks = Marks { lowest: ends.0, highest: ends.1, are_whole };
    (count >= FEWEST_SAMPLES && marks.width() > 0.0).then_some(marks)
}
