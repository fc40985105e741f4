//! `reportgen handoff`.

use std::io::Write;
use std::path::Path;

use super::{Failure, drawn};
use crate::cli::args::HandoffArguments;
use crate::cli::exit::ExitStatus;
use crate::cli::output::Target;
use crate::cli::{Surroundings, emit};
use crate::collect::checkpoint;
use crate::handoff;
use crate::render::{Format, RenderOptions, Told};
use crate::report::HandoffReport;
use crate::text::Catalogue;

pub(super) fn run(
    arguments: &HandoffArguments,
    surroundings: Surroundings,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<ExitStatus, Failure> {
    let output = arguments.output.as_deref();
    let formats = drawn::formats(&arguments.format, output);
    let target = drawn::target(output, formats.len())?;
    let options = RenderOptions { templates: drawn::templates(arguments.templates.as_deref())? };
    refuse_overwriting(&arguments.model, &formats, &target)?;
    let words = Catalogue::of(arguments.lang.map_or(surroundings.lang, Into::into));
    let checkpoint = checkpoint::read(&arguments.model, arguments.scan)?;
    let examined = handoff::examine(&checkpoint);
    let report = HandoffReport::of(&checkpoint.path, &examined, words);
    drawn::write(Told::Handoff(&report), &formats, &target, &options, out)?;
    let findings = examined.iter().flat_map(|one| &one.findings);
    emit::findings(findings, words, err).map_err(Failure::standard_output)?;
    Ok(if report.ready { ExitStatus::Done } else { ExitStatus::GateFailed })
}

/// A report must not replace a file of the model.
fn refuse_overwriting(
    model: &Path,
    formats: &[&'static dyn Format],
    target: &Target,
) -> Result<(), Failure> {
    let Ok(model) = model.canonicalize() else { return Ok(()) };
    let outputs = formats.iter().filter_map(|format| target.file(format.extension()));
    for output in outputs.filter_map(|path| path.canonicalize().ok()) {
        let is_report = output.file_stem().is_some_and(|stem| stem == "report");
        if output.starts_with(&model) && !is_report {
            let path = output.display();
            return Err(Failure::Usage(format!(
                "`{path}` belongs to the model; write the report elsewhere"
            )));
        }
    }
    Ok(())
}
