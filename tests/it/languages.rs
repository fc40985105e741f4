//! What a further language takes: a catalogue and what is said of the language, and nothing else.
//!
//! The language of these tests is made up: English in capitals, so that every English text of a
//! report that does not come from its catalogue is seen.

use std::ffi::OsString;
use std::fs;
use std::sync::OnceLock;

use reportgen::cli::{self, Surroundings};
use reportgen::text::{Catalogue, Lang, Language};
use toml::Value;

use crate::golden::words;

/// Golden cases in Chinese, of every command that speaks the language of reports.
const CASES: &[&str] = &[
    "best_zh",
    "check_zh",
    "decomposition_zh",
    "explain_zh",
    "handoff_verl_shards_zh",
    "inspect_kl_beta_zh",
    "kl_beta_zh",
    "metrics_zh",
    "phase_zh",
    "progress_zh",
    "quality_workflows_zh",
    "seeds_zh",
    "training_trends_zh",
];

/// So many words in a row that happen to be in the English catalogue too are no text of it.
const FEW_WORDS: usize = 3;

/// English in capitals.
fn made_up() -> Lang {
    let english: toml::Table = Lang::default().source.parse().expect("TOML");
    let source = toml::to_string(&in_capitals(Value::Table(english))).expect("TOML");
    Box::leak(Box::new(Language {
        tag: "xx",
        bcp47: "en-XX",
        locales: &["xx"],
        name: "ENGLISH",
        source: source.leak(),
        spaces_han: false,
        catalogue: OnceLock::new(),
    }))
}

fn in_capitals(value: Value) -> Value {
    match value {
        Value::Table(table) => table
            .into_iter()
            .map(|(key, value)| (key, in_capitals(value)))
            .collect::<toml::Table>()
            .into(),
        Value::String(text) => Value::String(capitals(&text)),
        other => other,
    }
}

/// The text in capitals but for the names of its placeholders.
fn capitals(text: &str) -> String {
    let part = |part: &str| match part.split_once('}') {
        None => part.to_uppercase(),
        Some((hole, rest)) => {
            let (name, forms) = hole.split_at(hole.find('|').unwrap_or(hole.len()));
            format!("{name}{}}}{}", forms.to_uppercase(), rest.to_uppercase())
        }
    };
    text.split('{').map(part).collect::<Vec<_>>().join("{")
}

/// What stands between the placeholders of the English texts, where it is more than a few words.
fn english_texts() -> Vec<&'static str> {
    let texts = Catalogue::english().iter().flat_map(|(_, text)| text.split(['{', '}']).step_by(2));
    let long = texts.map(str::trim).filter(|text| text.split_whitespace().count() > FEW_WORDS);
    long.filter(|text| *text != text.to_uppercase()).collect()
}

/// What the commands of a case say where the locale asks for a language, documents that they write
/// included.
fn said(case: &str, lang: Lang) -> String {
    let commands = fs::read_to_string(format!("fixtures/cases/{case}/cmd")).expect("a case");
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("report.md").to_str().expect("UTF-8").to_owned();
    let mut said = Vec::new();
    for command in commands.replace(" --lang zh", "").lines() {
        let command = words(command).into_iter().map(|word| match word.as_str() {
            "out" => path.clone(),
            _ => word,
        });
        let line = ["reportgen".to_owned()].into_iter().chain(command).map(OsString::from);
        let mut errors = Vec::new();
        let status = cli::run(
            line,
            Surroundings { lang, ..Surroundings::default() },
            &mut said,
            &mut errors,
        );
        assert!(status.code() != 2, "{case}: {}", String::from_utf8_lossy(&errors));
        said.extend(errors);
        said.extend(fs::read(&path).unwrap_or_default());
    }
    String::from_utf8(said).expect("UTF-8")
}

#[test]
fn a_report_in_a_further_language_holds_no_english_text() {
    let lang = made_up();
    let texts = english_texts();
    assert!(texts.len() > 1_000, "{} texts are looked for", texts.len());
    let in_english: String = CASES.iter().map(|case| said(case, Lang::default())).collect();
    let seen = texts.iter().filter(|text| in_english.contains(**text)).count();
    assert!(seen > 150, "only {seen} texts are seen even in English");
    let mut found = Vec::new();
    for case in CASES {
        let said = said(case, lang);
        let capitals = said.split_whitespace().filter(|word| word.len() > 3);
        let capitals = capitals.filter(|word| word.bytes().all(|byte| byte.is_ascii_uppercase()));
        assert!(capitals.count() > 20, "{case} does not speak the language: {said}");
        let english = texts.iter().filter(|text| said.contains(**text));
        found.extend(english.map(|text| format!("{case}: {text}")));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The table at the end of the glossary: what is written and what is not, in English and Chinese.
fn words_of_the_glossary() -> Vec<[String; 4]> {
    let glossary = fs::read_to_string("docs/glossary.md").expect("the glossary");
    let rows = glossary.lines().skip_while(|line| !line.starts_with("| English |")).skip(2);
    let cells = |row: &str| {
        let cells: Vec<String> =
            row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
        cells.try_into().expect("four columns")
    };
    rows.take_while(|row| row.starts_with('|')).map(cells).collect()
}

#[test]
fn catalogues_keep_to_the_words_of_the_glossary() {
    let words = words_of_the_glossary();
    assert!(words.len() > 10, "the table is read");
    for (language, [column, avoided]) in [("en", [0, 1]), ("zh", [2, 3])] {
        let path = format!("report_templates/text/{language}.toml");
        let catalogue = fs::read_to_string(&path).expect(&path).to_lowercase();
        for row in &words {
            let (kept, avoided) = (&row[column], &row[avoided]);
            assert!(catalogue.contains(kept), "{path} never says {kept}");
            assert!(!catalogue.contains(avoided), "{path} says {avoided} instead of {kept}");
        }
    }
}
