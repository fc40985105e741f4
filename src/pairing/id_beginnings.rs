//! What several ids begin with, such as `doc12` of `doc12_q3`: it may say a cluster. Of three parts
//! and more, such as those of `book1/ch3/q7`, the first may say it or all but the last.

use super::partners::PairedRows;
use super::repeated::shared_with_others;
use crate::model::{ContentHashes, SampleTable};

/// What stands between the parts of an id.
const SEPARATORS: &[u8] = b"/_-#:";

/// Fewest beginnings: fewer are parts of the dataset, or names of it.
const FEWEST_BEGINNINGS: usize = 6;

/// Fewest ids that begin alike, on average.
const FEWEST_ALIKE: usize = 2;

/// Ids that are looked at before all are: mostly they begin alike throughout, or have one part.
const PROBED: usize = 64;

/// Where the beginning of an id ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BeginningEnd {
    LastSeparator,
    /// The first one, where ids have several.
    FirstSeparator,
}

/// What the ids of several pairs begin with.
pub(super) struct Beginnings {
    /// For each pair a number that those which begin alike share; 0 for an id of one part.
    pub(super) labels: Vec<u64>,
    /// One of them, with its separator.
    pub(super) example: String,
}

/// What ids begin with, up to that separator. `None` where most have one part, or few begin as others
/// do.
pub(super) fn beginnings(
    table: &SampleTable,
    join: &PairedRows,
    end: BeginningEnd,
) -> Option<Beginnings> {
    let id = |&(row, _): &(u32, u32)| table.id(row as usize);
    let beginning = |pair: &(u32, u32)| beginning(id(pair), end);
    let step = (join.pairs.len() / PROBED).max(1);
    let probed = || join.pairs.iter().step_by(step);
    let first = probed().find_map(beginning)?;
    probed().filter_map(beginning).find(|other| *other != first)?;
    if end == BeginningEnd::FirstSeparator {
        let up_to_last = |pair| self::beginning(id(pair), BeginningEnd::LastSeparator);
        probed().find(|pair| up_to_last(pair) != beginning(pair))?;
    }
    let number = |text: &str| ContentHashes::hash_bytes(text.as_bytes()).get();
    let labels: Vec<u64> =
        join.pairs.iter().map(|pair| beginning(pair).map_or(0, number)).collect();
    let known: Vec<u64> = labels.iter().copied().filter(|&label| label != 0).collect();
    let mut alike = shared_with_others(&known);
    // Were fewer not alone, there could not be two to each on average.
    if 2 * known.len() < labels.len() || FEWEST_ALIKE * alike.len() < known.len() {
        return None;
    }
    let alone = known.len() - alike.len();
    alike.sort_unstable();
    alike.dedup();
    let values = alone + alike.len();
    (values >= FEWEST_BEGINNINGS && FEWEST_ALIKE * values <= known.len())
        .then(|| Beginnings { labels, example: first.to_owned() })
}

/// What stands before a separator that is not the first byte, and the separator.
fn beginning(id: &str, end: BeginningEnd) -> Option<&str> {
    let separates = |&(at, byte): &(usize, u8)| at > 0 && SEPARATORS.contains(&byte);
    let mut separators = id.bytes().enumerate().filter(separates).map(|(at, _)| at);
    let at = match end {
        BeginningEnd::FirstSeparator => separators.next(),
        BeginningEnd::LastSeparator => separators.next_back(),
    };
    id.get(..=at?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_begins_with_what_stands_up_to_a_separator() {
        for (id, first, last) in [
            ("doc12_q3", Some("doc12_"), Some("doc12_")),
            ("passage_7/2", Some("passage_"), Some("passage_7/")),
            ("a-1", Some("a-"), Some("a-")),
            ("Codeforces/9001/A", Some("Codeforces/"), Some("Codeforces/9001/")),
            ("p#é:ü", Some("p#"), Some("p#é:")),
            ("17", None, None),
            ("_17", None, None),
            ("", None, None),
        ] {
            assert_eq!(beginning(id, BeginningEnd::FirstSeparator), first, "{id}");
            assert_eq!(beginning(id, BeginningEnd::LastSeparator), last, "{id}");
        }
    }
}
