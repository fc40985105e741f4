//! What runs have that settings are about.

use std::path::Path;

use indexmap::{IndexMap, IndexSet};

use crate::model::{Direction, MetricNames, MetricRole, Run, leaf};
use crate::pairing::{COMMIT, ConfigRole, config_role, is_commit, is_environment};
use crate::quantity::Night;
use crate::settings::can_name_job;

/// What a proposal is made from.
#[derive(Debug, Default)]
pub struct Seen {
    /// Names of the runs.
    pub names: Vec<String>,
    /// Paths of the runs, as commands take them.
    pub paths: Vec<String>,
    pub metrics: Vec<SeenMetric>,
    pub differing: Vec<Differing>,
    /// Keys under which the runs record different commits of the code.
    pub commits: Vec<String>,
    /// Runs of one arm by what their settings have in common, where some differ in seeds alone.
    pub arms: IndexMap<String, Vec<String>>,
    pub jobs: Vec<SeenJob>,
}

/// A nightly job that can be made of runs.
#[derive(Debug)]
pub struct SeenJob {
    pub name: String,
    /// What its runs fit, below the directory of the file that is written.
    pub pattern: String,
}

/// Jobs that are proposed at most.
const MOST_JOBS: usize = 8;

#[derive(Debug)]
pub struct SeenMetric {
    pub name: String,
    pub direction: Direction,
    pub role: Option<MetricRole>,
}

/// A setting that the runs have different values of.
#[derive(Debug)]
pub struct Differing {
    pub key: String,
    pub role: ConfigRole,
    pub values: IndexSet<String>,
}

impl Differing {
    /// Whether it may be what the runs were made for, and not how they were evaluated.
    pub(super) fn may_be_meant(&self) -> bool {
        !matches!(
            self.role,
            ConfigRole::Judge
                | ConfigRole::Scorer
                | ConfigRole::Dataset
                | ConfigRole::Prompt
                | ConfigRole::FewShot
        )
    }
}

impl Seen {
    /// `beside` is the directory that the file will lie in.
    pub fn of(runs: &[Run], names: &MetricNames, beside: &Path) -> Self {
        let differing = differing(runs);
        Self {
            names: runs.iter().map(|run| run.id.clone()).collect(),
            paths: runs.iter().map(|run| run.path.clone()).collect(),
            metrics: metrics(runs, names),
            arms: arms(runs, &differing),
            differing,
            commits: commits(runs),
            jobs: jobs(runs, beside),
        }
    }

    /// Metrics that may decide: the primary ones, else those with a good side.
    pub(super) fn deciding(&self) -> Vec<&str> {
        let has_side = |metric: &&SeenMetric| metric.direction.sign().is_some();
        let with_side = || self.metrics.iter().filter(has_side);
        let primary = with_side().filter(|metric| metric.role == Some(MetricRole::Primary));
        let primary: Vec<&str> = primary.map(|metric| metric.name.as_str()).collect();
        let open = || with_side().filter(|metric| metric.role.is_none());
        if primary.is_empty() { open().map(|metric| &*metric.name).collect() } else { primary }
    }
}

fn metrics(runs: &[Run], names: &MetricNames) -> Vec<SeenMetric> {
    let mut found = IndexMap::new();
    for run in runs {
        let content = &run.content;
        let figures = content.scalars.iter().map(|one| (one.dataset.as_deref(), &*one.metric));
        let scores = content.samples.iter().flat_map(|table| {
            let written = table.columns().iter().filter(|(name, _)| !table.is_derived(name));
            written.map(|(name, _)| (table.dataset.as_deref(), name.as_str()))
        });
        let curves = content.series.iter().map(|series| (None, series.metric.as_str()));
        for (dataset, name) in figures.chain(scores).chain(curves) {
            found.entry(name).or_insert_with(|| {
                let spec = names.meaning(name, content.spec(dataset, name));
                let role = spec.as_ref().and_then(|spec| spec.role).map(|given| given.role);
                let direction = spec.map_or(Direction::Unknown, |spec| spec.direction);
                SeenMetric { name: name.to_owned(), direction, role }
            });
        }
    }
    found.into_values().collect()
}

/// Settings of all runs that are not the same in all of them, once each.
fn differing(runs: &[Run]) -> Vec<Differing> {
    let Some((first, others)) = runs.split_first() else { return Vec::new() };
    let mut found: Vec<Differing> = Vec::new();
    for (key, entry) in first.content.config.iter() {
        let role = config_role(key);
        if is_environment(key) || role.is_circumstance() || role == ConfigRole::Seed {
            continue;
        }
        let theirs: Option<Vec<_>> = others
            .iter()
            .map(|run| run.content.config.get(key).map(|entry| &entry.value))
            .collect();
        let Some(theirs) = theirs else { continue };
        if theirs.iter().all(|value| value.same_as(&entry.value)) {
            continue;
        }
        let values = std::iter::once(&entry.value).chain(theirs);
        let values = values.map(ToString::to_string).collect();
        let is_told = |told: &Differing| leaf(&told.key) == leaf(key) && told.values == values;
        if !found.iter().any(is_told) {
            found.push(Differing { key: key.to_owned(), role, values });
        }
    }
    found
}

/// Keys of commits of which the runs have several.
fn commits(runs: &[Run]) -> Vec<String> {
    let of_configs = |run: &Run| -> Vec<(String, String)> {
        let entries = run.content.config.iter().filter(|(key, _)| is_commit(key));
        entries.map(|(key, entry)| (key.to_owned(), entry.value.to_string())).collect()
    };
    let stated = |run: &Run| {
        let commit = run.content.provenance.commit.clone();
        let own = of_configs(run);
        own.is_empty().then(|| Some((COMMIT.to_owned(), commit?))).flatten().into_iter().chain(own)
    };
    let mut found: IndexMap<String, IndexSet<String>> = IndexMap::new();
    for (key, value) in runs.iter().flat_map(stated) {
        found.entry(key).or_default().insert(value);
    }
    let several = found.into_iter().filter(|(_, values)| values.len() > 1);
    several.map(|(key, _)| key).collect()
}

/// Runs by their values of what differs, where some are repetitions.
fn arms(runs: &[Run], differing: &[Differing]) -> IndexMap<String, Vec<String>> {
    let is_seed = |key: &str| config_role(key) == ConfigRole::Seed;
    let has_seed = |run: &Run| run.content.config.iter().any(|(key, _)| is_seed(key));
    let mut arms: IndexMap<String, Vec<String>> = IndexMap::new();
    for run in runs.iter().filter(|run| has_seed(run)) {
        let values = differing.iter().filter_map(|one| {
            let value = &run.content.config.get(&one.key)?.value;
            Some(format!("{}={value}", leaf(&one.key)))
        });
        let name = values.collect::<Vec<_>>().join(" ");
        arms.entry(name).or_default().push(run.path.clone());
    }
    let is_whole = arms.values().map(Vec::len).sum::<usize>() == runs.len();
    if is_whole && arms.len() > 1 && arms.values().any(|runs| runs.len() > 1) {
        arms
    } else {
        IndexMap::new()
    }
}

/// Jobs for runs that all lie in one directory: one of all. For runs in directories that are called by
/// nights and lie in one: one for each name that comes in several nights, so that like is compared with like,
/// else one of all. None for others, and where runs share a file or the program has no `nightly`.
fn jobs(runs: &[Run], beside: &Path) -> Vec<SeenJob> {
    let all = |pattern: String| vec![SeenJob { name: "main".to_owned(), pattern }];
    let is_part = |run: &Run| run.path.contains("::");
    let paths: Vec<&Path> = runs.iter().map(|run| Path::new(&run.path)).collect();
    if !cfg!(feature = "history") || runs.iter().any(is_part) {
        return Vec::new();
    }
    if let Some(place) = only_parent(&paths, beside) {
        return all(format!("{place}*"));
    }
    let nights: Vec<&Path> = paths.iter().filter_map(|path| path.parent()).collect();
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let is_night = |path: &&Path| name(path).is_some_and(|name| Night::named_in(&name).is_some());
    let Some(place) = only_parent(&nights, beside).filter(|_| nights.iter().all(is_night)) else {
        return Vec::new();
    };
    let mut counts: IndexMap<String, usize> = IndexMap::new();
    paths
        .iter()
        .filter_map(|path| name(path))
        .for_each(|name| *counts.entry(name).or_default() += 1);
    let comes_again = counts.iter().all(|(name, count)| *count > 1 && can_name_job(name));
    if !comes_again || counts.len() > MOST_JOBS {
        return all(format!("{place}*/*"));
    }
    let job = |name: String| SeenJob { pattern: format!("{place}*/{name}"), name };
    counts.into_keys().map(job).collect()
}

/// The directory that all of these lie in, below that of the file, with a slash at its end.
fn only_parent(paths: &[&Path], beside: &Path) -> Option<String> {
    let first = paths.first()?.parent()?;
    if paths.iter().any(|path| path.parent() != Some(first)) {
        return None;
    }
    let below = first.strip_prefix(beside).unwrap_or(first);
    let below = below.strip_prefix(".").unwrap_or(below).to_string_lossy();
    Some(if below.is_empty() { String::new() } else { format!("{below}/") })
}
