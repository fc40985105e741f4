//! Several attempts at each problem: the chance that one or all of k attempts succeed.
//!
//! The problem is the sampling unit: attempts say how well one problem is known, problems say how
//! well the benchmark is.

use super::Counts;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn k_above_n_is_refused() {
        let attempts = Counts { x: 1, n: 4 };
        assert_eq!((pass_at_k(attempts, 5), pass_hat_k(attempts, 5)), (None, None));
        assert_eq!(pass_at_k(attempts, 0), None);
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
