//! Runs that lie in one table of curves or in files of one directory, and settings that only logs say.

use std::fmt::Write as _;

use crate::command::{assert_said, compared, reportgen};
use crate::directory::Directory;
use crate::report::list;

type Files<'a> = &'a [(&'a str, String)];

/// What `inspect` says of a directory with these files, or of a file below it.
fn inspected(files: Files<'_>, below: &str) -> String {
    let directory = Directory::of(files.iter().map(|(name, content)| (*name, content.as_str())));
    let ended = reportgen(["inspect", &directory.word(below)]);
    ended.err + &ended.out
}

/// Outcomes of forty questions, of which so many of eight are right, from some place on.
fn samples(right: usize, from: usize) -> String {
    (0..40).fold(String::new(), |mut text, id| {
        let correct = u8::from((id * 3 + from) % 8 < right);
        let _ = writeln!(text, "{{\"id\": \"q{id}\", \"correct\": {correct}}}");
        text
    })
}

fn seeds(arm: &'static str, right: usize) -> [(String, String); 3] {
    [0, 1, 2].map(|seed| (format!("{arm}/eval_seed{seed}.jsonl"), samples(right, seed)))
}

#[test]
fn files_that_number_seeds_are_runs_of_one_arm() {
    let directory = Directory::of(seeds("base", 3).into_iter().chain(seeds("tuned", 5)));
    let runs = ["base", "tuned"].map(|arm| directory.word(arm));
    let report = compared(&runs, &[]);
    let [one] = list(&report, "comparisons") else { panic!("{report}") };
    assert_eq!(one["baseline"]["seeds"].as_array().map(Vec::len), Some(3), "{one}");
    assert_eq!(one["baseline"]["value"], 0.375, "{one}");
    let lone = |seed| [format!("{}::seed={seed}", runs[0]), format!("{}::seed={seed}", runs[1])];
    let report = compared(&lone(1), &[]);
    assert_eq!(list(&report, "comparisons")[0]["pairing"]["paired"], 40, "{report}");
    let refused = reportgen(["best", &runs[0]]);
    assert_said(&refused.err, &["holds 3 runs: 0, 1, 2", "reportgen best", "::seed=0"]);
    let pooled = compared(&runs, &["--pool", "seed"]);
    assert_eq!(list(&pooled, "comparisons")[0]["baseline"]["seeds"], serde_json::Value::Null);
}

#[test]
fn what_is_left_out_as_bookkeeping_takes_no_figure_of_a_seed_away() {
    let file = |arm: &str, seed: usize, right: f64| {
        let figures = format!("{{\"eval_accuracy\": {right}, \"eval_runtime\": 1.5}}");
        (format!("{arm}{seed}/eval_results.json"), figures)
    };
    let directory = Directory::of([
        file("base", 0, 0.40),
        file("base", 1, 0.44),
        file("tuned", 0, 0.60),
        file("tuned", 1, 0.64),
    ]);
    let arms = ["base", "tuned"].map(|arm| format!("{arm}={}*", directory.word(arm)));
    let report = compared::<&str>(&[], &["--arm", &arms[0], "--arm", &arms[1]]);
    let [one] = list(&report, "comparisons") else { panic!("{report}") };
    let value = |arm: &str| one[arm]["value"].as_f64().unwrap_or_default();
    assert!((value("baseline") - 0.42).abs() < 1e-12, "{one}");
    assert!((value("candidate") - 0.62).abs() < 1e-12, "{one}");
}

#[test]
fn runs_of_an_arm_at_other_points_than_those_of_the_other_are_told() {
    let told = |epochs: [usize; 4]| {
        let file = |at: usize| {
            let (arm, epoch) = (if at < 2 { "base" } else { "tuned" }, epochs[at]);
            let figures = format!("{{\"accuracy\": 0.{}, \"epoch\": {epoch}}}", at + 4);
            (format!("{arm}{at}/metrics.json"), figures)
        };
        let directory = Directory::of((0..4).map(file));
        let arms = ["base", "tuned"].map(|arm| format!("{arm}={}*", directory.word(arm)));
        reportgen(["check", "--arm", &arms[0], "--arm", &arms[1]]).err
    };
    assert_said(&told([1, 3, 3, 3]), &["R503", "epoch 1, 3", "epoch 3"]);
    assert_said(&told([1, 3, 1, 3]), &["!R503"]);
    assert_said(&told([3, 3, 3, 3]), &["!R503"]);
}

#[test]
fn a_percent_sign_makes_a_rate_of_a_metric_whose_good_side_alone_is_known() {
    let told = |first: &str, second: &str| {
        let directory = Directory::of([
            ("a/metrics.json", format!("{{\"score\": {first}, \"n\": 5000}}")),
            ("b/metrics.json", format!("{{\"score\": {second}, \"n\": 5000}}")),
        ]);
        let runs = ["a", "b"].map(|run| directory.word(run));
        reportgen(["compare", &runs[0], &runs[1], "--higher", "score"]).out
    };
    assert_said(&told("\"0.9%\"", "0.02"), &["0.9% → 2.0% (+1.1 pp", "Better"]);
    assert_said(&told("\"58.8%\"", "\"60.1%\""), &["58.8% → 60.1%"]);
    assert_said(&told("\"120%\"", "\"150%\""), &["!+30.0 pp"]);
    assert_said(&told("58.8", "60.1"), &["58.8 → 60.1"]);
}

#[test]
fn how_long_a_trainer_trained_is_a_setting() {
    let told = |names: [&str; 2], epochs: [f64; 2]| {
        let file = |at: usize| {
            let figures = format!("{{\"epoch\": {}, \"eval_accuracy\": 0.{at}}}", epochs[at]);
            (names[at].to_owned(), figures)
        };
        let directory = Directory::of([file(0), file(1)]);
        let ended = reportgen(["check", &directory.word("a"), &directory.word("b")]);
        ended.err + &ended.out
    };
    let names = ["a/eval_results.json", "b/eval_results.json"];
    assert_said(&told(names, [1.0, 3.0]), &["taken to be epoch"]);
    assert_said(&told(names, [3.0, 3.0]), &["!taken to be epoch"]);
    let saved = ["a/checkpoint-10/eval_results.json", "b/checkpoint-10/eval_results.json"];
    assert_said(&told(saved, [1.0, 3.0]), &["!taken to be epoch"]);
}

#[test]
fn files_with_other_numbers_or_the_same_results_are_of_one_run() {
    let of = |names: [&'static str; 2], contents: [String; 2]| {
        let files: Vec<(&str, String)> = names.into_iter().zip(contents).collect();
        inspected(&files, "")
    };
    let both = || [samples(3, 0), samples(3, 1)];
    assert_said(&of(["run1.jsonl", "run2.jsonl"], both()), &["::run=1", "::run=2"]);
    assert_said(&of(["part0.jsonl", "part1.jsonl"], both()), &["!::"]);
    assert_said(&of(["aime24.jsonl", "aime25.jsonl"], both()), &["!::"]);
    assert_said(
        &of(["seed0.jsonl", "seed1.jsonl"], [samples(3, 0), samples(3, 0).replace('q', "r")]),
        &["!::"],
    );
    let curve = |values: [f64; 2]| format!("step,val_acc\n1,{}\n2,{}\n", values[0], values[1]);
    assert_said(
        &of(["seed0.csv", "seed1.csv"], [curve([0.1, 0.2]), curve([0.2, 0.3])]),
        &["::seed=0", "!R173"],
    );
}

/// A table of curves of two values of a column, in CSV, JSON lines, or a list of one line or of many.
fn curves(format: &str, column: &str, values: [&str; 2]) -> (&'static str, String) {
    if ["list", "pretty"].contains(&format) {
        let (_, lines) = curves("jsonl", column, values);
        let list = format!("[{}]", lines.trim_end().replace('\n', ", "));
        let parsed: serde_json::Value = serde_json::from_str(&list).expect("JSON");
        let pretty = serde_json::to_string_pretty(&parsed).expect("JSON");
        return ("curves.json", if format == "list" { list } else { pretty });
    }
    let name = format;
    let is_csv = name == "csv";
    let mut text = if is_csv { format!("{column},step,val_acc\n") } else { String::new() };
    for (at, value) in values.iter().enumerate() {
        for step in [100, 200, 300] {
            let figure = f64::from(step) / 1000.0 + at as f64 / 10.0;
            let quoted = if value.parse::<f64>().is_ok() {
                (*value).to_owned()
            } else {
                format!("\"{value}\"")
            };
            let _ = if is_csv {
                writeln!(text, "{value},{step},{figure}")
            } else {
                writeln!(
                    text,
                    "{{\"{column}\": {quoted}, \"step\": {step}, \"val_acc\": {figure}}}"
                )
            };
        }
    }
    (if is_csv { "curves.csv" } else { "curves.jsonl" }, text)
}

#[test]
fn a_column_of_models_or_of_a_setting_lays_curves_apart() {
    for (column, values) in [("model", ["A", "B"]), ("lr", ["0.0003", "0.001"])] {
        for format in ["csv", "jsonl", "list", "pretty"] {
            let (name, text) = curves(format, column, values);
            let directory = Directory::of([(name, text)]);
            let file = directory.word(name);
            let report = compared(std::slice::from_ref(&file), &["--across", column]);
            let [one] = list(&report, "comparisons") else { panic!("{report}") };
            assert!((one["delta"]["absolute"].as_f64().unwrap_or_default() - 10.0).abs() < 1e-9);
            assert!(!report["findings"].to_string().contains("R113"), "{report}");
            let runs = values.map(|value| format!("{file}::{column}={value}"));
            assert_eq!(list(&compared(&runs, &[]), "comparisons").len(), 1);
            let alone = reportgen(["compare", &file]);
            assert_said(&alone.err, &["holds 2 runs", &format!("--across {column}")]);
        }
    }
}

#[test]
fn what_changes_as_the_training_goes_lays_no_curves_apart() {
    let rates = "step,lr,loss\n1,0.1,3\n2,0.05,2\n3,0.01,1\n".to_owned();
    assert_said(&inspected(&[("a.csv", rates)], "a.csv"), &["!::", "lr  3 points"]);
    let resumed =
        "step,lr,loss\n1,0.1,5\n2,0.1,4\n3,0.1,3\n3,0.05,4\n4,0.05,2\n5,0.05,1\n".to_owned();
    assert_said(&inspected(&[("a.csv", resumed)], "a.csv"), &["!::", "R119"]);
}

#[test]
fn sections_of_a_log_are_of_what_their_headings_name() {
    let log = |first: &str, second: &str, later: u32| {
        let section = |heading: &str, from: u32, base: u32| {
            let step = |n: u32| format!("step {} accuracy=0.{}\n", from + 100 * n, base + 5 * n);
            format!("{heading}\n{}{}", step(1), step(2))
        };
        vec![("train.log", section(first, 0, 45) + &section(second, later, 55))]
    };
    for (first, second, later, runs) in [
        ("Training SFT model", "Training GRPO model", 0, ["model=SFT", "model=GRPO"]),
        ("=== Shot 1 ===", "=== Shot 5 ===", 0, ["shot=1", "shot=5"]),
        ("=== 1-shot ===", "=== 5-shot ===", 200, ["shot=1", "shot=5"]),
        ("export LR=1e-3", "export LR=1e-2", 200, ["lr=0.001", "lr=0.01"]),
        (
            "KL_BETA=0.12 python train.py",
            "KL_BETA=0.15 python train.py",
            200,
            ["kl_beta=0.12", "kl_beta=0.15"],
        ),
        (
            "+ python train.py --model_path out/sft --bf16",
            "+ python train.py --model_path out/grpo --bf16",
            200,
            ["model=out/sft", "model=out/grpo"],
        ),
        ("export KL_BETA=0.12", "export KL_BETA=0.15", 200, ["kl_beta=0.12", "kl_beta=0.15"]),
        (
            "--- GRPO (KL_BETA=0.12) ---",
            "--- GRPO (KL_BETA=0.15) ---",
            0,
            ["kl_beta=0.12", "kl_beta=0.15"],
        ),
    ] {
        let told = inspected(&log(first, second, later), "train.log");
        assert_said(&told, &[runs[0], runs[1], "!R119", "!R181"]);
    }
    let resumed = log("python train.py --lr 0.1", "python train.py --lr 0.1 --resume", 100);
    assert_said(&inspected(&resumed, "train.log"), &["!lr=", "R119"]);
    let one = log("Training SFT model\nmodel: loaded", "Training sft Model\nmodel: saved", 200);
    assert_said(&inspected(&one, "train.log"), &["!model=", "!R181"]);
    let unknown = log("****** Running Evaluation GSM8K ******", "****** Running MATH ******", 0);
    assert_said(&inspected(&unknown, "train.log"), &["R181", "2 points of accuracy"]);
}

#[test]
fn a_learning_rate_that_never_changes_is_a_setting() {
    let log = |values: [&str; 3]| {
        let rows = (1..).zip(values).map(|(step, rate)| format!("{step},{rate},1.5\n"));
        format!("step,learning_rate,loss\n{}", rows.collect::<String>())
    };
    let two = |a: [&str; 3], b: [&str; 3]| {
        let directory = Directory::of([("a.csv", log(a)), ("b.csv", log(b))]);
        let ended = reportgen(["check", &directory.word("a.csv"), &directory.word("b.csv")]);
        ended.err + &ended.out
    };
    assert_said(&two(["1e-4"; 3], ["3e-4"; 3]), &["taken to be learning_rate"]);
    assert_said(
        &two(["1e-4", "5e-5", "1e-5"], ["3e-4", "2e-4", "1e-4"]),
        &["!learning_rate is", "!taken to be"],
    );
}

#[test]
fn a_figure_that_is_written_again_rounded_is_no_other_one() {
    let log = |again: &str| format!("step,loss\n1,2.5\n2,-0.00474760\n2,{again}\n");
    assert_said(&inspected(&[("a.csv", log("-0.0047"))], "a.csv"), &["!R119"]);
    assert_said(&inspected(&[("a.csv", log("-0.0049"))], "a.csv"), &["R119"]);
    let whole = "step,accuracy\n1,0.5\n2,0.6\n2,1\n".to_owned();
    assert_said(&inspected(&[("a.csv", whole)], "a.csv"), &["R119"]);
}

#[test]
fn an_environment_is_what_is_asked_and_an_adapter_that_is_not_named_is_none() {
    let monitor =
        |env: &str| format!("#{{\"t_start\": 1.0, \"env_id\": \"{env}\"}}\nr,l,t\n1,1,1\n2,1,2\n");
    let of = |a: &str, b: &str| {
        let directory =
            Directory::of([("a/0.monitor.csv", monitor(a)), ("b/0.monitor.csv", monitor(b))]);
        let ended = reportgen(["check", &directory.word("a"), &directory.word("b")]);
        ended.err + &ended.out
    };
    assert_said(
        &of("CartPole-v1", "LunarLander-v2"),
        &["different evaluation data: env_id", "!taken to be"],
    );
    assert_said(&of("CartPole-v1", "CartPole-v1"), &["!R201"]);
    let config = |arguments: &str| format!("model_args:\n  pretrained: org/base\n{arguments}");
    let of = |b: &str| {
        let files = [("a/config.yaml", config("")), ("b/config.yaml", config(b))];
        let directory = Directory::of(files);
        let ended = reportgen(["check", &directory.word("a"), &directory.word("b")]);
        ended.err + &ended.out
    };
    assert_said(&of("  peft: me/lora\n"), &["taken to be model_args.peft", "!R202"]);
    assert_said(&of("  dtype: bfloat16\n"), &["!taken to be"]);
}

/// How many runs `inspect` finds in a directory with one file of each of these contents.
fn stored(files: &[(&str, &str)]) -> usize {
    let files: Vec<(&str, String)> =
        files.iter().map(|(name, content)| (*name, (*content).to_owned())).collect();
    let told = inspected(&files, "");
    let names = told.lines().find_map(|line| line.split_once(" runs: "));
    names.map_or(1, |(_, names)| names.split(", ").count())
}

#[test]
fn curves_over_the_same_epochs_below_names_of_arms_are_runs() {
    let curves = ["epoch,accuracy\n1,0.1\n2,0.2\n3,0.3\n", "epoch,accuracy\n1,0.2\n2,0.3\n3,0.5\n"];
    for (names, expected) in [
        (["a", "b"], 2),
        (["base", "tuned"], 2),
        (["gsm8k", "math"], 1),
        (["train", "val"], 1),
        (["epoch_1", "epoch_2"], 1),
    ] {
        let [one, other] = names.map(|name| format!("{name}/metrics.csv"));
        let files = [(one.as_str(), curves[0]), (other.as_str(), curves[1])];
        assert_eq!(stored(&files), expected, "{names:?}");
        let results = ("metrics.json", r#"{"accuracy": 0.5}"#);
        assert_eq!(stored(&[files[0], files[1], results]), 1, "{names:?} beside results");
    }
}

#[test]
fn trainings_that_a_monitor_followed_are_runs_and_their_environments_are_not() {
    let [one, other] = ["9,9,1\n12,12,2\n", "8,8,1\n30,30,2\n"]
        .map(|rows| format!("#{{\"t_start\": 1.0, \"env_id\": \"CartPole-v1\"}}\nr,l,t\n{rows}"));
    for (names, expected) in [
        (["a2c-CartPole-v1", "ppo-CartPole-v1"], 2),
        (["ppo/CartPole-v1_1", "ppo/CartPole-v1_2"], 2),
        (["run/env_0", "run/env_1"], 1),
        (["run/train", "run/eval"], 1),
    ] {
        let [first, second] = names.map(|name| format!("{name}/0.monitor.csv"));
        let files = [(first.as_str(), one.as_str()), (second.as_str(), other.as_str())];
        assert_eq!(stored(&files), expected, "{names:?}");
    }
}
