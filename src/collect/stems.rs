//! Files of samples that name no dataset: parts of one table, or one dataset each.
//!
//! Decided by the names of the files alone: `part-00001` and `part-00002` are parts of one whole,
//! `physics` and `bio` are not.

use std::collections::BTreeMap;

use super::{Piece, plain_stem};
use crate::diag::{Code, Diagnostic, Location};
use crate::model::Run;

/// Words that number the parts of a whole.
pub(super) const SHARD_WORDS: &[&str] =
    &["rank", "part", "shard", "worker", "chunk", "gpu", "device", "process", "proc", "node", "of"];

/// Names the tables without a dataset after their files, when these differ in more than digits and
/// marks of shards.
pub(super) fn name_datasets(pieces: &mut [Piece]) {
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for piece in pieces.iter().filter(|piece| lacks_dataset(piece)) {
        let name = whole(plain_stem(&piece.relative));
        let common = names.entry(without_digits(&name)).or_insert_with(|| name.clone());
        if *common != name {
            *common = without_digits(common);
        }
    }
    if names.len() < 2 {
        return;
    }
    for piece in pieces.iter_mut().filter(|piece| lacks_dataset(piece)) {
        let name = names.get(&without_digits(&whole(plain_stem(&piece.relative))));
        let Some(name) = name.filter(|name| !name.is_empty()) else { continue };
        for table in &mut piece.fragment.samples {
            table.dataset.get_or_insert_with(|| name.clone());
        }
    }
}

/// Names the samples of a run that name no dataset, where another run has a dataset of the name of
/// their file: a file that stands alone in one run and beside others in the next is the same file.
pub(super) fn name_by_other_runs(runs: &mut [Run]) -> Vec<Diagnostic> {
    let datasets = |run: &Run| -> Vec<Option<String>> {
        run.content.samples.iter().map(|table| table.dataset.clone()).collect()
    };
    let known: Vec<Vec<Option<String>>> = runs.iter().map(datasets).collect();
    let mut findings = Vec::new();
    for (position, run) in runs.iter_mut().enumerate() {
        let others = known.iter().enumerate().filter(|(other, _)| *other != position);
        // Where another run leaves its samples unnamed too, both mean the same.
        let others = others.map(|(_, names)| names).filter(|names| !names.contains(&None));
        let named: Vec<&String> = others.flatten().flatten().collect();
        for table in run.content.samples.iter_mut().filter(|table| table.dataset.is_none()) {
            let name = whole(plain_stem(&table.path));
            let Some(name) = named.iter().find(|known| known.eq_ignore_ascii_case(&name)) else {
                continue;
            };
            findings.push(
                Diagnostic::new(Code::DatasetFromOther)
                    .run(&run.id)
                    .dataset(Some(name))
                    .with("run", run.id.as_str())
                    .with("dataset", name.as_str())
                    .at(Location::file(table.path.as_ref())),
            );
            table.dataset = Some((*name).clone());
        }
    }
    findings
}

fn lacks_dataset(piece: &Piece) -> bool {
    piece.fragment.samples.iter().any(|table| table.dataset.is_none())
}

/// The stem of the whole that a file is a part of: without numbers and marks of shards.
fn whole(stem: &str) -> String {
    let is_mark = |word: &str| {
        let letters = word.trim_end_matches(|c: char| c.is_ascii_digit()).to_ascii_lowercase();
        letters.is_empty() || SHARD_WORDS.contains(&letters.as_str())
    };
    let mut kept = String::new();
    for piece in stem.split_inclusive(['_', '-', '.']) {
        if !is_mark(piece.trim_end_matches(['_', '-', '.'])) {
            kept.push_str(piece);
        }
    }
    kept.trim_matches(['_', '-', '.']).to_owned()
}

fn without_digits(stem: &str) -> String {
    let letters: String = stem.chars().filter(|c| !c.is_ascii_digit()).collect();
    letters.trim_matches(['_', '-', '.']).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::{Dims, Fragment, SampleTableBuilder};

    fn datasets(files: &[&str]) -> Vec<Option<String>> {
        let piece = |(position, file): (usize, &&str)| {
            let table = SampleTableBuilder::new(None, Dims::none(), Arc::from(*file)).finish();
            Piece {
                position,
                relative: (*file).to_owned(),
                display: Arc::from(*file),
                reader: "samples-jsonl",
                fragment: Fragment { samples: vec![table], ..Fragment::default() },
            }
        };
        let mut pieces: Vec<Piece> = files.iter().enumerate().map(piece).collect();
        name_datasets(&mut pieces);
        pieces.into_iter().map(|piece| piece.fragment.samples[0].dataset.clone()).collect()
    }

    #[test]
    fn files_are_datasets_where_their_names_differ_in_more_than_numbers() {
        for (files, expected) in [
            (&["physics.jsonl", "bio.jsonl"][..], &[Some("physics"), Some("bio")][..]),
            (&["out_rank0.jsonl", "out_rank1.jsonl"], &[None, None]),
            (&["part-00001-of-00002.csv", "part-00002-of-00002.csv"], &[None, None]),
            (&["a/shard_3.jsonl.gz", "0.jsonl"], &[None, None]),
            (
                &["bio_1.jsonl", "bio_2.jsonl", "law.jsonl"],
                &[Some("bio"), Some("bio"), Some("law")],
            ),
            (&["gsm8k.jsonl", "MATH.jsonl"], &[Some("gsm8k"), Some("MATH")]),
            (&["predictions.jsonl"], &[None]),
        ] {
            let expected: Vec<Option<String>> =
                expected.iter().map(|name| name.map(str::to_owned)).collect();
            assert_eq!(datasets(files), expected, "{files:?}");
        }
    }
}
