//! `handoff`: whether a checkpoint is complete and loadable.

pub mod analysis;
mod args;
mod report;

use clap::{Args as _, FromArgMatches as _};

use super::{Kind, Made, Request};
use crate::collect::checkpoint;
use crate::exit::{ExitStatus, Failure};
use crate::report::section_ids;
use crate::settings::Flags;
use args::HandoffArguments;

/// The kind `handoff`.
pub(super) struct Handoff;

impl Kind for Handoff {
    fn name(&self) -> &'static str {
        "handoff"
    }

    fn about(&self) -> &'static str {
        "Say whether a checkpoint directory is complete and loadable"
    }

    fn examples(&self) -> &'static str {
        args::EXAMPLES
    }

    fn add_arguments(&self, command: clap::Command) -> clap::Command {
        HandoffArguments::augment_args(command)
    }

    fn section_ids(&self) -> Vec<&'static str> {
        section_ids(report::PARTS)
    }

    fn run(&self, arguments: &clap::ArgMatches, request: &Request<'_>) -> Result<Made, Failure> {
        let arguments = HandoffArguments::from_arg_matches(arguments).map_err(Failure::usage)?;
        request.output.refuse_overwriting([arguments.model.as_path()], "the model")?;
        let mut noticed = Vec::new();
        let words = request.settings(Flags::default(), &mut noticed)?.words();
        let checkpoint =
            checkpoint::read(&arguments.model, arguments.scan).map_err(Failure::input)?;
        let examined = analysis::examine(&checkpoint);
        let report = report::report(&checkpoint.path, &examined, &noticed, words);
        let is_ready = analysis::is_ready(&examined);
        let status = if is_ready { ExitStatus::Done } else { ExitStatus::GateFailed };
        Ok(Made::new(report, status))
    }
}
