//! `report.json` of a progress report.

use serde::Serialize;

use super::health;
use crate::diag::Location;
use crate::kinds::progress::analysis::{
    Cost, Growth, Metric, Patterns, Predicted, Progress, Rate, Reached, Scored, Side, Watched,
    interval, mean,
};
use crate::rules::{Judgement, Reading};
use crate::stats::Counts;

/// The data of a report.
#[derive(Debug, Clone, Serialize)]
pub(super) struct ProgressView {
    run: String,
    path: String,
    axis: String,
    pub(super) from: f64,
    pub(super) to: f64,
    from_asked: bool,
    to_asked: bool,
    recorded: usize,
    missing_steps: Option<Vec<f64>>,
    planned_steps: Option<f64>,
    planned_source: Option<Location>,
    alpha: f64,
    counters: Vec<CounterView>,
    pub(super) rates: Vec<RateView>,
    pub(super) metrics: Vec<MetricView>,
    cost: Option<CostView>,
    pace: Vec<GrowthView>,
    patterns: Option<PatternsView>,
    scores: Vec<ScoreView>,
    mean: Option<MeanView>,
    predictions: Vec<PredictionView>,
    signals: Vec<SignalView>,
    milestones: Vec<MilestoneView>,
}

#[derive(Debug, Clone, Serialize)]
struct CounterView {
    name: String,
    counting: &'static str,
    declared: bool,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct ShareView {
    pub(super) count: u64,
    pub(super) of: u64,
    pub(super) value: f64,
    pub(super) ci: [f64; 2],
    pub(super) places: Vec<Location>,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct RateView {
    pub(super) name: String,
    pub(super) count: String,
    pub(super) of: String,
    pub(super) direction: &'static str,
    pub(super) design: &'static str,
    pub(super) before: Option<ShareView>,
    pub(super) after: Option<ShareView>,
    pub(super) since: Option<ShareView>,
    pub(super) change: Option<f64>,
    pub(super) change_ci: Option<[f64; 2]>,
    pub(super) difference: Option<f64>,
    pub(super) difference_ci: Option<[f64; 2]>,
    pub(super) p: Option<f64>,
    pub(super) p_adjusted: Option<f64>,
    pub(super) movement: &'static str,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct ValueView {
    pub(super) at: f64,
    pub(super) value: f64,
    pub(super) place: Location,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct MetricView {
    pub(super) name: String,
    pub(super) direction: &'static str,
    pub(super) unit: &'static str,
    pub(super) counter: bool,
    pub(super) before: Option<ValueView>,
    pub(super) after: Option<ValueView>,
    pub(super) change: Option<f64>,
    pub(super) points: usize,
    pub(super) effective: Option<f64>,
    pub(super) slope: Option<f64>,
    pub(super) slope_ci: Option<[f64; 2]>,
    pub(super) p: Option<f64>,
    pub(super) p_adjusted: Option<f64>,
    pub(super) movement: &'static str,
}

#[derive(Debug, Clone, Serialize)]
struct GrowthView {
    name: String,
    counted: f64,
    steps: f64,
    unrecorded: f64,
    total: f64,
    average: f64,
    marginal: Option<f64>,
}

#[derive(Debug, Clone, Serialize)]
struct CostView {
    name: String,
    growth: Option<GrowthView>,
    reason: Option<&'static str>,
    forecast: Option<ForecastView>,
}

#[derive(Debug, Clone, Serialize)]
struct ForecastView {
    steps: f64,
    left: f64,
    by_average: f64,
    by_marginal: Option<f64>,
    range: [f64; 2],
    budget: Option<[f64; 2]>,
    against: Option<&'static str>,
    saved_paired: Option<[f64; 2]>,
    saved_extremes: Option<[f64; 2]>,
}

#[derive(Debug, Clone, Serialize)]
struct PatternsView {
    field: String,
    asked: u64,
    looked_at: u64,
    by_step: bool,
    names: Vec<PatternView>,
    sets: Vec<PatternView>,
}

#[derive(Debug, Clone, Serialize)]
struct PatternView {
    names: Vec<String>,
    count: u64,
    of: u64,
    ci: [f64; 2],
}

#[derive(Debug, Clone, Serialize)]
struct ConditionView {
    condition: String,
    outcome: &'static str,
    readings: Vec<ReadingView>,
    doubtful: bool,
}

#[derive(Debug, Clone, Serialize)]
struct ReadingView {
    figure: String,
    value: Option<f64>,
    ci: Option<[f64; 2]>,
    n: Option<u64>,
    unit: Option<&'static str>,
    relation: &'static str,
    against: String,
    threshold: Option<f64>,
    outcome: &'static str,
    unknown: Option<&'static str>,
}

#[derive(Debug, Clone, Serialize)]
struct ScoreView {
    name: String,
    stars: Option<u8>,
    range: Option<[u8; 2]>,
    rule: Option<ConditionView>,
}

#[derive(Debug, Clone, Serialize)]
struct MeanView {
    value: f64,
    range: [f64; 2],
    grade: &'static str,
}

#[derive(Debug, Clone, Serialize)]
struct PredictionView {
    metric: String,
    step: f64,
    assume: &'static str,
    value: Option<f64>,
    count: Option<f64>,
    of: Option<f64>,
    range: Option<[f64; 2]>,
    pace: Option<f64>,
    recorded: bool,
    reason: Option<&'static str>,
    target: Option<ConditionView>,
}

#[derive(Debug, Clone, Serialize)]
struct SignalView {
    name: String,
    state: &'static str,
    rule: ConditionView,
    cause: Option<String>,
    response: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
struct MilestoneView {
    name: String,
    stage: &'static str,
    rule: ConditionView,
}

pub(super) fn view(progress: &Progress<'_>) -> ProgressView {
    let span = &progress.span;
    let plan = progress.plan.as_ref();
    let counter = |(name, one): (&String, &crate::kinds::progress::analysis::Counter)| {
        CounterView { name: name.clone(), counting: one.counting.name(), declared: one.is_declared }
    };
    ProgressView {
        run: progress.run.id.clone(),
        path: progress.run.path.clone(),
        axis: progress.axis.clone(),
        from: span.from,
        to: span.to,
        from_asked: span.asked[0],
        to_asked: span.asked[1],
        recorded: span.recorded.len(),
        missing_steps: span.missing(),
        planned_steps: plan.map(|plan| plan.steps),
        planned_source: plan.and_then(|plan| Some(plan.source.as_ref()?.location())),
        alpha: progress.alpha,
        counters: progress.counters.iter().map(counter).collect(),
        rates: progress.rates.iter().map(|one| rate(one, progress.alpha)).collect(),
        metrics: progress.metrics.iter().map(|one| metric(one, progress)).collect(),
        cost: progress.cost.as_ref().map(cost),
        pace: progress.paces.iter().map(|one| growth(&one.name, one.growth)).collect(),
        patterns: progress.patterns.as_ref().map(|one| patterns(one, progress.alpha)),
        scores: progress.scores.iter().map(score).collect(),
        mean: mean(&progress.scores).map(|(value, range)| MeanView {
            value,
            range,
            grade: health::grade(value).0,
        }),
        predictions: progress.predictions.iter().map(prediction).collect(),
        signals: progress.signals.iter().map(signal).collect(),
        milestones: progress.milestones.iter().map(milestone).collect(),
    }
}

fn share(counts: Counts, places: &[Location], alpha: f64) -> ShareView {
    let ci = interval(counts, alpha);
    ShareView {
        count: counts.x,
        of: counts.n,
        value: counts.share(),
        ci: [ci.lo, ci.hi],
        places: places.to_vec(),
    }
}

fn rate(one: &Rate, alpha: f64) -> RateView {
    let side =
        |side: &Option<Side>| side.as_ref().map(|side| share(side.counts, &side.places, alpha));
    let test = one.test;
    RateView {
        name: one.name.clone(),
        count: one.of.count.clone(),
        of: one.of.of.clone(),
        direction: one.direction.name(),
        design: one.design.name(),
        before: side(&one.before),
        after: side(&one.after),
        since: one.since.map(|since| share(since, &[], alpha)),
        change: one.change(),
        change_ci: one.change_interval(),
        difference: test.map(|test| test.later.share() - test.earlier.share()),
        difference_ci: test.map(|test| [test.interval.lo, test.interval.hi]),
        p: test.map(|test| test.p),
        p_adjusted: test.map(|test| test.p_adjusted),
        movement: one.movement.name(),
    }
}

fn metric(one: &Metric, progress: &Progress<'_>) -> MetricView {
    let value = |reading: &Option<crate::kinds::progress::analysis::Reading>| {
        reading.as_ref().map(|one| ValueView {
            at: one.at,
            value: one.value,
            place: one.location(),
        })
    };
    let trend = one.trend.ok().filter(|_| !one.is_counter);
    MetricView {
        name: one.name.clone(),
        direction: one.spec.direction.name(),
        unit: one.unit(progress).name(),
        counter: one.is_counter,
        before: value(&one.before),
        after: value(&one.after),
        change: one.change(),
        points: one.points,
        effective: trend.map(|trend| trend.effective),
        slope: trend.map(|trend| trend.slope),
        slope_ci: trend.and_then(|trend| trend.interval).map(|ci| [ci.lo, ci.hi]),
        p: trend.map(|trend| trend.p),
        p_adjusted: trend.map(|trend| trend.p_adjusted),
        movement: one.movement.name(),
    }
}

fn growth(name: &str, growth: Growth) -> GrowthView {
    GrowthView {
        name: name.to_owned(),
        counted: growth.average_amount,
        steps: growth.average_steps,
        unrecorded: growth.unrecorded,
        total: growth.total(),
        average: growth.average(),
        marginal: growth.marginal(),
    }
}

fn cost(cost: &Cost) -> CostView {
    CostView {
        name: cost.name.clone(),
        growth: cost.growth.ok().map(|one| growth(&cost.name, one)),
        reason: cost.growth.err().map(crate::kinds::progress::analysis::Untested::name),
        forecast: cost.forecast.map(|one| ForecastView {
            steps: one.steps,
            left: one.left,
            by_average: one.by_average,
            by_marginal: one.by_marginal,
            range: one.range(),
            budget: one.budget.map(|budget| [budget.lo, budget.hi]),
            against: one.against_budget().map(crate::kinds::progress::analysis::Against::name),
            saved_paired: one.savings().map(|[paired, _]| paired),
            saved_extremes: one.savings().map(|[_, extremes]| extremes),
        }),
    }
}

fn patterns(patterns: &Patterns, alpha: f64) -> PatternsView {
    let row = |names: Vec<String>, counts: Counts| {
        let ci = interval(counts, alpha);
        PatternView { names, count: counts.x, of: counts.n, ci: [ci.lo, ci.hi] }
    };
    let names = patterns.names.iter().map(|(name, counts)| row(vec![name.clone()], *counts));
    let sets = patterns.sets.iter().map(|(set, counts)| row(set.clone(), *counts));
    PatternsView {
        field: patterns.field.clone(),
        asked: patterns.asked,
        looked_at: patterns.looked_at,
        by_step: patterns.by_step,
        names: names.collect(),
        sets: sets.collect(),
    }
}

fn condition(text: &str, judgement: &Judgement, doubtful: bool) -> ConditionView {
    ConditionView {
        condition: text.to_owned(),
        outcome: judgement.outcome.name(),
        readings: judgement.readings.iter().map(reading).collect(),
        doubtful,
    }
}

fn reading(one: &Reading) -> ReadingView {
    let figure = one.figure.ok();
    ReadingView {
        figure: one.quantity.to_string(),
        value: figure.map(|figure| figure.value),
        ci: figure.and_then(|figure| figure.interval),
        n: figure.and_then(|figure| figure.n),
        unit: figure.map(|figure| figure.unit.name()),
        relation: one.relation.sign(),
        against: one.against.clone(),
        threshold: one.threshold,
        outcome: one.outcome.name(),
        unknown: one.figure.err().map(crate::rules::Unknown::name),
    }
}

fn score(one: &Scored<'_>) -> ScoreView {
    ScoreView {
        name: one.declared.name.english().to_owned(),
        stars: one.stars,
        range: one.range,
        rule: one
            .reading
            .as_ref()
            .map(|(rule, judgement)| condition(rule.text(), judgement, one.is_doubtful)),
    }
}

fn prediction(one: &Predicted<'_>) -> PredictionView {
    let value = one.value.ok();
    let counts = value.and_then(|value| value.counts);
    let target = one.declared.target.as_ref().zip(one.target.as_ref());
    PredictionView {
        metric: one.declared.metric.clone(),
        step: one.declared.step,
        assume: one.declared.assume.name(),
        value: value.map(|value| value.value),
        count: counts.map(|[count, _]| count),
        of: counts.map(|[_, of]| of),
        range: value.and_then(|value| value.range),
        pace: value.and_then(|value| value.pace),
        recorded: value.is_some_and(|value| value.is_recorded),
        reason: one.value.err().map(crate::kinds::progress::analysis::Untested::name),
        target: target.map(|(rule, judgement)| condition(rule.text(), judgement, false)),
    }
}

fn signal(one: &Watched<'_>) -> SignalView {
    let text = |label: &Option<crate::rules::Label>| {
        label.as_ref().map(|label| label.english().to_owned())
    };
    SignalView {
        name: one.declared.name.english().to_owned(),
        state: one.state(),
        rule: condition(one.declared.when.text(), &one.judgement, one.is_doubtful),
        cause: text(&one.declared.cause),
        response: text(&one.declared.response),
    }
}

fn milestone(one: &Reached<'_>) -> MilestoneView {
    MilestoneView {
        name: one.declared.name.english().to_owned(),
        stage: one.stage.name(),
        rule: condition(one.declared.done.text(), &one.judgement, one.is_doubtful),
    }
}
