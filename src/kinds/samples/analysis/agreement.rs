//! What three runs or more agree about: where they part, what all of them fail, and where they give
//! one answer that is not the target.

use super::{ShownAnswer, ShownSample, Transition, read_texts};
use crate::collect::{NamedText, ReadOptions, SampleTexts};
use crate::diag::Diagnostic;
use crate::model::SampleStatus;

/// Most samples that all runs fail whose answers are read.
const MOST_READ: usize = 2_000;

#[derive(Debug)]
pub struct Agreement<'a> {
    /// Samples that some runs get right and others wrong, most evenly divided ones first: the group,
    /// the id, and for each run whether it is right.
    pub divided: Vec<Divided<'a>>,
    /// Samples that every run fails.
    pub failed_by_all: Vec<(usize, &'a str)>,
    /// Those of them to which all runs give the same answer.
    pub suspects: Vec<Suspect<'a>>,
}

#[derive(Debug)]
pub struct Divided<'a> {
    pub group: usize,
    pub id: &'a str,
    pub is_right: Vec<Option<bool>>,
}

/// A sample whose target may be wrong.
#[derive(Debug)]
pub struct Suspect<'a> {
    pub group: usize,
    pub id: &'a str,
    pub answer: NamedText,
    pub target: NamedText,
}

pub(super) fn agreement<'a>(
    samples: &[ShownSample<'a>],
    options: &ReadOptions,
    findings: &mut Vec<Diagnostic>,
) -> Agreement<'a> {
    let mut divided: Vec<Divided<'a>> = Vec::new();
    let mut failed: Vec<ShownSample<'a>> = Vec::new();
    for sample in samples {
        let is_right: Vec<Option<bool>> =
            sample.answers.iter().map(|answer| answer.as_ref()?.is_right).collect();
        let known = || is_right.iter().flatten();
        if known().any(|right| *right) && known().any(|right| !right) {
            divided.push(Divided { group: sample.group, id: sample.id, is_right });
        } else if sample.transition == Transition::BothWrong && is_right.iter().all(Option::is_some)
        {
            failed.push(sample.without_texts());
        }
    }
    divided.sort_by_key(|one| {
        let count = |wanted| one.is_right.iter().filter(|right| **right == Some(wanted)).count();
        std::cmp::Reverse(count(true).min(count(false)))
    });
    let failed_by_all = failed.iter().map(|sample| (sample.group, sample.id)).collect();
    failed.truncate(MOST_READ);
    read_texts(&mut failed, options, findings, SampleTexts::of);
    let suspects = failed.iter().filter_map(suspect).collect();
    Agreement { divided, failed_by_all, suspects }
}

/// A sample to which all runs give one answer that is not the target. Long answers are seldom equal
/// by chance and never by reading, so that what was extracted counts first. What was cut off or failed is
/// no answer.
fn suspect<'a>(sample: &ShownSample<'a>) -> Option<Suspect<'a>> {
    let said = |texts: &SampleTexts| {
        let said = texts.extracted.as_ref().or(texts.answer.as_ref());
        said.filter(|said| !said.text.trim().is_empty()).cloned()
    };
    let has_failed = |answer: &ShownAnswer<'_>| {
        answer.table.truncated().get(answer.row) == Some(&true)
            || answer.table.statuses().get(answer.row) == Some(&SampleStatus::Errored)
            || answer.texts.iter().flat_map(|texts| &texts.endings).any(|ending| !is_usual(ending))
    };
    if sample.answers.iter().flatten().any(has_failed) {
        return None;
    }
    let texts: Option<Vec<&SampleTexts>> =
        sample.answers.iter().map(|answer| answer.as_ref()?.texts.as_deref()).collect();
    let texts = texts?;
    let answer = said(texts.first()?)?;
    let target = texts.iter().find_map(|texts| texts.target.clone())?;
    let is_same = |text: &NamedText| plain(&text.text) == plain(&answer.text);
    let is_one = texts.iter().all(|texts| said(texts).as_ref().is_some_and(is_same));
    let (group, id) = (sample.group, sample.id);
    (is_one && !is_same(&target)).then(|| Suspect { group, id, answer: answer.clone(), target })
}

/// An answer without what does not change it: case, blanks, a full stop, what sets it off in LaTeX.
fn plain(text: &str) -> String {
    let text = text.trim().trim_end_matches('.').trim_matches('$').trim();
    let boxed = text.strip_prefix("\\boxed{").and_then(|inside| inside.strip_suffix('}'));
    let words = boxed.unwrap_or(text).split_whitespace().collect::<Vec<_>>().join(" ");
    words.to_lowercase()
}

/// Whether an answer ended as it should, by what its record says, or how is told already.
pub fn is_usual(ending: &NamedText) -> bool {
    let usual =
        ["success", "none", "ok", "stop", "eos", "end_turn", "completed", "false", "length"];
    usual.iter().any(|word| ending.text.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn answers_are_equal_but_for_what_does_not_change_them() {
        for (one, other) in
            [("5", "\\boxed{5}"), (" Paris. ", "paris"), ("a  b", "a b"), ("$5$", "5")]
        {
            assert_eq!(plain(one), plain(other), "{one}");
        }
        assert_ne!(plain("5"), plain("50"));
    }
}
