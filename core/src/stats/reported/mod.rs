//! What figures that somebody printed can stand for, when the samples behind them are not at hand.

mod counts;
mod pairing;

pub use counts::{consistent_counts, implied_size};
pub use pairing::{PairingBounds, pairing_bounds};
