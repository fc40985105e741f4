//! `reportgen init`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::Streams;
use crate::cli::args::InitArguments;
use crate::exit::{ExitStatus, Failure};
use crate::model::{Run, shell_word};
use crate::output;
use crate::pipeline::{self, PipelineError, RunAddress};
use crate::proposal::{self, Seen};
use crate::quantity::Night;
use crate::render::clean_lines;
use crate::settings::{self, Flags};
use crate::text::{Catalogue, Refusal};

/// The file that is printed instead of written.
const STANDARD: &str = "-";

pub(super) fn run_command(
    arguments: &InitArguments,
    streams: &mut Streams<'_>,
) -> Result<ExitStatus, Failure> {
    let InitArguments { runs, output, force, lang, reading } = arguments;
    let is_printed = output == Path::new(STANDARD);
    if !is_printed && !force && output.symlink_metadata().is_ok() {
        let refusal = Refusal::new("refused.init-there").with("path", output.display().to_string());
        return Err(Failure::usage(refusal));
    }
    refuse_input(runs, output)?;
    let mut noticed = Vec::new();
    let flags = Flags { lang: *lang, access: reading.flags(), ..Flags::default() };
    let settings = settings::resolve(None, &flags, streams.surroundings.lang, &[])
        .map_err(Failure::usage)?
        .drain_into(&mut noticed);
    let words = Catalogue::shipped(settings.lang);
    let runs = nights_of(runs).unwrap_or_else(|| runs.clone());
    let mut told = Vec::new();
    let found = pipeline::inspect(&runs, &settings, noticed)
        .map_err(|error| error.into_failure(words))?
        .drain_into(&mut told);
    if let (Some(first), true) = (runs.first(), found.iter().all(Run::is_empty)) {
        let path = first.display().to_string();
        return Err(PipelineError::EmptyRun { path, diagnostics: told }.into_failure(words));
    }
    let beside = if is_printed { Path::new("") } else { output.parent().unwrap_or(Path::new("")) };
    let seen = Seen::of(&found, &settings.names, beside);
    let text = clean_lines(&proposal::text(&seen, *lang, words));
    if is_printed {
        streams.out.write_all(text.as_bytes()).map_err(Failure::standard_output)?;
        return Ok(ExitStatus::Done);
    }
    output::write_whole(output, &text).map_err(|source| Failure::write(output, source))?;
    let path = output.display().to_string();
    let counts = [
        ("path", path.as_str()),
        ("runs", &found.len().to_string()),
        ("metrics", &seen.metrics.len().to_string()),
        ("keys", &seen.differing.len().to_string()),
    ];
    let next = next(&seen, output);
    let mut said = words.fill("init.wrote", &counts);
    if !next.is_empty() {
        said = format!("{said} {}", words.get("init.next"));
    }
    for command in next {
        said = format!("{said}\n  {command}");
    }
    writeln!(streams.err, "{}", clean_lines(&said)).map_err(Failure::standard_output)?;
    Ok(ExitStatus::Done)
}

/// Refuses to replace a file that one of the runs is or holds, but for a configuration of this program.
fn refuse_input(runs: &[PathBuf], output: &Path) -> Result<(), Failure> {
    let Ok(output) = output.canonicalize() else { return Ok(()) };
    let is_own = output.file_name().is_some_and(|name| name == "reportgen.toml");
    let places = runs.iter().filter_map(|run| RunAddress::of(run).path.canonicalize().ok());
    for place in places {
        if output == place || output.starts_with(&place) && !is_own {
            let path = output.to_string_lossy();
            return Err(Failure::refused("refused.is-input", &[("path", &*path)]));
        }
    }
    Ok(())
}

/// The runs of a single directory whose directories are called by nights, as those of a nightly job
/// are: to whom reads one run, they are older and newer results of it.
fn nights_of(runs: &[PathBuf]) -> Option<Vec<PathBuf>> {
    let [only] = runs else { return None };
    let inside = fs::read_dir(only).ok()?.filter_map(Result::ok);
    let directories = inside.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut nights: Vec<PathBuf> = directories
        .filter(|entry| Night::named_in(&entry.file_name().to_string_lossy()).is_some())
        .map(|entry| entry.path())
        .collect();
    nights.sort();
    (nights.len() > 1).then_some(nights)
}

/// What to type next: the comparison that was prepared, and the nightly job.
fn next(seen: &Seen, output: &Path) -> Vec<String> {
    let config = if output == Path::new("reportgen.toml") {
        String::new()
    } else {
        format!(" --config {}", shell_word(&output.display().to_string()))
    };
    let named = |path: &String| shell_word(path);
    let compared = match seen.paths.as_slice() {
        _ if !seen.arms.is_empty() => Some(format!("reportgen compare{config}")),
        [first, second] => {
            Some(format!("reportgen compare {} {}{config}", named(first), named(second)))
        }
        _ => None,
    };
    let nightly = (!seen.jobs.is_empty()).then(|| format!("reportgen nightly --dry-run{config}"));
    compared.into_iter().chain(nightly).collect()
}
