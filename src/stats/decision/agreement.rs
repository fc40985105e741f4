//! What a reader must know about an interval and a test that stand side by side.

use crate::stats::{Interval, Note, Test};

/// [`Note::Unattainable`] and [`Note::Borderline`] where they hold.
pub(super) fn notes(interval: Option<Interval>, test: Option<Test>, alpha: f64) -> Vec<Note> {
    let Some(test) = test else {
        return Vec::new();
    };
    let mut notes = Vec::new();
    if test.attainable.is_some_and(|attainable| attainable > alpha) {
        notes.push(Note::Unattainable);
    }
    if interval.is_some_and(|interval| interval.excludes(0.0) != (test.p <= alpha)) {
        notes.push(Note::Borderline);
    }
    notes
}
