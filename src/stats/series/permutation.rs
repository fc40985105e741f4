//! Is there a trend beyond what blocks of neighbours in any order would show?

use super::rise;

/// Blocks that a series is cut into: few enough to count all orders, many enough for small p.
const MOST_BLOCKS: usize = 8;
/// Shortest block.
const LEAST_IN_BLOCK: usize = 2;

/// p of Mann and Kendall's S between blocks: the share of all orders of up to 8 blocks of
/// neighbours whose |S| is at least the observed one. Counted, not drawn.
///
/// The order inside blocks is kept, so correlation that dies out within a block does no harm.
/// `None` below four values. The smallest p is 2/8! for 16 values or more.
pub fn block_permutation_p(y: &[f64]) -> Option<f64> {
    let count = MOST_BLOCKS.min(y.len() / LEAST_IN_BLOCK);
    if count < 2 {
        return None;
    }
    let block = |number: usize| y.get(number * y.len() / count..(number + 1) * y.len() / count);
    let blocks: Vec<&[f64]> = (0..count).filter_map(block).collect();
    let rises = |from: &[f64], to: &[f64]| {
        from.iter().flat_map(|&from| to.iter().map(move |&to| rise(from, to))).sum::<i64>()
    };
    let between: Vec<Vec<i64>> =
        blocks.iter().map(|from| blocks.iter().map(|to| rises(from, to)).collect()).collect();
    let observed = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j)));
    let observed: i64 = observed.map(|(i, j)| between[i][j]).sum();
    let mut tally = Tally { observed: observed.abs(), extreme: 0, all: 0 };
    tally.count_orders(&between, &mut (0..count).collect(), 0, 0);
    Some(tally.extreme as f64 / tally.all as f64)
}

/// Orders seen so far.
struct Tally {
    observed: i64,
    extreme: u64,
    all: u64,
}

impl Tally {
    /// Goes through all orders of the blocks from `placed` on; `s` is what the blocks placed so
    /// far add up to, against each other and against all that follow.
    fn count_orders(
        &mut self,
        between: &[Vec<i64>],
        order: &mut Vec<usize>,
        placed: usize,
        s: i64,
    ) {
        if placed == order.len() {
            self.all += 1;
            self.extreme += u64::from(s.abs() >= self.observed);
            return;
        }
        for next in placed..order.len() {
            order.swap(placed, next);
            let own = &between[order[placed]];
            let added: i64 = order[placed + 1..].iter().map(|&later| own[later]).sum();
            self.count_orders(between, order, placed + 1, s + added);
            order.swap(placed, next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_that_rises_throughout_has_the_smallest_p() {
        let y: Vec<f64> = (0..40).map(f64::from).collect();
        assert_eq!(block_permutation_p(&y), Some(2.0 / 40_320.0));
        assert_eq!(block_permutation_p(&y[..10]), Some(2.0 / 120.0));
    }

    #[test]
    fn a_constant_series_is_like_any_order_of_it() {
        assert_eq!(block_permutation_p(&[1.0; 30]), Some(1.0));
        assert_eq!(block_permutation_p(&[1.0, 2.0, 3.0]), None);
    }
}
