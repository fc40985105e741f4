//! Several systems over the same benchmarks or the same samples: is any of them different, and
//! which.
//!
//! Tables of scores are slices of rows, a row for each block (benchmark, sample) with one score
//! for each system. Tests of two systems live elsewhere and come in as functions.

mod cochran;
mod friedman;
mod pairwise;

pub use cochran::cochran_q;
pub use friedman::{FTest, RankedBlocks};
pub use pairwise::{PairOfSystems, all_pairs};

use super::distribution::chi_squared::chi_squared_sf;
use super::distribution::reportable_p;

/// A chi-squared test of equal systems.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChiSquaredTest {
    /// Test statistic, at least 0.
    pub statistic: f64,
    pub df: f64,
    /// p-value in (0, 1], from the chi-squared distribution, which is an approximation.
    pub p: f64,
}

impl ChiSquaredTest {
    fn new(statistic: f64, df: f64) -> Self {
        Self { statistic, df, p: reportable_p(chi_squared_sf(statistic, df)) }
    }
}

/// The number of columns, when every row has as many, at least one, and every score is finite.
fn width(rows: &[Vec<f64>]) -> Option<usize> {
    let width = rows.first()?.len();
    let whole = |row: &Vec<f64>| row.len() == width && row.iter().all(|score| score.is_finite());
    (width >= 1 && rows.iter().all(whole)).then_some(width)
}
