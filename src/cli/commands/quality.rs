//! `reportgen quality`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::{Failure, choices, drawn};
use crate::cli::args::QualityArguments;
use crate::cli::exit::ExitStatus;
use crate::cli::{Surroundings, emit};
use crate::collect::logs::{self, Patterns};
use crate::diag::{Code, Severity};
use crate::model::SampleTable;
use crate::pipeline;
use crate::quality::{self, Quality, Tables};
use crate::render::Told;
use crate::report;
use crate::settings::{self, Flags};

pub(super) fn run(
    arguments: &QualityArguments,
    surroundings: Surroundings,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<ExitStatus, Failure> {
    let plan = drawn::Plan::of_drawing(&arguments.drawing)?;
    plan.refuse_overwriting(arguments.runs.iter().map(PathBuf::as_path), "a run")?;
    let config = arguments.config.as_deref();
    let flags = Flags { lang: arguments.drawing.lang, ..Flags::default() };
    let mut noticed = Vec::new();
    let settings = choices::settings(config, &flags, surroundings.lang)?.drain_into(&mut noticed);
    let words = plan.words(settings.lang);
    let file = choices::file(config)?;
    let file = file.as_ref().map(|(path, text)| (path.as_str(), text.as_str()));
    let tables: Tables = settings::tables(file)?;
    let patterns = patterns(&arguments.patterns, &tables, file.map(|(path, _)| path))?;
    let found = pipeline::inspect(&arguments.runs, &settings, noticed)
        .map_err(Failure::pipeline(settings.lang))?;
    let mut findings = found.diagnostics;
    let logs = logs::read(&arguments.runs, &patterns)
        .map_err(|error| Failure::pipeline(settings.lang)(error.into()))?
        .drain_into(&mut findings);
    // A run of logs alone holds nothing that the readers of records know.
    findings.retain(|finding| finding.code != Code::NothingReadable);
    let analysed: Vec<Quality<'_>> = logs
        .iter()
        .map(|run| {
            let own = found.value.iter().find(|other| other.path == run.path);
            let samples: &[SampleTable] = own.map_or(&[], |own| &own.content.samples);
            quality::analyse(&run.path, &run.tally, samples, &tables.quality.suggestion)
        })
        .collect();
    findings.extend(analysed.iter().flat_map(quality::findings));
    if analysed.iter().all(Quality::is_empty) {
        emit::findings(&findings, words, err).map_err(Failure::standard_output)?;
        return Err(Failure::NothingToJudge);
    }
    plan.write(Told::Other(&report::quality(&analysed, &findings, words)), out)?;
    emit::findings(&findings, words, err).map_err(Failure::standard_output)?;
    let lost = findings.iter().any(|finding| finding.severity == Severity::Error);
    Ok(if lost { ExitStatus::InputOutput } else { ExitStatus::Done })
}

/// The user's patterns, those of the command line first, before the shipped ones. A file that
/// `reportgen.toml` names lies beside it.
fn patterns(flags: &[PathBuf], tables: &Tables, config: Option<&str>) -> Result<Patterns, Failure> {
    let beside = config.and_then(|path| Path::new(path).parent()).unwrap_or_else(|| Path::new(""));
    let named = tables.quality.patterns.texts().iter().map(|name| beside.join(name));
    let mut files = Vec::new();
    for path in flags.iter().cloned().chain(named) {
        match fs::read_to_string(&path) {
            Ok(text) => files.push((path.display().to_string(), text)),
            Err(source) => return Err(Failure::Read { path, source }),
        }
    }
    Ok(Patterns::of(&files)?)
}
