//! The parts of a report, one file each, and their order.

mod accepted;
mod bounds;
mod comparability;
mod coverage;
mod data_files;
mod decomposition;
mod diagnostics;
mod findings;
mod gates;
pub(super) mod layout;
mod limits;
mod margins;
mod method;
mod missing;
mod noise;
mod one_arm;
mod paired;
mod phase;
mod phrases;
mod prose;
mod reproduce;
mod results;
mod samples;
mod seeds;
mod setup;
mod suite;
mod summary;
mod systems;
pub(super) mod tally;
mod tasks;
mod training_changes;
mod training_config;
mod training_metrics;
mod training_trends;

pub(super) use comparability::{aa, worst_grade};

use super::block::Block;
use super::{Material, Part};

/// The content of a part.
pub(super) type Blocks = fn(&Material<'_>) -> Vec<Block>;

/// Every part of a comparison, in the order of the report.
pub(super) static PARTS: &[Part<Blocks>] = &[
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
pub(super) static CHECK_PARTS: &[Part<Blocks>] = &[
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

/// Every part of the report of a phase, in the order of the report.
pub(super) static PHASE_PARTS: &[Part<Blocks>] = &[
    Part { id: "setup", title: "section.setup", blocks: setup::blocks },
    Part { id: "phase-quality", title: "section.phase-quality", blocks: phase::quality::blocks },
    Part { id: "phase-errors", title: "section.phase-errors", blocks: phase::errors::blocks },
    Part {
        id: "phase-conversion",
        title: "section.phase-conversion",
        blocks: phase::conversion::blocks,
    },
    Part {
        id: "phase-anomalies",
        title: "section.phase-anomalies",
        blocks: phase::anomalies::blocks,
    },
    Part { id: "gates", title: "section.gates", blocks: gates::blocks },
    Part { id: "comparability", title: "section.comparability", blocks: comparability::blocks },
    Part {
        id: "training-config",
        title: "section.training-config",
        blocks: training_config::blocks,
    },
    Part { id: "coverage", title: "section.coverage", blocks: coverage::blocks },
    Part { id: "results", title: "section.results", blocks: results::blocks },
    Part { id: "samples", title: "section.samples", blocks: samples::blocks },
    Part { id: "limits", title: "section.limits", blocks: limits::blocks },
    Part { id: "method", title: "section.method", blocks: method::blocks },
    Part { id: "diagnostics", title: "section.diagnostics", blocks: diagnostics::blocks },
    Part { id: "reproduce", title: "section.reproduce", blocks: reproduce::blocks },
];
