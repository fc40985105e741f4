//! The configuration file of a command.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::Surroundings;
use super::args::Drawing;
use crate::diag::Warned;
use crate::exit::Failure;
use crate::kinds;
use crate::settings::{self, ConfigFile, Flags, Settings};
use crate::text::{Lang, Language};

/// The configuration file that is read without being named.
const CONFIG_FILE: &str = "reportgen.toml";

/// The configuration file that was named, or that lies in the current directory; there it may belong
/// to the runs, so that only a name counts where these are not trusted. It lies over the preset that
/// was asked for; without one, the preset stands alone.
pub(super) fn file(
    named: Option<&Path>,
    preset: Option<&str>,
    is_untrusted: bool,
) -> Result<Option<ConfigFile>, Failure> {
    let path = named.map(Path::to_owned).or_else(|| {
        let path = PathBuf::from(CONFIG_FILE);
        (!is_untrusted && path.is_file()).then_some(path)
    });
    let Some(path) = path else {
        return preset.map(ConfigFile::of_preset).transpose().map_err(Failure::usage);
    };
    let text = fs::read_to_string(&path).map_err(|source| Failure::read(&path, source))?;
    let file = ConfigFile::new(path.display().to_string(), text, preset);
    file.map(Some).map_err(Failure::usage)
}

/// The configuration of a report.
pub(super) fn of_report(drawing: &Drawing) -> Result<Option<ConfigFile>, Failure> {
    let Drawing { config, preset, reading, .. } = drawing;
    file(config.as_deref(), preset.as_deref(), reading.untrusted)
}

/// Whether the runs are said to be those of strangers, before the arguments are understood.
pub(super) fn is_untrusted(arguments: &[OsString]) -> bool {
    arguments.iter().any(|word| word == "--untrusted")
}

/// The language in which a failure is told, which may come before arguments and configuration are
/// understood: that of `--lang`, else of the configuration file, else the locale's.
pub(super) fn language(arguments: &[OsString], locale: Lang) -> Lang {
    #[derive(Default, Deserialize)]
    struct Chosen {
        lang: Option<Lang>,
    }
    let value_of = |flag: &str| {
        let mut words = arguments.iter().filter_map(|word| word.to_str());
        let word = words.find(|word| word.strip_prefix(flag).is_some_and(is_value))?;
        word.split_once('=').map(|(_, value)| value).or_else(|| words.next())
    };
    let is_asked = value_of("--lang").and_then(|tag| Language::find(tag).ok());
    let of_file = || {
        let file = file(value_of("--config").map(Path::new), None, is_untrusted(arguments)).ok()?;
        settings::tables::<Chosen>(file.as_ref(), &[]).ok()?.lang
    };
    is_asked.or_else(of_file).unwrap_or(locale)
}

/// Whether a flag ends here, or its value follows.
fn is_value(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('=')
}

/// The flags over the configuration file, for a command that makes no report.
pub(super) fn command_settings(
    named: Option<&Path>,
    flags: &Flags,
    surroundings: Surroundings,
) -> Result<Warned<Settings>, Failure> {
    let file = file(named, None, flags.access.untrusted)?;
    let tables = kinds::tables();
    settings::resolve(file.as_ref(), flags, surroundings.lang, &tables).map_err(Failure::usage)
}
