//! Runs for the tests of this module.

use std::sync::Arc;

use super::declared::DeclaredProgress;
use super::timeline::Timeline;
use super::{Asked, Progress, analyse};
use crate::model::{Dims, MetricNames, Point, Run, Series};

/// A run with these metrics at steps 1, 2, …
pub(super) fn run(rows: &[(&str, &[f64])]) -> Run {
    let longest = rows.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
    let steps: Vec<f64> = (1..=longest).map(|step| step as f64).collect();
    run_at(&steps, rows)
}

/// A run with these metrics at these steps, a line each after the first.
pub(super) fn run_at(steps: &[f64], rows: &[(&str, &[f64])]) -> Run {
    let series = rows.iter().map(|(metric, values)| {
        let point =
            |(line, (at, value)): (u64, (&f64, &f64))| Point { at: *at, value: *value, line };
        let points = (2..).zip(steps.iter().zip(values.iter())).map(point).collect();
        let path = Arc::from("run/metrics.csv");
        Series::new((*metric).to_owned(), "step".to_owned(), Dims::none(), points, path).0
    });
    Run::with_series(series.collect())
}

pub(super) fn timeline(rows: &[(&str, &[f64])]) -> Timeline {
    timeline_of(&run(rows))
}

fn timeline_of(run: &Run) -> Timeline {
    Timeline::new(run, None, None, &MetricNames::default()).expect("metrics over steps").value
}

pub(super) fn declared(toml: &str) -> DeclaredProgress {
    toml::from_str(toml).expect(toml)
}

/// What `look` sees of a run between its first and its last step.
pub(super) fn analysed<T>(
    rows: &[(&str, &[f64])],
    declared: &DeclaredProgress,
    look: impl FnOnce(&Progress<'_>) -> T,
) -> T {
    analysed_run(&run(rows), declared, look)
}

/// What `look` sees of this run.
pub(super) fn analysed_run<T>(
    run: &Run,
    declared: &DeclaredProgress,
    look: impl FnOnce(&Progress<'_>) -> T,
) -> T {
    let asked = Asked { alpha: 0.05, ..Asked::default() };
    look(&analyse(run, timeline_of(run), None, declared, &asked).expect("recorded steps").value)
}
