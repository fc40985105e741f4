//! What a sample was made from, as hashes.

use std::num::NonZeroU64;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use xxhash_rust::xxh3::xxh3_64;

use super::sparse;
use crate::model::packed::{self, Row};

/// Hash of content. Comparable only between hashes made the same way: written by the same producer,
/// or computed here from the decoded text.
pub type ContentHash = NonZeroU64;

/// Hashes of a sample's content, where it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ContentHashes {
    pub prompt: Option<ContentHash>,
    /// Of the target or reference answer.
    pub target: Option<ContentHash>,
    /// Of the whole document the sample was made from.
    pub document: Option<ContentHash>,
}

impl Row<3> for ContentHashes {
    fn numbers(&self) -> [u64; 3] {
        [self.prompt, self.target, self.document].map(|hash| hash.map_or(0, ContentHash::get))
    }

    fn from_numbers(numbers: [u64; 3]) -> Option<Self> {
        let [prompt, target, document] = numbers.map(ContentHash::new);
        Some(Self { prompt, target, document })
    }
}

impl ContentHashes {
    pub fn hash_bytes(content: &[u8]) -> ContentHash {
        NonZeroU64::new(xxh3_64(content)).unwrap_or(NonZeroU64::MIN)
    }

    /// Hash of a text: that of its shortest JSON form between the quotes, so that a reader of JSON
    /// need not decode what it hashes. Equal to [`Self::hash_bytes`] for a text without quotes, backslashes
    /// and control characters.
    pub fn hash_text(text: &str) -> ContentHash {
        let mut quoted = String::new();
        let mut rest = text;
        // Whole stretches are copied: a text of some hundred bytes holds a few special ones.
        while let Some(at) = first_special(rest.as_bytes()) {
            quoted.reserve(rest.len() + rest.len() / 8);
            let (plain, special) = rest.split_at(at);
            quoted.push_str(plain);
            special.bytes().take(1).for_each(|byte| push_escaped(byte, &mut quoted));
            rest = special.get(1..).unwrap_or_default();
        }
        if quoted.is_empty() {
            return Self::hash_bytes(text.as_bytes());
        }
        quoted.push_str(rest);
        Self::hash_bytes(quoted.as_bytes())
    }
}

/// Where the first byte stands that a JSON string escapes.
fn first_special(bytes: &[u8]) -> Option<usize> {
    let (words, rest) = bytes.as_chunks::<8>();
    for (word, at) in words.iter().zip((0..).step_by(8)) {
        let specials = specials(u64::from_le_bytes(*word));
        if specials != 0 {
            return Some(at + specials.trailing_zeros() as usize / 8);
        }
    }
    let is_special = |byte: &u8| *byte < b' ' || *byte == b'"' || *byte == b'\\';
    rest.iter().position(is_special).map(|at| bytes.len() - rest.len() + at)
}

/// The highest bits of bytes that a JSON string escapes, of eight at once; what is said of bytes behind the first
/// of them may be wrong.
///
/// Subtraction borrows from the next byte where one is too small: Warren, Hacker's Delight, 6-1.
fn specials(word: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let below = |word: u64, least: u8| word.wrapping_sub(EACH * u64::from(least)) & !word;
    let is = |byte: u8| below(word ^ (EACH * u64::from(byte)), 1);
    (below(word, b' ') | is(b'"') | is(b'\\')) & (EACH * 0x80)
}

/// The shortest escape sequence of a character that cannot stand in a JSON string.
fn push_escaped(byte: u8, quoted: &mut String) {
    match byte {
        b'"' => quoted.push_str("\\\""),
        b'\\' => quoted.push_str("\\\\"),
        b'\n' => quoted.push_str("\\n"),
        b'\r' => quoted.push_str("\\r"),
        b'\t' => quoted.push_str("\\t"),
        0x8 => quoted.push_str("\\b"),
        0xC => quoted.push_str("\\f"),
        control => {
            quoted.push_str("\\u00");
            quoted.extend(char::from_digit(u32::from(control) >> 4, 16));
            quoted.extend(char::from_digit(u32::from(control) & 0xF, 16));
        }
    }
}

/// The hashes of every row of a table, part by part: a part that no row has costs nothing.
#[derive(Debug, Clone, Default)]
pub(super) struct ContentColumns {
    rows: usize,
    prompts: Vec<Option<ContentHash>>,
    targets: Vec<Option<ContentHash>>,
    documents: Vec<Option<ContentHash>>,
}

impl ContentColumns {
    pub(super) fn len(&self) -> usize {
        self.rows
    }

    /// Those of a row; past the end nothing is known.
    pub(super) fn get(&self, row: usize) -> ContentHashes {
        let [prompt, target, document] = [&self.prompts, &self.targets, &self.documents]
            .map(|part| part.get(row).copied().flatten());
        ContentHashes { prompt, target, document }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = ContentHashes> {
        (0..self.rows).map(|row| self.get(row))
    }

    pub(super) fn push(&mut self, hashes: ContentHashes) {
        self.rows += 1;
        sparse::set_last(&mut self.prompts, self.rows, hashes.prompt);
        sparse::set_last(&mut self.targets, self.rows, hashes.target);
        sparse::set_last(&mut self.documents, self.rows, hashes.document);
    }

    pub(super) fn extend(&mut self, other: Self) {
        let (rows, added) = (self.rows, other.rows);
        sparse::extend(&mut self.prompts, rows, other.prompts, added);
        sparse::extend(&mut self.targets, rows, other.targets, added);
        sparse::extend(&mut self.documents, rows, other.documents, added);
        self.rows += added;
    }

    /// Those of some rows.
    pub(super) fn picked(&self, rows: &[u32]) -> Self {
        let [prompts, targets, documents] =
            [&self.prompts, &self.targets, &self.documents].map(|part| sparse::picked(part, rows));
        Self { rows: rows.len(), prompts, targets, documents }
    }

    pub(super) fn shrink_to_fit(&mut self) {
        for part in [&mut self.prompts, &mut self.targets, &mut self.documents] {
            part.shrink_to_fit();
        }
    }

    /// What tells samples of one table apart: prompts and documents.
    pub(super) fn own_mut(&mut self) -> impl Iterator<Item = &mut Option<ContentHash>> {
        self.prompts.iter_mut().chain(&mut self.documents)
    }

    pub(super) fn targets_mut(&mut self) -> impl Iterator<Item = &mut Option<ContentHash>> {
        self.targets.iter_mut()
    }
}

impl FromIterator<ContentHashes> for ContentColumns {
    fn from_iter<T: IntoIterator<Item = ContentHashes>>(rows: T) -> Self {
        let mut all = Self::default();
        rows.into_iter().for_each(|hashes| all.push(hashes));
        all
    }
}

impl Serialize for ContentColumns {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        packed::rows::serialize(&self.iter().collect::<Vec<_>>(), serializer)
    }
}

impl<'de> Deserialize<'de> for ContentColumns {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let rows: Vec<ContentHashes> = packed::rows::deserialize(deserializer)?;
        Ok(rows.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_byte_that_is_escaped_is_found_among_any_others() {
        let is_special = |byte: &u8| *byte < b' ' || *byte == b'"' || *byte == b'\\';
        let all: Vec<u8> = (0..=u8::MAX).collect();
        for length in 0..20 {
            for start in 0..=all.len() {
                // Each byte beside each of its neighbours, and far from them.
                let bytes: Vec<u8> = all
                    .iter()
                    .cycle()
                    .skip(start)
                    .step_by(length % 3 + 1)
                    .take(length)
                    .copied()
                    .collect();
                assert_eq!(first_special(&bytes), bytes.iter().position(is_special), "{bytes:?}");
            }
        }
        for special in all.iter().filter(|byte| is_special(byte)) {
            for at in 0..30 {
                for around in [b' ', b'!', b'#', b'[', b']', 0x7f, 0x80, 0xa0, 0xff] {
                    let mut bytes = [around; 30];
                    bytes[at] = *special;
                    assert_eq!(first_special(&bytes), Some(at), "{bytes:?}");
                }
            }
        }
    }

    /// The oracle is `serde_json`, which writes the shortest form.
    #[test]
    fn a_text_has_the_hash_of_its_shortest_json_form() {
        let controls: String = ('\0'..=' ').collect();
        let long =
            "a text without quotes, of more than one chunk of bytes, \"and then\" one with them\n";
        for text in
            ["", "plain 中文", "\"", "a \"b\"\\\n\tc 中\n", controls.as_str(), "\u{7f}/\n", long]
        {
            let json = serde_json::to_string(text).expect("serialises");
            let inner = json.get(1..json.len() - 1).expect("quotes");
            assert_eq!(
                ContentHashes::hash_text(text),
                ContentHashes::hash_bytes(inner.as_bytes()),
                "{text}"
            );
        }
    }
}
