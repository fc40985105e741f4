//! Patterns of the command line and of the configuration file become paths.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::collect::{
    RunAddress, WITHIN_COMPONENTS, directory_and_name, is_address, matching_in_directory,
};
use crate::exit::Failure;
use crate::model::RunLabel;
use crate::text::Refusal;

/// The paths of the flag or table entry that `meant` names: each pattern's matches in alphabetical order. What
/// exists under the very text of a pattern is meant literally.
pub(super) fn expand_arguments(meant: &str, patterns: &[String]) -> Result<Vec<PathBuf>, Failure> {
    let about = |key| Refusal::new(key).with("meant", meant);
    let mut runs = Vec::new();
    for pattern in patterns {
        let literal = PathBuf::from(pattern);
        let matching = matching_in_directory(&literal);
        if !matching.is_empty() {
            runs.extend(matching);
            continue;
        }
        let address = RunAddress::of(&literal);
        if is_address(&address.path) || address.path.exists() {
            runs.push(literal);
            continue;
        }
        let behind = RunLabel::behind_path(&address.labels);
        let files = address.path.to_string_lossy();
        let found = glob::glob_with(&files, WITHIN_COMPONENTS).map_err(|error| {
            let refusal = about("refused.pattern").with("pattern", &**pattern);
            Failure::usage(refusal.because(error))
        })?;
        let before = runs.len();
        for path in found {
            let mut run = path.map_err(Failure::input)?.into_os_string();
            run.push(&behind);
            runs.push(run.into());
        }
        if runs.len() == before {
            let refusal = about("refused.matches-nothing");
            return Err(Failure::usage(refusal.with("pattern", &**pattern)));
        }
    }
    if runs.is_empty() {
        return Err(Failure::usage(about("refused.no-runs")));
    }
    Ok(runs)
}

/// The runs with those that patterns name; of these none that is named by itself, such as the baseline.
pub(super) fn with_matching(runs: &[PathBuf]) -> Vec<PathBuf> {
    let matching: Vec<Vec<PathBuf>> = runs.iter().map(|run| matching_in_directory(run)).collect();
    let place = |run: &PathBuf| {
        let inside = run.to_str().filter(|_| !run.exists()).and_then(directory_and_name);
        let path = inside.map_or_else(|| run.clone(), |(directory, name)| directory.join(name));
        path.canonicalize().unwrap_or(path)
    };
    let alone = runs.iter().zip(&matching).filter(|(_, matching)| matching.is_empty());
    let places: BTreeSet<PathBuf> = alone.map(|(run, _)| place(run)).collect();
    let named = runs.iter().zip(matching).map(|(run, mut matching)| {
        if matching.is_empty() {
            return vec![run.clone()];
        }
        matching.retain(|run| !places.contains(&place(run)));
        matching
    });
    named.flatten().collect()
}
