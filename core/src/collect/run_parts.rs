//! Several runs in the same files: how one of them is asked for, and which files and records are its.
//!
//! Which columns tell runs apart is known to the readers of samples.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use glob::MatchOptions;

use super::discover::OF_ANOTHER;
use super::stores::{RUN, has_results};
use super::{CollectError, Piece, shown, stored_runs};
use crate::model::{Config, FileRecord, FileUse, Fragment, FragmentPart, LABEL_MARK, RunLabel};

/// Where a run lies, and which of several runs there it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunAddress {
    pub path: PathBuf,
    pub labels: Vec<RunLabel>,
}

impl RunAddress {
    /// Reads `PATH::COLUMN=VALUE`, where further `::COLUMN=VALUE` may follow, and `DIRECTORY::NAME`. What
    /// exists under the very text is a path; a value goes on up to the next column.
    pub fn of(input: &Path) -> Self {
        let whole = || Self { path: input.to_owned(), labels: Vec::new() };
        if input.symlink_metadata().is_ok() {
            return whole();
        }
        let Some(text) = input.to_str() else { return whole() };
        let named = |place: &Path, name: &str| {
            let label = RunLabel { column: RUN.to_owned(), value: name.to_owned() };
            Self { path: place.to_owned(), labels: vec![label] }
        };
        if let Some((directory, name)) = directory_and_name(text) {
            let below = directory.join(name);
            if below.symlink_metadata().is_ok() {
                return Self { path: below, labels: Vec::new() };
            }
            if labels(name).is_none() {
                return named(directory, name);
            }
        } else if let Some((file, name)) = place_and_name(text)
            && labels(name).is_none()
            && stored_runs::may_hold_runs(file)
        {
            return named(file, name);
        }
        let marks = text.match_indices(LABEL_MARK).map(|(at, _)| at);
        let found = marks.filter_map(|at| {
            let path = Path::new(&text[..at]);
            let labels = labels(&text[at + LABEL_MARK.len()..])?;
            Some(Self { path: path.to_owned(), labels })
        });
        let found: Vec<Self> = found.collect();
        let exists = |address: &&Self| address.path.symlink_metadata().is_ok();
        found.iter().find(exists).or(found.first()).cloned().unwrap_or_else(whole)
    }
}

/// A directory that is there, and what is asked for of it.
pub fn directory_and_name(text: &str) -> Option<(&Path, &str)> {
    place_and_name(text).filter(|(path, _)| path.is_dir())
}

/// As [`directory_and_name`], also of a file.
fn place_and_name(text: &str) -> Option<(&Path, &str)> {
    let marks = text.match_indices(LABEL_MARK).map(|(at, _)| at);
    let mut parts = marks.map(|at| (Path::new(&text[..at]), &text[at + LABEL_MARK.len()..]));
    parts.find(|(path, name)| path.exists() && !name.is_empty())
}

/// Wildcards stay within a component and do not match hidden files.
pub const WITHIN_COMPONENTS: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: true,
};

/// The runs that `DIRECTORY::PATTERN` names, in alphabetical order; none where it is no pattern.
pub fn matching_in_directory(run: &Path) -> Vec<PathBuf> {
    let is_there = run.symlink_metadata().is_ok();
    let text = run.to_str().filter(|text| !is_there && text.contains(['*', '?', '[']));
    let Some((directory, pattern)) = text.and_then(place_and_name) else { return Vec::new() };
    if let Some(names) = stored_runs::names_in(directory) {
        return matching_in_database(directory, pattern, names);
    }
    if !directory.is_dir() {
        return Vec::new();
    }
    let pattern = format!("{}/{pattern}", glob::Pattern::escape(&directory.to_string_lossy()));
    let found = glob::glob_with(&pattern, WITHIN_COMPONENTS).into_iter().flatten().flatten();
    found.filter(|path| path.is_dir()).collect()
}

/// Those of the names of its runs that fit a pattern, behind the path of a database.
fn matching_in_database(database: &Path, pattern: &str, mut names: Vec<String>) -> Vec<PathBuf> {
    let Ok(pattern) = glob::Pattern::new(pattern) else { return Vec::new() };
    names.retain(|name| pattern.matches(name));
    names.sort();
    let path = |value: String| {
        let label = RunLabel { column: RUN.to_owned(), value };
        PathBuf::from(shown(database) + &RunLabel::behind_path(&[label]))
    };
    names.into_iter().map(path).collect()
}

fn labels(text: &str) -> Option<Vec<RunLabel>> {
    let mut labels: Vec<RunLabel> = Vec::new();
    for part in text.split(LABEL_MARK) {
        match (column_and_value(part), labels.last_mut()) {
            (Some((column, value)), _) => {
                labels.push(RunLabel { column: column.to_owned(), value: value.to_owned() });
            }
            (None, Some(before)) => {
                before.value.push_str(LABEL_MARK);
                before.value.push_str(part);
            }
            (None, None) => return None,
        }
    }
    Some(labels)
}

fn column_and_value(text: &str) -> Option<(&str, &str)> {
    let (column, value) = text.split_once('=')?;
    let is_name = !column.is_empty()
        && column.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    is_name.then_some((column, value))
}

/// One of the runs that lie in the same files.
#[derive(Debug)]
pub(super) struct RunPart {
    /// What tells it from the others, beside what was asked for.
    pub(super) labels: Vec<RunLabel>,
    pub(super) pieces: Vec<Piece>,
    pub(super) files: Vec<FileRecord>,
}

/// The runs in the pieces of one input that have the labels asked for; one without labels where all
/// records are of one run.
pub(super) fn run_parts(
    mut pieces: Vec<Piece>,
    files: Vec<FileRecord>,
    asked: &[RunLabel],
    input: &Path,
) -> Result<Vec<RunPart>, CollectError> {
    let is_failed = || files.iter().any(|file| file.used == FileUse::Failed);
    if !pieces.iter().any(|piece| has_results(&piece.fragment)) && is_failed() {
        // Which runs would be there is not known, and why is told.
        return Ok(vec![RunPart { labels: Vec::new(), pieces, files }]);
    }
    let parts: Vec<Vec<FragmentPart>> =
        pieces.iter_mut().map(|piece| std::mem::take(&mut piece.fragment.parts)).collect();
    let known = known_labels(&parts, &pieces);
    for label in asked {
        if !known.contains(label) {
            return Err(no_such_run(label, &known, &pieces, input));
        }
    }
    let runs = distinct_labels(&parts);
    let constants = pieces.iter().flat_map(|piece| &piece.fragment.constants);
    let constants: BTreeSet<&RunLabel> = constants.collect();
    let has = |own: &[RunLabel], label: &RunLabel| {
        own.contains(label) || !label.contradicts(own) && constants.contains(label)
    };
    let runs: Vec<Vec<RunLabel>> =
        runs.into_iter().filter(|own| asked.iter().all(|label| has(own, label))).collect();
    if runs.is_empty()
        && let Some(label) = asked.last()
    {
        return Err(no_such_run(label, &known, &pieces, input));
    }
    if runs == [Vec::new()] && asked.is_empty() {
        return Ok(vec![RunPart { labels: Vec::new(), pieces, files }]);
    }
    let of = |own: Vec<RunLabel>| {
        let all: Vec<RunLabel> = asked.iter().chain(&own).cloned().collect();
        let (pieces, files) = pieces_of(&all, (&pieces, &parts), &files);
        let labels = own.into_iter().filter(|label| !asked.contains(label)).collect();
        RunPart { labels, pieces, files }
    };
    Ok(runs.into_iter().map(of).collect())
}

fn known_labels(parts: &[Vec<FragmentPart>], pieces: &[Piece]) -> Vec<RunLabel> {
    let told = parts.iter().flatten().flat_map(|part| &part.labels);
    let constants = pieces.iter().flat_map(|piece| &piece.fragment.constants);
    let mut known: Vec<RunLabel> = Vec::new();
    for label in told.chain(constants) {
        if !known.contains(label) {
            known.push(label.clone());
        }
    }
    known
}

/// The labels of each run, but for those that say less than others do.
fn distinct_labels(parts: &[Vec<FragmentPart>]) -> Vec<Vec<RunLabel>> {
    let mut found: Vec<&[RunLabel]> = Vec::new();
    for part in parts.iter().flatten() {
        if !found.contains(&part.labels.as_slice()) {
            found.push(&part.labels);
        }
    }
    let says_more = |own: &[RunLabel], other: &&[RunLabel]| {
        other.len() > own.len() && own.iter().all(|label| other.contains(label))
    };
    let mut runs: Vec<Vec<RunLabel>> = Vec::new();
    for own in found.iter().filter(|own| !found.iter().any(|other| says_more(own, other))) {
        runs.push(own.to_vec());
    }
    if runs.is_empty() { vec![Vec::new()] } else { runs }
}

const OF_ALL: FileUse = FileUse::Ignored { reason: "ignored.all-runs" };

/// What of the pieces belongs to the run with those labels. Figures that a file states belong to none
/// of several runs, unless it says to which.
fn pieces_of(
    labels: &[RunLabel],
    (pieces, parts): (&[Piece], &[Vec<FragmentPart>]),
    files: &[FileRecord],
) -> (Vec<Piece>, Vec<FileRecord>) {
    let mut files = files.to_vec();
    let mut kept = Vec::new();
    for (piece, parts) in pieces.iter().zip(parts) {
        let Fragment { samples, constants, scalars, series, .. } = &piece.fragment;
        let is_other = parts.is_empty()
            && !samples.is_empty()
            && constants.iter().any(|label| label.contradicts(labels));
        let is_own = |part: &&FragmentPart| part.labels.iter().all(|one| labels.contains(one));
        let mut own = parts.iter().filter(is_own).peekable();
        let leave = if is_other || !parts.is_empty() && own.peek().is_none() {
            Some(OF_ANOTHER)
        } else if samples.is_empty()
            && parts.is_empty()
            && !(scalars.is_empty() && series.is_empty())
        {
            Some(OF_ALL)
        } else {
            None
        };
        if let Some(used) = leave {
            let record = files.iter_mut().find(|file| file.relative == piece.relative);
            if let Some(file) = record {
                file.used = used;
            }
            continue;
        }
        let mut piece = piece.clone();
        if parts.is_empty() {
            piece.fragment.config = without_labels(&piece.fragment.config, labels);
        } else {
            piece.fragment.scalars.clear();
            piece.fragment.series.clear();
        }
        for part in own {
            piece.fragment.samples.extend(part.samples.iter().cloned());
            piece.fragment.scalars.extend(part.scalars.iter().cloned());
            piece.fragment.series.extend(part.series.iter().cloned());
            for (key, entry) in part.config.iter() {
                piece.fragment.config.insert(key.to_owned(), entry.clone());
            }
        }
        kept.push(piece);
    }
    (kept, files)
}

/// The configuration without what the labels state: a file about the whole directory cannot know better.
fn without_labels(config: &Config, labels: &[RunLabel]) -> Config {
    let mut rest = Config::default();
    let states = |key: &str| labels.iter().any(|label| RunLabel::key(&label.column) == key);
    for (key, entry) in config.iter().filter(|(key, _)| !states(key)) {
        rest.insert(key.to_owned(), entry.clone());
    }
    rest
}

fn no_such_run(
    label: &RunLabel,
    known: &[RunLabel],
    pieces: &[Piece],
    input: &Path,
) -> CollectError {
    let (column, path) = (label.column.clone(), shown(&RunAddress::of(input).path));
    let values: Vec<String> = known
        .iter()
        .filter(|other| other.column == column)
        .map(|other| other.value.clone())
        .collect();
    if !values.is_empty() {
        return CollectError::NoSuchValue { path, column, value: label.value.clone(), values };
    }
    let fields = pieces.iter().flat_map(|piece| &piece.fragment.sample_fields);
    let fields: BTreeSet<String> = fields.cloned().collect();
    CollectError::NoSuchColumn { path, column, columns: fields.into_iter().collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str, path: &str, labels: &[(&str, &str)]) {
        let found = RunAddress::of(Path::new(input));
        let label = |(column, value): &(&str, &str)| RunLabel {
            column: (*column).to_owned(),
            value: (*value).to_owned(),
        };
        assert_eq!(found.path, Path::new(path), "{input}");
        assert_eq!(found.labels, labels.iter().map(label).collect::<Vec<_>>(), "{input}");
    }

    #[test]
    fn a_run_in_a_file_is_named_behind_it() {
        check("Cargo.toml", "Cargo.toml", &[]);
        check("Cargo.toml::model=a", "Cargo.toml", &[("model", "a")]);
        check("Cargo.toml::model=org/a b:free", "Cargo.toml", &[("model", "org/a b:free")]);
        check("Cargo.toml::model=a::b", "Cargo.toml", &[("model", "a::b")]);
        check("src::model=a::seed=3", "src", &[("model", "a"), ("seed", "3")]);
        check("Cargo.toml::model=", "Cargo.toml", &[("model", "")]);
        check("Cargo.toml::model", "Cargo.toml::model", &[]);
        check("none::model=a", "none", &[("model", "a")]);
    }

    #[cfg(unix)] // Windows has no such names.
    #[test]
    fn a_path_that_exists_is_no_run_in_a_file() {
        let directory = tempfile::tempdir().expect("directory");
        let odd = directory.path().join("x::model=a");
        std::fs::create_dir(&odd).expect("made");
        assert_eq!(RunAddress::of(&odd), RunAddress { path: odd.clone(), labels: Vec::new() });
        let inside = format!("{}::seed=1", odd.display());
        assert_eq!(RunAddress::of(Path::new(&inside)).path, odd);
    }
}
