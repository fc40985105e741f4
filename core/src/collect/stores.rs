//! Directories that hold several runs: which directories below one, or which of its evaluations, are
//! runs of their own.
//!
//! Siblings are runs of their own where each holds results of the same kind and their files identify
//! another run: another model or seed, other settings behind figures of the same cells, marks of a
//! tracker; or names that number runs over figures that contradict each other. Checkpoints,
//! evaluations by step, splits and shards stay parts of one run. What keys of a configuration are
//! for is known to whoever asks.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::evaluations::piece_stamp;
use super::member::Member;
use super::overlap::Overlap;
use super::readers::{HELM_SETTINGS, MONITOR, TRAINER_STATE, lighteval};
use super::siblings::{
    Sibling, are_arms, are_parts, below_of, have_other_letters, is_run_id, number_runs, remainder,
    run_number, share_a_word, words_beside_places,
};
use super::{Piece, directory_of, plain_stem, shown};
use crate::diag::{Code, Diagnostic, Location};
use crate::model::{ConfigEntry, ConfigValue, Fragment, RunLabel};

/// What it says of two directories that a key of their configurations differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyWeight {
    /// Two runs: another model.
    Identity,
    /// Two runs where both have results of the same cells.
    Setting,
    /// Other questions: what looks like the same cells may be those of two datasets.
    Questions,
    Nothing,
}

/// The column by which `--pool` and addresses mean the runs below a directory.
pub(super) const RUN: &str = RunLabel::RUN;

/// Directories that hold no results but say what a run is, and tools that keep their own account of
/// a run below it.
const TRACKERS: &[&str] = &["lightning_logs", "logs", "mlruns", "runs", "tensorboard", "wandb"];
/// Directories that belong to the run that they lie in.
const INNER: &[&str] = &[".hydra", "files"];
/// Series of a training, from so many on, are no two networks of one training.
const MANY_SERIES: usize = 8;
/// Most siblings of which each is compared with each; of more, each with the next.
const MOST_PAIRS: usize = 24;

/// How many runs a directory holds.
pub(super) enum Holds {
    One,
    /// One, as far as can be told; the two directories have results of the same samples or steps.
    OneOrMore([String; 2]),
    Several(Vec<Member>),
}

/// What a directory holds. `marked` are directories that a tracker marks as runs.
pub(super) fn held(
    pieces: &[Piece],
    marked: &BTreeSet<String>,
    weight: fn(&str) -> KeyWeight,
) -> Holds {
    let search = Search { marked, weight };
    let all: Vec<&Piece> = pieces.iter().collect();
    if let Some(members) = models_of_lighteval(&all).or_else(|| models_of_helm(&all)) {
        return Holds::Several(members);
    }
    let Runs { directories, doubt } = search.runs_below("", &all, false);
    if directories.len() > 1 {
        let member = |directory| Member { directory, ..Member::default() };
        return Holds::Several(directories.into_iter().map(member).collect());
    }
    let members = search.models_in_one_directory(&all).or_else(|| numbered_files(&all));
    let doubt = doubt.or_else(|| arms_in_names(&all));
    members.map(Holds::Several).or_else(|| doubt.map(Holds::OneOrMore)).unwrap_or(Holds::One)
}

/// Two files with figures in one directory that state different models; or with figures of one metric and no
/// dataset, whose paths hold coordinates and differ in the rest: `sft_epoch1.json` and `grpo_epoch2.json`, or
/// `sft/epoch1/metrics.json` and `grpo/epoch2/metrics.json`.
fn arms_in_names(pieces: &[&Piece]) -> Option<[String; 2]> {
    let model = |piece: &Piece| piece.fragment.config.get("model").map(|one| one.value.to_string());
    let mut models: BTreeMap<&str, (String, &Piece)> = BTreeMap::new();
    for piece in pieces.iter().filter(|piece| !piece.fragment.scalars.is_empty()) {
        let Some(own) = model(piece) else { continue };
        let known = models.entry(directory_of(&piece.relative));
        let (known, other) = known.or_insert_with(|| (own.clone(), piece));
        if *known != own {
            return Some([other.relative.clone(), piece.relative.clone()]);
        }
    }
    let metrics = |piece: &Piece| -> BTreeSet<String> {
        piece.fragment.scalars.iter().map(|one| one.metric.clone()).collect()
    };
    let mut first: BTreeMap<usize, (Vec<String>, &Piece)> = BTreeMap::new();
    for piece in pieces {
        let scalars = &piece.fragment.scalars;
        let is_unnamed = !scalars.is_empty() && scalars.iter().all(|one| one.dataset.is_none());
        let Some(words) = words_beside_places(&piece.relative).filter(|_| is_unnamed) else {
            continue;
        };
        let depth = piece.relative.matches('/').count();
        let (known, other) = first.entry(depth).or_insert_with(|| (words.clone(), piece));
        if *known != words && !metrics(other).is_disjoint(&metrics(piece)) {
            return Some([other.relative.clone(), piece.relative.clone()]);
        }
    }
    None
}

/// That directories below one may be several runs, and were read as one.
pub(super) fn doubted([one, other]: &[String; 2], input: &Path) -> Diagnostic {
    let directory = shown(input);
    Diagnostic::new(Code::PossiblyRuns)
        .with("path", directory.as_str())
        .with("first", one.as_str())
        .with("second", other.as_str())
        .at(Location::file(directory))
}

/// The directories of the runs below one, and two of which it is not clear.
struct Runs {
    directories: Vec<String>,
    doubt: Option<[String; 2]>,
}

/// Whether two siblings are runs of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Apart {
    No,
    Perhaps,
    Yes,
}

impl From<bool> for Apart {
    fn from(is_apart: bool) -> Self {
        if is_apart { Self::Yes } else { Self::No }
    }
}

struct Search<'a> {
    marked: &'a BTreeSet<String>,
    weight: fn(&str) -> KeyWeight,
}

impl Search<'_> {
    /// The directories of the runs below one; itself where all is of one run.
    fn runs_below(&self, directory: &str, pieces: &[&Piece], in_results: bool) -> Runs {
        let mut own: Vec<&Piece> = Vec::new();
        let mut below: BTreeMap<&str, Vec<&Piece>> = BTreeMap::new();
        for &piece in pieces {
            match below_of(&piece.relative, directory).split_once('/') {
                Some((child, _)) if !INNER.contains(&child) => {
                    below.entry(child).or_default().push(piece);
                }
                _ => own.push(piece),
            }
        }
        let has_results = hold_results(&own);
        let in_results = in_results || has_results;
        let sibling = |(name, pieces)| {
            let parts = [directory, name].into_iter().filter(|part: &&str| !part.is_empty());
            Sibling { name, directory: parts.collect::<Vec<_>>().join("/"), pieces }
        };
        let mut siblings: Vec<Sibling<'_>> = below.into_iter().map(sibling).collect();
        siblings.retain(|sibling| {
            let is_account = !own.is_empty() && TRACKERS.contains(&sibling.name);
            !is_account && (hold_results(&sibling.pieces) || holds_run_id(&sibling.pieces))
        });
        let below: Vec<Runs> = siblings
            .iter()
            .map(|sibling| self.runs_below(&sibling.directory, &sibling.pieces, in_results))
            .collect();
        let (apart, pair) = self.most_apart(&siblings, in_results);
        if apart == Apart::Yes || below.iter().any(|runs| runs.directories.len() > 1) {
            let directories = below.into_iter().flat_map(|runs| runs.directories).collect();
            return Runs { directories, doubt: None };
        }
        let doubt = pair.or_else(|| below.into_iter().find_map(|runs| runs.doubt));
        Runs { directories: vec![directory.to_owned()], doubt }
    }

    /// How far siblings are apart, and the first two of which it is not clear.
    fn most_apart(
        &self,
        siblings: &[Sibling<'_>],
        in_results: bool,
    ) -> (Apart, Option<[String; 2]>) {
        let mut doubt = None;
        for (at, one) in siblings.iter().enumerate() {
            let further = siblings.get(at + 1..).unwrap_or_default();
            let most = if siblings.len() > MOST_PAIRS { 1 } else { further.len() };
            for other in further.iter().take(most) {
                match self.apart(one, other, in_results) {
                    Apart::Yes => return (Apart::Yes, None),
                    Apart::Perhaps => {
                        let both = [one, other].map(|sibling| sibling.directory.clone());
                        doubt.get_or_insert(both);
                    }
                    Apart::No => {}
                }
            }
        }
        (if doubt.is_some() { Apart::Perhaps } else { Apart::No }, doubt)
    }

    fn apart(&self, a: &Sibling<'_>, b: &Sibling<'_>, in_results: bool) -> Apart {
        if are_parts(a.name, b.name) {
            return Apart::No;
        }
        if !in_results && self.is_marked(a) && self.is_marked(b) {
            return Apart::Yes;
        }
        if !same_kind(a, b) {
            return Apart::No;
        }
        if !in_results && [a, b].iter().all(|sibling| is_monitored(sibling)) {
            return Apart::Yes;
        }
        match self.config_weight(&a.pieces, &b.pieces) {
            KeyWeight::Identity => Apart::Yes,
            KeyWeight::Setting => Overlap::of(a, b).is_any.into(),
            KeyWeight::Questions => match Overlap::of(a, b) {
                overlap if overlap.trainings > 0 => Apart::Yes,
                overlap if overlap.is_mixed => Apart::Perhaps,
                _ => Apart::No,
            },
            KeyWeight::Nothing => {
                let overlap = Overlap::of(a, b);
                let is_told = overlap.contradicts && number_runs(a.name, b.name)
                    || overlap.other_answers > 0 && have_other_letters(a.name, b.name)
                    || overlap.trainings > 0 && (share_a_word(a.name, b.name) || have_states(a, b))
                    || overlap.trainings >= MANY_SERIES
                    || overlap.curves > 0 && are_arms(a.name, b.name);
                match is_told && !in_results {
                    true => Apart::Yes,
                    false if overlap.is_mixed => Apart::Perhaps,
                    false => Apart::No,
                }
            }
        }
    }

    fn is_marked(&self, sibling: &Sibling<'_>) -> bool {
        is_run_id(sibling.name) || self.marked.contains(&sibling.directory)
    }

    /// What the configurations of both, as far as both have a key, say.
    fn config_weight(&self, a: &[&Piece], b: &[&Piece]) -> KeyWeight {
        let (a, b) = (config(a), config(b));
        let (mut found, mut asks_others) = (KeyWeight::Nothing, false);
        for (key, mine) in &a {
            let Some(theirs) = b.get(key) else { continue };
            if mine.value.same_as(&theirs.value) {
                continue;
            }
            match (self.weight)(key) {
                KeyWeight::Identity if differ_in_more_than_step(&mine.value, &theirs.value) => {
                    return KeyWeight::Identity;
                }
                KeyWeight::Setting => found = KeyWeight::Setting,
                KeyWeight::Questions => asks_others = true,
                _ => {}
            }
        }
        let one_sided = |[a, b]: [&BTreeMap<&str, &ConfigEntry>; 2]| {
            let mut only = a.keys().filter(|key| is_argument(key) && !b.contains_key(*key));
            only.any(|key| matches!((self.weight)(key), KeyWeight::Identity | KeyWeight::Setting))
        };
        if asks_others {
            KeyWeight::Questions
        } else if one_sided([&a, &b]) || one_sided([&b, &a]) {
            KeyWeight::Setting
        } else {
            found
        }
    }

    /// Evaluations of several models that a harness wrote into one directory.
    fn models_in_one_directory(&self, pieces: &[&Piece]) -> Option<Vec<Member>> {
        let is_evaluation = |piece: &&Piece| piece_stamp(piece).is_some();
        let evaluations: Vec<&Piece> = pieces.iter().copied().filter(is_evaluation).collect();
        let (first, others) = evaluations.split_first()?;
        let directory = directory_of(&first.relative);
        if others.iter().any(|other| directory_of(&other.relative) != directory) {
            return None;
        }
        let keys: BTreeSet<&str> = evaluations
            .iter()
            .flat_map(|piece| piece.fragment.config.iter().map(|(key, _)| key))
            .filter(|key| match (self.weight)(key) {
                KeyWeight::Identity => true,
                KeyWeight::Setting => is_argument(key),
                KeyWeight::Questions | KeyWeight::Nothing => false,
            })
            .collect();
        let value = |piece: &Piece, key: &str| {
            let entry = piece.fragment.config.get(key);
            entry.map_or_else(|| ConfigValue::Text(String::new()), |entry| entry.value.clone())
        };
        let differs = |key: &&str| {
            let own = value(first, key);
            others.iter().any(|other| differ_in_more_than_step(&own, &value(other, key)))
        };
        let mut keys: Vec<&str> = keys.into_iter().filter(differs).collect();
        // The arguments say it already.
        if keys.iter().any(|key| is_argument(key)) {
            keys.retain(|key| is_argument(key));
        }
        let mut of_model: BTreeMap<Vec<RunLabel>, BTreeSet<String>> = BTreeMap::new();
        for piece in &evaluations {
            let label = |key: &&str| RunLabel {
                column: (*key).to_owned(),
                value: value(piece, key).to_string(),
            };
            let labels = keys.iter().map(label).collect();
            of_model.entry(labels).or_default().insert(piece.relative.clone());
        }
        let all: BTreeSet<String> = of_model.values().flatten().cloned().collect();
        let are_parts = || are_parts_of_one_evaluation(&evaluations, &keys);
        (of_model.len() > 1 && !are_parts()).then(|| in_one_directory(of_model, &all))
    }
}

/// The models in an output directory of lighteval, which has results and details of each in two places.
fn models_of_lighteval(pieces: &[&Piece]) -> Option<Vec<Member>> {
    let mut of_model: BTreeMap<Vec<RunLabel>, BTreeSet<String>> = BTreeMap::new();
    for piece in pieces.iter().filter(|piece| has_results(&piece.fragment)) {
        let label = model_label(lighteval::model_in_path(piece)?);
        of_model.entry(label).or_default().insert(piece.relative.clone());
    }
    by_model(of_model)
}

/// The models in a suite of HELM, which has a directory for each scenario of each. Where one model was asked a
/// scenario in two ways, these are runs of their own.
fn models_of_helm(pieces: &[&Piece]) -> Option<Vec<Member>> {
    let mut directories: BTreeMap<&str, Vec<&Piece>> = BTreeMap::new();
    for piece in pieces {
        directories.entry(directory_of(&piece.relative)).or_default().push(piece);
    }
    let mut scenarios: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut of_model: BTreeMap<Vec<RunLabel>, BTreeSet<String>> = BTreeMap::new();
    for pieces in directories.values() {
        let mut figures = pieces.iter().flat_map(|piece| &piece.fragment.scalars);
        let scenario = figures.find_map(|scalar| scalar.dataset.as_deref())?;
        let mut settings = pieces.iter().filter(|piece| piece.reader == HELM_SETTINGS);
        let model = settings.find_map(|piece| piece.fragment.provenance.model.as_deref())?;
        if !scenarios.insert((model, scenario)) {
            return None;
        }
        let files = pieces.iter().map(|piece| piece.relative.clone());
        of_model.entry(model_label(model)).or_default().extend(files);
    }
    let has_several = scenarios.len() > of_model.len();
    by_model(of_model).filter(|_| has_several)
}

fn model_label(model: &str) -> Vec<RunLabel> {
    vec![RunLabel { column: "model".to_owned(), value: model.to_owned() }]
}

/// The runs of several models; none where there is one.
fn by_model(of_model: BTreeMap<Vec<RunLabel>, BTreeSet<String>>) -> Option<Vec<Member>> {
    let all: BTreeSet<String> = of_model.values().flatten().cloned().collect();
    (of_model.len() > 1).then(|| in_one_directory(of_model, &all))
}

/// Whether evaluations differ only in what some do not write, and have no task in common: one model
/// was evaluated bit by bit.
fn are_parts_of_one_evaluation(evaluations: &[&Piece], keys: &[&str]) -> bool {
    let is_said_once = |key: &&str| {
        let values = evaluations.iter().filter_map(|piece| piece.fragment.config.get(key));
        let values: BTreeSet<String> = values.map(|entry| entry.value.to_string()).collect();
        values.len() < 2
    };
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    keys.iter().all(is_said_once)
        && evaluations.iter().all(|piece| {
            let datasets = piece.fragment.scalars.iter().filter_map(|one| one.dataset.as_deref());
            let own: BTreeSet<&str> = datasets.collect();
            let is_new = seen.is_disjoint(&own);
            seen.extend(own);
            is_new
        })
}

/// Files of one directory that number runs by their names and contradict each other: `seed0.jsonl` and
/// `seed1.jsonl`. Results beside them that say of no run which it is are of none.
fn numbered_files(pieces: &[&Piece]) -> Option<Vec<Member>> {
    let with_results: Vec<&Piece> =
        pieces.iter().copied().filter(|piece| has_results(&piece.fragment)).collect();
    let directory = directory_of(&with_results.first()?.relative);
    if with_results.iter().any(|piece| directory_of(&piece.relative) != directory) {
        return None;
    }
    let number = |piece: &&Piece| run_number(plain_stem(&piece.relative));
    let column = with_results.iter().find_map(number)?.0;
    let mut of_run: BTreeMap<Vec<RunLabel>, BTreeSet<String>> = BTreeMap::new();
    let mut numbered: Vec<Sibling<'_>> = Vec::new();
    for &piece in &with_results {
        let Some((_, value)) = number(&piece).filter(|(word, _)| *word == column) else { continue };
        let labels = vec![RunLabel { column: column.clone(), value }];
        of_run.entry(labels).or_default().insert(piece.relative.clone());
        let name = plain_stem(&piece.relative);
        numbered.push(Sibling { name, directory: piece.relative.clone(), pieces: vec![piece] });
    }
    let (first, others) = numbered.split_first()?;
    let is_rival = |other: &Sibling<'_>| {
        number_runs(first.name, other.name) && Overlap::of(first, other).contradicts
    };
    let all: BTreeSet<String> = with_results.iter().map(|one| one.relative.clone()).collect();
    others.iter().any(is_rival).then(|| in_one_directory(of_run, &all))
}

/// Runs by their labels whose files lie in one directory; `all` are files of any of them, or of none.
fn in_one_directory(
    runs: BTreeMap<Vec<RunLabel>, BTreeSet<String>>,
    all: &BTreeSet<String>,
) -> Vec<Member> {
    let member = |(labels, own): (Vec<RunLabel>, BTreeSet<String>)| Member {
        labels,
        others: all.difference(&own).cloned().collect(),
        ..Member::default()
    };
    runs.into_iter().map(member).collect()
}

/// Whether a key is an argument of the model that a harness loads, which has a default.
fn is_argument(key: &str) -> bool {
    key.starts_with("model_args.")
}

fn hold_results(pieces: &[&Piece]) -> bool {
    pieces.iter().any(|piece| has_results(&piece.fragment))
}

/// Whether a tracker gave ids to runs in these places.
fn holds_run_id(pieces: &[&Piece]) -> bool {
    pieces.iter().any(|piece| piece.relative.split('/').any(is_run_id))
}

pub(super) fn has_results(fragment: &Fragment) -> bool {
    let Fragment { scalars, series, samples, parts, .. } = fragment;
    !(scalars.is_empty() && series.is_empty() && samples.is_empty() && parts.is_empty())
}

/// Whether both have results that one reader reads.
fn same_kind(a: &Sibling<'_>, b: &Sibling<'_>) -> bool {
    let readers = |sibling: &Sibling<'_>| -> BTreeSet<&str> {
        let with_results = sibling.pieces.iter().filter(|piece| has_results(&piece.fragment));
        with_results.map(|piece| piece.reader).collect()
    };
    !readers(a).is_disjoint(&readers(b))
}

/// Whether a monitor of an environment wrote its results, as it does once for each training.
fn is_monitored(sibling: &Sibling<'_>) -> bool {
    sibling.pieces.iter().any(|piece| piece.reader == MONITOR)
}

/// Whether both have a state of a trainer, which writes one for each training.
fn have_states(a: &Sibling<'_>, b: &Sibling<'_>) -> bool {
    [a, b].iter().all(|sibling| sibling.pieces.iter().any(|piece| piece.reader == TRAINER_STATE))
}

fn config<'a>(pieces: &[&'a Piece]) -> BTreeMap<&'a str, &'a ConfigEntry> {
    let mut whole = BTreeMap::new();
    for (key, entry) in pieces.iter().flat_map(|piece| piece.fragment.config.iter()) {
        whole.entry(key).or_insert(entry);
    }
    whole
}

/// Checkpoints of one training are one run, whatever the path of each.
fn differ_in_more_than_step(a: &ConfigValue, b: &ConfigValue) -> bool {
    match (a, b) {
        (ConfigValue::Text(a), ConfigValue::Text(b)) => remainder(a) != remainder(b),
        _ => !a.same_as(b),
    }
}
