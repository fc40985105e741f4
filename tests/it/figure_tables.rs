//! Tables of figures as people keep them: what their columns mean, in CSV, JSON and Markdown.

use crate::command::{compare, reportgen};
use crate::directory::Directory;

/// What is said, on either stream, of a comparison of these files (names and contents) with those words.
fn told(files: &[(&str, &str)], more: &[&str]) -> String {
    let directory = Directory::of(files.iter().copied());
    let runs: Vec<String> = files.iter().map(|(name, _)| directory.word(name)).collect();
    let ended = compare(&runs, more);
    ended.err + &ended.out
}

/// A comparison of these files says every text of `said` and none of `unsaid`.
fn check(files: &[(&str, &str)], more: &[&str], said: &[&str], unsaid: &[&str]) {
    let told = told(files, more);
    for text in said {
        assert!(told.contains(text), "{files:?} without {text}:\n{told}");
    }
    for text in unsaid {
        assert!(!told.contains(text), "{files:?} with {text}:\n{told}");
    }
}

#[test]
fn figures_without_a_percent_sign_beside_some_with_one_may_be_shares() {
    let across = ["--across", "model"];
    for mixed in ["61.2%,gsm8k\nB,0.661", "0.612,gsm8k\nB,66.1%"] {
        let table = format!("model,accuracy,dataset\nA,{mixed},gsm8k\n");
        check(&[("t.csv", &table)], &across, &["R227"], &["0.66%", "0.61%"]);
    }
    for clear in ["61.2%,gsm8k\nB,0.9%", "61.2%,gsm8k\nB,66.1", "0.612,gsm8k\nB,0.661"] {
        let table = format!("model,accuracy,dataset\nA,{clear},gsm8k\n");
        check(&[("t.csv", &table)], &across, &["accuracy"], &["R227"]);
    }
}

#[test]
fn columns_named_after_a_figure_say_how_sure_it_is() {
    let across = ["--across", "model", "--higher", "score"];
    let table = "model,gsm8k,gsm8k_stderr,gsm8k_n,mmlu,mmlu_stderr,mmlu_n\n\
                 base,0.61,0.0134,1319,0.45,0.004,14042\ntuned,0.67,0.0129,1319,0.44,0.004,14042\n";
    // The difference 0.06 with the standard error √(0.0134² + 0.0129²) = 0.0186.
    let said = ["score (gsm8k) | 0.61 | 0.67 | +0.06 | +0.0235 … +0.0965"];
    check(&[("t.csv", table)], &across, &said, &["score (gsm8k_n)", "stderr)"]);
    let seeds =
        "model,seed,gsm8k,gsm8k_n\nA,0,0.61,1319\nA,1,0.62,1319\nB,0,0.66,1319\nB,1,0.67,1319\n";
    check(&[("t.csv", seeds)], &["--across", "model"], &["gsm8k"], &["gsm8k_n"]);
}

#[test]
fn counts_of_right_answers_and_of_all_are_the_size_of_a_rate() {
    let across = ["--across", "model"];
    let with_rate = "| Model | Correct | Total | Accuracy |\n|---|---|---|---|\n\
                     | sft | 114 | 200 | 57.0% |\n| grpo | 120 | 200 | 60.0% |\n";
    // Wald's interval of two independent shares of 200: 3.0 ± 9.66.
    let said = ["accuracy | 57.0% | 60.0% | +3.0 pp | -6.7 … +12.6"];
    check(&[("t.md", with_rate)], &across, &said, &["total", "11400"]);
    let counts = "model,correct,total\nsft,114,200\ngrpo,120,200\n";
    let said = ["correct | 57.0% | 60.0% | +3.0 pp | -6.7 … +12.6"];
    check(&[("t.csv", counts)], &across, &said, &["total", "R158"]);
}

#[test]
fn a_size_may_be_written_with_commas_between_thousands() {
    let table = |n: &str| format!("model,accuracy,n\nA,0.612,{n}\nB,0.661,{n}\n");
    let across = ["--across", "model"];
    check(&[("t.csv", &table("\"1,319\""))], &across, &["1,319", "95% CI"], &["no sample count"]);
    check(&[("t.csv", &table("\"1,31\""))], &across, &["no sample count"], &["95% CI +"]);
}

#[test]
fn a_list_of_records_of_figures_is_the_table_that_it_would_be_in_csv() {
    let of = |acc: &str| format!(r#"[{{"task": "gsm8k", "acc": {acc}, "n": 1319}}]"#);
    check(
        &[("a.json", &of("0.6")), ("b.json", &of("0.66"))],
        &[],
        &["+6.0 pp", "gsm8k"],
        &["R122"],
    );
    check(&[("a_metrics.json", &of("0.6")), ("b.json", &of("0.66"))], &[], &["+6.0 pp"], &["R113"]);
    let runs = r#"[{"run": "a", "accuracy": 0.6}, {"run": "b", "accuracy": 0.66}]"#;
    check(&[("t.json", runs)], &["--across", "run"], &["+6.0 pp"], &["R113"]);
    check(&[("t.csv", "run,accuracy\n1,0.6\n2,0.66\n")], &["--across", "run"], &["+6.0 pp"], &[]);
    let tasks = r#"[{"task": "build", "seconds": 3}]"#;
    check(&[("a.json", tasks), ("b.json", tasks)], &[], &["R122"], &[" pp"]);
}

#[test]
fn a_number_of_samples_that_is_one_for_each_dataset_is_the_size_and_no_coordinate() {
    let table =
        |n: &str, acc: &str| format!("dataset,samples,accuracy\ngsm8k,{n},{acc}\nm,500,0.4\n");
    let files = [("a.csv", &*table("1319", "0.6")), ("b.csv", &*table("1310", "0.66"))];
    check(&files, &[], &["+6.0 pp"], &["missing", "samples="]);
    let grid = "dataset,samples,accuracy\ngsm8k,100,0.4\ngsm8k,200,0.6\n";
    let later = "dataset,samples,accuracy\ngsm8k,200,0.66\n";
    check(&[("a.csv", grid), ("b.csv", later)], &[], &["samples=200", "+6.0 pp", "missing"], &[]);
}

#[test]
fn a_json_file_that_is_the_run_may_have_any_name() {
    let of = |acc: &str| format!(r#"{{"accuracy": {{"gsm8k": {acc}}}}}"#);
    let files = [("base.json", &*of("0.6")), ("tuned.json", &*of("0.66"))];
    check(&files, &[], &["+6.0 pp", "gsm8k"], &["R122"]);
    let other = r#"{"widgets": 4}"#;
    let files = [("base.json", other), ("tuned.json", other)];
    check(&files, &[], &["R122", "_metrics.json"], &[]);
    let (a, b) = ("a/base.json", "b/base.json");
    let directory = Directory::of([(a, of("0.6")), (b, of("0.66"))]);
    let ended = compare(&[directory.word("a"), directory.word("b")], &[]);
    assert!(ended.err.contains("R122"), "a file of a directory needs its name: {}", ended.err);
}

#[test]
fn the_model_may_be_named_in_chinese() {
    let table =
        |model: &str, acc: &str| format!("模型,数据集,准确率,n\n{model},gsm8k,{acc},1319\n");
    let files = [("a.csv", &*table("基线", "0.6")), ("b.csv", &*table("微调", "0.66"))];
    check(&files, &[], &["+6.0 pp", "taken to be model"], &["R219", "模型="]);
    let both = "模型,数据集,准确率\n基线,gsm8k,0.6\n微调,gsm8k,0.66\n";
    check(&[("t.csv", both)], &["--across", "模型"], &["+6.0 pp"], &[]);
}

#[test]
fn a_table_in_a_document_that_holds_no_scores_is_told_how_to_be_written() {
    let wide = "| model | layers | heads |\n|--|--|--|\n| A | 24 | 12 |\n";
    check(&[("a.md", wide), ("b.md", wide)], &[], &["model,dataset,accuracy,n"], &[]);
}

#[test]
fn a_row_for_each_model_and_a_column_for_each_dataset_are_results() {
    let across = ["--across", "model", "--higher", "score"];
    let table = "model,gsm8k,math\nbase,51.2,20.1\ntuned,55.0,24.0\n";
    check(&[("t.csv", table)], &across, &["| score (gsm8k) | 51.2 | 55 | +3.8 |"], &["R122"]);
    let sized = "model,gsm8k,math,n\nbase,51.2,20.1,1000\ntuned,55.0,24.0,1000\n";
    check(&[("t.csv", sized)], &across, &["| score (gsm8k) | 51.2 | 55 | +3.8 |"], &["score (n)"]);
    let records = r#"[{"model": "base", "gsm8k": 51.2, "math": 20.1}, {"model": "tuned", "gsm8k": 55, "math": 24}]"#;
    check(&[("t.json", records)], &across, &["| score (gsm8k) | 51.2 | 55 | +3.8 |"], &["R122"]);
    let document = "# Results\n\n| Model | GSM8K | MATH |\n|--|--|--|\n| **base** | 51.2 | 20.1 |\n| tuned | 55.0 | 24 |\n";
    check(&[("t.md", document)], &across, &["| score (GSM8K) | 51.2 | 55 | +3.8 |"], &["R175"]);
    let with_sizes = "model,params,gsm8k,math\nbase,7.5,51.2,20.1\ntuned,7.5,55.0,24.0\n";
    check(&[("t.csv", with_sizes)], &across, &["| score (gsm8k) | 51.2 | 55"], &["score (params)"]);
    let of_questions = "model,q1,q2\nbase,0,1\ntuned,1,1\n";
    check(&[("t.csv", of_questions)], &across, &["contains nothing that can be compared"], &["+1"]);
    let remarks = "model,license,note\nbase,mit,x\ntuned,mit,y\n";
    check(
        &[("t.csv", remarks)],
        &across,
        &["contains nothing that can be compared"],
        &["At a glance"],
    );
}

/// The runs of two models with four seeds each, on these datasets.
fn seeds(datasets: &[&str]) -> Vec<(String, u32, String, f64)> {
    let mut rows = Vec::new();
    for (model, better) in [("base", 0.0), ("tuned", 0.06)] {
        for seed in 1..=4_u32 {
            for dataset in datasets {
                let accuracy = 0.5 + 0.01 * f64::from(seed * seed % 7) + better;
                rows.push((model.to_owned(), seed, (*dataset).to_owned(), accuracy));
            }
        }
    }
    rows
}

#[test]
fn a_row_for_each_seed_of_a_model_is_a_run_of_its_arm() {
    let across = ["--across", "model"];
    let said = &["4 / 4 seeds", "Results by seed", "better"];
    let unsaid = &["accuracy (seed=1)", "accuracy (gsm8k, seed=1)", "R122"];
    let csv = |rows: &[(String, u32, String, f64)]| -> String {
        let row = |(model, seed, dataset, accuracy): &(String, u32, String, f64)| {
            format!("{model},{seed},{dataset},{accuracy:.3}\n")
        };
        let rows: String = rows.iter().map(row).collect();
        format!("model,seed,dataset,accuracy\n{rows}")
    };
    let lines = |rows: &[(String, u32, String, f64)]| -> String {
        let row = |(model, seed, dataset, accuracy): &(String, u32, String, f64)| {
            format!(
                "{{\"model\": \"{model}\", \"seed\": {seed}, \"dataset\": \"{dataset}\", \"accuracy\": {accuracy:.3}}}\n"
            )
        };
        rows.iter().map(row).collect()
    };
    for datasets in [&["gsm8k"][..], &["gsm8k", "math"]] {
        let rows = seeds(datasets);
        check(&[("t.csv", &csv(&rows))], &across, said, unsaid);
        check(&[("t.jsonl", &lines(&rows))], &across, said, unsaid);
        let list = format!("[{}]", lines(&rows).trim_end().replace('\n', ", "));
        check(&[("t.json", &list)], &across, said, unsaid);
    }
    let table = csv(&seeds(&["gsm8k"]));
    check(
        &[("t.csv", &table)],
        &["--across", "model", "--pool", "seed"],
        &["seed=1"],
        &["/ 4 seeds"],
    );
    let replicates = table.replace("seed,", "replicate,");
    check(&[("t.csv", &replicates)], &across, &["4 / 4 seeds"], &["R122"]);
}

#[test]
fn seeds_beside_their_mean_and_seeds_of_other_datasets_are_coordinates() {
    let across = ["--across", "model"];
    let with_mean =
        "model,seed,accuracy\na,1,0.6\na,2,0.62\na,mean,0.61\nb,1,0.7\nb,2,0.72\nb,mean,0.71\n";
    check(&[("t.csv", with_mean)], &across, &["seed=mean"], &["seeds |"]);
    let apart =
        "model,seed,dataset,accuracy\na,1,gsm8k,0.6\na,2,math,0.5\nb,1,gsm8k,0.7\nb,2,math,0.6\n";
    check(&[("t.csv", apart)], &across, &["accuracy (gsm8k"], &["seeds |"]);
}

#[test]
fn json_lines_of_samples_and_of_points_are_no_rows_of_figures() {
    let samples = "{\"model\": \"a\", \"task\": \"gsm8k\", \"accuracy\": 1}\n{\"model\": \"a\", \"task\": \"gsm8k\", \"accuracy\": 0}\n";
    check(&[("a.jsonl", samples), ("b.jsonl", samples)], &[], &["R122"], &["| accuracy"]);
    let points = "{\"step\": 1, \"seed\": 3, \"accuracy\": 0.5}\n{\"step\": 2, \"seed\": 3, \"accuracy\": 0.6}\n";
    let directory = Directory::of([("a.jsonl", points)]);
    let ended = reportgen(["inspect", &directory.word("a.jsonl")]);
    assert!(ended.out.contains("accuracy  2 points over step"), "{ended:?}");
}

/// What `inspect` lists of a directory with these files.
fn inspected(files: &[(&str, &str)]) -> String {
    let directory = Directory::of(files.iter().copied());
    let ended = reportgen(["inspect", &directory.word("")]);
    ended.err + &ended.out
}

#[test]
fn figures_by_shot_are_a_grid_with_what_the_name_of_their_file_says() {
    let row = r#"{"Shot 1": 57.0, "Shot 2": 56.1}"#;
    let log = "shot 1 accuracy: 57%\nshot 2 accuracy: 56.1%\n";
    for (name, text, expected) in [
        ("grpo_epoch1_200.json", row, "score [epoch=1 samples=200 shot=2] = 56.1  (n=200"),
        ("grpo_epoch1_42.json", row, "score [epoch=1 shot=1] = 57  (n=?"),
        ("epoch2_n400.json", row, "score [epoch=2 samples=400 shot=1] = 57  (n=400"),
        ("grpo_epoch1_200.log", log, "accuracy [epoch=1 samples=200 shot=2] = 56.1  (n=200"),
        ("eval.log", log, "accuracy [shot=1] = 57  (n=?"),
        (
            "metrics.json",
            r#"{"gsm8k": {"shot1": 0.5, "shot2": 0.6}}"#,
            "gsm8k/score [shot=1] = 0.5",
        ),
        ("metrics.json", r#"{"shot1": 0.5, "loss": 0.6}"#, "shot1 = 0.5"),
    ] {
        let told = inspected(&[(name, text)]);
        assert!(told.contains(expected), "{name} without {expected}:\n{told}");
    }
    let counts = r#"{"files_read": 3, "Shot 1": 57.0}"#;
    assert!(inspected(&[("grpo_epoch1_200.json", counts)]).contains("R122"));
}

#[test]
fn a_share_may_stand_with_its_counts_and_a_cost_with_its_sign() {
    let table =
        "| dataset | accuracy | total_cost |\n|--|--|--|\n| gsm8k | 97.7% (43/44) | $0.0062 |\n";
    let told = inspected(&[("report.md", table)]);
    for expected in ["gsm8k/accuracy = 97.7  (n=44", "gsm8k/total_cost = 0.0062"] {
        assert!(told.contains(expected), "{expected}:\n{told}");
    }
    let scored = table.replace("43/44", "97/100");
    assert!(!inspected(&[("report.md", &scored)]).contains("accuracy ="));
}

#[test]
fn columns_of_differences_are_no_models() {
    for head in ["Δ", "Δ (pp)", "Improvement", "diff vs base", "提升"] {
        let table = format!(
            "| dataset | metric | n | base | tuned | {head} |\n|--|--|--|--|--|--|\n\
             | gsm8k | accuracy | 1319 | 61.0 | 67.0 | +6.0 |\n"
        );
        let told = inspected(&[("t.md", &table)]);
        assert_eq!(told.matches("  configuration").count(), 2, "{head}:\n{told}");
    }
    let model = "| dataset | metric | base | deltanet |\n|--|--|--|--|\n| a | acc | 0.5 | 0.6 |\n";
    assert!(inspected(&[("t.md", model)]).contains("model = deltanet"));
}

#[test]
fn a_head_may_name_the_metric_of_its_dataset_or_be_the_metric_that_is_declared() {
    let table = "model,gsm8k (acc),wikitext (ppl),n\nbase,61.0,11.2,500\ntuned,67.0,10.2,500\n";
    let across = ["--across", "model", "--higher", "score"];
    check(
        &[("t.csv", table)],
        &across,
        &["| accuracy (gsm8k) | 61.0%", "| `perplexity` | wikitext | 11.2"],
        &["score (", "❌"],
    );
    let plain = "model,gsm8k,math\nbase,61.0,31.0\ntuned,67.0,28.0\n";
    let declared = ["--across", "model", "--higher", "gsm8k"];
    check(&[("t.csv", plain)], &declared, &["| gsm8k | 61 | 67 |", "| math | 31"], &["(math)"]);
}

#[test]
fn a_heading_says_where_the_figures_below_it_stand() {
    let table = |heading: &str, size: &str, figure: &str| {
        format!(
            "## {heading}\n\n| Samples | Shot 1 | Shot 2 |\n|--|--|--|\n| {size} | {figure} | 56.1% |\n\n"
        )
    };
    let two = |first, second| table(first, "200", "57.0%") + &table(second, "400", "58.0%");
    let figure = |place: &str| format!("score [{place}] = 58");
    for (text, expected) in [
        (two("Epoch 1", "Epoch 2"), figure("epoch=2 samples=400 shot=1")),
        (two("GRPO, step 100", "GRPO, step 900"), figure("samples=400 shot=1 step=900")),
        (two("KL 0.12", "KL 0.15"), figure("condition=KL 0.15 samples=400 shot=1")),
        (two("Results", "More results"), figure("condition=More results samples=400 shot=1")),
        (two("Results (Epoch 1)", "Results (Epoch 2)"), figure("epoch=2 samples=400 shot=1")),
        (two("**SFT**", "**GRPO**"), figure("condition=GRPO samples=400 shot=1")),
        (table("KL 0.12", "400", "58.0%"), "score [samples=400 shot=1] = 58".to_owned()),
    ] {
        let told = inspected(&[("t.md", &text)]);
        assert!(told.contains(&expected), "{text}:\n{told}");
    }
}

#[test]
fn figures_over_steps_are_of_evaluations_where_a_table_of_a_document_or_counts_say_so() {
    let document = "| Step | Accuracy | KL |\n|--|--|--|\n| 3 | 97.7% (43/44) | 0.01 |\n";
    let lines = "{\"step\": 3, \"format_ok\": \"97.7% (43/44)\"}\n{\"step\": 5, \"format_ok\": \"100% (64/64)\"}\n";
    for (name, text, expected) in [
        ("t.md", document, "accuracy [step=3] = 97.7  (n=44"),
        ("t.csv", "step,format_ok\n3,97.7% (43/44)\n", "format_ok [step=3] = 97.7  (n=44"),
        ("t.jsonl", lines, "format_ok [step=5] = 100  (n=64"),
        ("t.csv", "step,format_ok\n3,97.7%\n5,100%\n", "format_ok  2 points over step"),
        ("t.jsonl", "{\"step\": 3, \"format_ok\": \"97.7%\"}\n", "format_ok  1 point over step"),
        ("t.jsonl", "{\"step\": 3, \"note\": \"fine\", \"kl\": 1}\n", "kl  1 point over step"),
    ] {
        let told = inspected(&[(name, text)]);
        assert!(told.contains(expected), "{text} without {expected}:\n{told}");
    }
}

#[test]
fn rows_of_a_log_stand_at_the_epoch_above_them() {
    let log = "Config:\n  lr: 1e-5\n  kl_beta: 0.1\nEpoch 1/2\nshot 1 accuracy: 57% (114/200)\n\
               Epoch 2/2\nshot 1 accuracy: 60% (120/200)\nepoch 3 - shot 1 accuracy: 61% (122/200)\n";
    let told = inspected(&[("eval.log", log)]);
    for (epoch, figure) in [(1, 57), (2, 60), (3, 61)] {
        let expected = format!("accuracy [epoch={epoch} shot=1] = {figure}  (n=200");
        assert!(told.contains(&expected), "{expected}:\n{told}");
    }
    assert!(told.contains("kl_beta = 0.1"), "{told}");
}

#[test]
fn rows_of_a_log_below_the_names_of_models_are_of_these() {
    let of = |first: &str, second: &str| {
        format!(
            "=== Model: {first} ===\nshot 1 accuracy: 57%\nINFO Model: {second}\nshot 2 accuracy: 60%\n"
        )
    };
    let told = inspected(&[("eval.log", &of("base", "tuned"))]);
    assert!(told.contains("::model=base") && told.contains("::model=tuned"), "{told}");
    let told = inspected(&[("eval.log", &of("base", "base"))]);
    assert!(!told.contains("::") && told.contains("accuracy [shot=2]"), "{told}");
}

#[test]
fn leaderboards_may_have_ranks_spreads_in_columns_and_decimal_commas() {
    let across = ["--across", "model", "--higher", "score"];
    let ranked = "| Rank | Model | gsm8k | ± | math | ± |\n|--|--|--|--|--|--|\n\
                  | 1 | tuned | **67.0** | 1.3 | 28.0 | 2.0 |\n| 2 | base | 61.0 | 1.3 | 31.0 | 2.1 |\n";
    check(&[("t.md", ranked)], &across, &["67", "61", "95% CI"], &["Rank", "error:"]);
    let metrics =
        "| Metric | base | tuned |\n|--|--|--|\n| accuracy | 61.0% ± 1.3 | 67.0% ± 1.3 |\n";
    check(&[("t.md", metrics)], &across, &["| accuracy | 61.0% | 67.0% |"], &["error:"]);
    let commas = "model;accuracy;n\nbase;0,60;500\ntuned;0,66;500\n";
    check(&[("t.csv", commas)], &across, &["| accuracy | 60.0% | 66.0% |"], &["error:"]);
    let listed = "{\"results\": [{\"model\": \"base\", \"accuracy\": 0.6, \"n\": 9}, {\"model\": \"tuned\", \"accuracy\": 0.66, \"n\": 9}]}";
    check(&[("t.json", listed)], &across, &["| accuracy | 60.0% | 66.0% |"], &["error:"]);
    let unread = "| Rank | Remark |\n|--|--|\n| 1 | fine |\n";
    check(
        &[("t.md", unread)],
        &across,
        &["contains nothing that can be compared"],
        &["columns are"],
    );
}

#[test]
fn files_of_one_directory_whose_names_are_of_several_arms_may_be_several_runs() {
    let figures = r#"{"Shot 1": 57.0, "Shot 2": 56.1}"#;
    for (first, second, expected) in [
        ("sft_epoch1_200.json", "grpo_epoch2_200.json", true),
        ("sft_epoch1_200.json", "sft_epoch2_200.json", false),
        ("kl0.12_epoch1.json", "kl0.15_epoch2.json", true),
        ("sft/epoch1/metrics.json", "grpo/epoch2/metrics.json", true),
        ("eval/epoch1/metrics.json", "eval/epoch2/metrics.json", false),
        ("sft_e1_n100_shot1.json", "sft_e2_n200_shot1.json", false),
        ("qa/epoch1/metrics.json", "law/epoch2/metrics.json", false),
        ("epoch1/20261127_101500/metrics.json", "epoch2/20261128_101500/metrics.json", false),
    ] {
        let told = inspected(&[(first, figures), (second, figures)]);
        assert_eq!(told.contains("R172"), expected, "{first} {second}:\n{told}");
    }
}

#[test]
fn a_table_of_runtimes_beside_one_of_results_is_told_by_its_name() {
    let table = ",PPO,SAC\nHopper-v2,17.4,20.6\nWalker2d-v2,17.0,21.0\n";
    let told = inspected(&[("bench_runtimes.csv", table)]);
    assert!(told.contains("Hopper-v2/runtimes = 17.4"), "{told}");
    assert!(inspected(&[("bench.csv", table)]).contains("R122"));
}

#[test]
fn a_leaderboard_of_alpaca_eval_has_a_row_for_each_model() {
    let rows = ",win_rate,standard_error,n_wins,n_total,mode,avg_length\nsmall,22.1,1.4,170,805,community,1500\nlarge,50.3,1.7,400,805,minimal,2049\n";
    let told = &["win_rate | 22.1", "50.3", "better", "805"];
    check(&[("leaderboard.csv", rows)], &["--across", "model"], told, &["n_wins", "community"]);
    let unnamed = rows.replace("n_total", "others");
    check(&[("t.csv", &unnamed)], &["--across", "model"], &["error"], &["better"]);
}

#[test]
fn a_column_is_asked_for_in_any_case() {
    let table = "Model,gsm8k,math\nbase,51.2,20.1\ntuned,55.0,24.0\n";
    let across = ["--across", "model", "--higher", "score"];
    check(&[("t.csv", table)], &across, &["| score (gsm8k) | 51.2 | 55 | +3.8 |"], &["R118"]);
    let metrics = "Model,Accuracy\nbase,0.5\ntuned,0.6\n";
    check(&[("t.csv", metrics)], &["--across", "model"], &["+10.0 pp"], &["R118"]);
}

#[test]
fn a_setting_in_heads_or_headings_tells_arms_apart() {
    let across = ["--across", "kl_beta", "--higher", "score"];
    let wide = "| Samples | Shot | KL_BETA=0.15 | KL_BETA=0.12 | 差异 | 评价 |\n|--|--|--|--|--|--|\n\
                | 200 | 1 | 58.8% | **57.0%** | **-1.8%** | ⬇️ |\n| 200 | 2 | 56.6% | 56.1% | -0.5% | ⬇️ |\n";
    let told = &["| 58.8% | 57.0% | -1.8 pp |", "Declared factor: kl_beta"];
    check(&[("t.md", wide)], &across, told, &["error:", "差异", "评价"]);
    let preset = [&across[..], &["--preset", "kl-grid"]].concat();
    let below = "## Epoch 1\n\n### KL_BETA=0.15 (final)\n\n| Samples | Shot | score |\n|--|--|--|\n| 200 | 1 | 58.8% |\n\n\
                 ### KL_BETA=0.12 (final)\n\n| Samples | Shot | score |\n|--|--|--|\n| 200 | 1 | 57.0% |\n";
    let below = below.replace("score", "Accuracy");
    check(&[("t.md", &below)], &preset, &["(kl_beta=0.15)"], &["error:", "kl_beta=0.15, kl_beta"]);
    let other = "| x=1 | accuracy |\n|--|--|\n| a | 0.5 |\n| b | 0.6 |\n";
    assert!(!inspected(&[("t.md", other)]).contains("::x="));
}

#[test]
fn the_size_in_the_head_of_a_point_is_its_size() {
    let table = "| Model | Shot 1 (n=200) | Shot 2 (n=100) |\n|--|--|--|\n| a | 57.0% | 56.0% |\n";
    let told = inspected(&[("t.md", table)]);
    assert!(told.contains("[shot=1] = 57  (n=200"), "{told}");
    assert!(!told.contains("n=200 ["), "{told}");
}

#[test]
fn numbers_and_spreads_name_no_metric() {
    let told = inspected(&[("a_results.json", r#"{"100": {"1": 63.2}, "200": {"1": 58.8}}"#)]);
    assert!(!told.contains("63.2"), "{told}");
    let runs =
        r#"{"runs": [{"seed": 0, "accuracy": 0.66}, {"seed": 1, "accuracy": 0.68}], "std": 0.01}"#;
    let told = inspected(&[("a_results.json", runs)]);
    assert!(told.contains("seed=0") && told.contains("accuracy = 0.66"), "{told}");
}
