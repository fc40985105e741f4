//! The choices of a command: `reportgen.toml`, and the flags that beat it.

use std::fs;
use std::path::{Path, PathBuf};

use super::Failure;
use crate::diag::Warned;
use crate::settings::{self, Flags, Settings};
use crate::text::Lang;

/// The configuration file that is read without being named.
const CONFIG_FILE: &str = "reportgen.toml";

/// The flags over the configuration file.
pub(super) fn settings(
    config: Option<&Path>,
    flags: &Flags,
    locale: Lang,
) -> Result<Warned<Settings>, Failure> {
    let file = file(config)?;
    let file = file.as_ref().map(|(name, text)| (name.as_str(), text.as_str()));
    Ok(settings::resolve(file, flags, locale)?)
}

/// Path and text of the configuration file that was named, or that lies in the current directory.
pub(super) fn file(config: Option<&Path>) -> Result<Option<(String, String)>, Failure> {
    let path = config.map(Path::to_owned).or_else(|| {
        let path = PathBuf::from(CONFIG_FILE);
        path.is_file().then_some(path)
    });
    let Some(path) = path else { return Ok(None) };
    match fs::read_to_string(&path) {
        Ok(text) => Ok(Some((path.display().to_string(), text))),
        Err(source) => Err(Failure::Read { path, source }),
    }
}
