//! What stands in the place of an answer: something that a model wrote, nothing, or the message of a
//! program that failed to ask it.

use super::cause::RecordCause;
use super::value::RecordValue;
use crate::model::{ContentHash, ContentHashes};

/// What stands in the places of an answer, and whether one was expected.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct WrittenAnswer {
    text: Option<WrittenText>,
    /// The field of the right answer holds none either.
    nothing_expected: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum WrittenText {
    Nothing,
    /// The message of a program.
    Message,
    Text,
}

/// How programs begin what they write in the place of an answer that they did not get, in lower case
/// and without brackets and quotes.
const MESSAGES: &[&str] = &[
    "error:",
    "error]",
    "error>",
    "error\"",
    "error\\",
    "429 too many",
    "502 bad",
    "503 service",
    "504 gateway",
    "api call failed",
    "error code",
    "error 4",
    "error 5",
    "api error",
    "api_error",
    "apierror",
    "apiconnectionerror",
    "apitimeouterror",
    "connection error",
    "connectionerror",
    "http error",
    "httperror",
    "internal server error",
    "internalservererror",
    "rate limit",
    "ratelimiterror",
    "request failed",
    "request timed out",
    "service unavailable",
    "\u{9519}\u{8bef}\u{ff1a}",
    "\u{8bf7}\u{6c42}\u{5931}\u{8d25}",
    "\u{8bf7}\u{6c42}\u{8d85}\u{65f6}",
];

/// How Python begins to say where a program failed.
const TRACEBACK: &str = "traceback (most recent call last)";

/// The most bytes of a word that stands alone, with white space and brackets behind it.
const LONGEST_WORD: usize = 64;

/// What an absent value is written as.
const NOTHING: [&str; 6] = ["", "null", "none", "nan", "n/a", "na"];

impl WrittenAnswer {
    /// Takes what stands in one of its fields. A text in any of them is an answer.
    pub(super) fn take(&mut self, value: RecordValue<'_>) {
        self.text = self.text.max(Some(WrittenText::of(value)));
    }

    /// Takes the right answer.
    pub(super) fn take_expected(&mut self, value: RecordValue<'_>) {
        let is_long = value.text().is_some_and(|text| text.len() > 2 * LONGEST_WORD);
        self.nothing_expected |= !is_long && WrittenText::of(value) == WrittenText::Nothing;
    }

    pub(super) fn is_text(self) -> bool {
        self.text == Some(WrittenText::Text)
    }

    /// Whether there is a place for one.
    pub(super) fn is_somewhere(self) -> bool {
        self.text.is_some()
    }

    /// Whether there is none although there is a place for it. What is empty is an answer where the
    /// right one is, and where the model is known to have run.
    pub(super) fn is_none(self, has_run: bool) -> bool {
        match self.text {
            None | Some(WrittenText::Text) => false,
            Some(WrittenText::Message) => true,
            Some(WrittenText::Nothing) => !has_run && !self.nothing_expected,
        }
    }
}

impl WrittenText {
    fn of(value: RecordValue<'_>) -> Self {
        let Some(text) = value.text() else { return Self::Nothing };
        if begins_as_an_answer(text) {
            return Self::Text;
        }
        let is_wrapping =
            |c: char| c.is_whitespace() || matches!(c, '[' | ']' | '{' | '}' | '<' | '"' | ',');
        let mut text = text.trim_start_matches(is_wrapping);
        // Line breaks that stand in JSON as they are written there.
        while let Some(rest) =
            ["\\n", "\\r", "\\t", "\\\""].iter().find_map(|one| text.strip_prefix(one))
        {
            text = rest.trim_start_matches(is_wrapping);
        }
        // Most texts are long, and every record has one: a long text is no word alone.
        let alone =
            if text.len() > LONGEST_WORD { text } else { text.trim_end_matches(is_wrapping) };
        if alone.len() <= LONGEST_WORD {
            if NOTHING.iter().any(|nothing| alone.eq_ignore_ascii_case(nothing)) {
                return Self::Nothing;
            }
            let alone = alone.trim_end_matches('>');
            if ["error", "no response"].iter().any(|word| alone.eq_ignore_ascii_case(word)) {
                return Self::Message;
            }
        }
        if is_message(text) || is_traceback_of_client(text) { Self::Message } else { Self::Text }
    }
}

/// Whether a text is the traceback of a program that asks models: its last line says what failed.
fn is_traceback_of_client(text: &str) -> bool {
    let begins = text.get(..TRACEBACK.len()).is_some_and(|own| own.eq_ignore_ascii_case(TRACEBACK));
    let last = || text.trim_end().rsplit('\n').next().unwrap_or(text);
    begins
        && matches!(
            RecordCause::from_message(last()),
            RecordCause::Around | RecordCause::Infrastructure
        )
}

/// Whether the first letter of a long text shows already that it is no message: every record has such
/// a text.
fn begins_as_an_answer(text: &str) -> bool {
    let first = text.as_bytes().first().copied().unwrap_or_default();
    text.len() > LONGEST_WORD
        && first.is_ascii_alphanumeric()
        && !BEGINNINGS[usize::from(first.to_ascii_lowercase())]
}

/// The bytes that messages begin with.
const BEGINNINGS: [bool; 256] = {
    let mut beginnings = [false; 256];
    beginnings[TRACEBACK.as_bytes()[0] as usize] = true;
    let mut at = 0;
    while at < MESSAGES.len() {
        beginnings[MESSAGES[at].as_bytes()[0] as usize] = true;
        at += 1;
    }
    beginnings
};

/// Whether a text begins as a message does, whatever the case of its ASCII letters.
fn is_message(text: &str) -> bool {
    let Some(first) = text.bytes().next().map(|byte| byte.to_ascii_lowercase()) else {
        return false;
    };
    let begins =
        |start: &str| text.get(..start.len()).is_some_and(|own| own.eq_ignore_ascii_case(start));
    MESSAGES.iter().any(|start| start.as_bytes().first() == Some(&first) && begins(start))
}

/// Bytes at either end of a text that its digest looks at: as many as XXH3 hashes without its loop for
/// long inputs.
const DIGESTED: usize = 240;

/// A digest of what a model wrote: of its length, start and end, because reading every byte of long
/// answers again costs more than a few equal ends among all the samples of a run could mislead.
/// `None` where nothing was written.
pub(super) fn digest(value: RecordValue<'_>) -> Option<ContentHash> {
    let bytes = value.text().filter(|text| !text.is_empty())?.as_bytes();
    let (Some(start), Some(end)) =
        (bytes.get(..DIGESTED), bytes.len().checked_sub(DIGESTED).and_then(|at| bytes.get(at..)))
    else {
        return Some(ContentHashes::hash_bytes(bytes));
    };
    let [start, end] = [start, end].map(|part| ContentHashes::hash_bytes(part).get());
    let parts = [bytes.len() as u64, start, end];
    Some(ContentHashes::hash_bytes(parts.map(u64::to_le_bytes).as_flattened()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_differ_in_length_or_at_either_end_have_different_digests() {
        let long = "x".repeat(2000);
        let texts = [
            String::new(),
            "short".to_owned(),
            long.clone(),
            format!("{long}x"),
            format!("y{}", &long[1..]),
            format!("{}y", &long[1..]),
        ];
        let mut digests: Vec<_> =
            texts.iter().map(|text| digest(RecordValue::Text(text))).collect();
        assert_eq!(digests[0], None);
        digests.sort_unstable();
        digests.dedup();
        assert_eq!(digests.len(), texts.len());
        assert_eq!(digest(RecordValue::Text(&long)), digest(RecordValue::Quoted(&long)));
    }

    #[test]
    fn messages_and_empty_texts_are_no_answers() {
        for text in [
            "Error: 429 Too Many Requests",
            "[ERROR]",
            "[[\"Error: timeout\"]]",
            "<error>",
            "{\"error\": {\"code\": 503}}",
            "APIConnectionError('...')",
            "Traceback (most recent call last):\n  File \"x\", line 1\nopenai.APITimeoutError: late",
            "\\nRequest failed",
        ] {
            assert_eq!(WrittenText::of(RecordValue::Text(text)), WrittenText::Message, "{text}");
        }
        for text in ["", " \n", "\\n\\n", "[[\"\"]]", "None", "[]"] {
            assert_eq!(WrittenText::of(RecordValue::Quoted(text)), WrittenText::Nothing, "{text}");
        }
        assert_eq!(WrittenText::of(RecordValue::Null), WrittenText::Nothing);
        for text in [
            "errors are raised by ...",
            "None of these",
            "0",
            "false",
            "There was an error: 5",
            "nano",
            "N/A in all years",
            "Traceback (most recent call last):\n  File \"x\", line 1\nIndexError: out of range",
            "Erroneous",
        ] {
            assert_eq!(WrittenText::of(RecordValue::Text(text)), WrittenText::Text, "{text}");
        }
    }
}
