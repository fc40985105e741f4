//! Heads of columns: the names in them, and what else they say.

use super::coordinates::{dim_of_column, is_size_column};
use super::figure::divided;
use crate::model::{MetricNames, axis_of_word};

/// Coordinates of which the number may stand first, as in `5-shot`.
const NUMBER_FIRST: &str = "shot";
/// First words of heads that say something of a model itself.
const OF_MODELS: &[&str] = &[
    "params",
    "param",
    "parameters",
    "size",
    "layers",
    "flops",
    "gflops",
    "tflops",
    "macs",
    "memory",
    "vram",
    "latency",
    "speed",
    "price",
    "cost",
    "votes",
    "context",
    "rank",
    "year",
    "license",
    "org",
    "organization",
    "organisation",
    "provider",
    "vendor",
    "developer",
    "author",
    "authors",
    "team",
    "company",
    "family",
    "architecture",
    "paper",
    "link",
    "release",
    "released",
    "参数量",
];
/// Words of heads of differences between other columns, and words that may stand beside them.
const DIFFERENCES: &[&str] = &[
    "δ",
    "delta",
    "diff",
    "difference",
    "improvement",
    "gain",
    "change",
    "uplift",
    "差异",
    "差值",
    "提升",
    "变化",
];
const BESIDE_DIFFERENCES: &[&str] =
    &["abs", "absolute", "rel", "relative", "pp", "points", "percent", "vs", "base", "baseline"];
/// Marks of the direction that stand in heads.
const ARROWS: &[char] = &['↑', '↓', '⬆', '⬇', '\u{fe0f}'];

/// Whether a head says something of a model itself, and nothing of its results.
pub(super) fn is_of_model(head: &str) -> bool {
    let first = words(head).into_iter().next().map_or("", |(_, word)| word).to_lowercase();
    head == "#" || OF_MODELS.contains(&first.as_str())
}

/// Whether a head says that a column holds the differences of others.
pub(super) fn is_difference(head: &str) -> bool {
    let words: Vec<String> = words(head).into_iter().map(|(_, word)| word.to_lowercase()).collect();
    let is_in = |known: &[&str], word: &String| known.contains(&word.as_str());
    words.iter().any(|word| is_in(DIFFERENCES, word))
        && words.iter().all(|word| is_in(DIFFERENCES, word) || is_in(BESIDE_DIFFERENCES, word))
}

/// Name and number of the coordinate in a head, and what is left of it: `Shot 4`, `step_100`,
/// `accuracy (epoch 2)`, `5-shot`.
pub(super) fn coordinate(head: &str) -> Option<(&'static str, String, String)> {
    let words = words(head);
    let number = |place: usize| {
        let (_, word) = words.get(place)?;
        word.bytes().all(|byte| byte.is_ascii_digit()).then_some(*word)
    };
    let name = |place: usize| dim_of_word(words.get(place)?.1);
    let found = (0..words.len()).find_map(|place| {
        if let (Some(name), Some(at)) = (name(place), number(place + 1)) {
            return Some((place, name, at));
        }
        let at = number(place)?;
        name(place + 1).filter(|name| *name == NUMBER_FIRST).map(|name| (place, name, at))
    });
    let (place, name, at) = found?;
    let start = words.get(place)?.0;
    let (last, word) = words.get(place + 1)?;
    let is_border = |c: char| !c.is_alphanumeric();
    let before = head.get(..start)?.trim_end_matches(is_border);
    let behind = head.get(last + word.len()..)?;
    let behind = behind.trim_start_matches(is_border).trim_end_matches([')', ']', ' ']);
    let both = !before.is_empty() && !behind.is_empty();
    (!both).then(|| (name, at.to_owned(), format!("{before}{behind}")))
}

/// The setting that a text gives a value, and the value: `KL_BETA=0.15`. Coordinates are none.
pub(super) fn setting(text: &str) -> Option<(String, String)> {
    let (name, value) = text.split_once('=')?;
    let (name, value) = (name.trim().to_ascii_lowercase(), value.trim().to_owned());
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(is_word);
    let is_place = || dim_of_column(&name).is_some() || is_size_column(&name);
    (is_name && !value.is_empty() && !value.contains('=') && !is_place()).then_some((name, value))
}

fn dim_of_word(word: &str) -> Option<&'static str> {
    let lower = word.to_ascii_lowercase();
    let is_number = |dim: &&str| !matches!(*dim, "split" | "temperature" | "filter");
    axis_of_word(&lower).or_else(|| dim_of_column(&lower).filter(is_number))
}

/// Runs of letters or of digits, with where each begins.
fn words(text: &str) -> Vec<(usize, &str)> {
    let class = |c: char| match c {
        c if c.is_ascii_digit() || c == '.' => 1,
        c if c.is_alphabetic() => 2,
        _ => 0,
    };
    let mut words: Vec<(usize, &str)> = Vec::new();
    let mut latest = 0;
    for (at, c) in text.char_indices() {
        let now = class(c);
        let end = at + c.len_utf8();
        match words.last_mut() {
            Some((start, word)) if now == latest && now != 0 => {
                *word = text.get(*start..end).unwrap_or_default();
            }
            _ if now != 0 => words.push((at, text.get(at..end).unwrap_or_default())),
            _ => {}
        }
        latest = now;
    }
    words
}

/// A head as a name, and what stands around it.
pub(super) struct PlainHead {
    pub(super) name: String,
    pub(super) is_percent: bool,
    /// Whether what stands behind ± is a deviation by the words of the head.
    is_deviation: bool,
}

impl PlainHead {
    pub(super) fn of(head: &str) -> Self {
        let name = head.trim().trim_matches(['*', '`']).trim_end_matches(ARROWS).trim();
        let (inner, remark) = match name.strip_suffix([')', '）', ']']) {
            Some(open) => open.rsplit_once(['(', '（', '[']).unwrap_or((name, "")),
            None => name.rsplit_once(' ').filter(|(_, sign)| *sign == "%").unwrap_or((name, "")),
        };
        let words = remark.to_lowercase();
        let is_percent = matches!(words.trim(), "%" | "％" | "percent" | "in %" | "in percent");
        let has_spread = ["±", "+/-", "std", "stderr", "sd", "se", "标准差", "标准误"]
            .iter()
            .any(|word| words.split([' ', ',', '，']).any(|part| part == *word));
        let is_arrow = !remark.is_empty() && remark.trim_matches(ARROWS).is_empty();
        let is_deviation = has_spread
            && ["std", "sd", "标准差"].iter().any(|sd| words.contains(sd))
            && !words.contains("stderr");
        let is_name = !(is_percent || has_spread || is_arrow) || inner.trim().is_empty();
        let name = if is_name { name } else { inner.trim() };
        let dashed = name.eq_ignore_ascii_case("n-shot");
        let names = MetricNames::default();
        let joined = || Some(name.to_lowercase().replace(' ', "_")).filter(|_| name.contains(' '));
        let known =
            || joined().filter(|joined| names.get(name).is_none() && names.get(joined).is_some());
        let name = if dashed { "shot".to_owned() } else { known().unwrap_or(name.to_owned()) };
        Self { name, is_percent, is_deviation }
    }
}

/// The cells of a row with what their heads say of them.
pub(super) fn plain_cells(heads: &[PlainHead], row: &[String]) -> Vec<String> {
    let plain = |(column, cell): (usize, &String)| {
        let Some(head) = heads.get(column) else { return cell.clone() };
        let mut cell = cell.trim();
        if head.is_deviation
            && let Some((value, _)) = divided(cell)
        {
            cell = value;
        }
        let is_number = cell.ends_with(|c: char| c.is_ascii_digit());
        if head.is_percent && is_number { [cell, "%"].concat() } else { cell.to_owned() }
    };
    row.iter().enumerate().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_hold_a_coordinate_and_the_rest_names_a_metric() {
        for (head, expected) in [
            ("Shot 4", Some(("shot", "4", ""))),
            ("5-shot", Some(("shot", "5", ""))),
            ("step_100", Some(("step", "100", ""))),
            ("checkpoint-40", Some(("step", "40", ""))),
            ("epoch 2 accuracy", Some(("epoch", "2", "accuracy"))),
            ("accuracy (epoch 2)", Some(("epoch", "2", "accuracy"))),
            ("acc_step100", Some(("step", "100", "acc"))),
            ("recall@5", None),
            ("step", None),
            ("epoch", None),
            ("top 5", None),
            ("step 0.5", None),
        ] {
            let expected =
                expected.map(|(name, at, metric)| (name, at.to_owned(), metric.to_owned()));
            assert_eq!(coordinate(head), expected, "{head}");
        }
    }

    #[test]
    fn a_head_is_a_name_without_what_stands_around_it() {
        for (head, name) in [
            ("**Accuracy (%)**", "Accuracy"),
            ("Accuracy [%]", "Accuracy"),
            ("Accuracy %", "Accuracy"),
            ("Accuracy (in %)", "Accuracy"),
            ("acc ↑", "acc"),
            ("F1 (mean ± std)", "F1"),
            ("pass@1 (greedy)", "pass@1 (greedy)"),
            ("n-shot", "shot"),
            ("Win Rate ↑", "win_rate"),
            ("Total time", "Total time"),
        ] {
            assert_eq!(PlainHead::of(head).name, name, "{head}");
        }
    }
}
