//! Which names say that a value is a data file, and what the file is for.
//!
//! Knows words only; whether a file is there is not asked here.

use crate::collect::packing::unpacked_name;
use crate::model::{DataRole, leaf};

/// Last words of keys that name data files.
const KEYS: &[&str] = &[
    // Training, as people write it.
    "train_file",
    "train_files",
    "train_path",
    "train_set",
    "train_dataset",
    "training_file",
    "training_files",
    // Evaluation.
    "eval_file",
    "eval_files",
    "eval_path",
    "eval_dataset",
    "val_file",
    "val_files",
    "val_path",
    "val_dataset",
    "validation_file",
    "validation_files",
    "dev_file",
    "test_file",
    "test_files",
    "test_path",
    "test_dataset",
    // Either: verl, TRL, Hugging Face, lm-evaluation-harness, inspect.
    "data",
    "data_dir",
    "data_file",
    "data_files",
    "data_path",
    "dataset",
    "dataset_dir",
    "dataset_file",
    "dataset_name",
    "dataset_path",
];
/// Words of keys that say what a training was made of, before [`FILES`].
const TRAININGS: &[&str] = &["train", "training", "rl", "sft", "grpo", "ppo", "dpo"];
const FILES: &[&str] = &["file", "files", "path", "json", "jsonl", "csv", "parquet"];
/// Words of keys that name what a run writes, or settings of a library.
const NO_DATA: &[&str] = &[
    "output",
    "out",
    "save",
    "dump",
    "log",
    "logs",
    "cache",
    "rollout",
    "prediction",
    "predictions",
    "result",
    "results",
    "report",
    "config",
    "deepspeed",
    "accelerate",
    "tokenizer",
    "vocab",
    "template",
    "schema",
    "index",
    "checkpoint",
    "resume",
    "manifest",
];
/// A path below one of these tables names a data file too: `dataset.path`, `data_files.train`.
const TABLES: &[&str] = &["data", "dataset", "datasets", "data_files"];
const NAMES_IN_TABLES: &[&str] =
    &["path", "file", "files", "location", "name", "train", "eval", "val", "validation", "test"];
/// Last words of keys that hold the command line of a run.
const COMMANDS: &[&str] =
    &["cmd", "command", "command_line", "cmdline", "args", "argv", "script_args", "overrides"];
/// Of files that can be read as records; Arrow files are only hashed.
pub(super) const EXTENSIONS: &[&str] =
    &["json", "jsonl", "ndjson", "csv", "tsv", "parquet", "arrow"];

pub(super) fn names_data(key: &str) -> bool {
    let key = key.to_ascii_lowercase().replace('-', "_");
    let mut parts = key.rsplit('.').filter(|part| part.parse::<usize>().is_err());
    let Some(last) = parts.next() else { return false };
    let above = parts.next();
    let (before, file) = last.rsplit_once('_').unwrap_or(("", last));
    let is_file = FILES.contains(&file);
    KEYS.contains(&last)
        || (NAMES_IN_TABLES.contains(&last) && above.is_some_and(|above| TABLES.contains(&above)))
        || (!is_no_data(last)
            && (last.ends_with("_data")
                || (is_file && before.ends_with("_data"))
                || (is_file && before.split('_').any(|word| TRAININGS.contains(&word)))))
}

/// Whether a key names what a run writes, or settings: a file that it names is no data.
pub(super) fn is_no_data(key: &str) -> bool {
    let words = key.split(|c: char| !c.is_ascii_alphanumeric());
    words.map(str::to_ascii_lowercase).any(|word| NO_DATA.contains(&word.as_str()))
}

pub(super) fn names_command(key: &str) -> bool {
    COMMANDS.contains(&leaf(key))
}

/// Whether a value is the name of a data file by its extension.
pub(super) fn is_data_name(text: &str) -> bool {
    let name = text.rsplit(['/', '\\']).next().unwrap_or(text).to_ascii_lowercase();
    let name = unpacked_name(&name);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    EXTENSIONS.contains(&extension) && !text.contains('\n')
}

/// What a file is for: by the key that names it, else by its own name, else by its path.
pub(super) fn data_role(key: &str, declared: &str) -> DataRole {
    let of = |text: &str| {
        let words: Vec<String> =
            text.split(|c: char| !c.is_ascii_alphanumeric()).map(str::to_ascii_lowercase).collect();
        let any = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
        if any(&["eval", "evaluation", "val", "valid", "validation", "test", "dev"]) {
            Some(DataRole::Eval)
        } else if any(TRAININGS) {
            Some(DataRole::Train)
        } else {
            None
        }
    };
    // Tasks of an evaluation harness name what is evaluated.
    let task = key.starts_with("task.").then_some(DataRole::Eval);
    let name = declared.rsplit(['/', '\\']).next().unwrap_or(declared);
    task.or_else(|| of(key))
        .or_else(|| of(name))
        .or_else(|| of(declared))
        .unwrap_or(DataRole::Unspecified)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_extensions_decide_what_is_a_data_file() {
        for (key, named) in [
            ("rl_data", true),
            ("data.train_files", true),
            ("dataset.path", true),
            ("eval.dataset.location", true),
            ("task.arc.dataset_kwargs.data_files.test", true),
            ("data_files.0.train_file", true),
            ("rl_data_path", true),
            ("RL_DATA", true),
            ("grpo_data", true),
            ("rl_file", true),
            ("train-jsonl", true),
            ("rollout_data_dir", false),
            ("train_output_file", false),
            ("questions", false),
            ("output.path", false),
            ("model", false),
            ("model.name", false),
        ] {
            assert_eq!(names_data(key), named, "{key}");
        }
        assert!(is_data_name("数据/rl data.JSONL.gz"));
        assert!(is_data_name("train.jsonl.zst"));
        assert!(!is_data_name("squad") && !is_data_name("weights.bin"));
    }

    #[test]
    fn the_key_says_what_the_data_is_for_before_the_path_does() {
        for (key, declared, expected) in [
            ("data.val_files", "train.parquet", DataRole::Eval),
            ("rl_data", "x.json", DataRole::Train),
            ("GRPO_DATA", "x.json", DataRole::Train),
            ("data_path", "sets/test.csv", DataRole::Eval),
            ("data_path", "test/train.csv", DataRole::Train),
            ("data_path", "x.csv", DataRole::Unspecified),
            ("task.arc.dataset_path", "x.csv", DataRole::Eval),
        ] {
            assert_eq!(data_role(key, declared), expected, "{key} {declared}");
        }
    }
}
