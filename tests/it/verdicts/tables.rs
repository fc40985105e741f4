//! Cases of figures as people write them: tables in rows or in columns, in Markdown, with standard
//! errors, with the metric above its datasets; and what comes close and means something else.

use serde_json::{Value, json};

use super::Expected::{Holds, Raised, Silent, Verdict};
use super::{Case, Files, Runs, both, case, finding};
use crate::cases::cases;

const DATASET: &str = "/dataset";
const METHOD: &str = "/test/method";
const REASON: &str = "/reason";
const Z: &str = "stderr-z";

cases![
    a_metric_above_its_datasets = case(
        results([
            json!({ "accuracy": { "gsm8k": 0.4 }, "n": { "gsm8k": 1000 } }),
            json!({ "accuracy": { "gsm8k": 0.5 }, "n": { "gsm8k": 1000 } }),
        ]),
        &[],
        vec![Holds("accuracy", DATASET, json!("gsm8k")), Verdict("accuracy", "better")]
    ),
    a_metric_above_its_datasets_with_standard_errors = case(
        results([
            json!({ "bleu": { "wmt14": 30.0 }, "bleu_stderr": { "wmt14": 0.5 } }),
            json!({ "bleu": { "wmt14": 34.0 }, "bleu_stderr": { "wmt14": 0.5 } }),
        ]),
        &[],
        vec![
            Holds("bleu", DATASET, json!("wmt14")),
            Holds("bleu", METHOD, json!(Z)),
            Verdict("bleu", "better"),
        ]
    ),
    a_dataset_that_has_the_name_of_a_metric = case(
        results([
            json!({ "accuracy": { "f1": 0.4, "n": 500 } }),
            json!({ "accuracy": { "f1": 0.5, "n": 500 } }),
        ]),
        &[],
        vec![Holds("f1", DATASET, json!("accuracy"))]
    ),
    a_figure_behind_which_its_standard_error_stands = case(
        table(["dataset,accuracy\ngsm8k,51.2 ± 1.4\n", "dataset,accuracy\ngsm8k,58.2 ± 1.4\n"]),
        &[],
        vec![Raised("R174"), Holds("accuracy", METHOD, json!(Z)), Verdict("accuracy", "better")]
    ),
    a_standard_error_in_brackets = case(
        table(["dataset,acc\ngsm8k,0.512 (0.014)\n", "dataset,acc\ngsm8k,0.582 (0.014)\n"]),
        &[],
        vec![Raised("R174"), Holds("accuracy", METHOD, json!(Z)), Verdict("accuracy", "better")]
    ),
    a_deviation_by_the_words_of_its_head = case(
        table([
            "dataset,accuracy (mean ± std)\ngsm8k,51.2 ± 0.1\n",
            "dataset,accuracy (mean ± std)\ngsm8k,58.2 ± 0.1\n",
        ]),
        &[],
        vec![Silent("R174"), Holds("accuracy", REASON, json!("size-unknown"))]
    ),
    a_column_of_standard_errors = case(
        table([
            "dataset,accuracy,stderr\ng,0.512,0.014\n",
            "dataset,accuracy,stderr\ng,0.582,0.014\n"
        ]),
        &[],
        vec![Silent("R174"), Holds("accuracy", METHOD, json!(Z)), Verdict("accuracy", "better")]
    ),
    columns_of_standard_errors_and_intervals_by_the_name_of_the_metric = case(
        table([
            "dataset,accuracy,f1,accuracy_se,f1_ci\ng,0.512,0.4,0.014,0.1\n",
            "dataset,accuracy,f1,accuracy_se,f1_ci\ng,0.582,0.5,0.014,0.1\n",
        ]),
        &[],
        vec![
            Holds("accuracy", METHOD, json!(Z)),
            Verdict("accuracy", "better"),
            Holds("f1", METHOD, json!(Z)),
            Verdict("f1", "inconclusive"),
        ]
    ),
    a_standard_error_larger_than_any_deviation = case(
        table(["dataset,accuracy,stderr\ng,0.512,0.6\n", "dataset,accuracy,stderr\ng,0.582,0.6\n"]),
        &[],
        vec![Holds("accuracy", REASON, json!("size-unknown"))]
    ),
    a_column_for_each_number_of_shots = case(
        table([
            "Samples,Shot 1,Shot 2\n1000,50.0%,56.0%\n",
            "Samples,Shot 1,Shot 2\n1000,60.0%,56.0%\n",
        ]),
        &[],
        vec![Holds("score", "/dims/shot", json!(1)), Holds("score", "/baseline/n", json!(1000))]
    ),
    a_column_for_each_step_of_a_metric_by_the_name_of_the_file = case(
        both(|arm| {
            let rate = ["50.0%", "60.0%"][arm];
            vec![("accuracy.csv", format!("task,n,step_100,step_200\ngsm8k,1000,{rate},61.0%\n"))]
        }),
        &[],
        vec![Holds("accuracy", "/dims/step", json!(100)), Verdict("accuracy", "better")]
    ),
    columns_whose_numbers_are_no_coordinates = case(
        table([
            "dataset,n,recall@1,recall@5\nwiki,1000,50.0%,56.0%\n",
            "dataset,n,recall@1,recall@5\nwiki,1000,60.0%,56.0%\n",
        ]),
        &[],
        vec![Holds("recall@1", "/dims", json!({})), Holds("recall@5", "/dims", json!({}))]
    ),
    one_column_of_figures_under_the_name_of_the_model = case(
        table([
            "dataset,version,metric,mode,qwen\ngsm8k,a1,accuracy,gen,51.2%\n",
            "dataset,version,metric,mode,llama\ngsm8k,a1,accuracy,gen,55.0%\n",
        ]),
        &[],
        vec![Holds("accuracy", DATASET, json!("gsm8k")), Raised("R205")]
    ),
    a_table_that_the_harness_prints = case(
        both(|arm| {
            let rate = ["0.5018", "0.5918"][arm];
            let table = format!(
                "hf (pretrained=x), limit: None\n\
                 |Tasks|Version|Filter|n-shot|Metric|   |Value |   |Stderr|\n\
                 |-----|------:|------|-----:|------|---|-----:|---|-----:|\n\
                 |gsm8k|      3|strict-match|     5|exact_match|↑  |{rate}|±  |0.0138|\n\
                 |     |       |none  |     5|acc|↑  |0.4|±  |0.0138|\n\n\
                 |Groups|Version|Filter|n-shot|Metric|   |Value |   |Stderr|\n\
                 |------|------:|------|-----:|------|---|-----:|---|-----:|\n\
                 |gsm8k |      3|none  |     5|acc|↑  |0.9|±  |0.0138|\n"
            );
            vec![("log.md", table)]
        }),
        &[],
        vec![
            Silent("R174"),
            Silent("R118"),
            Holds("exact_match", "/dims", json!({ "filter": "strict-match", "shot": 5 })),
            Verdict("exact_match", "better"),
            Holds("accuracy", DATASET, json!("gsm8k")),
            Holds("accuracy", "/baseline/value", json!(0.4)),
        ]
    ),
    a_table_of_parameters_beside_results = case(
        both(|arm| {
            let rate = ["51.2%", "58.2%"][arm];
            let text = format!(
                "# 评测\n\n| 数据集 | 准确率 | n |\n|:--|--:|--:|\n| gsm8k | **{rate}** ✅ | 2000 |\n\n\
                 | 项目 | 价格 |\n|--|--|\n| GPU | 3.5 |\n"
            );
            vec![("report.md", text)]
        }),
        &[],
        vec![
            Raised("R175"),
            Holds("accuracy", DATASET, json!("gsm8k")),
            Verdict("accuracy", "better"),
        ]
    ),
    a_document_about_the_run_beside_its_results = case(
        both(|arm| {
            let rate = ["51.2%", "58.2%"][arm];
            let other = "| dataset | accuracy |\n|--|--|\n| gsm8k | 99.0% |\n";
            vec![
                ("README.md", other.to_owned()),
                ("results.csv", format!("dataset,accuracy,n\ngsm8k,{rate},2000\n")),
            ]
        }),
        &[],
        vec![Silent("R118"), Silent("R175"), Verdict("accuracy", "better")]
    ),
    pass_at_1_beside_what_the_other_arm_counts = case(
        results([
            json!({ "quiz": { "pass@1": 0.5, "n": 2000 } }),
            json!({ "quiz": { "accepted_at_1": 0.6, "n": 2000 } }),
        ]),
        &[],
        vec![Silent("R219"), Verdict("accepted_at_1", "better")]
    ),
    pass_at_1_of_runs_that_count_it_under_another_name = case(
        results([0.5, 0.6].map(|rate| json!({ "quiz": { "accepted_at_1": rate, "n": 2000 } }))),
        &["--metric", "pass@1"],
        vec![Silent("R125"), Verdict("pass_at_1", "better")]
    ),
    pass_at_1_and_what_is_counted_in_one_run = case(
        results([
            json!({ "quiz": { "pass@1": 0.5, "accepted_at_1": 0.7, "n": 2000 } }),
            json!({ "quiz": { "accepted_at_1": 0.6, "n": 2000 } }),
        ]),
        &[],
        vec![Verdict("accepted_at_1", "worse"), Raised("R216")]
    ),
    a_dataset_before_the_slash_of_one_arm = case(
        results([
            json!({ "quiz/accuracy": 0.5, "maths/accuracy": 0.4 }),
            json!({ "quiz": { "accuracy": 0.6, "n": 2000 }, "maths": { "accuracy": 0.4, "n": 100 } }),
        ]),
        &[],
        vec![Silent("R219"), Silent("R216"), Holds("accuracy", DATASET, json!("maths"))]
    ),
    a_part_of_the_training_before_a_slash = case(
        results([json!({ "train/accuracy": 0.5 }), json!({ "accuracy": 0.6, "n": 2000 })]),
        &[],
        vec![Raised("R219")]
    ),
    objects_that_lie_elsewhere_in_memory = case(
        configured(["<function f at 0x7f8a1c>", "<function f at 0x7f9b2d>"]),
        &[],
        vec![Silent("R201"), Silent("R205")]
    ),
    other_objects_at_one_place = case(
        configured(["<function f at 0x7f8a1c>", "<function g at 0x7f8a1c>"]),
        &[],
        vec![Raised("R205")]
    ),
];

#[test]
fn results_that_no_reader_takes_are_told_from_none() {
    let config = || ("config.yaml", "lr: 1\n".to_owned());
    let unread = r#"{"evalId": "e", "results": {"prompts": [], "stats": {"errors": 0}}}"#;
    for (other, clause) in [
        (vec![config(), ("results.json", unread.to_owned())], "no results that could be read"),
        (vec![config()], "one side has no results ("),
    ] {
        let figures = json!({ "accuracy": 0.5, "n": 2000 }).to_string();
        let arms = [vec![config(), ("results.json", figures)], other];
        let report = Runs::of(&arms).report(&["--lang", "en"]);
        let message = finding(&report, "R219")["message"].as_str().expect("a message");
        assert!(message.contains(clause), "{message}");
    }
}

fn results(arms: [Value; 2]) -> [Files; 2] {
    arms.map(|content| vec![("results.json", content.to_string())])
}

fn table(arms: [&str; 2]) -> [Files; 2] {
    arms.map(|content| vec![("results.csv", content.to_owned())])
}

fn configured(functions: [&str; 2]) -> [Files; 2] {
    functions.map(|function| {
        let config = json!({ "reward_fn": function, "lr": 0.1 }).to_string();
        let figures = json!({ "accuracy": 0.5, "n": 200 }).to_string();
        vec![("config.json", config), ("metrics.json", figures)]
    })
}
