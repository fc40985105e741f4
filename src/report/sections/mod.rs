//! The parts of a report, one file each, and their order.

mod accepted;
mod bounds;
pub(crate) mod comparability;
pub(crate) mod coverage;
mod data_files;
mod decomposition;
pub(crate) mod diagnostics;
mod findings;
pub(crate) mod gates;
pub(super) mod layout;
pub(crate) mod limits;
mod lists;
mod margins;
pub(crate) mod method;
mod missing;
mod noise;
mod one_arm;
mod paired;
pub(crate) mod phrases;
mod prose;
pub(crate) mod reproduce;
pub(crate) mod results;
pub(crate) mod samples;
mod seeds;
pub(crate) mod setup;
mod suite;
mod summary;
mod systems;
pub(super) mod tally;
mod tasks;
mod training_changes;
pub(crate) mod training_config;
mod training_metrics;
mod training_trends;

pub(super) use comparability::worst_grade;

use super::block::Block;
use super::{Material, Part};

/// The content of a part.
pub type Blocks = fn(&Material<'_>) -> Vec<Block>;

/// Every part of a comparison, in the order of the report.
pub static PARTS: &[Part<Blocks>] = &[
    Part { id: "setup", title: "section.setup", blocks: setup::blocks },
    Part { id: "comparability", title: "section.comparability", blocks: comparability::blocks },
    Part { id: "findings", title: "section.findings", blocks: findings::blocks },
    Part { id: "gates", title: "section.gates", blocks: gates::blocks },
    Part {
        id: "training-config",
        title: "section.training-config",
        blocks: training_config::blocks,
    },
    Part {
        id: "training-metrics",
        title: "section.training-metrics",
        blocks: training_metrics::blocks,
    },
    Part { id: "coverage", title: "section.coverage", blocks: coverage::blocks },
    Part { id: "results", title: "section.results", blocks: results::blocks },
    Part { id: "one-arm", title: "section.one-arm", blocks: one_arm::blocks },
    Part { id: "summary", title: "section.summary", blocks: summary::blocks },
    Part { id: "seeds", title: "section.seeds", blocks: seeds::blocks },
    Part { id: "noise", title: "section.noise", blocks: noise::blocks },
    Part { id: "suite", title: "section.suite", blocks: suite::blocks },
    Part { id: "tasks", title: "section.tasks", blocks: tasks::blocks },
    Part { id: "systems", title: "section.systems", blocks: systems::blocks },
    Part { id: "samples", title: "section.samples", blocks: samples::blocks },
    Part { id: "decomposition", title: "section.decomposition", blocks: decomposition::blocks },
    Part { id: "limits", title: "section.limits", blocks: limits::blocks },
    Part { id: "prose-findings", title: "section.prose-findings", blocks: prose::findings },
    Part { id: "conclusion", title: "section.conclusion", blocks: prose::conclusion },
    Part { id: "method", title: "section.method", blocks: method::blocks },
    Part { id: "diagnostics", title: "section.diagnostics", blocks: diagnostics::blocks },
    Part { id: "reproduce", title: "section.reproduce", blocks: reproduce::blocks },
];

/// Every part of a check, in the order of the report.
pub static CHECK_PARTS: &[Part<Blocks>] = &[
    Part { id: "setup", title: "section.setup", blocks: setup::blocks },
    Part { id: "comparability", title: "section.comparability", blocks: comparability::blocks },
    Part { id: "gates", title: "section.gates", blocks: gates::blocks },
    Part {
        id: "training-config",
        title: "section.training-config",
        blocks: training_config::blocks,
    },
    Part { id: "data-files", title: "section.data-files", blocks: data_files::equal },
    Part { id: "coverage", title: "section.coverage", blocks: coverage::blocks },
    Part { id: "paired", title: "section.paired", blocks: paired::blocks },
    Part { id: "diagnostics", title: "section.diagnostics", blocks: diagnostics::blocks },
    Part { id: "reproduce", title: "section.reproduce", blocks: reproduce::blocks },
];
