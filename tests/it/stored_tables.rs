//! Tables of databases that no tracker wrote: read as the same table in a file of its own, whole or not at
//! all, and without anything in the database being run.

use std::fs;
use std::path::Path;

use reportgen::collect::{ReadOptions, collect};
use reportgen::diag::{Code, Diagnostic};
use reportgen::model::{Access, FileUse, Limits, Run, SampleTable};
use rusqlite::Connection;

use crate::command::{compared, reportgen};
use crate::directory::Directory;

const SAMPLES: &str = "
    CREATE TABLE answers (id INTEGER, question TEXT, correct REAL, asked TEXT, note BLOB);
    INSERT INTO answers VALUES
        (9007199254740993, 'Was heißt „x“, y?', 1, '2026-11-01 09:30:00', NULL),
        (9007199254740995, 'two
lines', 0.0, '2026-11-02', 'text'),
        (3, '中文, \"quoted\"', 0.1, NULL, ''),
        (4, NULL, 1e-7, '', NULL);";
/// The same rows, by hand.
const AS_CSV: &str = "id,question,correct,asked,note
9007199254740993,\"Was heißt „x“, y?\",1,2026-11-01 09:30:00,
9007199254740995,\"two
lines\",0,2026-11-02,text
3,\"中文, \"\"quoted\"\"\",0.1,,
4,,1e-7,,
";
const FIGURES: &str = "
    CREATE TABLE figures (task TEXT, metric TEXT, value REAL, n INTEGER);
    INSERT INTO figures VALUES ('gsm8k', 'accuracy', 0.625, 1319), ('math', 'accuracy', 0.25, 500);";
const CURVES: &str = "
    CREATE TABLE curves (step INTEGER PRIMARY KEY, loss REAL, eval_accuracy REAL) WITHOUT ROWID;
    INSERT INTO curves VALUES (20, 0.5, NULL), (10, 9e999, 0.25), (30, 0.125, 0.75);";

fn database(name: &str, statements: &str) -> Directory {
    let directory = Directory::new();
    let connection = Connection::open(directory.path(name)).expect("it opens");
    connection.execute_batch(statements).expect("it is made");
    directory
}

fn read_within(place: &Path, limits: Limits) -> (Run, Vec<Diagnostic>) {
    let access = Access { limits, ..Access::default() };
    let options = ReadOptions { access, ..ReadOptions::default() };
    let mut found = collect(&[place.to_owned()], &options).expect("it is there");
    (found.value.remove(0), found.diagnostics)
}

fn read(place: &Path) -> (Run, Vec<Diagnostic>) {
    read_within(place, Limits::default())
}

/// What a run holds, without where it was read.
fn content(run: &Run) -> String {
    let content = &run.content;
    let figures = content.scalars.iter();
    let figures: Vec<_> = figures
        .map(|one| (&one.metric, &one.dataset, one.dims.to_string(), one.value, one.n))
        .collect();
    let series = content.series.iter().map(|one| {
        let points = one.points.iter().map(|point| (point.at, point.value.to_string(), point.line));
        (&one.metric, &one.axis, points.collect::<Vec<_>>())
    });
    let samples = content
        .samples
        .iter()
        .map(|table| (table.dims.to_string(), table.len(), format!("{:?}", table.columns())));
    let ids = content
        .samples
        .iter()
        .map(|table| (0..table.len()).map(|row| table.id(row).to_owned()).collect::<Vec<_>>());
    format!(
        "{figures:#?}\n{:#?}\n{:#?}\n{:#?}",
        series.collect::<Vec<_>>(),
        samples.collect::<Vec<_>>(),
        ids.collect::<Vec<_>>()
    )
}

fn told(findings: &[Diagnostic], code: Code) -> Vec<&Diagnostic> {
    findings.iter().filter(|finding| finding.code == code).collect()
}

#[test]
fn a_table_of_a_database_is_what_the_same_table_in_a_file_is() {
    let figures = "task,metric,value,n\ngsm8k,accuracy,0.625,1319\nmath,accuracy,0.25,500\n";
    let curves = "step,loss,eval_accuracy\n10,inf,0.25\n20,0.5,\n30,0.125,0.75\n";
    for (statements, csv, reader) in [
        (SAMPLES, AS_CSV, "samples-csv"),
        (FIGURES, figures, "grid-csv"),
        (CURVES, curves, "series-csv"),
    ] {
        let stored = database("run.sqlite", statements);
        let file = Directory::of([("run.csv", csv)]);
        let (stored, findings) = read(&stored.path("run.sqlite"));
        let (file, _) = read(&file.path("run.csv"));
        assert_eq!(stored.files[0].used, FileUse::Read { reader }, "{findings:?}");
        assert_eq!(content(&stored), content(&file));
        assert!(content(&stored).len() > 200, "{}", content(&stored));
        // A cell of two lines takes two lines of a file, and is one row.
        let lines = |run: &Run| run.content.samples.first().map(|table| table.lines().to_vec());
        let [rows, lines] = [&stored, &file].map(lines);
        assert_eq!(
            (rows, lines),
            match reader {
                "samples-csv" => (Some(vec![2, 3, 4, 5]), Some(vec![2, 3, 5, 6])),
                _ => (None, None),
            }
        );
    }
}

#[test]
fn views_and_computed_columns_are_read_as_far_as_they_need_no_room_of_their_own() {
    let joined = "
        CREATE TABLE questions (number INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE given (asked INTEGER, is_right INTEGER);
        INSERT INTO questions VALUES (1, 'a'), (2, 'b'), (3, 'c');
        INSERT INTO given VALUES (1, 1), (2, 0), (3, 1);
        CREATE VIEW samples AS SELECT name AS id, coalesce(is_right, 0) AS correct
            FROM given JOIN questions ON asked = number";
    let computed = "
        CREATE TABLE samples (id TEXT, points REAL, correct REAL AS (round(points / 10, 1)));
        INSERT INTO samples VALUES ('a', 10), ('b', 0), ('c', 10)";
    let expected = read(&Directory::of([("r.csv", "id,correct\na,1\nb,0\nc,1\n")]).path("r.csv")).0;
    for statements in [joined, computed] {
        let place = database("r.db", statements);
        let (run, findings) = read(&place.path("r.db"));
        let [table] = &run.content.samples[..] else { panic!("{findings:?}") };
        let scores = |run: &Run| format!("{:?}", run.content.samples[0].columns().last());
        assert_eq!((table.len(), scores(&run)), (3, scores(&expected)));
    }
    for kept in [
        format!("{joined} ORDER BY is_right"),
        joined.replace("coalesce(is_right, 0)", "zeroblob(is_right * 100000000)"),
        joined.replace("is_right, 0) AS correct", "is_right, 0) AS correct, random() AS score"),
        format!("{joined} WHERE number IN (SELECT max(number) FROM questions)"),
    ] {
        let place = database("r.db", &kept);
        let (run, findings) = read(&place.path("r.db"));
        assert!(run.content.samples.is_empty(), "{kept}: {findings:?}");
        assert_eq!(told(&findings, Code::Unrecognised).len(), 1, "{kept}: {findings:?}");
    }
}

#[test]
fn of_several_tables_of_results_none_is_read_and_their_names_are_told() {
    let place = database("r.db", &format!("{SAMPLES}{FIGURES}CREATE TABLE other (x);"));
    let (run, findings) = read(&place.path("r.db"));
    assert_eq!(run.files[0].used, FileUse::UNRECOGNISED);
    let [finding] = told(&findings, Code::Unrecognised)[..] else { panic!("{findings:?}") };
    assert_eq!(finding.evidence["names"].to_string(), "answers, figures");
    assert_eq!(finding.evidence["unread"].to_string(), "several-tables");
    let shown = reportgen(["inspect", &place.word("r.db")]);
    assert!(shown.err.contains("answers, figures"), "{}", shown.err);
}

#[test]
fn tables_beside_the_one_that_is_read_and_cells_of_bytes_are_told() {
    let others = "CREATE TABLE prompts (name, text); INSERT INTO prompts VALUES ('a', 'b');
        CREATE TABLE none (id, correct);
        UPDATE answers SET correct = x'0100000000000000' WHERE id < 5;";
    let place = database("r.db", &format!("{SAMPLES}{others}"));
    let (run, findings) = read(&place.path("r.db"));
    assert_eq!(run.files[0].used, FileUse::Read { reader: "samples-csv" }, "{findings:?}");
    let [others] = told(&findings, Code::OtherSheets)[..] else { panic!("{findings:?}") };
    assert_eq!(others.evidence["names"].to_string(), "prompts");
    let [bytes] = told(&findings, Code::CellsOfBytes)[..] else { panic!("{findings:?}") };
    assert_eq!(bytes.evidence["count"].to_string(), "2");
    assert_eq!(bytes.evidence["column"].to_string(), "correct");
    assert_eq!(bytes.location.as_ref().and_then(|at| at.line), Some(4));
}

#[test]
fn rows_in_a_log_of_changes_count_and_nothing_is_written_beside_a_database() {
    let place = database("r.db", SAMPLES);
    let open = Connection::open(place.path("r.db")).expect("it opens");
    open.execute_batch(
        "PRAGMA journal_mode = WAL; INSERT INTO answers VALUES (5, 'new', 1, '', '');",
    )
    .expect("written to the log of changes");
    let copied = Directory::new();
    for name in ["r.db", "r.db-wal"] {
        copied.write(name, fs::read(place.path(name)).expect("read"));
    }
    let (run, findings) = read(&copied.path("r.db"));
    assert_eq!(run.content.samples[0].len(), 5, "{findings:?}");
    assert_eq!(fs::read_dir(copied.root()).expect("listed").count(), 2);
    open.execute_batch("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE;").expect("locked");
    let (run, findings) = read(&place.path("r.db"));
    assert_eq!(run.content.samples[0].len(), 5, "{findings:?}");
}

#[test]
fn rows_past_the_limit_are_told_and_a_view_that_takes_too_long_is_not_read() {
    let place = database("r.db", SAMPLES);
    let few = Limits { records: 3, ..Limits::default() };
    let (_, findings) = read_within(&place.path("r.db"), few);
    assert_eq!(told(&findings, Code::LimitReached).len(), 1, "{findings:?}");
    let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        INSERT INTO many SELECT i FROM n;
        CREATE VIEW samples AS SELECT a.id, 1 AS correct FROM many a, many b, many c, many d
            WHERE a.id + b.id + c.id + d.id < 5;";
    let place = database("r.db", &format!("CREATE TABLE many (id INTEGER); {rows}"));
    // Without a bound it would take days.
    let few = Limits { records: 100_000, ..Limits::default() };
    let (run, findings) = read_within(&place.path("r.db"), few);
    assert!(run.content.samples.iter().all(|table| table.len() <= 1), "{findings:?}");
    assert!(!findings.is_empty());
}

#[test]
fn samples_of_a_database_are_compared_and_shown_again() {
    let place = database("a.db", SAMPLES);
    fs::copy(place.path("a.db"), place.path("b.db")).expect("copied");
    let changed = Connection::open(place.path("b.db")).expect("it opens");
    changed
        .execute_batch("UPDATE answers SET correct = 0 WHERE id = 9007199254740993")
        .expect("changed");
    let runs = [place.word("a.db"), place.word("b.db")];
    let report = compared(&runs, &[]);
    let pairing = &report["comparisons"][0]["pairing"];
    assert_eq!(
        (&pairing["paired"], &pairing["baseline_value"]),
        (&4.into(), &0.275_000_025.into())
    );
    let shown = reportgen(["samples", &runs[0], &runs[1]]);
    assert!(shown.out.contains("Was heißt"), "{}{}", shown.out, shown.err);
}

#[test]
fn a_compressed_database_is_read_and_one_that_is_cut_or_changed_ends_without_harm() {
    let place = database("r.db", SAMPLES);
    let whole = fs::read(place.path("r.db")).expect("read");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, &whole).expect("packed");
    place.write("packed.db.gz", packed.finish().expect("packed"));
    assert_eq!(read(&place.path("packed.db.gz")).0.content.samples[0].len(), 4);
    let (mut read_whole, mut refused) = (0, 0);
    for at in (0..whole.len()).step_by(37) {
        let mut changed = whole.clone();
        changed[at] ^= 0x55;
        let cut = &whole[..at];
        for bytes in [&changed[..], cut] {
            place.write("changed.db", bytes);
            let (run, findings) = read(&place.path("changed.db"));
            let rows = run.content.samples.first().map_or(0, SampleTable::len);
            assert!(rows == 4 || !findings.is_empty(), "byte {at}: {rows} rows and no word");
            read_whole += usize::from(rows == 4);
            refused += usize::from(rows == 0);
        }
    }
    assert!(read_whole > 50 && refused > 50, "{read_whole} read, {refused} refused");
}
