//! The figures that conditions may ask for.

use indexmap::IndexMap;

use super::ProgressUntested;
use super::cost::{Cost, Grown, counter_growth};
use super::counters::{Counter, Falls, ProgressCounting};
use super::metrics::ProgressMetric;
use super::progress_patterns::Patterns;
use super::progress_plan::Plan;
use super::rates::{self, ProgressRate, StepShare};
use super::timeline::{Timeline, TimelineSpan};
use crate::compare::TrendEstimate;
use crate::conditions::{Operand, Operands, Quantity, UnknownOperand};
use crate::quantity::Unit;
use crate::stats::Counts;

/// Functions of a metric, as conditions name them.
pub const FUNCTIONS: &[&str] = &[
    "observed", "since", "change", "relative", "trend", "mean", "min", "max", "first", "last",
    "pace", "share",
];

/// Figures that are no metrics.
pub const NAMES: &[&str] = &[
    "step",
    "planned_steps",
    "progress",
    "restarts",
    "missing_steps",
    "cost_forecast",
    "combinations",
];

/// Everything that is known when conditions are judged.
pub(super) struct KnownProgress {
    pub(super) timeline: Timeline,
    pub(super) span: TimelineSpan,
    pub(super) counters: IndexMap<String, Counter>,
    pub(super) falls: Falls,
    pub(super) rates: Vec<ProgressRate>,
    pub(super) metrics: Vec<ProgressMetric>,
    pub(super) cost: Option<Cost>,
    pub(super) patterns: Option<Patterns>,
    pub(super) plan: Option<Plan>,
    pub(super) alpha: f64,
}

impl KnownProgress {
    /// Value and unit of a metric at the later step.
    pub(super) fn latest(&self, name: &str) -> Option<(f64, Unit)> {
        let value = self.timeline.curves.get(name)?.until(self.span.to)?.value;
        value.is_finite().then(|| (value, self.unit(name)))
    }

    /// How a counter or the cost grows.
    pub(super) fn growth(&self, name: &str) -> Grown {
        let counting = self.counters.get(name).map(|one| one.counting);
        let counting = counting.ok_or(ProgressUntested::CountingUnknown)?;
        counter_growth(&self.timeline, &self.span, name, counting, &self.falls)
    }

    /// Whether a counter counts every step for itself.
    pub(super) fn is_per_step(&self, name: &str) -> bool {
        self.counters.get(name).is_some_and(|one| one.counting == ProgressCounting::PerStep)
    }

    fn unit(&self, name: &str) -> Unit {
        if self.cost.as_ref().is_some_and(|cost| cost.name == name) {
            return Unit::Dollars;
        }
        let metric = self.metrics.iter().find(|metric| metric.name == name);
        let unit = metric.map_or(Unit::Plain, |metric| metric.spec.unit);
        let is_counter = self.counters.contains_key(name);
        if is_counter && (unit == Unit::Plain || unit.is_rate()) { Unit::Count } else { unit }
    }

    fn share(&self, counts: Counts) -> Operand {
        let interval = rates::share_interval(counts, self.alpha);
        Operand::estimate(counts.share(), [interval.lo, interval.hi], Unit::Fraction, counts.n)
    }

    fn named(&self, name: &str) -> Option<Result<Operand, UnknownOperand>> {
        let count = |count: usize| Operand::exact(count as f64, Unit::Count);
        let planned = self.plan.as_ref().map(|plan| plan.steps);
        let found = match name {
            "step" => Some(Operand::exact(self.span.to, Unit::Count)),
            "planned_steps" => planned.map(|planned| Operand::exact(planned, Unit::Count)),
            "progress" => {
                planned.map(|planned| Operand::exact(self.span.to / planned, Unit::Fraction))
            }
            "restarts" => Some(count(self.falls.restarts())),
            "missing_steps" => self.span.missing().map(|missing| count(missing.len())),
            "combinations" => {
                let patterns = self.patterns.as_ref().filter(|patterns| patterns.looked_at > 0);
                patterns.map(|patterns| count(patterns.sets.len()))
            }
            "cost_forecast" => {
                self.cost.as_ref().and_then(|cost| cost.forecast).map(|forecast| Operand {
                    interval: Some(forecast.range()),
                    ..Operand::exact(forecast.by_average, Unit::Dollars)
                })
            }
            _ => return None,
        };
        Some(found.ok_or(UnknownOperand::NoValue))
    }

    fn rate(&self, rate: &ProgressRate, function: Option<&str>) -> Result<Operand, UnknownOperand> {
        let counts =
            |side: &Option<StepShare>| Ok(side.as_ref().ok_or(UnknownOperand::NoValue)?.counts);
        let (after, before) = (counts(&rate.after), counts(&rate.before));
        let change = || {
            let interval = rate.change_interval().ok_or(UnknownOperand::NoValue)?;
            let change = rate.change().ok_or(UnknownOperand::NoValue)?;
            Ok(Operand::estimate(change, interval, Unit::Fraction, after?.n).as_change())
        };
        match function {
            None | Some("last") => Ok(self.share(after?)),
            Some("observed") => Ok(Operand { interval: None, ..self.share(after?) }),
            Some("first") => Ok(self.share(before?)),
            Some("since") => {
                let since = rate.since.or(rate.pooled.map(|pooled| pooled.since));
                Ok(self.share(since.ok_or(UnknownOperand::NoValue)?))
            }
            Some("change") => change(),
            Some("trend") => trended(rate.trend, Unit::Fraction),
            Some("relative") => {
                let before = before?.share();
                let Operand { value, interval, .. } = change()?;
                // The earlier share is taken as it is; its own error is in the change.
                let interval = interval.map(|ends| ends.map(|end| end / before));
                let value = value / before;
                let figure = Operand { interval, ..Operand::exact(value, Unit::Fraction) };
                if before > 0.0 { Ok(figure.as_change()) } else { Err(UnknownOperand::NoValue) }
            }
            Some(other) => Err(not_of_this(other)),
        }
    }

    fn metric(&self, name: &str, quantity: &Quantity) -> Result<Operand, UnknownOperand> {
        let curve = self.timeline.curves.get(name).ok_or(UnknownOperand::NoSuchFigure)?;
        let unit = self.unit(name);
        let values: Vec<f64> = curve
            .between(f64::NEG_INFINITY, self.span.to)
            .map(|reading| reading.value)
            .filter(|value| value.is_finite())
            .collect();
        let exact = |value: Option<f64>| match value {
            None => Err(UnknownOperand::NoValue),
            Some(value) if !value.is_finite() => Err(UnknownOperand::NotFinite),
            Some(value) => Ok(Operand::exact(value, unit)),
        };
        let change = || {
            let before = curve.until(self.span.from)?.value;
            Some(curve.until(self.span.to)?.value - before).filter(|_| !self.span.is_single())
        };
        let Some(function) = quantity.function.as_deref() else {
            return exact(curve.until(self.span.to).map(|reading| reading.value));
        };
        match function {
            "observed" | "last" => exact(curve.until(self.span.to).map(|reading| reading.value)),
            "first" => exact(values.first().copied()),
            "min" => exact(values.iter().copied().reduce(f64::min)),
            "max" => exact(values.iter().copied().reduce(f64::max)),
            "change" => exact(change()).map(Operand::as_change),
            "relative" => {
                let before = curve.until(self.span.from).map(|reading| reading.value);
                let ratio = change().zip(before).map(|(change, before)| change / before.abs());
                exact(ratio).map(|figure| Operand { unit: Unit::Fraction, ..figure }.as_change())
            }
            "since" => match self.counters.get(name).map(|one| one.counting) {
                Some(ProgressCounting::Cumulative)
                    if !self.falls.resets_within(self.span.from, self.span.to) =>
                {
                    exact(change())
                }
                Some(ProgressCounting::PerStep) if !self.span.is_single() => {
                    let growth = self.growth(name).map_err(|_| UnknownOperand::NoValue)?;
                    exact(growth.recent.map(|[amount, _]| amount))
                }
                _ => Err(UnknownOperand::NoValue),
            },
            "mean" => {
                let last = quantity.numbers.first().copied().unwrap_or(values.len() as f64);
                let last = values.len().checked_sub(last.max(1.0) as usize).unwrap_or(values.len());
                let last = values.get(last..).filter(|last| !last.is_empty());
                exact(last.map(|last| last.iter().sum::<f64>() / last.len() as f64))
            }
            "trend" => self.trend(name),
            "pace" => {
                let growth = self.growth(name).map_err(|_| UnknownOperand::NoValue)?;
                exact(growth.marginal())
            }
            other => Err(not_of_this(other)),
        }
    }
}

impl KnownProgress {
    fn trend(&self, name: &str) -> Result<Operand, UnknownOperand> {
        let metric = self.metrics.iter().find(|metric| metric.name == name);
        trended(metric.and_then(|metric| metric.trend.ok()), self.unit(name))
    }
}

/// The change for one step.
fn trended(trend: Option<TrendEstimate>, unit: Unit) -> Result<Operand, UnknownOperand> {
    let trend = trend.ok_or(UnknownOperand::NoValue)?;
    let interval = trend.interval.ok_or(UnknownOperand::NoValue)?;
    let interval = Some([interval.lo, interval.hi]);
    Ok(Operand { interval, ..Operand::exact(trend.slope, unit) }.as_change())
}

/// A function that there is, but not of this; or none.
fn not_of_this(function: &str) -> UnknownOperand {
    if FUNCTIONS.contains(&function) {
        UnknownOperand::NoValue
    } else {
        UnknownOperand::NoSuchFunction
    }
}

impl Operands for KnownProgress {
    fn figure(&self, quantity: &Quantity) -> Result<Operand, UnknownOperand> {
        let name = quantity.name.as_str();
        let function = quantity.function.as_deref();
        if function == Some("share") {
            let patterns = self.patterns.as_ref().ok_or(UnknownOperand::NoValue)?;
            let n = patterns.looked_at;
            let found = patterns.names.iter().find(|(known, _)| known == name);
            let counts = found.map_or_else(|| Counts::new(0, n), |(_, counts)| Some(*counts));
            return counts.map(|counts| self.share(counts)).ok_or(UnknownOperand::NoValue);
        }
        if let Some(rate) = self.rates.iter().find(|rate| rate.name == name) {
            return self.rate(rate, function);
        }
        let metric = if NAMES.contains(&name) { name } else { self.timeline.metric(name) };
        if self.timeline.curves.contains_key(metric) {
            return self.metric(metric, quantity);
        }
        match (function, self.named(name)) {
            (None | Some("observed"), Some(figure)) => figure,
            (Some(function), Some(_)) => Err(not_of_this(function)),
            (_, None) => Err(UnknownOperand::NoSuchFigure),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::kinds::progress::analysis::progress_testing::{analysed, declared};

    /// Twelve steps: a reward that rises, 10 generations a step, 2 failures in the first three.
    #[test]
    fn conditions_are_judged_by_these_figures() {
        let steps: Vec<f64> = (1..=12).map(f64::from).collect();
        let reward: Vec<f64> = steps.iter().map(|step| step / 20.0).collect();
        let all: Vec<f64> = steps.iter().map(|step| 10.0 * step).collect();
        let bad: Vec<f64> = steps.iter().map(|step| f64::from(*step >= 3.0) + 1.0).collect();
        let cost: Vec<f64> = steps.iter().map(|step| step / 4.0).collect();
        let rows: [(&str, &[f64]); 4] =
            [("reward", &reward), ("all", &all), ("bad", &bad), ("cost", &cost)];
        for (condition, state) in [
            ("r < 10%", "fired"),
            ("r < 2%", "maybe"),
            ("r > 20%", "quiet"),
            ("observed(r) < 2%", "fired"),
            ("since(r) < 10%", "fired"),
            ("change(r) < 0", "maybe"),
            ("first(r) < 5%", "not-excluded"),
            ("trend(reward) > 0", "fired"),
            ("mean(reward, 2) == 0.575", "fired"),
            ("mean(reward) < 0.4", "fired"),
            ("min(reward) == 0.05 and max(reward) == 0.6", "fired"),
            ("first(reward) == 0.05 and last(reward) == 0.6", "fired"),
            ("change(reward) == 0.55 and relative(reward) == 1100%", "fired"),
            ("pace(all) == 10 and since(all) == 110", "fired"),
            ("bad < all", "fired"),
            ("step == 12 and planned_steps == 24 and progress == 50%", "fired"),
            ("restarts == 0 and missing_steps == 0", "fired"),
            ("cost_forecast == $6", "fired"),
            ("combinations > 0", "unknown"),
            ("share(Custom) > 0", "unknown"),
            ("pace(r) > 0", "unknown"),
            ("since(reward) > 0", "unknown"),
            ("nothing > 0", "unknown"),
            ("reward > 3 pp", "unknown"),
        ] {
            let text = format!(
                "planned_steps = 24\ncost = \"cost\"\ncumulative = [\"all\", \"bad\", \"cost\"]\n\
                 rates = {{ r = {{ count = \"bad\", of = \"all\", direction = \"lower\" }} }}\n\
                 [[signal]]\nname = \"s\"\nwhen = \"{condition}\"",
            );
            let found = analysed(&rows, &declared(&text), |progress| progress.signals[0].state());
            assert_eq!(found, state, "{condition}");
        }
    }
}
