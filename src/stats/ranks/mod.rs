//! Tests by ranks, and what they estimate. They speak of order, not of means: a difference of
//! accuracies is never judged by them.

pub mod rank_sum;
pub mod signed_rank;

/// Twice a midrank, which is whole.
fn doubled(rank: f64) -> usize {
    (2.0 * rank).round() as usize
}
