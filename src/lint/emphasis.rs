//! `**` that is shown instead of making text bold, as next to Chinese punctuation.

use super::{Found, Page};
use crate::text::Refusal;

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    let broken = page.document.literal_stars.iter();
    broken
        .map(|(at, text)| {
            let message = Refusal::new("lint.broken-emphasis").with("text", text.as_str());
            Found::at(*at..*at + text.len(), message)
        })
        .collect()
}
