//! Fields of no known meaning whose values several records share, and what values of any field begin
//! with: they may say which samples belong together.
//!
//! Which ones are kept is decided after some records, so that a text of its own in every record costs
//! nothing but these. What the values mean is asked where scores are compared.

use super::json;
use super::names::is_setting;
use super::value::{RecordValue, hash_of, whole};
use crate::model::{ContentHashes, SharedKey, SharedPart};

/// Values after which a field is given up that has a new one in nearly every record.
const DECIDED_AFTER: u32 = 256;
const MOST_DISTINCT: u32 = 250;

/// Longest text or list that a value of such a field is, in bytes: passages are, and few answers.
const LONGEST: usize = 4096;

/// Most fields looked at, those inside objects included: more distinct names are data.
const MOST_FIELDS: usize = 1024;

/// Bits by which distinct values are counted: 250 of 256 values fall on one of their own.
const BITS: usize = 1 << 16;

/// Longest text that may be a name or an address, in bytes.
const LONGEST_NAME: usize = 200;

/// Bytes at the beginning of a longer text that may be the passage which it is about: some stand behind
/// an instruction, and some are a sentence.
const TEXT_BEGINNINGS: [u16; 3] = [60, 200, 1000];

/// What stands between the parts of a name, beside `/`.
const SEPARATORS: [char; 8] = ['_', '-', '#', ':', '?', '&', '=', '@'];

/// The fields met so far.
#[derive(Debug, Default)]
pub(crate) struct SharedFields(Vec<SharedField>);

#[derive(Debug)]
struct SharedField {
    key: SharedKey,
    /// Whether it repeats a setting, of which fractions are values like others.
    is_setting: bool,
    values: u32,
    first: Option<u32>,
    distinct: u32,
    /// Which values there were, by the low bits of their hash.
    seen: Vec<u64>,
    given_up: bool,
    /// Names and places of the fields inside its objects.
    inside: Vec<(String, u16)>,
    objects: u32,
    /// Places of the parts of its values that were met.
    parts: Vec<(SharedPart, u16)>,
}

impl SharedFields {
    /// The place of a new field.
    pub(super) fn add(&mut self, name: &str) -> Option<u16> {
        self.add_part(name, SharedPart::Whole)
    }

    fn add_part(&mut self, name: &str, part: SharedPart) -> Option<u16> {
        let place = u16::try_from(self.0.len()).ok().filter(|_| self.0.len() < MOST_FIELDS)?;
        self.0.push(SharedField::new(SharedKey { field: name.to_owned(), part }));
        Some(place)
    }

    /// Notes the value in that field and what it begins with, or the fields inside its object, as places
    /// and numbers.
    pub(super) fn note(&mut self, place: u16, value: RecordValue<'_>, noted: &mut Vec<(u16, u32)>) {
        if self.note_inside(place, value, noted) {
            return;
        }
        noted.extend(self.number(place, value).map(|number| (place, number)));
        if !matches!(value, RecordValue::Composite(_)) {
            self.note_beginnings(place, value, noted);
        }
    }

    /// The same of a field whose whole value says what was asked.
    pub(super) fn note_content(
        &mut self,
        place: u16,
        value: RecordValue<'_>,
        noted: &mut Vec<(u16, u32)>,
    ) {
        if !self.note_inside(place, value, noted) {
            self.note_beginnings(place, value, noted);
        }
    }

    /// Notes how many elements a list in that field has.
    pub(super) fn note_length(place: u16, value: RecordValue<'_>, noted: &mut Vec<(u16, u32)>) {
        let RecordValue::Composite(list) = value else { return };
        let mut length = 0_u32;
        // An object has no elements.
        if json::for_each_element(list, |_| length += 1).is_ok() && length > 0 {
            noted.push((place, length));
        }
    }

    /// Notes the fields inside an object. `false` where there is none.
    fn note_inside(
        &mut self,
        place: u16,
        value: RecordValue<'_>,
        noted: &mut Vec<(u16, u32)>,
    ) -> bool {
        let RecordValue::Composite(object) = value else { return false };
        if !object.starts_with('{') {
            return false;
        }
        if self.opens(place) {
            // The text was read as JSON once already; a fault cannot come now.
            let _checked = json::for_each_field(object, |key, raw| {
                let (mut key_scratch, mut scratch) = (String::new(), String::new());
                let Some(inside) = self.inside(place, key.name(&mut key_scratch)) else { return };
                let value = raw.quoted().map(RecordValue::Quoted);
                self.note(inside, value.unwrap_or_else(|| raw.value(&mut scratch)), noted);
            });
        }
        true
    }

    /// Notes what the text in that field, or the JSON of a list, begins with: of a long one its first
    /// bytes, of a name the parts before its last separators.
    pub(super) fn note_beginnings(
        &mut self,
        place: u16,
        value: RecordValue<'_>,
        noted: &mut Vec<(u16, u32)>,
    ) {
        let (RecordValue::Text(text) | RecordValue::Quoted(text) | RecordValue::Composite(text)) =
            value
        else {
            return;
        };
        for bytes in TEXT_BEGINNINGS.into_iter().filter(|&bytes| text.len() > usize::from(bytes)) {
            let beginning = text.as_bytes().get(..usize::from(bytes));
            self.note_part(place, SharedPart::TextBeginning(bytes), beginning, noted);
        }
        if text.len() > LONGEST_NAME || matches!(value, RecordValue::Composite(_)) {
            return;
        }
        let slash = text.rfind('/').filter(|&at| at > 0);
        let separator = text.rfind(SEPARATORS).filter(|&at| at > 0);
        if (slash, separator) == (None, None) || text.bytes().any(|byte| byte == b' ') {
            return;
        }
        for (part, end) in [(SharedPart::Directory, slash), (SharedPart::NameBeginning, separator)]
        {
            let beginning = end.map(|end| &text.as_bytes()[..end]);
            self.note_part(place, part, beginning, noted);
        }
    }

    /// Notes a part of the value in that field, unless it was given up.
    fn note_part(
        &mut self,
        place: u16,
        part: SharedPart,
        bytes: Option<&[u8]>,
        noted: &mut Vec<(u16, u32)>,
    ) {
        let Some(bytes) = bytes else { return };
        let Some(place) = self.part(place, part) else { return };
        let field = &mut self.0[usize::from(place)];
        if field.given_up {
            return;
        }
        let number = (ContentHashes::hash_bytes(bytes).get() as u32).max(1);
        field.note(number);
        if !field.given_up {
            noted.push((place, number));
        }
    }

    /// The place of a part of the values of a field.
    fn part(&mut self, whole: u16, part: SharedPart) -> Option<u16> {
        let field = self.0.get(usize::from(whole))?;
        if let Some((_, place)) = field.parts.iter().find(|(known, _)| *known == part) {
            return Some(*place);
        }
        let name = field.key.field.clone();
        let place = self.add_part(&name, part)?;
        self.0[usize::from(whole)].parts.push((part, place));
        Some(place)
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
        let path = format!("{}.{name}", field.key.field);
        let place = self.add(&path)?;
        self.0[usize::from(outer)].inside.push((name.to_owned(), place));
        Some(place)
    }

    /// What lies at that place.
    pub(super) fn key(&self, place: u16) -> SharedKey {
        let nothing = || SharedKey { field: String::new(), part: SharedPart::Whole };
        self.0.get(usize::from(place)).map_or_else(nothing, |field| field.key.clone())
    }

    /// A number for the value in that field; `None` for none, for what is no name, list, number or truth
    /// value, and where the field was given up.
    fn number(&mut self, place: u16, value: RecordValue<'_>) -> Option<u32> {
        let field = self.0.get_mut(usize::from(place)).filter(|field| !field.given_up)?;
        let value = whole(value);
        let is_name = match value {
            RecordValue::Text(text) | RecordValue::Quoted(text) => text.len() <= LONGEST,
            RecordValue::Composite(raw) => raw.starts_with('[') && raw.len() <= LONGEST,
            RecordValue::Number { .. } | RecordValue::Bool(_) => true,
            RecordValue::Null => return None,
        };
        let number = hash_of(value).map_or(0, |hash| (hash.get() as u32).max(1));
        // Truth values and fractions say no group, and a setting where they never change.
        let may_change = match value {
            RecordValue::Number { value, .. } => value.fract() == 0.0 || field.is_setting,
            RecordValue::Bool(_) => false,
            _ => true,
        };
        field.given_up |=
            !is_name || !may_change && field.first.is_some_and(|first| first != number);
        if field.given_up || number == 0 {
            return None;
        }
        field.first.get_or_insert(number);
        field.note(number);
        (!field.given_up).then_some(number)
    }

    /// Whether that field, or part of one, was given up.
    pub(super) fn is_given_up(&self, key: &SharedKey) -> bool {
        self.0.iter().any(|field| field.given_up && field.key == *key)
    }
}

impl SharedField {
    fn new(key: SharedKey) -> Self {
        Self {
            is_setting: is_setting(&key.field),
            key,
            values: 0,
            first: None,
            distinct: 0,
            seen: Vec::new(),
            given_up: false,
            inside: Vec::new(),
            objects: 0,
            parts: Vec::new(),
        }
    }

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
