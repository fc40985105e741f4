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
/// How the end of an archive begins, how long it is with a remark, and what stands before it where there are
/// more parts than it can count.
const END: &[u8] = b"PK\x05\x06";
const LONGEST_END: u64 = 20 + 22 + u16::MAX as u64;
const LARGE_LOCATOR: &[u8] = b"PK\x06\x07";
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
    if stated.is_some_and(|stated| stated != archive.len() as u64) {
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

/// How many parts an archive says at its end that it has; `None` where it says nothing.
fn stated_parts(archive: &mut (impl Read + Seek)) -> io::Result<Option<u64>> {
    let length = archive.seek(SeekFrom::End(0))?;
    archive.seek(SeekFrom::Start(length.saturating_sub(LONGEST_END)))?;
    let mut tail = Vec::new();
    archive.take(LONGEST_END).read_to_end(&mut tail)?;
    let Some(end) = memmem::rfind(&tail, END) else { return Ok(None) };
    let count = tail.get(end + 10..).and_then(<[u8]>::first_chunk).copied();
    let count = count.map(u16::from_le_bytes);
    if count != Some(u16::MAX) {
        return Ok(count.map(u64::from));
    }
    let locator = end.checked_sub(20).and_then(|at| tail.get(at..end));
    let place = locator.filter(|locator| locator.starts_with(LARGE_LOCATOR));
    let Some(place) = place.and_then(|locator| locator.get(8..)?.first_chunk()) else {
        return Ok(count.map(u64::from));
    };
    archive.seek(SeekFrom::Start(u64::from_le_bytes(*place)))?;
    let mut large = [0; 40];
    archive.read_exact(&mut large)?;
    Ok(large.last_chunk().copied().map(u64::from_le_bytes))
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
