//! Arms of several trainings: the seed is the unit, and the claim is about a new training.
//!
//! Never a bootstrap over seeds, whose intervals over few seeds are far too narrow.

use super::{agreement, independent_real, paired_real};
use crate::stats::distribution::root::first_where;
use crate::stats::distribution::t_upper_quantile;
use crate::stats::means::crossed::{Axis, crossed_difference};
use crate::stats::means::paired::varies;
use crate::stats::means::student::LARGE_SAMPLE;
use crate::stats::means::welch::Welch;
use crate::stats::planning::fewest_flipped;
use crate::stats::{Analysis, DifferenceSample, Moments, Note, Options};

/// Smallest two-sided p that exchanging trainings between the arms can give: with equal numbers
/// the arrangement as far on the other side counts too. 0.1 for three against three.
pub fn seed_permutation_floor(baseline: u64, candidate: u64) -> f64 {
    let smaller = baseline.min(candidate);
    let larger = baseline.max(candidate);
    let arrangements: f64 =
        (1..=smaller).map(|chosen| (larger + chosen) as f64 / chosen as f64).product();
    let extreme = if baseline == candidate { 2.0 } else { 1.0 };
    (extreme / arrangements).min(1.0)
}

/// Difference found with the stated power when its standard error has that many degrees of freedom:
/// (t of the level + t of the power)·stderr (Bloom 1995, *Evaluation Review* 19). With as few
/// degrees of freedom as seeds give, normal quantiles would promise far too much.
fn detectable(stderr: f64, df: f64, options: Options) -> f64 {
    let quantiles =
        t_upper_quantile(0.5 * options.alpha, df) + t_upper_quantile(1.0 - options.power, df);
    quantiles * stderr
}

/// More seeds than this are not searched for.
const MOST_SEEDS: u64 = 1 << 20;

/// Fewest seeds (per arm, or pairs) that find `delta` by [`detectable`] when one seed contributes
/// `variance`; `df` gives the degrees of freedom of a number of seeds. `None` without a difference
/// or spread, and when more than a million would be needed.
fn seeds_needed(
    variance: f64,
    delta: f64,
    df: impl Fn(f64) -> f64,
    options: Options,
) -> Option<u64> {
    let found = |seeds: u64| {
        let n = seeds as f64;
        detectable((variance / n).sqrt(), df(n), options) <= delta.abs()
    };
    (variance > 0.0 && delta != 0.0 && found(MOST_SEEDS)).then(|| first_where(2, MOST_SEEDS, found))
}

/// Trainings that were all scored on the same samples.
pub(super) fn analyse_by_items(
    baseline: &[Vec<f64>],
    candidate: &[Vec<f64>],
    options: Options,
) -> Analysis {
    let Some(found) = crossed_difference(baseline, candidate) else {
        let mean = |arm: &[Vec<f64>]| arm.iter().flatten().copied().collect::<Moments>().mean;
        return Analysis::unassessed("crossed-t", mean(candidate) - mean(baseline));
    };
    let interval = Some(found.interval(1.0 - options.alpha));
    let test = Some(found.test());
    let mut notes = agreement::notes(interval, test, options.alpha);
    if found.df < LARGE_SAMPLE as f64 {
        notes.push(Note::NormalityAssumed);
    }
    notes.push(match found.dominant {
        Axis::Seeds => Note::SeedsDominate,
        Axis::Items => Note::ItemsDominate,
    });
    Analysis {
        interval_method: "crossed-t",
        delta: found.delta,
        interval,
        test,
        mde: Some(detectable(found.stderr, found.df, options)),
        needed: None,
        notes,
    }
}

/// Trainings of both arms with the same seeds: as paired scores, planned by t quantiles.
pub(super) fn analyse_paired(sample: &DifferenceSample, options: Options) -> Analysis {
    let mut analysis = paired_real::analyse(sample, options);
    let differences = sample.differences;
    let variance = differences.variance().filter(|_| varies(sample));
    analysis.needed = variance
        .and_then(|variance| seeds_needed(variance, differences.mean, |seeds| seeds - 1.0, options))
        .map(|needed| needed.max(fewest_flipped(options.alpha)));
    analysis.mde = variance.filter(|_| analysis.mde.is_some()).map(|variance| {
        let seeds = differences.n as f64;
        detectable((variance / seeds).sqrt(), seeds - 1.0, options)
    });
    analysis
}

/// Trainings with seeds of their own: as independent scores, planned by t quantiles.
pub(super) fn analyse_independent(
    baseline: Moments,
    candidate: Moments,
    options: Options,
) -> Analysis {
    let mut analysis = independent_real::analyse(baseline, candidate, options);
    if let Some(welch) = Welch::new(baseline, candidate) {
        analysis.mde = Some(detectable(welch.stderr, welch.df, options));
        let both = |seeds| 2.0 * seeds - 2.0;
        analysis.needed = seeds_needed(welch.variances, welch.delta, both, options);
    }
    let floor = seed_permutation_floor(baseline.n, candidate.n);
    if analysis.test.is_some() && floor >= options.alpha {
        analysis.notes.push(Note::FewSeeds);
    }
    analysis
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_floor_counts_the_ways_to_share_out_the_trainings() {
        // 2/C(6,3), 2/C(8,4), 2/C(10,5), 1/C(5,2): by hand.
        let cases = [((3, 3), 0.1), ((4, 4), 2.0 / 70.0), ((5, 5), 2.0 / 252.0), ((2, 3), 0.1)];
        for ((baseline, candidate), floor) in cases {
            let found = seed_permutation_floor(baseline, candidate);
            assert!((found - floor).abs() < 1e-15, "{baseline}v{candidate}: {found}");
        }
    }

    #[test]
    fn the_detectable_difference_of_few_seeds_lies_beyond_the_interval() {
        // t quantiles at 4 degrees of freedom from tables: 2.776 and, for 80%, 0.941.
        let found = detectable(1.0, 4.0, Options::default());
        assert!((found - (2.776 + 0.941)).abs() < 1e-3, "{found}");
        let needed = seeds_needed(2.0, 1.0, |seeds| 2.0 * seeds - 2.0, Options::default());
        // scipy 1.17.1: 17 per arm find 0.991 (t at 32 degrees of freedom), 16 find 1.024.
        assert_eq!(needed, Some(17));
    }

    #[test]
    fn fewer_paired_seeds_are_never_needed_than_the_exact_test_asks_for() {
        let mut sample = DifferenceSample::default();
        for gain in [0.019, 0.02, 0.021, 0.02, 0.022, 0.018] {
            sample.add(0.5, 0.5 + gain);
        }
        for (alpha, fewest, found) in [(0.05, 6, true), (0.025, 7, false)] {
            let options = Options { alpha, ..Options::default() };
            let analysis = analyse_paired(&sample, options);
            assert_eq!((analysis.needed, analysis.mde.is_some()), (Some(fewest), found));
        }
    }

    #[test]
    fn three_seeds_against_three_say_that_only_normality_reaches_the_level() {
        let arm = |values: [f64; 3]| -> Moments { values.into_iter().collect() };
        let (baseline, candidate) = (arm([0.50, 0.51, 0.52]), arm([0.60, 0.61, 0.62]));
        let analysis = analyse_independent(baseline, candidate, Options::default());
        assert!(analysis.test.is_some_and(|test| test.p < 0.05), "{analysis:?}");
        assert!(analysis.notes.contains(&Note::FewSeeds));
        assert!(analysis.notes.contains(&Note::NormalityAssumed));
    }
}
