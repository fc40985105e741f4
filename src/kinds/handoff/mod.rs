//! `handoff`: whether the files of a checkpoint are complete and fit together.

pub mod analysis;
mod args;
mod report;

use clap::Args as _;

use super::{Kind, Made, Request, parsed};
use crate::collect::checkpoint;
use crate::exit::{ExitStatus, Failure};
use crate::report::section_ids;
use crate::settings::Flags;
use args::HandoffArguments;

pub(super) static KIND: Kind = Kind {
    name: "handoff",
    about: "Check that the files of a checkpoint are complete and fit together",
    examples: args::EXAMPLES,
    has_table: false,
    has_sheet: true,
    section_ids: || section_ids(report::PARTS),
    add_arguments: HandoffArguments::augment_args,
    run: |matches, request| run(&parsed(matches)?, request),
};

fn run(arguments: &HandoffArguments, request: &Request<'_>) -> Result<Made, Failure> {
    request.output.refuse_overwriting([arguments.model.as_path()])?;
    let mut noticed = Vec::new();
    let settings = request.settings(Flags::default(), &mut noticed)?;
    let words = settings.words();
    let checkpoint = checkpoint::read(&arguments.model, arguments.scan, &settings.access);
    let checkpoint = checkpoint.map_err(Failure::input)?;
    let examined = analysis::examine(&checkpoint);
    let report = report::report(&checkpoint.path, &examined, &noticed, words);
    let is_ready = analysis::is_ready(&examined);
    let status = if is_ready { ExitStatus::Done } else { ExitStatus::GateFailed };
    Ok(Made::new(report, status))
}
