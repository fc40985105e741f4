//! Settings that only a recorded command line states.

use super::{ConfigDifference, difference, moves_answers, sameness};
use crate::model::{Config, ConfigEntry, ConfigValue, Source, leaf};
use crate::pairing::config::spelling::plain;

/// Last components of keys that hold the words of a command. Documented in `docs/formats.md`.
const KEYS: [&str; 5] = ["argv", "cmd", "cmdline", "command", "command_line"];

/// Flags of recorded commands that decide what is asked, how it is answered or how it is scored, and
/// have another value in the other command. A flag that one command lacks counts unless both
/// configurations record the setting: then they say what its default was.
pub(super) fn differing(
    configs: [&Config; 2],
    found: &[ConfigDifference],
) -> Vec<ConfigDifference> {
    let [baseline, candidate] = configs;
    let mut differing = Vec::new();
    for (key, mine) in baseline.iter() {
        let Some(theirs) = candidate.get(key).filter(|_| KEYS.contains(&plain(leaf(key)).as_str()))
        else {
            continue;
        };
        let flags = [mine, theirs].map(|entry| flags(&entry.value));
        let mut names: Vec<&String> = flags.iter().flatten().map(|(name, _)| name).collect();
        names.sort();
        names.dedup();
        for name in names {
            let values = flags.each_ref().map(|flags| value(flags, name));
            let entry = |value: &ConfigValue, of: &ConfigEntry| ConfigEntry {
                value: value.clone(),
                source: Source::clone(&of.source),
            };
            let known =
                configs.iter().all(|config| config.iter().any(|(key, _)| is_named(key, name)));
            let lone = values.contains(&ConfigValue::Null);
            let is_told = found.iter().any(|one| !one.environment && is_named(&one.key, name));
            if is_told
                || (lone && known)
                || sameness::same_config_value(name, &values[0], &values[1])
            {
                continue;
            }
            let [first, second] = [entry(&values[0], mine), entry(&values[1], theirs)];
            let name = format!("{key}.{name}");
            differing.push(difference(&name, [Some(&first), Some(&second)], configs));
        }
    }
    differing
}

fn is_named(key: &str, name: &str) -> bool {
    plain(leaf(key)) == plain(leaf(name))
}

/// The last value of a flag, as programs take it; nothing where the command lacks it.
fn value(flags: &[(String, ConfigValue)], name: &str) -> ConfigValue {
    let found = flags.iter().rev().find(|(flag, _)| flag == name);
    found.map_or(ConfigValue::Null, |(_, value)| value.clone())
}

/// `--name value`, `--name=value`, `--name` and `name=value`, where the name matters.
fn flags(command: &ConfigValue) -> Vec<(String, ConfigValue)> {
    let words: Vec<&str> = match command {
        ConfigValue::Text(text) => text.split_whitespace().collect(),
        ConfigValue::List(items) => items
            .iter()
            .map(|item| match item {
                ConfigValue::Text(text) | ConfigValue::Number(_, text) => text.as_str(),
                _ => "",
            })
            .collect(),
        _ => return Vec::new(),
    };
    let is_value = |word: &&&str| {
        !word.starts_with('-')
            || word.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit())
    };
    let text = |word: &str| ConfigValue::Text(word.trim_matches(['"', '\'']).to_owned());
    let mut flags = Vec::new();
    for (position, word) in words.iter().enumerate() {
        let name = word.trim_start_matches('-');
        let (name, value) = match name.split_once('=') {
            Some((name, value)) => (name, text(value)),
            None if word.starts_with("--") => {
                let next = words.get(position + 1).filter(is_value);
                (name, next.map_or(ConfigValue::Bool(true), |next| text(next)))
            }
            None => continue,
        };
        let name = plain(name);
        if moves_answers(&name) {
            flags.push((name, value));
        }
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_is_read_in_each_of_its_spellings() {
        let command =
            "run.py --temperature 0.7 --top-p=0.9 --apply_chat_template --lr 1 max_tokens=5";
        let found = flags(&ConfigValue::Text(command.to_owned()));
        let text = |value: &str| ConfigValue::Text(value.to_owned());
        assert_eq!(value(&found, "temperature"), text("0.7"));
        assert_eq!(value(&found, "top_p"), text("0.9"));
        assert_eq!(value(&found, "apply_chat_template"), ConfigValue::Bool(true));
        assert_eq!(value(&found, "max_tokens"), text("5"));
        assert_eq!(value(&found, "lr"), ConfigValue::Null);
    }

    #[test]
    fn a_flag_given_twice_has_its_last_value() {
        let words = ["--temperature", "0", "--temperature", "1"];
        let words = words.map(|word| ConfigValue::Text(word.to_owned()));
        let found = flags(&ConfigValue::List(words.to_vec()));
        assert_eq!(value(&found, "temperature"), ConfigValue::Text("1".to_owned()));
    }
}
