//! The parts of a report, one file each, and their order.

pub(super) mod accepted;
mod answer;
mod bounds;
pub(crate) mod comparability;
pub(crate) mod coverage;
mod curve_points;
mod data_files;
mod decomposition;
pub(crate) mod diagnostics;
mod findings;
pub(crate) mod gates;
pub(super) mod layout;
pub(crate) mod limits;
pub(super) mod lists;
mod margins;
pub(crate) mod method;
mod missing;
mod next_step;
mod noise;
mod one_arm;
mod pair_differences;
mod paired;
pub(crate) mod phrases;
mod prose;
pub(crate) mod reproduce;
pub(crate) mod results;
pub(super) mod roles;
pub(crate) mod samples;
pub(crate) mod score_bins;
mod seeds;
pub(crate) mod setup;
mod suite;
mod summary;
mod systems;
pub(super) mod tally;
mod tasks;
pub(crate) mod to_run;
mod training_changes;
pub(crate) mod training_config;
mod training_curves;
mod training_metrics;
mod training_trends;
pub(super) mod urgency;

pub use answer::Lead;
pub(super) use answer::{Answer, answer};
pub(super) use comparability::worst_grade;
pub(super) use next_step::next_step;

use super::block::Block;
use super::{Part, ReportMaterial};

pub type Blocks = fn(&ReportMaterial<'_>) -> Vec<Block>;

const fn part(id: &'static str, title: &'static str, blocks: Blocks) -> Part<Blocks> {
    Part { id, title, blocks }
}

const SETUP: Part<Blocks> = part("setup", "section.setup", setup::blocks);
const COMPARABILITY: Part<Blocks> =
    part("comparability", "section.comparability", comparability::blocks);
const GATES: Part<Blocks> = part("gates", "section.gates", gates::blocks);
const TRAINING_CONFIG: Part<Blocks> =
    part("training-config", "section.training-config", training_config::blocks);
const COVERAGE: Part<Blocks> = part("coverage", "section.coverage", coverage::blocks);
const DIAGNOSTICS: Part<Blocks> = part("diagnostics", "section.diagnostics", diagnostics::blocks);
const REPRODUCE: Part<Blocks> = part("reproduce", "section.reproduce", reproduce::blocks);

/// Every part of a comparison, in the order of the report.
pub static PARTS: &[Part<Blocks>] = &[
    part("findings", "section.findings", findings::blocks),
    COMPARABILITY,
    GATES,
    part("results", "section.results", results::blocks),
    part("to-run", "section.to-run", to_run::blocks),
    part("one-arm", "section.one-arm", one_arm::blocks),
    part("summary", "section.summary", summary::blocks),
    part("seeds", "section.seeds", seeds::blocks),
    part("noise", "section.noise", noise::blocks),
    part("suite", "section.suite", suite::blocks),
    part("tasks", "section.tasks", tasks::blocks),
    part("systems", "section.systems", systems::blocks),
    part("samples", "section.samples", samples::blocks),
    part("pair-differences", "section.pair-differences", pair_differences::blocks),
    part("score-bins", "section.score-bins", score_bins::blocks),
    part("decomposition", "section.decomposition", decomposition::blocks),
    part("limits", "section.limits", limits::blocks),
    part("prose-findings", "section.prose-findings", prose::findings),
    part("conclusion", "section.conclusion", prose::conclusion),
    part("training-curves", "section.training-curves", training_curves::blocks),
    part("training-metrics", "section.training-metrics", training_metrics::blocks),
    COVERAGE,
    SETUP,
    TRAINING_CONFIG,
    part("method", "section.method", method::blocks),
    DIAGNOSTICS,
    REPRODUCE,
];

/// Every part of a check, in the order of the report.
pub static CHECK_PARTS: &[Part<Blocks>] = &[
    COMPARABILITY,
    GATES,
    part("data-files", "section.data-files", data_files::equal),
    part("paired", "section.paired", paired::blocks),
    COVERAGE,
    SETUP,
    TRAINING_CONFIG,
    DIAGNOSTICS,
    REPRODUCE,
];

/// Blocks that are there for whoever looks for them.
fn folded(summary: String, blocks: Vec<Block>) -> Vec<Block> {
    if blocks.is_empty() { blocks } else { vec![Block::folded(summary, blocks)] }
}
