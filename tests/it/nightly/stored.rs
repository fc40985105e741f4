//! Runs of a tracker's database as nights: each is a run of its own, whatever comes beside it.

use std::fs::File;
use std::io::Read as _;

use flate2::read::GzDecoder;
use rusqlite::Connection;

use super::Results;

const JOB: &str =
    "[job.main]\nruns = \"mlflow.db::nightly-*\"\nmetric = \"accuracy\"\ndue = \"06:00\"\n";

/// A database of the tracker with runs of nights, and one of another name.
fn database(results: &Results) -> Connection {
    let mut bytes = Vec::new();
    let packed = File::open("fixtures/stores/mlflow/sqlite/mlflow.db.gz").expect("a fixture");
    GzDecoder::new(packed).read_to_end(&mut bytes).expect("a database");
    results.0.write("mlflow.db", bytes);
    let database = Connection::open(results.0.path("mlflow.db")).expect("it opens");
    let statements = "
        UPDATE runs SET lifecycle_stage = 'active', status = 'FINISHED', experiment_id = 1;
        DELETE FROM inputs; DELETE FROM metrics; DELETE FROM latest_metrics;
        UPDATE params SET value = 'x';
        UPDATE runs SET name = 'other';";
    database.execute_batch(statements).expect("it is changed");
    for night in 1..=3 {
        file(&database, night, 0.5 + f64::from(night) / 16.0);
    }
    database
}

/// Makes one of the other runs that of a night.
fn file(database: &Connection, night: u32, accuracy: f64) {
    let name = format!("nightly-2026-03-0{night}");
    database
        .execute_batch(&format!(
            "UPDATE runs SET name = '{name}' WHERE rowid =
                 (SELECT min(rowid) FROM runs WHERE name = 'other');
             INSERT INTO metrics (key, value, timestamp, run_uuid, step, is_nan)
                 SELECT 'accuracy', {accuracy}, 1000, run_uuid, 10, 0 FROM runs
                 WHERE name = '{name}';"
        ))
        .expect("a run");
}

#[test]
fn runs_of_a_database_are_filed_night_by_night_and_those_before_stay_as_they_are() {
    let results = Results::new(JOB);
    let database = database(&results);
    let at = "2027-01-01T09:00:00Z";
    let quiet = ["--quiet-period", "0s"];
    let ended = results.nightly(at, &quiet);
    assert!(!ended.err.contains("cannot be read"), "{}{}", ended.out, ended.err);
    let values = || -> Vec<(String, f64, u64)> {
        let row = |row: serde_json::Value| {
            let run = row["run"].as_str().expect("a run").to_owned();
            let value = row["value"].as_f64().expect("a value");
            (run, value, row["revision"].as_u64().expect("a revision"))
        };
        let mut rows: Vec<_> =
            results.rows(&["--metric", "accuracy"]).into_iter().map(row).collect();
        rows.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
        rows
    };
    let expected = |nights: &[(u32, f64, u64)]| -> Vec<(String, f64, u64)> {
        let row = |(night, value, revision): &(u32, f64, u64)| {
            (format!("mlflow.db::run=nightly-2026-03-0{night}"), *value, *revision)
        };
        nights.iter().map(row).collect()
    };
    assert_eq!(values(), expected(&[(1, 0.5625, 1), (2, 0.625, 1), (3, 0.6875, 1)]));
    // A night later a run has come, and the database is another file.
    file(&database, 4, 0.75);
    results.nightly(at, &quiet);
    let all = [(1, 0.5625, 1), (2, 0.625, 1), (3, 0.6875, 1), (4, 0.75, 1)];
    assert_eq!(values(), expected(&all));
    // And one is written again.
    database
        .execute_batch(
            "UPDATE metrics SET value = 0.25 WHERE run_uuid =
                 (SELECT run_uuid FROM runs WHERE name = 'nightly-2026-03-02')",
        )
        .expect("changed");
    results.nightly(at, &quiet);
    let changed: Vec<_> = values().into_iter().filter(|(run, ..)| run.ends_with("-02")).collect();
    assert!(changed.contains(&expected(&[(2, 0.25, 2)])[0]), "{changed:?}");
    let job = results.job();
    let filed = job["filed"].as_array().expect("runs").iter();
    let revisions: Vec<u64> = filed.filter_map(|run| run["revision"].as_u64()).collect();
    assert_eq!(revisions, [1, 2, 1, 1], "{job}");
}
