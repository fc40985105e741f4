//! A configuration as a file holds it that is to give back every value as it was read, credentials
//! aside: their mask stands for them.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::secret::Masked;
use super::{Config, ConfigEntry, ConfigValue, Source, packed};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Written {
    Null,
    Bool(bool),
    /// And its text.
    Number(#[serde(with = "packed::number")] f64, String),
    Text(String),
    /// What is shown of it.
    Masked(String),
    List(Vec<Self>),
}

impl From<&ConfigValue> for Written {
    fn from(value: &ConfigValue) -> Self {
        match value {
            ConfigValue::Null => Self::Null,
            ConfigValue::Bool(value) => Self::Bool(*value),
            ConfigValue::Number(number, text) => Self::Number(*number, text.clone()),
            ConfigValue::Text(text) => Self::Text(text.clone()),
            ConfigValue::Masked(masked) => Self::Masked(masked.shown().to_owned()),
            ConfigValue::List(items) => Self::List(items.iter().map(Self::from).collect()),
        }
    }
}

impl From<Written> for ConfigValue {
    fn from(written: Written) -> Self {
        match written {
            Written::Null => Self::Null,
            Written::Bool(value) => Self::Bool(value),
            Written::Number(number, text) => Self::Number(number, text),
            Written::Text(text) => Self::Text(text),
            Written::Masked(shown) => Self::Masked(Masked::of_shown(shown)),
            Written::List(items) => Self::List(items.into_iter().map(Self::from).collect()),
        }
    }
}

impl Serialize for Config {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let entries =
            self.iter().map(|(key, entry)| (key, Written::from(&entry.value), &entry.source));
        serializer.collect_seq(entries)
    }
}

impl<'de> Deserialize<'de> for Config {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut config = Self::default();
        for (key, value, source) in Vec::<(String, Written, Source)>::deserialize(deserializer)? {
            if config.get(&key).is_some() {
                return Err(D::Error::custom(format!("the setting `{key}` stands there twice")));
            }
            config.insert(key, ConfigEntry { value: value.into(), source });
        }
        Ok(config)
    }
}
