//! `[protocol]`: settings that a run is held against.

use serde::Deserialize;

use crate::model::ConfigValue;

/// A number, a truth value or a text.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a setting of the protocol is a number, a truth value or a text")]
pub(super) enum WireSetting {
    Bool(bool),
    Number(f64),
    Text(String),
}

impl From<WireSetting> for ConfigValue {
    fn from(setting: WireSetting) -> Self {
        match setting {
            WireSetting::Bool(is_so) => Self::Bool(is_so),
            WireSetting::Number(number) => Self::Number(number, number.to_string()),
            WireSetting::Text(text) => Self::Text(text),
        }
    }
}
