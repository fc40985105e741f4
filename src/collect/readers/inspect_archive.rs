//! Logs of Inspect AI as archives (`.eval`): a header, and a document for each sample of each epoch.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::string::FromUtf8Error;

use memchr::memmem;
use zip::ZipArchive;

use super::super::FileEntry;
use super::super::content::unreadable;
use super::samples::json;
use crate::diag::{Code, Diagnostic, Location};

const ARCHIVE: &[u8] = b"PK\x03\x04";
/// How the end of an archive begins, how long it is without and with a remark, and what stands before it
/// where there are more parts or bytes than it can count.
const END: &[u8] = b"PK\x05\x06";
const SHORTEST_END: u64 = 22;
const LONGEST_END: u64 = SHORTEST_END + u16::MAX as u64 + LOCATOR as u64;
const LARGE_LOCATOR: &[u8] = b"PK\x06\x07";
const LOCATOR: usize = 20;
/// The first part that is written, which says what the run is.
const START: &str = "_journal/start.json";
/// The same at the end, with its results.
const HEADER: &str = "header.json";
const SAMPLES: &str = "samples/";
/// What is read of a sample. The rest, such as its events, is most of it.
const KEPT: &[&str] = &["id", "epoch", "input", "target", "metadata", "error", "scores", "output"];
/// Most bytes of all parts together, decompressed.
const MOST: u64 = 16 << 30;

pub(super) fn is_log(file: &FileEntry) -> bool {
    file.head.starts_with(ARCHIVE) && file.head_has(START)
}

/// The log as one document of at most `limit` bytes: first the samples, each in a line of its own.
pub(super) fn read_document(file: &FileEntry, limit: u64) -> Result<String, Box<Diagnostic>> {
    let fault = |cause: &dyn ToString| Box::new(unreadable(&file.display, cause.to_string()));
    let too_large = || {
        let finding = Diagnostic::new(Code::TooLarge).with("limit_mib", limit >> 20);
        Box::new(finding.with("bytes", file.bytes).at(Location::file(&*file.display)))
    };
    let mut opened = File::open(&file.path).map_err(|cause| fault(&cause))?;
    let stated = stated_parts(&mut opened).map_err(|cause| fault(&cause))?;
    let mut archive = ZipArchive::new(BufReader::new(opened)).map_err(|cause| fault(&cause))?;
    // Of parts with one name the archive gives the last.
    if stated != archive.len() as u64 {
        return Err(fault(&"several of its parts have one name"));
    }
    let samples: Vec<String> =
        archive.file_names().filter(|name| name.starts_with(SAMPLES)).map(str::to_owned).collect();
    let (header, ending) = match archive.index_for_name(HEADER) {
        Some(_) => (HEADER, ""),
        None => (START, ",\"status\":\"started\""),
    };
    let mut left = MOST;
    let mut part = |name: &str| {
        let text = text_of(&mut archive, name, limit.min(left)).map_err(|cause| fault(&cause))?;
        left -= text.as_ref().map_or(0, |text| text.len() as u64);
        text.ok_or_else(too_large)
    };
    let header = part(header)?;
    let inside = |text: &str| Some(text.trim().strip_prefix('{')?.strip_suffix('}')?.to_owned());
    let header = inside(&header).ok_or_else(|| fault(&"its header is no object"))?;
    let mut document = "{\"samples\":[".to_owned();
    for (at, name) in samples.iter().enumerate() {
        document.push_str(if at == 0 { "" } else { ",\n" });
        let sample = part(name)?;
        document.push_str(
            &kept(&sample)
                .map_err(|fault_in| fault(&format!("{name}: expected {}", fault_in.expected)))?,
        );
        if document.len() as u64 > limit {
            return Err(too_large());
        }
    }
    Ok(format!("{document}],{header}{ending}}}"))
}

/// How many parts an archive says at its end that it has.
///
/// # Errors
/// When it has no end, or when its list of parts does not stand right before it: bytes in front of the
/// archive or behind it may be another one, which other programs would read.
fn stated_parts(archive: &mut (impl Read + Seek)) -> io::Result<u64> {
    let length = archive.seek(SeekFrom::End(0))?;
    let start = length.saturating_sub(LONGEST_END);
    archive.seek(SeekFrom::Start(start))?;
    let mut tail = Vec::new();
    archive.take(LONGEST_END).read_to_end(&mut tail)?;
    let no_end = || io::Error::other("it has no end of an archive");
    let at = memmem::rfind(&tail, END).ok_or_else(no_end)?;
    let end = tail.get(at..).unwrap_or_default();
    let remark = number(end, 20, 2).ok_or_else(no_end)?;
    if end.len() as u64 != SHORTEST_END + remark {
        return Err(io::Error::other("bytes stand behind the archive"));
    }
    let fields = [(10, 2), (12, 4), (16, 4)].map(|(from, bytes)| number(end, from, bytes));
    let locator = at.checked_sub(LOCATOR).and_then(|at| tail.get(at..));
    let locator = locator.filter(|locator| locator.starts_with(LARGE_LOCATOR));
    let (fields, at) = match locator.and_then(|locator| number(locator, 8, 8)) {
        None => (fields, start + at as u64),
        Some(place) => {
            archive.seek(SeekFrom::Start(place))?;
            let mut large = [0; 56];
            archive.read_exact(&mut large)?;
            ([32, 40, 48].map(|from| number(&large, from, 8)), place)
        }
    };
    match fields {
        [Some(count), Some(size), Some(from)] if from.checked_add(size) == Some(at) => Ok(count),
        _ => Err(io::Error::other("bytes stand before the archive or within it")),
    }
}

/// The number in so many bytes, the least first.
fn number(bytes: &[u8], from: usize, count: usize) -> Option<u64> {
    let bytes = bytes.get(from..from + count)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// A part of the archive; nothing where it has more than so many bytes.
fn text_of(
    archive: &mut ZipArchive<impl Read + Seek>,
    name: &str,
    limit: u64,
) -> Result<Option<String>, zip::result::ZipError> {
    let mut bytes = Vec::new();
    archive.by_name(name)?.take(limit + 1).read_to_end(&mut bytes)?;
    let is_whole = bytes.len() as u64 <= limit;
    let lossy = |error: FromUtf8Error| String::from_utf8_lossy(error.as_bytes()).into_owned();
    Ok(is_whole.then(|| String::from_utf8(bytes).unwrap_or_else(lossy)))
}

fn kept(sample: &str) -> Result<String, json::Malformed> {
    let mut fields = Vec::new();
    let mut scratch = String::new();
    json::for_each_field(sample, |key, raw| {
        let key = key.name(&mut scratch);
        if KEPT.contains(&key) {
            fields.push(format!("\"{key}\":{}", raw.text));
        }
    })?;
    Ok(format!("{{{}}}", fields.join(",")))
}
