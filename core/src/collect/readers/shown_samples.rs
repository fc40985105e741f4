//! What models were asked and what they wrote, where a log shows it: code and commands in it are no settings of
//! the run.

use super::super::logs::line::{behind_level, split_log_prefix};

/// Last words in front of the colon behind which a prompt or an answer stands.
const LABELS: &[&str] = &[
    "prompt",
    "question",
    "answer",
    "response",
    "completion",
    "assistant",
    "human",
    "q",
    "a",
    "text",
    "问题",
    "题目",
    "回答",
    "答案",
    "提示词",
];
/// First words of such a label, and of help.
const BEGINNINGS: &[&str] = &["sample", "example", "generated", "usage"];
/// A longer label is a sentence.
const LONGEST: usize = 40;
/// Lines below a label that belong to it at most.
const BELOW: u32 = 20;
const FENCE: &str = "```";

/// Whether a line begins what a model was asked or wrote: `[Sample 3] Answer: …`, a fence of code.
pub(super) fn begins(line: &str) -> bool {
    let line = line.trim_start();
    if line.starts_with(FENCE) {
        return true;
    }
    let Some((label, _)) = line.split_once([':', '：']) else { return false };
    let mut words = label.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let known = |word: Option<&str>, list: &[&str]| {
        word.is_some_and(|word| list.iter().any(|one| word.eq_ignore_ascii_case(one)))
    };
    label.len() <= LONGEST
        && (known(words.clone().next_back(), LABELS) || known(words.next(), BEGINNINGS))
}

/// A line without what a logger puts before it.
pub(super) fn message(line: &str) -> &str {
    let rest = split_log_prefix(line).rest;
    behind_level(rest).unwrap_or(rest)
}

/// Which lines of a log are part of what it shows of samples.
#[derive(Default)]
pub(super) struct ShownSamples {
    in_fence: bool,
    /// Lines that may still belong to a label without text behind it.
    left: u32,
}

impl ShownSamples {
    /// Whether the next line is part of a sample.
    pub(super) fn holds(&mut self, line: &str) -> bool {
        let rest = message(line);
        if rest.trim_start().starts_with(FENCE) {
            self.in_fence = !self.in_fence;
            return true;
        }
        if begins(rest) {
            self.left = if rest.trim_end().ends_with([':', '：']) { BELOW } else { 0 };
            return true;
        }
        let is_logged = rest.len() < line.len();
        self.left =
            if is_logged || line.trim().is_empty() { 0 } else { self.left.saturating_sub(1) };
        self.in_fence || self.left > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_samples_are_told_from_those_of_the_program() {
        let log = "INFO lr: 0.1\n[Sample 3] Question: Write a command.\nAnswer: python t.py --lr 1\n\
                   python t.py --lr 2\n### Response:\n$ export LR=1\nlr = 2\n\nlr = 3\n```sh\nlr=4\n```\nlr=5\n\
                   2026-01-01 10:00:00 INFO Generated text: a\nModel: base\nmy prompt is here and long: no\n";
        let mut shown = ShownSamples::default();
        let own: Vec<&str> = log.lines().filter(|line| !shown.holds(line)).collect();
        let expected = [
            "INFO lr: 0.1",
            "python t.py --lr 2",
            "",
            "lr = 3",
            "lr=5",
            "Model: base",
            "my prompt is here and long: no",
        ];
        assert_eq!(own, expected);
    }
}
