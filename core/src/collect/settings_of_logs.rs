//! What logs say of settings beside configuration files.

use std::collections::{BTreeMap, BTreeSet};

use super::{Piece, readers};
use crate::model::{ConfigValue, leaf, plain, word_of_setting};

/// Names of the configuration file in a command.
const NAMES_CONFIG: &[&str] = &["config", "config_file", "config_name", "config_path"];

/// Takes away what logs say of settings as the configuration files do, and the names of these. Of what a
/// program prints, a training, a server or an evaluation, counts what is known to decide results and what
/// the files do not have, or have another number for; the rest is kept as printed. Overrides are part of the
/// file already.
pub(super) fn leave_repeated(files: &[Piece], of_logs: &mut [Piece]) {
    let mut known: BTreeMap<String, Vec<(&str, &ConfigValue)>> = BTreeMap::new();
    // `model=small` of hydra chooses what the file holds as `model.layers`.
    let mut groups: BTreeSet<String> = BTreeSet::new();
    for (key, entry) in files.iter().flat_map(|piece| piece.fragment.config.iter()) {
        known.entry(setting_name(key)).or_default().push((key, &entry.value));
        groups.extend(key.split('.').rev().skip(1).map(plain));
    }
    let is_named = |key: &str| NAMES_CONFIG.contains(&plain(leaf(key)).as_str());
    for Piece { fragment, .. } in of_logs {
        let commands = std::mem::take(&mut fragment.commands);
        let dumped = std::mem::take(&mut fragment.config);
        let dumped: Vec<_> =
            dumped.into_iter().filter(|(key, _)| commands.get(key).is_none()).collect();
        for (key, entry) in commands.into_iter().filter(|(key, _)| !is_named(key)) {
            let key = match known.get(&setting_name(&key)).map(Vec::as_slice) {
                Some(all) if is_among(&entry.value, all) => continue,
                Some([(of_file, _)]) => (*of_file).to_owned(),
                _ => key,
            };
            fragment.config.insert_beside(&key, &entry);
        }
        for (key, entry) in dumped {
            let is_number = |value: &ConfigValue| matches!(value, ConfigValue::Number(..));
            let decides = readers::decides_results(&plain(&key));
            match known.get(&setting_name(&key)).map(Vec::as_slice) {
                Some(all) if decides && is_among(&entry.value, all) => {}
                Some([(of_file, value)])
                    if decides && is_number(value) && is_number(&entry.value) =>
                {
                    fragment.config.insert_beside(of_file, &entry);
                }
                None if groups.contains(&plain(&key)) => {}
                None if decides => fragment.config.insert_beside(&key, &entry),
                // It may be of another program.
                _ => fragment.printed.insert_beside(&key, &entry),
            }
        }
    }
}

/// What a setting is called, whatever it stands below and however a program spells it.
fn setting_name(key: &str) -> String {
    let name = plain(leaf(key));
    word_of_setting(&name).map_or(name, str::to_owned)
}

fn is_among(value: &ConfigValue, known: &[(&str, &ConfigValue)]) -> bool {
    known.iter().any(|(_, one)| one.same_as(value))
}
