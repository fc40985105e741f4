//! The settings that hold, each with where it stands.

use serde_json::Value as Json;
use toml::{Table, Value};

use super::ConfigFile;
use crate::diag::Location;

/// The form of `reportgen.toml` as a JSON schema, with the defaults of its keys.
pub static SCHEMA: &str = include_str!("../../report_templates/reportgen.schema.json");

/// A setting that holds.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownSetting {
    /// The tables that it stands in, and its own name.
    pub keys: Vec<String>,
    pub value: Value,
    /// Where it stands, in the file or the preset below it; `None` for a default.
    pub origin: Option<Location>,
}

impl ShownSetting {
    /// The keys as TOML writes them: `gate."no worse".margin`.
    pub fn key(&self) -> String {
        let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let written = |key: &String| {
            let is_bare = !key.is_empty() && key.chars().all(is_bare);
            if is_bare { key.clone() } else { Value::String(key.clone()).to_string() }
        };
        self.keys.iter().map(written).collect::<Vec<_>>().join(".")
    }
}

/// The settings of a file over its preset in their order, then those that are at their defaults.
pub fn shown(file: Option<&ConfigFile>) -> Vec<ShownSetting> {
    let mut found = Vec::new();
    if let Some(file) = file {
        let table: Table = toml::from_str(file.settings()).unwrap_or_default();
        collect(&table, &mut Vec::new(), file, &mut found);
    }
    let schema: Json = serde_json::from_str(SCHEMA).unwrap_or_default();
    let mut defaults = Vec::new();
    collect_defaults(&schema, &mut Vec::new(), &mut defaults);
    let is_set = |default: &ShownSetting| found.iter().any(|one| one.keys == default.keys);
    defaults.retain(|default| !is_set(default));
    found.extend(defaults);
    found
}

fn collect(table: &Table, above: &mut Vec<String>, file: &ConfigFile, to: &mut Vec<ShownSetting>) {
    for (key, value) in table {
        above.push(key.clone());
        match value {
            Value::Table(inner) => collect(inner, above, file, to),
            value => {
                let keys: Vec<&str> = above.iter().map(String::as_str).collect();
                let origin = Some(file.location(&keys));
                to.push(ShownSetting { keys: above.clone(), value: value.clone(), origin });
            }
        }
        above.pop();
    }
}

/// The defaults of keys that have a name of their own: those of a gate or a job have not.
fn collect_defaults(schema: &Json, above: &mut Vec<String>, to: &mut Vec<ShownSetting>) {
    for (key, inner) in schema.get("properties").and_then(Json::as_object).into_iter().flatten() {
        above.push(key.clone());
        let default = inner.get("default").and_then(|value| Value::try_from(value).ok());
        if let Some(value) = default {
            to.push(ShownSetting { keys: above.clone(), value, origin: None });
        }
        collect_defaults(inner, above, to);
        above.pop();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde::de::DeserializeOwned;

    use super::super::commands::{WireCommands, WirePriced};
    use super::super::gates::WireGate;
    use super::super::{KNOWN, stats};
    use super::*;
    use crate::model::{Limits, MetricNames};

    fn schema(pointer: &str) -> Json {
        let whole: Json = serde_json::from_str(SCHEMA).expect("JSON");
        whole.pointer(pointer).unwrap_or_else(|| panic!("no {pointer}")).clone()
    }

    fn properties(pointer: &str) -> BTreeSet<String> {
        let found = schema(&format!("{pointer}/properties"));
        found.as_object().expect("properties").keys().cloned().collect()
    }

    /// The fields that a parser names where it meets one that it does not know.
    fn fields(message: &str) -> BTreeSet<String> {
        let quoted = message.split('`').skip(1).step_by(2).map(str::to_owned);
        quoted.filter(|name| name != "xyzzy").collect()
    }

    fn fields_of<T: DeserializeOwned>(more: &str) -> BTreeSet<String> {
        let read = toml::from_str::<T>(&format!("{more}xyzzy = 1\n"));
        fields(read.err().expect("an unknown field").message())
    }

    #[test]
    fn the_schema_has_the_fields_of_the_tables() {
        assert_eq!(properties("/properties/gate/additionalProperties"), fields_of::<WireGate>(""));
        let commands = "/properties/commands";
        assert_eq!(properties(commands), fields_of::<WireCommands>(""));
        let priced = format!("{commands}/properties/eval/anyOf/1");
        assert_eq!(properties(&priced), fields_of::<WirePriced>("run = \"x\"\n"));
        let limits: BTreeSet<String> = Limits::NAMES.map(str::to_owned).into();
        assert_eq!(properties("/properties/limits"), limits);
        let metric = MetricNames::declared_in("[[metric]]\nnames = [\"x\"]\nxyzzy = 1\n");
        let metric = metric.expect_err("an unknown field").to_string();
        let told = metric.split("unknown field").nth(1).unwrap_or_default();
        assert_eq!(properties("/properties/metric/items"), fields(told));
        let reader = "[[reader]]\nfiles = \"x\"\nformat = \"csv\"\n";
        let reader = fields_of::<super::super::readers::WireReaders>(reader);
        assert_eq!(properties("/properties/reader/items"), reader);
        let known = properties("");
        assert!(KNOWN.iter().all(|key| known.contains(*key)), "{known:?}");
    }

    #[test]
    fn the_defaults_of_the_schema_are_those_that_hold() {
        let of = |keys: &[&str]| {
            let found = shown(None).into_iter().find(|one| one.keys == *keys);
            found.unwrap_or_else(|| panic!("no {keys:?}")).value
        };
        let options = stats::Options::default();
        assert_eq!(of(&["alpha"]), Value::Float(options.alpha));
        assert_eq!(of(&["power"]), Value::Float(options.power));
        for name in Limits::NAMES {
            let most = of(&["limits", name]).as_integer().expect("a number");
            let same = Limits::default().with(name, most.cast_unsigned());
            assert_eq!(same, Some(Limits::default()), "{name}");
        }
    }

    #[test]
    fn what_is_shown_says_where_it_stands_and_is_read_as_the_same() {
        let text = "strict = true\n\n[gate.\"no worse\"]\nmargin = \"1pp\"\n";
        let file = ConfigFile::new("my.toml".to_owned(), text.to_owned(), None).expect("read");
        let written = |shown: &[ShownSetting]| {
            let line = |one: &ShownSetting| format!("{} = {}\n", one.key(), one.value);
            shown.iter().map(line).collect::<String>()
        };
        let found = shown(Some(&file));
        let places: Vec<String> = found
            .iter()
            .filter_map(|one| Some(format!("{} {}", one.key(), one.origin.as_ref()?)))
            .collect();
        assert_eq!(places, ["strict my.toml:1", "gate.\"no worse\".margin my.toml:4"]);
        let again = ConfigFile::new("again.toml".to_owned(), written(&found), None).expect("read");
        assert_eq!(written(&shown(Some(&again))), written(&found));
    }
}
