//! `reportgen preset`.

use std::io::Write;

use crate::cli::args::PresetArguments;
use crate::exit::{ExitStatus, Failure};
use crate::settings::{PRESETS, Preset};

pub(super) fn run_command(
    arguments: &PresetArguments,
    out: &mut dyn Write,
) -> Result<ExitStatus, Failure> {
    if let Some(name) = &arguments.name {
        let preset = Preset::find(name).map_err(Failure::usage)?;
        out.write_all(preset.text.as_bytes()).map_err(Failure::standard_output)?;
    } else {
        for preset in PRESETS {
            writeln!(out, "{}  {}", preset.name, preset.about())
                .map_err(Failure::standard_output)?;
        }
    }
    Ok(ExitStatus::Done)
}
