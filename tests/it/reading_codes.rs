//! For each code of reading, files that raise it and files that come close and do not.

use std::collections::BTreeSet;

use reportgen::collect::{Choices, collect};
use reportgen::diag::Code;

use crate::command::write_file;

/// Files of one run: path below it, and content.
type Files = &'static [(&'static str, &'static [u8])];

/// A code, files that raise it, and files that come close. Where two runs are needed, their paths
/// begin with `a/` and `b/`.
const CASES: &[(&str, Files, Files)] = &[
    ("R101", &[("x.parquet", b"PAR1 and nothing else")], &[("x.jsonl", SOUND)]),
    (
        "R102",
        &[("x.jsonl", b"{\"id\": 1, \"correct\": 1}\n{oops}\n{\"id\": 2, \"correct\": 1}\n")],
        &[("x.jsonl", b"{\"id\": 1, \"correct\": 1}\n\n{\"id\": 2, \"correct\": 1}\n")],
    ),
    (
        "R103",
        &[("x.jsonl", b"{\"id\": 1, \"correct\": 1}\n{\"id\": 2, \"corr")],
        &[("x.jsonl", b"{\"id\": 1, \"correct\": 1}\n{\"id\": 2, \"correct\": 0}")],
    ),
    (
        "R106",
        &[("metrics.json", b"{\"accuracy\": NaN, \"f1\": 0.5}")],
        &[("metrics.json", b"{\"accuracy\": null, \"f1\": 0.5}")],
    ),
    (
        "R107",
        &[("x.jsonl", b"{\"id\": \"\xff\", \"correct\": 1}\n{\"id\": 2, \"correct\": 0}\n")],
        &[("x.jsonl", "{\"id\": \"\u{fffd}\", \"correct\": 1}\n{\"id\": 2, \"correct\": 0}\n".as_bytes())],
    ),
    ("R109", &[("photo.png", b"\x89PNG")], &[("photo.png", b"\x89PNG"), ("x.jsonl", SOUND)]),
    (
        "R110",
        &[("x.jsonl", b"{\"id\": 1, \"correct\": [1]}\n{\"id\": 2, \"correct\": 0}\n")],
        &[("x.jsonl", b"{\"id\": 1, \"correct\": \"yes\"}\n{\"id\": 2, \"correct\": \"no\"}\n")],
    ),
    (
        "R111",
        &[
            ("results_2026-01-01T00-00-00.1.json", HARNESS),
            ("results_2026-01-02T00-00-00.1.json", HARNESS),
        ],
        &[("results_2026-01-01T00-00-00.1.json", HARNESS)],
    ),
    (
        "R112",
        &[("config.json", b"{\"lr\": 1, \"lr\": 2}")],
        &[("config.json", b"{\"lr\": 1, \"opt\": {\"lr\": 2}}")],
    ),
    ("R113", &[("summary.json", b"{\"datasets\": {}}")], &[("summary.json", b"")]),
    (
        "R118",
        &[
            ("one/metrics.json", b"{\"eval/a/accuracy\": 0.5}"),
            ("two/metrics.json", b"{\"eval/a/accuracy\": 0.6}"),
        ],
        &[
            ("one/metrics.json", b"{\"eval/a/accuracy\": 0.5}"),
            ("two/metrics.json", b"{\"eval/a/accuracy\": 0.5, \"eval/b/accuracy\": 0.6}"),
        ],
    ),
    (
        "R119",
        &[("log.csv", b"step,loss\n1,0.5\n2,0.4\n2,0.3\n")],
        &[("log.csv", b"step,loss\n1,0.5\n2,0.4\n3,0.4\n")],
    ),
    (
        "R120",
        &[("x.jsonl", b"{\"id\":1,\"correct\":1}\n{\"id\":1,\"correct\":0}\n{\"id\":2,\"correct\":0}\n{\"id\":2,\"correct\":1}\n")],
        &[("x.jsonl", b"{\"id\":1,\"correct\":1}\n{\"id\":2,\"correct\":0}\n{\"id\":3,\"correct\":0}\n{\"id\":3,\"correct\":0}\n")],
    ),
    (
        "R121",
        &[("metrics.json", b"{\"eval/a/accuracy\": 0.5, \"eval/b/accuracy\": 62.5}")],
        &[("metrics.json", b"{\"eval/a/accuracy\": 0.5, \"eval/b/accuracy\": 1.0}")],
    ),
    (
        "R122",
        &[("x.jsonl", SOUND), ("table.jsonl", b"[1, 2]\n[3, 4]\n")],
        &[("x.jsonl", SOUND), ("notes.txt", b"[1, 2]\n[3, 4]\n")],
    ),
    (
        "R123",
        &[("config.yaml", b"lr: 1\n"), ("args.json", b"{\"lr\": 2}")],
        &[("config.yaml", b"lr: 1\n"), ("args.json", b"{\"lr\": 1.0}")],
    ),
    (
        "R150",
        &[("x.jsonl", b"{\"id\":1,\"correct\":1}\n{\"id\":1,\"correct\":0}\n{\"id\":2,\"correct\":0}\n{\"id\":2,\"correct\":1}\n{\"id\":3,\"correct\":1}\n")],
        &[("x.jsonl", b"{\"id\":1,\"correct\":1}\n{\"id\":1,\"correct\":0}\n{\"id\":2,\"correct\":0}\n{\"id\":2,\"correct\":1}\n")],
    ),
    (
        "R151",
        &[("x.jsonl", b"{\"id\":1,\"correct\":1}\n{\"id\":1,\"correct\":null}\n{\"id\":2,\"correct\":0}\n{\"id\":2,\"correct\":1}\n")],
        &[("x.jsonl", b"{\"id\":1,\"correct\":null}\n{\"id\":2,\"correct\":1}\n")],
    ),
    (
        "R152",
        &[("x.jsonl", b"{\"id\":1,\"accuracy\":-0.5}\n{\"id\":2,\"accuracy\":1}\n")],
        &[("x.jsonl", b"{\"id\":1,\"reward\":-0.5}\n{\"id\":2,\"reward\":1}\n")],
    ),
    (
        "R153",
        &[("x.jsonl", b"{\"id\":1,\"acc\":1,\"accuracy\":0}\n{\"id\":2,\"acc\":1,\"accuracy\":1}\n")],
        &[("x.jsonl", b"{\"id\":1,\"acc\":1,\"accuracy\":1}\n{\"id\":2,\"acc\":0,\"accuracy\":0}\n")],
    ),
    (
        "R154",
        &[
            ("a/results.jsonl", b"{\"id\":1,\"dataset\":\"quiz\",\"correct\":1}\n{\"id\":2,\"dataset\":\"quiz\",\"correct\":0}\n"),
            ("b/quiz.jsonl", SOUND),
        ],
        &[("a/quiz.jsonl", SOUND), ("b/quiz.jsonl", SOUND)],
    ),
    (
        "R160",
        &[("metrics.json", b"{\"accuracy\": 0.5, \"n\": 18446744073709551615}")],
        &[("metrics.json", b"{\"accuracy\": 0.5, \"n\": 1000000}")],
    ),
    (
        "R157",
        &[("x.jsonl", b"{\"id\":1,\"accepted\":true,\"pass_ratio\":0.8}\n{\"id\":2,\"accepted\":false,\"pass_ratio\":0.5}\n")],
        &[("x.jsonl", b"{\"id\":1,\"accepted\":true,\"pass_ratio\":1.0}\n{\"id\":2,\"accepted\":false,\"pass_ratio\":0.5}\n")],
    ),
    (
        "R158",
        &[("metrics.json", b"{\"eval/a/accuracy\": -0.2}")],
        &[("metrics.json", b"{\"eval/a/reward\": -0.2}")],
    ),
    (
        "R159",
        &[("a/metrics.json", LONG), ("b/metrics.json", LONG)],
        &[("a/metrics.json", b"{\"accuracy\": 0.5}"), ("b/metrics.json", b"{\"accuracy\": 0.5}")],
    ),
];

/// Codes of reading whose conditions other tests make: what the grouping finds in samples
/// (`verdicts/samples.rs`), the settings (`cli.rs`, `metric_names.rs`), a run given twice (`readers.rs`), stated figures
/// and several answers (`verdicts/`), and limits of size, which are tested with small ones or with
/// files made for the purpose (`lines.rs`, and below).
const ELSEWHERE: &[&str] = &[
    "R104", "R105", "R108", "R114", "R115", "R116", "R117", "R124", "R130", "R131", "R155", "R156",
];

const SOUND: &[u8] =
    b"{\"id\":1,\"correct\":1}\n{\"id\":2,\"correct\":0}\n{\"id\":3,\"correct\":1}\n";
const HARNESS: &[u8] = b"{\"results\": {\"quiz\": {\"acc,none\": 0.5, \"acc_stderr,none\": 0.05}}, \"configs\": {}, \"config\": {}}";
const LONG: &[u8] = b"{\"eval/first/accuracy\": 0.5123, \"eval/second/accuracy\": 0.6123, \"eval/third/accuracy\": 0.7123, \"eval/fourth/accuracy\": 0.8123, \"eval/fifth/accuracy\": 0.4123, \"eval/sixth/accuracy\": 0.3123, \"eval/seventh/accuracy\": 0.2123, \"eval/eighth/accuracy\": 0.1123, \"eval/ninth/accuracy\": 0.0123}";

/// What is noticed when the files are read as one run, or as two.
fn raised(files: &[(&str, &[u8])]) -> BTreeSet<&'static str> {
    let directory = tempfile::tempdir().expect("a directory");
    for (below, content) in files {
        write_file(&directory.path().join(below), content);
    }
    let two = ["a", "b"].map(|run| directory.path().join(run));
    let one = [directory.path().to_path_buf()];
    let runs = if two[0].is_dir() { two.as_slice() } else { one.as_slice() };
    let read = collect(runs, &Choices::default()).expect("there");
    read.diagnostics.iter().map(|finding| finding.code.id()).collect()
}

#[test]
fn a_code_of_reading_is_raised_by_its_files_and_not_by_files_that_come_close() {
    let mut wrong = Vec::new();
    for (code, raising, close) in CASES {
        let found = raised(raising);
        if !found.contains(code) {
            wrong.push(format!("{code} is not raised, but {found:?}"));
        }
        if raised(close).contains(code) {
            wrong.push(format!("{code} is raised by files that only come close"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_code_of_reading_has_such_files() {
    let here = CASES.iter().map(|(code, ..)| *code).chain(ELSEWHERE.iter().copied());
    let here: BTreeSet<&str> = here.collect();
    let reading = Code::ALL.iter().map(|code| code.id()).filter(|id| id.starts_with("R1"));
    let bare: Vec<&str> = reading.filter(|id| !here.contains(id)).collect();
    assert!(bare.is_empty(), "no files raise {bare:?}");
}

#[test]
fn of_a_run_with_too_many_files_the_first_are_looked_at_and_the_finding_says_so() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = |number: usize| directory.path().join(format!("{number:05}.txt"));
    for number in 0..50_000 {
        std::fs::File::create(path(number)).expect("made");
    }
    let codes = || {
        let read = collect(&[directory.path().to_path_buf()], &Choices::default()).expect("there");
        let codes = read.diagnostics.iter().map(|finding| finding.code);
        codes.collect::<Vec<_>>()
    };
    assert!(!codes().contains(&Code::TooManyFiles));
    std::fs::File::create(path(50_000)).expect("made");
    assert!(codes().contains(&Code::TooManyFiles));
}
