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

/// Halvings of the range in which a quantile lies.
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
    let of_group = (n - groups().map(|group| size(group).powi(2)).sum::<f64>() / n) / df1;
    Some(by_ratio((between / df1) / (within / df2), [df1, df2], of_group, level))
}

/// A value in one group of either of two divisions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CrossedValue {
    pub cluster: u32,
    pub group: u32,
    pub value: f64,
}

/// The same for groups that cross clusters, of what is left of the values when the mean of each
/// cluster is taken away: what clusters share cannot make groups alike. The degrees of freedom
/// between groups are the expectation of their sum of squares without any correlation, G less the
/// overlap `Σ n_cg²/(n_c·n_g)` of both divisions: G − 1 where every cluster has every group equally
/// often, which is the two-way analysis of variance, and 0 where clusters lie within groups. `None`
/// below 1 and where nothing varies.
pub fn intraclass_across(values: &mut [CrossedValue], level: f64) -> Option<Intraclass> {
    values.sort_unstable_by_key(|one| (one.cluster, one.group));
    let groups = values.iter().map(|one| one.group as usize + 1).max()?;
    let mut sizes = vec![0.0_f64; groups];
    for one in values.iter() {
        sizes[one.group as usize] += 1.0;
    }
    let (mut sums, mut total) = (vec![0.0_f64; groups], 0.0);
    let (mut clusters, mut overlap) = (0.0, 0.0);
    for cluster in values.chunk_by(|a, b| a.cluster == b.cluster) {
        let size = cluster.len() as f64;
        let mean = cluster.iter().map(|one| one.value).sum::<f64>() / size;
        clusters += 1.0;
        for same in cluster.chunk_by(|a, b| a.group == b.group) {
            let group = same[0].group as usize;
            overlap += (same.len() as f64).powi(2) / (size * sizes[group]);
            for left in same.iter().map(|one| one.value - mean) {
                sums[group] += left;
                total += left * left;
            }
        }
    }
    let used = || sizes.iter().zip(&sums).filter(|(size, _)| **size > 0.0);
    let (n, count) = (values.len() as f64, used().count() as f64);
    let [df1, df2] = [count - overlap, n - clusters - count + overlap];
    let between: f64 = used().map(|(size, sum)| sum * sum / size).sum();
    if df1 < 1.0 || df2 < 1.0 || between <= 0.0 {
        return None;
    }
    let within = (total - between).max(0.0);
    let of_group = (n - sizes.iter().map(|size| size * size).sum::<f64>() / n) / (count - 1.0);
    Some(by_ratio((between / df1) / (within / df2), [df1, df2], of_group, level))
}

/// What the ratio of the mean squares between and within groups of that mean size says.
fn by_ratio(f: f64, [df1, df2]: [f64; 2], of_group: f64, level: f64) -> Intraclass {
    let correlation = |ratio: f64| {
        if ratio.is_finite() { (ratio - 1.0) / (ratio - 1.0 + of_group) } else { 1.0 }
    };
    Intraclass {
        estimate: correlation(f),
        lower: correlation(f / upper_quantile(1.0 - level, |f| f_sf(f, df1, df2))),
        p: f_sf(f, df1, df2),
    }
}

/// The ratio that is exceeded with that probability.
pub(super) fn upper_quantile(tail: f64, exceeded: impl Fn(f64) -> f64) -> f64 {
    let (mut lo, mut hi) = (0.0_f64, 1.0_f64);
    while exceeded(hi) > tail && hi < 1e300 {
        (lo, hi) = (hi, 4.0 * hi);
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (lo + hi);
        if exceeded(middle) > tail { lo = middle } else { hi = middle }
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

    /// Values of three clusters in four groups, each once.
    fn crossed(values: [[f64; 4]; 3]) -> Vec<CrossedValue> {
        let value = |cluster: usize, group: usize| CrossedValue {
            cluster: cluster as u32,
            group: group as u32,
            value: values[cluster][group],
        };
        (0..12).map(|i| value(i / 4, i % 4)).collect()
    }

    #[test]
    fn groups_across_clusters_are_those_of_a_two_way_analysis_of_variance() {
        // By hand: rows less their means 2, 6 and 11; between groups 35.5 with 3 degrees of
        // freedom, what is left 1 with 6. scipy 1.17.1: f.sf(71, 3, 6).
        let rows = [[0.0, 1.0, 3.0, 4.0], [3.5, 5.0, 7.5, 8.0], [8.5, 10.5, 11.5, 13.5]];
        let found = intraclass_across(&mut crossed(rows), 0.95).unwrap();
        assert!((found.p - 4.452_044_226_812_016e-5).abs() < 1e-12, "{found:?}");
        // What the rows have in common plays no part.
        let moved = [[10.0, 11.0, 13.0, 14.0], rows[1], rows[2]];
        let again = intraclass_across(&mut crossed(moved), 0.95).unwrap();
        assert!((again.p - found.p).abs() < 1e-12, "{again:?}");
    }

    #[test]
    fn clusters_within_groups_say_nothing_across_them() {
        let nested =
            |i: u32| CrossedValue { cluster: i / 2, group: i / 4, value: f64::from(i * i % 7) };
        assert_eq!(intraclass_across(&mut (0..16).map(nested).collect::<Vec<_>>(), 0.95), None);
    }
}
