//! What skewed differences leave open: whether so few of them can carry a verdict at all.
//!
//! A mean of few values that are long on one side misses that side more often than not, and no test
//! of the mean keeps its level then. Three signs of it can be seen, and each says how many pairs it
//! would take. The limits are measured; see "Too skewed" in the methodology.

use super::differences::OtherDifferences;
use super::means::student::has_spread;
use super::{DifferenceSample, Moments};

/// Skewness over the root of the number of values beyond which normal theory fails: n > 25·G₁²
/// (Cochran 1977, *Sampling Techniques*, §2.15).
const MOST_SKEWED: f64 = 0.2;

/// The smallest of differences that go one way, as a share of the largest, from which on they count
/// as alike.
const ALIKE: f64 = 0.2;

/// Least share of opposite differences that alike ones have to rule out.
const RARE: f64 = 0.05;

/// Differences other than 0 from which on a mean may be judged by its margins however skewed.
const ENOUGH: u64 = 20;

/// Pairs that it would take for the differences to carry a verdict that the arms differ; `None`
/// where they do. For at least one pair.
///
/// The skewness counts where its long side lies against the mean, which is where the mean is taken
/// for larger than it is. Zeros say nothing of the sizes, so it is that of the others. Where the
/// scores have bounds the long side ends there, and differences of two sizes, one for either side,
/// are no reason to doubt, so the skewness of all has to say the same.
pub fn pairs_for_difference(sample: &DifferenceSample, alpha: f64) -> Option<u64> {
    let turn = sample.differences.mean.signum();
    let against = |skewness: Option<f64>| skewness.map_or(0.0, |size| (-turn * size).max(0.0));
    let (of_others, counted) = skewness_of_others(sample);
    let of_others = too_skewed(against(of_others), counted);
    let skewed = of_others.map(|needed| in_pairs(needed, counted, sample));
    let of_all = too_skewed(against(sample.skewness()), sample.differences.n);
    let confirmed = skewed.filter(|_| sample.bound.is_none() || of_all.is_some());
    confirmed.max(pairs_for_alike(sample, alpha))
}

/// Pairs that it would take for the differences to be judged by a margin; `None` where they can be.
/// Both limits count here, so the skewness does on either side.
pub fn pairs_for_margin(sample: &DifferenceSample) -> Option<u64> {
    let others = sample.others().moments.n;
    let skewness = sample.skewness().filter(|_| others < ENOUGH)?;
    let needed = too_skewed(skewness.abs(), sample.differences.n)?;
    Some(needed.min(in_pairs(ENOUGH as f64, others, sample) as f64).ceil() as u64)
}

/// Values that Cochran's rule asks for, where there are fewer.
fn too_skewed(skewness: f64, values: u64) -> Option<f64> {
    let needed = (skewness / MOST_SKEWED).powi(2);
    (needed > values as f64).then_some(needed)
}

/// Pairs that it would take to rule out by a level of `alpha` that alike differences hide rare ones
/// the other way whose mean with them is 0: with a share q of those, m differences miss them all
/// with probability (1 − q)^m. Scores without bounds may hide any, here the share [`RARE`]; with a
/// bound r they have to be at least the share d̄/(d̄ + r) for differences of mean size d̄.
fn pairs_for_alike(sample: &DifferenceSample, alpha: f64) -> Option<u64> {
    let turn = sample.differences.mean.signum();
    let OtherDifferences { moments: Moments { n, mean, .. }, least, most, .. } = sample.others();
    let (least, most) = if turn < 0.0 { (-most, -least) } else { (least, most) };
    if n == 0 || least < ALIKE * most.max(0.0) {
        return None;
    }
    let size = turn * mean;
    let hidden = sample.bound.map_or(RARE, |bound| (size / (size + bound)).max(RARE));
    let needed = alpha.ln() / (1.0 - hidden).ln();
    (needed > n as f64).then(|| in_pairs(needed, n, sample))
}

/// Pairs among which so many are expected to count when `counted` of them do.
fn in_pairs(needed: f64, counted: u64, sample: &DifferenceSample) -> u64 {
    (needed * sample.differences.n as f64 / counted.max(1) as f64).ceil() as u64
}

/// Sample skewness of the differences other than 0, where they have one, and their number.
fn skewness_of_others(sample: &DifferenceSample) -> (Option<f64>, u64) {
    let OtherDifferences { moments: Moments { n, mean, m2, .. }, cubes, .. } = sample.others();
    let spreads = has_spread(Moments::new(n, mean, m2), mean.abs());
    (spreads.then(|| (n as f64).sqrt() * cubes / m2.powf(1.5)), n)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(differences: &[f64], bound: Option<f64>) -> DifferenceSample {
        let mut sample = DifferenceSample::within(bound);
        for difference in differences {
            sample.add(0.0, *difference);
        }
        sample
    }

    #[test]
    fn a_long_side_against_the_mean_needs_cochrans_number() {
        // Nineteen gains of 1 to 1.9 and a loss of 4: -3.7975 by scipy 1.17.1 stats.skew, whose square
        // times 25 is 360.5.
        let mut values: Vec<f64> = (0..19).map(|i| 1.0 + f64::from(i % 10) / 10.0).collect();
        values.push(-4.0);
        assert_eq!(pairs_for_difference(&sample(&values, None), 0.05), Some(361));
        // A long side with the mean does no harm to a verdict that the arms differ.
        *values.last_mut().unwrap() = 40.0;
        assert_eq!(pairs_for_difference(&sample(&values, None), 0.05), None);
        assert!(pairs_for_margin(&sample(&values[10..], None)).is_some());
    }

    #[test]
    fn alike_differences_rule_out_what_their_number_and_bounds_allow() {
        // 0.95^59 = 0.0485 is the first below 0.05.
        let equal = |n: usize, bound| pairs_for_difference(&sample(&vec![0.5; n], bound), 0.05);
        assert_eq!((equal(58, None), equal(59, None)), (Some(59), None));
        // Differences of half the bound: (2/3)^8 = 0.039, (2/3)^7 = 0.0585.
        assert_eq!((equal(7, Some(1.0)), equal(8, Some(1.0))), (Some(8), None));
        // Half of the pairs equal: twice as many pairs.
        let half: Vec<f64> = (0..40).map(|i| f64::from(i % 2)).collect();
        assert_eq!(pairs_for_difference(&sample(&half, None), 0.05), Some(117));
        // Zeros beside many alike differences are no long side.
        let most: Vec<f64> = (0..40).map(|i| if i % 5 == 0 { 0.0 } else { 0.25 }).collect();
        assert_eq!(pairs_for_difference(&sample(&most, Some(1.0)), 0.05), None);
        // One difference the other way, and spread over more than a factor of five, are no likeness.
        let mixed: Vec<f64> = (0..20).map(|i| if i == 0 { -1.0 } else { 1.0 }).collect();
        assert_eq!(pairs_for_alike(&sample(&mixed, None), 0.05), None);
        let spread: Vec<f64> = (1..20).map(f64::from).collect();
        assert_eq!(pairs_for_difference(&sample(&spread, None), 0.05), None);
    }

    #[test]
    fn a_few_differences_on_one_side_do_not_bound_the_mean() {
        let mut values = vec![0.0; 45];
        values.extend([0.3, 0.9, 1.4, 0.2, 2.5]);
        assert!(pairs_for_margin(&sample(&values, None)).is_some());
        values.extend([-0.3, -0.9, -1.4, -0.2, -2.5]);
        assert_eq!(pairs_for_margin(&sample(&values, None)), None);
        assert_eq!(pairs_for_margin(&sample(&[0.0; 20], None)), None);
    }
}
