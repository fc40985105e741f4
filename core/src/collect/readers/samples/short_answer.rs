//! Answers that can be set against the right one whatever a scorer makes of spellings: the same text,
//! or another letter where one is to be chosen.

use super::value::RecordValue;
use crate::model::{AnswerMatch, ContentHash, ContentHashes};

/// Longer answers are prose.
const LONGEST: usize = 240;

/// An answer as it can be set against another.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ShortAnswer {
    /// Of its text without white space around it.
    pub(super) hash: Option<ContentHash>,
    /// The only letter or digit in it, as in `(A)`.
    choice: Option<u8>,
}

impl ShortAnswer {
    /// A long answer is none of these.
    pub(super) fn from_value(value: RecordValue<'_>) -> Self {
        let whole = match value {
            RecordValue::Number { value, text } if value.fract() == 0.0 => {
                text.split_once('.').map_or(text, |(whole, _)| whole)
            }
            RecordValue::Composite(_) => return Self::default(),
            value => value.text().unwrap_or_default(),
        };
        let text = whole.trim();
        let mut marks = text.bytes().filter(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80);
        let choice = marks.next().filter(|_| marks.next().is_none());
        Self {
            hash: (1..=LONGEST)
                .contains(&text.len())
                .then(|| ContentHashes::hash_bytes(text.as_bytes())),
            choice: choice.filter(u8::is_ascii).map(|mark| mark.to_ascii_lowercase()),
        }
    }

    pub(super) fn compared_with(self, expected: Self) -> AnswerMatch {
        let choices = self.choice.zip(expected.choice);
        let are_of_one_kind = |(a, b): (u8, u8)| a.is_ascii_digit() == b.is_ascii_digit();
        match self.hash {
            Some(own) if Some(own) == expected.hash => AnswerMatch::Same,
            _ if choices.is_some_and(|both| both.0 != both.1 && are_of_one_kind(both)) => {
                AnswerMatch::OtherChoice
            }
            _ => AnswerMatch::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_text_and_another_choice_say_whether_an_answer_is_right() {
        let number = |value, text| RecordValue::Number { value, text };
        for (given, expected, found) in [
            (RecordValue::Text(" Paris "), RecordValue::Text("Paris"), AnswerMatch::Same),
            (RecordValue::Text("paris"), RecordValue::Text("Paris"), AnswerMatch::Unknown),
            (RecordValue::Text("London"), RecordValue::Text("Paris"), AnswerMatch::Unknown),
            (RecordValue::Text("(b)"), RecordValue::Text("B"), AnswerMatch::Unknown),
            (RecordValue::Text("(C)"), RecordValue::Text("B"), AnswerMatch::OtherChoice),
            (RecordValue::Text("1"), RecordValue::Text("B"), AnswerMatch::Unknown),
            (RecordValue::Text("1"), number(1.0, "1.0"), AnswerMatch::Same),
            (number(2.0, "2"), number(1.0, "1"), AnswerMatch::OtherChoice),
            (RecordValue::Null, RecordValue::Null, AnswerMatch::Unknown),
        ] {
            let [own, right] = [given, expected].map(ShortAnswer::from_value);
            assert_eq!(own.compared_with(right), found, "{given:?} {expected:?}");
        }
    }
}
