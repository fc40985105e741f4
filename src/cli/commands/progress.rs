//! `reportgen progress`.

use std::io::Write;

use super::{Failure, choices, drawn};
use crate::cli::args::ProgressArguments;
use crate::cli::exit::ExitStatus;
use crate::cli::{Surroundings, emit};
use crate::collect;
use crate::diag::{Code, Diagnostic, Severity};
use crate::pipeline::{self, PipelineError};
use crate::progress::{self, Asked, declared};
use crate::render::Told;
use crate::report;
use crate::settings::{self, Flags};

pub(super) fn run(
    arguments: &ProgressArguments,
    surroundings: Surroundings,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<ExitStatus, Failure> {
    let plan = drawn::Plan::of_drawing(&arguments.drawing)?;
    plan.refuse_overwriting([arguments.run.as_path()], "the run")?;
    let file = choices::file(arguments.config.as_deref())?;
    let file = file.as_ref().map(|(name, text)| (name.as_str(), text.as_str()));
    let flags = Flags { lang: arguments.drawing.lang, ..Flags::default() };
    let mut noticed = Vec::new();
    let settings = settings::resolve(file, &flags, surroundings.lang)?.drain_into(&mut noticed);
    let declared = settings::tables::<declared::File>(file)?.progress;
    if arguments.last.is_some() && declared.patterns.is_none() {
        return Err(Failure::Usage(
            "--last counts patterns of generations: name their field in [progress.patterns] of \
             reportgen.toml"
                .to_owned(),
        ));
    }
    let words = plan.words(settings.lang);
    let runs = pipeline::inspect(std::slice::from_ref(&arguments.run), &settings, noticed)
        .map_err(Failure::pipeline(settings.lang))?;
    let mut findings = runs.diagnostics;
    let Some(run) = runs.value.first() else {
        let path = arguments.run.display().to_string();
        let source = PipelineError::EmptyRun { path, diagnostics: findings };
        return Err(Failure::Pipeline { source, lang: settings.lang });
    };
    let generations = declared.patterns.as_ref().map(|patterns| {
        collect::generations(&arguments.run, &patterns.field, patterns.file.as_deref())
            .drain_into(&mut findings)
    });
    if let Some(generations) = &generations {
        let of_generations = |finding: &Diagnostic| {
            let place = finding.location.as_ref();
            matches!(finding.code, Code::RepeatedPositions | Code::Unrecognised)
                && place.is_some_and(|place| generations.are_in(&place.path))
        };
        findings.retain(|finding| !of_generations(finding));
    }
    let asked = Asked {
        from: arguments.from,
        to: arguments.to,
        last: arguments.last,
        alpha: settings.options.alpha,
        metrics: settings.metrics,
        config: file.map_or("reportgen.toml", |(name, _)| name).to_owned(),
    };
    let progress = match progress::analyse(run, generations.as_ref(), &declared, &asked) {
        Ok(found) => found.drain_into(&mut findings),
        Err(why) => {
            let _unwritable = emit::findings(&findings, words, err);
            return Err(why.into());
        }
    };
    let report = report::progress(&progress, &findings, words);
    plan.write(Told::Other(&report), out)?;
    let loud = findings.iter().filter(|finding| finding.severity > Severity::Info);
    emit::findings(loud, words, err).map_err(Failure::standard_output)?;
    Ok(ExitStatus::Done)
}
