//! One value of a record, whatever format it was written in, and what it says as a score.

use crate::model::{ContentHash, ContentHashes, SCORE_WORDS};

/// A value as far as samples need to tell them apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum RecordValue<'a> {
    Null,
    Bool(bool),
    /// A number, not necessarily finite, and how it was written.
    Number {
        value: f64,
        /// As written; ids keep this form.
        text: &'a str,
    },
    Text(&'a str),
    /// A text in its shortest JSON form, which is what content hashes are made of.
    Quoted(&'a str),
    /// A list or an object, as JSON.
    Composite(&'a str),
}

/// A value read as a score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum RecordScore {
    Finite(f64),
    Infinite(f64),
    NotANumber,
    /// Something that is no single number.
    Unusable,
    Absent,
}

impl RecordScore {
    fn from_number(number: f64) -> Self {
        match number {
            _ if number.is_nan() => Self::NotANumber,
            _ if number.is_infinite() => Self::Infinite(number),
            _ => Self::Finite(number),
        }
    }
}

impl<'a> RecordValue<'a> {
    /// The value of a cell of a table that knows no types: empty is nothing.
    pub(crate) fn from_cell(cell: &'a str) -> Self {
        let text = cell.trim();
        match text {
            "" => Self::Null,
            "true" | "True" | "TRUE" => Self::Bool(true),
            "false" | "False" | "FALSE" => Self::Bool(false),
            _ => match text.parse() {
                // `parse` also takes words such as "infinity", which a text column may hold.
                Ok(value) if text.bytes().any(|byte| byte.is_ascii_digit()) => {
                    Self::Number { value, text }
                }
                _ => Self::Text(cell),
            },
        }
    }

    /// The value as a text, where it is one or has one form only.
    pub(crate) fn text(self) -> Option<&'a str> {
        match self {
            Self::Null => None,
            Self::Bool(true) => Some("true"),
            Self::Bool(false) => Some("false"),
            Self::Number { text, .. }
            | Self::Text(text)
            | Self::Quoted(text)
            | Self::Composite(text) => Some(text),
        }
    }

    /// The finite number, if it is one or spells one.
    pub(crate) fn number(self) -> Option<f64> {
        match self {
            Self::Number { value, .. } => Some(value),
            Self::Text(text) => text.trim().parse().ok(),
            _ => None,
        }
        .filter(|number: &f64| number.is_finite())
    }

    /// The truth value, if it is one or spells one.
    pub(crate) fn truth(self) -> Option<bool> {
        match self {
            Self::Bool(truth) => Some(truth),
            Self::Number { value, .. } if value == 0.0 || value == 1.0 => Some(value == 1.0),
            Self::Text(text) if text.eq_ignore_ascii_case("true") => Some(true),
            Self::Text(text) if text.eq_ignore_ascii_case("false") => Some(false),
            _ => None,
        }
    }

    /// What the value says as a score. Texts and composites say something only in a field that is
    /// known to be a score; elsewhere they are simply not scores.
    pub(crate) fn score(self, known: bool) -> RecordScore {
        match self {
            Self::Bool(truth) => RecordScore::Finite(f64::from(u8::from(truth))),
            Self::Number { value, .. } => RecordScore::from_number(value),
            Self::Text(text) => text_score(text.trim(), known),
            Self::Composite(_) if known => RecordScore::Unusable,
            Self::Null | Self::Quoted(_) | Self::Composite(_) => RecordScore::Absent,
        }
    }
}

fn text_score(text: &str, known: bool) -> RecordScore {
    match text {
        "nan" | "NaN" => return RecordScore::NotANumber,
        "inf" | "Infinity" => return RecordScore::Infinite(f64::INFINITY),
        "-inf" | "-Infinity" => return RecordScore::Infinite(f64::NEG_INFINITY),
        _ if !known => return RecordScore::Absent,
        "" => return RecordScore::Absent,
        _ => {}
    }
    if let Ok(number) = text.parse::<f64>() {
        return RecordScore::from_number(number);
    }
    let is = |word: &&str| text.eq_ignore_ascii_case(word);
    let said = SCORE_WORDS
        .iter()
        .find(|(letters, words, _)| letters.contains(&text) || words.iter().any(is));
    said.map_or(RecordScore::Unusable, |(.., score)| RecordScore::Finite(*score))
}

/// An id without the `.0` that a data frame with missing values adds to whole numbers.
pub(super) fn whole(id: RecordValue<'_>) -> RecordValue<'_> {
    let (RecordValue::Text(text) | RecordValue::Quoted(text) | RecordValue::Number { text, .. }) =
        id
    else {
        return id;
    };
    whole_text(text).map_or(id, RecordValue::Text)
}

/// The digits before a `.0`, where there is nothing else.
pub(crate) fn whole_text(id: &str) -> Option<&str> {
    let is_whole =
        |digits: &&str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    id.strip_suffix(".0").filter(is_whole)
}

/// Hash of what is written, which is equal however it is written; `None` where nothing is.
pub(super) fn hash_of(value: RecordValue<'_>) -> Option<ContentHash> {
    let text = value.text().filter(|text| !text.is_empty())?;
    Some(match value {
        RecordValue::Text(text) => ContentHashes::hash_text(text),
        _ => ContentHashes::hash_bytes(text.as_bytes()),
    })
}

/// Hash of a text without regard to ASCII case and to how its words are spaced; `None` where there is
/// no text.
pub(super) fn hash_alike(value: RecordValue<'_>) -> Option<ContentHash> {
    let (text, is_escaped) = match value {
        RecordValue::Text(text) => (text, false),
        RecordValue::Quoted(text) => (text, true),
        _ => return None,
    };
    let mut folded = vec![0; text.len()];
    let (mut length, mut was_space) = (0, true);
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let byte = match byte {
            b'\\' if is_escaped => match bytes.next() {
                Some(b'n' | b't' | b'r') => b' ',
                other => other.unwrap_or(byte),
            },
            byte => byte.to_ascii_lowercase(),
        };
        // Without a branch: where a word ends cannot be foreseen.
        let is_space = byte <= b' ';
        if let Some(next) = folded.get_mut(length) {
            *next = if is_space { b' ' } else { byte };
        }
        length += usize::from(!(is_space && was_space));
        was_space = is_space;
    }
    folded.truncate(length);
    let folded = folded.trim_ascii_end();
    (!folded.is_empty()).then(|| ContentHashes::hash_bytes(folded))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spacing_and_case_leave_a_text_alike_and_words_do_not() {
        let plain = hash_alike(RecordValue::Text("What is\n2 + 2?"));
        for same in ["what  IS 2 + 2? ", " What is\t2 + 2?"] {
            assert_eq!(hash_alike(RecordValue::Text(same)), plain, "{same}");
        }
        assert_eq!(hash_alike(RecordValue::Quoted(r"What is\n\n2 + 2?")), plain);
        for other in ["What is 2 + 3?", "What is 2+2?", "Whatis 2 + 2?"] {
            assert_ne!(hash_alike(RecordValue::Text(other)), plain, "{other}");
        }
        assert_eq!(hash_alike(RecordValue::Text(" \n")), None);
        let formula = hash_alike(RecordValue::Quoted(r"\\nu \"));
        assert_eq!(hash_alike(RecordValue::Text("\\nu \\")), formula);
    }

    #[test]
    fn texts_are_scores_only_where_a_score_is_known_to_stand() {
        for (text, known, unknown) in [
            ("pass", RecordScore::Finite(1.0), RecordScore::Absent),
            ("Failed", RecordScore::Finite(0.0), RecordScore::Absent),
            ("C", RecordScore::Finite(1.0), RecordScore::Absent),
            ("I", RecordScore::Finite(0.0), RecordScore::Absent),
            ("0.25", RecordScore::Finite(0.25), RecordScore::Absent),
            ("nan", RecordScore::NotANumber, RecordScore::NotANumber),
            (
                "-inf",
                RecordScore::Infinite(f64::NEG_INFINITY),
                RecordScore::Infinite(f64::NEG_INFINITY),
            ),
            ("1e999", RecordScore::Infinite(f64::INFINITY), RecordScore::Absent),
            ("maybe", RecordScore::Unusable, RecordScore::Absent),
            (" ", RecordScore::Absent, RecordScore::Absent),
        ] {
            assert_eq!(RecordValue::Text(text).score(true), known, "{text}");
            assert_eq!(RecordValue::Text(text).score(false), unknown, "{text}");
        }
    }

    #[test]
    fn cells_are_typed_by_what_they_hold() {
        for (cell, expected) in [
            ("", RecordValue::Null),
            ("True", RecordValue::Bool(true)),
            ("007", RecordValue::Number { value: 7.0, text: "007" }),
            ("1e-3", RecordValue::Number { value: 0.001, text: "1e-3" }),
            ("infinity", RecordValue::Text("infinity")),
            (" a b", RecordValue::Text(" a b")),
        ] {
            assert_eq!(RecordValue::from_cell(cell), expected);
        }
    }
}
