//! Where a named data file lies: a file, the files of a directory, those that a pattern fits.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::names::is_data_name;
use crate::collect::shown;

/// Most files that one name stands for.
const MOST_FILES: usize = 1000;
/// Directories below the named one that are looked into.
const DEPTH: usize = 3;
/// What `datasets` writes beside its files.
const BOOKKEEPING: &[&str] = &["dataset_info.json", "dataset_dict.json", "state.json"];

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Located {
    /// What was found, as a person would type it.
    pub(super) shown: String,
    pub(super) files: Vec<PathBuf>,
}

/// Looks for a data file: beside what names it, in the run, and in the two directories above.
pub(super) fn locate(declared: &str, named_in: &str, run: &Path) -> Option<Located> {
    let run_place = if run.is_file() { run.parent().unwrap_or(run) } else { run };
    let beside = Path::new(named_in).parent().unwrap_or(run_place).to_path_buf();
    let above = run_place.join("..");
    let further = above.join("..");
    let bases = [beside, run_place.to_path_buf(), above, further];
    bases.iter().find_map(|base| located_at(&base.join(declared), run_place))
}

fn located_at(place: &Path, run: &Path) -> Option<Located> {
    let place = clean(place);
    let files = if place.is_file() {
        vec![place.clone()]
    } else if place.is_dir() {
        below(&place, run)
    } else {
        fitting(&place)
    };
    (!files.is_empty()).then(|| Located { shown: shown(&place), files })
}

/// The data files of a directory. One that holds the run itself is no data set.
fn below(place: &Path, run: &Path) -> Vec<PathBuf> {
    let holds_run = match (place.canonicalize(), run.canonicalize()) {
        (Ok(place), Ok(run)) => run.starts_with(place),
        _ => true,
    };
    if holds_run {
        return Vec::new();
    }
    let walk = WalkDir::new(place).max_depth(DEPTH).sort_by_file_name();
    named_files(walk, |name| is_data_name(name) && !BOOKKEEPING.contains(&name))
}

fn named_files(walk: WalkDir, is_wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    walk.into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.path().is_file())
        .filter(|entry| is_wanted(&entry.file_name().to_string_lossy()))
        .take(MOST_FILES)
        .map(walkdir::DirEntry::into_path)
        .collect()
}

/// The files whose name fits a pattern with `*` and `?`; directories are taken as they stand.
fn fitting(pattern: &Path) -> Vec<PathBuf> {
    let name = pattern.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let Some(directory) = pattern.parent().filter(|_| name.contains(['*', '?'])) else {
        return Vec::new();
    };
    let walk = WalkDir::new(directory).min_depth(1).max_depth(1).sort_by_file_name();
    named_files(walk, |found| fits(&name, found))
}

fn fits(pattern: &str, name: &str) -> bool {
    let mut chars = pattern.chars();
    match chars.next() {
        None => name.is_empty(),
        Some('*') => {
            let rest = chars.as_str();
            let ends = name.char_indices().map(|(at, _)| at).chain([name.len()]);
            ends.into_iter().any(|at| name.get(at..).is_some_and(|tail| fits(rest, tail)))
        }
        Some(wanted) => {
            let mut letters = name.chars();
            letters.next().is_some_and(|letter| wanted == '?' || wanted == letter)
                && fits(chars.as_str(), letters.as_str())
        }
    }
}

/// The path without `.` and without `a/..`.
pub(super) fn clean(path: &Path) -> PathBuf {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_and_a_pattern_stand_for_their_files_in_order() {
        let directory = tempfile::tempdir().expect("a directory");
        let run = directory.path().join("runs/a");
        let data = directory.path().join("data/sft");
        for place in [&run, &data] {
            std::fs::create_dir_all(place).expect("made");
        }
        for name in ["b.jsonl", "a.jsonl", "state.json", "readme.md"] {
            std::fs::write(data.join(name), "{}").expect("written");
        }
        let names = |declared: &str| -> Vec<String> {
            let found = locate(declared, "config.yaml", &run);
            let files = found.into_iter().flat_map(|found| found.files);
            files.map(|file| file.file_name().expect("a name").to_string_lossy().into()).collect()
        };
        assert_eq!(names("data/sft"), ["a.jsonl", "b.jsonl"]);
        assert_eq!(names("data/sft/*.jsonl"), ["a.jsonl", "b.jsonl"]);
        assert_eq!(names("data/sft/b*.jsonl"), ["b.jsonl"]);
        assert!(names("data/sft/c*.jsonl").is_empty());
        let holds_the_run = shown(directory.path());
        assert!(names(&holds_the_run).is_empty());
    }
}
