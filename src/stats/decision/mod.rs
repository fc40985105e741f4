//! The decision table: which method analyses which design. One row, one file.

mod agreement;
mod independent_binary;
mod independent_clustered;
mod independent_real;
mod paired_binary;
mod paired_clustered;
mod paired_real;
mod reported_rate;
mod seeds;

pub use seeds::seed_permutation_floor;

use super::{Analysis, Design, Interval, Options};

/// One row of the decision table.
pub trait Method: Sync {
    /// Tag of the row, for example `paired-binary`.
    fn id(&self) -> &'static str;

    /// Whether this row is for designs like this one.
    fn applies(&self, design: &Design) -> bool;

    /// Analyses the design; only called when [`Method::applies`].
    fn analyse(&self, design: &Design, options: Options) -> Analysis;

    /// The interval alone at another level, for equivalence margins.
    fn interval(&self, design: &Design, level: f64) -> Option<Interval>;
}

/// The decision table, first match wins.
pub static METHODS: &[&dyn Method] = &[
    &paired_binary::PairedBinary,
    &paired_clustered::PairedClustered,
    &paired_real::PairedReal,
    &independent_clustered::IndependentClustered,
    &independent_binary::IndependentBinary,
    &independent_real::IndependentReal,
    &reported_rate::Reported,
    &seeds::SeedsByItems,
    &seeds::PairedSeeds,
    &seeds::IndependentSeeds,
];

/// The method for a design.
pub fn method_for(design: &Design) -> Option<&'static dyn Method> {
    METHODS.iter().copied().find(|method| method.applies(design))
}
