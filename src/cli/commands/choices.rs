//! The choices of a command: `reportgen.toml`, and the flags that beat it.

use std::fs;
use std::path::{Path, PathBuf};

use super::Failure;
use crate::diag::Warned;
use crate::settings::{self, Flags, Settings};
use crate::text::Lang;

/// The configuration file that is read without being named.
const CONFIG_FILE: &str = "reportgen.toml";

/// The flags over the file that was named, or that lies in the current directory.
pub(super) fn settings(
    config: Option<&Path>,
    flags: &Flags,
    locale: Lang,
) -> Result<Warned<Settings>, Failure> {
    let path = config.map(Path::to_owned).or_else(|| {
        let path = PathBuf::from(CONFIG_FILE);
        path.is_file().then_some(path)
    });
    let text = path
        .as_ref()
        .map(|path| {
            fs::read_to_string(path).map_err(|source| Failure::Read { path: path.clone(), source })
        })
        .transpose()?;
    let name = path.map(|path| path.display().to_string());
    let file = name.as_deref().zip(text.as_deref());
    Ok(settings::resolve(file, flags, locale)?)
}
