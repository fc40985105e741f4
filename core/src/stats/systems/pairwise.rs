//! Every two of several systems, their p-values adjusted together.

use crate::stats::multiplicity::holm;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairOfSystems {
    /// Numbers of the two systems, the smaller first.
    pub systems: [usize; 2],
    /// p-value; `None` where the test gives none.
    pub p: Option<f64>,
    /// p-value adjusted by Holm over all pairs with one.
    pub p_adjusted: Option<f64>,
}

/// Tests every two of `k` systems with `p_of` (Wilcoxon over benchmarks, `McNemar` over samples)
/// and adjusts by Holm. In order of the first, then of the second system.
pub fn all_pairs(k: usize, p_of: impl Fn(usize, usize) -> Option<f64>) -> Vec<PairOfSystems> {
    let pairs = (0..k).flat_map(|first| (first + 1..k).map(move |second| [first, second]));
    let tested: Vec<_> =
        pairs.map(|[first, second]| ([first, second], p_of(first, second))).collect();
    let raw: Vec<f64> = tested.iter().filter_map(|(_, p)| *p).collect();
    let mut adjusted = holm(&raw).into_iter();
    tested
        .into_iter()
        .map(|(systems, p)| PairOfSystems {
            systems,
            p,
            p_adjusted: p.and_then(|_| adjusted.next()),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pairs_with_a_p_are_one_family() {
        let p = [[0.0, 0.01, 0.5], [0.0, 0.0, f64::NAN], [0.0, 0.0, 0.0]];
        let pairs = all_pairs(3, |a, b| Some(p[a][b]).filter(|p| !p.is_nan()));
        assert_eq!(
            pairs,
            [
                PairOfSystems { systems: [0, 1], p: Some(0.01), p_adjusted: Some(0.02) },
                PairOfSystems { systems: [0, 2], p: Some(0.5), p_adjusted: Some(0.5) },
                PairOfSystems { systems: [1, 2], p: None, p_adjusted: None },
            ]
        );
        assert!(all_pairs(1, |_, _| Some(0.0)).is_empty());
    }
}
