//! A tree to flat configuration keys.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Node, RepeatedKeys, Value};
use crate::model::{Config, ConfigEntry, ConfigValue, Source};

/// Adds everything below `node` under dotted keys that begin with `prefix`. Lists of plain values
/// stay lists; tables in lists are numbered from 0. Empty tables leave no trace.
pub(in crate::collect) fn flatten(node: &Node, prefix: &str, path: &Arc<str>, config: &mut Config) {
    let below = |name: &str| {
        if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") }
    };
    match &node.value {
        Value::Table(table) => {
            for (name, inner) in table {
                flatten(inner, &below(name), path, config);
            }
        }
        Value::List(items) if items.iter().any(|item| item.table().is_some()) => {
            for (position, inner) in items.iter().enumerate() {
                flatten(inner, &below(&position.to_string()), path, config);
            }
        }
        _ => {
            let source = Source::line(path, node.line, prefix);
            config.insert(prefix.to_owned(), ConfigEntry { value: scalar_value(node), source });
        }
    }
}

/// Keys that come out of a tree twice with other values, because one is written with the dots of its tables:
/// `gen.temperature` beside `temperature` below `gen`.
pub(in crate::collect) fn keys_written_twice(root: &Node) -> RepeatedKeys {
    let mut repeated = RepeatedKeys::default();
    if has_dotted_key(root) {
        note_repeated(root, "", &mut BTreeMap::new(), &mut repeated);
    }
    repeated
}

fn has_dotted_key(node: &Node) -> bool {
    let mut fields = node.table().into_iter().flatten();
    fields.any(|(name, inner)| name.contains('.') || has_dotted_key(inner))
}

fn note_repeated(
    node: &Node,
    prefix: &str,
    known: &mut BTreeMap<String, ConfigValue>,
    repeated: &mut RepeatedKeys,
) {
    if let Some(table) = node.table() {
        // As W&B writes a setting.
        let is_wrapper = table.keys().all(|key| key == "desc" || key == "value");
        if let Some(inner) = table.get("value").filter(|_| is_wrapper) {
            note_repeated(inner, prefix, known, repeated);
            return;
        }
        for (name, inner) in table {
            let key = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
            note_repeated(inner, &key, known, repeated);
        }
        return;
    }
    let (value, key) = (scalar_value(node), prefix.strip_suffix(".value").unwrap_or(prefix));
    let first = known.entry(key.to_owned()).or_insert_with(|| value.clone());
    if !first.same_as(&value) {
        repeated.note(|| (key.to_owned(), node.line));
    }
}

/// The configuration value of a node that is no table.
pub(in crate::collect) fn scalar_value(node: &Node) -> ConfigValue {
    match &node.value {
        Value::Null | Value::Table(_) => ConfigValue::Null,
        Value::Bool(flag) => ConfigValue::Bool(*flag),
        Value::Number(number, text) => ConfigValue::Number(*number, text.as_ref().to_owned()),
        Value::Text(text) => ConfigValue::Text(text.clone()),
        Value::List(items) => ConfigValue::List(items.iter().map(scalar_value).collect()),
    }
}
