//! The kinds of reports: what each is called, what it asks for, and how it is made.
//!
//! A kind is one folder here and one line in [`KINDS`]. Command line, `reportgen.toml`, templates
//! and `[report.NAME]` take their lists of kinds from there.

mod arms;
pub mod best;
mod check;
mod compare;
pub mod handoff;
#[cfg(feature = "history")]
mod history;
pub mod metrics;
mod noise;
mod patterns;
pub mod phase;
pub mod progress;
pub mod quality;
pub mod samples;

pub use compare::{comparison, comparison_sections};

use clap::FromArgMatches;
use serde::de::DeserializeOwned;

use crate::diag::Diagnostic;
use crate::exit::{ExitStatus, Failure};
use crate::output::Output;
use crate::quantity::Moment;
use crate::report::Report;
use crate::settings::{self, AccessFlags, ConfigFile, Flags, Settings};
use crate::text::Lang;

/// Every kind, in the order of the command line's help. To add one: a folder, and a line here.
pub static KINDS: &[&Kind] = &[
    &compare::KIND,
    &check::KIND,
    &phase::KIND,
    &samples::KIND,
    &progress::KIND,
    &quality::KIND,
    &metrics::KIND,
    &best::KIND,
    &handoff::KIND,
    #[cfg(feature = "history")]
    &history::KIND,
];

pub struct Kind {
    /// Name on the command line and in `report.json`.
    pub name: &'static str,
    /// What it does, as the command line's help says it.
    pub about: &'static str,
    /// Examples, and what the exit statuses mean, below its help.
    pub examples: &'static str,
    /// Whether it reads the table of its name in `reportgen.toml`.
    pub has_table: bool,
    /// Whether its report has rows for a spreadsheet.
    pub has_sheet: bool,
    pub section_ids: fn() -> Vec<&'static str>,
    /// Adds the arguments that it has beside those of every kind.
    pub add_arguments: fn(clap::Command) -> clap::Command,
    /// Makes the report, or says which arguments or configuration cannot be used, or that nothing
    /// could be read.
    pub run: fn(&clap::ArgMatches, &Request<'_>) -> Result<Made, Failure>,
}

impl Kind {
    /// Names of its flags, without dashes.
    pub fn flags(&self) -> Vec<String> {
        let command = (self.add_arguments)(clap::Command::new(self.name));
        command.get_arguments().filter_map(|flag| flag.get_long().map(str::to_owned)).collect()
    }
}

fn parsed<A: FromArgMatches>(matches: &clap::ArgMatches) -> Result<A, Failure> {
    A::from_arg_matches(matches).map_err(Failure::usage)
}

pub fn find(name: &str) -> Option<&'static Kind> {
    KINDS.iter().copied().find(|kind| kind.name == name)
}

/// Names of the tables of all kinds in `reportgen.toml`.
pub fn tables() -> Vec<&'static str> {
    KINDS.iter().filter(|kind| kind.has_table).map(|kind| kind.name).collect()
}

/// What a kind is given beside its own arguments.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    pub config: Option<&'a ConfigFile>,
    pub lang: Option<Lang>,
    pub access: &'a AccessFlags,
    pub locale: Lang,
    /// The command line, as a shell would take it.
    pub command: &'a str,
    /// What the age of runs is counted from.
    pub now: Moment,
    pub output: &'a Output,
}

impl Request<'_> {
    /// The flags over the configuration file; what was noticed there goes to `noticed`.
    fn settings(&self, flags: Flags, noticed: &mut Vec<Diagnostic>) -> Result<Settings, Failure> {
        let flags = Flags { lang: self.lang, access: self.access.clone(), ..flags };
        let resolved = settings::resolve(self.config, &flags, self.locale, &tables());
        let settings = resolved.map_err(Failure::usage)?.drain_into(noticed);
        Ok(Settings { catalogues: self.output.catalogues(), ..settings })
    }

    /// The tables of the configuration file that `T` has fields for.
    fn tables<T: DeserializeOwned + Default>(&self) -> Result<T, Failure> {
        settings::tables(self.config, &tables()).map_err(Failure::usage)
    }
}

#[derive(Debug)]
pub struct Made {
    pub report: Report,
    /// The status that the process ends with.
    pub status: ExitStatus,
    /// Files that belong beside the report, by their names below its directory.
    pub files: Vec<(String, String)>,
    /// Names of files of an earlier report that have no place beside this one.
    pub stale: Vec<String>,
}

impl Made {
    /// A report without further files.
    fn new(report: Report, status: ExitStatus) -> Self {
        Self { report, status, files: Vec::new(), stale: Vec::new() }
    }
}
