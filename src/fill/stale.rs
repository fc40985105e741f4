//! What the document has and the runs contradict.

use super::Outcome;
use super::answers;
use super::cells::{Answer, Besides, Filling};
use super::edits::{Edit, replaced};
use super::style::agrees;
use super::surroundings::Place;
use super::understood::{Asked, CountOf};
use crate::marked::{Cell, Figure};

/// What a cell of a sum has: `+1.2 pp（4/16）`, `3/16`, `3/16 (4/16)`.
struct WrittenSum {
    figure: Figure,
    of: Option<u64>,
    /// How many of how many results it stands on.
    part: Option<String>,
}

impl Filling<'_> {
    /// A figure that the runs contradict.
    pub(super) fn stale(
        &self,
        place: Place,
        asked: &Asked,
        (figure, cell): (&Figure, &Cell),
    ) -> Option<(Outcome, Option<Edit>)> {
        let answer = match asked {
            Asked::Figure(question) => {
                let (found, value) = answers::figure(self.facts, question).ok()?;
                let is_in_other_unit = self.around.other_units.contains_key(&found.point.metric);
                if is_in_other_unit || agrees(figure, value, found.unit) {
                    return None;
                }
                self.figure(place, (question, Besides::None)).ok()?
            }
            Asked::Difference => {
                let operands = self.operands(place).ok()?;
                let (delta, _) = operands.difference(self.facts).ok()?;
                let [first, _] = operands.figures;
                // A column without one that agrees may hold other differences.
                let agrees_somewhere =
                    self.around.agreeing_differences.contains(&(place.0, place.2));
                if !agrees_somewhere && !self.around.reversed.contains(&place) {
                    return None;
                }
                if agrees(figure, delta, first.unit) {
                    return None;
                }
                self.difference(place).ok()?
            }
            Asked::Count(CountOf::Right, question) => {
                let answer = self.count_of_row(place, (CountOf::Right, question)).ok()?.answer;
                if answer.text == figure.number {
                    return None;
                }
                answer
            }
            Asked::Statistic(..) => {
                let written = WrittenSum { figure: figure.clone(), of: None, part: None };
                self.other_sum(place, asked, &written)?
            }
            Asked::OfRow(..) | Asked::OfColumn(..) => {
                let answer = self.answer(place, asked, Besides::None).ok()?;
                let own = Figure::read(&answer.text)?;
                if is_near(figure, &own) {
                    return None;
                }
                answer
            }
            // Figures of another number of samples are refused.
            Asked::Verdict | Asked::Trend | Asked::Count(CountOf::All, _) => return None,
        };
        self.disagreement(place, asked, cell, (answer.text + &answer.part, answer.source))
    }

    /// A verdict, a trend or a sum with words beside it that the runs contradict.
    pub(super) fn stale_words(
        &self,
        place: Place,
        asked: &Asked,
        (words, cell): (&str, &Cell),
    ) -> Option<(Outcome, Option<Edit>)> {
        let answer = match asked {
            Asked::Verdict => self.verdict(place).ok()?,
            Asked::Trend => self.trend(place, true).ok()?,
            Asked::Statistic(..) => self.other_sum(place, asked, &WrittenSum::read(words)?)?,
            Asked::Figure(question) => {
                let text = self.other_counts(words, question)?;
                return self.disagreement(place, asked, cell, text);
            }
            _ => return None,
        };
        if !matches!(asked, Asked::Statistic(..)) && arrow(words)? == arrow(&answer.text)? {
            return None;
        }
        self.disagreement(place, asked, cell, (answer.text + &answer.part, answer.source))
    }

    /// A sum as the runs have it, where what is written is not that.
    fn other_sum(&self, place: Place, asked: &Asked, written: &WrittenSum) -> Option<Answer> {
        let Asked::Statistic(statistic, question) = asked else { return None };
        let WrittenSum { figure, of, part } = written;
        let is_partial = part.is_some();
        let answer = self.statistic(place, (*statistic, question), None, is_partial).ok()?;
        let is_same = if statistic.is_count() {
            let (count, planned) = answer.text.split_once('/')?;
            let is_of = of.is_none_or(|of| planned.parse() == Ok(of));
            count.parse() == Ok(figure.value) && is_of
        } else {
            let exact = self.sum(*statistic, question)?;
            agrees(figure, exact.0, exact.1)
        };
        let on = answer.part.trim().trim_matches(['(', ')', '（', '）']);
        if is_same && part.as_deref().unwrap_or_default() == on {
            return None;
        }
        let is_bare = statistic.is_count() && of.is_none();
        let text = if is_bare { answer.text.split('/').next()?.to_owned() } else { answer.text };
        Some(Answer { text, ..answer })
    }

    fn disagreement(
        &self,
        place: Place,
        asked: &Asked,
        cell: &Cell,
        (text, source): (String, String),
    ) -> Option<(Outcome, Option<Edit>)> {
        let understood = self.tables.get(place.0)?;
        let written = self.text.get(cell.content.clone()).unwrap_or_default();
        let is_bold = written.starts_with("**") && written.ends_with("**");
        let text = if is_bold { format!("**{text}**") } else { text };
        let is_replaced = self.choices.refresh
            && !self.around.same.contains_key(&place)
            && self.is_chosen(understood, Some(asked));
        if !is_replaced {
            return Some((Outcome::Disagrees { text, source }, None));
        }
        let edit = replaced(cell, cell.content.clone(), &text, self.text);
        Some((Outcome::Written { text, source }, Some(edit)))
    }
}

impl WrittenSum {
    fn read(words: &str) -> Option<Self> {
        let words = words.trim();
        let (sum, part) = match words.strip_suffix([')', '）']).and_then(|inner| {
            let at = inner.rfind(['(', '（'])?;
            Some((inner.get(..at)?, inner.get(at..)?))
        }) {
            Some((sum, part)) => (sum.trim(), Some(part.trim_start_matches(['(', '（']).trim())),
            None => (words, None),
        };
        if part.is_some_and(|part| part.split('/').any(|number| number.parse::<u64>().is_err())) {
            return None;
        }
        let (figure, of) = match sum.split_once('/') {
            Some((count, of)) => (count, Some(of.trim().parse().ok()?)),
            None => (sum, None),
        };
        Some(Self { figure: Figure::read(figure)?, of, part: part.map(str::to_owned) })
    }
}

/// Whether two figures are the same as far as the coarser one says.
fn is_near(one: &Figure, other: &Figure) -> bool {
    let decimals = one.decimals().min(other.decimals());
    let step = 10_f64.powf(-(decimals as f64));
    (one.value - other.value).abs() <= step * (1.0 + 1e-6)
}

/// Which way the only arrow of a text points: up, down, or neither.
fn arrow(words: &str) -> Option<i8> {
    let pointing = words.chars().filter_map(|c| match c {
        '⬆' | '↑' | '📈' | '↗' => Some(1),
        '⬇' | '↓' | '📉' | '↘' => Some(-1),
        '➡' | '→' => Some(0),
        _ => None,
    });
    let mut pointing = pointing.collect::<Vec<i8>>();
    pointing.dedup();
    match pointing.as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}
