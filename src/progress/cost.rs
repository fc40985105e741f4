//! What the run has cost, what a step costs, and what the whole run would cost if that went on.

use super::Untested;
use super::counters::{Counting, Falls};
use super::declared::{AverageOf, Budget, Declared};
use super::timeline::{Reading, Span, Timeline};
use crate::diag::{Code, Diagnostic, Explanation};

/// How far a stated average may lie from the one that its parts give, as a share of it; printed
/// averages are rounded.
const ROUNDING: f64 = 0.02;

/// What the run has cost so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    /// Metric.
    pub name: String,
    /// Cost up to the earlier step, where known.
    pub before: Option<Reading>,
    /// Cost up to the later step.
    pub after: Reading,
    /// What a step costs, or why nobody can say.
    pub growth: Result<Growth, Untested>,
    /// What the whole run would cost.
    pub forecast: Option<Forecast>,
}

/// Growth of something that is counted from the start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    /// Amount counted over `average_steps`.
    pub average_amount: f64,
    /// Steps since counting began.
    pub average_steps: f64,
    /// Amount and steps between the two steps.
    pub recent: Option<[f64; 2]>,
}

impl Growth {
    /// Amount for a step since the start.
    pub fn average(&self) -> f64 {
        self.average_amount / self.average_steps
    }

    /// Amount for a step between the two steps.
    pub fn marginal(&self) -> Option<f64> {
        self.recent.map(|[amount, steps]| amount / steps)
    }
}

/// The cost of the whole run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Forecast {
    /// Steps of the whole run.
    pub steps: f64,
    /// If every step cost the average.
    pub by_average: f64,
    /// If every further step cost what the last ones did.
    pub by_marginal: Option<f64>,
    /// What it may cost.
    pub budget: Option<Budget>,
}

impl Forecast {
    /// The smaller and the larger forecast.
    pub fn range(&self) -> [f64; 2] {
        let other = self.by_marginal.unwrap_or(self.by_average);
        [self.by_average.min(other), self.by_average.max(other)]
    }

    /// Whether the whole range lies below the budget, above it, or neither.
    pub fn against_budget(&self) -> Option<Against> {
        let (Budget { lo, hi }, [least, most]) = (self.budget?, self.range());
        Some(if most < lo {
            Against::Below
        } else if least > hi {
            Against::Above
        } else if most <= hi && least >= lo {
            Against::Within
        } else {
            Against::Across
        })
    }

    /// Shares of the budget that would be saved: smaller end against smaller end, larger against
    /// larger; then the smallest and largest over all pairs of ends.
    pub fn savings(&self) -> Option<[[f64; 2]; 2]> {
        let (Budget { lo, hi }, [least, most]) = (self.budget?, self.range());
        let saved = |cost: f64, budget: f64| 1.0 - cost / budget;
        let (paired, other) = (saved(least, lo), saved(most, hi));
        let all = [paired, other, saved(least, hi), saved(most, lo)];
        let extreme = |pick: fn(f64, f64) -> f64| all.into_iter().reduce(pick).unwrap_or(paired);
        Some([[paired.min(other), paired.max(other)], [extreme(f64::min), extreme(f64::max)]])
    }
}

/// Where a forecast lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Against {
    /// Below the smaller amount.
    Below,
    /// Between the two.
    Within,
    /// Partly outside.
    Across,
    /// Above the larger amount.
    Above,
}

impl Against {
    /// The name in catalogues and `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Below => "below",
            Self::Within => "within",
            Self::Across => "across",
            Self::Above => "above",
        }
    }
}

/// The cost of the run; `None` where it has no value up to the later step.
pub(super) fn cost(
    timeline: &Timeline,
    span: &Span,
    name: &str,
    counting: Counting,
    falls: &Falls,
    planned: Option<f64>,
    declared: &Declared,
) -> Option<Cost> {
    let curve = timeline.curves.get(name)?;
    let after = curve.at(span.to)?.clone();
    let before = curve.at(span.from).filter(|_| !span.is_single()).cloned();
    let growth = growth(timeline, span, name, counting, falls);
    let forecast = growth.ok().zip(planned).and_then(|(growth, steps)| {
        let left = steps - span.to;
        let spent = growth.average_amount;
        (left > 0.0).then(|| Forecast {
            steps,
            by_average: spent + growth.average() * left,
            by_marginal: growth.marginal().map(|marginal| spent + marginal * left),
            budget: declared.budget,
        })
    });
    Some(Cost { name: name.to_owned(), before, after, growth, forecast })
}

/// How a counter or the cost grows.
pub(super) fn growth(
    timeline: &Timeline,
    span: &Span,
    name: &str,
    counting: Counting,
    falls: &Falls,
) -> Result<Growth, Untested> {
    let curve = timeline.curves.get(name).ok_or(Untested::NoValue)?;
    let after = curve.at(span.to).ok_or(Untested::NoValue)?.value;
    let origin = span.origin();
    let steps = span.to - origin;
    if !after.is_finite() {
        return Err(Untested::NotFinite);
    }
    if falls.resets_within(f64::NEG_INFINITY, span.to) {
        return Err(Untested::Reset);
    }
    if falls.shrinks_within(name, f64::NEG_INFINITY, span.to) {
        return Err(Untested::Shrunk);
    }
    if steps <= 0.0 {
        return Err(Untested::TooFew);
    }
    let between = span.to - span.from;
    match counting {
        Counting::Cumulative => {
            let start =
                if origin > 0.0 { curve.at(origin).ok_or(Untested::NoValue)?.value } else { 0.0 };
            let before = curve.at(span.from).filter(|_| !span.is_single());
            Ok(Growth {
                average_amount: after - start,
                average_steps: steps,
                recent: before.map(|before| [after - before.value, between]),
            })
        }
        Counting::PerStep => {
            // Missing steps are neither in the sum nor in the number of steps.
            let sum = |from: f64| {
                let values: Vec<f64> =
                    curve.between(from, span.to).map(|reading| reading.value).collect();
                [values.iter().sum::<f64>(), values.len() as f64]
            };
            let [amount, steps] = sum(f64::NEG_INFINITY);
            let later = curve.readings.iter().filter(|one| one.at > span.from).map(|one| one.at);
            let recent = later.reduce(f64::min).map(sum).filter(|_| !span.is_single());
            let growth = Growth { average_amount: amount, average_steps: steps, recent };
            amount.is_finite().then_some(growth).ok_or(Untested::NotFinite)
        }
        Counting::Unknown => Err(Untested::CountingUnknown),
    }
}

/// Where a stated average is not that of its parts.
pub(super) fn averages(timeline: &Timeline, span: &Span, declared: &Declared) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (name, AverageOf { of, per }) in &declared.averages {
        let at = |name: &str, at| timeline.curves.get(name).and_then(|curve| curve.at(at));
        let mut steps = Vec::new();
        let mut implied = Vec::new();
        let mut counted = Vec::new();
        let mut place = None;
        for step in [span.from, span.to] {
            let (Some(stated), Some(amount), Some(count)) =
                (at(name, step), at(of, step), at(per, step))
            else {
                continue;
            };
            let divisor = amount.value / stated.value;
            let apart = (divisor - count.value).abs() > ROUNDING * count.value.abs();
            if apart && divisor.is_finite() && !steps.contains(&step.to_string()) {
                steps.push(step.to_string());
                implied.push(format!("{divisor:.0}"));
                counted.push(count.value.to_string());
                place = Some(stated.location());
            }
        }
        if let Some(place) = place {
            findings.push(
                Diagnostic::new(Code::AverageContradicts)
                    .metric(name)
                    .with("average", name.as_str())
                    .with("of", of.as_str())
                    .with("per", per.as_str())
                    .with("axis", timeline.axis.as_str())
                    .with("steps", steps)
                    .with("implied", implied)
                    .with("counted", counted)
                    .at(place),
            );
        }
    }
    findings
}

pub(super) const EXPLAINED: &[Explanation] = &[Explanation::new(
    Code::AverageContradicts,
    "A metric is declared in `[progress.averages]` as one metric divided by another, and at one of \
     the two steps the value that the run states lies more than 2% from the quotient. `implied` is \
     the divisor that the stated average asks for.",
    "The average was taken over something else than its name says: calls instead of generations, a \
     window instead of the run. Multiplied up to a forecast, it gives another sum than the one that \
     was paid.",
)];

#[cfg(test)]
mod tests {
    use super::*;

    fn forecast(by_average: f64, by_marginal: f64, lo: f64, hi: f64) -> Forecast {
        let budget = Some(Budget { lo, hi });
        Forecast { steps: 500.0, by_average, by_marginal: Some(by_marginal), budget }
    }

    #[test]
    fn a_forecast_is_held_against_the_whole_budget() {
        for (least, most, against) in [
            (0.58, 0.86, Against::Below),
            (2.6, 4.9, Against::Within),
            (2.0, 3.0, Against::Across),
            (2.0, 6.0, Against::Across),
            (5.1, 6.0, Against::Above),
        ] {
            let found = forecast(most, least, 2.5, 5.0).against_budget();
            assert_eq!(found, Some(against), "{least} to {most}");
        }
    }

    #[test]
    fn savings_pair_the_ends_and_say_the_extremes() {
        let [paired, all] = forecast(1.0, 0.5, 2.5, 5.0).savings().expect("a budget");
        assert_eq!((paired, all), ([0.8, 0.8], [0.6, 0.9]));
    }
}
