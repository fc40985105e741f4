//! Figures of documents against runs.

use std::path::PathBuf;

use super::Checked;
use crate::cli::commands::fill::{called, read_runs};
use crate::cli::{Streams, config, emit};
use crate::diag::{Diagnostic, Severity};
use crate::exit::Failure;
use crate::fill::{Called, Differing, Facts, Verified, verify};
use crate::lint::{AGAINST, Finding, Reckoned, keep_unallowed};
use crate::settings::{Flags, Settings};
use crate::text::{Catalogue, Refusal};

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
        streams: &mut Streams<'_>,
    ) -> Result<Self, Failure> {
        let settings = config::command_settings(named, flags, streams.surroundings)?;
        let mut noticed = Vec::new();
        let settings = settings.drain_into(&mut noticed);
        let read = read_runs(runs, &settings, noticed, |_, _| ());
        let read = read.map_err(|error| error.into_failure(words))?;
        let (facts, _, noticed) = read;
        let telling: Vec<Diagnostic> =
            noticed.into_iter().filter(|finding| finding.severity > Severity::Info).collect();
        emit::findings(&telling, words, streams.err).map_err(Failure::standard_output)?;
        Verified::possible(&facts).map_err(Failure::input)?;
        let called = called(&settings, &facts)?;
        Ok(Self { facts, settings, called })
    }

    /// Adds what differs to the findings of a document, where these are asked for.
    pub(super) fn check(&self, one: &mut Checked, is_asked: bool) -> Result<Tally, Failure> {
        let verified =
            verify(&one.document.text, (&self.facts, &self.settings.names, &self.called));
        let verified = verified.map_err(Failure::usage)?;
        let tally = Tally {
            agreeing: verified.agreeing,
            differing: verified.differing.len(),
            not_found: verified.not_found,
        };
        if !is_asked {
            return Ok(tally);
        }
        one.findings.extend(verified.differing.into_iter().map(finding));
        keep_unallowed(&one.document.text, &mut one.findings);
        one.findings.sort_by_key(|finding| finding.place.start);
        Ok(tally)
    }
}

impl Against {
    /// What the runs have, for documents of which no figure was found.
    pub(super) fn known(&self) -> Refusal {
        let [metrics, datasets] = Verified::names(&self.facts);
        Refusal::new("lint.in-vain").with("metrics", metrics).with("datasets", datasets)
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

    /// Whether there are figures, and none is one of the runs.
    pub(super) fn is_in_vain(&self) -> bool {
        self.agreeing + self.differing == 0 && self.not_found > 0
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
    Finding { rule: AGAINST, line, column, place, message, reckoned }
}
