//! Words around tables of other people: which of them are understood, and which leave a table alone.

use super::Desk;
use crate::command::reportgen;
use crate::directory::Directory;

/// The document with `?`, and what it becomes.
#[track_caller]
fn check(document: &str, written: &[&str]) {
    let filled = Desk::new().filled(document, &[]);
    let mut expected = document.to_owned();
    for words in written {
        expected = expected.replacen('?', words, 1);
    }
    assert_eq!(filled, expected);
}

#[test]
fn a_title_that_turns_the_metric_into_something_else_leaves_the_table() {
    for title in [
        "Error (1 − accuracy)",
        "Drop in accuracy",
        "Errors: 100% minus accuracy",
        "Top-5 accuracy",
        "Training: accuracy",
        "GPT-4: accuracy",
        "train 准确率",
        "CoT GSM8K-Hard 准确率",
        "Accuracy of the judge",
        "准确率下降",
    ] {
        check(&format!("# {title}\n\n| Model | gsm8k |\n|-|-|\n| tuned | ? |\n"), &[]);
    }
    check("# Heron v3 GRPO 准确率报告\n\n| Model | gsm8k |\n|-|-|\n| tuned | ? |\n", &["62.5%"]);
    check("# Drop in accuracy\n\n| Model | gsm8k accuracy |\n|-|-|\n| tuned | ? |\n", &["62.5%"]);
}

#[test]
fn a_row_of_another_number_of_samples_is_left() {
    let table = |head: &str, n: &str| {
        format!(
            "| Dataset | {head} | base | tuned | Δ | Verdict |\n|-|-|-|-|-|-|\n| gsm8k | {n} | ? | ? | ? | ? |\n"
        )
    };
    for head in ["N", "样本数", "# questions"] {
        check(&table(head, "400"), &["50.0%", "62.5%", "+12.5 pp", "⬆️ ✅ better"]);
        for other in ["1319", "1.3k", "first 50", "400 (subset)"] {
            check(&table(head, other), &[]);
        }
    }
    check("| Model | gsm8k |\n|-|-|\n| tuned | ?/400 |\n", &["250"]);
    check("| Model | gsm8k |\n|-|-|\n| tuned | ?/200 |\n", &[]);
}

#[test]
fn remarks_beside_the_figures_say_nothing_of_them() {
    check("| Model | gsm8k | Notes |\n|-|-|-|\n| tuned | ? | first run |\n", &["62.5%"]);
    check("| # | Model | Params | gsm8k |\n|-|-|-|-|\n| 1 | tuned | 7B | ? |\n", &["62.5%"]);
    check("| Model | gsm8k | Notes |\n|-|-|-|\n| tuned | ? | validation set |\n", &[]);
    for note in ["first 100 questions", "8-shot", "macro-averaged", "on math"] {
        check(&format!("| Model | gsm8k | Notes |\n|-|-|-|\n| tuned | ? | {note} |\n"), &[]);
    }
    check("| Model | gsm8k | Split |\n|-|-|-|\n| tuned | ? | train |\n", &[]);
}

#[test]
fn a_heading_about_one_run_leaves_figures_of_another() {
    check("## tuned\n\n| Dataset | base |\n|-|-|\n| gsm8k | ? |\n", &[]);
    check("## tuned\n\n| Dataset | tuned |\n|-|-|\n| gsm8k | ? |\n", &["62.5%"]);
    check(
        "## against base\n\n| Dataset | base | tuned |\n|-|-|-|\n| gsm8k | ? | ? |\n",
        &["50.0%", "62.5%"],
    );
}

#[test]
fn what_two_runs_are_to_each_other_is_a_name_of_theirs() {
    check("| Dataset | Baseline | Candidate |\n|-|-|-|\n| gsm8k | ? | ? |\n", &["50.0%", "62.5%"]);
    check("| Model | gsm8k |\n|-|-|\n| **tuned** (ours) | ? |\n", &["62.5%"]);
    check(
        "| Dataset | base | tuned | Δ (pp) |\n|-|-|-|-|\n| gsm8k | ? | ? | ? |\n",
        &["50.0%", "62.5%", "+12.5 pp"],
    );
}

#[test]
fn changes_in_relation_and_verdicts_in_other_signs_are_left() {
    let table = "| Dataset | base | tuned | Change |\n|-|-|-|-|\n| gsm8k | 50.0% | 62.5% | +25.0% |\n| math | 25.0% | 23.75% | ? |\n";
    for further in [&[][..], &["--refresh"]] {
        assert_eq!(Desk::new().filled(table, further), table);
    }
    let table = "| Dataset | base | tuned | Verdict |\n|-|-|-|-|\n| gsm8k | 50.0% | 62.5% | ✅ |\n| math | 25.0% | 23.75% | ? |\n";
    assert_eq!(Desk::new().filled(table, &[]), table);
}

#[test]
fn settings_that_all_runs_have_alike_and_correct_answers_are_understood() {
    let desk = Desk(Directory::new());
    for (run, correct) in [("base", 20), ("tuned", 30)] {
        let record = |id: u32| {
            format!("{{\"id\": {id}, \"prompt\": \"q{id}\", \"correct\": {}}}\n", id < correct)
        };
        desk.0.write(format!("{run}/samples.jsonl"), (0..40).map(record).collect::<String>());
        desk.0.write(format!("{run}/config.yaml"), "seed: 1\nmodel: org/qwen-7b\n");
    }
    let table =
        "# Accuracy\n\n## qwen-7b, seed 1\n\n| | base | tuned |\n|-|-|-|\n| accuracy | ? | ? |\n";
    let filled = desk.filled(table, &[]);
    assert_eq!(filled, table.replacen('?', "50.0%", 1).replacen('?', "75.0%", 1));
}

#[test]
fn a_figure_whose_unit_was_guessed_is_left() {
    let desk = Desk::new();
    desk.0.write(
        "tuned/summary.json",
        r#"{"gsm8k": {"accuracy": 0.55}, "math": {"accuracy": 62.5}}"#,
    );
    let table = "| Model | gsm8k | math |\n|-|-|-|\n| tuned | ? | ? |\n";
    let ended = desk.fill(table.as_bytes(), &["--write"]);
    assert!(ended.out.contains("is read as a percentage because"), "{}", ended.out);
    assert_eq!(desk.0.read("doc.md"), table.replacen("? | ?", "? | 62.5%", 1));
}

#[test]
fn the_difference_of_two_means_is_the_mean_of_the_differences() {
    check(
        "| Dataset | base | tuned | Δ |\n|-|-|-|-|\n| gsm8k | 50.0% | 62.5% | ? |\n| math | 25.0% | 23.8% | ? |\n| Average | ? | ? | ? |\n",
        &["+12.5 pp", "-1.2 pp", "37.5%", "43.1%", "+5.6 pp"],
    );
}

#[test]
fn a_difference_of_one_run_is_of_the_only_figure_before_it() {
    let rows = |cells: &str| format!("| base | {cells} |\n| tuned | {cells} |\n");
    let of = |heads: &str, cells: &str| {
        format!(
            "| Model | {heads} |\n|-{}|\n{}",
            "|-".repeat(heads.split('|').count()),
            rows(cells)
        )
    };
    let filled = Desk::new().filled(&of("gsm8k | Δ | math | Δ", "? | ? | ? | ?"), &[]);
    assert!(filled.ends_with("| tuned | 62.5% | +12.5 pp | 23.75% | -1.25 pp |\n"), "{filled}");
    for (heads, cells) in [
        ("gsm8k | math | Avg | Δ", "? | ? | ? | ?"),
        ("gsm8k | math | Δ | Verdict", "? | ? | ? | ?"),
        ("gsm8k | Latency (s) | Δ", "? | 1.2 | ?"),
        ("gsm8k | GSM8K-Hard | Δ", "? | ? | ?"),
    ] {
        let filled = Desk::new().filled(&of(heads, cells), &[]);
        assert!(!filled.contains("pp"), "{filled}");
    }
}

#[test]
fn nothing_is_subtracted_from_a_baseline_that_is_not_in_the_table() {
    check(
        "| Dataset | GPT-4 | tuned | Δ | Verdict |\n|-|-|-|-|-|\n| gsm8k | 92.0% | ? | ? | ? |\n",
        &["62.5%"],
    );
    check(
        "| Model | gsm8k | Δ |\n|-|-|-|\n| GPT-4 (baseline) | 90.0% | - |\n| tuned | ? | ? |\n",
        &["62.5%"],
    );
    let table = "| Dataset | base | tuned | Δ |\n|-|-|-|-|\n| gsm8k | 50.0% | 62.5% | -25.5 pp |\n| math | 25.0% | 23.8% | ? |\n";
    for further in [&[][..], &["--refresh"]] {
        assert_eq!(Desk::new().filled(table, further), table);
    }
}

#[test]
fn a_part_of_the_data_or_of_a_training_in_a_heading_leaves_the_table() {
    for heading in [
        "# Validation results",
        "# GSM8K dev accuracy",
        "# 验证结果",
        "# Best checkpoint",
        "# Accuracy averaged over 3 epochs",
        "# 准确率（3 个种子平均）",
        "# GSM8K training accuracy",
        "# GSM8K Platinum",
        "# GSM8K 训练准确率",
        "# SVAMP",
        "# SFT on GSM8K, tested on SVAMP",
        "# Accuracy on all tasks except MATH",
        "# GSM8K at T=0.8",
    ] {
        check(&format!("{heading}\n\n| Model | gsm8k |\n|-|-|\n| tuned | ? |\n"), &[]);
    }
    for heading in
        ["4-shot accuracy over 3 epochs", "final 2 epochs", "vs epoch 1", "up to step 1000"]
    {
        check(&format!("## {heading}\n\n| Model | gsm8k |\n|-|-|\n| tuned | ? |\n"), &[]);
    }
    let prose = "Chosen on the development data, best of all.";
    check(&format!("{prose}\n\n| Model | gsm8k |\n|-|-|\n| tuned | ? |\n"), &["62.5%"]);
}

#[test]
fn headings_that_add_nothing_and_other_names_of_runs_are_understood() {
    for heading in ["Preliminary results", "Ablation study", "消融实验", "性能对比", "Leaderboard"]
    {
        check(&format!("## {heading}\n\n| Model | gsm8k |\n|-|-|\n| tuned | ? |\n"), &["62.5%"]);
    }
    for head in ["Config", "Version", "Setup", "LLM", "名称", "版本"] {
        check(&format!("| {head} | gsm8k |\n|-|-|\n| tuned | ? |\n"), &["62.5%"]);
    }
    for heads in ["Baseline | Ours", "Before | After", "Old | New", "基线 | 本文方法"] {
        check(&format!("| Dataset | {heads} |\n|-|-|-|\n| math | ? | ? |\n"), &["25.0%", "23.75%"]);
    }
    check("| Rank | Model | gsm8k |\n|-|-|-|\n| 1 | tuned | ? |\n", &["62.5%"]);
}

#[test]
fn a_number_before_the_figures_says_something_of_the_row() {
    for head in ["n-shot", "#shots", "k", "Best epoch", "# steps"] {
        check(&format!("| Dataset | {head} | tuned |\n|-|-|-|\n| gsm8k | 5 | ? |\n"), &[]);
    }
}

#[test]
fn runs_that_are_several_or_have_one_name_are_refused() {
    let desk = Desk::new();
    desk.0.write("doc.md", "| Model | gsm8k |\n|-|-|\n| base | ? |\n");
    let refused = |runs: [&str; 2], words: &str| {
        let document = desk.0.word("doc.md");
        let ended = reportgen(["fill", &document, runs[0], runs[1], "--write"]);
        assert_eq!(ended.status, 2, "{ended:?}");
        assert!(ended.err.contains(words), "{ended:?}");
    };
    let run = |name: &str| desk.0.word(name);
    refused([&format!("a={}", run("base")), &format!("a={}", run("tuned"))], "two runs are called");
    let seeds = "seed,accuracy\n1,0.604\n2,0.593\n3,0.612\n";
    desk.0.write("seeds/results.csv", seeds);
    desk.0.write("other/results.csv", seeds.replace("0.6", "0.7"));
    refused([&run("seeds"), &run("other")], "holds 3 runs, and a cell has one figure");
}
