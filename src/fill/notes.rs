//! Notes below a document that a label has the mark of.

use super::labels::Labels;
use super::readings::{Facet, Subject};

const MARKS: &[char] = &['†', '‡', '§', '¶'];

/// Whether a label has a note that was not understood: it may say that figures are of something else.
pub(super) fn has_unknown_note(label: &str, text: &str, labels: &Labels<'_>) -> bool {
    let adds_nothing = |note: &str| {
        let reading = labels.read_around(note);
        let is_side = |facet: &Facet| facet.subject() == Subject::Side;
        reading.is_understood() && reading.foreign.is_none() && reading.facets.iter().all(is_side)
    };
    marks(label).iter().filter_map(|mark| note(mark, text)).any(|note| !adds_nothing(note))
}

/// `[^1]`, `<sup>2</sup>`, `†`.
fn marks(label: &str) -> Vec<String> {
    let signs = label.chars().filter(|c| MARKS.contains(c)).map(String::from);
    let between = |[open, close]: [&str; 2]| {
        let (_, rest) = label.split_once(open)?;
        let (mark, _) = rest.split_once(close)?;
        Some(format!("{open}{mark}{close}"))
    };
    signs.chain([["[^", "]"], ["<sup>", "</sup>"]].into_iter().filter_map(between)).collect()
}

/// What the line says that begins with a mark.
fn note<'t>(mark: &str, text: &'t str) -> Option<&'t str> {
    let lines = text.lines().map(|line| line.trim_start_matches([' ', '*', '_', '\\', '>']));
    let mut notes = lines.filter_map(|line| line.strip_prefix(mark));
    notes.next().map(|note| note.trim_matches([' ', ':', '：', '*', '_']))
}
