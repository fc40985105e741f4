//! Which function answers which method of a reference vector, one file for each subject.

mod bootstrap;
mod crossed;
mod distributions;
mod independent_proportions;
mod means;
mod multiplicity;
mod noise;
mod one_proportion;
mod paired_proportions;
mod planning;
mod ranks;
mod repeats;
mod reported;
mod resampling;
mod series;
mod systems;
mod tasks;

use serde_json::{Map, Value};

use super::flatten;
use crate::stats::{Interval, Moments, Options};

type Inputs = Map<String, Value>;
type Fields = Vec<(&'static str, Vec<f64>)>;
type Recompute = fn(&Inputs) -> Option<Fields>;

/// Every method, by subject.
static SUBJECTS: &[&[(&str, Recompute)]] = &[
    distributions::METHODS,
    one_proportion::METHODS,
    paired_proportions::METHODS,
    independent_proportions::METHODS,
    means::METHODS,
    crossed::METHODS,
    ranks::METHODS,
    resampling::METHODS,
    bootstrap::METHODS,
    tasks::METHODS,
    repeats::METHODS,
    noise::METHODS,
    multiplicity::METHODS,
    systems::METHODS,
    series::METHODS,
    reported::METHODS,
    planning::METHODS,
];

/// The function for a method.
pub(super) fn find(method: &str) -> Option<Recompute> {
    let mut methods = SUBJECTS.iter().copied().flatten();
    methods.find(|(name, _)| *name == method).map(|(_, recompute)| *recompute)
}

fn number(inputs: &Inputs, key: &str) -> Option<f64> {
    inputs.get(key)?.as_f64()
}

fn count(inputs: &Inputs, key: &str) -> Option<u64> {
    whole(number(inputs, key)?)
}

/// Largest count: sums over a distribution take √n steps and stay exact up to here.
const MOST_COUNTED: f64 = 1e9;

/// A count that may be written as a number with decimals.
fn whole(value: f64) -> Option<u64> {
    ((0.0..=MOST_COUNTED).contains(&value) && value.fract() == 0.0).then_some(value as u64)
}

/// Elementary steps that one vector may take: about a second without optimisation.
const MOST_STEPS: f64 = 2e7;

/// `None` for inputs that would take a method too long.
fn affordable(steps: f64) -> Option<()> {
    (steps <= MOST_STEPS).then_some(())
}

/// The level of an interval: `conf`, else 1 − `alpha`, else 0.95.
fn level(inputs: &Inputs) -> f64 {
    let of_alpha = || number(inputs, "alpha").map(|alpha| 1.0 - alpha);
    number(inputs, "conf").or_else(of_alpha).unwrap_or(0.95)
}

fn numbers(inputs: &Inputs, key: &str) -> Option<Vec<f64>> {
    inputs.get(key).filter(|value| value.is_array()).map(flatten)
}

/// A list of lists of numbers.
fn rows(inputs: &Inputs, key: &str) -> Option<Vec<Vec<f64>>> {
    Some(inputs.get(key)?.as_array()?.iter().map(flatten).collect())
}

/// The columns of a list of rows of one length: the scores of each task from a row for each run.
fn columns(inputs: &Inputs, key: &str) -> Option<Vec<Vec<f64>>> {
    let rows = rows(inputs, key)?;
    let width = rows.first()?.len();
    let whole = width > 0 && rows.iter().all(|row| row.len() == width);
    whole.then(|| (0..width).map(|column| rows.iter().map(|row| row[column]).collect()).collect())
}

fn limits(interval: Interval) -> Vec<f64> {
    vec![interval.lo, interval.hi]
}

fn options(inputs: &Inputs) -> Options {
    let default = Options::default();
    Options {
        alpha: number(inputs, "alpha").unwrap_or(default.alpha),
        power: number(inputs, "power").unwrap_or(default.power),
    }
}

fn moments(values: &[f64]) -> Moments {
    values.iter().copied().collect()
}
