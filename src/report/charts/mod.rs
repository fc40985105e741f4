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
use crate::quantity;
use crate::text::Catalogue;

/// The charts that a section opens with.
struct SectionCharts {
    section: &'static str,
    charts: fn(&ReportMaterial<'_>, &ComparisonData) -> Drawn,
}

/// Charts of one kind, and how many more there would be: nobody looks at dozens.
struct Drawn {
    charts: Vec<Chart>,
    left_out: usize,
}

impl Drawn {
    /// So many of the charts of these; where one has none, the next takes its place.
    fn first<T>(
        all: impl IntoIterator<Item = T>,
        most: usize,
        mut chart: impl FnMut(T) -> Option<Chart>,
    ) -> Self {
        let mut rest = all.into_iter();
        let charts: Vec<Chart> = rest.by_ref().filter_map(&mut chart).take(most).collect();
        let left_out = rest.filter_map(chart).count();
        Self { charts, left_out }
    }
}

impl From<Option<Chart>> for Drawn {
    fn from(chart: Option<Chart>) -> Self {
        Self { charts: chart.into_iter().collect(), left_out: 0 }
    }
}

static CHARTS: &[SectionCharts] = &[
    SectionCharts { section: GLANCE, charts: differences::charts },
    SectionCharts { section: "summary", charts: grids::charts },
    SectionCharts { section: "results", charts: over_axis::charts },
    SectionCharts { section: "suite", charts: arms_over_datasets::charts },
    SectionCharts { section: "seeds", charts: seeds::charts },
    SectionCharts { section: "suite", charts: datasets::charts },
    SectionCharts { section: "decomposition", charts: transitions::charts },
    SectionCharts { section: "phase-conversion", charts: transitions::charts },
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
        let blocks = own.flat_map(|own| blocks((own.charts)(material, data), material.words));
        section.blocks.splice(0..0, blocks.collect::<Vec<_>>());
    }
}

fn blocks(drawn: Drawn, words: &Catalogue) -> impl Iterator<Item = Block> {
    let count = quantity::count(drawn.left_out as u64);
    let told = words.fill("chart.not-drawn", &[("count", count)]);
    let told = (drawn.left_out > 0).then(|| Block::paragraph(told));
    drawn.charts.into_iter().map(Block::chart).chain(told)
}
