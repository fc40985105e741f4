//! The figures that conditions of suggestions may name.

use super::{Distribution, Quality, Rate};
use crate::conditions::{Figure, Figures, Quantity, Unknown};
use crate::model::logs::RolloutOutcome;
use crate::quantity::Unit;

impl Figures for Quality<'_> {
    fn figure(&self, quantity: &Quantity) -> Result<Figure, Unknown> {
        let name = quantity.name.as_str();
        match quantity.function.as_deref() {
            None => self.plain(name),
            Some(function) => self.called(function, name),
        }
    }
}

impl Quality<'_> {
    fn plain(&self, name: &str) -> Result<Figure, Unknown> {
        let errors = &self.tally.errors;
        match name {
            "rollouts" => Ok(exact(self.rollouts)),
            "errors" => self.logged(errors.total()),
            "warnings" => self.logged(self.tally.warnings.total()),
            "violations" => {
                self.logged(self.tally.violations.values().map(|broken| broken.said.count).sum())
            }
            "success_rate" => rate(self.success),
            "failure_rate" => {
                rate(self.success.and_then(|right| Rate::new(right.n - right.x, right.n)))
            }
            "fallback_rate" => rate(self.fallback),
            "fallback_success_rate" => {
                let link = |id: &str| self.chain.iter().find(|link| link.id == id)?.count;
                let rated = link("fallback-succeeded").zip(link("fallback"));
                rate(rated.and_then(|(x, n)| Rate::new(x, n)))
            }
            "mean_score" => mean(self.scores.as_ref()),
            "penalty" => self.penalty(|_| true),
            _ => Err(Unknown::NoSuchFigure),
        }
    }

    fn called(&self, function: &str, name: &str) -> Result<Figure, Unknown> {
        let kept = &self.tally.errors.kept;
        let with_type = || {
            let is_named = |kind: &str| kind == name || kind.rsplit('.').next() == Some(name);
            kept.iter()
                .filter(|(key, _)| is_named(&key.kind))
                .map(|(_, signature)| signature.count)
                .sum::<u64>()
        };
        match function {
            "errors" => self.logged(with_type()),
            "share" => rate(Rate::new(with_type(), self.tally.errors.total())),
            "violations" => {
                self.logged(self.tally.violations.get(name).map_or(0, |broken| broken.said.count))
            }
            "penalty" => self.penalty(|term| term == name),
            "mean_score" => {
                let outcome = match name {
                    "success" => RolloutOutcome::Success,
                    "failure" => RolloutOutcome::Failure,
                    _ => return Err(Unknown::NoSuchFigure),
                };
                let known = self.by_outcome.iter().find(|(known, _)| *known == outcome);
                mean(known.map(|(_, scores)| scores))
            }
            _ => Err(Unknown::NoSuchFunction),
        }
    }

    /// A count of lines: without a log it is not 0 but unknown.
    fn logged(&self, count: u64) -> Result<Figure, Unknown> {
        if self.tally.files.is_empty() { Err(Unknown::NoValue) } else { Ok(exact(count)) }
    }

    fn penalty(&self, belongs: impl Fn(&str) -> bool) -> Result<Figure, Unknown> {
        let terms = self.tally.penalties.iter().filter(|(term, _)| belongs(term));
        let mut terms = terms.filter_map(|(_, term)| Distribution::new(&term.values)).peekable();
        if terms.peek().is_none() {
            return Err(Unknown::NoValue);
        }
        Ok(Figure::exact(terms.map(|term| term.sum).sum(), Unit::Plain))
    }
}

fn exact(count: u64) -> Figure {
    Figure::exact(count as f64, Unit::Count)
}

fn rate(rate: Option<Rate>) -> Result<Figure, Unknown> {
    let rate = rate.ok_or(Unknown::NoValue)?;
    Ok(Figure::estimate(rate.share(), rate.interval, Unit::Fraction, rate.n))
}

/// A mean without an interval is no estimate that decides anything: it counts as unknown.
fn mean(scores: Option<&Distribution>) -> Result<Figure, Unknown> {
    let scores = scores.ok_or(Unknown::NoValue)?;
    let interval = scores.interval.ok_or(Unknown::NoValue)?;
    Ok(Figure::estimate(scores.mean, interval, Unit::Plain, scores.n))
}
