//! Tests by ranks, and what they estimate. They speak of order, not of means: a difference of
//! accuracies is never judged by them.

pub mod rank_sum;
pub mod signed_rank;

/// Ranks from 1 in the order of the values, tied values sharing the mean of theirs. Values no
/// farther than `tie` above the smallest of a group are tied with it. Finite values only.
pub fn midranks(values: &[f64], tie: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let smallest = values[order[start]];
        let size = order[start..].iter().take_while(|at| values[**at] - smallest <= tie).count();
        let end = start + size.max(1);
        for at in &order[start..end] {
            ranks[*at] = 0.5 * (start + 1 + end) as f64;
        }
        start = end;
    }
    ranks
}

/// Twice a midrank, which is whole.
fn doubled(rank: f64) -> usize {
    (2.0 * rank).round() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tied_values_share_the_mean_of_their_ranks() {
        assert_eq!(midranks(&[3.0, 1.0, 3.0, 2.0, 3.0], 0.0), [4.0, 1.0, 4.0, 2.0, 4.0]);
        assert_eq!(midranks(&[0.3 - 0.2, 0.1, 0.2], 1e-12), [1.5, 1.5, 3.0]);
        assert_eq!(midranks(&[], 0.0), [0.0; 0]);
    }
}
