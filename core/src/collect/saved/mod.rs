//! Runs in one file, for comparisons when the runs themselves are gone.
//!
//! Owns the form of the file: two lines of JSON under gzip, of which the first says the version and
//! the checksum of the second. What stands in the second is what the readers found, whole: the types
//! of `model` in their own order. Texts are not in it, and of many samples only a part of each hash.

mod written;

use std::io::{self, Read as _, Write as _};
use std::path::Path;

use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::Input;
use super::content::{Packing, open, read_text};
use super::packing::Compression;
use super::{CollectError, FileEntry, Piece, ReadResult};
use crate::diag::{Code, Diagnostic, Location, Warned};
use crate::model::{Fragment, HashWidth, Limits, RowKeys, Run, RunLabel, SampleTable};
use written::WrittenRun;

/// The name of the reader.
pub(super) const NAME: &str = "baseline";
/// How every file begins.
const START: &[u8] = b"{\"reportgen_baseline\":";
/// Older versions are read, newer ones refused.
const VERSION: u32 = 1;
/// Bytes that a file may have for each sample, and whatever it holds.
const BYTES_PER_SAMPLE: usize = 10;
const BYTES_AT_LEAST: usize = 256 << 10;
/// Most records of data files of which hashes are kept.
const MOST_RECORDS: usize = 20_000;
/// What tells runs of one file apart that nothing else does.
const REPLICA: &str = "replica";

#[derive(Serialize, Deserialize)]
struct Head {
    reportgen_baseline: u32,
    /// Of the second line, lower-case hexadecimal.
    sha256: String,
    /// The program that wrote it.
    program: String,
}

#[derive(Serialize, Deserialize)]
struct Body {
    hashes: HashWidth,
    /// Whether hashes of the records of data files are in it, where there were any.
    records: bool,
    runs: Vec<WrittenRun>,
}

/// What a file of runs holds, and how much of it.
#[derive(Debug)]
pub struct SavedRuns {
    pub bytes: Vec<u8>,
    pub hashes: HashWidth,
    /// Whether hashes of the records of data files are in it, where there were any.
    pub records: bool,
}

/// The file that holds those runs, with what was noticed when they were read.
///
/// # Errors
/// When the runs cannot be written as JSON, or not compressed.
pub fn save(mut runs: Vec<Run>, findings: &[Diagnostic]) -> io::Result<SavedRuns> {
    let records = runs.iter().map(|run| run.asked.rows.len() + records_of_data(run)).sum::<usize>();
    let keeps_records = records <= MOST_RECORDS;
    if !keeps_records {
        runs.iter_mut().for_each(forget_records);
    }
    let samples: usize =
        runs.iter().flat_map(|run| &run.content.samples).map(SampleTable::len).sum();
    let most = (BYTES_PER_SAMPLE * samples).max(BYTES_AT_LEAST);
    let mut saved =
        SavedRuns { bytes: Vec::new(), hashes: HashWidth::Whole, records: keeps_records };
    for hashes in HashWidth::ALL {
        narrow(&mut runs, hashes);
        let written = runs.iter().map(|run| WrittenRun::new(run, findings)).collect();
        let body = Body { hashes, records: keeps_records, runs: written };
        saved = SavedRuns { bytes: packed(&body)?, hashes, records: keeps_records };
        if saved.bytes.len() <= most {
            break;
        }
    }
    Ok(saved)
}

fn packed(body: &Body) -> io::Result<Vec<u8>> {
    let body = serde_json::to_string(body)?;
    let head = Head {
        reportgen_baseline: VERSION,
        sha256: sha256(&body),
        program: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let mut file = GzEncoder::new(Vec::new(), flate2::Compression::best());
    writeln!(file, "{}", serde_json::to_string(&head)?)?;
    writeln!(file, "{body}")?;
    file.finish()
}

fn sha256(text: &str) -> String {
    format!("{:x}", Sha256::digest(text))
}

fn records_of_data(run: &Run) -> usize {
    let contents = run.data_files.iter().filter_map(|file| file.content.as_ref());
    contents.map(|content| content.keys.rows.len()).sum()
}

fn forget_records(run: &mut Run) {
    run.asked = RowKeys::default();
    for content in run.data_files.iter_mut().filter_map(|file| file.content.as_mut()) {
        content.keys = RowKeys::default();
    }
}

fn narrow(runs: &mut [Run], width: HashWidth) {
    runs.iter_mut().flat_map(|run| &mut run.content.samples).for_each(|table| table.narrow(width));
}

/// Leaves so much of the hashes of all samples as the file has that keeps the least.
pub(super) fn narrow_all(runs: &mut [Run]) {
    let narrowest = runs.iter().flat_map(|run| &run.content.samples).map(SampleTable::width);
    if let Some(width) = narrowest.max() {
        narrow(runs, width);
    }
}

/// Whether a file begins as one of saved runs does.
pub fn holds_saved_runs(path: &Path) -> bool {
    let mut start = Vec::with_capacity(START.len());
    let source = open(path, Packing::Bytes(Compression::Gzip), Limits::default());
    source.is_ok_and(|file| file.take(START.len() as u64).read_to_end(&mut start).is_ok())
        && start == START
}

pub(super) fn is_saved(file: &FileEntry) -> bool {
    file.head.starts_with(START)
}

/// Reads the runs of a file, with what was noticed when they were saved.
pub(super) fn read(file: &FileEntry) -> ReadResult {
    let refused = |cause: &str| Box::new(super::content::unreadable(&file.display, cause));
    let text = read_text(file)?.value;
    let (head, body) =
        text.split_once('\n').ok_or_else(|| refused("the file ends in its first line"))?;
    let head: Head = serde_json::from_str(head).map_err(|error| refused(&error.to_string()))?;
    if head.reportgen_baseline > VERSION {
        return Err(refused(&format!(
            "it has version {} of baseline files, written by reportgen {}, and this program reads \
             versions up to {VERSION}; update it, or save the baseline again",
            head.reportgen_baseline, head.program
        )));
    }
    let body = body.trim_end_matches('\n');
    if sha256(body) != head.sha256 {
        return Err(refused("its checksum does not fit: it was changed or cut; save it again"));
    }
    let Body { hashes, records, runs } =
        serde_json::from_str(body).map_err(|error| refused(&error.to_string()))?;
    let mut findings = Vec::new();
    let mut saved = Vec::with_capacity(runs.len());
    for run in runs {
        let path = run.path().to_owned();
        let run = run.into_run(hashes, &mut findings);
        let run = run.ok_or_else(|| {
            refused("its samples are not whole, or a figure stands twice; save it again")
        })?;
        findings.push(
            Diagnostic::new(Code::BaselineRead)
                .about_run(&run.id)
                .with("from", path)
                .with("commit", run.content.provenance.commit.clone())
                .with("hashes", hashes.name())
                .with("records", if records { "kept" } else { "left-out" })
                .at(Location::file(&*file.display)),
        );
        saved.push(run);
    }
    Ok(Warned::new(Fragment { saved, ..Fragment::default() }, findings))
}

/// The runs of the file, where one is among what was read.
pub(super) fn taken(pieces: &mut [Piece]) -> Option<Vec<Run>> {
    let mut saved = pieces.iter_mut().map(|piece| std::mem::take(&mut piece.fragment.saved));
    saved.find(|saved| !saved.is_empty())
}

/// The runs of a file as those of an input.
pub(super) fn place(
    runs: Vec<Run>,
    input: &Input<'_>,
    id: &str,
    findings: &mut Vec<Diagnostic>,
) -> Result<Vec<Run>, CollectError> {
    let asked = &input.address.labels;
    let is_one = runs.len() == 1;
    let mut placed = Vec::with_capacity(runs.len());
    let mut values = Vec::new();
    for mut run in runs {
        run.labels.retain(RunLabel::is_repetition);
        if !is_one && run.labels.is_empty() {
            let value = run.id.clone();
            run.labels.push(RunLabel { column: REPLICA.to_owned(), value });
        }
        values.extend(run.labels.iter().map(|label| label.value.clone()));
        if asked.iter().any(|label| !run.labels.contains(label)) {
            findings.retain(|finding| finding.subject.run.as_ref() != Some(&run.id));
            continue;
        }
        let further: Vec<RunLabel> =
            run.labels.iter().filter(|label| !asked.contains(label)).cloned().collect();
        let behind = RunLabel::behind_path(&further);
        let before = std::mem::replace(&mut run.id, format!("{id}{behind}"));
        written::rename(findings, &before, &run.id);
        run.place = format!("{}{}{behind}", super::shown(&input.place), input.labels());
        run.path = super::shown(input.given) + &behind;
        run.input = input.at;
        placed.push(run);
    }
    match asked.first() {
        Some(label) if placed.is_empty() => Err(CollectError::NoSuchValue {
            path: super::shown(&input.address.path),
            column: label.column.clone(),
            value: label.value.clone(),
            values,
        }),
        _ => Ok(placed),
    }
}
