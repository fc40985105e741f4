//! Figures with one right value, mended.

use std::path::PathBuf;

use super::Checked;
use super::documents::{Coding, STANDARD_INPUT};
use crate::cli::args::{LintArguments, LintFormat};
use crate::cli::edited;
use crate::exit::Failure;
use crate::lint;

/// Refuses to mend what cannot be written, or in a format that has no place for it.
pub(super) fn check(arguments: &LintArguments) -> Result<(), Failure> {
    let is_input = |path: &PathBuf| path.as_os_str() == STANDARD_INPUT;
    if arguments.write && arguments.documents.iter().any(is_input) {
        return Err(Failure::refused("refused.lint-write-input", &[]));
    }
    if arguments.fix
        && !arguments.write
        && arguments.format.is_some_and(|format| format != LintFormat::Text)
    {
        return Err(Failure::refused("refused.lint-fix-format", &[]));
    }
    Ok(())
}

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
    (one.document.coding == Coding::Utf8 && mended != *text).then_some(mended)
}
