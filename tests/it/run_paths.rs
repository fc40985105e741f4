//! One run named in different ways: `.`, a relative path, an absolute one.

use serde_json::Value;

use crate::command::program;
use crate::directory::Directory;

/// A run whose configuration names data by patterns and paths, each of two records.
fn run() -> Directory {
    let config = "train_file: \"tr*.jsonl\"\neval_file: ./ev?.jsonl\ntest_file: below/*.jsonl\n\
                  data_file: ../data/*.jsonl\nlr: 1\n";
    let directory = Directory::of([("run/config.yaml", config)]);
    directory.write("run/metrics.json", "{\"accuracy\": 0.5}");
    for name in ["run/tr1", "run/tr2", "run/ev1", "run/below/x", "data/d1", "data/d2"] {
        let records = format!("{{\"q\": \"{name}\"}}\n{{\"q\": \"b {name}\"}}\n");
        directory.write(format!("{name}.jsonl"), records);
    }
    directory
}

/// What the command says with the run named so, from that directory, and the name left out.
fn said(directory: &Directory, from: &str, name: &str, command: &[&str]) -> String {
    let mut program = program();
    program.current_dir(directory.path(from)).args(command).arg(name);
    let ended = program.output().expect("it runs");
    assert!(ended.status.success(), "{name}: {ended:?}");
    String::from_utf8(ended.stdout).expect("text")
}

#[test]
fn however_a_run_is_named_the_same_files_are_found() {
    let directory = run();
    let whole = directory.word("run");
    let expected = said(&directory, "run", &whole, &["inspect"]).replacen(&whole, "NAME", 1);
    for records in ["tr*.jsonl  4 records", "ev?.jsonl  2 records", "data/*.jsonl  4 records"] {
        assert!(expected.contains(records), "{expected}");
    }
    for more in [&["inspect"][..], &["inspect", "--untrusted"]] {
        let whole_name = format!("({whole})");
        let expected = said(&directory, "run", &whole, more).replacen(&whole_name, "(NAME)", 1);
        for (from, name) in [
            ("run", "."),
            ("run", "./"),
            ("run", "../run"),
            ("run", "../run/"),
            ("run/below", ".."),
            ("", "run"),
            ("", "./run/"),
            ("data", "../run/."),
            ("data", &format!("{whole}/")),
        ] {
            let said = said(&directory, from, name, more);
            let said = said.replacen(&format!("({name})"), "(NAME)", 1);
            assert_eq!(said, expected, "{name} from {from} {more:?}");
        }
    }
}

#[test]
fn the_data_of_a_report_are_equal_but_for_the_paths() {
    let directory = run();
    let data = |from: &str, name: &str| -> Value {
        let told = said(&directory, from, name, &["check", "--format", "json", name]);
        let report: Value = serde_json::from_str(&told).expect("JSON");
        let files = report["runs"][0]["data_files"].as_array().expect("data files").iter();
        files
            .map(|file| {
                let mut file = file.clone();
                file.as_object_mut().expect("a file").remove("source");
                file["content"].as_object_mut().expect("a content").remove("path");
                file
            })
            .collect()
    };
    let expected = data("run", &directory.word("run"));
    assert_eq!(expected.as_array().map(Vec::len), Some(4), "{expected}");
    for (from, name) in [("run", "."), ("run", "../run/"), ("", "run")] {
        assert_eq!(data(from, name), expected, "{name}");
    }
}
