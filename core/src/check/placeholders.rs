//! Values that stand among scores for none: −1 among shares, −999 among rewards, and in one arm a constant
//! in the place of missing scores, or a limit that cuts them.

use std::collections::BTreeSet;

use crate::diag::{Code, Diagnostic};
use crate::model::{Direction, Ending};
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

/// What one value of a measured score comes to at least where it was filled in or cut to: rows, their
/// share, and times as often as any other value and as in the other arm.
const HEAP: (usize, f64) = (6, 0.02);
const ABOVE_OTHERS: usize = 2;
const ABOVE_OTHER_ARM: f64 = 10.0;
/// What has fewer other values is marked, not measured.
const FEWEST_VALUES: usize = 22;
/// Scores of an arm that are looked at, evenly among all.
const MOST_LOOKED_AT: usize = 10_000;
/// Values that answers do have often.
const ORDINARY: [f64; 3] = [0.0, 1.0, 100.0];
/// Share of the highest score below which 0 is no score far from all others.
const NEAR_ZERO: f64 = 0.1;

pub(super) fn run(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    pair.cells.iter().filter_map(|cell| finding(cell).or_else(|| filled(cell))).collect()
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
    let is_marked = sides.iter().all(|side| side.is_some_and(|side| is_marked(side, value)));
    (!is_marked).then(|| told(Code::NoScoreAmongScores, cell, value))
}

/// Whether a side has the value, and its records say of these rows alone how they ended, or what a field or
/// an outcome beside the score is: then it is the score of such answers.
fn is_marked(side: &SampledSide<'_>, value: f64) -> bool {
    let table = side.table;
    let tells = |said: &dyn Fn(usize) -> Option<u64>| {
        let (mut own, mut others) = (BTreeSet::new(), BTreeSet::new());
        for row in side.rows() {
            let of = if side.score(row) == Some(value) { &mut own } else { &mut others };
            of.insert(said(row));
        }
        !own.is_empty() && !own.contains(&None) && own.is_disjoint(&others)
    };
    let mut fields = table.shared_fields().iter();
    let mut outcomes = table.columns().iter().filter(|(_, column)| column.is_binary());
    tells(&|row| (table.ending(row) != Ending::Plain).then_some(0))
        || fields.any(|(_, rows)| tells(&|row| rows.get(row).map(|&said| u64::from(said))))
        || outcomes.any(|(_, column)| tells(&|row| column.get(row).map(f64::to_bits)))
}

/// A measured score that has one value often, in one arm alone.
fn filled(cell: &CellPair<'_>) -> Option<Diagnostic> {
    let [Some(mine), Some(theirs)] = PairArm::BOTH.map(|which| cell.side(which).samples.as_ref())
    else {
        return None;
    };
    if !cell.is_judged() || mine.is_binary() || theirs.is_binary() {
        return None;
    }
    let [mine, theirs] = [mine, theirs].map(ascending);
    let is_open = cell.spec.range().is_none() && cell.spec.direction == Direction::Higher;
    let value = heap(&mine, &theirs, is_open).or_else(|| heap(&theirs, &mine, is_open))?;
    Some(told(Code::FilledInOneArm, cell, value))
}

fn ascending(samples: &SampledSide<'_>) -> Vec<f64> {
    let step = samples.scored as usize / MOST_LOOKED_AT + 1;
    let mut scores: Vec<f64> = samples.scores().step_by(step).collect();
    scores.sort_unstable_by(f64::total_cmp);
    scores
}

/// A value that ascending scores have often and those of the other arm hardly ever: amid others, at an end
/// beyond which the other arm goes on, or 0 far below all scores, if `is_open`.
fn heap(own: &[f64], other: &[f64], is_open: bool) -> Option<f64> {
    if own.len().min(other.len()) < FEWEST_SAMPLES as usize {
        return None;
    }
    let values = |scores: &[f64]| -> Vec<(f64, usize)> {
        scores.chunk_by(|a, b| a == b).map(|equal| (equal[0], equal.len())).collect()
    };
    let (mine, theirs) = (values(own), values(other));
    let (value, count) = *mine.iter().max_by_key(|(value, count)| {
        // Wrong and right answers are often the most, and here no news.
        let is_shared = ORDINARY.contains(value) && theirs.iter().any(|(other, _)| other == value);
        if is_shared { 0 } else { *count }
    })?;
    let share = |count: usize, scores: &[f64]| count as f64 / scores.len() as f64;
    let elsewhere = theirs.iter().find(|(other, _)| *other == value).map_or(0, |&(_, n)| n);
    let others = || mine.iter().filter(|(other, _)| *other != value);
    let is_ordinary = |(value, _): &&(f64, usize)| ORDINARY.contains(value);
    let often = others().chain(&theirs).filter(|one| !is_ordinary(one) && one.0 != value);
    let most = often.map(|(_, count)| *count).max().unwrap_or(0);
    let is_heap = count >= HEAP.0
        && share(count, own) >= HEAP.1
        && share(count, own) >= ABOVE_OTHER_ARM * share(elsewhere, other)
        && count >= ABOVE_OTHERS * most
        && others().count() >= FEWEST_VALUES;
    let around = |scores: &[f64]| {
        let below = scores.partition_point(|score| *score < value);
        [below, scores.len() - scores.partition_point(|score| *score <= value)]
    };
    let (around_own, around_other) = (around(own), around(other));
    let is_amid = around_own.iter().all(|&beyond| beyond >= HEAP.0);
    let is_cut = |end: usize| around_own[end] == 0 && around_other[end] >= HEAP.0;
    let next = others().map(|(value, _)| *value).next().into_iter().chain(other.first().copied());
    let highest = own.last().copied().unwrap_or_default();
    let is_zero = is_open
        && value == 0.0
        && highest > 1.0
        && next.into_iter().all(|next| next >= NEAR_ZERO * highest);
    (is_heap && (is_amid || is_cut(0) || is_cut(1) || is_zero)).then_some(value)
}

fn told(code: Code, cell: &CellPair<'_>, value: f64) -> Diagnostic {
    let sides = PairArm::BOTH.map(|which| cell.side(which).samples.as_ref());
    let counts = sides.map(|side| {
        let scores = side.into_iter().flat_map(SampledSide::scores);
        scores.filter(|&score| score == value).count() as u64
    });
    let source = sides.into_iter().flatten().find_map(|side| {
        let row = side.rows().find(|&row| side.score(row) == Some(value))?;
        Some(side.table.source(row, &cell.key.metric))
    });
    Diagnostic::new(code)
        .dataset(cell.key.dataset.as_deref())
        .dims(&cell.key.dims)
        .metric(&cell.key.metric)
        .with("value", Quantity::Computed(value))
        .with("baseline", counts[0])
        .with("candidate", counts[1])
        .at(source.map(|source| source.location()))
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
        let is_range = self.lowest < self.highest;
        let are_shares = self.graded && is_range && self.lowest >= 0.0 && self.highest <= 1.0;
        let are_marks = value == -1.0 && self.lowest >= 0.0 && self.highest > 1.0;
        let extent = self.lowest.abs().max(self.highest.abs());
        let is_code = CODES.contains(&value) && value.abs() >= FAR * extent;
        is_outside && (are_shares || are_marks || is_code)
    }
}
