//! Patterns of the command line and of the configuration file become paths.

use std::path::PathBuf;

use glob::MatchOptions;

use crate::collect::RunAddress;
use crate::exit::Failure;
use crate::model::RunLabel;
use crate::text::Refusal;

/// Wildcards stay within a component and do not match hidden files.
const WITHIN_COMPONENTS: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: true,
};

/// The paths of the flag or table entry that `meant` names: each pattern's matches in alphabetical order. What
/// exists under the very text of a pattern is meant literally.
pub(super) fn expand_arguments(meant: &str, patterns: &[String]) -> Result<Vec<PathBuf>, Failure> {
    let about = |key| Refusal::new(key).with("meant", meant);
    let mut runs = Vec::new();
    for pattern in patterns {
        let literal = PathBuf::from(pattern);
        let address = RunAddress::of(&literal);
        if address.path.exists() {
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
