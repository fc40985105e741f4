//! Logs of Inspect AI as archives (`.eval`): a header, and a document for each sample of each epoch.

use std::collections::BTreeSet;
use std::string::FromUtf8Error;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::iter::{IndexedParallelIterator as _, ParallelIterator as _};
use rayon::slice::ParallelSlice as _;
use zip::result::ZipError;

use super::super::FileEntry;
use super::super::archive::{self, Archive};
use super::super::content::{LIST_BYTES, document_bytes, unreadable};
use super::samples::json::Malformed;
use crate::diag::{Code, Diagnostic, Location};

/// The first part that is written, which says what the run is.
const START: &str = "_journal/start.json";
/// The same at the end, with its results.
const HEADER: &str = "header.json";
const SAMPLES: &str = "samples/";
/// Most bytes of all parts together, decompressed.
const MOST: u64 = 16 << 30;
/// Pieces that are read side by side, and the least samples of one: each opens the archive by itself.
const PIECES: usize = 8;
const LEAST: usize = 256;

pub(super) fn is_log(file: &FileEntry) -> bool {
    file.head.starts_with(archive::MAGIC) && file.head_has(START)
}

/// A log whose samples are not read yet. Each is a line, and its header stands in the line of the last one.
pub(super) struct LogArchive<'f> {
    file: &'f FileEntry,
    header: String,
    /// The names of their parts.
    samples: Vec<String>,
    /// How many bytes may be read yet.
    left: AtomicU64,
}

impl<'f> LogArchive<'f> {
    pub(super) fn open(file: &'f FileEntry) -> Result<Self, Box<Diagnostic>> {
        let mut archive = opened(file)?;
        let samples = archive.file_names().filter(|name| name.starts_with(SAMPLES));
        let samples = samples.map(str::to_owned).collect();
        let (header, ending) = match archive.index_for_name(HEADER) {
            Some(_) => (HEADER, ""),
            None => (START, ",\"status\":\"started\""),
        };
        let mut log = Self { file, header: String::new(), samples, left: AtomicU64::new(MOST) };
        let text = log.text_of(&mut archive, header)?;
        let inside = text.trim().strip_prefix('{').and_then(|text| text.strip_suffix('}'));
        let inside = inside.ok_or_else(|| fault(file, &"its header is no object"))?;
        let lines = "\n".repeat(log.samples.len().saturating_sub(1));
        log.header = format!("{lines}{{{inside}{ending}}}");
        Ok(log)
    }

    /// What is known of the run, as one document.
    pub(super) fn header(&self) -> &str {
        &self.header
    }

    /// Folds pieces of the samples into values, side by side; each comes with the number of samples before it.
    pub(super) fn fold_samples<T: Send>(
        &self,
        new: impl Fn() -> T + Sync,
        each: impl Fn(&mut T, u64, &str) -> Result<(), Malformed> + Sync,
    ) -> Result<Vec<(T, u64)>, Box<Diagnostic>> {
        let each_has = self.samples.len().div_ceil(PIECES).max(LEAST);
        let fold = |(piece, names): (usize, &[String])| {
            let (mut archive, mut value) = (opened(self.file)?, new());
            for (line, name) in (1..).zip(names) {
                let sample = self.text_of(&mut archive, name)?;
                each(&mut value, line, &sample).map_err(|malformed| {
                    fault(self.file, &format!("{name}: expected {}", malformed.expected))
                })?;
            }
            Ok((value, (piece * each_has) as u64))
        };
        self.samples.par_chunks(each_has).enumerate().map(fold).collect()
    }

    /// Hands on the samples of these lines.
    pub(super) fn hand_on(
        &self,
        wanted: &BTreeSet<u64>,
        mut take: impl FnMut(u64, &str),
    ) -> Result<(), Box<Diagnostic>> {
        let mut archive = opened(self.file)?;
        for (line, name) in (1..).zip(&self.samples).filter(|(line, _)| wanted.contains(line)) {
            take(line, &self.text_of(&mut archive, name)?);
        }
        Ok(())
    }

    /// A part as text.
    fn text_of(&self, archive: &mut Archive, name: &str) -> Result<String, Box<Diagnostic>> {
        let limit = LIST_BYTES.min(document_bytes(self.file));
        let most = limit.min(self.left.load(Ordering::Relaxed));
        let read = archive::part(archive, name, most);
        let bytes = read.map_err(|cause: ZipError| fault(self.file, &cause))?;
        let bytes = bytes.ok_or_else(|| {
            let finding = Diagnostic::new(Code::TooLarge).with("limit_mib", limit >> 20);
            Box::new(finding.with("bytes", self.file.bytes).at(Location::file(&*self.file.display)))
        })?;
        // Pieces that are read side by side may together pass the limit by a part each.
        let taken = bytes.len() as u64;
        let _before = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
            Some(left.saturating_sub(taken))
        });
        let lossy = |error: FromUtf8Error| String::from_utf8_lossy(error.as_bytes()).into_owned();
        Ok(String::from_utf8(bytes).unwrap_or_else(lossy))
    }
}

fn opened(file: &FileEntry) -> Result<Archive, Box<Diagnostic>> {
    archive::open(&file.path).map_err(|cause| fault(file, &cause))
}

fn fault(file: &FileEntry, cause: &dyn ToString) -> Box<Diagnostic> {
    Box::new(unreadable(&file.display, cause.to_string()))
}
