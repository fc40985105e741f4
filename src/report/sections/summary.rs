//! Grids summed up: by page, by row, by column. Averages say how many cells they stand on.

use super::layout::{self, ReportGrid, ReportGridPage};
use super::tally::{self, Along, ReportTally};
use super::{lists, phrases};
use crate::compare::Comparison;
use crate::model::DATASET_AXIS;
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::block::{Align, Block, Cell, Table, Text};
use crate::text::Catalogue;

/// Wider tables are turned, so that pages make rows.
const MOST_COLUMNS: usize = 10;

pub(super) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let mut blocks = phrases::by_candidate(material, |_, _, comparisons| {
        let groups = layout::groups(comparisons, material.layout);
        let grids = groups.iter().filter(|group| group.is_grid());
        let shown = grids.filter(|group| group.asked || has_difference(group));
        shown.flat_map(|group| group_blocks(group, words)).collect()
    });
    if !blocks.is_empty() {
        blocks.push(Block::paragraph(words.get("summary.no-votes")));
    }
    blocks
}

fn has_difference(group: &ReportGrid<'_>) -> bool {
    group.comparisons.iter().any(|comparison| comparison.delta.is_some())
}

fn group_blocks(group: &ReportGrid<'_>, words: &Catalogue) -> Vec<Block> {
    let pages = group.pages();
    if pages.is_empty() {
        return Vec::new();
    }
    let mut blocks = vec![
        Block::heading(title(group, words)),
        Block::Table { table: readable(overall(group, &pages, words)) },
    ];
    blocks.extend(nested(group, words));
    for axis in group.axes() {
        let name = phrases::dim_name(axis, words);
        blocks.push(Block::heading(words.fill("summary.by", &[("axis", &name)])));
        blocks.push(Block::Table { table: readable(by_axis(group, &pages, axis, words)) });
    }
    blocks
}

/// The table, rows for columns where it is wider than long.
fn readable(table: Table) -> Table {
    let (columns, rows) = (table.columns(), table.rows());
    if columns.len() <= MOST_COLUMNS || columns.len() <= rows.len() {
        return table;
    }
    let positions: Vec<usize> = (1..columns.len()).collect();
    let mut turned = Table::of_rows(&positions)
        .left(columns[0].title.clone(), |&position| columns[position].title.clone());
    for row in rows {
        turned = turned.right(row[0].text.clone(), |&position| row[position].clone());
    }
    turned.table()
}

fn title(group: &ReportGrid<'_>, words: &Catalogue) -> Text {
    let text = Text::code(group.metric);
    match group.dataset {
        None => text,
        Some(dataset) => text.and_plain(words.fill("phrase.detail", &[("detail", dataset)])),
    }
}

/// Rows of fewer samples are most often the first samples of rows with more.
fn nested(group: &ReportGrid<'_>, words: &Catalogue) -> Option<Block> {
    let axis = group.size_axis()?;
    let sizes =
        layout::axis_values(&group.comparisons, axis).iter().map(ToString::to_string).collect();
    let sizes = lists::joined(sizes, &words.get("punctuation.comma"));
    let axis = phrases::dim_name(axis, words);
    let text = words.fill("summary.nested", &[("axis", &axis), ("sizes", &sizes)]);
    Some(Block::paragraph(text))
}

fn page_heads(
    group: &ReportGrid<'_>,
    pages: &[ReportGridPage<'_>],
    words: &Catalogue,
) -> Vec<String> {
    pages
        .iter()
        .map(|page| match (&group.page, &page.value) {
            (Some(name), Some(value)) => phrases::dim_value(name, value, words),
            _ => words.get("summary.all"),
        })
        .collect()
}

fn overall(group: &ReportGrid<'_>, pages: &[ReportGridPage<'_>], words: &Catalogue) -> Table {
    type Figure<'f> = (&'static str, &'f dyn Fn(&ReportTally<'_>) -> Cell);
    let tallies: Vec<ReportTally<'_>> =
        pages.iter().map(|page| ReportTally::new(&page.comparisons)).collect();
    let of_all = |count: usize, tally: &ReportTally<'_>| {
        Cell::number(format!("{count}/{}", tally.total), count as f64)
    };
    let figures: [Figure<'_>; 8] = [
        ("summary.mean", &|tally| mean_cell(tally, "summary.mean-of-part", words)),
        ("summary.largest-gain", &|tally| extreme_cell(group, tally, 1.0, words)),
        ("summary.largest-loss", &|tally| extreme_cell(group, tally, -1.0, words)),
        ("summary.improved", &|tally| count_cell(tally, tally.improved, words)),
        ("summary.declined", &|tally| count_cell(tally, tally.declined, words)),
        ("summary.tied", &|tally| count_cell(tally, tally.tied, words)),
        ("summary.missing", &|tally| of_all(tally.open(), tally)),
        ("summary.failed", &|tally| of_all(tally.failed, tally)),
    ];
    let has_failed = tallies.iter().any(|tally| tally.failed > 0);
    let shown = if has_failed { &figures[..] } else { &figures[..7] };
    let mut table =
        Table::of_rows(shown).left(words.get("summary.figure"), |(key, _)| words.get(key));
    for (head, tally) in page_heads(group, pages, words).into_iter().zip(&tallies) {
        table = table.right(head, |(_, cell)| cell(tally));
    }
    table.table()
}

/// The mean difference; where cells are missing, with how many it stands on.
fn mean_cell(tally: &ReportTally<'_>, part: &str, words: &Catalogue) -> Cell {
    let Some((mean, (comparison, _))) = tally.mean().zip(tally.known.first()) else {
        return Cell::missing();
    };
    let mut text = mean_text(mean, comparison);
    if tally.missing() > 0 {
        text = words.fill(
            part,
            &[
                ("value", &text),
                ("known", &tally.known.len().to_string()),
                ("total", &tally.total.to_string()),
                ("gaps", &gaps(tally, words)),
            ],
        );
    }
    Cell::number(text, mean)
}

/// How many cells are still to be run, and how many failed.
fn gaps(tally: &ReportTally<'_>, words: &Catalogue) -> String {
    let parts = [("summary.cells-open", tally.open()), ("summary.cells-failed", tally.failed)];
    let parts = parts.into_iter().filter(|(_, count)| *count > 0);
    let parts = parts.map(|(key, count)| words.fill(key, &[("count", count)]));
    lists::joined(parts.collect(), &words.get("punctuation.comma"))
}

/// The largest change towards (+1) or against (−1) the metric's good side, with its place.
fn extreme_cell(
    group: &ReportGrid<'_>,
    tally: &ReportTally<'_>,
    side: f64,
    words: &Catalogue,
) -> Cell {
    match tally.extreme(side) {
        None if tally.known.is_empty() => Cell::missing(),
        None => Cell::dash(),
        Some((comparison, delta)) => {
            let name = phrases::delta_text(comparison, delta);
            let mut detail = place(group, comparison, words);
            let others = tally.equals(delta).saturating_sub(1);
            if others > 0 {
                let args = [("place", detail.as_str()), ("count", &others.to_string())];
                detail = words.fill("summary.and-equals", &args);
            }
            let text =
                words.fill("phrase.name-with-detail", &[("name", &name), ("detail", &detail)]);
            Cell::number(text, delta)
        }
    }
}

/// Coordinates of a cell, with its dataset where that is an axis.
pub(super) fn place(
    group: &ReportGrid<'_>,
    comparison: &Comparison<'_>,
    words: &Catalogue,
) -> String {
    let key = &comparison.cell.key;
    let is_axis = group.axes().chain(group.page.as_deref()).any(|axis| axis == DATASET_AXIS);
    phrases::dataset_and_place(key.dataset.as_deref().filter(|_| is_axis), &key.dims, words)
}

/// A count among the cells that are known; how many are not stands behind it.
fn count_cell(tally: &ReportTally<'_>, count: usize, words: &Catalogue) -> Cell {
    if tally.known.is_empty() {
        return Cell::text(format!("?/{}", tally.total));
    }
    let mut text = format!("{count}/{}", tally.known.len());
    if tally.missing() > 0 {
        let gaps = gaps(tally, words);
        text = words.fill("summary.with-missing", &[("share", &text), ("gaps", &gaps)]);
    }
    Cell::number(text, count as f64)
}

/// A mean of differences needs more decimals than its operands; trailing zeros are cut.
fn mean_text(mean: f64, comparison: &Comparison<'_>) -> String {
    let unit = comparison.cell.spec.unit;
    let decimals = if unit.is_rate() { 3 } else { phrases::interval_decimals(comparison) };
    quantity::mean_difference_text(quantity::settled(mean), decimals, unit)
}

fn by_axis(
    group: &ReportGrid<'_>,
    pages: &[ReportGridPage<'_>],
    axis: &str,
    words: &Catalogue,
) -> Table {
    let rows = tally::along(group, pages, axis);
    let mut table = Table::of_rows(&rows).left(phrases::dim_name(axis, words), |row| {
        phrases::axis_cell(&row.value, phrases::dim_value(axis, &row.value, words))
    });
    for (position, page) in page_heads(group, pages, words).into_iter().enumerate() {
        let title = match pages {
            [_] => words.get("summary.mean"),
            _ => words.fill("summary.mean-on", &[("page", &page)]),
        };
        table = table.right(title, |row| {
            let tally = row.pages.get(position);
            tally.map_or_else(Cell::default, |tally| mean_cell(tally, "summary.share-of", words))
        });
    }
    table
        .when(pages.len() >= 2, |table| {
            let title = words.get("summary.trend");
            table.column(title, Align::Center, |row| trend_cell(row, words))
        })
        .table()
}

/// Sign of the change from the first page to the last, and on how many cells it stands.
fn trend_cell(row: &Along<'_>, words: &Catalogue) -> Cell {
    let Some(change) = row.change else { return Cell::missing() };
    let text = Text::icon(phrases::direction_icon(change.delta));
    if change.known == change.total {
        return Cell::text(text);
    }
    let share = format!("{}/{}", change.known, change.total);
    Cell::text(text.and_plain(words.fill("phrase.detail", &[("detail", &share)])))
}
