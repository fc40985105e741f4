//! Shares of outcomes that are 0 or 1.

pub mod closed_form;
pub mod fisher;
pub mod independent;
pub mod mcnemar_power;
pub mod noninferiority;
pub mod one;
pub mod paired;
pub mod ratio;
pub mod stratified;
pub mod unconditional;
