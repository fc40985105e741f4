//! What `[progress]` of `reportgen.toml` declares. Of a run it knows the names of the metrics.

use std::num::NonZeroU64;

use indexmap::IndexMap;
use serde::Deserialize;

use super::timeline::Timeline;
use crate::conditions::{Condition, ConditionLabel, Symptom};
use crate::model::Direction;
use crate::settings::ConfigFile;

/// What is asked for beside what the configuration declares.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    pub from: Option<f64>,
    pub to: Option<f64>,
    pub last: Option<u64>,
    /// Two-sided level of intervals and tests.
    pub alpha: f64,
    /// Path of the configuration file, for findings about it.
    pub config: String,
    pub file: Option<ConfigFile>,
}

impl Asked {
    /// Whether the user names it, and not a preset alone.
    pub fn is_own(&self, name: &str) -> bool {
        self.file.as_ref().is_none_or(|file| file.names(name))
    }
}

/// The part of `reportgen.toml` that this command reads.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct File {
    /// `[progress]`, as it is where the file has none.
    #[serde(default, deserialize_with = "checked")]
    pub progress: DeclaredProgress,
}

/// A table that does not contradict itself.
fn checked<'de, D: serde::Deserializer<'de>>(from: D) -> Result<DeclaredProgress, D::Error> {
    let declared = DeclaredProgress::deserialize(from)?;
    declared.check().map_err(serde::de::Error::custom)?;
    Ok(declared)
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DeclaredProgress {
    /// Steps that the run sets out to make.
    pub planned_steps: Option<NonZeroU64>,
    /// What the whole run may cost.
    pub budget: Option<Budget>,
    /// Name of the metric that is the cost.
    pub cost: Option<String>,
    /// Generations whose patterns are counted; [`DEFAULT_LAST`] when not said.
    pub last: Option<NonZeroU64>,
    /// `step`, `iteration` or `epoch`.
    pub axis: Option<String>,
    /// Metrics whose value at a step counts everything up to it.
    pub cumulative: Vec<String>,
    /// Metrics whose value at a step counts that step alone.
    pub per_step: Vec<String>,
    /// Metrics that the step table shows openly, the others folded.
    pub show: Vec<String>,
    /// Names for people, by metric or rate.
    pub labels: IndexMap<String, ConditionLabel>,
    /// Counts as shares of other counts.
    pub rates: IndexMap<String, RateOf>,
    /// Metrics that the run states as one metric divided by another.
    pub averages: IndexMap<String, AverageOf>,
    /// Which field of the generations says what they are made of.
    pub patterns: Option<Patterns>,
    /// Health scores.
    pub score: Vec<Score>,
    pub signal: Vec<Symptom>,
    pub milestone: Vec<Milestone>,
    /// What is expected at later steps.
    pub prediction: Vec<Prediction>,
}

impl DeclaredProgress {
    /// # Errors
    /// When a counter is both cumulative and of single steps, or a function gets a number that it
    /// cannot use.
    fn check(&self) -> Result<(), String> {
        if let Some(both) = self.cumulative.iter().find(|name| self.per_step.contains(name)) {
            return Err(format!(
                "`{both}` is in both `cumulative` and `per_step`: its value at a step counts \
                 either everything up to it or that step alone"
            ));
        }
        for condition in self.conditions() {
            for quantity in condition.quantities() {
                let numbers = quantity.numbers.as_slice();
                let wanted = match (quantity.function.as_deref(), numbers) {
                    (_, []) => continue,
                    (Some("mean"), [last]) if *last >= 1.0 && last.fract() == 0.0 => continue,
                    (Some("mean"), _) => {
                        "`mean(x, k)` takes the last k values, a whole number from 1 on"
                    }
                    _ => "only `mean` takes a number",
                };
                return Err(format!("condition `{}`: `{quantity}`: {wanted}", condition.text()));
            }
        }
        Ok(())
    }

    /// The same, with the names under which a timeline has the metrics. Names of rates stay.
    #[must_use]
    pub fn named_as_in(self, timeline: &Timeline) -> Self {
        let rates = self.rates;
        let named = |name: String| {
            if rates.contains_key(&name) { name } else { timeline.metric(&name).to_owned() }
        };
        let all = |list: Vec<String>| list.into_iter().map(named).collect();
        let parts = |AverageOf { of, per }| AverageOf { of: named(of), per: named(per) };
        let averages = self.averages.into_iter().map(|(name, one)| (named(name), parts(one)));
        let prediction = |one: Prediction| Prediction { metric: named(one.metric), ..one };
        let counted = |one: &RateOf| {
            let name = |name: &str| timeline.metric(name).to_owned();
            RateOf { count: name(&one.count), of: name(&one.of), ..one.clone() }
        };
        Self {
            cost: self.cost.map(named),
            cumulative: all(self.cumulative),
            per_step: all(self.per_step),
            show: all(self.show),
            labels: self.labels.into_iter().map(|(name, label)| (named(name), label)).collect(),
            averages: averages.collect(),
            prediction: self.prediction.into_iter().map(prediction).collect(),
            rates: rates.iter().map(|(name, one)| (name.clone(), counted(one))).collect(),
            ..self
        }
    }

    fn conditions(&self) -> impl Iterator<Item = &Condition> {
        let stars = self.score.iter().flat_map(|score| score.stars.iter().map(|rule| &rule.when));
        let signals = self.signal.iter().map(|signal| &signal.when);
        let milestones = self.milestone.iter();
        let milestones = milestones.flat_map(|one| std::iter::once(&one.done).chain(&one.started));
        let targets = self.prediction.iter().filter_map(|one| one.target.as_ref());
        stars.chain(signals).chain(milestones).chain(targets)
    }
}

/// Generations whose patterns are counted unless somebody says otherwise.
pub const DEFAULT_LAST: u64 = 5;

/// A count and what it is a share of.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RateOf {
    /// Metric that counts the cases.
    pub count: String,
    /// Metric that counts all.
    pub of: String,
    /// Which way is good; unknown when not said.
    pub direction: Option<Good>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Good {
    Higher,
    Lower,
    Neutral,
}

impl From<Good> for Direction {
    fn from(good: Good) -> Self {
        match good {
            Good::Higher => Self::Higher,
            Good::Lower => Self::Lower,
            Good::Neutral => Self::Neutral,
        }
    }
}

/// One metric divided by another.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AverageOf {
    pub of: String,
    /// What it is divided by.
    pub per: String,
}

/// Where patterns of generations are written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Patterns {
    /// Field of a record: a list of names, or one name.
    pub field: String,
    /// Name of the file of JSON lines, below the run; any when not said.
    pub file: Option<String>,
}

/// What the run may cost: an amount, or from one amount to another.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(try_from = "WireBudget")]
pub struct Budget {
    /// The smaller amount.
    pub lo: f64,
    /// The larger amount; equal to the smaller where one was given.
    pub hi: f64,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a budget is an amount above 0 or [from, to]")]
enum WireBudget {
    One(f64),
    Range([f64; 2]),
}

impl TryFrom<WireBudget> for Budget {
    type Error = &'static str;

    fn try_from(wire: WireBudget) -> Result<Self, Self::Error> {
        let [lo, hi] = match wire {
            WireBudget::One(amount) => [amount; 2],
            WireBudget::Range(range) => range,
        };
        let is_range = lo > 0.0 && lo <= hi && hi.is_finite();
        is_range.then_some(Self { lo, hi }).ok_or("a budget is an amount above 0 or [from, to]")
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Score {
    pub name: ConditionLabel,
    /// Stars with the condition for them; the first that holds counts.
    pub stars: Vec<StarRule>,
}

/// So many stars if a condition holds.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "(u8, Condition)")]
pub struct StarRule {
    /// From 1 to 5.
    pub stars: u8,
    pub when: Condition,
}

impl TryFrom<(u8, Condition)> for StarRule {
    type Error = String;

    fn try_from((stars, when): (u8, Condition)) -> Result<Self, String> {
        let right = (1..=5).contains(&stars);
        right.then_some(Self { stars, when }).ok_or(format!("stars go from 1 to 5, got {stars}"))
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Milestone {
    pub name: ConditionLabel,
    pub done: Condition,
    /// When work on it has begun.
    pub started: Option<Condition>,
}

/// What is expected of a metric at a later step.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prediction {
    pub metric: String,
    pub step: f64,
    pub assume: ProgressAssumption,
    /// How fast counts grow.
    #[serde(default)]
    pub pace: AssumedPace,
    /// A condition on the metric at that step.
    pub target: Option<Condition>,
}

/// What a prediction assumes of the steps to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProgressAssumption {
    /// Nothing is counted any more; what it is a share of goes on.
    NoneFurther,
    /// The rate between the two steps goes on; for a count or cost, its growth between them.
    Recent,
    /// The rate since the start goes on; for a count or cost, its average growth.
    Average,
    Stays,
}

impl ProgressAssumption {
    /// The name in catalogues and `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoneFurther => "none-further",
            Self::Recent => "recent",
            Self::Average => "average",
            Self::Stays => "stays",
        }
    }
}

/// How fast the count below a share grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AssumedPace {
    /// As between the two steps.
    #[default]
    Recent,
    /// As since the start.
    Average,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_contradicts_itself_is_refused() {
        for (text, message) in [
            ("budget = [5.0, 2.5]", "a budget is an amount above 0"),
            ("budget = 0", "a budget is an amount above 0"),
            ("planned_steps = 0", "nonzero"),
            ("last = 0", "nonzero"),
            ("rates = { a = { count = \"x\" } }", "missing field `of`"),
            ("costs = \"x\"", "unknown field `costs`"),
            ("[[score]]\nname = \"a\"\nstars = [[6, \"x > 1\"]]", "stars go from 1 to 5"),
            ("[[signal]]\nname = \"a\"\nwhen = \"x\"", "expected <"),
            (
                "[[prediction]]\nmetric = \"a\"\nstep = 10\nassume = \"luck\"",
                "unknown variant `luck`",
            ),
        ] {
            let error = toml::from_str::<DeclaredProgress>(text).expect_err(text).to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn a_table_that_contradicts_itself_is_refused_with_the_condition() {
        let when = |text: &str| format!("[[progress.signal]]\nname = \"a\"\nwhen = \"{text}\"");
        for (text, message) in [
            ("[progress]\ncumulative = [\"n\"]\nper_step = [\"n\"]".to_owned(), "`n` is in both"),
            (
                when("mean(x, 0) > 1"),
                "condition `mean(x, 0) > 1`: `mean(x, 0)`: `mean(x, k)` takes",
            ),
            (when("step > 1 and mean(x, 1.5) > 1"), "`mean(x, 1.5)`"),
            (when("1 < mean(x, -1)"), "`mean(x, -1)`"),
            (when("max(x, 3) > 1"), "only `mean` takes a number"),
        ] {
            let error = toml::from_str::<File>(&text).expect_err(&text).to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
        assert!(toml::from_str::<File>(&when("mean(x, 3) > mean(x)")).is_ok());
    }

    #[test]
    fn a_budget_is_an_amount_or_a_range() {
        for (text, lo, hi) in [("budget = 3", 3.0, 3.0), ("budget = [2.5, 5.0]", 2.5, 5.0)] {
            let declared: DeclaredProgress = toml::from_str(text).expect(text);
            assert_eq!(declared.budget, Some(Budget { lo, hi }), "{text}");
        }
    }
}
