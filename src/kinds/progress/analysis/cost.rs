//! What the run has cost, what a step costs, and what the whole run would cost if that went on.

use super::ProgressUntested;
use super::counters::{Falls, ProgressCounting};
use super::declared::{AverageOf, Budget, DeclaredProgress};
use super::timeline::{Curve, Timeline, TimelineSpan, TimelineValue};
use crate::diag::{Code, Diagnostic};
use crate::quantity::{Quantity, Unit};

/// How far a stated average may lie from the one that its parts give, as a share of it; printed
/// averages are rounded.
const ROUNDING: f64 = 0.02;

#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    pub name: String,
    /// Cost up to the earlier step, where known.
    pub before: Option<TimelineValue>,
    /// Cost up to the later step.
    pub after: TimelineValue,
    /// What a step costs, or why nobody can say.
    pub growth: Result<ProgressGrowth, ProgressUntested>,
    pub forecast: Option<ProgressForecast>,
    /// Position and what was spent up to it, up to the later step.
    pub course: Vec<[f64; 2]>,
}

/// What is known of how a counter grows.
pub(super) type Grown = Result<ProgressGrowth, ProgressUntested>;

/// Growth of something that is counted from step 0 on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProgressGrowth {
    /// Amount counted over `average_steps`.
    pub average_amount: f64,
    /// Steps from 0 on; of a counter of single steps those that are recorded.
    pub average_steps: f64,
    /// Amount and steps after the earlier step, up to the later one.
    pub recent: Option<[f64; 2]>,
    /// Of a counter of single steps, those up to the later one that are not recorded. They are no
    /// steps at which nothing was counted.
    pub unrecorded: f64,
}

impl ProgressGrowth {
    /// Amount up to the later step, unrecorded steps taken as the average one.
    pub fn total(&self) -> f64 {
        self.average_amount + self.average() * self.unrecorded
    }

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
pub struct ProgressForecast {
    pub steps: f64,
    pub left: f64,
    /// If every step cost the average.
    pub by_average: f64,
    /// If every further step cost what the last ones did.
    pub by_marginal: Option<f64>,
    pub budget: Option<Budget>,
}

impl ProgressForecast {
    /// The smaller and the larger forecast.
    pub fn range(&self) -> [f64; 2] {
        let other = self.by_marginal.unwrap_or(self.by_average);
        [self.by_average.min(other), self.by_average.max(other)]
    }

    /// Whether the whole range lies below the budget, above it, or neither.
    pub fn against_budget(&self) -> Option<BudgetOutcome> {
        let (Budget { lo, hi }, [least, most]) = (self.budget?, self.range());
        Some(if most < lo {
            BudgetOutcome::Below
        } else if least > hi {
            BudgetOutcome::Above
        } else if most <= hi && least >= lo {
            BudgetOutcome::Within
        } else {
            BudgetOutcome::Across
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BudgetOutcome {
    /// Below the smaller amount.
    Below,
    Within,
    /// Partly outside.
    Across,
    /// Above the larger amount.
    Above,
}

impl BudgetOutcome {
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
    span: &TimelineSpan,
    name: &str,
    counting: ProgressCounting,
    falls: &Falls,
    planned: Option<f64>,
    declared: &DeclaredProgress,
) -> Option<Cost> {
    let curve = timeline.curves.get(name)?;
    let after = curve.at(span.to)?.clone();
    let before = curve.at(span.from).filter(|_| !span.is_single()).cloned();
    let growth = counter_growth(timeline, span, name, counting, falls);
    let forecast = growth.ok().zip(planned).and_then(|(growth, steps)| {
        // Where every step counts itself and the first is step 0, the last is one before their number.
        let is_from_0 = counting == ProgressCounting::PerStep && curve.starts_at_0();
        let left = steps - span.to - f64::from(u8::from(is_from_0));
        let spent = growth.total();
        (left > 0.0).then(|| ProgressForecast {
            steps,
            left,
            by_average: spent + growth.average() * left,
            by_marginal: growth.marginal().map(|marginal| spent + marginal * left),
            budget: declared.budget,
        })
    });
    let mut spent = 0.0;
    let readings = curve.between(f64::NEG_INFINITY, span.to);
    let so_far = readings.map(|reading| {
        spent = if counting == ProgressCounting::PerStep {
            spent + reading.value
        } else {
            reading.value
        };
        [reading.at, spent]
    });
    // Where the counter begins anew, or steps are missing, nobody knows the sum.
    let is_known = growth.is_ok_and(|growth| growth.unrecorded == 0.0);
    let course = if is_known { so_far.collect() } else { Vec::new() };
    Some(Cost { name: name.to_owned(), before, after, growth, forecast, course })
}

pub(super) fn counter_growth(
    timeline: &Timeline,
    span: &TimelineSpan,
    name: &str,
    counting: ProgressCounting,
    falls: &Falls,
) -> Result<ProgressGrowth, ProgressUntested> {
    let curve = timeline.curves.get(name).ok_or(ProgressUntested::NoValue)?;
    let after = curve.at(span.to).ok_or(ProgressUntested::NoValue)?.value;
    if !after.is_finite() {
        return Err(ProgressUntested::NotFinite);
    }
    if falls.resets_within(f64::NEG_INFINITY, span.to) {
        return Err(ProgressUntested::Reset);
    }
    if falls.shrinks_within(name, f64::NEG_INFINITY, span.to) {
        return Err(ProgressUntested::Shrunk);
    }
    if span.to <= 0.0 {
        return Err(ProgressUntested::TooFew);
    }
    match counting {
        ProgressCounting::Cumulative => {
            let before = curve.at(span.from).filter(|_| !span.is_single());
            let between = span.to - span.from;
            Ok(ProgressGrowth {
                average_amount: after,
                average_steps: span.to,
                recent: before.map(|before| [after - before.value, between]),
                unrecorded: 0.0,
            })
        }
        ProgressCounting::PerStep => per_step(curve, span),
        ProgressCounting::Unknown => Err(ProgressUntested::CountingUnknown),
    }
}

/// The growth of what each step counts for itself, over the steps that are recorded.
fn per_step(curve: &Curve, span: &TimelineSpan) -> Result<ProgressGrowth, ProgressUntested> {
    let readings: Vec<&TimelineValue> = curve.between(f64::NEG_INFINITY, span.to).collect();
    // Of half an epoch nobody can say how many there are.
    if readings.iter().any(|reading| reading.at.fract() != 0.0) {
        return Err(ProgressUntested::NoWholeSteps);
    }
    let sum = |from: f64| {
        let values = readings.iter().filter(|reading| reading.at > from);
        let values: Vec<f64> = values.map(|reading| reading.value).collect();
        [values.iter().sum::<f64>(), values.len() as f64]
    };
    let [amount, steps] = sum(f64::NEG_INFINITY);
    let behind = span.to + f64::from(u8::from(curve.starts_at_0()));
    let growth = ProgressGrowth {
        average_amount: amount,
        average_steps: steps,
        recent: Some(sum(span.from)).filter(|_| !span.is_single()),
        unrecorded: (behind - steps).max(0.0),
    };
    amount.is_finite().then_some(growth).ok_or(ProgressUntested::NotFinite)
}

/// Where a stated average is not that of its parts.
pub(super) fn averages(
    timeline: &Timeline,
    span: &TimelineSpan,
    declared: &DeclaredProgress,
) -> Vec<Diagnostic> {
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
            if apart && divisor.is_finite() && !steps.contains(&step) {
                steps.push(step);
                implied.push(Quantity::figure(divisor, Unit::Count));
                counted.push(count.value);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::progress::analysis::progress_testing::{analysed_run, declared, run_at};

    fn forecast(by_average: f64, by_marginal: f64, lo: f64, hi: f64) -> ProgressForecast {
        let budget = Some(Budget { lo, hi });
        ProgressForecast {
            steps: 500.0,
            left: 495.0,
            by_average,
            by_marginal: Some(by_marginal),
            budget,
        }
    }

    #[test]
    fn a_forecast_is_held_against_the_whole_budget() {
        for (least, most, against) in [
            (0.58, 0.86, BudgetOutcome::Below),
            (2.6, 4.9, BudgetOutcome::Within),
            (2.0, 3.0, BudgetOutcome::Across),
            (2.0, 6.0, BudgetOutcome::Across),
            (5.1, 6.0, BudgetOutcome::Above),
        ] {
            let found = forecast(most, least, 2.5, 5.0).against_budget();
            assert_eq!(found, Some(against), "{least} to {most}");
        }
    }

    /// What is spent stays in the total, however far from 0 the log begins; steps of which nothing
    /// is recorded are not free.
    #[test]
    fn a_forecast_is_what_is_spent_and_what_is_to_come() {
        for (counting, steps, values, forecast) in [
            ("cumulative", &[1000.0, 1010.0][..], &[500.0, 505.0][..], [1000.0, 1000.0]),
            ("cumulative", &[3.0, 5.0], &[6.0, 8.0], [3200.0, 8.0 + 1995.0]),
            ("per_step", &[10.0, 20.0, 30.0, 40.0], &[1.0; 4], [2000.0, 2000.0]),
            ("per_step", &[1.0, 2.0, 3.0, 4.0], &[2.0, 1.0, 1.0, 1.0], [2500.0, 5.0 + 1996.0]),
            ("per_step", &[0.0, 1.0, 2.0, 3.0], &[1.0; 4], [2000.0, 2000.0]),
        ] {
            let text = format!("planned_steps = 2000\ncost = \"cost\"\n{counting} = [\"cost\"]");
            let run = run_at(steps, &[("cost", values)]);
            let found = analysed_run(&run, &declared(&text), |progress| {
                let forecast =
                    progress.cost.as_ref().expect("a cost").forecast.expect("a forecast");
                [forecast.by_average, forecast.by_marginal.expect("two steps")]
            });
            assert_eq!(found, forecast, "{counting} {steps:?}");
        }
    }

    #[test]
    fn half_steps_are_not_counted_as_steps() {
        let declared = declared("planned_steps = 9\ncost = \"cost\"\nper_step = [\"cost\"]");
        let run = run_at(&[0.5, 1.0, 1.5], &[("cost", &[1.0; 3])]);
        let found = analysed_run(&run, &declared, |progress| {
            progress.cost.as_ref().expect("a cost").growth
        });
        assert_eq!(found, Err(ProgressUntested::NoWholeSteps));
    }

    #[test]
    fn savings_pair_the_ends_and_say_the_extremes() {
        let [paired, all] = forecast(1.0, 0.5, 2.5, 5.0).savings().expect("a budget");
        assert_eq!((paired, all), ([0.8, 0.8], [0.6, 0.9]));
    }
}
