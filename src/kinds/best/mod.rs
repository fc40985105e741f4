//! `best`: which checkpoint of a run is the best.

pub mod analysis;
mod args;
mod config;
mod report;
mod stages;

use clap::{Args as _, FromArgMatches as _};

use super::{Kind, Made, Request};
use crate::exit::{ExitStatus, Failure};
use crate::output::Output;
use crate::report::section_ids;
use crate::settings::Flags;
use analysis::Wanted;
use args::BestArguments;

/// The kind `best`.
pub(super) struct Best;

impl Kind for Best {
    fn name(&self) -> &'static str {
        "best"
    }

    fn about(&self) -> &'static str {
        "Choose the best checkpoint of a run, and say how sure the choice is"
    }

    fn examples(&self) -> &'static str {
        args::EXAMPLES
    }

    fn add_arguments(&self, command: clap::Command) -> clap::Command {
        BestArguments::augment_args(command)
    }

    fn table(&self) -> Option<&'static str> {
        Some("best")
    }

    fn section_ids(&self) -> Vec<&'static str> {
        section_ids(report::PARTS)
    }

    fn run(&self, arguments: &clap::ArgMatches, request: &Request<'_>) -> Result<Made, Failure> {
        let arguments = BestArguments::from_arg_matches(arguments).map_err(Failure::usage)?;
        request.output.refuse_overwriting([arguments.run.as_path()], "the run")?;
        refuse_replacing(request.output)?;
        let flags = Flags { alpha: arguments.alpha, ..Flags::default() };
        let mut noticed = Vec::new();
        let settings = request.settings(flags, &mut noticed)?;
        let words = settings.words();
        let table = request.tables::<config::File>()?.best;
        let plan = table.plan()?;
        table.steps_have_a_place()?;
        let wanted = Wanted {
            metric: arguments.metric.or(table.metric),
            dataset: arguments.dataset.or(table.dataset),
        };
        let loss = arguments.loss.or(table.loss);
        let found =
            stages::choose(&arguments.run, &wanted, (&plan, loss.as_deref()), &settings, noticed)?;
        let mut noticed = Vec::new();
        let found = found.drain_into(&mut noticed);
        let record = report::record(&found, table.model_path.as_deref());
        Ok(Made {
            files: vec![(RECORD.to_owned(), record)],
            ..Made::new(report::best(&found, &noticed, words), ExitStatus::Done)
        })
    }
}

/// The record that goes beside the reports.
const RECORD: &str = "best_checkpoint.json";

/// The record of a run is evidence: only one that this program wrote is written again.
fn refuse_replacing(output: &Output) -> Result<(), Failure> {
    let is_own = match output.existing(RECORD) {
        Ok(text) => text.is_none_or(|text| report::is_record(&text)),
        Err(_) => false,
    };
    match output.directory() {
        Some(directory) if !is_own => Err(Failure::usage(format!(
            "`{}` was not written by `reportgen best` and would be replaced; write the report \
             elsewhere",
            directory.join(RECORD).display()
        ))),
        _ => Ok(()),
    }
}
