//! Measures what the methods of the decision table promise: how often a 95 % interval covers the
//! truth, and how often a test at 0.05 finds a difference where there is none.
//!
//! `cargo run --release --example simulate` prints the tables of `docs/methodology.md`, the same
//! bytes on every machine. Shares are enumerated: every possible outcome is weighted with its
//! probability. The rest is drawn, `DRAWS` data sets for each line.

mod designs;
mod enumerated;
mod nights;
mod reports;
mod sequences;

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use reportgen::stats::resampling::random::RandomStream;
use reportgen::stats::{Design, Options};

/// Data sets drawn for each line.
const DRAWS: u64 = 10_000;

/// What became of the data sets of one line.
#[derive(Debug, Clone, Copy, Default)]
struct WeightedRates {
    /// Weight of all data sets.
    total: f64,
    /// Weight of those whose interval covers the truth.
    covered: f64,
    /// Weight of those with an interval.
    with_interval: f64,
    /// Weight of those whose p-value is below the level.
    rejected: f64,
    /// Weight of those with a p-value.
    with_test: f64,
    /// Weight of those that are called a difference: p below the level and 0 outside the interval.
    called: f64,
}

impl WeightedRates {
    /// Adds a data set of this weight whose true difference is `truth`.
    fn add(&mut self, weight: f64, design: &Design, truth: f64) {
        let options = Options::default();
        self.total += weight;
        let Some(analysis) = design.analyse(options) else { return };
        if let Some(interval) = analysis.interval {
            self.with_interval += weight;
            // Sums of the data are off by rounding; a limit that is the truth covers it.
            let slack = 1e-12 * truth.abs().max(1.0);
            let covers = interval.lo - slack <= truth && truth <= interval.hi + slack;
            self.covered += if covers { weight } else { 0.0 };
        }
        if let Some(test) = analysis.test {
            self.with_test += weight;
            let rejects = test.p < options.alpha;
            self.rejected += if rejects { weight } else { 0.0 };
            let apart = analysis.interval.is_some_and(|interval| interval.excludes(0.0));
            self.called += if rejects && apart { weight } else { 0.0 };
        }
    }

    fn merge(self, other: Self) -> Self {
        Self {
            total: self.total + other.total,
            covered: self.covered + other.covered,
            with_interval: self.with_interval + other.with_interval,
            rejected: self.rejected + other.rejected,
            with_test: self.with_test + other.with_test,
            called: self.called + other.called,
        }
    }

    /// Coverage, size and false verdicts as cells of a table; a dash where the method declines.
    fn cells(self) -> String {
        let share = |part: f64, of: f64| {
            if of < 0.5 * self.total {
                "–".to_owned()
            } else {
                format!("{:.1} %", 100.0 * part / of)
            }
        };
        let [covered, rejected, called] = [
            share(self.covered, self.with_interval),
            share(self.rejected, self.with_test),
            share(self.called, self.with_test),
        ];
        format!("{covered} | {rejected} | {called}")
    }
}

/// Draws data sets without a true difference; data set i comes from stream i.
fn drawn(draw: impl Fn(&mut Random) -> Design + Sync) -> WeightedRates {
    drawn_times(DRAWS, draw)
}

/// As [`drawn`], so many data sets.
fn drawn_times(draws: u64, draw: impl Fn(&mut Random) -> Design + Sync) -> WeightedRates {
    (0..draws)
        .into_par_iter()
        .map(|number| {
            let mut tally = WeightedRates::default();
            tally.add(1.0, &draw(&mut Random(RandomStream::new(number))), 0.0);
            tally
        })
        .reduce(WeightedRates::default, WeightedRates::merge)
}

/// Random numbers of the distributions that data sets are made of.
struct Random(RandomStream);

impl Random {
    /// Between 0 and 1, neither of them.
    fn uniform(&mut self) -> f64 {
        ((self.0.word() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// Whether something of this probability happens.
    fn happens(&mut self, probability: f64) -> bool {
        self.uniform() < probability
    }

    /// Standard normal (Box and Muller 1958).
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.uniform().ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// Exponential with mean 1.
    fn exponential(&mut self) -> f64 {
        -self.uniform().ln()
    }

    /// Student's t with 3 degrees of freedom: heavy tails.
    fn t3(&mut self) -> f64 {
        let spread: f64 = (0..3).map(|_| self.normal().powi(2)).sum();
        self.normal() / (spread / 3.0).sqrt()
    }

    /// A whole number from `least` to `most`.
    fn between(&mut self, least: usize, most: usize) -> usize {
        least + ((self.uniform() * (most - least + 1) as f64) as usize).min(most - least)
    }
}

#[expect(clippy::print_stdout, reason = "an example that prints its result")]
fn main() {
    let mut arguments = std::env::args().skip(1);
    let part = arguments.next();
    if part.as_deref() == Some("nights") {
        for line in nights::tables() {
            println!("{line}");
        }
        return;
    }
    if part.as_deref() == Some("reports") {
        println!("| design | data | difference | any verdict | primary | average |");
        println!("|---|---|---|--:|--:|--:|");
        let only = arguments.next();
        let draws = arguments.next().and_then(|draws| draws.parse().ok());
        for line in reports::lines(only.as_deref(), draws.unwrap_or(reports::DRAWS)) {
            println!("{line}");
        }
        return;
    }
    println!("| design | data | coverage | test finds one | verdict finds one |");
    println!("|---|---|--:|--:|--:|");
    for (design, data, tally) in enumerated::lines().into_iter().chain(designs::lines()) {
        println!("| {design} | {data} | {} |", tally.cells());
    }
    for (design, data, share) in sequences::lines() {
        println!("| {design} | {data} | – | {:.1} % | – |", 100.0 * share);
    }
}
