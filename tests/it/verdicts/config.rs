//! Configurations: what each kind of difference does to a comparison, and what is no difference.

use serde_json::json;

use super::Expected::{Grade, Quiet, Raised, Silent, Verdict};
use super::{Case, Files, Runs, both, case, config, correct, finding, records};

pub(super) fn cases() -> Vec<Case> {
    [sameness(), roles(), factors(), origins()].into_iter().flatten().collect()
}

/// The clear effect and a configuration each.
fn configured(texts: [&'static str; 2]) -> [Files; 2] {
    both(|arm| vec![("quiz.jsonl", records(60, |i| correct(arm, i))), config(texts[arm])])
}

fn sameness() -> Vec<Case> {
    let same = |name, texts| {
        case(name, configured(texts), &[], vec![Grade("as declared"), Quiet, Silent("R205")])
    };
    vec![
        same(
            "values that are spelt differently",
            [
                "lr: 5e-6\nuse_kl: yes\nnote_file: null\ntasks: [a, b]\nbetas: [0.9, 0.95]\npath: ./x/y.bin\n",
                "lr: 0.000005\nuse_kl: \"True\"\nnote_file: none\ntasks: b,a\nbetas: 0.9,0.95\npath: x//y.bin\n",
            ],
        ),
        same(
            "where and when, known by name or by value",
            [
                "output_dir: out/a\nrun_name: first\nstarted_at: 2025-01-01\nlaunch: 2025-01-01T10:00:00\ndump: out/a/d.jsonl\nhost: vm1\nmaster_port: 1\nnum_workers: 4\n",
                "output_dir: out/b\nrun_name: second\nstarted_at: 2025-01-02\nlaunch: 2025-01-02T11:00:00\ndump: out/b/d.jsonl\nhost: vm2\nmaster_port: 2\nnum_workers: 8\n",
            ],
        ),
        same(
            "what is null on one side and not recorded on the other",
            ["lr: 1\nstop: null\n", "lr: 1\n"],
        ),
        case(
            "keys that are spelt differently, with one value",
            configured(["kl-beta: 0.1\ntraining:\n  lr: 1e-6\n", "klBeta: 0.1\nlr: 1e-6\n"]),
            &[],
            vec![Grade("as declared"), Quiet, Raised("R238"), Silent("R202")],
        ),
        case(
            "keys that are spelt differently, with two values",
            configured(["kl-beta: 0.1\nlr: 1\n", "klBeta: 0.2\nlr: 1\n"]),
            &["--vary", "kl_beta"],
            vec![Grade("as declared"), Quiet, Raised("R238"), Silent("R202"), Silent("R203")],
        ),
        case(
            "lists whose order counts",
            configured(["lr: 1\nhidden_sizes: [64, 32]\n", "lr: 2\nhidden_sizes: [32, 64]\n"]),
            &["--vary", "lr"],
            vec![Grade("confounded"), Raised("R201")],
        ),
        case(
            "blanks that the model reads",
            configured(["lr: 1\nsystem_prompt: 'A:'\n", "lr: 2\nsystem_prompt: 'A: '\n"]),
            &["--vary", "lr"],
            vec![Grade("confounded"), Raised("R201")],
        ),
    ]
}

fn roles() -> Vec<Case> {
    let judged = |judges: [&'static str; 2]| {
        both(move |arm| {
            let record = |i: usize| json!({ "judge_score": f64::from(u8::from(i % 5 < 2 + arm)) });
            let text = format!("lr: {arm}\njudge:\n  model: {}\n  port: 80{arm}\n", judges[arm]);
            vec![("quiz.jsonl", records(60, record)), config(text)]
        })
    };
    vec![
        case(
            "another judge beside the declared factor",
            configured(["lr: 1\njudge_model: gpt-4o\n", "lr: 2\njudge_model: gpt-4.1\n"]),
            &["--vary", "lr"],
            vec![Grade("confounded"), Raised("R234"), Silent("R239"), Silent("R201")],
        ),
        case(
            "a judge that runs at another port",
            judged(["gpt-4o"; 2]),
            &["--vary", "lr"],
            vec![Grade("as declared"), Silent("R234"), Silent("R239")],
        ),
        case(
            "a metric of the judge, and another judge",
            judged(["gpt-4o", "gpt-4.1"]),
            &["--vary", "lr"],
            vec![Raised("R234"), Raised("R239"), Verdict("judge_score", "not-assessable")],
        ),
        case(
            "another judge that is declared",
            judged(["gpt-4o", "gpt-4.1"]),
            &["--vary", "lr,judge.model"],
            vec![Grade("as declared"), Silent("R234"), Silent("R239")],
        ),
        case(
            "machines under scores alone",
            configured([
                "lr: 1\ngpu_type: A100\nnum_gpus: 4\nper_device_eval_batch_size: 4\n",
                "lr: 2\ngpu_type: H100\nnum_gpus: 8\nper_device_eval_batch_size: 8\n",
            ]),
            &["--vary", "lr"],
            vec![Grade("as declared"), Quiet, Raised("R232"), Silent("R235"), Silent("R201")],
        ),
        case(
            "machines under a metric of speed",
            both(|arm| {
                let figures = json!({ "throughput": 100.0 + arm as f64, "accuracy": 0.5 });
                let text = format!("lr: {arm}\ngpu_type: {}\n", ["A100", "H100"][arm]);
                vec![("metrics.json", figures.to_string()), config(text)]
            }),
            &["--vary", "lr"],
            vec![Grade("confounded"), Raised("R235"), Silent("R232")],
        ),
        case(
            "devices that multiply the batch",
            configured([
                "lr: 1\nnum_gpus: 4\nper_device_train_batch_size: 2\n",
                "lr: 2\nnum_gpus: 8\nper_device_train_batch_size: 2\n",
            ]),
            &["--vary", "lr"],
            vec![Grade("confounded"), Raised("R201"), Silent("R232")],
        ),
        case(
            "another version of a library",
            configured([
                "lr: 1\ntransformers_version: 4.44.0\n",
                "lr: 2\ntransformers_version: 4.45.0\n",
            ]),
            &[],
            vec![Grade("confounded"), Raised("R233"), Raised("R205"), Silent("R201")],
        ),
        case(
            "an adapter that one run loads",
            configured(["lr: 1\nalpha_blend: 1\n", "lr: 2\npeft: adapters/x\n"]),
            &["--vary", "lr"],
            vec![Grade("as declared"), Raised("R202"), Silent("R201")],
        ),
        case(
            "one version of a library, recorded by one run",
            configured(["lr: 1\ntransformers_version: 4.44.0\n", "lr: 2\n"]),
            &["--vary", "lr"],
            vec![Grade("as declared"), Silent("R233"), Raised("R202")],
        ),
    ]
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

fn factors() -> Vec<Case> {
    let inferred = |name, texts| {
        case(
            name,
            configured(texts),
            &[],
            vec![Grade("as declared"), Raised("R205"), Silent("R237"), Quiet],
        )
    };
    let declined = |name, texts, code: &'static str| {
        case(
            name,
            configured(texts),
            &[],
            vec![Grade("confounded"), Raised("R237"), Raised(code), Silent("R205")],
        )
    };
    let confounded = |name, texts| {
        let expected = vec![Grade("confounded"), Raised("R201")];
        case(name, configured(texts), &["--vary", "model"], expected)
    };
    vec![
        inferred("a penalty alone", ["kl_beta: 0.1\n", "kl_beta: 0.2\n"]),
        inferred("a learning rate alone", ["lr: 1\nseed: 1\n", "lr: 2\nseed: 1\n"]),
        inferred(
            "a model alone, with what follows from it",
            [
                "pretrained: one\nmodel_sha: aaaaaaaa\ntokenizer: one\n",
                "pretrained: two\nmodel_sha: cccccccc\ntokenizer: two\n",
            ],
        ),
        inferred(
            "a model of another size, with a template of its own",
            [
                "pretrained: one\nmodel_num_parameters: 7\nchat_template_sha: b1\ntokenizer: t\n",
                "pretrained: two\nmodel_num_parameters: 8\nchat_template_sha: b2\ntokenizer: u\n",
            ],
        ),
        inferred("sampling alone", ["temperature: 0\nseed: 1\n", "temperature: 1\nseed: 1\n"]),
        declined("a judge alone", ["judge_model: x\n", "judge_model: y\n"], "R234"),
        declined(
            "a revision alone",
            ["dataset_revision: main\n", "dataset_revision: v2\n"],
            "R201",
        ),
        declined(
            "a prompt template alone",
            ["prompt_template: a\n", "prompt_template: b\n"],
            "R201",
        ),
        declined("shots alone", ["num_fewshot: 0\n", "num_fewshot: 5\n"], "R201"),
        declined(
            "an extraction of answers alone",
            ["answer_regex: a\n", "answer_regex: b\n"],
            "R234",
        ),
        declined("a kind of match alone", ["metric_type: x\n", "metric_type: y\n"], "R234"),
        declined("attempts alone", ["best_of: 1\n", "best_of: 8\n"], "R201"),
        declined("a limit alone", ["limit: 50\n", "limit: 100\n"], "R201"),
        case(
            "a seed alone",
            configured(["lr: 1\nseed: 1\n", "lr: 1\nseed: 2\n"]),
            &[],
            vec![
                Grade("as declared"),
                Raised("R258"),
                Quiet,
                Silent("R201"),
                Silent("R205"),
                Silent("R237"),
            ],
        ),
        declined(
            "the hash of a model alone",
            ["pretrained: one\nmodel_sha: aaaaaaaa\n", "pretrained: one\nmodel_sha: cccccccc\n"],
            "R201",
        ),
        case(
            "shots that are declared",
            configured(["num_fewshot: 0\n", "num_fewshot: 5\n"]),
            &["--vary", "num_fewshot"],
            vec![Grade("as declared"), Silent("R237"), Quiet],
        ),
        confounded(
            "a model and a chat template",
            ["model: one\nchat_template: a\n", "model: two\nchat_template: b\n"],
        ),
        confounded(
            "a model and a chat template of one arm alone",
            [
                "model: one\nmodel_num_parameters: 7\nchat_template_sha: null\n",
                "model: two\nmodel_num_parameters: 8\nchat_template_sha: aa\n",
            ],
        ),
        confounded(
            "a model and a tokenizer of another name",
            ["model: one\ntokenizer: a\n", "model: two\ntokenizer: b\n"],
        ),
        case(
            "commands with other temperatures under one recorded temperature",
            configured([
                "lr: 1\ntemperature: 0\nargv: [run.py, --temperature, '0', --out, a]\n",
                "lr: 2\ntemperature: 0\nargv: [run.py, --temperature, '1', --out, b]\n",
            ]),
            &["--vary", "lr"],
            vec![Grade("confounded"), Raised("R201")],
        ),
        case(
            "a judge that only one command names",
            configured(["lr: 1\ncommand: run.py\n", "lr: 2\ncommand: run.py --judge x\n"]),
            &["--vary", "lr"],
            vec![Grade("confounded"), Raised("R234")],
        ),
        case(
            "commands that differ in places, in the factor, and in a default that is recorded",
            configured([
                "lr: 1\ntemperature: 0\ncommand: run.py --lr 1 --out a\n",
                "lr: 2\ntemperature: 0\ncommand: run.py --lr 2 --out b --temperature 0\n",
            ]),
            &["--vary", "lr"],
            vec![Grade("as declared"), Quiet],
        ),
        case(
            "a factor that the command states as well",
            configured([
                "temperature: 0\ncommand: run.py --temperature 0\n",
                "temperature: 1\ncommand: run.py --temperature=1.0\n",
            ]),
            &["--vary", "temperature"],
            vec![Grade("as declared"), Quiet],
        ),
        case(
            "a run whose files state two temperatures",
            contradicting(1),
            &["--vary", "lr"],
            vec![Grade("confounded"), Raised("R123"), Raised("R201")],
        ),
        case(
            "two runs whose files state the same two temperatures",
            contradicting(0),
            &["--vary", "lr"],
            vec![Grade("as declared"), Raised("R123"), Silent("R201")],
        ),
        case(
            "a revision that is declared",
            configured(["dataset_revision: main\n", "dataset_revision: v2\n"]),
            &["--vary", "dataset_revision"],
            vec![Grade("as declared"), Silent("R237"), Quiet],
        ),
    ]
}

fn origins() -> Vec<Case> {
    let harness = |commits: [&'static str; 2]| {
        both(move |arm| {
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
    };
    // The baseline was given a second task later, under other settings.
    let two_files = |later: &'static str, task: &'static str| {
        both(move |arm| {
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
                let second = evaluation(task, 0.5, later).to_string();
                files.push(("results_2025-03-06T20-00-07.554412.json", second));
            }
            files
        })
    };
    vec![
        case(
            "a setting of a later evaluation that is not compared",
            two_files("64", "mmlu"),
            &["--vary", "pretrained"],
            vec![Grade("as declared"), Silent("R201")],
        ),
        case(
            "a setting of a later evaluation that is compared",
            two_files("64", "arc"),
            &["--vary", "pretrained"],
            vec![Grade("confounded"), Raised("R201")],
        ),
        case(
            "another commit of the harness",
            harness(["59170e85", "6a1b2c3d"]),
            &[],
            vec![Grade("confounded"), Raised("R231"), Raised("R205")],
        ),
        case(
            "one commit, once abbreviated",
            harness(["59170e85", "59170e851c2f0f6a9dbd9d5a0e6a7c33f21b9c04"]),
            &[],
            vec![Grade("as declared"), Silent("R231"), Quiet],
        ),
        case(
            "another commit in the configuration is told once",
            configured(["lr: 1\ngit_commit: aaaaaaa\n", "lr: 2\ngit_commit: bbbbbbb\n"]),
            &["--vary", "lr"],
            vec![Grade("confounded"), Raised("R231"), Silent("R201"), Silent("R236")],
        ),
        case(
            "two commits that are what is compared",
            configured(["git_commit: aaaaaaa\n", "git_commit: bbbbbbb\n"]),
            &["--vary", "git_commit"],
            vec![Grade("as declared"), Silent("R231"), Quiet],
        ),
        case(
            "one commit, both trees not clean",
            configured([
                "lr: 1\ngit:\n  commit: aaaaaaa\n  dirty: true\n",
                "lr: 2\ngit:\n  commit: aaaaaaa\n  dirty: true\n",
            ]),
            &["--vary", "lr"],
            vec![Grade("as declared"), Raised("R236"), Silent("R231"), Quiet],
        ),
        case(
            "trees that are not clean, in the spelling of another producer",
            configured([
                "lr: 1\ngit:\n  commit: aaaaaaa\n  isDirty: true\n",
                "lr: 2\ngit:\n  commit: aaaaaaa\n  isDirty: true\n",
            ]),
            &["--vary", "lr"],
            vec![Grade("as declared"), Raised("R236"), Silent("R231"), Quiet],
        ),
        case(
            "devices that multiply the batch, in the spelling of another producer",
            configured([
                "lr: 1\nnumGpus: 4\nperDeviceTrainBatchSize: 2\n",
                "lr: 2\nnumGpus: 8\nperDeviceTrainBatchSize: 2\n",
            ]),
            &["--vary", "lr"],
            vec![Grade("confounded"), Raised("R201"), Silent("R232")],
        ),
        case(
            "one commit, one tree not clean, another branch",
            configured([
                "lr: 1\ngit:\n  commit: aaaaaaa\n  dirty: true\n  branch: x\n",
                "lr: 2\ngit:\n  commit: aaaaaaa\n  dirty: false\n  branch: y\n",
            ]),
            &["--vary", "lr"],
            vec![Grade("confounded"), Raised("R236"), Raised("R231"), Silent("R201")],
        ),
    ]
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
    let expected = "look first at: peft (a: alpha_blend; b: peft, zeta)";
    assert!(adapter.contains(expected), "{adapter}");
    let minor = said(["lr: 1\nalpha_blend: 1\n", "lr: 2\n"]);
    assert!(minor.contains("(a: alpha_blend)"), "{minor}");
}

#[test]
fn a_judge_that_one_run_alone_records_is_comparable_as_far_as_recorded_only() {
    let headline = |texts: [&'static str; 2]| {
        let page = Runs::of(&configured(texts)).compare(&["--vary", "lr"]).out;
        page.lines().nth(2).expect("a headline").to_owned()
    };
    let told = headline(["lr: 1\n", "lr: 2\njudge_model: gpt\n"]);
    assert!(told.contains("as far as recorded") && told.contains("records judge_model"), "{told}");
    let told = headline(["lr: 1\n", "lr: 2\nwarmup: 5\n"]);
    assert!(told.starts_with("✅"), "{told}");
}
