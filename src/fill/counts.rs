//! Shares with their counts: `52.3% (690/1319)`, `690/1319 (52.3%)`.

use super::answers::{self, Unanswered};
use super::cells::{Answer, Filling, unclear};
use super::composites::{Counted, counts_of, says};
use super::facts::RunFigure;
use super::question::Question;
use super::surroundings::Place;
use super::understood::{Asked, CountOf};
use crate::marked::{AskedPart, Written, asked_parts, without_thousands};
use crate::quantity;
use crate::text::Refusal;

/// A number of right answers, or of all, and of how many samples it is.
pub(super) struct CountOfRow {
    pub(super) answer: Answer,
    of: u64,
}

/// How many samples `? (?/1319)` is of.
fn size_in(asked: &str) -> Option<u64> {
    let (_, behind) = asked.split_once('/')?;
    let behind = behind.trim_start();
    let end = behind.find(|c: char| !c.is_ascii_digit() && c != ',').unwrap_or(behind.len());
    without_thousands(behind.get(..end)?)?.parse().ok()
}

impl Filling<'_> {
    /// Such cells of the column, else those of the row that are the runs' own.
    fn counted_beside(&self, place: Place) -> Vec<(Counted<'_>, Option<(&RunFigure, f64)>)> {
        let of_column = self.in_column(place, Counted::read);
        if !of_column.is_empty() {
            return of_column;
        }
        let mut of_row = self.in_row(place, Counted::read);
        of_row.retain(|(counted, other)| {
            other.is_some_and(|(own, level)| says(counted.words, own, level))
        });
        of_row
    }

    /// A share with its counts where such cells stand beside it; `None` where none do.
    pub(super) fn with_counts(
        &self,
        place: Place,
        (found, value): (&RunFigure, f64),
    ) -> Result<Option<(String, bool)>, Unanswered> {
        if let Some(counts) = self.bare_counts(place, found)? {
            return Ok(Some((counts, false)));
        }
        let beside = self.counted_beside(place);
        // A zero says nothing of its scale.
        let first = beside.iter().find(|(counted, _)| counted.right > 0).or(beside.first());
        let Some((first, _)) = first else { return Ok(None) };
        if self.has_plain_figures(place) || self.kinds.composites(place) > beside.len() {
            return Ok(None);
        }
        for (counted, other) in &beside {
            let Some((own, level)) = other else {
                if counted.is_of(found.n) {
                    continue;
                }
                let refusal = Refusal::new("fill.other-counts").with("figure", counted.words);
                return Err(Unanswered::Unclear(refusal));
            };
            let counts = self.counts(own).ok();
            if !counts.is_some_and(|counts| counted.says(*level, counts, own.unit)) {
                let counts = counts.map(|[right, all]| format!(" ({right}/{all})"));
                let runs = quantity::figure(*level, own.unit) + &counts.unwrap_or_default();
                let refusal = Refusal::new("fill.other-spread").with("figure", counted.words);
                return Err(Unanswered::Unclear(refusal.with("runs", runs)));
            }
        }
        let counts = self.counts(found)?;
        Ok(Some((first.like(value, counts, found.unit), false)))
    }

    /// Counts alone, where the column has nothing else: `690/1319`.
    fn bare_counts(&self, place: Place, found: &RunFigure) -> Result<Option<String>, Unanswered> {
        let beside = self.in_column(place, counts_of);
        let are_others = beside.is_empty()
            || self.has_plain_figures(place)
            || self.kinds.composites(place) > beside.len();
        if are_others {
            return Ok(None);
        }
        for (counts, other) in &beside {
            let is_meant = match other {
                Some((own, _)) => self.counts(own).ok() == Some(*counts),
                None => Some(counts[1]) == found.n,
            };
            if !is_meant {
                let figure = format!("{}/{}", counts[0], counts[1]);
                let refusal = Refusal::new("fill.other-counts").with("figure", figure);
                return Err(Unanswered::Unclear(refusal));
            }
        }
        let [right, all] = self.counts(found)?;
        let is_confirmed = beside.iter().any(|(_, other)| other.is_some());
        Ok(is_confirmed.then(|| format!("{right}/{all}")))
    }

    /// A share, its counts or both in the place of `?%` or `? (?/1319)`, and whether in bold.
    pub(super) fn asked_parts(
        &self,
        place: Place,
        asked: &str,
        (found, value): (&RunFigure, f64),
    ) -> Result<(String, bool), Unanswered> {
        if asked.contains(['+', 'p']) {
            let refusal = Refusal::new("fill.other-form").with("asked", asked);
            return Err(Unanswered::Unclear(refusal));
        }
        let parts = asked_parts(asked);
        let has_counts = parts.iter().any(|(_, part)| *part != AskedPart::Share);
        let counts = if has_counts { self.counts(found)? } else { [0, 0] };
        let beside = self.counted_beside(place);
        let like = beside.iter().map(|(counted, _)| counted).find(|counted| counted.right > 0);
        let (mut text, mut from) = (String::new(), 0);
        for (range, part) in parts {
            text.push_str(asked.get(from..range.start).unwrap_or_default());
            let behind = asked.get(range.end..).unwrap_or_default().trim_start();
            let has_sign = behind.starts_with(['%', '％']);
            let share = || match like.filter(|like| !has_sign || !like.is_share()) {
                Some(like) => like.share(value, found.unit),
                None => self.figure_style(place, found).figure(value, found.unit),
            };
            match part {
                AskedPart::Right => text.push_str(&counts[0].to_string()),
                AskedPart::All => text.push_str(&counts[1].to_string()),
                AskedPart::Share if has_sign => text.push_str(share().trim_end_matches(['%', ' '])),
                AskedPart::Share => text.push_str(&share()),
            }
            from = range.end;
        }
        text.push_str(asked.get(from..).unwrap_or_default());
        Ok((text, false))
    }

    /// How many of the samples of a figure are right, and of how many.
    pub(super) fn counts(&self, found: &RunFigure) -> Result<[u64; 2], Unanswered> {
        found.right.zip(found.n).map(|(right, all)| [right, all]).ok_or_else(|| {
            let refusal = Refusal::new("fill.no-counts");
            Unanswered::Missing(refusal.with("asked", answers::name(self.facts, found)))
        })
    }

    /// How many samples of a row are right, or how many these are, where the column has no other numbers.
    pub(super) fn count_in(
        &self,
        place: Place,
        asked: (CountOf, &Question),
    ) -> Result<Answer, Unanswered> {
        let (table, own_row, column) = place;
        let Some(understood) = self.tables.get(table) else { return Err(unclear("fill.open")) };
        let own = self.count_of_row(place, asked)?;
        for row in (0..understood.rows.len()).filter(|row| *row != own_row) {
            let other = match understood.asked(row, column) {
                Some(Ok(Asked::Count(of, question))) => {
                    self.count_of_row((table, row, column), (of, &question)).ok()
                }
                _ => None,
            };
            if other.as_ref().is_some_and(|other| other.answer.source == own.answer.source) {
                let refusal = Refusal::new("fill.same-figure").with("line", understood.line(row));
                return Err(Unanswered::Unclear(refusal));
            }
            let Some(figure) = understood.figure(row, column) else { continue };
            let is_meant = match other {
                Some(other) => other.answer.text == figure.number,
                // Rows of others are of as many samples.
                None => understood.size_of(row) == Some(own.of),
            };
            if !is_meant {
                let refusal = Refusal::new("fill.other-counts").with("figure", figure.written());
                return Err(Unanswered::Unclear(refusal));
            }
        }
        Ok(own.answer)
    }

    /// The same of the only figure in the row that has counts, else of what its names say.
    pub(super) fn count_of_row(
        &self,
        (table, row, _): Place,
        (of, question): (CountOf, &Question),
    ) -> Result<CountOfRow, Unanswered> {
        let figures = self.tables.get(table).into_iter().flat_map(|table| table.figures(row));
        let figures =
            figures.filter_map(|(_, own)| Some(answers::figure(self.facts, &own).ok()?.0));
        let counted: Vec<&RunFigure> = figures.filter(|figure| figure.right.is_some()).collect();
        let found = match counted.as_slice() {
            [only] => *only,
            _ => answers::figure(self.facts, question)?.0,
        };
        let [right, all] = self.counts(found)?;
        let text = if of == CountOf::Right { right } else { all }.to_string();
        let source = format!("{} ({})", found.source, answers::name(self.facts, found));
        Ok(CountOfRow {
            answer: Answer { text, part: String::new(), source, bold: false },
            of: all,
        })
    }

    /// Refuses a cell that names another number of samples than the runs have: `?/200`.
    pub(super) fn asks_for_its_samples(
        &self,
        (table, row, column): Place,
    ) -> Result<(), Unanswered> {
        let Some(understood) = self.tables.get(table) else { return Ok(()) };
        let cell = understood.rows.get(row).and_then(|row| row.row.cells.get(column));
        let said = match cell.map(|cell| &cell.written) {
            Some(Written::AskedOf(_, of)) => Some(*of),
            Some(Written::AskedParts(whole)) => self.text.get(whole.clone()).and_then(size_in),
            _ => None,
        };
        let (Some(said), Some(Ok(Asked::Figure(question)))) = (said, understood.asked(row, column))
        else {
            return Ok(());
        };
        match answers::figure(self.facts, &question) {
            Ok((found, _)) if found.n.is_some_and(|samples| samples != said) => {
                let refusal = Refusal::new("fill.other-size").with("said", said);
                let refusal = refusal.with("asked", answers::name(self.facts, found));
                Err(Unanswered::Unclear(refusal.with("samples", found.n.unwrap_or_default())))
            }
            _ => Ok(()),
        }
    }

    /// Refuses where counts in the column or the row are not the right ones of the runs that they are of:
    /// they may be of the wrong ones.
    pub(super) fn counts_agree(&self, (table, row, column): Place) -> Result<(), Unanswered> {
        let Some(understood) = self.tables.get(table) else { return Ok(()) };
        let width = understood.columns.len();
        let beside = (0..understood.rows.len()).map(|row| (row, column));
        for (row, column) in beside.chain((0..width).map(|column| (row, column))) {
            let cell = understood.rows.get(row).and_then(|row| row.row.cells.get(column));
            let Some(Written::Text(words)) = cell.map(|cell| &cell.written) else { continue };
            let Some(counts) = counts_of(words) else { continue };
            let Some(Ok(Asked::Figure(question))) = understood.asked(row, column) else { continue };
            let Ok((found, _)) = answers::figure(self.facts, &question) else { continue };
            let Ok(own @ [right, all]) = self.counts(found) else { continue };
            if own != counts {
                let refusal = Refusal::new("fill.other-spread").with("figure", words.as_str());
                return Err(Unanswered::Unclear(refusal.with("runs", format!("{right}/{all}"))));
            }
        }
        Ok(())
    }

    /// A share with its counts, or counts alone, as the runs have them, and where; `None` where what is
    /// written says the same.
    pub(super) fn other_counts(
        &self,
        words: &str,
        question: &Question,
    ) -> Option<(String, String)> {
        let (found, value) = answers::figure(self.facts, question).ok()?;
        let counts @ [right, all] = self.counts(found).ok()?;
        let text = if let Some(counted) = Counted::read(words) {
            (!counted.says(value, counts, found.unit))
                .then(|| counted.like(value, counts, found.unit))
        } else {
            (counts_of(words)? != counts).then(|| format!("{right}/{all}"))
        };
        let source = format!("{} ({})", found.source, answers::name(self.facts, found));
        Some((text?, source))
    }
}
