//! Several attempts at each problem: the chance that one or all of k attempts succeed.
//!
//! The problem is the sampling unit: attempts say how well one problem is known, problems say how
//! well the benchmark is.

use super::{Counts, Interval, Moments, mean_interval};

/// Chance that at least one of k attempts succeeds, estimated without bias from c successes of n:
/// 1 − C(n − c, k)/C(n, k) as a product that neither overflows nor cancels (Chen et al. 2021,
/// *Evaluating large language models trained on code*). `None` when k is 0 or above n.
pub fn pass_at_k(attempts: Counts, k: u64) -> Option<f64> {
    all_of(Counts { x: attempts.n - attempts.x, n: attempts.n }, k).map(|none| 1.0 - none)
}

/// Chance that all of k attempts succeed: C(c, k)/C(n, k) (Yao et al. 2024, τ-bench). `None` when
/// k is 0 or above n.
pub fn pass_hat_k(attempts: Counts, k: u64) -> Option<f64> {
    all_of(attempts, k)
}

/// Chance that k of the n attempts, taken without putting back, are all among these x.
fn all_of(Counts { x, n }: Counts, k: u64) -> Option<f64> {
    if k == 0 || k > n {
        return None;
    }
    if k > x {
        return Some(0.0);
    }
    // Of the two equal products over k and over n − x factors the shorter.
    let misses = n - x;
    let (factors, largest) = if misses < k { (misses, n - k) } else { (k, x) };
    let mut chance = 1.0;
    for i in 0..factors {
        chance *= (largest - i) as f64 / (n - i) as f64;
        if chance == 0.0 {
            break;
        }
    }
    Some(chance)
}

/// Mean over problems of a chance between 0 and 1, with its spread.
#[derive(Debug, Clone, PartialEq)]
pub struct Benchmark {
    /// The chance for each problem.
    pub per_problem: Vec<f64>,
    /// Their moments.
    pub moments: Moments,
}

impl Benchmark {
    /// pass@k of each problem. `None` without problems, or when one has fewer than k attempts.
    pub fn pass_at_k(problems: &[Counts], k: u64) -> Option<Self> {
        let chances = problems.iter().map(|attempts| pass_at_k(*attempts, k)).collect();
        Self::new(chances)
    }

    /// pass^k of each problem, as [`Benchmark::pass_at_k`].
    pub fn pass_hat_k(problems: &[Counts], k: u64) -> Option<Self> {
        Self::new(problems.iter().map(|attempts| pass_hat_k(*attempts, k)).collect())
    }

    fn new(chances: Option<Vec<f64>>) -> Option<Self> {
        let per_problem = chances.filter(|chances| !chances.is_empty())?;
        let moments = per_problem.iter().copied().collect();
        Some(Self { per_problem, moments })
    }

    /// Student's t interval over problems, which may leave the range of chances; `None` below two
    /// problems or when all are equal.
    pub fn interval(&self, level: f64) -> Option<Interval> {
        mean_interval(self.moments, level)
    }

    /// The same, cut off at 0 and 1.
    pub fn clipped_interval(&self, level: f64) -> Option<Interval> {
        let interval = self.interval(level)?;
        Some(Interval { lo: interval.lo.max(0.0), hi: interval.hi.min(1.0), level })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn k_above_n_is_refused() {
        let attempts = Counts { x: 1, n: 4 };
        assert_eq!((pass_at_k(attempts, 5), pass_hat_k(attempts, 5)), (None, None));
        assert_eq!(pass_at_k(attempts, 0), None);
        assert_eq!(Benchmark::pass_at_k(&[attempts, Counts { x: 2, n: 9 }], 5), None);
    }

    #[test]
    fn a_chance_too_small_for_a_number_is_0_without_all_its_factors() {
        let many = Counts { x: 500_000_000_000, n: 1_000_000_000_000 };
        assert_eq!(pass_hat_k(many, 400_000_000_000), Some(0.0));
        assert_eq!(pass_at_k(many, 600_000_000_000), Some(1.0));
    }

    #[test]
    fn one_attempt_succeeds_as_often_as_it_did() {
        let attempts = Counts { x: 37, n: 200 };
        let chances = [pass_at_k(attempts, 1), pass_hat_k(attempts, 1)];
        assert!(chances.iter().flatten().all(|chance| (chance - 0.185).abs() < 1e-15));
    }

    #[test]
    fn all_attempts_together_contain_a_success_if_there_is_one() {
        assert_eq!(pass_at_k(Counts { x: 1, n: 30 }, 30), Some(1.0));
        assert_eq!(pass_hat_k(Counts { x: 30, n: 30 }, 30), Some(1.0));
        assert_eq!(pass_hat_k(Counts { x: 29, n: 30 }, 30), Some(0.0));
    }

    /// The oracle is the definition: every way to draw k of n answers is looked at.
    #[test]
    fn both_chances_are_shares_of_all_draws() {
        for n in 1..=9_u64 {
            for c in 0..=n {
                for k in 1..=n {
                    let draws = (0..1_u32 << n).filter(|draw| u64::from(draw.count_ones()) == k);
                    let right = (1_u32 << c) - 1;
                    let (mut all, mut any, mut every) = (0.0, 0.0, 0.0);
                    for draw in draws {
                        all += 1.0;
                        any += f64::from(u8::from(draw & right != 0));
                        every += f64::from(u8::from(draw & right == draw));
                    }
                    let attempts = Counts { x: c, n };
                    let found = [pass_at_k(attempts, k), pass_hat_k(attempts, k)];
                    let found = found.map(|chance| chance.expect("k ≤ n"));
                    assert!((found[0] - any / all).abs() < 1e-14, "pass@{k} of {c}/{n}");
                    assert!((found[1] - every / all).abs() < 1e-14, "pass^{k} of {c}/{n}");
                }
            }
        }
    }
}
