//! What lies where a report will be written: a person's words that have to stay, a report of another
//! kind that must not be replaced unasked, and edits that are kept aside.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use crate::diag::{Code, Diagnostic, Location};
use crate::exit::Failure;
use crate::marked::Unpaired;
use crate::render::{Earlier, Format};
use crate::text::Catalogue;

/// Bytes at the beginning of a report within which its kind is named.
const HEAD: u64 = 4096;

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

/// Refuses to replace a report that says of itself that it is something else.
///
/// # Errors
/// When it does.
pub(super) fn refuse_other(path: &Path, found: Option<&str>, label: &str) -> Result<(), Failure> {
    let Some(found) = found.filter(|found| *found != label) else { return Ok(()) };
    let shown = path.display().to_string();
    let facts = [("path", shown.as_str()), ("found", found), ("wanted", label)];
    Err(Failure::refused("refused.other-report", &facts))
}

/// What a report in HTML or JSON says that it is.
pub(super) fn label_of(path: &Path, format: &dyn Format) -> Option<String> {
    let (before, after) = match format.name() {
        "html" => ("<meta name=\"generator\" content=\"reportgen ", '"'),
        "json" => ("\"kind\": \"", '"'),
        _ => return None,
    };
    let mut head = Vec::new();
    let file = Some(path).filter(|path| path.is_file()).and_then(|path| File::open(path).ok())?;
    file.take(HEAD).read_to_end(&mut head).ok()?;
    let head = String::from_utf8_lossy(&head);
    let is_own = format.name() != "json" || head.contains("\"reportgen.report/");
    let (_, rest) = head.split_once(before).filter(|_| is_own)?;
    rest.split_once(after).map(|(label, _)| label.to_owned())
}

/// Copies a file beside itself, unless a copy with its content is there already; returns the copy.
///
/// # Errors
/// When it cannot be read or written.
pub(super) fn keep_aside(path: &Path) -> Result<Option<PathBuf>, Failure> {
    let Some(content) = bytes(path).map_err(|source| Failure::read(path, source))? else {
        return Ok(None);
    };
    for number in 1_u32.. {
        let number = if number == 1 { String::new() } else { format!("-{number}") };
        let mut aside = path.as_os_str().to_owned();
        aside.push(format!(".bak{number}"));
        let aside = PathBuf::from(aside);
        let written = match File::create_new(&aside) {
            Ok(mut file) => file.write_all(&content),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                if fs::read(&aside).is_ok_and(|there| there == content) {
                    return Ok(Some(aside));
                }
                continue;
            }
            Err(error) => Err(error),
        };
        return match written {
            Ok(()) => Ok(Some(aside)),
            Err(source) => Err(Failure::write(&aside, source)),
        };
    }
    Ok(None)
}
