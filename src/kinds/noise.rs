//! Which runs tell the noise of the baseline: words and patterns become paths.

use std::path::{Path, PathBuf};

use super::patterns;
use crate::diag::Warned;
use crate::exit::Failure;
use crate::pipeline::{self, ArmInput};

/// The runs that repeat the baseline, the first of `compared`, in the order given.
pub(super) fn resolve_noise_arguments(
    patterns: &[String],
    compared: &[ArmInput],
) -> Result<Warned<Vec<PathBuf>>, Failure> {
    let (mut runs, mut findings) = (Vec::<PathBuf>::new(), Vec::new());
    if patterns.is_empty() {
        return Ok(Warned::clean(runs));
    }
    let Some((baseline, candidates)) = compared.split_first() else {
        return Ok(Warned::clean(runs));
    };
    for run in patterns::expand_arguments("--noise", patterns)? {
        let here = place(&run);
        let is_here = |other: &&PathBuf| place(other) == here;
        let path = run.display().to_string();
        if candidates.iter().flat_map(|arm| &arm.runs).any(|other| is_here(&other)) {
            return Err(Failure::refused("refused.noise-candidate", &[("path", &path)]));
        }
        if runs.iter().any(|other| is_here(&other)) {
            return Err(Failure::refused("refused.noise-twice", &[("path", &path)]));
        }
        if baseline.runs.iter().any(|other| is_here(&other)) {
            findings.push(pipeline::noise_names_baseline(&path));
        } else {
            runs.push(run);
        }
    }
    Ok(Warned::new(runs, findings))
}

/// Where a path leads; the path itself where that is nowhere.
fn place(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::MAIN_SEPARATOR;

    use super::*;

    /// What `--noise` makes of patterns below a directory with runs, beside `base` and `cand`.
    fn check(patterns: &[&str]) -> Result<(String, usize), String> {
        let directory = tempfile::tempdir().expect("temporary directory");
        let root = directory.path().to_str().expect("UTF-8").to_owned();
        for run in ["base", "base-2", "base-3", "cand"] {
            fs::create_dir(directory.path().join(run)).expect("made");
        }
        let arm = |run: &str| ArmInput { name: None, runs: vec![directory.path().join(run)] };
        let patterns: Vec<String> = patterns.iter().map(|one| one.replace('@', &root)).collect();
        let found = resolve_noise_arguments(&patterns, &[arm("base"), arm("cand")]);
        let shown = |text: String| text.replace(&root, "@").replace(MAIN_SEPARATOR, "/");
        let found = found.map_err(|failure| shown(failure.to_string()))?;
        let paths = found.value.iter().map(|path| shown(path.display().to_string()));
        Ok((paths.collect::<Vec<_>>().join(" "), found.diagnostics.len()))
    }

    #[test]
    fn patterns_become_runs_and_the_baseline_is_left_out_with_a_finding() {
        let expected = |paths: &str, findings| Ok((paths.to_owned(), findings));
        assert_eq!(check(&[]), expected("", 0));
        assert_eq!(check(&["@/base-*"]), expected("@/base-2 @/base-3", 0));
        assert_eq!(check(&["@/base*"]), expected("@/base-2 @/base-3", 1));
        assert_eq!(check(&["@/base-3/../base", "@/base-3"]), expected("@/base-3", 1));
    }

    #[test]
    fn what_cannot_tell_the_noise_is_refused_with_the_words_that_are_wrong() {
        for (patterns, expected) in [
            (&["@/cand"][..], "run `@/cand` is a candidate and cannot also be used"),
            (&["@/base-2", "@/base-*"], "run `@/base-2` is named twice in --noise"),
            (&["@/bass-*"], "--noise: `@/bass-*` matches no run"),
        ] {
            let refused = check(patterns).expect_err(expected);
            assert!(refused.starts_with(expected), "{refused}");
        }
    }
}
