//! Declared margins: whether the candidate is shown to stay within them.

use super::phrases;
use crate::compare::{Comparison, NonInferiority, NonInferiorityShown};
use crate::quantity;
use crate::report::block::{Block, Cell, Icon, Table, Text};
use crate::text::Catalogue;

/// Most comparisons listed.
const MOST_LISTED: usize = 40;

/// The comparisons of one pair of arms that have a margin.
pub(super) fn blocks(comparisons: &[Comparison<'_>], words: &Catalogue) -> Vec<Block> {
    let tested = comparisons.iter().filter_map(|tested| Some((tested, tested.noninferiority?)));
    let tested: Vec<(&Comparison<'_>, NonInferiority)> = tested.take(MOST_LISTED).collect();
    let Some((_, first)) = tested.first() else { return Vec::new() };
    let level = [("level", quantity::level(first.level))];
    let table = Table::of_rows(&tested)
        .left(words.get("results.metric"), |(tested, _)| phrases::cell_name(tested, words))
        .right(words.get("margins.margin"), |(tested, result)| {
            let suffix = tested.cell.spec.unit.difference_suffix();
            Cell::number(quantity::exact(result.margin) + suffix, result.margin)
        })
        .right(words.get("results.difference"), |(tested, _)| phrases::delta_cell(tested, words))
        .right(words.fill("margins.limit", &level), |(tested, result)| {
            // The limit decides against the margin, so it must not be rounded onto it.
            let (unit, decimals) = (tested.cell.spec.unit, phrases::interval_decimals(tested) + 1);
            let shown = quantity::difference_with_decimals(result.limit, decimals, unit);
            Cell::number(shown, result.limit)
        })
        .left(words.get("margins.outcome"), |(_, result)| {
            let icon = match result.outcome {
                NonInferiorityShown::Pass => Icon::Good,
                NonInferiorityShown::Fail => Icon::Bad,
                NonInferiorityShown::Inconclusive => Icon::Open,
            };
            Text::marked(icon, words.get(&format!("margins.{}", result.outcome.name())))
        });
    let (title, lead) = (words.get("margins.title"), words.fill("margins.lead", &level));
    vec![Block::heading(title), Block::paragraph(lead), table.block()]
}
