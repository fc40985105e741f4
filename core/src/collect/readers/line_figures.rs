//! What one line of a log says in figures: `step 10 | loss 0.3 | lr 1e-5`.

use std::sync::LazyLock;

use memchr::memchr;
use regex::bytes::Regex;

use super::super::logs::line::{clean, split_log_prefix};
use super::super::rare_lines::first_in_lines;
use super::points::is_metric;
use super::sample_ids;
use crate::model::{MetricNames, axis_of_curve};

/// Most words of a name.
const WORDS: usize = 3;
/// The position that a line names, on which axis.
pub(super) type Position = (&'static str, f64);

#[derive(Debug, Clone, PartialEq)]
pub(super) struct LogFigure {
    pub(super) name: String,
    /// As it is written.
    pub(super) value: f64,
    /// Whether a percent sign stands behind it.
    pub(super) is_percentage: bool,
}

/// What one line says.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct LogLine {
    pub(super) at: Option<Position>,
    pub(super) figures: Vec<LogFigure>,
    /// Whether there are other words.
    pub(super) has_words: bool,
}

impl LogLine {
    /// Whether the line describes a single sample, so that its figures are not points of a curve.
    pub(super) fn describes_sample(&self) -> bool {
        self.figures.iter().any(|figure| sample_ids::is_name(&figure.name))
    }

    /// Leaves the figures that are points.
    pub(super) fn retain_metrics(&mut self, names: &MetricNames) {
        self.figures.retain(|one| is_metric(&one.name, names) && !is_about_process(&one.name));
    }
}

/// Numbers that loggers and launchers put beside every line.
fn is_about_process(name: &str) -> bool {
    ["pid", "rank", "local_rank", "eta", "line", "port", "exitcode"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}

/// What a line of a log says in figures.
pub(super) fn figures(line: &str) -> LogLine {
    let cleaned = clean(line);
    let line = split_log_prefix(&cleaned).rest;
    // Progress bars stand before what a trainer prints of its dictionary.
    let start = ["{'", "{\""].iter().filter_map(|open| line.find(open)).min();
    let line = start.and_then(|start| line.get(start..)).unwrap_or(line);
    if !line.bytes().any(|byte| byte.is_ascii_digit()) {
        return LogLine { has_words: true, ..LogLine::default() };
    }
    let mut found = Words::default();
    for segment in line.split(['|', ',', ';', '{', '}', '\t', '，', '；']) {
        for word in segment.split_whitespace() {
            found.word(word);
        }
        found.end_of_segment();
    }
    found.finish()
}

/// Words since the last figure, and what was found before.
#[derive(Default)]
struct Words<'l> {
    name: Vec<&'l str>,
    /// Whether `:` or `=` stands behind the name.
    is_signed: bool,
    axes: Vec<(String, f64)>,
    figures: Vec<LogFigure>,
    /// Figures behind their name without a sign, which count where the line is nothing else.
    unsigned: Vec<LogFigure>,
    /// Whether words before and after the step belong to no figure.
    others: [bool; 2],
}

impl<'l> Words<'l> {
    fn word(&mut self, word: &'l str) {
        if ["-", "–", "—", "·", "•"].contains(&word) {
            return self.end_of_segment();
        }
        let word = word.trim_matches(['\'', '"', '[', ']', '*', '`']);
        let sign = |c: char| matches!(c, ':' | '=' | '：');
        if word == "%" && self.name.is_empty() {
            return self.mark_percentage();
        }
        if let Some(value) = number(word) {
            return self.value(value, word.contains('%'));
        }
        let Some((before, after)) = word.rsplit_once(sign) else {
            if self.is_signed {
                self.end_of_segment();
            }
            return self.name.push(word);
        };
        let before = before.trim_end_matches(['\'', '"']);
        if let (Some(value), true) = (number(before), after.is_empty()) {
            return self.value(value, before.contains('%'));
        }
        let before = before.rsplit(sign).next().unwrap_or(before);
        self.name.extend(Some(before).filter(|before| !before.is_empty()));
        self.is_signed = !self.name.is_empty();
        let after = after.trim_matches(['\'', '"', '[']);
        match number(after) {
            Some(value) => self.value(value, after.contains('%')),
            None if after.is_empty() => {}
            None => self.end_of_segment(),
        }
    }

    /// A percent sign apart from the figure before it.
    fn mark_percentage(&mut self) {
        if let Some(figure) = self.figures.last_mut() {
            figure.is_percentage = true;
        }
    }

    fn value(&mut self, value: f64, is_percentage: bool) {
        let words = std::mem::take(&mut self.name);
        let is_signed = std::mem::take(&mut self.is_signed);
        let Some(last) = words.last() else { return self.other() };
        let axis = last.to_ascii_lowercase();
        if axis_of_curve(|name| name == axis).is_some() {
            if words.len() > 1 {
                self.other();
            }
            self.unsigned.clear();
            return self.axes.push((axis, value));
        }
        let name = match words.as_slice() {
            [one] => (*one).to_owned(),
            several => several.join("_").to_lowercase(),
        };
        if words.len() > WORDS || !words.iter().all(|word| is_name(word)) {
            self.other();
        } else if is_signed {
            self.figures.push(LogFigure { name, value, is_percentage });
        } else if words.len() == 1 {
            self.unsigned.push(LogFigure { name, value, is_percentage });
        } else {
            self.other();
        }
    }

    fn end_of_segment(&mut self) {
        self.is_signed = false;
        if !std::mem::take(&mut self.name).is_empty() {
            self.other();
        }
    }

    fn other(&mut self) {
        let place = usize::from(!self.axes.is_empty());
        if let Some(is_there) = self.others.get_mut(place) {
            *is_there = true;
        }
    }

    fn finish(mut self) -> LogLine {
        let of = |name: &str| self.axes.iter().find(|(axis, _)| axis == name);
        let written = axis_of_curve(|name| of(name).is_some());
        let at = written.and_then(|(name, axis)| Some((axis, of(name)?.1)));
        let [before, behind] = self.others;
        if at.is_some() && !behind {
            self.figures.append(&mut self.unsigned);
        }
        let has_words = before || behind || !self.unsigned.is_empty();
        LogLine { at: at.filter(|(_, at)| at.is_finite()), figures: self.figures, has_words }
    }
}

/// A number as logs write it: `0.3`, `97.7%`, `$0.01`, `10/500` for the tenth, `np.float64(0.3)`.
fn number(word: &str) -> Option<f64> {
    let is_call = |call: &str| {
        ["", "tensor"].contains(&call) || ["np.", "numpy."].iter().any(|of| call.starts_with(of))
    };
    let call = word.split_once('(').filter(|(call, _)| is_call(call));
    let word = call.map_or(word, |(_, inside)| inside);
    let word = word.trim_end_matches([')', '%', '.']).trim_start_matches('$');
    let whole = |text: &&str| text.parse::<u64>().is_ok();
    match word.split_once('/') {
        Some((at, of)) => Some(at).filter(whole).and(Some(of).filter(whole)).and(at.parse().ok()),
        None => word.parse().ok(),
    }
}

/// NaN and infinity as loggers write them; [`number`] takes every case.
static NON_FINITE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?-u)(?:nan|NaN|NAN|Nan|inf|Inf|INF)(?:inity|INITY)?\b").ok());

/// Byte offsets of possible NaN or infinity, ascending; at most two in each line.
pub(super) fn non_finite_words(block: &[u8]) -> Vec<usize> {
    let Some(words) = &*NON_FINITE else { return Vec::new() };
    let word = |mut from| loop {
        let hit = words.find_at(block, from)?;
        if begins_word(block.get(..hit.start())?) {
            return Some(hit.start());
        }
        from = hit.end();
    };
    let mut found = first_in_lines(block, word);
    // NUL bytes are left out of a line and may stand within a word.
    found.extend(first_in_lines(block, |from| Some(from + memchr(0, block.get(from..)?)?)));
    found.sort_unstable();
    found
}

/// Bytes before a word in which an escape sequence begins that ends there.
const ESCAPES: usize = 32;

/// Whether a word may begin behind these bytes. An escape sequence before it, such as a colour, may end in a letter.
fn begins_word(before: &[u8]) -> bool {
    let is_in_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let near = before.get(before.len().saturating_sub(ESCAPES)..).unwrap_or_default();
    let near = near.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    !before.last().is_some_and(is_in_word) || near.contains(&b'\x1b')
}

fn is_name(word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "_-/.@()#%^".contains(c);
    word.starts_with(|c: char| c.is_alphabetic() || c == '_') && word.chars().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> String {
        let LogLine { at, figures, .. } = figures(line);
        let at = at.map_or("-".to_owned(), |(axis, at)| format!("{axis} {at}"));
        let figures = figures.iter().map(|one| format!(" {}={}", one.name, one.value));
        at + &figures.collect::<String>()
    }

    #[test]
    fn nan_and_infinity_are_found_as_words() {
        for (line, expected) in [
            ("step 3 loss=nan kl=nan", &[12][..]),
            ("{'loss': NaN}\n-inf, Infinity", &[9, 15]),
            ("tensor(inf)\n+Infinity%", &[7, 13]),
            ("INFO inference of nano banana nan_count infinite", &[]),
            ("loss: \x1b[31mnan\x1b[0m \x1b[1;36mNaN\nprogram nan4 mnan", &[11]),
            ("loss: \x1b(Bnan\nloss: \x1b[Kinf", &[9, 22]),
            ("loss=n\0a\0n\nnan\0\nquiet", &[6, 11, 14]),
            ("", &[]),
        ] {
            assert_eq!(non_finite_words(line.as_bytes()), expected, "{line}");
        }
    }

    #[test]
    fn lines_say_their_step_and_their_figures() {
        for (line, expected) in [
            ("step 10 | loss 0.3 | lr 1e-5", "step 10 loss=0.3 lr=0.00001"),
            ("{'loss': '3.692', 'epoch': 0.1}", "epoch 0.1 loss=3.692"),
            (" 8%|#| 5/60 [00:00<00:00, 1it/s]  {'loss': 3, 'epoch': 0.6}", "epoch 0.6 loss=3"),
            ("{\"step\": 3, \"kl\": NaN}", "step 3 kl=NaN"),
            (
                "2025-12-21 10:00:00,123 - INFO - Epoch 1/3: ppo_loss: 0.00034 kl: 0.094",
                "epoch 1 ppo_loss=0.00034 kl=0.094",
            ),
            (
                "Epoch 2 Train Loss: 0.01 Val Loss: 5.1 KL: 0.08",
                "epoch 2 train_loss=0.01 val_loss=5.1 KL=0.08",
            ),
            (
                "(TaskRunner pid=7) step:1 - actor/kl_loss:0.001 - a/b@8:np.float64(0.5)",
                "step 1 actor/kl_loss=0.001 a/b@8=0.5",
            ),
            ("[step 10] format_ok = 97.7%, cost=$0.006", "step 10 format_ok=97.7 cost=0.006"),
            ("第 1 轮 epoch=1 损失：0.5", "epoch 1 损失=0.5"),
            ("step 3 took 5 s", "step 3"),
            ("Loaded 500 problems of step 3", "step 3"),
            ("loss: 0.3", "- loss=0.3"),
            ("16:30:00 ready", "-"),
        ] {
            assert_eq!(told(line), expected, "{line}");
        }
    }
}
