//! TOML from the spanned tree of the `toml` crate, in the order written.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::super::lines::line_of;
use super::{Node, Parsed, RepeatedKeys, Syntax, Table, Value};

/// Parses a whole document. TOML forbids repeated keys, so there are none.
pub(super) fn parse(text: &str) -> Result<Parsed, Syntax> {
    let root = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let before = text.get(..at).unwrap_or(text);
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() as u64 + 1;
        Syntax { line: line_of(text.as_bytes(), at), column, cause: error.message().to_owned() }
    })?;
    let ends = LineEnds::of(text);
    let value = Value::Table(table(root.get_ref(), &ends));
    Ok(Parsed { root: Node { line: 1, value }, repeated: RepeatedKeys::default() })
}

/// Where the lines of a document end, so that the line of a place is searched and not counted.
struct LineEnds(Vec<usize>);

impl LineEnds {
    fn of(document: &str) -> Self {
        Self(memchr::memchr_iter(b'\n', document.as_bytes()).collect())
    }

    /// The line of a place, counted from 1.
    fn line_of(&self, place: usize) -> u64 {
        1 + self.0.partition_point(|end| *end < place) as u64
    }
}

fn table(wire: &DeTable<'_>, ends: &LineEnds) -> Table {
    let mut entries: Vec<_> = wire.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
        .into_iter()
        .map(|(key, value)| {
            let line = ends.line_of(key.span().start);
            (key.get_ref().to_string(), Node { line, value: from_wire(value.get_ref(), ends) })
        })
        .collect()
}

fn from_wire(wire: &DeValue<'_>, ends: &LineEnds) -> Value {
    match wire {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(integer) => {
            let whole = i128::from_str_radix(integer.as_str(), integer.radix());
            Value::Number(whole.map_or(f64::NAN, |whole| whole as f64), integer.to_string().into())
        }
        DeValue::Float(float) => {
            Value::Number(float.as_str().parse().unwrap_or(f64::NAN), float.as_str().into())
        }
        DeValue::Boolean(flag) => Value::Bool(*flag),
        DeValue::Datetime(datetime) => Value::Text(datetime.to_string()),
        DeValue::Array(items) => {
            Value::List(items.iter().map(|item| item_node(item, ends)).collect())
        }
        DeValue::Table(inner) => Value::Table(table(inner, ends)),
    }
}

fn item_node(item: &Spanned<DeValue<'_>>, ends: &LineEnds) -> Node {
    Node { line: ends.line_of(item.span().start), value: from_wire(item.get_ref(), ends) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_lines_and_number_texts_are_kept() {
        let root =
            parse("z = 5e-6\na = 0x10\n[\"数据\"]\n\"k.x\" = [1.0, 2]\n").expect("readable").root;
        let keys: Vec<_> = root.table().expect("a table").keys().collect();
        assert_eq!(keys, ["z", "a", "数据"]);
        let rate = root.get("z").expect("the key");
        assert_eq!((rate.line, rate.written(), rate.number()), (1, Some("5e-6"), Some(5e-6)));
        assert_eq!(root.get("a").and_then(Node::number), Some(16.0));
        let list = root.get("数据").and_then(|table| table.get("k.x")).expect("the key");
        assert_eq!((list.line, list.list().map(<[Node]>::len)), (4, Some(2)));
    }

    #[test]
    fn an_error_names_line_and_column() {
        let error = parse("a = 1\nb = = 2\n").expect_err("two signs");
        assert_eq!((error.line, error.column), (2, 5));
    }
}
