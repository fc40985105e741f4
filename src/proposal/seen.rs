//! What runs have that settings are about.

use std::path::Path;

use indexmap::{IndexMap, IndexSet};

use crate::model::{Direction, MetricNames, MetricRole, Run, leaf};
use crate::pairing::{ConfigRole, config_role, is_environment};

/// What a proposal is made from.
#[derive(Debug, Default)]
pub struct Seen {
    /// Names of the runs.
    pub names: Vec<String>,
    /// Paths of the runs, as commands take them.
    pub paths: Vec<String>,
    pub metrics: Vec<SeenMetric>,
    pub differing: Vec<Differing>,
    /// Runs of one arm by what their settings have in common, where some differ in seeds alone.
    pub arms: IndexMap<String, Vec<String>>,
    /// A pattern that all runs fit, below the directory of the file that is written.
    pub pattern: Option<String>,
}

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
            pattern: pattern(runs, beside),
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

/// The directory that all runs lie in, as the pattern of a job; `None` where runs share a file.
fn pattern(runs: &[Run], beside: &Path) -> Option<String> {
    let above = |run: &Run| Path::new(&run.path).parent().map(Path::to_path_buf);
    let first = above(runs.first()?)?;
    let lies_there = |run: &Run| above(run).as_deref() == Some(&*first) && !run.path.contains("::");
    if !runs.iter().all(lies_there) {
        return None;
    }
    let below = first.strip_prefix(beside).unwrap_or(&first);
    let below = below.strip_prefix(".").unwrap_or(below).to_string_lossy();
    Some(if below.is_empty() { "*".to_owned() } else { format!("{below}/*") })
}
