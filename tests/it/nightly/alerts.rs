//! A level that changed is an alert: raised once, confirmed by another night, and over when it is accepted
//! or back.

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
