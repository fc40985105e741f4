//! A level that changed is an alert: raised once, confirmed by another night, and over when it is accepted
//! or back.

use serde_json::{Value, json};

use super::{JOB, Results};

/// Each night of a project that was at 70 % for 16 nights, and is at 60 % since.
fn nights(results: &Results, count: u32) {
    let around = [3, -5, 6, 0, -8, 7, -2, 4, -6, 1];
    for night in 1..=count {
        let level = if night <= 16 { 700 } else { 600 };
        let right = level + around[night as usize % around.len()];
        let date = format!("2026-03-{night:02}");
        results.run(&date, "03:00", u32::try_from(right).expect("above 0"));
        results.nightly(&format!("{date}T07:00:00Z"), &[]);
    }
}

#[test]
fn a_level_that_changed_is_told_once_and_until_it_is_accepted() {
    let results = Results::new(JOB);
    nights(&results, 20);
    let index = results.json("index.json");
    let alerts = index["alerts"].as_array().expect("a list");
    let [alert] = alerts.as_slice() else { panic!("one alert: {alerts:?}") };
    let alarm = &alert["alarm"];
    let found = [&alert["state"], &alert["since"], &alarm["key"]["metric"], &alarm["movement"]];
    let found = found.map(|value| value.as_str().expect("a text"));
    assert_eq!(found, ["confirmed", "2026-03-17", "accuracy", "worse"]);
    let shown = results.0.read("nightly/index.md");
    assert!(shown.contains("## Open alerts") && shown.contains("❌ confirmed"), "{shown}");

    assert_eq!(index["jobs"][0]["status"], "declined");
    assert!(shown.contains("**declined over nights**") && shown.contains("2026-03-17"), "{shown}");

    let at = "2026-03-20T08:00:00Z";
    results.nightly(at, &["--acknowledge", "main=accuracy"]);
    let index = results.json("index.json");
    assert_eq!(index["alerts"][0]["state"], "acknowledged");
    assert_eq!(index["jobs"][0]["status"], "no-change", "known, and no longer the headline");

    results.run("2026-03-21", "03:00", 601);
    results.nightly("2026-03-21T07:00:00Z", &["--accept", "main=runs/2026-03-20"]);
    let index = results.json("index.json");
    assert_eq!(index["alerts"].as_array().map(Vec::len), Some(0), "{}", index["alerts"]);
}

#[test]
fn an_alert_names_the_settings_that_changed_with_the_level() {
    let results = Results::new(JOB);
    nights(&results, 16);
    for night in 17..=20 {
        let date = format!("2026-03-{night:02}");
        results.run(&date, "03:00", 600 + night);
        let config = "model: small\nlr: 0.003\ntrain_file: train.jsonl\nkl_beta: 0.1\n";
        results.file(&date, "03:00", "config.yaml", config);
        results.nightly(&format!("{date}T07:00:00Z"), &[]);
    }
    let index = results.json("index.json");
    let suspects = index["alerts"][0]["alarm"]["suspects"].as_array().expect("a list");
    let told = suspects.iter().map(|one| (&one["condition"]["name"], &one["from"], &one["to"]));
    let (beta, null) = (json!("kl_beta"), Value::Null);
    let expected =
        [(&beta, &null, &json!("0.1")), (&json!("lr"), &json!("0.001"), &json!("0.003"))];
    assert_eq!(told.collect::<Vec<_>>(), expected);
    let shown = results.0.read("nightly/index.md");
    assert!(shown.contains("`lr` `0.001` → `0.003`"), "{shown}");
}

/// How many alerts there are after 20 nights, of which the last four are lower and have another file.
fn alerts_beside(name: &str, content: impl Fn(bool) -> String) -> usize {
    let results = Results::new(JOB);
    for night in 1..=20 {
        let date = format!("2026-03-{night:02}");
        let is_changed = night > 16;
        let right = if is_changed { 600 } else { 700 } + [3, 7, 0, 5, 1][night as usize % 5];
        results.run(&date, "03:00", right);
        results.file(&date, "03:00", name, content(is_changed));
        results.nightly(&format!("{date}T07:00:00Z"), &[]);
    }
    results.json("index.json")["alerts"].as_array().map_or(0, Vec::len)
}

#[test]
fn figures_of_other_questions_or_of_another_judge_are_no_alert() {
    let judge = |changed: &str, same: &str| {
        let config = |is_changed| format!("judge: {}\n", if is_changed { changed } else { same });
        alerts_beside("config.yaml", config)
    };
    assert_eq!(judge("large", "small"), 0);
    assert_eq!(judge("small", "small"), 1);
    let questions = |changed: &str, same: &str| {
        let set = |is_changed| (if is_changed { changed } else { same }).to_owned();
        let line = |set: &str, id: usize| {
            format!("{{\"id\": {id}, \"prompt\": \"{set}{id}?\", \"f1\": {}}}\n", id % 2)
        };
        let lines = |is_changed| (0..40).map(|id| line(&set(is_changed), id)).collect();
        alerts_beside("samples.jsonl", lines)
    };
    assert_eq!(questions("b", "a"), 0);
    assert_eq!(questions("a", "a"), 1);
}

#[test]
fn where_kept_settings_are_gone_an_alert_names_their_digests() {
    let results = Results::new(JOB);
    nights(&results, 16);
    std::fs::remove_dir_all(results.0.path("nightly/history/v1/settings")).expect("a directory");
    for night in 17..=20 {
        let date = format!("2026-03-{night:02}");
        results.run(&date, "03:00", 600 + night);
        results.file(&date, "03:00", "config.yaml", "model: small\nlr: 0.003\n");
        results.nightly(&format!("{date}T07:00:00Z"), &[]);
    }
    let index = results.json("index.json");
    let suspects = &index["alerts"][0]["alarm"]["suspects"];
    assert_eq!(suspects[0]["condition"]["name"], "config", "{suspects}");
    assert_eq!(suspects.as_array().map(Vec::len), Some(1), "{suspects}");
}

#[test]
fn a_steady_project_has_no_alerts() {
    let results = Results::new(JOB);
    nights(&results, 13);
    let index = results.0.read("nightly/index.md");
    let early =
        "Nothing is watched over nights yet for main (13 nights so far): alerts begin after 14";
    assert!(index.contains(early), "{index}");
    nights(&results, 16);
    assert_eq!(results.json("index.json")["alerts"].as_array().map(Vec::len), Some(0));
    let index = results.0.read("nightly/index.md");
    assert!(index.contains("From 14 nights on") && !index.contains("so far"), "{index}");
}

#[test]
fn an_alert_that_is_dismissed_is_not_told_again() {
    let results = Results::new(JOB);
    nights(&results, 20);
    results.nightly("2026-03-20T08:00:00Z", &["--dismiss", "main=accuracy"]);
    results.run("2026-03-21", "03:00", 601);
    results.nightly("2026-03-21T07:00:00Z", &[]);
    let index = results.json("index.json");
    assert_eq!(index["alerts"].as_array().map(Vec::len), Some(0), "{}", index["alerts"]);
    assert_eq!(index["jobs"][0]["status"], "no-change");
}

#[test]
fn a_decision_on_what_is_not_there_is_refused_and_changes_nothing() {
    let results = Results::new(JOB);
    nights(&results, 16);
    let before = results.0.read("nightly/state.json");
    for (flag, value, said) in [
        ("--acknowledge", "main=accuracy", "no open alert of `accuracy`"),
        ("--dismiss", "main=accuracy", "no open alert of `accuracy`"),
        ("--accept", "main=runs/2026-03-99", "no run `runs/2026-03-99`"),
        ("--accept", "other=runs/2026-03-16", "no job `other`"),
    ] {
        let ended = results.nightly("2026-03-16T08:00:00Z", &[flag, value]);
        assert!(ended.err.contains(said), "{}", ended.err);
        assert_eq!(ended.status, 2, "{flag} {value}");
    }
    assert_eq!(results.0.read("nightly/state.json"), before);
}

#[test]
fn a_figure_that_goes_on_to_fall_behind_a_known_alert_is_told_again() {
    let results = Results::new(JOB);
    nights(&results, 20);
    results.nightly("2026-03-20T08:00:00Z", &["--acknowledge", "main=accuracy"]);
    let around = [3_i32, -5, 6, 0, -8, 7, -2, 4, -6, 1];
    for day in 21..=31 {
        let date = format!("2026-03-{day:02}");
        results.run(&date, "03:00", (600 + around[day % 10]).unsigned_abs());
        results.nightly(&format!("{date}T07:00:00Z"), &[]);
    }
    let states = || -> Vec<String> {
        let index = results.json("index.json");
        let alerts = index["alerts"].as_array().expect("a list").iter();
        alerts.map(|alert| alert["state"].as_str().expect("a text").to_owned()).collect()
    };
    assert_eq!(states(), ["acknowledged"]);
    for day in 1..=6 {
        let date = format!("2026-04-{day:02}");
        results.run(&date, "03:00", (400 + around[day % 10]).unsigned_abs());
        results.nightly(&format!("{date}T07:00:00Z"), &[]);
    }
    assert_eq!(states(), ["acknowledged", "confirmed"]);
    assert_eq!(results.json("index.json")["jobs"][0]["status"], "declined");
}
