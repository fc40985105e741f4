//! What is remembered between nights: `state.json`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::questions::Questions;
use crate::quantity::{Moment, Night, Unit};
use crate::trend::Alert;

/// Everything that is remembered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub schema: String,
    /// When something was found last.
    pub at: Moment,
    pub jobs: BTreeMap<String, JobRecord>,
    #[serde(default)]
    pub alerts: Vec<Alert>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct JobRecord {
    /// The night of which this is the state, in the zone of the job.
    pub night: Night,
    /// Whether its run should be there; `None` where none is ever due.
    pub is_due: Option<bool>,
    /// A digest of the settings of the job.
    pub settings: String,
    /// The run that somebody accepted as baseline.
    pub accepted: Option<String>,
    /// By path below the root.
    pub runs: BTreeMap<String, RunRecord>,
    pub reports: BTreeMap<Night, NightReport>,
}

/// A run as it was seen last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRecord {
    pub state: RunState,
    /// The night that it is of.
    pub night: Night,
    /// Its files as the directory shows them, and since when it shows them so.
    pub signature: String,
    pub since: Moment,
    /// A digest of what was read.
    pub content: Option<String>,
    /// How often it was read with other content.
    pub revision: u32,
    /// When its newest file was written.
    pub finished: Moment,
    /// The night on which it was read last.
    pub filed: Night,
    pub late: bool,
    #[serde(default, skip_serializing_if = "Questions::is_empty")]
    pub questions: Questions,
    /// A digest of the settings of its judge and scorer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<String>,
    /// Why it is not complete, as far as that is known.
    pub note: Option<RunNote>,
}

/// Why a run is not complete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum RunNote {
    /// Its own files say so.
    Said {
        said: String,
    },
    /// Its name is that of a night to come.
    Ahead,
    /// A file ends in the middle of a record.
    Torn,
    /// A file of it could not be read.
    Unread,
    /// It has no configuration, so that nobody can tell whether it is one that the job asks for.
    Unconfigured,
    Steps {
        reached: u64,
        planned: u64,
    },
    Samples {
        scored: u64,
        planned: u64,
        dataset: String,
    },
    /// Nothing of it could be read.
    Unreadable {
        cause: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunState {
    Complete,
    /// It ended, and lacks something.
    Partial,
    /// It may still be written.
    Writing,
    /// It ended before its aim, or was left unfinished.
    Dead,
    Unreadable,
    /// Its settings are not those that the job asks for.
    Excluded,
    /// It is no longer there.
    Gone,
}

impl RunState {
    /// Whether it ended and cannot be judged.
    pub(super) fn is_broken(self) -> bool {
        matches!(self, Self::Partial | Self::Dead | Self::Unreadable)
    }

    /// Name in the history, the log and the catalogues.
    pub fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Partial => "partial",
            Self::Writing => "writing",
            Self::Dead => "dead",
            Self::Unreadable => "unreadable",
            Self::Excluded => "excluded",
            Self::Gone => "gone",
        }
    }
}

/// What came of the runs of a night.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct NightReport {
    /// The night on which it was made last.
    pub filed: Night,
    /// Path below the root, or as the job names it; `None` where there was nothing to compare with.
    pub baseline: Option<String>,
    #[serde(default)]
    pub baseline_note: Option<BaselineNote>,
    pub candidates: Vec<String>,
    /// Complete runs of the night beyond the most that are compared.
    pub left_out: usize,
    /// The result in `report.json`: `worse`, `better`, `unchanged` and so on.
    pub result: Option<String>,
    /// How far the runs can be compared.
    pub trust: Option<String>,
    /// What it noticed about the names that the job gives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub noticed: Vec<String>,
    /// Settings that differ, were not declared, and may be why figures do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undeclared: Vec<String>,
    #[serde(default)]
    pub figure: Option<NightFigure>,
    pub gates: Vec<GateResult>,
    /// The exit status that the comparison alone would have ended with.
    pub status: u8,
    /// Why there is no report.
    pub failure: Option<String>,
}

/// What is to be said of the choice of a baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BaselineNote {
    /// It is the last run with the questions of the night; later ones have others.
    SameQuestions,
    /// It is the last run, and no run of the last nights has the questions of the night.
    OtherQuestions,
    /// There is none, because nobody accepted a run yet.
    NoneAccepted,
}

impl BaselineNote {
    /// The end of a key of the catalogues.
    pub fn name(self) -> &'static str {
        match self {
            Self::SameQuestions => "same-questions",
            Self::OtherQuestions => "other-questions",
            Self::NoneAccepted => "none-accepted",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateResult {
    pub name: String,
    pub outcome: String,
    /// Of a declared one: `critical`, `supporting`, `advisory`.
    #[serde(default)]
    pub tier: Option<String>,
}

/// The figure that says most of a night.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NightFigure {
    pub metric: String,
    pub dataset: Option<String>,
    pub unit: Unit,
    pub baseline: f64,
    pub candidate: f64,
    /// The run that has it.
    #[serde(default)]
    pub run: Option<String>,
}

impl NightReport {
    /// Whether there is a document of it.
    pub fn is_there(&self) -> bool {
        self.failure.is_none() && self.baseline.is_some()
    }

    /// Whether a gate ended like that. What an advisory gate says decides nothing.
    pub fn has_gate(&self, outcome: &str) -> bool {
        let counts = |gate: &GateResult| gate.tier.as_deref() != Some("advisory");
        self.gates.iter().any(|gate| gate.outcome == outcome && counts(gate))
    }
}

impl Record {
    pub const SCHEMA: &'static str = "reportgen.nightly/1";

    /// What a text says; `None` where it is of another version, or damaged.
    pub fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok().filter(|record: &Self| record.schema == Self::SCHEMA)
    }

    pub fn write(&self) -> String {
        // Maps with texts as keys are always JSON.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    pub fn new(at: Moment) -> Self {
        Self { schema: Self::SCHEMA.to_owned(), at, jobs: BTreeMap::new(), alerts: Vec::new() }
    }

    /// The last night of all jobs.
    pub fn tonight(&self) -> Night {
        self.jobs.values().map(|known| known.night).max().unwrap_or_default()
    }
}

impl JobRecord {
    /// Complete runs that are there.
    pub fn complete(&self) -> impl Iterator<Item = (&String, &RunRecord)> {
        self.runs.iter().filter(|(_, run)| run.state == RunState::Complete)
    }

    /// The reports by which the job is judged: those that were made tonight, of whatever night, and that of
    /// the newest night, which holds until there is a newer one.
    pub fn deciding(&self) -> impl DoubleEndedIterator<Item = (Night, &NightReport)> + Clone {
        let newest = self.reports.last_key_value().map(|(night, _)| *night);
        let reports = self.reports.iter().map(|(night, report)| (*night, report));
        reports.filter(move |(night, report)| report.filed == self.night || Some(*night) == newest)
    }

    /// The last night of which a run should be there.
    pub fn awaited(&self) -> Night {
        if self.is_due == Some(true) { self.night } else { self.night.before(1) }
    }

    /// Whether something of the awaited night was not judged: its run is missing, ended early, cannot be
    /// read, or is still being written although it is due; there were too many; or there is no run at all.
    pub fn is_unjudged(&self) -> bool {
        self.has_no_run()
            || self.awaits_acceptance()
            || self.runs.values().any(|run| self.is_broken_lately(run) || self.is_overdue(run))
            || self.missing(1).contains(&self.awaited())
            || self.deciding().any(|(_, report)| report.left_out > 0)
    }

    /// Whether there is nothing to compare with, because nobody accepted a run.
    pub(super) fn awaits_acceptance(&self) -> bool {
        let is_open =
            |report: &NightReport| report.baseline_note == Some(BaselineNote::NoneAccepted);
        self.accepted.is_none() && self.deciding().any(|(_, report)| is_open(report))
    }

    pub(super) fn has_no_run(&self) -> bool {
        let is_none = |run: &RunRecord| matches!(run.state, RunState::Gone | RunState::Excluded);
        self.runs.values().all(is_none)
    }

    /// Whether a run of the awaited night or a later one ended and cannot be judged; or one that came in the
    /// present night, whatever night it is named after; or the newest of all, however long ago that is.
    pub(super) fn is_broken_lately(&self, run: &RunRecord) -> bool {
        let is_late = || run.night >= self.awaited() || run.filed == self.night;
        run.state.is_broken() && (is_late() || Some(run.night) >= self.newest())
    }

    /// Whether a run that the settings of the job leave out is of the awaited night or a later one, or newer
    /// than all that are of the job.
    pub(super) fn is_left_out_lately(&self, run: &RunRecord) -> bool {
        let is_late = || run.night >= self.awaited() || Some(run.night) > self.newest();
        run.state == RunState::Excluded && is_late()
    }

    /// The newest night of which the job has a run that ended.
    fn newest(&self) -> Option<Night> {
        let is_there = |run: &&RunRecord| run.state == RunState::Complete || run.state.is_broken();
        self.runs.values().filter(is_there).map(|run| run.night).max()
    }

    /// Whether a run of the awaited night is still being written although it is due.
    pub(super) fn is_overdue(&self, run: &RunRecord) -> bool {
        run.state == RunState::Writing && self.is_due == Some(true) && run.night == self.awaited()
    }

    /// Nights before the present one, at most so many, on which a run was due and there is none; the
    /// present one too, if it is already due.
    pub fn missing(&self, most: u32) -> Vec<Night> {
        let Some(is_due) = self.is_due else { return Vec::new() };
        let first = self.runs.values().map(|run| run.night).min().unwrap_or(self.night);
        let nights = (first.max(self.night.before(most)).0..=self.night.0).map(Night);
        let nights = nights.filter(|night| *night < self.night || is_due);
        // What is there and not complete is told by itself, and a run that is gone was there.
        let was_there = |run: &RunRecord| match run.state {
            RunState::Excluded => false,
            RunState::Gone => run.content.is_some(),
            _ => true,
        };
        let ran =
            |night: &Night| self.runs.values().any(|run| run.night == *night && was_there(run));
        nights.filter(|night| !ran(night)).collect()
    }
}
