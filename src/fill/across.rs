//! Means and sums of the figures of a row or a column.

use std::ops::Range;

use super::answers::{self, Unanswered};
use super::cells::{Answer, Filling, unclear};
use super::columns::{Across, Column};
use super::question::Question;
use super::style::{Bold, Kind};
use super::surroundings::Place;
use super::understood::{Asked, Understood};
use crate::quantity::{Unit, settled};

impl Filling<'_> {
    /// Made of all figures of the row.
    pub(super) fn of_row(
        &self,
        place: Place,
        asked: (Across, &Question),
    ) -> Result<Answer, Unanswered> {
        let (table, row, _) = place;
        let understood = self.understood(table)?;
        // A mean behind another one may be of the columns between them, or of all.
        let means = understood.columns.iter().filter(|one| matches!(one, Column::Across(..)));
        if understood.has_other_columns(row) || means.count() > 1 {
            return Err(unclear("fill.other-parts"));
        }
        if (0..understood.rows.len()).any(|other| has_other_mean(understood, other, place.2)) {
            return Err(unclear("fill.other-parts"));
        }
        let columns = understood.columns.iter().enumerate();
        let columns = columns.filter(|(_, column)| matches!(column, Column::Figure(_)));
        let cells: Vec<(usize, usize)> = columns.map(|(column, _)| (row, column)).collect();
        self.across(place, asked, &cells)
    }

    /// Made of the figures of the column above, as far as the last row that is made so.
    pub(super) fn of_column(
        &self,
        place: Place,
        asked: (Across, &Question),
    ) -> Result<Answer, Unanswered> {
        let (table, row, column) = place;
        let understood = self.understood(table)?;
        let is_made =
            |row: &usize| matches!(understood.asked(*row, column), Some(Ok(Asked::OfColumn(..))));
        let start = (0..row).rev().find(is_made).map_or(0, |made| made + 1);
        if matches!(understood.columns.get(column), Some(Column::Difference(_))) {
            return self.mean_of_differences((table, column), start..row);
        }
        let cells: Vec<(usize, usize)> = (start..row).map(|row| (row, column)).collect();
        self.across(place, asked, &cells)
    }

    /// The mean of the differences of these rows, all of one metric.
    fn mean_of_differences(
        &self,
        (table, column): (usize, usize),
        rows: Range<usize>,
    ) -> Result<Answer, Unanswered> {
        let (mut deltas, mut first, mut decimals) = (Vec::new(), None, 0);
        for row in rows {
            let asked = self.understood(table)?.asked(row, column);
            if !matches!(asked, Some(Ok(Asked::Difference))) {
                return Err(unclear("fill.other-parts"));
            }
            let operands = self.operands((table, row, column))?;
            let (own, _) = operands.difference(self.facts)?;
            let [figure, _] = operands.figures;
            let like = *first.get_or_insert(figure);
            if like.point.metric != figure.point.metric {
                return Err(unclear("fill.other-parts"));
            }
            deltas.push(own);
            decimals = self.difference_decimals((table, column), &figure.point.metric);
        }
        let Some(first) = first.filter(|_| deltas.len() > 1) else {
            return Err(unclear("fill.other-parts"));
        };
        let mean = settled(deltas.iter().sum::<f64>() / deltas.len() as f64);
        let style = self
            .around
            .looks
            .style((table, column), Kind::difference(&first.point.metric, first.unit));
        Ok(Answer {
            text: style.difference(mean, decimals, first.unit),
            part: String::new(),
            source: format!("{} {}", deltas.len(), first.point.metric),
            bold: style.bold == Bold::All,
        })
    }

    fn understood(&self, table: usize) -> Result<&Understood, Unanswered> {
        self.tables.get(table).ok_or_else(|| unclear("fill.other-parts"))
    }

    /// A mean or a sum over cells that hold one metric of one run.
    fn across(
        &self,
        place: Place,
        (across, question): (Across, &Question),
        cells: &[(usize, usize)],
    ) -> Result<Answer, Unanswered> {
        let (table, _, _) = place;
        let (mut found, mut decimals) = (Vec::new(), 0);
        for cell in cells {
            let (figure, value) = self.stands((table, cell.0, cell.1))?;
            decimals = decimals.max(self.shown_decimals(table, *cell, (figure, value)));
            found.push((figure, value));
        }
        let [(first, _), _, ..] = found.as_slice() else { return Err(unclear("fill.other-parts")) };
        let is_one = found.iter().all(|(figure, _)| {
            answers::fits(figure, question)
                && (figure.arm, &figure.point.metric) == (first.arm, &first.point.metric)
        });
        let is_mean =
            |part: &str| ["avg", "average", "mean", "median", "per", "max", "min"].contains(&part);
        let adds = matches!(first.unit, Unit::Count | Unit::Tokens | Unit::Dollars | Unit::Seconds)
            && !first.point.metric.split(['_', '/', '-', ' ']).any(is_mean);
        if !is_one || (across == Across::Sum && !adds) {
            return Err(unclear("fill.other-parts"));
        }
        let sum: f64 = found.iter().map(|(_, value)| value).sum();
        let value = if across == Across::Sum { sum } else { sum / found.len() as f64 };
        let style = self.figure_style(place, first);
        Ok(Answer {
            text: style.exactly(value, decimals, first.unit),
            part: String::new(),
            source: format!("{} {}", found.len(), first.point.metric),
            bold: style.bold == Bold::All,
        })
    }
}

/// Whether a row has a mean or a sum that is not that of its figures: others are among them.
fn has_other_mean(table: &Understood, row: usize, column: usize) -> bool {
    let Some(Column::Across(across, _)) = table.columns.get(column) else { return false };
    let Some(written) = table.figure(row, column) else { return false };
    let columns = (0..table.columns.len())
        .filter(|column| matches!(table.columns.get(*column), Some(Column::Figure(_))));
    let parts: Option<Vec<f64>> =
        columns.map(|column| Some(table.figure(row, column)?.value)).collect();
    let Some(parts) = parts.filter(|parts| !parts.is_empty()) else { return false };
    let sum: f64 = parts.iter().sum();
    let made = if *across == Across::Mean { sum / parts.len() as f64 } else { sum };
    // Parts are rounded, too.
    let step = 10_f64.powf(-(written.decimals() as f64));
    (made - written.value).abs() > step * (1.0 + 1e-6)
}
