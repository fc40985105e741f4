//! A/A: how often the methods of this program find a difference where there is none, measured on
//! the user's own samples.
//!
//! Many new studies are drawn from them in which labels are given out at random, so that none has a
//! difference but by chance; each goes to the method that the decision table has for it. Gives
//! figures and draws no reports.

mod null;

use std::collections::BTreeSet;

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use crate::pairing::{ArmPair, CellKey, CellPair};
use crate::stats;
use crate::stats::resampling::random::RandomStream;
use null::Null;
pub use null::Relabelling;

/// Standard errors by which a share may exceed the level before it counts as too large.
const MOST_STANDARD_ERRORS: f64 = 3.0;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AaPlan {
    /// Studies of each cell; at least 1.
    pub replicates: u32,
    pub seed: u64,
    pub options: stats::Options,
}

impl AaPlan {
    /// Monte Carlo standard error of a share whose true value is the level.
    pub fn standard_error(self) -> f64 {
        let alpha = self.options.alpha;
        (alpha * (1.0 - alpha) / f64::from(self.replicates)).sqrt()
    }

    /// The largest share that is put down to chance.
    pub fn limit(self) -> f64 {
        self.options.alpha + MOST_STANDARD_ERRORS * self.standard_error()
    }
}

/// What a cell's share of false positives says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LevelCheck {
    Pass,
    /// The test exceeds it by more than chance.
    Fail,
    /// No test could have reached the level, so nothing was tested.
    OutOfReach,
    /// No study got a p-value.
    NoTest,
}

/// The false positives of one cell.
#[derive(Debug, Clone, PartialEq)]
pub struct FalsePositives {
    pub key: CellKey,
    pub relabelling: Relabelling,
    /// Pairs, clusters, problems or samples in a study.
    pub n: usize,
    /// Rows of the decision table that were used.
    pub methods: BTreeSet<&'static str>,
    pub intervals: BTreeSet<&'static str>,
    pub tests: BTreeSet<&'static str>,
    /// Share of studies with a p-value below the level.
    pub rejected: f64,
    /// Share of studies whose interval excludes 0. Alone it leads to no verdict.
    pub excluded: f64,
    /// Share of studies in which a difference is called: both of these.
    pub called: f64,
    /// Smallest p-value that the design could have given, where that is known.
    pub attainable: Option<f64>,
    pub outcome: LevelCheck,
}

/// The false positives of every cell of a pair of arms.
#[derive(Debug, Clone, PartialEq)]
pub struct FalsePositiveRates {
    /// Cells with per-sample outcomes.
    pub cells: Vec<FalsePositives>,
    pub without_samples: Vec<CellKey>,
}

/// Studies in which the labels of two arms say nothing.
pub fn between(pair: &ArmPair<'_>, plan: AaPlan) -> FalsePositiveRates {
    measure(pair, plan, |cell| Null::between_arms(pair, cell))
}

/// Studies with two arms from the samples of a run, which is set against itself.
pub fn within(pair: &ArmPair<'_>, plan: AaPlan) -> FalsePositiveRates {
    measure(pair, plan, |cell| Null::within_arm(pair, cell))
}

fn measure<'a>(
    pair: &'a ArmPair<'a>,
    plan: AaPlan,
    null: impl Fn(&'a CellPair<'a>) -> Option<Null>,
) -> FalsePositiveRates {
    let mut measured = FalsePositiveRates { cells: Vec::new(), without_samples: Vec::new() };
    for (cell, number) in pair.cells.iter().zip(0..) {
        let key = cell.key.clone();
        match null(cell) {
            Some(null) => measured.cells.push(false_positives(key, &null, number, plan)),
            None => measured.without_samples.push(key),
        }
    }
    measured
}

fn false_positives(key: CellKey, null: &Null, cell: u64, plan: AaPlan) -> FalsePositives {
    let counts = (0..plan.replicates)
        .into_par_iter()
        .map(|replicate| {
            let mut draws = RandomStream::named(&[plan.seed, cell, u64::from(replicate)]);
            StudyCounts::count(&null.study(&mut draws), plan.options)
        })
        .reduce(StudyCounts::default, StudyCounts::merged);
    let share = |count: u32| f64::from(count) / f64::from(plan.replicates);
    let rejected = share(counts.rejected);
    let attainable = if null.is_constant() { Some(1.0) } else { counts.attainable };
    let outcome = if rejected > plan.limit() {
        LevelCheck::Fail
    } else if counts.tests.is_empty() {
        LevelCheck::NoTest
    } else if attainable.is_some_and(|p| p >= plan.options.alpha) {
        LevelCheck::OutOfReach
    } else {
        LevelCheck::Pass
    };
    let (excluded, called) = (share(counts.excluded), share(counts.called));
    let StudyCounts { methods, intervals, tests, .. } = counts;
    let Null { relabelling, n, .. } = *null;
    FalsePositives {
        key,
        relabelling,
        n,
        methods,
        intervals,
        tests,
        rejected,
        excluded,
        called,
        attainable,
        outcome,
    }
}

/// Counts over studies. Merging does not depend on order.
#[derive(Debug, Default)]
struct StudyCounts {
    rejected: u32,
    excluded: u32,
    called: u32,
    attainable: Option<f64>,
    methods: BTreeSet<&'static str>,
    intervals: BTreeSet<&'static str>,
    tests: BTreeSet<&'static str>,
}

impl StudyCounts {
    fn count(design: &stats::Design, options: stats::Options) -> Self {
        let Some(analysis) = design.analyse(options) else { return Self::default() };
        let test = analysis.test;
        let interval = analysis.interval;
        let rejected = test.is_some_and(|test| test.p < options.alpha);
        let excluded = interval.is_some_and(|interval| interval.excludes(0.0));
        Self {
            rejected: u32::from(rejected),
            excluded: u32::from(excluded),
            called: u32::from(rejected && excluded),
            attainable: test.and_then(|test| test.attainable),
            methods: BTreeSet::from([design.method()]),
            intervals: interval.map(|_| analysis.interval_method).into_iter().collect(),
            tests: test.map(|test| test.method).into_iter().collect(),
        }
    }

    fn merged(mut self, other: Self) -> Self {
        self.rejected += other.rejected;
        self.excluded += other.excluded;
        self.called += other.called;
        self.attainable = match (self.attainable, other.attainable) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        self.methods.extend(other.methods);
        self.intervals.extend(other.intervals);
        self.tests.extend(other.tests);
        self
    }
}
