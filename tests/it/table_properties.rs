//! The same figures written in different ways give the same report: in rows or in columns, as CSV,
//! Markdown or JSON, with the dataset or the metric on top.

use std::fmt::Write as _;

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::command::compared;
use crate::directory::Directory;
use crate::report::list;

const DATASETS: [&str; 3] = ["gsm8k", "math", "mmlu"];
const SHOTS: [u32; 3] = [1, 2, 4];
const N: u32 = 200;

/// Right answers by dataset and number of shots.
type Figures = [[u32; 3]; 3];

fn figures() -> impl Strategy<Value = Figures> {
    prop::array::uniform3(prop::array::uniform3(0_u32..=N))
}

/// A percentage with one decimal, as people write it.
fn percent(right: u32) -> String {
    format!("{:.1}%", f64::from(right) * 100.0 / f64::from(N))
}

/// Heads and rows of a table.
type Table = Vec<Vec<String>>;

fn long(figures: &Figures) -> Table {
    let mut table = vec![["dataset", "n", "shot", "accuracy"].map(str::to_owned).to_vec()];
    for (dataset, row) in DATASETS.iter().zip(figures) {
        for (shot, right) in SHOTS.iter().zip(row) {
            let cells = [(*dataset).to_owned(), N.to_string(), shot.to_string(), percent(*right)];
            table.push(cells.to_vec());
        }
    }
    table
}

fn wide(figures: &Figures) -> Table {
    let heads = SHOTS.iter().map(|shot| format!("accuracy (shot {shot})"));
    let mut table = vec![["dataset", "n"].map(str::to_owned).into_iter().chain(heads).collect()];
    for (dataset, row) in DATASETS.iter().zip(figures) {
        let start = [(*dataset).to_owned(), N.to_string()];
        table.push(start.into_iter().chain(row.iter().map(|right| percent(*right))).collect());
    }
    table
}

fn by_metric(figures: &Figures) -> Table {
    let mut table = long(figures);
    for (at, row) in table.iter_mut().enumerate() {
        let (name, head) = if at == 0 { ("metric", "value") } else { ("accuracy", "") };
        let figure = row.pop().unwrap_or_default();
        row.extend([name.to_owned(), if at == 0 { head.to_owned() } else { figure }]);
    }
    table
}

fn csv(table: &Table) -> String {
    table.iter().map(|row| row.join(",") + "\n").collect()
}

fn markdown(table: &Table) -> String {
    let mut text = "# Results\n\nWhat we found.\n\n".to_owned();
    for (at, row) in table.iter().enumerate() {
        let _ = writeln!(text, "| {} |", row.join(" | "));
        if at == 0 {
            let _ = writeln!(text, "|{}", ":--|".repeat(row.len()));
        }
    }
    text
}

/// What the report says of each figure and of all, but for where it stands.
fn said(name: &str, content: [String; 2]) -> Value {
    let files = ["a", "b"].map(|arm| format!("{arm}/{name}"));
    let directory = Directory::of(files.iter().zip(content));
    let runs = ["a", "b"].map(|arm| directory.word(arm));
    let mut report = compared(&runs, &[]);
    let mut comparisons: Vec<Value> = list(&report, "comparisons").to_vec();
    for comparison in &mut comparisons {
        for arm in ["baseline", "candidate"] {
            comparison[arm]["source"].take();
        }
    }
    comparisons.sort_by_key(|one| format!("{} {}", one["dataset"], one["dims"]));
    json!({ "comparisons": comparisons, "verdicts": report["verdicts"].take(), "suites": report["suites"].take() })
}

/// Results in JSON with the dataset or the metric on top.
fn nested(figures: &Figures, is_turned: bool) -> String {
    let mut root = Map::new();
    for (dataset, row) in DATASETS.iter().zip(figures) {
        for (metric, value) in [("accuracy", json!(percent(row[0]))), ("n", json!(N))] {
            let (above, below) = if is_turned { (metric, *dataset) } else { (*dataset, metric) };
            root.entry(above).or_insert_with(|| json!({}))[below] = value;
        }
    }
    Value::Object(root).to_string()
}

fn of_one_shot(figures: &Figures) -> Table {
    let mut table = vec![["dataset", "n", "accuracy"].map(str::to_owned).to_vec()];
    for (dataset, row) in DATASETS.iter().zip(figures) {
        table.push(vec![(*dataset).to_owned(), N.to_string(), percent(row[0])]);
    }
    table
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn rows_and_columns_of_csv_and_markdown_say_the_same(a in figures(), b in figures()) {
        let arms = [a, b];
        let expected = said("results.csv", arms.map(|arm| csv(&long(&arm))));
        prop_assert_eq!(list(&expected, "comparisons").len(), 9);
        for table in [long, wide, by_metric] {
            prop_assert_eq!(&said("results.csv", arms.map(|arm| csv(&table(&arm)))), &expected);
            prop_assert_eq!(&said("results.md", arms.map(|arm| markdown(&table(&arm)))), &expected);
        }
    }

    #[test]
    fn json_says_the_same_with_the_metric_or_the_dataset_on_top(a in figures(), b in figures()) {
        let arms = [a, b];
        let expected = said("results.csv", arms.map(|arm| csv(&of_one_shot(&arm))));
        prop_assert_eq!(list(&expected, "comparisons").len(), 3);
        for is_turned in [false, true] {
            let told = said("results.json", arms.map(|arm| nested(&arm, is_turned)));
            prop_assert_eq!(&told, &expected);
        }
    }

    #[test]
    fn models_in_rows_and_in_columns_say_the_same(a in figures(), b in figures()) {
        let mut rows = "model,dataset,accuracy\n".to_owned();
        let mut columns = "dataset,metric,base,tuned\n".to_owned();
        for (at, dataset) in DATASETS.iter().enumerate() {
            let [base, tuned] = [a, b].map(|arm| percent(arm[at][0]));
            let _ = writeln!(rows, "base,{dataset},{base}\ntuned,{dataset},{tuned}");
            let _ = writeln!(columns, "{dataset},accuracy,{base},{tuned}");
        }
        let told = [rows, columns].map(|table| {
            let directory = Directory::of([("t.csv", table)]);
            let across = ["--across", "model", "--baseline", "base"];
            let report = compared(&[directory.word("t.csv")], &across);
            list(&report, "comparisons").iter().map(|one| {
                (one["dataset"].clone(), one["baseline"]["value"].clone(), one["candidate"]["value"].clone())
            }).collect::<Vec<_>>()
        });
        prop_assert_eq!(told[0].len(), 3);
        prop_assert_eq!(&told[0], &told[1]);
    }
}
