//! The checkpoints of a run as runs of their own, and the figure of each.

use std::collections::BTreeSet;

use crate::collect::directory_of;
use crate::model::{Config, Dims, Fragment, MetricSpec, Run, RunEnding, Scalar, Source};
use crate::pairing::{ArmPair, CellPair, PairArm, PairSide, PairedArms};
use crate::stats::distribution::normal_two_sided;
use crate::stats::{Counts, Moments, mean_interval, wilson, wilson_share};

use super::Figure;
use super::best_question::{Question, step_of_checkpoint};

/// One checkpoint with what was evaluated of it.
#[derive(Debug)]
pub struct Checkpoint {
    /// Step of the training at which it was saved.
    pub step: f64,
    /// A run that holds the evaluation of this step on the dataset of the question, and nothing
    /// else.
    pub run: Run,
}

/// The checkpoints in the order of steps. An evaluation without a step in a directory such as
/// `eval_final` is that of `end`.
pub fn checkpoints(run: &Run, question: &Question, end: Option<f64>) -> Vec<Checkpoint> {
    let at = |dims: &Dims, path: &str| {
        step_of_checkpoint(dims).or_else(|| end.filter(|_| is_final_evaluation(path)))
    };
    let same = |dataset: &Option<String>, dims: &Dims| is_asked(question, dataset.as_deref(), dims);
    let scalars =
        run.content.scalars.iter().filter(|scalar| {
            same(&scalar.dataset, &scalar.dims) && scalar.metric == question.metric
        });
    let samples = run.content.samples.iter().filter(|table| same(&table.dataset, &table.dims));
    let mut steps: Vec<f64> =
        scalars.clone().filter_map(|scalar| at(&scalar.dims, &scalar.source.path)).collect();
    steps.extend(samples.clone().filter_map(|table| at(&table.dims, &table.path)));
    steps.sort_by(f64::total_cmp);
    steps.dedup();
    let checkpoint = |step: &f64| {
        let mut content = Fragment {
            specs: run.content.specs.clone(),
            planned: run.content.planned.clone(),
            versions: run.content.versions.clone(),
            ..Fragment::default()
        };
        for scalar in scalars.clone() {
            if at(&scalar.dims, &scalar.source.path) == Some(*step) {
                let dims = scalar.dims.without("step");
                content.scalars.push(Scalar { dims, ..scalar.clone() });
            }
        }
        for table in samples.clone().filter(|table| at(&table.dims, &table.path) == Some(*step)) {
            let mut table = table.clone();
            table.dims = table.dims.without("step");
            content.samples.push(table);
        }
        (content.config, content.endings) = beside_figures(&content, &run.content);
        let id = format!("step {step}");
        let place = format!("{} {id}", run.place);
        let run = Run {
            name: id.clone(),
            id,
            place,
            path: run.path.clone(),
            input: run.input,
            labels: run.labels.clone(),
            member: None,
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

/// The settings and ends of the evaluation whose figures a fragment has: those of the run, with what lies in
/// the directories of the figures in place of what other files say.
fn beside_figures(own: &Fragment, whole: &Fragment) -> (Config, Vec<RunEnding>) {
    let scalars = own.scalars.iter().map(|scalar| &*scalar.source.path);
    let paths = scalars.chain(own.samples.iter().map(|table| &*table.path));
    let directories: BTreeSet<&str> = paths.map(directory_of).collect();
    let is_own = |source: &Source| directories.contains(directory_of(&source.path));
    let mut config = whole.config.preferring(|entry, _| is_own(&entry.source));
    config.retain(|key| !key.contains('#'));
    let endings = whole.endings.iter().filter(|end| is_own(&end.source)).cloned().collect();
    (config, endings)
}

fn is_asked(question: &Question, dataset: Option<&str>, dims: &Dims) -> bool {
    let alike = match (dataset, question.dataset.as_deref()) {
        (Some(a), Some(b)) => a.eq_ignore_ascii_case(b),
        (a, b) => a.is_none() && b.is_none(),
    };
    alike && dims.without("step") == question.dims
}

/// A figure as a file has it: the stated one, or the mean of its samples.
pub(super) struct Written<'a> {
    pub(super) step: Option<f64>,
    pub(super) path: &'a str,
    pub(super) value: f64,
}

/// Every figure of the question, with a step or without.
pub(super) fn written_figures<'a>(run: &'a Run, question: &Question) -> Vec<Written<'a>> {
    let asked =
        |dataset: &Option<String>, dims: &Dims| is_asked(question, dataset.as_deref(), dims);
    let content = &run.content;
    let scalars = content.scalars.iter().filter(|scalar| scalar.metric == question.metric);
    let scalars =
        scalars.filter(|scalar| asked(&scalar.dataset, &scalar.dims)).filter_map(|scalar| {
            let value = scalar.value.value()?;
            Some(Written {
                step: step_of_checkpoint(&scalar.dims),
                path: &scalar.source.path,
                value,
            })
        });
    let samples = content.samples.iter().filter(|table| asked(&table.dataset, &table.dims));
    let samples = samples.filter_map(|table| {
        let mut columns = table.columns().iter();
        let (_, column) = columns.find(|(name, _)| *name == question.metric)?;
        let mut moments = Moments::default();
        (0..table.len()).filter_map(|row| column.get(row)).for_each(|score| moments.add(score));
        (moments.n > 0).then(|| Written {
            step: step_of_checkpoint(&table.dims),
            path: &table.path,
            value: moments.mean,
        })
    });
    scalars.chain(samples).collect()
}

/// Whether a path lies in the directory of the evaluation at the end.
pub(super) fn is_final_evaluation(path: &str) -> bool {
    let mut folders = path.split('/').rev().skip(1);
    folders.any(|folder| matches!(folder.to_ascii_lowercase().as_str(), "eval_final" | "final"))
}

fn decisive_cell<'p, 'a>(pair: &'p ArmPair<'a>, question: &Question) -> Option<&'p CellPair<'a>> {
    pair.cells.iter().find(|cell| cell.key.metric == question.metric)
}

/// The figure of every checkpoint, and the meaning of the metric. `pairs` set each checkpoint
/// against the first.
pub fn checkpoint_figures(
    pairs: &[ArmPair<'_>],
    steps: &[f64],
    question: &Question,
    level: f64,
) -> Option<(Vec<Figure>, MetricSpec)> {
    let cells: Vec<Option<&CellPair<'_>>> =
        pairs.iter().map(|pair| decisive_cell(pair, question)).collect();
    let spec = cells.iter().flatten().next()?.spec.clone();
    let first =
        cells.iter().flatten().next().map(|cell| (cell.side(PairArm::Baseline), &cell.spec));
    let mut sides: Vec<Option<(&PairSide<'_>, &MetricSpec)>> = vec![first];
    if steps.len() > 1 {
        let candidates = cells.iter();
        sides.extend(candidates.map(|cell| cell.map(|it| (it.side(PairArm::Candidate), &it.spec))));
    }
    let figure = |(step, side): (&f64, Option<(&PairSide<'_>, &MetricSpec)>)| {
        let n = side.and_then(|(side, _)| side.n());
        // A figure over no samples is none.
        let side = side.filter(|(side, _)| side.n() != Some(0));
        Figure {
            step: *step,
            value: side.and_then(|(side, _)| side.value().value()),
            n,
            ci: side.and_then(|(side, spec)| interval(side, spec, level)),
            is_fragment: false,
            source: side.and_then(|(side, _)| side.source(&question.metric)),
        }
    };
    Some((steps.iter().zip(sides).map(figure).collect(), spec))
}

/// Marks the figures that cover less than half of the samples of the usual checkpoint (the upper
/// median) or of what was planned: an evaluation that died, or a trial of it.
pub fn mark_fragments(figures: &mut [Figure], planned: Option<u64>) {
    let known = figures.iter().filter(|figure| figure.value.is_some());
    let mut sizes: Vec<u64> = known.filter_map(|figure| figure.n).collect();
    sizes.sort_unstable();
    let usual = sizes.get(sizes.len() / 2).copied().max(planned);
    for figure in figures {
        figure.is_fragment = figure.n.zip(usual).is_some_and(|(n, usual)| n < usual.div_ceil(2));
    }
}

/// The interval of one figure, in the metric's unit: Wilson's for rates, Student's t for other
/// scores, the stated standard error where that is all there is.
fn interval(side: &PairSide<'_>, spec: &MetricSpec, level: f64) -> Option<[f64; 2]> {
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
    let whole = spec.unit.whole().filter(|_| !spec.pooled);
    if let Some((n, whole)) = stated.n.filter(|n| *n > 0).zip(whole) {
        let found = wilson_share((value / whole).clamp(0.0, 1.0), n, level);
        return Some([found.lo * whole, found.hi * whole]);
    }
    let half = normal_two_sided(level) * stated.stderr()?;
    Some([value - half, value + half])
}

/// The position of the best figure: the earliest of several. Fragments are chosen only where
/// nothing else has a figure.
pub fn best_checkpoint(figures: &[Figure], sign: f64) -> Option<usize> {
    let has_whole = figures.iter().any(|figure| figure.value.is_some() && !figure.is_fragment);
    let candidates = figures.iter().filter(|figure| !(figure.is_fragment && has_whole));
    let best = best_of(candidates, sign)?;
    figures.iter().position(|figure| std::ptr::eq(figure, best))
}

/// The best figure, the earliest of several.
pub(super) fn best_of<'f>(
    figures: impl Iterator<Item = &'f Figure>,
    sign: f64,
) -> Option<&'f Figure> {
    let known = figures.filter_map(|figure| Some((figure, sign * figure.value?)));
    let best = known.reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.map(|(figure, _)| figure)
}

/// Leaves only the cells of the question, so that the tests over them are one family.
pub fn narrow_to_question(paired_arms: &mut PairedArms<'_>, question: &Question) {
    for pair in &mut paired_arms.pairs {
        pair.leads.cells.retain(|cell| cell.key.metric == question.metric);
    }
}

/// The figures of the question's dataset at every step, whatever the metric: step, metric, value as
/// written.
pub fn figures_at_steps(run: &Run, question: &Question) -> Vec<(f64, String, f64)> {
    let scalars = run.content.scalars.iter().filter(|scalar| {
        scalar.dataset == question.dataset && scalar.dims.without("step") == question.dims
    });
    let figures = scalars.filter_map(|scalar| {
        Some((step_of_checkpoint(&scalar.dims)?, scalar.metric.clone(), scalar.value.value()?))
    });
    figures.collect()
}
