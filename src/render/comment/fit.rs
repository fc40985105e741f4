//! As much of a report as a forge takes. Whole blocks and rows are left out, never a part of one.

use crate::render::RenderError;
use crate::report::block::{Block, Section, Table};
use crate::text::Catalogue;

/// Rows of tables and items of lists that are tried where all are too many.
const SHORTER: [usize; 5] = [200, 100, 40, 15, 5];

/// Room for what says at the end which sections are left out.
const KEPT_FOR_THE_END: usize = 4_000;

/// A text, and how much may still be added to it.
pub(super) struct Room {
    text: String,
    left: usize,
    measure: fn(&str) -> usize,
}

impl Room {
    pub(super) fn new(limit: usize, measure: fn(&str) -> usize, text: String) -> Self {
        let left = limit.saturating_sub(KEPT_FOR_THE_END).saturating_sub(measure(&text));
        Self { text, left, measure }
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// Adds the section, folded, as far as there is room for it; `false` where there is none.
    pub(super) fn place(
        &mut self,
        section: &Section,
        words: &Catalogue,
        draw: &impl Fn(Vec<Block>) -> Result<String, RenderError>,
    ) -> Result<bool, RenderError> {
        let whole = std::iter::once((section.blocks.clone(), true));
        let shorter = SHORTER.into_iter().map(|most| limited(&section.blocks, most, words));
        for (blocks, _) in whole.chain(shorter).filter(|(_, is_other)| *is_other) {
            let drawn = draw(vec![Block::folded(section.title.clone(), blocks)])?;
            let size = (self.measure)(&drawn);
            if size <= self.left {
                self.left -= size;
                self.text.push_str(&drawn);
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The blocks with so many rows of each table and items of each list, at every depth, each followed
/// by how many there are; and whether any was cut.
pub(super) fn limited(blocks: &[Block], most: usize, words: &Catalogue) -> (Vec<Block>, bool) {
    let mut kept = Vec::with_capacity(blocks.len());
    let mut is_cut = false;
    for block in blocks {
        let (block, all) = match block {
            Block::Table { table } => {
                let all = table.rows().len();
                (Block::Table { table: Table::first_rows(table.clone(), most) }, all)
            }
            Block::List { ordered, items } => {
                let shown = items.iter().take(most).cloned().collect();
                (Block::List { ordered: *ordered, items: shown }, items.len())
            }
            Block::Checklist { items } => {
                let shown = items.iter().take(most).cloned().collect();
                (Block::Checklist { items: shown }, items.len())
            }
            Block::Details { summary, blocks } => {
                let (inner, inner_cut) = limited(blocks, most, words);
                is_cut |= inner_cut;
                (Block::folded(summary.clone(), inner), 0)
            }
            other => (other.clone(), 0),
        };
        kept.push(block);
        if all > most {
            is_cut = true;
            let counts = [("shown", most), ("all", all)];
            kept.push(Block::paragraph(words.fill("comment.rows", &counts)));
        }
    }
    (kept, is_cut)
}
