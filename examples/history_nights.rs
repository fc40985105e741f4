//! Writes a history of many nights, to measure `reportgen history`:
//! `cargo run --release --example history_nights -- DIRECTORY RUNS METRICS NIGHTS`.
//!
//! Every tenth night has a file of its own; the others are listed with the content of the one before.

use std::error::Error;
use std::path::PathBuf;

use reportgen::history::{HistoryRow, Manifest, make_night_file};
use reportgen::quantity::{Moment, Night};

fn main() -> Result<(), Box<dyn Error>> {
    let [directory, runs, metrics, nights] = std::env::args()
        .skip(1)
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| "arguments: DIRECTORY RUNS METRICS NIGHTS")?;
    let directory = PathBuf::from(directory);
    let [runs, metrics, nights]: [usize; 3] = [runs.parse()?, metrics.parse()?, nights.parse()?];
    let mut manifest = Manifest::default();
    let mut night: Night = "2026-01-01".parse().map_err(|()| "no date")?;
    for number in 0..nights {
        let latest = manifest.files.last().cloned().filter(|_| number % 10 != 0);
        let file = if let Some(file) = latest {
            file
        } else {
            let (file, bytes) = make_night_file(night, 1, rows(night, runs, metrics))?;
            let place = directory.join(&file.path);
            std::fs::create_dir_all(place.parent().ok_or("no parent")?)?;
            std::fs::write(place, bytes)?;
            file
        };
        manifest.replace(reportgen::history::NightFile { night, ..file });
        night = night.next();
    }
    std::fs::write(directory.join("manifest.json"), serde_json::to_vec(&manifest)?)?;
    Ok(())
}

/// A figure of each run and metric, as nights leave them: most runs are as they were.
fn rows(night: Night, runs: usize, metrics: usize) -> Vec<HistoryRow> {
    let row = |run: usize, metric: usize| HistoryRow {
        night,
        job: "nightly".to_owned(),
        run: format!("sweep/run-{run:05}"),
        revision: 1,
        metric: format!("metric_{metric:02}"),
        dataset: Some("gsm8k".to_owned()),
        state: "complete".to_owned(),
        unit: "fraction".to_owned(),
        higher_is_better: Some(true),
        value: Some(((run * 7919 + metric * 104_729) % 100_003) as f64 / 100_003.0),
        stderr: Some(0.0125),
        n: Some(1319),
        content: format!("{:016x}", run.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
        config: Some(format!("{:016x}", run.wrapping_mul(0xc2b2_ae3d_27d4_eb4f))),
        model: Some("org/model".to_owned()),
        ingested: Moment(1_767_225_600),
        ..HistoryRow::default()
    };
    (0..runs).flat_map(|run| (0..metrics).map(move |metric| row(run, metric))).collect()
}
