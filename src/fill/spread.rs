//! Figures with how far they may be off: `52.3 ± 1.4`.

use super::answers::{self, Unanswered};
use super::cells::Filling;
use super::composites::Composite;
use super::facts::RunFigure;
use super::question::Question;
use super::readings::{Facet, Spread};
use super::style::{Style, agrees, is_percentage};
use super::surroundings::Place;
use super::understood::Asked;
use crate::marked::Written;
use crate::quantity;
use crate::stats::distribution::normal_upper_quantile;
use crate::text::Refusal;

impl Spread {
    /// In the unit of the figure.
    fn of(self, stderr: f64) -> f64 {
        match self {
            Self::StandardError => stderr,
            Self::HalfInterval => normal_upper_quantile(0.025) * stderr,
        }
    }
}

impl Filling<'_> {
    /// A figure with its spread; `None` where a figure alone is asked for.
    pub(super) fn with_spread(
        &self,
        place: Place,
        (question, between): (&Question, Option<&str>),
        (found, value): (&RunFigure, f64),
    ) -> Result<Option<(String, bool)>, Unanswered> {
        let (is_asked, beside) = (between.is_some(), self.in_column(place, Composite::read));
        let said = question.facets().find_map(|facet| match facet {
            Facet::Spread(spread) => Some(*spread),
            _ => None,
        });
        let is_meant = said.is_some() || !beside.is_empty();
        let are_others =
            self.has_plain_figures(place) || self.kinds.composites(place) > beside.len();
        if !is_asked && (!is_meant || are_others) {
            return Ok(None);
        }
        let mut kinds = vec![Spread::StandardError, Spread::HalfInterval];
        kinds.retain(|kind| said.is_none_or(|said| said == *kind));
        let mut is_confirmed = said.is_some();
        for (composite, other) in &beside {
            let Some((own, level, stderr)) =
                other.and_then(|(own, level)| Some((own, level, own.stderr?)))
            else {
                continue;
            };
            let fits = |kind: &Spread| agrees(&composite.spread, kind.of(stderr), own.unit);
            kinds.retain(fits);
            if kinds.is_empty() || !agrees(&composite.figure, level, own.unit) {
                let spread = said.unwrap_or(Spread::StandardError).of(stderr);
                let [figure, spread] = [level, spread].map(|one| quantity::figure(one, own.unit));
                let refusal =
                    Refusal::new("fill.other-spread").with("figure", composite.words.to_owned());
                let runs = format!("{figure} ± {spread}");
                return Err(Unanswered::Unclear(refusal.with("runs", runs)));
            }
            is_confirmed = true;
        }
        let kind = match kinds.as_slice() {
            [kind] if is_confirmed => *kind,
            _ if is_asked => return Err(Unanswered::Unclear(Refusal::new("fill.which-spread"))),
            _ => return Ok(None),
        };
        let Some(stderr) = found.stderr else {
            let refusal = Refusal::new("fill.no-spread");
            let refusal = refusal.with("asked", answers::name(self.facts, found));
            return Err(Unanswered::Missing(refusal));
        };
        // 0.8 where the runs have 0.008.
        let are_percentages = beside.iter().any(|(Composite { figure, .. }, other)| {
            other.is_some_and(|(own, level)| is_percentage(figure, level, own.unit))
        });
        let beside = beside.first().map(|(composite, _)| composite);
        let signs = between.map(|between| [between, ""]);
        let signs = signs.or(beside.map(|composite| composite.signs)).unwrap_or([" ± ", ""]);
        Ok(Some(self.joined(
            place,
            (found, value, kind.of(stderr)),
            (beside, are_percentages, signs),
        )))
    }

    /// Both as those beside them are written, and whether in bold.
    fn joined(
        &self,
        place: Place,
        (found, value, spread): (&RunFigure, f64, f64),
        (beside, are_percentages, [between, end]): (Option<&Composite<'_>>, bool, [&str; 2]),
    ) -> (String, bool) {
        let unit = found.unit;
        let style = self.figure_style(place, found);
        let [value, spread] = if let Some(Composite { figure, spread: like, .. }) = beside {
            let are_shares = figure.may_be_fraction() && !are_percentages;
            let written = |like, value| Style::like(like, are_shares).figure(value, unit);
            [written(figure, value), written(like, spread)]
        } else {
            let decimals = style.figure_decimals(value, unit);
            [style.figure(value, unit), style.exactly(spread, decimals, unit)]
        };
        (
            format!("{value}{between}{spread}{end}"),
            beside.is_none() && self.is_bold(place.0, &style, found),
        )
    }

    /// Those cells of words in a column that can be read so, and the figure of the runs that each is of.
    pub(super) fn in_column<'s, T>(
        &'s self,
        (table, _, column): Place,
        read: impl Fn(&'s str) -> Option<T>,
    ) -> Vec<(T, Option<(&'s RunFigure, f64)>)> {
        let rows = self.tables.get(table).map_or(0, |table| table.rows.len());
        (0..rows).filter_map(|row| self.words_at((table, row, column), &read)).collect()
    }

    /// The same of a row.
    pub(super) fn in_row<'s, T>(
        &'s self,
        (table, row, _): Place,
        read: impl Fn(&'s str) -> Option<T>,
    ) -> Vec<(T, Option<(&'s RunFigure, f64)>)> {
        let columns = self.tables.get(table).map_or(0, |table| table.columns.len());
        (0..columns).filter_map(|column| self.words_at((table, row, column), &read)).collect()
    }

    /// The same of one cell.
    pub(super) fn words_at<'s, T>(
        &'s self,
        (table, row, column): Place,
        read: impl Fn(&'s str) -> Option<T>,
    ) -> Option<(T, Option<(&'s RunFigure, f64)>)> {
        let understood = self.tables.get(table)?;
        let cell = understood.rows.get(row)?.row.cells.get(column)?;
        let Written::Text(words) = &cell.written else { return None };
        let found = read(words)?;
        let figure = match understood.asked(row, column)? {
            Ok(Asked::Figure(question)) => answers::figure(self.facts, &question).ok(),
            _ => None,
        };
        Some((found, figure))
    }

    pub(super) fn has_plain_figures(&self, (table, _, column): Place) -> bool {
        let table = self.tables.get(table);
        table.is_some_and(|table| {
            (0..table.rows.len()).any(|row| table.figure(row, column).is_some())
        })
    }
}
