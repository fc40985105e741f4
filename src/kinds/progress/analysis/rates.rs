//! Counts as shares of other counts, at two steps of one run.
//!
//! Of cumulative counters the later share contains the earlier one. What can be compared are the
//! cases up to the earlier step and those since; never the two shares as if they were two samples.

use indexmap::IndexMap;

use super::counters::{Counter, Falls, ProgressCounting};
use super::declared::{DeclaredProgress, RateOf};
use super::rate_trend::{rate_trend, step_counts};
use super::timeline::{Timeline, TimelineSpan};
use super::{ProgressMovement, ProgressUntested};
use crate::compare::TrendEstimate;
use crate::conditions::Condition;
use crate::diag::{Code, Diagnostic, Location};
use crate::model::Direction;
use crate::quantity::Quantity;
use crate::stats::proportions::fisher::fisher_exact;
use crate::stats::proportions::independent::newcombe_hybrid;
use crate::stats::{Counts, Interval, holm, wilson};

/// A share at one step with its places.
#[derive(Debug, Clone, PartialEq)]
pub struct StepShare {
    /// Cases of all.
    pub counts: Counts,
    /// Where the cases are written, and where all are.
    pub places: [Location; 2],
}

/// How the shares of two steps may be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgressDesign {
    /// Cumulative: the cases since the earlier step against those up to it.
    Since,
    /// Each step counts its own cases: two independent samples.
    PerStep,
    /// They may not.
    Untested(ProgressUntested),
}

impl ProgressDesign {
    /// The name in catalogues and `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Since => "since",
            Self::PerStep => "per-step",
            Self::Untested(why) => why.name(),
        }
    }
}

/// One share at two steps.
#[derive(Debug, Clone, PartialEq)]
pub struct ProgressRate {
    /// Name as declared.
    pub name: String,
    /// What it is a share of.
    pub of: RateOf,
    /// Which way is good.
    pub direction: Direction,
    /// At the earlier step.
    pub before: Option<StepShare>,
    /// At the later step.
    pub after: Option<StepShare>,
    /// How they may be compared.
    pub design: ProgressDesign,
    /// Of cumulative counters, what was counted between the steps.
    pub since: Option<Counts>,
    /// Of counters of single steps, what the recorded steps counted together.
    pub pooled: Option<Pooled>,
    /// The test of the two steps, where there is one.
    pub test: Option<RateTest>,
    /// What each step up to the later one counted for itself, by its position.
    pub course: Vec<(f64, Counts)>,
    /// The trend of the share over the cases of every step between them.
    pub trend: Option<TrendEstimate>,
    /// How many steps that is.
    pub trend_steps: usize,
    /// What became of it.
    pub movement: ProgressMovement,
}

/// The cases of several steps that each count their own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pooled {
    /// Of every recorded step up to the later one.
    pub all: Counts,
    /// Of those after the earlier step.
    pub since: Counts,
}

/// The comparison of two samples of cases.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RateTest {
    /// The earlier sample.
    pub earlier: Counts,
    /// The later sample; of cumulative counters the cases since.
    pub later: Counts,
    /// Newcombe's interval of later − earlier.
    pub interval: Interval,
    /// Fisher's exact p, two-sided.
    pub p: f64,
    /// p adjusted by Holm over the shares of the report.
    pub p_adjusted: f64,
}

impl ProgressRate {
    /// Change of the share as it is shown: later step − earlier step; `None` where the later share
    /// does not count what the earlier one did.
    pub fn change(&self) -> Option<f64> {
        if self.design == ProgressDesign::Untested(ProgressUntested::Reset) {
            return None;
        }
        Some(self.after.as_ref()?.counts.share() - self.before.as_ref()?.counts.share())
    }

    /// The interval of [`Self::change`]. With cumulative counters the later share is a mean of both
    /// samples, so the change is the difference of the samples times the new cases' part of all.
    pub fn change_interval(&self) -> Option<[f64; 2]> {
        let RateTest { interval, .. } = self.test?;
        let scale = match (self.design, self.since, &self.after) {
            (ProgressDesign::Since, Some(since), Some(after)) => {
                since.n as f64 / after.counts.n as f64
            }
            _ => 1.0,
        };
        Some([interval.lo * scale, interval.hi * scale])
    }

    /// The earlier and the later sample of cases, where two may be compared.
    fn samples(&self) -> Option<[Counts; 2]> {
        let (before, after) = (self.before.as_ref()?.counts, self.after.as_ref()?.counts);
        match self.design {
            ProgressDesign::Since => Some([before, self.since?]),
            ProgressDesign::PerStep => Some([before, after]),
            ProgressDesign::Untested(_) => None,
        }
    }

    /// Whether its counters contradict themselves between the steps.
    pub fn is_doubtful(&self) -> bool {
        matches!(
            self.design,
            ProgressDesign::Untested(ProgressUntested::Contradiction | ProgressUntested::Shrunk)
        )
    }
}

/// Whether a condition asks for a share whose counters contradict themselves.
pub(super) fn is_doubtful(condition: &Condition, rates: &[ProgressRate]) -> bool {
    let names = condition.quantities();
    rates
        .iter()
        .any(|rate| rate.is_doubtful() && names.iter().any(|quantity| quantity.name == rate.name))
}

/// Every declared share.
pub(super) fn rates(
    timeline: &Timeline,
    span: &TimelineSpan,
    declared: &DeclaredProgress,
    counters: &IndexMap<String, Counter>,
    falls: &Falls,
    alpha: f64,
) -> (Vec<ProgressRate>, Vec<Diagnostic>) {
    let mut findings = Vec::new();
    let rates = declared.rates.iter().map(|(name, of)| {
        let mut side = |at| side(timeline, name, of, at, &mut findings);
        let (before, after) = (side(span.from), side(span.to));
        let before = before.filter(|_| !span.is_single());
        let steps = |from| step_counts(timeline, (from, span.to), of, counters);
        let (trend_steps, trend) = rate_trend(name, &steps(span.from), alpha);
        let design = design(of, before.as_ref().zip(after.as_ref()), span, counters, falls);
        ProgressRate {
            name: name.clone(),
            of: of.clone(),
            direction: of.direction.map_or(Direction::Unknown, Direction::from),
            since: since(design, before.as_ref(), after.as_ref()),
            before,
            after,
            design,
            pooled: pooled(timeline, span, of).filter(|_| design == ProgressDesign::PerStep),
            test: None,
            course: steps(f64::NEG_INFINITY),
            trend: trend.ok(),
            trend_steps,
            movement: ProgressMovement::Unchanged,
        }
    });
    let mut rates: Vec<ProgressRate> = rates.collect();
    let of_steps = rates.iter().filter_map(ProgressRate::samples);
    let of_trends = rates.iter().filter_map(|rate| rate.trend).map(|trend| trend.p);
    let ps: Vec<f64> = of_steps.map(|[a, b]| fisher_exact(a, b)).chain(of_trends).collect();
    let holm = holm(&ps);
    let mut adjusted = ps.iter().copied().zip(holm.iter().copied());
    let trends = rates.iter_mut().filter_map(|rate| rate.trend.as_mut()).rev();
    for (trend, p_adjusted) in trends.zip(holm.iter().rev()) {
        (trend.p_adjusted, trend.family) = (*p_adjusted, ps.len());
    }
    for rate in &mut rates {
        findings.extend(contradiction(rate, span, &timeline.axis));
        let samples = rate.samples();
        rate.test = samples.and_then(|[earlier, later]| {
            let interval = newcombe_hybrid(earlier, later, 1.0 - alpha);
            adjusted.next().map(|(p, p_adjusted)| RateTest {
                earlier,
                later,
                interval,
                p,
                p_adjusted,
            })
        });
        rate.movement = movement(rate, alpha);
    }
    (rates, findings)
}

/// How the shares of two steps may be compared, where there are both.
fn design(
    of: &RateOf,
    both: Option<(&StepShare, &StepShare)>,
    span: &TimelineSpan,
    counters: &IndexMap<String, Counter>,
    falls: &Falls,
) -> ProgressDesign {
    let counting = |name: &str| counters.get(name).map(|one| one.counting);
    match (both, counting(&of.of)) {
        (None, _) => ProgressDesign::Untested(ProgressUntested::NoValue),
        (Some(_), whole) if counting(&of.count) != whole => {
            ProgressDesign::Untested(ProgressUntested::MixedCounting)
        }
        (Some(_), Some(ProgressCounting::PerStep)) => ProgressDesign::PerStep,
        (Some((before, after)), Some(ProgressCounting::Cumulative)) => {
            cumulative(of, [before.counts, after.counts], span, falls)
        }
        (Some(_), _) => ProgressDesign::Untested(ProgressUntested::CountingUnknown),
    }
}

/// What cumulative counters counted between the steps.
fn since(
    design: ProgressDesign,
    before: Option<&StepShare>,
    after: Option<&StepShare>,
) -> Option<Counts> {
    let (before, after) = (before?.counts, after?.counts);
    let is_since = design == ProgressDesign::Since;
    is_since.then(|| Counts::new(after.x - before.x, after.n - before.n)).flatten()
}

/// The cases of the steps at which both counters are recorded; `None` where one of them has no
/// counts.
fn pooled(timeline: &Timeline, span: &TimelineSpan, of: &RateOf) -> Option<Pooled> {
    let (part, all) = (timeline.curves.get(&of.count)?, timeline.curves.get(&of.of)?);
    let sum = |from: f64| {
        let (mut x, mut n) = (0, 0);
        for reading in part.between(f64::NEG_INFINITY, span.to).filter(|one| one.at > from) {
            let Some(all) = all.at(reading.at) else { continue };
            x += reading.whole()?;
            n += all.whole()?;
        }
        Counts::new(x, n)
    };
    Some(Pooled { all: sum(f64::NEG_INFINITY)?, since: sum(span.from)? })
}

/// Whether two cumulative shares leave cases in between that there can be.
fn cumulative(
    of: &RateOf,
    [before, after]: [Counts; 2],
    span: &TimelineSpan,
    falls: &Falls,
) -> ProgressDesign {
    let (from, to) = (span.from, span.to);
    let shrinks = |name: &str| falls.shrinks_within(name, from, to);
    ProgressDesign::Untested(if falls.resets_within(from, to) {
        ProgressUntested::Reset
    } else if shrinks(&of.count) || shrinks(&of.of) || after.x < before.x || after.n < before.n {
        ProgressUntested::Shrunk
    } else if after.x - before.x > after.n - before.n {
        ProgressUntested::Contradiction
    } else if after.n == before.n {
        ProgressUntested::NothingNew
    } else {
        return ProgressDesign::Since;
    })
}

/// What the test says, in the words of a report: never more than both the interval and the adjusted
/// p carry.
fn movement(rate: &ProgressRate, alpha: f64) -> ProgressMovement {
    let test = match (rate.design, rate.test) {
        (ProgressDesign::Untested(why), _) => return ProgressMovement::Untested(why),
        (_, None) => return ProgressMovement::Unchanged,
        (_, Some(test)) => test,
    };
    let difference = test.later.share() - test.earlier.share();
    if difference == 0.0 {
        return ProgressMovement::Unchanged;
    }
    if test.p_adjusted >= alpha || !test.interval.excludes(0.0) {
        // What two steps cannot tell, all of them may.
        return match rate.trend {
            Some(trend) if trend.p_adjusted < alpha && trend.slope != 0.0 => {
                ProgressMovement::toward(trend.slope, rate.direction)
            }
            _ => ProgressMovement::NotSeparable,
        };
    }
    ProgressMovement::toward(difference, rate.direction)
}

/// The share at a step: both counters at exactly that step, whole and possible.
fn side(
    timeline: &Timeline,
    name: &str,
    of: &RateOf,
    at: f64,
    findings: &mut Vec<Diagnostic>,
) -> Option<StepShare> {
    let read = |counter: &str| timeline.curves.get(counter)?.at(at);
    let (x, n) = (read(&of.count)?, read(&of.of)?);
    let counts = x.whole().zip(n.whole()).and_then(|(x, n)| Counts::new(x, n));
    if counts.is_none() {
        findings.push(
            Diagnostic::new(Code::NotCounts)
                .metric(name)
                .with("rate", name)
                .with("count", x.value)
                .with("of", n.value)
                .with("at", at)
                .with("axis", timeline.axis.as_str())
                .at(x.location()),
        );
    }
    Some(StepShare { counts: counts?, places: [x.location(), n.location()] })
}

fn contradiction(rate: &ProgressRate, span: &TimelineSpan, axis: &str) -> Option<Diagnostic> {
    let (before, after) = (rate.before.as_ref()?, rate.after.as_ref()?);
    if rate.design != ProgressDesign::Untested(ProgressUntested::Contradiction) {
        return None;
    }
    let new = after.counts.n - before.counts.n;
    let part = |count: u64, of: u64| Quantity::Part { count, of };
    let place = after.places.first()?.clone();
    Some(
        Diagnostic::new(Code::SharesContradict)
            .metric(&rate.name)
            .with("rate", rate.name.as_str())
            .with("axis", axis)
            .with("before", part(before.counts.x, before.counts.n))
            .with("after", part(after.counts.x, after.counts.n))
            .with("from", span.from)
            .with("to", span.to)
            .with("gained", after.counts.x - before.counts.x)
            .with("new", new)
            .with("most", part(before.counts.x + new, after.counts.n))
            .at(place),
    )
}

/// Wilson's interval of a share at the level 1 − α.
pub fn share_interval(counts: Counts, alpha: f64) -> Interval {
    wilson(counts, 1.0 - alpha)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::progress::analysis::progress_testing::{analysed, declared};

    fn rate_of(toml: &str, bad: &[f64], all: &[f64]) -> ProgressRate {
        let declared = declared(&format!(
            "{toml}\n[rates]\nr = {{ count = \"bad\", of = \"all\", direction = \"lower\" }}"
        ));
        analysed(&[("bad", bad), ("all", all)], &declared, |progress| progress.rates[0].clone())
    }

    const CUMULATIVE: &str = "cumulative = [\"bad\", \"all\"]";
    const MIXED: &str = "cumulative = [\"bad\"]\nper_step = [\"all\"]";
    const PER_STEP: &str = "per_step = [\"bad\", \"all\"]";

    #[test]
    fn movements_are_those_of_what_was_counted_since() {
        use ProgressMovement::{Improved, NotSeparable, Unchanged, Worsened};
        for (toml, bad, all, movement) in [
            (CUMULATIVE, [2.0, 2.0], [44.0, 64.0], NotSeparable),
            (CUMULATIVE, [0.0, 0.0], [44.0, 64.0], Unchanged),
            (CUMULATIVE, [40.0, 45.0], [100.0, 200.0], Improved),
            (CUMULATIVE, [5.0, 45.0], [100.0, 200.0], Worsened),
            // As two samples of 100 and 200 this would be 40% against 22.5%.
            (PER_STEP, [40.0, 45.0], [100.0, 200.0], Improved),
            (PER_STEP, [2.0, 2.0], [44.0, 64.0], NotSeparable),
            (
                CUMULATIVE,
                [1.0, 0.0],
                [44.0, 64.0],
                ProgressMovement::Untested(ProgressUntested::Shrunk),
            ),
            (
                CUMULATIVE,
                [43.0, 64.0],
                [44.0, 64.0],
                ProgressMovement::Untested(ProgressUntested::Contradiction),
            ),
            (
                CUMULATIVE,
                [2.0, 2.0],
                [44.0, 44.0],
                ProgressMovement::Untested(ProgressUntested::NothingNew),
            ),
            (
                "",
                [2.0, 2.0],
                [44.0, 64.0],
                ProgressMovement::Untested(ProgressUntested::CountingUnknown),
            ),
            (
                MIXED,
                [2.0, 2.0],
                [44.0, 64.0],
                ProgressMovement::Untested(ProgressUntested::MixedCounting),
            ),
            (
                CUMULATIVE,
                [2.0, 2.5],
                [44.0, 64.0],
                ProgressMovement::Untested(ProgressUntested::NoValue),
            ),
            (
                CUMULATIVE,
                [2.0, f64::NAN],
                [44.0, 64.0],
                ProgressMovement::Untested(ProgressUntested::NoValue),
            ),
        ] {
            let found = rate_of(toml, &bad, &all).movement;
            assert_eq!(found, movement, "{toml} {bad:?} of {all:?}");
        }
    }

    /// Whatever came before, what was counted since is tested as if each step had counted its own.
    #[test]
    fn cumulative_counters_and_those_of_single_steps_say_the_same_of_the_same_cases() {
        for [x1, n1, x2, n2] in [[2, 44, 0, 20], [4, 10, 8, 100], [0, 5, 5, 5], [1, 30, 29, 30]] {
            let [x1, n1, x2, n2] = [x1, n1, x2, n2].map(f64::from);
            let whole = rate_of(CUMULATIVE, &[x1, x1 + x2], &[n1, n1 + n2]);
            let single = rate_of(PER_STEP, &[x1, x2], &[n1, n2]);
            assert_eq!((whole.test, whole.movement), (single.test, single.movement));
        }
    }

    /// Fisher: scipy 1.17.1, `stats.fisher_exact([[2, 42], [0, 20]])` has p = 1.
    #[test]
    fn two_of_44_and_none_of_20_since_are_no_falling_rate() {
        let rate = rate_of(CUMULATIVE, &[2.0, 2.0], &[44.0, 64.0]);
        let test = rate.test.expect("a test");
        assert_eq!((rate.since, test.p), (Counts::new(0, 20), 1.0));
        let [lo, hi] = rate.change_interval().expect("an interval");
        let change = rate.change().expect("a change");
        assert!(lo < change && change < 0.0 && 0.0 < hi, "{lo} {change} {hi}");
        // The change of the cumulative share is the difference of the samples times 20/64.
        let difference = test.later.share() - test.earlier.share();
        assert!((change - difference * 20.0 / 64.0).abs() < 1e-12);
    }
}
