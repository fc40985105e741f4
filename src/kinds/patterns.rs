//! Patterns of the command line and of the configuration file become paths.

use std::path::PathBuf;

use glob::MatchOptions;

use crate::exit::Failure;

/// Wildcards stay within a component and do not match hidden files.
const WITHIN_COMPONENTS: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: true,
};

/// The paths of an arm, or of what `meant` says: each pattern's matches in alphabetical order. What
/// exists under the very text of a pattern is meant literally.
pub(super) fn expand_arguments(meant: &str, patterns: &[String]) -> Result<Vec<PathBuf>, Failure> {
    let mut runs = Vec::new();
    for pattern in patterns {
        let literal = PathBuf::from(pattern);
        if literal.exists() {
            runs.push(literal);
            continue;
        }
        let found = glob::glob_with(pattern, WITHIN_COMPONENTS).map_err(|error| {
            Failure::usage(format!("{meant}: pattern `{pattern}` is malformed: {error}"))
        })?;
        let before = runs.len();
        for path in found {
            runs.push(path.map_err(Failure::input)?);
        }
        if runs.len() == before {
            return Err(Failure::usage(format!("{meant}: `{pattern}` matches no run")));
        }
    }
    if runs.is_empty() {
        return Err(Failure::usage(format!("{meant} has no runs")));
    }
    Ok(runs)
}
