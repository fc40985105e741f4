//! The fields of one JSON object as raw text, without building anything.
//!
//! Serialisers of evaluation programs are looser than RFC 8259, and a record is worth more than a
//! rule: `NaN`, `Infinity` and `-Infinity` stand where numbers may (Python's `json` writes them),
//! control characters may stand in strings, a lone surrogate becomes U+FFFD, and an unknown escape
//! sequence stands for its character. In everything else the grammar is RFC 8259; a property test holds it against `serde_json`.

use memchr::memchr;

use super::quotes::{Escapes, string_end};
use super::value::RecordValue;

/// Nesting beyond which a record is refused rather than the stack risked; `serde_json` has the same.
const MAX_DEPTH: usize = 127;

/// Why a text is no JSON object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Malformed {
    pub(crate) expected: &'static str,
    /// Byte offset where it was expected.
    pub(crate) offset: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RawJson<'a> {
    /// As it stands, quotes included.
    pub(crate) text: &'a str,
    /// Those of a string; without meaning for other values.
    escapes: Escapes,
}

impl<'a> RawJson<'a> {
    /// The text between the quotes of a string that is written in its shortest form.
    pub(crate) fn quoted(self) -> Option<&'a str> {
        let inner = self.text.strip_prefix('"')?.strip_suffix('"')?;
        (self.escapes != Escapes::Long).then_some(inner)
    }

    /// What the value says. Escaped text is decoded into `scratch`.
    pub(crate) fn value(self, scratch: &'a mut String) -> RecordValue<'a> {
        match self.quoted() {
            Some(plain) if self.escapes == Escapes::None => RecordValue::Text(plain),
            _ => value(self.text, scratch),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct JsonKey<'a> {
    /// What stands between its quotes.
    raw: &'a str,
    escapes: Escapes,
}

impl<'a> JsonKey<'a> {
    /// The name. Escaped text is decoded into `scratch`.
    pub(crate) fn name(self, scratch: &'a mut String) -> &'a str {
        if self.escapes == Escapes::None { self.raw } else { unescaped(self.raw, scratch) }
    }
}

/// Hands on the members of an object by their names, as far as it goes.
pub(crate) fn each_member<'t>(object: &'t str, mut take: impl FnMut(&str, &'t str)) {
    let mut scratch = String::new();
    let _ended = for_each_field(object, |key, raw| take(key.name(&mut scratch), raw.text));
}

/// Calls `field` with the key and the raw value of every field in order.
///
/// Fields before a fault have been handed on when the fault is found.
pub(crate) fn for_each_field<'a>(
    text: &'a str,
    mut field: impl FnMut(JsonKey<'a>, RawJson<'a>),
) -> Result<(), Malformed> {
    let mut cursor = Cursor { text, at: 0, escapes: Escapes::None };
    cursor.skip_space();
    cursor.expect(b'{', "an object")?;
    cursor.members(0, &mut |key, value| field(key, value))?;
    cursor.skip_space();
    if cursor.at == text.len() { Ok(()) } else { Err(cursor.fault("the end of the record")) }
}

/// Calls `element` with the raw text of every element of a list.
pub(crate) fn for_each_element<'a>(
    text: &'a str,
    mut element: impl FnMut(&'a str),
) -> Result<(), Malformed> {
    let mut cursor = Cursor { text, at: 0, escapes: Escapes::None };
    cursor.skip_space();
    cursor.expect(b'[', "a list")?;
    cursor.elements(0, &mut |value| element(value))?;
    cursor.skip_space();
    if cursor.at == text.len() { Ok(()) } else { Err(cursor.fault("the end of the list")) }
}

/// What a raw value of [`for_each_field`] says. Escaped text is decoded into `scratch`.
pub(crate) fn value<'a>(raw: &'a str, scratch: &'a mut String) -> RecordValue<'a> {
    match raw.as_bytes().first() {
        Some(b'"') => {
            let inner = raw.get(1..raw.len() - 1).unwrap_or_default();
            RecordValue::Text(unescaped(inner, scratch))
        }
        Some(b'{' | b'[') => RecordValue::Composite(raw),
        Some(b't') => RecordValue::Bool(true),
        Some(b'f') => RecordValue::Bool(false),
        Some(b'n') | None => RecordValue::Null,
        Some(_) => RecordValue::Number { value: raw.parse().unwrap_or(f64::NAN), text: raw },
    }
}

/// The text that stands between quotes; decoded into `scratch` when it holds escapes.
pub(crate) fn unescaped<'a>(raw: &'a str, scratch: &'a mut String) -> &'a str {
    if memchr(b'\\', raw.as_bytes()).is_none() {
        return raw;
    }
    scratch.clear();
    let mut rest = raw;
    while let Some(at) = memchr(b'\\', rest.as_bytes()) {
        let (before, escaped) = rest.split_at(at);
        scratch.push_str(before);
        let mut escaped = escaped.chars();
        let escape = escaped.by_ref().nth(1).unwrap_or('\\');
        rest = escaped.as_str();
        match escape {
            'n' => scratch.push('\n'),
            't' => scratch.push('\t'),
            'r' => scratch.push('\r'),
            'b' => scratch.push('\u{8}'),
            'f' => scratch.push('\u{C}'),
            'u' => {
                let (character, used) = unicode_escape(rest);
                scratch.push(character);
                rest = rest.get(used..).unwrap_or_default();
            }
            other => scratch.push(other),
        }
    }
    scratch.push_str(rest);
    scratch
}

/// The character of the digits after `\u`, with those of a following low surrogate, and how many
/// bytes they take.
fn unicode_escape(rest: &str) -> (char, usize) {
    let unit = |at: usize| rest.get(at..at + 4).and_then(|hex| u32::from_str_radix(hex, 16).ok());
    let Some(first) = unit(0) else { return (char::REPLACEMENT_CHARACTER, 0) };
    if !(0xD800..0xDC00).contains(&first) {
        return (char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), 4);
    }
    let low = rest.get(4..6).filter(|mark| *mark == "\\u").and_then(|_| unit(6));
    match low.filter(|low| (0xDC00..0xE000).contains(low)) {
        Some(low) => {
            let scalar = 0x1_0000 + ((first - 0xD800) << 10) + (low - 0xDC00);
            (char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER), 10)
        }
        None => (char::REPLACEMENT_CHARACTER, 4),
    }
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
    /// The escape sequences of the string read last.
    escapes: Escapes,
}

impl<'a> Cursor<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn fault(&self, expected: &'static str) -> Malformed {
        Malformed { expected, offset: self.at }
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8, expected: &'static str) -> Result<(), Malformed> {
        if self.peek() == Some(byte) {
            self.at += 1;
            Ok(())
        } else {
            Err(self.fault(expected))
        }
    }

    fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Members of an object whose opening brace has been read, with the closing one.
    fn members<F: FnMut(JsonKey<'a>, RawJson<'a>)>(
        &mut self,
        depth: usize,
        member: &mut F,
    ) -> Result<(), Malformed> {
        self.skip_space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(());
        }
        loop {
            self.skip_space();
            let key_start = self.at + 1;
            self.string()?;
            let raw = self.text.get(key_start..self.at - 1).unwrap_or_default();
            let key = JsonKey { raw, escapes: self.escapes };
            self.skip_space();
            self.expect(b':', "`:`")?;
            self.skip_space();
            let value_start = self.at;
            self.value(depth)?;
            member(key, RawJson { text: self.since(value_start), escapes: self.escapes });
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return Err(self.fault("`,` or `}`")),
            }
        }
    }

    /// Elements of a list whose opening bracket has been read, with the closing one.
    fn elements<F: FnMut(&'a str)>(
        &mut self,
        depth: usize,
        element: &mut F,
    ) -> Result<(), Malformed> {
        self.skip_space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(());
        }
        loop {
            self.skip_space();
            let start = self.at;
            self.value(depth)?;
            element(self.since(start));
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return Err(self.fault("`,` or `]`")),
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<(), Malformed> {
        match self.peek() {
            Some(b'"') => self.string(),
            Some(b'{' | b'[') if depth >= MAX_DEPTH => Err(self.fault("less nesting")),
            Some(b'{') => {
                self.at += 1;
                self.members(depth + 1, &mut |_, _| {})
            }
            Some(b'[') => {
                self.at += 1;
                self.elements(depth + 1, &mut |_| {})
            }
            Some(b't') => self.word("true"),
            Some(b'f') => self.word("false"),
            Some(b'n') => self.word("null"),
            Some(b'N') => self.word("NaN"),
            Some(b'I') => self.word("Infinity"),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => Err(self.fault("a value")),
        }
    }

    fn word(&mut self, word: &'static str) -> Result<(), Malformed> {
        if self.text.get(self.at..).is_some_and(|rest| rest.starts_with(word)) {
            self.at += word.len();
            Ok(())
        } else {
            Err(self.fault("a value"))
        }
    }

    fn number(&mut self) -> Result<(), Malformed> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'I') => return self.word("Infinity"),
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Malformed> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at == start { Err(self.fault("a digit")) } else { Ok(()) }
    }

    /// A string with both quotes. What an escape sequence says is looked at only where the text is
    /// used; `escapes` says whether one may have a shorter form.
    fn string(&mut self) -> Result<(), Malformed> {
        self.expect(b'"', "a string")?;
        let bytes = self.text.as_bytes();
        let Some(end) = string_end(bytes.get(self.at..).unwrap_or_default()) else {
            self.at = bytes.len();
            return Err(self.fault("the end of a string"));
        };
        self.at += end.quote + 1;
        self.escapes = end.escapes;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value as Json;

    use super::*;

    fn fields(text: &str) -> Result<Vec<(String, String)>, Malformed> {
        let mut found = Vec::new();
        for_each_field(text, |key, raw| found.push((key.raw.to_owned(), raw.text.to_owned())))?;
        Ok(found)
    }

    #[test]
    fn fields_come_in_order_as_raw_text() {
        let found = fields(r#" {"a": 1, "b\n" :[1, {"c":"}"}],"d":"x\"y", "e":-Infinity} "#);
        let expected =
            [("a", "1"), ("b\\n", r#"[1, {"c":"}"}]"#), ("d", r#""x\"y""#), ("e", "-Infinity")];
        let expected: Vec<(String, String)> =
            expected.map(|(key, raw)| (key.to_owned(), raw.to_owned())).to_vec();
        assert_eq!(found, Ok(expected));
    }

    #[test]
    fn a_fault_is_told_with_its_place() {
        for (text, expected, offset) in [
            ("[1]", "an object", 0),
            (r#"{"a": 1"#, "`,` or `}`", 7),
            (r#"{"a": "x"#, "the end of a string", 8),
            (r#"{"a": 01}"#, "`,` or `}`", 7),
            (r#"{"a": tru}"#, "a value", 6),
            (r#"{"a": [1 2]}"#, "`,` or `]`", 9),
            (r#"{"a": 1} x"#, "the end of the record", 9),
            (r#"{"a": 1,}"#, "a string", 8),
        ] {
            assert_eq!(fields(text), Err(Malformed { expected, offset }), "{text}");
        }
    }

    #[test]
    fn deep_nesting_is_refused_and_does_not_overflow() {
        let deep = format!("{{\"a\":{}", "[".repeat(1_000_000));
        assert_eq!(fields(&deep).map_err(|fault| fault.expected), Err("less nesting"));
    }

    #[test]
    fn escapes_decode_and_lone_surrogates_are_replaced() {
        for (raw, decoded) in [
            ("plain", "plain"),
            (r"a\n\t\\\/\u00e9", "a\n\t\\/é"),
            (r"\ud83d\ude00!", "😀!"),
            (r"\ud83d!", "\u{FFFD}!"),
            (r"\中 \x", "中 x"),
            (r"\ude00\ud83d\n", "\u{FFFD}\u{FFFD}\n"),
        ] {
            assert_eq!(unescaped(raw, &mut String::new()), decoded);
        }
    }

    fn json() -> impl Strategy<Value = Json> {
        let leaf = prop_oneof![
            Just(Json::Null),
            any::<bool>().prop_map(Json::from),
            any::<i64>().prop_map(Json::from),
            any::<f64>().prop_filter("finite", |x| x.is_finite()).prop_map(Json::from),
            any::<String>().prop_map(Json::from),
        ];
        leaf.prop_recursive(4, 32, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Json::from),
                prop::collection::vec((any::<String>(), inner), 0..5)
                    .prop_map(|members| Json::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        /// The oracle is `serde_json`.
        #[test]
        fn every_object_is_read_as_serde_reads_it(
            members in prop::collection::vec((any::<String>(), json()), 0..6),
            pretty: bool,
        ) {
            let object = Json::Object(members.into_iter().collect());
            let text = if pretty { serde_json::to_string_pretty(&object) } else { serde_json::to_string(&object) };
            let text = text.expect("serialises");
            let mut again = serde_json::Map::new();
            for_each_field(&text, |key, raw| {
                let key = key.name(&mut String::new()).to_owned();
                again.insert(key, serde_json::from_str(raw.text).expect("raw value parses"));
            }).expect("is an object");
            prop_assert_eq!(&Json::Object(again), &object);
            for (_, member) in object.as_object().expect("object") {
                if let Some(expected) = member.as_str() {
                    let raw = member.to_string();
                    let mut scratch = String::new();
                    prop_assert_eq!(value(&raw, &mut scratch), RecordValue::Text(expected));
                }
            }
        }

        /// Near-misses of JSON: what `serde_json` takes is taken, and what is taken beyond that is
        /// one of the loosened rules.
        #[test]
        fn nothing_else_is_taken_that_serde_refuses(text in r#"[\{\}\[\]:,"\\ntfalsu0-9eE.+\- ]{0,24}"#) {
            let text = format!("{{\"k\":{text}}}");
            let strict = serde_json::from_str::<serde_json::Map<String, Json>>(&text);
            let found = fields(&text);
            if strict.is_ok() {
                prop_assert!(found.is_ok(), "{}", text);
            } else if found.is_ok() {
                let error = strict.expect_err("refused").to_string();
                prop_assert!(
                    error.starts_with("number out of range")
                        || error.starts_with("lone leading surrogate")
                        || error.starts_with("unexpected end of hex escape")
                        || error.starts_with("invalid escape"),
                    "{}: {}", text, error
                );
            }
        }
    }
}
