//! The data of the report of `metrics`.

use serde_json::{Map, Value, json};

use crate::kinds::metrics::analysis::{Dataset, Evaluation, Figure, LEVEL};
use crate::report::{Sheet, json_object};

pub(super) fn metrics_view(evaluation: &Evaluation) -> Map<String, Value> {
    json_object(&json!({
        "files": evaluation.files,
        "level": LEVEL,
        "seed": evaluation.seed,
        "datasets": evaluation.datasets.iter().map(dataset).collect::<Value>(),
    }))
}

fn dataset(dataset: &Dataset) -> Value {
    let kinds = dataset.kinds.iter().map(|(kind, count)| (kind.clone(), json!(count)));
    json!({
        "dataset": dataset.name,
        "n": dataset.records,
        "problems": dataset.problems,
        "step": dataset.step,
        "error_distribution": kinds.collect::<Map<String, Value>>(),
        "metrics": dataset.figures.iter().map(figure).collect::<Value>(),
        "quantiles": dataset.spreads.iter().map(figure).collect::<Value>(),
        "qa": qa_view(dataset),
    })
}

pub(super) fn qa_view(dataset: &Dataset) -> Value {
    let drawn = &dataset.drawn;
    let strata = drawn.strata.iter().map(|stratum| {
        json!({
            "stratum": stratum.kind,
            "quota": stratum.quota,
            "available": stratum.available,
            "taken": stratum.taken,
        })
    });
    json!({
        "available": dataset.records,
        "taken": dataset.log.len(),
        "quota": {
            "per_type": drawn.quota.per_type,
            "random": drawn.quota.random,
            "total": drawn.quota.total,
        },
        "strata": strata.collect::<Value>(),
        "random": drawn.random,
        "too_long": drawn.too_long,
    })
}

fn figure(figure: &Figure) -> Value {
    json!({
        "metric": figure.metric,
        "unit": figure.unit.name(),
        "value": figure.value,
        "count": figure.count,
        "n": figure.n,
        "ci": figure.interval.map(|found| [found.lo, found.hi]),
        "method": figure.method,
    })
}

/// One row for each figure.
pub(super) fn metrics_sheet(evaluation: &Evaluation) -> Sheet {
    let heads = ["dataset", "metric", "unit", "value", "count", "n", "ci_lo", "ci_hi", "method"];
    let rows = evaluation.datasets.iter().flat_map(|dataset| {
        dataset.figures.iter().chain(&dataset.spreads).map(move |figure| {
            json!([
                dataset.name,
                figure.metric,
                figure.unit.name(),
                figure.value,
                figure.count,
                figure.n,
                figure.interval.map(|found| found.lo),
                figure.interval.map(|found| found.hi),
                figure.method,
            ])
        })
    });
    Sheet::new(&heads, rows)
}
