//! Cases of files that state figures and have no samples: figures that contradict each other, sizes
//! and deviations that are not of the samples.

use serde_json::{Value, json};

use super::Expected::{Gate, Holds, Raised, Silent, Verdict};
use super::{Case, Files, both, case};
use crate::cases::cases;

const REASON: &str = "/reason";

cases![
    an_accuracy_that_its_own_counts_contradict = case(
        figures([
            json!({ "accuracy": 0.61, "correct": 61, "total": 100 }),
            json!({ "accuracy": 0.91, "correct": 60, "total": 100 }),
        ]),
        &[],
        vec![Raised("R298"), Holds("accuracy", REASON, json!("blocked: R298"))]
    ),
    counts_of_which_the_accuracy_is_rounded_or_cut_off = case(
        figures([
            json!({ "accuracy": 0.4, "correct": 176, "total": 430 }),
            json!({ "accuracy": 81.6, "num_correct": 351, "total": 430 }),
        ]),
        &[],
        vec![Silent("R298")]
    ),
    a_count_over_the_samples_that_have_a_result = case(
        figures([
            json!({ "accuracy": 0.5, "correct": 495, "evaluated": 990, "total": 1000 }),
            json!({ "accuracy": 0.8, "correct": 792, "evaluated": 990, "total": 1000 }),
        ]),
        &[],
        vec![Silent("R298"), Verdict("accuracy", "better")]
    ),
    a_percentage_below_1_against_a_share = case(
        figures([
            json!({ "error_rate": 0.4, "n": 2000 }),
            json!({ "error_rate": 0.004, "n": 2000 }),
        ]),
        &[],
        vec![Raised("R488"), Holds("error_rate", REASON, json!("blocked: R488"))]
    ),
    a_percentage_below_1_against_a_share_that_the_user_knows_to_be_shares = case(
        figures([
            json!({ "error_rate": 0.4, "n": 2000 }),
            json!({ "error_rate": 0.004, "n": 2000 }),
        ]),
        &["--accept", "R488"],
        vec![Raised("R488"), Verdict("error_rate", "better")]
    ),
    a_percentage_below_1_with_its_sign_against_a_share = case(
        figures([
            json!({ "error_rate": "0.4%", "n": 2000 }),
            json!({ "error_rate": 0.004, "n": 2000 }),
        ]),
        &[],
        vec![Silent("R488")]
    ),
    a_share_that_no_percentage_of_its_samples_is = case(
        figures([json!({ "accuracy": 0.01, "n": 200 }), json!({ "accuracy": 0.945, "n": 200 }),]),
        &[],
        vec![Silent("R488"), Verdict("accuracy", "better")]
    ),
    a_share_a_hundredth_beside_another_that_is_alike = case(
        figures([
            json!({ "accuracy": 0.01, "exact_match": 0.7, "n": 500 }),
            json!({ "accuracy": 0.8, "exact_match": 0.72, "n": 500 }),
        ]),
        &[],
        vec![Silent("R488"), Verdict("accuracy", "better")]
    ),
    parts_of_other_sizes_of_one_whole = case(
        figures([
            json!({ "accuracy": 0.6, "n": 2000, "n_easy": 1100, "n_hard": 900 }),
            json!({ "accuracy": 0.55, "n": 2000, "n_easy": 900, "n_hard": 1100 }),
        ]),
        &[],
        vec![Raised("R228"), Verdict("accuracy", "worse")]
    ),
    parts_of_one_size = case(
        figures([
            json!({ "accuracy": 0.6, "n": 2000, "n_easy": 1100, "n_hard": 900 }),
            json!({ "accuracy": 0.55, "n": 2000, "n_easy": 1100, "n_hard": 900 }),
        ]),
        &[],
        vec![Silent("R228"), Verdict("accuracy", "worse")]
    ),
    counts_that_are_no_parts = case(
        figures([
            json!({ "accuracy": 0.6, "n": 2000, "n_steps": 1100, "n_calls": 850 }),
            json!({ "accuracy": 0.55, "n": 2000, "n_steps": 900, "n_calls": 1100 }),
        ]),
        &[],
        vec![Silent("R228"), Verdict("accuracy", "worse")]
    ),
    right_and_wrong_answers_that_are_more_than_all = case(
        figures([
            json!({ "accuracy": 0.61, "error_rate": 0.39, "n": 1000 }),
            json!({ "accuracy": 0.71, "error_rate": 0.4, "n": 1000 }),
        ]),
        &[],
        vec![
            Raised("R298"),
            Holds("accuracy", REASON, json!("blocked: R298")),
            Holds("error_rate", REASON, json!("blocked: R298")),
        ]
    ),
    an_error_rate_that_is_of_crashes = case(
        figures([
            json!({ "accuracy": 0.61, "error_rate": 0.04, "n": 1000 }),
            json!({ "accuracy": 0.71, "error_rate": 0.05, "n": 1000 }),
        ]),
        &[],
        vec![Silent("R298"), Verdict("accuracy", "better")]
    ),
    answers_that_are_counted_beside_their_problems = case(
        figures([
            json!({ "accuracy": 0.61125, "num_samples": 1600, "num_problems": 200 }),
            json!({ "accuracy": 0.66375, "num_samples": 1600, "num_problems": 200 }),
        ]),
        &[],
        vec![
            Silent("R130"),
            Holds("accuracy", "/baseline/n", json!(200)),
            Verdict("accuracy", "inconclusive"),
        ]
    ),
    answers_that_are_counted_in_a_table = case(
        both(|arm| {
            let row = ["0.610625", "0.66375"][arm];
            let table = format!("dataset,accuracy,num_problems,num_samples\nmmlu,{row},200,1600\n");
            vec![("results.csv", table)]
        }),
        &[],
        vec![
            Silent("R130"),
            Holds("accuracy", "/baseline/n", json!(200)),
            Verdict("accuracy", "inconclusive"),
        ]
    ),
    several_answers_of_which_a_few_are_lost = case(
        figures([
            json!({ "accuracy": 0.5, "num_samples": 4000, "n_problems": 500 }),
            json!({ "accuracy": 0.7, "num_samples": 4000, "n_problems": 500, "api_errors": 8 }),
        ]),
        &[],
        vec![Holds("accuracy", "/candidate/n", json!(499)), Verdict("accuracy", "better")]
    ),
    a_size_of_all_answers_under_the_name_of_an_average_of_64 = case(
        figures([
            json!({ "avg@64": 0.5, "n": 1920 }),
            json!({ "avg@64": 1152.0 / 1920.0, "n": 1920 }),
        ]),
        &[],
        vec![
            Raised("R167"),
            Silent("R131"),
            Holds("avg@64", "/baseline/n", json!(30)),
            Verdict("avg@64", "inconclusive"),
        ]
    ),
    a_size_of_all_answers_in_a_dataset_named_after_an_average_of_64 = case(
        both(|arm| {
            let figures = json!({ "aime24_avg64": { "accuracy": ([0.5, 0.6][arm]), "n": 1920 } });
            vec![("metrics.json", figures.to_string())]
        }),
        &[],
        vec![Raised("R167"), Holds("accuracy", "/baseline/n", json!(30))]
    ),
    a_size_of_all_answers_beside_an_evaluation_that_asks_64_times = case(
        evaluated("n_sampling: 64\ntemperature: 0.6\n", [960, 1152], 1920),
        &[],
        vec![Raised("R167"), Holds("accuracy", "/candidate/n", json!(30))]
    ),
    a_size_of_all_answers_of_a_validation_during_a_training = case(
        evaluated("lr: 1\nrollout:\n  n: 8\n  val_kwargs:\n    n: 64\n", [960, 1152], 1920),
        &[],
        vec![Raised("R167"), Holds("accuracy", "/candidate/n", json!(30))]
    ),
    a_training_that_asks_eight_times = case(
        evaluated("lr: 1\nnum_generations: 8\n", [500, 600], 1000),
        &[],
        vec![Silent("R167"), Holds("accuracy", "/candidate/n", json!(1000))]
    ),
    a_size_of_all_answers_of_pass_at_1_beside_pass_at_64 = case(
        figures([
            json!({ "pass@1": 900.0 / 1920.0, "pass@64": 0.8, "n": 1920 }),
            json!({ "pass@1": 1100.0 / 1920.0, "pass@64": 0.9, "n": 1920 }),
        ]),
        &[],
        vec![Raised("R167"), Holds("pass_at_1", "/baseline/n", json!(30))]
    ),
    a_size_of_all_answers_of_pass_at_1_beside_a_pass_at_10_that_is_no_part_of_it = case(
        figures([
            json!({ "pass@1": 1311.0 / 3280.0, "pass@10": 0.712_345_678_9, "n": 3280 }),
            json!({ "pass@1": 1641.0 / 3280.0, "pass@10": 0.812_345_678_9, "n": 3280 }),
        ]),
        &[],
        vec![Raised("R167"), Holds("pass_at_1", "/baseline/n", json!(205))]
    ),
    a_size_of_problems_of_pass_at_1_beside_pass_at_2 = case(
        figures([
            json!({ "pass@1": 131.0 / 328.0, "pass@2": 0.5, "n": 164 }),
            json!({ "pass@1": 171.0 / 328.0, "pass@2": 0.75, "n": 164 }),
        ]),
        &[],
        vec![Silent("R167"), Holds("pass_at_1", "/baseline/n", json!(164))]
    ),
    a_standard_error_of_all_answers_to_30_problems = case(
        figures([
            json!({ "accuracy": 0.5, "accuracy_stderr": 0.01141, "n_problems": 30, "n_samples": 64 }),
            json!({ "accuracy": 0.6, "accuracy_stderr": 0.01118, "n_problems": 30, "n_samples": 64 }),
        ]),
        &[],
        vec![Verdict("accuracy", "inconclusive")]
    ),
    a_standard_error_of_means_of_64_answers_to_30_problems = case(
        figures([
            json!({ "accuracy": 0.5, "accuracy_stderr": 0.02, "n_problems": 30, "n_samples": 64 }),
            json!({ "accuracy": 0.6, "accuracy_stderr": 0.02, "n_problems": 30, "n_samples": 64 }),
        ]),
        &[],
        vec![Verdict("accuracy", "better")]
    ),
    a_size_of_problems_under_the_name_of_an_average_of_64 = case(
        figures([json!({ "avg@64": 0.52, "n": 30 }), json!({ "avg@64": 0.61, "n": 30 })]),
        &[],
        vec![Silent("R167"), Holds("avg@64", "/baseline/n", json!(30))]
    ),
    a_size_of_problems_that_figures_are_no_whole_part_of = case(
        figures([
            json!({ "avg@4": 451.0 / 800.0, "n": 200 }),
            json!({ "avg@4": 622.0 / 800.0, "n": 200 }),
        ]),
        &[],
        vec![
            Silent("R167"),
            Silent("R131"),
            Holds("avg@4", "/baseline/n", json!(200)),
            Verdict("avg@4", "better"),
        ]
    ),
    a_size_that_the_file_says_to_be_of_problems = case(
        figures([
            json!({ "avg@4": 0.5, "num_problems": 1920 }),
            json!({ "avg@4": 0.6, "num_problems": 1920 }),
        ]),
        &[],
        vec![
            Silent("R167"),
            Holds("avg@4", "/baseline/n", json!(1920)),
            Verdict("avg@4", "better"),
        ]
    ),
    a_number_of_repeats_beside_a_size_of_all_answers = case(
        figures([
            json!({ "pass@1": 0.5, "n": 1920, "repeats": 64 }),
            json!({ "pass@1": 0.6, "n": 1920, "repeats": 64 }),
        ]),
        &[],
        vec![Raised("R167"), Verdict("pass_at_1", "inconclusive")]
    ),
    a_depth_of_a_ranking_beside_its_queries = case(
        figures([
            json!({ "hit_rate": 0.5, "accuracy": 0.5, "n": 1000, "k": 10 }),
            json!({ "hit_rate": 0.6, "accuracy": 0.6, "n": 1000, "k": 10 }),
        ]),
        &[],
        vec![Silent("R167"), Verdict("accuracy", "better")]
    ),
    an_accuracy_that_only_four_answers_each_can_give = case(
        figures([
            json!({ "accuracy": 0.34375, "n": 200 }),
            json!({ "accuracy": 0.74125, "n": 200 }),
        ]),
        &[],
        vec![Raised("R168"), Silent("R130"), Verdict("accuracy", "better")]
    ),
    an_accuracy_over_subjects_that_no_answers_give = case(
        figures([
            json!({ "accuracy": 0.621_345, "n": 14042 }),
            json!({ "accuracy": 0.721_345, "n": 14042 }),
        ]),
        &[],
        vec![Raised("R130"), Silent("R168"), Holds("accuracy", REASON, json!("impossible-figure")),]
    ),
    one_answer_to_each_problem = case(
        figures([
            json!({ "accuracy": 0.61, "num_samples": 1600, "num_problems": 1600 }),
            json!({ "accuracy": 0.66, "num_samples": 1600, "num_problems": 1600 }),
        ]),
        &[],
        vec![Holds("accuracy", "/baseline/n", json!(1600)), Verdict("accuracy", "better"),]
    ),
    a_standard_deviation_that_may_be_of_seeds = case(
        figures([
            json!({ "bertscore": 0.5, "bertscore_std": 0.02, "n": 500 }),
            json!({ "bertscore": 0.52, "bertscore_std": 0.02, "n": 500 }),
        ]),
        &[],
        vec![Raised("R165")]
    ),
    a_standard_deviation_of_as_many_seeds_as_the_file_says = case(
        both(|arm| {
            let wer = [0.21, 0.2][arm];
            let figure = json!({ "wer": wer, "wer_std": 0.003, "n": 500 });
            vec![("metrics.json", json!({ "num_seeds": 3, "news": figure }).to_string())]
        }),
        &[],
        vec![Holds("wer", "/verdict", json!("not-assessable"))]
    ),
    a_standard_deviation_of_samples = case(
        figures([
            json!({ "wer": 0.21, "wer_std": 0.11, "n": 500, "seed": 7 }),
            json!({ "wer": 0.18, "wer_std": 0.1, "n": 500, "seed": 7 }),
        ]),
        &[],
        vec![Silent("R165"), Verdict("wer", "better")]
    ),
    a_figure_that_fell_without_a_spread_keeps_the_gate_undecided = case(
        gated([json!({ "bleu": 30.0 }), json!({ "bleu": 2.0 })]),
        &["--fail-on", "regression"],
        vec![
            Verdict("accuracy", "better"),
            Holds("bleu", REASON, json!("not-an-average")),
            Gate("regression", "inconclusive"),
        ]
    ),
    a_figure_that_rose_without_a_spread_leaves_the_gate_alone = case(
        gated([json!({ "bleu": 30.0 }), json!({ "bleu": 34.0 })]),
        &["--fail-on", "regression"],
        vec![Holds("bleu", REASON, json!("not-an-average")), Gate("regression", "pass")]
    ),
    a_figure_with_its_spread_lets_the_gate_decide = case(
        gated([
            json!({ "bleu": 30.0, "bleu_stderr": 0.4 }),
            json!({ "bleu": 34.0, "bleu_stderr": 0.4 }),
        ]),
        &["--fail-on", "regression"],
        vec![Verdict("bleu", "better"), Gate("regression", "pass")]
    ),
    a_figure_without_a_good_side_leaves_the_gate_alone = case(
        gated([json!({ "mean_length": 30.0 }), json!({ "mean_length": 2.0 })]),
        &["--fail-on", "regression"],
        vec![Gate("regression", "pass")]
    ),
    shares_of_one_program_beside_percentages_of_another = case(
        spread("bleu", [(0.312, 0.004), (31.5, 0.4)]),
        &[],
        vec![Raised("R227"), Holds("bleu", REASON, json!("blocked: R227"))]
    ),
    word_error_rates_as_shares_and_as_percentages = case(
        spread("wer", [(24.0, 0.4), (0.21, 0.004)]),
        &[],
        vec![Raised("R227"), Holds("wer", REASON, json!("blocked: R227"))]
    ),
    a_word_error_rate_that_insertions_lift_above_1 = case(
        spread("wer", [(0.312, 0.004), (1.4, 0.1)]),
        &[],
        vec![Silent("R227"), Verdict("wer", "worse")]
    ),
    a_score_below_1_of_an_arm_that_writes_percentages_elsewhere = case(
        both(|arm| {
            let of = |value: f64| json!({ "bleu": value, "bleu_stderr": 0.05, "n": 500 });
            let figures = json!({ "de": of([28.0, 31.0][arm]), "km": of([0.3, 12.0][arm]) });
            vec![("metrics.json", figures.to_string())]
        }),
        &[],
        vec![Silent("R227"), Verdict("bleu", "better")]
    ),
    a_margin_in_points_for_shares_that_others_write_as_percentages = case(
        spread("wer", [(0.1, 0.01), (0.3, 0.01)]),
        &["--margin", "wer=1"],
        vec![Raised("R241"), Verdict("wer", "worse")]
    ),
    a_margin_in_points_for_percentages_without_a_sign = case(
        spread("wer", [(10.0, 0.2), (10.1, 0.2)]),
        &["--margin", "wer=1"],
        vec![Silent("R241"), Verdict("wer", "equivalent")]
    ),
    a_margin_in_shares_for_shares = case(
        spread("wer", [(0.1, 0.002), (0.101, 0.002)]),
        &["--margin", "wer=0.01"],
        vec![Silent("R241"), Verdict("wer", "equivalent")]
    ),
    a_harness_that_calls_less_accuracy_better = case(
        directed(&json!({ "acc": false })),
        &[],
        vec![Raised("R166"), Verdict("accuracy", "worse")]
    ),
    a_harness_that_calls_more_accuracy_better = case(
        directed(&json!({ "acc": true })),
        &[],
        vec![Silent("R166"), Verdict("accuracy", "better")]
    ),
    an_f1_of_a_classifier_is_no_mean_over_samples = case(
        figures([json!({ "f1": 0.6125, "n": 5000 }), json!({ "f1": 0.7125, "n": 5000 })]),
        &[],
        vec![Silent("R131"), Holds("f1", REASON, json!("not-an-average"))]
    ),
    an_f1_with_its_standard_error =
        case(spread("f1", [(0.6125, 0.02), (0.7125, 0.02)]), &[], vec![Verdict("f1", "better")]),
    an_f1_of_answers_beside_their_exact_matches = case(
        figures([
            json!({ "exact_match": 0.512, "f1": 0.6125, "n": 5000 }),
            json!({ "exact_match": 0.612, "f1": 0.7125, "n": 5000 }),
        ]),
        &[],
        vec![Verdict("exact_match", "better"), Verdict("f1", "better")]
    ),
    an_f1_beside_exact_matches_and_a_recall = case(
        figures([
            json!({ "exact_match": 0.512, "f1": 0.6125, "recall": 0.6, "n": 5000 }),
            json!({ "exact_match": 0.612, "f1": 0.7125, "recall": 0.7, "n": 5000 }),
        ]),
        &[],
        vec![
            Holds("f1", REASON, json!("not-an-average")),
            Holds("recall", REASON, json!("not-an-average")),
        ]
    ),
    the_mean_in_a_summary_of_a_metric = case(
        both(|arm| {
            let mean = [0.512, 0.712][arm];
            let figure = json!({ "accuracy": { "mean": mean, "n": 500 } });
            vec![("metrics.json", figure.to_string())]
        }),
        &[],
        vec![Verdict("accuracy", "better")]
    ),
    a_mean_beside_the_datasets_that_it_is_of = case(
        both(|arm| {
            let [law, bio] = [[0.5, 0.6], [0.7, 0.8]][arm];
            let figures = json!({ "law": law, "bio": bio, "mean": f64::midpoint(law, bio) });
            vec![("metrics.json", json!({ "accuracy": figures }).to_string())]
        }),
        &[],
        vec![Raised("R292"), Holds("accuracy", "/dataset", json!("bio"))]
    ),
    a_table_whose_rows_name_their_metrics = case(
        both(|arm| {
            let (accuracy, wer) = [("0.512", "0.21"), ("0.712", "0.2")][arm];
            let rows = format!("accuracy,{accuracy},,500\nwer,{wer},0.002,500\n");
            vec![("results.csv", format!("metric,value,stderr,n\n{rows}"))]
        }),
        &[],
        vec![Verdict("accuracy", "better"), Verdict("wer", "better")]
    ),
];

/// Results of a harness that says which way is good.
fn directed(higher: &Value) -> [Files; 2] {
    both(|arm| {
        let accuracy = [0.512, 0.712][arm];
        let results = json!({
            "results": { "quiz": { "acc,none": accuracy } },
            "n-samples": { "quiz": { "original": 500, "effective": 500 } },
            "higher_is_better": { "quiz": higher },
            "versions": { "quiz": 1 },
        });
        vec![("results.json", results.to_string())]
    })
}

/// A metric with these figures and standard errors.
fn spread(metric: &'static str, of_arms: [(f64, f64); 2]) -> [Files; 2] {
    both(|arm| {
        let (value, stderr) = of_arms[arm];
        let figure = json!({ metric: { "value": value, "stderr": stderr, "n": 500 } });
        vec![("metrics.json", json!({ "news": figure }).to_string())]
    })
}

/// A better accuracy of 500 samples, and other figures beside it.
fn gated(figures: [Value; 2]) -> [Files; 2] {
    let [baseline, candidate] = figures;
    [(baseline, 0.512), (candidate, 0.712)].map(|(mut figures, accuracy)| {
        figures["accuracy"] = json!(accuracy);
        figures["n"] = json!(500);
        vec![("metrics.json", json!({ "news": figures }).to_string())]
    })
}

/// Figures of one dataset.
fn figures(of_arms: [Value; 2]) -> [Files; 2] {
    of_arms.map(|figures| vec![("metrics.json", json!({ "mmlu": figures }).to_string())])
}

/// Figures of so many right answers, and a configuration beside them.
fn evaluated(settings: &'static str, right: [u64; 2], n: u64) -> [Files; 2] {
    both(|arm| {
        let figures = json!({ "accuracy": right[arm] as f64 / n as f64, "n": n });
        vec![("metrics.json", figures.to_string()), ("config.yaml", settings.to_owned())]
    })
}
