//! What the codes mean, in the words of a catalogue.

use serde::Serialize;

use crate::diag::{Code, Effect, Relief, Severity, edit_distance};
use crate::text::{Catalogue, LANGUAGES};

pub fn codes() -> Vec<Code> {
    let mut codes = Code::ALL.to_vec();
    codes.sort_by_key(|code| code.id());
    codes
}

/// The code with that identifier, without regard to ASCII case.
pub fn find(id: &str) -> Option<Code> {
    Code::ALL.iter().copied().find(|code| code.id().eq_ignore_ascii_case(id))
}

/// The codes that somebody who wrote `word` may have meant: those whose title in any language
/// has it, else those whose identifier is one letter away.
pub fn suggestions(word: &str) -> Vec<Code> {
    let lower = word.to_lowercase();
    let has_word = |code: &Code| {
        let title = |lang| Catalogue::shipped(lang).unfilled(&key(*code, "title")).to_lowercase();
        LANGUAGES.iter().any(|lang| title(lang).contains(&lower))
    };
    let is_word = lower.chars().any(char::is_alphabetic) && lower.chars().nth(1).is_some();
    let titled: Vec<Code> = codes().into_iter().filter(|code| is_word && has_word(code)).collect();
    if !titled.is_empty() {
        return titled;
    }
    codes().into_iter().filter(|code| edit_distance(word, code.id()) <= 1).collect()
}

/// One code with its words in a language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explanation {
    pub code: Code,
    pub title: String,
    pub severity: Severity,
    /// What it does to the comparison: `none`, `confounds`, `blocks`.
    pub effect: &'static str,
    /// What `--accept` does to it: `lifts`, `marks`, and `quiets` where it has no effect to lift;
    /// `no` where it is not found in a comparison.
    pub acceptance: &'static str,
    /// When it is raised: the rule with its limits, and what is not meant by it.
    pub when: String,
    /// What goes wrong when it is overlooked.
    pub why: String,
    /// What to do, with `<name>` in place of a fact of the finding.
    pub help: String,
}

impl Explanation {
    pub fn new(code: Code, words: &Catalogue) -> Self {
        let explanation = |part: &str| words.get(&format!("explanation.{}.{part}", code.id()));
        let effect = match code.effect() {
            Effect::None => "none",
            Effect::Confounds => "confounds",
            Effect::Blocks => "blocks",
        };
        let acceptance = match (code.acceptance(), code.effect()) {
            _ if ("R3".."R485").contains(&code.id()) || code == Code::MarkerUnpaired => "no",
            (Relief::Marks, _) => "marks",
            (Relief::Lifts, Effect::None) => "quiets",
            (Relief::Lifts, _) => "lifts",
        };
        Self {
            code,
            acceptance,
            title: words.unfilled(&key(code, "title")),
            severity: code.severity(),
            effect,
            when: explanation("when"),
            why: explanation("why"),
            // Where all that can be done depends on the finding, the explanation has words of its own.
            help: words
                .find(&format!("explanation.{}.help", code.id()))
                .map_or_else(|| words.unfilled(&key(code, "help")), str::to_owned),
        }
    }

    /// Severity, effect and acceptance, each with its label.
    pub fn facts(&self, words: &Catalogue) -> Vec<(String, String)> {
        let severity = match self.severity {
            Severity::Error => "notice.error",
            Severity::Warning => "notice.warning",
            Severity::Info => "notice.info",
        };
        vec![
            (words.get("code.severity"), words.get(severity)),
            (words.get("code.effect"), words.get(&format!("code.effect-{}", self.effect))),
            (words.get("code.accept"), words.get(&format!("code.accept-{}", self.acceptance))),
        ]
    }

    /// The texts below a title, each with its label.
    pub fn texts(&self, words: &Catalogue) -> Vec<(String, String)> {
        vec![
            (words.get("code.when"), self.when.clone()),
            (words.get("code.why"), self.why.clone()),
            (words.get("code.help"), self.help.clone()),
        ]
    }
}

fn key(code: Code, part: &str) -> String {
    format!("diagnostic.{}.{part}", code.id())
}
