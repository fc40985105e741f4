//! Files of the history, as they were written and as others read them.

use std::fs;

use reportgen::history::HistoryRow;

use super::{JOB, Results};
use crate::command::reportgen;

/// The words in backticks of a section of `docs/formats.md`.
fn described(title: &str) -> Vec<String> {
    let text = fs::read_to_string("docs/formats.md").expect("formats");
    let section = text.split(&format!("\n## {title}\n")).nth(1).expect("a section");
    let section = section.split("\n## ").next().expect("its end");
    section.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn the_columns_and_the_fields_of_the_index_are_described() {
    let columns = described("history");
    let listed =
        HistoryRow::COLUMNS.iter().map(|column| columns.iter().rposition(|one| one == column));
    assert!(listed.clone().all(|place| place.is_some()), "{:?}", listed.collect::<Vec<_>>());
    let results = Results::new(JOB);
    results.run("2026-03-01", "03:00", 700);
    results.run("2026-03-02", "03:00", 600);
    results.nightly("2026-03-02T07:00:00Z", &[]);
    let (fields, job) = (described("nightly"), results.job());
    let mut seen: Vec<&String> = job.as_object().expect("a job").keys().collect();
    for part in ["/filed/0", "/last_report", "/trends/0", "/last_report/gates/0"] {
        let part = job.pointer(part).and_then(serde_json::Value::as_object);
        seen.extend(part.expect("it is there").keys());
    }
    let silent: Vec<_> = seen.into_iter().filter(|name| !fields.contains(name)).collect();
    assert!(silent.is_empty(), "not described: {silent:?}");
}

#[test]
fn a_query_gives_the_rows_of_that_metric_run_and_time() {
    let results = Results::new(JOB);
    for night in 1..=4 {
        let date = format!("2026-03-{night:02}");
        results.run(&date, "03:00", 700 + night);
        results.file(&date, "03:00", "more_metrics.json", "{\"f1\": 0.5}");
        results.nightly(&format!("{date}T07:00:00Z"), &[]);
    }
    let count = |words: &[&str]| results.rows(words).len();
    assert_eq!(count(&["--metric", "accuracy"]), 4);
    assert_eq!(count(&["--metric", "accuracy", "--metric", "f1"]), 8);
    assert_eq!(count(&["--since", "2026-03-02", "--until", "2026-03-03", "--metric", "f1"]), 2);
    assert_eq!(count(&["--run", "runs/2026-03-03"]), 2);
    let row = results.rows(&["--run", "runs/2026-03-03", "--metric", "accuracy"]).remove(0);
    assert_eq!(
        (&row["value"], &row["n"], &row["baseline"]),
        (&0.703.into(), &1000.into(), &"runs/2026-03-02".into())
    );
    assert_eq!(
        (&row["finished"], &row["ingested"]),
        (&"2026-03-03T03:00:00Z".into(), &"2026-03-03T07:00:00Z".into())
    );
    assert_eq!(
        (&row["late"], &row["higher_is_better"], &row["unit"]),
        (&false.into(), &true.into(), &"fraction".into())
    );
}

#[test]
fn a_name_that_no_row_has_is_refused_with_the_names_near_it() {
    let results = Results::new(JOB);
    results.run("2026-03-01", "03:00", 700);
    results.nightly("2026-03-01T07:00:00Z", &[]);
    for (flag, name, near) in [
        ("--metric", "acuracy", "`accuracy`"),
        ("--job", "mainn", "`main`"),
        ("--run", "runs/2026-03-02", "`runs/2026-03-01`"),
    ] {
        let ended = results.history(&[flag, name]);
        assert_eq!(ended.status, 2, "{flag} {name}: {}", ended.out);
        assert!(ended.err.contains(&format!("`{flag} {name}`")), "{}", ended.err);
        assert!(ended.err.contains(near), "{near}: {}", ended.err);
    }
    let none_of_them = results.history(&["--metric", "accuracy", "--until", "2026-02-01"]);
    assert_eq!(none_of_them.status, 0, "it is there on other nights: {}", none_of_them.err);
}

#[test]
fn a_state_is_shown_where_a_run_is_not_complete() {
    let results = Results::new(JOB);
    let shown = || {
        let out = results.0.word("nightly");
        reportgen(["history", &out].map(str::to_owned)).out
    };
    results.run("2026-03-01", "03:00", 700);
    results.nightly("2026-03-01T07:00:00Z", &[]);
    assert!(!shown().contains("complete"), "{}", shown());
    results.run("2026-03-02", "03:00", 700);
    results.file("2026-03-02", "03:00", "samples.jsonl", "{\"id\": 1, \"accuracy\": 1}\n{\"id\":");
    results.nightly("2026-03-02T07:00:00Z", &[]);
    assert!(shown().contains("partial") && shown().contains("complete"), "{}", shown());
}

#[test]
fn a_history_that_is_not_there_or_of_another_version_is_refused() {
    let results = Results::new(JOB);
    let ended = results.history(&[]);
    assert_eq!(ended.status, 4);
    assert!(ended.err.contains("holds no history of nightly jobs"), "{}", ended.err);
    results.0.write(
        "nightly/history/v1/manifest.json",
        "{\"schema\": \"reportgen.history/9\", \"generation\": 1, \"files\": []}",
    );
    let ended = results.history(&[]);
    assert!(ended.err.contains("its schema is reportgen.history/9"), "{}", ended.err);
}

#[test]
fn files_that_nothing_refers_to_go_one_night_later_and_others_stay() {
    let results = Results::new(JOB);
    let files = || -> Vec<String> {
        let month = results.0.path("nightly/history/v1/month=2026-03");
        let entries = fs::read_dir(month).expect("listed").map(|entry| entry.expect("an entry"));
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    };
    results.run("2026-03-01", "03:00", 700);
    results.nightly("2026-03-01T07:00:00Z", &[]);
    results.0.write("nightly/history/v1/month=2026-03/notes.parquet", "a person's");
    results.run("2026-03-01", "03:00", 701);
    results.nightly("2026-03-01T08:00:00Z", &[]);
    assert_eq!(
        files(),
        ["night=2026-03-01.r1.parquet", "night=2026-03-01.r2.parquet", "notes.parquet"]
    );
    results.run("2026-03-02", "03:00", 700);
    results.nightly("2026-03-02T07:00:00Z", &[]);
    assert_eq!(
        files(),
        ["night=2026-03-01.r2.parquet", "night=2026-03-02.r1.parquet", "notes.parquet"]
    );
    let revisions: Vec<_> =
        results.rows(&["--metric", "accuracy"]).iter().map(|row| row["revision"].clone()).collect();
    assert_eq!(revisions, [2, 1]);
}
