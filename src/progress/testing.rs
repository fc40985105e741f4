//! Runs for the tests of this module.

use std::sync::Arc;

use super::declared::Declared;
use super::timeline::Timeline;
use super::{Asked, Progress, analyse};
use crate::model::{Dims, Fragment, Point, RowKeys, Run, RunStatus, Series};

/// A run with these metrics at steps 1, 2, …
pub(super) fn run(rows: &[(&str, &[f64])]) -> Run {
    let series = rows.iter().map(|(metric, values)| {
        let point = |(at, value): (u32, &f64)| Point {
            at: f64::from(at),
            value: *value,
            line: u64::from(at) + 1,
        };
        let points = (1..).zip(values.iter()).map(point).collect();
        let path = Arc::from("run/metrics.csv");
        Series::new((*metric).to_owned(), "step".to_owned(), Dims::none(), points, path).0
    });
    let text = || "run".to_owned();
    Run {
        id: text(),
        name: text(),
        path: text(),
        place: text(),
        status: RunStatus::Complete,
        files: Vec::new(),
        data_files: Vec::new(),
        asked: RowKeys::default(),
        content: Fragment { series: series.collect(), ..Fragment::default() },
    }
}

pub(super) fn timeline(rows: &[(&str, &[f64])]) -> Timeline {
    Timeline::of(&run(rows), None, None).expect("metrics over steps").value
}

pub(super) fn declared(toml: &str) -> Declared {
    toml::from_str(toml).expect(toml)
}

/// What `look` sees of a run between its first and its last step.
pub(super) fn analysed<T>(
    rows: &[(&str, &[f64])],
    declared: &Declared,
    look: impl FnOnce(&Progress<'_>) -> T,
) -> T {
    let run = run(rows);
    let asked = Asked { alpha: 0.05, ..Asked::default() };
    look(&analyse(&run, None, declared, &asked).expect("metrics over steps").value)
}
