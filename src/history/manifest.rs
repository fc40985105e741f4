//! Which files of the history count, and their rows.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Cursor};
use std::path::Path;

use polars::prelude::{
    BooleanChunked, DataFrame, NewChunkedArray as _, ParquetWriter, PolarsResult,
};
use serde::{Deserialize, Serialize};

use super::night_content::{
    NightContent, WrittenBytes, block_digests, digest, guarded, other_length,
};
use super::row::HistoryRow;
use super::side_by_side::side_by_side;
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
    /// Of each 256 KiB of it, so that what is asked for can be checked without the rest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<String>,
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

impl NightFile {
    fn written(&self) -> WrittenBytes<'_> {
        let Self { bytes, sha256, blocks, .. } = self;
        WrittenBytes { length: *bytes, digest: sha256.as_deref(), blocks }
    }
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
    let (rows, blocks) = (rows.len(), block_digests(&bytes));
    Ok((NightFile { night, revision, path, bytes: length, sha256, blocks, rows, slices }, bytes))
}

/// All rows of a night, those of earlier revisions among them.
///
/// # Errors
/// When the file is not there, or is not as it was written.
pub fn read_night(directory: &Path, file: &NightFile) -> Result<Vec<HistoryRow>, String> {
    let place = directory.join(&file.path);
    let frame = NightContent::open(&place, file.written())?.rows(0, file.rows, None)?;
    guarded(|| HistoryRow::of_frame(&frame))
}

/// The rows that are asked for: of each run those of its last revision, by night. A file that cannot be
/// read is left out with a finding.
pub fn read_rows(
    directory: &Path,
    manifest: &Manifest,
    filter: &RowFilter,
) -> Warned<Vec<HistoryRow>> {
    read_rows_by_night(directory, manifest, filter, |rows| rows)
}

/// As `read_rows`, of each night only what is picked from its rows, so that no more nights than are read at
/// once are in memory.
pub fn read_rows_by_night(
    directory: &Path,
    manifest: &Manifest,
    filter: &RowFilter,
    pick: impl Fn(Vec<HistoryRow>) -> Vec<HistoryRow> + Sync,
) -> Warned<Vec<HistoryRow>> {
    let (mut found, mut findings) = (Vec::new(), Vec::new());
    let files: Vec<&NightFile> =
        manifest.files.iter().filter(|file| filter.has_night(file.night)).collect();
    let rows_of_night = |file: &&NightFile| rows_of(directory, file, filter);
    let read = side_by_side(&files, |file| rows_of_night(file).map(last_revisions).map(&pick));
    for (file, rows) in files.into_iter().zip(read) {
        match rows {
            Ok(rows) => found.extend(rows),
            Err(cause) => {
                let path = directory.join(&file.path).to_string_lossy().into_owned();
                let finding = Diagnostic::new(Code::Unreadable).with("path", path.as_str());
                findings.push(finding.with("cause", cause).at(Location::file(path)));
            }
        }
    }
    Warned::new(found, findings)
}

/// Files of nights that are not there, or are longer or shorter than they were written, with the cause.
pub fn damaged_files(directory: &Path, manifest: &Manifest) -> Vec<(String, String)> {
    let damage = |file: &NightFile| {
        let place = directory.join(&file.path);
        let cause = match fs::metadata(&place) {
            Err(error) => error.to_string(),
            Ok(there) => other_length(there.len(), file.bytes)?,
        };
        Some((place.display().to_string(), cause))
    };
    manifest.files.iter().filter_map(damage).collect()
}

/// What stands in a column of names, `job`, `metric` or `run`, on any night. A file that cannot be read is
/// left out.
pub fn names_in(directory: &Path, manifest: &Manifest, column: &str) -> BTreeSet<String> {
    if column == "metric" {
        let slices = manifest.files.iter().flat_map(|file| &file.slices);
        return slices.map(|slice| slice.metric.clone()).collect();
    }
    let of_night = |file: &&NightFile| -> Result<BTreeSet<String>, String> {
        let mut content = NightContent::open(&directory.join(&file.path), file.written())?;
        let frame = content.rows(0, file.rows, Some(&[column]))?;
        guarded(|| {
            let names = frame.column(column)?.str()?;
            let distinct: BTreeSet<&str> = names.iter().flatten().collect();
            Ok(distinct.into_iter().map(str::to_owned).collect())
        })
    };
    let files: Vec<&NightFile> = manifest.files.iter().collect();
    side_by_side(&files, of_night).into_iter().flat_map(Result::unwrap_or_default).collect()
}

impl RowFilter {
    fn has_night(&self, night: Night) -> bool {
        self.since.is_none_or(|since| night >= since)
            && self.until.is_none_or(|until| night <= until)
    }
}

fn rows_of(
    directory: &Path,
    file: &NightFile,
    filter: &RowFilter,
) -> Result<Vec<HistoryRow>, String> {
    let place = directory.join(&file.path);
    let wanted =
        |slice: &&Slice| filter.metrics.is_empty() || filter.metrics.contains(&slice.metric);
    let mut found = Vec::new();
    let mut content = NightContent::open(&place, file.written())?;
    for slice in file.slices.iter().filter(wanted) {
        let pieces = if filter.runs.is_empty() {
            vec![(slice.start, slice.rows)]
        } else {
            content.pieces_with(slice.start, slice.rows, &filter.runs)
        };
        for (start, count) in pieces {
            let frame = content.rows(start, count, None)?;
            let rows = guarded(|| {
                let of_runs = chosen(frame, "run", &filter.runs)?;
                HistoryRow::of_frame(&chosen(of_runs, "job", &filter.jobs)?)
            });
            found.extend(rows?);
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn row(number: usize) -> HistoryRow {
        HistoryRow {
            night: Night::named_in("2026-03-01").expect("a date"),
            job: "nightly".to_owned(),
            // Nothing that could be packed away: the file has several blocks.
            run: digest(&number.to_le_bytes()),
            revision: 1,
            metric: format!("metric_{}", number % 3),
            state: "complete".to_owned(),
            unit: "fraction".to_owned(),
            higher_is_better: Some(true),
            value: Some(number as f64),
            content: digest(&(number + 7).to_le_bytes()),
            ..HistoryRow::default()
        }
    }

    fn written() -> (tempfile::TempDir, std::path::PathBuf, NightFile, Vec<u8>) {
        let night = Night::named_in("2026-03-01").expect("a date");
        let rows = (0..30_000).map(row).collect();
        let (file, bytes) = make_night_file(night, 1, rows).expect("a file");
        let directory = tempfile::tempdir().expect("a directory");
        let place = directory.path().join("night.parquet");
        fs::write(&place, &bytes).expect("written");
        (directory, place, file, bytes)
    }

    #[test]
    fn a_part_of_a_night_is_what_stands_there_in_the_whole() {
        let (_directory, place, file, bytes) = written();
        assert!(file.blocks.len() > 4, "{} blocks", file.blocks.len());
        let read = |start, count| {
            let mut content = NightContent::open(&place, file.written()).expect("opened");
            let frame = content.rows(start, count, None).expect("rows");
            let rows = HistoryRow::of_frame(&frame).expect("rows of the history");
            (rows, content.blocks_read())
        };
        let (all, blocks) = read(0, file.rows);
        assert_eq!((all.len(), blocks), (30_000, file.blocks.len()));
        assert!(bytes.len() > 1 << 20);
        for (start, count) in [(0, 1), (8191, 2), (10_000, 10_000), (29_999, 1)] {
            let (part, blocks) = read(start, count);
            assert_eq!(part, all[start..start + count], "{start} {count}");
            assert!(blocks < file.blocks.len(), "{blocks} of {}", file.blocks.len());
        }
    }

    #[test]
    fn a_run_is_read_from_the_pieces_that_may_hold_it() {
        let (directory, _place, file, _bytes) = written();
        let manifest = Manifest {
            files: vec![NightFile { path: "night.parquet".to_owned(), ..file.clone() }],
            ..Manifest::default()
        };
        let all = read_rows(directory.path(), &manifest, &RowFilter::default()).value;
        for number in [0, 1, 2, 8191, 15_000, 29_999] {
            let run = row(number).run;
            let filter = RowFilter { runs: vec![run.clone()], ..RowFilter::default() };
            let found = read_rows(directory.path(), &manifest, &filter);
            let expected: Vec<HistoryRow> =
                all.iter().filter(|row| row.run == run).cloned().collect();
            assert_eq!((found.value.len(), found.diagnostics.len()), (1, 0), "{number}");
            assert_eq!(found.value, expected, "{number}");
        }
        let place = directory.path().join("night.parquet");
        let content = NightContent::open(&place, file.written()).expect("opened");
        let [first, ..] = file.slices.as_slice() else { panic!("slices") };
        let pieces =
            |run: &str| content.pieces_with(first.start, first.rows, &[run.to_owned()]).len();
        assert_eq!((pieces(&row(0).run), pieces("! a run before all others")), (1, 0));
        assert_eq!(pieces("~ a run behind all others"), 0);
    }

    #[test]
    fn a_changed_byte_is_told_where_it_is_read() {
        let (_directory, place, file, bytes) = written();
        let told = |at: usize, night: &NightFile, count: usize| {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            fs::write(&place, &changed).expect("written");
            let mut content = NightContent::open(&place, night.written())?;
            content.rows(0, count, None).map(|_| ())
        };
        let is_other = |outcome: Result<(), String>| outcome.is_err_and(|e| e.contains("SHA-256"));
        for at in [100, bytes.len() / 2, bytes.len() - 100] {
            assert!(is_other(told(at, &file, file.rows)), "{at}");
        }
        assert_eq!(told(bytes.len() / 2, &file, 1), Ok(()), "not among what was asked for");
        let earlier = NightFile { blocks: Vec::new(), ..file };
        assert!(is_other(told(bytes.len() / 2, &earlier, 1)), "one digest for all of it");
    }
}
