//! `report.json` of a progress report.

use serde_json::{Value, json};

use super::health;
use crate::conditions::{ClauseOutcome, ConditionLabel, Judgement, UnknownOperand};
use crate::diag::Location;
use crate::kinds::progress::analysis::{
    BudgetOutcome, Cost, Counter, Patterns, Predicted, Progress, ProgressGrowth, ProgressMetric,
    ProgressRate, ProgressUntested, Reached, Scored, StepShare, TimelineValue, Watched, mean,
    share_interval,
};
use crate::stats::Counts;

pub(super) fn progress_view(progress: &Progress<'_>) -> Value {
    let (span, plan, alpha) = (&progress.span, progress.plan.as_ref(), progress.alpha);
    let counter = |(name, counter): (&String, &Counter)| {
        json!({
            "name": name,
            "counting": counter.counting.name(),
            "declared": counter.is_declared,
        })
    };
    let mean = mean(&progress.scores).map(
        |(value, range)| json!({ "value": value, "range": range, "grade": health::grade(value).0 }),
    );
    json!({
        "run": progress.run.id,
        "path": progress.run.path,
        "axis": progress.axis,
        "from": span.from,
        "to": span.to,
        "from_asked": span.asked[0],
        "to_asked": span.asked[1],
        "recorded": span.recorded.len(),
        "missing_steps": span.missing(),
        "planned_steps": plan.map(|plan| plan.steps),
        "planned_source": plan.and_then(|plan| Some(plan.source.as_ref()?.location())),
        "alpha": alpha,
        "counters": progress.counters.iter().map(counter).collect::<Value>(),
        "rates": progress.rates.iter().map(|item| rate(item, alpha)).collect::<Value>(),
        "metrics": progress.metrics.iter().map(|item| metric(item, progress)).collect::<Value>(),
        "cost": progress.cost.as_ref().map(cost),
        "pace": progress.paces.iter().map(|pace| growth(&pace.name, pace.growth)).collect::<Value>(),
        "patterns": progress.patterns.as_ref().map(|found| patterns(found, alpha)),
        "scores": progress.scores.iter().map(score).collect::<Value>(),
        "mean": mean,
        "predictions": progress.predictions.iter().map(prediction).collect::<Value>(),
        "signals": progress.signals.iter().map(signal).collect::<Value>(),
        "milestones": progress.milestones.iter().map(milestone).collect::<Value>(),
    })
}

fn share(counts: Counts, places: &[Location], alpha: f64) -> Value {
    let ci = share_interval(counts, alpha);
    json!({
        "count": counts.x,
        "of": counts.n,
        "value": counts.share(),
        "ci": [ci.lo, ci.hi],
        "places": places,
    })
}

fn rate(rate: &ProgressRate, alpha: f64) -> Value {
    let side = |side: &Option<StepShare>| {
        side.as_ref().map(|side| share(side.counts, &side.places, alpha))
    };
    let test = rate.test;
    json!({
        "name": rate.name,
        "count": rate.of.count,
        "of": rate.of.of,
        "direction": rate.direction.name(),
        "design": rate.design.name(),
        "before": side(&rate.before),
        "after": side(&rate.after),
        "since": rate.since.map(|since| share(since, &[], alpha)),
        "change": rate.change(),
        "change_ci": rate.change_interval(),
        "difference": test.map(|test| test.later.share() - test.earlier.share()),
        "difference_ci": test.map(|test| [test.interval.lo, test.interval.hi]),
        "p": test.map(|test| test.p),
        "p_adjusted": test.map(|test| test.p_adjusted),
        "slope": rate.trend.map(|trend| trend.slope),
        "slope_p_adjusted": rate.trend.map(|trend| trend.p_adjusted),
        "movement": rate.movement.name(),
    })
}

fn metric(metric: &ProgressMetric, progress: &Progress<'_>) -> Value {
    let value = |reading: &Option<TimelineValue>| {
        reading.as_ref().map(|reading| {
            json!({ "at": reading.at, "value": reading.value, "place": reading.location() })
        })
    };
    let trend = metric.trend.ok().filter(|_| !metric.is_counter);
    json!({
        "name": metric.name,
        "direction": metric.spec.direction.name(),
        "unit": metric.unit(progress).name(),
        "counter": metric.is_counter,
        "before": value(&metric.before),
        "after": value(&metric.after),
        "change": metric.change(),
        "points": metric.points,
        "effective": trend.map(|trend| trend.effective),
        "slope": trend.map(|trend| trend.slope),
        "slope_ci": trend.and_then(|trend| trend.interval).map(|ci| [ci.lo, ci.hi]),
        "p": trend.map(|trend| trend.p),
        "p_adjusted": trend.map(|trend| trend.p_adjusted),
        "movement": metric.movement.name(),
    })
}

fn growth(name: &str, growth: ProgressGrowth) -> Value {
    json!({
        "name": name,
        "counted": growth.average_amount,
        "steps": growth.average_steps,
        "unrecorded": growth.unrecorded,
        "total": growth.total(),
        "average": growth.average(),
        "marginal": growth.marginal(),
    })
}

fn cost(cost: &Cost) -> Value {
    let forecast = cost.forecast.map(|forecast| {
        json!({
            "steps": forecast.steps,
            "left": forecast.left,
            "by_average": forecast.by_average,
            "by_marginal": forecast.by_marginal,
            "range": forecast.range(),
            "budget": forecast.budget.map(|budget| [budget.lo, budget.hi]),
            "against": forecast.against_budget().map(BudgetOutcome::name),
            "saved_paired": forecast.savings().map(|[paired, _]| paired),
            "saved_extremes": forecast.savings().map(|[_, extremes]| extremes),
        })
    });
    json!({
        "name": cost.name,
        "growth": cost.growth.ok().map(|found| growth(&cost.name, found)),
        "reason": cost.growth.err().map(ProgressUntested::name),
        "forecast": forecast,
    })
}

fn patterns(patterns: &Patterns, alpha: f64) -> Value {
    let row = |names: &[String], counts: Counts| {
        let ci = share_interval(counts, alpha);
        json!({ "names": names, "count": counts.x, "of": counts.n, "ci": [ci.lo, ci.hi] })
    };
    let names =
        patterns.names.iter().map(|(name, counts)| row(std::slice::from_ref(name), *counts));
    let sets = patterns.sets.iter().map(|(set, counts)| row(set, *counts));
    json!({
        "field": patterns.field,
        "asked": patterns.asked,
        "looked_at": patterns.looked_at,
        "by_step": patterns.by_step,
        "names": names.collect::<Value>(),
        "sets": sets.collect::<Value>(),
    })
}

fn condition(text: &str, judgement: &Judgement, is_doubtful: bool) -> Value {
    json!({
        "condition": text,
        "outcome": judgement.outcome.name(),
        "readings": judgement.readings.iter().map(reading).collect::<Value>(),
        "doubtful": is_doubtful,
    })
}

fn reading(reading: &ClauseOutcome) -> Value {
    let figure = reading.figure.ok();
    json!({
        "figure": reading.quantity.to_string(),
        "value": figure.map(|figure| figure.value),
        "ci": figure.and_then(|figure| figure.interval),
        "n": figure.and_then(|figure| figure.n),
        "unit": figure.map(|figure| figure.unit.name()),
        "relation": reading.relation.sign(),
        "against": reading.against,
        "threshold": reading.threshold,
        "outcome": reading.outcome.name(),
        "unknown": reading.figure.err().map(UnknownOperand::name),
    })
}

fn score(score: &Scored<'_>) -> Value {
    let rule = score.reading.as_ref();
    json!({
        "name": score.declared.name.english(),
        "stars": score.stars,
        "range": score.range,
        "rule": rule.map(|(rule, judgement)| condition(rule.text(), judgement, score.is_doubtful)),
    })
}

fn prediction(prediction: &Predicted<'_>) -> Value {
    let declared = prediction.declared;
    let value = prediction.value.ok();
    let counts = value.and_then(|value| value.counts);
    let target = declared.target.as_ref().zip(prediction.target.as_ref());
    json!({
        "metric": declared.metric,
        "step": declared.step,
        "assume": declared.assume.name(),
        "value": value.map(|value| value.value),
        "count": counts.map(|[count, _]| count),
        "of": counts.map(|[_, of]| of),
        "range": value.and_then(|value| value.range),
        "pace": value.and_then(|value| value.pace),
        "recorded": value.is_some_and(|value| value.is_recorded),
        "reason": prediction.value.err().map(ProgressUntested::name),
        "target": target.map(|(rule, judgement)| condition(rule.text(), judgement, prediction.is_doubtful)),
    })
}

fn signal(signal: &Watched<'_>) -> Value {
    let declared = signal.declared;
    json!({
        "name": declared.name.english(),
        "state": signal.state(),
        "rule": condition(declared.when.text(), &signal.judgement, signal.is_doubtful),
        "cause": declared.cause.as_ref().map(ConditionLabel::english),
        "response": declared.response.as_ref().map(ConditionLabel::english),
    })
}

fn milestone(milestone: &Reached<'_>) -> Value {
    let declared = milestone.declared;
    json!({
        "name": declared.name.english(),
        "stage": milestone.stage.name(),
        "rule": condition(declared.done.text(), &milestone.judgement, milestone.is_doubtful),
    })
}
