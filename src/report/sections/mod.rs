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

use super::block::{Block, Section, Text};
use super::{Kind, Material};

/// One part of a report.
pub struct Part {
    /// Stable name; its title is the catalogue entry `section.<id>`.
    pub id: &'static str,
    /// Its content; a part without blocks is left out.
    pub blocks: fn(&Material<'_>) -> Vec<Block>,
}

/// Every part of a comparison, in the order of the report.
pub static PARTS: &[Part] = &[
    Part { id: "setup", blocks: setup::blocks },
    Part { id: "comparability", blocks: comparability::blocks },
    Part { id: "findings", blocks: findings::blocks },
    Part { id: "gates", blocks: gates::blocks },
    Part { id: "training-config", blocks: training_config::blocks },
    Part { id: "training-metrics", blocks: training_metrics::blocks },
    Part { id: "coverage", blocks: coverage::blocks },
    Part { id: "results", blocks: results::blocks },
    Part { id: "one-arm", blocks: one_arm::blocks },
    Part { id: "summary", blocks: summary::blocks },
    Part { id: "seeds", blocks: seeds::blocks },
    Part { id: "noise", blocks: noise::blocks },
    Part { id: "suite", blocks: suite::blocks },
    Part { id: "tasks", blocks: tasks::blocks },
    Part { id: "systems", blocks: systems::blocks },
    Part { id: "samples", blocks: samples::blocks },
    Part { id: "decomposition", blocks: decomposition::blocks },
    Part { id: "limits", blocks: limits::blocks },
    Part { id: "prose-findings", blocks: prose::findings },
    Part { id: "conclusion", blocks: prose::conclusion },
    Part { id: "method", blocks: method::blocks },
    Part { id: "diagnostics", blocks: diagnostics::blocks },
    Part { id: "reproduce", blocks: reproduce::blocks },
];

/// Every part of a check, in the order of the report.
pub static CHECK_PARTS: &[Part] = &[
    Part { id: "setup", blocks: setup::blocks },
    Part { id: "comparability", blocks: comparability::blocks },
    Part { id: "gates", blocks: gates::blocks },
    Part { id: "training-config", blocks: training_config::blocks },
    Part { id: "data-files", blocks: data_files::equal },
    Part { id: "coverage", blocks: coverage::blocks },
    Part { id: "paired", blocks: paired::blocks },
    Part { id: "diagnostics", blocks: diagnostics::blocks },
    Part { id: "reproduce", blocks: reproduce::blocks },
];

/// Every part of the report of a phase, in the order of the report.
pub static PHASE_PARTS: &[Part] = &[
    Part { id: "setup", blocks: setup::blocks },
    Part { id: "phase-quality", blocks: phase::quality::blocks },
    Part { id: "phase-errors", blocks: phase::errors::blocks },
    Part { id: "phase-conversion", blocks: phase::conversion::blocks },
    Part { id: "phase-anomalies", blocks: phase::anomalies::blocks },
    Part { id: "gates", blocks: gates::blocks },
    Part { id: "comparability", blocks: comparability::blocks },
    Part { id: "training-config", blocks: training_config::blocks },
    Part { id: "coverage", blocks: coverage::blocks },
    Part { id: "results", blocks: results::blocks },
    Part { id: "samples", blocks: samples::blocks },
    Part { id: "limits", blocks: limits::blocks },
    Part { id: "method", blocks: method::blocks },
    Part { id: "diagnostics", blocks: diagnostics::blocks },
    Part { id: "reproduce", blocks: reproduce::blocks },
];

/// The sections that have something to say.
pub fn sections(material: &Material<'_>) -> Vec<Section> {
    let parts = match material.kind {
        Kind::Compare => PARTS,
        Kind::Check => CHECK_PARTS,
        Kind::Phase => PHASE_PARTS,
    };
    parts
        .iter()
        .map(|part| Section {
            id: part.id,
            title: Text::plain(material.words.get(&format!("section.{}", part.id))),
            blocks: (part.blocks)(material),
        })
        .filter(|section| !section.blocks.is_empty())
        .collect()
}
