//! Power of McNemar's test. Prospective only: for shares that are supposed, never for those that
//! were observed.

use crate::stats::distribution::{
    binomial_cdf, binomial_pmf, fair_binomial_cdf, normal_sf, normal_two_sided,
};

/// Which McNemar test is planned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// The exact test.
    Exact,
    /// The mid-p variant.
    MidP,
}

/// Power at `n` pairs by the normal formula of Connor (1987, *Biometrics* 43), when shares `gained`
/// and `lost` of the pairs are right in one arm only; α is two-sided.
pub fn connor_power(n: f64, gained: f64, lost: f64, alpha: f64) -> f64 {
    let (discordant, delta) = (gained + lost, gained - lost);
    let beyond = delta.abs() * n.sqrt() - normal_two_sided(1.0 - alpha) * discordant.sqrt();
    let spread = (discordant - delta * delta).max(0.0).sqrt();
    if spread > 0.0 { normal_sf(-beyond / spread) } else { f64::from(u8::from(beyond >= 0.0)) }
}

/// Probability that the test rejects at a two-sided α below ½, over all numbers of discordant pairs
/// among `n` and all ways in which they may fall. Shares as in [`connor_power`].
pub fn mcnemar_power(n: u64, gained: f64, lost: f64, alpha: f64, variant: Variant) -> f64 {
    let discordant = gained + lost;
    if discordant <= 0.0 {
        return 0.0;
    }
    let (first, last) = likely(n, discordant);
    let mut rejected = Rejection::at(first, gained / discordant, alpha, variant);
    let mut power = 0.0;
    for pairs in first..=last {
        power += binomial_pmf(pairs, n, discordant.min(1.0)) * rejected.probability();
        rejected.add_pair();
    }
    power.clamp(0.0, 1.0)
}

/// The numbers of successes outside of which a binomial variable hardly ever falls.
fn likely(n: u64, share: f64) -> (u64, u64) {
    let mean = n as f64 * share;
    let reach = 10.0 * (mean * (1.0 - share).max(0.0)).sqrt();
    ((mean - reach - 20.0).max(0.0) as u64, ((mean + reach + 50.0) as u64).min(n))
}

/// The outcomes of so many discordant pairs that the test rejects: fewer than `fair.count` pairs in
/// one direction. The lower tails are carried from one number of pairs to the next.
struct Rejection {
    fair: Tail,
    gained: Tail,
    lost: Tail,
    alpha: f64,
    variant: Variant,
}

impl Rejection {
    fn at(pairs: u64, share_gained: f64, alpha: f64, variant: Variant) -> Self {
        let critical = first_accepted(pairs, alpha, variant);
        let tail = |p: f64| Tail::new(pairs, critical, p);
        let (gained, lost) = (tail(share_gained), tail(1.0 - share_gained));
        Self { fair: tail(0.5), gained, lost, alpha, variant }
    }

    fn probability(&self) -> f64 {
        (self.gained.probability + self.lost.probability).clamp(0.0, 1.0)
    }

    fn add_pair(&mut self) {
        for tail in [&mut self.fair, &mut self.gained, &mut self.lost] {
            tail.add_trial();
        }
        while 2 * self.fair.count < self.fair.trials
            && p_value(self.fair.probability, self.fair.next(), self.variant) < self.alpha
        {
            for tail in [&mut self.fair, &mut self.gained, &mut self.lost] {
                tail.add_count();
            }
        }
    }
}

/// P(X < count) for X binomial.
struct Tail {
    trials: u64,
    count: u64,
    p: f64,
    probability: f64,
}

impl Tail {
    fn new(trials: u64, count: u64, p: f64) -> Self {
        let probability = count.checked_sub(1).map_or(0.0, |most| binomial_cdf(most, trials, p));
        Self { trials, count, p, probability }
    }

    /// P(X = count).
    fn next(&self) -> f64 {
        binomial_pmf(self.count, self.trials, self.p)
    }

    fn add_count(&mut self) {
        self.probability += self.next();
        self.count += 1;
    }

    /// With one trial more, the tail loses what stood at its edge and succeeds.
    fn add_trial(&mut self) {
        let edge = self.count.checked_sub(1).map_or(0.0, |k| binomial_pmf(k, self.trials, self.p));
        self.probability -= self.p * edge;
        self.trials += 1;
    }
}

/// Two-sided p-value of an outcome with this probability, when the rarer ones in its direction
/// have the probability `rarer`.
fn p_value(rarer: f64, outcome: f64, variant: Variant) -> f64 {
    match variant {
        Variant::Exact => 2.0 * (rarer + outcome),
        Variant::MidP => 2.0 * rarer + outcome,
    }
}

/// Smallest number of pairs in the rarer direction that the test accepts.
fn first_accepted(pairs: u64, alpha: f64, variant: Variant) -> u64 {
    let (mut rejected_below, mut accepted) = (0, pairs.div_ceil(2));
    while rejected_below < accepted {
        let middle = u64::midpoint(rejected_below, accepted);
        let upto = fair_binomial_cdf(middle, pairs);
        let outcome = binomial_pmf(middle, pairs, 0.5);
        if p_value(upto - outcome, outcome, variant) < alpha {
            rejected_below = middle + 1;
        } else {
            accepted = middle;
        }
    }
    rejected_below
}
