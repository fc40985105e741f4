//! YAML 1.2 from parser events: plain scalars by the core schema, anchors and merge keys resolved.
//!
//! Events rather than serde, because only they keep lines, repeated keys and the text of numbers.

use std::collections::BTreeMap;

use serde_saphyr::granit_parser::{Event, Parser, ScalarStyle, ScanError, Span, StrInput};

use super::{Node, Parsed, RepeatedKeys, Syntax, Table, Value, insert_last};

/// Most nodes that aliases may add, so that a small file cannot fill the memory.
const MOST_COPIES: usize = 100_000;
const DEEPEST: usize = 128;
const SEVERAL_DOCUMENTS: &str = "a second document begins here; keep one in each file";

/// Parses the only document of the text; several in one file are refused, because programs differ in
/// which of them counts. Of a key written twice the last value counts, as in
/// `PyYAML`.
pub(in crate::collect) fn parse(text: &str) -> Result<Parsed, Syntax> {
    let mut tree = Tree {
        events: Parser::new_from_str(text),
        anchors: BTreeMap::new(),
        copies: 0,
        repeated: RepeatedKeys::default(),
    };
    let root = match tree.next()? {
        Some((event, span)) => tree.node(event, &span, 0)?,
        None => Node { line: 1, value: Value::Null },
    };
    tree.refuse_further()?;
    Ok(Parsed { root, repeated: tree.repeated })
}

struct Tree<'t> {
    events: Parser<'t, StrInput<'t>>,
    anchors: BTreeMap<usize, Node>,
    copies: usize,
    repeated: RepeatedKeys,
}

impl<'t> Tree<'t> {
    /// Fails where another document stands behind the one that was read.
    fn refuse_further(&mut self) -> Result<(), Syntax> {
        while let Some(event) = self.events.next_event() {
            match event.map_err(|error| scan_error(&error))? {
                (Event::Scalar(text, ..), _) if text.is_empty() => {}
                (Event::Scalar(..) | Event::SequenceStart(..) | Event::MappingStart(..), span) => {
                    let start = span.start;
                    return Err(syntax(start.line(), start.col(), SEVERAL_DOCUMENTS));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The next event that belongs to a node; `None` at the end of the document.
    fn next(&mut self) -> Result<Option<(Event<'t>, Span)>, Syntax> {
        loop {
            match self.events.next_event() {
                None | Some(Ok((Event::StreamEnd | Event::DocumentEnd, _))) => return Ok(None),
                Some(Ok((
                    event @ (Event::Alias(_)
                    | Event::Scalar(..)
                    | Event::SequenceStart(..)
                    | Event::SequenceEnd
                    | Event::MappingStart(..)
                    | Event::MappingEnd),
                    span,
                ))) => return Ok(Some((event, span))),
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(scan_error(&error)),
            }
        }
    }

    fn node(&mut self, event: Event<'t>, span: &Span, depth: usize) -> Result<Node, Syntax> {
        let refuse = |cause| Err(syntax(span.start.line(), span.start.col(), cause));
        if depth == DEEPEST {
            return refuse("nested too deeply");
        }
        let (value, anchor) = match event {
            Event::Alias(id) => {
                let Some(target) = self.anchors.get(&id) else {
                    return refuse("an alias inside the value it stands for");
                };
                self.copies += size(target);
                if self.copies > MOST_COPIES {
                    return refuse("aliases that multiply without end");
                }
                (target.value.clone(), 0)
            }
            Event::Scalar(text, style, anchor, tag) => {
                let is_text = style != ScalarStyle::Plain
                    || tag.is_some_and(|tag| matches!(tag.suffix(), "str" | "binary"));
                let value = if is_text { Value::Text(text.into_owned()) } else { plain(&text) };
                (value, anchor)
            }
            Event::SequenceStart(_, anchor, _) => (self.list(depth)?, anchor),
            Event::MappingStart(_, anchor, _) => (self.table(depth)?, anchor),
            _ => return refuse("a value is missing"),
        };
        let node = Node { line: span.start.line() as u64, value };
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }

    fn list(&mut self, depth: usize) -> Result<Value, Syntax> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                None | Some((Event::SequenceEnd, _)) => return Ok(Value::List(items)),
                Some((event, span)) => items.push(self.node(event, &span, depth + 1)?),
            }
        }
    }

    fn table(&mut self, depth: usize) -> Result<Value, Syntax> {
        let mut table = Table::new();
        let mut merged = Vec::new();
        loop {
            let (event, span) = match self.next()? {
                None | Some((Event::MappingEnd, _)) => break,
                Some(found) => found,
            };
            let key = key_text(&self.node(event, &span, depth + 1)?);
            let line = span.start.line() as u64;
            let Some((event, span)) = self.next()? else { break };
            let node = Node { line, ..self.node(event, &span, depth + 1)? };
            if key == "<<" {
                merged.push(node);
            } else {
                insert_last(&mut table, key, node, &mut self.repeated);
            }
        }
        for node in merged {
            merge_into(&mut table, node);
        }
        Ok(Value::Table(table))
    }
}

fn scan_error(error: &ScanError) -> Syntax {
    let mark = error.marker();
    syntax(mark.line(), mark.col(), &error.info())
}

fn syntax(line: usize, column: usize, cause: &str) -> Syntax {
    Syntax { line: line as u64, column: column as u64 + 1, cause: cause.to_owned() }
}

fn size(node: &Node) -> usize {
    1 + match &node.value {
        Value::List(items) => items.iter().map(size).sum(),
        Value::Table(table) => table.values().map(size).sum(),
        _ => 0,
    }
}

/// Adds the keys of a `<<` value; keys written in the table itself win.
fn merge_into(table: &mut Table, merged: Node) {
    match merged.value {
        Value::Table(other) => {
            for (key, node) in other {
                table.entry(key).or_insert(node);
            }
        }
        Value::List(items) => items.into_iter().for_each(|item| merge_into(table, item)),
        _ => {}
    }
}

fn key_text(key: &Node) -> String {
    match &key.value {
        Value::Text(text) => text.clone(),
        Value::Number(_, text) => text.as_ref().to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Null => "null".to_owned(),
        Value::List(items) => {
            let parts: Vec<String> = items.iter().map(key_text).collect();
            format!("[{}]", parts.join(", "))
        }
        Value::Table(_) => "{}".to_owned(),
    }
}

/// Resolves a plain scalar by the core schema, YAML 1.2.2 section 10.3.2.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "true" | "True" | "TRUE" => return Value::Bool(true),
        "false" | "False" | "FALSE" => return Value::Bool(false),
        _ => {}
    }
    match number(text) {
        Some(number) => Value::Number(number, text.into()),
        None => Value::Text(text.to_owned()),
    }
}

fn number(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    match unsigned {
        ".inf" | ".Inf" | ".INF" => return Some(sign * f64::INFINITY),
        ".nan" | ".NaN" | ".NAN" => return Some(f64::NAN),
        _ => {}
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            return u64::from_str_radix(digits, radix).ok().map(|whole| whole as f64);
        }
    }
    // The standard library also reads `inf` and `nan`, which are texts in YAML.
    let starts = unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    if starts { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, Value)]) {
        let root = parse(text).expect("readable").root;
        let found: Vec<(&str, Value)> = root
            .table()
            .expect("a table")
            .iter()
            .map(|(key, node)| (key.as_str(), node.value.clone()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn plain_scalars_follow_the_core_schema() {
        let text = |text: &str| Value::Text(text.to_owned());
        check(
            "a: 5e-6\nb: yes\nc: ~\nd: '1'\ne: 0x10\nf: inf\ng: -.inf\nh: 1_000\n数据: true\ni: !!str 7\n",
            &[
                ("a", Value::Number(5e-6, "5e-6".into())),
                ("b", text("yes")),
                ("c", Value::Null),
                ("d", text("1")),
                ("e", Value::Number(16.0, "0x10".into())),
                ("f", text("inf")),
                ("g", Value::Number(f64::NEG_INFINITY, "-.inf".into())),
                ("h", text("1_000")),
                ("数据", Value::Bool(true)),
                ("i", text("7")),
            ],
        );
    }

    #[test]
    fn anchors_and_merge_keys_are_resolved_and_own_keys_win() {
        let one = Value::Number(1.0, "1".into());
        let two = Value::Number(2.0, "2".into());
        let root = parse("base: &b {x: 1, y: 1}\nrun:\n  <<: *b\n  y: 2\n").expect("readable").root;
        let run = root.get("run").expect("the table");
        assert_eq!(run.get("x").map(|node| &node.value), Some(&one));
        assert_eq!(run.get("y").map(|node| &node.value), Some(&two));
    }

    #[test]
    fn keys_written_twice_are_named_with_their_line_and_the_last_value_counts() {
        let parsed = parse("lr: 1\nseed: 0\nlr: 2\n").expect("readable");
        assert_eq!(parsed.repeated.first(), [("lr".to_owned(), 3)]);
        assert_eq!(parsed.root.get("lr").and_then(Node::number), Some(2.0));
    }

    #[test]
    fn a_bomb_of_aliases_is_refused() {
        let mut lines = vec!["a0: &a0 [x, x, x, x, x, x, x, x, x]".to_owned()];
        for level in 1..9 {
            let items = vec![format!("*a{}", level - 1); 9].join(", ");
            lines.push(format!("a{level}: &a{level} [{items}]"));
        }
        assert!(parse(&lines.join("\n")).is_err());
    }

    #[test]
    fn an_error_names_its_line() {
        assert_eq!(parse("a: 1\nb: [1, 2\nc: 3\n").expect_err("an open list").line, 3);
        assert_eq!(parse("").expect("an empty document").root.value, Value::Null);
    }
}
