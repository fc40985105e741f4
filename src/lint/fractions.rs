//! A column of counts written `43/45` beside one of their percentages.

use super::agreement::{Agreement, is_rule};
use super::columns::{Columns, figure_in, number_place};
use super::printed::{Printed, Span};
use super::{Found, Page, rates};
use crate::marked::{Row, Written};

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    page.tables.iter().flat_map(|columns| in_table(columns, page.text)).collect()
}

fn in_table(columns: &Columns<'_>, text: &str) -> Vec<Found> {
    let width = columns.heads.len();
    let counts = (0..width).filter(|column| {
        columns.rows.iter().filter(|row| counts_in(row, *column).is_some()).count() > 1
    });
    let found = counts.flat_map(|column| {
        let beside = [column.checked_sub(1), Some(column + 1)].into_iter().flatten();
        let beside = beside.filter(|share| columns.figures.contains(share));
        beside.flat_map(move |share| in_columns(columns, (column, share), text))
    });
    found.collect()
}

fn in_columns(columns: &Columns<'_>, (counts, share): (usize, usize), text: &str) -> Vec<Found> {
    let judged = columns.rows.iter().filter_map(|row| {
        let [k, n] = counts_in(row, counts)?;
        let figure = figure_in(row, share).filter(|figure| figure.suffix.trim() == "%")?;
        let span = Span::exactly(100.0 * k / n);
        Some(((*row, [k, n]), Agreement::new(Printed::from(figure), span, false)))
    });
    let (rows, agreements): (Vec<(&Row, [f64; 2])>, Vec<Agreement>) = judged.unzip();
    if !is_rule(&agreements, 1) {
        return Vec::new();
    }
    let wrong = rows.into_iter().zip(agreements).filter(|(_, agreement)| !agreement.fits);
    wrong
        .filter_map(|((row, counts), agreement)| {
            let place = number_place(row.cells.get(share)?, text);
            Some(rates::mismatch((agreement.stated, 100.0), counts, place))
        })
        .collect()
}

/// The counts of a cell that holds nothing else.
fn counts_in(row: &Row, column: usize) -> Option<[f64; 2]> {
    let cell = row.cells.get(column).filter(|cell| !cell.is_noted)?;
    let Written::Text(text) = &cell.written else { return None };
    let (k, n) = text.split_once('/')?;
    let count = |text: &str| text.trim().parse::<u32>().ok().map(f64::from);
    let (k, n) = (count(k)?, count(n)?);
    (n >= 1.0 && k <= n).then_some([k, n])
}
