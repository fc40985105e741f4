//! Whole documents (JSON, YAML, TOML) as one tree that keeps what their common parsers lose:
//! the line of each key, the text of each number, keys written twice, and NaN.

mod flatten;
mod json;
mod toml;
mod yaml;

pub(super) use flatten::{flatten, keys_written_twice, scalar_value};
pub(super) use json::{number_length as json_number_length, parse_at as parse_json_line};
pub(super) use yaml::parse as parse_yaml;

use indexmap::IndexMap;

use super::FileEntry;
use super::content::{bad_record, read_text, read_text_below, stops_behind_point};
use super::occurrences::FewFaults;
use crate::diag::{Code, Diagnostic, Location, Warned};

/// More samples than any evaluation has, so that a size beyond is a slip of the producer.
pub(super) const MOST_SAMPLES: f64 = 1e12;

/// A value and its line. In a table it is the line of the key.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub(super) line: u64,
    pub(super) value: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Null,
    Bool(bool),
    /// A number, NaN and infinities included, and its text.
    Number(f64, Box<str>),
    Text(String),
    List(Vec<Node>),
    /// A table in the order written; of a key written twice, the last value.
    Table(Table),
}

pub(super) type Table = IndexMap<String, Node>;

impl Node {
    /// The value of a key, when this is a table that has it.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        self.table()?.get(key)
    }

    pub(super) fn table(&self) -> Option<&Table> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// Keys and values of the table, if it is one.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&String, &Self)> {
        self.table().into_iter().flatten()
    }

    pub(super) fn list(&self) -> Option<&[Self]> {
        match &self.value {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    /// The number, NaN included; also a text that spells a number that JSON cannot write.
    pub(super) fn number(&self) -> Option<f64> {
        match &self.value {
            Value::Number(number, _) => Some(*number),
            Value::Text(text) => match text.trim().to_ascii_lowercase().as_str() {
                "nan" => Some(f64::NAN),
                "inf" | "infinity" => Some(f64::INFINITY),
                "-inf" | "-infinity" => Some(f64::NEG_INFINITY),
                _ => None,
            },
            _ => None,
        }
    }

    /// A whole number of things, if it is one that there can be.
    pub(super) fn count(&self) -> Option<u64> {
        self.number()
            .filter(|count| (0.0..=MOST_SAMPLES).contains(count) && count.fract() == 0.0)
            .map(|count| count as u64)
    }

    pub(super) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Moves the node and what is in it so many lines further down.
    pub(super) fn move_down(&mut self, lines: u64) {
        self.line += lines;
        match &mut self.value {
            Value::Table(table) => table.values_mut().for_each(|node| node.move_down(lines)),
            Value::List(items) => items.iter_mut().for_each(|node| node.move_down(lines)),
            _ => {}
        }
    }

    /// A text or number as it was written.
    pub(super) fn written(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            Value::Number(_, text) => Some(text),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Syntax {
    pub(super) line: u64,
    /// Column in characters, counted from 1.
    pub(super) column: u64,
    pub(super) cause: String,
}

impl Syntax {
    pub(super) fn location(&self, file: &FileEntry) -> Location {
        Location::column(&*file.display, self.line, self.column)
    }
}

/// Puts a value under its key, in the place of an earlier one, which is noted as repeated.
fn insert_last(table: &mut Table, key: String, node: Node, repeated: &mut RepeatedKeys) {
    let line = node.line;
    if let (place, Some(_)) = table.insert_full(key, node) {
        repeated.note(|| {
            (table.get_index(place).map(|(key, _)| key.clone()).unwrap_or_default(), line)
        });
    }
}

/// Keys written more than once in one table, with the line of the later one.
pub(super) type RepeatedKeys = FewFaults<(String, u64)>;

/// A document and the keys that it holds twice.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parsed {
    pub(super) root: Node,
    pub(super) repeated: RepeatedKeys,
}

/// Largest YAML or TOML document: people write these, and their parsers take many times the memory.
const MOST_BYTES: u64 = 32 << 20;

/// Most signs of values in one of these.
const MOST_SIGNS: usize = 2_000_000;

/// Refuses a YAML or TOML document of more values than a parser has memory for.
fn refuse_too_many(text: &str, file: &FileEntry) -> Result<(), Box<Diagnostic>> {
    let is_sign = |byte: &u8| matches!(byte, b'\n' | b',' | b'[' | b'{' | b'-');
    if text.bytes().filter(is_sign).count() <= MOST_SIGNS {
        return Ok(());
    }
    let cause = format!("it holds more than {MOST_SIGNS} values, which is no configuration");
    Err(Box::new(bad_record(cause.as_str(), Location::file(&*file.display))))
}

/// Reads a whole document; the extension says in which language.
pub(super) fn read_document(file: &FileEntry) -> Result<Warned<Node>, Box<Diagnostic>> {
    let mut findings = Vec::new();
    let is_json = !["toml", "yaml", "yml"].iter().any(|end| file.has_extension(end));
    let text = if is_json { read_text(file) } else { read_text_below(file, MOST_BYTES) };
    let text = text?.drain_into(&mut findings);
    if !is_json {
        refuse_too_many(&text, file)?;
        if text.ends_with(':') || stops_behind_point(&text) {
            let last = Location::line(&*file.display, text.lines().count() as u64);
            findings.push(bad_record("the file ends within its last value", last));
        }
    }
    let parsed = if file.has_extension("toml") {
        toml::parse(&text)
    } else if file.has_extension("yaml") || file.has_extension("yml") {
        yaml::parse(&text)
    } else {
        json::parse(&text)
    };
    let Parsed { root, repeated } =
        parsed.map_err(|syntax| bad_record(syntax.cause.as_str(), syntax.location(file)))?;
    findings.extend(repeated_keys(repeated, file));
    Ok(Warned::new(root, findings))
}

/// What is said of keys that stand twice.
pub(super) fn repeated_keys(
    repeated: RepeatedKeys,
    file: &FileEntry,
) -> impl Iterator<Item = Diagnostic> {
    let repeated = repeated.map(|(key, line)| {
        let finding = Diagnostic::new(Code::DuplicateKey).key(&key).with("key", key);
        finding.with("line", line).at(Location::line(&*file.display, line))
    });
    repeated.told_in("key")
}
