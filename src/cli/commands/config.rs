//! `reportgen config`.

use std::path::Path;

use serde_json::json;

use crate::cli::args::{ConfigAction, ConfigArguments, ConfigFormat};
use crate::cli::{Streams, config, emit};
use crate::exit::{ExitStatus, Failure};
use crate::kinds;
use crate::model::without_secrets;
use crate::render::clean_lines;
use crate::settings::{self, Flags, SCHEMA, ShownSetting};

pub(super) fn run_command(
    arguments: &ConfigArguments,
    streams: &mut Streams<'_>,
) -> Result<ExitStatus, Failure> {
    let text = match &arguments.action {
        ConfigAction::Schema => SCHEMA.to_owned(),
        ConfigAction::Show { config, preset, origin, format } => {
            show(config.as_deref(), preset.as_deref(), (*origin, *format), streams)?
        }
    };
    streams.out.write_all(text.as_bytes()).map_err(Failure::standard_output)?;
    Ok(ExitStatus::Done)
}

fn show(
    named: Option<&Path>,
    preset: Option<&str>,
    (has_origin, format): (bool, ConfigFormat),
    streams: &mut Streams<'_>,
) -> Result<String, Failure> {
    let file = config::file(named, preset, false)?;
    let (flags, tables) = (Flags::default(), kinds::tables());
    let resolved = settings::resolve(file.as_ref(), &flags, streams.surroundings.lang, &tables);
    let resolved = resolved.map_err(Failure::usage)?;
    let words = resolved.value.words();
    emit::findings(&resolved.diagnostics, words, streams.err).map_err(Failure::standard_output)?;
    let shown = settings::shown(file.as_ref());
    Ok(match format {
        ConfigFormat::Toml => {
            let line = |setting: &ShownSetting| line(setting, has_origin);
            clean_lines(&shown.iter().map(line).collect::<String>())
        }
        ConfigFormat::Json => {
            let listed: Vec<serde_json::Value> = shown.iter().map(listed).collect();
            format!("{:#}\n", serde_json::Value::from(listed))
        }
    })
}

/// The setting as a line of a configuration file, which may be a command with a credential in it.
fn line(setting: &ShownSetting, has_origin: bool) -> String {
    let value = setting.value.to_string();
    let written = format!("{} = {}", setting.key(), without_secrets(&value));
    let origin = setting.origin.as_ref().map_or_else(|| "default".to_owned(), ToString::to_string);
    if has_origin { format!("{written}  # {origin}\n") } else { format!("{written}\n") }
}

fn listed(setting: &ShownSetting) -> serde_json::Value {
    let origin = setting.origin.as_ref();
    json!({
        "key": setting.key(),
        "value": masked(&setting.value),
        "path": origin.map(|at| at.path.as_str()),
        "line": origin.and_then(|at| at.line),
    })
}

fn masked(value: &toml::Value) -> serde_json::Value {
    match value {
        toml::Value::String(text) => without_secrets(text).into(),
        toml::Value::Array(items) => items.iter().map(masked).collect(),
        toml::Value::Table(table) => {
            table.iter().map(|(key, value)| (key.clone(), masked(value))).collect()
        }
        other => serde_json::to_value(other).unwrap_or_default(),
    }
}
