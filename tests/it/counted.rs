//! Samples that an engine counted: `reportgen plan`, and the report of what its statement writes.
//!
//! `fixtures/make_counted.py` made samples and counts, with `DuckDB` 2.0.1. The oracle is the report of the
//! samples themselves.

use std::env;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::cases::tests;
use crate::command::{assert_said, compared, reportgen};
use crate::directory::Directory;

const COUNTED: &str = "fixtures/counted";

fn counts_report(file: &str, more: &[&str]) -> Value {
    let file = format!("{COUNTED}/{file}");
    compared::<&str>(&[], &[&["--stats", &file], more].concat())
}

fn samples_report(more: &[&str]) -> Value {
    let runs = ["a", "b"].map(|name| format!("{COUNTED}/{name}.jsonl"));
    compared(&runs, more)
}

/// Where two values differ by more than the last digits of sums in another order.
fn apart(path: &str, one: &Value, other: &Value, found: &mut Vec<String>) {
    match (one, other) {
        (Value::Object(mine), Value::Object(theirs)) => {
            let of_arm = path.ends_with(".baseline") || path.ends_with(".candidate");
            let names = mine.keys().chain(theirs.keys().filter(|name| !mine.contains_key(*name)));
            for name in names.filter(|name| !(of_arm && ["source", "ci"].contains(&name.as_str())))
            {
                let [mine, theirs] = [mine, theirs].map(|of| of.get(name).unwrap_or(&Value::Null));
                apart(&format!("{path}.{name}"), mine, theirs, found);
            }
        }
        (Value::Array(mine), Value::Array(theirs)) if mine.len() == theirs.len() => {
            for (at, (mine, theirs)) in mine.iter().zip(theirs).enumerate() {
                apart(&format!("{path}[{at}]"), mine, theirs, found);
            }
        }
        (Value::Number(mine), Value::Number(theirs)) => {
            let (mine, theirs) =
                (mine.as_f64().expect("a number"), theirs.as_f64().expect("a number"));
            let near = 1e-9 * mine.abs().max(theirs.abs()) + 1e-12;
            if (mine - theirs).abs() > near {
                found.push(format!("{path}: {mine} of samples, {theirs} of counts"));
            }
        }
        _ if one == other => {}
        _ => found.push(format!("{path}: {one} of samples, {other} of counts")),
    }
}

/// Findings about single records, which counts do not have, and the one about counts.
const OF_RECORDS: [&str; 5] = ["R110", "R157", "R263", "R293", "R530"];

/// Codes with the numbers that tell how many samples they are about.
fn findings(report: &Value) -> Vec<(String, Vec<Value>)> {
    let names =
        ["count", "paired", "baseline_only", "candidate_only", "lost", "eligible", "records"];
    let own = report["findings"].as_array().expect("a list").iter();
    let mut own: Vec<_> = own
        .filter(|one| !OF_RECORDS.contains(&one["code"].as_str().expect("a text")))
        .map(|one| {
            let subject = &one["subject"];
            let about = format!("{} {} {}", one["code"], subject["run"], subject["metric"]);
            (about, names.map(|name| one["evidence"][name].clone()).to_vec())
        })
        .collect();
    own.sort_by(|a, b| a.0.cmp(&b.0));
    own
}

fn check(file: &str, cluster: &str) {
    let of_counts = counts_report(file, &[]);
    let of_samples = samples_report(&["--cluster", cluster]);
    let mut found = Vec::new();
    for part in ["comparisons", "comparability", "suites"] {
        apart(part, &of_samples[part], &of_counts[part], &mut found);
    }
    assert!(found.is_empty(), "{found:#?}");
    assert_eq!(findings(&of_samples), findings(&of_counts));
    let verdicts = of_counts["comparisons"].as_array().expect("a list").iter();
    let verdicts: Vec<&str> =
        verdicts.map(|one| one["verdict"].as_str().expect("a text")).collect();
    assert!(verdicts.contains(&"better"), "{verdicts:?}");
}

tests![
    the_report_of_counts_is_that_of_the_samples = check("independent.parquet", "none"),
    the_same_in_clusters = check("clustered.parquet", "passage_id"),
];

/// `small` of `fixtures/make_counted.py`: 12,000 pairs around 10 and one at 200,000 in both runs, and differences up to
/// 0.1; scipy 1.17.1, `ttest_rel`.
#[test]
fn differences_that_are_small_against_the_scores_are_not_lost_in_sums() {
    let report = counts_report("small_differences.parquet", &[]);
    let compared = &report["comparisons"][0];
    let number = |value: &Value| value.as_f64().expect("a number");
    let is_near = |value: &Value, expected: f64| {
        let found = number(value);
        assert!((found / expected - 1.0).abs() < 1e-9, "{found}, not {expected}");
    };
    is_near(&compared["test"]["p"], 0.839_711_540_232_174_4);
    is_near(&compared["test"]["statistic"], 0.202_266_853_975_212_05);
    is_near(&compared["delta"]["ci"][0], -0.000_926_457_241_795_528_8);
    is_near(&compared["delta"]["ci"][1], 0.001_139_657_241_795_529_9);
}

#[test]
fn counts_take_no_flag_that_needs_the_samples() {
    let file = format!("{COUNTED}/independent.parquet");
    let flags = [["--baseline", "b"], ["--pool", "x"], ["--where", "lr=1"], ["--pass-at", "2"]];
    for flag in flags {
        let ended = reportgen([&["compare", "--stats", &file][..], &flag].concat());
        assert_eq!(ended.status, 2, "{flag:?}");
        assert_said(&ended.err, &["cannot be used with", flag[0]]);
    }
}

#[test]
fn several_answers_to_one_id_are_not_planned() {
    let records = |numbers: &[u32]| {
        let record = |(row, number): (usize, &u32)| {
            let id = if numbers.iter().all(|other| other == number) { row } else { row / 2 };
            format!(
                "{{\"id\": {id}, \"sample_index\": {number}, \"accepted\": {}}}\n",
                row % 3 == 0
            )
        };
        numbers.iter().enumerate().map(record).collect::<String>()
    };
    let files =
        Directory::of([("one.jsonl", records(&[0; 8])), ("two.jsonl", records(&[0, 1, 0, 1]))]);
    let asked = |name: &str| {
        let path = files.word(name);
        reportgen(["plan", &path, &path, "--dialect", "duckdb"])
    };
    assert_eq!(asked("one.jsonl").status, 0);
    let refused = asked("two.jsonl");
    assert_eq!(refused.status, 2);
    assert_said(&refused.err, &["differ in `sample_index`", "one evaluation"]);
}

#[test]
fn a_plan_says_how_the_samples_that_changed_are_listed() {
    let path = format!("{COUNTED}/a.jsonl");
    let asked = ["plan", &path, &path, "--dialect", "duckdb", "--cluster", "none", "--id", "id"];
    let planned = reportgen(asked);
    let line =
        planned.out.lines().find_map(|line| line.strip_prefix("-- the samples that changed: "));
    let line = line.expect("a command line");
    assert_eq!(line, format!("reportgen {} --changed", asked.join(" ")));
    let words = line.split_whitespace().skip(1);
    assert_eq!(reportgen(words).status, 0, "{line}");
}

#[test]
fn what_counts_cannot_say_is_a_finding() {
    let report = counts_report("independent.parquet", &[]);
    let findings = report["findings"].as_array().expect("a list").iter();
    let told: Vec<&Value> = findings.filter(|one| one["code"] == "R530").collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert_said(
        told[0]["message"].as_str().expect("a text"),
        &["duckdb", "latency", "no single one"],
    );
    assert_said(told[0]["help"].as_str().expect("a text"), &["reportgen plan", "--changed"]);
}

/// The finding about a metric that is asked for and that no run has.
fn unknown_metric(report: &Value) -> Vec<[Value; 2]> {
    let findings = report["findings"].as_array().expect("a list").iter();
    let own = findings.filter(|one| one["code"] == "R125");
    own.map(|one| ["message", "help"].map(|name| one[name].clone())).collect()
}

#[test]
fn a_metric_that_was_not_counted_is_told_as_one_that_no_run_has() {
    let asked = |metric| {
        let more = ["--metric", metric];
        [counts_report("independent.parquet", &more), samples_report(&more)]
            .map(|report| unknown_metric(&report))
    };
    let [of_counts, of_samples] = asked("f1");
    assert_eq!(of_counts, of_samples);
    assert_eq!(of_counts.len(), 1);
    assert!(asked("accepted").iter().all(Vec::is_empty));
}

/// What a plan says of the range of a metric with these scores.
fn planned_range(scores: &[&str], said: &[&str]) {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("samples.jsonl");
    let records = scores.iter().zip(1..);
    let records: Vec<String> =
        records.map(|(score, id)| format!("{{\"id\":{id},\"accepted\":{score}}}\n")).collect();
    fs::write(&path, records.concat()).expect("written");
    let path = path.to_string_lossy();
    assert_said(&planned(&[&path, &path, "--dialect", "duckdb"]).out, said);
}

tests![
    shares_have_a_range_to_1 =
        planned_range(&["0", "1", "55.5"], &["0 to 1 in A", "> 1.000001 ", "< -1e-6"]),
    percentages_have_a_range_to_100 =
        planned_range(&["0", "40", "55.5"], &["0 to 100 in A", "> 100.0001"]),
];

#[test]
fn counts_by_one_field_are_no_counts_by_another() {
    let asked = |file: &str, cluster: &str| {
        let file = format!("{COUNTED}/{file}");
        reportgen(["compare", "--stats", &file, "--cluster", cluster])
    };
    let other = asked("clustered.parquet", "repo");
    assert_eq!(other.status, 2);
    assert_said(&other.err, &["passage_id", "repo", "plan"]);
    let none = asked("independent.parquet", "passage_id");
    assert_said(&none.err, &["no field", "passage_id"]);
    assert_eq!(asked("clustered.parquet", "passage_id").status, 0);
    let [apart, together] = ["none", "passage_id"].map(|cluster| {
        let report = counts_report("clustered.parquet", &["--cluster", cluster]);
        report["comparisons"][0]["pairing"]["unit"].clone()
    });
    assert_eq!([apart, together], ["sample", "cluster"]);
}

/// A directory with copies of these files, and the name of what is compared.
fn refused(files: &[(&str, &str)], said: &[&str]) {
    let place = tempfile::tempdir().expect("a directory");
    for (from, to) in files {
        fs::copy(from, place.path().join(to)).expect("copied");
    }
    let asked = match files {
        [(_, only)] => place.path().join(only),
        _ => place.path().to_owned(),
    };
    let ended = reportgen(["compare", "--stats", &asked.to_string_lossy()]);
    assert_eq!(ended.status, 4, "{}", ended.err);
    assert_said(&ended.err, said);
}

const INDEPENDENT: &str = "fixtures/counted/independent.parquet";

mod refused_files {
    use super::{INDEPENDENT, refused};
    use crate::cases::tests;

    tests![
        no_parquet = refused(&[("fixtures/counted/a.jsonl", "a.jsonl")], &["not a Parquet file"]),
        another_table = refused(
            &[("fixtures/parquet/zstd.parquet", "stats.parquet")],
            &["no file of counts", "no column `version`"],
        ),
        twice = refused(
            &[(INDEPENDENT, "1.parquet"), (INDEPENDENT, "2.parquet")],
            &["the counts twice"]
        ),
        of_two_plans = refused(
            &[(INDEPENDENT, "1.parquet"), ("fixtures/counted/clustered.parquet", "2.parquet")],
            &["several plans"],
        ),
    ];
}

#[test]
fn a_file_with_other_bytes_is_refused_or_read_and_never_ends_the_program() {
    let bytes = fs::read(INDEPENDENT).expect("a file of counts");
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("stats.parquet");
    let mut refusals = 0;
    for round in 0..160_usize {
        let mut other = bytes.clone();
        let at = round * 7919 % bytes.len();
        match round % 4 {
            0 => other.truncate(at),
            1 => other[at] ^= 0x55,
            2 => other[at] = 0xff,
            _ => drop(other.splice(at..(at + 9).min(bytes.len()), [0; 9])),
        }
        fs::write(&path, other).expect("written");
        let ended = reportgen(["compare", "--stats", &path.to_string_lossy()]);
        assert!([0, 4].contains(&ended.status), "{round}: {}", ended.err);
        refusals += usize::from(ended.status == 4);
    }
    assert!(refusals > 80, "{refusals}");
}

fn planned(arguments: &[&str]) -> crate::command::Ended {
    reportgen(["plan"].iter().chain(arguments))
}

/// Arguments of `plan` behind the two inputs, and what is said to them.
fn plan_refused(inputs: [&str; 2], more: &[&str], said: &[&str]) {
    let ended = planned(&[&inputs[..], more].concat());
    assert_eq!((ended.status, ended.out.as_str()), (2, ""), "{}", ended.err);
    assert_said(&ended.err, said);
}

mod refused_plans {
    use super::plan_refused;
    use crate::cases::tests;

    const FILES: [&str; 2] = ["fixtures/counted/a.jsonl", "fixtures/counted/b.jsonl"];
    const TABLES: [&str; 2] = ["table:lake.a", "table:lake.b"];
    const GONE: [&str; 2] = ["nowhere.parquet", "nowhere/*.jsonl"];

    tests![
        no_such_column = plan_refused(
            FILES,
            &["--dialect", "duckdb", "--id", "ids"],
            &["no column `ids`", "`id`"]
        ),
        no_such_file = plan_refused(GONE, &["--dialect", "duckdb"], &["nowhere.parquet"]),
        files_for_trino = plan_refused(FILES, &["--dialect", "trino"], &["trino", "table:"]),
        a_table_without_an_id =
            plan_refused(TABLES, &["--dialect", "trino", "--metric", "ok"], &["--id COLUMN"]),
        a_table_without_a_metric =
            plan_refused(TABLES, &["--dialect", "trino", "--id", "id"], &["--metric COLUMN"]),
        a_table_without_a_name =
            plan_refused(["table:", "table:b"], &["--dialect", "trino"], &["names no table"]),
    ];
}

#[test]
fn records_of_several_evaluations_are_refused() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("samples.jsonl");
    let records =
        "{\"id\":1,\"epoch\":1,\"accepted\":true}\n{\"id\":1,\"epoch\":2,\"accepted\":true}\n";
    fs::write(&path, records).expect("written");
    let path = path.to_string_lossy();
    plan_refused([&path, &path], &["--dialect", "duckdb"], &["differ in `epoch`"]);
}

#[test]
fn files_of_several_datasets_are_refused() {
    let place = tempfile::tempdir().expect("a directory");
    for name in ["samples_gsm8k.jsonl", "samples_mmlu.jsonl"] {
        fs::write(place.path().join(name), "{\"id\":1,\"accepted\":true}\n").expect("written");
    }
    let path = place.path().to_string_lossy();
    plan_refused([&path, &path], &["--dialect", "duckdb"], &["several datasets", "--dataset"]);
}

#[test]
fn a_column_that_engines_take_for_another_one_is_refused() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("samples.jsonl");
    fs::write(&path, "{\"Id\":0,\"id\":1,\"accepted\":true}\n").expect("written");
    let path = path.to_string_lossy();
    plan_refused([&path, &path], &["--dialect", "duckdb"], &["`id`", "`Id`"]);
}

#[test]
fn a_file_is_no_pattern_and_a_directory_no_column() {
    let place = tempfile::tempdir().expect("a directory");
    let directory = place.path().join("accepted=1");
    fs::create_dir(&directory).expect("created");
    let [a, b] = ["a[1].jsonl", "b*.jsonl"].map(|name| {
        let path = directory.join(name);
        fs::write(&path, "{\"id\":1,\"accepted\":true}\n").expect("written");
        path.to_string_lossy().into_owned()
    });
    let of_duckdb = planned(&[&a, &b, "--dialect", "duckdb"]).out;
    assert_said(&of_duckdb, &["/a[[]1].jsonl'", "/b[*].jsonl'", "hive_partitioning = false"]);
    assert_said(
        &planned(&[&a, &b, "--dialect", "spark"]).out,
        &["/a\\[1\\].jsonl`", "/b\\*.jsonl`"],
    );
    let lake = ["s3://lake/a/*.parquet", "s3://lake/b/*.parquet"];
    let columns = ["--dialect", "duckdb", "--id", "id", "--metric", "accepted"];
    let of_lake = planned(&[&lake[..], &columns].concat()).out;
    assert_said(&of_lake, &["s3://lake/a/*.parquet'", "!hive_partitioning"]);
}

#[test]
fn a_table_is_planned_by_the_columns_that_are_named() {
    for dialect in ["duckdb", "spark", "trino", "bigquery"] {
        let arguments = ["table:lake.a", "table:lake.b", "--dialect", dialect, "--id", "id"];
        let ended =
            planned(&[&arguments[..], &["--metric", "accepted", "--cluster", "repo"]].concat());
        assert_eq!(ended.status, 0, "{}", ended.err);
        assert_said(&ended.out, &["range not known in A", "!out_a"]);
        assert_said(&ended.out, &["GROUPING SETS", "UNION ALL", "accepted_at_1"]);
        let changed =
            planned(&[&arguments[..], &["--metric", "accepted", "--changed", "5"]].concat());
        assert_said(&changed.out, &["LIMIT 5", "a1 <> b1", "!COUNT("]);
    }
}

#[test]
fn names_of_files_and_columns_stay_names() {
    let place = tempfile::tempdir().expect("a directory");
    let odd = "it's \"odd\"; DROP TABLE x -- \\";
    let record = serde_json::json!({ odd: 1, "p'\"`\\": "why?", "accepted": true });
    let [a, b] = ["a'; --.jsonl", "b\n.jsonl"].map(|name| {
        let path = place.path().join(name);
        fs::write(&path, format!("{record}\n")).expect("written");
        path.to_string_lossy().into_owned()
    });
    for (dialect, column, file) in [
        ("duckdb", "\"it's \"\"odd\"\"; DROP TABLE x -- \\\"", "a''; --.jsonl'"),
        ("spark", "`it's \"odd\"; DROP TABLE x -- \\`", "/a'; --.jsonl`"),
    ] {
        let ended = planned(&[&a, &b, "--dialect", dialect, "--id", odd, "--prompt", "p'\"`\\"]);
        assert_eq!(ended.status, 0, "{}", ended.err);
        assert_said(&ended.out, &[column, file]);
        let comments = ended.out.lines().take_while(|line| line.starts_with("-- ")).count();
        let first = ended.out.lines().nth(comments).unwrap_or_default();
        assert!(first.starts_with("COPY (") || first.starts_with("INSERT OVERWRITE"), "{first}");
    }
}

#[test]
fn a_plan_is_the_same_however_often_it_is_made() {
    let once = || {
        let files = ["a", "b"].map(|name| format!("{COUNTED}/{name}.jsonl"));
        planned(&[&files[0], &files[1], "--dialect", "duckdb"]).out
    };
    assert_eq!(once(), once());
}

/// The Python that `.ci/run` prepares, else the one of the machine.
fn python() -> String {
    env::var("REPORTGEN_TEST_PYTHON").unwrap_or_else(|_| "python3".to_owned())
}

#[test]
fn duckdb_counts_what_the_report_of_the_samples_says() {
    let needed = "import duckdb, pyarrow";
    let has = Command::new(python()).args(["-c", needed]).output();
    if !has.is_ok_and(|ended| ended.status.success()) {
        let _unwritable = writeln!(std::io::stderr(), "NOT TESTED: {} has no duckdb", python());
        return;
    }
    let mut command = Command::new(python());
    command.args(["-B", "fixtures/make_counted.py", "--check"]);
    command.env("REPORTGEN_BIN", env!("CARGO_BIN_EXE_reportgen"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let ended = command.current_dir(root).output().expect("python starts");
    let said = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(ended.status.success(), "{said}\n{}", String::from_utf8_lossy(&ended.stderr));
}
