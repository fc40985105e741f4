//! Records of JSON that are written plainly, without escapes in them: their values one after another, without a
//! tree. Whatever is written otherwise is left to the parser of documents, which knows what is wrong with it.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::super::document::json_number_length;
use super::super::plain_number;
use super::points::WRAPPER;

/// Deepest nesting that is followed here.
const DEEPEST: usize = 64;

/// A value of a record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum PlainValue<'t> {
    /// A number, NaN and infinities included, and its text.
    Number(f64, &'t str),
    Text(&'t str),
    /// A table, a list, a truth value or nothing.
    Other,
}

/// Takes a value, with the names of the tables in which it stands and its own, joined by `/`, and how many tables
/// these are; `None` where the record has to be parsed.
pub(super) type TakeValue<'a, 't> = dyn FnMut(&str, usize, PlainValue<'t>) -> Option<()> + 'a;

/// What is kept from record to record.
#[derive(Default)]
pub(super) struct PlainRecords {
    path: String,
    /// Hashes of the keys of a record, each with the number of its table, and of the last one without a key twice.
    keys: Vec<u64>,
    distinct: Vec<u64>,
}

impl PlainRecords {
    /// Hands on the values of a table, in their order and each before those in it. `None` where the text is no
    /// table, is not written plainly, or has a key twice.
    pub(super) fn read<'t>(&mut self, text: &'t str, each: &mut TakeValue<'_, 't>) -> Option<()> {
        self.path.clear();
        self.keys.clear();
        let Self { path, keys, .. } = self;
        let mut cursor = Cursor { text, at: 0, tables: 0, path, keys };
        cursor.skip_space();
        (cursor.peek()? == b'{').then_some(())?;
        cursor.table(0, each)?;
        cursor.skip_space();
        (cursor.at == text.len()).then_some(())?;
        self.has_distinct_keys().then_some(())
    }

    fn has_distinct_keys(&mut self) -> bool {
        if self.keys == self.distinct {
            return true;
        }
        let mut sorted = self.keys.clone();
        sorted.sort_unstable();
        let are_distinct = sorted.windows(2).all(|two| two[0] != two[1]);
        if are_distinct {
            self.distinct.clone_from(&self.keys);
        }
        are_distinct
    }
}

struct Cursor<'t, 'r> {
    text: &'t str,
    at: usize,
    tables: u64,
    path: &'r mut String,
    keys: &'r mut Vec<u64>,
}

impl<'t> Cursor<'t, '_> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.at += 1;
        }
    }

    /// Whether a further item stands behind a comma, or the list or table ends.
    fn goes_on(&mut self, close: u8) -> Option<bool> {
        self.skip_space();
        if self.take(b',') {
            self.skip_space();
            return Some(true);
        }
        self.take(close).then_some(false)
    }

    fn table(&mut self, depth: usize, each: &mut TakeValue<'_, 't>) -> Option<()> {
        self.at += 1;
        self.skip_space();
        if self.take(b'}') {
            return Some(());
        }
        let number = self.tables;
        self.tables += 1;
        let is_wrapper = *self.path == WRAPPER;
        if is_wrapper {
            self.path.clear();
        }
        let length = self.path.len();
        loop {
            let key = self.string()?;
            self.keys.push(xxh3_64_with_seed(key.as_bytes(), number));
            self.skip_space();
            self.take(b':').then_some(())?;
            self.skip_space();
            if length > 0 {
                self.path.push('/');
            }
            self.path.push_str(key);
            self.value(depth, each)?;
            self.path.truncate(length);
            if !self.goes_on(b'}')? {
                break;
            }
        }
        if is_wrapper {
            self.path.push_str(WRAPPER);
        }
        Some(())
    }

    fn value(&mut self, depth: usize, each: &mut TakeValue<'_, 't>) -> Option<()> {
        let is_table = match self.peek()? {
            b'{' => true,
            b'[' => false,
            _ => {
                let value = self.scalar()?;
                return each(self.path, depth, value);
            }
        };
        (depth < DEEPEST).then_some(())?;
        each(self.path, depth, PlainValue::Other)?;
        if is_table { self.table(depth + 1, each) } else { self.list(depth + 1) }
    }

    /// Passes a list by.
    fn list(&mut self, depth: usize) -> Option<()> {
        self.at += 1;
        self.skip_space();
        if self.take(b']') {
            return Some(());
        }
        loop {
            self.value(depth, &mut |_, _, _| Some(()))?;
            if !self.goes_on(b']')? {
                return Some(());
            }
        }
    }

    fn scalar(&mut self) -> Option<PlainValue<'t>> {
        let rest = self.rest();
        if rest.starts_with('"') {
            return Some(PlainValue::Text(self.string()?));
        }
        let words = [
            ("true", PlainValue::Other),
            ("false", PlainValue::Other),
            ("null", PlainValue::Other),
            ("NaN", PlainValue::Number(f64::NAN, "NaN")),
            ("Infinity", PlainValue::Number(f64::INFINITY, "Infinity")),
            ("-Infinity", PlainValue::Number(f64::NEG_INFINITY, "-Infinity")),
        ];
        let is_digit = |at: usize| rest.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
        if !is_digit(0) && !is_digit(1) {
            let (word, value) = words.into_iter().find(|(word, _)| rest.starts_with(word))?;
            self.at += word.len();
            return Some(value);
        }
        let (number, length) = plain_number::leading(rest.as_bytes())?;
        (json_number_length(rest.as_bytes()) == Some(length)).then_some(())?;
        self.at += length;
        Some(PlainValue::Number(number, rest.get(..length)?))
    }

    fn string(&mut self) -> Option<&'t str> {
        self.take(b'"').then_some(())?;
        let rest = self.rest();
        let is_special = |byte: u8| byte == b'"' || byte == b'\\' || byte < b' ';
        let length = rest.bytes().position(is_special)?;
        self.at += length;
        self.take(b'"').then_some(())?;
        rest.get(..length)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::document::{Node, Value, parse_json_line};
    use super::*;

    /// Values of a tree as they are handed on here.
    fn of_tree(node: &Node, path: &str, found: &mut Vec<String>) {
        for (key, node) in node.entries() {
            let is_named = !path.is_empty() && path != WRAPPER;
            let path = if is_named { format!("{path}/{key}") } else { key.clone() };
            found.push(match &node.value {
                Value::Number(number, text) => format!("{path}={number:?} {text}"),
                Value::Text(text) => format!("{path}={text:?}"),
                _ => path.clone(),
            });
            of_tree(node, &path, found);
        }
    }

    /// Whether a text is read here; then it is read as the parser of documents reads it.
    fn check(text: &str) -> bool {
        let (mut plain, mut found) = (PlainRecords::default(), Vec::new());
        let read = plain.read(text, &mut |path, _, value| {
            found.push(match value {
                PlainValue::Number(number, text) => format!("{path}={number:?} {text}"),
                PlainValue::Text(text) => format!("{path}={text:?}"),
                PlainValue::Other => path.to_owned(),
            });
            Some(())
        });
        if read.is_some() {
            let parsed =
                parse_json_line(text, 1).unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
            assert!(parsed.repeated.first().is_empty(), "{text}");
            let mut expected = Vec::new();
            of_tree(&parsed.root, "", &mut expected);
            assert_eq!(found, expected, "{text}");
        }
        read.is_some()
    }

    #[test]
    fn records_without_escapes_and_keys_twice_are_read() {
        for (text, is_read) in [
            (r#"{"step":1,"a":{"b":-2.5e-3,"c":{"d":0}},"e":null}"#, true),
            (
                r#" { "data" : { "x" : NaN , "y" : [1, [{"a": 2}], "t"] } , "data2":{"z":-Infinity}} "#,
                true,
            ),
            (r#"{"a":{"data":{"x":1}},"名":"值","t":true,"f":false}"#, true),
            ("{}", true),
            (r#"{"a":{}}"#, true),
            (r#"{"a":{"x":1},"b":{"x":2}}"#, true),
            (r#"{"a":1,"a":2}"#, false),
            (r#"{"a":{"x":1,"x":2}}"#, false),
            (r#"{"a":"\n"}"#, false),
            (r#"{"a\u0041":1}"#, false),
            (r#"{"a":01}"#, false),
            (r#"{"a":1.}"#, false),
            (r#"{"a":-}"#, false),
            (r#"{"a":1,}"#, false),
            (r#"{"a":1} x"#, false),
            (r#"{"a":[1,]}"#, false),
            (r#"{"a":"x"#, false),
            (r#"{"a":tru}"#, false),
            ("{\"a\":\"\u{1}\"}", false),
            ("[1]", false),
            ("", false),
        ] {
            assert_eq!(check(text), is_read, "{text}");
        }
        assert!(!check(&format!("{}1{}", "{\"a\":".repeat(80), "}".repeat(80))));
    }

    proptest! {
        #[test]
        fn what_is_read_is_what_the_parser_of_documents_reads(
            text in r#"\{("[ab]":(-?[0-9]{1,3}(\.[0-9]{0,2})?(e-?[0-9])?|"[a%]{0,2}"|\[[0-9,]{0,4}\]|\{("a":1)?\}|NaN|null),? ?){0,3}\}"#,
        ) {
            check(&text);
        }
    }
}
