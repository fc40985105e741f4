//! The life of an alert: raised once, confirmed by another night, and over when somebody or the
//! figures say so.

use serde::{Deserialize, Serialize};

use super::history::MetricKey;
use super::judge::{Alarm, Movement};
use crate::quantity::Night;

/// Days within which a change that comes back is the same alert.
const REOPEN_DAYS: i64 = 14;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AlertState {
    /// Waits for another night.
    Candidate,
    Confirmed,
    /// Somebody knows of it.
    Acknowledged,
    /// The old level is back, or the figures became another measure.
    Resolved,
    /// The new level is as it should be.
    Accepted,
    /// It was a false alarm.
    Invalid,
}

impl AlertState {
    pub fn name(self) -> &'static str {
        match self {
            Self::Candidate => "candidate",
            Self::Confirmed => "confirmed",
            Self::Acknowledged => "acknowledged",
            Self::Resolved => "resolved",
            Self::Accepted => "accepted",
            Self::Invalid => "invalid",
        }
    }

    /// Whether it waits for somebody or for the figures.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Candidate | Self::Confirmed | Self::Acknowledged)
    }
}

/// What a person says of an alert.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Acknowledge,
    Accept,
    Invalidate,
}

/// An alarm that somebody is told of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Alert {
    /// First night of the change when it was first raised: with metric, dataset, job and direction
    /// the key of the alert.
    pub since: Night,
    pub alarm: Alarm,
    pub state: AlertState,
    /// Night of the last change of state.
    pub changed: Night,
    /// How often it came back.
    pub reopened: u32,
}

impl Alert {
    /// Whether a figure got worse, by two nights, and nobody has said that it is known.
    pub fn is_confirmed_decline(&self) -> bool {
        self.state == AlertState::Confirmed && self.alarm.movement == Movement::Worse
    }

    /// Whether this night has something to tell: a confirmed alert, or one that is over.
    pub fn is_news(&self, tonight: Night) -> bool {
        self.changed == tonight
            && matches!(self.state, AlertState::Confirmed | AlertState::Resolved)
    }

    /// The alert after a person's word; `None` where it is closed, or waits for another night and
    /// there is nothing to acknowledge.
    pub fn decided(&self, decision: Decision, tonight: Night) -> Option<Self> {
        let state = match decision {
            Decision::Acknowledge if self.state == AlertState::Candidate => return None,
            Decision::Acknowledge => AlertState::Acknowledged,
            Decision::Accept => AlertState::Accepted,
            Decision::Invalidate => AlertState::Invalid,
        };
        let alert = || Self { state, changed: tonight, ..self.clone() };
        self.state.is_open().then(alert)
    }

    fn moved(mut self, state: AlertState, tonight: Night) -> Self {
        if self.state != state {
            (self.state, self.changed) = (state, tonight);
        }
        self
    }

    /// Whether an alarm is the one behind this alert: late nights may move its range a little.
    fn is_of(&self, alarm: &Alarm) -> bool {
        self.is_like(alarm) && self.alarm.overlaps(alarm)
    }

    fn is_like(&self, alarm: &Alarm) -> bool {
        self.alarm.key == alarm.key && self.alarm.is_rise() == alarm.is_rise()
    }

    /// Whether it ended so lately that an alarm like it brings it back.
    fn can_reopen(&self, tonight: Night) -> bool {
        self.state == AlertState::Resolved && tonight.days_since(self.changed) <= REOPEN_DAYS
    }
}

/// The first nights of accepted levels, for [`super::judge_nights`].
pub fn accepted_starts(alerts: &[Alert]) -> Vec<(MetricKey, Night)> {
    let accepted = alerts.iter().filter(|alert| alert.state == AlertState::Accepted);
    accepted.map(|alert| (alert.alarm.key.clone(), alert.alarm.start)).collect()
}

/// The alerts after a night: those of the nights before, updated by all alarms of the history as it is
/// now. The same night again changes nothing. Accepted alerts stay, because the history is judged by
/// them; resolved ones stay while they can come back, invalid ones while their alarm does.
pub fn advance(alerts: &[Alert], alarms: &[Alarm], tonight: Night) -> Vec<Alert> {
    let mut left: Vec<Option<&Alarm>> = alarms.iter().map(Some).collect();
    let mut kept: Vec<Alert> = Vec::new();
    for alert in alerts {
        if alert.state == AlertState::Accepted {
            kept.push(alert.clone());
            continue;
        }
        let place = left.iter().position(|alarm| alarm.is_some_and(|alarm| alert.is_of(alarm)));
        let alarm = place.and_then(|place| left.get_mut(place)?.take());
        kept.extend(updated(alert.clone(), alarm, tonight));
    }
    for alarm in left.into_iter().flatten().filter(|alarm| alarm.ended.is_none()) {
        let state = open_state(alarm);
        let earlier =
            kept.iter_mut().find(|alert| alert.is_like(alarm) && alert.can_reopen(tonight));
        if let Some(alert) = earlier {
            alert.reopened += 1;
            alert.alarm = alarm.clone();
            (alert.state, alert.changed) = (state, tonight);
        } else {
            let alarm = alarm.clone();
            kept.push(Alert { since: alarm.start, alarm, state, changed: tonight, reopened: 0 });
        }
    }
    kept
}

fn open_state(alarm: &Alarm) -> AlertState {
    if alarm.confirmed.is_some() { AlertState::Confirmed } else { AlertState::Candidate }
}

/// An alert with the outcome of its alarm; `None` where it need not be kept. An alarm that is no longer
/// there was undone by nights that came late.
fn updated(mut alert: Alert, alarm: Option<&Alarm>, tonight: Night) -> Option<Alert> {
    let is_over = alarm.is_none_or(|alarm| alarm.ended.is_some());
    if let Some(alarm) = alarm {
        alert.alarm = alarm.clone();
    }
    let state = match (alert.state, is_over) {
        (AlertState::Candidate | AlertState::Invalid, true) => return None,
        (AlertState::Candidate | AlertState::Resolved, false) => open_state(&alert.alarm),
        (AlertState::Confirmed | AlertState::Acknowledged, true) => AlertState::Resolved,
        (AlertState::Resolved, true) if !alert.can_reopen(tonight) => return None,
        (state, _) => state,
    };
    Some(alert.moved(state, tonight))
}
