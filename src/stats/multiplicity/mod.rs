//! Correction of p-values that are read together.

mod adjust;

pub use adjust::holm;
