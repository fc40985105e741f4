//! The ids of a table, one behind the other.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use xxhash_rust::xxh3::xxh3_64;

use crate::model::packed::Packed;

#[derive(Debug, Clone, Default)]
pub(super) struct Ids {
    text: String,
    /// Offsets in bytes behind the start of the stretch that a row belongs to.
    ends: Vec<u32>,
    /// Row and offset at which each further stretch starts: the ids of a large table exceed 4 GiB.
    stretches: Vec<(usize, usize)>,
    hashes: Vec<u64>,
}

/// The most bytes of a stretch.
const STRETCH: usize = 0xffff_ffff;

impl Ids {
    pub(super) fn push(&mut self, id: &str) {
        self.append(id, STRETCH);
        self.hashes.push(xxh3_64(id.as_bytes()));
    }

    /// Where the last stretch starts.
    fn stretch(&self) -> usize {
        self.stretches.last().map_or(0, |(_, start)| *start)
    }

    /// Appends the text of an id, to a stretch of so many bytes at most.
    fn append(&mut self, id: &str, most: usize) {
        let start = self.stretch();
        let before = self.text.len();
        self.text.push_str(id);
        let is_full = self.text.len() - start > most;
        if is_full {
            self.stretches.push((self.ends.len(), before));
        }
        let end = self.text.len() - if is_full { before } else { start };
        self.ends.push(u32::try_from(end).unwrap_or(u32::MAX));
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The id in that row; empty past the end.
    pub(super) fn get(&self, row: usize) -> &str {
        let further = self.stretches.partition_point(|(first, _)| *first <= row);
        let stretch = further.checked_sub(1).and_then(|at| self.stretches.get(at));
        let (first, base) = stretch.copied().unwrap_or_default();
        let end_of = |row: usize| self.ends.get(row).map(|end| base + *end as usize);
        let start = row.checked_sub(1).filter(|before| *before >= first).and_then(end_of);
        let start = start.unwrap_or(base);
        end_of(row).and_then(|end| self.text.get(start..end)).unwrap_or_default()
    }

    pub(super) fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// Whether both have the same ids in the same order.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.ends == other.ends && self.stretches == other.stretches && self.text == other.text
    }

    pub(super) fn extend(&mut self, other: Self) {
        let base = self.text.len() - self.stretch();
        if other.stretches.is_empty() && base + other.text.len() <= STRETCH {
            self.text.push_str(&other.text);
            self.ends.extend(other.ends.iter().map(|end| base as u32 + end));
        } else {
            (0..other.len()).for_each(|row| self.append(other.get(row), STRETCH));
        }
        self.hashes.extend(other.hashes);
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.hashes.shrink_to_fit();
    }

    /// The ids themselves.
    fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|row| self.get(row))
    }
}

impl<'a> FromIterator<&'a str> for Ids {
    fn from_iter<T: IntoIterator<Item = &'a str>>(ids: T) -> Self {
        let mut all = Self::default();
        ids.into_iter().for_each(|id| all.push(id));
        all
    }
}

/// Ids as they are written: the first character of each, then all second ones, and so on. What ids
/// have in common stands side by side, and a counter costs little more than its last digit.
#[derive(Serialize, Deserialize)]
struct Written {
    /// Lengths in characters.
    lengths: Packed,
    characters: String,
}

impl Serialize for Ids {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let lengths: Vec<u64> = self.iter().map(|id| id.chars().count() as u64).collect();
        let mut rows: Vec<_> = self.iter().map(str::chars).collect();
        let mut characters = String::with_capacity(self.text.len());
        while characters.len() < self.text.len() {
            characters.extend(rows.iter_mut().filter_map(Iterator::next));
        }
        Written { lengths: Packed::new(&lengths), characters }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Ids {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Written { lengths, characters } = Written::deserialize(deserializer)?;
        let no_ids = || D::Error::custom("ids that are none");
        let mut left: Vec<u64> = lengths.unpacked().ok_or_else(no_ids)?;
        let mut ids = vec![String::new(); left.len()];
        let mut characters = characters.chars().peekable();
        while characters.peek().is_some() {
            let mut is_stuck = true;
            for (id, left) in ids.iter_mut().zip(&mut left).filter(|(_, left)| **left > 0) {
                id.push(characters.next().ok_or_else(no_ids)?);
                *left -= 1;
                is_stuck = false;
            }
            if is_stuck {
                return Err(no_ids());
            }
        }
        if left.iter().any(|left| *left > 0) {
            return Err(no_ids());
        }
        Ok(ids.iter().map(String::as_str).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ids: &[&str]) {
        let written = serde_json::to_string(&ids.iter().copied().collect::<Ids>()).expect("JSON");
        let read: Ids = serde_json::from_str(&written).expect("ids");
        assert_eq!(read.iter().collect::<Vec<_>>(), ids, "{written}");
    }

    #[test]
    fn ids_of_several_stretches_are_found_by_their_rows() {
        let ids = ["a", "", "bc", "def", "", "ghijk", "l"];
        for most in [1, 2, 3, 5, 100] {
            let mut found = Ids::default();
            for id in ids {
                found.append(id, most);
            }
            assert_eq!(found.iter().collect::<Vec<_>>(), ids, "{most}");
            assert_eq!((found.get(7), found.stretches.is_empty()), ("", most == 100), "{most}");
        }
    }

    #[test]
    fn ids_come_back_as_they_were() {
        check(&[]);
        check(&["", ""]);
        check(&["q9", "q10", "", "题 11\n", "q10"]);
        for json in [
            r#"{"lengths":{"rows":1,"of":"values","digits":"B"},"characters":"ab"}"#,
            r#"{"lengths":{"rows":1,"of":"values","digits":"C"},"characters":"a"}"#,
            r#"{"lengths":{"rows":1,"of":"values","digits":"AB"},"characters":"a"}"#,
        ] {
            let ids = serde_json::from_str::<Ids>(json);
            assert_eq!(ids.is_ok(), json.contains("AB"), "{json}");
        }
    }
}
