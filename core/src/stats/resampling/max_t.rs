//! Several means over the same rows at once: p-values adjusted by the largest t (Westfall and Young
//! 1993, *Resampling-Based Multiple Testing*, §2.6).
//!
//! Under no difference all signs of a row may turn together. That keeps the correlation between
//! the comparisons, of which a correction by the number of comparisons knows nothing.
//!
//! t grows with u = S²/(n·Q), where S is the sum and Q, which no sign changes, the sum of squares
//! of a column; so the patterns are compared by u, which never divides by 0.

use super::random::in_blocks;
use super::signs::{BLOCK, sums_under_signs};

/// Most rows whose sign patterns are all counted.
pub const MOST_ENUMERATED: usize = 16;

/// Random patterns beyond.
pub const DRAWS: usize = 9_999;

/// Distance of two u that is rounding.
const TIE: f64 = 1e-12;

/// |t| and adjusted p-values of every comparison, in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct MaxT {
    /// |mean|/(sd/√n); infinite when all differences are equal but not 0, 0 when all are 0.
    pub t: Vec<f64>,
    /// Share of patterns in which this comparison or any with no larger t has as large a t, made
    /// monotone.
    pub step_down: Vec<f64>,
    /// Whether patterns were drawn instead of counted.
    pub monte_carlo: bool,
}

/// Tests every column of differences for the mean 0. `None` unless there are columns and all have
/// the same number of rows, at least two.
pub fn max_t(columns: &[Vec<f64>]) -> Option<MaxT> {
    let columns = Columns::new(columns)?;
    let observed: Vec<f64> = columns
        .values
        .iter()
        .zip(&columns.squares)
        .map(|(values, squares)| squared_cosine(values.iter().sum(), *squares, columns.rows))
        .collect();
    let mut order: Vec<usize> = (0..observed.len()).collect();
    order.sort_by(|a, b| observed[*b].total_cmp(&observed[*a]));
    let extreme = columns.over_patterns(|u| {
        let mut extreme = vec![false; u.len()];
        let mut largest = 0.0_f64;
        // From the smallest observed t up, so that `largest` is over those with no larger t.
        for &column in order.iter().rev() {
            largest = largest.max(u[column]);
            extreme[column] = largest >= observed[column] - TIE;
        }
        extreme
    });
    let mut step_down: Vec<f64> = (0..observed.len())
        .map(|column| columns.share(extreme.iter().filter(|pattern| pattern[column]).count()))
        .collect();
    let mut before = 0.0_f64;
    for column in order {
        before = before.max(step_down[column]);
        step_down[column] = before;
    }
    Some(MaxT {
        t: observed.iter().map(|u| columns.t(*u)).collect(),
        step_down,
        monte_carlo: !columns.enumerable(),
    })
}

/// Columns of equal length and what no pattern changes.
struct Columns<'a> {
    values: Vec<&'a [f64]>,
    squares: Vec<f64>,
    rows: usize,
}

impl<'a> Columns<'a> {
    fn new(columns: &'a [Vec<f64>]) -> Option<Self> {
        let rows = columns.first()?.len();
        if rows < 2 || columns.iter().any(|column| column.len() != rows) {
            return None;
        }
        let squares =
            columns.iter().map(|column| column.iter().map(|value| value * value).sum()).collect();
        Some(Self { values: columns.iter().map(Vec::as_slice).collect(), squares, rows })
    }

    fn enumerable(&self) -> bool {
        self.rows <= MOST_ENUMERATED
    }

    /// Patterns that are looked at. A pattern and its opposite have the same t, so of all patterns
    /// half are enough.
    fn patterns(&self) -> usize {
        if self.enumerable() { 1 << (self.rows - 1) } else { DRAWS }
    }

    fn share(&self, count: usize) -> f64 {
        let observed = usize::from(!self.enumerable());
        (count + observed) as f64 / (self.patterns() + observed) as f64
    }

    fn t(&self, u: f64) -> f64 {
        let apart = 1.0 - u;
        if apart > TIE { (u * (self.rows - 1) as f64 / apart).sqrt() } else { f64::INFINITY }
    }

    /// What `look` makes of the u of all columns, for each pattern.
    fn over_patterns<T: Send>(&self, look: impl Fn(&[f64]) -> T + Sync) -> Vec<T> {
        in_blocks(self.patterns(), BLOCK, |stream, first, count| {
            let mut pattern = first as u64;
            let sums = sums_under_signs(&self.values, count, || {
                if !self.enumerable() {
                    return stream.word();
                }
                pattern += 1;
                pattern - 1
            });
            let looked = |draw: usize| {
                let columns = sums.iter().zip(&self.squares);
                let u: Vec<f64> = columns
                    .map(|(sums, squares)| squared_cosine(sums[draw], *squares, self.rows))
                    .collect();
                look(&u)
            };
            (0..count).map(looked).collect()
        })
    }
}

/// u = S²/(n·Q): the squared cosine between a column and a column of ones.
fn squared_cosine(sum: f64, squares: f64, rows: usize) -> f64 {
    if squares == 0.0 { 0.0 } else { sum * sum / (rows as f64 * squares) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_columns_need_no_adjustment() {
        let column: Vec<f64> = (0..12).map(|i| f64::from(i * 5 % 12) - 3.0).collect();
        let alone = max_t(std::slice::from_ref(&column)).expect("one column").step_down[0];
        let together = max_t(&[column.clone(), column.clone(), column]).expect("three columns");
        assert_eq!(together.step_down, [alone; 3]);
    }

    #[test]
    fn many_rows_are_drawn_and_differences_of_0_are_never_extreme() {
        let column: Vec<f64> = (0..80).map(|i| f64::from(i * 31 % 80) - 20.0).collect();
        let test = max_t(&[vec![0.0; 80], column]).expect("two columns");
        assert!(test.monte_carlo);
        assert_eq!((test.t[0], test.step_down[0]), (0.0, 1.0));
        assert!(test.step_down[1] <= 2e-4, "{test:?}");
    }

    #[test]
    fn columns_of_different_length_are_refused() {
        assert_eq!(max_t(&[vec![1.0, 2.0], vec![1.0]]), None);
        assert_eq!(max_t(&[]), None);
        assert_eq!(max_t(&[vec![1.0]]), None);
    }
}
