//! What lies where a report will be written: a person's words that have to stay, a report of another
//! kind that must not be replaced unasked, and edits that are kept aside.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::files;
use crate::diag::{Code, Diagnostic, Location};
use crate::exit::Failure;
use crate::marked::Unpaired;
use crate::render::{Earlier, Format};
use crate::text::Catalogue;

/// Bytes at the beginning of a report within which its kind is named.
const HEAD: u64 = 4096;
/// Columns by which a table is known, coordinates aside.
const COLUMNS: usize = 4;

/// Reads the document at a path, unless nothing is there or it cannot be read as a document.
///
/// # Errors
/// When it is no UTF-8, or a marked place in it is not closed: its words would be lost.
pub(super) fn earlier_document(
    path: &Path,
    words: &'static Catalogue,
) -> Result<Option<Earlier>, Failure> {
    let Some(bytes) = bytes(path).map_err(|source| Failure::read(path, source))? else {
        return Ok(None);
    };
    let shown = path.display().to_string();
    let Ok(text) = String::from_utf8(bytes) else {
        return Err(Failure::refused("refused.words-not-utf8", &[("path", &shown)]));
    };
    Earlier::read(&text).map(Some).map_err(|Unpaired { line, marker }| {
        let place = Location::line(shown.clone(), line as u64);
        let finding = Diagnostic::new(Code::MarkerUnpaired).with("marker", marker).at(place);
        Failure::refused("refused.left", &[("path", &shown)]).after(vec![finding], words)
    })
}

/// The content of a file; `None` where there is none, or something that is no file.
fn bytes(path: &Path) -> io::Result<Option<Vec<u8>>> {
    if !path.is_file() {
        return Ok(None);
    }
    fs::read(path).map(Some)
}

/// What a file is that a report would replace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    /// There is nothing, an empty file, or one of which nothing is asked here.
    Nothing,
    /// A report that says of itself what it is.
    Report(String),
    Other,
}

/// Refuses to replace a report that is something else, and what is no report.
///
/// # Errors
/// When it is.
pub(super) fn refuse_other(path: &Path, found: &Found, label: &str) -> Result<(), Failure> {
    let shown = path.display().to_string();
    match found {
        Found::Report(found) if found != label => {
            let facts = [("path", shown.as_str()), ("found", found), ("wanted", label)];
            Err(Failure::refused("refused.other-report", &facts))
        }
        Found::Other => Err(Failure::refused("refused.not-a-report", &[("path", &shown)])),
        Found::Report(_) | Found::Nothing => Ok(()),
    }
}

/// What a document is by its stamp. Where somebody marked a place to write in, a report is meant.
pub(super) fn kind_of(document: Option<&Earlier>) -> Found {
    match document {
        Some(Earlier { label: Some(label), .. }) => Found::Report(label.clone()),
        Some(document) if document.is_foreign() => Found::Other,
        _ => Found::Nothing,
    }
}

/// What the file of a format is that says so in its first lines.
///
/// # Errors
/// When it is there and cannot be read.
pub(super) fn found(path: &Path, format: &dyn Format) -> Result<Found, Failure> {
    let (before, after) = match format.name() {
        "html" => ("<meta name=\"generator\" content=\"reportgen ", '"'),
        "json" => ("\"kind\": \"", '"'),
        "latex" => ("% reportgen ", ':'),
        "typst" => ("// reportgen ", ':'),
        _ => {
            let Some(signature) = format.signature() else { return Ok(Found::Nothing) };
            let head = head(path).map_err(|source| Failure::read(path, source))?;
            let is_own = head.trim().is_empty() || head.contains(signature);
            return Ok(if is_own { Found::Nothing } else { Found::Other });
        }
    };
    let head = head(path).map_err(|source| Failure::read(path, source))?;
    if head.trim().is_empty() {
        return Ok(Found::Nothing);
    }
    let is_own = format.name() != "json" || head.contains("\"reportgen.report/");
    let label =
        head.split_once(before).filter(|_| is_own).and_then(|(_, rest)| rest.split_once(after));
    Ok(label.map_or(Found::Other, |(label, _)| Found::Report(label.to_owned())))
}

/// Whether a file in a run is a report that readers leave aside, and so no input; what is in no format that
/// readers know is none either.
pub(super) fn is_own(path: &Path) -> bool {
    let has = |marks: &[&str]| {
        let content = bytes(path).ok().flatten().unwrap_or_default();
        content.trim_ascii().is_empty()
            || marks.iter().any(|mark| memchr::memmem::find(&content, mark.as_bytes()).is_some())
    };
    match path.extension().and_then(OsStr::to_str).unwrap_or_default() {
        "json" => has(&["\"schema\": \"reportgen.", "\"schema\":\"reportgen."]),
        "md" => has(&["<!-- reportgen:report ", "```bash\nreportgen "]),
        "csv" => {
            has(&[",baseline_run,candidate_run,unit,", "dataset,metric,unit,value,count,n,ci_lo,"])
        }
        "jsonl" | "tsv" | "txt" | "log" | "yaml" => false,
        _ => true,
    }
}

/// Whether the file at a path is no table with the columns of a new one. A table says nothing of
/// itself, so the first columns have to tell; those of coordinates differ from run to run.
///
/// # Errors
/// When it is there and cannot be read.
pub(super) fn is_other_table(path: &Path, new: &str) -> Result<bool, Failure> {
    let old = head(path).map_err(|source| Failure::read(path, source))?;
    Ok(!old.trim().is_empty() && first_columns(&old) != first_columns(new))
}

fn first_columns(table: &str) -> Vec<&str> {
    let first = table.lines().next().unwrap_or_default();
    let columns: Vec<&str> = if first.starts_with('{') {
        first.split("\":").filter_map(|key| key.rsplit('"').next()).collect()
    } else {
        first.split(',').collect()
    };
    columns
        .into_iter()
        .filter(|column| !column.trim_start_matches('"').starts_with("dim."))
        .take(COLUMNS)
        .collect()
}

/// The beginning of a file; nothing where there is none.
fn head(path: &Path) -> io::Result<String> {
    let mut head = Vec::new();
    if path.is_file() {
        File::open(path)?.take(HEAD).read_to_end(&mut head)?;
    }
    Ok(String::from_utf8_lossy(&head).into_owned())
}

/// A copy of a document.
#[derive(Debug)]
pub(super) struct Aside {
    pub(super) path: PathBuf,
    /// Whether it was not there before.
    pub(super) is_new: bool,
}

/// Copies a file beside itself, unless a copy with its content is there already.
///
/// # Errors
/// When it cannot be read or written.
pub(super) fn keep_aside(path: &Path) -> Result<Option<Aside>, Failure> {
    let Some(content) = bytes(path).map_err(|source| Failure::read(path, source))? else {
        return Ok(None);
    };
    for number in 1_u32.. {
        let number = if number == 1 { String::new() } else { format!("-{number}") };
        let mut aside = path.as_os_str().to_owned();
        aside.push(format!(".bak{number}"));
        let aside = PathBuf::from(aside);
        match files::put_new(&aside, &content) {
            Ok(()) => return Ok(Some(Aside { path: aside, is_new: true })),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(source) => return Err(Failure::write(&aside, source)),
        }
        if bytes(&aside).is_ok_and(|there| there.as_ref() == Some(&content)) {
            return Ok(Some(Aside { path: aside, is_new: false }));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_known_by_its_first_columns_whatever_its_coordinates() {
        let dir = tempfile::tempdir().expect("temporary directory");
        let path = dir.path().join("report.csv");
        let new = "metric,dataset,dim.step,baseline_run,candidate_run,unit\n";
        for (old, is_other) in [
            ("metric,dataset,baseline_run,candidate_run,n,more\nf1,a\n", false),
            ("metric,dataset,\"dim.a b\",baseline_run,candidate_run\n", false),
            ("", false),
            ("\n", false),
            ("metric,dataset\n", true),
            ("step,value,n,ci_lo,ci_hi\n", true),
            ("name,age\n", true),
            (r#"{"metric":"a, b","dataset":null,"baseline_run":"x","candidate_run":1}"#, false),
            (
                r#"{"metric":"a","dim.step":1,"dataset":"d","baseline_run":"x","candidate_run":"#,
                false,
            ),
            (r#"{"id":"a","correct":1,"prompt":"p","response":"r"}"#, true),
        ] {
            fs::write(&path, old).expect("written");
            assert_eq!(is_other_table(&path, new).expect("read"), is_other, "{old}");
        }
        fs::remove_file(&path).expect("gone");
        assert!(!is_other_table(&path, new).expect("nothing there"));
    }
}
