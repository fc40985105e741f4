//! The charts of a comparison, one file each, and the sections that they open.
//!
//! Owns which figures a chart shows and in what order. Knows no format.

mod arms_over_datasets;
mod curves;
mod datasets;
mod differences;
mod grids;
mod over_axis;
mod seeds;
mod transitions;

pub(super) use differences::chart as differences;

use super::block::{Block, Section};
use super::chart::Chart;
use super::data::ComparisonData;
use super::{GLANCE, ReportMaterial};

/// The charts that a section opens with.
struct SectionCharts {
    section: &'static str,
    charts: fn(&ReportMaterial<'_>, &ComparisonData) -> Vec<Chart>,
}

static CHARTS: &[SectionCharts] = &[
    SectionCharts { section: GLANCE, charts: differences::charts },
    SectionCharts { section: "summary", charts: grids::charts },
    SectionCharts { section: "results", charts: over_axis::charts },
    SectionCharts { section: "suite", charts: arms_over_datasets::charts },
    SectionCharts { section: "seeds", charts: seeds::charts },
    SectionCharts { section: "suite", charts: datasets::charts },
    SectionCharts { section: "decomposition", charts: transitions::charts },
    SectionCharts { section: "training-curves", charts: curves::charts },
];

/// Sets each chart at the head of its section, where there is such a section.
pub(super) fn place(
    sections: &mut [Section],
    material: &ReportMaterial<'_>,
    data: &ComparisonData,
) {
    for section in sections {
        let own = CHARTS.iter().filter(|charts| charts.section == section.id);
        let charts = own.flat_map(|own| (own.charts)(material, data)).map(Block::chart);
        section.blocks.splice(0..0, charts.collect::<Vec<_>>());
    }
}
