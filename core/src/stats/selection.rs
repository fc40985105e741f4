//! What the best of several figures owes to having been chosen (winner's curse).
//!
//! A figure that was picked because it is the largest is larger, on average, than what a new set of
//! items would give for the same choice.

use super::distribution::{integrate, normal_density, normal_sf};
use super::resampling::bootstrap;

/// Resamples of [`optimism`].
pub const DRAWS: usize = 2_000;

/// How far the mean of the chosen column lies above its true value on average, estimated by drawing
/// items again: in each resample the best column is chosen again, and its mean there is compared
/// with its mean over all items (Efron 1983, *JASA* 78, for the error of a chosen rule). `columns`
/// hold the scores of the same items in the same order; ties go to the first column. `None` without
/// two columns of at least two items each.
pub fn optimism(columns: &[Vec<f64>], higher_is_better: bool) -> Option<f64> {
    let items = columns.first().map(Vec::len).filter(|items| *items >= 2)?;
    if columns.len() < 2 || columns.iter().any(|column| column.len() != items) {
        return None;
    }
    let sign = if higher_is_better { 1.0 } else { -1.0 };
    let mean = |column: &[f64]| column.iter().sum::<f64>() / items as f64;
    let observed: Vec<f64> = columns.iter().map(|column| mean(column)).collect();
    let gain = |drawn: &[usize]| {
        let resampled = columns.iter().map(|column| {
            let scores = drawn.iter().filter_map(|item| column.get(*item));
            scores.sum::<f64>() / items as f64
        });
        let mut best: Option<(f64, f64)> = None;
        for (there, here) in resampled.zip(&observed) {
            if best.is_none_or(|(most, _)| sign * there > sign * most) {
                best = Some((there, *here));
            }
        }
        best.map_or(f64::NAN, |(there, here)| sign * (there - here))
    };
    let gains = bootstrap::resampled(items, DRAWS, gain);
    (!gains.is_empty()).then(|| gains.iter().sum::<f64>() / gains.len() as f64)
}

/// Expected largest of `m` independent standard normal figures, ∫ x m φ(x) Φ(x)^(m−1) dx (Harter
/// 1961, *Biometrika* 48). Times the standard error of a figure it is the most by which the best of
/// m equally good ones is overstated: figures over the same items move together, which makes the
/// largest smaller (Slepian's inequality).
pub fn expected_largest(m: u32) -> f64 {
    if m < 2 {
        return 0.0;
    }
    let power = f64::from(m - 1);
    integrate(-9.0, 9.0, 24, |x| f64::from(m) * x * normal_density(x) * normal_sf(-x).powf(power))
}

/// The most by which the best of `m` checkpoints is overstated on average, as a share: a rate over `n`
/// items of which the best got that share right.
pub fn most_owed(share: f64, n: u64, m: u32) -> f64 {
    expected_largest(m) * rate_stderr(share, n)
}

/// Standard error of a rate, from a share moved towards ½ by two right and two wrong answers (Agresti
/// and Coull 1998, *The American Statistician* 52). The share itself would give 0 where every answer
/// is right or every one wrong, which is certain of nothing about other samples.
pub fn rate_stderr(share: f64, n: u64) -> f64 {
    let n = n as f64;
    let moved = (share.clamp(0.0, 1.0) * n + 2.0) / (n + 4.0);
    (moved * (1.0 - moved) / n).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_of_normal_figures_agrees_with_harter_1961() {
        for (m, expected) in
            [(1, 0.0), (2, 0.564_19), (3, 0.846_28), (5, 1.162_96), (10, 1.538_75), (20, 1.867_48)]
        {
            assert!((expected_largest(m) - expected).abs() < 6e-6, "{m}: {}", expected_largest(m));
        }
    }

    #[test]
    fn two_columns_over_two_items_gain_a_quarter() {
        // Both items alike: one column has mean 1 instead of ½; one of each: a tie at ½.
        let columns = [vec![1.0, 0.0], vec![0.0, 1.0]];
        for higher in [true, false] {
            let found = optimism(&columns, higher).expect("two columns");
            assert!((found - 0.25).abs() < 0.02, "{found}");
        }
    }

    #[test]
    fn a_rate_at_its_edge_is_not_certain() {
        for (share, n, expected) in
            [(1.0, 1, 0.4899), (0.0, 3, 0.260_82), (0.5, 100, 0.05), (0.95, 1000, 0.007_01)]
        {
            assert!((rate_stderr(share, n) - expected).abs() < 5e-5, "{}", rate_stderr(share, n));
        }
    }

    #[test]
    fn without_a_choice_or_without_spread_there_is_nothing_to_gain() {
        assert_eq!(optimism(&[vec![1.0, 0.0]], true), None);
        assert_eq!(optimism(&[vec![1.0], vec![0.0]], true), None);
        assert_eq!(optimism(&[vec![1.0, 1.0], vec![0.0, 0.0]], true), Some(0.0));
    }
}
