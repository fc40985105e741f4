//! The index of all jobs: what is said of each, the worst first, and its data.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::json;

use super::figures::take_last;
use super::job::Job;
use super::record::{JobRecord, NightReport, Record, RunRecord, RunState};
use crate::diag::Diagnostic;
use crate::history::HistoryRow;
use crate::quantity::{Moment, Night};
use crate::report::FindingView;
use crate::text::Catalogue;
use crate::trend::{Alert, MetricTrend};

/// Nights before the last one of which it is still said that a run is missing or broken.
const RECENT: u32 = 7;
/// Nights of a trend.
pub const TREND: u32 = 30;
/// Trends of a job that are shown.
const MOST_TRENDS: usize = 12;

/// What the index is made of.
pub struct IndexMaterial<'a> {
    pub record: &'a Record,
    /// The jobs that the configuration has.
    pub jobs: &'a [Job],
    /// Figures of the last nights.
    pub rows: &'a [HistoryRow],
    /// The watched figures over all nights.
    pub watched: &'a [MetricTrend<'a>],
    pub noticed: &'a [Diagnostic],
    /// Gates of every job.
    pub gates: &'a [String],
    pub words: &'a Catalogue,
}

/// What is said of a job, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum JobStatus {
    GateFailed,
    NotGateable,
    /// A comparison could not be made.
    Failed,
    Worse,
    /// A figure got worse over nights, and nobody has acknowledged it.
    Declined,
    /// A run that was due is not there.
    Missing,
    /// A run ended before its aim, or could not be read.
    Broken,
    /// There is no run at all.
    NothingRan,
    /// Runs are there that cannot be compared.
    NotComparable,
    /// A night has more runs than are compared at once.
    LeftOut,
    Late,
    /// Compared, without a verdict.
    NoVerdict,
    /// Compared, and nothing was shown.
    NoChange,
    /// Compared, and it is better or as good.
    Compared,
    /// Runs are there, and nothing to compare them with.
    First,
    Waiting,
    Unchanged,
}

impl JobStatus {
    /// Name in `index.json` and in the catalogues.
    pub fn name(self) -> &'static str {
        match self {
            Self::GateFailed => "gate-failed",
            Self::NotGateable => "not-gateable",
            Self::Failed => "failed",
            Self::Worse => "worse",
            Self::Declined => "declined",
            Self::Missing => "missing",
            Self::Broken => "broken",
            Self::NothingRan => "nothing-ran",
            Self::NotComparable => "not-comparable",
            Self::LeftOut => "left-out",
            Self::Late => "late",
            Self::NoVerdict => "no-verdict",
            Self::NoChange => "no-change",
            Self::Compared => "compared",
            Self::First => "first",
            Self::Waiting => "waiting",
            Self::Unchanged => "unchanged",
        }
    }

    /// Whether a report is why a job is in this state.
    fn is_of(self, report: &NightReport) -> bool {
        let is = |result: &str| report.result.as_deref() == Some(result);
        match self {
            Self::GateFailed => report.has_gate("fail"),
            Self::NotGateable => report.has_gate("not-gateable"),
            Self::Failed => report.failure.is_some(),
            Self::Worse => is("worse"),
            Self::NotComparable => report.trust.as_deref() == Some("not-comparable"),
            Self::LeftOut => report.left_out > 0,
            Self::NoVerdict => is("no-verdict"),
            Self::NoChange => is("undecided"),
            Self::Compared | Self::Late => report.is_there(),
            _ => false,
        }
    }
}

/// A job on the last night.
pub(super) struct JobLine<'a> {
    pub(super) name: &'a str,
    pub(super) known: &'a JobRecord,
    pub(super) job: &'a Job,
    pub(super) status: JobStatus,
    /// What is the matter with its last run beside that, where an older report decides the state.
    pub(super) besides: Option<JobStatus>,
    pub(super) missing: Vec<Night>,
    /// Runs that were read on the last night, and those that were not complete lately.
    pub(super) filed: Vec<(&'a String, &'a RunRecord)>,
    pub(super) broken: Vec<(&'a String, &'a RunRecord)>,
    /// Runs of the last night that have other settings than the job asks for.
    pub(super) excluded: Vec<(&'a String, &'a RunRecord)>,
    /// The report that decides the state, else the last one.
    pub(super) report: Option<(Night, &'a NightReport)>,
    pub(super) trends: Vec<Trend<'a>>,
}

/// A figure of a job over nights.
pub(super) struct Trend<'a> {
    pub(super) row: &'a HistoryRow,
    /// Of each night up to the last one; where a night has several runs, of the last of them.
    pub(super) values: Vec<Option<f64>>,
}

impl Trend<'_> {
    /// The values from the first known one on.
    pub(super) fn known_from(&self) -> &[Option<f64>] {
        let first = self.values.iter().position(Option::is_some).unwrap_or(self.values.len());
        self.values.get(first..).unwrap_or_default()
    }
}

pub(super) struct Material<'a> {
    pub(super) jobs: Vec<JobLine<'a>>,
    /// Those that are open, and those that are over since the last night.
    pub(super) alerts: Vec<Alert>,
    pub(super) watched: &'a [MetricTrend<'a>],
    pub(super) findings: &'a [FindingView],
    pub(super) gates: &'a [String],
    pub(super) at: Moment,
    pub(super) words: &'a Catalogue,
}

impl<'a> Material<'a> {
    pub(super) fn new(index: &'a IndexMaterial<'a>, findings: &'a [FindingView]) -> Self {
        let job = |name: &str| index.jobs.iter().find(|job| job.name == name);
        let jobs = index.record.jobs.iter().filter_map(|(name, known)| Some((job(name)?, known)));
        let alerts = &index.record.alerts;
        let declined = |name: &str| {
            let mut own = alerts.iter().filter(|alert| alert.alarm.key.job == name);
            own.any(Alert::is_confirmed_decline)
        };
        let mut jobs: Vec<JobLine<'_>> = jobs
            .map(|(job, known)| JobLine::new((job, known), declined(&job.name), index.rows))
            .collect();
        jobs.sort_by_key(|job| job.status);
        let tonight = index.record.tonight();
        let is_shown = |alert: &&Alert| {
            job(&alert.alarm.key.job).is_some() && (alert.state.is_open() || alert.is_news(tonight))
        };
        let alerts = alerts.iter().filter(is_shown).cloned().collect();
        let &IndexMaterial { watched, words, gates, .. } = index;
        Self { jobs, alerts, watched, findings, gates, at: index.record.at, words }
    }
}

impl<'a> JobLine<'a> {
    /// The report that somebody has to read for the state of the job.
    pub(super) fn decisive(&self) -> Option<(Night, &'a NightReport)> {
        let quiet = [JobStatus::NoVerdict, JobStatus::NoChange, JobStatus::Compared];
        self.report.filter(|(_, report)| self.status.is_of(report) && !quiet.contains(&self.status))
    }

    fn new((job, known): (&'a Job, &'a JobRecord), declined: bool, rows: &'a [HistoryRow]) -> Self {
        let recent = known.night.before(RECENT);
        let missing = known.missing(RECENT);
        let filed: Vec<_> = known
            .runs
            .iter()
            .filter(|(_, run)| run.filed == known.night && run.state == RunState::Complete)
            .collect();
        let mut broken: Vec<_> = known
            .runs
            .iter()
            .filter(|(_, run)| {
                run.state.is_broken() && run.night >= recent
                    || known.is_broken_lately(run)
                    || run.state == RunState::Writing
            })
            .collect();
        broken.sort_by_key(|(_, run)| (run.state == RunState::Writing, Reverse(run.night)));
        let is_excluded = |(_, run): &(&String, &RunRecord)| known.is_left_out_lately(run);
        let excluded = known.runs.iter().filter(is_excluded).collect();
        let status = status(known, declined, &missing, &filed, &broken);
        let besides = of_last_run(known, &missing, &broken).filter(|besides| *besides != status);
        let decides = |(_, report): &(Night, &NightReport)| status.is_of(report);
        let last = known.reports.last_key_value().map(|(night, report)| (*night, report));
        let report = known.deciding().rfind(decides).or(last);
        let trends = trends(&job.name, known.night, rows);
        Self {
            name: &job.name,
            known,
            job,
            status,
            besides,
            missing,
            filed,
            broken,
            excluded,
            report,
            trends,
        }
    }
}

type Runs<'a> = [(&'a String, &'a RunRecord)];

fn status(
    known: &JobRecord,
    declined: bool,
    missing: &[Night],
    filed: &Runs<'_>,
    broken: &Runs<'_>,
) -> JobStatus {
    // Another day alone makes nothing good.
    let still =
        |status: JobStatus| (status, known.deciding().any(|(_, report)| status.is_of(report)));
    let of_tonight = |status: JobStatus| {
        let is_its = |report: &NightReport| report.filed == known.night && status.is_of(report);
        (status, known.reports.values().any(is_its))
    };
    let last_run = of_last_run(known, missing, broken);
    let of_runs = |status: JobStatus| (status, last_run == Some(status));
    let has = |holds: &dyn Fn(&RunRecord) -> bool| broken.iter().any(|(_, run)| holds(run));
    let rules = [
        still(JobStatus::GateFailed),
        still(JobStatus::NotGateable),
        still(JobStatus::Failed),
        still(JobStatus::Worse),
        (JobStatus::Declined, declined),
        (JobStatus::NothingRan, known.has_no_run()),
        of_runs(JobStatus::Missing),
        of_runs(JobStatus::Broken),
        still(JobStatus::NotComparable),
        still(JobStatus::LeftOut),
        (JobStatus::Late, filed.iter().any(|(_, run)| run.late)),
        (JobStatus::Waiting, has(&|run| known.is_overdue(run))),
        of_tonight(JobStatus::NoVerdict),
        of_tonight(JobStatus::NoChange),
        of_tonight(JobStatus::Compared),
        (JobStatus::First, !filed.is_empty() || known.awaits_acceptance()),
        (JobStatus::Waiting, !broken.is_empty()),
    ];
    rules.iter().find(|(_, holds)| *holds).map_or(JobStatus::Unchanged, |(status, _)| *status)
}

/// Whether the run that should be there is missing, or did not come to its end.
fn of_last_run(known: &JobRecord, missing: &[Night], broken: &Runs<'_>) -> Option<JobStatus> {
    if known.has_no_run() {
        None
    } else if missing.contains(&known.awaited()) {
        Some(JobStatus::Missing)
    } else {
        let is_broken = broken.iter().any(|(_, run)| known.is_broken_lately(run));
        is_broken.then_some(JobStatus::Broken)
    }
}

/// The trends of a job, those of metrics with a good side first.
fn trends<'a>(job: &str, tonight: Night, rows: &'a [HistoryRow]) -> Vec<Trend<'a>> {
    let first = tonight.before(TREND - 1);
    let mut by_figure: BTreeMap<_, BTreeMap<Night, &HistoryRow>> = BTreeMap::new();
    let is_its = |row: &&HistoryRow| {
        row.job == job && (first..=tonight).contains(&row.night) && row.is_of_complete_run()
    };
    for row in rows.iter().filter(is_its) {
        let (metric, _, _, dataset, dims) = row.key();
        let figure = by_figure.entry((row.higher_is_better.is_none(), metric, dataset, dims));
        take_last(figure.or_default(), row);
    }
    let trend = |by_night: BTreeMap<Night, &'a HistoryRow>| {
        let nights = (first.0..=tonight.0).map(Night);
        let values = nights.map(|night| by_night.get(&night).and_then(|row| row.value)).collect();
        by_night.into_values().next_back().map(|row| Trend { row, values })
    };
    by_figure.into_values().filter_map(trend).take(MOST_TRENDS).collect()
}

pub(super) fn data(material: &Material<'_>) -> serde_json::Value {
    let run = |(name, run): &(&String, &RunRecord)| {
        json!({
            "run": name, "state": run.state, "night": run.night, "revision": run.revision,
            "late": run.late, "note": run.note,
        })
    };
    let trend = |trend: &Trend<'_>| {
        let HistoryRow { metric, dataset, dims, unit, run, .. } = trend.row;
        json!({
            "metric": metric, "dataset": dataset, "dims": dims, "unit": unit, "last_run": run,
            "values": trend.values,
        })
    };
    let job = |job: &JobLine<'_>| {
        json!({
            "name": job.name,
            "status": job.status.name(),
            "besides": job.besides.map(JobStatus::name),
            "night": job.known.night,
            "missing": job.missing,
            "filed": job.filed.iter().map(run).collect::<Vec<_>>(),
            "not_complete": job.broken.iter().map(run).collect::<Vec<_>>(),
            "last_report": job.report.map(|(night, report)| json!({
                "night": night,
                "path": format!("{}/report.md", report_directory(job.name, night)),
                "baseline": report.baseline,
                "baseline_note": report.baseline_note,
                "candidates": report.candidates, "left_out": report.left_out,
                "result": report.result, "trust": report.trust, "figure": report.figure,
                "undeclared": report.undeclared, "noticed": report.noticed,
                "gates": report.gates,
                "failure": report.failure,
            })),
            "trends": job.trends.iter().map(trend).collect::<Vec<_>>(),
        })
    };
    json!({
        "at": material.at,
        "jobs": material.jobs.iter().map(job).collect::<Vec<_>>(),
        "alerts": material.alerts,
    })
}

/// Where the report of a night lies below the output directory.
pub(super) fn report_directory(job: &str, night: Night) -> String {
    format!("{job}/{night}")
}
