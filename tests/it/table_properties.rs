//! The same figures written in different ways give the same report: in rows or in columns, as CSV,
//! Markdown or JSON, with the dataset or the metric on top, in one file or many, with coordinates in
//! columns, names of files or directories. So do the same samples.

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

/// Files of one run: names and contents.
type Files = Vec<(String, String)>;

/// What the report says of each figure and of all, and what was found, but for where it stands.
fn said(arms: &[Files; 2]) -> Value {
    let files = ["a", "b"].into_iter().zip(arms).flat_map(|(arm, files)| {
        files.iter().map(move |(name, content)| (format!("{arm}/{name}"), content))
    });
    let directory = Directory::of(files);
    let runs = ["a", "b"].map(|arm| directory.word(arm));
    let mut report = compared(&runs, &[]);
    let mut comparisons: Vec<Value> = list(&report, "comparisons").to_vec();
    for comparison in &mut comparisons {
        for arm in ["baseline", "candidate"] {
            comparison[arm]["source"].take();
        }
    }
    comparisons.sort_by_key(|one| format!("{} {}", one["dataset"], one["dims"]));
    let mut findings: Vec<String> = list(&report, "findings")
        .iter()
        .map(|one| format!("{} {} {}", one["code"], one["subject"], one["facts"]))
        .collect();
    findings.sort();
    json!({
        "comparisons": comparisons,
        "findings": findings,
        "verdicts": report["verdicts"].take(),
        "suites": report["suites"].take(),
    })
}

fn one_file(name: &str, content: String) -> Files {
    vec![(name.to_owned(), content)]
}

/// Results of one number of shots in JSON with the dataset or the metric on top.
fn nested(figures: &Figures, shot: usize, is_turned: bool) -> String {
    let mut root = Map::new();
    for (dataset, row) in DATASETS.iter().zip(figures) {
        for (metric, value) in [("accuracy", json!(percent(row[shot]))), ("n", json!(N))] {
            let (above, below) = if is_turned { (metric, *dataset) } else { (*dataset, metric) };
            root.entry(above).or_insert_with(|| json!({}))[below] = value;
        }
    }
    Value::Object(root).to_string()
}

fn at_shot(figures: &Figures, shot: usize) -> Table {
    let mut table = vec![["dataset", "n", "accuracy"].map(str::to_owned).to_vec()];
    for (dataset, row) in DATASETS.iter().zip(figures) {
        table.push(vec![(*dataset).to_owned(), N.to_string(), percent(row[shot])]);
    }
    table
}

/// One JSON object for each row.
fn records(figures: &Figures) -> Vec<Value> {
    let rows = DATASETS.iter().zip(figures).flat_map(|(dataset, row)| {
        SHOTS.iter().zip(row).map(move |(shot, right)| {
            json!({"dataset": dataset, "n": N, "shot": shot, "accuracy": percent(*right)})
        })
    });
    rows.collect()
}

/// The rows of a table, and the records that say the same.
type RowsAndRecords = (Table, Vec<Value>);

/// Epochs and shots of the figures.
fn by_epoch(figures: &Figures) -> RowsAndRecords {
    let mut table = vec![["epoch", "samples", "shot", "accuracy"].map(str::to_owned).to_vec()];
    let mut records = Vec::new();
    for (epoch, row) in (1..).zip(figures) {
        for (shot, right) in SHOTS.iter().zip(row) {
            let figure = percent(*right);
            table.push(vec![epoch.to_string(), N.to_string(), shot.to_string(), figure.clone()]);
            records.push(json!({"epoch": epoch, "samples": N, "shot": shot, "accuracy": figure}));
        }
    }
    (table, records)
}

/// A file for each number of shots.
fn by_shot(figures: &Figures, name: &str, content: impl Fn(&Figures, usize) -> String) -> Files {
    let file =
        |(at, shot): (usize, &u32)| (name.replace('#', &shot.to_string()), content(figures, at));
    SHOTS.iter().enumerate().map(file).collect()
}

/// A directory for each dataset.
fn by_dataset(figures: &Figures) -> Files {
    let table = long(figures);
    let file = |dataset: &&str| {
        let rows = table.iter().enumerate().filter(|(at, row)| *at == 0 || row[0] == **dataset);
        let rows: Table = rows.map(|(_, row)| row[1..].to_vec()).collect();
        (format!("{dataset}/results.csv"), csv(&rows))
    };
    DATASETS.iter().map(file).collect()
}

/// Outcomes of samples by dataset and number of shots.
type Outcomes = Vec<[[bool; 2]; 2]>;

fn outcomes() -> impl Strategy<Value = Outcomes> {
    prop::collection::vec(any::<[[bool; 2]; 2]>(), 24)
}

/// Each sample with its dataset, shots, id and outcome.
fn samples(outcomes: &Outcomes) -> Vec<(&'static str, u32, usize, bool)> {
    let mut found = Vec::new();
    for (at, dataset) in DATASETS.iter().take(2).enumerate() {
        for (place, shot) in SHOTS.iter().take(2).enumerate() {
            let rows = outcomes.iter().enumerate();
            found.extend(rows.map(|(id, right)| (*dataset, *shot, id, right[at][place])));
        }
    }
    found
}

/// Samples in files of those names, in which `DATASET` and `SHOT` stand for what the file holds; what
/// the name does not say the records do.
fn sample_files(outcomes: &Outcomes, name: &str) -> Files {
    let mut files: Files = Vec::new();
    for (dataset, shot, id, right) in samples(outcomes) {
        let file = name.replace("DATASET", dataset).replace("SHOT", &shot.to_string());
        let mut cells = vec![("id", json!(format!("q{id}"))), ("correct", json!(u8::from(right)))];
        cells.push(("question", json!(format!("{dataset} {id}"))));
        if !name.contains("DATASET") {
            cells.push(("dataset", json!(dataset)));
        }
        if !name.contains("SHOT") {
            cells.push(("shot", json!(shot)));
        }
        let is_csv = name.contains(".csv");
        let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let line = if is_csv {
            cells.iter().map(|(_, value)| plain(value)).collect::<Vec<_>>().join(",")
        } else {
            let cells = cells.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
            Value::Object(cells.collect()).to_string()
        };
        let place = files.iter().position(|(known, _)| *known == file).unwrap_or_else(|| {
            let heads = cells.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(",") + "\n";
            files.push((file, if is_csv { heads } else { String::new() }));
            files.len() - 1
        });
        let _ = writeln!(files[place].1, "{line}");
    }
    files
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn rows_and_columns_of_csv_and_markdown_say_the_same(a in figures(), b in figures()) {
        let arms = [a, b];
        let expected = said(&arms.map(|arm| one_file("results.csv", csv(&long(&arm)))));
        prop_assert_eq!(list(&expected, "comparisons").len(), 9);
        for table in [long, wide, by_metric] {
            let in_csv = said(&arms.map(|arm| one_file("results.csv", csv(&table(&arm)))));
            prop_assert_eq!(&in_csv, &expected);
            let in_markdown = said(&arms.map(|arm| one_file("results.md", markdown(&table(&arm)))));
            prop_assert_eq!(&in_markdown, &expected);
        }
    }

    #[test]
    fn json_says_the_same_with_the_metric_or_the_dataset_on_top(a in figures(), b in figures()) {
        let arms = [a, b];
        let expected = said(&arms.map(|arm| one_file("results.csv", csv(&at_shot(&arm, 0)))));
        prop_assert_eq!(list(&expected, "comparisons").len(), 3);
        for is_turned in [false, true] {
            let told = said(&arms.map(|arm| one_file("results.json", nested(&arm, 0, is_turned))));
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

    #[test]
    fn coordinates_in_columns_files_and_directories_say_the_same(a in figures(), b in figures()) {
        let arms = [a, b];
        let expected = said(&arms.map(|arm| one_file("results.csv", csv(&long(&arm)))));
        let table = |arm: &Figures, shot: usize| csv(&at_shot(arm, shot));
        let object = |arm: &Figures, shot: usize| nested(arm, shot, false);
        for name in ["shot_#/results.csv", "results_#shot.csv", "shot=#.csv"] {
            prop_assert_eq!(&said(&arms.map(|arm| by_shot(&arm, name, table))), &expected, "{}", name);
        }
        for name in ["shot_#/results.json", "results_#shot.json", "shot=#.json"] {
            prop_assert_eq!(&said(&arms.map(|arm| by_shot(&arm, name, object))), &expected, "{}", name);
        }
        prop_assert_eq!(&said(&arms.map(|arm| by_dataset(&arm))), &expected);
        let listed = |arm| one_file("results.json", Value::Array(records(&arm)).to_string());
        prop_assert_eq!(&said(&arms.map(listed)), &expected);
    }

    #[test]
    fn records_with_an_epoch_are_the_rows_of_a_table(a in figures(), b in figures()) {
        let arms = [by_epoch(&a), by_epoch(&b)];
        let told = |content: &dyn Fn(&RowsAndRecords) -> Files| said(&arms.each_ref().map(content));
        let expected = told(&|(table, _)| one_file("results.csv", csv(table)));
        prop_assert_eq!(list(&expected, "comparisons").len(), 9);
        let lines = |records: &[Value]| {
            let lines: Vec<String> = records.iter().map(Value::to_string).collect();
            lines.join("\n") + "\n"
        };
        let list = |records: &[Value]| Value::Array(records.to_vec()).to_string();
        prop_assert_eq!(&told(&|(_, records)| one_file("results.jsonl", lines(records))), &expected);
        prop_assert_eq!(&told(&|(_, records)| one_file("results.json", list(records))), &expected);
        let pretty = |records: &[Value]| serde_json::to_string_pretty(records).unwrap_or_default();
        prop_assert_eq!(&told(&|(_, records)| one_file("results.json", pretty(records))), &expected);
        prop_assert_eq!(&told(&|(table, _)| one_file("results.md", markdown(table))), &expected);
        let log = |(table, _): &RowsAndRecords| {
            let row = |row: &Vec<String>| format!("epoch {} - samples {} - shot {} accuracy: {}\n", row[0], row[1], row[2], row[3]);
            one_file("eval.log", table.iter().skip(1).map(row).collect())
        };
        prop_assert_eq!(&told(&log), &expected);
    }

    #[test]
    fn samples_in_one_file_and_in_many_say_the_same(a in outcomes(), b in outcomes()) {
        let arms = [&a, &b];
        let expected = said(&arms.map(|arm| sample_files(arm, "samples.jsonl")));
        prop_assert_eq!(list(&expected, "comparisons").len(), 4);
        for name in [
            "samples.csv",
            "DATASET.jsonl",
            "DATASET/samples.csv",
            "shot_SHOT/samples.jsonl",
            "samples_SHOTshot.csv",
            "DATASET_SHOTshot.jsonl",
            "DATASET/shot=SHOT/samples.csv",
        ] {
            prop_assert_eq!(&said(&arms.map(|arm| sample_files(arm, name))), &expected, "{}", name);
        }
    }
}
