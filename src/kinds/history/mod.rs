//! `history`: figures that nightly jobs filed.

mod args;
mod report;

use std::collections::BTreeSet;

use clap::Args as _;

use super::{Kind, Made, Request, parsed};
use crate::exit::{ExitStatus, Failure};
use crate::history::{self, HistoryRow, Manifest, RowFilter};
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
    let path = arguments.directory;
    let directory = path.join("history/v1");
    let manifest = Manifest::in_directory(&directory).map_err(|source| {
        let path = path.display().to_string();
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
    // What cannot be read may have it.
    if noticed.len() == before
        && let Some(refusal) =
            unknown(&filter, &rows, |column| history::names_in(&directory, &manifest, column))
    {
        return Err(Failure::usage(refusal.with("path", path.display().to_string())));
    }
    let status = if noticed.len() > before { ExitStatus::InputOutput } else { ExitStatus::Done };
    Ok(Made::new(report::report(&rows, &noticed, settings.words()), status))
}

/// The first name of the filter that neither a row has that was found, nor one that other parts of the
/// filter leave out.
fn unknown(
    filter: &RowFilter,
    rows: &[HistoryRow],
    all: impl Fn(&str) -> BTreeSet<String>,
) -> Option<Refusal> {
    type Name = fn(&HistoryRow) -> &String;
    let named: [(&'static str, &[String], Name); 3] = [
        ("job", &filter.jobs, |row| &row.job),
        ("metric", &filter.metrics, |row| &row.metric),
        ("run", &filter.runs, |row| &row.run),
    ];
    named.into_iter().find_map(|(flag, names, name)| {
        if names.iter().all(|asked| rows.iter().any(|row| name(row) == asked)) {
            return None;
        }
        let known = all(flag);
        let unknown = names.iter().find(|asked| !known.contains(*asked))?;
        let refusal = Refusal::new("refused.no-such-row").with("flag", flag);
        Some(refusal.with("name", unknown.as_str()).among(unknown, &known))
    })
}
