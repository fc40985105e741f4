//! Distributions made from the data: signs flipped, values drawn again.
//!
//! What can be counted is counted. What cannot is drawn with the generator of `random`, whose seed
//! is fixed: equal inputs give equal results.

pub mod bootstrap;
mod lattice;
pub mod max_t;
pub mod random;
pub mod sign_flip;
mod signs;
pub mod tasks;
