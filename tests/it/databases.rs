//! Databases of a tracker: what is read of one, how its runs are named, and that one that is damaged or made
//! to harm neither stops a command nor is changed.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use flate2::read::GzDecoder;
use reportgen::collect::{KeyWeight, ReadOptions, collect};
use reportgen::diag::{Code, Diagnostic};
use reportgen::model::{Access, Limits, Run};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::command::{compare, compared, reportgen};
use crate::directory::Directory;

const SQLITE: &str = "fixtures/stores/mlflow/sqlite";
const FILES: &str = "fixtures/stores/mlflow/files";
const EXPECTED: &str = "fixtures/stores/mlflow/expected.json";

/// The database of the fixture, as it was before it was compressed.
static DATABASE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut bytes = Vec::new();
    let packed = File::open(Path::new(SQLITE).join("mlflow.db.gz")).expect("a fixture");
    GzDecoder::new(packed).read_to_end(&mut bytes).expect("a database");
    bytes
});

/// The same in a directory, changed.
fn changed(statements: &str) -> Directory {
    let directory = Directory::of([("mlflow.db", &*DATABASE)]);
    let connection = Connection::open(directory.path("mlflow.db")).expect("it opens");
    connection.execute_batch(statements).expect("it is changed");
    directory
}

fn read_within(place: &Path, limits: Limits) -> (Vec<Run>, Vec<Diagnostic>) {
    let weight: fn(&str) -> KeyWeight = |_| KeyWeight::Setting;
    let access = Access { limits, ..Access::default() };
    let options = ReadOptions { weight: Some(weight), access, ..ReadOptions::default() };
    let read = collect(&[place.to_owned()], &options).expect("it is there");
    (read.value, read.diagnostics)
}

fn read(place: impl AsRef<Path>) -> (Vec<Run>, Vec<Diagnostic>) {
    read_within(place.as_ref(), Limits::default())
}

fn name(run: &Run) -> &str {
    run.member.as_deref().expect("a name")
}

/// Series by metric, settings, and scores of samples: what a run holds, wherever it was read.
fn content(run: &Run) -> Value {
    let settings: BTreeMap<&str, String> =
        run.content.config.iter().map(|(key, entry)| (key, entry.value.to_string())).collect();
    let series = run.content.series.iter().map(|one| {
        let points = one.points.iter().map(|point| json!([point.at, point.value.to_string()]));
        (format!("{} {} {}", one.metric, one.axis, one.dims), points.collect::<Vec<_>>())
    });
    let samples = run.content.samples.iter().map(|table| {
        (
            table.dataset.clone(),
            table.dims.to_string(),
            table.len(),
            format!("{:?}", table.columns()),
        )
    });
    let endings: Vec<&str> = run.content.endings.iter().map(|one| &*one.said).collect();
    let series: BTreeMap<_, _> = series.collect();
    let samples: Vec<_> = samples.collect();
    json!({
        "settings": settings, "series": series, "samples": samples, "endings": endings,
        "versions": run.content.versions,
    })
}

#[test]
fn a_database_is_read_as_its_own_client_reads_it() {
    let expected: Value =
        serde_json::from_str(&fs::read_to_string(EXPECTED).expect("a fixture")).expect("JSON");
    let expected = expected.as_object().expect("runs");
    let (runs, _) = read(SQLITE);
    assert_eq!(runs.len(), expected.len());
    for run in &runs {
        let named = |key: &&String| **key == name(run) || key.ends_with(&format!("/{}", name(run)));
        let own = &expected[expected.keys().find(named).expect("a run of the client")];
        for (key, value) in own["params"].as_object().expect("parameters") {
            let found = run.content.config.get(key).expect(key).value.to_string();
            assert_eq!(Some(found.as_str()), value.as_str(), "{} {key}", name(run));
        }
        let series = own["series"].as_object().expect("series");
        assert_eq!(run.content.series.len(), series.len());
        for one in &run.content.series {
            // Of values at one step the latest counts; infinity is the largest number there.
            let mut points: BTreeMap<i64, (i64, f64)> = BTreeMap::new();
            for point in series[&one.metric].as_array().expect("points") {
                let [step, at] = [0, 2].map(|place| point[place].as_i64().expect("a number"));
                let value: f64 = point[1].as_str().expect("a text").parse().expect("a number");
                let value =
                    if value.abs() == f64::MAX { value.signum() * f64::INFINITY } else { value };
                let known = points.entry(step).or_insert((at, value));
                if at >= known.0 {
                    *known = (at, value);
                }
            }
            let expected = points.into_iter().map(|(step, (_, value))| format!("{step} {value}"));
            let found = one.points.iter().map(|point| format!("{} {}", point.at, point.value));
            assert!(found.eq(expected), "{} {}: {:?}", name(run), one.metric, one.points);
        }
        let digests: Vec<Value> =
            run.content.versions.iter().map(|(name, digest)| json!([name, digest])).collect();
        assert_eq!(json!(digests), own["datasets"], "{}", name(run));
        let is_told = !run.content.endings.is_empty();
        assert_eq!(is_told, own["status"] != "FINISHED", "{:?}", run.content.endings);
    }
}

/// The runs of the file store by name, where one name is that of one run.
fn of_files() -> BTreeMap<String, PathBuf> {
    let mut found: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for path in glob_of_runs() {
        let meta = fs::read_to_string(path.join("meta.yaml")).expect("a description");
        let name = meta.lines().find_map(|line| line.strip_prefix("run_name: ")).expect("a name");
        found.entry(name.to_owned()).or_default().push(path);
    }
    let one = |(name, paths): (String, Vec<PathBuf>)| Some((name, <[_; 1]>::try_from(paths).ok()?));
    found.into_iter().filter_map(one).map(|(name, [path])| (name, path)).collect()
}

fn glob_of_runs() -> Vec<PathBuf> {
    let below = |path: &Path| -> Vec<PathBuf> {
        fs::read_dir(path).expect("listed").map(|entry| entry.expect("an entry").path()).collect()
    };
    let experiments = below(&Path::new(FILES).join("mlruns"));
    let runs = experiments.iter().filter(|path| path.is_dir()).flat_map(|path| below(path));
    runs.filter(|path| path.join("params").is_dir()).collect()
}

#[test]
fn a_run_is_the_same_in_a_database_and_in_a_file_store() {
    let files = of_files();
    let (runs, _) = read(SQLITE);
    let mut compared = 0;
    for run in &runs {
        let Some(path) = files.get(name(run)) else { continue };
        let (of_files, _) = read(path);
        assert_eq!(content(run), content(&of_files[0]), "{}", name(run));
        compared += 1;
    }
    assert_eq!(compared, 3);
}

#[test]
fn a_comparison_is_the_same_over_a_database_and_over_a_file_store() {
    let files = of_files();
    let file = |name: &str| files[name].to_str().expect("UTF-8").to_owned();
    let report = |[base, high]: [String; 2]| {
        let arms = [format!("base={base}"), format!("high={high}")];
        let arms: Vec<&str> = arms.iter().flat_map(|arm| ["--arm", arm.as_str()]).collect();
        let mut report = compared::<&str>(&[], &[&arms[..], &["--vary", "learning_rate"]].concat());
        let comparisons = report["comparisons"].take();
        let curves = report["curves"].take();
        assert!(comparisons.as_array().is_some_and(|all| !all.is_empty()), "{report}");
        let grade = report["comparability"]["grade"].take();
        (grade, without_places(comparisons), without_places(curves))
    };
    let of_files = report(["baseline", "high-lr lr=5e-3"].map(file));
    assert_eq!(of_files.0, "confounded", "the digests of their datasets differ");
    let stored = ["run=baseline", "run=high-lr lr=5e-3"].map(|name| format!("{SQLITE}::{name}"));
    assert_eq!(report(stored), of_files);
}

/// The data without paths and ids of runs.
fn without_places(mut data: Value) -> Value {
    match &mut data {
        Value::Object(fields) => {
            for key in ["path", "run", "source"] {
                fields.remove(key);
            }
            for value in fields.values_mut() {
                *value = without_places(value.take());
            }
        }
        Value::Array(items) => {
            for value in items {
                *value = without_places(value.take());
            }
        }
        _ => {}
    }
    data
}

/// What `inspect` calls the runs that these words name.
fn inspected(words: &str) -> String {
    let ended = reportgen(["inspect", words]);
    let first = ended.out.lines().next().unwrap_or_default().to_owned();
    if first.is_empty() { ended.err } else { first }
}

#[test]
fn runs_of_a_database_are_named_like_those_of_a_directory() {
    let place = Directory::of([("mlflow.db", &*DATABASE)]);
    for store in [place.word("mlflow.db"), place.word(""), format!("{SQLITE}/mlflow.db.gz")] {
        assert_eq!(inspected(&format!("{store}::baseline seed 1")), "1 run: baseline seed 1");
        assert_eq!(inspected(&format!("{store}::run=high-lr lr=5e-3")), "1 run: high-lr lr=5e-3");
        assert_eq!(inspected(&format!("{store}::数学/same name")), "1 run: 数学/same name");
        assert_eq!(inspected(&format!("{store}::learning_rate=0.005")), "1 run: high-lr lr=5e-3");
        let unknown = inspected(&format!("{store}::thrown away"));
        assert!(unknown.contains("there are: baseline, high-lr lr=5e-3"), "{unknown}");
        let refused = compare(&[&store], &[]);
        assert_eq!(refused.status, 2);
        assert!(refused.err.contains("holds 5 runs: baseline, high-lr"), "{}", refused.err);
        assert!(refused.err.contains("::*'"), "{}", refused.err);
    }
}

#[test]
fn patterns_and_settings_choose_among_the_runs_of_a_database() {
    let place = Directory::of([("mlflow.db", &*DATABASE)]);
    let store = place.word("mlflow.db");
    let ids = |report: &Value| -> Vec<String> {
        let runs = report["runs"].as_array().expect("runs").iter();
        runs.map(|run| run["id"].as_str().expect("an id").to_owned()).collect()
    };
    let named = |names: &[&str]| -> Vec<String> {
        names.iter().map(|name| format!("mlflow.db::run={name}")).collect()
    };
    let report = compared(&[format!("{store}::base*")], &[]);
    assert_eq!(ids(&report), named(&["baseline", "baseline seed 1"]));
    let across = ["--across", "seed", "--where", "learning_rate=1e-3"];
    let report = compared(&[&store], &across);
    let expected = ["baseline", "baseline seed 1", "数学/same name", "other/same name"];
    assert_eq!(ids(&report), named(&expected));
}

#[test]
fn of_values_at_one_step_the_latest_counts_in_whatever_order_they_are_written() {
    let row =
        "INSERT INTO metrics (key, value, timestamp, run_uuid, step, is_nan) SELECT 'twice', ";
    let database = changed(&format!(
        "{row} 1.0, 2000, run_uuid, 5, 0 FROM runs; {row} 2.0, 1000, run_uuid, 5, 0 FROM runs;"
    ));
    let files = Directory::of([
        ("meta.yaml", "run_id: a\nlifecycle_stage: active\n"),
        ("metrics/twice", "2000 1.0 5\n1000 2.0 5\n"),
    ]);
    for (place, count) in [(database.path("mlflow.db"), 5), (files.path(""), 1)] {
        let (runs, _) = read(&place);
        assert_eq!(runs.len(), count);
        for run in runs {
            let mut series = run.content.series.iter();
            let twice = series.find(|one| one.metric == "twice").expect("it is there");
            let points: Vec<[f64; 2]> = twice.points.iter().map(|at| [at.at, at.value]).collect();
            assert_eq!(points, [[5.0, 1.0]], "{}", place.display());
        }
    }
}

#[test]
fn runs_of_one_name_in_one_experiment_are_told_by_their_ids() {
    let place = changed("UPDATE runs SET name = 'twin', experiment_id = 1 WHERE name LIKE 'base%'");
    let store = place.word("mlflow.db");
    let connection = Connection::open(place.path("mlflow.db")).expect("it opens");
    let query = "SELECT r.run_uuid, e.name FROM runs r JOIN experiments e USING (experiment_id) \
                 WHERE r.name = 'twin' ORDER BY start_time";
    let mut statement = connection.prepare(query).expect("a query");
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("rows");
    let twins: Vec<(String, String)> = rows.map(|row| row.expect("a row")).collect();
    let [(first, experiment), (second, _)] = &twins[..] else { panic!("{twins:?}") };
    for name in ["twin".to_owned(), format!("{experiment}/twin")] {
        let said = inspected(&format!("{store}::{name}"));
        let told = format!("holds 2 runs named `{name}`: {first}, {second}; name one of them");
        assert!(said.contains(&told), "{said}");
    }
    assert_eq!(inspected(&format!("{store}::{first}")), format!("1 run: {first}"));
}

#[test]
fn runs_of_a_file_store_have_the_names_that_they_have_in_a_database() {
    let store = format!("{FILES}/mlruns");
    // Those that were deleted are still in the file store.
    let place = changed("UPDATE runs SET lifecycle_stage = 'active'");
    let called = |runs: &[Run]| -> Vec<String> {
        let mut names: Vec<_> = runs.iter().filter_map(|run| Some(run.called()?.into())).collect();
        names.sort();
        names
    };
    let (runs, _) = read(&store);
    assert_eq!(called(&runs), called(&read(place.path("mlflow.db")).0));
    assert!(runs.iter().any(|run| run.id == "mlruns::run=数学/same name"), "{runs:?}");
    let seed = of_files().remove("baseline seed 1").expect("a run");
    let id = seed.file_name().expect("an id").to_string_lossy().into_owned();
    for name in [&id, "baseline seed 1"] {
        assert_eq!(inspected(&format!("{store}::{name}")), "1 run: baseline seed 1");
    }
    let refused = compare(&[&store], &[]).err;
    assert!(refused.contains(&format!("{store}::run=")), "{refused}");
    let names = runs.iter().flat_map(|run| &run.files).filter(|file| file.is_read());
    assert_eq!(names.filter(|file| file.relative == "tags/mlflow.runName").count(), 6);
}

#[test]
fn a_run_of_a_database_that_cannot_be_read_is_refused_with_the_cause() {
    let half = &DATABASE[..DATABASE.len() / 2];
    let place = Directory::of([("mlflow.db", half)]);
    let named = compare(&[place.word("mlflow.db::a"), place.word("mlflow.db::b")], &[]);
    let whole = compare(&[place.word("mlflow.db"), place.word("mlflow.db")], &[]);
    let cause = "cannot be read: database disk image is malformed";
    assert!(named.err.contains(cause), "{}", named.err);
    assert_eq!((named.status, whole.status), (4, 4), "{}", named.err);
}

#[test]
fn deleted_runs_are_left_out_and_counted() {
    let (runs, findings) = read(SQLITE);
    assert!(runs.iter().all(|run| name(run) != "thrown away"));
    let told: Vec<&Diagnostic> =
        findings.iter().filter(|finding| finding.code == Code::DeletedRuns).collect();
    let [told] = told[..] else { panic!("{findings:?}") };
    assert_eq!(told.evidence["count"].to_string(), "1");
    let place = changed("UPDATE runs SET lifecycle_stage = 'active'");
    let (runs, findings) = read(place.path("mlflow.db"));
    assert_eq!(runs.len(), 6);
    assert!(findings.iter().all(|finding| finding.code != Code::DeletedRuns));
}

fn names_beside(directory: &Directory) -> Vec<String> {
    let entries = fs::read_dir(directory.root()).expect("listed");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn nothing_is_written_beside_a_database_and_rows_in_its_log_of_changes_count() {
    let place = Directory::of([("mlflow.db", &*DATABASE)]);
    let connection = Connection::open(place.path("mlflow.db")).expect("it opens");
    connection.execute_batch("PRAGMA journal_mode = WAL").expect("changed");
    connection
        .execute_batch("UPDATE params SET value = '7' WHERE key = 'seed'")
        .expect("written to the log of changes");
    // As another machine sees it that copied the files while the database was open.
    let copied = Directory::new();
    for name in ["mlflow.db", "mlflow.db-wal"] {
        copied.write(name, fs::read(place.path(name)).expect("read"));
    }
    let before = names_beside(&copied);
    let (runs, findings) = read(copied.path("mlflow.db"));
    assert_eq!(runs.len(), 5, "{findings:?}");
    for run in &runs {
        assert_eq!(run.setting("seed").map(ToString::to_string).as_deref(), Some("7"));
    }
    assert_eq!(names_beside(&copied), before);
    let alone = Directory::of([("mlflow.db", &*DATABASE)]);
    read(alone.path("mlflow.db"));
    assert_eq!(names_beside(&alone), ["mlflow.db"]);
    assert_eq!(fs::read(alone.path("mlflow.db")).expect("read"), *DATABASE);
}

/// The only cause of files that could not be read.
fn refused(place: &Path) -> String {
    let (runs, findings) = read(place);
    assert!(runs.iter().all(|run| run.content.series.is_empty()), "{runs:?}");
    let causes = findings.iter().filter(|finding| finding.code == Code::Unreadable);
    causes.map(|finding| finding.evidence["cause"].to_string()).collect()
}

#[test]
fn a_database_that_is_being_changed_is_refused_and_its_journal_is_not_played() {
    let place = Directory::of([("mlflow.db", &*DATABASE)]);
    let mut journal = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7".to_vec();
    journal.resize(512, 0);
    place.write("mlflow.db-journal", &journal);
    let cause = refused(&place.path("mlflow.db"));
    assert!(cause.contains("a program is changing it"), "{cause}");
    assert_eq!(fs::read(place.path("mlflow.db-journal")).expect("still there"), journal);
    // What is left of a transaction that was ended.
    place.write("mlflow.db-journal", vec![0; 512]);
    assert_eq!(read(place.path("mlflow.db")).0.len(), 5);
}

#[test]
fn views_and_virtual_tables_are_not_taken_for_the_tables_of_a_tracker() {
    for statements in [
        "ALTER TABLE metrics RENAME TO others; CREATE VIEW metrics AS SELECT * FROM others;",
        "DROP TABLE params; CREATE VIRTUAL TABLE params USING fts5(key, value, run_uuid);",
    ] {
        let place = changed(statements);
        let (runs, findings) = read(place.path("mlflow.db"));
        assert!(runs.iter().all(|run| run.content.config.is_empty()), "{statements}: {runs:?}");
        assert!(findings.iter().all(|finding| finding.code != Code::Unreadable), "{findings:?}");
    }
}

/// What is said of a database in a run of its own, and of one beside results.
fn told_of(statements: &str) -> [Vec<String>; 2] {
    let place = Directory::of([("results.json", r#"{"accuracy": 0.5, "n": 100}"#)]);
    let database = Connection::open(place.path("cache.sqlite")).expect("it opens");
    database.execute_batch(statements).expect("it is made");
    [place.path("cache.sqlite"), place.path("")].map(|run| {
        let found = read(run).1;
        let told = found.iter().filter(|finding| finding.code == Code::Unrecognised);
        told.map(|finding| finding.evidence["names"].to_string()).collect()
    })
}

#[test]
fn other_databases_are_told_by_their_tables_where_they_are_the_run_or_may_hold_results() {
    let made = "CREATE TABLE results (task, accuracy); CREATE TABLE \"o\"\"dd\" (x);
         CREATE VIEW v AS SELECT * FROM results;";
    assert_eq!(told_of(made), [["results, o\"dd"], ["results, o\"dd"]]);
    let [alone, beside] = told_of("CREATE TABLE cache (key, value);");
    assert_eq!((alone, beside), (vec!["cache".to_owned()], Vec::new()));
}

#[test]
fn rows_that_make_no_sense_are_left_out_and_told() {
    let place = changed(
        "PRAGMA ignore_check_constraints = ON;
         UPDATE metrics SET step = 'soon' WHERE key = 'kl' AND step = 2;
         UPDATE metrics SET value = x'00' WHERE key = 'kl' AND step = 4;
         UPDATE runs SET status = 'LOST' WHERE name = 'baseline';",
    );
    let (runs, findings) = read(place.path("mlflow.db"));
    for run in &runs {
        let kl = run.content.series.iter().find(|one| one.metric == "kl").expect("kl");
        assert_eq!(kl.points.len(), 4, "{kl:?}");
    }
    let told = findings.iter().filter(|finding| finding.code == Code::BadRecord);
    let counts: Vec<String> = told.map(|finding| finding.evidence["count"].to_string()).collect();
    // Two of each of six runs, the deleted one among them.
    assert_eq!(counts.iter().map(|count| count.parse::<u64>().expect("a number")).sum::<u64>(), 12);
}

#[test]
fn rows_past_a_limit_are_left_out_and_every_run_is_partial() {
    let place = Directory::of([("mlflow.db", &*DATABASE)]);
    let limits = Limits { records: 40, ..Limits::default() };
    let (runs, findings) = read_within(&place.path("mlflow.db"), limits);
    assert_eq!(runs.len(), 5);
    assert!(findings.iter().any(|finding| finding.code == Code::LimitReached), "{findings:?}");
    assert!(runs.iter().all(|run| run.files.iter().any(reportgen::model::FileRecord::is_unread)));
    let small = Limits { document_mib: 0, ..Limits::default() };
    let (_, findings) = read_within(&Path::new(SQLITE).join("mlflow.db.gz"), small);
    assert!(findings.iter().any(|finding| finding.code == Code::TooLarge), "{findings:?}");
}

#[test]
fn a_database_of_one_run_is_part_of_the_run_in_whose_directory_it_lies() {
    let place = changed(
        "UPDATE runs SET lifecycle_stage = 'deleted' WHERE name != 'baseline' OR experiment_id > 1;",
    );
    place.write("results.json", r#"{"accuracy": 0.5, "n": 100}"#);
    let (runs, _) = read(place.root());
    let [run] = &runs[..] else { panic!("{runs:?}") };
    assert_eq!(run.member, None);
    assert_eq!((run.content.scalars.len(), run.content.series.len()), (1, 4));
    assert_eq!(run.setting("learning_rate").map(ToString::to_string).as_deref(), Some("1e-3"));
}

/// Numbers that look like chance and are the same each time (splitmix64).
fn number(seed: &mut u64) -> usize {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*seed ^ (*seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed ^ (mixed >> 31)) as usize
}

#[test]
fn whatever_bytes_of_a_database_are_changed_it_is_read_or_refused() {
    const STROKES: [u64; 3] = [1, 8, 64];
    let place = Directory::new();
    let path = place.path("mlflow.db");
    let (mut whole, mut refused) = (0, 0);
    for case in 0..90 {
        let (mut seed, mut bytes) = (case, DATABASE.clone());
        for _ in 0..STROKES[case as usize % STROKES.len()] {
            // Half of the strokes hit the first pages, where the schema stands, and headers of pages.
            let at = number(&mut seed) % bytes.len();
            let at = if at.is_multiple_of(2) { at } else { at / 4096 * 4096 + at % 64 };
            bytes[at] = number(&mut seed) as u8;
        }
        if case % 7 == 0 {
            bytes.truncate(number(&mut seed) % bytes.len());
        }
        fs::write(&path, &bytes).expect("written");
        let (runs, findings) = read(&path);
        let has_series = runs.iter().any(|run| !run.content.series.is_empty());
        whole += u32::from(has_series);
        refused += u32::from(findings.iter().any(|one| one.code == Code::Unreadable));
        assert_eq!(names_beside(&place), ["mlflow.db"], "case {case}");
    }
    assert!(whole > 20 && refused > 5, "{whole} read, {refused} refused");
}
