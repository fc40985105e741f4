//! What `reportgen` knows of runs: files become runs, runs become pairs of arms, checks say whether these may be
//! compared, and statistics what their figures show.
//!
//! Nothing here words or draws anything for people: that is the package above, which the compiler makes small
//! where it makes this one fast.

pub mod check;
pub mod collect;
pub mod compare;
pub mod derive;
pub mod diag;
pub mod marked;
pub mod model;
pub mod pairing;
pub mod quantity;
pub mod stats;
pub mod trend;
