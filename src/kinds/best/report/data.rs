//! `report.json` of a choice among checkpoints.

use serde_json::{Value, json};

use crate::kinds::best::analysis::{AgainstBest, Choice};
use crate::model::{DimValue, Source};
use crate::report::Sheet;

pub(super) fn best_view(choice: &Choice) -> Value {
    let chosen = choice.chosen();
    let unit = choice.spec.unit.name_of_differences();
    let runner_up = choice
        .runner_up()
        .map(|figure| json!({ "step": step_value(figure.step), "value": figure.value }));
    let optimism = choice.optimism.map(|optimism| {
        json!({
            "amount": optimism.amount,
            "unit": unit,
            "method": if optimism.drawn { "bootstrap" } else { "expected-largest-normal" },
            "checkpoints": optimism.checkpoints,
            "n": optimism.n,
        })
    });
    let recorded = choice.recorded.as_ref().map(|recorded| {
        json!({
            "step": step_value(recorded.step),
            "metric": recorded.metric,
            "model_path": recorded.model_path,
            "source": place(&recorded.source),
        })
    });
    let coverage = choice.coverage.iter().map(|evaluation| {
        json!({
            "tier": evaluation.tier,
            "dataset": evaluation.dataset,
            "step": evaluation.step,
            "state": evaluation.state.name(),
            "n": evaluation.n,
            "planned": evaluation.planned,
        })
    });
    json!({
        "run": choice.run,
        "path": choice.path,
        "metric": choice.question.metric,
        "dataset": choice.question.dataset,
        "direction": choice.spec.direction.name(),
        "unit": choice.spec.unit.name(),
        "axis": choice.axis.name(),
        "level": choice.level,
        "best": {
            "step": step_value(chosen.step),
            "value": chosen.value,
            "n": chosen.n,
            "ci": chosen.ci,
            "ties": steps(choice.ties().map(|figure| figure.step)),
            "runner_up": runner_up,
            "not_separable": steps(choice.not_separable()),
            "not_judged": steps(choice.unjudged()),
            "left_out": steps(choice.left_out()),
            "earliest_fair": step_value(choice.earliest_fair().step),
        },
        "checkpoints": checkpoints(choice, unit),
        "optimism": optimism,
        "loss": loss(choice),
        "recorded": recorded,
        "reached": choice.reached.map(step_value),
        "coverage": coverage.collect::<Value>(),
    })
}

/// A step; whole ones without decimals.
pub(super) fn step_value(step: f64) -> Value {
    json!(DimValue::Number(step))
}

pub(super) fn steps(steps: impl IntoIterator<Item = f64>) -> Value {
    steps.into_iter().map(step_value).collect()
}

fn checkpoints(choice: &Choice, unit: &'static str) -> Value {
    let losses = choice.loss.as_ref();
    let rows = choice.figures.iter().zip(&choice.against).enumerate();
    let rows = rows.map(|(at, (figure, against))| {
        json!({
            "step": step_value(figure.step),
            "value": figure.value,
            "n": figure.n,
            "ci": figure.ci,
            "source": figure.source.as_ref().map(place),
            "difference": against.as_ref().map(|against| difference(against, unit)),
            "loss": losses.and_then(|loss| loss.at.get(at).copied().flatten()),
        })
    });
    rows.collect()
}

/// A checkpoint minus the best one.
fn difference(against: &AgainstBest, unit: &'static str) -> Value {
    json!({
        "absolute": against.delta,
        "unit": unit,
        "ci": against.ci.map(|ci| [ci.lo, ci.hi]),
        "p": against.p,
        "p_adjusted": against.p_adjusted,
        "method": against.method,
        "paired": against.paired,
        "separable": against.separable,
        "reason": against.reason,
    })
}

fn loss(choice: &Choice) -> Option<Value> {
    let loss = choice.loss.as_ref()?;
    let step = |at: usize| choice.figures.get(at).map(|figure| step_value(figure.step));
    let lowest = loss.lowest.and_then(|at| choice.against.get(at));
    let against = lowest.and_then(Option::as_ref);
    Some(json!({
        "metric": loss.metric,
        "path": loss.path,
        "lowest_step": loss.lowest.and_then(step),
        "lower_step": loss.lower.map(|(at, _)| step_value(at)),
        "lower": loss.lower.map(|(_, value)| value),
        "parts_from": loss.parting.and_then(|parting| step(parting.from)),
        "parts_to": loss.parting.and_then(|parting| step(parting.to)),
        "lowest_separable": against.and_then(|against| against.separable),
    }))
}

fn place(source: &Source) -> Value {
    json!({ "path": source.path.to_string(), "line": source.line, "key": source.key })
}

/// One row for each checkpoint of the data of a report.
pub(super) fn best_sheet(data: &Value) -> Sheet {
    let heads = [
        "step",
        "value",
        "n",
        "ci_lo",
        "ci_hi",
        "delta",
        "delta_lo",
        "delta_hi",
        "p_adjusted",
        "separable",
        "loss",
    ];
    let rows = data["checkpoints"].as_array().into_iter().flatten().map(|row| {
        let difference = &row["difference"];
        json!([
            row["step"],
            row["value"],
            row["n"],
            row["ci"][0],
            row["ci"][1],
            difference["absolute"],
            difference["ci"][0],
            difference["ci"][1],
            difference["p_adjusted"],
            difference["separable"],
            row["loss"],
        ])
    });
    Sheet::new(&heads, rows)
}
