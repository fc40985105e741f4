//! Reference vectors: published or independently computed results, and whether this program
//! reproduces them. Owns the format of a vector and the comparison; `recompute` knows which
//! function answers which method. Nothing here takes part in a report.

mod recompute;

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

/// One reference result as it stands in a file.
#[derive(Debug, Clone, Deserialize)]
pub struct Vector {
    /// Name of the vector.
    pub id: String,
    /// What is computed, for example `paired_t`.
    pub method: String,
    /// What goes in.
    pub inputs: Map<String, Value>,
    /// What must come out: numbers, truth values, lists of them, `null` for no value.
    pub expected: Map<String, Value>,
    /// How close.
    pub tol: Tolerance,
    /// Where the expected values come from.
    pub source: String,
}

/// Allowed distance; the larger of the two where both are given, none where neither is.
///
/// Further keys of the form `words_abs` or `words_rel` hold for the fields that they speak of:
/// `boschloo_abs` for a field with that word in its name, `p_rel` for p-values, `ci_abs` for
/// intervals.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Tolerance {
    /// Absolute distance.
    #[serde(default)]
    pub abs: f64,
    /// Distance relative to the expected value.
    #[serde(default)]
    pub rel: f64,
    /// Tolerances of some of the fields; what is not a number says nothing.
    #[serde(flatten)]
    pub of_fields: BTreeMap<String, Value>,
}

impl Tolerance {
    fn allows(&self, field: &str, expected: &[f64], computed: &[f64]) -> bool {
        let (abs, rel) = self.of_field(field, expected.len() == 2);
        let close = |expected: f64, computed: f64| match (expected.is_nan(), computed.is_nan()) {
            (false, false) => {
                expected == computed || (expected - computed).abs() <= abs.max(rel * expected.abs())
            }
            (unknown, none) => unknown && none,
        };
        expected.len() == computed.len()
            && expected.iter().zip(computed).all(|(e, c)| close(*e, *c))
    }

    /// Absolute and relative tolerance of a field: of a key that names it, else of a key for its
    /// kind, else those of the vector.
    fn of_field(&self, field: &str, is_interval: bool) -> (f64, f64) {
        let own = |speaks: &dyn Fn(&str) -> bool| {
            self.of_fields.iter().find_map(|(key, value)| {
                let (words, kind) = key.rsplit_once('_')?;
                words.split('_').any(speaks).then_some((kind, value.as_f64()?))
            })
        };
        let is_p = |name: &str| name == "p" || ["mcnemar", "fisher"].contains(&name);
        let named = own(&|word| field.split('_').any(|name| name == word));
        let of_kind = || {
            own(&|word| match word {
                "p" => field.split('_').any(is_p),
                "ci" => is_interval,
                _ => false,
            })
        };
        match named.or_else(of_kind) {
            Some(("rel", rel)) => (0.0, rel),
            Some((_, abs)) => (abs, 0.0),
            None => (self.abs, self.rel),
        }
    }
}

/// A field that came out differently.
#[derive(Debug, Clone, PartialEq)]
pub struct Mismatch {
    /// Name of the field.
    pub field: String,
    /// The reference values, flattened; NaN for none.
    pub expected: Vec<f64>,
    /// The values of this program.
    pub computed: Vec<f64>,
}

/// What came of one vector.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    /// Fields that agree.
    pub agreed: Vec<String>,
    /// Fields that do not.
    pub mismatches: Vec<Mismatch>,
    /// Fields of methods this program does not have, each with the reason.
    pub left_out: Vec<(String, &'static str)>,
}

/// Why a vector cannot be checked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unchecked {
    /// No function answers this method.
    #[error("unknown method `{0}`")]
    UnknownMethod(String),
    /// The inputs lack something the method takes, or hold it in another form.
    #[error("inputs do not fit method `{0}`")]
    UnfitInputs(String),
    /// An expected field that the method does not give and that is not knowingly left out.
    #[error("method `{method}` has no field `{field}`")]
    UnknownField {
        /// The method.
        method: String,
        /// The field.
        field: String,
    },
}

/// The input that names another vector whose inputs are meant too.
const REFERENCE: &str = "ref";

/// Gives each vector that refers to another one in the list that one's inputs, where it has none of
/// its own by those names.
pub fn resolve(vectors: &mut [Vector]) {
    let inputs: BTreeMap<String, Map<String, Value>> =
        vectors.iter().map(|vector| (vector.id.clone(), vector.inputs.clone())).collect();
    for vector in vectors {
        let named = vector.inputs.get(REFERENCE).and_then(Value::as_str);
        for (key, value) in named.and_then(|id| inputs.get(id)).into_iter().flatten() {
            vector.inputs.entry(key).or_insert_with(|| value.clone());
        }
    }
}

/// The inputs of a vector; where they only refer to another vector, with what is expected of it,
/// as that may repeat the data of the other one in another form.
fn inputs_of(vector: &Vector) -> Cow<'_, Map<String, Value>> {
    if vector.inputs.len() > 1 || !vector.inputs.contains_key(REFERENCE) {
        return Cow::Borrowed(&vector.inputs);
    }
    let mut inputs = vector.expected.clone();
    inputs.extend(vector.inputs.clone());
    Cow::Owned(inputs)
}

/// Recomputes one vector and compares field by field.
///
/// A vector that refers to another one should have been [resolved](resolve).
pub fn check(vector: &Vector) -> Result<Outcome, Unchecked> {
    let method = &vector.method;
    let recompute =
        recompute::find(method).ok_or_else(|| Unchecked::UnknownMethod(method.clone()))?;
    let computed =
        recompute(&inputs_of(vector)).ok_or_else(|| Unchecked::UnfitInputs(method.clone()))?;
    let mut outcome = Outcome::default();
    for (field, expected) in &vector.expected {
        if let Some(reason) = recompute::left_out(method, field) {
            outcome.left_out.push((field.clone(), reason));
            continue;
        }
        let Some((_, computed)) = computed.iter().find(|(name, _)| name == field) else {
            let (method, field) = (method.clone(), field.clone());
            return Err(Unchecked::UnknownField { method, field });
        };
        let expected = flatten(expected);
        if vector.tol.allows(field, &expected, computed) {
            outcome.agreed.push(field.clone());
        } else {
            let (field, computed) = (field.clone(), computed.clone());
            outcome.mismatches.push(Mismatch { field, expected, computed });
        }
    }
    Ok(outcome)
}

/// All numbers of a value in order, those of an object in the order of its keys; truth values as 1 and 0, anything else as NaN.
fn flatten(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(flatten).collect(),
        Value::Object(fields) => {
            let by_name: BTreeMap<&String, &Value> = fields.iter().collect();
            by_name.into_values().flat_map(flatten).collect()
        }
        Value::Bool(truth) => vec![f64::from(u8::from(*truth))],
        other => vec![other.as_f64().unwrap_or(f64::NAN)],
    }
}
