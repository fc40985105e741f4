//! Results that name no dataset: parts of one table, splits, or one dataset each.
//!
//! Decided by the names of files and directories: `part-00001` and `part-00002` are parts of one whole,
//! `train` and `test` are splits, `physics` and `bio` are datasets.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::siblings::{SHARD_WORDS, SPLITS, may_be_a_dataset};
use super::{Piece, directory_of, plain_name, plain_stem, siblings};
use crate::diag::{Code, Diagnostic, Location};
use crate::model::{ContentHash, DimValue, Dims, Fragment, Run, SampleTable};

/// Names what does not say of which dataset it is: samples after their files, where these differ in
/// more than digits and marks of shards; otherwise samples and figures after the directories in
/// which files of one name lie.
pub(super) fn name_datasets(pieces: &mut [Piece]) {
    name_splits(pieces);
    let stems = file_names(pieces);
    let by_directory = if stems.is_empty() { directories_of_samples(pieces) } else { stems };
    for piece in pieces.iter_mut() {
        let Some(name) = by_directory.get(&piece.position) else { continue };
        for table in &mut piece.fragment.samples {
            table.dataset.get_or_insert_with(|| name.clone());
        }
    }
    let names = directories_of_figures(pieces);
    for piece in pieces {
        let Some(name) = names.get(&piece.position) else { continue };
        for scalar in &mut piece.fragment.scalars {
            scalar.dataset.get_or_insert_with(|| name.clone());
        }
    }
}

/// Names by the position of a piece.
type Names = BTreeMap<usize, String>;

fn file_names(pieces: &[Piece]) -> Names {
    let of_no_split =
        |piece: &&Piece| lacks_dataset(piece) && file_split(&piece.relative).is_none();
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for piece in pieces.iter().filter(of_no_split) {
        let name = file_name(piece);
        let common = names.entry(without_digits(&name)).or_insert_with(|| name.clone());
        if *common != name {
            *common = without_digits(common);
        }
    }
    if names.len() < 2 {
        return Names::new();
    }
    let named = pieces.iter().filter(of_no_split).filter_map(|piece| {
        let name = names.get(&without_digits(&file_name(piece)))?;
        Some((piece.position, name.clone())).filter(|(_, name)| !name.is_empty())
    });
    named.collect()
}

/// What a file is called without what places or numbers it.
fn file_name(piece: &Piece) -> String {
    whole(&siblings::without_coordinates(plain_stem(&piece.relative)))
}

fn directories_of_samples(pieces: &[Piece]) -> Names {
    let lacking: Vec<&Piece> = pieces.iter().filter(|piece| lacks_dataset(piece)).collect();
    let names = directory_names(&lacking);
    let mut asked: BTreeMap<ContentHash, &String> = BTreeMap::new();
    for piece in &lacking {
        let Some(name) = names.get(&piece.position) else { continue };
        let tables = piece.fragment.samples.iter();
        let contents = tables
            .flat_map(|table| (0..table.len().min(MOST_LOOKED_AT)).map(|row| table.hashes(row)));
        for content in contents {
            let Some(question) = content.document.or(content.prompt) else { continue };
            // Of the same questions they are other answers, and no other dataset.
            if *asked.entry(question).or_insert(name) != name {
                return Names::new();
            }
        }
    }
    names
}

/// Most samples of a table whose questions tell whether another directory asks the same.
const MOST_LOOKED_AT: usize = 50;

/// Names of files of figures, where several of one name state the same metric.
fn directories_of_figures(pieces: &[Piece]) -> Names {
    let metrics = |piece: &Piece| -> BTreeSet<String> {
        let lacking = piece.fragment.scalars.iter().filter(|scalar| scalar.dataset.is_none());
        lacking.map(|scalar| scalar.metric.clone()).collect()
    };
    let mut by_name: BTreeMap<&str, Vec<&Piece>> = BTreeMap::new();
    for piece in pieces.iter().filter(|piece| !metrics(piece).is_empty()) {
        by_name.entry(plain_name(&piece.relative)).or_default().push(piece);
    }
    by_name.retain(|_, files| {
        let mut all = BTreeSet::new();
        files.iter().flat_map(|piece| metrics(piece)).any(|metric| !all.insert(metric))
    });
    by_name.values().flat_map(|files| directory_names(files)).collect()
}

/// The names of the directories in which the files do not all lie, where these differ in more than
/// digits.
fn directory_names(files: &[&Piece]) -> Names {
    let components = |piece: &&Piece| -> Vec<String> {
        let names = directories(&piece.relative).filter(|name| may_be_a_dataset(name));
        names.map(siblings::without_coordinates).collect()
    };
    let all: Vec<Vec<String>> = files.iter().map(components).collect();
    let is_common = |name: &String| all.iter().all(|names| names.contains(name));
    let name = |names: &Vec<String>| -> String {
        let own: Vec<&str> =
            names.iter().filter(|name| !is_common(name)).map(String::as_str).collect();
        own.join("/")
    };
    let named: Names = files
        .iter()
        .zip(&all)
        .map(|(piece, names)| (piece.position, name(names)))
        .filter(|(_, name)| !name.is_empty())
        .collect();
    let different: BTreeSet<String> = named.values().map(|name| without_digits(name)).collect();
    if different.len() < 2 { Names::new() } else { named }
}

fn directories(relative: &str) -> impl DoubleEndedIterator<Item = &str> {
    directory_of(relative).split('/').filter(|name| !name.is_empty())
}

/// Files and directories of several splits are of these splits, which are coordinates.
fn name_splits(pieces: &mut [Piece]) {
    let mut splits: [BTreeSet<&str>; 2] = Default::default();
    for piece in pieces.iter() {
        if !piece.fragment.samples.is_empty() {
            splits[0].extend(file_split(&piece.relative).or_else(|| path_split(&piece.relative)));
        }
        if !piece.fragment.scalars.is_empty() {
            splits[1].extend(path_split(&piece.relative));
        }
    }
    let [of_samples, of_figures] = splits.map(|found| found.len() > 1);
    for Piece { relative, fragment, .. } in pieces {
        if let Some(split) = path_split(relative).filter(|_| of_figures) {
            fragment.scalars.iter_mut().for_each(|scalar| add_split(&mut scalar.dims, split));
        }
        let split = file_split(relative).or_else(|| path_split(relative));
        if let Some(split) = split.filter(|_| of_samples) {
            fragment.samples.iter_mut().for_each(|table| add_split(&mut table.dims, split));
        }
    }
}

fn add_split(dims: &mut Dims, split: &str) {
    if dims.get(SPLIT).is_none() {
        dims.insert(SPLIT, DimValue::Text(split.to_owned()));
    }
}

/// The coordinate.
const SPLIT: &str = "split";

fn file_split(relative: &str) -> Option<&'static str> {
    split(&whole(plain_stem(relative)))
}

fn path_split(relative: &str) -> Option<&'static str> {
    directories(relative).rev().find_map(split)
}

fn split(name: &str) -> Option<&'static str> {
    SPLITS.iter().copied().find(|split| name.eq_ignore_ascii_case(split))
}

/// Names the results of a run that name no dataset or split, where another run has one of the name of
/// their file or directory: what stands alone in one run and beside others in the next is the same.
pub(super) fn name_by_other_runs(runs: &mut [Run]) -> Vec<Diagnostic> {
    let known: Vec<Known> = runs.iter().map(Known::of).collect();
    let mut findings = Vec::new();
    for (position, run) in runs.iter_mut().enumerate() {
        let others = || known.iter().enumerate().filter(|(other, _)| *other != position);
        let mut found = |name: &String, path: &Arc<str>| {
            findings.push(
                Diagnostic::new(Code::DatasetFromOther)
                    .run(&run.id)
                    .dataset(Some(name))
                    .with("run", run.id.as_str())
                    .with("dataset", name.as_str())
                    .at(Location::file(path.as_ref())),
            );
        };
        let splits = named(others().map(|(_, one)| &one.splits));
        let of_samples = named(others().map(|(_, one)| &one.of_samples));
        for table in &mut run.content.samples {
            let names = path_names(&table.path);
            let split = names.iter().find_map(|name| split(name));
            if let Some(split) = split.filter(|split| splits.iter().any(|name| name == split)) {
                add_split(&mut table.dims, split);
            }
            if table.dataset.is_none() {
                table.dataset = known_name(&of_samples, &names).cloned();
                table.dataset.iter().for_each(|name| found(name, &table.path));
            }
        }
        let of_figures = named(others().map(|(_, one)| &one.of_figures));
        if of_figures.is_empty() {
            continue;
        }
        let lacking = run.content.scalars.iter_mut().filter(|scalar| scalar.dataset.is_none());
        let mut told = BTreeSet::new();
        for scalar in lacking {
            let names = path_names(&scalar.source.path);
            scalar.dataset = known_name(&of_figures, names.get(1..).unwrap_or_default()).cloned();
            if let Some(name) = scalar.dataset.as_ref().filter(|name| told.insert((*name).clone()))
            {
                found(name, &scalar.source.path);
            }
        }
    }
    findings
}

/// The datasets and splits of a run, and whether some of it has none.
struct Known {
    of_samples: BTreeSet<Option<String>>,
    of_figures: BTreeSet<Option<String>>,
    splits: BTreeSet<Option<String>>,
}

impl Known {
    fn of(run: &Run) -> Self {
        let Fragment { samples, scalars, .. } = &run.content;
        let split = |table: &SampleTable| table.dims.get(SPLIT).map(ToString::to_string);
        Self {
            of_samples: samples.iter().map(|table| table.dataset.clone()).collect(),
            of_figures: scalars.iter().map(|scalar| scalar.dataset.clone()).collect(),
            splits: samples.iter().map(split).collect(),
        }
    }
}

/// The names that other runs have. Where one leaves something unnamed too, that means the same.
fn named<'k>(others: impl Iterator<Item = &'k BTreeSet<Option<String>>>) -> Vec<&'k String> {
    others.filter(|names| !names.contains(&None)).flatten().flatten().collect()
}

/// The stem of a file, and the names of its directories from it on.
fn path_names(path: &str) -> Vec<String> {
    let above = directories(path).rev().map(siblings::without_coordinates);
    std::iter::once(whole(plain_stem(path))).chain(above).collect()
}

fn known_name<'k>(known: &[&'k String], names: &[String]) -> Option<&'k String> {
    let is_known =
        |name: &String| known.iter().copied().find(|known| known.eq_ignore_ascii_case(name));
    names.iter().find_map(is_known)
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
    use super::*;
    use crate::model::SampleTableBuilder;

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
            (
                &["gsm8k_1shot.jsonl", "gsm8k_2shot.jsonl", "math_1shot.jsonl"],
                &[Some("gsm8k"), Some("gsm8k"), Some("math")],
            ),
            (&["samples_1shot.jsonl", "samples_2shot.jsonl"], &[None, None]),
            (&["gsm8k/p.jsonl", "math/p.jsonl"], &[Some("gsm8k"), Some("math")]),
            (&["e/qa_5shot/p.jsonl", "e/law_5shot/p.jsonl"], &[Some("qa"), Some("law")]),
            (&["qa/train.jsonl", "law/test.jsonl"], &[Some("qa"), Some("law")]),
            (&["train.jsonl", "val.jsonl", "test.jsonl"], &[None, None, None]),
            (&["train/p.jsonl", "test/p.jsonl"], &[None, None]),
            (&["step_1/p.jsonl", "best/p.jsonl"], &[None, None]),
            (&["seed0/p.jsonl", "base/p.jsonl"], &[None, None]),
            (&["2025-01-01/p.jsonl", "20250102_120000/p.jsonl"], &[None, None]),
            (&["temp0.7/p.jsonl", "temp1.0/p.jsonl"], &[None, None]),
        ] {
            let expected: Vec<Option<String>> =
                expected.iter().map(|name| name.map(str::to_owned)).collect();
            assert_eq!(datasets(files), expected, "{files:?}");
        }
    }
}
