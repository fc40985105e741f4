//! Results that are planned: of which runs, metrics, datasets and coordinates.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use indexmap::{IndexMap, IndexSet};

use super::{planned_path, read_runs};
use crate::cli::args::{NewArgument, Planned};
use crate::exit::Failure;
use crate::fill::Point;
use crate::model::{DimValue, Dims, EvalCommand, MetricNames};
use crate::pipeline::PipelineError;
use crate::settings::Settings;
use crate::text::{Catalogue, Refusal};

/// A run that is there or will be.
#[derive(Debug)]
pub(super) struct PlannedArm {
    pub(super) name: String,
    path: PathBuf,
    /// What it has already.
    results: BTreeSet<Point>,
}

#[derive(Debug)]
pub(super) struct Plan {
    /// The baseline first.
    pub(super) arms: Vec<PlannedArm>,
    /// In the order in which they were named.
    pub(super) points: Vec<Point>,
}

impl Plan {
    /// Reads what the arguments and the runs that are there say.
    ///
    /// # Errors
    /// When nothing is planned, a coordinate has no values, or a run cannot be read.
    pub(super) fn read(
        (runs, planned, kind): (&[PathBuf], &Planned, NewArgument),
        settings: &Settings,
        words: &'static Catalogue,
    ) -> Result<Self, Failure> {
        let of_file = settings
            .arms
            .iter()
            .filter_map(|(name, runs)| Some(PathBuf::from(format!("{name}={}", runs.first()?))));
        let named: Vec<PathBuf> = if runs.is_empty() { of_file.collect() } else { runs.to_vec() };
        let arms: Vec<PlannedArm> =
            named.iter().map(|run| planned_arm(run, settings, words)).collect::<Result<_, _>>()?;
        let points = points(planned, &arms, &settings.names)?;
        let (fits, least) = match kind {
            NewArgument::Compare => (arms.len() >= 2, 2_usize),
            NewArgument::Phase => (arms.len() == 2, 2),
            NewArgument::Progress => (!arms.is_empty(), 1),
        };
        if !fits {
            let refusal = Refusal::new("refused.plan-arms").with("count", arms.len());
            return Err(Failure::usage(refusal.with("least", least)));
        }
        let mut names = BTreeSet::new();
        if let Some(twice) = arms.iter().find(|arm| !names.insert(arm.name.as_str())) {
            let refusal = Refusal::new("refused.plan-names").with("name", twice.name.as_str());
            return Err(Failure::usage(refusal));
        }
        if points.is_empty() {
            return Err(Failure::refused("refused.plan-empty", &[]));
        }
        Ok(Self { arms, points })
    }

    /// The commands for every result that is not there; one that makes several results stands once.
    pub(super) fn commands(&self, eval: &EvalCommand) -> IndexSet<String> {
        let missing = self.arms.iter().flat_map(|arm| {
            let points = self.points.iter().filter(|point| !arm.results.contains(*point));
            points.map(move |point| (arm, point))
        });
        let command = |(arm, point): (&PlannedArm, &Point)| {
            let result = (point.metric.as_str(), point.dataset.as_deref(), &point.dims);
            eval.for_result((&arm.path.display().to_string(), &arm.name), result)
        };
        missing.filter_map(command).collect()
    }
}

/// Every metric on every dataset at every coordinate that the arguments name. What they leave open is
/// taken from the results that are there.
fn points(
    planned: &Planned,
    arms: &[PlannedArm],
    names: &MetricNames,
) -> Result<Vec<Point>, Failure> {
    let there: BTreeSet<&Point> = arms.iter().flat_map(|arm| &arm.results).collect();
    let named = planned.metric.iter().map(|name| names.canonical(name));
    let mut metrics: IndexSet<&str> = named.collect();
    if metrics.is_empty() {
        metrics.extend(there.iter().map(|point| point.metric.as_str()));
    }
    let says_where = !planned.dataset.is_empty() || !planned.grid.is_empty();
    let grid = grid(&planned.grid)?;
    let datasets = planned.dataset.iter().map(|name| Some(name.clone()));
    let datasets: Vec<Option<String>> =
        if planned.dataset.is_empty() { vec![None] } else { datasets.collect() };
    let mut points = Vec::new();
    for metric in metrics {
        let known = there.iter().filter(|point| point.metric == metric);
        let known: Vec<Point> = known.map(|point| (*point).clone()).collect();
        if !says_where && !known.is_empty() {
            points.extend(known);
            continue;
        }
        for dataset in &datasets {
            points.extend(grid.iter().map(|dims| Point {
                metric: metric.to_owned(),
                dataset: dataset.clone(),
                dims: dims.clone(),
            }));
        }
    }
    Ok(points)
}

/// Every combination of the coordinates of `--grid`; one without any where there are none.
fn grid(asked: &[String]) -> Result<Vec<Dims>, Failure> {
    let mut grid = vec![Dims::none()];
    for (axis, values) in axes(asked)? {
        let along = |dims: &Dims| {
            let at = |value: &DimValue| dims.clone().with(&axis, value.clone());
            values.iter().map(at).collect::<Vec<_>>()
        };
        grid = grid.iter().flat_map(along).collect();
    }
    Ok(grid)
}

/// `--grid AXIS=VALUE,…`.
fn axes(grid: &[String]) -> Result<IndexMap<String, Vec<DimValue>>, Failure> {
    let read = |text: &String| {
        let parts = text.split_once('=').map(|(axis, values)| (axis.trim(), values));
        let (axis, values) =
            parts.filter(|(axis, values)| !axis.is_empty() && !values.is_empty())?;
        Some((axis.to_owned(), values.split(',').map(|one| DimValue::parse(one.trim())).collect()))
    };
    let axis = |text| {
        read(text).ok_or_else(|| Failure::refused("refused.plan-grid", &[("text", text.as_str())]))
    };
    grid.iter().map(axis).collect()
}

fn planned_arm(
    run: &Path,
    settings: &Settings,
    words: &'static Catalogue,
) -> Result<PlannedArm, Failure> {
    let (name, path) = planned_path(run);
    let results = match read_runs(std::slice::from_ref(&path), settings, Vec::new(), |_, _| ()) {
        Ok((facts, ..)) => facts.judged_points().cloned().collect(),
        Err(PipelineError::EmptyRun { .. }) => BTreeSet::new(),
        Err(_) if !path.exists() => BTreeSet::new(),
        Err(error) => return Err(error.into_failure(words)),
    };
    Ok(PlannedArm { name, path, results })
}
