//! Whose the figures in lines of a log are: headings above them, `Model: base`, `Dataset: gsm8k`, and what
//! stands in a line itself, `[SFT] step 100`, `split=val`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::super::ReadOptions;
use super::super::logs::line::{behind_level, clean, split_log_prefix};
use super::curve_columns::CurveColumns;
use super::points::IsWanted;

/// Words of headings and in front of values, with the column that they are.
const WORDS: &[(&str, &str)] = &[
    ("model", "model"),
    ("模型", "model"),
    ("method", "method"),
    ("run", "run"),
    ("dataset", "dataset"),
    ("benchmark", "dataset"),
    ("数据集", "dataset"),
    ("split", "split"),
    ("seed", "seed"),
];
/// Words in brackets, with the column that they are a value of.
const TAGS: &[(&str, &str)] = &[
    ("train", "split"),
    ("training", "split"),
    ("val", "split"),
    ("valid", "split"),
    ("validation", "split"),
    ("test", "split"),
    ("dev", "split"),
    ("base", "model"),
    ("baseline", "model"),
    ("tuned", "model"),
    ("sft", "model"),
    ("grpo", "model"),
    ("ppo", "model"),
    ("dpo", "model"),
];
/// Parts of those words, for a first look at a line.
static PARTS: LazyLock<[Finder<'static>; 9]> = LazyLock::new(|| {
    ["odel", "ethod", "un", "ataset", "enchmark", "plit", "eed", "模型", "数据集"].map(Finder::new)
});
/// Longest line that is a heading.
const LONGEST: usize = 80;

/// A column and its value.
pub(super) type LogLabel = (&'static str, String);

/// What the lines below are of, where a line says nothing else: `Model: base`, `=== model: tuned ===`, `Seed 0`.
pub(super) fn heading(line: &str) -> Option<LogLabel> {
    if line.len() > LONGEST || !PARTS.iter().any(|part| part.find(line.as_bytes()).is_some()) {
        return None;
    }
    let line = clean(line);
    let line = split_log_prefix(&line).rest;
    let line = behind_level(line).unwrap_or(line);
    let line = line.trim_matches(|c: char| c.is_whitespace() || "=-#*".contains(c));
    let signed = line.split_once([':', '=', '：']);
    let numbered = || line.split_once(' ').filter(|(name, _)| name.eq_ignore_ascii_case("seed"));
    let (name, value) = signed.or_else(numbered)?;
    let value = value.trim();
    let column = column_of(name.trim())?;
    let is_value = !value.is_empty() && !value.contains(|c: char| c.is_whitespace() || c == '=');
    is_value.then(|| (column, value.to_owned()))
}

/// What the figures in the line itself are of.
pub(super) fn labels(line: &str) -> Vec<LogLabel> {
    let mut found: Vec<LogLabel> = Vec::new();
    if !line.contains(['[', '=']) {
        return found;
    }
    let mut add = |label: LogLabel| {
        if found.iter().all(|(column, _)| *column != label.0) {
            found.push(label);
        }
    };
    for word in line.split([' ', '\t', ',', '|', ';']) {
        if let Some((name, value)) = word.split_once('=') {
            let value = value.trim_matches(['"', '\'']);
            let is_text = value.starts_with(char::is_alphabetic);
            if let Some(column) = column_of(name).filter(|_| is_text) {
                add((column, value.to_owned()));
            }
        } else if let Some(tag) = word.strip_prefix('[').and_then(|tag| tag.strip_suffix(']')) {
            let known = TAGS.iter().find(|(known, _)| tag.eq_ignore_ascii_case(known));
            if let Some((_, column)) = known {
                add((column, tag.to_owned()));
            }
        }
    }
    found
}

/// Whose the figures of each line are.
#[derive(Default)]
pub(super) struct LogLabels {
    above: BTreeMap<&'static str, String>,
    of_lines: Vec<(u64, LogLabel)>,
}

impl LogLabels {
    /// A heading, of which the lines below are.
    pub(super) fn begin(&mut self, (column, value): LogLabel) {
        self.above.insert(column, value);
    }

    /// A line of figures with what it says itself, which stands before the headings.
    pub(super) fn note(&mut self, line: u64, own: Vec<LogLabel>) {
        let is_own = |column: &str| own.iter().any(|(known, _)| *known == column);
        let above = self.above.iter().filter(|(column, _)| !is_own(column));
        let above: Vec<LogLabel> = above.map(|(column, value)| (*column, value.clone())).collect();
        self.of_lines.extend(own.into_iter().chain(above).map(|label| (line, label)));
    }

    /// The same as columns beside the figures, those that are wanted.
    pub(super) fn columns(&self, is_wanted: IsWanted, options: &ReadOptions) -> CurveColumns {
        let mut columns = CurveColumns::asking(options);
        for (line, (column, value)) in self.of_lines.iter().filter(|(_, one)| is_wanted(one.0)) {
            columns.add(column, *line, value);
        }
        columns
    }
}

fn column_of(name: &str) -> Option<&'static str> {
    let known = WORDS.iter().find(|(known, _)| name.eq_ignore_ascii_case(known));
    known.map(|(_, column)| *column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_says_nothing_else_is_a_heading() {
        for (line, expected) in [
            ("Model: base", Some(("model", "base"))),
            ("2026-01-01 10:00:00 INFO === model: tuned ===", Some(("model", "tuned"))),
            ("Dataset: gsm8k", Some(("dataset", "gsm8k"))),
            ("## 模型：基线", Some(("model", "基线"))),
            ("Seed 0", Some(("seed", "0"))),
            ("seed=3", Some(("seed", "3"))),
            ("Model: base of ten layers", None),
            ("Loading model: base", None),
            ("model", None),
            ("run=sft step=100 acc=0.5", None),
        ] {
            let found = heading(line);
            let found = found.as_ref().map(|(column, value)| (*column, value.as_str()));
            assert_eq!(found, expected, "{line}");
        }
    }

    #[test]
    fn a_line_of_figures_may_say_whose_they_are() {
        for (line, expected) in [
            ("[SFT] step 100 acc=0.5", "model=SFT"),
            ("run=sft step=100 acc=0.5", "run=sft"),
            ("Epoch 1 [val] loss=0.3 acc=70%", "split=val"),
            ("step=100, split=train, model='a', split=val", "split=train model=a"),
            ("[INFO] [rank0] step 1 loss=0.5 run=3", ""),
        ] {
            let found = labels(line);
            let found = found.iter().map(|(column, value)| format!("{column}={value}"));
            assert_eq!(found.collect::<Vec<_>>().join(" "), expected, "{line}");
        }
    }
}
