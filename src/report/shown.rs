//! What a document shows of a report, in its order.

use super::Report;
use super::block::{Block, Section, Table};
use super::chart::Chart;

impl Report {
    /// The sections that have something to show.
    pub fn shown_sections(&self) -> impl Iterator<Item = &Section> {
        self.sections.iter().filter(|section| !section.blocks.is_empty())
    }

    /// Every table, also those that are folded.
    pub fn tables(&self) -> Vec<&Table> {
        let blocks = self.shown_blocks().into_iter();
        let tables = blocks.filter_map(|block| match block {
            Block::Table { table } => Some(table),
            _ => None,
        });
        tables.collect()
    }

    /// Every chart, also those that are folded.
    pub fn charts(&self) -> Vec<&Chart> {
        let blocks = self.shown_blocks().into_iter();
        let charts = blocks.filter_map(|block| match block {
            Block::Chart { chart } => Some(chart.as_ref()),
            _ => None,
        });
        charts.collect()
    }

    fn shown_blocks(&self) -> Vec<&Block> {
        fn gather<'r>(blocks: &'r [Block], found: &mut Vec<&'r Block>) {
            for block in blocks {
                match block {
                    Block::Details { blocks, .. } => gather(blocks, found),
                    other => found.push(other),
                }
            }
        }
        let mut found = Vec::new();
        self.shown_sections().for_each(|section| gather(&section.blocks, &mut found));
        found
    }
}
