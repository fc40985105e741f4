//! Shares of outcomes that are 0 or 1.

pub mod fisher;
pub mod independent;
pub mod paired;
pub mod ratio;
pub mod unconditional;
pub mod wilson;
