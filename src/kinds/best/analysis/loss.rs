//! Loss beside the metric: where the one still falls and the other no longer gets better.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::diag::{Code, Diagnostic, nearest_name};
use crate::model::{Dims, MetricNames, Point, Run, Series};

use super::Figure;
use super::best_question::step_of_checkpoint;

#[derive(Debug, Clone, PartialEq)]
pub struct Loss {
    /// Name, as the producer wrote it.
    pub metric: String,
    pub path: String,
    pub at: Vec<Option<f64>>,
    /// Position of a checkpoint with the lowest loss among the checkpoints: the best one where it
    /// is one of several, else the earliest. `None` where no loss is known at any.
    pub lowest: Option<usize>,
    /// Positions of the others whose loss is as low.
    pub as_low: Vec<usize>,
    /// Step and value of the lowest loss of all, where it is lower than at every checkpoint.
    pub lower: Option<(f64, f64)>,
    /// Where loss and metric part for the first time.
    pub parting: Option<Parting>,
}

/// Two checkpoints in a row between which the loss falls and the metric gets worse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parting {
    /// Position of the first.
    pub from: usize,
    /// Position of the second.
    pub to: usize,
}

/// The loss of that name, else the validation loss, over steps.
pub fn loss(
    run: &Run,
    name: &LossName<'_>,
    figures: &[Figure],
    (best, sign): (usize, f64),
) -> Option<Loss> {
    let decides = |series: &Series| name.names.canonical(&series.metric) == name.decides;
    let mut others = over_steps(run).into_iter().filter(|series| !decides(series));
    let series = others.find(|series| name.is_that_of(series))?;
    let loss_at = |figure: &Figure| {
        let point = series.points.iter().find(|point| point.at == figure.step)?;
        Some(point.value).filter(|value| value.is_finite())
    };
    let at: Vec<Option<f64>> = figures.iter().map(loss_at).collect();
    let least = at.iter().flatten().copied().min_by(f64::total_cmp);
    let mut lows: Vec<usize> = (0..at.len())
        .filter(|position| least.is_some() && at.get(*position).copied().flatten() == least)
        .collect();
    let first = lows.iter().position(|position| *position == best).unwrap_or(0);
    let lowest = (!lows.is_empty()).then(|| lows.remove(first));
    let finite = series.points.iter().filter(|point| point.value.is_finite());
    let all = finite.min_by(|a, b| a.value.total_cmp(&b.value))?;
    let lower = least.is_none_or(|least| all.value < least).then_some((all.at, all.value));
    let parting = parting(&at, figures, sign);
    let (metric, path) = (series.metric.clone(), series.path.to_string());
    Some(Loss { metric, path, at, lowest, as_low: lows, lower, parting })
}

/// The name of the loss that is asked for.
#[derive(Debug, Clone, Copy)]
pub struct LossName<'a> {
    /// `--loss` or `loss` of `[best]`, and which of the two; `None` for the validation loss.
    pub asked: Option<(&'a str, &'static str)>,
    /// Names of metrics.
    pub names: &'a MetricNames,
    /// The metric that decides, which is not set beside itself.
    pub decides: &'a str,
}

impl LossName<'_> {
    fn is_that_of(&self, series: &Series) -> bool {
        let name = self.asked.map_or("val_loss", |(name, _)| name);
        let canonical = self.names.canonical(&series.metric);
        [name, self.names.canonical(name)].into_iter().any(|name| {
            canonical.eq_ignore_ascii_case(name) || series.metric.eq_ignore_ascii_case(name)
        })
    }

    /// The finding for a loss that is asked for and not recorded over steps.
    pub fn missing(&self, run: &Run) -> Option<Diagnostic> {
        let (name, asked_by) = self.asked?;
        let recorded = over_steps(run);
        if recorded.iter().any(|series| self.is_that_of(series)) {
            return None;
        }
        let near = nearest_name(name, recorded.iter().map(|series| series.metric.as_str()));
        Some(
            Diagnostic::new(Code::MetricUnrecorded)
                .with("setting", asked_by)
                .with("metrics", vec![name.to_owned()])
                .with("known", near),
        )
    }
}

/// The metrics over steps: series, and behind them what evaluations of checkpoints state of no
/// dataset, such as `val/loss` in `eval_step_500/metrics.json`.
fn over_steps(run: &Run) -> Vec<Series> {
    let series = run.content.series.iter().filter(|series| series.axis == "step").cloned();
    let mut stated: IndexMap<&str, Vec<Point>> = IndexMap::new();
    let mut paths: IndexMap<&str, &Arc<str>> = IndexMap::new();
    for scalar in run.content.scalars.iter().filter(|scalar| scalar.dataset.is_none()) {
        if let (Some(at), Some(value)) = (step_of_checkpoint(&scalar.dims), scalar.value.value()) {
            paths.entry(&scalar.metric).or_insert(&scalar.source.path);
            let line = scalar.source.line.unwrap_or(0);
            stated.entry(&scalar.metric).or_default().push(Point { at, value, line });
        }
    }
    let stated = stated.into_iter().zip(paths.into_values()).map(|((metric, points), path)| {
        let (metric, axis) = (metric.to_owned(), "step".to_owned());
        Series::new(metric, axis, Dims::none(), points, Arc::clone(path)).0
    });
    series.chain(stated).collect()
}

fn parting(loss: &[Option<f64>], figures: &[Figure], sign: f64) -> Option<Parting> {
    let known: Vec<(usize, f64, f64)> = loss
        .iter()
        .zip(figures)
        .enumerate()
        .filter_map(|(at, (loss, figure))| Some((at, (*loss)?, sign * figure.value?)))
        .collect();
    known.windows(2).find_map(|two| match two {
        [(from, loss, metric), (to, next_loss, next_metric)] => {
            (next_loss < loss && next_metric < metric).then_some(Parting { from: *from, to: *to })
        }
        _ => None,
    })
}
