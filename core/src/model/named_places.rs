//! Places on axes that stand in names, of files, directories, keys and runs: `checkpoint-40`, `epoch=3`,
//! `sft_epoch1_n150_shot1`.

use super::{DimValue, Dims, axis_of_word};

/// Words that announce the number of samples, where another coordinate stands beside them: alone they
/// may count anything.
const SIZES: &[&str] = &["n", "samples", "size"];
/// A word that announces an epoch beside another coordinate.
const EPOCH_BESIDE: &str = "e";
/// Digits from which on they are a date or a time.
const DIGITS_OF_DATE: usize = 8;

/// The coordinates that stand in a name, whatever else does.
pub fn places_in_name(name: &str) -> Dims {
    let mut dims = Dims::none();
    add_places(name, &mut dims);
    dims
}

/// The coordinates that a name is, where it says nothing else: `shot1`, `Shot 2`, `epoch1_n150`.
pub fn places_of_name(name: &str) -> Option<Dims> {
    let lower = name.to_ascii_lowercase();
    let mut words = lower.split(['_', '-', '=', '.', ' ']).map(|part| part.trim_matches(is_digit));
    let is_known =
        |word: &str| word.is_empty() || axis_of_word(word).is_some() || SIZES.contains(&word);
    let dims = places_in_name(name);
    (words.all(is_known) && !dims.is_empty()).then_some(dims)
}

/// The number of samples that stands bare at the end of a name behind other coordinates, as in
/// `grpo_epoch1_200`. One that is not round may number a seed or an attempt.
pub fn bare_size(name: &str) -> Option<DimValue> {
    let (before, last) = name.rsplit_once(['_', '-'])?;
    let dims = places_in_name(before);
    let is_told = dims.is_empty() || dims.get("samples").is_some();
    let is_announced = before.ends_with(|c: char| !is_digit(c));
    let is_size = last.ends_with('0') && last.len() > 1 && last.len() < DIGITS_OF_DATE;
    let is_bare = is_number(last) && is_size && !last.starts_with('0');
    (is_bare && !is_told && !is_announced).then(|| DimValue::parse(last))
}

/// Adds the coordinates in one name: each word of a coordinate with the digits at its end or behind
/// it, or for shots and sizes before it.
pub fn add_places(name: &str, dims: &mut Dims) {
    let lower = name.to_ascii_lowercase();
    let parts: Vec<&str> =
        lower.split(['_', '-', '=', '.', ' ', '(', ')', '[', ']', ',']).collect();
    let (mut sizes, mut epochs) = (Vec::new(), Vec::new());
    for (place, part) in parts.iter().enumerate() {
        let (part, scale) = scaled(part);
        let word = part.trim_end_matches(|c: char| c.is_ascii_digit());
        let own = part.get(word.len()..).unwrap_or_default();
        let next = || parts.get(place + 1).map(|next| scaled(next));
        let next = || next().filter(|(next, _)| is_number(next));
        let own = Some((own, scale)).filter(|(own, _)| !own.is_empty());
        let before = || number_before(&parts, place).map(|digits| (digits, 1.0));
        let Some((digits, scale)) = own.or_else(next).or_else(before) else {
            continue;
        };
        let word = word.trim_start_matches(|c: char| c.is_ascii_digit());
        if let Some(dim) = axis_of_word(word) {
            let value = match DimValue::parse(digits) {
                DimValue::Number(number) => DimValue::Number(number * scale),
                text @ DimValue::Text(_) => text,
            };
            dims.insert(dim, value);
        } else if SIZES.contains(&word) && digits.len() < DIGITS_OF_DATE {
            sizes.push(digits);
        } else if word == EPOCH_BESIDE {
            epochs.push(digits);
        }
    }
    if let ([epoch], false, None) = (epochs.as_slice(), dims.is_empty(), dims.get("epoch")) {
        dims.insert("epoch", DimValue::parse(epoch));
    }
    if let ([size], false) = (sizes.as_slice(), dims.is_empty()) {
        dims.insert("samples", DimValue::parse(size));
    }
}

/// A part without the letter for thousands or millions behind its digits, and what that means.
fn scaled(part: &str) -> (&str, f64) {
    let before = |letter| part.strip_suffix(letter).filter(|rest| rest.ends_with(is_digit));
    match (before('k'), before('m')) {
        (Some(rest), _) => (rest, 1e3),
        (_, Some(rest)) => (rest, 1e6),
        _ => (part, 1.0),
    }
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

/// The number before the word at a place, where that is one of shots or a size: `5shot`, `5-shot`,
/// `200samples`.
fn number_before<'n>(parts: &[&'n str], place: usize) -> Option<&'n str> {
    let part = parts.get(place)?;
    let word = part.trim_start_matches(is_digit);
    let own = part.strip_suffix(word).filter(|digits| !digits.is_empty());
    let above = || parts.get(place.checked_sub(1)?).copied().filter(|before| is_number(before));
    match word {
        "shot" | "shots" => own.or_else(above),
        "samples" => own,
        _ => None,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_words_count_beside_other_coordinates() {
        for (name, expected) in [
            ("grpo-e1-200samples-1shot", "epoch=1 samples=200 shot=1"),
            ("sft_ep3", "epoch=3"),
            ("sft_e3", ""),
            ("sft_200samples", ""),
            ("resnet_e3_epoch5", "epoch=5"),
        ] {
            assert_eq!(places_in_name(name).to_string(), expected, "{name}");
        }
    }

    #[test]
    fn a_round_number_behind_coordinates_is_a_size() {
        for (name, expected) in [
            ("grpo_epoch1_200", Some("200")),
            ("shot-2-1000", Some("1000")),
            ("grpo_epoch_200", None),
            ("grpo_epoch1_42", None),
            ("grpo_epoch1_n100_200", None),
            ("grpo_epoch1_20260100", None),
            ("grpo_200", None),
            ("epoch1_final_200", None),
        ] {
            let found = bare_size(name).map(|size| size.to_string());
            assert_eq!(found.as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn a_key_that_says_nothing_else_is_a_coordinate() {
        for (key, expected) in [
            ("shot1", Some("shot=1")),
            ("Shot 2", Some("shot=2")),
            ("epoch1_n150_shot1", Some("epoch=1 samples=150 shot=1")),
            ("mmlu_5shot", None),
            ("gsm8k", None),
            ("step", None),
            ("2026", None),
        ] {
            let found = places_of_name(key).map(|dims| dims.to_string());
            assert_eq!(found.as_deref(), expected, "{key}");
        }
    }
}
