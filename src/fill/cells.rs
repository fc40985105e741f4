//! Every cell of the tables: what is asked for, what the runs have for it, and what is written.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use super::answers::{self, Unanswered};
use super::columns::{Across, Column};
use super::derived;
use super::edits::{Edit, replaced};
use super::facts::{Facts, RunFigure};
use super::kinds::Kinds;
use super::question::Question;
use super::readings::Facet;
use super::style::{Bold, Kind, Look, Style};
use super::surroundings::{Place, Surroundings};
use super::understood::{Asked, Understood};
use super::{FillChoices, FilledCell, Only, Outcome, Signs};
use crate::marked::{Cell, Written};
use crate::model::Dims;
use crate::quantity::Unit;
use crate::text::Refusal;

pub(super) struct Filling<'a> {
    pub(super) tables: &'a [Understood],
    pub(super) facts: &'a Facts,
    pub(super) choices: &'a FillChoices,
    pub(super) signs: Signs<'a>,
    pub(super) around: Surroundings,
    /// The points that the tables have cells for.
    pub(super) points: BTreeSet<Dims>,
    pub(super) text: &'a str,
    pub(super) kinds: Kinds,
    /// Decimals of the differences of a column.
    pub(super) decimals: RefCell<BTreeMap<(usize, usize, String), usize>>,
}

/// What is written into a cell, and where it is from.
pub(super) struct Answer {
    pub(super) text: String,
    /// How many of the results it stands on, where these are not all.
    pub(super) part: String,
    pub(super) source: String,
    pub(super) bold: bool,
}

/// What a cell asks for beside its figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Besides<'t> {
    None,
    /// It is a count of so many.
    Of(u64),
    /// How far it may be off, with what stands between both.
    Spread(&'t str),
    /// Its parts, with all that stands there: `? (?/1319)`.
    Parts(&'t str),
}

impl Besides<'_> {
    fn of(self) -> Option<u64> {
        match self {
            Self::Of(of) => Some(of),
            Self::None | Self::Spread(_) | Self::Parts(_) => None,
        }
    }
}

impl<'a> Filling<'a> {
    pub(super) fn new(
        (tables, text): (&'a [Understood], &'a str),
        facts: &'a Facts,
        choices: &'a FillChoices,
        signs: Signs<'a>,
    ) -> Self {
        let around = Surroundings::of(tables, facts, choices.replaces_figures());
        let points = derived::points_asked(tables);
        let (kinds, decimals) = (Kinds::of(tables), RefCell::default());
        Self { tables, facts, choices, signs, around, points, text, kinds, decimals }
    }

    /// What became of each cell that asks for something or disagrees with the runs.
    pub(super) fn cells(&self) -> Vec<FilledCell> {
        let mut cells = Vec::new();
        for (table, understood) in self.tables.iter().enumerate() {
            for (row, of_table) in understood.rows.iter().enumerate() {
                for (column, cell) in of_table.row.cells.iter().enumerate() {
                    let Some((outcome, edit)) = self.cell((table, row, column), cell) else {
                        continue;
                    };
                    let before = self.text.get(cell.content.clone()).unwrap_or_default().to_owned();
                    let (line, column) = (understood.line(row), column + 1);
                    cells.push(FilledCell { line, column, before, outcome, edit });
                }
            }
        }
        cells
    }

    fn cell(&self, place: Place, cell: &Cell) -> Option<(Outcome, Option<Edit>)> {
        let (table, row, column) = place;
        let understood = self.tables.get(table)?;
        let asked = understood.asked(row, column)?;
        let (part, beside) = match (&cell.written, self.asked_in(cell)) {
            (_, Some(asked)) => asked,
            (Written::Figure(figure), None) => {
                return self.stale(place, &asked.ok()?, (figure, cell));
            }
            (Written::Text(words), None) => {
                return self.stale_words(place, &asked.ok()?, (words, cell));
            }
            _ if matches!(understood.columns.get(column), Some(Column::Remark(_))) => return None,
            _ => {
                let refusal = asked.err().unwrap_or_else(|| Refusal::new("fill.asked-otherwise"));
                return Some((Outcome::Unclear(refusal), None));
            }
        };
        if !self.is_chosen(understood, asked.as_ref().ok()) {
            return Some((Outcome::Unchosen, None));
        }
        let answer = asked.map_err(Unanswered::Unclear).and_then(|asked| {
            self.trusted(place)?;
            self.answer(place, &asked, beside)
        });
        let answer = match answer {
            Err(Unanswered::Unclear(refusal)) => return Some((Outcome::Unclear(refusal), None)),
            Err(Unanswered::Missing(refusal)) => return Some((Outcome::Missing(refusal), None)),
            Ok(answer) => answer,
        };
        let is_plain = part == cell.content;
        let emphasis = if answer.bold && is_plain { "**" } else { "" };
        let Answer { text: words, part: on, source, .. } = answer;
        let (range, words) = match beside {
            // What a count stands on follows the whole of it: `1/3（2/3）`.
            Besides::Of(of) if !on.is_empty() => {
                let behind = self.text.get(part.end..cell.content.end).unwrap_or_default();
                let digits = behind.rfind(|c: char| c.is_ascii_digit()).map_or(0, |at| at + 1);
                (part.start..part.end + digits, format!("{words}/{of}{on}"))
            }
            _ => (part, format!("{emphasis}{words}{on}{emphasis}")),
        };
        let edit = replaced(cell, range, &words, self.text);
        Some((Outcome::Written { text: words, source }, Some(edit)))
    }

    /// The bytes of a cell that are to be replaced, and what it asks for beside its figure.
    pub(super) fn asked_in(&self, cell: &Cell) -> Option<(Range<usize>, Besides<'a>)> {
        let text = |range: Range<usize>| self.text.get(range).unwrap_or_default();
        match &cell.written {
            Written::Asked(part) => Some((part.clone(), Besides::None)),
            Written::AskedOf(part, of) => Some((part.clone(), Besides::Of(*of))),
            Written::AskedSpread([figure, spread]) => {
                let between = text(figure.end..spread.start);
                Some((figure.start..spread.end, Besides::Spread(between)))
            }
            Written::AskedParts(whole) => {
                Some((whole.clone(), Besides::Parts(text(whole.clone()))))
            }
            Written::AskedOtherwise | Written::Figure(_) | Written::Text(_) => None,
        }
    }

    pub(super) fn is_chosen(&self, table: &Understood, asked: Option<&Asked>) -> bool {
        let is_raw = matches!(asked, None | Some(Asked::Figure(_) | Asked::Count(..)));
        let kind = match self.choices.only {
            Some(Only::Raw) => is_raw,
            Some(Only::Derived) => asked.is_none() || !is_raw,
            None => true,
        };
        let section = self.choices.section.as_ref().is_none_or(|section| {
            let section = section.to_lowercase();
            table.headings.iter().any(|heading| heading.to_lowercase().contains(&section))
        });
        kind && section
    }

    /// Whether the table is understood as it was meant, by what stands in it.
    fn trusted(&self, place: Place) -> Result<(), Unanswered> {
        let (table, _, column) = place;
        let understood = self.tables.get(table);
        let is_bound = understood.is_some_and(|table| table.is_bound);
        let unclear = |key, [figure, runs]: &[String; 2]| {
            let refusal = Refusal::new(key).with("figure", figure.as_str());
            Unanswered::Unclear(refusal.with("runs", runs.as_str()))
        };
        if let Some(pair) = self.around.distrusted.get(&table)
            && !is_bound
            && !self.choices.refresh
        {
            return Err(unclear("fill.table-disagrees", pair));
        }
        self.asked_once(place)?;
        if self.around.unrelated.contains(&(table, column)) {
            return Err(Unanswered::Unclear(Refusal::new("fill.unrelated")));
        }
        match self.around.other_differences.get(&(table, column)) {
            Some(pair) if !self.choices.refresh => Err(unclear("fill.other-difference", pair)),
            _ => Ok(()),
        }
    }

    /// Refuses a cell that asks for the same as another one, or for more or fewer samples than there are.
    pub(super) fn asked_once(&self, place: Place) -> Result<(), Unanswered> {
        match self.around.same.get(&place) {
            Some(line) => {
                let refusal = Refusal::new("fill.same-figure").with("line", *line);
                Err(Unanswered::Unclear(refusal))
            }
            None => self.asks_for_its_samples(place),
        }
    }

    pub(super) fn answer(
        &self,
        place: Place,
        asked: &Asked,
        beside: Besides<'_>,
    ) -> Result<Answer, Unanswered> {
        match (asked, beside) {
            (Asked::Figure(question), Besides::Of(_)) => {
                self.counts_agree(place)?;
                self.count_of(question)
            }
            (Asked::Figure(question), _) => self.figure(place, (question, beside)),
            (Asked::Count(of, question), Besides::None) => self.count_in(place, (*of, question)),
            (Asked::Statistic(statistic, question), Besides::None | Besides::Of(_)) => {
                let partial = self.choices.partial;
                self.statistic(place, (*statistic, question), beside.of(), partial)
            }
            (Asked::Statistic(statistic, question), Besides::Parts("?/?"))
                if statistic.is_count() =>
            {
                let partial = self.choices.partial;
                self.statistic(place, (*statistic, question), None, partial)
            }
            (Asked::Difference | Asked::OfColumn(Across::Difference, _), Besides::Parts(asked))
                if asked.contains(['+', 'p']) =>
            {
                let answer = self.difference(place)?;
                let unit = if asked.ends_with("pp")
                    && answer.text.ends_with(|c: char| c.is_ascii_digit())
                {
                    " pp"
                } else {
                    ""
                };
                Ok(Answer { text: answer.text + unit, ..answer })
            }
            (_, Besides::Parts(asked)) => {
                let refusal = Refusal::new("fill.other-form").with("asked", asked);
                Err(Unanswered::Unclear(refusal))
            }
            (_, Besides::Of(_) | Besides::Spread(_)) => Err(unclear("fill.two-asked")),
            (Asked::Difference | Asked::OfColumn(Across::Difference, _), _) => {
                self.difference(place)
            }
            (Asked::OfRow(across, question), _) => self.of_row(place, (*across, question)),
            (Asked::OfColumn(across, question), _) => self.of_column(place, (*across, question)),
            (Asked::Verdict, _) => self.verdict(place),
            (Asked::Trend, _) => self.trend(place, self.choices.partial),
        }
    }

    /// A figure, with its spread or its counts where these are asked for, too.
    pub(super) fn figure(
        &self,
        place: Place,
        (question, beside): (&Question, Besides<'_>),
    ) -> Result<Answer, Unanswered> {
        let (found, value) = answers::figure(self.facts, question)?;
        let composite = match beside {
            Besides::Parts(asked) => Some(self.asked_parts(place, asked, (found, value))?),
            Besides::Spread(between) => {
                self.with_spread(place, (question, Some(between)), (found, value))?
            }
            Besides::None | Besides::Of(_) => match self.with_counts(place, (found, value))? {
                None => self.with_spread(place, (question, None), (found, value))?,
                counted => counted,
            },
        };
        self.fits_beside(place, (found.unit, composite.is_some()))?;
        self.has_one_scale(place, found)?;
        let (text, bold) = composite.unwrap_or_else(|| {
            let style = self.figure_style(place, found);
            (style.figure(value, found.unit), self.is_bold(place.0, &style, found))
        });
        let source = format!("{} ({})", found.source, answers::name(self.facts, found));
        Ok(Answer { text, part: String::new(), source, bold })
    }

    /// How many of the samples are right, in a cell that says how many these are.
    fn count_of(&self, question: &Question) -> Result<Answer, Unanswered> {
        let (found, _) = answers::figure(self.facts, question)?;
        let name = answers::name(self.facts, found);
        let [count, _] = self.counts(found)?;
        let (text, source) = (count.to_string(), format!("{} ({name})", found.source));
        Ok(Answer { text, part: String::new(), source, bold: false })
    }

    /// How a figure of that run is written in a cell.
    pub(super) fn figure_style(&self, place: Place, found: &RunFigure) -> Rc<Style> {
        let kind = Kind {
            look: Look::Figure(Some(found.arm)),
            metric: found.point.metric.as_str(),
            unit: found.unit,
            in_percent: self.is_in_percent(place),
        };
        self.around.looks.style((place.0, place.2), kind)
    }

    /// Whether a figure is written in bold.
    pub(super) fn is_bold(&self, table: usize, style: &Style, found: &RunFigure) -> bool {
        match style.bold {
            Bold::None => false,
            Bold::All => true,
            Bold::Best => {
                let arms = self.around.arms.get(&table);
                arms.and_then(|arms| self.facts.is_best(found, arms)) == Some(true)
            }
        }
    }

    /// Whether a cell or the words around it say that it is in per cent.
    pub(super) fn is_in_percent(&self, (table, row, column): Place) -> bool {
        let understood = self.tables.get(table);
        let cell = understood.and_then(|table| table.rows.get(row)?.row.cells.get(column));
        if let Some((_, Besides::Parts(asked))) = cell.and_then(|cell| self.asked_in(cell)) {
            return asked.contains(['%', '％']);
        }
        let asked = understood.and_then(|table| table.asked(row, column));
        match asked {
            Some(Ok(
                Asked::Figure(question)
                | Asked::OfRow(_, question)
                | Asked::OfColumn(_, question)
                | Asked::Statistic(_, question),
            )) => question.facets().any(|facet| *facet == Facet::Percent),
            _ => false,
        }
    }

    /// Refuses a figure of which nothing says whether it is a share or a percentage there.
    pub(super) fn has_one_scale(&self, place: Place, found: &RunFigure) -> Result<(), Unanswered> {
        let asked = || answers::name(self.facts, found);
        if let Some([figure, runs]) = self.around.other_units.get(&found.point.metric) {
            let refusal = Refusal::new("fill.other-unit").with("figure", figure.as_str());
            return Err(Unanswered::Unclear(refusal.with("runs", runs.as_str())));
        }
        if !found.unit.is_rate() {
            if self.is_in_percent(place) {
                let refusal = Refusal::new("fill.no-percent").with("asked", asked());
                return Err(Unanswered::Unclear(refusal));
            }
            return Ok(());
        }
        match &self.figure_style(place, found).either {
            Some([percent, share]) => {
                let refusal = Refusal::new("fill.either-scale").with("asked", asked());
                let refusal = refusal.with("percent", percent.as_str());
                Err(Unanswered::Unclear(refusal.with("share", share.as_str())))
            }
            None => Ok(()),
        }
    }

    /// Refuses a place where something of another kind stands.
    pub(super) fn fits_column(&self, place: Place, unit: Unit) -> Result<(), Unanswered> {
        self.fits_beside(place, (unit, false))
    }

    /// The same for a figure with its spread or without.
    pub(super) fn fits_beside(&self, place: Place, kind: (Unit, bool)) -> Result<(), Unanswered> {
        let is_bound = self.tables.get(place.0).is_some_and(|table| table.is_bound);
        match self.kinds.other(place, kind) {
            Some(other) if !is_bound => {
                let refusal = Refusal::new("fill.other-kind").with("figure", other);
                Err(Unanswered::Unclear(refusal))
            }
            _ => Ok(()),
        }
    }
}

pub(super) fn unclear(key: &'static str) -> Unanswered {
    Unanswered::Unclear(Refusal::new(key))
}
