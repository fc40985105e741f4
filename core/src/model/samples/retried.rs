//! Answers that were asked for again because of how the first one came out.

use super::Column;

/// Squared z-score beyond which a share is not chance (1 %, two-sided).
const BEYOND_CHANCE: f64 = 6.635;
/// Standard deviations of a correlation of 0 beyond which the number of answers depends on the first.
const DEPENDENT: f64 = 3.0;

/// Whether problems got more answers where the first one scored low (or high), and the last one then
/// scores higher (or lower) than the first. Of answers that were asked for without regard to how
/// they came out, first and last are exchangeable, however many more some problems got: the last is
/// higher as often as it is lower. Each problem is the rows of its answers, in reading order.
pub(super) fn is_retried<I: Iterator<Item = usize>>(
    column: &Column,
    problems: impl Iterator<Item = I>,
) -> bool {
    let (mut rose, mut fell) = (0.0_f64, 0.0_f64);
    let mut known: Vec<(f64, f64)> = Vec::new();
    for problem in problems {
        let mut scores = problem.filter_map(|row| column.get(row));
        let Some(first) = scores.next() else { continue };
        let (others, last) = scores.fold((0.0, first), |(count, _), score| (count + 1.0, score));
        rose += f64::from(u8::from(last > first));
        fell += f64::from(u8::from(last < first));
        known.push((first, others));
    }
    let correlation = correlation(&known) * (known.len() as f64).sqrt();
    let turned = rose - fell;
    turned.powi(2) > BEYOND_CHANCE * (rose + fell) && -turned.signum() * correlation > DEPENDENT
}

/// 0 where either varies not.
fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let n = pairs.len() as f64;
    let sums = pairs.iter().fold((0.0, 0.0), |(x, y), pair| (x + pair.0, y + pair.1));
    let means = (sums.0 / n, sums.1 / n);
    let products = pairs.iter().fold([0.0; 3], |[xx, yy, xy], pair| {
        let (x, y) = (pair.0 - means.0, pair.1 - means.1);
        [xx + x * x, yy + y * y, xy + x * y]
    });
    let [xx, yy, xy] = products;
    if xx > 0.0 && yy > 0.0 { xy / (xx * yy).sqrt() } else { 0.0 }
}
