//! Scores of runs on tasks.

use super::{Fields, Inputs, Recompute, affordable, columns, number};
use crate::stats::resampling::tasks::{
    interquartile_mean, mean_of_tasks, median_of_tasks, optimality_gap, probability_of_improvement,
};

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] = &[("rliable_aggregates", aggregates)];

fn aggregates(inputs: &Inputs) -> Option<Fields> {
    let (x, y) = (columns(inputs, "x")?, columns(inputs, "y")?);
    let pairs = |(x, y): (&Vec<f64>, &Vec<f64>)| x.len() as f64 * y.len() as f64;
    affordable(x.iter().zip(&y).map(pairs).sum())?;
    let gamma = number(inputs, "gamma").unwrap_or(1.0);
    let improvement = |first: &[Vec<f64>], second: &[Vec<f64>]| {
        vec![probability_of_improvement(first, second).unwrap_or(f64::NAN)]
    };
    Some(vec![
        ("iqm_x", vec![interquartile_mean(&x)]),
        ("iqm_y", vec![interquartile_mean(&y)]),
        ("mean_x", vec![mean_of_tasks(&x)]),
        ("mean_y", vec![mean_of_tasks(&y)]),
        ("median_x", vec![median_of_tasks(&x)]),
        ("median_y", vec![median_of_tasks(&y)]),
        ("optimality_gap_x", vec![optimality_gap(&x, gamma)]),
        ("optimality_gap_y", vec![optimality_gap(&y, gamma)]),
        ("poi_x_over_y", improvement(&x, &y)),
        ("poi_y_over_x", improvement(&y, &x)),
    ])
}
