//! Documents that people wrote: how a command would change them, and the change itself.

use std::path::Path;

use similar::TextDiff;

use crate::exit::Failure;
use crate::output::{refuse_link, write_whole};
use crate::render::clean_lines;

/// Lines around a change that a diff shows.
const CONTEXT: usize = 3;

/// A mark of byte order, which may begin a document.
const BYTE_ORDER: &str = "\u{feff}";

/// A unified diff without what a terminal would obey. Lines end as they do in the document, so that it can
/// be applied.
pub(super) fn diff(path: &str, before: &str, after: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    let diff = diff.unified_diff().context_radius(CONTEXT).header(path, path).to_string();
    let lines = diff.split_inclusive('\n').map(|line| {
        let text = line.trim_end_matches(['\r', '\n']);
        // The mark stands behind the sign of the diff.
        let (sign, rest) = text.split_at_checked(1).unwrap_or((text, ""));
        let (mark, rest) = match rest.strip_prefix(BYTE_ORDER) {
            Some(rest) => (BYTE_ORDER, rest),
            None => ("", rest),
        };
        let rest = clean_lines(rest).replace('\n', " ");
        [sign, mark, &rest, line.get(text.len()..).unwrap_or_default()].concat()
    });
    lines.collect()
}

/// Puts the new text in the place of a document.
///
/// # Errors
/// When it is a link, or cannot be written.
pub(super) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let written = refuse_link(path).and_then(|()| write_whole(path, text));
    written.map_err(|source| Failure::write(path, source))
}
