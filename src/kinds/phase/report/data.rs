//! What `report.json` holds of a phase beside the comparison.

use serde_json::{Map, Value, json};

use crate::compare::Comparison;
use crate::conditions::{ClauseOutcome, ConditionLabel, UnknownOperand};
use crate::kinds::phase::analysis::{
    Anomaly, Conversion, Expected, Fulfilment, JudgedExpectation, Phase, PhaseDistribution,
    UnjudgedExpectation,
};
use crate::pairing::PairArm;
use crate::report::json_object;

/// The fields of these phases.
pub(super) fn phase_view(phases: &[Phase<'_>]) -> Map<String, Value> {
    let mut lists: [Vec<Value>; 4] = Default::default();
    let [expectations, distributions, conversions, anomalies] = &mut lists;
    for phase in phases {
        let run = phase.pair.name(PairArm::Candidate);
        expectations.extend(phase.expectations.iter().map(|expected| expectation(expected, run)));
        distributions.extend(phase.distributions.iter().map(|found| distribution(found, run)));
        conversions.extend(phase.distributions.iter().filter_map(|found| conversion(found, run)));
        anomalies.extend(phase.anomalies.iter().map(|found| anomaly(found, run)));
    }
    json_object(&json!({
        "expectations": expectations,
        "error_distribution": distributions,
        "conversion": conversions,
        "anomalies": anomalies,
    }))
}

fn expectation(expected: &Expected<'_>, candidate_run: &str) -> Value {
    let key = expected.comparison.map(|comparison| &comparison.cell.key);
    let (outcome, sure, readings) = match &expected.outcome {
        Fulfilment::Judged(judged) => {
            (judged.standing.name(), Some(judged.is_sure()), vec![reading(judged)])
        }
        Fulfilment::Ambiguous(both) => ("ambiguous", None, both.iter().map(reading).collect()),
        Fulfilment::Open(why) => (why.name(), None, Vec::new()),
    };
    let blocked_by = match expected.outcome {
        Fulfilment::Open(UnjudgedExpectation::Blocked(code)) => Some(code.id()),
        _ => None,
    };
    json!({
        "candidate_run": candidate_run,
        "name": expected.declared.name,
        "text": expected.declared.text,
        "metric": key.map(|key| &key.metric),
        "dataset": key.and_then(|key| key.dataset.as_ref()),
        "dims": key.map(|key| key.dims.clone()).unwrap_or_default(),
        "outcome": outcome,
        "sure": sure,
        "blocked_by": blocked_by,
        "readings": readings,
    })
}

fn reading(judged: &JudgedExpectation) -> Value {
    let possible = judged.possible.iter().map(|standing| standing.name());
    json!({
        "measure": judged.measure.name(),
        "value": judged.value,
        "ci": judged.interval,
        "standing": judged.standing.name(),
        "possible": possible.collect::<Value>(),
        "border": judged.border,
        "needed_n": judged.needed,
    })
}

fn distribution(found: &PhaseDistribution<'_>, candidate_run: &str) -> Value {
    let shares = found.shares.iter().map(|share| {
        let comparison = share.comparison;
        let interval = comparison.and_then(Comparison::allowed_interval);
        json!({
            "kind": share.name,
            "baseline": share.percent(PairArm::Baseline),
            "candidate": share.percent(PairArm::Candidate),
            "delta": comparison.and_then(|comparison| comparison.delta),
            "ci": interval.map(|interval| [interval.lo, interval.hi]),
            "verdict": comparison.map(|comparison| comparison.verdict.name()),
        })
    });
    json!({
        "candidate_run": candidate_run,
        "dataset": found.dataset,
        "dims": found.dims,
        "shares": shares.collect::<Value>(),
        "total": found.sums.map(|sum| Some(sum?.total)),
        "whole": found.sums.map(|sum| Some(sum?.is_whole())),
    })
}

fn conversion(found: &PhaseDistribution<'_>, candidate_run: &str) -> Option<Value> {
    let (flow, bounds) = match found.conversion.as_ref()? {
        Conversion::Counted(flow) => (Some(flow), None),
        Conversion::Bounded(bounds) => (None, Some(bounds)),
    };
    let transitions = flow.map(|flow| {
        let transitions = flow.transitions.iter().map(|moved| {
            json!({
                "baseline": moved.baseline.name(),
                "candidate": moved.candidate.name(),
                "pairs": moved.pairs,
            })
        });
        transitions.collect::<Value>()
    });
    let bounds = bounds.map(|bounds| {
        let bounds = bounds.iter().map(|bound| {
            json!({
                "from": bound.from,
                "to": bound.to,
                "least": bound.least,
                "most": bound.most,
            })
        });
        bounds.collect::<Value>()
    });
    Some(json!({
        "candidate_run": candidate_run,
        "dataset": found.dataset,
        "dims": found.dims,
        "metric": flow.map(|flow| &flow.metric),
        "pairs": flow.map(|flow| flow.pairs),
        "transitions": transitions,
        "bounds": bounds,
    }))
}

fn anomaly(anomaly: &Anomaly<'_>, candidate_run: &str) -> Value {
    let rule = anomaly.rule;
    json!({
        "candidate_run": candidate_run,
        "name": rule.name.english(),
        "when": rule.when.text(),
        "state": anomaly.state(),
        "seen": anomaly.judgement.outcome.seen(),
        "below_noise": anomaly.is_below_noise(),
        "cause": rule.cause.as_ref().map(ConditionLabel::english),
        "response": rule.response.as_ref().map(ConditionLabel::english),
        "readings": anomaly.judgement.readings.iter().map(clause).collect::<Value>(),
    })
}

fn clause(reading: &ClauseOutcome) -> Value {
    let figure = reading.figure.ok();
    json!({
        "figure": reading.quantity.to_string(),
        "value": figure.map(|figure| figure.value),
        "ci": figure.and_then(|figure| figure.interval),
        "n": figure.and_then(|figure| figure.n),
        "relation": reading.relation.sign(),
        "against": reading.against,
        "outcome": reading.outcome.name(),
        "unknown": reading.figure.err().map(UnknownOperand::name),
    })
}
