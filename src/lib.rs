//! Compares training and evaluation runs: comparability first, then statistics, then a report.
//!
//! ```text
//! collect ──► pairing ──► check ──┐
//!   files       arms,      find-  ├──► gate ──► report ──► render ──► output
//!   to runs     cells,     ings   │    pass or  blocks     md html    files,
//!               residue  compare ─┘    fail                json csv   exit code
//! ```
//!
//! One direction, each arrow once; [`pipeline`] is the only module that knows the order.
//! Between reading and writing nothing touches the clock, the environment or hash order, and files only
//! where single records are shown (`--samples`): equal inputs give equal bytes on any number of threads.

pub use reportgen_core::{
    check, collect, compare, derive, diag, marked, model, pairing, quantity, stats, trend,
};

pub mod cli;
pub mod conditions;
pub mod exit;
pub mod explain;
pub mod fill;
pub mod gate;
#[cfg(feature = "history")]
pub mod history;
pub mod kinds;
pub mod lint;
#[cfg(feature = "history")]
pub mod nightly;
pub mod output;
pub mod pipeline;
pub mod plan;
pub mod proposal;
pub mod render;
pub mod report;
pub mod settings;
pub mod text;
