//! Metrics over nights: which changes of level there are, what else changed then, and which alerts
//! follow.
//!
//! Owns dates, the conditions that a night was measured under, and the life of an alert. Everything
//! comes in and goes out as plain values: [`judge_nights`] takes the whole history, [`advance`] the
//! alerts of the night before, and neither knows files or the clock.

mod alert;
mod conditions;
mod history;
mod judge;

pub use crate::stats::nights::FEWEST_NIGHTS;
pub use alert::{Alert, AlertState, Decision, accepted_starts, advance};
pub use conditions::{Condition, Conditions, Suspect};
pub use history::{MetricKey, MetricNights, NightRecord, Sampling};
pub use judge::{Alarm, AlarmEnd, AlarmKind, MetricTrend, Movement, Rebase, Trends, judge_nights};
