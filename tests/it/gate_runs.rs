//! What gates say of samples without scores, and of the runs of arms.

use crate::command::reportgen;
use crate::directory::Directory;
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
fn models_of_which_only_some_are_in_the_other_arm_too_are_told() {
    let told = |models: [&str; 4]| {
        let runs = equal_runs();
        for (at, model) in models.iter().enumerate() {
            let figures =
                format!("{{\"accuracy\": 0.{}, \"n\": 90, \"model\": \"{model}\"}}", 5 + at);
            runs.write(format!("{}{}/metrics.json", ["x", "y"][at / 2], at % 2), figures);
        }
        let arms = ["x", "y"].map(|arm| format!("{arm}={}", runs.word(format!("{arm}[0-9]"))));
        reportgen(["compare", "--arm", &arms[0], "--arm", &arms[1]]).err.contains("R250")
    };
    assert!(told(["m1", "m2", "m1", "m1"]));
    assert!(told(["m1", "m2", "m2", "m3"]));
    assert!(!told(["m1", "m2", "m1", "m2"]));
    assert!(!told(["base_s0", "base_s1", "kl_s0", "kl_s1"]));
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

#[test]
fn what_the_first_run_of_an_arm_does_not_record_is_compared_by_what_the_others_record() {
    let told = |temperatures: [[&str; 3]; 2]| {
        let runs = equal_runs();
        for (arm, own) in ["a", "b"].into_iter().zip(temperatures) {
            for (at, temperature) in own.iter().enumerate() {
                let lr = if arm == "a" { 1 } else { 2 };
                let config = format!("lr: {lr}\nseed: {at}\n{temperature}");
                runs.write(format!("{arm}{at}/config.yaml"), config);
                runs.write(format!("{arm}{at}/metrics.json"), "{\"accuracy\": 0.5, \"n\": 90}");
            }
        }
        let arms = ["a", "b"].map(|arm| format!("{arm}={}", runs.word(format!("{arm}[0-9]"))));
        let words = ["--arm", &arms[0], "--arm", &arms[1], "--vary", "lr", "--fail-on", "mismatch"];
        reportgen(["compare"].into_iter().chain(words))
    };
    let (cold, hot) = ("temperature: 0\n", "temperature: 0.7\n");
    for (temperatures, code) in [
        ([[cold, cold, cold], [hot, hot, hot]], "R201"),
        ([["", cold, cold], ["", hot, hot]], "R201"),
        ([[cold, cold, cold], ["", hot, hot]], "R201"),
        ([["", cold, hot], ["", cold, cold]], "R250"),
    ] {
        let ended = told(temperatures);
        assert!(ended.status == 3 && ended.err.contains(code), "{temperatures:?}: {}", ended.err);
    }
    assert_eq!(told([["", cold, cold], ["", cold, cold]]).status, 0);
}

#[test]
fn questions_that_some_runs_of_an_arm_record_close_the_gate_that_compares_settings() {
    let told = |silent: &str| {
        let runs = equal_runs();
        for name in ["a1", "a2", "b1", "b2"] {
            let prompt = if name == silent { "" } else { ", \"prompt\": \"how many?\"" };
            let samples = (0..40).fold(String::new(), |text, id| {
                text + &format!("{{\"id\": {id}, \"acc\": {}{prompt}}}\n", id % 2)
            });
            runs.write(format!("{name}/config.yaml"), CONFIG);
            runs.write(format!("{name}/samples.jsonl"), samples);
        }
        let arms = ["a", "b"].map(|arm| format!("{arm}={}", runs.word(format!("{arm}[12]"))));
        let words = ["--arm", &arms[0], "--arm", &arms[1], "--fail-on", "mismatch"];
        reportgen(["compare"].into_iter().chain(words))
    };
    assert!(!told("none").err.contains("R202"));
    for silent in ["a1", "a2", "b1"] {
        let ended = told(silent);
        assert!(ended.status == 3 && ended.err.contains("R202"), "{silent}: {}", ended.err);
    }
}

#[test]
fn content_by_which_the_candidate_alone_groups_its_samples_lets_no_fall_pass() {
    let samples = |group: fn(usize) -> String, right: fn(usize) -> bool| {
        (0..400).fold(String::new(), |text, id| {
            let (group, right) = (group(id), u8::from(right(id)));
            text + &format!(
                "{{\"id\": \"q{id}\", \"prompt\": \"p{id}\", \"acc\": {right}{group}}}\n"
            )
        })
    };
    let runs = equal_runs();
    runs.write("a/samples.jsonl", samples(|_| String::new(), |id| id % 2 == 0));
    let fallen: fn(usize) -> bool = |id| id % 2 == 0 && id % 3 > 0;
    let document: fn(usize) -> String = |id| {
        let own = if id % 6 == 0 { 0 } else { 1 + id % 10 };
        format!(", \"document\": \"c{own}\"")
    };
    for (group, expected) in
        [((|_| String::new()) as fn(usize) -> String, "fail"), (document, "not-gateable")]
    {
        runs.write("b/samples.jsonl", samples(group, fallen));
        assert_eq!(outcomes(&compare(&runs, &[]))["regression"], expected);
    }
}

#[test]
fn what_the_candidate_says_of_a_figure_of_the_baseline_cannot_take_it_away() {
    let told = |theirs: &str| {
        let runs = equal_runs();
        let figures = |math: &str| {
            format!("{{\"gsm8k\": {{\"exact_match\": 0.6, \"n\": 1000}}, \"math\": {math}}}")
        };
        runs.write("a/metrics.json", figures("{\"exact_match\": 0.5, \"n\": 1000}"));
        runs.write("b/metrics.json", figures(theirs));
        outcomes(&compare(&runs, &[]))
    };
    assert_eq!(told("{\"exact_match\": 0.3, \"n\": 1000}")["regression"], "fail");
    for theirs in [
        "{\"exact_match\": \"n/a\", \"n\": 1000}",
        "{\"exact_match\": 0.3, \"n\": -5}",
        "{\"exact_match\": 0.3, \"n\": \"all\"}",
        "{\"exact_match\": 0.3}",
        "{\"exact_match\": -0.3, \"n\": 1000}",
        "{\"exact_match\": 0.3, \"exact_match_stderr\": 0.9, \"n\": 1000}",
        "{\"exact_match\": Infinity, \"n\": 1000}",
    ] {
        assert_eq!(told(theirs)["regression"], "not-gateable", "{theirs}");
    }
    assert_eq!(told("{\"exact_match\": \"n/a\"}")["missing"], "not-gateable");
}

#[test]
fn the_order_in_which_the_candidate_lists_its_samples_lets_no_fall_pass() {
    let sample =
        |id: usize, right: bool| format!("{{\"id\": \"q{id}\", \"acc\": {}}}\n", u8::from(right));
    let fallen = |id: &usize| id.is_multiple_of(8);
    let runs = equal_runs();
    let ids = || 0..400_usize;
    runs.write("a/samples.jsonl", ids().map(|id| sample(id, id % 2 == 0)).collect::<String>());
    let own = |id: usize| sample(id, id.is_multiple_of(2) && !fallen(&id));
    runs.write("b/samples.jsonl", ids().map(own).collect::<String>());
    assert_eq!(outcomes(&compare(&runs, &[]))["regression"], "fail");
    let sorted = ids().filter(fallen).chain(ids().filter(|id| !fallen(id)));
    runs.write("b/samples.jsonl", sorted.map(own).collect::<String>());
    assert_eq!(outcomes(&compare(&runs, &[]))["regression"], "not-gateable");
}

#[test]
fn a_model_that_records_name_beside_that_of_their_run_is_no_factor() {
    let runs = equal_runs();
    for (arm, model) in ["m", "other"].into_iter().enumerate() {
        let name = ["a", "b"][arm];
        runs.write(format!("{name}/config.yaml"), "model: m\nlr: 1\n");
        let samples = (0..40).fold(String::new(), |text, id| {
            text + &format!("{{\"id\": {id}, \"acc\": {}, \"model\": \"{model}\"}}\n", id % 2)
        });
        runs.write(format!("{name}/samples.jsonl"), samples);
    }
    let ended = compare(&runs, &[]);
    assert_eq!(outcomes(&ended)["mismatch"], "not-gateable", "{}", ended.err);
    assert!(ended.err.contains("R201") && !ended.err.contains("R205"), "{}", ended.err);
}

#[test]
fn a_run_whose_settings_cannot_be_read_is_not_left_out_unseen() {
    for (config, status) in [
        ("lr: 2\nmodel: [m\n", 3),
        ("", 3),
        ("lr: 2\nmodel: m\nmodel: z\n", 3),
        ("lr: 2\nmodel: z\n", 0),
    ] {
        let directory = Directory::of([("reportgen.toml", "")]);
        for (run, lr, right) in [("a0", 1, 60), ("a1", 1, 61), ("b0", 2, 60), ("b1", 2, 20)] {
            let figures = format!("{{\"accuracy\": 0.{right}, \"n\": 100}}");
            directory.write(format!("runs/{run}/config.yaml"), format!("lr: {lr}\nmodel: m\n"));
            directory.write(format!("runs/{run}/metrics.json"), figures);
        }
        directory.write("runs/b1/config.yaml", config);
        let store = directory.word("runs");
        let more = ["--across", "lr", "--where", "model=m", "--fail-on", "mismatch"];
        let ended = reportgen(["compare", &store].into_iter().chain(more));
        assert_eq!(ended.status, status, "{config:?}: {}", ended.err);
    }
}

#[test]
fn an_arm_of_one_seed_beside_others_that_were_judged_lets_nothing_pass() {
    let runs = Directory::of([("reportgen.toml", "")]);
    for (arm, seeds, right) in [("base", 4, 50), ("good", 4, 60), ("new", 1, 10)] {
        for seed in 0..seeds {
            let figures = format!("{{\"accuracy\": 0.{}, \"n\": 100}}", right + seed);
            runs.write(format!("{arm}{seed}/metrics.json"), figures);
            runs.write(format!("{arm}{seed}/config.yaml"), format!("lr: {arm}\nseed: {seed}\n"));
        }
    }
    let arms = ["base", "good", "new"].map(|arm| format!("{arm}={}", runs.word(format!("{arm}*"))));
    let arms = arms.iter().flat_map(|arm| ["--arm", arm]);
    let more = ["--vary", "lr", "--fail-on", "regression"];
    let ended = reportgen(["compare"].into_iter().chain(arms).chain(more));
    assert_eq!(ended.status, 3, "{}", ended.err);
}

#[test]
fn the_setting_that_tells_arms_apart_has_one_value_in_each_run() {
    let told = |config: &str| {
        let runs = Directory::of([("reportgen.toml", "")]);
        for (name, lr, right) in
            [("a0", 1, 50), ("a1", 1, 51), ("b0", 2, 60), ("b1", 2, 61), ("b2", 2, 10)]
        {
            let figures = format!("{{\"accuracy\": 0.{right}, \"n\": 100}}");
            let config = if name == "b2" { config.to_owned() } else { format!("lr: {lr}\n") };
            runs.write(format!("runs/{name}/metrics.json"), figures);
            runs.write(format!("runs/{name}/config.yaml"), config);
        }
        let store = runs.word("runs");
        reportgen(["compare", &store, "--across", "lr", "--fail-on", "mismatch"]).status
    };
    assert_eq!(told("lr: 2\nlr: 3\n"), 3);
    assert_eq!(told("lr: 2\n"), 0);
}
