//! Sibling directories, and what their names say of each other: parts of one run, or runs of their own.
//!
//! Names alone rarely decide: `stores` asks for evidence in the files as well.

use super::path_dims::{directory_dims, path_dims};
use super::versions::is_moment;
use super::{Piece, directory_of, plain_stem};
use crate::model::axis_of_word;

/// One directory among its siblings.
pub(super) struct Sibling<'a> {
    pub(super) name: &'a str,
    pub(super) directory: String,
    pub(super) pieces: Vec<&'a Piece>,
}

/// Words for a part of what a run wrote: an evaluation, a checkpoint, a split, an answer.
const PART_WORDS: &[&str] = &[
    "attempt",
    "best",
    "eval",
    "evals",
    "evaluation",
    "final",
    "global",
    "infer",
    "last",
    "latest",
    "pass",
    "sample",
    "try",
];
/// Words for a split of a dataset.
pub(super) const SPLITS: &[&str] =
    &["train", "training", "val", "valid", "validation", "dev", "test"];
/// Words that number the parts of a whole.
pub(super) const SHARD_WORDS: &[&str] = &[
    "rank", "part", "shard", "worker", "chunk", "gpu", "device", "process", "proc", "node", "of",
    "env",
];
/// Words that number runs.
const RUN_WORDS: &[&str] = &[
    "exp",
    "experiment",
    "fold",
    "phase",
    "rep",
    "replica",
    "replicate",
    "run",
    "seed",
    "trial",
    "version",
];

/// Words for what is compared: a model, or a way to train or prompt it.
const ARM_WORDS: &[&str] = &[
    "base",
    "baseline",
    "candidate",
    "chat",
    "dpo",
    "finetuned",
    "greedy",
    "grpo",
    "instruct",
    "model",
    "ppo",
    "reference",
    "rl",
    "sft",
    "tuned",
];

/// Whether a directory can be named after the dataset that it holds results of: not after a
/// coordinate, a part, a time, or one of several runs.
pub(super) fn may_be_a_dataset(name: &str) -> bool {
    let words = remainder(name);
    let is_of_run = |word: &String| {
        let word = without_number(word);
        RUN_WORDS.contains(&word) || ARM_WORDS.contains(&word)
    };
    // `a` and `b` are arms.
    words.iter().any(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 1)
        && !words.iter().any(is_of_run)
        && !is_run_id(name)
        && !is_moment(name)
}

/// Whether two names call two arms, and no datasets: `a` and `b`, `base` and `tuned`.
pub(super) fn are_arms(a: &str, b: &str) -> bool {
    have_other_letters(a, b) && ![a, b].into_iter().any(may_be_a_dataset)
}

/// The name of a directory without the coordinates in it.
pub(super) fn without_coordinates(name: &str) -> String {
    let has_none = directory_dims(&format!("{name}/")).is_empty();
    if has_none { name.to_owned() } else { remainder(name).join("_") }
}

/// The path of a file below a directory.
pub(super) fn below_of<'p>(relative: &'p str, directory: &str) -> &'p str {
    let below = relative.strip_prefix(directory).unwrap_or(relative);
    below.strip_prefix('/').unwrap_or(below)
}

/// Whether two names differ in nothing but coordinates and words for parts of one run:
/// `eval_step_500` and `eval_final`, `train` and `val`, `rank0` and `rank1`.
pub(super) fn are_parts(a: &str, b: &str) -> bool {
    remainder(a) == remainder(b) || wandb_id(a).is_some_and(|id| Some(id) == wandb_id(b))
}

/// Whether both names are one word for runs with other numbers: `seed0` and `seed1`, or `run1_86b20ee1`
/// and `run2_df6cf9c4`.
pub(super) fn number_runs(a: &str, b: &str) -> bool {
    let letters = |name: &str| {
        let words = words(name).into_iter().filter(|word| !is_short_hash(word));
        words.map(|word| without_number(&word).to_owned()).collect::<Vec<_>>()
    };
    let letters_of_a = letters(a);
    a != b
        && letters_of_a == letters(b)
        && letters_of_a.iter().any(|word| RUN_WORDS.contains(&word.as_str()))
}

/// Whether a word looks like the beginning of a hash: hexadecimal digits, of which some are letters.
fn is_short_hash(word: &str) -> bool {
    let has = |is: fn(&u8) -> bool| word.as_bytes().iter().any(is);
    word.len() >= 7
        && word.bytes().all(|byte| byte.is_ascii_hexdigit())
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_alphabetic)
}

/// The word and the number by which a name numbers a run: `seed` and `3` of `eval_seed3`.
pub(super) fn run_number(name: &str) -> Option<(String, String)> {
    let words = words(name);
    let is_number = |word: &&String| word.bytes().all(|byte| byte.is_ascii_digit());
    words.iter().enumerate().find_map(|(at, word)| {
        let letters = without_number(word);
        let behind = word.strip_prefix(letters).filter(|number| !number.is_empty());
        let number = behind.or_else(|| words.get(at + 1).filter(is_number).map(String::as_str))?;
        RUN_WORDS.contains(&letters).then(|| (letters.to_owned(), number.to_owned()))
    })
}

/// Whether what is left of both names differs in more than numbers: `base` and `tuned`.
pub(super) fn have_other_letters(a: &str, b: &str) -> bool {
    let letters = |name: &str| -> String {
        remainder(name).iter().flat_map(|word| word.chars()).filter(|c| c.is_alphabetic()).collect()
    };
    let [a, b] = [a, b].map(letters);
    a != b && !a.is_empty() && !b.is_empty()
}

/// Whether both names have a word in common: `grpo_base` and `grpo_kl0.01`.
pub(super) fn share_a_word(a: &str, b: &str) -> bool {
    let of_b = remainder(b);
    remainder(a).iter().any(|word| word.chars().any(char::is_alphabetic) && of_b.contains(word))
}

/// Whether a name is one that a tracker gives to a run: 32 hexadecimal digits, or
/// `run-20261121_143206-dwvj1dzx`.
pub(super) fn is_run_id(name: &str) -> bool {
    let is_hash = name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash || wandb_id(name).is_some()
}

fn wandb_id(name: &str) -> Option<&str> {
    let (moment, id) =
        name.strip_prefix("offline-").unwrap_or(name).strip_prefix("run-")?.split_once('-')?;
    let (date, time) = moment.split_once('_')?;
    let is_digits =
        |text: &str, count| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_digits(date, 8) && is_digits(time, 6)).then_some(id)
}

/// What is left of a name without coordinates and words for parts.
pub(super) fn remainder(name: &str) -> Vec<String> {
    let mut left = Vec::new();
    let mut is_number_of_part = false;
    for word in words(name) {
        let letters = without_number(&word);
        let is_part = axis_of_word(letters).is_some()
            || PART_WORDS.contains(&letters)
            || SPLITS.contains(&letters)
            || SHARD_WORDS.contains(&letters);
        let is_skipped = is_part || letters.is_empty() && is_number_of_part;
        is_number_of_part = is_part;
        if !is_skipped {
            left.push(word);
        }
    }
    left
}

/// What the path of a file says beside coordinates, sizes and times: `sft` of `sft_epoch1_200.json`, and
/// `grpo` and `kl0.12` of `grpo/kl0.12/epoch1/metrics.json`, each with `metrics`. `None` for a path without
/// coordinates, or that says nothing else.
pub(super) fn words_beside_places(relative: &str) -> Option<Vec<String>> {
    let stem = plain_stem(relative);
    let directories = directory_of(relative).split('/');
    let is_placed = !path_dims(relative).is_empty();
    let says_much = |word: &String| {
        word.chars().any(char::is_alphabetic)
            && !is_short_hash(word)
            && !SHORT_PLACES.contains(&without_number(word))
    };
    // Directories of datasets are told apart by these.
    let arms = directories.filter(|name| !may_be_a_dataset(name));
    let is_named = |name: &&str| !is_moment(name) && !is_run_id(name);
    let words = arms.chain([stem]).filter(is_named).flat_map(remainder);
    let words: Vec<String> = words.filter(says_much).collect();
    (is_placed && !words.is_empty()).then_some(words)
}

/// Words that announce an epoch or a size beside other coordinates.
const SHORT_PLACES: &[&str] = &["e", "n", "samples", "size"];

fn words(name: &str) -> Vec<String> {
    let lower = name.to_lowercase();
    let words = lower.split(['_', '-', '=', ' ', '/']).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

pub(super) fn without_number(word: &str) -> &str {
    word.trim_matches(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_in_a_coordinate_or_a_part_are_of_one_run() {
        for (a, b) in [
            ("eval_step_500", "eval_step_1000"),
            ("eval_step_500", "eval_final"),
            ("checkpoint-500", "checkpoint-1000"),
            ("epoch=1", "epoch=2"),
            ("gsm8k_0shot", "gsm8k_5shot"),
            ("train", "val"),
            ("rank0", "rank_1"),
            ("attempt_1", "attempt_2"),
            ("..__out__epoch_62", "..__out__epoch_5"),
            ("run-20261121_143206-abc", "run-20261122_080000-abc"),
        ] {
            assert!(are_parts(a, b), "{a} {b}");
        }
        for (a, b) in [
            ("kl-0.12", "kl-0.15"),
            ("seed0", "seed1"),
            ("base", "tuned"),
            ("base_eval", "tuned_eval"),
            ("0", "1"),
            ("kl0.1_step1000", "kl0.2_step1000"),
            ("run-20261121_143206-abc", "run-20261121_143206-abd"),
        ] {
            assert!(!are_parts(a, b), "{a} {b}");
        }
    }

    #[test]
    fn names_of_numbers_and_dates_say_nothing_of_models() {
        assert!(have_other_letters("base", "tuned"));
        assert!(!have_other_letters("temp0.7", "temp1.0"));
        assert!(!have_other_letters("2026-11-21", "2026-11-22"));
        assert!(!have_other_letters("base", "0"));
    }

    #[test]
    fn runs_are_numbered_by_words_for_runs_alone() {
        assert!(number_runs("seed0", "seed1"));
        assert!(number_runs("ppo_seed_0", "ppo_seed_17"));
        assert!(number_runs("version_0", "version_1"));
        assert!(number_runs("run01_86b20ee1", "run02_df6cf9c4"));
        assert!(!number_runs("run01_baseline", "run02_tuned"));
        assert!(!number_runs("aime24", "aime25"));
        assert!(!number_runs("seed0", "seed0"));
        assert!(!number_runs("seed0", "base"));
    }
}
