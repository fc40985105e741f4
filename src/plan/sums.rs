//! Sums as engines take them, the same in any order.

use super::Dialect;
use crate::model::SUMMED_STEPS;

/// A sum in whole steps, so that its order cannot be seen.
pub(super) fn whole_sum(dialect: Dialect, value: &str) -> String {
    sum_of_steps(dialect, &format!("ROUND(({value}) * {SUMMED_STEPS})"))
}

/// The sum of what [`whole_sum`] rounds off, in steps of the steps: differences that are small against their scores
/// are hardly anything else.
pub(super) fn sum_of_rest(dialect: Dialect, value: &str) -> String {
    let steps = format!("({value}) * {SUMMED_STEPS}");
    sum_of_steps(dialect, &format!("ROUND(({steps} - ROUND({steps})) * {SUMMED_STEPS})"))
}

fn sum_of_steps(dialect: Dialect, steps: &str) -> String {
    let whole = format!("CAST({steps} AS {})", dialect.whole_type());
    if dialect == Dialect::Spark {
        // Where it does not keep to ANSI, what is too large would be left out without a word.
        let fails = "raise_error('a score is too large for the sums')";
        return format!("SUM(IF(ABS({steps}) >= 1e38, {fails}, {whole}))");
    }
    format!("SUM({whole})")
}
