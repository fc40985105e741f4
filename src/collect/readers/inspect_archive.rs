//! Logs of Inspect AI as archives (`.eval`): a header, and a document for each sample of each epoch.

use std::string::FromUtf8Error;

use zip::result::ZipError;

use super::super::FileEntry;
use super::super::archive::{self, Archive};
use super::super::content::unreadable;
use super::samples::json;
use crate::diag::{Code, Diagnostic, Location};

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
    file.head.starts_with(archive::MAGIC) && file.head_has(START)
}

/// The log as one document of at most `limit` bytes: first the samples, each in a line of its own.
pub(super) fn read_document(file: &FileEntry, limit: u64) -> Result<String, Box<Diagnostic>> {
    let fault = |cause: &dyn ToString| Box::new(unreadable(&file.display, cause.to_string()));
    let too_large = || {
        let finding = Diagnostic::new(Code::TooLarge).with("limit_mib", limit >> 20);
        Box::new(finding.with("bytes", file.bytes).at(Location::file(&*file.display)))
    };
    let mut archive = archive::open(&file.path).map_err(|cause| fault(&cause))?;
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

/// A part of the archive as text; nothing where it has more than so many bytes.
fn text_of(archive: &mut Archive, name: &str, limit: u64) -> Result<Option<String>, ZipError> {
    let lossy = |error: FromUtf8Error| String::from_utf8_lossy(error.as_bytes()).into_owned();
    let bytes = archive::part(archive, name, limit)?;
    Ok(bytes.map(|bytes| String::from_utf8(bytes).unwrap_or_else(lossy)))
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
