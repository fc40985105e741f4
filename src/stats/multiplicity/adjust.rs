//! Adjusted p-values. In all of them order is kept, and a comparison without a p-value is NaN: it
//! stays NaN and does not count into m, the number of p-values.

/// Bonferroni: m times p, at most 1. Controls the chance of any false claim.
pub fn bonferroni(p: &[f64]) -> Vec<f64> {
    single_step(p, |p, m| m * p)
}

/// Šidák (1967, *JASA* 62): 1 − (1 − p)ᵐ. Controls the chance of any false claim when tests are
/// independent or positively dependent.
pub fn sidak(p: &[f64]) -> Vec<f64> {
    single_step(p, sidak_of)
}

/// Holm's step-down adjustment (Holm 1979, *Scandinavian Journal of Statistics* 6): the i-th
/// smallest of m p-values is multiplied by m − i + 1, made monotone and capped at 1. Controls the
/// chance of any false claim whatever the dependence.
pub fn holm(p: &[f64]) -> Vec<f64> {
    step_down(p, |p, left| left * p)
}

/// Holm's steps with Šidák's formula; the conditions of [`sidak`].
pub fn holm_sidak(p: &[f64]) -> Vec<f64> {
    step_down(p, sidak_of)
}

/// Hochberg's step-up adjustment (Hochberg 1988, *Biometrika* 75). Controls the chance of any
/// false claim under positive regression dependence.
pub fn hochberg(p: &[f64]) -> Vec<f64> {
    step_up(p, |p, i, m| (m - i + 1.0) * p)
}

/// Benjamini and Hochberg (1995, *JRSS B* 57): controls the expected share of false claims under
/// positive regression dependence.
pub fn benjamini_hochberg(p: &[f64]) -> Vec<f64> {
    step_up(p, |p, i, m| m / i * p)
}

/// Benjamini and Yekutieli (2001, *Annals of Statistics* 29): as [`benjamini_hochberg`] whatever
/// the dependence, at the price of the factor 1 + 1/2 + … + 1/m.
pub fn benjamini_yekutieli(p: &[f64]) -> Vec<f64> {
    let harmonic: f64 = (1..=ascending(p).len()).map(|i| 1.0 / i as f64).sum();
    step_up(p, |p, i, m| harmonic * m / i * p)
}

/// Hommel (1988, *Biometrika* 75), by Wright's algorithm (1992, *Biometrics* 48). Never larger
/// than [`hochberg`], under the same condition. Quadratic in the number of p-values.
pub fn hommel(p: &[f64]) -> Vec<f64> {
    let order = ascending(p);
    let sorted: Vec<f64> = order.iter().map(|&i| p[i]).collect();
    let m = sorted.len();
    let simes = |size: usize, tail: &[f64], first: usize| {
        let bounds = tail.iter().zip(first..).map(|(p, i)| size as f64 * p / i as f64);
        bounds.fold(f64::INFINITY, f64::min)
    };
    let mut bound = vec![simes(m, &sorted, 1); m];
    for size in (2..m).rev() {
        let (low, high) = sorted.split_at(m - size + 1);
        let most = simes(size, high, 2);
        let of_low = |p: f64| (size as f64 * p).min(most);
        let at_split = low.last().map_or(most, |&p| of_low(p));
        let now = low.iter().map(|&p| of_low(p)).chain(high.iter().map(|_| at_split));
        bound.iter_mut().zip(now).for_each(|(bound, now)| *bound = bound.max(now));
    }
    let mut adjusted = vec![f64::NAN; p.len()];
    for ((&i, &p), bound) in order.iter().zip(&sorted).zip(bound) {
        adjusted[i] = bound.max(p).min(1.0);
    }
    adjusted
}

/// 1 − (1 − p)ᵐ without losing the digits of a small p.
fn sidak_of(p: f64, m: f64) -> f64 {
    -(m * (-p).ln_1p()).exp_m1()
}

/// Places of the p-values that are there, smallest p first; equal ones in their order.
fn ascending(p: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..p.len()).filter(|&i| !p[i].is_nan()).collect();
    order.sort_by(|&i, &j| p[i].total_cmp(&p[j]));
    order
}

/// Each p by itself, given m.
fn single_step(p: &[f64], adjust: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    let m = ascending(p).len() as f64;
    let one = |&p: &f64| if p.is_nan() { f64::NAN } else { adjust(p, m).min(1.0) };
    p.iter().map(one).collect()
}

/// From the smallest p on, given how many are left; never below the one before.
fn step_down(p: &[f64], adjust: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    let order = ascending(p);
    let mut adjusted = vec![f64::NAN; p.len()];
    let mut largest: f64 = 0.0;
    for (rank, &i) in order.iter().enumerate() {
        largest = largest.max(adjust(p[i], (order.len() - rank) as f64)).min(1.0);
        adjusted[i] = largest;
    }
    adjusted
}

/// From the largest p on, given rank (from 1) and m; never above the one before.
fn step_up(p: &[f64], adjust: impl Fn(f64, f64, f64) -> f64) -> Vec<f64> {
    let order = ascending(p);
    let mut adjusted = vec![f64::NAN; p.len()];
    let mut smallest: f64 = 1.0;
    for (rank, &i) in order.iter().enumerate().rev() {
        smallest = smallest.min(adjust(p[i], (rank + 1) as f64, order.len() as f64));
        adjusted[i] = smallest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    type Adjustment = fn(&[f64]) -> Vec<f64>;

    const ALL: [(&str, Adjustment); 8] = [
        ("bonferroni", bonferroni),
        ("sidak", sidak),
        ("holm", holm),
        ("holm-sidak", holm_sidak),
        ("hochberg", hochberg),
        ("hommel", hommel),
        ("bh", benjamini_hochberg),
        ("by", benjamini_yekutieli),
    ];

    #[test]
    fn without_p_values_nothing_is_adjusted() {
        for (name, adjust) in ALL {
            assert!(adjust(&[]).is_empty(), "{name}");
            assert!(adjust(&[f64::NAN, f64::NAN]).iter().all(|p| p.is_nan()), "{name}");
        }
    }

    #[test]
    fn one_p_value_stays_as_it_is() {
        for (name, adjust) in ALL {
            for p in [0.0, 0.03125, 1.0] {
                let adjusted = adjust(&[f64::NAN, p]);
                assert!((adjusted[1] - p).abs() < 1e-15, "{name}: {adjusted:?}");
            }
        }
    }

    #[test]
    fn an_adjusted_p_is_never_smaller_and_keeps_the_order() {
        let p = [0.2, 0.001, 0.04, 0.04, 1.0, 0.0004, 0.7];
        for (name, adjust) in ALL {
            let adjusted = adjust(&p);
            for (i, before) in p.iter().enumerate() {
                assert!(adjusted[i] >= *before && adjusted[i] <= 1.0, "{name}: {adjusted:?}");
                for (j, other) in p.iter().enumerate().filter(|(_, other)| *other <= before) {
                    assert!(adjusted[j] <= adjusted[i], "{name}: {other} and {before}");
                }
            }
        }
    }
}
