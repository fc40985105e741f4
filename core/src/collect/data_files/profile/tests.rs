//! Every format says the same about the same records.

use std::io::Write as _;

use super::*;
use crate::collect::parquet::written::{Written, plainly_written};
use crate::model::{ColumnProfile, ColumnSummary};

fn of(name: &str, bytes: &[u8], limits: ProfileLimits) -> DataContent {
    let directory = tempfile::tempdir().expect("a directory");
    let place = directory.path().join(name);
    std::fs::write(&place, bytes).expect("written");
    profile_data_file("shown".to_owned(), &[place], limits).expect("readable")
}

fn check(name: &str, bytes: &[u8]) -> DataContent {
    let content = of(name, bytes, ProfileLimits::default());
    assert_rows_and_columns(&content);
    content
}

fn column(name: &str, n: u64, summary: ColumnSummary) -> ColumnProfile {
    ColumnProfile { name: name.to_owned(), n, summary, values: Vec::new() }
}

fn assert_rows_and_columns(content: &DataContent) {
    assert_eq!((content.rows, content.rows_read, content.partial), (Some(2), 2, false));
    // Of 0.5 and 0: mean 0.25, sd √(2 · 0.25²).
    let sd = Some(0.125_f64.sqrt());
    assert_eq!(
        content.columns,
        [
            column("reward", 2, ColumnSummary::Number { mean: 0.25, sd, min: 0.0, max: 0.5 }),
            column("positive", 2, ColumnSummary::Flag { yes: 1 }),
            column("query", 2, ColumnSummary::Text { mean_chars: 3.5, max_chars: 4 }),
        ],
    );
}

const RECORDS: [&str; 2] = [
    r#"{"reward": 0.5, "positive": true, "query": "q, 1"}"#,
    r#"{"reward": 0, "positive": false, "query": "q，2"}"#,
];

#[test]
fn json_json_lines_csv_gzip_and_parquet_are_profiled_alike() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(RECORDS.join("\n").as_bytes()).expect("compressed");
    let parquet = plainly_written(&[
        ("reward", Written::Real(vec![Some(0.5), Some(0.0)])),
        ("positive", Written::Flag(vec![Some(true), Some(false)])),
        ("query", Written::texts(["q, 1", "q，2"])),
    ]);
    let wrapped = format!("{{\"v\": 1, \"data\": [{}]}}", RECORDS.join(","));
    let read = [
        check("a.json", format!("\u{feff}[{}]", RECORDS.join(",\n")).as_bytes()),
        check("wrapped.json", wrapped.as_bytes()),
        check("lines.json", RECORDS.join("\n").as_bytes()),
        check("a.jsonl", RECORDS.join("\r\n").as_bytes()),
        check("a.jsonl.gz", &gzip.finish().expect("compressed")),
        check("a.csv", "reward,positive,query\n0.5,True,\"q, 1\"\n0,False,q，2\n".as_bytes()),
        check("a.tsv", "reward\tpositive\tquery\n0.5\ttrue\tq, 1\n0\tfalse\tq，2\n".as_bytes()),
        check("a.parquet", &parquet),
    ];
    let hashes = |one: &DataContent| one.keys.rows.iter().map(|row| row.row).collect::<Vec<_>>();
    for one in &read {
        assert_eq!(hashes(one), hashes(&read[0]), "{:?}", one.keys.parts);
    }
    let lines = |one: &DataContent| one.keys.rows.iter().map(|row| row.line).collect::<Vec<_>>();
    assert_eq!([&read[0], &read[3], &read[5]].map(lines), [vec![1, 2], vec![1, 2], vec![2, 3]]);
}

#[test]
fn a_document_that_is_no_table_has_a_hash_and_no_rows() {
    let content = of("a.json", b"{\"a\": 1}", ProfileLimits::default());
    assert_eq!((content.rows, content.bytes, content.columns.len()), (None, 8, 0));
}

#[test]
fn lines_that_are_no_records_are_counted_and_the_first_is_named() {
    let content =
        of("a.jsonl", b"{\"a\": 1}\n\n{\"a\": \n[1]\n{\"a\": 2}\n", ProfileLimits::default());
    assert_eq!((content.rows, content.malformed), (Some(2), Some((2, 3))));
}

#[test]
fn reading_stops_at_a_limit_and_says_so_while_every_byte_is_hashed() {
    let text = "{\"a\": 1}\n".repeat(10);
    let whole = of("a.jsonl", text.as_bytes(), ProfileLimits::default());
    for limits in [ProfileLimits { rows: 4, bytes: 1000 }, ProfileLimits { rows: 1000, bytes: 40 }]
    {
        let part = of("a.jsonl", text.as_bytes(), limits);
        assert_eq!((part.rows, part.rows_read, part.partial), (None, 4, true), "{limits:?}");
        assert_eq!((part.sha256, part.bytes), (whole.sha256.clone(), 90));
    }
    let exact = of("a.jsonl", text.as_bytes(), ProfileLimits { rows: 10, bytes: 90 });
    assert_eq!((exact.rows, exact.partial), (Some(10), false));
}

#[test]
fn queries_with_a_positive_sample_are_counted_over_records_and_over_lists_of_samples() {
    let rows = "query_id,reward\n1,0\n1,2\n2,0\n2,0\n";
    let lists = "{\"query_id\": 1, \"samples\": [{\"reward\": 0}, {\"reward\": 2}]}\n\
                 {\"query_id\": 2, \"samples\": [{\"reward\": 0}, {\"reward\": 0}]}\n";
    for (name, text) in [("a.csv", rows), ("a.jsonl", lists)] {
        let content = of(name, text.as_bytes(), ProfileLimits::default());
        let queries = content.queries.expect("queries");
        assert_eq!((queries.n, queries.positive, &*queries.column), (2, 1, "query_id"), "{name}");
        let mean = content.columns.iter().find_map(|column| match column.summary {
            ColumnSummary::Number { mean, .. } if column.name.ends_with("reward") => Some(mean),
            _ => None,
        });
        assert_eq!(mean, Some(0.5), "{name}");
    }
    let one_each = of("a.csv", b"query_id,reward\n1,0\n2,2\n", ProfileLimits::default());
    assert_eq!(one_each.queries, None);
}

#[test]
fn repeated_records_and_ids_over_other_records_are_counted() {
    let text = "id,a\n1,x\n2,y\n1,x\n2,z\n3,w\n";
    let found = of("a.csv", text.as_bytes(), ProfileLimits::default()).duplicates;
    assert_eq!((found.rows, found.first, found.ids), (1, Some((0, 2)), 1));
}

#[test]
fn labels_are_counted_and_free_texts_are_not() {
    let row = |i: i32| format!("{},text {i},{}\n", i % 2, i % 3);
    let rows = (0..30).map(row).collect::<Vec<_>>().concat();
    let content =
        of("a.csv", format!("label,text,score\n{rows}").as_bytes(), ProfileLimits::default());
    let values: Vec<_> = content.columns.iter().map(|column| column.values.clone()).collect();
    assert_eq!(values[0], [("0".to_owned(), 15), ("1".to_owned(), 15)]);
    assert!(values[1].is_empty() && values[2].is_empty(), "{values:?}");
}
