//! What identifies the records of a table: content, id and question, as hashes.
//!
//! Some 28 bytes a record, so that files of any size can be set against each other.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::packed::{self, Row};

/// How far equal ids show that two records are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum IdStrength {
    /// A number below 10⁸: whatever is counted has it.
    Counter,
    /// A common word and a number, such as `q17` or `test-3`.
    Numbered,
    /// Something that hardly names two things: `HumanEval/12`, a UUID.
    Telling,
}

/// Words that any table may number its records with.
const COMMON_WORDS: &[&str] = &[
    "", "q", "s", "i", "n", "x", "id", "idx", "row", "no", "item", "sample", "example", "ex",
    "question", "problem", "query", "prompt", "task", "doc", "train", "test", "val", "valid",
    "dev", "eval", "case", "data", "line", "index",
];

/// Hash of an id, and how far it can be trusted. 0 stands for "no id".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct IdKey(u64);

impl IdKey {
    /// The key of an id as it is written.
    pub fn new(id: &str) -> Self {
        let id = id.trim();
        if id.is_empty() {
            return Self::default();
        }
        let strength = match strength(id) {
            IdStrength::Counter => 1,
            IdStrength::Numbered => 2,
            IdStrength::Telling => 3,
        };
        Self(xxh3_64(id.as_bytes()) & !3 | strength)
    }

    pub fn is_known(self) -> bool {
        self.0 != 0
    }

    /// How far an equal id shows that records are the same.
    pub fn strength(self) -> IdStrength {
        match self.0 & 3 {
            3 => IdStrength::Telling,
            2 => IdStrength::Numbered,
            _ => IdStrength::Counter,
        }
    }
}

fn strength(id: &str) -> IdStrength {
    let digits = id.bytes().filter(u8::is_ascii_digit).count();
    if digits == id.len() {
        return if digits < 9 { IdStrength::Counter } else { IdStrength::Telling };
    }
    let words = id.split(|c: char| !c.is_alphabetic());
    let common = words
        .into_iter()
        .all(|word| COMMON_WORDS.iter().any(|common| common.eq_ignore_ascii_case(word)));
    if common { IdStrength::Numbered } else { IdStrength::Telling }
}

/// Hash of a question with white space made even, and whether it is long enough that two records
/// hardly share it by chance. 0 stands for "no question".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct TextKey(u64);

/// Shorter questions may well be asked twice.
const TELLING_CHARS: usize = 20;

impl TextKey {
    /// The key of a question; `about` is the hash of the image or passage that it is asked about,
    /// 0 where there is none.
    pub fn new(text: &str, about: u64) -> Self {
        let mut even = String::with_capacity(text.len());
        for word in text.split_whitespace() {
            if !even.is_empty() {
                even.push(' ');
            }
            even.push_str(word);
        }
        if even.is_empty() {
            return Self::default();
        }
        let telling = u64::from(even.chars().nth(TELLING_CHARS - 1).is_some());
        let hash = xxh3_64(even.as_bytes()) ^ about.rotate_left(17);
        Self((hash & !3) | 2 | telling)
    }

    pub fn is_known(self) -> bool {
        self.0 != 0
    }

    pub fn bits(self) -> u64 {
        self.0
    }

    /// Whether equal questions show equal records.
    pub fn is_telling(self) -> bool {
        self.0 & 1 == 1
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RowKey {
    /// Hash of all its fields, whatever their order and the format of the file.
    pub row: u64,
    pub id: IdKey,
    pub text: TextKey,
    /// Line it begins on, or number of the row, counted from 1.
    pub line: u32,
}

impl Row<4> for RowKey {
    fn numbers(&self) -> [u64; 4] {
        [self.row, self.id.0, self.text.0, u64::from(self.line)]
    }

    fn from_numbers([row, id, text, line]: [u64; 4]) -> Option<Self> {
        Some(Self { row, id: IdKey(id), text: TextKey(text), line: line.try_into().ok()? })
    }
}

/// The records of a table in their order, and the files they stand in.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RowKeys {
    #[serde(with = "packed::rows")]
    pub rows: Vec<RowKey>,
    /// Position of the first record of each file, and its path.
    pub parts: Vec<(u32, Arc<str>)>,
}

impl RowKeys {
    /// File and line of the record at that position.
    pub fn place(&self, position: u32) -> (&str, u64) {
        let part = self.parts.iter().rev().find(|(start, _)| *start <= position);
        let line = self.rows.get(position as usize).map_or(0, |row| u64::from(row.line));
        (part.map_or("", |(_, path)| path.as_ref()), line)
    }
}

/// Hashes say nothing to a reader of snapshots and failures.
impl std::fmt::Debug for RowKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let known = |is: fn(&RowKey) -> bool| self.rows.iter().filter(|row| is(row)).count();
        let (ids, texts) = (known(|row| row.id.is_known()), known(|row| row.text.is_known()));
        write!(f, "RowKeys({} rows, {ids} ids, {texts} texts)", self.rows.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_that_anything_may_have_proves_less_than_a_name() {
        for (id, strength) in [
            ("17", IdStrength::Counter),
            ("00000017", IdStrength::Counter),
            ("1234567890", IdStrength::Telling),
            ("q17", IdStrength::Numbered),
            ("test-3", IdStrength::Numbered),
            ("HumanEval/12", IdStrength::Telling),
            ("题17", IdStrength::Telling),
        ] {
            assert_eq!(IdKey::new(id).strength(), strength, "{id}");
        }
        assert!(!IdKey::new(" ").is_known());
    }

    #[test]
    fn questions_are_equal_whatever_their_white_space_and_tell_when_they_are_long() {
        let long = TextKey::new("How many\n  legs does  a spider have?", 0);
        assert_eq!(long, TextKey::new("How many legs does a spider have? ", 0));
        assert!(long.is_telling() && !TextKey::new("2 + 2 = ?", 0).is_telling());
        assert_ne!(long, TextKey::new("How many legs does a spider have?", 7));
        assert!(!TextKey::new(" \n", 0).is_known());
    }
}
