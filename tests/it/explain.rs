//! What every code means: that each is explained in every language, and that the document is the one
//! that the catalogue makes.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use reportgen::diag::Code;
use reportgen::explain::{self, Explanation};
use reportgen::text::{Catalogue, LANGUAGES};

use crate::command::reportgen;
use crate::difference::difference;

const DOCUMENT: &str = "docs/diagnostics.md";
const UPDATE: &str = "UPDATE_GOLDENS";

const PREFACE: &str = "\
# Diagnostic codes

What each finding of a report means. On the command line `reportgen explain R201` says the same of one \
code, and `reportgen explain` lists them.

This document is made from the English text catalogue; \
[extending.md](extending.md#a-diagnostic-code) says how. In the advice, a name such as \\<key> stands \
for a fact of the finding.
";

/// The texts of a code: the table of the catalogue that holds them, and the key below its identifier.
const TEXTS: [(&str, &str); 5] = [
    ("diagnostic", "title"),
    ("diagnostic", "message"),
    ("diagnostic", "help"),
    ("explanation", "when"),
    ("explanation", "why"),
];

/// Every rule and reason: its key in the catalogue, and the text, in every language.
fn explanations() -> Vec<(String, &'static str)> {
    let texts = LANGUAGES.iter().flat_map(|lang| Catalogue::shipped(lang).iter());
    let is_rule = |key: &str| key.rsplit_once('.').is_some_and(|(_, part)| part != "help");
    let is_meant = |key: &str| key.starts_with("explanation.") && is_rule(key);
    let found: Vec<_> = texts.filter(|(key, _)| is_meant(key)).collect();
    assert_eq!(found.len(), LANGUAGES.len() * Code::ALL.len() * 2);
    found.into_iter().map(|(key, text)| (key.to_owned(), text)).collect()
}

#[test]
fn every_code_has_all_of_its_texts_in_every_language() {
    for lang in LANGUAGES {
        for code in Code::ALL {
            for (table, part) in TEXTS {
                let key = format!("{table}.{code}.{part}");
                assert!(Catalogue::shipped(lang).find(&key).is_some(), "{lang:?} lacks {key}");
            }
        }
    }
}

/// Advice that is all a fact of the finding says nothing without one.
#[test]
fn no_advice_is_a_part_of_the_catalogue_that_a_finding_chooses() {
    for lang in LANGUAGES {
        for code in Code::ALL {
            let help = Explanation::new(*code, Catalogue::shipped(lang)).help;
            let names = help.split('<').skip(1).filter_map(|rest| rest.split('>').next());
            let chosen: Vec<&str> = names.filter(|name| name.contains('.')).collect();
            assert_eq!(chosen, Vec::<&str>::new(), "{code}: {help}");
        }
    }
}

#[test]
fn rule_and_reason_are_whole_sentences() {
    const FEWEST_BYTES: usize = 45;
    for (key, text) in explanations() {
        let is_whole = text.ends_with(['.', '。']) && text.len() >= FEWEST_BYTES;
        assert!(is_whole, "{key}: {text}");
        assert!(!text.contains("  "), "{key} has a gap: {text}");
    }
}

#[test]
fn every_code_that_a_text_names_exists() {
    let mut named = 0;
    for (key, text) in explanations() {
        for word in text.split(|c: char| !c.is_ascii_alphanumeric()) {
            let digits = word.strip_prefix('R').filter(|rest| rest.len() == 3);
            if digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit())) {
                named += 1;
                assert!(explain::find(word).is_some(), "{key} names {word}");
            }
        }
    }
    assert!(named > 100, "only {named} codes are named");
}

/// What the codes with each first digit, from 1 on, are about.
const SUBJECTS: [&str; 5] = [
    "reading runs",
    "comparability",
    "checkpoints",
    "logs, progress, expectations, outcomes and best steps",
    "comparability again",
];

/// The text of the document: contents by the first digit of the identifiers, then code by code.
fn document() -> String {
    let words = Catalogue::english();
    let entries: Vec<Explanation> =
        explain::codes().into_iter().map(|code| Explanation::new(code, words)).collect();
    let digit = |entry: &Explanation| entry.code.id().chars().nth(1).expect("a digit after the R");
    let mut text = PREFACE.to_owned();
    for part in entries.chunk_by(|one, next| digit(one) == digit(next)) {
        let digit = digit(&part[0]);
        let subject = SUBJECTS[digit.to_digit(10).expect("a digit") as usize - 1];
        writeln!(text, "\n## R{digit}xx: {subject}\n").expect("written");
        text += "| code | title | severity | effect |\n|---|---|---|---|\n";
        text.extend(part.iter().map(row));
    }
    text.extend(entries.iter().map(|entry| section(entry, words)));
    text
}

fn row(entry: &Explanation) -> String {
    let Explanation { code, title, severity, effect, .. } = entry;
    let anchor = code.id().to_ascii_lowercase();
    let severity = format!("{severity:?}").to_lowercase();
    let effect = if *effect == "none" { "–" } else { effect };
    format!("| [`{code}`](#{anchor}) | {title} | {severity} | {effect} |\n")
}

fn section(entry: &Explanation, words: &Catalogue) -> String {
    let mut text = format!("\n### {}\n\n**{}**\n\n", entry.code, entry.title);
    for (label, fact) in entry.facts(words) {
        writeln!(text, "- {label}: {fact}").expect("written");
    }
    for (label, paragraph) in entry.texts(words) {
        writeln!(text, "\n**{label}.** {}", escaped(&paragraph)).expect("written");
    }
    text
}

/// The text with `<` escaped, which Markdown would take for a tag, except in literal text.
fn escaped(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(position, part)| {
        if position % 2 == 0 { part.replace('<', "\\<") } else { part.to_owned() }
    });
    parts.collect::<Vec<_>>().join("`")
}

#[test]
fn the_document_is_the_one_that_the_explanations_make() {
    let made = document();
    if std::env::var_os(UPDATE).is_some() {
        fs::write(DOCUMENT, &made).expect("the document is written");
    }
    let written = fs::read_to_string(Path::new(DOCUMENT)).unwrap_or_default();
    let difference = difference(&made, &written).unwrap_or_default();
    assert!(difference.is_empty(), "{DOCUMENT}:\n{difference}`{UPDATE}=1` writes it");
}

#[test]
fn a_code_is_found_in_either_case_and_a_slip_is_told_what_was_meant() {
    assert_eq!(reportgen(["explain", "r203"]).out, reportgen(["explain", "R203"]).out);
    for (word, meant) in [
        ("R2O3", &["R203"][..]),
        ("margin", &["R225", "R240", "R241", "R242", "R243"]),
        ("MARGIN", &["R225"]),
        ("203", &["R203"]),
        ("qwertz", &["`reportgen explain` lists"]),
    ] {
        let ended = reportgen(["explain", word]);
        assert_eq!((ended.status, ended.out.as_str()), (2, ""), "{ended:?}");
        for meant in meant {
            assert!(ended.err.contains(meant), "{word}: {}", ended.err);
        }
    }
}

#[test]
fn a_code_is_explained_in_the_language_that_is_asked_for_and_no_line_is_too_wide() {
    for lang in LANGUAGES {
        let told = reportgen(["explain", "R212", "--lang", lang.tag]).out;
        let words = Catalogue::shipped(lang);
        for (key, is_there) in LANGUAGES.iter().map(|other| (other, other == lang)) {
            let start = |text: &str| text.chars().take(20).collect::<String>();
            let when = start(&Catalogue::shipped(key).get("explanation.R212.when"));
            assert_eq!(told.contains(&when), is_there, "{when}: {told}");
        }
        assert!(told.contains(&words.get("code.when")), "{told}");
        for line in told.lines() {
            assert!(unicode_width::UnicodeWidthStr::width(line) <= 100, "{line}");
        }
    }
}

#[test]
fn the_list_has_a_line_for_every_code() {
    let listed = reportgen(["explain"]).out;
    assert_eq!(listed.lines().count(), Code::ALL.len());
    let ids: Vec<&str> = listed.lines().filter_map(|line| line.split("  ").next()).collect();
    assert!(ids.is_sorted(), "{listed}");
}
