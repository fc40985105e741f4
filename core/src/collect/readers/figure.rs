//! One figure as it stands in a document or a cell: a number, a percentage, a word for absence, with
//! its size and its spread. Which file it came from, and which metric it is of, is not known here.

use super::super::document::{Node, Table, Value};
use super::intervals::{StatedInterval, interval_of, numbers};
use crate::model::{Absence, Measured};
use crate::quantity::Unit;

/// Names under which producers write the number of samples behind a figure.
pub(super) const SIZE_KEYS: &[&str] = &[
    "n",
    "num_samples",
    "n_samples",
    "count",
    "total",
    "num_problems",
    "num_examples",
    "sample_size",
];

/// Names of the number of problems, however many answers there are to each: beside them a larger size
/// counts answers, and these are no samples of their own.
pub(super) const PROBLEM_KEYS: &[&str] =
    &["num_problems", "n_problems", "num_questions", "n_questions"];

/// Names of a standard error.
pub(super) const STDERR_KEYS: &[&str] = &["stderr", "std_err", "standard_error", "sem", "se"];

/// Names of a standard deviation of the samples, which with their number gives the standard error.
pub(super) const SD_KEYS: &[&str] = &["std", "sd", "stdev", "std_dev", "standard_deviation"];

/// Names of the number of clusters that a figure stands on, or of independent samples that would say as
/// much as those there are.
pub(super) const CLUSTER_KEYS: &[&str] =
    &["n_clusters", "num_clusters", "effective_n", "n_eff", "n_effective", "effective_sample_size"];

/// The mean in a summary of one metric, and what else may stand there.
const MEAN: &str = "mean";
const BESIDE_MEAN: &[&str] = &[
    "median",
    "min",
    "max",
    "var",
    "variance",
    "n_seeds",
    "num_seeds",
    "seeds",
    "n_runs",
    "num_runs",
];

/// One figure as it stands in a document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FileFigure {
    pub(super) value: Measured,
    /// The unit, where it is written beside the number.
    pub(super) unit: Option<Unit>,
    pub(super) n: Option<u64>,
    /// Number of answers to each problem.
    pub(super) answers: Option<u64>,
    pub(super) stderr: Option<f64>,
    /// Standard deviation of the samples as stated.
    pub(super) sd: Option<f64>,
    /// The standard error that a stated interval is as wide as.
    pub(super) of_interval: Option<f64>,
    /// Number of clusters as stated, or of independent samples that would say as much.
    pub(super) clusters: Option<u64>,
    /// Decimals written, where the text of the number is known.
    pub(super) decimals: Option<u8>,
}

impl FileFigure {
    /// Reads a number, `{"value": …, "n": …, "stderr": …}` (or `"std"` instead of `"stderr"`), or a
    /// word for absence; `None` when the node is something else.
    pub(super) fn read(node: &Node) -> Option<Self> {
        match &node.value {
            Value::Number(number, text) => {
                let decimals = decimals_of(text);
                Some(Self { decimals, ..Self::plain(Measured::new(*number)) })
            }
            Value::Null => Some(Self::plain(Measured::Absent(Absence::NotRun))),
            // Whoever takes a spread that no word explains has to say so.
            Value::Text(text) => read_cell(text).filter(|figure| figure.stderr.is_none()),
            Value::Table(table) => Self::read_table(table, "value"),
            Value::Bool(_) | Value::List(_) => None,
        }
    }

    /// The figure under that key of a table, with the sizes and spreads beside it.
    fn read_table(table: &Table, key: &str) -> Option<Self> {
        let inner = Self::read(table.get(key)?)?;
        let size = |keys: &[&str]| keys.iter().find_map(|key| table.get(*key)?.count());
        let problems = size(PROBLEM_KEYS).filter(|&problems| problems > 0);
        let n = size(SIZE_KEYS).map(|n| problems.map_or(n, |problems| n.min(problems)));
        let number = |keys: &[&str]| {
            let number = keys.iter().find_map(|key| table.get(*key)?.number());
            number.filter(|spread| spread.is_finite() && *spread >= 0.0)
        };
        let mut interval = StatedInterval::default();
        for (name, node) in table.iter().filter(|(name, _)| interval_of(name) == Some("")) {
            interval.add(name, numbers(node));
        }
        Some(Self {
            n,
            stderr: number(STDERR_KEYS),
            sd: number(SD_KEYS),
            of_interval: inner.value.value().and_then(|value| interval.stderr(value)),
            clusters: size(CLUSTER_KEYS),
            ..inner
        })
    }

    /// Reads the mean of a summary of one metric, `{"mean": …, "std": …, "n": …}`; `None` where other
    /// numbers stand beside it, which may be figures of their own.
    pub(super) fn read_summary(node: &Node) -> Option<Self> {
        let table = node.table()?;
        let is_part = |key: &str| {
            let known = [SIZE_KEYS, PROBLEM_KEYS, CLUSTER_KEYS, STDERR_KEYS, SD_KEYS, BESIDE_MEAN];
            known.iter().any(|keys| keys.contains(&key)) || interval_of(key) == Some("")
        };
        let numbers = table.iter().filter(|(_, node)| node.number().is_some());
        let is_summary = numbers.clone().all(|(key, _)| key == MEAN || is_part(key));
        is_summary.then(|| Self::read_table(table, MEAN)).flatten()
    }

    /// A figure of which nothing but the value is known.
    pub(super) fn plain(value: Measured) -> Self {
        Self {
            value,
            unit: None,
            n: None,
            answers: None,
            stderr: None,
            sd: None,
            of_interval: None,
            clusters: None,
            decimals: None,
        }
    }
}

/// What stands between a figure and its spread.
pub(super) const SIGNS: &[&str] = &["±", "+/-", "+-", "\\pm"];
/// Reads the text of a table cell: a number, a percentage, either with its standard error, or a word
/// for one kind of absence.
pub(super) fn read_cell(text: &str) -> Option<FileFigure> {
    let text = text.trim().trim_matches('*');
    let absent = |why| Some(FileFigure::plain(Measured::Absent(why)));
    match text.to_ascii_lowercase().as_str() {
        "" | "?" | "？" | "todo" | "tbd" | "待填充" => absent(Absence::NotRun),
        "n/a" | "na" | "-" | "—" | "不适用" => absent(Absence::NotApplicable),
        "failed" | "error" | "nan" | "失败" => absent(Absence::Failed),
        _ => {
            if let Some((value, spread)) = divided(text) {
                let (figure, spread) = (read_cell(value)?, read_cell(spread)?);
                // `nan ± nan`: what a mean over no run is.
                if figure.value == Measured::Absent(Absence::Failed) && figure == spread {
                    return Some(figure);
                }
                let error = spread.value.value().filter(|error| *error >= 0.0)?;
                let unit = figure.unit.or(spread.unit);
                return figure.value.value().map(|_| FileFigure {
                    unit,
                    stderr: Some(error),
                    ..figure
                });
            }
            if let Some(counted) = counted(text) {
                return Some(counted);
            }
            let number = text.strip_suffix(['%', '％']);
            let cost = text.strip_prefix('$').filter(|_| number.is_none());
            let digits = number.or(cost).unwrap_or(text).trim_end();
            let value = digits.parse().ok().map(Measured::new)?;
            let unit = number.map(|_| Unit::Percent).or(cost.map(|_| Unit::Dollars));
            Some(FileFigure { unit, decimals: decimals_of(digits), ..FileFigure::plain(value) })
        }
    }
}

/// A percentage with what it was counted from, `97.7% (43/44)`. Where the counts are another share,
/// such as that of the samples which were scored, it is none.
fn counted(text: &str) -> Option<FileFigure> {
    let (share, counts) = text.strip_suffix([')', '）'])?.split_once(['(', '（'])?;
    let figure = read_cell(share).filter(|figure| figure.unit == Some(Unit::Percent))?;
    let (part, whole) = counts.split_once('/')?;
    let (part, whole): (u64, u64) = (part.trim().parse().ok()?, whole.trim().parse().ok()?);
    let exact = 100.0 * part as f64 / whole as f64;
    let half = 0.5 * 0.1_f64.powi(i32::from(figure.decimals?));
    let is_it = (exact - figure.value.value()?).abs() <= half * (1.0 + 1e-6);
    (whole > 0 && is_it).then_some(FileFigure { n: Some(whole), ..figure })
}

/// A share as its counts, `530/1000`, where the head of a cell says that a share stands there.
pub(super) fn share_of_counts(text: &str) -> Option<FileFigure> {
    let (part, whole) = text.trim().split_once('/')?;
    let (part, whole): (u64, u64) = (part.trim().parse().ok()?, whole.trim().parse().ok()?);
    let value = Measured::new(100.0 * part as f64 / whole as f64);
    let unit = Some(Unit::Percent);
    (whole > 0 && part <= whole).then(|| FileFigure {
        unit,
        n: Some(whole),
        ..FileFigure::plain(value)
    })
}

/// Decimals of a number as written: 57.0 has 1, 5.7e-1 has 2. `None` for what is no decimal number.
pub(super) fn decimals_of(text: &str) -> Option<u8> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse().ok()?),
        None => (text, 0_i32),
    };
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = mantissa.strip_prefix(['-', '+']).unwrap_or(mantissa);
    let (whole, decimals) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    if text.is_empty() || !is_number(whole) || !is_number(decimals) {
        return None;
    }
    let written = i32::try_from(decimals.len()).ok()?.checked_sub(exponent)?;
    Some(u8::try_from(written.max(0)).unwrap_or(u8::MAX))
}

/// A figure and the spread behind it, each as written; a number in brackets is one where it has
/// decimals and no sign.
pub(super) fn divided(text: &str) -> Option<(&str, &str)> {
    if let Some((value, spread)) = SIGNS.iter().find_map(|sign| text.split_once(sign)) {
        let is_mark = |c: char| c.is_whitespace() || matches!(c, '$' | '{' | '}' | '_' | '(' | ')');
        return Some((value.trim_matches(is_mark), spread.trim_matches(is_mark)));
    }
    let (value, spread) = text.strip_suffix(')')?.split_once('(')?;
    let digits = spread.trim().trim_end_matches('%');
    let is_spread = digits.contains('.') && digits.bytes().all(|c| c == b'.' || c.is_ascii_digit());
    is_spread.then(|| (value.trim_end(), spread.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_hold_numbers_percentages_or_words_for_absence() {
        let percent = Some(Unit::Percent);
        for (text, value, unit) in [
            ("0.57", Measured::Value(0.57), None),
            ("0.9%", Measured::Value(0.9), percent),
            ("**57.3 %**", Measured::Value(57.3), percent),
            ("n/a", Measured::Absent(Absence::NotApplicable), None),
            ("?", Measured::Absent(Absence::NotRun), None),
            ("失败", Measured::Absent(Absence::Failed), None),
            ("nan ± nan", Measured::Absent(Absence::Failed), None),
        ] {
            let found = read_cell(text).expect(text);
            assert_eq!((found.value, found.unit), (value, unit), "{text}");
        }
        let found = read_cell("57.3% ± 1.4").expect("a figure");
        assert_eq!(
            (found.value, found.unit, found.stderr),
            (Measured::Value(57.3), percent, Some(1.4))
        );
        assert_eq!(read_cell("57.3 ± x"), None);
        for (text, n) in [("97.7% (43/44)", Some(44)), ("**100%** (64/64)", Some(64))] {
            assert_eq!(read_cell(text).expect("a figure").n, n, "{text}");
        }
        for text in ["41.24% (97/100)", "43 (43/44)", "0% (0/0)", "$12%"] {
            assert_eq!(read_cell(text), None, "{text}");
        }
        assert_eq!(read_cell("$0.006236").expect("a cost").unit, Some(Unit::Dollars));
    }

    #[test]
    fn decimals_are_those_written() {
        for (text, decimals) in [
            ("57", Some(0)),
            ("57.0", Some(1)),
            ("0.570", Some(3)),
            ("-5.7e-1", Some(2)),
            ("1e3", Some(0)),
            ("0x10", None),
            ("", None),
            ("NaN", None),
        ] {
            assert_eq!(decimals_of(text), decimals, "{text}");
        }
    }

    #[test]
    fn a_spread_behind_a_figure_is_one_with_decimals_and_no_sign() {
        for (text, expected) in [
            ("51.2 ± 1.4", Some(("51.2", "1.4"))),
            ("51.2% ±1.4%", Some(("51.2%", "1.4%"))),
            ("0.512 +/- 0.014", Some(("0.512", "0.014"))),
            ("$51.2_{\\pm 1.4}$", Some(("51.2", "1.4"))),
            ("0.512 (0.014)", Some(("0.512", "0.014"))),
            ("57.3 (43)", None),
            ("57.3 (+1.4)", None),
            ("41.24% (97/100)", None),
            ("0.512", None),
        ] {
            assert_eq!(divided(text), expected, "{text}");
        }
    }
}
