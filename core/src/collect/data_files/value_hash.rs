//! Hashes of values that are equal when the values are, whatever format they are written in.

use std::fmt::Write as _;

use xxhash_rust::xxh3::xxh3_64;

use super::super::readers::samples::json;
use super::super::readers::samples::value::RecordValue;

/// Joins two hashes; the order matters.
pub(super) fn mixed(a: u64, b: u64) -> u64 {
    // The finaliser of SplitMix64 (Steele, Lea and Flood 2014).
    let mut mixed = a.rotate_left(29).wrapping_add(b).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// Hash of a value; 0 for nothing, which an empty text is too, as in CSV. Numbers count as the text
/// of their value, so that `5`, `5.0` and the text `5` are equal.
pub(super) fn hash_value(value: RecordValue<'_>, scratch: &mut String) -> u64 {
    match value {
        RecordValue::Bool(true) => xxh3_64(b"true"),
        RecordValue::Bool(false) => xxh3_64(b"false"),
        RecordValue::Number { value, text } => {
            let plain = !text.is_empty()
                && text.len() < 16
                && text.bytes().all(|byte| byte.is_ascii_digit());
            if plain {
                return xxh3_64(text.as_bytes());
            }
            scratch.clear();
            let _infallible = write!(scratch, "{value}");
            xxh3_64(scratch.as_bytes())
        }
        RecordValue::Null | RecordValue::Text("") | RecordValue::Quoted("") => 0,
        RecordValue::Text(text) | RecordValue::Quoted(text) => xxh3_64(text.as_bytes()),
        RecordValue::Composite(raw) => hash_composite(raw),
    }
}

/// Objects whatever the order of their fields, lists in order.
fn hash_composite(raw: &str) -> u64 {
    let mut hash = 0_u64;
    let mut scratch = String::new();
    if raw.trim_start().starts_with('{') {
        // The text was read as JSON once already; a fault cannot come now.
        let _checked = json::for_each_field(raw, |key, value| {
            let (mut name, mut text) = (String::new(), String::new());
            let name_hash = xxh3_64(key.name(&mut name).as_bytes());
            match hash_value(value.value(&mut text), &mut scratch) {
                0 => {}
                value_hash => hash = hash.wrapping_add(mixed(name_hash, value_hash)),
            }
        });
    } else {
        let _checked = json::for_each_element(raw, |element| {
            let mut text = String::new();
            hash = mixed(hash, hash_value(json::value(element, &mut text), &mut scratch));
        });
    }
    mixed(hash, 2)
}
