//! Which questions a run answered, in so few numbers that they are remembered of every run.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::model::{Run, SampleTable};

/// How many hashes are kept: with 64, a share of nine tenths is told from one of a half.
const KEPT: usize = 64;

/// The smallest hashes of ids with what they ask, in order: of two runs, about as large a share of these
/// is the same as of all questions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Questions(Vec<u64>);

impl Questions {
    pub fn of(run: &Run) -> Self {
        let mut hashes: Vec<u64> = run.content.samples.iter().flat_map(of_table).collect();
        hashes.sort_unstable();
        hashes.dedup();
        hashes.truncate(KEPT);
        Self(hashes)
    }

    /// A name for them.
    pub(super) fn digest(&self) -> String {
        let bytes: Vec<u8> = self.0.iter().flat_map(|hash| hash.to_le_bytes()).collect();
        format!("{:08x}", xxh3_64(&bytes) >> 32)
    }

    /// Whether nothing is known of them.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether they are the same but for a few that were corrected, or are missing; also where that is
    /// not known.
    pub fn can_be(&self, other: &Self) -> bool {
        if self.is_empty() || other.is_empty() {
            return true;
        }
        let mut all: Vec<u64> = self.0.iter().chain(&other.0).copied().collect();
        all.sort_unstable();
        all.dedup();
        all.truncate(KEPT);
        let is_shared =
            |hash: &&u64| [self, other].iter().all(|one| one.0.binary_search(hash).is_ok());
        all.iter().filter(is_shared).count() * 4 >= all.len() * 3
    }
}

/// What the same prompt is filled with says more than the prompt, which may hold the date.
fn of_table(table: &SampleTable) -> impl Iterator<Item = u64> {
    let dataset = table.dataset.as_deref().unwrap_or_default();
    table.id_hashes().iter().enumerate().filter_map(move |(row, id)| {
        let hashes = table.hashes(row);
        let content = hashes.document.or(hashes.target).or(hashes.prompt)?;
        let parts = [&content.get().to_le_bytes()[..], &id.to_le_bytes(), dataset.as_bytes()];
        Some(xxh3_64(&parts.concat()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_the_same_but_for_a_few() {
        let questions = |hashes: &mut dyn Iterator<Item = u64>| {
            let mut hashes: Vec<u64> = hashes.map(|n| xxh3_64(&n.to_le_bytes())).collect();
            hashes.sort_unstable();
            hashes.truncate(KEPT);
            Questions(hashes)
        };
        let all = questions(&mut (0..400));
        for (name, other, expected) in [
            ("the same", questions(&mut (0..400)), true),
            ("not known", Questions::default(), true),
            ("some are missing", questions(&mut (0..380)), true),
            ("a few were corrected", questions(&mut (8..408)), true),
            ("half of them are others", questions(&mut (200..600)), false),
            ("others", questions(&mut (400..800)), false),
        ] {
            assert_eq!((all.can_be(&other), other.can_be(&all)), (expected, expected), "{name}");
        }
    }
}
