//! The figures that conditions of suggestions may name.

use super::{Quality, QualityDistribution, QualityRate};
use crate::conditions::{Operand, Operands, Quantity, UnknownOperand};
use crate::model::logs::RolloutOutcome;
use crate::quantity::Unit;

impl Operands for Quality<'_> {
    fn figure(&self, quantity: &Quantity) -> Result<Operand, UnknownOperand> {
        let name = quantity.name.as_str();
        match quantity.function.as_deref() {
            None => self.plain(name),
            Some(function) => self.called(function, name),
        }
    }
}

impl Quality<'_> {
    fn plain(&self, name: &str) -> Result<Operand, UnknownOperand> {
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
                rate(self.success.and_then(|right| QualityRate::new(right.n - right.x, right.n)))
            }
            "fallback_rate" => rate(self.fallback),
            "fallback_success_rate" => {
                let link = |id: &str| self.chain.iter().find(|link| link.id == id)?.count;
                let rated = link("fallback-succeeded").zip(link("fallback"));
                rate(rated.and_then(|(x, n)| QualityRate::new(x, n)))
            }
            "mean_score" => mean(self.scores.as_ref()),
            "penalty" => self.penalty(|_| true),
            _ => Err(UnknownOperand::NoSuchFigure),
        }
    }

    fn called(&self, function: &str, name: &str) -> Result<Operand, UnknownOperand> {
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
            "share" => rate(QualityRate::new(with_type(), self.tally.errors.total())),
            "violations" => {
                self.logged(self.tally.violations.get(name).map_or(0, |broken| broken.said.count))
            }
            "penalty" => self.penalty(|term| term == name),
            "mean_score" => {
                let outcome = match name {
                    "success" => RolloutOutcome::Success,
                    "failure" => RolloutOutcome::Failure,
                    _ => return Err(UnknownOperand::NoSuchFigure),
                };
                let known = self.by_outcome.iter().find(|(known, _)| *known == outcome);
                mean(known.map(|(_, scores)| scores))
            }
            _ => Err(UnknownOperand::NoSuchFunction),
        }
    }

    /// A count of lines: without a log it is not 0 but unknown.
    fn logged(&self, count: u64) -> Result<Operand, UnknownOperand> {
        if self.tally.files.is_empty() { Err(UnknownOperand::NoValue) } else { Ok(exact(count)) }
    }

    fn penalty(&self, belongs: impl Fn(&str) -> bool) -> Result<Operand, UnknownOperand> {
        let terms = self.tally.penalties.iter().filter(|(term, _)| belongs(term));
        let mut terms =
            terms.filter_map(|(_, term)| QualityDistribution::new(&term.values)).peekable();
        if terms.peek().is_none() {
            return Err(UnknownOperand::NoValue);
        }
        Ok(Operand::exact(terms.map(|term| term.sum).sum(), Unit::Plain))
    }
}

fn exact(count: u64) -> Operand {
    Operand::exact(count as f64, Unit::Count)
}

fn rate(rate: Option<QualityRate>) -> Result<Operand, UnknownOperand> {
    let rate = rate.ok_or(UnknownOperand::NoValue)?;
    Ok(Operand::estimate(rate.share(), rate.interval, Unit::Fraction, rate.n))
}

/// A mean without an interval is no estimate that decides anything: it counts as unknown.
fn mean(scores: Option<&QualityDistribution>) -> Result<Operand, UnknownOperand> {
    let scores = scores.ok_or(UnknownOperand::NoValue)?;
    let interval = scores.interval.ok_or(UnknownOperand::NoValue)?;
    Ok(Operand::estimate(scores.mean, interval, Unit::Plain, scores.n))
}
