//! Configurations: what each kind of difference does to a comparison, and what is no difference.

use serde_json::json;

use super::Expected::{Grade, Holds, Quiet, Raised, Silent, Verdict};
use super::{Case, Files, Runs, both, case, config, configured, correct, finding, records};
use crate::cases::cases;

const EVAL_AT_1: &[&str] = &["--preset", "code-eval", "--vary", "model"];

cases![
    values_that_are_spelt_differently = same([
        "lr: 5e-6\nuse_kl: yes\nnote_file: null\ntasks: [a, b]\nbetas: [0.9, 0.95]\npath: ./x/y.bin\n",
        "lr: 0.000005\nuse_kl: \"True\"\nnote_file: none\ntasks: b,a\nbetas: 0.9,0.95\npath: x//y.bin\n",
    ]),
    where_and_when_known_by_name_or_by_value = same([
        "output_dir: out/a\nrun_name: first\nstarted_at: 2025-01-01\nlaunch: 2025-01-01T10:00:00\ndump: out/a/d.jsonl\nhost: vm1\nmaster_port: 1\nnum_workers: 4\n",
        "output_dir: out/b\nrun_name: second\nstarted_at: 2025-01-02\nlaunch: 2025-01-02T11:00:00\ndump: out/b/d.jsonl\nhost: vm2\nmaster_port: 2\nnum_workers: 8\n",
    ]),
    how_often_is_logged_and_saved = same([
        "lr: 1\nlog_every: 10\nlogging_steps: 5\nsave_period: 10\nreport_to: wandb\n",
        "lr: 1\nlog_every: 100\nlogging_steps: 10\nsave_period: 50\nreport_to: none\n",
    ]),
    how_often_is_warmed_up = case(
        configured(["lr: 1\nwarmup_steps: 5\n", "lr: 1\nwarmup_steps: 50\n"]),
        &[],
        vec![Raised("R205")]
    ),
    one_setting_in_two_words = case(
        both(|arm| {
            let rate = ["0.1", "0.2"][arm];
            let figures = json!({ "accuracy": 0.5, "n": 200 }).to_string();
            vec![
                ("config.yaml", format!("seed: 1\nlearning_rate: {rate}\n")),
                ("hparams.yaml", format!("lr: {rate}\n")),
                ("metrics.json", figures),
            ]
        }),
        &[],
        vec![Grade("as-declared"), Raised("R205"), Silent("R201")]
    ),
    two_settings_whose_words_are_alike = case(
        configured([
            "learning_rate: 0.1\ncritic: {lr: 0.1}\n",
            "learning_rate: 0.2\ncritic: {lr: 0.2}\n"
        ]),
        &[],
        vec![Raised("R201")]
    ),
    what_is_null_on_one_side_and_not_recorded_on_the_other =
        same(["lr: 1\nstop: null\n", "lr: 1\n"]),
    keys_that_are_spelt_differently_with_one_value = case(
        configured(["kl-beta: 0.1\ntraining:\n  lr: 1e-6\n", "klBeta: 0.1\nlr: 1e-6\n"]),
        &[],
        vec![Grade("as-declared"), Quiet, Raised("R238"), Silent("R202")]
    ),
    keys_that_are_spelt_differently_with_two_values = case(
        configured(["kl-beta: 0.1\nlr: 1\n", "klBeta: 0.2\nlr: 1\n"]),
        &["--vary", "kl_beta"],
        vec![Grade("as-declared"), Quiet, Raised("R238"), Silent("R202"), Silent("R203")]
    ),
    a_protocol_that_both_break_alike = case(
        configured(["model: a\ntemperature: 0.8\n", "model: b\ntemperature: 0.8\n"]),
        EVAL_AT_1,
        vec![Grade("as-declared"), Raised("R176")]
    ),
    a_budget_by_another_name = case(
        configured(["model: a\nmax_gen_toks: 512\n", "model: b\nmax_gen_toks: 512\n"]),
        EVAL_AT_1,
        vec![Raised("R176")]
    ),
    several_answers_where_the_protocol_has_one = case(
        both(|arm| {
            let answer = |i: usize, k: usize| json!({ "correct": (7 * i + 3 * k + arm) % 2 });
            let three = (0..3).map(|k| records(60, |i| answer(i, k)));
            vec![("quiz.jsonl", three.collect())]
        }),
        EVAL_AT_1,
        vec![Raised("R176")]
    ),
    a_protocol_that_is_kept_beside_a_training_that_samples = case(
        configured([
            "model: a\nlr: 1\neval:\n  temperature: 0.0\nrollout:\n  temperature: 1.0\n",
            "model: b\nlr: 1\ntemperature: 0.9\ngen_kwargs: {temperature: 0, max_gen_toks: 2048}\n",
        ]),
        EVAL_AT_1,
        vec![Silent("R176")]
    ),
    a_temperature_that_greedy_decoding_ignores = case(
        configured([
            "model: a\ndo_sample: false\ntemperature: 0.7\n",
            "model: b\ndo_sample: false\ntemperature: 0.7\n",
        ]),
        EVAL_AT_1,
        vec![Silent("R176")]
    ),
    lists_whose_order_counts = case(
        configured(["lr: 1\nhidden_sizes: [64, 32]\n", "lr: 2\nhidden_sizes: [32, 64]\n"]),
        &["--vary", "lr"],
        vec![Grade("confounded"), Raised("R201")]
    ),
    blanks_that_the_model_reads = case(
        configured(["lr: 1\nsystem_prompt: 'A:'\n", "lr: 2\nsystem_prompt: 'A: '\n"]),
        &["--vary", "lr"],
        vec![Grade("confounded"), Raised("R201")]
    ),
    another_judge_beside_the_declared_factor = case(
        configured(["lr: 1\njudge_model: gpt-4o\n", "lr: 2\njudge_model: gpt-4.1\n"]),
        &["--vary", "lr"],
        vec![Grade("confounded"), Raised("R234"), Silent("R239"), Silent("R201")]
    ),
    a_judge_that_runs_at_another_port = case(
        judged(["gpt-4o"; 2]),
        &["--vary", "lr"],
        vec![Grade("as-declared"), Silent("R234"), Silent("R239")]
    ),
    a_metric_of_the_judge_and_another_judge = case(
        judged(["gpt-4o", "gpt-4.1"]),
        &["--vary", "lr"],
        vec![Raised("R234"), Raised("R239"), Verdict("judge_score", "not-assessable")]
    ),
    another_judge_that_is_declared = case(
        judged(["gpt-4o", "gpt-4.1"]),
        &["--vary", "lr,judge.model"],
        vec![Grade("as-declared"), Silent("R234"), Silent("R239")]
    ),
    machines_under_scores_alone = case(
        configured([
            "lr: 1\ngpu_type: A100\nnum_gpus: 4\nper_device_eval_batch_size: 4\n",
            "lr: 2\ngpu_type: H100\nnum_gpus: 8\nper_device_eval_batch_size: 8\n",
        ]),
        &["--vary", "lr"],
        vec![Grade("as-declared"), Quiet, Raised("R232"), Silent("R235"), Silent("R201")]
    ),
    machines_under_a_metric_of_speed = case(
        both(|arm| {
            let figures = json!({ "throughput": 100.0 + arm as f64, "accuracy": 0.5 });
            let text = format!("lr: {arm}\ngpu_type: {}\n", ["A100", "H100"][arm]);
            vec![("metrics.json", figures.to_string()), config(text)]
        }),
        &["--vary", "lr"],
        vec![
            Grade("as-declared"),
            Raised("R235"),
            Silent("R232"),
            Holds("throughput", "/confounded", json!(["R235"])),
            Holds("accuracy", "/confounded", json!([])),
        ]
    ),
    devices_that_multiply_the_batch = case(
        configured([
            "lr: 1\nnum_gpus: 4\nper_device_train_batch_size: 2\n",
            "lr: 2\nnum_gpus: 8\nper_device_train_batch_size: 2\n",
        ]),
        &["--vary", "lr"],
        vec![Grade("confounded"), Raised("R201"), Silent("R232")]
    ),
    another_version_of_a_library = case(
        configured([
            "lr: 1\ntransformers_version: 4.44.0\n",
            "lr: 2\ntransformers_version: 4.45.0\n",
        ]),
        &[],
        vec![Grade("confounded"), Raised("R233"), Raised("R205"), Silent("R201")]
    ),
    an_adapter_that_one_run_loads = case(
        configured(["lr: 1\nalpha_blend: 1\n", "lr: 2\npeft: adapters/x\n"]),
        &["--vary", "lr"],
        vec![Grade("as-declared"), Raised("R202"), Silent("R201")]
    ),
    one_version_of_a_library_recorded_by_one_run = case(
        configured(["lr: 1\ntransformers_version: 4.44.0\n", "lr: 2\n"]),
        &["--vary", "lr"],
        vec![Grade("as-declared"), Silent("R233"), Raised("R202")]
    ),
    a_penalty_alone = inferred(["kl_beta: 0.1\n", "kl_beta: 0.2\n"]),
    a_learning_rate_alone = inferred(["lr: 1\nseed: 1\n", "lr: 2\nseed: 1\n"]),
    a_model_alone_with_what_follows_from_it = inferred([
        "pretrained: one\nmodel_sha: aaaaaaaa\ntokenizer: one\n",
        "pretrained: two\nmodel_sha: cccccccc\ntokenizer: two\n",
    ]),
    a_model_of_another_size_with_a_template_of_its_own = inferred([
        "pretrained: one\nmodel_num_parameters: 7\nchat_template_sha: b1\ntokenizer: t\n",
        "pretrained: two\nmodel_num_parameters: 8\nchat_template_sha: b2\ntokenizer: u\n",
    ]),
    sampling_alone = inferred(["temperature: 0\nseed: 1\n", "temperature: 1\nseed: 1\n"]),
    a_judge_alone = declined(["judge_model: x\n", "judge_model: y\n"], "R234"),
    a_revision_alone = declined(["dataset_revision: main\n", "dataset_revision: v2\n"], "R201"),
    a_prompt_template_alone = declined(["prompt_template: a\n", "prompt_template: b\n"], "R201"),
    shots_alone = declined(["num_fewshot: 0\n", "num_fewshot: 5\n"], "R201"),
    an_extraction_of_answers_alone = declined(["answer_regex: a\n", "answer_regex: b\n"], "R234"),
    a_kind_of_match_alone = declined(["metric_type: x\n", "metric_type: y\n"], "R234"),
    attempts_alone = declined(["best_of: 1\n", "best_of: 8\n"], "R201"),
    a_limit_alone = declined(["limit: 50\n", "limit: 100\n"], "R201"),
    a_seed_alone = case(
        configured(["lr: 1\nseed: 1\n", "lr: 1\nseed: 2\n"]),
        &[],
        vec![
            Grade("as-declared"),
            Raised("R258"),
            Quiet,
            Silent("R201"),
            Silent("R205"),
            Silent("R237"),
        ]
    ),
    the_hash_of_a_model_alone = declined(
        ["pretrained: one\nmodel_sha: aaaaaaaa\n", "pretrained: one\nmodel_sha: cccccccc\n"],
        "R201"
    ),
    shots_that_are_declared = case(
        configured(["num_fewshot: 0\n", "num_fewshot: 5\n"]),
        &["--vary", "num_fewshot"],
        vec![Grade("as-declared"), Silent("R237"), Quiet]
    ),
    a_model_and_a_chat_template =
        confounded(["model: one\nchat_template: a\n", "model: two\nchat_template: b\n"]),
    a_model_and_a_chat_template_of_one_arm_alone = confounded([
        "model: one\nmodel_num_parameters: 7\nchat_template_sha: null\n",
        "model: two\nmodel_num_parameters: 8\nchat_template_sha: aa\n",
    ]),
    a_model_and_a_tokenizer_of_another_name =
        confounded(["model: one\ntokenizer: a\n", "model: two\ntokenizer: b\n"]),
    commands_with_other_temperatures_under_one_recorded_temperature = case(
        configured([
            "lr: 1\ntemperature: 0\nargv: [run.py, --temperature, '0', --out, a]\n",
            "lr: 2\ntemperature: 0\nargv: [run.py, --temperature, '1', --out, b]\n",
        ]),
        &["--vary", "lr"],
        vec![Grade("confounded"), Raised("R201")]
    ),
    a_judge_that_only_one_command_names = case(
        configured(["lr: 1\ncommand: run.py\n", "lr: 2\ncommand: run.py --judge x\n"]),
        &["--vary", "lr"],
        vec![Grade("confounded"), Raised("R234")]
    ),
    commands_that_differ_in_places_in_the_factor_and_in_a_default_that_is_recorded = case(
        configured([
            "lr: 1\ntemperature: 0\ncommand: run.py --lr 1 --out a\n",
            "lr: 2\ntemperature: 0\ncommand: run.py --lr 2 --out b --temperature 0\n",
        ]),
        &["--vary", "lr"],
        vec![Grade("as-declared"), Quiet]
    ),
    a_factor_that_the_command_states_as_well = case(
        configured([
            "temperature: 0\ncommand: run.py --temperature 0\n",
            "temperature: 1\ncommand: run.py --temperature=1.0\n",
        ]),
        &["--vary", "temperature"],
        vec![Grade("as-declared"), Quiet]
    ),
    a_run_whose_files_state_two_temperatures = case(
        contradicting(1),
        &["--vary", "lr"],
        vec![Grade("confounded"), Raised("R123"), Raised("R201")]
    ),
    two_runs_whose_files_state_the_same_two_temperatures = case(
        contradicting(0),
        &["--vary", "lr"],
        vec![Grade("as-declared"), Raised("R123"), Silent("R201")]
    ),
    a_revision_that_is_declared = case(
        configured(["dataset_revision: main\n", "dataset_revision: v2\n"]),
        &["--vary", "dataset_revision"],
        vec![Grade("as-declared"), Silent("R237"), Quiet]
    ),
    a_setting_of_a_later_evaluation_that_is_not_compared = case(
        evaluated_later("mmlu"),
        &["--vary", "pretrained"],
        vec![Grade("as-declared"), Silent("R201")]
    ),
    a_setting_of_a_later_evaluation_that_is_compared = case(
        evaluated_later("arc"),
        &["--vary", "pretrained"],
        vec![Grade("confounded"), Raised("R201")]
    ),
    another_commit_of_the_harness = case(
        harness(["59170e85", "6a1b2c3d"]),
        &[],
        vec![Grade("confounded"), Raised("R231"), Raised("R205")]
    ),
    another_commit_of_the_harness_that_is_declared = case(
        harness(["59170e85", "6a1b2c3d"]),
        &["--vary", "commit,pretrained"],
        vec![Grade("as-declared"), Silent("R231"), Silent("R204"), Quiet]
    ),
    one_commit_of_the_harness_that_is_declared = case(
        harness(["59170e85", "59170e85"]),
        &["--vary", "commit,pretrained"],
        vec![Grade("as-declared"), Raised("R203"), Silent("R204")]
    ),
    a_commit_by_what_it_is = case(
        configured(["git_commit: aaaaaaa\n", "git_commit: bbbbbbb\n"]),
        &["--vary", "commit"],
        vec![Grade("as-declared"), Silent("R231"), Silent("R204"), Quiet]
    ),
    a_tree_that_is_not_clean_is_no_commit = case(
        configured(["git_dirty: true\n", "git_dirty: false\n"]),
        &["--vary", "commit"],
        vec![Grade("confounded"), Raised("R231"), Raised("R204")]
    ),
    one_commit_once_abbreviated = case(
        harness(["59170e85", "59170e851c2f0f6a9dbd9d5a0e6a7c33f21b9c04"]),
        &[],
        vec![Grade("as-declared"), Silent("R231"), Quiet]
    ),
    another_commit_in_the_configuration_is_told_once = case(
        configured(["lr: 1\ngit_commit: aaaaaaa\n", "lr: 2\ngit_commit: bbbbbbb\n"]),
        &["--vary", "lr"],
        vec![Grade("confounded"), Raised("R231"), Silent("R201"), Silent("R236")]
    ),
    two_commits_that_are_what_is_compared = case(
        configured(["git_commit: aaaaaaa\n", "git_commit: bbbbbbb\n"]),
        &["--vary", "git_commit"],
        vec![Grade("as-declared"), Silent("R231"), Quiet]
    ),
    one_commit_both_trees_not_clean = case(
        configured([
            "lr: 1\ngit:\n  commit: aaaaaaa\n  dirty: true\n",
            "lr: 2\ngit:\n  commit: aaaaaaa\n  dirty: true\n",
        ]),
        &["--vary", "lr"],
        vec![Grade("as-declared"), Raised("R236"), Silent("R231"), Quiet]
    ),
    trees_that_are_not_clean_in_the_spelling_of_another_producer = case(
        configured([
            "lr: 1\ngit:\n  commit: aaaaaaa\n  isDirty: true\n",
            "lr: 2\ngit:\n  commit: aaaaaaa\n  isDirty: true\n",
        ]),
        &["--vary", "lr"],
        vec![Grade("as-declared"), Raised("R236"), Silent("R231"), Quiet]
    ),
    devices_that_multiply_the_batch_in_the_spelling_of_another_producer = case(
        configured([
            "lr: 1\nnumGpus: 4\nperDeviceTrainBatchSize: 2\n",
            "lr: 2\nnumGpus: 8\nperDeviceTrainBatchSize: 2\n",
        ]),
        &["--vary", "lr"],
        vec![Grade("confounded"), Raised("R201"), Silent("R232")]
    ),
    one_commit_one_tree_not_clean_another_branch = case(
        configured([
            "lr: 1\ngit:\n  commit: aaaaaaa\n  dirty: true\n  branch: x\n",
            "lr: 2\ngit:\n  commit: aaaaaaa\n  dirty: false\n  branch: y\n",
        ]),
        &["--vary", "lr"],
        vec![Grade("confounded"), Raised("R236"), Raised("R231"), Silent("R201")]
    ),
];

fn same(texts: [&'static str; 2]) -> Case {
    case(configured(texts), &[], vec![Grade("as-declared"), Quiet, Silent("R205")])
}

fn judged(judges: [&'static str; 2]) -> [Files; 2] {
    both(|arm| {
        let record = |i: usize| json!({ "judge_score": f64::from(u8::from(i % 5 < 2 + arm)) });
        let text = format!("lr: {arm}\njudge:\n  model: {}\n  port: 80{arm}\n", judges[arm]);
        vec![("quiz.jsonl", records(60, record)), config(text)]
    })
}

/// Runs from that arm on state a second temperature in a second file.
fn contradicting(from: usize) -> [Files; 2] {
    both(|arm| {
        let mut files = vec![
            ("quiz.jsonl", records(60, |i| correct(arm, i))),
            config(format!("lr: {arm}\ntemperature: 0\n")),
        ];
        if arm >= from {
            files.push(("eval_config.yaml", "temperature: 1\n".to_owned()));
        }
        files
    })
}

/// The only difference is taken for the factor.
fn inferred(texts: [&'static str; 2]) -> Case {
    let expected = vec![Grade("as-declared"), Raised("R205"), Silent("R237"), Quiet];
    case(configured(texts), &[], expected)
}

/// The only difference is not taken for the factor.
fn declined(texts: [&'static str; 2], code: &'static str) -> Case {
    let expected = vec![Grade("confounded"), Raised("R237"), Raised(code), Silent("R205")];
    case(configured(texts), &[], expected)
}

/// More than the declared model differs.
fn confounded(texts: [&'static str; 2]) -> Case {
    case(configured(texts), &["--vary", "model"], vec![Grade("confounded"), Raised("R201")])
}

/// Results of lm-evaluation-harness at these commits of it.
fn harness(commits: [&'static str; 2]) -> [Files; 2] {
    both(|arm| {
        let accuracy = [0.5, 0.6][arm];
        let results = json!({
            "results": { "arc": { "acc,none": accuracy, "acc_stderr,none": 0.02 } },
            "versions": { "arc": 1 },
            "n-samples": { "arc": { "original": 200, "effective": 200 } },
            "config": { "model_args": format!("pretrained=m{arm}") },
            "git_hash": commits[arm],
        });
        vec![("results_2024.json", results.to_string())]
    })
}

/// The baseline was evaluated on this task later, under another limit.
fn evaluated_later(task: &'static str) -> [Files; 2] {
    both(|arm| {
        let evaluation = |task: &str, accuracy: f64, limit: &str| {
            json!({
                "results": { task: { "acc,none": accuracy, "acc_stderr,none": 0.02 } },
                "versions": { task: 1 },
                "config": { "model_args": format!("pretrained=m{arm}"), "limit": limit },
            })
        };
        let first = evaluation("arc", [0.5, 0.6][arm], "32").to_string();
        let mut files = vec![("results_2025-03-03T18-54-46.768410.json", first)];
        if arm == 0 {
            let second = evaluation(task, 0.5, "64").to_string();
            files.push(("results_2025-03-06T20-00-07.554412.json", second));
        }
        files
    })
}

/// The first finding of a code between two configurations.
fn found(texts: [&'static str; 2], arguments: &[&str], code: &str) -> serde_json::Value {
    finding(&Runs::of(&configured(texts)).report(arguments), code).clone()
}

#[test]
fn a_difference_is_as_loud_as_its_role() {
    let rows = [
        ("dataset_revision: a", "dataset_revision: b", "dataset", "error"),
        ("num_fewshot: 5", "num_fewshot: 0", "few-shot", "error"),
        ("prompt_template: a", "prompt_template: b", "prompt", "error"),
        ("temperature: 0", "temperature: 1", "decoding", "error"),
        ("temperature: 0\nlr: 1", "temperature: 1\nlr: 1", "decoding", "warning"),
        ("kl_beta: 0", "kl_beta: 1", "training", "warning"),
        ("base_checkpoint: a", "base_checkpoint: b", "model", "warning"),
        ("load_in_4bit: true", "load_in_4bit: false", "precision", "warning"),
        ("seed: 1", "seed: 2", "seed", "warning"),
        ("p: 1", "p: 2", "other", "warning"),
    ];
    for (mine, theirs, role, severity) in rows {
        let found = found([mine, theirs], &["--vary", "warmth"], "R201");
        assert_eq!(
            (&found["severity"], &found["evidence"]["role"]),
            (&severity.into(), &role.into())
        );
    }
}

#[test]
fn what_follows_from_a_difference_is_told_with_it() {
    let found = found(
        [
            "lr: 1\npretrained: one\nmodel_sha: aaaaaaaa\n",
            "lr: 2\npretrained: two\nmodel_sha: cccccccc\n",
        ],
        &["--vary", "lr"],
        "R201",
    );
    assert_eq!(found["evidence"]["following"], json!(["model_sha"]), "{found}");
}

#[test]
fn keys_of_one_run_that_matter_most_are_named_and_no_side_is_listed_empty() {
    let said = |texts| {
        let runs = Runs::of(&configured(texts));
        let report = runs.report(&["--vary", "lr"]);
        finding(&report, "R202")["message"].as_str().expect("a message").to_owned()
    };
    let adapter = said(["lr: 1\nalpha_blend: 1\n", "lr: 2\nzeta: 3\npeft: adapters/x\n"]);
    let expected = "check first: peft (a: alpha_blend; b: peft, zeta)";
    assert!(adapter.contains(expected), "{adapter}");
    let minor = said(["lr: 1\nalpha_blend: 1\n", "lr: 2\n"]);
    assert!(minor.contains("(a: alpha_blend)"), "{minor}");
}

#[test]
fn a_judge_that_one_run_alone_records_is_comparable_as_far_as_recorded_only() {
    let headline = |texts: [&'static str; 2]| {
        let page = Runs::of(&configured(texts)).compare(&["--vary", "lr"]).out;
        page.lines().nth(4).expect("whether it may be believed").to_owned()
    };
    let told = headline(["lr: 1\n", "lr: 2\njudge_model: gpt\n"]);
    assert!(told.contains("as far as recorded") && told.contains("records judge_model"), "{told}");
    let told = headline(["lr: 1\n", "lr: 2\nwarmup: 5\n"]);
    assert!(told.starts_with("**Comparable as declared**"), "{told}");
}
