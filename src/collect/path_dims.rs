//! Grid coordinates that stand in the names of directories and files: `eval_step_500`,
//! `checkpoint-40`, `epoch=3`, `epoch1_n150_shot1.json`. One rule for whatever a file holds.

use super::plain_stem;
use crate::model::{DimValue, Dims};

/// Words that announce a coordinate, with the name of the coordinate.
const WORDS: &[(&str, &str)] = &[
    ("step", "step"),
    ("checkpoint", "step"),
    ("ckpt", "step"),
    ("iter", "step"),
    ("iteration", "step"),
    ("round", "round"),
    ("epoch", "epoch"),
    ("shot", "shot"),
    ("shots", "shot"),
];
/// Words that announce the number of samples, where another coordinate stands beside them: alone they
/// may count anything.
const SIZES: &[&str] = &["n", "samples", "size"];
/// Digits from which on they are a date or a time.
const DIGITS_OF_DATE: usize = 8;

/// Coordinates of a file from its own name and the directories between it and the run. The innermost
/// wins.
pub(super) fn path_dims(relative: &str) -> Dims {
    let mut dims = directory_dims(relative);
    add_name(plain_stem(relative), &mut dims);
    dims
}

/// The coordinates that stand in a name, whatever else does.
pub(super) fn of_name(name: &str) -> Dims {
    let mut dims = Dims::none();
    add_name(name, &mut dims);
    dims
}

/// What a name says beside coordinates and numbers, in lower case: `sft` of `sft_epoch1_200`.
pub(super) fn rest_of_name(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let words = lower.split(['_', '-', '=', '.', ' ']);
    let is_rest = |word: &&str| {
        let word = word.trim_matches(is_digit);
        !word.is_empty() && !is_coordinate(word) && !SIZES.contains(&word)
    };
    words.filter(is_rest).collect::<Vec<_>>().join("_")
}

/// The coordinates that a name is, where it says nothing else: `shot1`, `Shot 2`, `epoch1_n150`.
pub(super) fn whole_name(name: &str) -> Option<Dims> {
    let lower = name.to_ascii_lowercase();
    let mut words = lower.split(['_', '-', '=', '.', ' ']).map(|part| part.trim_matches(is_digit));
    let is_known = |word: &str| word.is_empty() || is_coordinate(word) || SIZES.contains(&word);
    let dims = of_name(name);
    (words.all(is_known) && !dims.is_empty()).then_some(dims)
}

/// The number of samples that is a coordinate.
pub(super) fn size_of(dims: &Dims) -> Option<u64> {
    match dims.get("samples")? {
        DimValue::Number(size) if *size >= 1.0 => Some(*size as u64),
        _ => None,
    }
}

/// Adds the number of samples that stands bare at the end of the name of a file.
pub(super) fn add_bare_size(relative: &str, dims: &mut Dims) {
    if let Some(size) = bare_size(plain_stem(relative)) {
        dims.insert("samples", size);
    }
}

/// The number of samples that stands bare at the end of a name behind other coordinates, as in
/// `grpo_epoch1_200`. One that is not round may number a seed or an attempt.
fn bare_size(name: &str) -> Option<DimValue> {
    let (before, last) = name.rsplit_once(['_', '-'])?;
    let dims = of_name(before);
    let is_told = dims.is_empty() || dims.get("samples").is_some();
    let is_announced = before.ends_with(|c: char| !is_digit(c));
    let is_size = last.ends_with('0') && last.len() > 1 && last.len() < DIGITS_OF_DATE;
    let is_bare = is_number(last) && is_size && !last.starts_with('0');
    (is_bare && !is_told && !is_announced).then(|| DimValue::parse(last))
}

/// Coordinates of a file from its directories alone.
pub(super) fn directory_dims(relative: &str) -> Dims {
    let mut dims = Dims::none();
    let directories = relative.rsplit_once('/').map_or("", |(directories, _)| directories);
    for name in directories.split('/') {
        add_name(name, &mut dims);
    }
    dims
}

/// Adds the coordinates in one name: each word of a coordinate with the digits at its end or behind
/// it, or for shots before it.
fn add_name(name: &str, dims: &mut Dims) {
    let lower = name.to_ascii_lowercase();
    let parts: Vec<&str> = lower.split(['_', '-', '=', '.', ' ']).collect();
    let mut sizes = Vec::new();
    for (place, part) in parts.iter().enumerate() {
        let (part, scale) = scaled(part);
        let word = part.trim_end_matches(|c: char| c.is_ascii_digit());
        let own = part.get(word.len()..).unwrap_or_default();
        let next = || parts.get(place + 1).map(|next| scaled(next));
        let next = || next().filter(|(next, _)| is_number(next));
        let own = Some((own, scale)).filter(|(own, _)| !own.is_empty());
        let before = || shots_before(&parts, place).map(|digits| (digits, 1.0));
        let Some((digits, scale)) = own.or_else(next).or_else(before) else {
            continue;
        };
        let word = word.trim_start_matches(|c: char| c.is_ascii_digit());
        if let Some((_, dim)) = WORDS.iter().find(|(announced, _)| *announced == word) {
            let value = match DimValue::parse(digits) {
                DimValue::Number(number) => DimValue::Number(number * scale),
                text @ DimValue::Text(_) => text,
            };
            dims.insert(dim, value);
        } else if SIZES.contains(&word) && digits.len() < DIGITS_OF_DATE {
            sizes.push(digits);
        }
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

/// The number before the word at a place, where that is one of shots: `5shot`, `5-shot`.
fn shots_before<'n>(parts: &[&'n str], place: usize) -> Option<&'n str> {
    let part = parts.get(place)?;
    let word = part.trim_start_matches(|c: char| c.is_ascii_digit());
    if !matches!(word, "shot" | "shots") {
        return None;
    }
    let own = part.strip_suffix(word).filter(|digits| !digits.is_empty());
    let above = || parts.get(place.checked_sub(1)?).copied().filter(|before| is_number(before));
    own.or_else(above)
}

/// Whether that word announces a coordinate.
pub(super) fn is_coordinate(word: &str) -> bool {
    WORDS.iter().any(|(announced, _)| *announced == word)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_directories_and_files_give_coordinates() {
        for (path, expected) in [
            ("outputs/eval_step_500/metrics.json", "step=500"),
            ("global_step_1000/huggingface/metrics.json", "step=1000"),
            ("checkpoint-40/eval.json", "step=40"),
            ("epoch=3/m.json", "epoch=3"),
            ("epoch_1/grid.csv", "epoch=1"),
            ("epoch-1/grid.csv", "epoch=1"),
            ("results/epoch1_n150_shot1.json", "epoch=1 samples=150 shot=1"),
            ("epoch=2/5-shot.json", "epoch=2 shot=5"),
            ("1.4b_step1000.json", "step=1000"),
            ("step100k/m.json", "step=100000"),
            ("ckpt_2m/m.json", "step=2000000"),
            ("iter_100/m.json", "step=100"),
            ("round1/m.json", "round=1"),
            ("a/5shot/samples.jsonl.gz", "shot=5"),
            ("epoch_1/epoch_2.json", "epoch=2"),
            ("lockstep5/m.json", ""),
            ("eval_final/m.json", ""),
            ("version_0/m.json", ""),
            ("shot_4/size_200.csv", "samples=200 shot=4"),
            ("shot_4/n_20260101.csv", "shot=4"),
            ("n10.json", ""),
            ("samples_2026/m.json", ""),
            ("step.json", ""),
            ("stepk/m.json", ""),
            ("roundabout1/m.json", ""),
            ("screenshot1.json", ""),
            ("one-shot.json", ""),
        ] {
            assert_eq!(path_dims(path).to_string(), expected, "{path}");
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
            let found = whole_name(key).map(|dims| dims.to_string());
            assert_eq!(found.as_deref(), expected, "{key}");
        }
    }
}
