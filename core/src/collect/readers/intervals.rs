//! Confidence intervals as files state them, under names such as `acc_ci_low`, `ci95` and
//! `upper_ci`: by how wide they are, figures are as uncertain as their producer says.

use super::super::document::{Node, Value};

/// What names of intervals end in.
const INTERVALS: &[&str] = &[
    "ci",
    "ci95",
    "ci_95",
    "95ci",
    "95_ci",
    "95%_ci",
    "95% ci",
    "ci90",
    "ci99",
    "conf_int",
    "confidence_interval",
];
/// What stands behind the name of an interval, or before it, in the name of one end.
const ENDS: &[&str] = &["low", "high", "lo", "hi", "lower", "upper"];
/// Standard normal quantiles, by the level in the name of an interval; without one it is 95 %.
const QUANTILES: [(&str, f64); 2] = [("90", 1.644_854), ("99", 2.575_829)];
const QUANTILE_95: f64 = 1.959_964;

/// The numbers under names of one interval, and the quantile of its level.
#[derive(Debug, Default)]
pub(super) struct StatedInterval {
    numbers: Vec<f64>,
    quantile: f64,
}

impl StatedInterval {
    pub(super) fn add(&mut self, name: &str, numbers: impl IntoIterator<Item = f64>) {
        let by_name = QUANTILES.iter().find(|(level, _)| name.contains(level));
        self.quantile = by_name.map_or(QUANTILE_95, |(_, quantile)| *quantile);
        self.numbers.extend(numbers);
    }

    /// The standard error that an interval of this width has, if it is one around the value.
    pub(super) fn stderr(&self, value: f64) -> Option<f64> {
        let half = match self.numbers.as_slice() {
            [half] => *half,
            [one, other] if (one.min(*other)..=one.max(*other)).contains(&value) => {
                (one - other).abs() / 2.0
            }
            _ => return None,
        };
        Some(half / self.quantile).filter(|stderr| stderr.is_finite() && *stderr >= 0.0)
    }
}

/// The metric in the name of an interval or of one end of it, empty where the name holds none; `None`
/// for other names.
pub(super) fn interval_of(name: &str) -> Option<&str> {
    const SEPARATORS: [char; 4] = ['_', ' ', '.', '/'];
    let behind = |name: &'_ str, word: &str| -> Option<usize> {
        let rest = name.strip_suffix(word)?;
        (rest.is_empty() || rest.ends_with(SEPARATORS)).then_some(rest.len())
    };
    let without =
        |name: &str, words: &[&str]| words.iter().filter_map(|word| behind(name, word)).min();
    let cut = |at: usize| name.get(..at).map(|rest| rest.trim_end_matches(SEPARATORS));
    let of_end = || cut(without(name, ENDS)?).filter(|rest| without(rest, INTERVALS).is_some());
    let interval = of_end().unwrap_or(name);
    let rest = cut(without(interval, INTERVALS)?)?;
    let before = ["lower", "upper"].into_iter().find_map(|end| behind(rest, end));
    cut(before.unwrap_or(rest.len()))
}

/// The numbers that stand for an interval: one, or a list of two.
pub(super) fn numbers(node: &Node) -> Vec<f64> {
    match &node.value {
        Value::List(ends) => ends.iter().filter_map(Node::number).collect(),
        _ => node.number().into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_an_interval_may_hold_its_metric_and_one_end() {
        for (name, metric) in [
            ("acc_ci", Some("acc")),
            ("ci95", Some("")),
            ("95% ci", Some("")),
            ("f1_ci95", Some("f1")),
            ("acc_ci_low", Some("acc")),
            ("ci_upper", Some("")),
            ("lower_ci", Some("")),
            ("acc_upper_ci", Some("acc")),
            ("acc_ci95_hi", Some("acc")),
            ("acc", None),
            ("sci", None),
            ("acc_low", None),
        ] {
            assert_eq!(interval_of(name), metric, "{name}");
        }
    }

    #[test]
    fn the_width_of_an_interval_is_that_of_a_standard_error() {
        for (name, numbers, stderr) in [
            ("ci95", &[0.5, 0.7][..], Some(0.1 / 1.959_964)),
            ("ci99", &[0.5, 0.7], Some(0.1 / 2.575_829)),
            ("ci95", &[0.7, 0.5], Some(0.1 / 1.959_964)),
            ("ci", &[0.05], Some(0.05 / 1.959_964)),
            ("ci", &[0.7, 0.8], None),
            ("ci", &[0.5, 0.6, 0.7], None),
        ] {
            let mut interval = StatedInterval::default();
            interval.add(name, numbers.iter().copied());
            let rounded = |stderr: Option<f64>| stderr.map(|stderr| (stderr * 1e9).round());
            assert_eq!(rounded(interval.stderr(0.6)), rounded(stderr), "{name} {numbers:?}");
        }
    }
}
