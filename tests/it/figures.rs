//! Figures of single arms: which of them stand beside a difference, and their own intervals.

use serde_json::Value;

use crate::command::{compare, compared};
use crate::directory::Directory;

/// Two runs in a directory of their own.
fn runs(files: [&str; 2]) -> (Directory, [String; 2]) {
    let names = ["left/quiz.csv", "right/quiz.csv"];
    let directory = Directory::of(names.into_iter().zip(files));
    let runs = ["left", "right"].map(|run| directory.word(run));
    (directory, runs)
}

fn report(files: [&str; 2]) -> Value {
    let (_directory, runs) = runs(files);
    compared(&runs, &[])
}

fn rows(head: &str, row: impl Fn(usize) -> String, ids: std::ops::Range<usize>) -> String {
    std::iter::once(head.to_owned()).chain(ids.map(row)).collect()
}

/// Over the 95 pairs the candidate gains 5 answers; over its own samples it looks worse, because
/// the 5 samples without a partner are wrong in it and right in the baseline.
#[test]
fn the_figures_beside_a_difference_are_those_it_stands_on() {
    let left = rows("id,accuracy\n", |id| format!("{id},{}\n", u8::from(id >= 50)), 0..100);
    let right =
        rows("id,accuracy\n", |id| format!("{id},{}\n", u8::from((45..95).contains(&id))), 0..95)
            + &rows("", |id| format!("{id},0\n"), 200..215);
    let (directory, runs) = runs([&left, &right]);
    let table = directory.word("table.csv");
    let ended = compare(&runs, &["--format", "csv", "-o", &table]);
    let shown = ended.out + &ended.err;
    assert!(shown.contains("47.37%") && shown.contains("52.63%"), "45 and 50 of 95: {shown}");
    assert!(!shown.contains("45.45%"), "50 of 110 is over other samples: {shown}");
    let mut table = csv::Reader::from_path(table).expect("a table");
    let heads = table.headers().expect("heads").clone();
    let row = table.records().next().expect("a row").expect("a record");
    let field = |name: &str| {
        let at = heads.iter().position(|head| head == name).expect("a column");
        row[at].parse::<f64>().expect("a number")
    };
    let apart = field("candidate_compared") - field("baseline_compared");
    assert!((100.0 * apart - field("delta")).abs() < 1e-9, "{apart}");
    assert!(field("candidate") < field("baseline"));
}

/// Ten passages of ten questions each, all right or all wrong: 5 of 10 right. Cluster-robust CR1
/// standard error 0.5/√9, t quantile 2.262 with 9 degrees of freedom: 0.5 ± 0.377.
#[test]
fn the_interval_of_an_arm_counts_whole_clusters() {
    let of = |shift: usize| {
        let row = |id: usize| {
            let passage = id / 10;
            format!("{id},{},p{passage}\n", u8::from((passage + shift).is_multiple_of(2)))
        };
        rows("id,accuracy,passage_id\n", row, 0..100)
    };
    let report = report([&of(0), &of(1)]);
    let one = &report["comparisons"][0];
    assert_eq!(one["pairing"]["unit"], "cluster");
    let half = 2.262_157 * 0.5 / 3.0;
    for (limit, expected) in [(0, 0.5 - half), (1, 0.5 + half)] {
        let found = one["baseline"]["ci"][limit].as_f64().expect("a limit");
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }
}

#[test]
fn the_interval_of_a_bounded_score_ends_at_its_bounds() {
    let of = |low: f64| {
        let row = |id: usize| format!("{id},{}\n", if id == 0 { low } else { 1.0 });
        rows("id,f1\n", row, 0..6)
    };
    let report = report([&of(0.25), &of(0.75)]);
    for arm in ["baseline", "candidate"] {
        assert_eq!(report["comparisons"][0][arm]["ci"][1], 1.0, "{arm}");
    }
}
