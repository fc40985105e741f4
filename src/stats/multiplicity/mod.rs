//! Correction of p-values and intervals that are read together.

mod adjust;
mod critical;

pub use adjust::{
    benjamini_hochberg, benjamini_yekutieli, bonferroni, hochberg, holm, holm_sidak, hommel, sidak,
};
pub use critical::{bonferroni_critical, sidak_critical};
