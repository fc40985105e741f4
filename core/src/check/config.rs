//! Configuration: undeclared differences, declared factors that do not differ.

use std::collections::BTreeMap;

use indexmap::IndexSet;

use super::circumstances::{self, has_own_code};
use super::{aa, data_files};
use crate::diag::{Code, Diagnostic, Fact, Severity, nearest_name};
use crate::model::{ConfigEntry, LABEL_MARK, Provenance, Run};
use crate::pairing::{
    ArmPair, ConfigChange, ConfigDifference, ConfigRole, DataPairJoin, PairArm, TablePair,
    config_differences, is_commit, names,
};

/// Most keys that a hint names.
const MOST_NAMED: usize = 8;

pub(super) fn check_config(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let mut found = factor_findings(pair);
    found.extend(unrecorded(pair));
    found.extend(printed_otherwise(pair));
    let names_data = |run: &Run, key: &str| run.data_files.iter().any(|file| file.key == key);
    let is_data = |difference: &ConfigDifference| {
        names_data(pair.baseline, &difference.key) && names_data(pair.candidate, &difference.key)
    };
    let is_limit = |one: &ConfigDifference| is_chosen_limit(pair, &one.key);
    let is_training = pair.records_training();
    for change in pair.undeclared() {
        let is_data = change.differences.iter().all(|difference| is_data(difference));
        let is_told = change.differences.iter().all(|difference| is_limit(difference));
        if !is_data && !is_told && !has_own_code(&change, pair) {
            found.extend(differs(&change, pair, is_training));
        }
    }
    let one_sided: Vec<&ConfigDifference> =
        pair.residue().filter(|one| one.one_sided() && !is_data(one) && !is_limit(one)).collect();
    found.extend(one_sided_finding(pair, &one_sided));
    found.extend(version_findings(pair));
    found
}

/// Whether the key only says how many samples one arm chose to score, where all that it scored is
/// paired: the comparison is over those.
fn is_chosen_limit(pair: &ArmPair<'_>, key: &str) -> bool {
    let limits = |tables: &TablePair<'_>| {
        let subset = tables.subset.as_ref();
        subset.is_some_and(|subset| subset.limit.source.key.as_deref() == Some(key))
    };
    !pair.tables.is_empty() && pair.tables.iter().all(limits)
}

/// The findings about runs of which nothing, or not everything, is known of the configuration.
fn unrecorded(pair: &ArmPair<'_>) -> impl Iterator<Item = Diagnostic> {
    let found = |code: Code, is_such: fn(&Run) -> bool| {
        let runs = PairArm::BOTH.into_iter().flat_map(|which| pair.runs(which));
        // Of several runs in one file the file is named, and of counts theirs: what lies beside the samples was
        // not seen.
        let name = |run: &Run| {
            let counted = run.content.counted.iter().flat_map(|counted| &*counted.datasets).next();
            let own = || run.id.split(LABEL_MARK).next().unwrap_or_default().to_owned();
            counted.map_or_else(own, |counted| counted.path.to_string())
        };
        let such: IndexSet<String> = runs.filter(|run| is_such(run)).map(name).collect();
        (!such.is_empty())
            .then(|| Diagnostic::new(code).with("runs", such.into_iter().collect::<Vec<_>>()))
    };
    let is_partial = |run: &Run| !run.content.config.is_empty() && !run.content.has_whole_config;
    let silent = found(Code::NoConfig, |run| run.content.config.is_empty());
    silent.into_iter().chain(found(Code::PartialConfig, is_partial))
}

/// What the logs of both arms print of one setting and not alike, where no configuration file says which
/// value the training had.
fn printed_otherwise(pair: &ArmPair<'_>) -> Option<Diagnostic> {
    let [mine, theirs] = [pair.baseline, pair.candidate].map(|run| &run.content.printed);
    let differing = config_differences(mine, theirs);
    let differing = || {
        let in_both = differing.iter().filter(|one| !one.one_sided() && !one.environment);
        in_both.filter(|one| !pair.factors.keys.iter().any(|key| names(key, &one.key)))
    };
    let first = differing().next()?;
    let value = |entry: &Option<ConfigEntry>| {
        entry.as_ref().map_or_else(|| Fact::from(""), |entry| Fact::from(&entry.value))
    };
    Some(
        Diagnostic::new(Code::PrintedOtherwise)
            .with(
                "keys",
                Fact::first(
                    MOST_NAMED,
                    differing().map(|one| one.key.clone()).collect::<Vec<String>>(),
                ),
            )
            .with("key", first.key.as_str())
            .with("baseline", value(&first.baseline))
            .with("candidate", value(&first.candidate))
            .at(first.candidate.as_ref().map(|entry| entry.source.location())),
    )
}

fn factor_findings(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let factors = &pair.factors;
    let equal = factors.equal.iter().filter(|key| !names_other_content(pair, key)).map(|key| {
        let value = pair.baseline.content.config.iter().find(|(full, _)| names(key, full));
        let commit = pair.baseline.content.provenance.commit.as_deref();
        let commit = commit.filter(|_| is_commit(key)).unwrap_or_default();
        let shown = value.map_or_else(|| Fact::from(commit), |(_, entry)| Fact::from(&entry.value));
        Diagnostic::new(Code::FactorEqual).about_key(key).with("value", shown)
    });
    let configs = [pair.baseline, pair.candidate].map(|run| &run.content.config);
    let keys = || configs.iter().flat_map(|config| config.iter()).map(|(key, _)| key);
    let undeclared = || pair.undeclared().iter().map(ConfigChange::name).collect::<Vec<_>>();
    let unknown = factors.unknown.iter().map(|key| {
        let found = Diagnostic::new(Code::FactorUnknown).about_key(key);
        let found = found.with("near", nearest_name(key, keys()));
        found.with("known", Fact::first(MOST_NAMED, undeclared()))
    });
    let mut found: Vec<Diagnostic> = equal.chain(unknown).collect();
    // Where the only difference is a seed, another finding says what that is.
    if factors.inferred && !factors.keys.is_empty() && !aa::differ_in_seeds_only(pair) {
        found.push(Diagnostic::new(Code::FactorInferred).with("keys", factors.keys.clone()));
    }
    found
}

/// Whether a declared key names data files with one path and different records: those are what the
/// factor changes.
fn names_other_content(pair: &ArmPair<'_>, declared: &str) -> bool {
    let mut files = pair.data.iter();
    files.any(|files| {
        let (mine, theirs) = (files.baseline, files.candidate);
        let same_rows = files.join.as_ref().is_some_and(DataPairJoin::same_rows);
        [mine, theirs].into_iter().any(|file| names(declared, &file.key))
            && data_files::differ(mine, theirs)
            && !same_rows
    })
}

/// How loud a difference is: what changes the questions or how they are answered makes scores of two
/// tests out of scores of one. Sampling belongs to the training where there is one.
fn severity(role: ConfigRole, is_training: bool) -> Severity {
    match role {
        ConfigRole::Dataset | ConfigRole::Prompt | ConfigRole::FewShot => Severity::Error,
        ConfigRole::Decoding if !is_training => Severity::Error,
        _ => Severity::Warning,
    }
}

fn differs(change: &ConfigChange<'_>, pair: &ArmPair<'_>, is_training: bool) -> Option<Diagnostic> {
    let mut finding = circumstances::differs(Code::ConfigDiffers, change)?;
    if let [only] = change.differences.as_slice() {
        finding = finding.dataset(task_of(&only.key).and_then(|task| dataset_of(pair, task)));
    }
    finding.severity = severity(change.role(), is_training);
    if !change.following.is_empty() {
        finding = finding.with("following", change.following.clone());
    }
    Some(finding)
}

/// The weight of settings that decide scores.
const TELLING: &str = "telling";

/// Whether a finding says that one side alone records settings that decide scores.
pub fn hides_telling_setting(finding: &Diagnostic) -> bool {
    finding.code == Code::ConfigOneSided
        && !finding.is_lifted()
        && finding.evidence.get("weight") == Some(&Fact::from(TELLING))
}

/// One finding for all keys that one side does not record: absence of a record is not evidence of
/// a difference. Silent when a side has no configuration at all, which `inspect` shows.
fn one_sided_finding(pair: &ArmPair<'_>, keys: &[&ConfigDifference]) -> Option<Diagnostic> {
    if keys.is_empty() {
        return None;
    }
    let side = |missing: fn(&ConfigDifference) -> bool| -> Vec<String> {
        let mut own: Vec<_> = keys.iter().filter(|one| missing(one)).collect();
        own.sort_by_key(|one| !is_telling(one, pair));
        own.into_iter().map(|one| one.key.clone()).collect()
    };
    let sides = [side(|one| one.candidate.is_none()), side(|one| one.baseline.is_none())];
    let telling = keys.iter().filter(|one| is_telling(one, pair)).map(|one| one.key.clone());
    let names = PairArm::BOTH.map(|which| pair.name(which));
    Some(recorded_by_one(names, sides, telling.collect()))
}

/// The finding about keys that the first of two arms or runs alone records, and the second; `telling` are
/// those that decide scores.
pub(super) fn recorded_by_one(
    [baseline, candidate]: [&str; 2],
    sides: [Vec<String>; 2],
    telling: Vec<String>,
) -> Diagnostic {
    let recorded = [baseline, candidate].into_iter().zip(&sides).filter(|(_, own)| !own.is_empty());
    let recorded: Vec<String> =
        recorded.map(|(run, own)| format!("{run}: {}", own.join(", "))).collect();
    let [baseline_only, candidate_only] = sides;
    Diagnostic::new(Code::ConfigOneSided)
        .with("count", baseline_only.len() + candidate_only.len())
        .with("baseline", baseline)
        .with("candidate", candidate)
        .with("recorded", recorded.join("; "))
        .with("weight", if telling.is_empty() { "minor" } else { TELLING })
        .with("telling", telling)
        .with("baseline_only", baseline_only)
        .with("candidate_only", candidate_only)
}

/// Whether a key that one run alone records is of a kind that decides scores. Of a task that the other run was not given, nothing else can be expected.
fn is_telling(one: &ConfigDifference, pair: &ArmPair<'_>) -> bool {
    let silent = if one.baseline.is_none() { pair.baseline } else { pair.candidate };
    let task = task_of(&one.key);
    let knows_task = |task: &str| {
        let below = format!("task.{task}.");
        silent.content.config.iter().any(|(key, _)| key.starts_with(&below))
    };
    one.role.decides_scores() && task.is_none_or(knows_task)
}

/// The task that a key is about: `gsm8k` of `task.gsm8k.num_fewshot`.
fn task_of(key: &str) -> Option<&str> {
    key.strip_prefix("task.").and_then(|rest| rest.split('.').next())
}

fn version_findings(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let [mine, theirs] = PairArm::BOTH.map(|which| versions(pair, which));
    let shared =
        mine.iter().filter_map(|(name, version)| Some((*name, *version, *theirs.get(name)?)));
    let mut found: Vec<Diagnostic> = shared
        .filter(|(_, version, other)| version != other)
        .map(|(name, version, other)| {
            version_differs(name, version, other).dataset(dataset_of(pair, name))
        })
        .collect();
    if found.is_empty() {
        let [mine, theirs] = [pair.baseline, pair.candidate].map(|run| &run.content.provenance);
        found.extend(harness_differs(mine, theirs));
    }
    found
}

/// The versions of the tasks of an arm, as the first of its runs records each.
fn versions<'a>(pair: &ArmPair<'a>, which: PairArm) -> BTreeMap<&'a str, &'a str> {
    let mut found = BTreeMap::new();
    for (name, version) in pair.runs(which).flat_map(|run| &run.content.versions) {
        found.entry(name.as_str()).or_insert(version.as_str());
    }
    found
}

/// The dataset whose results a task of that name makes, where there are some.
fn dataset_of<'p>(pair: &'p ArmPair<'_>, task: &str) -> Option<&'p str> {
    let mut datasets = pair.cells.iter().filter_map(|cell| cell.key.dataset.as_deref());
    datasets.find(|dataset| dataset.eq_ignore_ascii_case(task))
}

/// The program that wrote the results, where no version of it stands among those of the tasks.
fn harness_differs(mine: &Provenance, theirs: &Provenance) -> Option<Diagnostic> {
    let (a, b) = (mine.harness.as_ref()?, theirs.harness.as_ref()?);
    if a != b {
        return Some(version_differs("harness", a, b));
    }
    let (old, new) = (mine.harness_version.as_ref()?, theirs.harness_version.as_ref()?);
    (old != new).then(|| version_differs(a, old, new))
}

fn version_differs(name: &str, baseline: &str, candidate: &str) -> Diagnostic {
    Diagnostic::new(Code::VersionDiffers)
        .key(name)
        .with("name", name)
        .with("baseline", baseline)
        .with("candidate", candidate)
}
