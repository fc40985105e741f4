//! What gates say of samples without scores, and of the runs of arms.

use crate::command::reportgen;
use crate::gates::{CONFIG, check, compare, equal_runs, outcomes};

#[test]
fn samples_without_a_score_in_both_arms_alike_take_the_verdict_and_close_the_gates() {
    let samples = |score: &str, of: usize, arm: usize| {
        let right = |id: usize| usize::from((id * 7) % 10 < 5 + 3 * arm);
        (0..100).fold(String::new(), |text, id| {
            let score = if id % of == 0 { score.to_owned() } else { right(id).to_string() };
            text + &format!(
                "{{\"id\": {id}, \"acc\": {score}, \"seconds\": {}, \"f1\": 0.5}}\n",
                id % 9
            )
        })
    };
    let told = |score: &str, of: usize, beside: &str| {
        let runs = equal_runs();
        for (arm, name) in ["a/samples.jsonl", "b/samples.jsonl"].into_iter().enumerate() {
            runs.write(name, samples(score, of, arm).replace(", \"f1\": 0.5", beside));
        }
        outcomes(&compare(&runs, &[])).into_values().collect::<Vec<_>>()
    };
    for beside in ["", ", \"f1\": 0.5"] {
        assert_eq!(told("0", 10, beside), ["pass"; 3]);
        assert_eq!(told("null", 10, beside), ["not-gateable"; 3], "{beside}");
        assert_eq!(told("\"parse error\"", 3, beside), ["not-gateable"; 3], "{beside}");
    }
}

#[test]
fn samples_of_another_kind_have_another_metric_and_lack_no_score() {
    let samples = (0..100).fold(String::new(), |text, id| {
        let score = if id % 3 == 0 { "\"bleu\": 20" } else { "\"acc\": 1" };
        text + &format!("{{\"id\": {id}, {score}}}\n")
    });
    let runs = equal_runs();
    for name in ["a/samples.jsonl", "b/samples.jsonl"] {
        runs.write(name, samples.clone());
    }
    check("two kinds", &compare(&runs, &[]), ["pass"; 3]);
}

#[test]
fn a_quote_that_takes_rows_into_its_cell_closes_the_gates() {
    let rows = |quoted: &[usize]| {
        (0..40).fold("id,acc,answer\n".to_owned(), |text, id| {
            let quote = if quoted.contains(&id) { "\"" } else { "" };
            text + &format!("q{id},{},{quote}fine {id}\n", id % 2)
        })
    };
    for (quoted, expected) in [(&[][..], "pass"), (&[10, 30], "not-gateable")] {
        let runs = equal_runs();
        for arm in ["a", "b"] {
            std::fs::remove_file(runs.path(format!("{arm}/samples.jsonl"))).expect("a file");
            runs.write(format!("{arm}/samples.csv"), rows(quoted));
        }
        check("quotes", &compare(&runs, &[]), [expected; 3]);
    }
}

#[test]
fn runs_of_another_model_within_an_arm_close_the_gate_that_compares_settings() {
    let told = |models: [&str; 3]| {
        let runs = equal_runs();
        for arm in ["a", "b"] {
            for (at, model) in models.iter().enumerate() {
                let model = if arm == "a" && models[0] == "m" { "m" } else { *model };
                runs.write(
                    format!("{arm}{at}/config.yaml"),
                    format!("model: {model}\nseed: {at}\n"),
                );
                runs.write(format!("{arm}{at}/metrics.json"), "{\"accuracy\": 0.5, \"n\": 90}");
            }
        }
        let arms = ["a", "b"].map(|arm| format!("{arm}={}", runs.word(format!("{arm}[0-9]"))));
        reportgen(["compare", "--arm", &arms[0], "--arm", &arms[1], "--fail-on", "mismatch"])
    };
    assert!(!told(["m", "m", "m"]).err.contains("R250"));
    assert!(!told(["seed0", "seed1", "seed2"]).err.contains("R250"));
    let ended = told(["m", "other", "other"]);
    assert!(ended.status == 3 && ended.err.contains("R250"), "{}", ended.err);
}

#[test]
fn a_run_that_does_not_say_that_it_came_to_its_end_closes_the_gates() {
    for (name, said, expected) in [
        ("exit_code", "SIGKILL\n", "not-gateable"),
        ("exit_code", "0\n137\n", "not-gateable"),
        ("status.json", "{\"job\": {\"status\": \"OOM-killed\"}}", "not-gateable"),
        ("status.json", "[{\"status\": \"失败\"}]", "not-gateable"),
        ("exit_code", "0\n0\n", "pass"),
        ("exit_code", "ok\n", "pass"),
        ("status.json", "{\"job\": {\"status\": \"completed\"}}", "pass"),
    ] {
        let runs = equal_runs();
        runs.write(format!("b/{name}"), said);
        check(said, &compare(&runs, &[]), [expected; 3]);
    }
}

#[test]
fn settings_that_some_runs_of_an_arm_record_close_the_gate_that_compares_settings() {
    let told = |silent: &str| {
        let runs = equal_runs();
        for name in ["a1", "a2", "b1", "b2"] {
            let config = if name == silent { "num_fewshot: 0\n" } else { CONFIG };
            runs.write(format!("{name}/config.yaml"), config);
            runs.write(format!("{name}/metrics.json"), "{\"accuracy\": 0.5, \"n\": 90}");
        }
        let arms = ["a", "b"].map(|arm| format!("{arm}={}", runs.word(format!("{arm}[12]"))));
        let words = ["--arm", &arms[0], "--arm", &arms[1], "--fail-on", "mismatch"];
        reportgen(["compare"].into_iter().chain(words))
    };
    assert!(!told("none").err.contains("R202"));
    for silent in ["a1", "a2", "b2"] {
        let ended = told(silent);
        assert!(ended.status == 3 && ended.err.contains("R202"), "{silent}: {}", ended.err);
    }
}
