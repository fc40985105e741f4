//! Loss beside the metric: where the one still falls and the other no longer gets better.

use crate::model::{Run, canonical_metric};

use super::Figure;

/// A loss over the steps of the checkpoints.
#[derive(Debug, Clone, PartialEq)]
pub struct Loss {
    /// Name, as the producer wrote it.
    pub metric: String,
    /// File it was read from.
    pub path: String,
    /// The loss at each checkpoint.
    pub at: Vec<Option<f64>>,
    /// Position of the checkpoint with the lowest loss; the earliest of several.
    pub lowest: usize,
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
pub fn loss(run: &Run, name: Option<&str>, figures: &[Figure], sign: f64) -> Option<Loss> {
    let wanted = canonical_metric(name.unwrap_or("val_loss"));
    let series = run.content.series.iter().find(|one| {
        one.axis == "step" && (canonical_metric(&one.metric) == wanted || name == Some(&one.metric))
    })?;
    let of = |figure: &Figure| {
        let point = series.points.iter().find(|point| point.at == figure.step)?;
        Some(point.value).filter(|value| value.is_finite())
    };
    let at: Vec<Option<f64>> = figures.iter().map(of).collect();
    let mut lowest: Option<(usize, f64)> = None;
    for (position, value) in at.iter().enumerate() {
        if let Some(value) = *value
            && lowest.is_none_or(|(_, least)| value < least)
        {
            lowest = Some((position, value));
        }
    }
    let (lowest, _) = lowest?;
    let parting = parting(&at, figures, sign);
    Some(Loss { metric: series.metric.clone(), path: series.path.to_string(), at, lowest, parting })
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
