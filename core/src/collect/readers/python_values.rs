//! Values of settings as Python writes them.

use super::super::FileEntry;
use crate::model::{Config, ConfigEntry, ConfigValue, Source};

/// Adds a setting whose value stands as Python writes it.
pub(super) fn insert(key: &str, value: &str, line: u64, file: &FileEntry, config: &mut Config) {
    let source = Source::line(&file.display, line, key);
    config.insert(key.to_owned(), ConfigEntry { value: literal(value), source });
}

/// A value as Python writes it.
fn literal(text: &str) -> ConfigValue {
    let text = text.trim();
    let quoted = || {
        let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        text.strip_prefix(quote)?.strip_suffix(quote)
    };
    match (text, text.parse::<f64>()) {
        ("None" | "null", _) => ConfigValue::Null,
        ("True" | "true", _) => ConfigValue::Bool(true),
        ("False" | "false", _) => ConfigValue::Bool(false),
        (_, Ok(number)) if number.is_finite() => ConfigValue::Number(number, text.to_owned()),
        _ => ConfigValue::Text(quoted().unwrap_or(text).to_owned()),
    }
}
