//! Readers of per-sample records over `fixtures/runs/samples_*`.

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use reportgen::collect::readers::{samples_csv, samples_json, samples_jsonl, samples_parquet};
use reportgen::collect::{Compression, FileEntry, Packing, ReadOptions, Reader};
use reportgen::diag::{Code, Diagnostic, Warned};
use reportgen::model::{Clustering, Fragment, Limits, SampleTable};

use crate::directory::Directory;

const READERS: [Reader; 4] =
    [samples_json::READER, samples_jsonl::READER, samples_csv::READER, samples_parquet::READER];

/// The entry of a file as discovery makes it.
fn entry(path: &Path) -> FileEntry {
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let raw = std::fs::File::open(path).expect("opens");
    let bytes = raw.metadata().expect("metadata").len();
    let gzip = path.extension().is_some_and(|extension| extension == "gz");
    let mut head = Vec::new();
    let content: Box<dyn std::io::Read> =
        if gzip { Box::new(flate2::read::GzDecoder::new(raw)) } else { Box::new(raw) };
    content.take(64 << 10).read_to_end(&mut head).expect("reads");
    if head.starts_with(b"\xEF\xBB\xBF") {
        head.drain(..3);
    }
    FileEntry {
        path: path.to_owned(),
        display: Arc::from(name.as_str()),
        relative: name.clone(),
        name: name.to_lowercase().trim_end_matches(".gz").to_owned(),
        bytes,
        head_is_whole: head.len() < 64 << 10,
        head,
        packing: Packing::Bytes(if gzip { Compression::Gzip } else { Compression::None }),
        noticed: Vec::new(),
        is_run: false,
        limits: Limits::default(),
    }
}

fn read(path: &Path) -> Warned<Fragment> {
    let file = entry(path);
    let reader = READERS.iter().find(|reader| (reader.recognises)(&file)).expect("is recognised");
    (reader.read)(&file, &ReadOptions::default()).expect("is read")
}

fn fixture(name: &str) -> Warned<Fragment> {
    read(&Path::new("fixtures/runs").join(name))
}

fn is_recognised(name: &str, content: &[u8]) -> bool {
    let directory = Directory::of([(name, content)]);
    let path = directory.path(name);
    let file = entry(&path);
    READERS.iter().any(|reader| (reader.recognises)(&file))
}

/// Everything a reader found, one line a fact.
fn shown(read: &Warned<Fragment>) -> String {
    let mut text = String::new();
    for table in &read.value.samples {
        let dataset = table.dataset.as_deref().unwrap_or("?");
        writeln!(text, "{dataset} [{}]", table.dims).expect("writes");
        for row in 0..table.len() {
            writeln!(text, "  {}", row_of(table, row)).expect("writes");
        }
    }
    for (key, entry) in read.value.config.iter() {
        writeln!(text, "{key} = {}", entry.value).expect("writes");
    }
    if read.value.torn {
        text += "torn\n";
    }
    for diagnostic in &read.diagnostics {
        writeln!(text, "{}", finding(diagnostic)).expect("writes");
    }
    text
}

fn row_of(table: &SampleTable, row: usize) -> String {
    let mut text = format!("{}: {} {:?}", table.lines()[row], table.id(row), table.statuses()[row]);
    for (metric, column) in table.columns() {
        let score = column.get(row).map_or("-".to_owned(), |score| score.to_string());
        write!(text, " {metric}={score}").expect("writes");
    }
    text
}

fn finding(diagnostic: &Diagnostic) -> String {
    let mut text = diagnostic.code.to_string();
    if let Some(location) = &diagnostic.location {
        write!(text, " {location}").expect("writes");
    }
    for (name, fact) in &diagnostic.evidence {
        write!(text, " {name}={fact}").expect("writes");
    }
    text
}

#[test]
fn outcomes_of_code_become_the_metrics_they_average_to() {
    insta::assert_snapshot!(shown(&fixture("samples_code/mbpp_qa.jsonl")));
}

#[test]
fn byte_order_mark_carriage_returns_and_blank_lines_are_no_content() {
    insta::assert_snapshot!(shown(&fixture("samples_bom_crlf/answers.jsonl")));
}

#[test]
fn what_is_not_finite_or_no_number_is_told_and_never_a_score() {
    insta::assert_snapshot!(shown(&fixture("samples_nan/scores.jsonl")));
}

#[test]
fn a_torn_tail_is_told_and_the_rest_kept() {
    insta::assert_snapshot!(shown(&fixture("samples_torn/out.jsonl")));
}

#[test]
fn duplicate_ids_are_left_to_the_grouping() {
    insta::assert_snapshot!(shown(&fixture("samples_duplicates/out.jsonl")));
}

#[test]
fn gzip_changes_nothing() {
    let plain = fixture("samples_duplicates/out.jsonl");
    let packed = fixture("samples_gzip/out.jsonl.gz");
    assert_eq!(shown(&packed), shown(&plain));
}

#[test]
fn bytes_that_are_not_utf8_are_replaced_and_told() {
    insta::assert_snapshot!(shown(&fixture("samples_invalid_utf8/out.jsonl")));
}

#[test]
fn lm_eval_samples_split_by_filter_and_count_only_listed_metrics() {
    let read = fixture("samples_lm_eval/samples_arith_2026-01-02T03-04-05.678901.jsonl");
    insta::assert_snapshot!(shown(&read));
}

#[test]
fn a_table_of_text_keeps_ids_as_written_and_lines_true_behind_quoted_line_ends() {
    insta::assert_snapshot!(shown(&fixture("samples_csv/results.csv")));
}

#[test]
fn records_that_are_none_are_told_with_their_place_and_counted() {
    insta::assert_snapshot!(shown(&fixture("samples_hostile/out.jsonl")));
}

#[test]
fn what_is_no_set_of_samples_is_left_to_other_readers() {
    for (name, content) in [
        ("log.jsonl", "{\"step\": 1, \"loss\": 2.5}\n{\"step\": 2, \"loss\": 2.25}\n"),
        ("log.jsonl", "{\"index\": 1, \"step\": 1, \"loss\": 2.5}\n"),
        ("data.jsonl", "{\"id\": 1, \"text\": \"no score\"}\n"),
        ("results.json", "{\"id\": 1, \"acc\": 0.5}"),
        ("results.json", "{\n  \"id\": 1,\n  \"acc\": 0.5\n}\n"),
        ("metrics.csv", "step,epoch,loss\n1,0,2.5\n"),
        ("grid.csv", "dataset,shots,accuracy\nmmlu,5,0.5\n"),
        ("notes.txt", "{\"id\": 1, \"acc\": 1}\n"),
        ("empty.jsonl", ""),
    ] {
        assert!(!is_recognised(name, content.as_bytes()), "{name}: {content}");
    }
    assert!(is_recognised("out.json", b"{\"id\": 1, \"acc\": 1}\n{\"id\": 2, \"acc\": 1}\n"));
}

/// A file of that name and content, read.
fn written(name: &str, content: &str) -> Warned<Fragment> {
    let directory = Directory::of([(name, content)]);
    let path = directory.path(name);
    read(&path)
}

#[test]
fn a_list_of_records_is_read_like_lines_of_them() {
    let records =
        [r#"{"id": "a", "acc": 1, "repo": "x"}"#, r#"{"id": "b", "prompt": "p\n", "acc": 0.5}"#];
    let lines = written("out.jsonl", &records.join("\n"));
    for list in
        [format!("[{}]", records.join(",\n")), format!("[{},\n{}]\n", records[0], records[1])]
    {
        let read = written("out.json", &list);
        assert_eq!(shown(&read), shown(&lines));
        let [read, lines] = [&read, &lines].map(|own| &own.value.samples[0]);
        let hashes =
            |table: &SampleTable| (0..table.len()).map(|row| table.hashes(row)).collect::<Vec<_>>();
        assert_eq!(hashes(read), hashes(lines));
    }
}

#[test]
fn a_list_that_stops_or_breaks_keeps_what_came_before_with_its_line() {
    let start = "[\n  {\"id\": 1, \"acc\": 1},\n  {\"id\": 2,\n   \"acc\": 0},\n";
    for (end, code, line) in [
        ("  {\"id\": 3, \"ac", "R103", 5),
        ("  3]\n", "R102", 5),
        ("  {\"id\": 3 \"acc\": 1}]\n", "R102", 5),
        ("", "R103", 5),
    ] {
        let read = written("out.json", &format!("{start}{end}"));
        assert_eq!(read.value.samples[0].lines(), [2, 3], "{end}");
        let found = read.diagnostics.first().expect("a finding");
        let place = found.location.as_ref().and_then(|location| location.line);
        assert_eq!((found.code.id(), place), (code, Some(line)), "{end}");
    }
}

#[test]
fn a_list_too_large_to_be_read_as_a_whole_is_refused() {
    let directory = Directory::of([("out.json", "[{\"id\": 1, \"acc\": 1},")]);
    let path = directory.path("out.json");
    let large = std::fs::File::options().write(true).open(&path).expect("opens");
    large.set_len((200 << 20) + 1).expect("grows");
    let refused =
        (samples_json::READER.read)(&entry(&path), &ReadOptions::default()).expect_err("too large");
    assert_eq!(refused.code.id(), "R117");
}

#[test]
fn a_key_twice_in_a_record_is_told_and_the_last_one_counts() {
    let lines = "{\"id\": 1, \"acc\": 0}\n{\"id\": 2, \"id\": 3, \"acc\": 1, \"acc\": 0.5, \"note\": 1, \"note\": 2}\n";
    let read = written("out.jsonl", lines);
    let table = &read.value.samples[0];
    assert_eq!(
        (table.id(1), table.column("accuracy").and_then(|acc| acc.get(1))),
        ("3", Some(0.5))
    );
    let told: Vec<String> = read.diagnostics.iter().map(finding).collect();
    assert_eq!(
        told,
        [
            "R112 out.jsonl:2 key=id count=1",
            "R112 out.jsonl:2 key=acc count=1",
            "R112 out.jsonl:2 key=note count=1",
            "R153 out.jsonl:2 count=1 metric=accuracy kept=acc kept_score=0.5 dropped=acc dropped_score=1",
            "R153 out.jsonl:2 count=1 metric=note kept=note kept_score=2 dropped=note dropped_score=1",
        ]
    );
}

#[test]
fn two_names_of_a_metric_that_disagree_are_told_and_the_canonical_one_counts() {
    for record in [r#"{"id": 1, "acc": 0, "accuracy": 1}"#, r#"{"id": 1, "accuracy": 1, "acc": 0}"#]
    {
        let read = written("out.jsonl", record);
        let column = read.value.samples[0].column("accuracy").expect("column");
        assert_eq!(column.get(0), Some(1.0), "{record}");
        let told: Vec<String> = read.diagnostics.iter().map(finding).collect();
        let expected = "R153 out.jsonl:1 count=1 metric=accuracy kept=accuracy kept_score=1 dropped=acc dropped_score=0";
        assert_eq!(told, [expected], "{record}");
    }
}

#[test]
fn equal_content_has_equal_hashes_in_every_format() {
    let hashes =
        |name: &str, content: &str| written(name, content).value.samples.remove(0).hashes(0);
    let jsonl =
        hashes("a.jsonl", "{\"id\": 1, \"prompt\": \"a\\n\\u00e9\", \"answer\": 5, \"acc\": 1}");
    let csv = hashes("a.csv", "id,prompt,answer,acc\n1,\"a\né\",5,1\n");
    assert_eq!(jsonl, csv);
    assert!(jsonl.prompt.is_some());
}

mod parquet {
    use ::parquet::file::properties::WriterProperties;

    use super::*;
    use crate::parquet_file::{self, Written, plainly_written};

    fn written(rows: usize, row_group: usize) -> Vec<u8> {
        let score = |row: usize| if row == 1 { f64::NAN } else { row as f64 / 4.0 };
        let columns = [
            ("task_id", Written::whole((0..).take(rows))),
            ("prompt", Written::texts((0..rows).map(|row| format!("question {row}")))),
            ("score", Written::Real((0..rows).map(|row| Some(score(row))).collect())),
            (
                "passed",
                Written::Flag((0..rows).map(|row| (row != 2).then_some(row % 2 == 0)).collect()),
            ),
        ];
        parquet_file::written(&columns, row_group, WriterProperties::new())
    }

    fn read_bytes(bytes: &[u8]) -> Option<Result<Warned<Fragment>, Box<Diagnostic>>> {
        let directory = Directory::of([("samples.parquet", bytes)]);
        let file = entry(&directory.path("samples.parquet"));
        (samples_parquet::READER.recognises)(&file)
            .then(|| (samples_parquet::READER.read)(&file, &ReadOptions::default()))
    }

    #[test]
    fn columns_mean_what_fields_mean() {
        let read = read_bytes(&written(4, 3)).expect("is recognised").expect("is read");
        insta::assert_snapshot!(shown(&read));
    }

    #[test]
    fn texts_that_rows_share_are_read_as_far_as_the_limit_of_documents_goes() {
        let text = "a long question ".repeat(10_000);
        let rows = 5_000;
        let bytes = plainly_written(&[
            ("id", Written::whole((0..).take(rows))),
            ("prompt", Written::texts(vec![text.as_str(); rows])),
            ("passed", Written::Flag(vec![Some(true); rows])),
        ]);
        assert!(bytes.len() < 2 * text.len(), "{} bytes are no dictionary", bytes.len());
        let directory = Directory::of([("samples.parquet", bytes)]);
        let file = FileEntry {
            limits: Limits { document_mib: 1, ..Limits::default() },
            ..entry(&directory.path("samples.parquet"))
        };
        let read = (samples_parquet::READER.read)(&file, &ReadOptions::default()).expect("read");
        let told: Vec<Code> = read.diagnostics.iter().map(|finding| finding.code).collect();
        assert!(told.contains(&Code::LimitReached), "{told:?}");
        // A text counts once for each thing that its column means.
        let most = (256 << 20) / text.len() + 1;
        let read = read.value.samples[0].len();
        assert!((most / 4..=most).contains(&read), "{read} of {rows} rows");
    }

    #[test]
    fn a_number_is_the_cluster_in_parquet_that_it_is_in_lines() {
        let clusters = |name: &str, content: &[u8]| {
            let directory = Directory::of([(name, content)]);
            let path = directory.path(name);
            let choices =
                ReadOptions { clustering: Clustering::from_name("page"), ..ReadOptions::default() };
            let read = if name.ends_with("parquet") {
                (samples_parquet::READER.read)(&entry(&path), &choices)
            } else {
                (samples_jsonl::READER.read)(&entry(&path), &choices)
            };
            let table = read.expect("is read").value.samples.remove(0);
            assert!(table.column("page").is_none());
            table.clusters().to_vec()
        };
        let bytes = plainly_written(&[
            ("id", Written::whole([1, 2, 3])),
            ("page", Written::whole([4, 4, 7])),
            ("acc", Written::Real([1.0, 0.0, 1.0].map(Some).to_vec())),
        ]);
        let lines = [(1, 4, 1), (2, 4, 0), (3, 7, 1)]
            .map(|(id, page, acc)| format!("{{\"id\": {id}, \"page\": {page}, \"acc\": {acc}}}\n"));
        let found = clusters("out.parquet", &bytes);
        assert_eq!(found, clusters("out.jsonl", lines.concat().as_bytes()));
        let [(name, rows)] = &found[..] else { panic!("one field: {found:?}") };
        assert_eq!((name.as_str(), rows[0] == rows[1], rows[1] == rows[2]), ("page", true, false));
    }

    #[test]
    fn ids_may_be_uuids() {
        let bits = |row: u128| Some((row << 64 | 0x00ab_cdef).to_be_bytes());
        let bytes = plainly_written(&[
            ("id", Written::Uuids((1..4).map(bits).collect())),
            ("acc", Written::Real([1.0, 0.0, 1.0].map(Some).to_vec())),
        ]);
        let read = read_bytes(&bytes).expect("is recognised").expect("is read");
        let table = &read.value.samples[0];
        assert_eq!(table.len(), 3);
        assert_eq!(table.id(2), "00000000-0000-0003-0000-000000abcdef");
    }

    #[test]
    fn rows_come_in_order_whatever_the_row_groups() {
        let rows = 40_000;
        let read = read_bytes(&written(rows, 7_000)).expect("is recognised").expect("is read");
        let table = &read.value.samples[0];
        assert_eq!(table.len(), rows);
        assert!((0..rows).all(|row| table.id(row) == row.to_string()));
        assert!((0..rows).all(|row| table.lines()[row] as usize == row + 1));
    }

    #[test]
    fn of_damage_in_two_columns_the_same_is_told_each_time() {
        let bytes = std::fs::read("fixtures/runs/samples_damaged_twice/samples.parquet");
        let bytes = bytes.expect("a fixture");
        let told = || format!("{:?}", read_bytes(&bytes).map(Result::err));
        let first = told();
        assert!(first.contains("Unreadable"), "{first}");
        for _ in 0..100 {
            assert_eq!(told(), first);
        }
    }

    #[test]
    fn cut_files_are_refused_and_damaged_ones_never_end_the_program() {
        let sound = written(50, 50);
        for cut in (4..sound.len()).step_by(37) {
            assert!(matches!(read_bytes(&sound[..cut]), Some(Err(_))), "cut at {cut}");
        }
        let (mut refused, mut read) = (0, 0);
        for at in (4..sound.len()).step_by(11) {
            let mut damaged = sound.clone();
            damaged[at] ^= 0x55;
            // Pages carry no checksum, so that a changed figure cannot always be told.
            match read_bytes(&damaged) {
                Some(Ok(_)) => read += 1,
                Some(Err(_)) | None => refused += 1,
            }
        }
        assert!(refused > 10 && read > 10, "{refused} refused, {read} read");
    }
}
