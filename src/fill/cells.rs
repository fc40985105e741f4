//! Every cell of the tables: what is asked for, what the runs have for it, and what is written.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::answers::{self, Unanswered};
use super::columns::{Across, Column};
use super::derived::{self, Operands};
use super::edits::{Edit, replaced};
use super::facts::{Difference, Facts, RunFigure};
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
    decimals: RefCell<BTreeMap<(usize, usize, String), usize>>,
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
    /// Its counts, with all that stands there.
    Counts(&'t str),
}

impl Besides<'_> {
    fn of(self) -> Option<u64> {
        match self {
            Self::Of(of) => Some(of),
            Self::None | Self::Spread(_) | Self::Counts(_) => None,
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
        let (part, beside) = match &cell.written {
            Written::Asked(part) => (part.clone(), Besides::None),
            Written::AskedOf(part, of) => (part.clone(), Besides::Of(*of)),
            Written::AskedSpread([figure, spread]) => {
                let between = self.text.get(figure.end..spread.start).unwrap_or_default();
                (figure.start..spread.end, Besides::Spread(between))
            }
            Written::AskedCounts(whole) => {
                let asked = self.text.get(whole.clone()).unwrap_or_default();
                (whole.clone(), Besides::Counts(asked))
            }
            Written::AskedTwice => {
                return Some((Outcome::Unclear(Refusal::new("fill.two-asked")), None));
            }
            Written::Figure(figure) => return self.stale(place, &asked.ok()?, (figure, cell)),
            Written::Text(words) => return self.stale_words(place, &asked.ok()?, (words, cell)),
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

    pub(super) fn is_chosen(&self, table: &Understood, asked: Option<&Asked>) -> bool {
        let is_raw = matches!(asked, None | Some(Asked::Figure(_)));
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
            (Asked::Statistic(statistic, question), Besides::None | Besides::Of(_)) => {
                let partial = self.choices.partial;
                self.statistic(place, (*statistic, question), beside.of(), partial)
            }
            (_, Besides::Of(_) | Besides::Spread(_) | Besides::Counts(_)) => {
                Err(unclear("fill.two-asked"))
            }
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
            Besides::Counts(asked) => Some(self.asked_counts(place, asked, (found, value))?),
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
        let [count, _] = self.counts(found).map_err(|_| unclear("fill.two-asked"))?;
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

    /// Whether words around a cell say that it is in per cent.
    fn is_in_percent(&self, (table, row, column): Place) -> bool {
        let asked = self.tables.get(table).and_then(|table| table.asked(row, column));
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
    fn fits_beside(&self, place: Place, kind: (Unit, bool)) -> Result<(), Unanswered> {
        let is_bound = self.tables.get(place.0).is_some_and(|table| table.is_bound);
        match self.kinds.other(place, kind) {
            Some(other) if !is_bound => {
                let refusal = Refusal::new("fill.other-kind").with("figure", other);
                Err(Unanswered::Unclear(refusal))
            }
            _ => Ok(()),
        }
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
        for (row, at) in operands.cells.into_iter().flatten() {
            self.asked_once((table, row, at))?;
            self.fits_column((table, row, at), operands.figures[0].unit)?;
            self.has_one_scale((table, row, at), operands.figures[0])?;
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
}

pub(super) fn unclear(key: &'static str) -> Unanswered {
    Unanswered::Unclear(Refusal::new(key))
}
