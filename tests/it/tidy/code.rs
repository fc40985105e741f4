//! What may stand in the code of a file.

use std::collections::{BTreeMap, BTreeSet};

use super::{none, only_known};
use crate::sources::{FOLDERS, Source, files, literals, read, sources, word};

/// Names of the standard library that bring the outside in, and where they may stand.
const OUTSIDE: &[(&str, &[&str])] = &[
    // The variables of a program, and those of the hub, as the clients of object stores read theirs.
    ("std::env", &["main.rs", "collect/objects/hub_settings.rs"]),
    ("std::fs", &["collect/", "cli/", "history/", "output/", "kinds/quality/mod.rs"]),
    ("std::net", &[]),
    ("std::process", &["main.rs", "exit.rs"]),
    // A pause, times of files, and the only clock.
    (
        "std::time",
        &[
            "output/hold.rs",
            "output/lock.rs",
            "collect/scan.rs",
            "collect/objects/copy.rs",
            "collect/objects/hub.rs",
            "collect/objects/hub_settings.rs",
            "cli/waiting.rs",
            "main.rs",
        ],
    ),
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
        offences
            .extend(elsewhere.map(|one| format!("{}: `{name}` belongs in {places:?}", one.below)));
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

/// Names are followed from the code outside `core/src/stats/` through the bodies of the functions there.
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
    let dead = unreached.iter().map(|(file, name, _)| format!("{file}: nothing uses `{name}`"));
    none(&dead.collect::<Vec<_>>());
}

const MOST_LINES: usize = 500;

#[test]
fn no_file_is_too_long_to_be_read() {
    let folders = FOLDERS.into_iter().chain(["tests", "examples", "core/examples"]);
    let lengths = folders.flat_map(|folder| files(folder, "rs")).map(|path| {
        let lines = read(&path).lines().count();
        (path, lines)
    });
    let long = lengths.filter(|(_, lines)| *lines > MOST_LINES);
    none(
        &long.map(|(path, lines)| format!("{}: {lines} lines", path.display())).collect::<Vec<_>>(),
    );
}

/// Whether a literal rounds a number or makes a percentage of one: `{:.1}`, `{x:.places$}`, `{:.2e}`,
/// `{x}%`.
fn shows_a_number(literal: &str) -> bool {
    let mut holes = literal.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    holes.any(|(hole, rest)| {
        let (name, form) = hole.split_once(':').unwrap_or((hole, ""));
        let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
        let rounds = form.trim_start_matches(['<', '>', '^', '+', '#', '0']).contains('.');
        is_name && (rounds || form.ends_with('e') || rest.starts_with('%'))
    })
}

#[test]
fn numbers_become_text_in_quantity_alone() {
    let (quantity, others): (Vec<_>, Vec<_>) =
        sources().into_iter().partition(|source| source.top() == "quantity");
    let offences = |source: &Source| -> Vec<String> {
        let cuts = source.code.matches("trim_end_matches('0')").map(str::to_owned);
        let literals = literals(&source.code).into_iter().filter(|text| shows_a_number(text));
        let shown = literals.map(str::to_owned).chain(cuts);
        shown.map(|text| format!("{}: {text}", source.below)).collect()
    };
    assert!(quantity.iter().any(|source| !offences(source).is_empty()), "how are numbers shown?");
    none(&others.iter().flat_map(offences).collect::<Vec<_>>());
}

#[test]
fn a_shown_number_is_seen_in_every_form() {
    for text in ["{:.1}%", "{x:.2}", "{:.*}", "{:>8.prec$}", "a {b:.0e} c", "{p:e}", "{share}%"] {
        assert!(shows_a_number(text), "{text}");
    }
    for text in ["{}", "{x:?}", "{:>8}", "a.b: {x}. c", "{{x:.1"] {
        assert!(!shows_a_number(text), "{text}");
    }
}

/// Values that could stand for "nothing there".
const SENTINELS: &[&str] = &["f64::NAN", "usize::MAX", "u32::MAX", "u64::MAX"];

/// Where such a value stands elsewhere than in formulas.
const KNOWN_SENTINELS: &[(&str, usize, &str)] = &[
    ("collect/document/json.rs", 1, "what a document writes"),
    ("collect/document/mod.rs", 1, "what a document writes"),
    ("collect/document/toml.rs", 2, "a number that f64 does not have"),
    ("collect/document/yaml.rs", 1, "what a document writes"),
    ("collect/readers/plain_record.rs", 1, "what a record writes"),
    ("collect/readers/samples/json.rs", 1, "a number that f64 does not have"),
    ("model/samples/column.rs", 4, "the absent score of a column, which hands out Options"),
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
