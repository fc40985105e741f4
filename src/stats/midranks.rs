//! Ranks of values, equal values sharing the mean of theirs.

/// The ranks of some values.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::stats) struct Midranks {
    /// In the order of the values, 1 for the smallest.
    pub ranks: Vec<f64>,
    /// Sum of t³ − t over groups of t equal values; 0 without ties.
    pub tie_sum: f64,
}

/// Ranks values that are no NaN.
pub(in crate::stats) fn midranks(values: impl IntoIterator<Item = f64>) -> Midranks {
    let values: Vec<f64> = values.into_iter().collect();
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
    let mut ranks = vec![0.0; values.len()];
    let mut tie_sum = 0.0;
    let mut before = 0;
    for equal in order.chunk_by(|&i, &j| values[i] == values[j]) {
        let t = equal.len() as f64;
        let shared = before as f64 + 0.5 * (t + 1.0);
        for &i in equal {
            ranks[i] = shared;
        }
        tie_sum += t * (t * t - 1.0);
        before += equal.len();
    }
    Midranks { ranks, tie_sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_the_mean_of_their_ranks() {
        let ranked = midranks([2.0, 0.0, 2.0, -0.0, 2.0, 5.0]);
        assert_eq!(ranked.ranks, [4.0, 1.5, 4.0, 1.5, 4.0, 6.0]);
        assert_eq!(ranked.tie_sum, 6.0 + 24.0);
        assert!(midranks([]).ranks.is_empty());
    }
}
