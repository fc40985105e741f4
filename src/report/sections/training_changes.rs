//! Short training series row by row: what changed since the row before, and since the first.

use super::phrases;
use crate::model::Series;
use crate::quantity::{self, Unit};
use crate::report::block::{Block, Cell, Table, Text};
use crate::text::Catalogue;

/// One row for each point of each series of at least two finite points.
pub(super) fn table(axis: &str, series: &[&Series], words: &Catalogue) -> Vec<Block> {
    let axis = phrases::dim_name(axis, words);
    let rows: Vec<Row<'_>> = series.iter().flat_map(|series| rows(series)).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let table = Table::of_rows(&rows)
        .left(words.get("results.metric"), |row| Text::code(row.series.metric.as_str()))
        .right(axis.as_str(), |row| Cell::number(Text::strong(format!("{}", row.at)), row.at))
        .right(words.get("training.value"), |row| {
            Cell::number(quantity::fixed(row.value, column_decimals(row.series)), row.value)
        })
        .right(words.get("training.since-previous"), |row| since(row.previous, row))
        .right(words.get("training.since-first"), |row| since(row.first, row));
    let lead = words.fill("training.changes", &[("axis", &axis)]);
    vec![Block::paragraph(lead), table.block()]
}

/// A finite point, and the figures before it; none at the first.
struct Row<'a> {
    series: &'a Series,
    at: f64,
    value: f64,
    previous: Option<f64>,
    first: Option<f64>,
}

fn rows(series: &Series) -> Vec<Row<'_>> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    for point in series.points.iter().filter(|point| point.value.is_finite()) {
        let [first, previous] = [rows.first(), rows.last()].map(|row| Some(row?.value));
        rows.push(Row { series, at: point.at, value: point.value, previous, first });
    }
    if rows.len() < 2 { Vec::new() } else { rows }
}

/// The change from a figure on; a dash at the first row, and where a relative change says nothing.
fn since(from: Option<f64>, to: &Row<'_>) -> Cell {
    match from {
        Some(from) if is_relative(from, to.value) => {
            let shown = arrow(from, to.value, column_decimals(to.series));
            Cell::number(shown, (to.value - from) / from)
        }
        _ => Cell::dash(),
    }
}

/// Whether a change can be told as a share of where it began: not from zero or below, nor across it.
fn is_relative(from: f64, to: f64) -> bool {
    from > 0.0 && to >= 0.0
}

/// Decimals that every figure of a column is shown with.
pub(super) fn column_decimals(series: &Series) -> usize {
    let finite = series.points.iter().map(|point| point.value).filter(|value| value.is_finite());
    finite.map(|value| quantity::decimals(value, Unit::Plain)).max().unwrap_or(0)
}

/// A change beside an arrow, relative to where it began: `↓ 13.5%`; else the difference: `↓ 0.31`.
pub(super) fn arrow(from: f64, to: f64, decimals: usize) -> String {
    let sign = match from.total_cmp(&to) {
        std::cmp::Ordering::Less => "↑",
        std::cmp::Ordering::Equal => "→",
        std::cmp::Ordering::Greater => "↓",
    };
    let change = if is_relative(from, to) {
        quantity::relative_change((to - from) / from)
    } else {
        quantity::fixed((to - from).abs(), decimals)
    };
    format!("{sign} {change}")
}
