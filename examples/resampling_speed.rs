//! Times the bootstrap and the sign-flip test on values read from a file, one a line.
//!
//! ```text
//! cargo run --release --example resampling_speed -- VALUES ROUNDS
//! ```
//!
//! Prints a line for each round: seconds of the percentile interval of the mean with 9,999
//! resamples, and of 9,999 random sign patterns. `benches/resampling_scipy.py` runs it and scipy in turns.

use std::io::{self, Write as _};

use reportgen::stats::resampling::bootstrap::{RESAMPLES, percentile, resampled};
use reportgen::stats::resampling::sign_flip::{DRAWS, draw_patterns};

#[expect(clippy::disallowed_methods, reason = "a measurement needs a clock")]
fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(path), Some(rounds)) = (arguments.next(), arguments.next()) else {
        return Err(io::Error::other("usage: resampling_speed VALUES ROUNDS"));
    };
    let text = std::fs::read_to_string(path)?;
    let values: Result<Vec<f64>, _> = text.split_whitespace().map(str::parse).collect();
    let values = values.map_err(io::Error::other)?;
    let rounds: usize = rounds.parse().map_err(io::Error::other)?;
    let sum = values.iter().sum();
    let mut out = io::stdout().lock();
    for _ in 0..rounds {
        let start = std::time::Instant::now();
        let mean =
            |rows: &[usize]| rows.iter().map(|row| values[*row]).sum::<f64>() / values.len() as f64;
        let means = resampled(values.len(), RESAMPLES, mean);
        let interval = std::hint::black_box(percentile(&means, 0.95));
        let bootstrap = start.elapsed().as_secs_f64();
        let start = std::time::Instant::now();
        let test = std::hint::black_box(draw_patterns(&values, sum, DRAWS));
        let flips = start.elapsed().as_secs_f64();
        writeln!(out, "{bootstrap} {flips} {} {} {}", interval.lo, interval.hi, test.p)?;
    }
    Ok(())
}
