//! What stands in the place of an answer: something that a model wrote, nothing, or the message of a
//! program that failed to ask it.

use super::cause::RecordCause;
use super::json;
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
    "connection error",
    "http error",
    "internal server error",
    "internalservererror",
    "rate limit",
    "request failed",
    "request timed out",
    "service unavailable",
    "\u{9519}\u{8bef}\u{ff1a}",
    "\u{8bf7}\u{6c42}\u{5931}\u{8d25}",
    "\u{8bf7}\u{6c42}\u{8d85}\u{65f6}",
];

/// The same of texts that are short as a whole: longer ones may go on as an answer does.
const SHORT_MESSAGES: &[&str] = &[
    "bad gateway",
    "connection aborted",
    "connection refused",
    "connection reset",
    "connection timed out",
    "cuda error",
    "cuda out of memory",
    "gateway time",
    "httpconnectionpool(",
    "httpsconnectionpool(",
    "max retries exceeded",
    "read timed out",
    "remote end closed connection",
    "server disconnected",
    "service temporarily unavailable",
    "too many requests",
];
const SHORT: usize = 300;

/// How pages of a server begin that are no answer where their title is that of an error.
const PAGES: [&str; 2] = ["!doctype html", "html"];

/// The most bytes of an exception with what a server answered.
const LONGEST_EXCEPTION: usize = 2000;

/// What ends the name of an exception.
const EXCEPTIONS: [&str; 3] = ["error", "exception", "timeout"];

/// Tokens that are no text, beside those between `<|` and `|>`.
const SPECIAL_TOKENS: [&str; 8] =
    ["</s>", "<s>", "<eos>", "<bos>", "<pad>", "<unk>", "<end_of_turn>", "<eot>"];

/// Fields of an object in the place of an answer that hold what was written.
const INSIDE: [&str; 10] = [
    "answer",
    "choices",
    "completion",
    "content",
    "function_call",
    "message",
    "output",
    "response",
    "text",
    "tool_calls",
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
        match (Self::of_text(text), value) {
            (Self::Text, RecordValue::Composite(raw)) => Self::inside(raw),
            (found, _) => found,
        }
    }

    /// What the fields of an object hold that are known to hold what was written, or the objects of a list.
    fn inside(raw: &str) -> Self {
        let mut found = None;
        // The text was read as JSON once already; a fault cannot come now.
        let _checked = match raw.as_bytes().first() {
            Some(b'{') => json::for_each_field(raw, |key, value| {
                let (mut key_scratch, mut scratch) = (String::new(), String::new());
                if INSIDE.contains(&key.name(&mut key_scratch)) {
                    found = found.max(Some(Self::of(value.value(&mut scratch))));
                }
            }),
            _ => json::for_each_element(raw, |element| {
                let mut scratch = String::new();
                found = found.max(Some(Self::of(json::value(element, &mut scratch))));
            }),
        };
        found.unwrap_or(Self::Text)
    }

    fn of_text(text: &str) -> Self {
        if begins_as_an_answer(text) {
            return Self::Text;
        }
        let alone_with_brackets = text;
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
        if is_of_special_tokens(alone_with_brackets) {
            return Self::Nothing;
        }
        if is_message(text) || is_exception_of_client(text) || is_traceback_of_client(text) {
            Self::Message
        } else {
            Self::Text
        }
    }
}

/// Whether a text has nothing but special tokens in it.
fn is_of_special_tokens(text: &str) -> bool {
    let mut rest = text.trim();
    if rest.len() > LONGEST_WORD || !rest.starts_with('<') {
        return false;
    }
    while !rest.is_empty() {
        let known = SPECIAL_TOKENS.iter().find_map(|token| rest.strip_prefix(token));
        let between = || rest.strip_prefix("<|")?.split_once("|>").map(|(_, behind)| behind);
        let Some(behind) = known.or_else(between) else { return false };
        rest = behind.trim_start();
    }
    true
}

/// Whether a text is the name of an exception of a program that asks models, and what it says.
fn is_exception_of_client(text: &str) -> bool {
    if text.len() > LONGEST_EXCEPTION {
        return false;
    }
    let name = first_name(text);
    let kind = name.rsplit('.').next().unwrap_or(name);
    let ends_with = |end: &str| {
        let at = kind.len().checked_sub(end.len()).filter(|at| *at > 0);
        at.and_then(|at| kind.get(at..)).is_some_and(|own| own.eq_ignore_ascii_case(end))
    };
    let behind = text.get(name.len()..).unwrap_or_default();
    (behind.is_empty() || behind.starts_with([':', '(']))
        && EXCEPTIONS.iter().any(|end| ends_with(end))
        && matches!(
            RecordCause::from_message(text),
            RecordCause::Around | RecordCause::Infrastructure | RecordCause::Timeout
        )
}

/// Whether a text is the page of a server whose title is that of an error.
fn is_page_of_error(text: &str) -> bool {
    let lower = text.get(..SHORT).unwrap_or(text).to_ascii_lowercase();
    let title = lower.split_once("<title>").map(|(_, title)| title.trim_start());
    title.is_some_and(|title| {
        let digits = title.bytes().take_while(u8::is_ascii_digit).count();
        title.starts_with("error") || digits == 3 && title.starts_with(['4', '5'])
    })
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
    let place = usize::from(first.to_ascii_lowercase());
    text.len() > LONGEST_WORD
        && first.is_ascii_alphanumeric()
        && !BEGINNINGS[place]
        && (text.len() > SHORT || !SHORT_BEGINNINGS[place])
        && !begins_as_an_exception(text)
}

/// Whether the first word of a text is followed by what stands behind the name of an exception.
fn begins_as_an_exception(text: &str) -> bool {
    if text.len() > LONGEST_EXCEPTION {
        return false;
    }
    let name = first_name(text);
    name.len() < LONGEST_WORD && text[name.len()..].starts_with([':', '('])
}

/// What a text begins with, up to what no name of an exception has.
fn first_name(text: &str) -> &str {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_');
    let length = text.bytes().take_while(is_name).count();
    text.get(..length).unwrap_or_default()
}

/// The bytes that messages begin with.
const BEGINNINGS: [bool; 256] = {
    let mut beginnings = first_bytes(MESSAGES);
    beginnings[TRACEBACK.as_bytes()[0] as usize] = true;
    beginnings
};

/// The bytes that those of short texts begin with.
const SHORT_BEGINNINGS: [bool; 256] = first_bytes(SHORT_MESSAGES);

const fn first_bytes(texts: &[&str]) -> [bool; 256] {
    let (mut first, mut at) = ([false; 256], 0);
    while at < texts.len() {
        first[texts[at].as_bytes()[0] as usize] = true;
        at += 1;
    }
    first
}

/// Whether a text begins as a message does, whatever the case of its ASCII letters.
fn is_message(text: &str) -> bool {
    let Some(first) = text.bytes().next().map(|byte| byte.to_ascii_lowercase()) else {
        return false;
    };
    let begins =
        |start: &str| text.get(..start.len()).is_some_and(|own| own.eq_ignore_ascii_case(start));
    let is_one_of = |messages: &[&str]| {
        messages.iter().any(|start| start.as_bytes().first() == Some(&first) && begins(start))
    };
    is_one_of(MESSAGES)
        || text.len() <= SHORT && is_one_of(SHORT_MESSAGES)
        || PAGES.iter().any(|start| begins(start)) && is_page_of_error(text)
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
            "openai.RateLimitError: 429 Too many requests",
            "httpx.ReadTimeout",
            "Read timed out. (read timeout=600)",
            "CUDA out of memory. Tried to allocate 2.00 GiB",
            "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='api', port=443)",
            "<html><head><title>502 Bad Gateway</title></head></html>",
            "<!DOCTYPE html>\n<html><head><title>Error 500</title></head></html>",
        ] {
            assert_eq!(WrittenText::of(RecordValue::Text(text)), WrittenText::Message, "{text}");
        }
        for text in ["", " \n", "\\n\\n", "[[\"\"]]", "None", "[]"] {
            assert_eq!(WrittenText::of(RecordValue::Quoted(text)), WrittenText::Nothing, "{text}");
        }
        assert_eq!(WrittenText::of(RecordValue::Null), WrittenText::Nothing);
        for text in ["</s>", "<|im_end|>", " <|eot_id|><|end_of_text|>\n"] {
            assert_eq!(WrittenText::of(RecordValue::Text(text)), WrittenText::Nothing, "{text}");
        }
        for (json, found) in [
            (r#"{"text":null}"#, WrittenText::Nothing),
            (r#"{"choices": []}"#, WrittenText::Nothing),
            (r#"[{"message":{"role":"assistant","content":""}}]"#, WrittenText::Nothing),
            (r#"{"content":null,"tool_calls":[{"name":"search"}]}"#, WrittenText::Text),
            (r#"{"text":"42","reasoning":null}"#, WrittenText::Text),
            (r#"{"x":null}"#, WrittenText::Text),
        ] {
            assert_eq!(WrittenText::of(RecordValue::Composite(json)), found, "{json}");
        }
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
            "RateLimitError is raised when a client sends too many requests in a short time.",
            "ValueError: the timeout must be positive",
            "<html><head><title>My page of 404 cats</title></head></html>",
            "<think>",
            "Timeout: 5",
        ] {
            assert_eq!(WrittenText::of(RecordValue::Text(text)), WrittenText::Text, "{text}");
        }
    }
}
