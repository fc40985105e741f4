//! Fields of no known meaning whose values several records share: they may say which samples belong
//! together.
//!
//! Which ones are kept is decided after some records, so that a text of its own in every record costs
//! nothing but these. What the values mean is asked where scores are compared.

use super::value::{RecordValue, hash_of, whole};

/// Values after which a field is given up that has a new one in nearly every record.
const DECIDED_AFTER: u32 = 256;
const MOST_DISTINCT: u32 = 250;

/// Longest text that a value of such a field is, in bytes.
const LONGEST: usize = 256;

/// Bits by which distinct values are counted: 250 of 256 values fall on one of their own.
const BITS: usize = 1 << 16;

/// The fields met so far.
#[derive(Debug, Default)]
pub(crate) struct SharedFields(Vec<SharedField>);

#[derive(Debug)]
struct SharedField {
    name: String,
    values: u32,
    distinct: u32,
    /// Which values there were, by the low bits of their hash.
    seen: Vec<u64>,
    given_up: bool,
}

impl SharedFields {
    /// The place of a new field.
    pub(super) fn add(&mut self, name: &str) -> Option<u16> {
        let (name, seen) = (name.to_owned(), Vec::new());
        let place = u16::try_from(self.0.len()).ok()?;
        self.0.push(SharedField { name, values: 0, distinct: 0, seen, given_up: false });
        Some(place)
    }

    pub(super) fn name(&self, place: u16) -> &str {
        self.0.get(usize::from(place)).map_or("", |field| field.name.as_str())
    }

    /// A number for the value in that field; `None` for none, for what is no name or whole number, and
    /// where the field was given up.
    pub(super) fn number(&mut self, place: u16, value: RecordValue<'_>) -> Option<u32> {
        let field = self.0.get_mut(usize::from(place)).filter(|field| !field.given_up)?;
        let value = whole(value);
        let is_name = match value {
            RecordValue::Text(text) | RecordValue::Quoted(text) => text.len() <= LONGEST,
            RecordValue::Number { value, .. } => value.fract() == 0.0,
            RecordValue::Null | RecordValue::Bool(_) | RecordValue::Composite(_) => false,
        };
        if !is_name {
            field.given_up |= !matches!(value, RecordValue::Null);
            return None;
        }
        let number = (hash_of(value)?.get() as u32).max(1);
        field.note(number);
        (!field.given_up).then_some(number)
    }

    /// Whether the field of that name was given up.
    pub(super) fn is_given_up(&self, name: &str) -> bool {
        self.0.iter().any(|field| field.given_up && field.name == name)
    }
}

impl SharedField {
    fn note(&mut self, number: u32) {
        if self.values == DECIDED_AFTER {
            return;
        }
        self.seen.resize(BITS / 64, 0);
        let bit = number as usize % BITS;
        let word = &mut self.seen[bit / 64];
        self.distinct += u32::from(*word >> (bit % 64) & 1 == 0);
        *word |= 1 << (bit % 64);
        self.values += 1;
        if self.values == DECIDED_AFTER {
            self.given_up |= self.distinct > MOST_DISTINCT;
            self.seen = Vec::new();
        }
    }
}
