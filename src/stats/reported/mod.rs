//! What figures that somebody printed can stand for, when the samples behind them are not at hand.

mod counts;

pub use counts::consistent_counts;
