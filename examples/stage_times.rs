//! Compares two runs and prints how long each stage took, in milliseconds.
//!
//! ```text
//! cargo run --release --example stage_times -- BASELINE CANDIDATE
//! ```
//!
//! Reading, writing and the drawing of formats aside, these are the stages of `reportgen compare`
//! in their order. A line for each of five rounds: files come from the page cache from the second
//! on.

#![expect(clippy::disallowed_methods, reason = "a measurement reads the clock")]

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::time::Instant;

use reportgen::pairing::{self, Arm};
use reportgen::{check, collect, compare, derive, pipeline};

const ROUNDS: usize = 5;

fn main() -> io::Result<()> {
    let runs: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if runs.len() != 2 {
        return Err(io::Error::other("usage: stage_times BASELINE CANDIDATE"));
    }
    let mut out = io::stdout().lock();
    writeln!(out, "collect derive group check compare")?;
    for _ in 0..ROUNDS {
        let times = round(&runs).map_err(io::Error::other)?;
        let shown: Vec<String> = times.iter().map(|time| format!("{time:.1}")).collect();
        writeln!(out, "{}", shown.join(" "))?;
    }
    Ok(())
}

fn round(paths: &[PathBuf]) -> Result<[f64; 5], collect::CollectError> {
    let mut clock = Instant::now();
    let mut lap = || {
        let spent = clock.elapsed().as_secs_f64() * 1e3;
        clock = Instant::now();
        spent
    };
    let runs = collect::collect(paths, &collect::ReadOptions::default())?.value;
    let collected = lap();
    let runs = derive::derive(runs, &derive::DeriveOptions::default()).value;
    let derived = lap();
    let arms: Vec<Arm<'_>> = runs.iter().map(Arm::single).collect();
    let paired_arms = pairing::pair_arms(&arms, &pairing::PairingOptions::default());
    let Some(paired_arms) = paired_arms else { return Err(collect::CollectError::NothingGiven) };
    let grouped = lap();
    let findings = check::check(&paired_arms, &[]);
    let checked = lap();
    let restrictions = pipeline::restrict(&paired_arms, &findings);
    let comparisons =
        compare::compare(&paired_arms, &restrictions, &compare::CompareOptions::default());
    let compared = lap();
    drop(comparisons);
    Ok([collected, derived, grouped, checked, compared])
}
