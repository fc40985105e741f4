//! One run named in different ways: `.`, a relative path, an absolute one.

use serde_json::Value;

use crate::command::{program, reportgen};
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

#[test]
fn points_of_a_training_in_the_names_of_runs_are_told_where_nothing_else_says_them() {
    let told = |names: [&str; 2], configs: [&str; 2]| {
        let directory = Directory::of([("reportgen.toml", "")]);
        for (arm, (name, config)) in names.into_iter().zip(configs).enumerate() {
            let figures = format!("{{\"accuracy\": 0.{}, \"n\": 1319}}", 6 + arm);
            directory.write(format!("{name}/metrics.json"), figures);
            directory.write(format!("{name}/config.yaml"), config);
        }
        let [a, b] = names.map(|name| directory.word(name));
        let ended = reportgen(["compare", &a, &b]);
        ended.err.contains("R503")
    };
    let other = ["lr: 1\nkl: 1\n", "lr: 2\nkl: 2\n"];
    for [a, b] in [
        ["sft/epoch1", "grpo/epoch2"],
        ["sft/checkpoint-100", "grpo/checkpoint-900"],
        ["sft/iter_10/eval", "grpo/iter_90/eval"],
        ["sft-ep1", "grpo-ep2"],
        ["sft/1-shot", "grpo/5-shot"],
    ] {
        assert!(told([a, b], other), "{a} {b}");
    }
    assert!(!told(["sft/epoch2", "grpo/epoch2"], other), "at one point");
    assert!(!told(["sft/epoch1", "grpo/final"], other), "one of them says nothing");
    assert!(!told(["sft/version1", "grpo/version2"], other), "no point of a training");
    let longer = ["lr: 1\nnum_train_epochs: 1\n", "lr: 2\nnum_train_epochs: 2\n"];
    assert!(!told(["sft/epoch1", "grpo/epoch2"], longer), "trained for longer");
}

#[test]
fn figures_that_come_late_in_a_text_are_read() {
    let directory = Directory::of([("a/config.yaml", "lr: 1\n")]);
    let prose = "nothing to see here\n".repeat(70_000);
    directory.write("a/late.md", format!("{prose}\n| task | accuracy |\n|---|---|\n| x | 0.5 |\n"));
    directory.write("a/train.log", format!("{prose}step 1 loss=0.5\nstep 2 loss=0.4\n"));
    directory.write("a/server.log", prose);
    let said = said(&directory, "", &directory.word("a"), &["inspect"]);
    for expected in ["late.md  markdown-table", "x/accuracy = 0.5", "loss  2 points over step"] {
        assert!(said.contains(expected), "{said}");
    }
    assert!(said.contains("server.log  ignored"), "{said}");
}

#[test]
fn points_in_files_of_figures_are_told_however_their_key_and_value_are_spelled() {
    for (key, [first, second], expected) in [
        ("training_epoch", ["1", "3"], "epoch 1 vs. epoch 3"),
        ("epochs_trained", ["1", "3"], "epoch 1 vs. epoch 3"),
        ("ckpt_step", ["100", "300"], "step 100 vs. step 300"),
        ("ckpt", ["\"checkpoint-100\"", "\"checkpoint-300\""], "step 100 vs. step 300"),
        ("Training Epoch", ["1", "3"], "epoch 1 vs. epoch 3"),
        ("global-step", ["100", "300"], "step 100 vs. step 300"),
        ("ckpt", ["\"out/checkpoint-100/\"", "\"out/checkpoint-300/\""], "step 100 vs. step 300"),
        ("trained_tokens", ["1000", "3000"], "tokens 1000 vs. tokens 3000"),
        ("n-shot", ["1", "5"], "accuracy [shot=1]; b: accuracy [shot=5]"),
        ("shot", ["\"1-shot\"", "\"5-shot\""], "accuracy [shot=1]; b: accuracy [shot=5]"),
    ] {
        let figures = |share: f64, value: &str| {
            format!("{{\"accuracy\": {share}, \"n\": 1000, \"{key}\": {value}}}")
        };
        let files =
            [("a/metrics.json", figures(0.6, first)), ("b/metrics.json", figures(0.66, second))];
        let directory = Directory::of(files);
        let ended = reportgen(["compare", &directory.word("a"), &directory.word("b")]);
        assert!(ended.err.contains(expected), "{key}:\n{}", ended.err);
    }
}
