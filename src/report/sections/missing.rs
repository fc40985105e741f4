//! Results of the baseline that the candidate lacks: said in the headline, among the findings and
//! beside the coverage of samples.

use indexmap::IndexSet;

use super::lists;
use crate::pairing::{ArmPair, CellPair, PairArm};
use crate::report::block::{Icon, Text};
use crate::text::Catalogue;

/// Among the findings, where more is missing than a remark is worth.
pub(super) fn key_finding(pair: &ArmPair<'_>, words: &Catalogue) -> Option<Text> {
    let count = count(pair)?;
    let comparable = |cell: &&CellPair<'_>| {
        cell.baseline.value().value().is_some() && pair.can_be_in(cell, PairArm::Candidate)
    };
    let of = pair.cells.iter().filter(comparable).count();
    let datasets: IndexSet<String> =
        pair.absent_datasets(PairArm::Candidate).into_iter().map(str::to_owned).collect();
    let key = if datasets.is_empty() { "findings.missing" } else { "findings.missing-datasets" };
    let text = words.fill(
        key,
        &[
            ("missing", count.to_string().as_str()),
            ("of", &of.to_string()),
            ("baseline", pair.name(PairArm::Baseline)),
            ("candidate", pair.name(PairArm::Candidate)),
            ("datasets", &lists::shortened(datasets, words)),
        ],
    );
    Some(Text::marked(Icon::Caution, text))
}

/// Behind the grade: how many results are missing, in all candidates together.
pub(super) fn clause(pairs: &[&ArmPair<'_>], words: &Catalogue) -> String {
    let counts: Vec<(&ArmPair<'_>, usize)> =
        pairs.iter().filter_map(|pair| Some((*pair, count(pair)?))).collect();
    if counts.is_empty() {
        return String::new();
    }
    let total: usize = counts.iter().map(|(_, count)| count).sum();
    let names = counts.iter().map(|(pair, _)| pair.name(PairArm::Candidate).to_owned()).collect();
    let candidate = lists::shortened(names, words);
    let args = [("missing", total.to_string()), ("candidate", candidate)];
    words.fill("grade.missing", &args)
}

/// Results of the baseline that the candidate lacks, where it should have them.
pub(super) fn count(pair: &ArmPair<'_>) -> Option<usize> {
    let lacked = || pair.cells.iter().filter(|cell| pair.lacks(cell, PairArm::Candidate)).count();
    (pair.loses_results() && !pair.lies_elsewhere()).then(lacked)
}
