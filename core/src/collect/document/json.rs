//! JSON as Python writes it: `NaN`, `Infinity` and `-Infinity` are numbers, `1e999` overflows to
//! infinity, lone surrogates are replaced. Everything else is RFC 8259.
//!
//! Own, because no JSON crate accepts those numbers and keeps lines, repeated keys and the text
//! of numbers; `serde_json` is the oracle of its tests.

use super::{Node, Parsed, RepeatedKeys, Syntax, Table, Value, insert_last};

/// Deepest nesting that is followed, so that hostile input cannot exhaust the stack.
const DEEPEST: usize = 128;
/// Most values of one document, of which lists and objects count as several: so many take less than
/// a gigabyte, whatever they are.
const MOST_VALUES: usize = 5_000_000;
/// What a list or an object takes beside its items, in values.
const OF_A_LIST: usize = 3;
pub(super) fn parse(text: &str) -> Result<Parsed, Syntax> {
    parse_at(text, 1)
}

/// Parses a document whose first line has that number.
pub(in crate::collect) fn parse_at(text: &str, line: u64) -> Result<Parsed, Syntax> {
    let mut cursor =
        Cursor { text, at: 0, line, line_start: 0, values: 0, repeated: RepeatedKeys::default() };
    cursor.skip_space();
    let root = cursor.value(0)?;
    cursor.skip_space();
    if cursor.at < text.len() {
        return Err(cursor.error("the end of the document"));
    }
    Ok(Parsed { root, repeated: cursor.repeated })
}

struct Cursor<'t> {
    text: &'t str,
    at: usize,
    line: u64,
    line_start: usize,
    values: usize,
    repeated: RepeatedKeys,
}

impl<'t> Cursor<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn skip_space(&mut self) {
        while let Some(byte @ (b' ' | b'\t' | b'\r' | b'\n')) = self.peek() {
            self.at += 1;
            if byte == b'\n' {
                self.line += 1;
                self.line_start = self.at;
            }
        }
    }

    fn error(&self, expected: &str) -> Syntax {
        let before = self.text.get(self.line_start..self.at).unwrap_or_default();
        let cause = if self.at >= self.text.len() {
            format!("the document ends where {expected} should be")
        } else {
            format!("expected {expected}")
        };
        Syntax { line: self.line, column: before.chars().count() as u64 + 1, cause }
    }

    fn value(&mut self, depth: usize) -> Result<Node, Syntax> {
        if depth == DEEPEST {
            return Err(self.error("less nesting"));
        }
        self.values += if matches!(self.peek(), Some(b'{' | b'[')) { OF_A_LIST } else { 1 };
        if self.values > MOST_VALUES {
            return Err(
                self.error("no more than 5,000,000 values, a list or an object being three")
            );
        }
        let line = self.line;
        let value = match self.peek() {
            Some(b'{') => self.table(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => Value::Text(self.string()?),
            Some(b'-' | b'0'..=b'9' | b'N' | b'I') => self.number()?,
            _ if self.take("true") => Value::Bool(true),
            _ if self.take("false") => Value::Bool(false),
            _ if self.take("null") => Value::Null,
            _ => return Err(self.error("a value")),
        };
        Ok(Node { line, value })
    }

    /// Reads what stands between brackets, with commas between the items.
    fn items(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Result<(), Syntax>,
    ) -> Result<(), Syntax> {
        self.at += 1;
        self.skip_space();
        if self.take(close) {
            return Ok(());
        }
        loop {
            item(self)?;
            self.skip_space();
            if self.take(close) {
                return Ok(());
            }
            if !self.take(",") {
                return Err(self.error(&format!("`,` or `{close}`")));
            }
            self.skip_space();
        }
    }

    fn table(&mut self, depth: usize) -> Result<Value, Syntax> {
        let mut table = Table::new();
        self.items("}", |cursor| {
            if cursor.peek() != Some(b'"') {
                return Err(cursor.error("a key in double quotes"));
            }
            let line = cursor.line;
            let key = cursor.string()?;
            cursor.skip_space();
            if !cursor.take(":") {
                return Err(cursor.error("`:`"));
            }
            cursor.skip_space();
            let node = Node { line, ..cursor.value(depth + 1)? };
            insert_last(&mut table, key, node, &mut cursor.repeated);
            Ok(())
        })?;
        Ok(Value::Table(table))
    }

    fn list(&mut self, depth: usize) -> Result<Value, Syntax> {
        let mut items = Vec::new();
        self.items("]", |cursor| {
            items.push(cursor.value(depth + 1)?);
            Ok(())
        })?;
        Ok(Value::List(items))
    }

    fn number(&mut self) -> Result<Value, Syntax> {
        for (token, number) in
            [("NaN", f64::NAN), ("Infinity", f64::INFINITY), ("-Infinity", f64::NEG_INFINITY)]
        {
            if self.take(token) {
                return Ok(Value::Number(number, token.into()));
            }
        }
        let rest = self.rest();
        let length = number_length(rest.as_bytes()).ok_or_else(|| self.error("a number"))?;
        let text = rest.get(..length).unwrap_or_default();
        let number = text.parse().map_err(|_| self.error("a number"))?;
        self.at += length;
        Ok(Value::Number(number, text.into()))
    }

    fn string(&mut self) -> Result<String, Syntax> {
        self.at += 1;
        let mut string = String::new();
        loop {
            let rest = self.rest();
            let plain = rest
                .bytes()
                .position(|byte| byte == b'"' || byte == b'\\' || byte < b' ')
                .unwrap_or(rest.len());
            string.push_str(rest.get(..plain).unwrap_or_default());
            self.at += plain;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(string);
                }
                Some(b'\\') => string.push(self.escape()?),
                _ => return Err(self.error("the closing `\"` of a text")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Syntax> {
        self.at += 1;
        let character = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(),
            _ => return Err(self.error("an escape such as `\\n`")),
        };
        self.at += 1;
        Ok(character)
    }

    fn unicode_escape(&mut self) -> Result<char, Syntax> {
        let unit = self.hex_unit()?;
        if !(0xD800..0xDC00).contains(&unit) || !self.rest().starts_with("\\u") {
            return Ok(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        let before = self.at;
        self.at += 1;
        let low = self.hex_unit()?;
        if (0xDC00..0xE000).contains(&low) {
            let pair = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
            return Ok(char::from_u32(pair).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        self.at = before;
        Ok(char::REPLACEMENT_CHARACTER)
    }

    /// Reads `uXXXX` and stands behind it afterwards.
    fn hex_unit(&mut self) -> Result<u32, Syntax> {
        let digits = self.text.get(self.at + 1..self.at + 5).unwrap_or_default();
        if digits.len() != 4 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(self.error("four hexadecimal digits"));
        }
        self.at += 5;
        u32::from_str_radix(digits, 16).map_err(|_| self.error("four hexadecimal digits"))
    }
}

/// Length of the number of RFC 8259 section 6 that the bytes start with.
pub(in crate::collect) fn number_length(bytes: &[u8]) -> Option<usize> {
    let digits = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let mut at = usize::from(bytes.first() == Some(&b'-'));
    at += match (bytes.get(at), digits(at)) {
        (_, 0) => return None,
        (Some(b'0'), _) => 1,
        (_, length) => length,
    };
    if bytes.get(at) == Some(&b'.') {
        let fraction = digits(at + 1);
        if fraction == 0 {
            return None;
        }
        at += 1 + fraction;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let exponent = digits(at + 1 + sign);
        if exponent == 0 {
            return None;
        }
        at += 1 + sign + exponent;
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn from_serde(value: &serde_json::Value) -> Value {
        let node = |value| Node { line: 0, value: from_serde(value) };
        match value {
            serde_json::Value::Null => Value::Null,
            serde_json::Value::Bool(flag) => Value::Bool(*flag),
            serde_json::Value::Number(number) => {
                Value::Number(number.as_f64().expect("a double"), "".into())
            }
            serde_json::Value::String(text) => Value::Text(text.clone()),
            serde_json::Value::Array(items) => Value::List(items.iter().map(node).collect()),
            serde_json::Value::Object(table) => {
                Value::Table(table.iter().map(|(key, value)| (key.clone(), node(value))).collect())
            }
        }
    }

    /// The tree without what `serde_json` does not keep.
    fn bare(value: &Value) -> Value {
        let node = |node: &Node| Node { line: 0, value: bare(&node.value) };
        match value {
            Value::Number(number, _) => Value::Number(*number, "".into()),
            Value::List(items) => Value::List(items.iter().map(node).collect()),
            Value::Table(table) => {
                Value::Table(table.iter().map(|(key, value)| (key.clone(), node(value))).collect())
            }
            other => other.clone(),
        }
    }

    fn check_against_serde(text: &str) {
        let ours = parse(text);
        match serde_json::from_str::<serde_json::Value>(text) {
            Ok(theirs) => assert_eq!(bare(&ours.expect(text).root.value), from_serde(&theirs)),
            Err(error) => assert!(ours.is_err(), "{text:?} is wrong: {error}"),
        }
    }

    proptest! {
        #[test]
        fn what_serde_json_writes_is_read_as_serde_json_reads_it(
            numbers in proptest::collection::vec(any::<f64>(), 0..4),
            texts in proptest::collection::vec(any::<String>(), 0..4),
        ) {
            let written = serde_json::json!({"numbers": numbers, "表": texts, "x": {"y": [null, true]}});
            check_against_serde(&written.to_string());
        }

        #[test]
        fn any_text_is_accepted_or_refused_without_panic(text in r#"[\[\]{}",:\\u0-9eE.\-a-f \n]{0,40}"#) {
            check_against_serde(&text);
        }
    }

    #[test]
    fn edges_of_the_grammar_agree_with_serde_json() {
        for text in [
            "",
            " ",
            "01",
            "-",
            "-0",
            "1.",
            ".5",
            "1e5",
            "1E-5",
            "1e",
            "[1,]",
            "{\"a\":1,}",
            "{a:1}",
            "\"\\ud83d\\ude00\"",
            "\"\\x\"",
            "\"a\nb\"",
            "[[]]",
            "nul",
            "true false",
            "\"\\u12\"",
            "1e-400",
            "{\"a\"1}",
            "\u{a0}1",
        ] {
            check_against_serde(text);
        }
    }

    #[test]
    fn numbers_that_only_python_writes_are_kept_apart_from_null() {
        let root =
            parse("[NaN, Infinity, -Infinity, 1e999, null, \"NaN\"]").expect("readable").root;
        let items = root.list().expect("a list");
        assert!(items[0].number().is_some_and(f64::is_nan));
        assert_eq!(items[1].number(), Some(f64::INFINITY));
        assert_eq!(items[2].number(), Some(f64::NEG_INFINITY));
        assert_eq!(items[3].number(), Some(f64::INFINITY));
        assert_eq!(items[4].value, Value::Null);
        assert_eq!(items[5].text(), Some("NaN"));
    }

    #[test]
    fn lines_number_texts_and_repeated_keys_are_kept() {
        let parsed = parse("{\n \"lr\": 5.0e-06,\n \"lr\":\n 1}").expect("readable");
        assert_eq!(parsed.repeated.first(), [("lr".to_owned(), 3)]);
        let rate = parsed.root.get("lr").expect("the key");
        assert_eq!((rate.line, rate.written()), (3, Some("1")));
    }

    #[test]
    fn an_error_names_line_and_column_in_characters() {
        let error = parse("{\n \"名\": }").expect_err("no value");
        assert_eq!((error.line, error.column), (2, 7));
        let error = parse("[1, 2").expect_err("cut off");
        assert!(error.cause.contains("the document ends"), "{}", error.cause);
    }

    #[test]
    fn deep_nesting_is_refused_rather_than_followed() {
        assert!(parse(&"[".repeat(100_000)).is_err());
    }

    #[test]
    fn lists_count_as_several_values_of_the_most_that_a_document_may_have() {
        let several = |item: &str| format!("[{}1]", format!("{item},").repeat(MOST_VALUES / 3));
        let refused = parse(&several("[]")).expect_err("too many");
        assert!(refused.cause.contains("no more than 5,000,000 values"), "{}", refused.cause);
        assert!(parse(&several("1")).is_ok());
    }
}
