//! Compares training and evaluation runs: comparability first, then statistics, then a report.
//!
//! ```text
//! collect ──► group ──► check ──┐
//!   files      arms,     find-  ├──► report ──► render ──► output
//!   to runs    cells,    ings   │    blocks     md html    files,
//!              residue  compare ┘               json csv   exit code
//! ```
//!
//! One direction, each arrow once; [`pipeline`] is the only module that knows the order.
//! Between reading and writing nothing touches the file system, the clock, the environment or
//! hash order: equal inputs give equal bytes on any number of threads.

pub mod check;
pub mod cli;
pub mod collect;
pub mod compare;
pub mod conditions;
pub mod derive;
pub mod diag;
pub mod exit;
pub mod explain;
pub mod fill;
pub mod gate;
#[cfg(feature = "history")]
pub mod history;
pub mod kinds;
pub mod lint;
pub mod marked;
pub mod model;
#[cfg(feature = "history")]
pub mod nightly;
pub mod output;
pub mod pairing;
pub mod pipeline;
pub mod plan;
pub mod proposal;
pub mod quantity;
pub mod render;
pub mod report;
pub mod settings;
pub mod stats;
pub mod text;
pub mod trend;
