//! Figures with one right value, mended.

use similar::TextDiff;

use super::Checked;
use crate::exit::Failure;
use crate::lint;
use crate::output::{refuse_link, write_whole};
use crate::render::clean;

/// Lines around a change that the diff shows.
const CONTEXT: usize = 3;

const BYTE_ORDER: &str = "\u{feff}";

/// How a document would change. Line ends are those of the document, so that the diff can be applied.
pub(super) fn diff(one: &Checked) -> String {
    let Some(mended) = mended(one) else { return String::new() };
    let path = &one.document.shown;
    let diff = TextDiff::from_lines(&one.document.text, &mended);
    let diff = diff.unified_diff().context_radius(CONTEXT).header(path, path).to_string();
    let lines = diff.split_inclusive('\n').map(|line| {
        let text = line.trim_end_matches(['\r', '\n']);
        // A mark of byte order begins the document, behind the sign of the diff.
        let (sign, rest) = text.split_at_checked(1).unwrap_or((text, ""));
        let (mark, rest) = match rest.strip_prefix(BYTE_ORDER) {
            Some(rest) => (BYTE_ORDER, rest),
            None => ("", rest),
        };
        [sign, mark, &clean(rest), line.get(text.len()..).unwrap_or_default()].concat()
    });
    lines.collect()
}

/// Writes a document, where it has something to mend; its new text.
pub(super) fn write(one: &Checked) -> Result<Option<String>, Failure> {
    let (Some(mended), Some(path)) = (mended(one), &one.document.path) else { return Ok(None) };
    let written = refuse_link(path).and_then(|()| write_whole(path, &mended));
    written.map_err(|source| Failure::write(path, source))?;
    Ok(Some(mended))
}

fn mended(one: &Checked) -> Option<String> {
    let text = &one.document.text;
    let mended = lint::fixed(text, &one.findings);
    (one.document.is_whole && mended != *text).then_some(mended)
}
