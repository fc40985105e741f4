//! Text of JSON as it leaves the program: credentials masked, and nothing in it that a terminal or an
//! editor obeys.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::model::without_evident_secrets;
use crate::text::is_unseen;

/// Data as it is shown: in names and texts each credential is replaced.
pub(super) struct Shown<'v>(pub(super) &'v Value);

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::String(text) => serializer.serialize_str(&without_evident_secrets(text)),
            Value::Array(items) => serializer.collect_seq(items.iter().map(Shown)),
            Value::Object(fields) => serializer.collect_map(
                fields.iter().map(|(name, value)| (without_evident_secrets(name), Shown(value))),
            ),
            other => other.serialize(serializer),
        }
    }
}

/// Data as a JSON value. A number that is not finite becomes `null`.
pub(super) fn json_value(data: &impl Serialize) -> Value {
    // Maps with texts as keys are always JSON.
    serde_json::to_value(data).unwrap_or_default()
}

/// Data as a JSON object. A number that is not finite becomes `null`.
pub fn json_object(fields: &impl Serialize) -> Map<String, Value> {
    match json_value(fields) {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

/// A whole file of JSON, ending in one newline. Numbers that are not finite become `null`:
/// `serde_json` writes no `NaN`.
pub fn json_file(data: &impl Serialize) -> String {
    json_text(&Shown(&json_value(data)))
}

/// The same of data whose credentials are masked, such as a report.
pub fn json_text(shown: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(shown).unwrap_or_default();
    format!("{}\n", with_escapes(&text))
}

/// A line of JSON that is handed on as it was written, but for credentials in its texts.
pub fn json_line(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    let (mut rest, mut name) = (line, None);
    while let Some((between, length)) = next_text(rest) {
        let (before, from) = rest.split_at(between);
        let (written, behind) = from.split_at(length);
        // A name is the text before a colon, and counts for the text right behind it.
        let named: Option<String> = name.take().filter(|_| before.trim() == ":");
        let text: String = serde_json::from_str(written).unwrap_or_default();
        let masked = masked(named.as_deref(), &text);
        shown.push_str(before);
        match masked {
            Cow::Borrowed(_) => shown.push_str(written),
            Cow::Owned(masked) => shown.push_str(&Value::from(masked).to_string()),
        }
        name = behind.trim_start().starts_with(':').then_some(text);
        rest = behind;
    }
    shown.push_str(rest);
    with_escapes(&shown).into_owned()
}

/// A text as it is shown behind a name.
fn masked<'t>(name: Option<&str>, text: &'t str) -> Cow<'t, str> {
    let alone = without_evident_secrets(text);
    let Some(name) = name.filter(|_| matches!(alone, Cow::Borrowed(_))) else { return alone };
    let pair = format!("{name}=\"{}\"", text.replace('"', "'"));
    match without_evident_secrets(&pair) {
        Cow::Borrowed(_) => alone,
        Cow::Owned(pair) => {
            let value = pair.get(name.len() + 2..pair.len() - 1);
            value.map_or(alone, |value| Cow::Owned(value.to_owned()))
        }
    }
}

/// Where the next text in quotes begins, and how long it is with them.
fn next_text(json: &str) -> Option<(usize, usize)> {
    let start = json.find('"')?;
    let mut is_escaped = false;
    let inner = json.get(start + 1..)?;
    let end = inner.bytes().position(|byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    })?;
    Some((start, end + 2))
}

/// The same JSON with each unseen character in its texts written as `\u202e`; between texts there are
/// none but line breaks.
fn with_escapes(json: &str) -> Cow<'_, str> {
    let is_unseen = |c: char| c != '\n' && is_unseen(c);
    if !json.contains(is_unseen) {
        return Cow::Borrowed(json);
    }
    let mut escaped = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if is_unseen(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _infallible = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_that_are_not_finite_are_null() {
        #[derive(Serialize)]
        struct Fields {
            values: [f64; 4],
        }
        let object = json_object(&Fields { values: [1.5, f64::NAN, f64::INFINITY, -0.0] });
        assert_eq!(object["values"].to_string(), "[1.5,null,null,-0.0]");
    }

    #[test]
    fn unseen_characters_are_escapes_and_the_value_stays_the_same() {
        let hostile =
            "a\u{1b}[2J\u{7}\u{0}\u{9b}\u{2028}\u{202e}\u{2066}\u{200f}\u{61c}\u{e0041}\t\n";
        let data = json!({ hostile: [hostile, { "é": "語👩\u{200d}💻" }] });
        let text = json_file(&data);
        assert!(!text.contains(|c: char| c != '\n' && is_unseen(c)), "{text:?}");
        assert!(text.contains("é") && text.contains("語👩\u{200d}💻"), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON"), data);
    }

    #[test]
    fn a_line_is_kept_as_it_was_written_but_for_credentials() {
        let drawn = "aB3dE6gH9jK2mN5pQ8sT1vW4";
        for (written, expected) in [
            (r#"{"a" : 1.50, "b":"\u00e9\/", "c":[1e5]}"#.to_owned(), None),
            (r#"{"token":"the","max_tokens":7}"#.to_owned(), None),
            (r#"{"a":"\"","b":[]}"#.to_owned(), None),
            (
                format!(r#"{{"a":"use sk-{drawn} \"now\"","n":1.0}}"#),
                Some(r#"{"a":"use ••• \"now\"","n":1.0}"#),
            ),
            (
                r#"{"api_key":"correct horse","n":[]}"#.to_owned(),
                Some(r#"{"api_key":"•••","n":[]}"#),
            ),
            (r#"{"q":"api_key=hunter2 x"}"#.to_owned(), Some(r#"{"q":"api_key=••• x"}"#)),
            ("{\"q\":\"a\u{202e}b\"}".to_owned(), Some(r#"{"q":"a\u202eb"}"#)),
        ] {
            assert_eq!(json_line(&written), expected.unwrap_or(&written), "{written}");
        }
    }
}
