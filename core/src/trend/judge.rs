//! The changes of level of every metric, with what else changed then.

use serde::{Deserialize, Serialize};

use super::conditions::{Suspect, changed};
use super::history::{MetricKey, MetricNights, NightRecord};
use crate::quantity::{Night, Unit};
use crate::stats::nights::{
    AlarmBudget, ChangeKind, LevelChange, NightScore, WatchedNights, watch_nights,
};

/// All metrics of a project over their nights.
#[derive(Debug, Clone, PartialEq)]
pub struct Trends<'h> {
    pub metrics: Vec<MetricTrend<'h>>,
    /// ln of the threshold of the detector; `None` without metrics.
    pub log_threshold: Option<f64>,
}

impl Trends<'_> {
    /// The alarms of all metrics, for [`super::advance`].
    pub fn alarms(&self) -> Vec<Alarm> {
        self.metrics.iter().flat_map(|trend| trend.alarms.iter().cloned()).collect()
    }
}

/// One metric.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricTrend<'h> {
    pub history: &'h MetricNights,
    /// One for each record.
    pub scores: Vec<NightScore>,
    pub alarms: Vec<Alarm>,
    pub rebases: Vec<Rebase>,
}

/// A night from which on figures are another measure, because the dataset or the judge is another
/// one: nothing is held against the nights before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rebase {
    pub night: Night,
    pub changed: Vec<Suspect>,
}

/// Which way a level went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Movement {
    Better,
    Worse,
    /// Nobody said which way is good.
    Changed,
}

/// Why a change of level is no longer open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AlarmEnd {
    /// The old level is back.
    Back,
    /// The figures became another measure.
    Rebased,
    /// A later change was accepted.
    Accepted,
}

/// A change of level of a metric. Estimates are those of the night that raised it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Alarm {
    pub key: MetricKey,
    pub unit: Unit,
    pub kind: AlarmKind,
    pub movement: Movement,
    pub raised: Night,
    /// First night at the new level: the likeliest, and the range at 95 %.
    pub start: Night,
    pub earliest: Night,
    pub latest: Night,
    pub before: f64,
    pub after: f64,
    /// Of after − before, at 95 %.
    pub interval: Option<[f64; 2]>,
    /// The first later night that agrees.
    pub confirmed: Option<Night>,
    pub ended: Option<(Night, AlarmEnd)>,
    /// What changed within the range of nights, in the order of nights.
    pub suspects: Vec<Suspect>,
}

impl Alarm {
    pub fn is_rise(&self) -> bool {
        self.after > self.before
    }

    /// Whether both may have begun in the same night.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.earliest <= other.latest && other.earliest <= self.latest
    }
}

/// What raised an alarm: [`ChangeKind`] as it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AlarmKind {
    Step,
    Exact,
}

impl AlarmKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::Exact => "exact",
        }
    }
}

/// Judges every metric with so many false alarms a year for all of them together. `accepted` are
/// the first nights of levels that somebody accepted; no other change becomes the new normal.
pub fn judge_nights<'h>(
    histories: &'h [MetricNights],
    accepted: &[(MetricKey, Night)],
    false_alarms_a_year: f64,
) -> Trends<'h> {
    let Some(budget) = AlarmBudget::new(histories.len() as u64, false_alarms_a_year) else {
        return Trends { metrics: Vec::new(), log_threshold: None };
    };
    let judged = histories.iter().map(|history| {
        let own = accepted.iter().filter(|(key, _)| *key == history.key);
        judge_metric(history, &own.map(|(_, night)| *night).collect::<Vec<_>>(), budget)
    });
    Trends { metrics: judged.collect(), log_threshold: Some(budget.log_threshold()) }
}

fn judge_metric<'h>(
    history: &'h MetricNights,
    accepted: &[Night],
    budget: AlarmBudget,
) -> MetricTrend<'h> {
    let records = history.records();
    let rebases = rebases(records);
    let place_of = |night: Night| records.partition_point(|record| record.night < night);
    let starts = rebases.iter().map(|rebase| (rebase.night, AlarmEnd::Rebased));
    let starts = starts.chain(accepted.iter().map(|night| (*night, AlarmEnd::Accepted)));
    let starts: Vec<(usize, AlarmEnd)> =
        starts.map(|(night, why)| (place_of(night), why)).collect();
    let places: Vec<usize> = starts.iter().map(|(place, _)| *place).collect();
    let nights: Vec<_> = records.iter().map(NightRecord::figure).collect();
    let WatchedNights { scores, changes } = watch_nights(&nights, &places, budget);
    let alarms = changes.iter().filter_map(|change| alarm(history, change, &starts)).collect();
    MetricTrend { history, scores, alarms, rebases }
}

fn rebases(records: &[NightRecord]) -> Vec<Rebase> {
    let measured: Vec<&NightRecord> =
        records.iter().filter(|record| record.figure().is_some()).collect();
    let rebase = |pair: &[&NightRecord]| {
        let [earlier, later] = pair else { return None };
        let mut changed = changed(later.night, &earlier.conditions, &later.conditions);
        changed.retain(|suspect| suspect.condition.is_measure());
        (!changed.is_empty()).then_some(Rebase { night: later.night, changed })
    };
    measured.windows(2).filter_map(rebase).collect()
}

/// `None` only for places outside of the history.
fn alarm(
    history: &MetricNights,
    change: &LevelChange,
    starts: &[(usize, AlarmEnd)],
) -> Option<Alarm> {
    let records = history.records();
    let night = |place: usize| records.get(place).map(|record| record.night);
    // The range begins behind the last night that was measured, whether or not later ones have
    // records.
    let before = change.earliest.checked_sub(1).and_then(|place| records.get(place));
    let earliest = before.map_or(night(change.earliest), |record| Some(record.night.next()))?;
    let after = change.after - change.before;
    let movement = match history.direction.sign() {
        Some(sign) if sign * after > 0.0 => Movement::Better,
        Some(_) => Movement::Worse,
        None => Movement::Changed,
    };
    let back = change.returned.and_then(night).map(|night| (night, AlarmEnd::Back));
    let later = starts.iter().filter(|(place, _)| *place > change.raised).min_by_key(|one| one.0);
    let ended = back.or_else(|| later.and_then(|(place, why)| Some((night(*place)?, *why))));
    let in_range = records.get(change.earliest.saturating_sub(1)..=change.latest)?;
    let measured: Vec<&NightRecord> =
        in_range.iter().filter(|record| record.figure().is_some()).collect();
    let suspects = measured.windows(2).flat_map(|pair| match pair {
        [earlier, later] => changed(later.night, &earlier.conditions, &later.conditions),
        _ => Vec::new(),
    });
    Some(Alarm {
        key: history.key.clone(),
        unit: history.unit,
        kind: match change.kind {
            ChangeKind::Step => AlarmKind::Step,
            ChangeKind::Exact => AlarmKind::Exact,
        },
        movement,
        raised: night(change.raised)?,
        start: night(change.start).or_else(|| night(change.raised))?,
        earliest,
        latest: night(change.latest)?,
        before: change.before,
        after: change.after,
        interval: change.interval.map(|interval| [interval.lo, interval.hi]),
        confirmed: change.confirmed.and_then(night),
        ended,
        suspects: suspects.collect(),
    })
}
