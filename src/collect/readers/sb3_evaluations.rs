//! `evaluations.npz`, as the `EvalCallback` of Stable-Baselines3 writes it: the return and the length of
//! every episode of every evaluation, and whether it succeeded, over the timesteps of the training.
//!
//! Means are called as the callback logs them (`stable_baselines3/common/callbacks.py` of 2.9.2). That of
//! the last evaluation is a figure as well, with the number of its episodes.

use std::collections::BTreeMap;

use super::super::content::unreadable;
use super::super::numpy::{self, Array};
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

type Arrays = BTreeMap<&'static str, Array>;

fn recognises(file: &FileEntry) -> bool {
    let has_all = |names: &[String]| {
        [RESULTS, LENGTHS].iter().all(|wanted| names.iter().any(|name| name == wanted))
    };
    // One that breaks off has no list of its parts.
    let begins_so = || [RESULTS, LENGTHS].iter().all(|name| file.head_has(&format!("{name}.npy")));
    numpy::begins_with(file, TIMESTEPS)
        && numpy::names(file).map_or_else(begins_so, |names| has_all(&names))
}

fn open(file: &FileEntry) -> Result<Warned<Arrays>, Box<Diagnostic>> {
    let wanted = [TIMESTEPS, RESULTS, LENGTHS, SUCCESSES];
    let arrays = numpy::read_arrays(file, &wanted).and_then(|arrays| match odd_one(&arrays) {
        Some(name) => Err(format!("{name}.npy has not one row for each of its timesteps")),
        None => Ok(arrays),
    });
    arrays.map(Warned::clean).map_err(|cause| Box::new(unreadable(&file.display, cause)))
}

/// The name of an array that has not one row for each evaluation.
fn odd_one(arrays: &Arrays) -> Option<&'static str> {
    let evaluations = arrays.get(TIMESTEPS).map_or(0, |array| array.values.len());
    let is_odd = |(name, array): &(&&'static str, &Array)| {
        let expected = if **name == TIMESTEPS { 1 } else { 2 };
        array.shape.len() != expected || array.shape.first() != Some(&evaluations)
    };
    arrays.iter().find(is_odd).map(|(name, _)| *name)
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    read_figures(file, &options.names, open, |arrays, fragment, findings| {
        let timesteps = arrays.get(TIMESTEPS).map(|array| array.values.as_slice());
        let mut points = Points::default();
        for (name, metric) in MEASURED {
            let Some(array) = arrays.get(name) else { continue };
            let Some(&episodes @ 1..) = array.shape.get(1) else { continue };
            let evaluations = array.values.chunks_exact(episodes);
            for (at, values) in timesteps.unwrap_or_default().iter().zip(evaluations) {
                points.add(metric, TIMESTEPS, Point { at: *at, value: mean(values), line: 0 });
            }
            if let Some(last) = array.values.chunks_exact(episodes).last() {
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
