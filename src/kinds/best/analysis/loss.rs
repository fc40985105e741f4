//! Loss beside the metric: where the one still falls and the other no longer gets better.

use crate::model::{MetricNames, Run};

use super::Figure;

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
    (name, names): (Option<&str>, &MetricNames),
    figures: &[Figure],
    (best, sign): (usize, f64),
) -> Option<Loss> {
    let wanted = names.canonical(name.unwrap_or("val_loss"));
    let series = run.content.series.iter().find(|one| {
        one.axis == "step" && (names.canonical(&one.metric) == wanted || name == Some(&one.metric))
    })?;
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
