//! Fields of no known meaning whose values several records share: they may say which samples belong
//! together.
//!
//! Which ones are kept is decided after some records, so that a text of its own in every record costs
//! nothing but these. What the values mean is asked where scores are compared.

use super::json;
use super::value::{RecordValue, hash_of, whole};

/// Values after which a field is given up that has a new one in nearly every record.
const DECIDED_AFTER: u32 = 256;
const MOST_DISTINCT: u32 = 250;

/// Longest text or list that a value of such a field is, in bytes: passages are, and few answers.
const LONGEST: usize = 4096;

/// Most fields looked at, those inside objects included: more distinct names are data.
const MOST_FIELDS: usize = 1024;

/// Bits by which distinct values are counted: 250 of 256 values fall on one of their own.
const BITS: usize = 1 << 16;

/// The fields met so far.
#[derive(Debug, Default)]
pub(crate) struct SharedFields(Vec<SharedField>);

#[derive(Debug, Default)]
struct SharedField {
    name: String,
    values: u32,
    distinct: u32,
    /// Which values there were, by the low bits of their hash.
    seen: Vec<u64>,
    given_up: bool,
    /// Names and places of the fields inside its objects.
    inside: Vec<(String, u16)>,
    objects: u32,
}

impl SharedFields {
    /// The place of a new field.
    pub(super) fn add(&mut self, name: &str) -> Option<u16> {
        let place = u16::try_from(self.0.len()).ok().filter(|_| self.0.len() < MOST_FIELDS)?;
        self.0.push(SharedField { name: name.to_owned(), ..SharedField::default() });
        Some(place)
    }

    /// Notes the value in that field, or the fields inside its object, as places and numbers.
    pub(super) fn note(&mut self, place: u16, value: RecordValue<'_>, noted: &mut Vec<(u16, u32)>) {
        let object = match value {
            RecordValue::Composite(raw) if raw.starts_with('{') => raw,
            _ => {
                noted.extend(self.number(place, value).map(|number| (place, number)));
                return;
            }
        };
        if !self.opens(place) {
            return;
        }
        // The text was read as JSON once already; a fault cannot come now.
        let _checked = json::for_each_field(object, |key, raw| {
            let (mut key_scratch, mut scratch) = (String::new(), String::new());
            let Some(inside) = self.inside(place, key.name(&mut key_scratch)) else { return };
            let value = raw.quoted().map(RecordValue::Quoted);
            self.note(inside, value.unwrap_or_else(|| raw.value(&mut scratch)), noted);
        });
    }

    /// Whether a further object in that field is worth looking into: not where all that lies inside was
    /// given up.
    fn opens(&mut self, place: u16) -> bool {
        let Some(field) = self.0.get(usize::from(place)) else { return false };
        let is_known = field.objects == DECIDED_AFTER;
        let given_up = |(_, inside): &(String, u16)| self.0[usize::from(*inside)].given_up;
        let given_up = field.given_up || is_known && field.inside.iter().all(given_up);
        let field = &mut self.0[usize::from(place)];
        field.given_up = given_up;
        field.objects += u32::from(!is_known);
        !given_up
    }

    /// The place of the field of that name inside the objects of another one.
    fn inside(&mut self, outer: u16, name: &str) -> Option<u16> {
        let field = self.0.get(usize::from(outer))?;
        if let Some((_, place)) = field.inside.iter().find(|(known, _)| known == name) {
            return Some(*place);
        }
        let path = format!("{}.{name}", field.name);
        let place = self.add(&path)?;
        self.0[usize::from(outer)].inside.push((name.to_owned(), place));
        Some(place)
    }

    pub(super) fn name(&self, place: u16) -> &str {
        self.0.get(usize::from(place)).map_or("", |field| field.name.as_str())
    }

    /// A number for the value in that field; `None` for none, for what is no name, list or whole number,
    /// and where the field was given up.
    fn number(&mut self, place: u16, value: RecordValue<'_>) -> Option<u32> {
        let field = self.0.get_mut(usize::from(place)).filter(|field| !field.given_up)?;
        let value = whole(value);
        let is_name = match value {
            RecordValue::Text(text) | RecordValue::Quoted(text) => text.len() <= LONGEST,
            RecordValue::Number { value, .. } => value.fract() == 0.0,
            RecordValue::Composite(raw) => raw.starts_with('[') && raw.len() <= LONGEST,
            RecordValue::Null | RecordValue::Bool(_) => false,
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
