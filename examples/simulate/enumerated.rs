//! Outcomes 0 or 1, every table weighted with its probability.

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use reportgen::stats::{Counts, Design, PairedCounts};

use crate::WeightedRates;

/// Design, data, result.
type Line = (&'static str, String, WeightedRates);

pub(crate) fn lines() -> Vec<Line> {
    let mut lines = Vec::new();
    for n in [10, 20, 50, 100, 200] {
        for (gained, lost) in [(0.1, 0.1), (0.02, 0.02), (0.25, 0.25), (0.4, 0.4), (0.48, 0.48)] {
            let data = format!("n = {n}, {} % gained and lost", 100.0 * gained);
            lines.push(("paired outcomes", data, paired(n, gained, lost)));
        }
        let data = format!("n = {n}, 10 % gained, 2 % lost (coverage; power)");
        lines.push(("paired outcomes", data, paired(n, 0.1, 0.02)));
    }
    for (before, after) in [(10, 10), (20, 20), (50, 50), (20, 60), (100, 100)] {
        for share in [0.05, 0.3, 0.5, 0.9] {
            let data = format!("{before} and {after} samples, both {} %", 100.0 * share);
            lines.push(("independent outcomes", data, independent([before, after], share)));
        }
    }
    lines
}

/// ln n!, summed; exact enough for the sizes here.
fn ln_factorials(n: u64) -> Vec<f64> {
    let mut sums = vec![0.0];
    for k in 1..=n {
        sums.push(sums[k as usize - 1] + (k as f64).ln());
    }
    sums
}

fn paired(n: u64, gained_share: f64, lost_share: f64) -> WeightedRates {
    let factorials = ln_factorials(n);
    let rest_share: f64 = 1.0 - gained_share - lost_share;
    (0..=n)
        .into_par_iter()
        .map(|gained| {
            let mut tally = WeightedRates::default();
            for lost in 0..=n - gained {
                let rest = n - gained - lost;
                let ln = |k: u64| factorials[k as usize];
                let weight = (ln(n) - ln(gained) - ln(lost) - ln(rest)
                    + gained as f64 * gained_share.ln()
                    + lost as f64 * lost_share.ln()
                    + rest as f64 * rest_share.ln())
                .exp();
                let counts = PairedCounts { both_right: rest, gained, lost, both_wrong: 0 };
                tally.add(weight, &Design::PairedBinary(counts), gained_share - lost_share);
            }
            tally
        })
        .reduce(WeightedRates::default, WeightedRates::merge)
}

fn independent(sizes: [u64; 2], share: f64) -> WeightedRates {
    let weights = sizes.map(|n| binomial(n, share));
    let [before, after] = &weights;
    (0..before.len())
        .into_par_iter()
        .map(|x| {
            let mut tally = WeightedRates::default();
            for (y, weight) in after.iter().enumerate() {
                let arms = [(x, sizes[0]), (y, sizes[1])].map(|(x, n)| Counts::new(x as u64, n));
                if let [Some(baseline), Some(candidate)] = arms {
                    let design = Design::IndependentBinary { baseline, candidate };
                    tally.add(before[x] * weight, &design, 0.0);
                }
            }
            tally
        })
        .reduce(WeightedRates::default, WeightedRates::merge)
}

fn binomial(n: u64, share: f64) -> Vec<f64> {
    let factorials = ln_factorials(n);
    let ln = |k: u64| factorials[k as usize];
    let term = |k: u64| {
        ln(n) - ln(k) - ln(n - k) + k as f64 * share.ln() + (n - k) as f64 * (1.0 - share).ln()
    };
    (0..=n).map(|k| term(k).exp()).collect()
}
