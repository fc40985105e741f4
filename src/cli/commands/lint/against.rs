//! Figures of documents against runs.

use std::path::PathBuf;

use super::Checked;
use crate::cli::commands::fill::{called, read_runs};
use crate::cli::{Streams, config};
use crate::exit::Failure;
use crate::fill::{Called, Differing, Facts, verify};
use crate::lint::{Finding, Reckoned};
use crate::settings::{Flags, Settings};
use crate::text::{Catalogue, Refusal};

/// The rule by which a figure is found that the runs contradict.
const RULE: &str = "against";

/// What runs say, for documents that are set against them.
pub(super) struct Against {
    facts: Facts,
    settings: Settings,
    called: Vec<Called>,
}

/// How many figures were those of the runs, and how many there are.
#[derive(Default)]
pub(super) struct Tally {
    agreeing: usize,
    differing: usize,
    not_found: usize,
}

impl Against {
    pub(super) fn new(
        runs: &[PathBuf],
        (named, flags): (Option<&std::path::Path>, &Flags),
        words: &'static Catalogue,
        streams: &Streams<'_>,
    ) -> Result<Self, Failure> {
        let settings = config::command_settings(named, flags, streams.surroundings)?;
        let mut noticed = Vec::new();
        let settings = settings.drain_into(&mut noticed);
        let read = read_runs(runs, &settings, noticed, |_, _| ());
        let read = read.map_err(|error| error.into_failure(words))?;
        let called = called(&settings, &read.0)?;
        Ok(Self { facts: read.0, settings, called })
    }

    /// Adds what differs to the findings of a document.
    pub(super) fn check(&self, one: &mut Checked) -> Result<Tally, Failure> {
        let verified =
            verify(&one.document.text, (&self.facts, &self.settings.names, &self.called));
        let verified = verified.map_err(Failure::usage)?;
        let tally = Tally {
            agreeing: verified.agreeing,
            differing: verified.differing.len(),
            not_found: verified.not_found,
        };
        one.findings.extend(verified.differing.into_iter().map(finding));
        one.findings.sort_by_key(|finding| finding.place.start);
        Ok(tally)
    }
}

impl Tally {
    #[must_use]
    pub(super) fn plus(self, other: &Self) -> Self {
        Self {
            agreeing: self.agreeing + other.agreeing,
            differing: self.differing + other.differing,
            not_found: self.not_found + other.not_found,
        }
    }

    pub(super) fn in_words(&self, words: &Catalogue) -> String {
        let Self { agreeing, differing, not_found } = self;
        let counts = [
            ("agreeing", *agreeing),
            ("all", agreeing + differing + not_found),
            ("differing", *differing),
            ("missing", *not_found),
        ];
        words.fill("lint.verified", &counts)
    }
}

fn finding(differing: Differing) -> Finding {
    let Differing { place, line, column, found, expected, source } = differing;
    let message = Refusal::new("lint.against")
        .with("found", found.as_str())
        .with("expected", expected.as_str())
        .with("source", source.as_str());
    let reckoned = Some(Reckoned { found, expected, how: source, fix: None });
    Finding { rule: RULE, line, column, place, message, reckoned }
}
