//! Every cell of the tables: what is asked for, what the runs have for it, and what is written.

use std::collections::BTreeSet;

use super::answers::{self, Unanswered};
use super::derived::{self, Operands, Summed};
use super::edits::{Edit, replaced};
use super::facts::{Difference, Facts};
use super::readings::Statistic;
use super::style::{Look, agrees};
use super::surroundings::{Place, Surroundings};
use super::understood::{Asked, Column, Question, Understood};
use super::{FillChoices, FilledCell, Only, Outcome, Signs};
use crate::marked::{Cell, Figure, Written};
use crate::model::Dims;
use crate::quantity::{Unit, settled};
use crate::text::Refusal;

pub(super) struct Filling<'a> {
    tables: &'a [Understood],
    facts: &'a Facts,
    choices: &'a FillChoices,
    signs: Signs<'a>,
    around: Surroundings,
    /// The points that the tables have cells for.
    points: BTreeSet<Dims>,
    text: &'a str,
}

/// What is written into a cell, and where it is from.
struct Answer {
    text: String,
    source: String,
    bold: bool,
}

impl<'a> Filling<'a> {
    pub(super) fn new(
        (tables, text): (&'a [Understood], &'a str),
        facts: &'a Facts,
        choices: &'a FillChoices,
        signs: Signs<'a>,
    ) -> Self {
        let around = Surroundings::of(tables, facts);
        let points = derived::points_asked(tables);
        Self { tables, facts, choices, signs, around, points, text }
    }

    /// What became of each cell that asks for something or disagrees with the runs, and the edit.
    pub(super) fn cells(&self) -> Vec<(FilledCell, Option<Edit>)> {
        let mut cells = Vec::new();
        for (table, understood) in self.tables.iter().enumerate() {
            for (row, of_table) in understood.rows.iter().enumerate() {
                for (column, cell) in of_table.row.cells.iter().enumerate() {
                    cells.extend(self.cell((table, row, column), cell));
                }
            }
        }
        cells
    }

    fn cell(&self, place: Place, cell: &Cell) -> Option<(FilledCell, Option<Edit>)> {
        let (table, row, column) = place;
        let understood = self.tables.get(table)?;
        let asked = understood.asked(row, column)?;
        let filled = |outcome| FilledCell {
            line: understood.line(row),
            column: column + 1,
            before: self.text.get(cell.content.clone()).unwrap_or_default().to_owned(),
            outcome,
        };
        let (part, of) = match &cell.written {
            Written::Asked(part) => (part, None),
            Written::AskedOf(part, of) => (part, Some(*of)),
            Written::AskedTwice => {
                return Some((filled(Outcome::Unclear(Refusal::new("fill.two-asked"))), None));
            }
            Written::Figure(figure) => {
                let (outcome, edit) = self.stale(place, &asked.ok()?, (figure, cell))?;
                return Some((filled(outcome), edit));
            }
            Written::Text(_) => return None,
        };
        if !self.is_chosen(understood, asked.as_ref().ok()) {
            return Some((filled(Outcome::Unchosen), None));
        }
        let answer = asked.map_err(Unanswered::Unclear).and_then(|asked| {
            self.trusted(place)?;
            self.answer(place, &asked, of)
        });
        let outcome = match answer {
            Err(Unanswered::Unclear(refusal)) => {
                return Some((filled(Outcome::Unclear(refusal)), None));
            }
            Err(Unanswered::Missing(refusal)) => {
                return Some((filled(Outcome::Missing(refusal)), None));
            }
            Ok(answer) => answer,
        };
        let is_plain = *part == cell.content;
        let emphasis = if outcome.bold && is_plain { "**" } else { "" };
        let words = format!("{emphasis}{}{emphasis}", outcome.text);
        let edit = replaced(cell, part.clone(), &words, self.text);
        let Answer { source, .. } = outcome;
        Some((filled(Outcome::Written { text: words, source }), Some(edit)))
    }

    fn is_chosen(&self, table: &Understood, asked: Option<&Asked>) -> bool {
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
        if let Some(line) = self.around.same.get(&place) {
            return Err(Unanswered::Unclear(Refusal::new("fill.same-figure").with("line", *line)));
        }
        match self.around.other_differences.get(&(table, column)) {
            Some(pair) if !self.choices.refresh => Err(unclear("fill.other-difference", pair)),
            _ => Ok(()),
        }
    }

    fn answer(&self, place: Place, asked: &Asked, of: Option<u64>) -> Result<Answer, Unanswered> {
        match asked {
            Asked::Statistic(statistic, question) => {
                self.statistic(place, *statistic, question, of)
            }
            _ if of.is_some() => Err(unclear("fill.two-asked")),
            Asked::Figure(question) => self.figure(place, question),
            Asked::Difference => self.difference(place),
            Asked::Verdict => self.verdict(place),
            Asked::Trend => self.trend(place),
        }
    }

    fn figure(&self, (table, _, column): Place, question: &Question) -> Result<Answer, Unanswered> {
        let (found, value) = answers::figure(self.facts, question)?;
        let kind = (Look::Figure(Some(found.arm)), found.point.metric.as_str(), found.unit);
        let style = self.around.looks.style((table, column), kind);
        Ok(Answer {
            text: style.figure(value, found.unit),
            source: format!("{} ({})", found.source, answers::name(self.facts, found)),
            bold: style.bold,
        })
    }

    /// The operands of a row in the order in which its differences are taken.
    fn operands(&self, (table, row, column): Place) -> Result<Operands<'a>, Unanswered> {
        let understood = self.tables.get(table);
        let understood = understood.ok_or_else(|| unclear("fill.which-two"))?;
        let operands = derived::operands(understood, (row, column), self.facts)?;
        let is_turned = self.around.turned.contains(&(table, column));
        Ok(if is_turned { operands.swapped() } else { operands })
    }

    fn difference(&self, place: Place) -> Result<Answer, Unanswered> {
        let (table, _, column) = place;
        let operands = self.operands(place)?;
        let (delta, _) = operands.difference(self.facts)?;
        let [first, _] = operands.figures;
        let kind = (Look::Difference, first.point.metric.as_str(), first.unit);
        let style = self.around.looks.style((table, column), kind);
        Ok(Answer {
            text: style.difference(delta, operands.values, first.unit),
            source: self.subtraction(&operands),
            bold: style.bold,
        })
    }

    fn verdict(&self, place: Place) -> Result<Answer, Unanswered> {
        let (table, row, _) = place;
        let differences = self.tables.get(table).map(|table| &table.columns);
        let column = differences.and_then(|columns| {
            columns.iter().position(|column| matches!(column, Column::Difference))
        });
        let operands = self.operands((table, row, column.unwrap_or(place.2)))?;
        let (delta, compared) = operands.difference(self.facts)?;
        let Some(Difference { verdict, reason, arms, .. }) = compared else {
            return Err(unclear("fill.no-verdict"));
        };
        let verdict = if *arms == operands.arms() { *verdict } else { verdict.reversed() };
        Ok(Answer {
            text: (self.signs.judged)(delta, verdict, *reason),
            source: self.subtraction(&operands),
            bold: false,
        })
    }

    fn subtraction(&self, operands: &Operands<'_>) -> String {
        let [first, second] = operands.figures.map(|figure| answers::name(self.facts, figure));
        format!("{second} − {first}")
    }

    /// The two arms that are summed up, in the order in which the document subtracts.
    fn arms(&self) -> Result<[usize; 2], Unanswered> {
        if self.facts.arms.len() != 2 {
            return Err(unclear("fill.which-two"));
        }
        match self.around.orders.iter().collect::<Vec<_>>().as_slice() {
            [] => Ok([0, 1]),
            [order] => Ok(**order),
            _ => Err(unclear("fill.both-ways")),
        }
    }

    fn summed(&self, question: &Question) -> Result<Summed<'a>, Unanswered> {
        derived::summed(question, self.arms()?, &self.points, self.facts)
    }

    fn statistic(
        &self,
        (table, _, column): Place,
        statistic: Statistic,
        question: &Question,
        of: Option<u64>,
    ) -> Result<Answer, Unanswered> {
        let summed = self.summed(question)?;
        let (known, planned) = (summed.known.len(), summed.planned);
        if let Some(of) = of.filter(|of| known > 0 && usize::try_from(*of) != Ok(planned)) {
            let refusal = counted("fill.other-count", known, planned).with("of", of);
            return Err(Unanswered::Unclear(refusal));
        }
        let part = self.part(known, planned)?;
        let is_count =
            matches!(statistic, Statistic::Improved | Statistic::Declined | Statistic::Tied);
        let (metric, unit) = summed.known.first().map_or(("", Unit::Plain), |(_, _, figure)| {
            (figure.point.metric.as_str(), figure.unit)
        });
        let kind = (Look::Difference, metric, unit);
        let style = self.around.looks.style((table, column), kind);
        let value = match statistic {
            Statistic::Mean => summed.mean(),
            Statistic::Gain => summed.extreme(1.0),
            Statistic::Loss => summed.extreme(-1.0),
            _ => None,
        };
        let text = match (value, summed.known.first()) {
            _ if is_count => {
                let count = summed.count(statistic);
                if of.is_some() { count.to_string() } else { format!("{count}/{planned}") }
            }
            (Some(delta), Some((_, operands, figure))) => style.mean(delta, *operands, figure.unit),
            _ => return Err(unclear("fill.no-extreme")),
        };
        Ok(Answer { text: text + &part, source: format!("{known}/{planned}"), bold: false })
    }

    /// How much of the points a sum is over, in the brackets of the document; nothing of all of them.
    fn part(&self, known: usize, planned: usize) -> Result<String, Unanswered> {
        match known {
            0 => Err(Unanswered::Missing(counted("fill.none-known", known, planned))),
            _ if known == planned => Ok(String::new()),
            _ if !self.choices.partial => {
                Err(Unanswered::Missing(counted("fill.partial", known, planned)))
            }
            _ if self.text.contains('（') => Ok(format!("（{known}/{planned}）")),
            _ => Ok(format!(" ({known}/{planned})")),
        }
    }

    /// Where the mean went between the first and the last column of means.
    fn trend(&self, (table, row, _): Place) -> Result<Answer, Unanswered> {
        let ends = self.tables.get(table).and_then(|table| derived::ends_of_trend(table, row));
        let Some((first, last, (axis, [from, to]))) = ends else {
            return Err(unclear("fill.which-trend"));
        };
        let [before, after] = [self.summed(&first)?, self.summed(&last)?];
        let moved = before.moved_to(&after, &axis);
        let planned = before.planned.max(after.planned);
        let part = self.part(moved.len(), planned)?;
        let change = settled(moved.iter().sum::<f64>() / moved.len() as f64);
        Ok(Answer {
            text: (self.signs.direction)(change) + &part,
            source: format!("{axis} {from} → {to}"),
            bold: false,
        })
    }

    /// A figure that the runs contradict.
    fn stale(
        &self,
        place: Place,
        asked: &Asked,
        (figure, cell): (&Figure, &Cell),
    ) -> Option<(Outcome, Option<Edit>)> {
        let answer = match asked {
            Asked::Figure(question) => {
                let (found, value) = answers::figure(self.facts, question).ok()?;
                if agrees(figure, value, found.unit) {
                    return None;
                }
                self.figure(place, question).ok()?
            }
            Asked::Difference => {
                let operands = self.operands(place).ok()?;
                let (delta, _) = operands.difference(self.facts).ok()?;
                let [first, _] = operands.figures;
                // A column without one that agrees may hold other differences.
                if !self.around.agreeing_differences.contains(&(place.0, place.2)) {
                    return None;
                }
                if agrees(figure, delta, first.unit) {
                    return None;
                }
                self.difference(place).ok()?
            }
            _ => return None,
        };
        let understood = self.tables.get(place.0)?;
        let is_replaced = self.choices.refresh
            && !self.around.same.contains_key(&place)
            && self.is_chosen(understood, Some(asked));
        let Answer { text, source, .. } = answer;
        let text = if figure.bold { format!("**{text}**") } else { text };
        if !is_replaced {
            return Some((Outcome::Disagrees { text, source }, None));
        }
        let edit = replaced(cell, cell.content.clone(), &text, self.text);
        Some((Outcome::Written { text, source }, Some(edit)))
    }
}

fn unclear(key: &'static str) -> Unanswered {
    Unanswered::Unclear(Refusal::new(key))
}

fn counted(key: &'static str, known: usize, planned: usize) -> Refusal {
    Refusal::new(key).with("known", known).with("planned", planned)
}
