//! What a sample was made from, as hashes.

use std::num::NonZeroU64;

use xxhash_rust::xxh3::xxh3_64;

use crate::model::packed::Row;

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
        let is_special = |byte: u8| byte < b' ' || byte == b'"' || byte == b'\\';
        let mut quoted = String::new();
        let mut rest = text;
        // Whole stretches are copied: a text of some hundred bytes holds a few special ones.
        while let Some(at) = rest.bytes().position(is_special) {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The oracle is `serde_json`, which writes the shortest form.
    #[test]
    fn a_text_has_the_hash_of_its_shortest_json_form() {
        let controls: String = ('\0'..=' ').collect();
        for text in ["", "plain 中文", "\"", "a \"b\"\\\n\tc 中\n", controls.as_str(), "\u{7f}/\n"]
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
