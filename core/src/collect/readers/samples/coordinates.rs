//! Where in a grid a record stands, as far as it says so itself.

use crate::model::{ConfigValue, DimValue, Dims, RunLabel};

use super::value::RecordValue;

/// A finite number that can be compared and hashed, by its bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct RecordNumber(u64);

impl RecordNumber {
    pub(super) fn value(self) -> f64 {
        f64::from_bits(self.0)
    }

    /// Puts a number that a value is, or spells, into a slot; anything else leaves it as it is.
    pub(super) fn set(slot: &mut Option<Self>, value: RecordValue<'_>) {
        *slot = value.number().map(|number| Self(number.to_bits())).or(*slot);
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct RecordCoordinates {
    /// The answer filter, unless it is `none`.
    pub(super) filter: Option<String>,
    /// Step of the checkpoint that the record belongs to.
    pub(super) step: Option<RecordNumber>,
    /// Epoch or repetition.
    pub(super) epoch: Option<RecordNumber>,
    pub(super) seed: Option<RecordNumber>,
    pub(super) shot: Option<RecordNumber>,
    pub(super) split: Option<String>,
    pub(super) checkpoint: Option<String>,
    /// Settings of which the records of its run have several values.
    pub(super) settings: Vec<RunLabel>,
}

impl RecordCoordinates {
    /// Those that describe a file, because all of its records share them. Step, epoch and filter
    /// belong to a table in any case.
    pub(super) fn shared<'a>(all: impl Iterator<Item = &'a Self> + Clone) -> Self {
        Self {
            seed: common(all.clone().map(|at| at.seed)),
            shot: common(all.clone().map(|at| at.shot)),
            split: common(all.clone().map(|at| at.split.clone())),
            checkpoint: common(all.map(|at| at.checkpoint.clone())),
            ..Self::default()
        }
    }

    pub(super) fn without(mut self, shared: &Self) -> Self {
        self.seed = self.seed.filter(|_| shared.seed.is_none());
        self.shot = self.shot.filter(|_| shared.shot.is_none());
        self.split = self.split.filter(|_| shared.split.is_none());
        self.checkpoint = self.checkpoint.filter(|_| shared.checkpoint.is_none());
        self
    }

    pub(super) fn dims(&self) -> Dims {
        let mut dims = Dims::none();
        for (name, number) in self.numbers() {
            dims.insert(name, DimValue::Number(number));
        }
        for (name, text) in self.texts() {
            dims.insert(name, DimValue::parse(text));
        }
        for setting in &self.settings {
            dims.insert(&setting.column, DimValue::parse(&setting.value));
        }
        dims
    }

    pub(super) fn settings(&self) -> Vec<(&'static str, ConfigValue)> {
        let number = |number: f64| ConfigValue::Number(number, number.to_string());
        let numbers = self.numbers().map(|(name, value)| (name, number(value)));
        let text = |text: &str| ConfigValue::Text(text.to_owned());
        numbers.chain(self.texts().map(|(name, value)| (name, text(value)))).collect()
    }

    fn numbers(&self) -> impl Iterator<Item = (&'static str, f64)> {
        [("step", self.step), ("epoch", self.epoch), ("seed", self.seed), ("shot", self.shot)]
            .into_iter()
            .filter_map(|(name, number)| Some((name, number?.value())))
    }

    fn texts(&self) -> impl Iterator<Item = (&'static str, &str)> {
        [("filter", &self.filter), ("split", &self.split), ("checkpoint", &self.checkpoint)]
            .into_iter()
            .filter_map(|(name, text)| Some((name, text.as_deref()?)))
    }
}

/// The value that all have, if they all have the same.
fn common<T: PartialEq>(mut values: impl Iterator<Item = Option<T>>) -> Option<T> {
    let first = values.next()??;
    values.all(|value| value.as_ref() == Some(&first)).then_some(first)
}
