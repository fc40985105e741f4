//! What the shipped examples must say, independent of wording and layout, and that they say the
//! same bytes on any number of threads and in any order of files.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use walkdir::WalkDir;

use crate::command::{json, program, reportgen};
use crate::difference::assert_same;
use crate::directory::Directory;
use crate::report::{comparisons, finding};

const KL_BETA: [&str; 5] =
    ["compare", "fixtures/kl_beta/kl-0.15", "fixtures/kl_beta/kl-0.12", "--vary", "kl_beta"];

fn kl_beta() -> Value {
    json(&reportgen(KL_BETA.into_iter().chain(["--format", "json"])))
}

#[test]
fn kl_beta_is_confounded_by_its_base_checkpoint_and_its_data() {
    let report = kl_beta();
    let comparability = &report["comparability"];
    assert_eq!(comparability["grade"], "confounded");
    assert_eq!(comparability["factors"], serde_json::json!(["kl_beta"]));
    let residue = comparability["residue"].as_array().expect("residue");
    let keys_that = |moves: bool| -> Vec<&str> {
        let with = residue.iter().filter(|one| one["can_move_metric"] == moves);
        with.map(|one| one["key"].as_str().expect("a key")).collect()
    };
    assert_eq!(keys_that(true), ["base_checkpoint", "rl_data"]);
    assert_eq!(keys_that(false), ["output_dir", "evaluated_at"]);
}

#[test]
fn kl_beta_tells_the_quality_of_the_data_and_the_evaluation_that_did_not_move() {
    let report = kl_beta();
    let quality = &finding(&report, "R208")["evidence"];
    assert_eq!(quality["baseline"], serde_json::json!({ "count": 664, "of": 800 }));
    assert_eq!(quality["candidate"], serde_json::json!({ "count": 5, "of": 800 }));
    assert_eq!(quality["baseline_detail"], serde_json::json!({ "value": 83.0, "unit": "percent" }));
    let unmoved = &finding(&report, "R217")["evidence"];
    assert_eq!(unmoved["run"], "kl-0.15");
    assert_eq!((&unmoved["equal"], &unmoved["shared"]), (&10.into(), &16.into()));
}

#[test]
fn kl_beta_has_4_differences_no_verdict_and_the_sizes_that_a_verdict_would_take() {
    let report = kl_beta();
    let mut differences = Vec::new();
    for one in comparisons(&report) {
        let dims = &one["dims"];
        assert!(one["verdict"] != "better" && one["verdict"] != "worse", "{dims}");
        let there = dims["epoch"] == 1 && dims["samples"] == 200;
        assert_eq!(there, !one["delta"].is_null(), "{dims}");
        if there {
            assert_eq!(one["baseline"]["n"], 200);
            assert_eq!(one["delta"]["unit"], "pp");
            assert_eq!(one["verdict"], "inconclusive");
            differences
                .push((one["delta"]["absolute"].as_f64().expect("a number"), &one["needed_n"]));
        } else {
            assert_eq!(
                (&one["verdict"], &one["reason"]),
                (&"not-assessable".into(), &"missing-value".into())
            );
        }
    }
    let expected = [-1.8, -0.5, 1.2, 0.0];
    assert_eq!(differences.len(), expected.len());
    for ((found, needed), expected) in differences.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
        assert_eq!(needed.is_u64(), expected != 0.0, "{expected}: {needed}");
    }
}

#[test]
fn kl_beta_in_chinese_shows_the_table_the_mean_and_what_is_missing() {
    let report = reportgen(KL_BETA.into_iter().chain(["--lang", "zh"]));
    assert_eq!(report.status, 0);
    for part in [
        "模型或基础检查点不同，base_checkpoint：rce_epoch_2 与 rce_epoch_5",
        "664/800（83.0%）",
        "5/800（0.6%）",
        "| **200** | **1** | 58.8% | 57.0% | -1.8 pp |",
        "| **200** | **2** | 56.6% | 56.1% | -0.5 pp |",
        "| **200** | **3** | 53.9% | 55.1% | +1.2 pp |",
        "| **200** | **4** | 55.2% | 55.2% | 0.0 pp |",
        "| **100** | 63.2% | 65.8% | 60.8% | 61.8% |",
        "| **100** | ? | ? | ? | ? |",
        "-0.275 pp（4/16，12 项待补）",
        "1/4（12 项待补）",
        "2/4（12 项待补）",
    ] {
        assert!(report.out.contains(part), "{part}\n{}", report.out);
    }
}

fn phases() -> Value {
    let runs = ["compare", "fixtures/phases/phase0", "fixtures/phases/phase1"];
    json(&reportgen(runs.into_iter().chain(["--vary", "model_path", "--format", "json"])))
}

#[test]
fn the_phases_are_compared_problem_by_problem() {
    // McNemar's mid-p of 58 gained and 8 lost, in Python's whole numbers:
    // (2 * sum(comb(66, k) for k in range(9)) - comb(66, 8)) / 2**66
    let mid_p = 1.016_748_503_966_658e-10;
    let report = phases();
    let executed = comparisons(&report)
        .iter()
        .find(|one| one["metric"] == "exec_success_rate" && !one["flips"].is_null())
        .expect("compared sample by sample");
    assert_eq!(
        (&executed["baseline"]["n"], &executed["candidate"]["n"]),
        (&200.into(), &200.into())
    );
    let delta = &executed["delta"];
    assert!((delta["absolute"].as_f64().expect("a number") - 25.0).abs() < 1e-9, "{delta}");
    let [lo, hi] = [0, 1].map(|bound| delta["ci"][bound].as_f64().expect("a bound"));
    assert!(0.0 < lo && lo < 25.0 && 25.0 < hi && hi < 40.0, "{delta}");
    assert_eq!((&executed["flips"]["gained"], &executed["flips"]["lost"]), (&58.into(), &8.into()));
    assert_eq!(executed["pairing"]["paired"], 200);
    let p = executed["test"]["p"].as_f64().expect("a test");
    assert!((p / mid_p - 1.0).abs() < 1e-9, "{p}");
    assert_eq!(executed["verdict"], "better");
}

#[test]
fn grids_read_from_csv_give_the_figures_of_the_grids_in_json() {
    let runs =
        |folder: &str| [format!("fixtures/{folder}/kl-0.15"), format!("fixtures/{folder}/kl-0.12")];
    let figures = |folder: &str| -> Vec<Value> {
        let [baseline, candidate] = runs(folder);
        let report = json(&reportgen([
            "compare", &baseline, &candidate, "--vary", "kl_beta", "--format", "json",
        ]));
        let part = |one: &Value| {
            serde_json::json!([
                one["metric"],
                one["dims"],
                one["unit"],
                one["baseline"]["value"],
                one["candidate"]["value"],
                one["delta"]["absolute"],
                one["verdict"]
            ])
        };
        comparisons(&report).iter().map(part).collect()
    };
    assert_eq!(figures("kl_beta_csv"), figures("kl_beta"));
}

/// What a comparison of two runs of an example writes, and says on both streams.
fn written(example: &str, runs: [&str; 2], is_reversed: bool, threads: &str) -> Vec<String> {
    let source = Path::new("fixtures").join(example);
    let entries = WalkDir::new(&source).sort_by_file_name().into_iter();
    let entries = entries.map(|entry| entry.expect("an entry"));
    let mut files: Vec<PathBuf> = entries
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| entry.path().strip_prefix(&source).expect("below").to_owned())
        .collect();
    assert!(files.len() > 4, "{files:?}");
    if is_reversed {
        files.reverse();
    }
    let directory = Directory::new();
    for below in files {
        directory.write(&below, fs::read(source.join(&below)).expect("read"));
    }
    let mut program = program();
    program.arg("compare").args(runs).args(["--format", "md,html,json,csv", "-o", "out"]);
    program.env("RAYON_NUM_THREADS", threads).current_dir(directory.root());
    let ended = program.output().expect("it runs");
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    let streams =
        [ended.stdout, ended.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
    let reports =
        ["md", "html", "json", "csv"].map(|format| directory.read(format!("out/report.{format}")));
    reports.into_iter().chain(streams).collect()
}

#[test]
fn an_example_is_the_same_bytes_on_any_number_of_threads_and_in_any_order_of_files() {
    for (example, runs) in [("kl_beta", ["kl-0.15", "kl-0.12"]), ("phases", ["phase0", "phase1"])] {
        let first = written(example, runs, false, "1");
        for (is_reversed, threads) in [(false, "4"), (true, "3")] {
            for (one, other) in first.iter().zip(written(example, runs, is_reversed, threads)) {
                assert_same(one, &other);
            }
        }
    }
}
