//! `best`: which checkpoint of a run is the best.

pub mod analysis;
mod args;
mod config;
mod report;
mod stages;

use clap::Args as _;

use super::{Kind, Made, Request, parsed};
use crate::collect::RunAddress;
use crate::exit::{ExitStatus, Failure};
use crate::output::Output;
use crate::report::section_ids;
use crate::settings::Flags;
use analysis::Wanted;
use args::BestArguments;

pub(super) static KIND: Kind = Kind {
    name: "best",
    about: "Choose the best checkpoint of a run and estimate how certain the choice is",
    examples: args::EXAMPLES,
    has_table: true,
    has_sheet: true,
    section_ids: || section_ids(report::PARTS),
    add_arguments: BestArguments::augment_args,
    run: |matches, request| run(parsed(matches)?, request),
};

fn run(arguments: BestArguments, request: &Request<'_>) -> Result<Made, Failure> {
    request.output.refuse_overwriting([RunAddress::of(&arguments.run).path.as_path()])?;
    let earlier = earlier_record(request.output)?;
    let directions = Flags::directions(arguments.higher, arguments.lower);
    let flags = Flags { directions, alpha: arguments.alpha, ..Flags::default() };
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
    let flag = arguments.loss.as_deref().map(|name| (name, "--loss"));
    let loss = flag.or(table.loss.as_deref().map(|name| (name, "[best]")));
    let choice = stages::choose_best(&arguments.run, &wanted, (&plan, loss), &settings, noticed)?;
    let mut noticed = Vec::new();
    let choice = choice.drain_into(&mut noticed);
    let record = report::best_record(&choice, table.model_path.as_deref(), &earlier);
    Ok(Made {
        files: vec![(RECORD.to_owned(), record)],
        ..Made::new(report::best(&choice, &noticed, words), ExitStatus::Done)
    })
}

/// The record that goes beside the reports.
const RECORD: &str = "best_checkpoint.json";

/// The record that is there already. What is no record of a choice is not replaced.
fn earlier_record(output: &Output) -> Result<String, Failure> {
    let is_record = |text: &Option<String>| text.as_deref().is_none_or(report::is_best_record);
    match (output.existing(RECORD).ok().filter(is_record), output.directory()) {
        (None, Some(directory)) => {
            let path = directory.join(RECORD);
            Err(Failure::refused("refused.foreign-file", &[("path", &path.to_string_lossy())]))
        }
        (earlier, _) => Ok(earlier.flatten().unwrap_or_default()),
    }
}
