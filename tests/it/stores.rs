//! Directories that hold several runs, and those of one run that look like it.

use serde_json::{Value, json};

use crate::cases::tests;
use crate::command::{compare, compared, reportgen};
use crate::directory::Directory;
use crate::report::{cell, told};

type Files<'a> = &'a [(&'a str, &'a str)];

/// What `inspect` says of a directory with these files: the names of its runs, none for one run.
fn inspected(files: Files<'_>) -> (Vec<String>, String) {
    let directory = Directory::of(files.iter().copied());
    let ended = reportgen(["inspect", &directory.word("")]);
    let first = ended.out.lines().next().unwrap_or_default();
    let names = first.split_once(" runs: ").map(|(_, names)| names.split(", ").map(str::to_owned));
    (names.into_iter().flatten().collect(), ended.err)
}

fn several(names: &[&str], files: Files<'_>) {
    let (found, err) = inspected(files);
    assert_eq!(found, names, "{err}");
}

fn one(files: Files<'_>) {
    let (found, err) = inspected(files);
    assert!(found.is_empty() && !err.contains("R172"), "{found:?} {err}");
}

/// One run, as far as can be told, and that is said.
fn doubtful(files: Files<'_>) {
    let (found, err) = inspected(files);
    assert!(found.is_empty() && err.contains("R172"), "{found:?} {err}");
}

const LOW: &str = r#"{"accuracy": 0.41, "n": 100}"#;
const HIGH: &str = r#"{"accuracy": 0.52, "n": 100}"#;
const LOSS: &str = "step,train/loss\n1,2.0\n2,1.5\n3,1.2\n";
const OTHER_LOSS: &str = "step,train/loss\n1,2.1\n2,1.4\n3,1.1\n";
const LATER_LOSS: &str = "step,train/loss\n3,1.25\n4,1.1\n5,1.0\n6,0.9\n";
const ACCURACY: &str = "step,accuracy\n1,0.1\n2,0.2\n3,0.3\n";
const OTHER_ACCURACY: &str = "step,accuracy\n1,0.2\n2,0.3\n3,0.5\n";
const ASKED: &str = "{\"id\":1,\"prompt\":\"a?\",\"response\":\"1\",\"correct\":1}\n{\"id\":2,\"prompt\":\"b?\",\"response\":\"2\",\"correct\":0}\n{\"id\":3,\"prompt\":\"c?\",\"response\":\"3\",\"correct\":0}\n";
const SCORED_AGAIN: &str = "{\"id\":1,\"prompt\":\"a?\",\"response\":\"1\",\"correct\":0}\n{\"id\":2,\"prompt\":\"b?\",\"response\":\"2\",\"correct\":1}\n{\"id\":3,\"prompt\":\"c?\",\"response\":\"3\",\"correct\":0}\n";
const ASKED_AGAIN: &str = "{\"id\":1,\"prompt\":\"a?\",\"response\":\"4\",\"correct\":0}\n{\"id\":2,\"prompt\":\"b?\",\"response\":\"5\",\"correct\":1}\n{\"id\":3,\"prompt\":\"c?\",\"response\":\"6\",\"correct\":1}\n";
const OTHERS_ASKED: &str = "{\"id\":1,\"prompt\":\"x?\",\"correct\":1}\n{\"id\":2,\"prompt\":\"y?\",\"correct\":0}\n{\"id\":3,\"prompt\":\"z?\",\"correct\":0}\n";
const SCORED: &str =
    "{\"id\":1,\"correct\":1}\n{\"id\":2,\"correct\":0}\n{\"id\":3,\"correct\":0}\n";

const STATE: &str = r#"{"global_step": 2, "log_history": [{"step": 1, "loss": 2.0, "grad_norm": 1.0}, {"step": 2, "loss": 1.0, "grad_norm": 0.5}]}"#;
const OTHER_STATE: &str = r#"{"global_step": 2, "log_history": [{"step": 1, "loss": 3.0, "grad_norm": 1.5}, {"step": 2, "loss": 2.0, "grad_norm": 0.7}]}"#;

/// Results of lm-evaluation-harness.
macro_rules! harness {
    ($task:literal, $model:literal, $score:literal) => {
        concat!(
            "{\"results\": {\"",
            $task,
            "\": {\"acc,none\": ",
            $score,
            ", \"acc_stderr,none\": 0.01}}, \"versions\": {\"",
            $task,
            "\": 1}, \"config\": {\"model\": \"hf\", \"model_args\": \"pretrained=",
            $model,
            "\"}}"
        )
    };
}

const LOG: &str = r#"{"eval": {"eval_id": "x", "task": "quiz", "task_version": 0, "model": "a"}, "results": {"scores": [{"name": "match", "metrics": {"accuracy": {"value": 0.5}}}]}}"#;
const OTHER_LOG: &str = r#"{"eval": {"eval_id": "y", "task": "quiz", "task_version": 0, "model": "b"}, "results": {"scores": [{"name": "match", "metrics": {"accuracy": {"value": 0.6}}}]}}"#;
tests![
    logs_of_other_models_in_one_directory = several(
        &["a", "b"],
        &[("2026-01-01T00-00-00_quiz_A.json", LOG), ("2026-01-02T00-00-00_quiz_B.json", OTHER_LOG)],
    ),
    runs_of_other_settings = several(
        &["kl-0.12", "kl-0.15"],
        &[
            ("kl-0.12/config.yaml", "kl_beta: 0.12\n"),
            ("kl-0.12/results.json", LOW),
            ("kl-0.15/config.yaml", "kl_beta: 0.15\n"),
            ("kl-0.15/results.json", HIGH),
        ],
    ),
    settings_of_parts_of_a_run = one(&[
        ("train/config.yaml", "kl_beta: 0.12\n"),
        ("train/metrics.csv", LOSS),
        ("eval/config.yaml", "temperature: 0.5\n"),
        ("eval/results.json", HIGH),
    ]),
    datasets_of_one_run = one(&[
        ("gsm8k/config.yaml", "model: org/a\neval_dataset: gsm8k\n"),
        ("gsm8k/results.json", LOW),
        ("math/config.yaml", "model: org/a\neval_dataset: math\n"),
        ("math/results.json", HIGH),
    ]),
    models_with_other_tasks = several(
        &["a", "b"],
        &[
            ("a/results_2026-01-01T00-00-00.1.json", harness!("quiz", "org/a", "0.5")),
            ("b/results_2026-01-01T00-00-00.2.json", harness!("math", "org/b", "0.6")),
        ],
    ),
    tasks_of_one_model = one(&[
        ("quiz/results_2026-01-01T00-00-00.1.json", harness!("quiz", "org/a", "0.5")),
        ("math/results_2026-01-01T00-00-00.2.json", harness!("math", "org/a", "0.6")),
    ]),
    tasks_of_one_model_of_which_one_states_a_further_argument = one(&[
        ("m/results_2026-01-01T00-00-00.1.json", harness!("quiz", "org/a", "0.5")),
        ("m/results_2026-01-02T00-00-00.2.json", harness!("math", "org/a,dtype=float16", "0.6")),
    ]),
    models_in_one_directory = several(
        &["org/a", "org/b"],
        &[
            ("results_2026-01-01T00-00-00.1.json", harness!("quiz", "org/a", "0.5")),
            ("results_2026-01-02T00-00-00.2.json", harness!("quiz", "org/b", "0.6")),
        ],
    ),
    evaluations_of_one_model_at_two_times = one(&[
        ("results_2026-01-01T00-00-00.1.json", harness!("quiz", "org/a", "0.5")),
        ("results_2026-01-02T00-00-00.2.json", harness!("quiz", "org/a", "0.6")),
    ]),
    models_loaded_in_other_ways = several(
        &["bfloat16", "float16"],
        &[
            ("results_2026-01-01T00-00-00.1.json", harness!("quiz", "org/a,dtype=bfloat16", "0.5")),
            ("results_2026-01-02T00-00-00.2.json", harness!("quiz", "org/a,dtype=float16", "0.6")),
        ],
    ),
    models_quantised_in_directories = several(
        &["bf16", "int8"],
        &[
            ("bf16/results_2026-01-01T00-00-00.1.json", harness!("quiz", "org/a", "0.5")),
            (
                "int8/results_2026-01-02T00-00-00.2.json",
                harness!("quiz", "org/a,load_in_8bit=True", "0.6")
            ),
        ],
    ),
    languages_of_one_run = one(&[
        ("en/config.yaml", "model: org/a\nlanguage: en\n"),
        ("en/results.json", LOW),
        ("de/config.yaml", "model: org/a\nlanguage: de\n"),
        ("de/results.json", HIGH),
    ]),
    names_made_of_paths = several(
        &["..__out__base", "..__out__tuned"],
        &[
            (
                "..__out__base/results_2026-01-01T00-00-00.1.json",
                harness!("quiz", "../out/base", "0.5")
            ),
            (
                "..__out__tuned/results_2026-01-01T00-00-00.2.json",
                harness!("quiz", "../out/tuned", "0.6")
            ),
        ],
    ),
    checkpoints_of_one_training = one(&[
        (
            "step_500/results_2026-01-01T00-00-00.1.json",
            harness!("quiz", "out/checkpoint-500", "0.5")
        ),
        (
            "step_1000/results_2026-01-01T00-00-00.2.json",
            harness!("quiz", "out/checkpoint-1000", "0.6")
        ),
    ]),
    checkpoints_with_names_of_their_own = one(&[
        ("x/results_2026-01-01T00-00-00.1.json", harness!("quiz", "out/checkpoint-500", "0.5")),
        ("y/results_2026-01-01T00-00-00.2.json", harness!("math", "out/checkpoint-1000", "0.6")),
    ]),
    seeds_below_one_directory = several(
        &["seed0", "seed1"],
        &[("seed0/metrics.csv", LOSS), ("seed1/metrics.csv", OTHER_LOSS)],
    ),
    seeds_below_a_configuration = several(
        &["seed0", "seed1"],
        &[("config.yaml", "lr: 0.1\n"), ("seed0/results.json", LOW), ("seed1/results.json", HIGH),],
    ),
    a_training_that_was_resumed = one(&[
        ("run1/config.yaml", "lr: 0.1\nseed: 1\n"),
        ("run1/metrics.csv", LOSS),
        ("run2/config.yaml", "lr: 0.1\nseed: 1\nresume_from: ../run1\n"),
        ("run2/metrics.csv", LATER_LOSS),
    ]),
    trainings_without_configuration = several(
        &["grpo_base", "grpo_kl"],
        &[("grpo_base/x/log.csv", LOSS), ("grpo_kl/x/log.csv", OTHER_LOSS)],
    ),
    splits_of_one_training = one(&[("train/metrics.csv", LOSS), ("val/metrics.csv", OTHER_LOSS)]),
    ranks_of_one_training = one(&[("rank0/metrics.csv", LOSS), ("rank1/metrics.csv", OTHER_LOSS)]),
    curves_of_who_knows_what =
        doubtful(&[("gsm8k/metrics.csv", ACCURACY), ("math/metrics.csv", OTHER_ACCURACY),]),
    answers_of_two_models = several(
        &["base", "tuned"],
        &[("base/samples.jsonl", ASKED), ("tuned/samples.jsonl", ASKED_AGAIN)],
    ),
    answers_of_one_model_scored_by_two_judges =
        doubtful(&[("gpt4/samples.jsonl", ASKED), ("claude/samples.jsonl", SCORED_AGAIN)]),
    stages_with_states_of_their_own = several(
        &["dpo", "sft"],
        &[("dpo/trainer_state.json", STATE), ("sft/trainer_state.json", OTHER_STATE),],
    ),
    a_state_and_its_checkpoints = one(&[
        ("trainer_state.json", STATE),
        ("checkpoint-1/trainer_state.json", OTHER_STATE),
        ("checkpoint-2/trainer_state.json", STATE),
    ]),
    networks_of_one_training =
        doubtful(&[("generator/log.csv", LOSS), ("discriminator/log.csv", OTHER_LOSS)]),
    shots_of_other_datasets = one(&[
        ("gsm8k/config.yaml", "model: org/a\ntask: gsm8k\nnum_fewshot: 5\n"),
        ("gsm8k/results.json", LOW),
        ("math/config.yaml", "model: org/a\ntask: math\nnum_fewshot: 4\n"),
        ("math/results.json", HIGH),
    ]),
    trainings_on_other_tasks = several(
        &["ant", "walker"],
        &[
            ("ant/config.yaml", "task: ant\n"),
            ("ant/metrics.csv", LOSS),
            ("walker/config.yaml", "task: walker\n"),
            ("walker/metrics.csv", OTHER_LOSS),
        ],
    ),
    runs_of_a_tracker_with_settings_alone = several(
        &["wandb/run-20260101_000000-aaaa", "wandb/run-20260102_000000-bbbb"],
        &[
            ("wandb/run-20260101_000000-aaaa/files/config.yaml", "lr: {value: 0.1}\n"),
            ("wandb/run-20260102_000000-bbbb/files/config.yaml", "lr: {value: 0.2}\n"),
        ],
    ),
    attempts_of_one_model =
        one(&[("attempt_1/samples.jsonl", ASKED), ("attempt_2/samples.jsonl", ASKED_AGAIN),]),
    datasets_with_ids_of_their_own =
        one(&[("gsm8k/samples.jsonl", ASKED), ("math/samples.jsonl", OTHERS_ASKED),]),
    samples_without_questions =
        doubtful(&[("base/samples.jsonl", SCORED), ("tuned/samples.jsonl", SCORED),]),
    runs_of_a_tracker = several(
        &["1/0a1b2c3d4e5f60718293a4b5c6d7e8f9", "1/1a1b2c3d4e5f60718293a4b5c6d7e8f9"],
        &[
            (
                "1/0a1b2c3d4e5f60718293a4b5c6d7e8f9/artifacts/eval/summary.csv",
                "dataset,accuracy\nquiz,0.5\n"
            ),
            (
                "1/1a1b2c3d4e5f60718293a4b5c6d7e8f9/artifacts/eval/summary.csv",
                "dataset,accuracy\nquiz,0.6\n"
            ),
        ],
    ),
    runs_that_a_tracker_describes = several(
        &["first", "second"],
        &[
            ("a/meta.yaml", "run_id: x\nrun_name: first\n"),
            ("a/artifacts/metrics.json", LOW),
            ("b/meta.yaml", "run_id: y\nrun_name: second\n"),
            ("b/artifacts/metrics.json", HIGH),
        ],
    ),
    restarts_that_a_tracker_kept = one(&[
        ("config.yaml", "lr: 0.1\n"),
        ("metrics.csv", LOSS),
        ("wandb/run-20260101_000000-aaaa/files/config.yaml", "lr: {value: 0.1}\n"),
        ("wandb/run-20260101_000000-aaaa/files/x_metrics.json", LOW),
        ("wandb/run-20260102_000000-bbbb/files/config.yaml", "lr: {value: 0.2}\n"),
        ("wandb/run-20260102_000000-bbbb/files/x_metrics.json", HIGH),
    ]),
    evaluations_by_step = one(&[
        ("config.yaml", "lr: 0.1\n"),
        ("eval_step_500/metrics.json", LOW),
        ("eval_step_1000/metrics.json", HIGH),
        ("eval_final/metrics.json", HIGH),
    ]),
    configurations_of_a_checkpoint = one(&[
        ("results.json", LOW),
        ("actor/config.json", r#"{"model_type": "a", "hidden_size": 8}"#),
        ("critic/config.json", r#"{"model_type": "b", "hidden_size": 4}"#),
    ]),
];

/// Two values of `kl_beta`, each with two seeds.
fn sweep() -> Directory {
    let mut files = Vec::new();
    for (at, beta) in ["0.12", "0.15"].iter().enumerate() {
        for seed in 0..2 {
            let name = format!("kl-{beta}-s{seed}");
            let config = format!("kl_beta: {beta}\nseed: {seed}\n");
            files.push((format!("{name}/config.yaml"), config));
            let lines = (0..40).map(|id| {
                let correct = usize::from((id * 7 + seed * 5 + id / 9) % (3 + at) == 0);
                json!({ "id": id, "prompt": format!("{id}?"), "correct": correct }).to_string()
                    + "\n"
            });
            files.push((format!("{name}/samples.jsonl"), lines.collect()));
        }
    }
    Directory::of(files)
}

#[test]
fn a_directory_of_several_runs_is_refused_with_their_names_by_every_command() {
    let directory = sweep();
    let store = directory.word("");
    let run = directory.word("kl-0.12-s0");
    for command in [&["best"][..], &["progress"], &["selfcheck", "--aa"]] {
        let ended = reportgen(command.iter().copied().chain([store.as_str()]));
        let one = format!("name one: reportgen {} {run}", command.join(" "));
        assert_eq!(ended.status, 2, "{command:?} {ended:?}");
        assert!(ended.err.contains("holds 4 runs") && ended.err.contains(&one), "{}", ended.err);
        assert!(!ended.err.contains("--pool") && !ended.err.contains("compare"), "{}", ended.err);
    }
    let lines: [&[&str]; 4] = [
        &["compare", &store],
        &["compare", &store, &run],
        &["check", &run, &store],
        &["phase", &store, &run],
    ];
    for line in lines {
        let ended = reportgen(line.iter().copied());
        assert_eq!(ended.status, 2, "{line:?} {ended:?}");
        for word in ["holds 4 runs", "kl-0.12-s0", "kl_beta", "--across kl_beta", "::*"] {
            assert!(ended.err.contains(word), "{line:?} {word} {}", ended.err);
        }
    }
    let together = compare(&[&store, &run], &["--pool", "run"]);
    assert_eq!(together.status, 0, "{together:?}");
}

#[test]
fn runs_of_a_directory_are_named_by_name_pattern_and_setting() {
    let directory = sweep();
    let store = directory.word("");
    let inside = |text: &str| format!("{store}::{text}");
    let apart = compared(&[directory.word("kl-0.12-s0"), directory.word("kl-0.15-s0")], &[]);
    let difference = |report: &Value| cell(report, "correct")["delta"].clone();
    for runs in [
        vec![inside("kl-0.12-s0"), inside("kl-0.15-s0")],
        vec![inside("kl-*-s0")],
        vec![inside("kl_beta=0.12::seed=0"), inside("kl_beta=1.5e-1::seed=0")],
    ] {
        assert_eq!(difference(&compared(&runs, &[])), difference(&apart), "{runs:?}");
    }
    let across = compared(&[&store], &["--across", "kl_beta", "--where", "seed=0"]);
    assert_eq!(difference(&across), difference(&apart), "{}", told(&across));
    let seeds = compared(&[&store], &["--across", "kl_beta", "--baseline", "0.120"]);
    let [base, tuned] = ["base=kl-0.12", "tuned=kl-0.15"].map(|text| {
        let (name, run) = text.split_once('=').expect("a name");
        format!("{name}={}", inside(&format!("{run}-*")))
    });
    let arms = compared::<&str>(&[], &["--arm", &base, "--arm", &tuned]);
    assert_eq!(difference(&seeds), difference(&arms), "{}", told(&seeds));
}

#[test]
fn what_a_directory_does_not_hold_is_refused_with_what_it_does() {
    let directory = sweep();
    let store = directory.word("");
    let run = directory.word("kl-0.12-s0");
    let refused = |runs: &[&str], more: &[&str], word: &str| {
        let ended = compare(runs, more);
        assert!(ended.status == 2 && ended.err.contains(word), "{runs:?} {more:?} {ended:?}");
    };
    let missing = format!("{store}::kl-0.13-s0");
    refused(&[&missing, &run], &[], "kl-0.15-s1");
    refused(&[&store, &run], &["--where", "kl_beta=3"], "0.12, 0.15");
    refused(&[&store, &run], &["--where", "kl=3"], "kl_beta");
    refused(&[&store, &run], &["--where", "kl_beta"], "KEY=VALUE");
    refused(&[&run, &run], &["--where", "kl_beta=0.12"], "--where");
    refused(&[&store], &["--across", "lr"], "kl_beta");
}

#[test]
fn seeds_given_as_one_run_are_to_be_an_arm() {
    let directory = Directory::of([
        ("a/seed0/config.yaml", "lr: 0.1\nseed: 0\n"),
        ("a/seed0/results.json", LOW),
        ("a/seed1/config.yaml", "lr: 0.1\nseed: 1\n"),
        ("a/seed1/results.json", HIGH),
        ("b/results.json", HIGH),
    ]);
    let ended = compare(&[directory.word("a"), directory.word("b")], &[]);
    assert!(ended.status == 2 && ended.err.contains("--arm NAME="), "{ended:?}");
}

#[test]
fn seeds_below_several_settings_are_an_arm_for_each_setting() {
    let files = [("lr1/seed0", LOW), ("lr1/seed1", HIGH), ("lr3/seed0", HIGH), ("lr3/seed1", LOW)]
        .map(|(run, results)| (format!("sweep/{run}/results.json"), results));
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let directory = Directory::of(files);
    let store = directory.word("sweep");
    let ended = compare(std::slice::from_ref(&store), &[]);
    let arms = format!("--arm lr1='{store}::lr1/*' --arm lr3='{store}::lr3/*'");
    assert!(ended.status == 2 && ended.err.contains(&arms), "{arms}\n{ended:?}");
}

#[test]
fn of_a_directory_that_is_read_as_one_run_the_parts_are_named() {
    let directory = Directory::of([
        ("runs/one/predictions.csv", "id,correct\nq1,1\nq2,0\n"),
        ("runs/two/predictions.csv", "id,correct\nq1,1\nq2,1\n"),
        ("alone/predictions.csv", "id,correct\nq1,1\nq2,0\n"),
    ]);
    let [runs, alone] = ["runs", "alone"].map(|name| directory.word(name));
    let ended = compare(std::slice::from_ref(&runs), &[]);
    assert!(ended.err.contains(&format!("{runs}/one {runs}/two")), "{ended:?}");
    let ended = compare(&[alone], &[]);
    assert!(ended.err.contains("name two runs") && ended.status == 2, "{ended:?}");
}

#[test]
fn hidden_directories_are_listed_and_names_of_paths_are_entered() {
    let directory = Directory::of([
        (".cache/results.json", LOW),
        ("..__x/results.json", HIGH),
        ("node_modules/results.json", LOW),
    ]);
    let ended = reportgen(["inspect", &directory.word("")]);
    for line in [
        "..__x/results.json  metrics-json",
        ".cache/  ignored: hidden directory",
        "node_modules/  ignored: directory of no results",
        "accuracy = 0.52",
    ] {
        assert!(ended.out.contains(line), "{line}\n{}", ended.out);
    }
}

const SUMMARY: &str = "dataset,version,metric,mode,base,tuned\n\
    gsm8k,1d7fe4,accuracy,gen,51.25,55.5\nmmlu,-,naive_average,gen,60.1,-\nrace,7a1b2c,accuracy,ppl,70.0,71.5\n";

#[test]
fn each_model_of_an_opencompass_summary_is_a_run() {
    let directory = Directory::of([
        ("summary.csv", SUMMARY),
        (
            "tuned.csv",
            "dataset,version,metric,mode,tuned\ngsm8k,1d7fe4,accuracy,gen,55.5\nrace,7a1b2c,accuracy,ppl,71.5\n",
        ),
        (
            "other.csv",
            "dataset,version,metric,mode,tuned\ngsm8k,99aa00,accuracy,gen,55.5\nrace,7a1b2c,accuracy,gen,71.5\n",
        ),
    ]);
    let all = directory.word("summary.csv");
    let refused = compare(&[&all, &directory.word("tuned.csv")], &[]);
    assert!(refused.status == 2 && refused.err.contains("::model=base"), "{refused:?}");
    let base = format!("{all}::model=base");
    for runs in [
        vec![base.clone(), directory.word("tuned.csv")],
        vec![base.clone(), format!("{all}::model=tuned")],
    ] {
        let report = compared(&runs, &[]);
        let found = &cell(&report, "accuracy")["delta"]["absolute"];
        assert!((found.as_f64().expect("a number") - 4.25).abs() < 1e-9, "{found}");
        assert!(!told(&report).contains("R220"), "{}", told(&report));
    }
    let report = compared(&[base, directory.word("other.csv")], &[]);
    assert_eq!(told(&report).matches("R220").count(), 2, "{}", told(&report));
}

#[test]
fn a_table_that_only_begins_like_an_opencompass_summary_is_a_grid() {
    let directory = Directory::of([("grid.csv", "dataset,version,accuracy\nquiz,2,0.5\n")]);
    let ended = reportgen(["inspect", &directory.word("grid.csv")]);
    assert!(ended.out.contains("grid-csv"), "{ended:?}");
}

fn not_read(content: &str, cause: &str) {
    let directory = Directory::of([("results.json", content)]);
    let ended = reportgen(["inspect", &directory.word("")]);
    assert!(ended.err.contains("R122") && ended.err.contains(cause), "{ended:?}");
    assert!(!ended.out.contains("metrics-json"), "{ended:?}");
}

#[test]
fn documents_of_other_programs_under_names_of_results_are_not_guessed_at() {
    not_read(
        r#"{"results": {"results": [{"vars": {"q": "x"}, "tokenUsage": {"total": 9}}], "stats": {"successes": 2, "failures": 1}}}"#,
        "promptfoo",
    );
    not_read(r#"{"run": {"seconds": 3.5, "tests": [{"q": "x", "tokens": 5}]}}"#, "run");
    let directory = Directory::of([(
        "results.json",
        r#"{"gsm8k": {"accuracy": 0.5, "n": 100}, "per_task": [{"id": 1}]}"#,
    )]);
    let ended = reportgen(["inspect", &directory.word("")]);
    assert!(ended.out.contains("gsm8k/accuracy = 0.5") && !ended.err.contains("R122"), "{ended:?}");
}
