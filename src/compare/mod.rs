//! Cells to comparisons: difference, interval, test, verdict.
//!
//! Reads the grouping and does not know the checks; which cells must not get a verdict comes in
//! as a table.

pub mod aa;
mod answers;
mod anytime;
mod bounds;
mod change;
mod chosen;
mod crossed;
mod decomposition;
mod evidence;
mod family;
mod hidden;
mod joined;
mod judge;
mod margins;
mod noise;
mod printed;
mod reported;
mod seeds;
mod single_runs;
mod small;
mod suite;
mod systems;
mod tasks;
mod trend;
mod verdict;

pub use answers::Sampling;
pub use bounds::{Bounds, Truncation};
pub use chosen::best_checkpoints;
pub use decomposition::{Contribution, Decomposition, DecompositionClass, Transition};
pub use family::{Adjusted, ComparisonFamily};
pub use hidden::{HiddenClusters, hidden_fields};
pub use margins::{NonInferiority, NonInferiorityShown, review_margins};
pub use noise::{Noise, NoiseFigure};
pub use reported::{PairedP, Pairing, impossible_figures};
pub use seeds::{SeedFigure, Seeds};
pub use suite::{Average, Suite, SuiteMean, suites};
pub use systems::{
    ArmOnSamples, ArmOverDatasets, OnSamples, OverDatasets, PairOnSamples, PairOverDatasets,
    Systems, systems,
};
pub use tasks::{Aggregates, RunsOverDatasets, runs_over_datasets};
pub use trend::{
    FEWEST_POINTS, LevelChange, NoTrend, Trend, TrendEstimate, series_trend, trends_of_runs,
};
pub use verdict::{Verdict, VerdictReason};

use indexmap::IndexMap;
use rayon::iter::{
    IndexedParallelIterator as _, IntoParallelIterator as _, IntoParallelRefIterator as _,
    ParallelIterator as _,
};

use self::bounds::DifferenceReadings;
use self::evidence::ComparisonEvidence;
use self::family::Unadjusted;
use crate::diag::Code;
use crate::model::{Dims, Margin};
use crate::pairing::{ArmPair, CellKey, CellPair, PairArm, PairedArms, PairedRows};
use crate::stats::{self, Analysis, Design, Interval, PairedCounts, skew};

/// What the user chose for the comparison.
#[derive(Debug, Clone, Default)]
pub struct CompareOptions {
    pub stats: stats::Options,
    /// Margins by canonical metric name, in the unit of the difference (pp for rates).
    pub margins: IndexMap<String, Margin>,
    /// Whether verdicts have to hold however often a growing run is looked at.
    pub anytime: bool,
}

/// What the checks decided about one pair of arms before anything is compared.
#[derive(Debug, Clone)]
pub struct Prejudged {
    /// Nothing that was recorded differs, results included.
    pub identical: bool,
    /// One for each cell.
    pub cells: Vec<PrejudgedCell>,
}

/// What the checks decided about one cell.
#[derive(Debug, Clone)]
pub struct PrejudgedCell {
    /// The finding that takes its verdict.
    pub blocked: Option<Code>,
    /// The findings that would take its verdict had the user not accepted them.
    pub lifted: Vec<Code>,
    /// The findings that confound it and not the pair as a whole.
    pub confounded: Vec<Code>,
    /// Which runs that repeat the baseline can tell its noise.
    pub noise: Vec<bool>,
}

/// What the data of one cell say by themselves.
#[derive(Debug)]
pub struct MeasuredCell<'a> {
    pub pair: &'a ArmPair<'a>,
    pub cell: &'a CellPair<'a>,
    /// Candidate − baseline in the unit of the difference; `None` when a side is missing.
    pub delta: Option<f64>,
    /// What the statistics say, in the unit of the difference, as if this were the only test.
    pub analysis: Option<Analysis>,
    /// Level of the analysis' interval.
    pub alpha: f64,
    /// The margin declared for the metric, where it can be used.
    pub margin: Option<f64>,
    /// What a paired test could give, where only figures are stated.
    pub paired_p: Option<PairedP>,
    /// Both figures over the pairs, when these are only part of the samples.
    over_pairs: Option<[f64; 2]>,
    /// Share of drawing answers in the variance of the paired difference, where both arms have
    /// several answers to each problem and each problem is a unit of its own.
    pub sampling: Option<Sampling>,
    /// What the difference is made of, where samples are paired and some failed.
    pub decomposition: Option<Decomposition>,
    /// Fields by whose values the differences of the samples are alike, which nobody declared.
    pub hidden: Vec<HiddenClusters>,
    evidence: Option<ComparisonEvidence>,
    readings: Option<DifferenceReadings>,
    /// The trainings behind either figure, when an arm has several runs.
    pub seeds: Option<Seeds<'a>>,
    /// How far runs of the baseline's configuration lie apart, where some repeat it.
    pub noise: Option<Noise<'a>>,
    /// Whether the arms do not differ in anything that was recorded.
    identical_arms: bool,
    /// Findings that a verdict stands in spite of, because the user accepted them.
    pub accepted: Vec<Code>,
    /// Findings that keep the difference from being attributed, where they are about this part of
    /// the pair alone.
    pub confounded: Vec<Code>,
    /// Why there can be no verdict.
    refused: Option<VerdictReason>,
}

/// One cell compared: what was measured, and what it says among the other tests.
#[derive(Debug)]
pub struct Comparison<'a> {
    measured: MeasuredCell<'a>,
    /// The test in its family; `None` without a test, and where there can be no verdict.
    pub adjusted: Option<Adjusted>,
    /// Interval that holds together with those of the whole family (Bonferroni, level 1 − α/m), in
    /// a family of several tests.
    pub ci_simultaneous: Option<Interval>,
    /// Smallest difference that would have been found, at the level α/m of the family.
    pub mde: Option<f64>,
    /// Size that would show the difference, at that level.
    pub needed: Option<u64>,
    /// Non-inferiority within the margin.
    pub noninferiority: Option<NonInferiority>,
    /// How far samples without a score, or cut answers, could move the difference.
    pub bounds: Option<Bounds>,
    pub verdict: Verdict,
    /// Why, where a verdict needs a reason.
    pub reason: Option<VerdictReason>,
    /// The distance from 0 that a better or worse result certainly lies within although nobody
    /// declared a margin, in the unit of the difference; `None` where it may be larger.
    pub small_within: Option<f64>,
}

/// What was measured is read from the comparison as it is from what it was made of.
impl<'a> std::ops::Deref for Comparison<'a> {
    type Target = MeasuredCell<'a>;

    fn deref(&self) -> &MeasuredCell<'a> {
        &self.measured
    }
}

/// Every metric at every grid point of these cells, each once, whatever the datasets.
fn metrics<'a>(keys: impl Iterator<Item = &'a CellKey>) -> Vec<(&'a str, &'a Dims)> {
    let mut metrics: Vec<(&str, &Dims)> =
        keys.map(|key| (key.metric.as_str(), &key.dims)).collect();
    metrics.sort();
    metrics.dedup();
    metrics
}

impl MeasuredCell<'_> {
    fn blocked(&self) -> Option<Code> {
        match self.refused {
            Some(VerdictReason::Blocked(code)) => Some(code),
            _ => None,
        }
    }

    pub(crate) fn is_blocked(&self) -> bool {
        self.blocked().is_some()
    }

    /// Whether a figure is infinite because a score is.
    pub(crate) fn is_infinite(&self) -> bool {
        PairArm::BOTH.iter().any(|&which| self.cell.figure(which).is_some_and(f64::is_infinite))
    }

    /// Whether it is evidence among others: no finding takes its verdict, and it is no total of
    /// figures that are there themselves.
    pub(crate) fn counts(&self) -> bool {
        !self.is_blocked() && self.cell.total.is_none()
    }

    /// Paired outcomes, for 0/1 scores.
    pub fn flips(&self) -> Option<PairedCounts> {
        self.evidence.as_ref()?.flips
    }

    /// Pairs whose scores entered the comparison; `None` when samples were not paired.
    pub fn paired(&self) -> Option<u64> {
        self.evidence.as_ref()?.pairs
    }

    /// Number of clusters of pairs, when the cluster is the unit of the analysis instead of the
    /// sample.
    pub fn clusters(&self) -> Option<u64> {
        self.evidence.as_ref()?.clusters()
    }

    /// Number of clusters of either arm, when these are the units and samples were not paired.
    pub fn own_clusters(&self) -> Option<[u64; 2]> {
        self.evidence.as_ref()?.own_clusters()
    }

    /// Number of samples that was inferred from an arm's stated standard error.
    pub fn inferred_size(&self, which: PairArm) -> Option<u64> {
        self.evidence.as_ref()?.inferred_sizes[which]
    }

    /// With which tests its own is adjusted.
    pub fn family(&self) -> ComparisonFamily {
        ComparisonFamily::in_cells(&self.cell.spec)
    }

    fn test(&self) -> Option<stats::Test> {
        self.analysis.as_ref()?.test
    }

    /// The test, where it can lead to a verdict.
    fn unadjusted(&self) -> Option<Unadjusted> {
        let test = self.test().filter(|_| self.refused.is_none())?;
        Some(Unadjusted {
            family: self.family(),
            p: test.p,
            attainable: test.attainable,
            noise_p: self.noise.as_ref().map(|noise| noise.p),
        })
    }

    /// Whether the test holds however often it is looked at.
    pub fn is_anytime(&self) -> bool {
        self.test().is_some_and(|test| test.method == anytime::METHOD)
    }

    /// How samples were matched, when they were.
    pub fn join(&self) -> Option<&PairedRows> {
        let index = self.cell.table?;
        self.pair.tables.get(index).map(|tables| &tables.join)
    }

    /// Whether the difference covers only part of the samples behind the figures beside it.
    pub fn covers_part(&self) -> bool {
        let items = self.seeds.as_ref().and_then(|seeds| seeds.items);
        self.paired().or(items).is_some_and(|pairs| covers_part(self.cell, pairs))
    }

    /// Samples behind the figure of an arm, when they are known or follow from its standard error.
    pub fn n(&self, which: PairArm) -> Option<u64> {
        self.cell.side(which).n().or_else(|| self.inferred_size(which))
    }

    /// The figure of an arm that the difference stands on: the mean over its runs where an arm has
    /// several, over the pairs where samples were paired, else the arm's own.
    pub fn figure(&self, which: PairArm) -> Option<f64> {
        if let Some(seeds) = &self.seeds {
            return seeds.mean(which);
        }
        let over_pairs = self.over_pairs.map(|figures| figures[which]);
        over_pairs.or_else(|| self.cell.figure(which))
    }

    /// Samples behind the figure of an arm, and how many there should be, where either arm lacks
    /// some. Not for arms of several runs, whose figures are means over runs.
    pub fn part(&self, which: PairArm) -> Option<[u64; 2]> {
        if self.seeds.is_some() {
            return None;
        }
        let behind = |which| match self.over_pairs {
            Some(_) => self.paired(),
            None => self.cell.side(which).n(),
        };
        let lacks = |one| behind(one).zip(self.asked(one)).is_some_and(|(n, of)| n < of);
        let is_part = PairArm::BOTH.into_iter().any(lacks);
        Some([behind(which).filter(|_| is_part)?, self.asked(which)?])
    }

    /// Samples that either arm was asked or set out to score; of figures that are only stated, those
    /// that this arm set out to score, because the arms may stand on independent samples.
    fn asked(&self, which: PairArm) -> Option<u64> {
        if let (Some(coverage), Some(join)) = (self.cell.coverage, self.join()) {
            // An id over two contents is one sample to whoever counts them.
            return Some(coverage.eligible - join.quarantined);
        }
        let aim = self.pair.expected(self.cell, which).map(|aim| aim.samples);
        let sizes = self.cell.baseline.n().zip(self.cell.candidate.n());
        let far_apart = sizes.filter(|(mine, theirs)| 2 * mine.min(theirs) < *mine.max(theirs));
        aim.max(far_apart.map(|(mine, theirs)| mine.max(theirs)))
    }

    /// An interval, and those at its level with each field as the cluster that hides some.
    fn with_hidden(&self, interval: Interval) -> Interval {
        let clustered = self.hidden.iter().filter_map(|one| one.evidence.interval(interval.level));
        clustered.fold(interval, |covering, Interval { lo, hi, .. }| covering.covering(lo, hi))
    }

    /// The interval at some level, in the unit of the difference.
    fn interval_at(&self, level: f64) -> Option<Interval> {
        self.evidence.as_ref()?.interval(level)
    }

    /// Pairs that it would take to call a difference, and to judge a margin, where paired scores are
    /// too skewed for either.
    fn skewed(&self) -> [Option<u64>; 2] {
        match self.evidence.as_ref().map(|evidence| &evidence.design) {
            Some(Design::PairedReal(sample)) => {
                let difference = skew::pairs_for_difference(sample, self.alpha);
                [difference, skew::pairs_for_margin(sample)]
            }
            _ => [None; 2],
        }
    }

    /// Difference as a share of the baseline; `None` when that is undefined.
    pub fn relative(&self) -> Option<f64> {
        let baseline = self.figure(PairArm::Baseline)? * self.cell.spec.unit.shown_scale();
        let relative = self.delta? / baseline.abs();
        (baseline != 0.0 && relative.is_finite()).then_some(relative)
    }
}

impl Comparison<'_> {
    pub fn p_adjusted(&self) -> Option<f64> {
        self.adjusted.map(|adjusted| adjusted.p)
    }

    /// Number of tests in the family; 0 outside of one.
    pub fn family_size(&self) -> usize {
        self.adjusted.map_or(0, |adjusted| adjusted.family)
    }

    /// Whether Holm's test finds a difference that the wider interval for the whole family, at
    /// level 1 − α/m, leaves open.
    pub fn beyond_simultaneous(&self) -> bool {
        self.p_adjusted().is_some_and(|p| p < self.alpha)
            && self.ci_simultaneous.is_some_and(|interval| !interval.excludes(0.0))
    }

    /// How far samples without a score could move the difference at most; 0 where none is missing.
    fn slack(&self) -> f64 {
        if self.readings.as_ref().is_some_and(DifferenceReadings::is_unbounded) {
            return f64::INFINITY;
        }
        self.bounds.map_or(0.0, |Bounds { completed_only, worst, best, .. }| {
            (worst - completed_only).abs().max((best - completed_only).abs())
        })
    }

    /// What is known of a paired test between two stated figures: that every way of pairing the
    /// samples gives a p below α for as many tests as the family has, or that some way gives one
    /// below α and some way does not; `None` where no way does.
    pub fn pairing(&self) -> Option<Pairing> {
        let p = self.paired_p?;
        if p.highest < self.alpha / self.family_size().max(1) as f64 {
            return Some(Pairing::Significant);
        }
        (p.lowest < self.alpha).then_some(Pairing::Undetermined)
    }
}

/// Compares every cell of every pair of arms; one list for each pair, in cell order. All tests of
/// one call are one set of families.
pub fn compare<'a>(
    paired_arms: &'a PairedArms<'a>,
    prejudged: &[Prejudged],
    options: &CompareOptions,
) -> Vec<Vec<Comparison<'a>>> {
    let looked_at = hidden::count(paired_arms);
    let of_pair = |(pair, prejudged): (&'a ArmPair<'a>, &Prejudged)| -> Vec<MeasuredCell<'a>> {
        let cells = pair.cells.par_iter().zip(&prejudged.cells);
        cells
            .map(|(cell, ruled)| MeasuredCell {
                hidden: hidden::hidden_clusters(pair, cell, looked_at, options),
                ..measure(pair, cell, prejudged.identical, ruled, options)
            })
            .collect()
    };
    let measured: Vec<Vec<MeasuredCell<'a>>> =
        paired_arms.pairs.iter().zip(prejudged).map(of_pair).collect();
    let tests: Vec<_> = measured.iter().flatten().map(MeasuredCell::unadjusted).collect();
    let mut adjusted = family::adjusted(&tests, options.stats.alpha).into_iter();
    let with_adjusted = |of_pair: Vec<MeasuredCell<'a>>| {
        let both: Vec<_> = of_pair.into_iter().zip(adjusted.by_ref()).collect();
        both.into_par_iter()
            .map(|(one, adjusted)| judge::judge_comparison(one, adjusted, options))
            .collect()
    };
    measured.into_iter().map(with_adjusted).collect()
}

/// What the figures of a cell amount to.
struct Weighed<'a> {
    delta: Option<f64>,
    evidence: Result<ComparisonEvidence, VerdictReason>,
    analysis: Option<Analysis>,
    readings: Option<DifferenceReadings>,
    seeds: Option<Seeds<'a>>,
}

fn measure<'a>(
    pair: &'a ArmPair<'a>,
    cell: &'a CellPair<'a>,
    identical_arms: bool,
    ruled: &PrejudgedCell,
    options: &CompareOptions,
) -> MeasuredCell<'a> {
    let Weighed { delta, evidence, analysis, readings, seeds } = if pair.is_repeated() {
        seeds::weigh(pair, cell, options)
    } else {
        single_runs::weigh(pair, cell, options)
    };
    let blocked = ruled.blocked.filter(|_| delta.is_some());
    let unsupported = || {
        let evidence = evidence.as_ref().ok().filter(|_| options.anytime)?;
        anytime::supports(&evidence.design).err()
    };
    let no_spread = || {
        let tested = analysis.as_ref().is_some_and(|found| found.test.is_some());
        let varies = seeds.as_ref().is_some_and(|seeds| !seeds.all_equal);
        (varies && !tested).then_some(VerdictReason::NoSpread)
    };
    let refused = blocked
        .map(VerdictReason::Blocked)
        .or_else(|| cell.total.as_ref().map(|_| VerdictReason::TotalOfParts))
        .or_else(|| evidence.as_ref().err().copied())
        .or_else(unsupported)
        .or_else(no_spread);
    let evidence = evidence.ok();
    let pairs = evidence.as_ref().and_then(|evidence| evidence.pairs);
    let is_sampled = evidence.as_ref().is_some_and(|evidence| evidence.clusters().is_none());
    let compares = delta.is_some() && blocked.is_none();
    MeasuredCell {
        pair,
        cell,
        delta,
        alpha: options.stats.alpha,
        margin: margins::usable_margin(&cell.key.metric, &cell.spec, options),
        paired_p: evidence
            .as_ref()
            .filter(|_| cell.total.is_none())
            .and_then(|evidence| reported::paired_p(cell, evidence)),
        over_pairs: pairs
            .filter(|&pairs| covers_part(cell, pairs) && delta.is_some_and(f64::is_finite))
            .and_then(|_| single_runs::means_over_pairs(pair, cell)),
        sampling: pairs
            .filter(|_| is_sampled)
            .and_then(|_| answers::sampling_of_difference(pair, cell)),
        decomposition: pairs
            .filter(|_| analysis.is_some())
            .and_then(|_| decomposition::decomposition(pair, cell, options)),
        noise: Noise::in_cell(pair, cell, delta, &ruled.noise, options),
        identical_arms,
        accepted: if compares { ruled.lifted.clone() } else { Vec::new() },
        confounded: if compares { ruled.confounded.clone() } else { Vec::new() },
        refused,
        hidden: Vec::new(),
        analysis,
        evidence,
        readings,
        seeds,
    }
}

/// Whether so many pairs are only part of the samples of an arm.
fn covers_part(cell: &CellPair<'_>, pairs: u64) -> bool {
    PairArm::BOTH.iter().any(|&which| cell.side(which).n().is_some_and(|n| n != pairs))
}
