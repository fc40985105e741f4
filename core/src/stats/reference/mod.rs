//! Reference vectors: published or independently computed results, and whether this program
//! reproduces them. Owns the format of a vector, the shipped vectors and the comparison;
//! `recompute` knows which function answers which method. Nothing here takes part in a report.

mod reading;
mod recompute;
mod shipped;
mod summary;
mod tolerance;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use recompute::Inputs;

pub use reading::{Malformed, NotVectors, read_vectors};
pub use shipped::SHIPPED;
pub use summary::{
    MethodSummary, Problem, ProblemEntry, ReferenceSummary, VectorCounts, Worst, input_names,
};
pub use tolerance::{Allowed, ReferenceDistance, ReferenceTolerance};

/// One reference result as it stands in a file.
#[derive(Debug, Clone, Deserialize)]
#[serde(expecting = "an object")]
pub struct Vector {
    pub id: String,
    /// What is computed, for example `paired_t`.
    pub method: String,
    pub inputs: Map<String, Value>,
    /// What must come out: numbers, truth values, lists and objects of them, `null` for no value.
    pub expected: Map<String, Value>,
    pub tol: ReferenceTolerance,
    pub source: String,
}

/// One expected field beside what this program computes.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    pub field: String,
    /// The reference value as the file writes it.
    pub expected: Value,
    /// The values of this program in the order of the expected ones; NaN for none.
    pub computed: Vec<f64>,
    pub allowed: Allowed,
    /// How far apart they are; `None` where that is not a number: other lengths, a value on one side
    /// only, or text.
    pub distance: Option<ReferenceDistance>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Checked {
    pub agreed: Vec<Compared>,
    pub mismatches: Vec<Compared>,
    pub unknown: Vec<String>,
    pub known: Vec<&'static str>,
}

/// Why a vector cannot be checked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unchecked {
    #[error("unknown method `{0}`")]
    UnknownMethod(String),
    /// The inputs lack something the method takes, or hold it in another form.
    #[error("inputs do not fit method `{0}`")]
    UnfitInputs(String),
    /// An input is not finite, and the method only takes finite numbers.
    #[error("method `{method}` takes finite numbers only, and {inputs} is none")]
    NotFinite { method: String, inputs: String },
    /// Real numbers are expected, and nothing says how close.
    #[error("`tol` says nothing: how close does {0} have to be?")]
    NoTolerance(String),
    #[error("`expected` is empty")]
    NothingExpected,
}

/// Recomputes one vector and compares field by field.
pub fn check_vectors(vector: &Vector) -> Result<Checked, Unchecked> {
    let method = &vector.method;
    let compute =
        recompute::find(method).ok_or_else(|| Unchecked::UnknownMethod(method.clone()))?;
    if vector.expected.is_empty() {
        return Err(Unchecked::NothingExpected);
    }
    let computed = compute(&Inputs(&vector.inputs)).ok_or_else(|| unfit(vector))?;
    if let Some(field) = first_without_tolerance(vector) {
        return Err(Unchecked::NoTolerance(format!("`{field}`")));
    }
    let known = computed.iter().map(|(name, _)| *name).collect();
    let mut checked = Checked { known, ..Checked::default() };
    for (field, expected) in &vector.expected {
        if let Some((_, computed)) = computed.iter().find(|(name, _)| name == field) {
            let compared = compare(vector, field, expected, computed);
            let agrees = compared.distance.is_some_and(|distance| distance.within);
            let list = if agrees { &mut checked.agreed } else { &mut checked.mismatches };
            list.push(compared);
        } else {
            checked.unknown.push(field.clone());
        }
    }
    Ok(checked)
}

/// The first expected field that holds a real number, where the tolerance says nothing. Whole
/// numbers and truth values are counts and answers, and agree or do not.
fn first_without_tolerance(vector: &Vector) -> Option<&String> {
    let is_real = |value: &Value| {
        flatten(value).iter().any(|number| number.is_finite() && number.fract() != 0.0)
    };
    let mut expected = vector.expected.iter().filter(|_| !vector.tol.is_stated);
    expected.find(|(_, value)| is_real(value)).map(|(field, _)| field)
}

/// Why a method did not take the inputs.
fn unfit(vector: &Vector) -> Unchecked {
    let method = vector.method.clone();
    let endless = |(name, value): (&String, &Value)| {
        let spelled = value.as_str().and_then(spelled_number);
        spelled.is_some_and(|number| !number.is_finite()).then(|| format!("`{name}`"))
    };
    let inputs: Vec<String> = vector.inputs.iter().filter_map(endless).collect();
    match inputs.as_slice() {
        [] => Unchecked::UnfitInputs(method),
        inputs => Unchecked::NotFinite { method, inputs: inputs.join(", ") },
    }
}

fn compare(vector: &Vector, field: &str, expected: &Value, computed: &[f64]) -> Compared {
    let numbers = flatten(expected);
    let allowed = vector.tol.for_field(field, numbers.len() == 2);
    let distance =
        ReferenceDistance::between(&numbers, computed, allowed).filter(|_| !has_words(expected));
    let (field, expected) = (field.to_owned(), expected.clone());
    Compared { field, expected, computed: computed.to_vec(), allowed, distance }
}

/// All numbers of a value in order, those of an object in the order of its keys; truth values as
/// 1 and 0, anything else as NaN.
fn flatten(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(flatten).collect(),
        Value::Object(fields) => {
            let by_name: BTreeMap<&String, &Value> = fields.iter().collect();
            by_name.into_values().flat_map(flatten).collect()
        }
        Value::Bool(truth) => vec![f64::from(u8::from(*truth))],
        Value::String(text) => vec![spelled_number(text).unwrap_or(f64::NAN)],
        other => vec![other.as_f64().unwrap_or(f64::NAN)],
    }
}

/// Whether some text in the value stands for no number.
fn has_words(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_words),
        Value::Object(fields) => fields.values().any(has_words),
        Value::String(text) => spelled_number(text).is_none(),
        _ => false,
    }
}

/// The number that a text spells: `"inf"`, `"-Infinity"`, `"NaN"`, and [`reading::NOT_A_NUMBER`].
fn spelled_number(text: &str) -> Option<f64> {
    if text == reading::NOT_A_NUMBER { Some(f64::NAN) } else { text.trim().parse().ok() }
}
