//! What inputs are made of: the project's own fixtures, cut to small files, and a few texts.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use flate2::read::GzDecoder;
use parquet::file::properties::WriterProperties;
use reportgen::collect::{FileEntry, Packing};
use reportgen::model::Limits;
use rusqlite::Connection;

use crate::directory::Directory;
use crate::parquet_file::{Written, plainly_written, written};

/// Files are cut to so many bytes, at the end of a line.
const MOST: usize = 4 << 10;
/// Of so many fixtures of one name in one size the others say nothing new.
const ALIKE: usize = 3;

/// What has no fixture as text: one document of samples, what launchers leave, a baseline file.
const FURTHER: [(&str, &str); 6] = [
    (
        "samples.json",
        "[{\"id\": 1, \"question\": \"a\", \"correct\": true, \"score\": 0.5},\n{\"id\": 2, \
     \"question\": \"b\", \"correct\": false, \"score\": null}]\n",
    ),
    (
        "outputs.json",
        "{\"model\": \"m\", \"samples\": [\n{\"id\": \"x\", \"prompt\": \"c\", \"rewards\": [0, 1, 0.5], \
     \"error\": \"timeout\"},\n{\"id\": \"y\", \"prompt\": [{\"role\": \"user\", \"content\": \"d\"}], \"acc\": 1}]}\n",
    ),
    ("status.json", "{\"status\": \"failed\", \"state\": \"done\", \"exit_code\": 137}\n"),
    ("run_status.json", "{\"exit_code\": \"0\", \"returncode\": 1.5, \"status\": null}\n"),
    ("exit_code.txt", "-9\n"),
    (
        "base.rgb",
        "{\"reportgen_baseline\":1,\"sha256\":\"bd896a7a58c6bec36949c2f1246c973bc137fafd\
     f19c02a9960d26cc7ff8627e\",\"program\":\"0.1.0\"}\n{\"hashes\":\"whole\",\"records\":true,\"runs\":[]}\n",
    ),
];

#[derive(Debug, Clone)]
pub(super) struct Seed {
    /// The last component of its path.
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

impl Seed {
    pub(super) fn of(name: &str, text: &str) -> Self {
        Self { name: name.to_owned(), bytes: text.as_bytes().to_vec() }
    }
}

/// Texts that need no file.
pub(super) fn texts(texts: &[&str]) -> Vec<Seed> {
    texts.iter().map(|text| Seed::of("text", text)).collect()
}

static FIXTURES: LazyLock<Vec<Seed>> = LazyLock::new(|| {
    let mut found = Vec::new();
    gather(Path::new("fixtures"), &mut found);
    found.extend(parquet_files());
    found.push(database());
    found.extend(FURTHER.map(|(name, text)| Seed::of(name, text)));
    found
});

/// Every fixture that is an input, in the order of paths.
pub(super) fn fixtures() -> &'static [Seed] {
    &FIXTURES
}

/// Those with such a name.
pub(super) fn named(is_wanted: impl Fn(&str) -> bool) -> Vec<Seed> {
    fixtures().iter().filter(|seed| is_wanted(&seed.name)).cloned().collect()
}

pub(super) fn extension(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

fn gather(directory: &Path, found: &mut Vec<Seed>) {
    let entries = fs::read_dir(directory).expect("fixtures are listed");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        // What commands write, vectors and programs are no inputs.
        let is_input = !matches!(&*name, "out" | "stdout" | "stderr" | "cmd" | "status")
            && extension(&name) != "py";
        if path.is_dir() && name != "reference" && is_input {
            gather(&path, found);
        } else if path.is_file() && is_input {
            let bytes = fs::read(&path).expect("a fixture is read");
            let is_whole = matches!(extension(&name), "safetensors" | "parquet");
            let bytes = if is_whole { bytes } else { cut(bytes) };
            let alike = found
                .iter()
                .filter(|seed| seed.name == name && seed.bytes.len().abs_diff(bytes.len()) < 64);
            if alike.count() < ALIKE {
                found.push(Seed { name, bytes });
            }
        }
    }
}

fn cut(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.len() > MOST {
        let end = bytes[..MOST].iter().rposition(|byte| *byte == b'\n');
        bytes.truncate(end.map_or(MOST, |end| end + 1));
    }
    bytes
}

/// As writers leave it, with dictionaries; and without them and with lists, whose pages can be changed one
/// by one.
pub(super) fn parquet_files() -> [Seed; 2] {
    let mut columns = vec![
        ("task_id", Written::whole([1, 2, 3, 4])),
        ("prompt", Written::texts(["a", "b", "c", "d"])),
        ("score", Written::Real([1.0, 0.5, f64::NAN, 0.0].map(Some).to_vec())),
        ("passed", Written::Flag(vec![Some(true), None, Some(false), Some(true)])),
    ];
    let seed = |name: &str, bytes| Seed { name: name.to_owned(), bytes };
    let samples = seed("samples.parquet", plainly_written(&columns));
    columns.push(("tokens", Written::Lists((0..4).map(|at| (0..at).collect()).collect())));
    columns.push(("digest", Written::Fixed(vec![Some(*b"abcd"), None, Some([0; 4]), None])));
    let properties = WriterProperties::builder().set_dictionary_enabled(false).build();
    [samples, seed("plain.parquet", written(&columns, 4, properties))]
}

/// The database of a tracker, with two of its runs and the tables that are read, in small pages.
fn database() -> Seed {
    const KEPT: [&str; 7] =
        ["experiments", "runs", "metrics", "params", "tags", "datasets", "inputs"];
    let packed = File::open("fixtures/stores/mlflow/sqlite/mlflow.db.gz").expect("a fixture");
    let directory = Directory::new();
    let place = directory.path("mlflow.db");
    let mut unpacked = File::create(&place).expect("a file");
    io::copy(&mut GzDecoder::new(packed), &mut unpacked).expect("unpacked");
    let database = Connection::open(&place).expect("a database");
    database.execute_batch("PRAGMA foreign_keys = OFF").expect("changed");
    let mut tables = database
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        .expect("a query");
    let tables: Vec<String> = tables
        .query_map([], |row| row.get(0))
        .and_then(Iterator::collect)
        .expect("names of tables");
    for table in tables.iter().filter(|table| !KEPT.contains(&table.as_str())) {
        database.execute_batch(&format!("DROP TABLE {table}")).expect("dropped");
    }
    let fewer = "DELETE FROM runs WHERE name NOT IN ('baseline', 'baseline seed 1');
         DELETE FROM params WHERE run_uuid NOT IN (SELECT run_uuid FROM runs);
         DELETE FROM metrics WHERE run_uuid NOT IN (SELECT run_uuid FROM runs) OR step > 2;
         DELETE FROM tags WHERE run_uuid NOT IN (SELECT run_uuid FROM runs);
         PRAGMA page_size = 512; VACUUM;";
    database.execute_batch(fewer).expect("made smaller");
    let bytes = fs::read(&place).expect("read");
    Seed { name: "mlflow.db".to_owned(), bytes }
}

/// A file of these bytes as discovery would describe it.
pub(super) fn entry(path: &Path, bytes: &[u8]) -> FileEntry {
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let plain = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    FileEntry {
        path: path.to_owned(),
        display: Arc::from(name.as_str()),
        relative: name.clone(),
        name: name.to_lowercase(),
        bytes: bytes.len() as u64,
        head_is_whole: plain.len() <= 64 << 10,
        head: plain[..plain.len().min(64 << 10)].to_vec(),
        packing: Packing::PLAIN,
        noticed: Vec::new(),
        is_run: false,
        limits: Limits::UNTRUSTED,
    }
}
