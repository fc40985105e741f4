//! `report.json` of a choice among checkpoints.

use serde::Serialize;

use crate::kinds::best::analysis::{Against, Figure, Found};
use crate::model::{DimValue, Source};

/// The data of a report.
#[derive(Debug, Clone, Serialize)]
pub(super) struct BestView {
    run: String,
    path: String,
    metric: String,
    dataset: Option<String>,
    direction: &'static str,
    unit: &'static str,
    level: f64,
    best: ChoiceView,
    pub(super) checkpoints: Vec<CheckpointView>,
    optimism: Option<OptimismView>,
    loss: Option<LossView>,
    recorded: Option<RecordedView>,
    reached: Option<DimValue>,
    coverage: Vec<EvaluationView>,
}

#[derive(Debug, Clone, Serialize)]
struct ChoiceView {
    step: DimValue,
    value: Option<f64>,
    n: Option<u64>,
    ci: Option<[f64; 2]>,
    ties: Vec<DimValue>,
    runner_up: Option<RunnerUpView>,
    not_separable: Vec<DimValue>,
    not_judged: Vec<DimValue>,
    left_out: Vec<DimValue>,
    earliest_fair: DimValue,
}

#[derive(Debug, Clone, Serialize)]
struct RunnerUpView {
    step: DimValue,
    value: Option<f64>,
}

/// One checkpoint.
#[derive(Debug, Clone, Serialize)]
pub(super) struct CheckpointView {
    pub(super) step: DimValue,
    pub(super) value: Option<f64>,
    pub(super) n: Option<u64>,
    pub(super) ci: Option<[f64; 2]>,
    source: Option<PlaceView>,
    pub(super) difference: Option<DifferenceView>,
    pub(super) loss: Option<f64>,
}

/// A checkpoint minus the best one.
#[derive(Debug, Clone, Serialize)]
pub(super) struct DifferenceView {
    pub(super) absolute: Option<f64>,
    unit: &'static str,
    pub(super) ci: Option<[f64; 2]>,
    p: Option<f64>,
    pub(super) p_adjusted: Option<f64>,
    method: Option<&'static str>,
    paired: Option<u64>,
    pub(super) separable: Option<bool>,
    reason: Option<&'static str>,
}

#[derive(Debug, Clone, Serialize)]
struct PlaceView {
    path: String,
    line: Option<u64>,
    key: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
struct OptimismView {
    amount: f64,
    unit: &'static str,
    method: &'static str,
    checkpoints: usize,
    n: u64,
}

#[derive(Debug, Clone, Serialize)]
struct LossView {
    metric: String,
    path: String,
    lowest_step: Option<DimValue>,
    lower_step: Option<DimValue>,
    lower: Option<f64>,
    parts_from: Option<DimValue>,
    parts_to: Option<DimValue>,
    lowest_separable: Option<bool>,
}

#[derive(Debug, Clone, Serialize)]
struct RecordedView {
    step: DimValue,
    metric: Option<String>,
    model_path: Option<String>,
    source: PlaceView,
}

#[derive(Debug, Clone, Serialize)]
struct EvaluationView {
    tier: String,
    dataset: String,
    step: u64,
    state: &'static str,
    n: Option<u64>,
    planned: Option<u64>,
}

/// The data of a choice.
pub(super) fn view(found: &Found) -> BestView {
    let chosen = found.chosen();
    let unit = found.spec.unit.name_of_differences();
    let not_separable = found.not_separable();
    let optimism = found.optimism.map(|one| OptimismView {
        amount: one.amount,
        unit,
        method: if one.drawn { "bootstrap" } else { "expected-largest-normal" },
        checkpoints: one.checkpoints,
        n: one.n,
    });
    BestView {
        run: found.run.clone(),
        path: found.path.clone(),
        metric: found.question.metric.clone(),
        dataset: found.question.dataset.clone(),
        direction: found.spec.direction.name(),
        unit: found.spec.unit.name(),
        level: found.level,
        best: ChoiceView {
            step: whole(chosen.step),
            value: chosen.value,
            n: chosen.n,
            ci: chosen.ci,
            ties: found.ties().map(|one| whole(one.step)).collect(),
            runner_up: found
                .runner_up()
                .map(|one| RunnerUpView { step: whole(one.step), value: one.value }),
            not_separable: not_separable.into_iter().map(whole).collect(),
            not_judged: found.unjudged().into_iter().map(whole).collect(),
            left_out: found.left_out().into_iter().map(whole).collect(),
            earliest_fair: whole(found.earliest_fair().step),
        },
        checkpoints: checkpoints(found, unit),
        optimism,
        loss: loss(found),
        recorded: found.recorded.as_ref().map(|one| RecordedView {
            step: whole(one.step),
            metric: one.metric.clone(),
            model_path: one.model_path.clone(),
            source: place(&one.source),
        }),
        reached: found.reached.map(whole),
        coverage: evaluations(found),
    }
}

/// A step; whole ones without decimals.
fn whole(step: f64) -> DimValue {
    DimValue::Number(step)
}

fn checkpoints(found: &Found, unit: &'static str) -> Vec<CheckpointView> {
    let losses = found.loss.as_ref();
    let one = |(at, (one, against)): (usize, (&Figure, &Option<Against>))| CheckpointView {
        step: whole(one.step),
        value: one.value,
        n: one.n,
        ci: one.ci,
        source: one.source.as_ref().map(place),
        difference: against.as_ref().map(|against| difference(against, unit)),
        loss: losses.and_then(|loss| loss.at.get(at).copied().flatten()),
    };
    found.figures.iter().zip(&found.against).enumerate().map(one).collect()
}

fn difference(one: &Against, unit: &'static str) -> DifferenceView {
    DifferenceView {
        absolute: one.delta,
        unit,
        ci: one.ci.map(|ci| [ci.lo, ci.hi]),
        p: one.p,
        p_adjusted: one.p_adjusted,
        method: one.method,
        paired: one.paired,
        separable: one.separable,
        reason: one.reason,
    }
}

fn loss(found: &Found) -> Option<LossView> {
    let loss = found.loss.as_ref()?;
    let step = |at: usize| found.figures.get(at).map(|one| whole(one.step));
    let lowest = loss.lowest.and_then(|at| found.against.get(at));
    let against = lowest.and_then(Option::as_ref);
    Some(LossView {
        metric: loss.metric.clone(),
        path: loss.path.clone(),
        lowest_step: loss.lowest.and_then(step),
        lower_step: loss.lower.map(|(at, _)| whole(at)),
        lower: loss.lower.map(|(_, value)| value),
        parts_from: loss.parting.and_then(|parting| step(parting.from)),
        parts_to: loss.parting.and_then(|parting| step(parting.to)),
        lowest_separable: against.and_then(|one| one.separable),
    })
}

fn evaluations(found: &Found) -> Vec<EvaluationView> {
    let one = |one: &crate::kinds::best::analysis::Evaluation| EvaluationView {
        tier: one.tier.clone(),
        dataset: one.dataset.clone(),
        step: one.step,
        state: one.state.name(),
        n: one.n,
        planned: one.planned,
    };
    found.coverage.iter().map(one).collect()
}

fn place(source: &Source) -> PlaceView {
    PlaceView { path: source.path.to_string(), line: source.line, key: source.key.clone() }
}
