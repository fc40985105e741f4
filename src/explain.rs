//! What the codes mean: every explanation under its code, with title and advice in a language, and
//! the document made of them.
//!
//! Owns the list of the modules that explain codes. The explanations stand in the files that raise
//! the codes, titles and advice in the text catalogues.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde::Serialize;

use crate::diag::{Code, Effect, Explanation, Relief, Severity, edit_distance};
use crate::kinds::{best, metrics, phase, progress, quality};
use crate::text::{Catalogue, Lang};
use crate::{check, collect, compare, derive, handoff, settings};

/// What is explained outside the checks; a check carries its own.
static OUTSIDE_CHECKS: &[&[&[Explanation]]] = &[
    collect::EXPLAINED,
    collect::readers::EXPLAINED,
    compare::EXPLAINED,
    progress::analysis::EXPLAINED,
    &[
        best::analysis::EXPLAINED,
        check::ACCEPTANCES_EXPLAINED,
        derive::EXPLAINED,
        metrics::analysis::EXPLAINED,
        phase::analysis::EXPLAINED,
        quality::analysis::EXPLAINED,
        settings::EXPLAINED,
    ],
];

/// Every explanation, in the order of identifiers.
pub fn all() -> Vec<&'static Explanation> {
    let outside = OUTSIDE_CHECKS.iter().flat_map(|lists| lists.iter());
    let checks = check::CHECKS.iter().map(|check| &check.explained);
    let handoff = handoff::CHECKS.iter().map(|check| &check.explained);
    let mut found: Vec<_> =
        outside.chain(checks).chain(handoff).flat_map(|list| list.iter()).collect();
    found.sort_by_key(|explanation| explanation.code.id());
    found
}

/// The explanation of a code by its identifier, without regard to ASCII case.
pub fn find(id: &str) -> Option<&'static Explanation> {
    all().into_iter().find(|explanation| explanation.code.id().eq_ignore_ascii_case(id))
}

/// The codes that somebody who wrote `word` may have meant: those whose title in either language
/// has it, else those whose identifier is nearest and no more than two letters away.
pub fn suggestions(word: &str) -> Vec<Code> {
    let lower = word.to_lowercase();
    let has_word = |code: &Code| {
        let title = |lang| Catalogue::of(lang).unfilled(&key(*code, "title")).to_lowercase();
        [Lang::En, Lang::Zh].into_iter().any(|lang| title(lang).contains(&lower))
    };
    let codes = || all().into_iter().map(|explanation| explanation.code);
    let is_word = lower.chars().any(char::is_alphabetic) && lower.chars().nth(1).is_some();
    let titled: Vec<Code> = codes().filter(|code| is_word && has_word(code)).collect();
    if !titled.is_empty() {
        return titled;
    }
    let distances = codes().map(|code| (edit_distance(word, code.id()), code));
    let distances: Vec<(usize, Code)> = distances.filter(|(distance, _)| *distance <= 2).collect();
    let nearest = distances.iter().map(|(distance, _)| *distance).min();
    let near = distances.into_iter().filter(|(distance, _)| Some(*distance) == nearest);
    near.map(|(_, code)| code).collect()
}

/// One code, told. Title, advice and effect are in the language asked for, the explanation is
/// English.
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
    /// The rule.
    pub when: &'static str,
    /// What goes wrong when it is overlooked.
    pub why: &'static str,
    /// What to do. Facts of a finding stand as `<name>`.
    pub help: String,
}

impl Entry {
    /// Tells an explanation.
    pub fn of(explanation: &Explanation, words: &Catalogue) -> Self {
        let Explanation { code, when, why } = *explanation;
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
            when,
            why,
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
            (words.get("code.when"), self.when.to_owned()),
            (words.get("code.why"), self.why.to_owned()),
            (words.get("code.help"), self.help.clone()),
        ]
    }
}

fn key(code: Code, part: &str) -> String {
    format!("diagnostic.{}.{part}", code.id())
}

/// The text of `docs/diagnostics.md`: contents by the first digit of the identifiers, then code by code.
pub fn document() -> String {
    let words = Catalogue::of(Lang::En);
    let entries: Vec<Entry> = all().into_iter().map(|one| Entry::of(one, words)).collect();
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

This document is made from the explanations that stand in the source beside the rules; \
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
