//! What a run may reach: its own files and the user's directories, and no file of anybody else's.

use std::os::unix::fs::symlink;
use std::process::Command;

use crate::command::{Ended, json, program, reportgen};
use crate::directory::Directory;
use crate::report::codes;

const SAMPLES: &str = "{\"id\": 1, \"acc\": 1}\n{\"id\": 2, \"acc\": 0}\n{\"id\": 3, \"acc\": 1}\n";
const PRIVATE: &str = "{\"salary\": 123456}\n{\"salary\": 123458}\n";

/// Two runs in `runs/`, and a file in `private/` that neither may show.
pub(crate) fn runs(config: &str) -> Directory {
    Directory::of([
        ("reportgen.toml", ""),
        ("runs/a/samples.jsonl", SAMPLES),
        ("runs/b/samples.jsonl", SAMPLES),
        ("runs/a/config.yaml", "lr: 1\n"),
        ("runs/b/config.yaml", config),
        ("private/secret.jsonl", PRIVATE),
        ("private/config.json", "{\"pager_number\": 5550123}"),
    ])
}

pub(crate) fn compare(runs: &Directory, more: &[&str]) -> Ended {
    let words = ["reportgen.toml", "runs/a", "runs/b"].map(|word| runs.word(word));
    let [config, a, b] = words.each_ref().map(String::as_str);
    let own = ["compare", "--format", "json", "--config", config, a, b];
    reportgen(own.into_iter().chain(more.iter().copied()))
}

fn shows_private(ended: &Ended) -> bool {
    ["salary", "12345", "pager_number", "5550123"].iter().any(|word| ended.out.contains(word))
}

#[test]
fn a_data_file_outside_is_not_read_until_its_directory_is_named() {
    for named in [
        "train_file: ../../private/secret.jsonl\n",
        "train_file: PRIVATE/secret.jsonl\n",
        "train_file: [PRIVATE/secret.jsonl]\n",
        "train_file: PRIVATE\n",
        "train_file: \"PRIVATE/*.jsonl\"\n",
        "command: python train.py --train_file PRIVATE/secret.jsonl\n",
    ] {
        let runs = runs("");
        let private = runs.word("private");
        runs.write("runs/b/config.yaml", named.replace("PRIVATE", &private));
        let ended = compare(&runs, &[]);
        assert!(codes(&json(&ended)).contains(&"R169"), "{named}: {}", ended.err);
        assert!(!codes(&json(&ended)).contains(&"R207"), "{named}: {}", ended.err);
        assert!(!ended.out.contains("salary"), "{named}");
        let ended = compare(&runs, &["--data-root", &private]);
        assert!(!codes(&json(&ended)).contains(&"R169"), "{named}: {}", ended.err);
        assert!(ended.out.contains("salary"), "{named}");
        let ended = compare(&runs, &["--data-root", &private, "--untrusted"]);
        assert!(ended.out.contains("salary"), "{named}");
    }
}

#[test]
fn a_file_in_data_beside_the_runs_is_the_users() {
    let runs = runs("train_file: ../../data/train.jsonl\n");
    runs.write("data/train.jsonl", PRIVATE);
    let ended = compare(&runs, &[]);
    assert!(ended.out.contains("salary") && !codes(&json(&ended)).contains(&"R169"));
    let ended = compare(&runs, &["--untrusted"]);
    assert!(!shows_private(&ended) && codes(&json(&ended)).contains(&"R169"));
}

#[test]
fn a_list_of_files_that_hold_no_records_names_no_data() {
    let runs = runs("train_file: [notes.txt]\neval_file: notes.txt\n");
    runs.write("runs/b/notes.txt", "salary 123456\n");
    let report = json(&compare(&runs, &[]));
    assert_eq!(report["runs"][1]["data_files"].as_array().map(Vec::len), Some(0));
}

#[test]
fn a_link_out_of_the_run_is_not_followed_until_its_target_is_named() {
    for (link, target) in [
        ("runs/b/config.json", "private/config.json"),
        ("runs/b/further", "private"),
        ("runs/b/metrics.json", "private/config.json"),
    ] {
        let runs = runs("lr: 1\n");
        symlink(runs.path(target), runs.path(link)).expect("a link");
        let ended = compare(&runs, &["--fail-on", "mismatch"]);
        assert!(codes(&json(&ended)).contains(&"R169"), "{link}: {}", ended.err);
        assert!(!shows_private(&ended), "{link}");
        assert_eq!(ended.status, 3, "{link}: {}", ended.err);
        let root = runs.word("private");
        let ended = compare(&runs, &["--data-root", &root]);
        assert!(!codes(&json(&ended)).contains(&"R169"), "{link}: {}", ended.err);
    }
}

#[test]
fn of_strangers_no_file_with_a_second_name_is_read_and_of_others_any_is() {
    let config = "train_file: data.jsonl\n";
    for (link, target) in [
        ("runs/b/config.json", "private/config.json"),
        ("runs/b/data.jsonl", "private/secret.jsonl"),
    ] {
        let runs = runs(config);
        std::fs::hard_link(runs.path(target), runs.path(link)).expect("a link");
        let ended = compare(&runs, &["--untrusted", "--fail-on", "mismatch"]);
        assert!(codes(&json(&ended)).contains(&"R169"), "{link}: {}", ended.err);
        assert!(!shows_private(&ended), "{link}");
        assert_eq!(ended.status, 3, "{link}: {}", ended.err);
        assert!(!codes(&json(&compare(&runs, &[]))).contains(&"R169"), "{link}");
        std::fs::remove_file(runs.path(target)).expect("the other name");
        let ended = compare(&runs, &["--untrusted"]);
        assert!(!codes(&json(&ended)).contains(&"R169"), "{link}: {}", ended.err);
    }
}

#[test]
fn links_within_a_run_and_links_to_weights_are_nothing_to_speak_of() {
    let runs = runs("lr: 1\n");
    symlink(runs.path("runs/b/samples.jsonl"), runs.path("runs/b/latest.jsonl")).expect("a link");
    symlink(runs.path("private/secret.jsonl"), runs.path("runs/b/model.bin")).expect("a link");
    symlink(runs.path("runs"), runs.path("runs/b/back")).expect("a link");
    let found = json(&compare(&runs, &["--fail-on", "mismatch"]));
    assert!(!codes(&found).contains(&"R101"), "{:?}", codes(&found));
}

#[test]
fn a_link_to_what_is_passed_over_in_the_run_is_followed_and_of_strangers_told() {
    for (hidden, link, target) in [
        (".cache/config.yaml", "config.yaml", ".cache/config.yaml"),
        (".cache/h/config.yaml", ".hydra", ".cache/h"),
        ("node_modules/config.yaml", "params.yaml", "node_modules/config.yaml"),
        ("settings.bin", "hparams.yaml", "settings.bin"),
    ] {
        let runs = runs("lr: 1\n");
        std::fs::remove_file(runs.path("runs/b/config.yaml")).expect("a file");
        runs.write(format!("runs/b/{hidden}"), "lr: 1\njudge: gpt-9\n");
        symlink(target, runs.path(format!("runs/b/{link}"))).expect("a link");
        let words = ["--fail-on", "mismatch", "--detail", "full"];
        let ended = compare(&runs, &words);
        assert!(ended.out.contains("gpt-9"), "{link}: {}", ended.err);
        let ended = compare(&runs, &[&words[..], &["--untrusted"]].concat());
        assert!(codes(&json(&ended)).contains(&"R169"), "{link}: {}", ended.err);
        assert_eq!(ended.status, 3, "{link}: {}", ended.err);
    }
}

#[test]
fn data_that_is_named_by_an_address_or_a_variable_is_said_not_to_be_opened() {
    for name in [
        "~/data/train.jsonl",
        "~/data/set",
        "$HOME/train.jsonl",
        "${DATA}/train.jsonl",
        "s3://bucket/train.jsonl",
        "gs://bucket/set",
        "hf://datasets/me/set",
        "https://host/train.jsonl",
    ] {
        let runs = runs(&format!("train_file: \"{name}\"\n"));
        runs.write("runs/a/config.yaml", format!("train_file: \"{name}\"\n"));
        let ended = compare(&runs, &[]);
        assert!(ended.out.contains("was not opened"), "{name}: {}", ended.err);
        assert!(!ended.out.contains("is not on this machine"), "{name}");
        runs.write("runs/a/config.yaml", format!("train_file: \"{name}x.jsonl\"\n"));
        let ended = compare(&runs, &["--vary", "lr"]);
        let found = json(&ended);
        assert!(codes(&found).iter().any(|code| ["R201", "R206"].contains(code)), "{name}");
    }
}

#[test]
fn of_strangers_nothing_shows_whether_a_name_outside_exists() {
    for named in ["data.jsonl", "data", "\"d*.jsonl\"", "data/../data.jsonl"] {
        let runs = runs(&format!("train_file: {named}\n"));
        runs.write("runs/b/real/x.jsonl", PRIVATE);
        let through = |below: &str| format!("../../private/../runs/b/{below}");
        symlink(through("real/x.jsonl"), runs.path("runs/b/data.jsonl")).expect("a link");
        symlink(through("real"), runs.path("runs/b/data")).expect("a link");
        let words = ["--untrusted", "--fail-on", "mismatch"];
        let there = compare(&runs, &words);
        std::fs::remove_dir_all(runs.path("private")).expect("a directory");
        let gone = compare(&runs, &words);
        assert_eq!((there.out, there.err), (gone.out, gone.err), "{named}");
    }
}

#[test]
fn of_strangers_a_link_that_stays_in_the_run_is_nothing_to_speak_of() {
    let runs = runs("lr: 1\n");
    runs.write("runs/b/step-1/metrics.json", "{\"accuracy\": 0.5}");
    symlink("step-1/metrics.json", runs.path("runs/b/best.json")).expect("a link");
    symlink("step-1", runs.path("runs/b/latest")).expect("a link");
    assert!(!codes(&json(&compare(&runs, &["--untrusted"]))).contains(&"R169"));
    symlink("step-2", runs.path("runs/b/newest.json")).expect("a link to nothing");
    assert!(codes(&json(&compare(&runs, &["--untrusted"]))).contains(&"R169"));
}

#[test]
fn of_strangers_no_link_is_followed_and_no_configuration_is_taken_from_where_they_lie() {
    let runs = runs("lr: 1\n");
    runs.write("runs/b/more/metrics.json", "{\"accuracy\": 0.5}");
    runs.write("runs/b/reportgen.toml", "lang = \"zh\"\n[[metric]]\nname = \"x\"\nwrong = 1\n");
    let run = |more: &[&str]| {
        let mut command = program();
        command.current_dir(runs.path("runs/b")).args(["check", "../a", "."]).args(more);
        command.output().expect("runs").status.code()
    };
    assert_eq!(run(&[]), Some(2));
    assert_eq!(run(&["--untrusted"]), Some(0));
    let declared = "[report.mine]\nfrom = \"check\"\ntemplate = \"mine.md.j2\"\n";
    runs.write("runs/b/reportgen.toml", declared);
    runs.write("runs/b/mine.md.j2", "drawn by a stranger");
    let report = |more: &[&str]| {
        let mut command = program();
        command.current_dir(runs.path("runs/b")).args(["report", "mine", "../a", "."]).args(more);
        String::from_utf8(command.output().expect("runs").stdout).expect("UTF-8")
    };
    assert!(report(&[]).contains("drawn by a stranger"));
    assert_eq!(report(&["--untrusted"]), "");
}

#[test]
fn of_strangers_no_link_is_followed_that_a_pattern_matches() {
    let runs = runs("lr: 1\n");
    runs.write("private/samples.jsonl", SAMPLES);
    runs.write("runs/c/samples.jsonl", SAMPLES);
    symlink(runs.path("private"), runs.path("runs/d")).expect("a link");
    symlink(runs.path("."), runs.path("more")).expect("a link");
    let told = |arm: &str, more: &[&str]| {
        let mut command = program();
        let words = ["compare", "--format", "json", "--arm", "a=runs/a", "--arm", arm];
        command.current_dir(runs.path("")).args(words).args(more);
        let ended = command.output().expect("runs");
        let out = String::from_utf8(ended.stdout).expect("UTF-8");
        (ended.status.code(), out.contains("5550123"))
    };
    for arm in ["b=runs/[cd]", "b=runs/d", "b=runs::[cd]", "b=mor*/private"] {
        let (status, is_shown) = told(arm, &["--untrusted"]);
        assert!(status == Some(4) && !is_shown, "{arm}: {status:?}");
        assert_eq!(told(arm, &[]), (Some(0), true), "{arm}");
    }
    assert_eq!(told("b=runs/c", &["--untrusted"]), (Some(0), false));
}

#[test]
fn of_strangers_no_command_follows_a_link_however_it_is_named() {
    let runs = runs("lr: 1\n");
    runs.write("private/samples.jsonl", SAMPLES);
    runs.write("private/train.log", "ERROR 5550123\n");
    symlink(runs.path("private"), runs.path("runs/d")).expect("a link");
    std::fs::hard_link(runs.path("private/samples.jsonl"), runs.path("runs/e.jsonl"))
        .expect("a link");
    let told = |words: &[&str]| {
        let mut command = program();
        command.current_dir(runs.path("")).args(words);
        let ended = command.output().expect("runs");
        let text = [ended.stdout, ended.stderr].concat();
        (ended.status.code(), String::from_utf8_lossy(&text).contains("5550123"))
    };
    for words in [
        &["metrics", "runs/d"][..],
        &["metrics", "runs/e.jsonl"],
        &["handoff", "runs/d"],
        &["quality", "runs/d"],
        &["quality", "runs/d/train.log"],
        &["inspect", "runs/d/"],
        &["compare", "runs/a", "runs/d/."],
        &["compare", "runs/a/samples.jsonl", "runs/e.jsonl"],
    ] {
        let (status, is_shown) = told(&[words, &["--untrusted"]].concat());
        assert!(matches!(status, Some(2 | 4)) && !is_shown, "{words:?}: {status:?}");
    }
    let named = ["metrics", "runs/e.jsonl", "--untrusted", "--data-root", "runs"];
    assert_eq!(told(&named).0, Some(0));
    std::fs::create_dir(runs.path("runs/c")).expect("a directory");
    symlink(runs.path("private/config.json"), runs.path("runs/c/config.json")).expect("a link");
    assert_eq!(told(&["handoff", "runs/c", "--untrusted"]).0, Some(4));
}

#[test]
fn of_many_directories_behind_links_a_bounded_number_is_walked() {
    let runs = runs("lr: 1\n");
    for level in 0..9 {
        let here = runs.path(format!("private/{level}"));
        std::fs::create_dir_all(&here).expect("a directory");
        for name in 0..10 {
            let below = runs.path(format!("private/{}", level + 1));
            symlink(below, here.join(name.to_string())).expect("a link");
        }
    }
    std::fs::create_dir_all(runs.path("private/9")).expect("a directory");
    let root = runs.word("private");
    symlink(runs.path("private/0"), runs.path("runs/b/deep")).expect("a link");
    let ended = compare(&runs, &["--data-root", &root, "--limit", "files=500"]);
    assert!(codes(&json(&ended)).contains(&"R116"), "{}", ended.err);
    assert!(ended.out.contains("--limit files=NUMBER"), "{}", ended.out);
}

#[test]
fn a_limit_is_said_with_the_flag_that_raises_it() {
    let runs = runs("lr: 1\n");
    runs.write("runs/b/1/2/3/metrics.json", "{\"f1\": 0.5}");
    for (limit, raised, code) in [("depth=2", "depth=3", "R116"), ("files=2", "files=3", "R116")] {
        let ended = compare(&runs, &["--limit", limit]);
        assert!(codes(&json(&ended)).contains(&code), "{limit}: {}", ended.err);
        let ended = compare(&runs, &["--limit", raised]);
        assert!(!codes(&json(&ended)).contains(&code), "{raised}: {}", ended.err);
    }
    for wrong in ["depth", "depth=0", "depth=many", "deep=3"] {
        assert_eq!(compare(&runs, &["--limit", wrong]).status, 2, "{wrong}");
    }
    let ended = compare(&runs, &["--limit", "dept=3"]);
    assert!(ended.err.contains("--limit: no limit is called `dept`"), "{}", ended.err);
    assert!(ended.err.contains("did you mean `depth`"), "{}", ended.err);
}

#[test]
fn more_settings_figures_or_lines_than_a_run_may_hold_are_left_out_and_close_the_gates() {
    let runs = runs("lr: 1\nwarmup: 3\ndropout: 0\n");
    runs.write("runs/b/metrics.json", "{\"f1\": 0.5, \"bleu\": 0.4, \"accuracy\": 0.1}");
    for (limit, enough) in [("keys=2", "keys=3"), ("figures=2", "figures=3")] {
        let fail_on = ["--fail-on", "mismatch", "--accept", "R202"];
        let ended = compare(&runs, &[&fail_on[..], &["--limit", limit]].concat());
        assert!(codes(&json(&ended)).contains(&"R116"), "{limit}: {}", ended.err);
        assert_eq!(ended.status, 3, "{limit}: {}", ended.err);
        let ended = compare(&runs, &[&fail_on[..], &["--limit", enough]].concat());
        assert!(!codes(&json(&ended)).contains(&"R116"), "{enough}: {}", ended.err);
    }
    let sets = (0..4).map(|i| format!("{{\"id\": 1, \"dataset\": \"d{i}\", \"acc\": 1}}\n"));
    runs.write("runs/b/sets.jsonl", sets.collect::<String>());
    let ended = compare(&runs, &["--fail-on", "mismatch", "--limit", "figures=3"]);
    assert!(ended.err.contains("R116") && ended.status == 3, "{}", ended.err);
    runs.write("runs/b/train.log", "step 1 ERROR: out of memory\n".repeat(40_000));
    let quality = |limit: &str| {
        reportgen(["quality", &runs.word("runs/b"), "--format", "json", "--limit", limit])
    };
    let ended = quality("lines=1000");
    assert!(codes(&json(&ended)).contains(&"R116"), "{}", ended.err);
    let ended = quality("lines=40000");
    assert!(!codes(&json(&ended)).contains(&"R116"), "{}", ended.err);
}

#[test]
fn more_metrics_than_a_file_may_hold_are_left_out_and_close_the_gates() {
    let curves = |line: usize| format!("step: {line} loss: 0.5 acc_{line}: 1.5 lr: 0.1\n");
    let scores = |id: usize| format!("{{\"id\": {id}, \"acc\": {}, \"score_{id}\": 1}}\n", id % 2);
    for (name, content, all) in [
        ("train.log", (1..=3).map(curves).collect::<String>(), 5),
        ("more.jsonl", (1..=3).map(scores).collect::<String>(), 4),
    ] {
        let runs = runs("lr: 1\n");
        for run in ["a", "b"] {
            runs.write(format!("runs/{run}/{name}"), &content);
        }
        let fail_on = ["--fail-on", "mismatch", "--limit"];
        let fewer = format!("metrics={}", all - 1);
        let ended = compare(&runs, &[&fail_on[..], &[&fewer]].concat());
        assert!(codes(&json(&ended)).contains(&"R116"), "{name}: {}", ended.err);
        assert_eq!(ended.status, 3, "{name}: {}", ended.err);
        let ended = compare(&runs, &[&fail_on[..], &[&format!("metrics={all}")]].concat());
        assert!(!codes(&json(&ended)).contains(&"R116"), "{name}: {}", ended.err);
        assert_eq!(ended.status, 0, "{name}: {}", ended.err);
    }
}

#[test]
fn however_often_a_file_is_at_fault_the_findings_about_it_are_few() {
    let lines = |line: &str| line.repeat(2000);
    for (code, name, content) in [
        ("R112", "config.yaml", lines("lr: 1\n")),
        ("R102", "grid.csv", format!("task,acc,n\n{}", lines("gsm8k,0.5\n"))),
        ("R102", "table.csv", format!("task,acc,n\nmath,0.5,9\n{}", lines("gsm8k,oops,7\n"))),
        ("R160", "table.csv", format!("task,acc,n\n{}", lines("gsm8k,0.5,1e30\n"))),
        ("R102", "train.jsonl", format!("{{\"step\": 1, \"loss\": 2}}\n{}", lines("{\"st\"}\n"))),
        ("R102", "more.jsonl", format!("{SAMPLES}{}", lines("{\"id\"}\n"))),
    ] {
        let runs = runs("lr: 1\n");
        runs.write(format!("runs/b/{name}"), content);
        let found = json(&compare(&runs, &[]));
        let all = codes(&found).into_iter().filter(|found| *found == code).count();
        assert_eq!(all, 6, "{code} {name}: {:?}", codes(&found));
    }
}

#[test]
fn limits_and_directories_stand_in_the_configuration_too() {
    let runs = runs("train_file: ../../private/secret.jsonl\n");
    runs.write("reportgen.toml", "data_root = \"private\"\n[limits]\nfiles = 1\n");
    let ended = compare(&runs, &[]);
    let found = json(&ended);
    assert!(codes(&found).contains(&"R116") && !codes(&found).contains(&"R169"), "{}", ended.err);
    runs.write("reportgen.toml", "[limits]\nfile = 1\n");
    let ended = compare(&runs, &[]);
    assert_eq!(ended.status, 2);
    assert!(ended.err.contains("no limit is called `file`"), "{}", ended.err);
}

#[test]
fn a_pipe_in_a_run_is_not_waited_for() {
    let runs = runs("lr: 1\n");
    let made = Command::new("mkfifo").arg(runs.path("runs/b/results.json")).status();
    assert!(made.expect("mkfifo").success());
    assert!(codes(&json(&compare(&runs, &[]))).contains(&"R101"));
}

/// Compresses bytes that are written piece by piece.
pub(crate) fn gzip(write: impl FnOnce(&mut dyn std::io::Write)) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    write(&mut encoder);
    encoder.finish().expect("compresses")
}

#[test]
fn one_row_without_end_is_not_held_in_memory() {
    let runs = runs("lr: 1\n");
    let bomb = gzip(|out| {
        out.write_all(b"id,acc,text\n1,1,ok\n2,0,\"").expect("writes");
        let piece = vec![b'x'; 1 << 20];
        (0..40).for_each(|_| out.write_all(&piece).expect("writes"));
        out.write_all(b"\"\n3,1,ok\n").expect("writes");
    });
    runs.write("runs/b/samples.csv.gz", bomb);
    std::fs::remove_file(runs.path("runs/b/samples.jsonl")).expect("a file");
    let unpacks = ["--limit", "inflation=2000"];
    let ended = compare(&runs, &[&unpacks[..], &["--limit", "line-mib=8"]].concat());
    assert!(ended.err.contains("a row is longer than --limit line-mib=8 allows"), "{}", ended.err);
    let ended = compare(&runs, &unpacks);
    assert!(!ended.err.contains("R101"), "{}", ended.err);
}

#[test]
fn the_files_of_a_run_share_the_limit_of_records() {
    let runs = runs("lr: 1\n");
    let rows = |file: usize| -> String {
        let row = |id: usize| format!("{{\"id\": \"{file}-{id}\", \"acc\": {}}}\n", id % 2);
        (0..1000).map(row).collect()
    };
    for run in ["a", "b"] {
        std::fs::remove_file(runs.path(format!("runs/{run}/samples.jsonl"))).expect("a file");
        (0..40)
            .for_each(|file| runs.write(format!("runs/{run}/samples_{file:02}.jsonl"), rows(file)));
    }
    let fail_on = ["--fail-on", "missing", "--limit"];
    let ended = compare(&runs, &[&fail_on[..], &["records=39_999"]].concat());
    let first = "samples_00.jsonl";
    assert!(ended.err.contains("records=39999") && ended.err.contains(first), "{}", ended.err);
    assert_eq!(ended.status, 3, "{}", ended.err);
    let ended = compare(&runs, &[&fail_on[..], &["records=40_000"]].concat());
    assert_eq!(ended.status, 0, "{}", ended.err);
    assert!(!codes(&json(&ended)).contains(&"R116"), "{}", ended.err);
}

#[test]
fn records_past_the_limit_are_left_out_and_close_the_gates() {
    let line = |id: usize| format!("{{\"id\": {id}, \"acc\": {}}}\n", id % 2);
    let table = |id: usize| format!("{id},{}\n", id % 2);
    let many: String = (0..30_000).map(line).collect();
    let sheet = format!("id,acc\n{}", (0..30_000).map(table).collect::<String>());
    for (name, content) in [("samples.jsonl", many.as_bytes()), ("samples.csv", sheet.as_bytes())] {
        let runs = runs("lr: 1\n");
        for run in ["a", "b"] {
            std::fs::remove_file(runs.path(format!("runs/{run}/samples.jsonl"))).expect("a file");
            runs.write(format!("runs/{run}/{name}"), content);
        }
        let fail_on = ["--fail-on", "missing"];
        let ended = compare(&runs, &[&fail_on[..], &["--limit", "records=20_000"]].concat());
        assert!(codes(&json(&ended)).contains(&"R116"), "{name}: {}", ended.err);
        assert_eq!(ended.status, 3, "{name}: {}", ended.err);
        let ended = compare(&runs, &fail_on);
        assert_eq!(ended.status, 0, "{name}: {}", ended.err);
    }
}
