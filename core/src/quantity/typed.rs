//! Numbers that programs read with their units, and people as text.

use serde::Serialize;

use super::{Unit, bytes, count, exact, figure, figure_with_decimals, magnitude, mean};

/// A number of a finding. Its text is that of [`std::fmt::Display`]; in JSON it has its unit and all
/// of its digits.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Quantity {
    /// How many: `1,416`; in JSON an integer.
    Count(u64),
    /// How many of how many: `43/44`; in JSON `{"count": 43, "of": 44}`.
    Part { count: u64, of: u64 },
    /// The least and the most of several counts: `3–4`, `4` where they are equal; in JSON
    /// `{"lowest": 3, "highest": 4}`.
    Counts { lowest: u64, highest: u64 },
    /// The number of values behind a mean: `n=80`; in JSON `{"n": 80}`.
    Size { n: u64 },
    /// A value in its unit: `50.55%`; in JSON `{"value": 50.55, "unit": "percent"}`.
    Figure {
        value: f64,
        unit: Unit,
        /// Decimals for a person, `None` for as many as [`figure`] shows.
        #[serde(skip)]
        decimals: Option<usize>,
    },
    /// A computed number without a unit, shown as [`figure`] does: `0.0875`; in JSON the number.
    Computed(f64),
    /// The mean of a column of data: `0.1988`; in JSON the number.
    Mean(f64),
    /// A size in bytes: `1.4 GB`; in JSON an integer.
    Bytes(u64),
    /// A number of which the size matters: `2e-3`; in JSON the number.
    Magnitude(f64),
}

impl Quantity {
    /// A value in its unit with as many decimals as it needs: `50.55%`, `12.5 s`.
    pub fn figure(value: f64, unit: Unit) -> Self {
        Self::Figure { value, unit, decimals: None }
    }

    /// A value in its unit with so many decimals: `12%` for 12.34 percent and none.
    pub fn rounded(value: f64, decimals: usize, unit: Unit) -> Self {
        Self::Figure { value, unit, decimals: Some(decimals) }
    }

    /// A percentage with one decimal: `12.3%` for 12.34.
    pub fn percent(percent: f64) -> Self {
        Self::rounded(percent, 1, Unit::Percent)
    }

    /// The percentage that a part is of its whole, with one decimal: `97.7%` for 43 of 44.
    pub fn percent_of(part: u64, whole: u64) -> Self {
        Self::percent(100.0 * part as f64 / whole as f64)
    }
}

impl std::fmt::Display for Quantity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self::Count(how_many) => f.write_str(&count(how_many)),
            Self::Part { count, of } => write!(f, "{count}/{of}"),
            Self::Counts { lowest, highest } if lowest == highest => write!(f, "{lowest}"),
            Self::Counts { lowest, highest } => write!(f, "{lowest}–{highest}"),
            Self::Size { n } => write!(f, "n={n}"),
            Self::Figure { value, .. } | Self::Computed(value) if !value.is_finite() => {
                f.write_str(&exact(value))
            }
            Self::Figure { value, unit, decimals: None } => f.write_str(&figure(value, unit)),
            Self::Figure { value, unit, decimals: Some(decimals) } => {
                f.write_str(&figure_with_decimals(value, decimals, unit))
            }
            Self::Computed(value) => f.write_str(&figure(value, Unit::Plain)),
            Self::Mean(value) => f.write_str(&mean(value)),
            Self::Bytes(size) => f.write_str(&bytes(size)),
            Self::Magnitude(value) => f.write_str(&magnitude(value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_reads_rounded_text_and_a_program_the_number_with_its_unit() {
        let cases = [
            (Quantity::Count(1416), "1,416", "1416"),
            (Quantity::Part { count: 43, of: 44 }, "43/44", r#"{"count":43,"of":44}"#),
            (Quantity::Counts { lowest: 3, highest: 4 }, "3–4", r#"{"lowest":3,"highest":4}"#),
            (Quantity::Counts { lowest: 4, highest: 4 }, "4", r#"{"lowest":4,"highest":4}"#),
            (Quantity::Mean(0.19876), "0.1988", "0.19876"),
            (Quantity::Size { n: 80 }, "n=80", r#"{"n":80}"#),
            (Quantity::Bytes(1_384_000_000), "1.4 GB", "1384000000"),
            (Quantity::percent(12.34), "12.3%", r#"{"value":12.34,"unit":"percent"}"#),
            (Quantity::percent_of(1, 4), "25.0%", r#"{"value":25.0,"unit":"percent"}"#),
            (Quantity::figure(0.5, Unit::Seconds), "0.5 s", r#"{"value":0.5,"unit":"seconds"}"#),
            (Quantity::Computed(2.0 / 3.0), "0.66667", "0.6666666666666666"),
            (Quantity::Computed(f64::NAN), "NaN", "null"),
            (Quantity::Magnitude(0.0019), "2e-3", "0.0019"),
        ];
        for (quantity, text, json) in cases {
            assert_eq!(quantity.to_string(), text);
            assert_eq!(serde_json::to_string(&quantity).expect("JSON"), json);
        }
    }
}
