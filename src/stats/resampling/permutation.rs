//! The permutation test of two independent samples by the difference of their means.
//!
//! If both come from one distribution, every division of the values into samples of these sizes is
//! as likely as the observed one (Pitman 1937). All divisions are counted where there are not too
//! many of them, random ones are drawn elsewhere.

use super::random::in_blocks;
use super::sign_flip::MonteCarlo;

/// Most divisions that are counted.
pub const MOST_DIVISIONS: f64 = 2e6;

/// Random divisions where they cannot all be counted.
pub const DRAWS: usize = 99_999;

/// Random divisions of samples so large that [`DRAWS`] would need more than [`MOST_EXCHANGES`].
const FEWER_DRAWS: usize = 9_999;
const MOST_EXCHANGES: usize = 500_000_000;

const BLOCK: usize = 512;

/// Sums nearer than this share of Σ|values| count as tied.
const TIE: f64 = 1e-12;

/// Outcome of the test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Permutation {
    /// All divisions were counted: the two-sided p-value.
    Exact(f64),
    /// Random divisions were drawn.
    MonteCarlo(MonteCarlo),
}

impl Permutation {
    /// The two-sided p-value.
    pub fn p(self) -> f64 {
        match self {
            Self::Exact(p) => p,
            Self::MonteCarlo(drawn) => drawn.p,
        }
    }
}

/// Two-sided test that two samples come from one distribution, by the size of the difference of
/// their means. `None` when one is empty.
pub fn permutation_test(first: &[f64], second: &[f64]) -> Option<Permutation> {
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let (smaller, larger) =
        if first.len() <= second.len() { (first, second) } else { (second, first) };
    let values: Vec<f64> = smaller.iter().chain(larger).copied().collect();
    // The difference of the means grows with the distance of the smaller sample's sum from its
    // share of the total; centred values make that share 0.
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let centred: Vec<f64> = values.iter().map(|value| value - mean).collect();
    let taken = smaller.len();
    let size: f64 = values.iter().map(|value| value.abs()).sum();
    let bound = centred[..taken].iter().sum::<f64>().abs() - TIE * size;
    let divisions = divisions(first.len(), second.len());
    if divisions <= MOST_DIVISIONS {
        let extreme = count_divisions(&centred, taken, 0.0, bound);
        return Some(Permutation::Exact(extreme as f64 / divisions));
    }
    let draws = if taken * DRAWS <= MOST_EXCHANGES { DRAWS } else { FEWER_DRAWS };
    Some(Permutation::MonteCarlo(draw_divisions(&centred, taken, bound, draws)))
}

/// Smallest two-sided p that samples of these sizes can give: samples that do not overlap, and
/// their mirror image where both are of one size.
pub fn attainable(first: usize, second: usize) -> f64 {
    let extreme = if first == second { 2.0 } else { 1.0 };
    (extreme / divisions(first, second)).min(1.0)
}

/// Ways to divide the values into samples of these sizes.
fn divisions(first: usize, second: usize) -> f64 {
    let (few, all) = (first.min(second), first.saturating_add(second));
    let mut ways = 1.0_f64;
    for i in 0..few {
        ways *= (all - i) as f64 / (i + 1) as f64;
        if ways.is_infinite() {
            break;
        }
    }
    if ways < 2_f64.powi(53) { ways.round() } else { ways }
}

/// Ways to take so many of the values that, with what was taken before, their sum is at least
/// `bound` away from 0.
fn count_divisions(values: &[f64], take: usize, sum: f64, bound: f64) -> u64 {
    if take == 0 {
        return u64::from(sum.abs() >= bound);
    }
    let firsts = values.iter().enumerate().take(values.len() + 1 - take);
    firsts.map(|(i, value)| count_divisions(&values[i + 1..], take - 1, sum + value, bound)).sum()
}

fn draw_divisions(values: &[f64], taken: usize, bound: f64, draws: usize) -> MonteCarlo {
    let extreme = in_blocks(draws, BLOCK, |stream, _, count| {
        let mut order = values.to_vec();
        let is_extreme = |_: &usize| {
            // The first steps of a shuffle (Fisher and Yates 1938), from whatever order there is.
            let mut sum = 0.0;
            for i in 0..taken {
                let chosen = i + stream.below(order.len() - i);
                order.swap(i, chosen);
                sum += order[i];
            }
            sum.abs() >= bound
        };
        vec![(0..count).filter(is_extreme).count()]
    });
    MonteCarlo::new(extreme.iter().sum(), draws)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_divisions_come_close_to_all_divisions() {
        let values: Vec<f64> = (0..19).map(|i| f64::from(i * i % 23)).collect();
        let (first, second) = values.split_at(8);
        let exact = permutation_test(first, second).map(Permutation::p).expect("two samples");
        let mean = values.iter().sum::<f64>() / 19.0;
        let centred: Vec<f64> = values.iter().map(|value| value - mean).collect();
        let bound = centred[..8].iter().sum::<f64>().abs() - 1e-9;
        let drawn = draw_divisions(&centred, 8, bound, 20_000);
        assert!((drawn.p - exact).abs() < 4.0 * drawn.stderr, "{drawn:?} {exact}");
    }

    #[test]
    fn separated_samples_reach_the_smallest_p() {
        for (first, second, p) in
            [(3, 3, 0.1), (4, 4, 2.0 / 70.0), (2, 3, 0.1), (5, 5, 2.0 / 252.0)]
        {
            let low: Vec<f64> = (0..first).map(f64::from).collect();
            let high: Vec<f64> = (0..second).map(|i| 100.0 + f64::from(i)).collect();
            let found = permutation_test(&low, &high).map(Permutation::p);
            assert_eq!(found, Some(attainable(first as usize, second as usize)));
            assert_eq!(found, Some(p), "{first} against {second}");
        }
    }

    #[test]
    fn one_value_against_many_is_counted() {
        let many: Vec<f64> = (0..100_000).map(f64::from).collect();
        let found = permutation_test(&[1e9], &many);
        assert_eq!(found, Some(Permutation::Exact(1.0 / 100_001.0)));
    }

    #[test]
    fn equal_values_cannot_be_told_apart() {
        assert_eq!(permutation_test(&[0.1; 4], &[0.1; 6]), Some(Permutation::Exact(1.0)));
        assert_eq!(permutation_test(&[], &[1.0]), None);
    }
}
