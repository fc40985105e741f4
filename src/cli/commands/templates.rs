//! `reportgen templates`.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::cli::args::{TemplatesAction, TemplatesArguments};
use crate::exit::{ExitStatus, Failure};
use crate::output;
use crate::render::{self, SHIPPED};
use crate::text::{LANGUAGES, Refusal};

pub(super) fn run_command(
    arguments: &TemplatesArguments,
    out: &mut dyn Write,
) -> Result<ExitStatus, Failure> {
    let lines: Vec<String> = match &arguments.action {
        TemplatesAction::List => shipped().map(|(name, _)| name).collect(),
        TemplatesAction::Export { directory, force } => export(directory, *force)?,
    };
    for line in lines {
        writeln!(out, "{line}").map_err(Failure::standard_output)?;
    }
    Ok(ExitStatus::Done)
}

/// Everything that can be copied out: name and content.
fn shipped() -> impl Iterator<Item = (String, &'static str)> {
    let layout = SHIPPED.iter().map(|(name, source)| ((*name).to_owned(), *source));
    layout.chain(LANGUAGES.iter().map(|lang| (lang.file(), lang.source)))
}

/// Writes them all, or none where one there was changed; returns the paths written.
fn export(directory: &Path, force: bool) -> Result<Vec<String>, Failure> {
    let changed = |(name, source): &(String, &str)| {
        fs::read(directory.join(name)).is_ok_and(|there| there != source.as_bytes())
    };
    let changed: Vec<String> =
        shipped().filter(changed).map(|(name, _)| format!("`{name}`")).collect();
    if !force && !changed.is_empty() {
        let refusal = Refusal::new("refused.templates-changed").with("changed", changed);
        return Err(Failure::usage(refusal.with("path", directory.display().to_string())));
    }
    let mut written = Vec::new();
    for (name, source) in shipped() {
        let path = directory.join(name);
        output::write_whole(&path, source).map_err(|source| Failure::write(&path, source))?;
        written.push(render::clean(&path.display().to_string()));
    }
    Ok(written)
}
