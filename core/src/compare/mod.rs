//! Cells to comparisons: difference, interval, test, verdict.
//!
//! Works on paired arms and does not know the checks; which cells must not get a verdict comes in
//! as a table.

pub mod aa;
mod answers;
mod anytime;
mod bounds;
mod change;
mod chosen;
mod compared;
mod copies;
mod counted;
mod crossed;
mod curve_intervals;
mod curves;
mod decomposition;
mod evidence;
mod family;
mod grouped;
mod hidden;
mod hidden_findings;
mod intervals;
mod joined;
mod judge;
mod margins;
mod measure;
mod neighbours;
mod noise;
mod pair_differences;
mod printed;
mod reported;
mod score_bins;
mod seeds;
mod small;
mod suite;
mod suite_groups;
mod suite_interval;
mod suite_mean;
mod systems;
mod tasks;
mod trend;
mod verdict;

pub use answers::Sampling;
pub use bounds::{Bounds, Truncation};
pub use chosen::best_checkpoints;
pub use compared::{Compared, compare};
pub use curve_intervals::CurveInterval;
pub use curves::{
    Curve, CurveFigure, CurvePair, CurvePoint, CurveSummary, PairedCurves, paired_curves,
};
pub use decomposition::{Contribution, Decomposition, DecompositionClass, Transition};
pub use family::{
    Adjusted, ComparisonFamily, Families, FamilySize, HELD_BACK, undirected_primaries,
};
pub use hidden::HiddenClusters;
pub use hidden_findings::hidden_fields;
pub use margins::{NonInferiority, NonInferiorityShown, review_margins};
pub use noise::{Noise, NoiseFigure};
pub use pair_differences::{DifferenceClass, PairDifferences, SHARES as DIFFERENCE_SHARES};
pub use reported::{PairedP, Pairing, impossible_figures};
pub use score_bins::{ArmBins, BinnedBy, ScoreBin, ScoreBins, score_bins};
pub use seeds::{SeedFigure, Seeds};
pub use suite::{Average, Suite};
pub use suite_mean::SuiteMean;
pub use systems::{
    ArmOnSamples, ArmOverDatasets, OnSamples, OverDatasets, PairOnSamples, PairOverDatasets,
    Systems, systems,
};
pub use tasks::{Aggregates, RunsOverDatasets, runs_over_datasets};
pub use trend::{
    FEWEST_POINTS, LevelChange, NoTrend, Trend, TrendEstimate, series_trend, trends_of_runs,
};
pub use verdict::{Verdict, VerdictReason};

use self::bounds::DifferenceReadings;
use self::evidence::ComparisonEvidence;
use self::family::Unadjusted;
use self::measure::covers_part;
use crate::diag::Code;
use crate::model::{Dims, Direction, Margin};
use crate::pairing::{ArmPair, CellKey, CellPair, PairArm, PairedRows};
use crate::stats::{self, Analysis, Design, Interval, PairedCounts};
use indexmap::IndexMap;
use std::collections::BTreeMap;

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
pub struct Restrictions {
    /// Nothing that was recorded differs, results included.
    pub identical: bool,
    /// One for each cell.
    pub cells: Vec<CellRestrictions>,
}

/// What the checks decided about one cell.
#[derive(Debug, Clone)]
pub struct CellRestrictions {
    /// The finding that takes its verdict.
    pub blocked: Option<Code>,
    /// The findings that would take its verdict had the user not accepted them.
    pub lifted: Vec<Code>,
    /// The findings that confound it and not the pair as a whole.
    pub confounded: Vec<Code>,
    /// The repeated runs of the baseline from which its noise can be measured.
    pub noise: Vec<bool>,
}

/// What the figures of a cell amount to.
struct WeighedFigures<'a> {
    delta: Option<f64>,
    evidence: Result<ComparisonEvidence, VerdictReason>,
    analysis: Option<Analysis>,
    readings: Option<DifferenceReadings<'a>>,
    seeds: Option<Seeds<'a>>,
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
    /// The interval that the margin is judged by.
    margin_interval: Option<Interval>,
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
    /// Fields of so few values that these cannot be clusters, by whose values they are alike too.
    parts: Vec<HiddenClusters>,
    evidence: Option<ComparisonEvidence>,
    readings: Option<DifferenceReadings<'a>>,
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

/// What a chance of a false verdict rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RateCondition {
    /// No group of samples that nothing records is won or lost together.
    IndependentSamples,
    /// The standard errors that a file states count the groups of its samples.
    StatedErrors,
    /// Scores without known bounds have no large differences too rare to be in any pair.
    NoRareDifferences,
}

impl RateCondition {
    pub fn name(self) -> &'static str {
        match self {
            Self::IndependentSamples => "independent-samples",
            Self::StatedErrors => "stated-errors",
            Self::NoRareDifferences => "no-rare-differences",
        }
    }
}

/// What was measured is read from the comparison as it is from what it was made of.
impl<'a> std::ops::Deref for Comparison<'a> {
    type Target = MeasuredCell<'a>;

    fn deref(&self) -> &MeasuredCell<'a> {
        &self.measured
    }
}

/// Every metric at every grid point of these cells, each once, whatever the datasets.
fn by_metric<'a, T>(
    items: impl Iterator<Item = T>,
    key: impl Fn(&T) -> &'a CellKey,
) -> BTreeMap<(&'a str, &'a Dims), Vec<T>> {
    let mut metrics = BTreeMap::<_, Vec<T>>::new();
    for item in items {
        let CellKey { metric, dims, .. } = key(&item);
        metrics.entry((metric.as_str(), dims)).or_default().push(item);
    }
    metrics
}

impl MeasuredCell<'_> {
    fn blocked(&self) -> Option<Code> {
        match self.refused {
            Some(VerdictReason::Blocked(code)) => Some(code),
            _ => None,
        }
    }

    pub fn is_blocked(&self) -> bool {
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

    /// With which tests its own is adjusted, where its role asks for a test.
    pub(crate) fn family(&self) -> Option<ComparisonFamily> {
        ComparisonFamily::for_metric(self.cell.metric_role(), &self.cell.spec)
    }

    fn test(&self) -> Option<stats::Test> {
        self.analysis.as_ref()?.test
    }

    /// The test, where it can lead to a verdict.
    fn unadjusted(&self, hypothesis: usize) -> Option<Unadjusted> {
        let test = self.test().filter(|_| self.refused.is_none())?;
        let found = Unadjusted {
            family: self.family()?,
            p: test.p,
            // What a growing run can attain changes from look to look, and with it who shares the level.
            attainable: test.attainable.filter(|_| !self.is_anytime()),
            noise_p: self.noise.as_ref().map(|noise| noise.p),
            hypothesis,
        };
        let spec = &self.cell.spec;
        match found.family {
            ComparisonFamily::Guard if self.margin_interval.is_some() => None,
            ComparisonFamily::Guard => Some(found.for_worse_alone(self.delta, spec.direction)),
            _ => Some(found),
        }
    }

    /// Whether every outcome is the same in both arms, and nothing keeps from saying so.
    fn is_identical(&self) -> bool {
        self.refused.is_none() && self.analysis.is_some() && judge::all_outcomes_equal(self)
    }

    /// How far samples without a score could move the difference at most; 0 where none is missing
    /// or scores have no bounds.
    fn slack(&self) -> f64 {
        self.readings.as_ref().map_or(0.0, DifferenceReadings::slack)
    }

    /// Samples without a score or partner, and the mean difference among them that would cancel the
    /// overall difference. Only for scores without bounds.
    pub fn lost_without_bounds(&self) -> Option<(u64, f64)> {
        self.readings.as_ref().filter(|readings| readings.is_by_order())?;
        let lost = self.cell.coverage?.lost();
        Some((lost, -self.delta? * self.paired()? as f64 / lost as f64))
    }

    /// Pairs of scores without known bounds, where a few extreme differences that are not among them could
    /// account for the mean.
    pub fn pairs_without_bounds(&self) -> Option<u64> {
        let evidence = self.evidence.as_ref()?;
        let is_open =
            matches!(evidence.design, Design::PairedReal(_)) && evidence.largest.is_none();
        evidence.pairs.filter(|_| is_open)
    }

    /// Whether the test holds however often it is looked at.
    pub fn is_anytime(&self) -> bool {
        self.test().is_some_and(|test| test.method == anytime::METHOD)
    }

    /// What the chance of a false verdict takes for granted and the samples cannot show.
    pub fn conditions(&self) -> Vec<RateCondition> {
        let dependence = match self.evidence.as_ref().map(|evidence| &evidence.design) {
            None
            | Some(
                Design::PairedClustered(_)
                | Design::IndependentClustered { .. }
                | Design::SeedsByItems { .. }
                | Design::PairedSeeds(_)
                | Design::IndependentSeeds { .. },
            ) => None,
            Some(Design::ReportedMeans { .. }) => Some(RateCondition::StatedErrors),
            Some(_) => Some(RateCondition::IndependentSamples),
        };
        let rare = self.pairs_without_bounds().map(|_| RateCondition::NoRareDifferences);
        dependence.into_iter().chain(rare).collect()
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

    /// The interval of an arm's own figure, in the metric's unit, at the level of the differences; `None`
    /// where only a figure is stated.
    pub fn arm_interval(&self, which: PairArm) -> Option<[f64; 2]> {
        intervals::arm_interval(self, which, 1.0 - self.alpha)
    }

    /// The figure of an arm by itself: over all its samples, also where the difference stands on the
    /// pairs alone.
    pub fn own_figure(&self, which: PairArm) -> Option<f64> {
        if self.seeds.is_some() { self.figure(which) } else { self.cell.figure(which) }
    }

    /// The figure of an arm over every sample that it was asked, where the difference stands on fewer:
    /// its own where it lacks none, and where all that it lacks are failed requests, the share of right
    /// answers with these as wrong, as `metrics` counts them.
    pub fn whole_figure(&self, which: PairArm) -> Option<f64> {
        let [_, asked] = self.part(which)?;
        let own = self.own_figure(which)?;
        let side = self.cell.side(which);
        let whole = if side.n() == Some(asked) {
            self.over_pairs.and(Some(own))?
        } else {
            let samples = side.samples.as_ref()?;
            let is_share = samples.is_binary() && self.cell.spec.direction == Direction::Higher;
            let are_all = samples.errored > 0 && samples.scored + samples.errored == asked;
            (is_share && are_all).then(|| own * samples.scored as f64 / asked as f64)?
        };
        (self.figure(which) != Some(whole)).then_some(whole)
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
        if let (Some(coverage), Some(join)) = (self.cell.coverage, self.pair_counts()) {
            // An id over two contents is one sample to whoever counts them.
            return Some(coverage.eligible - join.quarantined);
        }
        let aim = self.pair.expected(self.cell, which).map(|aim| aim.samples);
        let sizes = self.cell.baseline.n().zip(self.cell.candidate.n());
        let far_apart = sizes.filter(|(mine, theirs)| 2 * mine.min(theirs) < *mine.max(theirs));
        aim.max(far_apart.map(|(mine, theirs)| mine.max(theirs)))
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
        self.adjusted.map_or(0, |adjusted| adjusted.size)
    }

    /// Whether its p is held to less than α, because others share the level or come first.
    pub fn shares_level(&self) -> bool {
        self.adjusted.is_some_and(|adjusted| adjusted.level < self.alpha)
    }

    /// Whether Holm's test finds a difference that the wider interval for the whole family, at
    /// level 1 − α/m, leaves open.
    pub fn beyond_simultaneous(&self) -> bool {
        self.p_adjusted().is_some_and(|p| p < self.alpha)
            && self.ci_simultaneous.is_some_and(|interval| !interval.excludes(0.0))
    }

    /// What is known of a paired test between two stated figures: that every way of pairing the
    /// samples gives a p below the level that the family holds the smallest to, or that some way gives one
    /// below α and some way does not; `None` where no way does.
    pub fn pairing(&self) -> Option<Pairing> {
        let p = self.paired_p?;
        if p.highest < self.adjusted.map_or(self.alpha, |adjusted| adjusted.level) {
            return Some(Pairing::Significant);
        }
        (p.lowest < self.alpha).then_some(Pairing::Undetermined)
    }
}
