//! How close a computed field has to be to its reference, and how close it is.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

/// Allowed distance as a vector writes it; the larger of the two where both are given, none where
/// neither is.
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

/// The tolerance of one field.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Allowed {
    /// Absolute distance.
    pub abs: f64,
    /// Distance relative to the expected value.
    pub rel: f64,
}

/// The largest distances between the expected and the computed values of a field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Distance {
    /// Absolute distance.
    pub absolute: f64,
    /// Distance relative to the expected value; values that are expected to be 0 have none.
    pub relative: f64,
    /// Whether every value lies within its tolerance.
    pub within: bool,
}

impl Tolerance {
    /// The tolerance of a field: of a key that names it, else of a key for its kind, else those of
    /// the vector.
    pub(super) fn of_field(&self, field: &str, is_interval: bool) -> Allowed {
        let own = |speaks: &dyn Fn(&str) -> bool| {
            self.of_fields.iter().find_map(|(key, value)| {
                let (words, kind) = key.rsplit_once('_')?;
                if !words.split('_').any(speaks) {
                    return None;
                }
                match kind {
                    "abs" => Some(Allowed { abs: value.as_f64()?, rel: 0.0 }),
                    "rel" => Some(Allowed { abs: 0.0, rel: value.as_f64()? }),
                    _ => None,
                }
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
        named.or_else(of_kind).unwrap_or(Allowed { abs: self.abs, rel: self.rel })
    }
}

impl Distance {
    /// The distance of equally many values. `None` where only one side has a value, where only one
    /// is infinite, and for lists of other lengths.
    pub(super) fn between(expected: &[f64], computed: &[f64], allowed: Allowed) -> Option<Self> {
        if expected.len() != computed.len() {
            return None;
        }
        let mut largest = Self { absolute: 0.0, relative: 0.0, within: true };
        for (&expected, &computed) in expected.iter().zip(computed) {
            if expected == computed || (expected.is_nan() && computed.is_nan()) {
                continue;
            }
            let absolute = (expected - computed).abs();
            if !absolute.is_finite() {
                return None;
            }
            largest.absolute = largest.absolute.max(absolute);
            if expected != 0.0 {
                largest.relative = largest.relative.max(absolute / expected.abs());
            }
            largest.within &= absolute <= allowed.abs.max(allowed.rel * expected.abs());
        }
        Some(largest)
    }
}
