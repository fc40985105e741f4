//! What the codes mean, in the words of a catalogue, and the document made of the English ones.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde::Serialize;

use crate::diag::{Code, Effect, Relief, Severity, changes};
use crate::text::{Catalogue, LANGUAGES};

/// Every code, in the order of identifiers.
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
/// has it, else those whose identifier is nearest and no more than two letters away.
pub fn suggestions(word: &str) -> Vec<Code> {
    let lower = word.to_lowercase();
    let has_word = |code: &Code| {
        let title = |lang| Catalogue::of(lang).unfilled(&key(*code, "title")).to_lowercase();
        LANGUAGES.iter().any(|lang| title(lang).contains(&lower))
    };
    let is_word = lower.chars().any(char::is_alphabetic) && lower.chars().nth(1).is_some();
    let titled: Vec<Code> = codes().into_iter().filter(|code| is_word && has_word(code)).collect();
    if !titled.is_empty() {
        return titled;
    }
    let distances = codes().into_iter().map(|code| (changes(word, code.id()), code));
    let distances: Vec<(usize, Code)> = distances.filter(|(distance, _)| *distance <= 2).collect();
    let nearest = distances.iter().map(|(distance, _)| *distance).min();
    let near = distances.into_iter().filter(|(distance, _)| Some(*distance) == nearest);
    near.map(|(_, code)| code).collect()
}

/// One code with its words in a language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The code.
    pub code: Code,
    /// Its title.
    pub title: String,
    /// How loud it is.
    pub severity: Severity,
    /// What it does to the comparison: `none`, `confounds`, `blocks`.
    pub effect: &'static str,
    /// The same in words.
    #[serde(skip)]
    pub effect_in_words: String,
    /// What `--accept` does to it: `lifts`, `marks`, and `quiets` where it has no effect to lift;
    /// `no` where it is not found in a comparison.
    pub acceptance: &'static str,
    /// When it is raised: the rule with its limits, and what is not meant by it.
    pub when: String,
    /// What goes wrong when it is overlooked.
    pub why: String,
    /// What to do. Facts of a finding stand as `<name>`.
    pub help: String,
}

impl Entry {
    /// A code in the words of a catalogue.
    pub fn of(code: Code, words: &Catalogue) -> Self {
        let explanation = |part: &str| words.get(&format!("explanation.{}.{part}", code.id()));
        let effect = match code.effect() {
            Effect::None => "none",
            Effect::Confounds => "confounds",
            Effect::Blocks => "blocks",
        };
        let acceptance = match (code.acceptance(), code.effect()) {
            _ if code.id() >= "R3" => "no",
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
            effect_in_words: words.get(&format!("code.effect-{effect}")),
            when: explanation("when"),
            why: explanation("why"),
            help: words.unfilled(&key(code, "help")),
        }
    }

    /// What stands beside a title: severity and effect, each with its label.
    pub fn facts(&self, words: &Catalogue) -> Vec<(String, String)> {
        let severity = match self.severity {
            Severity::Error => "notice.error",
            Severity::Warning => "notice.warning",
            Severity::Info => "notice.info",
        };
        vec![
            (words.get("code.severity"), words.get(severity)),
            (words.get("code.effect"), self.effect_in_words.clone()),
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

/// The text of `docs/diagnostics.md`: contents by the first digit of the identifiers, then code by code.
pub fn document() -> String {
    let words = Catalogue::english();
    let entries: Vec<Entry> = codes().into_iter().map(|code| Entry::of(code, words)).collect();
    let mut text = String::from(PREFACE);
    let hundreds: BTreeSet<char> = entries.iter().filter_map(Entry::hundred).collect();
    for hundred in hundreds {
        let subject = words.get(&format!("code.subject-{hundred}"));
        let _infallible = writeln!(text, "\n## R{hundred}xx: {subject}\n");
        text.push_str("| code | title | severity | effect |\n|---|---|---|---|\n");
        for entry in entries.iter().filter(|entry| entry.hundred() == Some(hundred)) {
            entry.row(&mut text);
        }
    }
    for entry in &entries {
        entry.section(words, &mut text);
    }
    text
}

const PREFACE: &str = "\
# Diagnostic codes

What each finding of a report means. On the command line `reportgen explain R201` says the same of one \
code, and `reportgen explain` lists them.

This document is made from the English text catalogue; \
[extending.md](extending.md#a-diagnostic-code) says how. In the advice, a name such as \\<key> stands \
for a fact of the finding.
";

impl Entry {
    /// The digit after the `R`.
    fn hundred(&self) -> Option<char> {
        self.code.id().chars().nth(1)
    }

    fn row(&self, text: &mut String) {
        let (id, severity) = (self.code.id(), severity_name(self.severity));
        let effect = if self.effect == "none" { "–" } else { self.effect };
        let anchor = id.to_ascii_lowercase();
        let title = &self.title;
        let _infallible =
            writeln!(text, "| [`{id}`](#{anchor}) | {title} | {severity} | {effect} |");
    }

    fn section(&self, words: &Catalogue, text: &mut String) {
        let _infallible = writeln!(text, "\n### {}\n\n**{}**\n", self.code.id(), self.title);
        for (label, fact) in self.facts(words) {
            let _infallible = writeln!(text, "- {label}: {fact}");
        }
        for (label, paragraph) in self.texts(words) {
            let _infallible = writeln!(text, "\n**{label}.** {}", escaped(&paragraph));
        }
    }
}

fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    }
}

/// The text with `<` escaped, which Markdown would take for a tag, except in literal text.
fn escaped(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(position, part)| {
        if position % 2 == 0 { part.replace('<', "\\<") } else { part.to_owned() }
    });
    parts.collect::<Vec<_>>().join("`")
}
