//! How much of a report is shown: what fits into a comment, the usual, or everything unfolded.

use super::block::{Block, Section, Table};
use super::{GLANCE, Report};

/// How much of a document is shown. Data for programs stay whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Detail {
    /// At most 30 lines, none of them folded: to be pasted.
    Brief,
    /// What few look for is folded.
    #[default]
    Standard,
    /// Nothing is folded.
    Full,
}

/// The most lines of a brief report in Markdown.
const BRIEF_LINES: usize = 30;

/// Lines of title, headline and what stands below them, with the empty lines between.
const LINES_OF_HEAD: usize = 7;

/// Sections of a brief report; one without any of them shows its first.
const BRIEF_SECTIONS: [&str; 2] = [GLANCE, "findings"];

impl Report {
    /// The report with as much of the document as is asked for.
    #[must_use]
    pub fn with_detail(mut self, detail: Detail) -> Self {
        self.sections = match detail {
            Detail::Standard => self.sections,
            Detail::Full => self.sections.into_iter().map(unfolded).collect(),
            Detail::Brief => brief(self.sections),
        };
        self
    }
}

fn unfolded(section: Section) -> Section {
    Section { blocks: section.blocks.into_iter().flat_map(without_fold).collect(), ..section }
}

/// What is folded as a heading and what stands below it.
pub fn without_fold(block: Block) -> Vec<Block> {
    match block {
        Block::Details { summary, blocks } => {
            let inner = blocks.into_iter().flat_map(without_fold);
            std::iter::once(Block::Heading { text: summary }).chain(inner).collect()
        }
        other => vec![other],
    }
}

/// The sections that a brief report has, as many lines of them as there is room for.
fn brief(sections: Vec<Section>) -> Vec<Section> {
    let is_brief = |section: &Section| BRIEF_SECTIONS.contains(&section.id);
    let has_brief = sections.iter().any(is_brief);
    let chosen = sections.into_iter().filter(|section| !has_brief || is_brief(section));
    let most = if has_brief { BRIEF_SECTIONS.len() } else { 1 };
    let mut room = BRIEF_LINES - LINES_OF_HEAD;
    let mut kept = Vec::new();
    for section in chosen.take(most) {
        // The heading with the empty lines around it.
        room = room.saturating_sub(2);
        let blocks: Vec<Block> = section
            .blocks
            .into_iter()
            .filter(is_read)
            .map_while(|block| fitting(block, &mut room))
            .collect();
        if !blocks.is_empty() {
            kept.push(Section { blocks, ..section });
        }
    }
    kept
}

/// What a brief report has room for: not a chart of figures that the next table has.
fn is_read(block: &Block) -> bool {
    !matches!(block, Block::Chart { .. })
}

/// The block, or its first rows, where there is room for it; what is folded has none.
fn fitting(block: Block, room: &mut usize) -> Option<Block> {
    // Each block has an empty line before it.
    let free = room.checked_sub(1)?;
    let (block, lines) = match block {
        Block::Details { .. }
        | Block::Place { .. }
        | Block::Chart { .. }
        | Block::Samples { .. } => return None,
        Block::Table { table } => {
            let rows = table.rows().len().min(free.checked_sub(3)?);
            (Block::Table { table: Table::first_rows(table, rows) }, rows + 2)
        }
        Block::List { ordered, mut items } => {
            items.truncate(free);
            let lines = items.len();
            (Block::List { ordered, items }, lines)
        }
        Block::Checklist { mut items } => {
            items.truncate(free);
            let lines = items.len();
            (Block::Checklist { items }, lines)
        }
        Block::Callout { tone, title, body } => {
            let lines = 1 + 2 * body.len();
            (Block::Callout { tone, title, body }, lines)
        }
        Block::Code { lang, text } => {
            let lines = text.lines().count() + 2;
            (Block::Code { lang, text }, lines)
        }
        line @ (Block::Heading { .. } | Block::Paragraph { .. }) => (line, 1),
    };
    *room = free.checked_sub(lines).filter(|_| lines > 0)?;
    Some(block)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::block::Text;

    fn section(id: &'static str, blocks: Vec<Block>) -> Section {
        Section { id, title: Text::plain(id), blocks }
    }

    fn table(rows: usize) -> Block {
        let rows: Vec<usize> = (0..rows).collect();
        Table::of_rows(&rows).left("n", ToString::to_string).block()
    }

    /// Ids of the sections that are left, and the rows and items in them.
    fn check(sections: Vec<Section>, expected: &[(&str, usize)]) {
        let size = |block: &Block| match block {
            Block::Table { table } => table.rows().len(),
            Block::List { items, .. } => items.len(),
            _ => 1,
        };
        let left = brief(sections);
        let found: Vec<_> = left
            .iter()
            .map(|section| (section.id, section.blocks.iter().map(size).sum::<usize>()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_brief_report_has_the_first_figures_and_what_must_be_known_and_ends_where_it_is_full() {
        let notes = || Block::bullets(vec![Text::plain("note"); 30]);
        let whole = vec![
            section(GLANCE, vec![table(5)]),
            section("findings", vec![notes()]),
            section("results", vec![table(5)]),
        ];
        check(whole, &[(GLANCE, 5), ("findings", 10)]);
        check(vec![section(GLANCE, vec![table(100), notes()])], &[(GLANCE, 17)]);
        let of_another_kind =
            vec![section("steps", vec![table(3)]), section("cost", vec![notes()])];
        check(of_another_kind, &[("steps", 3)]);
    }

    #[test]
    fn nothing_of_a_full_report_is_folded() {
        let folded = Block::folded("more", vec![Block::folded("still more", vec![table(1)])]);
        let found = unfolded(section("results", vec![folded])).blocks;
        let kinds: Vec<bool> =
            found.iter().map(|block| matches!(block, Block::Details { .. })).collect();
        assert_eq!(kinds, [false, false, false]);
    }
}
