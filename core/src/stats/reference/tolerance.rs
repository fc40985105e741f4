//! How close a computed field has to be to its reference, and how close it is.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::reading::NOT_A_NUMBER;

/// Allowed distance as a vector writes it; the larger of the two where both are given, none where
/// neither is.
///
/// Further keys of the form `words_abs` or `words_rel` hold for the fields that they speak of:
/// `boschloo_abs` for a field with that word in its name, `p_rel` for p-values, `ci_abs` for
/// intervals. `exact: true` says that no distance is allowed.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(try_from = "BTreeMap<String, Value>")]
pub struct ReferenceTolerance {
    pub abs: f64,
    pub rel: f64,
    /// Tolerances of some of the fields, by key.
    pub of_fields: BTreeMap<String, f64>,
    /// Whether anything was said about distances, be it that there is none.
    pub is_stated: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// No distance: text, no number, negative, or infinite.
    #[error("`{key}` in `tol` must be a finite number from 0 on, got {value}")]
    Distance { key: String, value: String },
    #[error("`exact` in `tol` must be true or false, got {0}")]
    Exact(String),
    #[error(
        "`tol` has no key `{0}`; its keys are abs, rel, exact, and WORDS_abs or WORDS_rel for some fields"
    )]
    Key(String),
}

impl TryFrom<BTreeMap<String, Value>> for ReferenceTolerance {
    type Error = Unusable;

    fn try_from(keys: BTreeMap<String, Value>) -> Result<Self, Unusable> {
        let mut read = Self::default();
        for (key, value) in keys {
            let kind = key.rsplit_once('_').map_or(key.as_str(), |(_, kind)| kind);
            match (key.as_str(), kind) {
                ("exact", _) => {
                    let exact = value.as_bool();
                    read.is_stated |= exact.ok_or_else(|| Unusable::Exact(spelled(&value)))?;
                    continue;
                }
                (_, "abs" | "rel") => {}
                _ => return Err(Unusable::Key(key)),
            }
            let distance = value.as_f64().filter(|distance| *distance >= 0.0);
            let Some(distance) = distance else {
                return Err(Unusable::Distance { key, value: spelled(&value) });
            };
            read.is_stated = true;
            match key.as_str() {
                "abs" => read.abs = distance,
                "rel" => read.rel = distance,
                _ => {
                    read.of_fields.insert(key, distance);
                }
            }
        }
        Ok(read)
    }
}

/// A value as its file writes it.
fn spelled(value: &Value) -> String {
    match value.as_str() {
        Some(text) if text == NOT_A_NUMBER => "NaN".to_owned(),
        _ => value.to_string(),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Allowed {
    pub abs: f64,
    pub rel: f64,
}

/// The largest distances between the expected and the computed values of a field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReferenceDistance {
    pub absolute: f64,
    /// Distance relative to the expected value; values that are expected to be 0 have none.
    pub relative: f64,
    pub within: bool,
}

impl ReferenceTolerance {
    /// The tolerance of a field: of a key that names it, else of a key for its kind, else those of
    /// the vector.
    pub(super) fn for_field(&self, field: &str, is_interval: bool) -> Allowed {
        let of_keys = |names: &dyn Fn(&str) -> bool| {
            self.of_fields.iter().find_map(|(key, &distance)| {
                let (words, kind) = key.rsplit_once('_')?;
                if !words.split('_').any(names) {
                    return None;
                }
                match kind {
                    "abs" => Some(Allowed { abs: distance, rel: 0.0 }),
                    "rel" => Some(Allowed { abs: 0.0, rel: distance }),
                    _ => None,
                }
            })
        };
        let is_p = |name: &str| name == "p" || ["mcnemar", "fisher"].contains(&name);
        let named = of_keys(&|word| field.split('_').any(|name| name == word));
        let of_kind = || {
            of_keys(&|word| match word {
                "p" => field.split('_').any(is_p),
                "ci" => is_interval,
                _ => false,
            })
        };
        named.or_else(of_kind).unwrap_or(Allowed { abs: self.abs, rel: self.rel })
    }
}

impl ReferenceDistance {
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_tolerance_that_says_nothing_is_refused_with_the_reason() {
        for (tol, says) in [
            (
                json!({ "abs": NOT_A_NUMBER }),
                "`abs` in `tol` must be a finite number from 0 on, got NaN",
            ),
            (json!({ "rel": -1e-9 }), "must be a finite number from 0 on, got -1e-9"),
            (json!({ "p_rel": "small" }), "`p_rel` in `tol` must be a finite number"),
            (json!({ "absolute": 1 }), "`tol` has no key `absolute`; its keys are abs, rel"),
            (json!({ "exact": 1 }), "`exact` in `tol` must be true or false, got 1"),
        ] {
            let refused =
                serde_json::from_value::<ReferenceTolerance>(tol).expect_err(says).to_string();
            assert!(refused.contains(says), "{refused}");
        }
    }

    #[test]
    fn what_a_tolerance_states_holds_for_its_fields() {
        let read = |tol| serde_json::from_value::<ReferenceTolerance>(tol).expect("a tolerance");
        let tol = read(json!({ "abs": 0.5, "p_rel": 0.25 }));
        assert_eq!(tol.for_field("p", false), Allowed { abs: 0.0, rel: 0.25 });
        assert_eq!(tol.for_field("slope", false), Allowed { abs: 0.5, rel: 0.0 });
        for (tol, is_stated) in [
            (json!({}), false),
            (json!({ "exact": false }), false),
            (json!({ "exact": true }), true),
        ] {
            assert_eq!(read(tol).is_stated, is_stated);
        }
    }
}
