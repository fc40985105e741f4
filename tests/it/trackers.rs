//! One run, logged at once by every tracker: the same figures from each, whatever it writes and however it
//! writes what is no number.

use std::collections::BTreeMap;
use std::path::Path;

use reportgen::collect::{ReadOptions, collect};
use reportgen::model::Run;

use crate::command::compared;

/// By `fixtures/make_same_run.py`.
const PLACE: &str = "fixtures/stores/same_run";
const TRACKERS: [&str; 5] =
    ["as_csv", "mlflow_files", "mlflow_sqlite", "tensorboardx", "wandb_offline"];

/// Steps and values by metric.
type Logged = BTreeMap<String, Vec<(f64, String)>>;

/// What the script logged: points by metric, and settings.
fn logged() -> (Logged, BTreeMap<String, String>) {
    let mut series = Logged::new();
    for step in 1..=12_i32 {
        let at = f64::from(step);
        let mut log = |metric: &str, value: f64| {
            series.entry(metric.to_owned()).or_default().push((at, value.to_string()));
        };
        log("train/loss", 4.0 / f64::from(1 << step));
        log("kl", -at / 1024.0);
        log(
            "train/grad_norm",
            match step {
                5 => f64::NAN,
                6 => f64::INFINITY,
                7 => f64::NEG_INFINITY,
                _ => at / 8.0,
            },
        );
        if step % 4 == 0 {
            log("eval/accuracy", at / 16.0);
            log("验证/准确率", at / 32.0);
        }
    }
    let settings = [
        ("learning_rate", "0.0005"),
        ("model", "small"),
        ("seed", "3"),
        ("data", "数学/训练集"),
        ("warm_up", "true"),
    ];
    let settings = settings.map(|(key, value)| (key.to_owned(), value.to_owned()));
    (series, settings.into())
}

fn read(tracker: &str) -> Run {
    let place = Path::new(PLACE).join(tracker);
    let mut found = collect(&[place], &ReadOptions::default()).expect("it is there");
    let codes: Vec<&str> = found.diagnostics.iter().map(|finding| finding.code.id()).collect();
    // The norms that are no numbers.
    assert_eq!(codes, ["R106"], "{tracker}: {:?}", found.diagnostics);
    found.value.remove(0)
}

#[test]
fn every_tracker_tells_the_figures_and_settings_that_were_logged() {
    let (logged, settings) = logged();
    for tracker in TRACKERS {
        let run = read(tracker);
        let points = |run: &Run| -> Logged {
            let series = run.content.series.iter().map(|one| {
                assert_eq!((one.axis.as_ref(), one.dims.is_empty()), ("step", true), "{tracker}");
                let points = one.points.iter().map(|point| (point.at, point.value.to_string()));
                (one.metric.clone(), points.collect())
            });
            series.collect()
        };
        assert_eq!(points(&run), logged, "{tracker}");
        let found = run.content.config.iter();
        let found: BTreeMap<String, String> = found
            .map(|(key, entry)| (key.to_owned(), entry.value.to_string().to_lowercase()))
            .collect();
        assert_eq!(found, settings, "{tracker}");
    }
}

#[test]
fn no_two_trackers_of_one_run_differ() {
    for (at, first) in TRACKERS.iter().enumerate() {
        for second in &TRACKERS[at + 1..] {
            let places = [first, second].map(|tracker| format!("{PLACE}/{tracker}"));
            let report = compared(&places, &[]);
            let findings = report["findings"].as_array().expect("findings");
            let mut codes: Vec<&str> =
                findings.iter().map(|one| one["code"].as_str().expect("a code")).collect();
            codes.dedup();
            assert_eq!(codes, ["R106", "R218"], "{first} {second}");
            let curves = report["curves"].as_array().expect("curves");
            assert!(curves.len() >= 4, "{first} {second}: {curves:?}");
            for curve in curves {
                let points = &curve["runs"][0]["points"];
                let is_same = curve["first_difference"].is_null();
                assert!(is_same && curve["common_points"] == *points, "{first} {second}: {curve}");
            }
        }
    }
}
