//! What a verdict is about: two checkpoints, two recipes, or two evaluations of one model.

use super::Expected::{Claim, Grade, Silent, Verdict};
use super::{Case, Files, Runs, both, case, config, configured, correct, records};
use crate::cases::cases;

/// A part of the English sentence that says what one training of each arm is evidence of.
const CHECKPOINTS: &str = "the verdicts are about these checkpoints";

cases![
    one_training_each_with_equal_seeds = about(
        "checkpoints",
        configured(["lr: 1e-5\nseed: 7\n", "lr: 3e-5\nseed: 7\n"]),
        &["--vary", "lr"]
    ),
    one_training_each_without_a_seed =
        about("checkpoints", configured(["lr: 1e-5\n", "lr: 3e-5\n"]), &["--vary", "lr"]),
    other_weights_of_one_configuration = about(
        "checkpoints",
        configured(["model: org/first\n", "model: org/second\n"]),
        &["--vary", "model"]
    ),
    sampling_of_a_training = about(
        "checkpoints",
        configured(["lr: 1\ntemperature: 0.2\n", "lr: 1\ntemperature: 1.0\n"]),
        &["--vary", "temperature"]
    ),
    nothing_recorded = about("unknown", both(|arm| vec![("quiz.jsonl", quiz(arm))]), &[]),
    a_setting_that_says_nothing = about(
        "unknown",
        configured(["model: tiny\nvariant: a\n", "model: tiny\nvariant: b\n"]),
        &["--vary", "variant"]
    ),
    another_prompt_for_one_model = about(
        "evaluation",
        configured(["model: tiny\nsystem_prompt: A\n", "model: tiny\nsystem_prompt: B\n"]),
        &["--vary", "system_prompt"]
    ),
    another_temperature_without_a_training = about(
        "evaluation",
        configured(["temperature: 0\n", "temperature: 1\n"]),
        &["--vary", "temperature"]
    ),
    two_seeds_of_each_arm = about("recipe", both(seeds), &["--vary", "lr"]),
    one_training_each_with_a_run_that_tells_the_noise =
        about("recipe", both(with_rerun), &["--vary", "lr"]),
];

/// The claim is told in words where it is about less than a reader would take it for, and nowhere
/// else.
fn about(claim: &'static str, arms: [Files; 2], arguments: &'static [&'static str]) -> Case {
    let expected = vec![Grade("as-declared"), Claim(claim), Silent("R253")];
    case(arms, arguments, expected)
}

fn quiz(arm: usize) -> String {
    records(60, |i| correct(arm, i))
}

fn seeds(arm: usize) -> Files {
    let files = |seed: &'static str, paths: [&'static str; 2]| {
        let settings = format!("lr: {}\nseed: {seed}\n", arm + 1);
        let shift = usize::from(seed == "2");
        vec![(paths[0], settings), (paths[1], records(60, |i| correct(arm, i + shift)))]
    };
    let first = files("1", ["seed-1/config.yaml", "seed-1/quiz.jsonl"]);
    let second = files("2", ["seed-2/config.yaml", "seed-2/quiz.jsonl"]);
    first.into_iter().chain(second).collect()
}

fn with_rerun(arm: usize) -> Files {
    let mut files = vec![("quiz.jsonl", quiz(arm)), config(format!("lr: {}\n", arm + 1))];
    if arm == 0 {
        files.push(("../rerun-1/quiz.jsonl", records(60, |i| correct(0, i + 1))));
        files.push(("../rerun-1/config.yaml", "lr: 1\n".to_owned()));
    }
    files
}

#[test]
fn one_training_each_is_told_in_every_format_and_language() {
    let runs = Runs::of(&configured(["lr: 1e-5\nseed: 7\n", "lr: 3e-5\nseed: 7\n"]));
    let in_chinese = "结论只针对这些检查点";
    for (language, words) in [("en", CHECKPOINTS), ("zh", in_chinese)] {
        for format in ["md", "html"] {
            let page = runs.compare(&["--vary", "lr", "--lang", language, "--format", format]).out;
            assert!(page.contains(words), "{format} in {language}:\n{page}");
            assert!(page.contains("--noise RUN"), "{format} in {language}:\n{page}");
        }
        let out = runs.word("out");
        let brief = runs.compare(&["--vary", "lr", "--lang", language, "-o", &out]).out;
        assert!(brief.contains(words), "{brief}");
    }
}

#[test]
fn a_claim_about_recipes_or_evaluations_is_not_told() {
    let prompts =
        configured(["model: tiny\nsystem_prompt: A\n", "model: tiny\nsystem_prompt: B\n"]);
    for (arms, factor) in
        [(prompts, "system_prompt"), (both(seeds), "lr"), (both(with_rerun), "lr")]
    {
        let page = Runs::of(&arms).compare(&["--vary", factor, "--format", "md"]).out;
        assert!(page.contains("Comparable as declared"), "{page}");
        assert!(!page.contains(CHECKPOINTS), "{page}");
    }
}

#[test]
fn what_differs_undeclared_is_the_one_thing_told_of_two_seeds() {
    let runs = Runs::of(&configured(["lr: 1\nseed: 1\n", "lr: 2\nseed: 2\n"]));
    let page = runs.compare(&["--vary", "lr", "--format", "md"]).out;
    assert!(page.contains("**Confounded**") && !page.contains(CHECKPOINTS), "{page}");
    let seeds_alone = Runs::of(&configured(["lr: 1\nseed: 1\n", "lr: 1\nseed: 2\n"]));
    let page = seeds_alone.compare(&["--format", "md"]).out;
    assert!(page.contains("two seeds of one configuration"), "{page}");
    assert!(!page.contains(CHECKPOINTS), "{page}");
    assert_eq!(
        super::unmet(&Verdict("correct", "better"), &seeds_alone.report(&[]), 0),
        None,
        "the words are held back, not the verdict"
    );
}
