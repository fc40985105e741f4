//! Which files of the history count, and their rows.

use std::fs;
use std::io::{self, Cursor};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use polars::prelude::{
    BooleanChunked, DataFrame, NewChunkedArray as _, ParquetReader, ParquetWriter, PolarsResult,
    SerReader as _,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::row::HistoryRow;
use crate::diag::{Code, Diagnostic, Location, Warned};
use crate::quantity::Night;
use crate::text::Refusal;

/// Version of the columns. A later version only adds some that may be absent.
pub const SCHEMA: &str = "reportgen.history/1";
/// Name of the list in its directory.
const NAME: &str = "manifest.json";
/// Rows that are read as one piece where a few are asked for.
const GROUP: usize = 8192;

/// The files that count. What it does not list is of a writer that was killed, or was replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub schema: String,
    /// One more with each change.
    pub generation: u64,
    /// By night.
    pub files: Vec<NightFile>,
}

impl Default for Manifest {
    fn default() -> Self {
        Self { schema: SCHEMA.to_owned(), generation: 0, files: Vec::new() }
    }
}

/// The file of a night.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NightFile {
    pub night: Night,
    /// One more each time that rows of the night were added.
    pub revision: u32,
    /// Below the directory of the manifest.
    pub path: String,
    pub bytes: u64,
    /// Of its content, in hexadecimal digits; lists of earlier versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    pub rows: usize,
    /// Where the rows of each metric are, in their order.
    pub slices: Vec<Slice>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slice {
    pub metric: String,
    pub start: usize,
    pub rows: usize,
}

/// Which rows are asked for; `None` and empty mean all.
#[derive(Debug, Clone, Default)]
pub struct RowFilter {
    pub metrics: Vec<String>,
    pub runs: Vec<String>,
    pub jobs: Vec<String>,
    pub since: Option<Night>,
    pub until: Option<Night>,
}

impl Manifest {
    /// The list in a directory of the history.
    ///
    /// # Errors
    /// When there is none, it is damaged, or of another version.
    pub fn in_directory(directory: &Path) -> io::Result<Self> {
        let manifest: Self = serde_json::from_slice(&fs::read(directory.join(NAME))?)?;
        if manifest.schema == SCHEMA {
            return Ok(manifest);
        }
        Err(io::Error::other(
            Refusal::new("refused.history-version").with("schema", manifest.schema),
        ))
    }

    /// The file of a night.
    pub fn night(&self, night: Night) -> Option<&NightFile> {
        self.files.iter().find(|file| file.night == night)
    }

    /// Puts the file of a night in the place of the one before it.
    pub fn replace(&mut self, file: NightFile) {
        self.files.retain(|other| other.night != file.night);
        self.files.push(file);
        self.files.sort_by_key(|file| file.night);
    }
}

/// The file of a night with these rows, and its bytes.
///
/// # Errors
/// When polars cannot write them.
pub fn make_night_file(
    night: Night,
    revision: u32,
    mut rows: Vec<HistoryRow>,
) -> Result<(NightFile, Vec<u8>), String> {
    rows.sort_by(|a, b| a.key().cmp(&b.key()).then(a.revision.cmp(&b.revision)));
    let mut bytes = Vec::new();
    guarded(|| {
        let mut frame = HistoryRow::frame(&rows)?;
        let writer = ParquetWriter::new(Cursor::new(&mut bytes));
        writer.with_row_group_size(Some(GROUP)).finish(&mut frame)
    })?;
    let mut slices: Vec<Slice> = Vec::new();
    for (start, rows) in rows.chunk_by(|a, b| a.metric == b.metric).scan(0, |start, rows| {
        let begin = *start;
        *start += rows.len();
        Some((begin, rows))
    }) {
        let metric = rows.first().map(|row| row.metric.clone()).unwrap_or_default();
        slices.push(Slice { metric, start, rows: rows.len() });
    }
    let path = format!("month={}/night={night}.r{revision}.parquet", night.month());
    let (length, sha256) = (bytes.len() as u64, Some(digest(&bytes)));
    let rows = rows.len();
    Ok((NightFile { night, revision, path, bytes: length, sha256, rows, slices }, bytes))
}

/// All rows of a night, those of earlier revisions among them.
///
/// # Errors
/// When the file is not there, or is not as it was written.
pub fn read_night(directory: &Path, file: &NightFile) -> Result<Vec<HistoryRow>, String> {
    let place = directory.join(&file.path);
    let content = whole(&place, file)?;
    guarded(|| HistoryRow::of_frame(&rows(&content, 0, file.rows)?))
}

/// The rows that are asked for: of each run those of its last revision, by night. A file that cannot be
/// read is left out with a finding.
pub fn read_rows(
    directory: &Path,
    manifest: &Manifest,
    filter: &RowFilter,
) -> Warned<Vec<HistoryRow>> {
    let (mut found, mut findings) = (Vec::new(), Vec::new());
    for file in &manifest.files {
        let is_within = filter.since.is_none_or(|since| file.night >= since)
            && filter.until.is_none_or(|until| file.night <= until);
        if !is_within {
            continue;
        }
        match rows_of(directory, file, filter) {
            Ok(rows) => found.extend(last_revisions(rows)),
            Err(cause) => {
                let path = directory.join(&file.path).to_string_lossy().into_owned();
                let finding = Diagnostic::new(Code::Unreadable).with("path", path.as_str());
                findings.push(finding.with("cause", cause).at(Location::file(path)));
            }
        }
    }
    Warned::new(found, findings)
}

fn rows_of(
    directory: &Path,
    file: &NightFile,
    filter: &RowFilter,
) -> Result<Vec<HistoryRow>, String> {
    let place = directory.join(&file.path);
    let content = whole(&place, file)?;
    let wanted =
        |slice: &&Slice| filter.metrics.is_empty() || filter.metrics.contains(&slice.metric);
    let mut found = Vec::new();
    for slice in file.slices.iter().filter(wanted) {
        let rows = guarded(|| {
            let frame = rows(&content, slice.start, slice.rows)?;
            HistoryRow::of_frame(&chosen(chosen(frame, "run", &filter.runs)?, "job", &filter.jobs)?)
        });
        found.extend(rows?);
    }
    Ok(found)
}

/// The rows with one of these texts in a column.
fn chosen(frame: DataFrame, column: &str, texts: &[String]) -> PolarsResult<DataFrame> {
    if texts.is_empty() {
        return Ok(frame);
    }
    let is_chosen =
        |text: Option<&str>| text.is_some_and(|text| texts.iter().any(|one| one == text));
    let mask: Vec<bool> = frame.column(column)?.str()?.iter().map(is_chosen).collect();
    frame.filter(&BooleanChunked::from_slice("chosen".into(), &mask))
}

/// Rows are sorted by what they are about, and then by revision.
fn last_revisions(rows: Vec<HistoryRow>) -> Vec<HistoryRow> {
    let mut last: Vec<HistoryRow> = Vec::with_capacity(rows.len());
    for row in rows {
        match last.last_mut() {
            Some(before) if before.key() == row.key() => *before = row,
            _ => last.push(row),
        }
    }
    last
}

/// What stands in a file. One that was cut, or is another, is told before polars believes it.
fn whole(place: &Path, file: &NightFile) -> Result<Vec<u8>, String> {
    let there = fs::metadata(place).map_err(|error| error.to_string())?;
    if there.len() != file.bytes {
        let lengths = format!("{} bytes of {}", there.len(), file.bytes);
        return Err(format!("{lengths}: cut, or not the file that was written"));
    }
    let content = fs::read(place).map_err(|error| error.to_string())?;
    if file.sha256.as_ref().is_some_and(|written| digest(&content) != *written) {
        return Err("its SHA-256 is another: not the file that was written".to_owned());
    }
    Ok(content)
}

fn digest(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

fn rows(content: &[u8], start: usize, count: usize) -> PolarsResult<DataFrame> {
    let reader = ParquetReader::new(Cursor::new(content)).with_slice(Some((start, count)));
    reader.set_rechunk(true).finish()
}

/// Runs code of polars, which panics on some damaged files where it should return an error.
fn guarded<T>(work: impl FnOnce() -> PolarsResult<T>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(outcome) => outcome.map_err(|error| error.to_string()),
        Err(_panic) => Err("damaged".to_owned()),
    }
}
