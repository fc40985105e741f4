//! `reportgen config`: which settings hold, and the schema of the file.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::command::{program, reportgen};
use crate::directory::Directory;

const FILE: &str = "preset = \"kl-grid\"\nalpha = 0.01\nmargins = { accuracy = \"1pp\" }\n\n\
                    [commands]\neval = \"run --api-key Ab3dE5gH7jK9 {epoch}\"\n";

fn shown(directory: &Directory, more: &[&str]) -> String {
    let mut program = program();
    program.current_dir(directory.path("")).args(["config", "show"]).args(more);
    let ended = program.output().expect("it runs");
    assert!(ended.status.success(), "{more:?}: {ended:?}");
    String::from_utf8(ended.stdout).expect("text")
}

#[test]
fn each_setting_is_shown_with_where_it_stands() {
    let directory = Directory::of([("reportgen.toml", FILE)]);
    let text = shown(&directory, &["--origin"]);
    for line in [
        "alpha = 0.01  # reportgen.toml:2",
        "margins.accuracy = \"1pp\"  # reportgen.toml:3",
        "power = 0.8  # default",
        "limits.document-mib = 256  # default",
    ] {
        assert!(text.lines().any(|own| own == line), "{line}: {text}");
    }
    assert!(text.contains("  # presets/kl-grid.toml:"), "{text}");
    assert!(!text.contains("Ab3dE5gH7jK9"), "{text}");
    let listed: Value =
        serde_json::from_str(&shown(&directory, &["--format", "json"])).expect("JSON");
    let alpha = listed.as_array().expect("a list").iter().find(|one| one["key"] == "alpha");
    let alpha = alpha.expect("a setting");
    assert_eq!((&alpha["value"], &alpha["line"]), (&0.01.into(), &2.into()));
}

#[test]
fn what_is_shown_is_a_file_that_says_the_same() {
    for preset in ["code-eval", "grpo-progress", "kl-grid", "workflow-quality"] {
        let directory = Directory::of([("none", "")]);
        let first = shown(&directory, &["--preset", preset]);
        directory.write("reportgen.toml", first.clone());
        let table = |text: &str| toml::from_str::<toml::Table>(text).expect("TOML");
        assert_eq!(table(&shown(&directory, &[])), table(&first), "{preset}");
    }
}

#[test]
fn a_file_that_cannot_be_used_is_refused_with_its_line() {
    let directory = Directory::of([("my.toml", "strict = true\nalpha = \"low\"\n")]);
    let ended = reportgen(["config", "show", "--config", &directory.word("my.toml")]);
    assert!(
        ended.status == 2 && ended.err.contains("line 2") || ended.err.contains(":2"),
        "{}",
        ended.err
    );
    let missing = reportgen(["config", "show", "--config", &directory.word("none.toml")]);
    assert_eq!(missing.status, 4, "{}", missing.err);
}

#[test]
fn the_schema_names_every_key_of_the_file() {
    let schema: Value = serde_json::from_str(&reportgen(["config", "schema"]).out).expect("JSON");
    let known: BTreeSet<&String> =
        schema["properties"].as_object().expect("properties").keys().collect();
    let directory = Directory::of([("my.toml", "xyzzy = 1\n")]);
    let file = reportgen::settings::ConfigFile::new(
        directory.word("my.toml"),
        "xyzzy = 1\n".to_owned(),
        None,
    );
    let flags = reportgen::settings::Flags::default();
    let tables = reportgen::kinds::tables();
    let file = file.expect("read");
    let lang = reportgen::text::Lang::default();
    let resolved = reportgen::settings::resolve(Some(&file), &flags, lang, &tables);
    let found = resolved.expect("resolved").diagnostics;
    let names = found[0].evidence["known"].to_string();
    let names: Vec<String> = names.split(", ").map(str::to_owned).collect();
    assert_eq!(known, names.iter().collect::<BTreeSet<&String>>());
}
