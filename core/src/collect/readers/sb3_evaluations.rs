//! `evaluations.npz`, as the `EvalCallback` of Stable-Baselines3 writes it: the return and the length of
//! every episode of every evaluation, and whether it succeeded, over the timesteps of the training.
//!
//! Means are called as the callback logs them (`stable_baselines3/common/callbacks.py` of 2.9.2). That of
//! the last evaluation is a figure as well, with the number of its episodes.

use std::collections::BTreeMap;

use super::super::archive;
use super::super::content::{document_bytes, unreadable};
use super::super::numpy;
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::figure::FileFigure;
use super::file_figures::{read_figures, scalar};
use super::points::Points;
use crate::diag::{Diagnostic, Warned};
use crate::model::{Dims, Measured, Point, Source};

pub(super) const READER: Reader = Reader { name: "sb3-evaluations", recognises, read };

const TIMESTEPS: &str = "timesteps";
const RESULTS: &str = "results";
const LENGTHS: &str = "ep_lengths";
const SUCCESSES: &str = "successes";
/// What is measured in each episode, and as what its mean is logged.
const MEASURED: &[(&str, &str)] = &[
    (RESULTS, "eval/mean_reward"),
    (LENGTHS, "eval/mean_ep_length"),
    (SUCCESSES, "eval/success_rate"),
];

/// What is measured in the episodes of each evaluation.
struct EvaluatedMetric {
    /// The name of the array, and of its mean.
    name: &'static str,
    metric: &'static str,
    means: Vec<f64>,
    last: Vec<f64>,
}

struct Evaluations {
    timesteps: Vec<f64>,
    metrics: Vec<EvaluatedMetric>,
}

fn recognises(file: &FileEntry) -> bool {
    let has_all = |names: &[String]| {
        [RESULTS, LENGTHS].iter().all(|wanted| names.iter().any(|name| name == wanted))
    };
    // One that breaks off has no list of its parts.
    let begins_so = || [RESULTS, LENGTHS].iter().all(|name| file.head_has(&format!("{name}.npy")));
    numpy::begins_with(file, TIMESTEPS)
        && numpy::names(file).map_or_else(begins_so, |names| has_all(&names))
}

fn open(file: &FileEntry) -> Result<Warned<Evaluations>, Box<Diagnostic>> {
    evaluations(file).map(Warned::clean).map_err(|cause| Box::new(unreadable(&file.display, cause)))
}

fn evaluations(file: &FileEntry) -> Result<Evaluations, String> {
    let mut archive = archive::open(&file.path).map_err(|cause| cause.to_string())?;
    let limit = document_bytes(file);
    let mut shapes = BTreeMap::new();
    let (mut timesteps, mut metrics) = (Vec::new(), Vec::new());
    let mut take = |row: &[f64]| timesteps.extend_from_slice(row);
    shapes.extend(
        numpy::for_each_row(&mut archive, TIMESTEPS, limit, &mut take)?
            .map(|shape| (TIMESTEPS, shape)),
    );
    for (name, metric) in MEASURED.iter().copied() {
        let (mut means, mut last) = (Vec::new(), Vec::new());
        let mut take = |row: &[f64]| {
            means.push(mean(row));
            last.clear();
            last.extend_from_slice(row);
        };
        if let Some(shape) = numpy::for_each_row(&mut archive, name, limit, &mut take)? {
            shapes.insert(name, shape);
            metrics.push(EvaluatedMetric { name, metric, means, last });
        }
    }
    let evaluations = timesteps.len();
    let is_odd = |(name, shape): &(&&str, &Vec<usize>)| {
        let expected = if **name == TIMESTEPS { 1 } else { 2 };
        shape.len() != expected || shape.first() != Some(&evaluations)
    };
    match shapes.iter().find(is_odd) {
        Some((name, _)) => Err(format!("{name}.npy has not one row for each of its timesteps")),
        None => Ok(Evaluations { timesteps, metrics }),
    }
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    read_figures(file, &options.names, open, |evaluations, fragment, findings| {
        let mut points = Points::default();
        for EvaluatedMetric { name, metric, means, last } in &evaluations.metrics {
            for (at, value) in evaluations.timesteps.iter().zip(means) {
                points.add(metric, TIMESTEPS, Point { at: *at, value: *value, line: 0 });
            }
            if !last.is_empty() {
                let source = Source::key(&file.display, *name);
                let (figure, dims) = (figure(last), Dims::none());
                let made = scalar(metric, None, &dims, figure, source, &options.names);
                fragment.scalars.push(made);
            }
        }
        fragment.series = points.finish(file).drain_into(findings);
    })
}

/// The mean of an evaluation over its episodes, with their number and deviation.
fn figure(values: &[f64]) -> FileFigure {
    let (mean, n) = (mean(values), values.len());
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let sd = (n > 1).then(|| (squares / (n - 1) as f64).sqrt()).filter(|sd| sd.is_finite());
    FileFigure { n: Some(n as u64), sd, ..FileFigure::plain(Measured::new(mean)) }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
