//! Differences and verdicts as they are written, and the figures that are reckoned with.

use std::rc::Rc;

use super::answers::{self, Unanswered};
use super::cells::{Answer, Filling, unclear};
use super::columns::{Across, Column};
use super::composites::says;
use super::derived::{self, Operands};
use super::facts::{Difference, RunFigure};
use super::style::{Bold, Kind, Look, Style};
use super::surroundings::Place;
use super::understood::Asked;
use crate::text::Refusal;

impl<'a> Filling<'a> {
    /// Refuses to reckon with a figure that is not the runs' or would not be written into its cell, and
    /// gives it as the runs have it.
    pub(super) fn stands(&self, place: Place) -> Result<(&'a RunFigure, f64), Unanswered> {
        let (table, row, column) = place;
        let other_parts = || unclear("fill.other-parts");
        let understood = self.tables.get(table).ok_or_else(other_parts)?;
        let Some(Ok(asked @ Asked::Figure(question))) = &understood.asked(row, column) else {
            return Err(other_parts());
        };
        let (found, value) = answers::figure(self.facts, question)?;
        let cell = understood.rows.get(row).and_then(|row| row.row.cells.get(column));
        if let Some((_, beside)) = cell.and_then(|cell| self.asked_in(cell)) {
            self.asked_once(place)?;
            self.answer(place, asked, beside)?;
            return Ok((found, value));
        }
        if !self.choices.replaces_figures() {
            derived::confirmed(understood, (row, column), found, value)?;
        }
        self.asked_once(place)?;
        let is_composite = |row: usize| {
            let other = self.words_at((table, row, column), Some);
            other
                .is_some_and(|(words, own)| own.is_some_and(|(own, level)| says(words, own, level)))
        };
        let are_composites = (0..understood.rows.len()).any(is_composite);
        self.fits_beside(place, (found.unit, are_composites))?;
        self.has_one_scale(place, found)?;
        Ok((found, value))
    }

    /// The operands of a row in the order in which its differences are taken: what its figures are is
    /// clear, too.
    pub(super) fn operands(&self, (table, row, column): Place) -> Result<Operands<'a>, Unanswered> {
        let understood = self.tables.get(table);
        let understood = understood.ok_or_else(|| unclear("fill.which-two"))?;
        let are_replaced = self.choices.replaces_figures();
        let is_row = matches!(understood.columns.get(column), Some(Column::Figure(_)));
        let find = if is_row { derived::operands_of_column } else { derived::operands };
        let operands = find(understood, (row, column), self.facts, are_replaced)?;
        for (row, at) in operands.cells.into_iter().chain([operands.reference]).flatten() {
            self.stands((table, row, at))?;
        }
        if is_row {
            let [first, second] = operands.arms();
            let orders = &self.around.orders;
            return match (orders.contains(&[first, second]), orders.contains(&[second, first])) {
                (true, true) => Err(unclear("fill.both-ways")),
                (false, true) => Ok(operands.swapped()),
                _ => Ok(operands),
            };
        }
        if self.around.either_way.contains(&(table, column)) {
            return Err(unclear("fill.both-ways"));
        }
        let is_turned = self.around.turned.contains(&(table, column));
        Ok(if is_turned { operands.swapped() } else { operands })
    }

    pub(super) fn difference(&self, place: Place) -> Result<Answer, Unanswered> {
        let (table, _, column) = place;
        let operands = self.operands(place)?;
        if let (Some(figure), None) = (&self.around.to_row_above, operands.cells[0]) {
            let refusal = Refusal::new("fill.to-row-above").with("figure", figure.as_str());
            return Err(Unanswered::Unclear(refusal));
        }
        let (delta, _) = operands.difference(self.facts)?;
        let [first, _] = operands.figures;
        let metric = first.point.metric.as_str();
        self.fits_column(place, first.unit)?;
        let style = self.difference_style(place, &operands);
        Ok(Answer {
            text: style.difference(
                delta,
                self.difference_decimals((table, column), metric),
                first.unit,
            ),
            part: String::new(),
            source: self.subtraction(&operands),
            bold: style.bold == Bold::All,
        })
    }

    /// Decimals of the differences of a metric in a column: those of the finest figure that they are of,
    /// as it stands there.
    pub(super) fn difference_decimals(&self, at: (usize, usize), metric: &str) -> usize {
        let key = (at.0, at.1, metric.to_owned());
        if let Some(known) = self.decimals.borrow().get(&key) {
            return *known;
        }
        let (table, column) = at;
        let rows = self.tables.get(table).map_or(0, |table| table.rows.len());
        let of_row = |row: usize| {
            let asked = self.tables.get(table)?.asked(row, column)?.ok()?;
            if !matches!(asked, Asked::Difference | Asked::OfColumn(Across::Difference, _)) {
                return None;
            }
            let operands = self.operands((table, row, column)).ok()?;
            if operands.figures[0].point.metric != metric {
                return None;
            }
            let of = [0, 1].map(|side| {
                let cell = operands.cells[side].or(operands.cells[1 - side])?;
                let (figure, value) = (operands.figures[side], operands.values[side]);
                Some(self.shown_decimals(table, cell, (figure, value)))
            });
            let finest = of.into_iter().flatten().max()?;
            let [first, _] = operands.figures;
            let (of_row, of_figures) = operands.cells[1].unwrap_or((row, column));
            let figures = self.figure_style((table, of_row, of_figures), first);
            let style = self.difference_style((table, row, column), &operands);
            Some(style.decimals_beside(finest, &figures, first.unit))
        };
        let decimals = (0..rows).filter_map(of_row).max().unwrap_or_default();
        self.decimals.borrow_mut().insert(key, decimals);
        decimals
    }

    /// Decimals of a figure as it stands in a cell, or will.
    pub(super) fn shown_decimals(
        &self,
        table: usize,
        (row, column): (usize, usize),
        (figure, value): (&RunFigure, f64),
    ) -> usize {
        let written = self.tables.get(table).and_then(|table| table.figure(row, column));
        if let Some(written) = written.filter(|_| !self.choices.replaces_figures()) {
            return written.decimals();
        }
        self.figure_style((table, row, column), figure).figure_decimals(value, figure.unit)
    }

    pub(super) fn verdict(&self, place: Place) -> Result<Answer, Unanswered> {
        let (table, row, _) = place;
        if let Some(other) = self.around.other_verdicts.get(&(table, place.2)) {
            let refusal = Refusal::new("fill.other-verdict").with("verdict", other.as_str());
            return Err(Unanswered::Unclear(refusal));
        }
        let differences = self.tables.get(table).map(|table| &table.columns);
        let column = differences.and_then(|columns| {
            columns.iter().position(|column| matches!(column, Column::Difference(_)))
        });
        let operands = self.operands((table, row, column.unwrap_or(place.2)))?;
        let (delta, compared) = operands.difference(self.facts)?;
        let Some(Difference { verdict, reason, arms, .. }) = compared else {
            return Err(unclear("fill.no-verdict"));
        };
        let verdict = if *arms == operands.arms() { *verdict } else { verdict.reversed() };
        let is_bare = self.around.are_verdicts_bare((place.0, place.2));
        Ok(Answer {
            text: if is_bare {
                (self.signs.direction)(delta)
            } else {
                (self.signs.judged)(delta, verdict, *reason)
            },
            part: String::new(),
            source: self.subtraction(&operands),
            bold: false,
        })
    }

    fn subtraction(&self, operands: &Operands<'_>) -> String {
        let [first, second] = operands.figures.map(|figure| answers::name(self.facts, figure));
        format!("{second} − {first}")
    }

    /// How a difference is written in a column.
    fn difference_style(&self, (table, _, column): Place, operands: &Operands<'_>) -> Rc<Style> {
        let [first, _] = operands.figures;
        let mut cells = operands.cells.into_iter().flatten();
        let kind = Kind {
            look: Look::Difference,
            metric: first.point.metric.as_str(),
            unit: first.unit,
            in_percent: cells.any(|(row, column)| self.is_in_percent((table, row, column))),
        };
        self.around.looks.style((table, column), kind)
    }
}
