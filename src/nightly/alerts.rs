//! From rows of the history to alerts: which figures of a job are watched, and how nights are told apart.

use std::collections::BTreeMap;

use super::figures::take_last;
use super::kept_settings::SETTINGS;
use super::questions::Questions;
use super::record::{Record, RunRecord};
use crate::history::HistoryRow;
use crate::model::Direction;
use crate::quantity::{Night, Unit};
use crate::trend::{
    Alarm, Alert, AlertState, Condition, Conditions, Decision, MetricKey, MetricNights,
    NightRecord, Sampling, Trends, accepted_starts, judge_nights,
};

/// False alarms a year that are allowed over all figures of all jobs together.
pub(super) const FALSE_ALARMS_A_YEAR: f64 = 4.0;

/// Names for the questions that runs of jobs answered and for their judges, where they are known, by job
/// and run.
type Measures<'r> = BTreeMap<(&'r str, &'r str), [Option<String>; 2]>;

/// The figures that are watched, night by night: those with a good side, of complete runs.
pub fn watched(rows: &[HistoryRow], record: &Record) -> Vec<MetricNights> {
    let measures = measures(record);
    let mut figures: BTreeMap<MetricKey, BTreeMap<Night, &HistoryRow>> = BTreeMap::new();
    let is_watched = |row: &&HistoryRow| row.higher_is_better.is_some() && row.is_of_complete_run();
    for row in rows.iter().filter(is_watched) {
        take_last(figures.entry(key(row)).or_default(), row);
    }
    figures.into_iter().filter_map(|(key, nights)| metric(key, &nights, &measures)).collect()
}

/// A run whose questions are not known, or are but for a few those of the run before it, has the name of
/// that one's.
fn measures(record: &Record) -> Measures<'_> {
    let mut measures = Measures::new();
    for (job, known) in &record.jobs {
        let mut runs: Vec<(&String, &RunRecord)> = known.runs.iter().collect();
        runs.sort_by_key(|(name, run)| (run.night, *name));
        let mut last: Option<(&Questions, String)> = None;
        for (name, run) in runs {
            let questions = &run.questions;
            if !questions.is_empty() {
                let same = last.take().filter(|(earlier, _)| earlier.can_be(questions));
                last = Some((questions, same.map_or_else(|| questions.digest(), |(_, set)| set)));
            }
            let set = last.as_ref().map(|(_, set)| set.clone());
            measures.insert((job, name), [set, run.judge.clone()]);
        }
    }
    measures
}

/// Every figure over all nights, so that a night that came late counts where it belongs.
pub fn judged<'h>(alerts: &[Alert], watched: &'h [MetricNights]) -> Trends<'h> {
    judge_nights(watched, &accepted_starts(alerts), FALSE_ALARMS_A_YEAR)
}

/// Alarms of figures that go on to change behind an alert that somebody knows of: from its first night on
/// its level is taken for the normal one.
pub fn further_alarms(alerts: &[Alert], watched: &[MetricNights], found: &[Alarm]) -> Vec<Alarm> {
    let known = alerts.iter().filter(|alert| alert.state == AlertState::Acknowledged);
    let known: Vec<(MetricKey, Night)> =
        known.map(|alert| (alert.alarm.key.clone(), alert.alarm.start)).collect();
    if known.is_empty() {
        return Vec::new();
    }
    let starts = [accepted_starts(alerts), known.clone()].concat();
    let is_further = |alarm: &Alarm| {
        let is_behind =
            |(key, start): &(MetricKey, Night)| *key == alarm.key && alarm.start > *start;
        let is_told = |told: &Alarm| told.key == alarm.key && told.overlaps(alarm);
        known.iter().any(is_behind) && !found.iter().any(is_told)
    };
    let mut alarms = judge_nights(watched, &starts, FALSE_ALARMS_A_YEAR).alarms();
    alarms.retain(is_further);
    alarms
}

/// What somebody says of the open alerts of a figure, `metric` or `dataset/metric`; whether there is
/// one of which it can be said.
pub fn decide(
    alerts: &mut [Alert],
    (job, figure): (&str, &str),
    decision: Decision,
    tonight: Night,
) -> bool {
    let is_meant =
        |key: &MetricKey| key.job == job && (key.metric == figure || figure_name(key) == figure);
    let mut is_decided = false;
    for alert in alerts.iter_mut().filter(|alert| is_meant(&alert.alarm.key)) {
        if let Some(decided) = alert.decided(decision, tonight) {
            *alert = decided;
            is_decided = true;
        }
    }
    is_decided
}

/// `dataset/metric`.
pub fn figure_name(key: &MetricKey) -> String {
    shown_name(&key.metric, key.dataset.as_deref())
}

/// The same of its parts.
pub(super) fn shown_name(metric: &str, dataset: Option<&str>) -> String {
    dataset.map_or_else(|| metric.to_owned(), |dataset| format!("{dataset}/{metric}"))
}

/// The alerts of a job after somebody accepted a run of that night as its baseline: the level that it is
/// at is the normal one.
pub fn accept_level(alerts: &mut [Alert], job: &str, (run, tonight): (Night, Night)) {
    for alert in alerts.iter_mut().filter(|alert| alert.alarm.key.job == job) {
        if alert.alarm.start <= run
            && let Some(accepted) = alert.decided(Decision::Accept, tonight)
        {
            *alert = accepted;
        }
    }
}

pub(super) fn key(row: &HistoryRow) -> MetricKey {
    let dims = row.dims.iter().map(|dims| format!(" [{dims}]"));
    MetricKey {
        job: row.job.clone(),
        dataset: row.dataset.clone(),
        metric: std::iter::once(row.metric.clone()).chain(dims).collect(),
    }
}

fn metric(
    key: MetricKey,
    nights: &BTreeMap<Night, &HistoryRow>,
    measures: &Measures<'_>,
) -> Option<MetricNights> {
    let last = nights.values().next_back()?;
    let direction = if last.higher_is_better? { Direction::Higher } else { Direction::Lower };
    let before = std::iter::once(None).chain(nights.values().map(|row| Some(*row)));
    let records = nights.values().zip(before).map(|(row, before)| record(row, before, measures));
    Some(MetricNights::new(key, Unit::named(&last.unit)?, direction, records))
}

fn record(row: &HistoryRow, before: Option<&HistoryRow>, measures: &Measures<'_>) -> NightRecord {
    // Flips against another run than that of the night before hold what changed in between, too.
    let is_next = before.is_some_and(|before| row.baseline.as_deref() == Some(&before.run));
    let flips = || {
        Some(Sampling::Flips {
            gained: row.gained?.into(),
            lost: row.lost?.into(),
            paired: row.n_paired?.into(),
        })
    };
    NightRecord {
        night: row.night,
        value: row.value,
        n: row.n.map(u64::from),
        sampling: is_next.then(flips).flatten(),
        conditions: conditions(row, measures.get(&(&*row.job, &*row.run))),
    }
}

fn conditions(row: &HistoryRow, measure: Option<&[Option<String>; 2]>) -> Conditions {
    let [questions, judge] = measure.cloned().unwrap_or_default();
    let digest = |part: &str| Condition::Digest(part.to_owned());
    let known = [
        (digest("dataset"), &questions),
        (digest("judge"), &judge),
        (Condition::Commit, &row.commit),
        (digest(SETTINGS), &row.config),
        (digest("model"), &row.model),
        (digest("harness"), &row.harness),
    ];
    let known = known.into_iter();
    known.filter_map(|(condition, value)| Some((condition, value.clone()?))).collect()
}
