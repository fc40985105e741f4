//! The configuration file of a command.

use std::fs;
use std::path::{Path, PathBuf};

use super::Surroundings;
use crate::diag::Warned;
use crate::exit::Failure;
use crate::kinds;
use crate::settings::{self, ConfigFile, Flags, Settings};

/// The configuration file that is read without being named.
const CONFIG_FILE: &str = "reportgen.toml";

/// The configuration file that was named, or that lies in the current directory.
pub(super) fn file(named: Option<&Path>) -> Result<Option<ConfigFile>, Failure> {
    let path = named.map(Path::to_owned).or_else(|| {
        let path = PathBuf::from(CONFIG_FILE);
        path.is_file().then_some(path)
    });
    let Some(path) = path else { return Ok(None) };
    let text = fs::read_to_string(&path).map_err(|source| Failure::read(&path, source))?;
    Ok(Some(ConfigFile { path: path.display().to_string(), text }))
}

/// The flags over the configuration file, for a command that makes no report.
pub(super) fn command_settings(
    named: Option<&Path>,
    flags: &Flags,
    surroundings: Surroundings,
) -> Result<Warned<Settings>, Failure> {
    let file = file(named)?;
    let tables = kinds::tables();
    settings::resolve(file.as_ref(), flags, surroundings.lang, &tables).map_err(Failure::usage)
}
