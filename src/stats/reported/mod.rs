//! What figures that somebody printed can stand for, when the samples behind them are not at hand.

mod counts;
mod pairing;
mod stderr;

pub use counts::consistent_counts;
pub use pairing::{PairingBounds, pairing_bounds};
pub use stderr::{implied_size, macro_stderr, pooled_stderr, share_stderr, weighted_stderr};
