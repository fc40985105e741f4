//! What may stand in the code of a file.

use std::collections::{BTreeMap, BTreeSet};

use super::{none, only_known};
use crate::sources::{files, literals, read, sources, word};

/// Names of the standard library that bring the outside in, and where they may stand.
const OUTSIDE: &[(&str, &[&str])] = &[
    ("std::env", &["main.rs"]),
    ("std::fs", &["collect/", "cli/", "output/", "kinds/quality/mod.rs"]),
    ("std::net", &[]),
    ("std::process", &["main.rs", "exit.rs"]),
    ("std::time", &[]),
    ("HashMap", &[]),
    ("HashSet", &[]),
    ("println!", &[]),
    ("eprintln!", &[]),
    ("print!", &[]),
    ("eprint!", &[]),
];

#[test]
fn the_stages_touch_no_clock_no_environment_no_files_and_no_hash_order() {
    let mut offences = Vec::new();
    let sources = sources();
    for (name, places) in OUTSIDE {
        let named = sources.iter().filter(|source| source.places_of(name).next().is_some());
        let elsewhere = named.clone().filter(|source| !source.lies_in(places));
        offences.extend(
            elsewhere.map(|one| format!("src/{}: `{name}` belongs in {places:?}", one.below)),
        );
        for place in *places {
            let is_used = named.clone().any(|source| source.lies_in(&[place]));
            offences.extend((!is_used).then(|| format!("{place} does not name `{name}`")));
        }
    }
    none(&offences);
}

/// Code without its `use` items, which name things that nothing need call.
fn without_imports(code: &str) -> String {
    let mut inside = false;
    let lines = code.lines().filter(|line| {
        let item = line.trim_start().trim_start_matches("pub ").trim_start_matches("pub(crate) ");
        let import = inside || item.starts_with("use ");
        inside = import && !line.trim_end().ends_with(';');
        !import
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn words(code: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    code.split(|c| !is_part(c)).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Names are followed from the code outside `src/stats/` through the bodies of the functions there.
/// The recomputation of reference vectors is left out, so that a formula which only it calls is
/// found; functions of one name count as one.
#[test]
fn every_function_of_the_statistics_is_reached_from_a_report_or_a_command() {
    // `collect` calls it.
    let mut reached = BTreeSet::from(["from_iter".to_owned()]);
    let mut unreached = Vec::new();
    let sources = sources();
    for source in sources.iter().filter(|source| !source.lies_in(&["stats/reference/"])) {
        let code = without_imports(&source.code);
        if source.top() != "stats" {
            reached.extend(words(&code));
            continue;
        }
        let mut parts = code.split("fn ");
        reached.extend(parts.next().map(words).unwrap_or_default());
        unreached.extend(parts.map(|part| {
            let name = word(part);
            (&source.below, name.to_owned(), words(&part[name.len()..]))
        }));
    }
    assert!(unreached.len() > 50, "only {} functions of statistics", unreached.len());
    while let Some(at) = unreached.iter().position(|(_, name, _)| reached.contains(name)) {
        reached.extend(unreached.swap_remove(at).2);
    }
    let dead = unreached.iter().map(|(file, name, _)| format!("src/{file}: nothing uses `{name}`"));
    none(&dead.collect::<Vec<_>>());
}

const MOST_LINES: usize = 500;

#[test]
fn no_file_is_too_long_to_be_read() {
    let folders = ["src", "tests", "examples"];
    let lengths = folders.into_iter().flat_map(|folder| files(folder, "rs")).map(|path| {
        let lines = read(&path).lines().count();
        (path, lines)
    });
    let long = lengths.filter(|(_, lines)| *lines > MOST_LINES);
    none(
        &long.map(|(path, lines)| format!("{}: {lines} lines", path.display())).collect::<Vec<_>>(),
    );
}

const QUANTITY: &str = "quantity/mod.rs";

/// Numbers that become text elsewhere than in [`QUANTITY`].
const KNOWN_NUMBERS: &[(&str, usize, &str)] = &[
    ("check/aggregates.rs", 1, "to be a fact with its unit"),
    ("check/answers.rs", 1, "to be a fact with its unit"),
    ("check/coverage.rs", 1, "to be a fact with its unit"),
    ("check/data_files.rs", 7, "to be facts with their unit"),
    ("check/overlap.rs", 1, "to be a fact with its unit"),
    ("check/samples.rs", 2, "to be facts with their unit"),
    ("collect/readers/samples/claims.rs", 1, "to be a fact with its unit"),
    ("compare/margins.rs", 1, "to be a fact with its unit"),
    ("compare/reported.rs", 2, "to be facts with their unit"),
    ("derive.rs", 2, "to be facts with their unit"),
    ("handoff/dtypes.rs", 1, "to be a fact with its unit"),
    ("kinds/metrics/analysis/findings.rs", 2, "to be facts with their unit"),
    ("model/logs.rs", 1, "rounds a number, and reads it again"),
    ("kinds/phase/analysis/findings.rs", 3, "to be facts with their unit"),
    ("kinds/progress/analysis/cost.rs", 1, "to be a fact with its unit"),
    ("kinds/best/report/record.rs", 1, "to be shown by the place for numbers"),
    ("report/handoff.rs", 1, "to be shown by the place for numbers"),
];

/// Whether a text has a placeholder with a precision: `{:.1}`, `{x:.places$}`, `{:.2e}`.
fn has_precision(literal: &str) -> bool {
    let holes = literal.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    let mut specs = holes.filter_map(|(hole, _)| hole.split_once(':'));
    specs.any(|(name, spec)| {
        let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
        is_name && spec.trim_start_matches(['<', '>', '^', '+', '#', '0']).contains('.')
    })
}

#[test]
fn numbers_become_text_in_one_place() {
    let sources = sources();
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for source in &sources {
        let precise = literals(&source.code).into_iter().filter(|text| has_precision(text));
        let precise: Vec<String> = precise.map(str::to_owned).collect();
        if !precise.is_empty() {
            found.insert(&source.below, precise);
        }
    }
    assert!(
        found.remove(QUANTITY).is_some(),
        "{QUANTITY} has no precision: how are numbers shown?"
    );
    only_known("numbers as text", &found, KNOWN_NUMBERS);
}

#[test]
fn a_precision_is_seen_in_every_form() {
    for text in ["{:.1}%", "{x:.2}", "{:.*}", "{:>8.prec$}", "a {b:.0e} c"] {
        assert!(has_precision(text), "{text}");
    }
    for text in ["{}", "{x:?}", "{:>8}", "a.b: {x}. c", "{{x:.1"] {
        assert!(!has_precision(text), "{text}");
    }
}

/// Values that could stand for "nothing there".
const SENTINELS: &[&str] = &["f64::NAN", "usize::MAX", "u32::MAX", "u64::MAX"];

/// Where such a value stands elsewhere than in formulas.
const KNOWN_SENTINELS: &[(&str, usize, &str)] = &[
    ("kinds/metrics/mod.rs", 1, "to become an error of its own"),
    ("collect/data_files/scan.rs", 1, "to become a function without a position"),
    ("collect/document/json.rs", 1, "what a document writes"),
    ("collect/document/mod.rs", 1, "what a document writes"),
    ("collect/document/toml.rs", 2, "a number that f64 does not have"),
    ("collect/document/yaml.rs", 1, "what a document writes"),
    ("collect/merge.rs", 1, "to become an Option"),
    (
        "collect/readers/samples/field.rs",
        2,
        "to become a function without a position, and an Option",
    ),
    ("collect/readers/samples/json.rs", 1, "a number that f64 does not have"),
    ("compare/suite.rs", 1, "to become an Option"),
    ("compare/systems/on_samples.rs", 2, "to become Options"),
    ("group/side.rs", 1, "to become an Option"),
    ("model/samples/column.rs", 4, "the absent score of a column, which hands out Options"),
    ("kinds/progress/analysis/timeline.rs", 1, "to become an Option"),
    ("kinds/quality/analysis/distribution.rs", 1, "to become an Option"),
];

#[test]
fn no_number_stands_for_nothing() {
    let sources = sources();
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for source in sources.iter().filter(|source| !source.lies_in(&["stats/"])) {
        for name in SENTINELS {
            for at in source.places_of(name) {
                let (before, after) =
                    (&source.code[..at], source.code[at + name.len()..].trim_start());
                let before = before.trim_end();
                let is_compared = before.ends_with(['=', '<', '>']) && !before.ends_with(" =")
                    || after.starts_with(['<', '>'])
                    || after.starts_with("==")
                    || after.starts_with("!=");
                // Too large a number becomes the largest.
                let line = before.rsplit(['\n', ';']).next().unwrap_or_default();
                let saturates = name.ends_with("MAX")
                    && before.ends_with("unwrap_or(")
                    && line.contains("try_from(");
                if !is_compared && !saturates {
                    let number = before.lines().count();
                    found
                        .entry(&source.below)
                        .or_default()
                        .push(format!("{name}, code line {number}"));
                }
            }
        }
    }
    only_known("sentinels", &found, KNOWN_SENTINELS);
}
