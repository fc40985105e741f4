//! Scores of both arms by confidence and by length of the answers.

use serde_json::{Value, json};

use crate::command::{Ended, json as data, reportgen};
use crate::directory::Directory;

const SAMPLES: usize = 200;

/// A run whose i-th sample is right from half of the samples on, with further fields.
fn run(samples: usize, fields: impl Fn(usize) -> Value) -> String {
    let record = |at: usize| {
        let right = u8::from(at >= samples / 2);
        let mut record = json!({"id": at, "dataset": "sums", "correct": right});
        let more = fields(at).as_object().expect("fields").clone();
        record.as_object_mut().expect("a record").extend(more);
        format!("{record}\n")
    };
    (0..samples).map(record).collect()
}

fn compared(baseline: String, candidate: String, more: &[&str]) -> Ended {
    let directory = Directory::of([("base.jsonl", baseline), ("tuned.jsonl", candidate)]);
    let runs = ["base.jsonl", "tuned.jsonl"].map(|name| directory.word(name));
    let words = ["compare", &runs[0], &runs[1], "--lang", "en"];
    reportgen(words.iter().chain(more).copied())
}

fn stated(at: usize) -> Value {
    json!({"confidence": at as f64 / SAMPLES as f64, "completion_tokens": at})
}

#[test]
fn bins_hold_equally_many_samples_and_say_how_far_confidence_lies_from_what_is_right() {
    let sure = |_: usize| json!({"confidence": 0.9, "completion_tokens": 5});
    let half = |at| if at % 2 == 0 { stated(at) } else { sure(at) };
    let ended = compared(run(SAMPLES, stated), run(SAMPLES, half), &["--format", "json"]);
    let report = data(&ended);
    let found = report["score_bins"].as_array().expect("bins");
    let by: Vec<&Value> = found.iter().map(|one| &one["by"]).collect();
    assert_eq!(by, ["confidence", "length"], "{}", ended.err);
    let baseline = &found[0]["baseline"];
    let bins = baseline["bins"].as_array().expect("bins");
    assert_eq!(bins.len(), 10);
    for (at, bin) in bins.iter().enumerate() {
        // Twenty neighbours of 200, of which the upper half is right.
        let center = (20 * at) as f64 + 9.5;
        assert!((bin["center"].as_f64().expect("a mean") - center / 200.0).abs() < 1e-12, "{bin}");
        assert_eq!((&bin["n"], &bin["score"]), (&json!(20), &json!(f64::from(u8::from(at >= 5)))));
    }
    // Wilson's limit for none of 20 is z²/(20 + z²), with z² = 3.8415.
    let upper = bins[0]["ci"][1].as_f64().expect("a limit");
    assert!((upper - 3.8415 / 23.8415).abs() < 1e-4, "{upper}");
    // The confidences of the lower half are their distances, of the upper half 1 minus them.
    let error = baseline["calibration_error"].as_f64().expect("an error");
    assert!((error - 0.25).abs() < 1e-12, "{error}");
    // A hundred samples that state 0.9 stand in one bin, whatever its size.
    let limits = |bin: &Value| bin["limits"] == json!([0.9, 0.9]) || bin["n"].as_u64() > Some(100);
    let of_candidate = found[0]["candidate"]["bins"].as_array().expect("bins");
    assert_eq!(of_candidate.iter().filter(|bin| limits(bin)).count(), 1, "{of_candidate:?}");
    assert_eq!(found[1]["baseline"]["bins"][0]["limits"], json!([0.0, 19.0]));
    assert_eq!(found[1]["baseline"]["calibration_error"], Value::Null);
}

#[test]
fn both_charts_are_drawn_in_every_form_with_what_the_error_means() {
    let page = compared(run(SAMPLES, stated), run(SAMPLES, stated), &[]).out;
    let (_, section) = page.split_once("## Scores by confidence or length").expect("a section");
    for expected in [
        "correct (sums): share of right answers by stated confidence. Expected calibration error",
        "base.jsonl 25.0 pp (10 bins), tuned.jsonl 25.0 pp (10 bins)",
        "-- base.jsonl\n4.75%",
        "confidence (mean) → correct (%)",
        "correct (sums) by length of the answer in bins of equal count",
        "| base.jsonl | 4.75% | 0.0% … 9.5% | 20 | 0.0% | 0.0% … 16.1% |",
    ] {
        assert!(section.contains(expected), "{expected}:\n{section}");
    }
    let html = compared(run(SAMPLES, stated), run(SAMPLES, stated), &["--format", "html"]).out;
    assert_eq!(html.matches("class=\"guide\"").count(), 2, "the diagonal and its name");
}

#[test]
fn what_says_nothing_is_left_out() {
    let percent = |at: usize| json!({"confidence": at});
    let constant = |_: usize| json!({"confidence": 0.7, "completion_tokens": 9});
    let none = |_: usize| json!({});
    for (what, baseline, candidate) in [
        ("few samples", run(98, stated), run(98, stated)),
        ("no share", run(SAMPLES, percent), run(SAMPLES, percent)),
        ("one value", run(SAMPLES, constant), run(SAMPLES, constant)),
        ("one arm", run(SAMPLES, stated), run(SAMPLES, none)),
    ] {
        let report = data(&compared(baseline, candidate, &["--format", "json"]));
        assert_eq!(report["score_bins"], Value::Null, "{what}");
    }
}

#[test]
fn of_very_many_samples_some_are_looked_at_and_these_lie_at_equal_distances() {
    let run = || {
        let record = |at: usize| {
            format!("{{\"id\": {at}, \"correct\": {}, \"completion_tokens\": {at}}}\n", at % 2)
        };
        (0..25_000).map(record).collect::<String>()
    };
    let report = data(&compared(run(), run(), &["--format", "json"]));
    let bins = report["score_bins"][0]["baseline"]["bins"].as_array().expect("bins");
    let samples: u64 = bins.iter().map(|bin| bin["n"].as_u64().expect("a count")).sum();
    // Every third of 25,000.
    assert_eq!((samples, bins.len()), (8_334, 10));
    assert_eq!(bins[9]["limits"][1], json!(24_999.0));
}
