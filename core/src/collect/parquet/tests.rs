//! Files of the writers of others, and damage in each place.

use std::path::PathBuf;

use parquet::basic::Encoding;
use parquet::file::properties::{
    EnabledStatistics, WriterProperties, WriterPropertiesBuilder, WriterVersion,
};
use serde_json::{Value as Json, json};

use super::written::{Written, written};
use super::*;

#[test]
fn damaged_ends_are_told_apart() {
    let directory = tempfile::tempdir().expect("directory");
    let path = directory.path().join("x.parquet");
    for (content, cause) in [
        (&b"PAR1"[..], "too short"),
        (b"PAR1....\x00\x00\x00\x00PAR", "stops in the middle"),
        (b"PAR1....\xff\x00\x00\x00PAR1", "larger than the file"),
        (b"XXXX....\x00\x00\x00\x00PAR1", "not a Parquet file"),
    ] {
        std::fs::write(&path, content).expect("writes");
        let found = Parquet::open(&path, 1 << 20).expect_err(cause);
        assert!(found.contains(cause), "{found}");
    }
}

/// Forty rows: whole numbers, texts with nulls, lists, bytes.
fn columns() -> [(&'static str, Written); 4] {
    let text =
        |at: usize| (!at.is_multiple_of(3)).then(|| format!("{}{at}", "a text".repeat(at % 4)));
    let bytes = |at: u8| (!at.is_multiple_of(5)).then_some([at; 4]);
    [
        ("id", Written::whole(0..40)),
        ("text", Written::Text((0..40).map(text).collect())),
        ("list", Written::Lists((0..40).map(|at| (0..at % 4).collect()).collect())),
        ("fixed", Written::Fixed((0..40).map(bytes).collect())),
    ]
}

/// The same rows in each way that values and pages are written.
fn ways() -> Vec<Vec<u8>> {
    let builder = || {
        let builder = WriterProperties::builder().set_data_page_row_count_limit(16);
        builder.set_write_batch_size(16).set_statistics_enabled(EnabledStatistics::None)
    };
    let of = |builder: WriterPropertiesBuilder| written(&columns(), 25, builder.build());
    let encoded = |whole, text, fixed| {
        let builder = builder().set_dictionary_enabled(false);
        let builder = builder.set_column_encoding("id".into(), whole);
        let builder = builder.set_column_encoding("text".into(), text);
        of(builder.set_column_encoding("fixed".into(), fixed))
    };
    vec![
        of(builder()),
        of(builder().set_writer_version(WriterVersion::PARQUET_2_0)),
        encoded(Encoding::PLAIN, Encoding::PLAIN, Encoding::PLAIN),
        encoded(
            Encoding::DELTA_BINARY_PACKED,
            Encoding::DELTA_BYTE_ARRAY,
            Encoding::DELTA_BYTE_ARRAY,
        ),
        encoded(
            Encoding::BYTE_STREAM_SPLIT,
            Encoding::DELTA_LENGTH_BYTE_ARRAY,
            Encoding::BYTE_STREAM_SPLIT,
        ),
    ]
}

/// The rows from the fourth on, as JSON.
fn read(path: &Path, bytes: &[u8]) -> Result<Vec<Json>, String> {
    std::fs::write(path, bytes).expect("writes");
    let parquet = Parquet::open(path, 1 << 20)?;
    let mut rows = parquet.rows(None)?;
    rows.skip(3)?;
    let mut read = Vec::new();
    while let Some(table) = rows.next(10)? {
        for row in 0..table.height() {
            let cells = table.columns().map(|cells| Ok(as_json(&cells.get(row)?)));
            read.push(cells.collect::<Result<_, String>>()?);
        }
    }
    Ok(read)
}

#[test]
fn uuids_look_as_rfc_9562_writes_them() {
    let directory = tempfile::tempdir().expect("directory");
    let bits = |row: u128| (row > 3).then(|| ((row << 64) | 0xab).to_be_bytes());
    let bytes =
        written(&[("id", Written::Uuids((0..6).map(bits).collect()))], 6, WriterProperties::new());
    let rows = read(&directory.path().join("x.parquet"), &bytes).expect("is read");
    let shown = |row: u8| json!([format!("00000000-0000-000{row}-0000-0000000000ab")]);
    let shown = [json!([null]), shown(4), shown(5)];
    assert_eq!(rows, shown);
}

#[test]
fn rows_are_the_same_however_they_are_written() {
    let directory = tempfile::tempdir().expect("directory");
    let path = directory.path().join("x.parquet");
    for (way, bytes) in ways().iter().enumerate() {
        let rows = read(&path, bytes).expect("sound");
        assert_eq!(rows.len(), 37, "{way}");
        assert_eq!(rows[0], json!([3, null, [0, 1, 2], "b\"\\x03\\x03\\x03\\x03\""]), "{way}");
        assert_eq!(rows[1], json!([4, "4", [], "b\"\\x04\\x04\\x04\\x04\""]), "{way}");
        assert_eq!(rows[27], json!([30, null, [0, 1], null]), "{way}");
        assert_eq!(rows[36], json!([39, null, [0, 1, 2], "b\"''''\""]), "{way}");
    }
}

/// Files of pyarrow 26.0.1 with the same three columns, one for each codec.
fn packed() -> Vec<(PathBuf, Vec<u8>)> {
    let files = std::fs::read_dir("../fixtures/parquet").expect("fixtures");
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), std::fs::read(path).expect("read"))).collect()
}

#[test]
fn every_codec_of_another_writer_is_unpacked() {
    let directory = tempfile::tempdir().expect("directory");
    let path = directory.path().join("x.parquet");
    let files = packed();
    assert_eq!(files.len(), 5);
    for (name, bytes) in &files {
        let rows = read(&path, bytes).expect("sound");
        assert_eq!(rows.len(), 37, "{}", name.display());
        assert_eq!(rows[1], json!([4, "text text text text 4", {"a": [1, 2], "b": null}]));
        assert_eq!(rows[2], json!([5, null, {"a": null, "b": 0.5}]));
    }
}

#[test]
#[ignore = "run by the one below, where memory is limited"]
fn no_damage_of_a_byte_ends_the_program() {
    let directory = tempfile::tempdir().expect("directory");
    let path = directory.path().join("x.parquet");
    let packed = packed().into_iter().map(|(_, bytes)| bytes);
    for bytes in ways().into_iter().chain(packed) {
        for at in 0..bytes.len() {
            for value in [bytes[at] ^ 1, bytes[at] ^ 0x40, 0xff] {
                let mut damaged = bytes.clone();
                damaged[at] = value;
                // Some bytes are not looked at.
                let _whatever = read(&path, &damaged);
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn no_damage_of_a_byte_asks_for_a_gigabyte_of_memory() {
    let own = std::env::current_exe().expect("a path");
    let test = "collect::parquet::tests::no_damage_of_a_byte_ends_the_program";
    let limited = "ulimit -v 1048576 && exec \"$0\" --ignored --exact \"$1\"";
    let mut command = std::process::Command::new("sh");
    // Decoders panic at some of the damage; where in them would take minutes to find out.
    command.args(["-c", limited]).arg(own).arg(test).env("RUST_BACKTRACE", "0");
    let ended = command.output().expect("started");
    let said = String::from_utf8_lossy(&ended.stdout);
    assert!(ended.status.success() && said.contains("1 passed"), "{said}");
}
