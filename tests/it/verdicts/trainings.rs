//! Runs of one arm that are no trainings of their own: what they are told to be, and what a verdict is
//! then about.

use serde_json::{Value, json};

use super::{Case, Claim, Files, Raised, Runs, Silent, both, case, records, right};
use crate::cases::cases;

/// Settings of a run: `A` is the arm from 1, `S` the number of the run.
type Settings = &'static str;

/// Three runs in each arm below directories of that name.
fn runs(word: &'static str, settings: Settings) -> [Files; 2] {
    let name = |file: String| -> &'static str { file.leak() };
    both(|arm| {
        let run = |seed: usize| {
            let own = settings.replace('A', &(arm + 1).to_string());
            let own = own.replace('S', &seed.to_string());
            let outcome = |i: usize| right(arm, i) ^ (i % 20 == 3 * seed + arm);
            let lines = records(60, |i| serde_json::json!({ "correct": outcome(i) }));
            let samples = (name(format!("{word}-{seed}/quiz.jsonl")), lines);
            let config = (name(format!("{word}-{seed}/config.yaml")), own);
            [Some(samples), Some(config).filter(|_| !settings.is_empty())]
        };
        (1..=3).flat_map(run).flatten().collect()
    })
}

const VARY_MODEL: &[&str] = &["--vary", "model_path"];

/// What is said of such runs: the claim, and whether their names make it one training.
fn about(
    claim: &'static str,
    word: &'static str,
    settings: Settings,
    arguments: &'static [&'static str],
    raised: bool,
) -> Case {
    let named = if raised { Raised("R498") } else { Silent("R498") };
    case(runs(word, settings), arguments, vec![Claim(claim), named])
}

/// Trainings with these learning rates in their histories, from the first step to the last.
fn histories(rates: [[f64; 4]; 2]) -> [Files; 2] {
    rates.map(|rates| {
        let line = |(i, rate): (usize, &f64)| json!({ "step": 10 * i, "loss": 2.0, "learning_rate": rate });
        let history: Vec<Value> = (1..).zip(&rates).map(line).collect();
        let state = json!({ "global_step": 40, "log_history": history }).to_string();
        let figures = json!({ "accuracy": 0.5, "n": 200 }).to_string();
        vec![("trainer_state.json", state), ("metrics.json", figures)]
    })
}

const SCHEDULE: [f64; 4] = [4e-5, 3e-5, 2e-5, 1e-5];

cases![
    a_learning_rate_that_histories_alone_hold =
        case(histories([[1e-5; 4], [2e-5; 4]]), &[], vec![Raised("R205")]),
    one_learning_rate_in_both_histories =
        case(histories([[1e-5; 4]; 2]), &[], vec![Silent("R205"), Silent("R201")]),
    a_schedule_in_both_histories =
        case(histories([SCHEDULE; 2]), &[], vec![Silent("R205"), Silent("R201")]),
    one_model_of_each_arm_sampled_with_several_seeds = about(
        "checkpoints",
        "seed",
        "model_path: out/A\nseed: S\ntemperature: 0.7\n",
        VARY_MODEL,
        false
    ),
    a_model_of_its_own_for_each_seed =
        about("recipe", "seed", "model_path: out/A-S\nseed: S\n", VARY_MODEL, false),
    one_base_model_of_each_arm_that_is_trained_with_several_seeds = about(
        "recipe",
        "seed",
        "model_path: org/A\nseed: S\nlearning_rate: 1\n",
        VARY_MODEL,
        false
    ),
    one_base_model_of_each_arm_with_numbered_trainings =
        about("recipe", "seed", "model_path: org/A\ntrain_seed: S\n", VARY_MODEL, false),
    one_model_that_is_sampled_at_two_temperatures_with_several_seeds = about(
        "evaluation",
        "seed",
        "model_path: out/x\nseed: S\ntemperature: 0.A\n",
        &["--vary", "temperature"],
        false
    ),
    one_model_and_a_setting_that_says_nothing = about(
        "unknown",
        "seed",
        "model_path: org/x\nseed: S\nvariant: A\n",
        &["--vary", "variant"],
        false
    ),
    checkpoints_of_one_training_without_settings =
        about("checkpoints", "checkpoint", "", &[], true),
    checkpoints_of_one_training_with_its_settings = about(
        "checkpoints",
        "checkpoint",
        "lr: A\nmodel_path: out/A/checkpoint-S\nseed: 7\n",
        &["--vary", "lr"],
        true
    ),
    checkpoints_of_trainings_with_seeds_of_their_own = about(
        "recipe",
        "checkpoint",
        "lr: A\nmodel_path: out/A-S\nseed: S\n",
        &["--vary", "lr"],
        false
    ),
    folds_of_a_cross_validation = about("recipe", "fold", "lr: A\n", &["--vary", "lr"], true),
    runs_without_settings_below_seeds = about("unknown", "seed", "", &[], false),
    runs_with_settings_of_a_training_below_seeds =
        about("recipe", "seed", "learning_rate: A\n", &["--vary", "learning_rate"], false),
];

#[test]
fn a_claim_about_models_that_were_evaluated_again_is_told_in_both_languages() {
    let arms = runs("seed", "model_path: out/A\nseed: S\n");
    for (language, words) in
        [("en", "the verdicts are about these models"), ("zh", "结论只针对这两个模型")]
    {
        let page = Runs::of(&arms).compare(&[
            "--vary",
            "model_path",
            "--lang",
            language,
            "--format",
            "md",
        ]);
        assert!(page.out.contains(words), "{}", page.out);
    }
}

#[test]
fn runs_that_record_nothing_are_not_called_trainings() {
    let page = |settings, more: &[&str]| {
        let arguments = [&["--lang", "en", "--format", "md"], more].concat();
        Runs::of(&runs("seed", settings)).compare(&arguments).out
    };
    let [told, of_training] = ["or one model evaluated again", "about a new training run"];
    let nothing = page("", &[]);
    assert!(nothing.contains(told) && !nothing.contains(of_training), "{nothing}");
    let trained = page("learning_rate: A\n", &["--vary", "learning_rate"]);
    assert!(!trained.contains(told) && trained.contains(of_training), "{trained}");
}

#[test]
fn repeating_the_evaluation_of_the_baseline_says_nothing_about_another_training() {
    let claim = |second: &str| {
        let quiz = |shift: usize| records(60, |i| super::correct(0, i + shift));
        let own = |model: &str| ("config.yaml", format!("model_path: {model}\nseed: 1\n"));
        let mut baseline = vec![("quiz.jsonl", quiz(0)), own("out/a")];
        baseline.push(("../rerun-1/quiz.jsonl", quiz(1)));
        let repeat = format!("model_path: {second}\nseed: 2\n");
        baseline.push(("../rerun-1/config.yaml", repeat));
        let candidate = vec![("quiz.jsonl", records(60, |i| super::correct(1, i))), own("out/b")];
        let report = Runs::of(&[baseline, candidate]).report(VARY_MODEL);
        report["comparability"]["candidates"][0]["claim"].clone()
    };
    assert_eq!(claim("out/a"), "checkpoints");
    assert_eq!(claim("out/a-2"), "recipe");
}
