//! The data of the report.

use serde_json::{Map, Value, json};

use super::quality_parts;
use crate::kinds::quality::analysis::{
    Contradiction, LEVEL, MetricOutcome, Quality, QualityDistribution, QualityRate, SampleOutcomes,
    ranked,
};
use crate::model::logs::{RolloutOutcome, Signatures, StepTally};
use crate::report::json_object;
use crate::text::Catalogue;

pub(super) fn quality_view(runs: &[Quality<'_>], english: &Catalogue) -> Map<String, Value> {
    let runs: Value = runs.iter().map(|run| view_run(run, english)).collect();
    json_object(&json!({ "runs": runs }))
}

fn view_run(run: &Quality<'_>, english: &Catalogue) -> Value {
    let tally = run.tally;
    let contradiction = |found: &Contradiction| {
        json!({
            "kind": found.id,
            "message": quality_parts::contradiction(found, english),
            "count": found.count,
            "of": found.of,
            "first": found.first,
        })
    };
    let violations = tally.violations.iter().map(|(rule, violation)| {
        json!({
            "rule": rule,
            "count": violation.said.count,
            "penalties": violation.penalties,
            "penalty": (violation.penalties > 0).then_some(violation.penalty),
            "first": violation.said.first,
            "example": violation.said.example,
        })
    });
    let chain = run.chain.iter().map(|link| {
        json!({
            "link": link.id,
            "count": link.count,
            "right": link.right_wrong.map(|[right, _]| right),
            "wrong": link.right_wrong.map(|[_, wrong]| wrong),
        })
    });
    let suggestions = run.advice.iter().map(|advice| {
        json!({
            "text": advice.suggestion.text.english(),
            "when": advice.suggestion.when.text(),
            "outcome": advice.judgement.outcome.name(),
        })
    });
    json!({
        "path": run.path,
        "logs": tally.files,
        "steps": tally.steps,
        "rollouts": run.rollouts,
        "success": run.success.map(rate),
        "fallback": run.fallback.map(rate),
        "errors": signatures(&tally.errors),
        "errors_by_type": tally.errors.by_type(),
        "by_step": tally.by_step.iter().map(step).collect::<Value>(),
        "warnings": signatures(&tally.warnings),
        "violations": violations.collect::<Value>(),
        "chain": chain.collect::<Value>(),
        "contradictions": run.contradictions.iter().map(contradiction).collect::<Value>(),
        "remark": run.remark.as_ref().map(contradiction),
        "score_scale": tally.scale.filter(|_| !tally.scales_differ),
        "scores": scores(run),
        "penalties": penalties(run),
        "samples": run.samples.iter().map(samples).collect::<Value>(),
        "suggestions": suggestions.collect::<Value>(),
    })
}

fn step((step, said): (&i64, &StepTally)) -> Value {
    let [right, wrong] = said.right_wrong;
    json!({
        "step": step,
        "errors": said.errors,
        "violations": said.violations,
        "right": right,
        "wrong": wrong,
    })
}

fn scores(run: &Quality<'_>) -> Value {
    let by_outcome = run.by_outcome.iter().map(|(outcome, scores)| {
        let outcome = match outcome {
            RolloutOutcome::Success => "success",
            RolloutOutcome::Failure => "failure",
            RolloutOutcome::Unjudged | RolloutOutcome::Unscored => "unjudged",
        };
        (outcome, scores)
    });
    let all = by_outcome.chain(run.scores.iter().map(|scores| ("all", scores)));
    all.map(|(outcome, scores)| with(json!({ "outcome": outcome }), scores)).collect()
}

fn penalties(run: &Quality<'_>) -> Value {
    let penalties = run.tally.penalties.iter().filter_map(|(term, penalty)| {
        let values = QualityDistribution::new(&penalty.values)?;
        let head = json!({
            "term": term,
            "per_rollout": (run.rollouts > 0).then(|| values.sum / run.rollouts as f64),
            "first": penalty.said.first,
        });
        Some(with(head, &values))
    });
    penalties.collect()
}

fn rate(rate: QualityRate) -> Value {
    json!({ "x": rate.x, "n": rate.n, "rate": rate.share(), "ci": rate.interval, "level": LEVEL })
}

/// The fields of `head`, then those of a distribution.
fn with(mut head: Value, scores: &QualityDistribution) -> Value {
    if let (Value::Object(head), Value::Object(mut fields)) = (&mut head, distribution(scores)) {
        head.append(&mut fields);
    }
    head
}

fn distribution(scores: &QualityDistribution) -> Value {
    let [min, q1, median, q3, max] = scores.five;
    json!({
        "n": scores.n,
        "mean": scores.mean,
        "ci": scores.interval,
        "min": min,
        "q1": q1,
        "median": median,
        "q3": q3,
        "max": max,
        "sum": scores.sum,
        "rounded": scores.rounded,
    })
}

fn signatures(all: &Signatures) -> Value {
    let total = all.total();
    let signatures = ranked(all).into_iter().map(|(key, said)| {
        let places = said.places.iter().map(|(at, count)| json!({ "at": at, "count": count }));
        let causes = said.causes.iter();
        let causes = causes.map(|cause| json!({ "type": cause.kind, "message": cause.template }));
        json!({
            "type": key.kind,
            "message": key.template,
            "count": said.count,
            "share": said.count as f64 / total as f64,
            "with_traceback": said.with_traceback,
            "processes": said.processes,
            "first": said.first,
            "raised_at": said.raised_at,
            "places": places.collect::<Value>(),
            "causes": causes.collect::<Value>(),
            "example": said.example,
        })
    });
    json!({
        "total": total,
        "as_cause": all.as_cause,
        "other": all.other,
        "repeated": all.repeated,
        "signatures": signatures.collect::<Value>(),
    })
}

fn samples(table: &SampleOutcomes) -> Value {
    let metrics = table.metrics.iter().map(|(metric, outcome)| {
        let (right, scores) = match outcome {
            MetricOutcome::Right(right) => (Some(rate(*right)), None),
            MetricOutcome::Scores(scores) => (None, Some(distribution(scores))),
        };
        json!({ "metric": metric, "right": right, "scores": scores })
    });
    let endings = table
        .endings
        .iter()
        .map(|(ending, count, line)| json!({ "ending": ending, "count": count, "line": line }));
    json!({
        "name": table.name,
        "path": table.path,
        "n": table.n,
        "errored": table.errored,
        "unjudged": table.unjudged,
        "unscored": table.unscored,
        "truncated": table.truncated,
        "endings": endings.collect::<Value>(),
        "metrics": metrics.collect::<Value>(),
    })
}
