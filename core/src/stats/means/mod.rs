//! Means and differences of means, with Student's t.

pub mod answers;
pub mod blocks;
pub mod clustered;
pub mod crossed;
pub mod intraclass;
pub mod paired;
pub mod pooled;
pub mod student;
pub mod welch;
