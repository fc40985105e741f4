//! Cells to comparisons: difference, interval, test, verdict.
//!
//! Reads the grouping and does not know the checks; which cells must not get a verdict comes in
//! as a table.

pub mod aa;
mod answers;
mod anytime;
mod bounds;
mod change;
mod crossed;
mod decomposition;
mod evidence;
mod family;
mod joined;
mod margins;
mod noise;
mod reported;
mod seeds;
mod suite;
mod systems;
mod tasks;
mod trend;
mod verdict;

pub use answers::Sampling;
pub use bounds::{Bounds, Truncation};
pub use decomposition::{Class, Decomposition, Part, Transition};
pub use family::Family;
pub use margins::{NonInferiority, Shown, review_margins};
pub use noise::{Noise, NoiseFigure};
pub use reported::{PairedP, Pairing, impossible_shares};
pub use seeds::{SeedFigure, Seeds};
pub use suite::{Suite, SuiteMean, suites};
pub use systems::{
    ArmOnSamples, ArmOverDatasets, OnSamples, OverDatasets, PairOnSamples, PairOverDatasets,
    Systems, systems,
};
pub use tasks::{Aggregates, RunsOverDatasets, runs_over_datasets};
pub use trend::{FEWEST_POINTS, LevelChange, NoTrend, Trend, TrendEstimate, series_trend, trends};
pub use verdict::{Reason, Verdict};

use indexmap::IndexMap;
use rayon::iter::{
    IntoParallelIterator as _, IntoParallelRefIterator as _, IntoParallelRefMutIterator as _,
    ParallelIterator as _,
};

use self::bounds::Readings;
use self::evidence::Evidence;
use crate::diag::Code;
use crate::group::{ArmPair, Cell, CellKey, Grouping, Join, Which};
use crate::model::{Dims, Margin};
use crate::quantity::Unit;
use crate::stats::{self, Analysis, Interval, Moments, Note, PairedCounts};

/// Choices of the comparison.
#[derive(Debug, Clone, Default)]
pub struct Choices {
    /// Level and power.
    pub options: stats::Options,
    /// Margins by canonical metric name, in the unit of the difference (pp for rates).
    pub margins: IndexMap<String, Margin>,
    /// Whether verdicts have to hold however often a growing run is looked at.
    pub anytime: bool,
}

/// What the checks decided about one pair of arms before anything is compared.
#[derive(Debug, Clone, Default)]
pub struct Prejudged {
    /// For each cell the finding that takes its verdict.
    pub blocked: Vec<Option<Code>>,
    /// For each cell the findings that would take its verdict had the user not accepted them.
    pub lifted: Vec<Vec<Code>>,
    /// Nothing that was recorded differs, results included.
    pub identical: bool,
    /// For each cell, which runs that repeat the baseline can tell its noise.
    pub noise: Vec<Vec<bool>>,
}

/// One cell compared.
#[derive(Debug)]
pub struct Comparison<'a> {
    /// The pair of arms.
    pub pair: &'a ArmPair<'a>,
    /// The cell.
    pub cell: &'a Cell<'a>,
    /// Candidate − baseline in the unit of the difference; `None` when a side is missing.
    pub delta: Option<f64>,
    /// What the statistics say, in the unit of the difference; the detectable effect and the needed
    /// size at the level α/m of the family.
    pub analysis: Option<Analysis>,
    /// Level of the analysis' interval.
    pub alpha: f64,
    /// p adjusted for the family (Holm).
    pub p_adjusted: Option<f64>,
    /// Number of tests in the family.
    pub family: usize,
    /// Interval that holds together with those of the whole family (Bonferroni, level 1 − α/m), in
    /// a family of several tests.
    pub ci_simultaneous: Option<Interval>,
    /// Whether no outcome of this design could have reached α in this family.
    pub out_of_reach: bool,
    /// The margin declared for the metric, where it can be used.
    pub margin: Option<f64>,
    /// Non-inferiority within that margin.
    pub noninferiority: Option<NonInferiority>,
    /// How far samples without a score, or cut answers, could move the difference.
    pub bounds: Option<Bounds>,
    /// What a paired test could give, where only figures are stated.
    pub paired_p: Option<PairedP>,
    /// Paired outcomes, for 0/1 scores.
    pub flips: Option<PairedCounts>,
    /// Numbers of samples that were inferred from stated standard errors.
    pub inferred_sizes: [Option<u64>; 2],
    /// Whether the arms do not differ in anything that was recorded.
    pub identical_arms: bool,
    /// Pairs whose scores entered the comparison; `None` when samples were not paired.
    pub paired: Option<u64>,
    /// Both figures over the pairs, when these are only part of the samples.
    over_pairs: Option<[f64; 2]>,
    /// Share of drawing answers in the variance of the paired difference, where both arms have
    /// several answers to each problem and each problem is a unit of its own.
    pub sampling: Option<Sampling>,
    /// What the difference is made of, where samples are paired and some failed.
    pub decomposition: Option<Decomposition>,
    /// Number of clusters of pairs, when the cluster is the unit of the analysis instead of the
    /// sample.
    pub clusters: Option<u64>,
    /// Number of clusters of either arm, when these are the units and samples were not paired.
    pub own_clusters: Option<[u64; 2]>,
    evidence: Option<Evidence>,
    readings: Option<Readings>,
    /// The trainings behind either figure, when an arm has several runs.
    pub seeds: Option<Seeds<'a>>,
    /// Findings that the verdict stands in spite of, because the user accepted them.
    pub accepted: Vec<Code>,
    /// How far runs of the baseline's configuration lie apart, where some repeat it.
    pub noise: Option<Noise<'a>>,
    /// The verdict.
    pub verdict: Verdict,
    /// Why, where a verdict needs a reason.
    pub reason: Option<Reason>,
}

/// Every metric at every grid point of these cells, each once, whatever the datasets.
fn metrics<'a>(keys: impl Iterator<Item = &'a CellKey>) -> Vec<(&'a str, &'a Dims)> {
    let mut metrics: Vec<(&str, &Dims)> =
        keys.map(|key| (key.metric.as_str(), &key.dims)).collect();
    metrics.sort();
    metrics.dedup();
    metrics
}

impl Comparison<'_> {
    /// Whether a finding takes the verdict.
    pub(crate) fn is_blocked(&self) -> bool {
        matches!(self.reason, Some(Reason::Blocked(_)))
    }

    /// How samples were matched, when they were.
    pub fn join(&self) -> Option<&Join> {
        let index = self.cell.table?;
        self.pair.tables.get(index).map(|tables| &tables.join)
    }

    /// Whether the difference covers only part of the samples behind the figures beside it.
    pub fn covers_part(&self) -> bool {
        let sizes = Which::BOTH.map(|which| self.cell.side(which).n());
        let items = self.seeds.as_ref().and_then(|seeds| seeds.items);
        self.paired
            .or(items)
            .is_some_and(|pairs| sizes.iter().any(|n| n.is_some_and(|n| n != pairs)))
    }

    /// Samples behind the figure of an arm, when they are known or follow from its standard error.
    pub fn n(&self, which: Which) -> Option<u64> {
        let [baseline, candidate] = self.inferred_sizes;
        let inferred = if which == Which::Baseline { baseline } else { candidate };
        self.cell.side(which).n().or(inferred)
    }

    /// The figure of an arm that the difference stands on: the mean over its runs where an arm has
    /// several, over the pairs where samples were paired, else the arm's own.
    pub fn figure(&self, which: Which) -> Option<f64> {
        if let Some(seeds) = &self.seeds {
            return seeds.mean(which);
        }
        match (self.over_pairs, which) {
            (Some([baseline, _]), Which::Baseline) => Some(baseline),
            (Some([_, candidate]), Which::Candidate) => Some(candidate),
            (None, _) => self.cell.side(which).value().value(),
        }
    }

    /// Samples behind the figure of an arm, and how many there should be, where either arm lacks
    /// some. Not for arms of several runs, whose figures are means over runs.
    pub fn part(&self, which: Which) -> Option<[u64; 2]> {
        if self.seeds.is_some() {
            return None;
        }
        let behind = |which| match self.over_pairs {
            Some(_) => self.paired,
            None => self.cell.side(which).n(),
        };
        let lacks = |one| behind(one).zip(self.asked(one)).is_some_and(|(n, of)| n < of);
        let is_part = Which::BOTH.into_iter().any(lacks);
        Some([behind(which).filter(|_| is_part)?, self.asked(which)?])
    }

    /// Samples that either arm was asked or set out to score; of figures that are only stated, those
    /// that this arm set out to score, because the arms may stand on independent samples.
    fn asked(&self, which: Which) -> Option<u64> {
        if let (Some(coverage), Some(join)) = (self.cell.coverage, self.join()) {
            // An id over two contents is one sample to whoever counts them.
            return Some(coverage.eligible - join.quarantined);
        }
        let aim = self.pair.expected(self.cell, which).map(|aim| aim.samples);
        let sizes = self.cell.baseline.n().zip(self.cell.candidate.n());
        let far_apart = sizes.filter(|(mine, theirs)| 2 * mine.min(theirs) < *mine.max(theirs));
        aim.max(far_apart.map(|(mine, theirs)| mine.max(theirs)))
    }

    /// The interval at some level, in the unit of the difference.
    fn interval_at(&self, level: f64) -> Option<Interval> {
        self.evidence.as_ref()?.interval(level)
    }

    /// How far samples without a score could move the difference at most; 0 where none is missing
    /// or scores have no bounds.
    fn slack(&self) -> f64 {
        self.bounds.map_or(0.0, |Bounds { completed_only, worst, best, .. }| {
            (worst - completed_only).abs().max((best - completed_only).abs())
        })
    }

    /// What is known of a paired test between two stated figures: that every way of pairing the
    /// samples gives a p below α for as many tests as the family has, or that some way gives one
    /// below α and some way does not; `None` where no way does.
    pub fn pairing(&self) -> Option<Pairing> {
        let p = self.paired_p?;
        if p.highest < self.alpha / self.family.max(1) as f64 {
            return Some(Pairing::Significant);
        }
        (p.lowest < self.alpha).then_some(Pairing::Undetermined)
    }

    /// Difference as a share of the baseline; `None` when that is undefined.
    pub fn relative(&self) -> Option<f64> {
        let baseline = self.figure(Which::Baseline)? * self.cell.spec.unit.shown_scale();
        (baseline != 0.0).then_some(self.delta? / baseline.abs())
    }
}

/// Name of the unit of differences: `pp` for rates.
pub fn delta_unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Fraction | Unit::Percent => "pp",
        Unit::Count => "count",
        Unit::Seconds => "s",
        Unit::Tokens => "tokens",
        Unit::Dollars => "USD",
        Unit::Plain => "",
    }
}

/// Compares every cell of every pair of arms; one list for each pair, in cell order. All tests of
/// one call are one family.
pub fn compare<'a>(
    grouping: &'a Grouping<'a>,
    prejudged: &[Prejudged],
    choices: &Choices,
) -> Vec<Vec<Comparison<'a>>> {
    let mut comparisons: Vec<Vec<Comparison<'a>>> = grouping
        .pairs
        .iter()
        .map(|pair| pair.cells.par_iter().map(|cell| analyse(pair, cell, choices)).collect())
        .collect();
    for (of_pair, prejudged) in comparisons.iter_mut().zip(prejudged) {
        for (comparison, code) in of_pair.iter_mut().zip(&prejudged.blocked) {
            comparison.identical_arms = prejudged.identical;
            if let (Some(code), Some(_)) = (code, comparison.delta) {
                comparison.reason = Some(Reason::Blocked(*code));
            }
        }
        for (comparison, codes) in of_pair.iter_mut().zip(&prejudged.lifted) {
            if comparison.delta.is_some() && !comparison.is_blocked() {
                comparison.accepted.clone_from(codes);
            }
        }
        let with_usable = of_pair.iter_mut().zip(&prejudged.noise).collect::<Vec<_>>();
        with_usable.into_par_iter().for_each(|(comparison, usable)| {
            comparison.noise = Noise::of(comparison, usable, choices.options.alpha);
        });
    }
    family::adjust(&mut comparisons, choices);
    for of_pair in &mut comparisons {
        of_pair.par_iter_mut().for_each(|comparison| verdict::decide(comparison, choices));
    }
    comparisons
}

fn analyse<'a>(pair: &'a ArmPair<'a>, cell: &'a Cell<'a>, choices: &Choices) -> Comparison<'a> {
    let scale = cell.spec.unit.shown_scale();
    let plain = cell.baseline.value().value().zip(cell.candidate.value().value());
    let mut comparison = Comparison {
        pair,
        cell,
        delta: plain.map(|(baseline, candidate)| (candidate - baseline) * scale),
        analysis: None,
        alpha: choices.options.alpha,
        p_adjusted: None,
        family: 0,
        ci_simultaneous: None,
        out_of_reach: false,
        margin: choices
            .margins
            .get(&cell.key.metric)
            .and_then(|&margin| margins::usable(margin, &cell.spec)),
        noninferiority: None,
        bounds: None,
        paired_p: None,
        flips: None,
        identical_arms: false,
        inferred_sizes: [None; 2],
        paired: None,
        over_pairs: None,
        sampling: None,
        decomposition: None,
        clusters: None,
        own_clusters: None,
        evidence: None,
        readings: None,
        seeds: None,
        accepted: Vec::new(),
        noise: None,
        verdict: Verdict::NotAssessable,
        reason: None,
    };
    if pair.is_repeated() {
        seeds::compare(&mut comparison, choices);
        return comparison;
    }
    if plain.is_none() {
        comparison.reason = Some(Reason::MissingValue);
        return comparison;
    }
    match evidence::of(pair, cell) {
        Ok(evidence) => {
            comparison.weigh(&evidence, choices);
            comparison.evidence = Some(evidence);
        }
        Err(reason) => comparison.reason = Some(reason),
    }
    comparison
}

impl Comparison<'_> {
    /// Takes over what the evidence says.
    fn weigh(&mut self, evidence: &Evidence, choices: &Choices) {
        self.analysis = evidence.analyse(choices.options, choices.anytime);
        if let Some(analysis) = &mut self.analysis
            && evidence.paired().is_none()
            && !analysis.notes.contains(&Note::TreatedAsIndependent)
        {
            analysis.notes.push(Note::TreatedAsIndependent);
        }
        self.flips = evidence.flips();
        self.paired = evidence.paired();
        self.clusters = evidence.clusters();
        self.own_clusters = evidence.own_clusters();
        if self.covers_part() {
            self.over_pairs = means_over_pairs(self.pair, self.cell);
        }
        if self.paired.is_some() && self.clusters.is_none() {
            self.sampling = answers::sampling(self.pair, self.cell);
        }
        self.inferred_sizes = evidence.inferred_sizes();
        if let Some(analysis) = &self.analysis
            && self.paired.is_some()
        {
            self.delta = Some(analysis.delta);
            self.decomposition = decomposition::of(self.pair, self.cell, choices);
        }
        self.readings = self.delta.and_then(|delta| Readings::of(self.pair, self.cell, delta));
        self.paired_p = reported::paired_p(self.cell, evidence);
        if choices.anytime {
            self.reason = anytime::supports(evidence.design()).err();
        }
    }
}

/// Means of both arms over the pairs with a score in both.
fn means_over_pairs(pair: &ArmPair<'_>, cell: &Cell<'_>) -> Option<[f64; 2]> {
    let join = &pair.tables.get(cell.table?)?.join;
    let (mine, theirs) = (cell.baseline.samples.as_ref()?, cell.candidate.samples.as_ref()?);
    let mut arms = [Moments::default(); 2];
    for &(a, b) in &join.pairs {
        if let Some((before, after)) = mine.score(a as usize).zip(theirs.score(b as usize)) {
            let [baseline, candidate] = &mut arms;
            baseline.add(before);
            candidate.add(after);
        }
    }
    let [baseline, candidate] = arms;
    (baseline.n > 0).then_some([baseline.mean, candidate.mean])
}
