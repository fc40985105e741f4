//! Codes and words: every code is raised and has words, every text of the catalogues is shown.

use std::collections::BTreeSet;

use reportgen::diag::Code;
use reportgen::text::{Catalogue, LANGUAGES};

use super::none;
use crate::sources::{Source, files, literals, read, sources};

/// Whether a file raises the code: names it otherwise than to ask whether a finding has it.
fn raises(source: &Source, name: &str) -> bool {
    source.places_of(name).any(|at| {
        let (before, after) = (source.code[..at].trim_end(), &source.code[at + name.len()..]);
        let line = before.rsplit('\n').next().unwrap_or_default();
        let is_asked = before.ends_with(['=', '|']) && !before.ends_with(" =")
            || after.trim_start().starts_with(['|', '='])
            || line.contains("matches!(");
        !is_asked
    })
}

#[test]
fn every_code_is_raised_somewhere() {
    let sources = sources();
    let raising: Vec<&Source> =
        sources.iter().filter(|source| !source.lies_in(&["diag/", "explain.rs"])).collect();
    let names = Code::ALL.iter().map(|code| (code, format!("Code::{code:?}")));
    let silent = names.filter(|(_, name)| !raising.iter().any(|source| raises(source, name)));
    none(
        &silent.map(|(code, name)| format!("{code}: nothing raises `{name}`")).collect::<Vec<_>>(),
    );
}

#[test]
fn to_ask_for_a_code_does_not_raise_it() {
    let raises_it = |code: &str| {
        let source = Source { below: "check/x.rs".to_owned(), code: code.to_owned() };
        raises(&source, "Code::Gone")
    };
    for code in [
        "if one.code == Code::Gone {",
        "one.code != Code::Gone)",
        "Code::Gone => true,",
        "Code::A | Code::Gone",
        "Code::Gone | Code::A",
        "matches!(one.code, Code::Gone)",
        "Diagnostic::new(Code::GoneToo)",
    ] {
        assert!(!raises_it(code), "{code}");
    }
    for code in ["Diagnostic::new(Code::Gone)", "let code = Code::Gone;", "named(Code::Gone, x)"] {
        assert!(raises_it(code), "{code}");
    }
}

/// Placeholders in keys whose values are no texts of the sources, and what makes them.
const FILLED: &[&str] = &[
    // The tags of methods, which `verdicts/texts.rs` collects.
    "method.interval.{tag}",
    "method.test.{tag}",
];

/// The keys of the catalogues, and the texts behind them.
fn catalogue() -> Vec<(String, String)> {
    fn flatten(prefix: &str, table: &toml::Table, found: &mut Vec<(String, String)>) {
        for (name, value) in table {
            let key = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
            match value {
                toml::Value::Table(below) => flatten(&key, below, found),
                value => found.push((key, value.as_str().unwrap_or_default().to_owned())),
            }
        }
    }
    let mut found = Vec::new();
    flatten("", &LANGUAGES[0].source.parse().expect("TOML"), &mut found);
    assert!(found.len() > 1000, "{} texts", found.len());
    found
}

/// Keys as the sources write them: whole, or with placeholders that are filled in.
struct Keys<'s> {
    whole: BTreeSet<&'s str>,
    /// What stands around the placeholders.
    built: BTreeSet<Vec<&'s str>>,
}

/// What stands around the placeholders of a text that looks like a key, if it has any.
fn around(literal: &str) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    let mut rest = literal;
    while let Some((before, hole)) = rest.split_once('{') {
        parts.push(before);
        rest = hole.split_once('}')?.1;
    }
    parts.push(rest);
    let is_key = |part: &str| part.chars().all(|c| c.is_alphanumeric() || "._-@".contains(c));
    let says_something = parts.iter().any(|part| part.contains(char::is_alphanumeric));
    (parts.len() > 1 && parts.iter().all(|part| is_key(part)) && says_something).then_some(parts)
}

impl<'s> Keys<'s> {
    fn of(texts: impl IntoIterator<Item = &'s str>, catalogue: &'s [(String, String)]) -> Self {
        let whole: BTreeSet<&str> = texts.into_iter().collect();
        let mut built: BTreeSet<Vec<&str>> =
            whole.iter().filter_map(|literal| around(literal)).collect();
        // A text may ask for the words of a fact: `{role.name}` is `role.<fact>.name`.
        for (_, text) in catalogue {
            for hole in text.split('{').skip(1).filter_map(|rest| rest.split(['}', '|']).next()) {
                if let Some((fact, _)) = hole.split_once('.') {
                    built.insert(vec![&hole[..=fact.len()], &hole[fact.len()..]]);
                }
            }
        }
        Self { whole, built }
    }

    /// Whether the sources write a text, at once or by filling in placeholders.
    fn write(&self, text: &str, depth: usize) -> bool {
        self.whole.contains(text)
            || depth > 0 && self.built.iter().any(|parts| self.fill(parts, text, depth - 1))
    }

    /// Whether the text is these parts with texts of the sources between them.
    fn fill(&self, parts: &[&str], text: &str, depth: usize) -> bool {
        let Some(rest) = text.strip_prefix(parts[0]) else { return false };
        let [_, next, ..] = parts else { return rest.is_empty() };
        let ends = rest.match_indices(next).map(|(at, _)| at);
        let ends = ends.filter(|at| parts.len() > 2 || at + next.len() == rest.len());
        let mut ends = ends.chain(next.is_empty().then_some(rest.len()));
        ends.any(|at| self.write(&rest[..at], depth) && self.fill(&parts[1..], &rest[at..], depth))
    }
}

#[test]
fn every_text_of_the_catalogues_is_asked_for() {
    const DEEPEST: usize = 3;
    let catalogue = catalogue();
    let sources = sources();
    let templates: Vec<String> = files("report_templates", "j2").iter().map(read).collect();
    let texts = sources.iter().map(|source| source.code.as_str());
    let texts = texts.chain(templates.iter().map(String::as_str)).flat_map(literals);
    let keys = Keys::of(texts, &catalogue);
    let filled = |key: &str| {
        FILLED.iter().any(|form| key.starts_with(form.split('{').next().unwrap_or_default()))
    };
    let asked = |key: &str| keys.write(key, DEEPEST) || filled(key);
    let unused = catalogue.iter().filter(|(key, _)| !asked(key));
    none(&unused.map(|(key, _)| format!("nothing asks for `{key}`")).collect::<Vec<_>>());
    for form in FILLED {
        let prefix = form.split('{').next().unwrap_or_default();
        let is_written = keys
            .whole
            .iter()
            .any(|text| text.starts_with(prefix) || *text == prefix.trim_end_matches('.'));
        assert!(is_written, "no source builds `{form}`");
        let rest = |key: &String| key.starts_with(prefix) && !keys.write(key, DEEPEST);
        assert!(catalogue.iter().any(|(key, _)| rest(key)), "`{form}` is no exception");
    }
}

#[test]
fn a_key_is_found_whole_or_built_and_a_part_that_nobody_writes_is_not() {
    let catalogue = [(String::new(), "asks {role.why}".to_owned())];
    let texts = ["a.b", "head-{x}", "part.{key}", "mean", "judge", "say {x} loud", "", "sum-{x}"];
    let keys = Keys::of(texts, &catalogue);
    for key in ["a.b", "part.head-mean", "part.mean", "role.judge.why", "head-", "part.sum-"] {
        assert!(keys.write(key, 3), "{key}");
    }
    for key in ["a.c", "part.median", "part.head-median", "role.judge.name", "part.tail-mean"] {
        assert!(!keys.write(key, 3), "{key}");
    }
}

#[test]
fn every_text_that_is_asked_for_by_its_key_is_in_the_catalogues() {
    let mut offences = Vec::new();
    let mut seen = 0;
    for source in sources() {
        for call in ["words.get(\"", "words.fill(\"", "words.find(\""] {
            for (at, _) in source.code.match_indices(call) {
                let rest = &source.code[at + call.len()..];
                let key = rest.split('"').next().unwrap_or_default();
                seen += 1;
                for lang in LANGUAGES {
                    if Catalogue::shipped(lang).find(key).is_none() {
                        offences.push(format!("{}: no `{key}` in {}", source.below, lang.tag));
                    }
                }
            }
        }
    }
    none(&offences);
    assert!(seen > 50, "only {seen} texts are asked for: is the call still `words.get`?");
}
