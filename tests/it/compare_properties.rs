//! What must hold for any outcomes: exchanging the arms turns the difference round, the order of
//! records means nothing, and a report for programs never holds what JSON does not know.
//!
//! The runs are written as per-sample records and read back through the command line.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::command::{self, compare, json, reportgen};
use crate::directory::Directory;
use crate::report::{cell, comparisons, list, text};

/// One problem under both arms; a side that is `None` has no record of it.
#[derive(Debug, Clone)]
struct Problem {
    right: [Option<bool>; 2],
    score: [Option<f64>; 2],
}

/// Outcomes that pair, and some that do not.
fn problems() -> impl Strategy<Value = Vec<Problem>> {
    let there = || prop::option::weighted(0.97, any::<bool>());
    let score =
        || prop::option::weighted(0.95, (0_u32..=20).prop_map(|parts| f64::from(parts) / 20.0));
    let problem = (there(), there(), score(), score())
        .prop_map(|(a, b, c, d)| Problem { right: [a, b], score: [c, d] });
    prop::collection::vec(problem, 8..60)
}

/// The records of one arm, in the order of `problems`.
fn records(problems: &[(usize, Problem)], arm: usize) -> String {
    let record = |(id, problem): &(usize, Problem)| {
        let right = problem.right[arm]?;
        let prompt = format!("What is {id} + {id}?");
        let score = problem.score[arm];
        Some(
            json!({"id": id, "prompt": prompt, "correct": right, "score": score}).to_string()
                + "\n",
        )
    };
    problems.iter().filter_map(record).collect()
}

/// The report of comparing the first listed arm with the second; each arm keeps its name.
fn compared(problems: &[(usize, Problem)], arms: [usize; 2]) -> Value {
    let directory = Directory::new();
    let names = ["left", "right"];
    for (arm, name) in names.iter().enumerate() {
        directory.write(format!("{name}/quiz.jsonl"), records(problems, arm));
    }
    let runs = arms.map(|arm| directory.word(names[arm]));
    let ended = compare(&runs, &["--format", "json"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    let text = ended.out.replace(&directory.word(""), "");
    serde_json::from_str(&text).expect("the report is JSON")
}

/// The verdict of a comparison with and without runs that repeat the baseline.
fn judged_with_repeats(right: [&[bool]; 2], repeats: &[Vec<bool>]) -> [String; 2] {
    let directory = Directory::new();
    let write = |name: &str, right: &[bool]| {
        let record = |(i, right): (usize, &bool)| json!({"id": i, "correct": right}).to_string();
        let lines: Vec<String> = right.iter().enumerate().map(record).collect();
        directory.write(format!("{name}/quiz.jsonl"), lines.join("\n") + "\n");
        directory.word(name)
    };
    let runs = [write("base", right[0]), write("tuned", right[1])];
    let repeats = repeats.iter().enumerate();
    let repeats: Vec<String> =
        repeats.map(|(position, right)| write(&format!("again-{position}"), right)).collect();
    let noise = ["--noise"].into_iter().chain(repeats.iter().map(String::as_str));
    let noise: Vec<&str> = noise.collect();
    [&[][..], &noise]
        .map(|more| text(cell(&command::compared(&runs, more), "correct"), "verdict").to_owned())
}

fn numbered(problems: Vec<Problem>) -> Vec<(usize, Problem)> {
    problems.into_iter().enumerate().collect()
}

/// Equal but for the last bits of a sum, which its order decides, and for the line of the first
/// record.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            let (one, other) = (one.as_f64().expect("a number"), other.as_f64().expect("a number"));
            (one - other).abs() <= 1e-12 * one.abs().max(1.0)
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.keys().eq(other.keys())
                && one.iter().all(|(key, one)| key == "line" || same(one, &other[key]))
        }
        (one, other) => one == other,
    }
}

fn close(one: &Value, other: f64) -> bool {
    one.as_f64().is_some_and(|one| (one - other).abs() < 1e-9)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn runs_that_repeat_the_baseline_never_make_a_verdict(
        runs in (6_usize..40).prop_flat_map(|n| {
            prop::collection::vec(prop::collection::vec(any::<bool>(), n), 3..6)
        }),
        clear in any::<bool>(),
    ) {
        // Where the difference is clear, the candidate is right everywhere and the baseline nowhere.
        let n = runs[0].len();
        let (base, tuned) = if clear {
            (vec![false; n], vec![true; n])
        } else {
            (runs[0].clone(), runs[1].clone())
        };
        let [alone, repeated] = judged_with_repeats([&base, &tuned], &runs[2..]);
        prop_assert!(repeated == alone || repeated == "inconclusive", "{} became {}", alone, repeated);
    }

    #[test]
    fn a_run_that_lacks_anything_is_neither_promoted_nor_passed(
        n in 30_usize..200,
        kept in 0.0_f64..1.0,
        bytes in 1_usize..20,
        kind in 0_usize..3,
    ) {
        // A torn file, a torn file of a declared size beside an equal one, and an absent dataset.
        let there = ((kept * (n - 1) as f64) as usize).max(1);
        let directory = Directory::new();
        let runs = ["base", "tuned"];
        let lines = |n: usize, right: bool| -> String {
            let line = |i: usize| json!({"id": i, "correct": right ^ i.is_multiple_of(7)}).to_string() + "\n";
            (0..n).map(line).collect()
        };
        let cut = |right: bool| {
            let text = lines(there + 1, right);
            text[..text.len() - 1 - bytes].to_owned()
        };
        // A file that lacks the torn record alone is nearly whole.
        prop_assume!(kind == 2 || n - there > 1);
        for (arm, run) in runs.iter().enumerate() {
            let right = arm == 1;
            let own = if kind == 1 || (kind == 0 && right) { cut(right) } else { lines(n, right) };
            directory.write(format!("{run}/quiz.jsonl"), own);
            if kind == 1 {
                let size = json!({"datasets": {"quiz": {"n": n}}});
                directory.write(format!("{run}/summary.json"), size.to_string());
            }
            if kind == 2 && arm == 0 {
                directory.write(format!("{run}/law.jsonl"), lines(there, true));
            }
        }
        let runs = runs.map(|run| directory.word(run));
        let report = command::compared(&runs, &["--fail-on", "regression,missing"]);
        let outcomes: Vec<&str> =
            list(&report, "gates").iter().map(|gate| text(gate, "outcome")).collect();
        prop_assert!(outcomes.len() == 2 && !outcomes.contains(&"pass"), "{:?}", outcomes);
        if kind != 2 {
            let cell = cell(&report, "correct");
            prop_assert_eq!(&cell["verdict"], "not-assessable", "{}", cell);
        }
    }

    #[test]
    fn exchanging_the_arms_turns_the_difference_round_and_keeps_p(problems in problems()) {
        let paired = problems.iter().filter(|one| one.right.iter().all(Option::is_some)).count();
        prop_assume!(paired >= 2);
        let problems = numbered(problems);
        let (forth, back) = (compared(&problems, [0, 1]), compared(&problems, [1, 0]));
        for name in ["correct", "score"] {
            let (forth, back) = (cell(&forth, name), cell(&back, name));
            prop_assert!(name == "score" || !forth["delta"].is_null(), "{}", forth);
            prop_assert_eq!(forth["delta"].is_null(), back["delta"].is_null());
            let Some(delta) = forth["delta"]["absolute"].as_f64() else { continue };
            prop_assert!(close(&back["delta"]["absolute"], -delta), "{} {}", forth, back);
            if let Some([lo, hi]) = forth["delta"]["ci"].as_array().map(Vec::as_slice) {
                let mirrored = &back["delta"]["ci"];
                prop_assert!(close(&mirrored[0], -hi.as_f64().expect("a bound")), "{} {}", forth, back);
                prop_assert!(close(&mirrored[1], -lo.as_f64().expect("a bound")), "{} {}", forth, back);
            }
            if let Some(p) = forth["test"]["p"].as_f64() {
                prop_assert!(close(&back["test"]["p"], p), "{} {}", forth, back);
            }
            prop_assert_eq!(&forth["flips"]["gained"], &back["flips"]["lost"]);
            prop_assert_eq!(&forth["pairing"]["paired"], &back["pairing"]["paired"]);
            let mirrored = match forth["verdict"].as_str() {
                Some("better") => "worse",
                Some("worse") => "better",
                other => other.expect("a verdict"),
            };
            prop_assert_eq!(&back["verdict"], mirrored);
        }
    }

    #[test]
    fn the_order_of_records_cannot_be_seen_in_the_comparisons(
        (ordered, shuffled) in problems().prop_map(numbered)
            .prop_flat_map(|ordered| (Just(ordered.clone()), Just(ordered).prop_shuffle())),
    ) {
        let (ordered, shuffled) = (compared(&ordered, [0, 1]), compared(&shuffled, [0, 1]));
        let (ordered, shuffled) = (comparisons(&ordered), comparisons(&shuffled));
        prop_assert!(!ordered.is_empty() && ordered.len() == shuffled.len());
        for (one, other) in ordered.iter().zip(shuffled) {
            prop_assert!(same(one, other), "{} {}", one, other);
        }
    }

    #[test]
    fn scores_that_are_not_numbers_leave_the_report_a_report(
        scores in prop::collection::vec(
            prop_oneof![
                Just("NaN"), Just("Infinity"), Just("-Infinity"), Just("null"), Just("1e308"),
                Just("-1e308"), Just("\"\""), Just("0"), Just("1"), Just("0.25"),
            ],
            4..24,
        ),
        shift in 0_usize..4,
    ) {
        let directory = Directory::new();
        for (arm, run) in ["left", "right"].iter().enumerate() {
            let score = |at: usize| scores[(at + arm * shift) % scores.len()];
            let line = |at| format!("{{\"id\": \"q{at}\", \"score\": {}, \"correct\": true}}", score(at));
            let lines: Vec<String> = (0..scores.len()).map(line).collect();
            directory.write(format!("{run}/quiz.jsonl"), lines.join("\n") + "\n");
        }
        let runs = ["left", "right"].map(|run| directory.word(run));
        let ended = compare(&runs, &["--format", "json"]);
        prop_assert_eq!(ended.status, 0, "{:?}", &ended);
        let report = json(&ended);
        prop_assert_eq!(&report["schema"], "reportgen.report/2");
        prop_assert_eq!(&cell(&report, "correct")["delta"]["absolute"], 0.0, "{}", report);
    }
}

/// How an arm tells how many samples it set out to score, and how many it has.
#[derive(Debug, Clone)]
struct Cut {
    planned: usize,
    /// More than a twentieth of what was planned.
    lost: usize,
}

fn cuts() -> impl Strategy<Value = Cut> {
    (40_usize..200).prop_flat_map(|planned| {
        (planned / 20 + 1..planned - 5).prop_map(move |lost| Cut { planned, lost })
    })
}

/// The files of one arm: samples with the size in a summary or a configuration, or only a summary.
fn cut_run(cut: &Cut, form: usize, rate: usize) -> Vec<(&'static str, String)> {
    let n = cut.planned - cut.lost;
    let planned = cut.planned;
    let samples = || -> String {
        let record = |i: usize| json!({"id": i, "correct": i % 10 < rate}).to_string() + "\n";
        (0..n).map(record).collect()
    };
    let summary =
        |figures: Value| ("summary.json", json!({ "datasets": { "quiz": figures } }).to_string());
    match form {
        0 => vec![("quiz.jsonl", samples()), summary(json!({ "n": planned }))],
        1 => {
            vec![("quiz.jsonl", samples()), ("config.yaml", format!("num_questions: {planned}\n"))]
        }
        _ => {
            let right = (0..n).filter(|i| i % 10 < rate).count();
            let share = right as f64 / n as f64;
            vec![summary(json!({ "accuracy": share, "n": n, "total": planned }))]
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Whichever arm lacks more than a twentieth of what it set out to score, or both at one place,
    /// nothing is found good about the candidate, whatever its figures.
    #[test]
    fn a_run_that_stopped_early_is_never_better_and_passes_no_gate(
        cut in cuts(),
        other_planned in 40_usize..400,
        who in 0_usize..4,
        form in 0_usize..3,
        rates in (0_usize..=10, 0_usize..=10),
        seeds in 1_usize..3,
    ) {
        let whole = Cut { planned: cut.planned, lost: 0 };
        let stopped_too = Cut { planned: other_planned, lost: 1 + other_planned / 2 };
        let arms = match who {
            0 => [&whole, &cut],
            1 => [&cut, &whole],
            2 => [&cut, &cut],
            _ => [&stopped_too, &cut],
        };
        let directory = Directory::new();
        for ((arm, name), rate) in arms.iter().zip(["a", "b"]).zip([rates.0, rates.1]) {
            for seed in 0..seeds {
                for (below, content) in cut_run(arm, form, rate) {
                    directory.write(format!("{name}/seed-{seed}/{below}"), content);
                }
            }
        }
        let arm = |name: &str| format!("{name}={}", directory.word(format!("{name}/seed-*")));
        let (a, b) = (arm("a"), arm("b"));
        let margins = ["--margin", "correct=60", "--margin", "accuracy=60"];
        let words = ["compare", "--arm", &a, "--arm", &b, "--format", "json"];
        let gates = ["--fail-on", "regression,missing"];
        let ended = reportgen(words.into_iter().chain(margins).chain(gates));
        let report = json(&ended);
        prop_assert_eq!(&report["comparability"]["grade"], "not-comparable");
        prop_assert!(!comparisons(&report).is_empty());
        for one in comparisons(&report) {
            prop_assert_eq!(&one["verdict"], "not-assessable", "{}", one);
        }
        prop_assert_eq!(list(&report, "gates").len(), 2);
        for gate in list(&report, "gates") {
            prop_assert_ne!(&gate["outcome"], "pass", "{}", gate);
        }
        prop_assert_eq!(ended.status, 3);
    }
}
