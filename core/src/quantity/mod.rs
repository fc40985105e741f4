//! Units, and the only place where numbers become text for people.
//!
//! | what is to be shown | function |
//! |---|---|
//! | how many | [`count`], [`amount`] where it may be a mean |
//! | a figure of a metric | [`figure`], [`figure_with_decimals`], [`with_coverage`], [`with_samples`], [`spread_text`] |
//! | two limits of a figure | [`range`], [`range_with_decimals`] |
//! | a share | [`percent`], [`whole_percent`], [`percent_of_cases`], [`share`] |
//! | a change relative to where it began | [`relative_change`], [`signed_relative_change`] |
//! | a difference of two figures | [`difference_text`], [`difference_within`], [`difference_with_decimals`], [`interval_text`] |
//! | money | [`money`], [`money_change`] |
//! | a p-value, a level of confidence | [`p_value_text`], [`p_text_in_sentence`], [`level`] |
//! | a number as it was read or declared | [`exact`], [`exact_with_unit`] |
//! | bytes, the sizes of a tensor | [`bytes()`], [`shape`], [`dimensions`] |
//! | a day, a moment, a length of time | [`Night`], [`Moment`], [`Period`] |
//! | any other number | [`fixed`], [`signed`], [`magnitude`] |
//!
//! [`Quantity`] is a number that goes to programs as well: its value with its unit in JSON, its text
//! in sentences.
//!
//! Rates are shown as percentages with one or two decimals, as many as the figure needs; a
//! difference takes the greater precision of its operands, as far as its interval deserves it, and
//! always a sign, except zero.
//! Rounding is that of the formatting machinery (round half to even on the exact binary value),
//! the same everywhere; negative zero is zero.
//!
//! What only programs read (CSV, JSON) is written with all of its digits and is not made here.

mod calendar;
mod differences;
mod figures;
mod numbers;
mod percentages;
mod typed;
mod unit;

pub use calendar::{Moment, Night, Period, TimeOfDay};
pub use differences::{
    decimals_for_interval, difference_text, difference_with_decimals, difference_within,
    interval_text, mean_difference_text, p_text_in_sentence, p_value_text, settled,
};
pub use figures::{
    amount, decimals, figure, figure_with_decimals, money, money_change, range,
    range_with_decimals, spread_text, with_coverage, with_samples,
};
pub use numbers::{
    about, bytes, count, decimals_for_digits, dimensions, exact, exact_with_unit, fixed, magnitude,
    mean, power_of_ten, round_to_digits, serialize_number, shape, signed, spelled_decimals, stars,
    step_from,
};
pub use percentages::{
    expected_share, expected_share_range, level, percent, percent_of_cases, relative_change, share,
    share_decimals, signed_relative_change, whole_percent,
};
pub use typed::Quantity;
pub use unit::Unit;
