//! The checkpoints of a run as runs of their own, and the figure of each.

use crate::group::{ArmPair, Grouping, Side, Which};
use crate::model::{Dims, Fragment, MetricSpec, Run};
use crate::stats::distribution::normal_two_sided;
use crate::stats::{Counts, Moments, mean_interval, wilson, wilson_share};

use super::Figure;
use super::question::{Question, step};

/// One checkpoint with what was evaluated of it.
#[derive(Debug)]
pub struct Checkpoint {
    /// Its step.
    pub step: f64,
    /// A run that holds the evaluation of this step on the dataset of the question, and nothing
    /// else.
    pub run: Run,
}

/// The checkpoints in the order of steps. An evaluation without a step in a directory such as
/// `eval_final` is that of `end`.
pub fn checkpoints(run: &Run, question: &Question, end: Option<f64>) -> Vec<Checkpoint> {
    let at = |dims: &Dims, path: &str| step(dims).or_else(|| end.filter(|_| is_final(path)));
    let same = |dataset: &Option<String>, dims: &Dims| {
        let alike = match (dataset, &question.dataset) {
            (Some(a), Some(b)) => a.eq_ignore_ascii_case(b),
            (a, b) => a.is_none() && b.is_none(),
        };
        alike && dims.without("step") == question.dims
    };
    let scalars = run
        .content
        .scalars
        .iter()
        .filter(|one| same(&one.dataset, &one.dims) && one.metric == question.metric);
    let samples = run.content.samples.iter().filter(|one| same(&one.dataset, &one.dims));
    let mut steps: Vec<f64> =
        scalars.clone().filter_map(|one| at(&one.dims, &one.source.path)).collect();
    steps.extend(samples.clone().filter_map(|one| at(&one.dims, &one.path)));
    steps.sort_by(f64::total_cmp);
    steps.dedup();
    let checkpoint = |step: &f64| {
        let mut content = Fragment {
            specs: run.content.specs.clone(),
            planned: run.content.planned.clone(),
            versions: run.content.versions.clone(),
            ..Fragment::default()
        };
        for one in scalars.clone().filter(|one| at(&one.dims, &one.source.path) == Some(*step)) {
            let mut one = one.clone();
            one.dims = one.dims.without("step");
            content.scalars.push(one);
        }
        for one in samples.clone().filter(|one| at(&one.dims, &one.path) == Some(*step)) {
            let mut one = one.clone();
            one.dims = one.dims.without("step");
            content.samples.push(one);
        }
        let id = format!("step {step}");
        let place = format!("{} {id}", run.place);
        let run = Run {
            name: id.clone(),
            id,
            place,
            path: run.path.clone(),
            status: run.status,
            files: Vec::new(),
            data_files: Vec::new(),
            asked: run.asked.clone(),
            content,
        };
        Checkpoint { step: *step, run }
    };
    steps.iter().map(checkpoint).collect()
}

/// Whether a path lies in the directory of the evaluation at the end.
pub(super) fn is_final(path: &str) -> bool {
    let mut folders = path.split('/').rev().skip(1);
    folders.any(|folder| matches!(folder.to_ascii_lowercase().as_str(), "eval_final" | "final"))
}

/// The cell of the question.
fn own_cell<'p, 'a>(
    pair: &'p ArmPair<'a>,
    question: &Question,
) -> Option<&'p crate::group::Cell<'a>> {
    pair.cells.iter().find(|cell| cell.key.metric == question.metric)
}

/// The figure of every checkpoint, and the meaning of the metric. `pairs` set each checkpoint
/// against the first.
pub fn figures(
    pairs: &[ArmPair<'_>],
    steps: &[f64],
    question: &Question,
    level: f64,
) -> Option<(Vec<Figure>, MetricSpec)> {
    let first = pairs.first().and_then(|pair| own_cell(pair, question))?;
    let spec = first.spec.clone();
    let mut sides: Vec<Option<(&Side<'_>, &MetricSpec)>> =
        vec![Some((first.side(Which::Baseline), &first.spec))];
    if steps.len() > 1 {
        sides.extend(pairs.iter().map(|pair| {
            let cell = own_cell(pair, question)?;
            Some((cell.side(Which::Candidate), &cell.spec))
        }));
    }
    let figure = |(step, side): (&f64, Option<(&Side<'_>, &MetricSpec)>)| Figure {
        step: *step,
        value: side.and_then(|(side, _)| side.value().value()),
        n: side.and_then(|(side, _)| side.n()),
        ci: side.and_then(|(side, spec)| interval(side, spec, level)),
        source: side.and_then(|(side, _)| side.source(&question.metric)),
    };
    Some((steps.iter().zip(sides).map(figure).collect(), spec))
}

/// The interval of one figure, in the metric's unit: Wilson's for rates, Student's t for other
/// scores, the stated standard error where that is all there is.
fn interval(side: &Side<'_>, spec: &MetricSpec, level: f64) -> Option<[f64; 2]> {
    if let Some(samples) = side.samples.as_ref().filter(|samples| samples.scored > 0) {
        if let Some(right) = samples.right_count() {
            let whole = spec.unit.whole().unwrap_or(1.0);
            let found = wilson(Counts::new(right, samples.scored)?, level);
            return Some([found.lo * whole, found.hi * whole]);
        }
        let mut moments = Moments::default();
        samples.scores().for_each(|score| moments.add(score));
        let found = mean_interval(moments, level)?;
        let (lo, hi) = spec.bounds.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        return Some([found.lo.max(lo), found.hi.min(hi)]);
    }
    let stated = side.stated?;
    let value = stated.value().value()?;
    if let Some((n, whole)) = stated.n.filter(|n| *n > 0).zip(spec.unit.whole()) {
        let found = wilson_share((value / whole).clamp(0.0, 1.0), n, level);
        return Some([found.lo * whole, found.hi * whole]);
    }
    let half = normal_two_sided(level) * stated.stderr()?;
    Some([value - half, value + half])
}

/// The position of the best figure: the earliest of several.
pub fn leader(figures: &[Figure], sign: f64) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (position, figure) in figures.iter().enumerate() {
        if let Some(value) = figure.value.map(|value| sign * value)
            && best.is_none_or(|(_, most)| value > most)
        {
            best = Some((position, value));
        }
    }
    best.map(|(position, _)| position)
}

/// Leaves only the cells of the question, so that the tests over them are one family.
pub fn narrow(grouping: &mut Grouping<'_>, question: &Question) {
    for pair in &mut grouping.pairs {
        pair.cells.retain(|cell| cell.key.metric == question.metric);
    }
}

/// The figures of the question's dataset at every step, whatever the metric: step, metric, value as
/// written.
pub fn beside(run: &Run, question: &Question) -> Vec<(f64, String, f64)> {
    let own =
        run.content.scalars.iter().filter(|one| {
            one.dataset == question.dataset && one.dims.without("step") == question.dims
        });
    let found =
        own.filter_map(|one| Some((step(&one.dims)?, one.metric.clone(), one.value.value()?)));
    found.collect()
}
