//! One run between two of its steps: what moved, what that can mean at so few cases, what it costs,
//! and whether the rules that were declared hold.
//!
//! Reads what `collect` found; opens no file and writes no words.

mod cost;
mod counters;
pub mod declared;
mod figures;
mod judged_progress;
mod metrics;
mod progress_patterns;
mod progress_plan;
mod progress_predictions;
#[cfg(test)]
mod progress_testing;
mod rate_trend;
mod rates;
mod timeline;

use indexmap::IndexMap;

use crate::diag::Warned;
use crate::model::{Generations, Run};
use crate::quantity::Unit;

pub use cost::{BudgetOutcome, Cost, ProgressForecast, ProgressGrowth};
pub use counters::{Counter, Falls, ProgressCounting};
pub use figures::{FUNCTIONS, NAMES};
pub use judged_progress::{MilestoneStage, Reached, Scored, Watched, mean};
pub use metrics::ProgressMetric;
pub use progress_patterns::Patterns;
pub use progress_plan::Plan;
pub use progress_predictions::{Expected, Predicted};
pub use rates::{ProgressDesign, ProgressRate, RateTest, StepShare, share_interval};
pub use timeline::{NoProgress, Timeline, TimelineSpan, TimelineValue};

pub use declared::Asked;
use declared::{DEFAULT_LAST, DeclaredProgress};
use figures::KnownProgress;
use metrics::Role;

/// What became of a metric between the two steps, in the words of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgressMovement {
    /// It moved towards its good side by more than chance.
    Improved,
    /// It moved away from its good side by more than chance.
    Worsened,
    /// It moved by more than chance; nobody declared a good side.
    Changed,
    /// It moved, and chance may be all there is to it.
    NotSeparable,
    Unchanged,
    Untested(ProgressUntested),
}

impl ProgressMovement {
    /// The name in catalogues and `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Improved => "improved",
            Self::Worsened => "worsened",
            Self::Changed => "changed",
            Self::NotSeparable => "not-separable",
            Self::Unchanged => "unchanged",
            Self::Untested(why) => why.name(),
        }
    }
}

/// Why nothing can be said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgressUntested {
    NoValue,
    NotFinite,
    /// Nobody knows what the counter counts.
    CountingUnknown,
    /// The counters cannot both be cumulative.
    Contradiction,
    /// A part and its whole are not counted over the same steps.
    MixedCounting,
    /// Positions that are no whole numbers are no steps to count.
    NoWholeSteps,
    Shrunk,
    /// Counting began anew.
    Reset,
    /// Nothing was counted in between.
    NothingNew,
    TooFew,
    /// The values are smoothed.
    Smoothed,
    /// Neighbours agree so much that hardly an independent value is left.
    Autocorrelated,
    /// A counter grows by itself.
    Counter,
}

impl ProgressUntested {
    /// The name in catalogues and `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoValue => "no-value",
            Self::NotFinite => "not-finite",
            Self::CountingUnknown => "counting-unknown",
            Self::Contradiction => "contradiction",
            Self::MixedCounting => "mixed-counting",
            Self::NoWholeSteps => "no-whole-steps",
            Self::Shrunk => "shrunk",
            Self::Reset => "reset",
            Self::NothingNew => "nothing-new",
            Self::TooFew => "too-few",
            Self::Smoothed => "smoothed",
            Self::Autocorrelated => "autocorrelated",
            Self::Counter => "counter",
        }
    }
}

/// How the divisor of shares grows.
#[derive(Debug, Clone, PartialEq)]
pub struct CounterPace {
    pub name: String,
    pub growth: ProgressGrowth,
}

#[derive(Debug, Clone)]
pub struct Progress<'a> {
    pub run: &'a Run,
    pub declared: &'a DeclaredProgress,
    /// `step`, `iteration`, `epoch`.
    pub axis: String,
    pub span: TimelineSpan,
    /// Steps that the run sets out to make.
    pub plan: Option<Plan>,
    pub counters: IndexMap<String, Counter>,
    pub rates: Vec<ProgressRate>,
    /// All other metrics.
    pub metrics: Vec<ProgressMetric>,
    /// Growth of what shares are taken of.
    pub paces: Vec<CounterPace>,
    pub cost: Option<Cost>,
    pub patterns: Option<Patterns>,
    pub scores: Vec<Scored<'a>>,
    pub signals: Vec<Watched<'a>>,
    pub milestones: Vec<Reached<'a>>,
    pub predictions: Vec<Predicted<'a>>,
    pub alpha: f64,
}

/// Looks at a run between two steps of its timeline, by whose names `declared` names its metrics;
/// `generations` are the records whose patterns are asked for.
///
/// # Errors
/// When a step that is asked for was not recorded.
pub fn analyse<'a>(
    run: &'a Run,
    timeline: Timeline,
    generations: Option<&Generations>,
    declared: &'a DeclaredProgress,
    asked: &Asked,
) -> Result<Warned<Progress<'a>>, NoProgress> {
    let mut findings = Vec::new();
    let known = known(run, timeline, generations, declared, asked)?.drain_into(&mut findings);
    let scores = judged_progress::scores(&declared.score, &known);
    let signals = judged_progress::signals(&declared.signal, &known);
    let milestones = judged_progress::milestones(&declared.milestone, &known);
    let predictions = progress_predictions::predictions(&declared.prediction, &known);
    let judgements = scores.iter().filter_map(|one| one.reading.as_ref().map(|(_, read)| read));
    let judgements = judgements
        .chain(signals.iter().map(|one| &one.judgement))
        .chain(milestones.iter().map(|one| &one.judgement))
        .chain(predictions.iter().filter_map(|one| one.target.as_ref()));
    findings.extend(judged_progress::unknown_figures(judgements.clone(), asked));
    findings.extend(judged_progress::units_apart(judgements, &asked.config));
    let paces = paces(&known, declared);
    let KnownProgress { timeline, span, counters, rates, metrics, cost, patterns, plan, .. } =
        known;
    let progress = Progress {
        run,
        declared,
        axis: timeline.axis,
        span,
        plan,
        counters,
        rates,
        metrics,
        paces,
        cost,
        patterns,
        scores,
        signals,
        milestones,
        predictions,
        alpha: asked.alpha,
    };
    Ok(Warned::new(progress, findings))
}

/// Everything that conditions may ask for.
fn known(
    run: &Run,
    timeline: Timeline,
    generations: Option<&Generations>,
    declared: &DeclaredProgress,
    asked: &Asked,
) -> Result<Warned<KnownProgress>, NoProgress> {
    let mut findings = Vec::new();
    let Asked { alpha, config, .. } = asked;
    let cost_name = match declared.cost.as_deref() {
        Some(name) => Some(name),
        None => metrics::in_dollars(&timeline, run),
    };
    let anchors = declared.rates.values().flat_map(|rate| [rate.count.as_str(), rate.of.as_str()]);
    let span = TimelineSpan::new(&timeline, anchors.chain(cost_name), asked.from, asked.to)?;
    let counters = counters::counters(&timeline, declared, cost_name);
    let (falls, fell) = counters::falls(&timeline, &counters, &span);
    let (rates, found) = rates::rates(&timeline, &span, declared, &counters, &falls, *alpha);
    let plan = progress_plan::planned_steps(run, declared, &timeline.axis);
    let planned = plan.as_ref().map(|plan| plan.steps);
    let counting =
        |name: &str| counters.get(name).map_or(ProgressCounting::Unknown, |one| one.counting);
    let cost = cost_name.and_then(|name| {
        cost::cost(&timeline, &span, name, counting(name), &falls, planned, declared)
    });
    let is_reset = falls.resets_within(span.from, span.to);
    let role = |name: &str| role(name, declared, &counters, cost.as_ref());
    let metrics = metrics::metrics(&timeline, run, &span, (role, is_reset), *alpha);
    let last = asked.last.or(declared.last.map(std::num::NonZeroU64::get)).unwrap_or(DEFAULT_LAST);
    let patterns = generations.map(|found| progress_patterns::patterns(found, span.to, last));
    findings.extend(timeline::steps_missing(&timeline, &span));
    findings.extend(counters::undeclared_counters(&timeline, &counters));
    findings.extend(fell);
    findings.extend(found);
    findings.extend(cost::averages(&timeline, &span, declared));
    findings.extend(progress_plan::missing_names(&timeline, &rates, declared, asked));
    findings.extend(progress_plan::beyond(plan.as_ref(), &span, config));
    let alpha = *alpha;
    let known = KnownProgress {
        timeline,
        span,
        counters,
        falls,
        rates,
        metrics,
        cost,
        patterns,
        plan,
        alpha,
    };
    Ok(Warned::new(known, findings))
}

/// What a metric is to the report: told with its share, growing by itself, or neither.
fn role(
    name: &str,
    declared: &DeclaredProgress,
    counters: &IndexMap<String, Counter>,
    cost: Option<&Cost>,
) -> Role {
    let is_cost = cost.is_some_and(|cost| cost.name == name);
    let is_cumulative = |one: &Counter| one.counting == ProgressCounting::Cumulative;
    if declared.rates.values().any(|rate| rate.count == name) {
        Role::InRate
    } else if is_cost || counters.get(name).is_some_and(is_cumulative) {
        Role::Counter
    } else {
        Role::Plain
    }
}

/// How what shares are taken of grows, each counter once.
fn paces(known: &KnownProgress, declared: &DeclaredProgress) -> Vec<CounterPace> {
    let mut paces: Vec<CounterPace> = Vec::new();
    for rate in declared.rates.values() {
        let is_new = paces.iter().all(|pace| pace.name != rate.of);
        if let (true, Ok(growth)) = (is_new, known.growth(&rate.of)) {
            paces.push(CounterPace { name: rate.of.clone(), growth });
        }
    }
    paces
}

impl ProgressMetric {
    /// The unit: money for the cost and its averages, a count for other counters, else what is
    /// declared.
    pub fn unit(&self, progress: &Progress<'_>) -> Unit {
        let is_cost = |name: &str| progress.cost.as_ref().is_some_and(|cost| cost.name == name);
        let average = progress.declared.averages.get(&self.name);
        match self.spec.unit {
            _ if is_cost(&self.name) || average.is_some_and(|it| is_cost(&it.of)) => Unit::Dollars,
            unit if (unit == Unit::Plain || unit.is_rate())
                && progress.counters.contains_key(&self.name) =>
            {
                Unit::Count
            }
            unit => unit,
        }
    }
}
