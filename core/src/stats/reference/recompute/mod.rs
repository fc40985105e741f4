//! Which function answers which method of a reference vector: tables, one file for each subject.
//! Every function that is called here is also called from outside [`super`], which a test holds.

mod distributions;
mod means;
mod proportions;
mod resampling;
mod series;
mod systems;

use serde_json::{Map, Value};

use super::flatten;
use crate::stats::{Interval, Moments, Options};

/// Gives what a method computes, `None` for inputs that do not fit it.
type Compute = fn(&Inputs<'_>) -> Option<Fields>;

type Method = (&'static str, Compute);

/// Names of fields with their values, NaN for no value.
type Fields = Vec<(&'static str, Vec<f64>)>;

static SUBJECTS: [&[Method]; 6] = [
    distributions::METHODS,
    proportions::METHODS,
    means::METHODS,
    resampling::METHODS,
    systems::METHODS,
    series::METHODS,
];

pub(super) fn find(method: &str) -> Option<Compute> {
    let mut methods = SUBJECTS.iter().copied().flatten();
    methods.find(|(name, _)| *name == method).map(|(_, compute)| *compute)
}

/// Fields from pairs of a name and anything that has [`Values`].
macro_rules! fields {
    ($(($name:literal, $value:expr)),+ $(,)?) => {
        Some(vec![$(($name, $crate::stats::reference::recompute::Values::values($value))),+])
    };
}
use fields;

/// The numbers of a field; NaN for no value.
trait Values {
    fn values(self) -> Vec<f64>;
}

impl Values for f64 {
    fn values(self) -> Vec<f64> {
        vec![self]
    }
}

impl Values for Vec<f64> {
    fn values(self) -> Vec<f64> {
        self
    }
}

impl Values for [f64; 2] {
    fn values(self) -> Vec<f64> {
        self.to_vec()
    }
}

impl Values for Interval {
    fn values(self) -> Vec<f64> {
        vec![self.lo, self.hi]
    }
}

impl<T: Values> Values for Option<T> {
    fn values(self) -> Vec<f64> {
        self.map_or(vec![f64::NAN], T::values)
    }
}

/// The inputs of a vector. Each question is answered with `None` where an input is missing or holds
/// something else.
pub(super) struct Inputs<'a>(pub(super) &'a Map<String, Value>);

impl Inputs<'_> {
    fn value(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    fn number(&self, key: &str) -> Option<f64> {
        self.value(key)?.as_f64()
    }

    fn count(&self, key: &str) -> Option<u64> {
        whole(self.number(key)?)
    }

    fn numbers(&self, key: &str) -> Option<Vec<f64>> {
        self.value(key).filter(|value| value.is_array()).map(flatten)
    }

    fn rows(&self, key: &str) -> Option<Vec<Vec<f64>>> {
        Some(self.value(key)?.as_array()?.iter().map(flatten).collect())
    }

    /// The columns of a list of rows of one length: the scores of each task from a row for each run.
    fn columns(&self, key: &str) -> Option<Vec<Vec<f64>>> {
        let rows = self.rows(key)?;
        let width = rows.first()?.len();
        let whole = width > 0 && rows.iter().all(|row| row.len() == width);
        whole.then(|| {
            (0..width).map(|column| rows.iter().map(|row| row[column]).collect()).collect()
        })
    }

    /// The level of an interval: `conf`, else 1 − `alpha`, else 0.95.
    fn level(&self) -> f64 {
        let of_alpha = || self.number("alpha").map(|alpha| 1.0 - alpha);
        self.number("conf").or_else(of_alpha).unwrap_or(0.95)
    }

    fn options(&self) -> Options {
        let default = Options::default();
        Options {
            alpha: self.number("alpha").unwrap_or(default.alpha),
            power: self.number("power").unwrap_or(default.power),
        }
    }
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

fn moments(values: &[f64]) -> Moments {
    values.iter().copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::reference::{SHIPPED, Vector, read_vectors};

    #[test]
    fn every_method_and_every_field_has_a_shipped_vector() {
        let shipped: Vec<Vector> =
            SHIPPED.iter().flat_map(|(_, text)| read_vectors(text).unwrap()).flatten().collect();
        for (method, compute) in SUBJECTS.iter().copied().flatten() {
            let vectors = || shipped.iter().filter(|vector| vector.method == *method);
            let first = vectors().next().map(|vector| compute(&Inputs(&vector.inputs)));
            let fields = first.flatten().unwrap_or_else(|| panic!("{method} has no vector"));
            for (field, _) in fields {
                let expected = vectors().any(|vector| vector.expected.contains_key(field));
                assert!(expected, "no vector expects `{field}` of {method}");
            }
        }
    }
}
