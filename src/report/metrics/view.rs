//! The data of the report of `metrics`.

use indexmap::IndexMap;
use serde::Serialize;

use crate::diag::{Code, Diagnostic, Fact, Location, Severity};
use crate::metrics::{Dataset, Evaluation, Figure, LEVEL};
use crate::report::kind::Sheet;
use crate::text::Catalogue;

/// The whole report.
#[derive(Debug, Clone, Serialize)]
pub(super) struct MetricsView {
    /// Paths as given.
    files: Vec<String>,
    /// Level of the intervals.
    level: f64,
    /// Seed of the draw.
    seed: u64,
    /// By name.
    datasets: Vec<DatasetView>,
    /// What to know of them.
    findings: Vec<FindingView>,
}

#[derive(Debug, Clone, Serialize)]
struct DatasetView {
    dataset: String,
    /// Records.
    n: u64,
    /// Distinct problems.
    problems: Option<u64>,
    step: Option<f64>,
    /// Records by how they ended.
    error_distribution: IndexMap<String, u64>,
    metrics: Vec<FigureView>,
    /// For reading only.
    quantiles: Vec<FigureView>,
    qa: QaView,
}

#[derive(Debug, Clone, Serialize)]
struct FigureView {
    metric: String,
    unit: &'static str,
    value: Option<f64>,
    count: Option<u64>,
    n: u64,
    ci: Option<[f64; 2]>,
    /// How the interval was made, or why there is none.
    method: &'static str,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct QaView {
    /// Records there are.
    available: u64,
    /// Records drawn.
    taken: u64,
    quota: QuotaView,
    strata: Vec<StratumView>,
    /// Drawn from what was left.
    random: u64,
    /// Not drawn, because they are longer than 1 MiB.
    too_long: u64,
}

#[derive(Debug, Clone, Serialize)]
struct QuotaView {
    per_type: u64,
    random: u64,
    total: u64,
}

#[derive(Debug, Clone, Serialize)]
struct StratumView {
    stratum: String,
    quota: u64,
    available: u64,
    taken: u64,
}

#[derive(Debug, Clone, Serialize)]
struct FindingView {
    code: Code,
    severity: Severity,
    dataset: Option<String>,
    message: String,
    help: Option<String>,
    location: Option<Location>,
    evidence: IndexMap<&'static str, Fact>,
}

impl MetricsView {
    pub(super) fn of(evaluation: &Evaluation, findings: &[Diagnostic]) -> Self {
        let english = Catalogue::english();
        let finding = |one: &Diagnostic| FindingView {
            code: one.code,
            severity: one.severity,
            dataset: one.subject.dataset.clone(),
            message: english.message(one),
            help: english.help(one),
            location: one.location.clone(),
            evidence: one.evidence.clone(),
        };
        Self {
            files: evaluation.files.clone(),
            level: LEVEL,
            seed: evaluation.seed,
            datasets: evaluation.datasets.iter().map(dataset).collect(),
            findings: findings.iter().map(finding).collect(),
        }
    }
}

fn dataset(one: &Dataset) -> DatasetView {
    DatasetView {
        dataset: one.name.clone(),
        n: one.records,
        problems: one.problems,
        step: one.step,
        error_distribution: one.kinds.iter().cloned().collect(),
        metrics: one.figures.iter().map(figure).collect(),
        quantiles: one.spreads.iter().map(figure).collect(),
        qa: qa(one),
    }
}

pub(super) fn qa(one: &Dataset) -> QaView {
    let drawn = &one.drawn;
    let stratum = |stratum: &crate::metrics::Stratum| StratumView {
        stratum: stratum.kind.clone(),
        quota: stratum.quota,
        available: stratum.available,
        taken: stratum.taken,
    };
    QaView {
        available: one.records,
        taken: one.log.len() as u64,
        quota: QuotaView {
            per_type: drawn.quota.per_type,
            random: drawn.quota.random,
            total: drawn.quota.total,
        },
        strata: drawn.strata.iter().map(stratum).collect(),
        random: drawn.random,
        too_long: drawn.too_long,
    }
}

fn figure(one: &Figure) -> FigureView {
    FigureView {
        metric: one.metric.clone(),
        unit: one.unit.name(),
        value: one.value,
        count: one.count,
        n: one.n,
        ci: one.interval.map(|found| [found.lo, found.hi]),
        method: one.method,
    }
}

/// One row for each figure.
pub(super) fn sheet(evaluation: &Evaluation) -> Sheet {
    let heads = ["dataset", "metric", "unit", "value", "count", "n", "ci_lo", "ci_hi", "method"];
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let row = |dataset: &Dataset, one: &Figure| {
        vec![
            dataset.name.clone(),
            one.metric.clone(),
            one.unit.name().to_owned(),
            number(one.value),
            one.count.map(|count| count.to_string()).unwrap_or_default(),
            one.n.to_string(),
            number(one.interval.map(|found| found.lo)),
            number(one.interval.map(|found| found.hi)),
            one.method.to_owned(),
        ]
    };
    let rows = evaluation.datasets.iter();
    let rows = rows.flat_map(|dataset| {
        dataset.figures.iter().chain(&dataset.spreads).map(move |one| row(dataset, one))
    });
    Sheet { heads: heads.map(str::to_owned).into(), rows: rows.collect() }
}
