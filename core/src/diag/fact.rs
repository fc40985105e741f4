//! Facts of findings: what programs read, and the text that people read in the message.

use serde::{Serialize, Serializer};

use crate::quantity::{Quantity, exact, serialize_number, shape};

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Fact {
    /// How many, or a line, a column or an id: digits without separators.
    Count(u64),
    /// A number as it was read or declared, such as a step, with all of its digits; NaN and
    /// infinities are `null` in JSON.
    #[serde(serialize_with = "serialize_number")]
    Number(f64),
    /// A number that a file writes in its own way; in JSON the number.
    #[serde(serialize_with = "without_text")]
    Written(f64, String),
    /// A number with its unit, rounded for people alone.
    Quantity(Quantity),
    /// The sizes of a tensor: `[24, 8]`.
    Shape(Vec<u64>),
    Text(String),
    /// A fact about something by name: `accuracy 35%`, of a count `Timeout (3)`.
    Named {
        name: String,
        value: Box<Self>,
    },
    /// How many items of a list are left out, at its end: `+3`.
    More {
        more: u64,
    },
    List(Vec<Self>),
    /// What nobody knows: `?`, in JSON `null`.
    Unknown,
}

impl Fact {
    pub fn named(name: impl Into<String>, value: impl Into<Self>) -> Self {
        Self::Named { name: name.into(), value: Box::new(value.into()) }
    }

    /// A number in the spelling of a file; a text where it is no number.
    pub fn written(text: &str) -> Self {
        let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
        number.map_or_else(|| text.into(), |number| Self::Written(number, text.to_owned()))
    }

    /// The first items of a list, and how many more there are.
    pub fn first<T: Into<Self>>(most: usize, items: impl IntoIterator<Item = T>) -> Self {
        let mut facts: Vec<Self> = items.into_iter().map(Into::into).collect();
        let more = facts.len().saturating_sub(most) as u64;
        if more > 0 {
            facts.truncate(most);
            facts.push(Self::More { more });
        }
        Self::List(facts)
    }

    /// The text for a person, `comma` between the items of a list.
    pub fn text(&self, comma: &str) -> String {
        match self {
            Self::Count(count) => count.to_string(),
            Self::Number(number) => exact(*number),
            Self::Quantity(quantity) => quantity.to_string(),
            Self::Shape(sizes) => shape(sizes),
            Self::Written(_, text) | Self::Text(text) => text.clone(),
            Self::Named { name, value } => match &**value {
                Self::Count(count) => format!("{name} ({count})"),
                value => format!("{name} {}", value.text(comma)),
            },
            Self::More { more } => format!("+{more}"),
            Self::List(items) => {
                let texts: Vec<String> = items.iter().map(|item| item.text(comma)).collect();
                texts.join(comma)
            }
            Self::Unknown => "?".to_owned(),
        }
    }

    pub fn items(&self) -> Vec<String> {
        match self {
            Self::List(items) => items.iter().map(ToString::to_string).collect(),
            _ => Vec::new(),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands fields on by reference")]
fn without_text<S: Serializer>(number: &f64, _: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serialize_number(number, serializer)
}

impl std::fmt::Display for Fact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text(", "))
    }
}

impl From<u64> for Fact {
    fn from(value: u64) -> Self {
        Self::Count(value)
    }
}

impl From<usize> for Fact {
    fn from(value: usize) -> Self {
        Self::Count(value as u64)
    }
}

impl From<f64> for Fact {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<Quantity> for Fact {
    fn from(value: Quantity) -> Self {
        Self::Quantity(value)
    }
}

impl From<&str> for Fact {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for Fact {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl<T: Into<Self>> From<Vec<T>> for Fact {
    fn from(items: Vec<T>) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Self>> From<Option<T>> for Fact {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Unknown, Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_has_a_text_for_people_and_typed_data_for_programs() {
        let share = Quantity::percent(35.44);
        let cases: [(Fact, &str, &str); 12] = [
            (1416_u64.into(), "1416", "1416"),
            (0.25.into(), "0.25", "0.25"),
            (500.0.into(), "500", "500"),
            (f64::NAN.into(), "NaN", "null"),
            (Fact::written("5e-6"), "5e-6", "5e-6"),
            (Fact::written("n/a"), "n/a", r#""n/a""#),
            (share.into(), "35.4%", r#"{"value":35.44,"unit":"percent"}"#),
            (Fact::Shape(vec![24, 8]), "[24, 8]", "[24,8]"),
            (Fact::named("Timeout", 3_u64), "Timeout (3)", r#"{"name":"Timeout","value":3}"#),
            (
                Fact::named("accuracy", share),
                "accuracy 35.4%",
                r#"{"name":"accuracy","value":{"value":35.44,"unit":"percent"}}"#,
            ),
            (Fact::first(2, ["a", "b", "c", "d"]), "a, b, +2", r#"["a","b",{"more":2}]"#),
            (None::<u64>.into(), "?", "null"),
        ];
        for (fact, text, json) in cases {
            assert_eq!(fact.to_string(), text);
            assert_eq!(serde_json::to_string(&fact).expect("JSON"), json);
        }
    }

    #[test]
    fn items_are_listed_as_the_language_does() {
        assert_eq!(Fact::from(vec!["a", "b"]).text("、"), "a、b");
    }
}
