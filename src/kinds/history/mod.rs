//! `history`: figures that nightly jobs filed.

mod args;
mod report;

use clap::Args as _;

use super::{Kind, Made, Request, parsed};
use crate::exit::{ExitStatus, Failure};
use crate::history::{self, Manifest, RowFilter};
use crate::report::section_ids;
use crate::settings::Flags;
use crate::text::Refusal;
use args::HistoryArguments;

pub(super) static KIND: Kind = Kind {
    name: "history",
    about: "Show figures of earlier nights, as filed by nightly",
    examples: args::EXAMPLES,
    has_table: false,
    has_sheet: true,
    section_ids: || section_ids(report::PARTS),
    add_arguments: HistoryArguments::augment_args,
    run: |matches, request| run(parsed(matches)?, request),
};

fn run(arguments: HistoryArguments, request: &Request<'_>) -> Result<Made, Failure> {
    let mut noticed = Vec::new();
    let settings = request.settings(Flags::default(), &mut noticed)?;
    let directory = arguments.directory.join("history/v1");
    let manifest = Manifest::in_directory(&directory).map_err(|source| {
        let path = arguments.directory.display().to_string();
        Failure::input(Refusal::new("refused.no-history").with("path", path).because(source))
    })?;
    let canonical = |name: String| settings.names.canonical(&name).to_owned();
    let filter = RowFilter {
        metrics: arguments.metric.into_iter().map(canonical).collect(),
        runs: arguments.run,
        jobs: arguments.job,
        since: arguments.since,
        until: arguments.until,
    };
    let before = noticed.len();
    let rows = history::read_rows(&directory, &manifest, &filter).drain_into(&mut noticed);
    let status = if noticed.len() > before { ExitStatus::InputOutput } else { ExitStatus::Done };
    Ok(Made::new(report::report(&rows, &noticed, settings.words()), status))
}
