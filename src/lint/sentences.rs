//! Sentences of running text, a line at a time: what an editor wraps is two.

use crate::marked::outside_of_fences;

/// Signs that end what belongs together.
const ENDS: [char; 6] = ['。', '；', ';', '！', '!', '？'];

/// The sentences outside of fenced code, each with the byte at which it begins.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = (usize, &str)> {
    outside_of_fences(text).flat_map(|(start, line)| {
        let parts = line.split(". ").flat_map(|part| part.split_inclusive(ENDS));
        parts.map(move |part| (start + part.as_ptr().addr() - line.as_ptr().addr(), part))
    })
}
