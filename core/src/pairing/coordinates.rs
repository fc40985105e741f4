//! Which coordinates make a grid and identify a cell, and which only say when a run was evaluated.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{CHECKPOINT_DIMS, DimValue, Dims, Run, Scalar};

/// A coordinate that may be nothing but the size that a figure stands on.
const SAMPLES: &str = "samples";

/// What identifies a cell. Ordered by dataset, metric, coordinates.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CellKey {
    pub dataset: Option<String>,
    pub metric: String,
    pub dims: Dims,
}

impl CellKey {
    /// Whether this is that metric at that grid point, on whatever dataset.
    pub fn is_of(&self, metric: &str, dims: &Dims) -> bool {
        self.metric == metric && self.dims == *dims
    }
}

impl std::fmt::Display for CellKey {
    /// `dataset/metric [dims]`, leaving out what is not there.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(dataset) = &self.dataset {
            write!(f, "{dataset}/")?;
        }
        f.write_str(&self.metric)?;
        if !self.dims.is_empty() {
            write!(f, " [{}]", self.dims)?;
        }
        Ok(())
    }
}

/// Coordinates that describe a run instead of a grid, for per-sample outcomes and for aggregates.
#[derive(Debug, Clone, Default)]
pub(super) struct RunLevel {
    pub(super) tables: Vec<String>,
    pub(super) scalars: Vec<String>,
}

/// Finds the checkpoints that are the same throughout each run.
///
/// They say when a run was evaluated and are no coordinates of a grid: a base model evaluated at
/// step 0 and its tuned successor at step 3000 fill the same cell. Other coordinates (shots, split,
/// filter) are never folded: a difference there is a different experiment.
pub(super) fn run_level(runs: &[&Run]) -> RunLevel {
    let tables =
        |run: &Run, name: &str| constant(run.content.samples.iter().map(|table| &table.dims), name);
    let scalars = |run: &Run, name: &str| {
        constant(run.content.scalars.iter().map(|scalar| &scalar.dims), name)
    };
    let in_all = |holds: &dyn Fn(&Run, &str) -> bool| {
        let names = CHECKPOINT_DIMS.iter().chain(["seed"].iter());
        let names = names.filter(|name| runs.iter().all(|run| holds(run, name)));
        names.map(|name| (*name).to_owned()).collect()
    };
    let mut level = RunLevel { tables: in_all(&tables), scalars: in_all(&scalars) };
    if tells_sizes_alone(runs) {
        level.scalars.push(SAMPLES.to_owned());
    }
    level
}

/// Whether numbers of samples are no grid: each run has one for each figure, the size that it stands
/// on, and other runs have others.
fn tells_sizes_alone(runs: &[&Run]) -> bool {
    type SizeOf<'a> = BTreeMap<(Option<String>, &'a str, Dims), Option<&'a DimValue>>;
    let is_of_samples = |scalar: &Scalar| scalar.dims.get(SAMPLES).is_some();
    if !runs.iter().any(|run| run.content.scalars.iter().any(is_of_samples)) {
        return false;
    }
    let mut all = SizeOf::new();
    let mut differ = false;
    for run in runs {
        let mut own = SizeOf::new();
        for scalar in &run.content.scalars {
            let size = scalar.dims.get(SAMPLES);
            let is_n = size.is_none_or(|size| size.number() == scalar.n.map(|n| n as f64));
            let dataset = scalar.dataset.as_ref().map(|name| name.to_ascii_lowercase());
            let place = (dataset, scalar.metric.as_str(), scalar.dims.without(SAMPLES));
            if !is_n || own.insert(place, size).is_some_and(|other| other != size) {
                return false;
            }
        }
        for (place, size) in own {
            differ |= *all.entry(place).or_insert(size) != size;
        }
    }
    differ
}

/// Whether all have the same value of the coordinate, or none has one.
fn constant<'a>(mut all: impl Iterator<Item = &'a Dims>, name: &str) -> bool {
    let Some(first) = all.next() else { return true };
    let value = first.get(name);
    all.all(|dims| dims.get(name) == value)
}

/// The figures of one arm over its checkpoints for which the other arm has the metric, but not
/// over checkpoints: a curve of that arm, no cells of a comparison.
pub(super) fn lone_curves(mine: &BTreeSet<CellKey>, theirs: &BTreeSet<CellKey>) -> Vec<CellKey> {
    let names = |key: &CellKey| key.dims.names().map(str::to_owned).collect::<Vec<_>>();
    let is_curve = |key: &CellKey| key.dims.names().any(|name| CHECKPOINT_DIMS.contains(&name));
    let mut others: BTreeMap<_, (bool, BTreeSet<Vec<String>>)> = BTreeMap::new();
    for other in theirs {
        let (single, curves) = others.entry((&other.dataset, &other.metric)).or_default();
        *single |= !is_curve(other);
        curves.insert(names(other));
    }
    let is_lone = |key: &&CellKey| {
        let of_metric = others.get(&(&key.dataset, &key.metric));
        of_metric.is_some_and(|(single, curves)| *single && !curves.contains(&names(key)))
    };
    mine.iter().filter(|key| is_curve(key)).filter(is_lone).cloned().collect()
}
