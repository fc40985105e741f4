//! Flags of commands, `--use_lora`, which say nothing where they are not set.

use std::collections::BTreeSet;
use std::path::Path;

use crate::model::{ConfigEntry, ConfigValue, ENDS_WITH_COMMANDS, Run};

/// A flag that the command of one run has and that of another not is off there.
pub fn switch_off(runs: &mut [Run]) {
    let is_of_log = |entry: &ConfigEntry| {
        let path = Path::new(&*entry.source.path);
        path.extension().is_some_and(|end| ENDS_WITH_COMMANDS.iter().any(|known| end == *known))
    };
    let is_flag = |entry: &&ConfigEntry| entry.value == ConfigValue::Bool(true) && is_of_log(entry);
    let flags: BTreeSet<String> = runs
        .iter()
        .flat_map(|run| run.content.config.iter())
        .filter(|(key, entry)| !key.contains('.') && is_flag(entry))
        .map(|(key, _)| key.to_owned())
        .collect();
    for run in runs.iter_mut().filter(|_| !flags.is_empty()) {
        let config = &mut run.content.config;
        let command = config.iter().find(|(_, entry)| is_of_log(entry));
        let Some(source) = command.map(|(_, entry)| entry.source.clone()) else { continue };
        for flag in &flags {
            let entry = ConfigEntry { value: ConfigValue::Bool(false), source: source.clone() };
            config.insert(flag.clone(), entry);
        }
    }
}
