//! Shares with their counts: `52.3% (690/1319)`, `690/1319 (52.3%)`.

use std::ops::Range;

use super::answers::{self, Unanswered};
use super::cells::Filling;
use super::facts::RunFigure;
use super::style::{Style, agrees};
use super::surroundings::Place;
use super::understood::Asked;
use crate::marked::{Figure, Written, split_counts};
use crate::quantity::{self, Unit};
use crate::text::Refusal;

/// Such a cell.
struct Counted<'t> {
    words: &'t str,
    share: Figure,
    right: u64,
    all: u64,
    has_counts_first: bool,
    /// What stands between both, and behind.
    signs: [&'t str; 2],
}

impl<'t> Counted<'t> {
    fn read(words: &'t str) -> Option<Self> {
        let sides = split_counts(words)?;
        let [first, second] = sides.clone().map(|side| words.get(side).unwrap_or_default());
        let signs = [words.get(sides[0].end..sides[1].start)?, words.get(sides[1].end..)?];
        let has_counts_first = first.contains('/');
        let (counts, share) = if has_counts_first { (first, second) } else { (second, first) };
        let (right, all) = counts.split_once('/')?;
        let [right, all] = [right, all].map(|count| count.trim().parse().ok());
        let (right, all) = (right?, all?);
        Some(Self { words, share: Figure::read(share)?, right, all, has_counts_first, signs })
    }

    /// Another share as this one is written.
    fn share(&self, value: f64, unit: Unit) -> String {
        Style::like(&self.share, self.share.may_be_fraction()).figure(value, unit)
    }

    /// The same of another figure.
    fn like(&self, value: f64, [right, all]: [u64; 2], unit: Unit) -> String {
        let share = self.share(value, unit);
        let counts = format!("{right}/{all}");
        let sides = if self.has_counts_first { [counts, share] } else { [share, counts] };
        let [[first, second], [between, end]] = [sides, self.signs.map(str::to_owned)];
        format!("{first}{between}{second}{end}")
    }
}

impl Filling<'_> {
    /// A share with its counts where the column has such cells; `None` where it has not.
    pub(super) fn with_counts(
        &self,
        place: Place,
        (found, value): (&RunFigure, f64),
    ) -> Result<Option<(String, bool)>, Unanswered> {
        let beside = self.counted(place);
        let Some((first, _)) = beside.first() else { return Ok(None) };
        if self.has_plain_figures(place) || self.kinds.composites(place) > beside.len() {
            return Ok(None);
        }
        for (counted, other) in &beside {
            let Some((own, level)) = other else { continue };
            let is_same = self.counts(own, *level).ok() == Some([counted.right, counted.all]);
            if !is_same || !agrees(&counted.share, *level, own.unit) {
                let runs = quantity::figure(*level, own.unit);
                let runs = match self.counts(own, *level) {
                    Ok([right, all]) => format!("{runs} ({right}/{all})"),
                    Err(_) => runs,
                };
                let refusal = Refusal::new("fill.other-spread").with("figure", counted.words);
                return Err(Unanswered::Unclear(refusal.with("runs", runs)));
            }
        }
        let counts = self.counts(found, value)?;
        Ok(Some((first.like(value, counts, found.unit), false)))
    }

    /// A share and its counts in the place of `? (?/1319)`, and whether in bold.
    pub(super) fn asked_counts(
        &self,
        place: Place,
        asked: &str,
        (found, value): (&RunFigure, f64),
    ) -> Result<(String, bool), Unanswered> {
        let [right, all] = self.counts(found, value)?;
        let sides = split_counts(asked).unwrap_or_default();
        let beside = self.counted(place);
        let written = |side: &Range<usize>| {
            let side = asked.get(side.clone()).unwrap_or_default();
            let Some((_, said)) = side.split_once('/') else {
                let share = match beside.first() {
                    Some((counted, _)) => counted.share(value, found.unit),
                    None => self.figure_style(place, found).figure(value, found.unit),
                };
                let has_sign = side.ends_with('%') && !share.ends_with('%');
                return Ok(if has_sign { share + "%" } else { share });
            };
            match said.trim().parse::<u64>() {
                Ok(said) if said != all => {
                    let refusal = Refusal::new("fill.other-size").with("said", said);
                    let refusal = refusal.with("asked", answers::name(self.facts, found));
                    Err(Unanswered::Unclear(refusal.with("samples", all)))
                }
                _ => Ok(format!("{right}/{all}")),
            }
        };
        let [first, second] = &sides;
        let between = asked.get(first.end..second.start).unwrap_or_default();
        let end = asked.get(second.end..).unwrap_or_default();
        Ok((format!("{}{between}{}{end}", written(first)?, written(second)?), false))
    }

    /// How many of the samples of a figure are right, and of how many.
    pub(super) fn counts(&self, found: &RunFigure, value: f64) -> Result<[u64; 2], Unanswered> {
        let unclear = || {
            let refusal = Refusal::new("fill.no-counts");
            Unanswered::Missing(refusal.with("asked", answers::name(self.facts, found)))
        };
        let all = found.n.filter(|_| found.unit == Unit::Fraction).ok_or_else(unclear)?;
        let right = value * all as f64;
        let is_count = (right - right.round()).abs() < 1e-6;
        if is_count { Ok([right.round() as u64, all]) } else { Err(unclear()) }
    }

    /// Such cells of a column, and the figure of the runs that each is of.
    fn counted(&self, (table, _, column): Place) -> Vec<(Counted<'_>, Option<(&RunFigure, f64)>)> {
        let Some(understood) = self.tables.get(table) else { return Vec::new() };
        let rows = understood.rows.iter().enumerate();
        let counted = rows.filter_map(|(row, of_table)| {
            let Written::Text(words) = &of_table.row.cells.get(column)?.written else {
                return None;
            };
            let counted = Counted::read(words)?;
            let figure = match understood.asked(row, column)? {
                Ok(Asked::Figure(question)) => answers::figure(self.facts, &question).ok(),
                _ => None,
            };
            Some((counted, figure))
        });
        counted.collect()
    }
}
