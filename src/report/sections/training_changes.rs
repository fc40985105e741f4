//! Short training series row by row: what changed since the row before, and since the first.

use super::phrases;
use crate::model::Series;
use crate::quantity::{self, Unit};
use crate::report::block::{Align, Block, Cell, Table, Text};
use crate::text::Catalogue;

/// One row for each point of each series of at least two finite points.
pub(super) fn table(axis: &str, series: &[&Series], words: &Catalogue) -> Vec<Block> {
    let axis = phrases::dim_name(axis, words);
    let mut table = Table::with_heads(vec![
        (words.get("results.metric"), Align::Left),
        (axis.clone(), Align::Right),
        (words.get("training.value"), Align::Right),
        (words.get("training.since-previous"), Align::Right),
        (words.get("training.since-first"), Align::Right),
    ]);
    for one in series {
        for row in rows(one) {
            table.push(row);
        }
    }
    if table.is_empty() {
        return Vec::new();
    }
    let lead = words.fill("training.changes", &[("axis", &axis)]);
    vec![Block::paragraph(lead), Block::Table { table }]
}

fn rows(series: &Series) -> Vec<Vec<Cell>> {
    let finite: Vec<(f64, f64)> = series
        .points
        .iter()
        .filter(|point| point.value.is_finite())
        .map(|point| (point.at, point.value))
        .collect();
    let Some(&(_, first)) = finite.first().filter(|_| finite.len() >= 2) else {
        return Vec::new();
    };
    let decimals = column_decimals(series);
    let previous = std::iter::once(None).chain(finite.iter().map(|(_, value)| Some(*value)));
    previous
        .zip(&finite)
        .map(|(previous, &(at, value))| {
            vec![
                Cell::text(Text::code(series.metric.clone())),
                Cell::number(Text::strong(format!("{at}")), at),
                Cell::number(quantity::fixed(value, decimals), value),
                since(previous, value),
                since(previous.map(|_| first), value),
            ]
        })
        .collect()
}

/// The change from a figure on; a dash at the first row, and from zero or below, where a relative
/// change says nothing.
fn since(from: Option<f64>, to: f64) -> Cell {
    match from {
        Some(from) if from > 0.0 => Cell::number(arrow(from, to), (to - from) / from),
        _ => Cell::text("—"),
    }
}

/// Decimals that every figure of a column is shown with.
pub(super) fn column_decimals(series: &Series) -> usize {
    let finite = series.points.iter().map(|point| point.value).filter(|value| value.is_finite());
    finite.map(|value| quantity::decimals(value, Unit::Plain)).max().unwrap_or(0)
}

/// A change relative to where it began, beside an arrow: `↓ 13.5%`.
pub(super) fn arrow(from: f64, to: f64) -> String {
    let sign = match from.total_cmp(&to) {
        std::cmp::Ordering::Less => "↑",
        std::cmp::Ordering::Equal => "→",
        std::cmp::Ordering::Greater => "↓",
    };
    format!("{sign} {}", quantity::relative_change((to - from) / from))
}
