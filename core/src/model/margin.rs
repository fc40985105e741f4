//! Margins: the largest difference that somebody declares not to matter.

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Margin {
    /// Its size in the unit of the difference, above 0.
    pub value: f64,
    /// Whether it was written in percentage points, with `pp` or `%`.
    pub in_points: bool,
}

impl Margin {
    /// A margin without a unit; `None` unless it is a finite number above 0.
    pub fn plain(value: f64) -> Option<Self> {
        (value > 0.0 && value.is_finite()).then_some(Self { value, in_points: false })
    }

    /// Reads `1`, `1pp`, `1 pp` or `1%`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let points = ["pp", "%"].into_iter().find_map(|unit| text.strip_suffix(unit));
        let value = points.unwrap_or(text).trim_end().parse().ok()?;
        Some(Self { in_points: points.is_some(), ..Self::plain(value)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_are_positive_numbers_that_may_say_points() {
        for (text, expected) in [
            ("1", Some((1.0, false))),
            ("1pp", Some((1.0, true))),
            (" 0.5 % ", Some((0.5, true))),
            ("0", None),
            ("-1", None),
            ("-1pp", None),
            ("nan", None),
            ("inf", None),
            ("pp", None),
            ("", None),
        ] {
            let found = Margin::parse(text).map(|margin| (margin.value, margin.in_points));
            assert_eq!(found, expected, "{text}");
        }
    }
}
