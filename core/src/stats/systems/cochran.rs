//! Cochran's Q: do several systems get the same samples right equally often?

use super::{ChiSquaredTest, width};

/// Cochran's Q (Cochran 1950, *Biometrika* 37) over samples (rows) and systems (columns), outcomes
/// 0 or 1: (k − 1)·(k·ΣC² − T²)/(k·T − ΣR²) with the sums C of the columns, R of the rows and T of
/// all. With two systems it is McNemar's chi-squared.
///
/// Samples that all systems get right, or all wrong, say nothing and cancel. `None` when only such
/// samples are left, below two systems, and for other outcomes.
pub fn cochran_q(outcomes: &[Vec<f64>]) -> Option<ChiSquaredTest> {
    let k = width(outcomes).filter(|&k| k >= 2)?;
    if outcomes.iter().flatten().any(|&outcome| outcome != 0.0 && outcome != 1.0) {
        return None;
    }
    let mut columns = vec![0.0; k];
    let (mut total, mut squared_rows) = (0.0, 0.0);
    for row in outcomes {
        columns.iter_mut().zip(row).for_each(|(sum, outcome)| *sum += outcome);
        let right: f64 = row.iter().sum();
        total += right;
        squared_rows += right * right;
    }
    let k = k as f64;
    let within = k * total - squared_rows;
    let squared_columns: f64 = columns.iter().map(|sum| sum * sum).sum();
    let statistic = (k - 1.0) * (k * squared_columns - total * total) / within;
    (within > 0.0).then(|| ChiSquaredTest::new(statistic, k - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_that_all_systems_treat_alike_do_not_change_it() {
        let telling = vec![vec![1.0, 1.0, 0.0], vec![0.0, 1.0, 0.0], vec![1.0, 0.0, 0.0]];
        let mut padded = telling.clone();
        padded.extend([vec![1.0; 3], vec![0.0; 3], vec![1.0; 3]]);
        assert_eq!(cochran_q(&telling), cochran_q(&padded));
    }

    #[test]
    fn with_two_systems_it_is_the_chi_squared_of_mcnemar() {
        let flips = [(12, [1.0, 0.0]), (5, [0.0, 1.0]), (9, [1.0, 1.0])];
        let rows: Vec<Vec<f64>> =
            flips.iter().flat_map(|&(times, row)| vec![row.to_vec(); times]).collect();
        let test = cochran_q(&rows).unwrap();
        assert!((test.statistic - 49.0 / 17.0).abs() < 1e-12, "{test:?}");
    }

    #[test]
    fn where_nothing_differs_or_nothing_is_compared_there_is_no_test() {
        assert_eq!(cochran_q(&[]), None);
        assert_eq!(cochran_q(&[vec![1.0], vec![0.0]]), None);
        assert_eq!(cochran_q(&[vec![1.0, 1.0], vec![0.0, 0.0]]), None);
        assert_eq!(cochran_q(&[vec![1.0, 0.0], vec![1.0]]), None);
        assert_eq!(cochran_q(&[vec![1.0, 0.5]]), None);
    }
}
