//! `reportgen handoff`.

use std::io::Write;

use super::{Failure, drawn};
use crate::cli::args::HandoffArguments;
use crate::cli::exit::ExitStatus;
use crate::cli::{Surroundings, emit};
use crate::collect::checkpoint;
use crate::handoff;
use crate::report;

pub(super) fn run(
    arguments: &HandoffArguments,
    surroundings: Surroundings,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<ExitStatus, Failure> {
    let plan = drawn::Plan::of_drawing(&arguments.drawing)?;
    plan.refuse_overwriting([arguments.model.as_path()], "the model")?;
    let words = plan.words(arguments.drawing.lang.map_or(surroundings.lang, Into::into));
    let checkpoint = checkpoint::read(&arguments.model, arguments.scan)?;
    let examined = handoff::examine(&checkpoint);
    let report = report::handoff(&checkpoint.path, &examined, words);
    plan.write(&report, out)?;
    let findings = examined.iter().flat_map(|one| &one.findings);
    emit::findings(findings, words, err).map_err(Failure::standard_output)?;
    let ready = handoff::is_ready(&examined);
    Ok(if ready { ExitStatus::Done } else { ExitStatus::GateFailed })
}
