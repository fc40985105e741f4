//! Configuration flattened key by key.

use indexmap::IndexMap;
use serde::{Serialize, Serializer};

use super::Source;
use super::secret::{self, Masked, names_secret};
use crate::diag::Fact;
use crate::quantity::serialize_number;

#[derive(Debug, Clone, PartialEq)]
pub enum ConfigValue {
    Null,
    Bool(bool),
    /// A number, and the text it was written as.
    Number(f64, String),
    Text(String),
    /// A text with a credential in it.
    Masked(Masked),
    /// A list; nested tables in lists are flattened by position instead.
    List(Vec<Self>),
}

impl ConfigValue {
    /// Whether two values mean the same, whatever the key: `5e-6` is `0.000005`, `1` is `1.0`, `true`
    /// is `yes` and `"True"`, nothing is `none`, `[a, b]` is `a,b`, and a number is the text that
    /// spells it. `0.1` in single precision is `0.10000000149`. Digits behind a leading zero are a name and no number, and whole numbers are
    /// compared digit by digit, because two that differ can be one floating-point number.
    pub fn same_as(&self, other: &Self) -> bool {
        if self.is_nothing() || other.is_nothing() {
            return self.is_nothing() && other.is_nothing();
        }
        match (self, other) {
            (Self::List(a), Self::List(b)) => all_same(a, b),
            (Self::List(items), other) | (other, Self::List(items)) => {
                all_same(items, &other.items())
            }
            (Self::Masked(a), Self::Masked(b)) => a.same_as(b),
            (Self::Masked(_), _) | (_, Self::Masked(_)) => false,
            _ => match (self.as_number(), other.as_number()) {
                (Some(a), Some(b)) => match (self.digits(), other.digits()) {
                    (Some(a), Some(b)) => a == b,
                    _ => a == b || is_single_precision(a, b),
                },
                (None, None) => match (self.as_bool(), other.as_bool()) {
                    (Some(a), Some(b)) => a == b,
                    (None, None) => self.as_text() == other.as_text(),
                    _ => false,
                },
                _ => false,
            },
        }
    }

    /// Written down as nothing: null, `none`, an empty text or list. A text of blanks is something:
    /// delimiters are made of them.
    pub fn is_nothing(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Text(text) => {
                let word = text.trim_matches(' ');
                text.is_empty()
                    || ["none", "null"].iter().any(|nothing| word.eq_ignore_ascii_case(nothing))
            }
            Self::List(items) => items.is_empty(),
            Self::Bool(_) | Self::Number(..) | Self::Masked(_) => false,
        }
    }

    /// The values of one setting that the files of a run give one after another: this one or these, and
    /// the next unless it is among them.
    #[must_use]
    pub fn beside(&self, next: &Self) -> Self {
        let mut all = match self {
            Self::List(all) => all.clone(),
            one => vec![one.clone()],
        };
        if !all.iter().any(|one| one.same_as(next)) {
            all.push(next.clone());
        }
        match &all[..] {
            [only] => only.clone(),
            _ => Self::List(all),
        }
    }

    /// What a list holds; the parts of a text such as `a,b` or `['a', 'b']`; else the value itself.
    pub fn items(&self) -> Vec<Self> {
        match self {
            Self::List(items) => items.clone(),
            Self::Text(text) => {
                let inner = text.trim();
                let inner = [('[', ']'), ('(', ')')]
                    .iter()
                    .find_map(|(open, close)| inner.strip_prefix(*open)?.strip_suffix(*close))
                    .unwrap_or(inner);
                let part = |part: &str| Self::Text(unquoted(part.trim()).to_owned());
                inner.split(',').map(part).collect()
            }
            other => vec![other.clone()],
        }
    }

    /// The value under that key with its credentials masked. In a list of words a flag names the word
    /// behind it.
    pub(super) fn masked(self, key: &str) -> Self {
        match self {
            Self::Text(text) => {
                secret::masked_value(key, &text).map_or(Self::Text(text), Self::Masked)
            }
            Self::Number(_, written) if secret::is_secret(key, &written) => {
                Self::Masked(Masked::whole(written))
            }
            Self::List(items) => {
                let texts: Vec<String> = items.iter().map(ToString::to_string).collect();
                let words: Vec<&str> = texts.iter().map(String::as_str).collect();
                let named = secret::masked_words(&words).into_iter().zip(items);
                let masked = |(named, item): (bool, Self)| {
                    if named { item.covered() } else { item.masked(key) }
                };
                Self::List(named.map(masked).collect())
            }
            other => other,
        }
    }

    /// The whole value masked; nothing and switches give nothing away.
    fn covered(self) -> Self {
        match self {
            Self::List(items) => Self::List(items.into_iter().map(Self::covered).collect()),
            Self::Null | Self::Bool(_) | Self::Masked(_) => self,
            Self::Text(_) if self.is_nothing() => self,
            Self::Text(written) | Self::Number(_, written) => Self::Masked(Masked::whole(written)),
        }
    }

    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number(number, _) => Some(*number),
            Self::Text(text) if is_padded(text.trim()) => None,
            Self::Text(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
            _ => None,
        }
    }

    /// The number as written, where it is written as a whole one.
    fn digits(&self) -> Option<&str> {
        let (Self::Number(_, text) | Self::Text(text)) = self else { return None };
        let text = text.trim();
        let text = text.strip_prefix('+').unwrap_or(text);
        let digits = text.strip_prefix('-').unwrap_or(text);
        (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(text)
    }

    fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            Self::Text(text) => match text.trim().to_ascii_lowercase().as_str() {
                "true" | "yes" | "on" => Some(true),
                "false" | "no" | "off" => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    /// The text without what surrounds it. Blanks alone stay: they are what was written.
    fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) if text.trim().is_empty() => Some(text),
            Self::Text(text) => Some(text.trim()),
            _ => None,
        }
    }
}

/// Whether one of two fractions is the other as a program holds it that computes in single precision.
fn is_single_precision(a: f64, b: f64) -> bool {
    a.fract() != 0.0 && a as f32 == b as f32
}

fn all_same(a: &[ConfigValue], b: &[ConfigValue]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same_as(b))
}

/// `007` numbers nothing: who pads with zeros counts on them.
fn is_padded(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn unquoted(text: &str) -> &str {
    let within = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    within('\'').or_else(|| within('"')).unwrap_or(text)
}

impl std::fmt::Display for ConfigValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(_, text) | Self::Text(text) => f.write_str(text),
            Self::Masked(masked) => f.write_str(masked.shown()),
            Self::List(items) => {
                f.write_str("[")?;
                for (position, item) in items.iter().enumerate() {
                    if position > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{item}")?;
                }
                f.write_str("]")
            }
        }
    }
}

/// Numbers as they are written, everything else as text.
impl From<&ConfigValue> for Fact {
    fn from(value: &ConfigValue) -> Self {
        match value {
            ConfigValue::Number(number, text) => Self::Written(*number, text.clone()),
            other => Self::Text(other.to_string()),
        }
    }
}

impl Serialize for ConfigValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_none(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(number, _) => serialize_number(number, serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Masked(masked) => serializer.serialize_str(masked.shown()),
            Self::List(items) => serializer.collect_seq(items),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct ConfigEntry {
    pub value: ConfigValue,
    pub source: Source,
}

/// Parts of a table that is one variable: its value, and what may hold its name.
const VARIABLE: [&str; 4] = ["value", "name", "key", "variable"];

/// Flattened configuration: dotted keys in the order they were read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Config(IndexMap<String, ConfigEntry>);

impl Config {
    /// Adds a key, credentials in its value masked; of several writers the first counts.
    pub fn insert(&mut self, key: String, entry: ConfigEntry) {
        let entry = ConfigEntry { value: entry.value.masked(&key), ..entry };
        let variable = key.rsplit_once('.').filter(|(_, part)| VARIABLE.contains(part));
        let table = variable.map(|(table, _)| table.to_owned());
        self.0.entry(key).or_insert(entry);
        if let Some(table) = table {
            self.cover_variable(&table);
        }
    }

    /// Masks the value of `{name: API_KEY, value: x}`, in whichever order the two were read.
    fn cover_variable(&mut self, table: &str) {
        let [value, names @ ..] = VARIABLE;
        let names_one = |part: &str| {
            let name = self.0.get(&format!("{table}.{part}")).map(|entry| &entry.value);
            matches!(name, Some(ConfigValue::Text(name)) if names_secret(name))
        };
        if names.into_iter().any(names_one)
            && let Some(entry) = self.0.get_mut(&format!("{table}.{value}"))
        {
            entry.value = std::mem::replace(&mut entry.value, ConfigValue::Null).covered();
        }
    }

    /// Adds a key; where it has another value already, the two stand together.
    pub fn insert_beside(&mut self, key: &str, entry: &ConfigEntry) {
        match self.get(key) {
            Some(known) if known.value.same_as(&entry.value) => {}
            Some(known) => {
                let (value, source) = (known.value.beside(&entry.value), known.source.clone());
                self.replace(key, ConfigEntry { value, source });
            }
            None => self.insert(key.to_owned(), entry.clone()),
        }
    }

    /// The same where files state a key differently, which is kept as `FILE#key`: of each such entry that
    /// `is_preferred` to the one that counts so far the value counts.
    #[must_use]
    pub fn preferring(&self, is_preferred: impl Fn(&ConfigEntry, &ConfigEntry) -> bool) -> Self {
        let mut config = self.clone();
        for (key, entry) in self.iter() {
            let Some((_, own)) = key.rsplit_once('#') else { continue };
            if config.get(own).is_some_and(|kept| is_preferred(entry, kept)) {
                config.replace(own, entry.clone());
            }
        }
        config
    }

    /// Puts an entry in the place of the one that the key has, credentials masked.
    pub fn replace(&mut self, key: &str, entry: ConfigEntry) {
        if let Some(known) = self.0.get_mut(key) {
            *known = ConfigEntry { value: entry.value.masked(key), ..entry };
        }
    }

    pub fn get(&self, key: &str) -> Option<&ConfigEntry> {
        self.0.get(key)
    }

    /// Keeps the first keys.
    pub fn truncate(&mut self, most: usize) {
        self.0.truncate(most);
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &ConfigEntry)> {
        self.0.iter().map(|(key, entry)| (key.as_str(), entry))
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn retain(&mut self, mut keep: impl FnMut(&str) -> bool) {
        self.0.retain(|key, _| keep(key));
    }
}

impl IntoIterator for Config {
    type Item = (String, ConfigEntry);
    type IntoIter = indexmap::map::IntoIter<String, ConfigEntry>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> ConfigValue {
        ConfigValue::Number(text.parse().expect("a number"), text.to_owned())
    }

    fn text(text: &str) -> ConfigValue {
        ConfigValue::Text(text.to_owned())
    }

    fn list(items: &[&str]) -> ConfigValue {
        ConfigValue::List(items.iter().map(|item| text(item)).collect())
    }

    #[test]
    fn values_that_mean_the_same_are_the_same() {
        let pairs = [
            (number("0.1"), number("0.10000000149011612")),
            (number("5e-6"), number("0.000005")),
            (text("5e-6"), number("0.000005")),
            (text("5e-6"), text("0.000005")),
            (number("1"), number("1.0")),
            (number("100000000000000000000"), number("1e20")),
            (ConfigValue::Bool(true), text("True")),
            (text("yes"), text("on")),
            (ConfigValue::Bool(false), text("no")),
            (ConfigValue::Null, text("None")),
            (ConfigValue::Null, text("null")),
            (ConfigValue::Null, text("")),
            (ConfigValue::Null, list(&[])),
            (text("a,b"), list(&["a", "b"])),
            (text("['a', \"b\"]"), list(&["a", "b"])),
            (text("0.9, 0.95"), ConfigValue::List(vec![number("0.9"), number("0.95")])),
            (text("console"), list(&["console"])),
            (text(" adamw "), text("adamw")),
        ];
        for (a, b) in pairs {
            assert!(a.same_as(&b) && b.same_as(&a), "{a:?} and {b:?}");
        }
    }

    #[test]
    fn values_that_only_look_alike_are_not_the_same() {
        let pairs = [
            (number("5e-6"), number("5e-7")),
            (text("007"), text("7")),
            (text("007"), number("7")),
            (number("12345678901234567890"), number("12345678901234567891")),
            (ConfigValue::Bool(true), number("1")),
            (ConfigValue::Bool(false), ConfigValue::Null),
            (number("0"), ConfigValue::Null),
            (text(" "), ConfigValue::Null),
            (text(" "), text("\n\n")),
            (text("\n"), text("\n\n")),
            (text("1k"), number("1000")),
            (text("AdamW"), text("adamw")),
            (list(&["64", "32"]), list(&["32", "64"])),
            (list(&["a", "b"]), text("a")),
            (text("123e4567"), text("123e4568")),
        ];
        for (a, b) in pairs {
            assert!(!a.same_as(&b) && !b.same_as(&a), "{a:?} and {b:?}");
        }
    }
}
