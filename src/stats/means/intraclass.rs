//! How alike values of one group are: the intraclass correlation, by one-way analysis of variance.

use crate::stats::Moments;
use crate::stats::distribution::fisher_f::f_sf;

/// The intraclass correlation of values in groups.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Intraclass {
    /// The estimate of the analysis of variance, (F − 1)/(F − 1 + n₀); 1 where values vary between
    /// groups alone.
    pub estimate: f64,
    /// Lower limit of the one-sided interval at the level asked for.
    pub lower: f64,
    /// One-sided p of no correlation: below 1 − level where `lower` is above 0.
    pub p: f64,
}

/// Halvings of the range of F in which its quantile lies.
const HALVINGS: u32 = 60;

/// The correlation over the groups of two values or more, with the lower limit that F gives: Searle
/// (1971, *Linear Models*, ch. 9), for groups of equal size exact; of unequal ones with their mean
/// n₀ = (N − Σnᵢ²/N)/(G − 1) in its place (Donner 1986, *International Statistical Review* 54),
/// whatever the sizes above 0 exactly where the F test finds a correlation. `None` below two such
/// groups and where nothing varies.
pub fn intraclass(groups: &[Moments], level: f64) -> Option<Intraclass> {
    let groups = || groups.iter().filter(|group| group.n >= 2);
    let size = |group: &Moments| group.n as f64;
    let n: f64 = groups().map(size).sum();
    let count = groups().count() as f64;
    if count < 2.0 {
        return None;
    }
    let mean = groups().map(|group| size(group) * group.mean).sum::<f64>() / n;
    let between: f64 = groups().map(|group| size(group) * (group.mean - mean).powi(2)).sum();
    let within: f64 = groups().map(|group| group.m2).sum();
    let [df1, df2] = [count - 1.0, n - count];
    if between <= 0.0 {
        return None;
    }
    let f = (between / df1) / (within / df2);
    let of_group = (n - groups().map(|group| size(group).powi(2)).sum::<f64>() / n) / df1;
    let correlation = |ratio: f64| {
        if ratio.is_finite() { (ratio - 1.0) / (ratio - 1.0 + of_group) } else { 1.0 }
    };
    Some(Intraclass {
        estimate: correlation(f),
        lower: correlation(f / upper_quantile(1.0 - level, df1, df2)),
        p: f_sf(f, df1, df2),
    })
}

/// The value that F exceeds with that probability.
fn upper_quantile(tail: f64, df1: f64, df2: f64) -> f64 {
    let (mut lo, mut hi) = (0.0_f64, 1.0_f64);
    while f_sf(hi, df1, df2) > tail && hi < 1e300 {
        (lo, hi) = (hi, 4.0 * hi);
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (lo + hi);
        if f_sf(middle, df1, df2) > tail { lo = middle } else { hi = middle }
    }
    hi
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(values: &[&[f64]]) -> Vec<Moments> {
        values.iter().map(|group| group.iter().copied().collect()).collect()
    }

    #[test]
    fn unequal_groups_are_those_of_a_one_way_analysis_of_variance() {
        // scipy 1.17.1: f_oneway and f.ppf. The group of one value says nothing.
        let groups = groups(&[
            &[1.0, 0.0, 1.0, 1.0],
            &[0.0, 0.0, -1.0, 0.0, 0.0],
            &[1.0, 1.0],
            &[-1.0],
            &[0.0, -1.0, 0.0],
            &[1.0, 1.0, 0.0, 1.0, 1.0, 1.0],
            &[0.0, 0.0, 0.0],
        ]);
        for (level, lower) in [(0.95, 0.278_967_115_976_637_2), (0.99, 0.135_410_037_118_576_66)] {
            let found = intraclass(&groups, level).unwrap();
            assert!((found.p - 0.001_118_181_882_816_404_6).abs() < 1e-12, "{found:?}");
            assert!((found.estimate - 0.611_084_751_794_081_3).abs() < 1e-12, "{found:?}");
            assert!((found.lower - lower).abs() < 1e-10, "{found:?}");
        }
    }

    #[test]
    fn six_targets_of_four_judges_have_the_published_correlation() {
        // Shrout and Fleiss 1979, Psychological Bulletin 86, tables 2 and 4: ICC(1, 1) is .17.
        let found = intraclass(
            &groups(&[
                &[9.0, 2.0, 5.0, 8.0],
                &[6.0, 1.0, 3.0, 2.0],
                &[8.0, 4.0, 6.0, 8.0],
                &[7.0, 1.0, 2.0, 6.0],
                &[10.0, 5.0, 6.0, 9.0],
                &[6.0, 2.0, 4.0, 7.0],
            ]),
            0.975,
        )
        .unwrap();
        assert!((found.estimate - 0.17).abs() < 0.005 && (found.lower + 0.13).abs() < 0.005);
    }

    #[test]
    fn values_that_vary_between_groups_alone_are_wholly_alike() {
        let found = intraclass(&groups(&[&[1.0, 1.0], &[0.0, 0.0], &[1.0, 1.0]]), 0.95).unwrap();
        assert_eq!((found.estimate, found.lower, found.p), (1.0, 1.0, 0.0));
        assert_eq!(intraclass(&groups(&[&[1.0, 1.0], &[1.0, 1.0]]), 0.95), None);
    }
}
