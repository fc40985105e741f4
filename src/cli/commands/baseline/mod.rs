//! `reportgen baseline`.

mod difference;

use std::fs;
use std::path::{Path, PathBuf};

use super::inspect;
use crate::cli::args::{BaselineAction, BaselineArguments};
use crate::cli::{Streams, config, emit};
use crate::diag::{Diagnostic, Severity};
use crate::exit::{ExitStatus, Failure};
use crate::model::{Run, SampleTable};
use crate::render::{clean, clean_lines, without_commands};
use crate::settings::Settings;
use crate::text::{Catalogue, Refusal};
use crate::{output, pipeline, quantity};

pub(super) fn run_command(
    arguments: &BaselineArguments,
    streams: &mut Streams<'_>,
) -> Result<ExitStatus, Failure> {
    let (BaselineAction::Save { chosen, .. }
    | BaselineAction::List { chosen, .. }
    | BaselineAction::Show { chosen, .. }
    | BaselineAction::Diff { chosen, .. }) = &arguments.action;
    let mut noticed = Vec::new();
    let found =
        config::command_settings(chosen.config.as_deref(), &chosen.flags(), streams.surroundings);
    let settings = found?.drain_into(&mut noticed);
    let words = Catalogue::shipped(settings.lang);
    let reader = Reader { settings: &settings, words };
    let text = match &arguments.action {
        BaselineAction::Save { runs, output, .. } => reader.save(runs, output, &mut noticed)?,
        BaselineAction::List { paths, .. } => reader.list(paths, &mut noticed)?,
        BaselineAction::Show { file, .. } => reader.show(file, &mut noticed)?,
        BaselineAction::Diff { before, after, .. } => reader.diff(before, after, &mut noticed)?,
    };
    // A runner of CI may read what is printed.
    let text = without_commands(&clean_lines(&text));
    streams.out.write_all(text.as_bytes()).map_err(Failure::standard_output)?;
    let loud = noticed.iter().filter(|finding| finding.severity > Severity::Info);
    emit::findings(loud, words, streams.err).map_err(Failure::standard_output)?;
    let failed = noticed.iter().any(|finding| finding.severity == Severity::Error);
    Ok(if failed { ExitStatus::InputOutput } else { ExitStatus::Done })
}

struct Reader<'a> {
    settings: &'a Settings,
    words: &'static Catalogue,
}

impl Reader<'_> {
    fn save(
        &self,
        runs: &[PathBuf],
        file: &Path,
        noticed: &mut Vec<Diagnostic>,
    ) -> Result<String, Failure> {
        if file.exists() && !pipeline::holds_saved_runs(file) {
            let refusal = Refusal::new("refused.no-baseline-there");
            return Err(Failure::usage(refusal.with("path", file.display().to_string())));
        }
        let found = pipeline::save(runs, self.settings);
        let found = found.map_err(|error| error.into_failure(self.words))?;
        let (runs, saved) = found.drain_into(noticed);
        let saved = saved.map_err(|source| Failure::write(file, source))?;
        output::write_whole(file, &saved.bytes).map_err(|source| Failure::write(file, source))?;
        let mut text = self.line(file, &runs, saved.bytes.len() as u64);
        for (part, name) in [("hashes", saved.hashes.name()), ("records", records(saved.records))] {
            let said = self.words.get(&format!("{part}.{name}.text"));
            if !said.is_empty() {
                text.extend(["  ", said.trim(), "\n"]);
            }
        }
        Ok(text)
    }

    fn list(&self, paths: &[PathBuf], noticed: &mut Vec<Diagnostic>) -> Result<String, Failure> {
        let mut text = String::new();
        for path in paths {
            let files = if path.is_dir() { files_in(path)? } else { vec![path.clone()] };
            for file in files.iter().filter(|file| pipeline::holds_saved_runs(file)) {
                let bytes = fs::metadata(file).map_err(|source| Failure::read(file, source))?.len();
                let runs = self.read(file, noticed)?;
                text.push_str(&self.line(file, &runs, bytes));
            }
        }
        Ok(if text.is_empty() { format!("{}\n", self.words.get("baseline.none")) } else { text })
    }

    fn show(&self, file: &Path, noticed: &mut Vec<Diagnostic>) -> Result<String, Failure> {
        if file.exists() && !pipeline::holds_saved_runs(file) {
            let refusal = Refusal::new("refused.no-baseline");
            return Err(Failure::usage(refusal.with("path", file.display().to_string())));
        }
        let mut of_file = Vec::new();
        let runs = self.read(file, &mut of_file)?;
        let mut text = String::new();
        for finding in &of_file {
            text.extend([self.words.message(finding).as_str(), "\n"]);
        }
        for run in &runs {
            inspect::describe(run, &self.settings.names, self.words, &mut text);
        }
        noticed.extend(of_file.into_iter().filter(|one| one.severity == Severity::Error));
        Ok(text)
    }

    fn diff(
        &self,
        before: &Path,
        after: &Path,
        noticed: &mut Vec<Diagnostic>,
    ) -> Result<String, Failure> {
        let inputs = [before, after].map(Path::to_owned);
        let found = pipeline::inspect(&inputs, self.settings, Vec::new());
        let runs = found.map_err(|error| error.into_failure(self.words))?.drain_into(noticed);
        Ok(difference::text(&runs, self.words))
    }

    fn read(&self, file: &Path, noticed: &mut Vec<Diagnostic>) -> Result<Vec<Run>, Failure> {
        let found = pipeline::inspect(&[file.to_owned()], self.settings, Vec::new());
        Ok(found.map_err(|error| error.into_failure(self.words))?.drain_into(noticed))
    }

    /// What a file holds, in one line.
    fn line(&self, file: &Path, runs: &[Run], bytes: u64) -> String {
        let names: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
        let count =
            |of: fn(&Run) -> usize| quantity::count(runs.iter().map(of).sum::<usize>() as u64);
        let samples = count(|run| run.content.samples.iter().map(SampleTable::len).sum());
        let commit = runs.iter().find_map(|run| run.content.provenance.commit.clone());
        let args = [
            ("path", file.display().to_string()),
            ("runs", names.join(&self.words.get("punctuation.comma"))),
            ("commit", commit.unwrap_or_else(|| "?".to_owned())),
            ("figures", count(|run| run.content.scalars.len())),
            ("series", count(|run| run.content.series.len())),
            ("samples", samples),
            ("bytes", quantity::bytes(bytes)),
        ];
        format!("{}\n", clean(&self.words.fill("baseline.line", &args)))
    }
}

fn records(are_kept: bool) -> &'static str {
    if are_kept { "kept" } else { "left-out" }
}

/// The files in a directory, by name.
fn files_in(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |source| Failure::read(directory, source);
    let entries = fs::read_dir(directory).map_err(failed)?;
    let paths: Result<Vec<PathBuf>, _> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths.map_err(failed)?;
    paths.retain(|path| path.is_file());
    paths.sort();
    Ok(paths)
}
