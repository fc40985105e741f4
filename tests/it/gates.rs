//! What a gate says of runs of which a part could not be seen: never that it passed.

use std::collections::BTreeMap;
use std::os::unix::fs::symlink;
use std::process::Command;

use serde_json::Value;

use crate::command::{Ended, json, reportgen};
use crate::directory::Directory;
use crate::report::list;

pub(crate) const CONFIG: &str = "judge: gpt-4\nnum_fewshot: 0\n";
const SAMPLES: &str = "{\"id\": 1, \"acc\": 1}\n{\"id\": 2, \"acc\": 0}\n{\"id\": 3, \"acc\": 1}\n";

/// Two runs that agree in everything.
pub(crate) fn equal_runs() -> Directory {
    Directory::of([
        ("reportgen.toml", ""),
        ("a/config.yaml", CONFIG),
        ("b/config.yaml", CONFIG),
        ("a/samples.jsonl", SAMPLES),
        ("b/samples.jsonl", SAMPLES),
    ])
}

/// A way to keep a file from being read: its path gone, something else is put there.
type Fault = fn(&Directory, &str);

fn text(runs: &Directory, path: &str, content: &[u8]) {
    runs.write(path, content);
}

/// Each fault that hides what a file holds, by what a user would call it.
const HIDING: &[(&str, Fault)] = &[
    ("broken off", |runs, path| text(runs, path, b"judge: [gpt-4\nnum: {")),
    ("with a zero byte", |runs, path| text(runs, path, b"judge: gpt\0\n")),
    ("indented by tabs", |runs, path| text(runs, path, b"judge: gpt-4\n\tshots: 3\n")),
    ("empty", |runs, path| text(runs, path, b"")),
    ("a list", |runs, path| text(runs, path, b"- judge: gpt-9\n")),
    ("only a word", |runs, path| text(runs, path, b"hello\n")),
    ("of too many values", |runs, path| {
        text(runs, path, "- - - -\n".repeat(420_000).as_bytes());
    }),
    ("of two documents", |runs, path| text(runs, path, b"judge: gpt-4\n---\njudge: other\n")),
    ("behind a link to nothing", |runs, path| {
        std::fs::remove_file(runs.path(path)).expect("a file");
        symlink("nowhere", runs.path(path)).expect("a link");
    }),
    ("a pipe", |runs, path| {
        std::fs::remove_file(runs.path(path)).expect("a file");
        let made = Command::new("mkfifo").arg(runs.path(path)).status();
        assert!(made.expect("mkfifo").success());
    }),
    ("too large", |runs, path| {
        let file = std::fs::File::create(runs.path(path)).expect("a file");
        file.set_len(300 << 20).expect("a sparse file");
    }),
];

/// Faults that leave no settings at all.
const SILENCING: &[(&str, Fault)] = &[
    ("without a key", |runs, path| text(runs, path, b"{}\n")),
    ("removed", |runs, path| std::fs::remove_file(runs.path(path)).expect("a file")),
];

pub(crate) fn compare(runs: &Directory, more: &[&str]) -> Ended {
    let words = ["reportgen.toml", "a", "b"].map(|word| runs.word(word));
    let [config, a, b] = words.each_ref().map(String::as_str);
    let own = ["compare", "--format", "json", "--config", config, a, b];
    let gates = ["--fail-on", "mismatch,missing,regression"];
    reportgen(own.into_iter().chain(gates).chain(more.iter().copied()))
}

pub(crate) fn outcomes(ended: &Ended) -> BTreeMap<String, String> {
    let report = json(ended);
    let text = |gate: &Value, name: &str| gate[name].as_str().expect("a text").to_owned();
    let gates = list(&report, "gates").iter();
    gates.map(|gate| (text(gate, "name"), text(gate, "outcome"))).collect()
}

pub(crate) fn check(case: &str, ended: &Ended, expected: [&str; 3]) {
    let names = ["mismatch", "missing", "regression"];
    let expected = names.into_iter().zip(expected).map(|(name, one)| (name.into(), one.into()));
    assert_eq!(outcomes(ended), expected.collect(), "{case}: {}", ended.err);
    let closed = ended.err.contains("not-gateable");
    assert_eq!(ended.status, if closed { 3 } else { 0 }, "{case}: {}", ended.err);
}

#[test]
fn gates_pass_where_everything_was_read() {
    check("equal", &compare(&equal_runs(), &[]), ["pass", "pass", "pass"]);
}

#[test]
fn no_gate_passes_over_a_file_that_could_not_be_read() {
    for (case, fault) in HIDING {
        for path in ["a/config.yaml", "b/config.yaml"] {
            let runs = equal_runs();
            fault(&runs, path);
            let ended = compare(&runs, &[]);
            let case = format!("{path} {case}");
            check(&case, &ended, ["not-gateable", "not-gateable", "not-gateable"]);
            assert!(ended.err.contains("could not be read"), "{case}: {}", ended.err);
        }
    }
}

#[test]
fn a_broken_file_of_figures_closes_the_gates_as_a_configuration_does() {
    let runs = equal_runs();
    runs.write("b/results.json", "{\"results\": {\"gsm8k\": {\"acc");
    check("figures", &compare(&runs, &[]), ["not-gateable", "not-gateable", "not-gateable"]);
}

#[test]
fn settings_of_one_side_alone_close_the_gate_that_compares_settings() {
    for (case, fault) in SILENCING {
        for path in ["a/config.yaml", "b/config.yaml"] {
            let runs = equal_runs();
            fault(&runs, path);
            let ended = compare(&runs, &[]);
            check(&format!("{path} {case}"), &ended, ["not-gateable", "pass", "pass"]);
            assert!(ended.err.contains("1 run records no configuration"), "{}", ended.err);
        }
    }
    let runs = equal_runs();
    for path in ["a/config.yaml", "b/config.yaml"] {
        std::fs::remove_file(runs.path(path)).expect("a file");
    }
    check("neither records any", &compare(&runs, &[]), ["pass", "pass", "pass"]);
}

#[test]
fn settings_that_decide_scores_and_stand_on_one_side_close_the_gate_that_compares_settings() {
    for config in [
        "num_fewshot: 0\n",
        "num_fewshot: 0\nevaluation: {judge: {model: gpt-9}}\n",
        "num_fewshot: 0\njudge_model: gpt-9\n",
        "judge: gpt-4\nn_shot: 0\n",
    ] {
        let runs = equal_runs();
        runs.write("b/config.yaml", config);
        let ended = compare(&runs, &[]);
        check(config, &ended, ["not-gateable", "pass", "pass"]);
    }
    let runs = equal_runs();
    runs.write("b/config.yaml", format!("{CONFIG}note: made on a Monday\nlog_every: 5\n"));
    check("minor", &compare(&runs, &[]), ["pass", "pass", "pass"]);
}

#[test]
fn samples_of_which_the_end_could_not_be_read_close_the_gates() {
    let runs = equal_runs();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, SAMPLES.as_bytes()).expect("compresses");
    let mut packed = encoder.finish().expect("compresses");
    let checksum = packed.len() - 8;
    packed[checksum] ^= 1;
    std::fs::remove_file(runs.path("b/samples.jsonl")).expect("a file");
    runs.write("b/samples.jsonl.gz", packed);
    check("checksum", &compare(&runs, &[]), ["not-gateable", "not-gateable", "not-gateable"]);
}

#[test]
fn files_that_are_no_json_close_the_gates_and_files_of_something_else_do_not() {
    for (name, content) in [
        ("further.jsonl", &b"\xff\xfe{\0\"\0"[..]),
        ("further.json", b"{\"a\":"),
        ("status.json", b"{"),
        ("further.jsonl", b"{\"id\": 1, \"acc\n{\"id\": 2}\n"),
    ] {
        let runs = equal_runs();
        runs.write(format!("b/{name}"), content);
        check(name, &compare(&runs, &[]), ["not-gateable", "not-gateable", "not-gateable"]);
    }
    for (name, content) in [
        ("errors.jsonl", &b""[..]),
        ("names.json", b"[\"a\", \"b\"]"),
        ("vocabulary.jsonl", b"[1, 2]\n[3, 4]\n"),
        ("notes.txt", b"{"),
        ("table.csv", b"name,remark\nx,y\n"),
    ] {
        let runs = equal_runs();
        runs.write(format!("b/{name}"), content);
        check(name, &compare(&runs, &[]), ["pass", "pass", "pass"]);
    }
}

/// Files of which a part is left out, and the code of the finding that says so.
const PARTED: &[(&str, &str, &str)] = &[
    ("R102", "more.csv", "id,acc,note\n1,1\n2,0\n"),
    ("R102", "more.csv", "id,acc\n1,1\n2,0\n3,1,x\n4,1\n"),
    ("R102", "grid.csv", "task,acc,n\ngsm8k,0.5,100\nmath,0.4\n"),
    ("R102", "train_metrics.csv", "step,loss\n1,2\n2,1,7\n3,1\n"),
    ("R102", "train.jsonl", "{\"step\": 1, \"loss\": 2}\n{\"step\": 2, \"loss\"}\n"),
    (
        "R102",
        "more.jsonl",
        "{\"id\": 1, \"acc\": 1}\n{\"id\" 2, \"acc\": 0}\n{\"id\": 3, \"acc\": 1}\n",
    ),
    ("R103", "more.jsonl", "{\"id\": 1, \"acc\": 1}\n{\"id\": 2, \"a"),
    ("R103", "train.jsonl", "{\"step\": 1, \"loss\": 2}\n{\"step\": 2, \"lo"),
    ("R108", "more.jsonl", LONG_LINE),
];
const LONG_LINE: &str = "{\"id\": 1, \"acc\": 1}\n{\"id\": 2, \"acc\": 1}\n";

#[test]
fn what_was_left_out_of_files_closes_the_gates_in_one_arm_and_in_both_alike() {
    for (code, name, content) in PARTED {
        for arms in [&["a"][..], &["b"], &["a", "b"]] {
            let runs = equal_runs();
            for arm in arms {
                let long = if *code == "R108" {
                    format!("{{\"id\": 3, \"x\": \"{}\"}}\n", "x".repeat(2 << 20))
                } else {
                    String::new()
                };
                runs.write(format!("{arm}/{name}"), format!("{content}{long}"));
            }
            let case = format!("{code} {name} {arms:?}");
            let limited = ["--limit", "line-mib=1"];
            let ended = compare(&runs, &limited);
            assert!(ended.err.contains(&format!("[{code}]")), "{case}: {}", ended.err);
            assert_eq!(ended.status, 3, "{case}: {}", ended.err);
            assert!(!outcomes(&ended).values().any(|one| one == "pass"), "{case}: {}", ended.err);
            let accepted = compare(&runs, &[&limited[..], &["--accept", code]].concat());
            assert!(
                !accepted.err.contains("of the runs could not be read"),
                "{case}: {}",
                accepted.err
            );
        }
    }
}

const ALL: [&str; 3] = ["not-gateable"; 3];
const NONE: [&str; 3] = ["pass"; 3];

#[test]
fn a_file_that_only_the_other_arm_has_in_a_known_shape_closes_the_gates() {
    let runs = equal_runs();
    runs.write("a/math.csv", "name,remark\nx,y\n");
    check("unlike", &compare(&runs, &[]), NONE);
    runs.write("b/math.csv", "id,acc\n1,1\n2,1\n");
    check("read", &compare(&runs, &[]), ALL);
}

#[test]
fn what_is_too_long_to_be_recognised_closes_the_gates_and_is_said() {
    let long = "x".repeat(9 << 20);
    for (name, content) in [
        ("math.jsonl", format!("{{\"id\": 1, \"prompt\": \"{long}\"")),
        ("math.json", format!("{{\"note\": \"{long}\", \"accuracy\": 0.5}}")),
        ("math.csv", format!("id,{long},acc\n1,1,1\n")),
        ("late.jsonl", format!("{}{{\"id\": 1, \"acc\": 1}}\n", " ".repeat(17 << 20))),
    ] {
        let runs = equal_runs();
        runs.write(format!("a/{name}"), &content);
        runs.write(format!("b/{name}"), &content);
        let ended = compare(&runs, &[]);
        assert!(ended.err.contains("[R122]"), "{name}: {}", ended.err);
        assert!(!ended.err.contains("empty") && !ended.err.contains("no JSON objects"));
        check(name, &ended, ALL);
    }
}

#[test]
fn a_data_file_with_lines_that_are_no_records_is_compared_by_all_of_its_bytes() {
    let runs = equal_runs();
    for arm in ["a", "b"] {
        runs.write(format!("{arm}/config.yaml"), format!("{CONFIG}train_file: train.jsonl\n"));
        runs.write(format!("{arm}/train.jsonl"), "{\"a\": 1}\n{\"a\"\n{\"a\": 3}\n");
    }
    let ended = compare(&runs, &[]);
    assert!(ended.err.contains("R102"), "{}", ended.err);
    check("data", &ended, ["pass", "pass", "pass"]);
}

#[test]
fn a_data_file_that_could_not_be_read_closes_the_gate_that_compares_data() {
    let elsewhere = Directory::of([("outside.jsonl", "{}\n")]);
    for file in ["train.parquet".to_owned(), elsewhere.word("outside.jsonl")] {
        let runs = equal_runs();
        for run in ["a", "b"] {
            runs.write(format!("{run}/config.yaml"), format!("{CONFIG}train_file: {file}\n"));
            if file == "train.parquet" {
                runs.write(format!("{run}/{file}"), "PAR1 and nothing else");
            }
        }
        check(&file, &compare(&runs, &[]), ["not-gateable", "pass", "pass"]);
    }
}

#[test]
fn what_the_user_answers_for_does_not_close_a_gate() {
    let broken = equal_runs();
    broken.write("b/results.json", "{\"results\": {");
    check("broken", &compare(&broken, &[]), ["not-gateable", "not-gateable", "not-gateable"]);
    check("accepted", &compare(&broken, &["--accept", "R102"]), ["pass", "pass", "pass"]);
    let silent = equal_runs();
    std::fs::remove_file(silent.path("b/config.yaml")).expect("a file");
    check("accepted", &compare(&silent, &["--accept", "R224"]), ["pass", "pass", "pass"]);
}

#[test]
fn files_past_a_limit_can_be_accepted_as_the_run_they_are_of() {
    let runs = equal_runs();
    runs.write("a/z.json", "{\"accuracy\": 0.5}");
    let limited = ["--limit", "files=2"];
    check("past", &compare(&runs, &limited), ["not-gateable", "not-gateable", "not-gateable"]);
    let accepted = [&limited[..], &["--accept", "R116"]].concat();
    check("accepted", &compare(&runs, &accepted), ["pass", "pass", "pass"]);
    let of_another = [&limited[..], &["--accept", "R116:b"]].concat();
    check("b", &compare(&runs, &of_another), ["not-gateable", "not-gateable", "not-gateable"]);
}

#[test]
fn what_is_accepted_of_a_file_does_not_count_for_one_whose_name_ends_like_it() {
    let runs = equal_runs();
    runs.write("b/eval_config.yaml", "a: [");
    let file = std::fs::File::create(runs.path("b/config.yaml")).expect("a file");
    file.set_len(300 << 20).expect("a sparse file");
    let accepted = ["--accept", "R102", "--accept", "R224"];
    check("R102", &compare(&runs, &accepted), ["not-gateable", "not-gateable", "not-gateable"]);
    let accepted = [&accepted[..], &["--accept", "R117"]].concat();
    check("R117", &compare(&runs, &accepted), ["pass", "pass", "pass"]);
}

#[test]
fn what_a_gate_found_is_said_before_what_it_could_not_see() {
    let runs = equal_runs();
    runs.write("b/config.yaml", "judge: other\nnum_fewshot: 0\n");
    runs.write("b/results.json", "{\"results\": {");
    let ended = compare(&runs, &[]);
    let said = "1 of 1 candidate is confounded or not comparable with the baseline, wholly or in \
                part; also, 1 file of the runs could not be read";
    assert!(ended.err.contains(said), "{}", ended.err);
}

/// Scores that are others for each run.
fn scores(of: usize) -> String {
    let line = |id: usize| {
        let correct = (id * 7 + of * 5 + id / (of + 2)).is_multiple_of(3);
        format!("{{\"id\": {id}, \"correct\": {correct}}}\n")
    };
    (0..40).map(line).collect()
}

#[test]
fn a_run_of_a_directory_whose_results_cannot_be_read_closes_the_gates() {
    let gate = |last: &[u8]| {
        let directory = Directory::of([("reportgen.toml", "")]);
        for (at, run) in ["a0", "a1", "b0", "b1"].iter().enumerate() {
            let config = format!("lr: 0.{}\nseed: {}\n", 1 + at / 2, at % 2);
            directory.write(format!("runs/{run}/config.yaml"), config);
            directory.write(format!("runs/{run}/samples.jsonl"), scores(at));
        }
        directory.write("runs/b2/config.yaml", "lr: 0.2\nseed: 2\n");
        directory.write("runs/b2/samples.jsonl", last);
        let runs = directory.word("runs");
        reportgen(["compare", &runs, "--across", "lr", "--fail-on", "regression,mismatch"])
    };
    let sound = gate(scores(4).as_bytes());
    assert_eq!(sound.status, 0, "{sound:?}");
    let noise = b"\x8f\x01\xfe\x7f\x03garbage\n\x00\x01";
    for (what, bytes) in [("noise", &noise[..]), ("zeros", &[0; 60])] {
        let ended = gate(bytes);
        assert_eq!(ended.status, 3, "{what} {ended:?}");
        assert!(ended.err.contains("b2/samples.jsonl"), "{what} {ended:?}");
    }
}

#[test]
fn a_run_of_a_directory_that_lies_too_deep_closes_the_gates_beside_deep_files_of_others() {
    let directory = Directory::of([("reportgen.toml", "")]);
    for (at, run) in ["a0", "a1", "b0", "b1", "x/y/z/b2"].iter().enumerate() {
        let config = format!("lr: 0.{}\nseed: {}\n", 1 + at / 2, at % 2);
        directory.write(format!("runs/{run}/config.yaml"), config);
        directory.write(format!("runs/{run}/samples.jsonl"), scores(at));
        directory.write(format!("runs/{run}/u/v/notes.txt"), "deep");
    }
    let (config, runs) = (directory.word("reportgen.toml"), directory.word("runs"));
    let words = ["compare", "--config", &config, &runs, "--across", "lr", "--limit", "depth=2"];
    let ended = reportgen(words.into_iter().chain(["--fail-on", "mismatch"]));
    assert_eq!(ended.status, 3, "{ended:?}");
    assert!(ended.err.contains("runs/x/y/z: warning[R116]"), "{ended:?}");
}

#[test]
fn results_of_a_program_in_a_file_that_is_none_of_its_own_close_the_gates() {
    for name in ["more.parquet", "more.eval", "run-1.wandb", "events.out.tfevents.1.host"] {
        let runs = equal_runs();
        for arm in ["a", "b"] {
            runs.write(format!("{arm}/{name}"), b"version https://git-lfs.github.com/spec/v1\n");
        }
        let words = ["a", "b"].map(|arm| runs.word(arm));
        let ended = reportgen(["compare", &words[0], &words[1], "--fail-on", "regression"]);
        assert!(ended.status == 3 && ended.err.contains(name), "{name}: {ended:?}");
    }
}

#[test]
fn a_drop_that_a_grouping_of_the_candidate_alone_leaves_undecided_is_not_let_through() {
    let samples = |right: fn(usize) -> bool, grouped: bool| -> String {
        let group = |i: usize| if i < 5 { format!("own-{i}") } else { "all".to_owned() };
        let record = |i: usize| {
            let mut record =
                serde_json::json!({ "id": format!("q{i}"), "acc": u8::from(right(i)) });
            if grouped {
                record["cluster"] = group(i).into();
            }
            format!("{record}\n")
        };
        (0..200).map(record).collect()
    };
    let [most, few]: [fn(usize) -> bool; 2] = [|i| i % 5 != 0, |i| i % 10 == 1];
    for (groups, outcome) in
        [([false, false], "fail"), ([true, true], "inconclusive"), ([false, true], "not-gateable")]
    {
        let runs = equal_runs();
        runs.write("a/samples.jsonl", samples(most, groups[0]));
        runs.write("b/samples.jsonl", samples(few, groups[1]));
        let ended = compare(&runs, &[]);
        assert_eq!(outcomes(&ended)["regression"], outcome, "{groups:?}: {}", ended.err);
    }
}
