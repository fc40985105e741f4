//! Fields of a record that several names can fill, by which of them counts.

use super::names::{PROMPTS, QUESTIONS};
use super::value::RecordValue;
use crate::model::ContentHash;

/// A field that several names can fill; the name of lowest rank wins.
#[derive(Debug, Default)]
pub(super) struct Ranked<T, R = u8> {
    /// Rank of the name that filled it.
    pub(super) filled_by: Option<R>,
    pub(super) value: T,
}

impl<T, R: Copy + PartialOrd> Ranked<T, R> {
    /// The slot to write to when a name of that rank may fill it; of one name written twice the
    /// last counts.
    pub(super) fn claim(&mut self, rank: R) -> Option<&mut T> {
        if !self.is_open(rank) {
            return None;
        }
        self.filled_by = Some(rank);
        Some(&mut self.value)
    }

    pub(super) fn is_open(&self, rank: R) -> bool {
        self.filled_by.is_none_or(|known| known >= rank)
    }

    pub(super) fn get(&self) -> Option<&T> {
        self.filled_by.is_some().then_some(&self.value)
    }
}

/// Where a hash of content comes from, the surest first.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub(super) enum HashOrigin {
    /// The producer wrote it.
    #[default]
    Written,
    /// Made of the field whose name has that rank.
    Field(u8),
}

impl HashOrigin {
    /// Whether it is a field with the bare question.
    pub(super) fn is_question(self) -> bool {
        match self {
            Self::Written => false,
            Self::Field(rank) => {
                PROMPTS.get(usize::from(rank)).is_some_and(|name| QUESTIONS.contains(name))
            }
        }
    }
}

pub(super) type RankedHash = Ranked<Option<ContentHash>, HashOrigin>;

pub(super) fn set_hash(slot: &mut RankedHash, origin: HashOrigin, hash: Option<ContentHash>) {
    if hash.is_some()
        && let Some(slot) = slot.claim(origin)
    {
        *slot = hash;
    }
}

/// Puts a text or a number as written into a slot, unless it was filled by a name that counts more.
pub(super) fn set_text(slot: &mut Ranked<String>, rank: u8, value: RecordValue<'_>) {
    if let RecordValue::Text(text) | RecordValue::Number { text, .. } = value
        && !text.is_empty()
        && let Some(slot) = slot.claim(rank)
    {
        text.clone_into(slot);
    }
}

/// The field whose name has that place in a list.
pub(super) fn rank_in<M>(names: &[&str], name: &str, field: impl FnOnce(u8) -> M) -> Option<M> {
    names.iter().position(|known| *known == name).map(|rank| field(rank as u8))
}
