//! Records whose ids say that each of them is an evaluation of its own over one set of samples: replicates
//! of a bootstrap, folds of a cross-validation, checkpoints of a training.

use super::samples::about;
use crate::diag::{Code, Diagnostic};
use crate::model::SampleTable;
use crate::pairing::RunPair;

/// Words for replicates and folds of one set of samples, and for points of a training.
const WORDS: [(&str, &str); 15] = [
    ("boot", RESAMPLES),
    ("bootstrap", RESAMPLES),
    ("checkpoint", CHECKPOINTS),
    ("ckpt", CHECKPOINTS),
    ("cv", RESAMPLES),
    ("epoch", CHECKPOINTS),
    ("fold", RESAMPLES),
    ("iter", CHECKPOINTS),
    ("iteration", CHECKPOINTS),
    ("jackknife", RESAMPLES),
    ("replicate", RESAMPLES),
    ("resample", RESAMPLES),
    ("resampling", RESAMPLES),
    ("step", CHECKPOINTS),
    ("subsample", RESAMPLES),
];
const RESAMPLES: &str = "resamples";
const CHECKPOINTS: &str = "checkpoints";

/// Words that may stand beside these.
const BESIDE: [&str; 12] =
    ["draw", "global", "id", "idx", "index", "k", "n", "no", "rep", "repeat", "sample", "seed"];

pub(super) fn run(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    let tables = pair.tables.iter().zip(pair.cells_by_table());
    let found = tables.filter_map(|(tables, cells)| {
        let is_judged = cells.iter().any(|cell| cell.is_judged());
        let kind = kind_of(tables.baseline).filter(|_| is_judged)?;
        let finding = about(Code::RecordsNotSamples, tables)
            .with("recorded", kind)
            .with("id", tables.baseline.id(0))
            .with("count", tables.baseline.len() as u64)
            .at(tables.candidate.source(0, "id").location());
        Some(finding)
    });
    found.collect()
}

/// What all records of a table are, where their ids are a word for it with numbers and nothing else.
fn kind_of(table: &SampleTable) -> Option<&'static str> {
    let kind = kind_of_id(table.id(0))?;
    (1..table.len()).all(|row| kind_of_id(table.id(row)) == Some(kind)).then_some(kind)
}

fn kind_of_id(id: &str) -> Option<&'static str> {
    let is_numbered = id.contains(|c: char| c.is_ascii_digit());
    let words = || id.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    let known = |word: &str| WORDS.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
    let is_beside = |word: &str| BESIDE.iter().any(|known| known.eq_ignore_ascii_case(word));
    let is_whole = words().all(|word| is_beside(word) || known(word).is_some());
    let (_, kind) = words().find_map(known).filter(|_| is_numbered && is_whole)?;
    Some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_evaluations_are_words_for_them_and_numbers() {
        for (id, kind) in [
            ("boot_17", Some(RESAMPLES)),
            ("Bootstrap sample 3", Some(RESAMPLES)),
            ("repeat2_fold9", Some(RESAMPLES)),
            ("cv-fold-1", Some(RESAMPLES)),
            ("checkpoint-500", Some(CHECKPOINTS)),
            ("global_step_40", Some(CHECKPOINTS)),
            ("epoch3", Some(CHECKPOINTS)),
            ("fold3/q12", None),
            ("step_3_of_proof", None),
            ("bootstrap_ci", None),
            ("boot", None),
            ("seed_3", None),
            ("17", None),
            ("", None),
        ] {
            assert_eq!(kind_of_id(id), kind, "{id}");
        }
    }
}
