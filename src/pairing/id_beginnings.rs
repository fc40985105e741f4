//! What several ids begin with, such as `doc12` of `doc12_q3`: it may say a cluster.

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

/// What the ids of several pairs begin with.
pub(super) struct Beginnings {
    /// For each pair a number that those which begin alike share; 0 for an id of one part.
    pub(super) labels: Vec<u64>,
    /// One of them, with its separator.
    pub(super) example: String,
}

/// What ids begin with, up to the last separator. `None` where most have one part, or few begin as
/// others do.
pub(super) fn beginnings(table: &SampleTable, join: &PairedRows) -> Option<Beginnings> {
    let beginning = |&(row, _): &(u32, u32)| beginning(table.id(row as usize));
    let step = (join.pairs.len() / PROBED).max(1);
    let mut probed = join.pairs.iter().step_by(step).filter_map(beginning);
    let first = probed.next()?;
    probed.find(|other| *other != first)?;
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

/// What stands before the last separator, and the separator.
fn beginning(id: &str) -> Option<&str> {
    let end = id.bytes().rposition(|byte| SEPARATORS.contains(&byte)).filter(|&end| end > 0)?;
    id.get(..=end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_begins_with_what_stands_up_to_its_last_separator() {
        for (id, expected) in [
            ("doc12_q3", Some("doc12_")),
            ("passage_7/2", Some("passage_7/")),
            ("a-1", Some("a-")),
            ("Codeforces/9001/A", Some("Codeforces/9001/")),
            ("p#é:ü", Some("p#é:")),
            ("17", None),
            ("_17", None),
            ("", None),
        ] {
            assert_eq!(beginning(id), expected, "{id}");
        }
    }
}
