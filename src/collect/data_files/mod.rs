//! Data files that a configuration names: where they lie, what is in them.

mod hash;
mod profile;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::shown;
use crate::diag::{Diagnostic, Warned};
use crate::model::{Config, ConfigEntry, ConfigValue, DataFile, DataRole};

/// Last words of keys that name data files.
const KEYS: &[&str] = &[
    "rl_data",
    "train_data",
    "train_file",
    "train_files",
    "train_path",
    "train_dataset",
    "data",
    "data_file",
    "data_files",
    "data_path",
    "dataset",
    "dataset_path",
    "dataset_file",
    "eval_data",
    "eval_file",
    "eval_files",
    "eval_path",
    "val_data",
    "val_file",
    "val_files",
    "val_path",
    "test_data",
    "test_file",
    "test_files",
    "test_path",
];
/// A path below one of these tables names a data file too: `dataset.path`, `data_files.train`.
const TABLES: &[&str] = &["data", "dataset", "data_files"];
const NAMES_IN_TABLES: &[&str] = &["path", "file", "files", "train", "eval", "val", "test"];
const EXTENSIONS: &[&str] = &["json", "jsonl", "csv", "tsv", "parquet"];

/// The data files of a run.
#[derive(Debug)]
pub(super) struct Named {
    /// In the order of the configuration.
    pub(super) files: Vec<DataFile>,
    /// Where those that are there lie, without `.` and `..`.
    places: BTreeSet<PathBuf>,
}

impl Named {
    /// Whether that path is one of the data files.
    pub(super) fn holds(&self, path: &Path) -> bool {
        self.places.contains(&clean(path))
    }
}

/// Finds the data files that the configurations of a run name, relative to the configuration's
/// own directory, the run and the directory above it.
pub(super) fn find<'c>(configs: impl Iterator<Item = &'c Config>, run: &Path) -> Warned<Named> {
    let mut named: Vec<(DataFile, Option<PathBuf>)> = Vec::new();
    for (key, entry) in configs.flat_map(Config::iter) {
        for declared in declared_paths(key, entry) {
            if named.iter().any(|(known, _)| known.key == key && known.declared == declared) {
                continue;
            }
            let place = locate(declared, &entry.source.path, run);
            let file = DataFile {
                role: role(key, declared),
                key: key.to_owned(),
                declared: declared.to_owned(),
                source: entry.source.clone(),
                content: None,
            };
            named.push((file, place));
        }
    }
    let places = named.iter().filter_map(|(_, place)| place.clone()).collect();
    let read: Vec<(DataFile, Option<Box<Diagnostic>>)> =
        named.into_par_iter().map(|(file, place)| with_content(file, place.as_deref())).collect();
    let mut findings = Vec::new();
    let mut files = Vec::with_capacity(read.len());
    for (file, finding) in read {
        findings.extend(finding.map(|finding| *finding));
        files.push(file);
    }
    Warned::new(Named { files, places }, findings)
}

fn with_content(mut file: DataFile, place: Option<&Path>) -> (DataFile, Option<Box<Diagnostic>>) {
    match place.map(profile::content) {
        None => (file, None),
        Some(Ok(content)) => {
            file.content = Some(content);
            (file, None)
        }
        Some(Err(finding)) => (file, Some(finding)),
    }
}

fn declared_paths<'c>(key: &str, entry: &'c ConfigEntry) -> Vec<&'c str> {
    if !names_data(key) {
        return Vec::new();
    }
    let values = match &entry.value {
        ConfigValue::List(items) => items.as_slice(),
        value => std::slice::from_ref(value),
    };
    values
        .iter()
        .filter_map(|value| match value {
            ConfigValue::Text(text) if is_data_name(text) => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

fn names_data(key: &str) -> bool {
    let mut words = key.rsplit('.').filter(|word| word.parse::<usize>().is_err());
    let Some(last) = words.next() else { return false };
    let above = words.next();
    KEYS.contains(&last)
        || (NAMES_IN_TABLES.contains(&last) && above.is_some_and(|above| TABLES.contains(&above)))
}

fn is_data_name(text: &str) -> bool {
    let name = text.rsplit(['/', '\\']).next().unwrap_or(text).to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    EXTENSIONS.contains(&extension) && !text.contains('\n')
}

fn locate(declared: &str, config: &str, run: &Path) -> Option<PathBuf> {
    let run = if run.is_file() { run.parent().unwrap_or(run) } else { run };
    let beside = Path::new(config).parent().unwrap_or(run);
    let above = run.join("..");
    let tried = [beside, run, above.as_path()];
    let found = tried.into_iter().map(|base| base.join(declared)).find(|place| place.is_file())?;
    Some(clean(&found))
}

/// The path without `.` and without `a/..`.
fn clean(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut cleaned = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(cleaned.components().next_back(), Some(Component::Normal(_))) =>
            {
                cleaned.pop();
            }
            other => cleaned.push(other),
        }
    }
    cleaned
}

fn role(key: &str, declared: &str) -> DataRole {
    let of = |text: &str| {
        let words: Vec<String> =
            text.split(|c: char| !c.is_ascii_alphanumeric()).map(str::to_ascii_lowercase).collect();
        let any = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
        if any(&["eval", "evaluation", "val", "valid", "validation", "test", "dev"]) {
            Some(DataRole::Eval)
        } else if any(&["train", "training", "rl", "sft"]) {
            Some(DataRole::Train)
        } else {
            None
        }
    };
    of(key).or_else(|| of(declared)).unwrap_or(DataRole::Unspecified)
}

/// The finding for a data file that is there but cannot be used.
fn unreadable(place: &Path, error: &std::io::Error) -> Box<Diagnostic> {
    super::content::unreadable(&shown(place), error)
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
            ("data_files.0.train_file", true),
            ("output.path", false),
            ("model", false),
        ] {
            assert_eq!(names_data(key), named, "{key}");
        }
        assert!(is_data_name("数据/rl data.JSONL.gz"));
        assert!(!is_data_name("squad") && !is_data_name("weights.bin"));
    }

    #[test]
    fn the_key_says_what_the_data_is_for_before_the_path_does() {
        assert_eq!(role("data.val_files", "train.parquet"), DataRole::Eval);
        assert_eq!(role("rl_data", "x.json"), DataRole::Train);
        assert_eq!(role("data_path", "sets/test.csv"), DataRole::Eval);
        assert_eq!(role("data_path", "x.csv"), DataRole::Unspecified);
    }
}
