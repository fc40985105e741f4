//! Standard deviations that may not be of the samples: those of seeds or runs are far smaller, and
//! no name says which they are.

use super::super::document::{Node, Value};
use crate::diag::{Code, Diagnostic};
use crate::model::{Fragment, MetricNames, Scalar};
use crate::quantity::{Quantity, Unit};

/// Names under which a file says how many runs its figures are over, or which.
const RUNS: [&str; 14] = [
    "num_seeds",
    "n_seeds",
    "seeds",
    "num_runs",
    "n_runs",
    "num_trials",
    "n_trials",
    "trials",
    "num_repeats",
    "n_repeats",
    "repeats",
    "num_repetitions",
    "n_repetitions",
    "repetitions",
];

/// Takes away what was made of standard deviations where the file says that its figures are over
/// several runs: they are of these then, and the size beside them is not theirs.
pub(super) fn drop_those_of_runs(root: &Node, fragment: &mut Fragment) {
    if says_runs(root) {
        let of_runs = fragment.scalars.iter_mut().filter(|scalar| scalar.deviation.is_some());
        of_runs.for_each(|scalar| (scalar.stderr, scalar.deviation) = (None, None));
    }
}

fn says_runs(node: &Node) -> bool {
    let several = |node: &Node| match &node.value {
        Value::List(list) => list.len() > 1,
        _ => node.count().is_some_and(|count| count > 1),
    };
    node.entries()
        .any(|(key, inner)| (RUNS.contains(&key.as_str()) && several(inner)) || says_runs(inner))
}

/// Part of the mean, or of the largest spread that scores of a rate can have, below which a standard
/// deviation is hardly one of samples.
const NARROW: f64 = 0.1;
/// Fewer may be the runs themselves.
const FEWEST_SAMPLES: u64 = 20;

/// The finding about standard deviations that are narrow for the samples that they are read as of.
pub(super) fn narrow(fragment: &Fragment, names: &MetricNames) -> Option<Diagnostic> {
    let narrow: Vec<(&Scalar, f64, f64)> = fragment
        .scalars
        .iter()
        .filter(|scalar| scalar.n.is_some_and(|n| n >= FEWEST_SAMPLES))
        .filter_map(|scalar| Some((scalar, scalar.value.value()?, scalar.deviation?)))
        .filter(|(scalar, value, deviation)| {
            let unit = scalar.unit.or_else(|| names.get(&scalar.metric).map(|spec| spec.unit));
            let largest = unit
                .and_then(Unit::whole)
                .map_or(value.abs(), |whole| (value * (whole - value)).max(0.0).sqrt());
            *deviation < NARROW * largest
        })
        .collect();
    let &(first, value, deviation) = narrow.first()?;
    Some(
        Diagnostic::new(Code::DeviationNarrow)
            .metric(&first.metric)
            .dataset(first.dataset.as_deref())
            .with("metric", first.metric.as_str())
            .with("count", narrow.len())
            .with("deviation", Quantity::Computed(deviation))
            .with("value", Quantity::Computed(value))
            .with("n", first.n.unwrap_or_default())
            .at(first.source.location()),
    )
}
