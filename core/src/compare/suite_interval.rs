//! The interval of a weighted mean from those of its parts: MOVER (Zou and Donner 2008, *Statistics in
//! Medicine* 27), with the correlation of parts that share questions.

use super::MeasuredCell;
use super::joined::{Joined, Scored};
use crate::pairing::SharedQuestions;
use crate::stats::{Interval, Moments};

/// p-values below this cannot be told apart by the level of an interval.
const SMALLEST_P: f64 = 1e-12;

/// Halvings of the range of levels, on a logarithmic scale: p to five digits.
const HALVINGS: u32 = 22;

/// Two parts of a mean whose differences are no independent draws.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dependence {
    parts: [usize; 2],
    correlation: f64,
}

/// The parts that share questions, and how far their mean differences go together.
pub(super) fn dependences(parts: &[&MeasuredCell<'_>]) -> Vec<Dependence> {
    let shared = parts.first().map_or(&[][..], |first| &first.pair.shared_questions);
    let position = |table: usize| parts.iter().position(|part| part.cell.table == Some(table));
    let of_point = |shared: &SharedQuestions| -> Vec<Dependence> {
        let pairs = shared.overlaps.iter().filter_map(|overlap| {
            let [first, second] = overlap.tables.map(position);
            Some([first?, second?])
        });
        let pairs: Vec<[usize; 2]> = pairs.collect();
        let residuals: Vec<Option<Residuals>> = (0..parts.len())
            .map(|place| pairs.iter().any(|pair| pair.contains(&place)).then_some(parts[place]))
            .map(|part| Residuals::new(part?, shared))
            .collect();
        let dependence = |parts: [usize; 2]| {
            let [first, second] = parts.map(|place| residuals[place].as_ref());
            let known = first.zip(second).and_then(|(first, second)| first.correlation(second));
            Dependence { parts, correlation: known.unwrap_or(1.0) }
        };
        pairs.into_iter().map(dependence).collect()
    };
    shared.iter().flat_map(of_point).collect()
}

/// How far differences lie from their mean: summed over the samples of each shared question, and the
/// sum of all squares.
struct Residuals {
    by_question: Vec<f64>,
    squares: f64,
}

impl Residuals {
    /// `None` where samples are not paired or stand in clusters, which other questions of the other
    /// dataset may be in too.
    fn new(part: &MeasuredCell<'_>, shared: &SharedQuestions) -> Option<Self> {
        let labels = shared.labels(part.cell.table?)?;
        let stands_alone = part.clusters().is_none() && part.hidden.is_empty();
        let joined = Joined::new(part.pair, part.cell).filter(|_| stands_alone)?;
        let mean = joined.complete().map(Scored::difference).collect::<Moments>().mean;
        let mut found = Self { by_question: vec![0.0; shared.contents], squares: 0.0 };
        for ((.., scored), label) in joined.rows().zip(labels) {
            let Some(residual) = scored.map(|scored| scored.difference() - mean) else { continue };
            found.squares += residual.powi(2);
            if let Some(label) = label {
                found.by_question[*label as usize] += residual;
            }
        }
        Some(found)
    }

    /// The correlation of two means over samples: that of what they share, as a part of the variance
    /// of each. A negative one is not believed. `None` where a dataset shows no spread.
    fn correlation(&self, other: &Self) -> Option<f64> {
        let both = self.by_question.iter().zip(&other.by_question);
        let together: f64 = both.map(|(mine, theirs)| mine * theirs).sum();
        let spread = (self.squares * other.squares).sqrt();
        (spread > 0.0).then(|| (together / spread).clamp(0.0, 1.0))
    }
}

/// The interval of the weighted mean from those of its parts.
pub(super) fn mover(
    deltas: &[f64],
    intervals: &[Interval],
    weights: &[f64],
    dependences: &[Dependence],
    level: f64,
) -> Interval {
    let delta: f64 = deltas.iter().zip(weights).map(|(delta, weight)| delta * weight).sum();
    let reach = |distance: fn(f64, &Interval) -> f64| {
        let parts = deltas.iter().zip(intervals).zip(weights);
        let parts = parts.map(|((&delta, interval), weight)| distance(delta, interval) * weight);
        norm(&parts.collect::<Vec<_>>(), dependences)
    };
    let (below, above) = (
        reach(|delta, interval| delta - interval.lo),
        reach(|delta, interval| interval.hi - delta),
    );
    Interval { lo: delta - below, hi: delta + above, level }
}

/// Root of the sum of squares, and of the products of what goes together.
fn norm(distances: &[f64], dependences: &[Dependence]) -> f64 {
    let squares: f64 = distances.iter().map(|distance| distance.powi(2)).sum();
    let product = |&Dependence { parts: [first, second], correlation }: &Dependence| {
        2.0 * correlation * distances[first] * distances[second]
    };
    (squares + dependences.iter().map(product).sum::<f64>()).sqrt()
}

/// The smallest α whose interval at 1 − α excludes 0; 1 when none does. A level at which some
/// dataset has no interval excludes nothing.
pub(super) fn p_value(interval_at: &impl Fn(f64) -> Option<Interval>) -> f64 {
    let excludes = |p: f64| interval_at(1.0 - p).is_some_and(|interval| interval.excludes(0.0));
    if excludes(SMALLEST_P) {
        return SMALLEST_P;
    }
    let (mut covering, mut excluding) = (SMALLEST_P.ln(), 0.0_f64);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (covering + excluding);
        if excludes(middle.exp()) { excluding = middle } else { covering = middle }
    }
    excluding.exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{self, Design, DifferenceSample};

    #[test]
    fn a_mean_over_datasets_is_no_surer_than_all_sign_patterns_of_all_pairs() {
        // Three datasets of eight pairs, every difference near 1: 2/2^24 is the exact p.
        let designs: Vec<Design> = (0..3)
            .map(|dataset| {
                let mut sample = DifferenceSample::default();
                (0..8).for_each(|i| sample.add(0.0, 1.0 + f64::from(i + dataset) / 1e4));
                Design::PairedReal(sample)
            })
            .collect();
        let deltas: Vec<f64> = designs
            .iter()
            .map(|part| part.analyse(stats::Options::default()).unwrap().delta)
            .collect();
        let at = |level: f64| {
            let intervals: Vec<Interval> =
                designs.iter().map(|part| part.interval(level)).collect::<Option<_>>()?;
            Some(mover(&deltas, &intervals, &[1.0 / 3.0; 3], &[], level))
        };
        let p = p_value(&at);
        // Each dataset alone has no interval from 2/2^8 downwards.
        assert!((2.0_f64.powi(-7)..0.01).contains(&p), "{p}");
        assert!(p >= 2.0_f64.powi(-23));
    }

    #[test]
    fn a_dataset_beside_its_copy_is_as_sure_as_alone() {
        let interval = |lo, hi| Interval { lo, hi, level: 0.95 };
        let copies = [interval(1.0, 6.0), interval(1.0, 6.0)];
        let whole = [Dependence { parts: [0, 1], correlation: 1.0 }];
        assert_eq!(mover(&[3.0, 3.0], &copies, &[0.5; 2], &whole, 0.95), copies[0]);
        let apart = mover(&[3.0, 3.0], &copies, &[0.5; 2], &[], 0.95);
        assert!((apart.lo - (3.0 - 2.0_f64.sqrt())).abs() < 1e-12, "{apart:?}");
    }
}
