//! What a metric will be at a later step, if an assumption that is said aloud holds.

use super::ProgressUntested;
use super::declared::{AssumedPace, Prediction, ProgressAssumption};
use super::figures::KnownProgress;
use super::rates::{self, ProgressRate};
use crate::conditions::{Judgement, Operand, Operands, Quantity, UnknownOperand};
use crate::quantity::Unit;

#[derive(Debug, Clone, PartialEq)]
pub struct Predicted<'a> {
    pub declared: &'a Prediction,
    /// What follows from the assumption, or why nothing does.
    pub value: Result<Expected, ProgressUntested>,
    /// Whether the target would be met, where one is declared.
    pub target: Option<Judgement>,
    /// Whether the target stands on a share whose counters contradict themselves.
    pub is_doubtful: bool,
}

/// What follows from an assumption.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Expected {
    /// What is expected, in `unit`.
    pub value: f64,
    pub unit: Unit,
    /// Cases and all, for a share.
    pub counts: Option<[f64; 2]>,
    /// From the lower to the upper limit of the rate between the steps, if that went on instead.
    pub range: Option<[f64; 2]>,
    /// What the divisor grows by in a step, for a share of cumulative counters.
    pub pace: Option<f64>,
    /// Whether it is what a single step counts.
    pub is_per_step: bool,
    /// Whether the step lies behind, so that the value is what was recorded.
    pub is_recorded: bool,
}

pub(super) fn predictions<'a>(
    declared: &'a [Prediction],
    known: &KnownProgress,
) -> Vec<Predicted<'a>> {
    let predicted = |declared: &'a Prediction| {
        let value = expected(declared, known);
        let target = declared.target.as_ref().map(|target| {
            let expected = value.ok();
            target.judge(&Ahead { known, declared, expected })
        });
        let is_doubtful =
            declared.target.as_ref().is_some_and(|target| rates::is_doubtful(target, &known.rates));
        Predicted { declared, value, target, is_doubtful }
    };
    declared.iter().map(predicted).collect()
}

fn expected(declared: &Prediction, known: &KnownProgress) -> Result<Expected, ProgressUntested> {
    let Prediction { metric, step, assume, pace, .. } = declared;
    let rate = known.rates.iter().find(|rate| rate.name == *metric);
    if *step <= known.span.to {
        return recorded(declared, known);
    }
    let left = step - known.span.to;
    match (rate, assume) {
        (Some(rate), ProgressAssumption::Stays) => {
            let counts = rate.after.as_ref().ok_or(ProgressUntested::NoValue)?.counts;
            Ok(Expected::share([counts.x as f64, counts.n as f64]))
        }
        (Some(rate), _) => rate_ahead(rate, *assume, *pace, left, known),
        (None, ProgressAssumption::Stays) => {
            let (value, unit) = known.latest(metric).ok_or(ProgressUntested::NoValue)?;
            Ok(Expected::new(value, unit))
        }
        (None, assume) => counter_ahead(metric, *assume, left, known),
    }
}

/// A counter or the cost after so many further steps: all that it counts then, or what a step
/// counts where each counts its own.
fn counter_ahead(
    metric: &str,
    assume: ProgressAssumption,
    left: f64,
    known: &KnownProgress,
) -> Result<Expected, ProgressUntested> {
    let growth = known.growth(metric)?;
    let unit = known.latest(metric).map_or(Unit::Plain, |(_, unit)| unit);
    let per_step = match assume {
        ProgressAssumption::NoneFurther => 0.0,
        ProgressAssumption::Average | ProgressAssumption::Stays => growth.average(),
        ProgressAssumption::Recent => growth.marginal().ok_or(ProgressUntested::NoValue)?,
    };
    let is_per_step = known.is_per_step(metric);
    let value = if is_per_step { per_step } else { growth.total() + per_step * left };
    Ok(Expected { is_per_step, ..Expected::new(value, unit) })
}

/// A step that the run has reached needs no prediction.
fn recorded(declared: &Prediction, known: &KnownProgress) -> Result<Expected, ProgressUntested> {
    let at = declared.step;
    if let Some(rate) = known.rates.iter().find(|rate| rate.name == declared.metric) {
        let read = |name: &str| Some(known.timeline.curves.get(name)?.at(at)?.value);
        let counts =
            read(&rate.of.count).zip(read(&rate.of.of)).ok_or(ProgressUntested::NoValue)?;
        return Ok(Expected { is_recorded: true, ..Expected::share([counts.0, counts.1]) });
    }
    let curve = known.timeline.curves.get(&declared.metric).ok_or(ProgressUntested::NoValue)?;
    let value = curve.at(at).ok_or(ProgressUntested::NoValue)?.value;
    let unit = known.latest(&declared.metric).map_or(Unit::Plain, |(_, unit)| unit);
    Ok(Expected { is_recorded: true, ..Expected::new(value, unit) })
}

/// A share at the end of the steps that are left.
fn rate_ahead(
    rate: &ProgressRate,
    assume: ProgressAssumption,
    pace: AssumedPace,
    left: f64,
    known: &KnownProgress,
) -> Result<Expected, ProgressUntested> {
    let now = rate.after.as_ref().ok_or(ProgressUntested::NoValue)?.counts;
    if let super::ProgressDesign::Untested(why) = rate.design {
        return Err(why);
    }
    let growth = known.growth(&rate.of.of)?;
    let Some(since) = rate.since else {
        let pooled = rate.pooled.ok_or(ProgressUntested::NoValue)?;
        // Each step counts its own cases, so what is expected is the share that goes on.
        let counts = match assume {
            ProgressAssumption::NoneFurther => {
                [0.0, growth.marginal().ok_or(ProgressUntested::NoValue)?]
            }
            ProgressAssumption::Recent => [pooled.since.x as f64, pooled.since.n as f64],
            ProgressAssumption::Average => [pooled.all.x as f64, pooled.all.n as f64],
            ProgressAssumption::Stays => [now.x as f64, now.n as f64],
        };
        let interval = rates::share_interval(pooled.since, known.alpha);
        return Ok(Expected { range: Some([interval.lo, interval.hi]), ..Expected::share(counts) });
    };
    let per_step = match pace {
        AssumedPace::Average => growth.average(),
        AssumedPace::Recent => growth.marginal().ok_or(ProgressUntested::NoValue)?,
    };
    let further = per_step * left;
    let share = match assume {
        ProgressAssumption::NoneFurther => 0.0,
        ProgressAssumption::Recent => since.share(),
        ProgressAssumption::Average | ProgressAssumption::Stays => now.share(),
    };
    let (x, n) = (now.x as f64, now.n as f64);
    let at = |share: f64| (x + share * further) / (n + further);
    let interval = rates::share_interval(since, known.alpha);
    Ok(Expected {
        range: Some([at(interval.lo), at(interval.hi)]),
        pace: Some(per_step),
        ..Expected::share([x + share * further, n + further])
    })
}

impl Expected {
    fn new(value: f64, unit: Unit) -> Self {
        Self {
            value,
            unit,
            counts: None,
            range: None,
            pace: None,
            is_per_step: false,
            is_recorded: false,
        }
    }

    fn share([x, n]: [f64; 2]) -> Self {
        Self { counts: Some([x, n]), ..Self::new(x / n, Unit::Fraction) }
    }
}

/// The figures at the step of a prediction.
struct Ahead<'k> {
    known: &'k KnownProgress,
    declared: &'k Prediction,
    expected: Option<Expected>,
}

impl Operands for Ahead<'_> {
    fn figure(&self, quantity: &Quantity) -> Result<Operand, UnknownOperand> {
        if quantity.name != self.declared.metric {
            return self.known.figure(quantity);
        }
        let expected = self.expected.ok_or(UnknownOperand::NoValue)?;
        match quantity.function.as_deref() {
            None => {
                let widened = |[lo, hi]: [f64; 2]| [lo.min(expected.value), hi.max(expected.value)];
                let interval = expected.range.map(widened);
                Ok(Operand { interval, ..Operand::exact(expected.value, expected.unit) })
            }
            Some("observed") => Ok(Operand::exact(expected.value, expected.unit)),
            Some(_) => Err(UnknownOperand::NoSuchFunction),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::kinds::progress::analysis::progress_testing::{analysed, declared};

    /// 2 of 64 at step 5, 10 generations a step: 2/114 at step 10 and 2/214 at step 20 if nothing
    /// fails any more.
    #[test]
    fn no_further_failure_is_an_assumption_and_its_range_says_what_else_may_be() {
        let declared = declared(
            "cumulative = [\"bad\", \"all\"]\n[rates]\n\
             r = { count = \"bad\", of = \"all\", direction = \"lower\" }\n\
             [[prediction]]\nmetric = \"r\"\nstep = 10\nassume = \"none-further\"\ntarget = \"r < 2%\"\n\
             [[prediction]]\nmetric = \"r\"\nstep = 20\nassume = \"none-further\"\n\
             [[prediction]]\nmetric = \"r\"\nstep = 5\nassume = \"recent\"\n",
        );
        let rows: [(&str, &[f64]); 2] =
            [("bad", &[0.0, 1.0, 2.0, 2.0, 2.0]), ("all", &[10.0, 30.0, 44.0, 54.0, 64.0])];
        analysed(&rows, &declared, |progress| {
            let [ten, twenty, five] = &progress.predictions[..] else { panic!("three") };
            let ten_value = ten.value.expect("a value");
            // 13.5 generations a step between steps 1 and 5.
            assert_eq!(ten_value.counts, Some([2.0, 64.0 + 5.0 * 13.5]));
            assert!(ten_value.range.is_some_and(|[lo, hi]| lo < hi && hi > 0.02));
            let outcome = ten.target.as_ref().map(|target| target.outcome);
            assert_eq!(outcome.map(crate::conditions::ConditionTruth::name), Some("unsure"));
            assert!(twenty.value.expect("a value").value < ten_value.value);
            assert!(five.value.expect("a value").is_recorded);
        });
    }

    /// 23 of 256 over four steps, 15 of 192 after the first, 3 of 64 at the last.
    #[test]
    fn shares_of_single_steps_go_on_as_the_steps_that_are_said() {
        let one = |metric: &str, assume: &str| {
            format!("[[prediction]]\nmetric = \"{metric}\"\nstep = 20\nassume = \"{assume}\"\n")
        };
        let ends = ["average", "recent", "none-further", "stays"].map(|assume| one("r", assume));
        let text = format!(
            "per_step = [\"bad\", \"all\"]\nrates = {{ r = {{ count = \"bad\", of = \"all\" }} }}\n\
             {}{}{}",
            ends.concat(),
            one("bad", "recent"),
            "[[signal]]\nname = \"s\"\nwhen = \"since(r) == 7.8125% and since(bad) == 15\"",
        );
        let rows: [(&str, &[f64]); 2] = [("bad", &[8.0, 7.0, 5.0, 3.0]), ("all", &[64.0; 4])];
        analysed(&rows, &declared(&text), |progress| {
            let values = progress.predictions.iter().map(|one| one.value.expect("a value"));
            let values: Vec<_> = values.collect();
            let counts: Vec<_> = values.iter().filter_map(|value| value.counts).collect();
            assert_eq!(counts, [[23.0, 256.0], [15.0, 192.0], [0.0, 64.0], [3.0, 64.0]]);
            assert_eq!(values[4].value, 5.0);
            let readings = &progress.signals[0].judgement.readings;
            let seen: Vec<f64> =
                readings.iter().map(|one| one.figure.expect("known").value).collect();
            assert_eq!(seen, [15.0 / 192.0, 15.0]);
        });
    }
}
