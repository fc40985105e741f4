//! Figures with one right value, mended.

use super::Checked;
use crate::cli::edited;
use crate::exit::Failure;
use crate::lint;

/// How a document would change.
pub(super) fn diff(one: &Checked) -> String {
    let document = &one.document;
    mended(one)
        .map_or_else(String::new, |mended| edited::diff(&document.shown, &document.text, &mended))
}

/// Writes a document, where it has something to mend; its new text.
pub(super) fn write(one: &Checked) -> Result<Option<String>, Failure> {
    let (Some(mended), Some(path)) = (mended(one), &one.document.path) else { return Ok(None) };
    edited::write(path, &mended)?;
    Ok(Some(mended))
}

fn mended(one: &Checked) -> Option<String> {
    let text = &one.document.text;
    let mended = lint::fixed(text, &one.findings);
    (one.document.is_whole && mended != *text).then_some(mended)
}
