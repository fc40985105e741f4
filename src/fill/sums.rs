//! What sums differences up: means, extremes, counts, and where a mean went.

use super::answers::Unanswered;
use super::cells::{Answer, Filling, unclear};
use super::derived::{self, Summed};
use super::question::Question;
use super::readings::Statistic;
use super::style::Kind;
use super::surroundings::Place;
use super::understood::Asked;
use crate::quantity::{self, Unit, settled};
use crate::text::Refusal;

impl<'a> Filling<'a> {
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

    /// A sum over the points of a question; `of` is how many the document says that they are.
    pub(super) fn statistic(
        &self,
        place: Place,
        (statistic, question): (Statistic, &Question),
        of: Option<u64>,
        partial: bool,
    ) -> Result<Answer, Unanswered> {
        let summed = self.summed(question)?;
        // Numbers of answers that changed are no numbers of results.
        if statistic.is_count()
            && (summed.planned < 2 || self.has_larger_count(place, summed.planned))
        {
            return Err(unclear("fill.other-parts"));
        }
        let (known, planned) = (summed.known.len(), summed.planned);
        if let Some(of) = of.filter(|of| known > 0 && usize::try_from(*of) != Ok(planned)) {
            let refusal = counted("fill.other-count", known, planned).with("of", of);
            return Err(Unanswered::Unclear(refusal));
        }
        let part = self.part(known, planned, partial)?;
        let text = match summed.value(statistic) {
            None if statistic.is_count() => {
                let count = summed.count(statistic);
                if of.is_some() { count.to_string() } else { format!("{count}/{planned}") }
            }
            None => return Err(unclear("fill.no-extreme")),
            Some(delta) => {
                let (metric, unit) = summed.kind();
                let kind = Kind::difference(metric, unit);
                let style = self.around.looks.style((place.0, place.2), kind);
                style.difference(delta, self.sum_decimals(place, statistic), unit)
            }
        };
        Ok(Answer { text, part, source: format!("{known}/{planned}"), bold: false })
    }

    /// Whether a count in the row or the column is larger than there are results.
    fn has_larger_count(&self, (table, row, column): Place, planned: usize) -> bool {
        let Some(understood) = self.tables.get(table) else { return false };
        let rows = (0..understood.rows.len()).map(|row| (row, column));
        let places = rows.chain((0..understood.columns.len()).map(|column| (row, column)));
        let is_larger = |(row, column): (usize, usize)| {
            let is_count = matches!(
                understood.asked(row, column),
                Some(Ok(Asked::Statistic(statistic, _))) if statistic.is_count()
            );
            let figure = understood.figure(row, column).filter(|_| is_count);
            figure.is_some_and(|figure| figure.value > planned as f64)
        };
        places.into_iter().any(is_larger)
    }

    /// Decimals of the means of a column, or of its extremes: one precision for all of them.
    fn sum_decimals(&self, (table, _, column): Place, like: Statistic) -> usize {
        let Some(understood) = self.tables.get(table) else { return 0 };
        let of_row = |row: usize| {
            let asked = understood.asked(row, column)?.ok()?;
            let Asked::Statistic(statistic, question) = asked else { return None };
            if (statistic == Statistic::Mean) != (like == Statistic::Mean) {
                return None;
            }
            let summed = self.summed(&question).ok()?;
            let value = summed.value(statistic)?;
            let (metric, unit) = summed.kind();
            let style = self.around.looks.style((table, column), Kind::difference(metric, unit));
            let usual = summed.decimals();
            Some(match statistic {
                Statistic::Mean => style.mean_decimals(value, usual, unit),
                _ => usual,
            })
        };
        (0..understood.rows.len()).filter_map(of_row).max().unwrap_or_default()
    }

    /// A mean or an extreme, and its unit.
    pub(super) fn sum(&self, statistic: Statistic, question: &Question) -> Option<(f64, Unit)> {
        let summed = self.summed(question).ok()?;
        Some((summed.value(statistic)?, summed.kind().1))
    }

    /// How much of the points a sum is over, in the brackets of the document; nothing of all of them.
    fn part(&self, known: usize, planned: usize, partial: bool) -> Result<String, Unanswered> {
        match known {
            0 => Err(Unanswered::Missing(counted("fill.none-known", known, planned))),
            _ if known == planned => Ok(String::new()),
            _ if !partial => Err(Unanswered::Missing(counted("fill.partial", known, planned))),
            _ if super::is_chinese(self.text) => Ok(format!("（{known}/{planned}）")),
            _ => Ok(format!(" ({known}/{planned})")),
        }
    }

    /// Where the mean went between the first and the last column of means.
    pub(super) fn trend(
        &self,
        (table, row, _): Place,
        partial: bool,
    ) -> Result<Answer, Unanswered> {
        let ends = self.tables.get(table).and_then(|table| derived::ends_of_trend(table, row));
        let Some((first, last, (axis, [from, to]))) = ends else {
            return Err(unclear("fill.which-trend"));
        };
        let [before, after] = [self.summed(&first)?, self.summed(&last)?];
        let moved = before.moved_to(&after, &axis);
        let planned = before.planned.max(after.planned);
        let part = self.part(moved.len(), planned, partial)?;
        let change = settled(moved.iter().sum::<f64>() / moved.len() as f64);
        Ok(Answer {
            text: (self.signs.direction)(change),
            part,
            source: format!("{axis} {from} → {to}"),
            bold: false,
        })
    }
}

impl Summed<'_> {
    fn value(&self, statistic: Statistic) -> Option<f64> {
        match statistic {
            Statistic::Mean => self.mean(),
            Statistic::Gain => self.extreme(1.0),
            Statistic::Loss => self.extreme(-1.0),
            Statistic::Improved | Statistic::Declined | Statistic::Tied => None,
        }
    }

    /// The metric and its unit.
    fn kind(&self) -> (&str, Unit) {
        self.known
            .first()
            .map_or(("", Unit::Plain), |(_, _, figure)| (figure.point.metric.as_str(), figure.unit))
    }

    /// Decimals of the finest figure that it is of.
    fn decimals(&self) -> usize {
        let of = |(_, values, figure): &(f64, [f64; 2], &super::facts::RunFigure)| {
            values.map(|value| quantity::decimals(value, figure.unit)).into_iter().max()
        };
        self.known.iter().filter_map(of).max().unwrap_or_default()
    }
}

fn counted(key: &'static str, known: usize, planned: usize) -> Refusal {
    Refusal::new(key).with("known", known).with("planned", planned)
}
