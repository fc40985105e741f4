//! A tree to flat configuration keys.

use std::sync::Arc;

use super::{Node, Value};
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
