//! Data files: named differently, differing by content, differing in quality, gone.

use super::Check;
use crate::diag::{Code, Diagnostic, Explanation};
use crate::group::ArmPair;
use crate::model::{ColumnProfile, DataContent, DataFile};

pub(super) const CHECK: Check = Check { id: "data-files", explained: EXPLAINED, run };

const EXPLAINED: &[Explanation] = &[
    Explanation::new(Code::DataFileNamed, "The arms name different data files.", ""),
    Explanation::new(
        Code::DataFileContent,
        "The arms name data files of the same name whose content differs.",
        "",
    ),
    Explanation::new(Code::DataQuality, "The data of the arms differs in quality.", ""),
    Explanation::new(Code::DataFileGone, "A data file named by a configuration is not there.", ""),
];

fn run(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for mine in &pair.baseline.data_files {
        let theirs = pair.candidate.data_files.iter().find(|theirs| theirs.key == mine.key);
        if let Some(theirs) = theirs.filter(|_| !pair.factors.contains(&mine.key)) {
            found.extend(identity(mine, theirs));
            found.extend(quality(mine, theirs));
        }
    }
    for run in [pair.baseline, pair.candidate] {
        let gone = run.data_files.iter().filter(|file| file.content.is_none());
        found.extend(gone.map(|file| {
            Diagnostic::new(Code::DataFileGone)
                .run(&run.id)
                .key(&file.key)
                .with("key", file.key.as_str())
                .with("file", file.declared.as_str())
                .with("run", run.id.as_str())
                .at(file.source.location())
        }));
    }
    found
}

/// Whether two data files are different files: by content where both are here, else by the path
/// that the configurations write.
pub fn differ(mine: &DataFile, theirs: &DataFile) -> bool {
    match (&mine.content, &theirs.content) {
        (Some(mine), Some(theirs)) => mine.sha256 != theirs.sha256,
        _ => mine.declared != theirs.declared,
    }
}

fn identity(mine: &DataFile, theirs: &DataFile) -> Option<Diagnostic> {
    if !differ(mine, theirs) {
        return None;
    }
    let both_here = mine.content.is_some() && theirs.content.is_some();
    let same_name = mine.name() == theirs.name();
    let (code, names) = match (same_name, both_here) {
        (true, true) => (Code::DataFileContent, [mine.name(), theirs.name()]),
        (true, false) => (Code::DataFileNamed, [mine.declared.as_str(), &theirs.declared]),
        (false, _) => (Code::DataFileNamed, [mine.name(), theirs.name()]),
    };
    let [baseline, candidate] = names;
    Some(
        Diagnostic::new(code)
            .key(&mine.key)
            .with("key", mine.key.as_str())
            .with("baseline", baseline)
            .with("candidate", candidate)
            .at(theirs.source.location()),
    )
}

/// Shares of a switch further apart than this many points are a difference in quality.
const SHARE_POINTS_APART: f64 = 1.0;

fn quality(mine: &DataFile, theirs: &DataFile) -> Vec<Diagnostic> {
    let Some((a, b)) = mine.content.as_ref().zip(theirs.content.as_ref()) else {
        return Vec::new();
    };
    a.columns
        .iter()
        .filter_map(|column| {
            let other = b.columns.iter().find(|other| other.name() == column.name())?;
            column_finding(column, other)
        })
        .map(|finding| {
            finding
                .key(&mine.key)
                .with("key", mine.key.as_str())
                .with("baseline_file", mine.name())
                .with("candidate_file", theirs.name())
                .with("rows_baseline", rows(a))
                .with("rows_candidate", rows(b))
        })
        .collect()
}

fn rows(content: &DataContent) -> u64 {
    content.rows.unwrap_or(0)
}

/// Only switches are judged: how a share of labelled records differs can be said without knowing
/// what the column means. Means of numbers are shown in the report's table beside it.
fn column_finding(mine: &ColumnProfile, theirs: &ColumnProfile) -> Option<Diagnostic> {
    let (
        ColumnProfile::Flag { name, yes, n },
        ColumnProfile::Flag { yes: other_yes, n: other_n, .. },
    ) = (mine, theirs)
    else {
        return None;
    };
    if *n == 0 || *other_n == 0 {
        return None;
    }
    let share = |yes: u64, n: u64| 100.0 * yes as f64 / n as f64;
    let (a, b) = (share(*yes, *n), share(*other_yes, *other_n));
    ((a - b).abs() > SHARE_POINTS_APART).then(|| {
        Diagnostic::new(Code::DataQuality)
            .with("column", name.as_str())
            .with("baseline", format!("{yes}/{n}"))
            .with("candidate", format!("{other_yes}/{other_n}"))
            .with("baseline_percent", format!("{a:.1}%"))
            .with("candidate_percent", format!("{b:.1}%"))
    })
}
