//! What a log says of the settings of its run or runs: in commands, dumps and what it repeats.

use crate::command::{assert_said, compare, reportgen};
use crate::directory::Directory;

/// What is said of two runs of one log that differ in that setting.
fn across(setting: &str, log: &str) -> String {
    let directory = Directory::of([("t.log", log)]);
    let ended = reportgen(["compare", &directory.word("t.log"), "--across", setting]);
    ended.err + &ended.out
}

/// What is said of two runs with these files.
fn said<const N: usize>(files: [(&str, [String; 2]); N]) -> String {
    let directory = Directory::new();
    for (name, contents) in files {
        for (run, content) in ["a", "b"].iter().zip(contents) {
            directory.write(format!("{run}/{name}"), content);
        }
    }
    let ended = compare(&[directory.word("a"), directory.word("b")], &[]);
    ended.err + &ended.out
}

/// The same of two logs with these lines above their steps.
fn said_of_heads(heads: [&str; 2]) -> String {
    said([("train.log", [log(heads[0], 0.02), log(heads[1], 0.03)])])
}

/// A log of a training with these lines above its steps.
fn log(head: &str, rise: f64) -> String {
    let steps = (1..6).map(|step| {
        let accuracy = 0.4 + f64::from(step) * rise;
        format!("step {step}00 loss: {:.3} eval_accuracy: {accuracy:.3}\n", 1.0 / f64::from(step))
    });
    format!("{head}\n{}", steps.collect::<String>())
}

#[test]
fn a_command_at_the_head_of_a_log_is_configuration() {
    for [first, second, expected] in [
        [
            "KL_BETA=0.12 python train.py --batch_size 32",
            "KL_BETA=0.15 python train.py --batch_size 64",
            "KL_BETA is 0.12 vs. 0.15",
        ],
        ["+ export LR=1e-5", "+ export LR=2e-5", "taken to be LR."],
        ["LR=1e-5 BATCH_SIZE=8", "LR=1e-5 BATCH_SIZE=16", "taken to be BATCH_SIZE."],
    ] {
        let files = [("a.log", log(first, 0.02)), ("b.log", log(second, 0.03))];
        let directory = Directory::of(files);
        let ended = reportgen(["compare", &directory.word("a.log"), &directory.word("b.log")]);
        assert_said(&(ended.err + &ended.out), &[expected]);
    }
}

#[test]
fn two_programs_in_one_log_are_two_runs_with_their_own_settings() {
    let head = |beta: &str| format!("Namespace(kl_beta={beta}, lr=1e-05, seed=1)");
    let both = log(&head("0.15"), 0.03) + &log(&head("0.12"), 0.02);
    assert_said(&across("kl_beta", &both), &["0.12 vs 0.15 (baseline)", "55.0% → 50.0%", "!R181"]);
}

#[test]
fn a_command_counts_beside_a_configuration_file() {
    let config =
        || ["lr: 1e-5\nbatch_size: 8\n".to_owned(), "lr: 1e-5\nbatch_size: 8\n".to_owned()];
    let of_commands = |heads: [&str; 2]| {
        said([("config.yaml", config()), ("train.log", [log(heads[0], 0.02), log(heads[1], 0.03)])])
    };
    let lr = of_commands([
        "python train.py --config config.yaml --lr 1e-5",
        "python train.py --config config.yaml --lr 2e-5",
    ]);
    assert_said(&lr, &["taken to be lr", "[1e-5, 2e-5]"]);
    let new = of_commands(["python train.py --kl_beta 0.1", "python train.py --kl_beta 0.2"]);
    assert_said(&new, &["taken to be kl_beta"]);
    let dumped =
        of_commands(["Namespace(lr=1e-5, kl_beta=0.1)", "Namespace(lr=1e-5, kl_beta=0.2)"]);
    assert_said(&dumped, &["taken to be kl_beta", "!#lr"]);
    let same = of_commands(["python train.py --config a.yaml", "python train.py --config b.yaml"]);
    assert_said(&same, &["**Comparable**", "!R505"]);
}

#[test]
fn a_command_is_no_whole_configuration_and_a_dump_is() {
    for heads in [
        ["export SEED=1", "export SEED=1"],
        ["python train.py --config c.yaml --seed 1", "python train.py --config c.yaml --seed 1"],
    ] {
        assert_said(&said_of_heads(heads), &["**Comparable as far as recorded**", "R505"]);
    }
    for dump in ["Namespace(lr=1e-5, seed=1)", "Config:\n  lr: 1e-5\n  seed: 1\n"] {
        assert_said(&said_of_heads([dump, dump]), &["**Comparable**", "!R505"]);
    }
}

#[test]
fn a_setting_that_two_programs_have_keeps_both_values() {
    let heads = ["1e-6", "2e-6"].map(|lr| {
        format!("+ python sft.py --lr 2e-5 --epochs 2\n+ python grpo.py --lr {lr} --kl_beta 0.1")
    });
    let said = said_of_heads([&heads[0], &heads[1]]);
    assert_said(&said, &["taken to be lr", "[2e-5, 1e-6]", "[2e-5, 2e-6]"]);
    let twice = ["32", "16"].map(|size| {
        let config = |size: &str| format!("Config:\n  lr: 1e-5\n  batch_size: {size}\n\n");
        config("64") + &config(size)
    });
    assert_said(&said_of_heads([&twice[0], &twice[1]]), &["[64, 32]", "[64, 16]"]);
}

#[test]
fn each_run_in_a_log_has_the_settings_of_its_own_commands() {
    let run = |lr: &str, data: &str, rise: f64| {
        log(&format!("$ torchrun \\\n  train.py --lr {lr} \\\n  --data {data} --seed 1"), rise)
    };
    let both = run("1e-5", "a.jsonl", 0.02) + &run("2e-5", "b.jsonl", 0.03);
    assert_said(
        &across("lr", &both),
        &["**Confounded**", "data is a.jsonl vs. b.jsonl", "!seed is"],
    );
    let of_data = run("1e-5", "a.jsonl", 0.02) + &run("1e-5", "b.jsonl", 0.03);
    assert_said(&across("data", &of_data), &["50.0% → 55.0%", "!R181", "!lr is"]);
}

#[test]
fn a_learning_rate_that_differs_where_both_log_one_is_told() {
    let log = |scale: f64| {
        let step = |step: i32| {
            let rate = scale * f64::from(10 - step);
            format!("step {step} loss: {:.3} lr: {rate:.2e}\n", 1.0 / f64::from(step))
        };
        (1..8).map(step).collect::<String>()
    };
    let told = |scales: [f64; 2]| said([("train.log", scales.map(&log))]);
    assert_said(&told([1e-6, 2e-6]), &["values of lr that", "(R200)"]);
    assert_said(&told([1e-6, 1e-6]), &["!R200"]);
    let same = ["lr: 1e-5\nmax_steps: 9\n".to_owned(), "lr: 1e-5\nmax_steps: 9\n".to_owned()];
    let hidden = said([("config.yaml", same), ("train.log", [log(1e-6), log(2e-6)])]);
    assert_said(&hidden, &["values of lr that", "(R200)"]);
    let known = ["optim: {lr: 1e-5}\n".to_owned(), "optim: {lr: 2e-5}\n".to_owned()];
    let said = said([("config.yaml", known), ("train.log", [log(1e-6), log(2e-6)])]);
    assert_said(&said, &["optim.lr", "!R200"]);
}

#[test]
fn a_result_with_its_counts_behind_an_evaluation_is_one_of_the_run() {
    let run = |lr: &str, rise: f64, right: u32| {
        let head = log(&format!("+ python train.py --lr {lr}"), rise);
        let share = f64::from(right) / 10.0;
        format!(
            "{head}+ python eval.py --temperature 0\ngsm8k accuracy: {share:.1}% ({right}/1000)\n"
        )
    };
    let both = run("1e-5", 0.02, 510) + &run("2e-5", 0.03, 560);
    assert_said(&across("lr", &both), &["51.0% → 56.0% (+5.0 pp, 95% CI", "!temperature is"]);
    // What is logged on the way is no final result.
    let again = "train accuracy: 50.0% (32/64)\n".repeat(3) + &log("", 0.02);
    let directory = Directory::of([("t.log", again)]);
    let ended = reportgen(["inspect", &directory.word("t.log")]);
    assert_said(&ended.out, &["!n=64"]);
}

#[test]
fn what_other_programs_print_beside_a_configuration_is_no_setting_of_the_training() {
    let config = |lr: &str| format!("learning_rate: {lr}\nmodel: base\nseed: 42\n");
    let server = |port: u32| {
        format!(
            "Namespace(model='/ckpt/{port}', tokenizer='/ckpt/{port}', seed=0, port={port}, host='h')\n"
        )
    };
    let told = said([
        ("config.yaml", [config("1e-5"), config("2e-5")]),
        ("eval.log", [server(8000), server(8001)]),
        ("train.log", [log("", 0.02), log("", 0.03)]),
    ]);
    assert_said(&told, &["taken to be learning_rate", "!**Confounded**", "!seed is"]);
    let commands = [8000, 8001].map(|port| {
        log(&format!("torchrun --rdzv_endpoint h:{port} --rdzv_id {port} train.py --lr 1e-5"), 0.02)
    });
    assert_said(&said([("train.log", commands)]), &["!**Confounded**", "!R201"]);
}

#[test]
fn settings_in_any_form_are_found_beside_a_configuration_that_lacks_them() {
    let config = || ["lr: 1e-5\nseed: 1\n".to_owned(), "lr: 1e-5\nseed: 1\n".to_owned()];
    for form in [
        "args: {'kl_beta': KL, 'epochs': 3}",
        "sys.argv: ['train.py', '--kl_beta', 'KL']",
        "| kl_beta | KL |",
        "kl_beta........KL",
        "[INFO] run settings: kl_beta=KL, mode=a",
        "PS C:\\x> python train.py --kl_beta KL `",
        "python train.py ++algo.kl_beta=KL",
    ] {
        let logs = ["0.1", "0.2"].map(|kl| log(&form.replace("KL", kl), 0.02));
        let told = said([("config.yaml", config()), ("train.log", logs)]);
        assert_said(&told, &["taken to be", "kl_beta", "!Nothing that can affect"]);
        let same = ["0.1", "0.1"].map(|kl| log(&form.replace("KL", kl), 0.02));
        let told = said([("config.yaml", config()), ("train.log", same)]);
        assert_said(&told, &["**Comparable**", "!taken to be"]);
    }
    let scripts = ["0.1", "0.2"].map(|kl| format!("#!/bin/sh\npython train.py --kl_beta {kl}\n"));
    let curves = ["", ""].map(|head| log(head, 0.02));
    let told = said([("config.yaml", config()), ("run.sh", scripts), ("train.log", curves)]);
    assert_said(&told, &["taken to be kl_beta"]);
}

#[test]
fn another_script_and_options_given_twice_are_told() {
    for commands in [
        ["python train_sft.py --lr 1e-5", "python train_dpo.py --lr 1e-5"],
        ["python t.py --mix a --mix b", "python t.py --mix a --mix c"],
    ] {
        let logs = commands.map(|command| log(command, 0.02));
        let key = if commands[0].contains("mix") { "mix" } else { "script" };
        assert_said(&said([("train.log", logs)]), &[&format!("taken to be {key}")]);
    }
}

#[test]
fn a_choice_of_a_group_is_what_the_configuration_holds_under_its_name() {
    let config = |lr: &str| format!("optim:\n  lr: {lr}\n  name: adam\nseed: 1\n");
    let told = said([
        (".hydra/config.yaml", [config("1e-5"), config("2e-5")]),
        (".hydra/overrides.yaml", ["- optim=low\n".to_owned(), "- optim=high\n".to_owned()]),
        ("train.log", [log("", 0.02), log("", 0.03)]),
    ]);
    assert_said(&told, &["taken to be optim.lr.", "!R202"]);
}

#[test]
fn settings_in_a_file_of_any_name_count_and_results_in_one_do_not() {
    let logs = || [log("", 0.02), log("", 0.03)];
    let settings = ["kl_beta: 0.1\n".to_owned(), "kl_beta: 0.2\n".to_owned()];
    let told = said([("grpo_recipe.yaml", settings), ("train.log", logs())]);
    assert_said(&told, &["taken to be kl_beta"]);
    let results = [0.5, 0.6].map(|value| format!("temperature: {value}\naccuracy: {value}\n"));
    let told = said([("eval_results.yaml", results), ("train.log", logs())]);
    assert_said(&told, &["!temperature is"]);
}

#[test]
fn a_program_that_prints_another_number_than_the_file_has_is_believed_beside_it() {
    let config = || ["lr: 1e-5\nmodel: base\n".to_owned(), "lr: 1e-5\nmodel: base\n".to_owned()];
    let logs = |rates: [&str; 2], form: &str| rates.map(|lr| log(&form.replace("LR", lr), 0.02));
    for form in ["TrainingArguments(learning_rate=LR, fp16=True)", "python t.py --learning_rate LR"]
    {
        let told = |rates| said([("config.yaml", config()), ("train.log", logs(rates, form))]);
        assert_said(&told(["1e-05", "3e-5"]), &["taken to be lr.", "!learning_rate is"]);
        assert_said(&told(["3e-5", "3e-5"]), &["!taken to be", "!**Confounded**"]);
        assert_said(&told(["1e-5", "0.00001"]), &["!taken to be", "!**Confounded**"]);
    }
}

#[test]
fn what_logs_print_and_no_file_decides_is_told_beside_the_grade() {
    let config = || ["seed: 1\nmodel: base\n".to_owned(), "seed: 1\nmodel: base\n".to_owned()];
    let told = |dumps: [&str; 2]| {
        let logs = dumps.map(|dump| log(&format!("Namespace({dump}, lr=1e-5)"), 0.02));
        said([("config.yaml", config()), ("train.log", logs)])
    };
    for (dumps, keys) in [
        (["model_name_or_path='a'", "model_name_or_path='b'"], "model_name_or_path"),
        (["train_file='a.txt'", "train_file='b.txt'"], "train_file"),
        (["seed=1", "seed=7"], "seed"),
        (["model='other'", "model='base'"], "model"),
    ] {
        let expected = format!("their logs print other values of {keys} (R508)");
        assert_said(&told(dumps), &[&expected, "!Nothing that can affect", "!**Confounded**"]);
    }
    assert_said(&told(["seed=7", "seed=7"]), &["!R508", "**Comparable**"]);
    assert_said(&told(["local_rank=0", "local_rank=1"]), &["!R508", "**Comparable**"]);
}

#[test]
fn what_a_log_shows_of_samples_and_of_other_things_is_no_setting() {
    let config = || ["lr: 1e-5\n".to_owned(), "lr: 1e-5\n".to_owned()];
    for form in [
        "[Sample 3] Answer: python train.py --lr LR",
        "### Response:\n$ export LR=LR",
        "```bash\npython train.py --lr LR\n```",
        "Response: Config:\n  lr: LR\n  dropout: LR\n",
        "A: Namespace(lr=LR)",
        "rate limit reached: limit=LR, max_tokens=LR",
        "GPU temperature: LR C",
        "# python train.py --lr LR",
    ] {
        let logs = ["0.1", "0.2"].map(|lr| log(&form.replace("LR", lr), 0.02));
        assert_said(&said([("config.yaml", config()), ("train.log", logs)]), &["**Comparable**"]);
    }
}

#[test]
fn seeds_of_several_processes_have_no_order() {
    let server =
        |seed: u32| format!("(server {seed}) Namespace(seed={seed}, max_model_len=4096)\n");
    let logs =
        |seeds: [[u32; 2]; 2]| seeds.map(|seeds| seeds.map(server).concat() + &log("", 0.02));
    assert_said(&said([("train.log", logs([[0, 1], [1, 0]]))]), &["!seed is", "!taken to be"]);
    assert_said(&said([("train.log", logs([[0, 1], [0, 2]]))]), &["seed"]);
}
