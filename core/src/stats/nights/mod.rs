//! One figure, measured night after night: did its level change, when and by how much?
//!
//! Owns the residuals of nights against the nights before them, the detector that adds them up, and
//! what became of a change. A night is a place in a slice: dates, metrics and what a change is called
//! are the business of the caller.
//!
//! Nothing is held against one frozen night, whose luck all later nights would share.

mod change;
mod detector;
mod night;
mod reference;
mod watch;

pub use change::{ChangeKind, LevelChange};
pub use night::{AlarmBudget, Night, flip_variance};
pub use reference::{Expected, FEWEST_NIGHTS};
pub use watch::{NightScore, WatchedNights, watch_nights};
