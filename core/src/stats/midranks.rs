//! Ranks of values, equal values sharing the mean of theirs.

#[derive(Debug, Clone, PartialEq)]
pub(in crate::stats) struct Midranks {
    /// In the order of the values, 1 for the smallest.
    pub ranks: Vec<f64>,
    /// Sum of t³ − t over groups of t tied values; 0 without ties.
    pub tie_sum: f64,
}

/// Ranks values. Those no farther than `tie` above the smallest of a group are tied with it, and
/// infinite ones with each other.
pub(in crate::stats) fn midranks(values: &[f64], tie: f64) -> Midranks {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
    let mut ranks = vec![0.0; values.len()];
    let (mut tie_sum, mut before) = (0.0, 0);
    while let Some(&smallest) = order.get(before) {
        let tied = |at: &&usize| {
            values[**at] == values[smallest] || values[**at] - values[smallest] <= tie
        };
        let size = order[before..].iter().take_while(tied).count().max(1);
        let t = size as f64;
        for &at in &order[before..before + size] {
            ranks[at] = before as f64 + 0.5 * (t + 1.0);
        }
        tie_sum += t * (t * t - 1.0);
        before += size;
    }
    Midranks { ranks, tie_sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tied_values_share_the_mean_of_their_ranks() {
        let ranked = midranks(&[2.0, 0.0, 2.0, -0.0, 2.0, 5.0], 0.0);
        assert_eq!(ranked.ranks, [4.0, 1.5, 4.0, 1.5, 4.0, 6.0]);
        assert_eq!(ranked.tie_sum, 6.0 + 24.0);
        assert_eq!(midranks(&[0.3 - 0.2, 0.1, 0.2], 1e-12).ranks, [1.5, 1.5, 3.0]);
        assert!(midranks(&[], 0.0).ranks.is_empty());
    }
}
