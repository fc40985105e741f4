//! One column of a data file as its values are counted.

use super::super::readers::samples::value::RecordValue;
use crate::model::{ColumnProfile, ColumnSummary, is_secret};

/// Most different values of a column that are counted one by one.
const MOST_VALUES: usize = 20;
/// Longer texts are no labels.
const LONGEST_LABEL: usize = 64;
/// A label stands on at least so many records on average.
const RECORDS_A_LABEL: u64 = 5;
/// Last words of columns whose numbers are labels.
const LABELS: &[&str] = &[
    "label",
    "class",
    "category",
    "level",
    "difficulty",
    "grade",
    "stars",
    "rating",
    "group",
    "domain",
    "source",
    "split",
    "type",
    "fold",
];

#[derive(Default)]
pub(super) struct ColumnCounter {
    flags: u64,
    yes: u64,
    numbers: u64,
    not_finite: u64,
    /// Mean and sum of squared deviations, after Welford (1962).
    mean: f64,
    squares: f64,
    range: Option<(f64, f64)>,
    texts: u64,
    chars: u64,
    max_chars: u64,
    nested: u64,
    values: Vec<(String, u64)>,
    has_many_values: bool,
}

impl ColumnCounter {
    pub(super) fn add(&mut self, value: RecordValue<'_>) {
        match value {
            RecordValue::Null => {}
            RecordValue::Bool(flag) => {
                self.flags += 1;
                self.yes += u64::from(flag);
            }
            RecordValue::Number { value, text } => self.add_number(value, text),
            RecordValue::Text(text) | RecordValue::Quoted(text) => {
                let chars = text.chars().count() as u64;
                self.texts += 1;
                self.chars += chars;
                self.max_chars = self.max_chars.max(chars);
                self.add_value(text);
            }
            RecordValue::Composite(_) => self.nested += 1,
        }
    }

    fn add_number(&mut self, number: f64, text: &str) {
        if !number.is_finite() {
            self.not_finite += 1;
            return;
        }
        self.numbers += 1;
        let off = number - self.mean;
        self.mean += off / self.numbers as f64;
        self.squares += off * (number - self.mean);
        let (min, max) = self.range.unwrap_or((number, number));
        self.range = Some((min.min(number), max.max(number)));
        if number.fract() == 0.0 {
            self.add_value(text);
        } else {
            self.has_many_values = true;
        }
    }

    fn add_value(&mut self, value: &str) {
        if self.has_many_values {
            return;
        }
        if let Some((_, count)) = self.values.iter_mut().find(|(known, _)| known == value) {
            *count += 1;
        } else if self.values.len() == MOST_VALUES || value.len() > LONGEST_LABEL {
            self.has_many_values = true;
            self.values = Vec::new();
        } else {
            self.values.push((value.to_owned(), 1));
        }
    }

    /// A column is what all of its written values are.
    pub(super) fn finish(mut self, name: String) -> ColumnProfile {
        let Self { flags, numbers, not_finite, texts, nested, .. } = self;
        let n = flags + numbers + not_finite + texts + nested;
        let summary = match self.range {
            Some((min, max)) if numbers == n => {
                let sd = (n > 1).then(|| (self.squares / (n - 1) as f64).sqrt());
                ColumnSummary::Number { mean: self.mean, sd, min, max }
            }
            _ if n == 0 => ColumnSummary::Mixed,
            _ if flags == n => ColumnSummary::Flag { yes: self.yes },
            _ if texts == n => ColumnSummary::Text {
                mean_chars: self.chars as f64 / n as f64,
                max_chars: self.max_chars,
            },
            _ if nested == n => ColumnSummary::Nested,
            _ => ColumnSummary::Mixed,
        };
        let is_label = match summary {
            ColumnSummary::Text { .. } => true,
            ColumnSummary::Number { .. } => LABELS.contains(&last_word(&name).as_str()),
            _ => false,
        };
        let few = n >= RECORDS_A_LABEL * self.values.len() as u64;
        let mut values = Vec::new();
        if is_label && few && !self.has_many_values {
            values = std::mem::take(&mut self.values);
            values.retain(|(value, _)| !is_secret(&name, value));
            values.sort_by(|(a, x), (b, y)| y.cmp(x).then_with(|| a.cmp(b)));
        }
        ColumnProfile { name, n, summary, values }
    }
}

fn last_word(name: &str) -> String {
    let last = name.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or(name);
    last.to_ascii_lowercase()
}
