//! Lines of logs that are rows of a grid: `shot 1 accuracy: 57%`, `Epoch 1, Shot 2: 56.1%`.
//!
//! A line counts where it says nothing but coordinates, a shot among them, the name of a metric that is
//! known, or none behind a percentage, and one figure.

use super::super::logs::line::{behind_level, clean, split_log_prefix};
use super::super::path_dims;
use super::figure::{FileFigure, read_cell};
use super::file_figures::UNNAMED;
use crate::model::{Dims, MetricNames};

/// The coordinate without which a line is a point of a training.
const SHOT: &str = "shot";
/// Most words of the name of a metric.
const WORDS: usize = 3;

/// One row.
#[derive(Debug, PartialEq)]
pub(super) struct LogRow {
    pub(super) dims: Dims,
    pub(super) metric: String,
    pub(super) figure: FileFigure,
}

/// The row that a line is.
pub(super) fn row(line: &str, names: &MetricNames) -> Option<LogRow> {
    let has = |word| memchr::memmem::find(line.as_bytes(), word).is_some();
    if !has(b"hot") && !has(b"HOT") {
        return None;
    }
    let line = clean(line);
    let line = split_log_prefix(&line).rest;
    let line = behind_level(line).unwrap_or(line).trim();
    let is_sign = |c: char| matches!(c, ':' | '=' | '：') || c.is_whitespace();
    // Counts may stand behind a percentage.
    let open = line.strip_suffix(')').and_then(|line| line.rfind('('));
    let head = line.get(..open.unwrap_or(line.len()))?.trim_end();
    let figure = line.get(head.rfind(is_sign)?..)?.trim_start_matches(is_sign);
    let before = line.strip_suffix(figure)?;
    let figure = read_cell(figure).filter(|figure| figure.value.value().is_some())?;
    let is_border = |c: char| is_sign(c) || matches!(c, ',' | '|' | '(' | ')' | '[' | ']' | '-');
    let words: Vec<&str> = before.split(is_border).filter(|word| !word.is_empty()).collect();
    (0..=WORDS.min(words.len())).find_map(|count| {
        let (place, metric) = words.split_at(words.len() - count);
        let dims = path_dims::whole_name(&place.join(" "))?;
        let metric = metric.join("_");
        let is_unnamed = metric.is_empty() && figure.unit.is_some();
        let metric = if is_unnamed { UNNAMED.to_owned() } else { metric };
        let is_known = is_unnamed || names.get(&metric).is_some();
        (is_known && dims.get(SHOT).is_some()).then_some(LogRow { dims, metric, figure })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_a_shot_and_one_figure_are_rows() {
        for (line, expected) in [
            ("shot 1 accuracy: 57%", Some("accuracy shot=1 57")),
            ("2026-01-01 10:00:00 INFO Shot 2 Accuracy = 56.1%", Some("Accuracy shot=2 56.1")),
            ("[Epoch 1, Shot 3]: 55.1%", Some("score epoch=1 shot=3 55.1")),
            (
                "epoch 1 | samples=200 | shot=4 | exact match: 0.552",
                Some("exact_match epoch=1 samples=200 shot=4 0.552"),
            ),
            ("shot 1 accuracy: 57.0% (114/200)", Some("accuracy shot=1 57")),
            ("step 10 accuracy: 57%", None),
            ("shot 1: 57", None),
            ("shot 1 took: 57", None),
            ("snapshot 1 accuracy: 57%", None),
            ("loading shot 1 accuracy: 57%", None),
            ("shot 1 accuracy: high", None),
        ] {
            let found =
                row(line, &MetricNames::default()).map(|LogRow { dims, metric, figure }| {
                    format!("{metric} {dims} {}", figure.value.value().unwrap_or_default())
                });
            assert_eq!(found.as_deref(), expected, "{line}");
        }
    }
}
