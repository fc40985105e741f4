//! Charts of text: bars to one scale.
//!
//! Widths follow the values exactly, to an eighth of a sign, and the scale is printed: the reader
//! can measure. The number stands before the bar, because many Chinese fixed-width fonts draw the
//! signs of the bar two columns wide.

use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

use crate::quantity;

/// Signs of the widest bar.
const WIDEST: f64 = 40.0;

/// Left parts of a sign, by eighths.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// One bar: its name, the value that its width shows, and how the value is written.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bar {
    pub name: String,
    /// Width, from 0 on; `None` where the value is not known.
    pub value: Option<f64>,
    pub shown: String,
}

/// The scale that makes the largest of these values the widest bar, rounded up so that a sign
/// stands for 1, 2 or 5 times a power of ten.
pub fn scale(values: impl IntoIterator<Item = f64>) -> f64 {
    let largest = values.into_iter().filter(|value| value.is_finite()).fold(0.0, f64::max);
    quantity::step_from(largest / WIDEST)
}

/// One line a bar: name, value, bar; an unknown value has a dot for a bar. `scale` is what one sign
/// stands for.
pub fn bars(bars: &[Bar], scale: f64) -> String {
    let names = bars.iter().map(|bar| bar.name.width()).max().unwrap_or(0);
    let values = bars.iter().map(|bar| bar.shown.width()).max().unwrap_or(0);
    let line = |bar: &Bar| {
        let name = " ".repeat(names - bar.name.width());
        let value = " ".repeat(values - bar.shown.width());
        let drawn = bar.value.map_or_else(|| "·".to_owned(), |value| drawn(value / scale));
        format!("{}{name}  {value}{}  {drawn}", bar.name, bar.shown).trim_end().to_owned()
    };
    bars.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn drawn(signs: f64) -> String {
    let eighths = (signs.clamp(0.0, 2.0 * WIDEST) * 8.0).round() as usize;
    let part = EIGHTHS.get(eighths % 8).copied().unwrap_or_default();
    format!("{}{part}", "█".repeat(eighths / 8))
}

/// Heights of a sparkline, lowest first.
const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// One sign a value, the lowest value lowest and the largest highest; a dot where a value is not
/// known. Values that are all equal stand at half height. The caller prints the scale.
pub fn sparkline(values: &[Option<f64>]) -> String {
    let known = values.iter().flatten().copied().filter(|value| value.is_finite());
    let lowest = known.clone().fold(f64::INFINITY, f64::min);
    let span = known.fold(f64::NEG_INFINITY, f64::max) - lowest;
    let sign = |value: &Option<f64>| {
        let Some(value) = value.filter(|value| value.is_finite()) else { return '·' };
        let share = if span > 0.0 { (value - lowest) / span } else { 0.5 };
        let height = (share * 7.0).round() as usize;
        HEIGHTS.get(height).copied().unwrap_or('█')
    };
    values.iter().map(sign).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(name: &str, value: Option<f64>, shown: &str) -> Bar {
        Bar { name: name.to_owned(), value, shown: shown.to_owned() }
    }

    #[test]
    fn widths_follow_the_values() {
        let drawn = bars(
            &[
                bar("语法", Some(15.0), "15%"),
                bar("wrong", Some(47.0), "47%"),
                bar("none", Some(0.0), "0%"),
                bar("lost", None, "?"),
            ],
            2.0,
        );
        let expected =
            "语法   15%  ███████▌\nwrong  47%  ███████████████████████▌\nnone    0%\nlost     ?  ·";
        assert_eq!(drawn, expected);
    }

    #[test]
    fn a_sign_stands_for_a_round_number_and_the_largest_bar_fits() {
        for (largest, sign) in [(47.0, 2.0), (55.0, 2.0), (100.0, 5.0), (0.4, 0.01), (8.0, 0.2)] {
            assert!(
                (scale([largest, 0.1]) - sign).abs() < 1e-12,
                "{largest}: {}",
                scale([largest])
            );
        }
        assert_eq!(scale([]), 1.0);
    }

    #[test]
    fn a_sparkline_goes_from_the_lowest_value_to_the_highest_and_shows_gaps() {
        let drawn =
            sparkline(&[Some(0.5), Some(0.6), None, Some(0.65), Some(f64::NAN), Some(0.58)]);
        assert_eq!(drawn, "▁▆·█·▅");
        assert_eq!(sparkline(&[Some(2.0), Some(2.0)]), "▅▅");
        assert_eq!(sparkline(&[]), "");
    }
}
