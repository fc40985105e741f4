//! Archives of evaluation logs that are broken, or made to harm: each is refused with its reason, and no gate
//! passes without it.

use std::io::{Cursor, Write as _};

use serde_json::json;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::command::{compare, compared, reportgen};
use crate::directory::Directory;

const LOG: &str = "2026-01-01T00-00-00_quiz.eval";
const START: &str = r#"{"version":2,"eval":{"task":"quiz","model":"m"}}"#;

fn header() -> String {
    let eval = json!({ "task": "quiz", "model": "m", "dataset": { "name": "quiz" } });
    json!({ "version": 2, "status": "success", "eval": eval }).to_string()
}

fn sample(id: usize, input: &str) -> (String, String) {
    let scores = json!({ "acc": { "value": if id.is_multiple_of(2) { "C" } else { "I" } } });
    let document =
        format!(r#"{{"id":{id},"epoch":1,"input":{input},"target":"a","scores":{scores}}}"#);
    (format!("samples/{id}_epoch_1.json"), document)
}

fn harmless() -> Vec<(String, String)> {
    let samples = (0..20).map(|id| sample(id, "\"q\""));
    std::iter::once(("header.json".to_owned(), header())).chain(samples).collect()
}

fn archive(parts: &[(String, String)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let start = [("_journal/start.json".to_owned(), START.to_owned())];
    for (name, content) in start.iter().chain(parts) {
        writer.start_file(name, SimpleFileOptions::default()).expect("a part");
        writer.write_all(content.as_bytes()).expect("its content");
    }
    writer.finish().expect("an archive").into_inner()
}

/// The archive with the name of its last sample changed to that of an earlier one, wherever it stands.
fn renamed(log: &[u8]) -> Vec<u8> {
    let mut log = log.to_vec();
    let [from, to] = [&b"samples/99_epoch"[..], b"samples/12_epoch"];
    for at in 0..log.len() - from.len() {
        if log[at..].starts_with(from) {
            log[at..at + to.len()].copy_from_slice(to);
        }
    }
    log
}

/// A comparison of a harmless log with this one, what it wrote on stderr, and its status.
fn compared_with(log: &[u8]) -> (String, u8) {
    let runs = Directory::of([
        (format!("a/{LOG}"), archive(&harmless())),
        (format!("b/{LOG}"), log.to_owned()),
    ]);
    let [a, b] = ["a", "b"].map(|run| runs.word(run));
    let gates = ["--untrusted", "--fail-on", "missing,regression"];
    let ended = compare(&[a, b], &gates);
    (ended.err, ended.status)
}

fn check(name: &str, log: &[u8], reason: &str) {
    let (err, status) = compared_with(log);
    assert!(err.contains(reason), "{name}: no `{reason}` in {err}");
    assert!([3, 4].contains(&status), "{name}: {status} {err}");
}

#[test]
fn a_harmless_archive_passes() {
    let (err, status) = compared_with(&archive(&harmless()));
    assert_eq!(status, 0, "{err}");
}

#[test]
fn a_log_larger_than_a_document_may_be_is_read_sample_by_sample() {
    let text = |id: usize| format!("\"question {id} {}\"", "long ".repeat(2_000));
    let log = |flipped: usize| {
        let flip = |id: usize| if id == flipped { id + 1 } else { id };
        let samples = (0..600).map(|id| {
            let (_, document) = sample(flip(id), &text(id));
            let own =
                document.replacen(&format!("{{\"id\":{}", flip(id)), &format!("{{\"id\":{id}"), 1);
            (format!("samples/{id}_epoch_1.json"), own)
        });
        archive(
            &std::iter::once(("header.json".to_owned(), header()))
                .chain(samples)
                .collect::<Vec<_>>(),
        )
    };
    let runs =
        Directory::of([(format!("a/{LOG}"), log(usize::MAX)), (format!("b/{LOG}"), log(500))]);
    let [a, b] = ["a", "b"].map(|run| runs.word(run));
    let limit = ["--limit", "document-mib=1"];
    let report = compared(&[&a, &b], &limit);
    let findings = report["findings"].to_string();
    assert!(!findings.contains("R117"), "{findings}");
    let row = &report["comparisons"][0];
    assert_eq!(row["candidate"]["n"], 600, "{row}");
    let shown = reportgen(["samples", &a, &b, "--changed", "any", "--limit", "document-mib=1"]);
    assert!(
        shown.out.contains("question 500") && !shown.out.contains("question 499"),
        "{}",
        shown.out
    );
}

#[test]
fn a_broken_or_hostile_archive_is_refused_with_its_reason() {
    let with = |parts: Vec<(String, String)>| archive(&[harmless(), parts].concat());
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let bomb = format!("\"{}\"", "a".repeat(40 << 20));
    let whole = archive(&harmless());
    let mut headless = harmless();
    headless[0].1.truncate(20);
    let mut two_headers = harmless();
    two_headers[0].1 = [header(), header()].join("\n");
    let mut invalidated = harmless();
    invalidated[0].1 = header().replacen('{', "{\"invalidated\": true,", 1);
    for (name, log, reason) in [
        ("nested", with(vec![sample(30, &deep)]), "less nesting"),
        ("bomb", with(vec![sample(30, &bomb)]), "larger than"),
        ("cut off", whole[..whole.len() - 60].to_vec(), "R101"),
        ("invalidated", archive(&invalidated), "R284"),
        ("named twice", renamed(&with(vec![sample(99, "\"q\"")])), "have one name"),
        ("two archives", [whole.clone(), archive(&harmless())].concat(), "before the archive"),
        ("bytes behind", [whole.clone(), b"garbage".to_vec()].concat(), "behind the archive"),
        ("two headers in one", archive(&two_headers), "behind the document"),
        ("no header", archive(&headless), "its header is no object"),
        (
            "cut sample",
            with(vec![("samples/30_epoch_1.json".to_owned(), "{\"id\":".to_owned())]),
            "R101",
        ),
    ] {
        check(name, &log, reason);
    }
}

#[test]
fn parts_beside_the_log_are_not_read() {
    let outside = ["../samples/30_epoch_1.json", "/samples/31_epoch_1.json", "x/samples/32.json"];
    let outside = outside.map(|name| (name.to_owned(), "{ not json".to_owned()));
    let (err, status) = compared_with(&archive(&[harmless(), outside.to_vec()].concat()));
    assert_eq!(status, 0, "{err}");
}
