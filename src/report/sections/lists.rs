//! Names and rows of which only the first are shown.

use indexmap::IndexSet;

use crate::text::Catalogue;

/// Most names that one sentence lists in full; of more, half as many.
const MOST_NAMED: usize = 8;

/// The first names and how many there are, where they are many.
pub(super) fn shortened(names: IndexSet<String>, words: &Catalogue) -> String {
    let comma = words.get("punctuation.comma");
    let count = names.len();
    if count <= MOST_NAMED {
        return joined(names, &comma);
    }
    let list = joined(names.into_iter().take(MOST_NAMED / 2).collect(), &comma);
    words.fill("setup.and-more", &[("list", &list), ("count", &count.to_string())])
}

/// The names with commas between them.
pub(super) fn joined(names: IndexSet<String>, comma: &str) -> String {
    names.into_iter().collect::<Vec<_>>().join(comma)
}

/// The first names, and a sign where there are more.
pub(in crate::report) fn first(
    names: impl IntoIterator<Item = String>,
    most: usize,
    words: &Catalogue,
) -> String {
    let mut names = names.into_iter();
    let shown: Vec<String> = names.by_ref().take(most).collect();
    let sign = if names.next().is_some() { "…" } else { "" };
    shown.join(&words.get("punctuation.comma")) + sign
}

/// How many there are besides the `most` that are shown; nothing where these are all.
pub(super) fn more(key: &str, count: usize, most: usize, words: &Catalogue) -> Option<String> {
    (count > most).then(|| words.fill(key, &[("count", count - most)]))
}
