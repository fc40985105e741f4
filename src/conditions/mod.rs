//! Conditions over figures, as `reportgen.toml` declares them.
//!
//! A rule is data: `format_rate >= 95%`, `change(exec_success_rate) < 10pp`, `trend(reward) > 0 and
//! step >= 50`. [`Condition::parse`] reads it, [`Condition::judge`] asks for the figures that it
//! names and says whether it holds. A figure with an interval that covers the threshold decides
//! nothing, and a figure that is not there is unknown, never 0. Knows neither where rules are
//! written nor where figures come from.

mod judge;
mod label;
mod parse;
mod zones;

use std::fmt;

use serde::Deserialize;

use crate::quantity::{self, Unit};

pub use judge::{ClauseOutcome, ConditionTruth, Judgement, Operand, Operands, UnknownOperand};
pub use label::ConditionLabel;
pub use zones::{ThresholdStanding, ThresholdZones};

/// What would be strange, or a sign of trouble.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Symptom {
    pub name: ConditionLabel,
    pub when: Condition,
    /// What it usually comes from.
    pub cause: Option<ConditionLabel>,
    /// What to do about it.
    pub response: Option<ConditionLabel>,
}

/// A condition and its text.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct Condition {
    text: String,
    tree: Tree,
}

/// Why a text is no condition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("condition `{text}`, character {at}: {message}; write it like `format_rate >= 95%`")]
pub struct NotACondition {
    pub text: String,
    /// Where, counted from 1.
    pub at: usize,
    pub message: String,
}

impl Condition {
    /// Reads a condition.
    ///
    /// # Errors
    /// When the text does not follow the grammar, with the place.
    pub fn parse(text: &str) -> Result<Self, NotACondition> {
        Ok(Self { text: text.to_owned(), tree: parse::condition_tree(text)? })
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Every quantity that is asked for, from left to right.
    pub fn quantities(&self) -> Vec<&Quantity> {
        let mut found = Vec::new();
        self.tree.gather(&mut found);
        found
    }
}

impl TryFrom<String> for Condition {
    type Error = NotACondition;

    fn try_from(text: String) -> Result<Self, NotACondition> {
        Self::parse(&text)
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Tree {
    Clause(Clause),
    All(Vec<Self>),
    Any(Vec<Self>),
    Not(Box<Self>),
}

impl Tree {
    fn gather<'t>(&'t self, found: &mut Vec<&'t Quantity>) {
        match self {
            Self::Clause(clause) => {
                found.push(&clause.quantity);
                if let Side::Quantity(other) = &clause.against {
                    found.push(other);
                }
            }
            Self::All(parts) | Self::Any(parts) => {
                for part in parts {
                    part.gather(found);
                }
            }
            Self::Not(part) => part.gather(found),
        }
    }
}

/// One comparison: a quantity on the left, what it is held against on the right.
#[derive(Debug, Clone, PartialEq)]
struct Clause {
    quantity: Quantity,
    relation: ThresholdRelation,
    against: Side,
}

/// What a clause has on either side of its relation.
#[derive(Debug, Clone, PartialEq)]
enum Side {
    Number(Threshold),
    Quantity(Quantity),
}

/// What is asked for: a name, or a function of it such as `mean(reward, 5)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// `change`, `trend`, …; `None` for the plain name.
    pub function: Option<String>,
    pub name: String,
    pub numbers: Vec<f64>,
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(function) = &self.function else { return f.write_str(&self.name) };
        write!(f, "{function}({}", self.name)?;
        for number in &self.numbers {
            write!(f, ", {number}")?;
        }
        f.write_str(")")
    }
}

/// A number as it is written: without a unit, in percent or points, in dollars or in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    pub number: f64,
    /// The unit that follows or precedes it.
    pub unit: Unit,
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&quantity::exact_with_unit(self.number, self.unit))
    }
}

/// How the two sides are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThresholdRelation {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
    /// `==`
    Equal,
    /// `!=`
    Unequal,
}

impl ThresholdRelation {
    pub fn sign(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::More => ">",
            Self::AtLeast => ">=",
            Self::Equal => "==",
            Self::Unequal => "!=",
        }
    }

    /// The same comparison with its sides exchanged.
    fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::More,
            Self::AtMost => Self::AtLeast,
            Self::More => Self::Less,
            Self::AtLeast => Self::AtMost,
            Self::Equal | Self::Unequal => self,
        }
    }
}
