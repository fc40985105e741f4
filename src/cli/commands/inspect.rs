//! `reportgen inspect`.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::cli::args::InspectArguments;
use crate::cli::{Streams, config, emit};
use crate::diag::Severity;
use crate::exit::{ExitStatus, Failure};
use crate::model::{DataFile, Ending, FileUse, MetricNames, Run, SampleTable};
use crate::pipeline;
use crate::proposal;
use crate::quantity;
use crate::render::{clean, clean_lines, without_commands};
use crate::text::Catalogue;

pub(super) fn run_command(
    arguments: &InspectArguments,
    streams: &mut Streams<'_>,
) -> Result<ExitStatus, Failure> {
    let chosen = &arguments.chosen;
    let mut noticed = Vec::new();
    let found =
        config::command_settings(chosen.config.as_deref(), &chosen.flags(), streams.surroundings);
    let settings = found?.drain_into(&mut noticed);
    let words = Catalogue::shipped(settings.lang);
    let found = pipeline::inspect(&arguments.runs, &settings, noticed)
        .map_err(|error| error.into_failure(words))?;
    let mut text = String::new();
    if arguments.suggest {
        let suggestions = pipeline::suggest_readers(&arguments.runs, &found.value, &settings);
        text = proposal::readers(&suggestions, words);
    }
    for runs in found.value.chunk_by(|a, b| a.input == b.input).filter(|_| !arguments.suggest) {
        store(runs, words, &mut text);
        for run in runs {
            describe(run, &settings.names, words, &mut text);
        }
    }
    // A runner of CI may read what is printed.
    let text = without_commands(&clean_lines(&text));
    streams.out.write_all(text.as_bytes()).map_err(Failure::standard_output)?;
    emit::findings(&found.diagnostics, words, streams.err).map_err(Failure::standard_output)?;
    let failed = found.diagnostics.iter().any(|finding| finding.severity == Severity::Error);
    // Suggestions are for runs of which little or nothing is read.
    Ok(if failed && !arguments.suggest { ExitStatus::InputOutput } else { ExitStatus::Done })
}

/// Writing to a string cannot fail; the macro keeps that in one place.
macro_rules! line {
    ($text:expr, $($piece:tt)*) => {{
        let _infallible = writeln!($text, $($piece)*);
    }};
}

/// The runs of a directory that holds several.
fn store(runs: &[Run], words: &Catalogue, text: &mut String) {
    let named: Vec<&str> = runs.iter().filter_map(Run::called).collect();
    if named.is_empty() {
        return;
    }
    let names = named.join(&words.get("punctuation.comma"));
    let count = quantity::count(named.len() as u64);
    line!(text, "{}", clean(&words.fill("inspect.store", &[("count", &count), ("names", &names)])));
}

pub(super) fn describe(run: &Run, names: &MetricNames, words: &Catalogue, text: &mut String) {
    let heading = |key: &str| words.get(&format!("inspect.{key}"));
    line!(text, "{} ({})", clean(&run.id), clean(&run.path));
    files(run, words, text);
    let content = &run.content;
    for ending in &content.endings {
        let args = [("said", ending.said.as_str()), ("path", &ending.source.path)];
        line!(text, "  {}", clean(&words.fill("inspect.ended", &args)));
    }
    if !content.samples.is_empty() {
        line!(text, "  {}", heading("samples"));
        content.samples.iter().for_each(|table| samples(table, words, text));
    }
    figures(run, names, words, text);
    if !content.series.is_empty() {
        line!(text, "  {}", heading("series"));
        for series in &content.series {
            let points = quantity::count(series.points.len() as u64);
            let axis = &series.axis;
            let args = [("count", points.as_str()), ("axis", axis.as_str())];
            let dims =
                if series.dims.is_empty() { String::new() } else { format!(" [{}]", series.dims) };
            let name = clean(&format!("{}{dims}", series.metric));
            line!(text, "    {name}  {}", words.fill("inspect.points", &args));
        }
    }
    if !content.config.is_empty() {
        line!(text, "  {}", heading("config"));
        for (key, entry) in content.config.iter() {
            // A value of several lines cannot be taken for further keys.
            let value = clean_lines(&entry.value.to_string()).replace('\n', "\n      | ");
            line!(text, "    {} = {value}", clean(key));
        }
    }
    if !run.data_files.is_empty() {
        line!(text, "  {}", heading("data"));
        run.data_files.iter().for_each(|file| data_file(file, words, text));
    }
}

fn files(run: &Run, words: &Catalogue, text: &mut String) {
    line!(text, "  {}", words.get("inspect.files"));
    for file in &run.files {
        let name = if file.relative.is_empty() { &run.name } else { &file.relative };
        let used = match file.used {
            FileUse::Read { reader } => reader.to_owned(),
            FileUse::Ignored { reason } => {
                words.fill("inspect.ignored", &[("reason", &words.get(reason))])
            }
            FileUse::Failed => words.get("inspect.failed"),
        };
        line!(text, "    {}  {used}", clean(name));
    }
}

fn samples(table: &SampleTable, words: &Catalogue, text: &mut String) {
    let columns: Vec<&str> = table.columns().iter().map(|(name, _)| name.as_str()).collect();
    let mut name = table.dataset.clone().unwrap_or_else(|| "—".to_owned());
    if !table.dims.is_empty() {
        let _infallible = write!(name, " [{}]", table.dims);
    }
    let args = [
        ("count", quantity::count(table.len() as u64)),
        ("metrics", columns.join(&words.get("punctuation.comma"))),
    ];
    let table_text = if columns.is_empty() { "inspect.unscored" } else { "inspect.table" };
    line!(text, "    {}  {}", clean(&name), clean(&words.fill(table_text, &args)));
    let is_failed = |row: &usize| table.ending(*row) == Ending::Infrastructure;
    let failed = (0..table.len()).filter(is_failed).count() as u64;
    if failed > 0 {
        let args = [("count", quantity::count(failed))];
        line!(text, "      {}", words.fill("inspect.failed-samples", &args));
    }
    let clusters = table.clusters().iter().map(|(key, labels)| {
        let distinct: BTreeSet<u64> = labels.iter().copied().filter(|&label| label != 0).collect();
        let alone = labels.iter().filter(|&&label| label == 0).count();
        let count = quantity::count((distinct.len() + alone) as u64);
        words.fill("phrase.name-with-detail", &[("name", key), ("detail", &count)])
    });
    let clusters: Vec<String> = clusters.collect();
    if !clusters.is_empty() {
        let keys = clusters.join(&words.get("punctuation.comma"));
        line!(text, "      {}", clean(&words.fill("inspect.clusters", &[("keys", &keys)])));
    }
}

fn figures(run: &Run, names: &MetricNames, words: &Catalogue, text: &mut String) {
    if run.content.scalars.is_empty() {
        return;
    }
    line!(text, "  {}", words.get("inspect.metrics"));
    for scalar in &run.content.scalars {
        let mut name = scalar.dataset.as_ref().map_or_else(String::new, |name| format!("{name}/"));
        name.push_str(&scalar.metric);
        if !scalar.dims.is_empty() {
            let _infallible = write!(name, " [{}]", scalar.dims);
        }
        let produced = run.content.spec(scalar.dataset.as_deref(), &scalar.metric);
        let spec = names.meaning(&scalar.metric, produced);
        let direction = spec.map_or("unknown", |spec| spec.direction.name());
        let direction = words.get(&format!("inspect.direction-{direction}"));
        let value = scalar.value.value().map_or_else(|| "?".to_owned(), |value| format!("{value}"));
        let n = scalar.n.map_or_else(|| "?".to_owned(), quantity::count);
        line!(text, "    {} = {value}  (n={n}, {direction})", clean(&name));
    }
}

fn data_file(file: &DataFile, words: &Catalogue, text: &mut String) {
    let found = match &file.content {
        None if file.is_withheld => words.get("data.withheld"),
        None if file.is_elsewhere() => words.get("data.elsewhere"),
        None => words.get("data.gone"),
        Some(content) => {
            let rows = content.rows.map_or_else(|| "?".to_owned(), quantity::count);
            let hash: String = content.sha256.chars().take(12).collect();
            words.fill("inspect.data-file", &[("rows", &rows), ("hash", &hash)])
        }
    };
    line!(text, "    {} = {}  {found}", clean(&file.key), clean(&file.declared));
}
