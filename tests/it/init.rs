//! A configuration file proposed from runs: what it says, that it is read, and that nothing is lost.

use crate::command::reportgen;
use crate::directory::Directory;

/// The lines of a proposal, with all that stands behind a `#` and is no sentence counting.
fn with_every_choice(text: &str) -> String {
    let is_choice = |line: &str| {
        line.starts_with('[') || line.split_once(" = ").is_some_and(|(key, _)| !key.contains(' '))
    };
    let lines = text.lines().map(|line| match line.strip_prefix("# ") {
        Some(choice) if is_choice(choice) => choice,
        _ => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn check(runs: &[&str], says: &[&str], never_says: &[&str]) {
    let ended = reportgen(["init"].iter().chain(runs).chain(&["-o", "-"]));
    assert_eq!(ended.status, 0, "{ended:?}");
    for line in says {
        assert!(ended.out.lines().any(|said| said == *line), "{line} is not in\n{}", ended.out);
    }
    for part in never_says {
        assert!(!ended.out.contains(part), "{part} is in\n{}", ended.out);
    }
    for text in [ended.out.clone(), with_every_choice(&ended.out)] {
        let directory = Directory::of([("reportgen.toml", text.as_str())]);
        let checked =
            reportgen(["inspect", runs[0], "--config", &directory.word("reportgen.toml")]);
        assert!(checked.status == 0 && !checked.err.contains("R114"), "{text}\n{checked:?}");
    }
}

#[test]
fn what_the_runs_show_is_set_and_what_a_person_knows_is_asked() {
    check(
        &["fixtures/kl_beta/kl-0.15", "fixtures/kl_beta/kl-0.12"],
        &[
            "# vary = [\"base_checkpoint\", \"kl_beta\", \"rl_data\"]",
            "primary = [\"vqa_accuracy\"]",
            "fail_on = [\"regression\", \"mismatch\"]",
            "runs = \"fixtures/kl_beta/*\"",
            "# names = [\"adv_std\"]",
        ],
        &["[arms]"],
    );
}

#[test]
fn runs_that_differ_in_seeds_are_arms_of_the_setting_that_differs() {
    check(
        &["fixtures/seeds"],
        &["vary = [\"dropout\"]", "[arms]", "runs = \"fixtures/seeds/*\""],
        &["# [[metric]]"],
    );
}

#[test]
fn a_judge_or_a_question_that_differs_is_never_proposed_as_meant() {
    let run = |judge: &str| format!("judge_model: {judge}\nlr: 1\n");
    let (a, b) = (run("x"), run("y"));
    let samples = "id,correct\nq1,1\nq2,0\n";
    let runs = Directory::of([
        ("a/config.yaml", a.as_str()),
        ("b/config.yaml", b.as_str()),
        ("a/samples.csv", samples),
        ("b/samples.csv", samples),
    ]);
    let words = ["a", "b"].map(|run| runs.word(run));
    check(&[&words[0], &words[1]], &["primary = [\"correct\"]"], &["vary = ["]);
}

#[test]
fn a_file_that_is_there_stays_unless_it_is_to_be_replaced() {
    let directory = Directory::of([("reportgen.toml", "# mine\n")]);
    let path = directory.word("reportgen.toml");
    let run = "fixtures/seeds/base-seed1";
    let refused = reportgen(["init", run, "-o", &path]);
    assert_eq!((refused.status, directory.read("reportgen.toml").as_str()), (2, "# mine\n"));
    assert!(refused.err.contains("--force"), "{refused:?}");
    let replaced = reportgen(["init", run, "-o", &path, "--force", "--lang", "zh"]);
    assert_eq!(replaced.status, 0, "{replaced:?}");
    assert!(directory.read("reportgen.toml").contains("lang = \"zh\""));
    let run = Directory::of([("a/metrics.json", "{\"accuracy\": 0.5, \"n\": 9}")]);
    let [a, file] = ["a", "a/metrics.json"].map(|name| run.word(name));
    let refused = reportgen(["init", &a, "-o", &file, "--force"]);
    assert!(refused.status == 2 && run.read("a/metrics.json").contains("0.5"), "{refused:?}");
}

#[test]
fn a_results_root_reaches_its_first_nightly_index_as_proposed() {
    let nights = Directory::new();
    for (night, accuracy) in [("2026-03-01", 0.5), ("2026-03-02", 0.52)] {
        let metrics = format!("{{\"accuracy\": {accuracy}, \"n\": 500}}");
        nights.write(format!("runs/{night}/metrics.json"), &metrics);
        nights.write(format!("runs/{night}/_SUCCESS"), "");
    }
    let [runs, config, out] = ["runs", "reportgen.toml", "nightly"].map(|name| nights.word(name));
    assert_eq!(reportgen(["init", &runs, "-o", &config]).status, 0);
    let text = nights.read("reportgen.toml");
    assert!(text.contains("runs = \"runs/*\""), "{text}");
    let ended =
        reportgen(["nightly", "--config", &config, "-o", &out, "--at", "2026-03-02T12:00:00Z"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    assert!(nights.read("nightly/index.md").contains("accuracy"));
}

#[test]
fn runs_in_directories_of_nights_are_a_job_for_each_name_that_comes_again() {
    let nights = Directory::new();
    for night in ["2026-03-01", "2026-03-02"] {
        for seed in [0, 1] {
            let run = format!("runs/{night}/seed{seed}");
            let metrics = format!("{{\"accuracy\": 0.5{seed}, \"n\": 500}}");
            nights.write(format!("{run}/metrics.json"), metrics);
            let config = format!("seed: {seed}\nlr: 1\ncommit: 3e5353a{}\n", &night[9..]);
            nights.write(format!("{run}/config.yaml"), config);
            nights.write(format!("{run}/_SUCCESS"), "");
        }
    }
    let [runs, config, out] = ["runs", "reportgen.toml", "nightly"].map(|name| nights.word(name));
    assert_eq!(reportgen(["init", &runs, "-o", &config]).status, 0);
    let text = nights.read("reportgen.toml");
    for expected in ["[job.seed0]\nruns = \"runs/*/seed0\"", "[job.seed1]", "vary = [\"commit\"]"] {
        assert!(text.contains(expected), "{expected}:\n{text}");
    }
    let at = "2026-03-02T12:00:00Z";
    let ended = reportgen(["nightly", "--config", &config, "-o", &out, "--at", at]);
    assert_eq!(ended.status, 0, "{ended:?}");
    let index = nights.read("nightly/index.md");
    let compared = "`runs/2026-03-02/seed1` against `runs/2026-03-01/seed1`";
    assert!(index.contains(compared) && !index.contains("undeclared"), "{index}");
}

#[test]
fn runs_that_lie_apart_are_no_job_and_the_file_says_so() {
    check(
        &["fixtures/kl_beta/kl-0.15", "fixtures/seeds/base-seed1"],
        &["# [job.main]", "# runs = \"runs/*\""],
        &["\n[job.main]"],
    );
}

#[test]
fn runs_that_hold_nothing_are_refused() {
    let directory = Directory::of([("a/notes.txt", "nothing\n"), ("b/notes.txt", "nothing\n")]);
    let [a, b, path] = ["a", "b", "reportgen.toml"].map(|name| directory.word(name));
    let refused = reportgen(["init", &a, &b, "-o", &path]);
    assert!(refused.status == 4 && refused.err.contains("R109"), "{refused:?}");
    assert!(!directory.path("reportgen.toml").exists());
}
