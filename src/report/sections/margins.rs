//! Declared margins: whether the candidate is shown to stay within them.

use super::phrases;
use crate::compare::{Comparison, NonInferiority, Shown};
use crate::quantity;
use crate::report::block::{Align, Block, Cell, Icon, Table, Text};
use crate::text::Catalogue;

/// Most comparisons listed.
const MOST_LISTED: usize = 40;

/// The comparisons of one pair of arms that have a margin.
pub(super) fn blocks(comparisons: &[Comparison<'_>], words: &Catalogue) -> Vec<Block> {
    let mut within =
        comparisons.iter().filter_map(|one| Some((one, one.noninferiority?))).peekable();
    let Some((_, first)) = within.peek() else { return Vec::new() };
    let level = quantity::level(first.level);
    let mut table = Table::with_heads(vec![
        (words.get("results.metric"), Align::Left),
        (words.get("margins.margin"), Align::Right),
        (words.get("results.difference"), Align::Right),
        (words.fill("margins.limit", &[("level", &level)]), Align::Right),
        (words.get("margins.outcome"), Align::Left),
    ]);
    for (one, shown) in within.take(MOST_LISTED) {
        table.push(row(one, shown, words));
    }
    let title = Text::plain(words.get("margins.title"));
    let lead = Text::plain(words.fill("margins.lead", &[("level", &level)]));
    vec![Block::Heading { text: title }, Block::Paragraph { text: lead }, Block::Table { table }]
}

fn row(one: &Comparison<'_>, shown: NonInferiority, words: &Catalogue) -> Vec<Cell> {
    let icon = match shown.outcome {
        Shown::Pass => Icon::Good,
        Shown::Fail => Icon::Bad,
        Shown::Inconclusive => Icon::Open,
    };
    let outcome = words.get(&format!("margins.{}", shown.outcome.name()));
    let unit = one.cell.spec.unit;
    let margin = quantity::exact(shown.margin) + unit.difference_suffix();
    // The limit decides against the margin, so it must not be rounded onto it.
    let decimals = phrases::interval_decimals(one) + 1;
    vec![
        Cell::text(phrases::cell_name(one, words)),
        Cell::number(margin, shown.margin),
        phrases::delta_cell(one, words),
        Cell::number(quantity::difference_with_decimals(shown.limit, decimals, unit), shown.limit),
        Cell::text(Text::icon(icon).and_plain(format!(" {outcome}"))),
    ]
}
