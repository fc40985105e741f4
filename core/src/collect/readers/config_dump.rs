//! Configuration that a program writes down as it starts, where nothing else is in the file: settings
//! at the head of a log, and the overrides of hydra.
//!
//! Counts only where a run has no configuration file.

use std::path::Path;

use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::file_figures::empty;
use super::python_values::insert;
use super::written_settings::{LogSettings, written};
use crate::diag::Warned;
use crate::model::{Config, ENDS_WITH_COMMANDS, Fragment};

pub(in crate::collect) const NAME: &str = "config-dump";

pub(super) const READER: Reader = Reader { name: NAME, recognises, read };

const OVERRIDES: &str = ".hydra/overrides.yaml";

fn recognises(file: &FileEntry) -> bool {
    let is_log = ENDS_WITH_COMMANDS.iter().any(|end| file.has_extension(end));
    (is_overrides(file) || is_log) && !settings(file).config.is_empty()
}

fn read(file: &FileEntry, _: &ReadOptions) -> ReadResult {
    let LogSettings { config, commands, printed, is_whole, .. } = settings(file);
    if config.is_empty() && printed.is_empty() {
        return Err(Box::new(empty(file)));
    }
    Ok(Warned::clean(Fragment {
        config,
        commands,
        printed,
        has_whole_config: is_whole,
        ..Fragment::default()
    }))
}

fn settings(file: &FileEntry) -> LogSettings {
    if is_overrides(file) {
        LogSettings { config: overrides(file), ..LogSettings::default() }
    } else {
        written(file)
    }
}

fn is_overrides(file: &FileEntry) -> bool {
    Path::new(&file.relative).ends_with(OVERRIDES)
}

/// `lr=0.001` of a list; what is added or taken away stands behind a sign.
fn overrides(file: &FileEntry) -> Config {
    let text = String::from_utf8_lossy(&file.head);
    let mut config = Config::default();
    for (number, line) in (1..).zip(text.lines()) {
        let word = line.trim_start().trim_start_matches("- ").trim_matches(['\'', '"']);
        let Some((key, value)) = word.trim_start_matches(['+', '~']).split_once('=') else {
            continue;
        };
        insert(key.trim(), value, number, file, &mut config);
    }
    config
}
