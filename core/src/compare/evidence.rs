//! What a cell offers to the statistics: the best design its data allows.
//!
//! Samples that are provably the same come first; then counts, then figures with a standard error,
//! then percentages with the number of samples behind them. A figure with neither a standard error
//! nor that number is refused.

use super::printed::{MOST_DECIMALS, impossible_stderr, is_impossible, printed_rate};
use super::{CompareOptions, VerdictReason, anytime, margins};
use crate::model::{Clustering, MetricSpec};
use crate::pairing::{
    ArmPair, CellPair, PairSide, SampledSide, StatedSide, UnpairedClusters, side_clusters,
};
use crate::stats::{
    self, Analysis, ClusterSums, Counts, Design, Interval, Moments, PairedCounts, ReportedMean,
    ReportedRate, reported,
};

/// A design and the factor from its unit to the unit of the difference.
#[derive(Debug)]
pub(super) struct ComparisonEvidence {
    pub(super) design: Design,
    /// From the unit of the design to that of the difference.
    pub(super) scale: f64,
    /// Largest size that the difference can have, in its unit; `None` where the scores have no known
    /// bounds.
    pub(super) largest: Option<f64>,
    /// Paired outcomes, for 0/1 scores.
    pub(super) flips: Option<PairedCounts>,
    /// Pairs whose scores entered.
    pub(super) pairs: Option<u64>,
    /// Sizes that were inferred from standard errors.
    pub(super) inferred_sizes: [Option<u64>; 2],
    /// Whether every pair that entered has equal scores but for rounding.
    pub(super) all_equal: bool,
}

impl ComparisonEvidence {
    /// Evidence whose samples are not paired. Designs of shares give differences of shares, the
    /// others differences in the unit of the cell.
    pub(super) fn new(design: Design, spec: &MetricSpec) -> Self {
        let of_shares = matches!(
            design,
            Design::PairedBinary(_)
                | Design::IndependentBinary { .. }
                | Design::ReportedRates { .. }
        );
        let scale = match of_shares {
            true if spec.unit.is_rate() => 100.0,
            true => 1.0,
            false => spec.unit.shown_scale(),
        };
        Self {
            design,
            scale,
            largest: margins::range(spec),
            flips: None,
            pairs: None,
            inferred_sizes: [None; 2],
            all_equal: false,
        }
    }

    /// Evidence of so many pairs: their outcomes where scores are right or wrong, the largest size of a
    /// difference in the unit of the cell, and whether all scores are equal.
    pub(super) fn paired(
        design: Design,
        pairs: u64,
        (flips, bound, all_equal): (Option<PairedCounts>, Option<f64>, bool),
        spec: &MetricSpec,
    ) -> Self {
        Self {
            flips,
            pairs: Some(pairs),
            all_equal,
            largest: bound.map(|bound| bound * spec.unit.shown_scale()),
            ..Self::new(design, spec)
        }
    }

    /// The statistics' answer in the unit of the difference; with `anytime` its test holds however
    /// often it is looked at, and there is none for designs without such a test.
    pub(super) fn analysis(&self, options: &CompareOptions) -> Option<Analysis> {
        let analysis = self.analysis_at(options.stats)?;
        Some(if options.anytime {
            anytime::retested(analysis, &self.design, options.stats.alpha)
        } else {
            analysis
        })
    }

    /// Like `analysis`, with other options and for one look.
    pub(super) fn analysis_at(&self, options: stats::Options) -> Option<Analysis> {
        let mut analysis = self.design.analyse(options)?;
        analysis.delta *= self.scale;
        analysis.interval = analysis.interval.map(|interval| self.scaled(interval));
        let is_possible = |mde: &f64| self.largest.is_none_or(|largest| *mde <= largest);
        analysis.mde = analysis.mde.map(|mde| mde * self.scale).filter(is_possible);
        Some(analysis)
    }

    /// The interval at some level, in the unit of the difference.
    pub(super) fn interval(&self, level: f64) -> Option<Interval> {
        self.design.interval(level).map(|interval| self.scaled(interval))
    }

    /// The interval in the unit of the difference, without what no difference can be.
    fn scaled(&self, interval: Interval) -> Interval {
        let Interval { lo, hi, level } = interval;
        self.possible(Interval { lo: lo * self.scale, hi: hi * self.scale, level })
    }

    /// The part of an interval in the unit of the difference that a difference can lie in.
    pub(super) fn possible(&self, interval: Interval) -> Interval {
        margins::clipped_to_range(interval, self.largest)
    }

    /// Number of clusters of either arm, when these are the units of samples that are not paired.
    pub(super) fn own_clusters(&self) -> Option<[u64; 2]> {
        match &self.design {
            Design::IndependentClustered { baseline, candidate } => {
                Some([baseline, candidate].map(|sums| sums.clusters.len() as u64))
            }
            _ => None,
        }
    }

    /// Number of clusters of pairs, when these are the units.
    pub(super) fn clusters(&self) -> Option<u64> {
        match &self.design {
            Design::PairedClustered(sums) => Some(sums.count()),
            _ => None,
        }
    }
}

/// The best design that a cell allows whose samples are not paired.
pub(super) fn unpaired(
    pair: &ArmPair<'_>,
    cell: &CellPair<'_>,
) -> Result<ComparisonEvidence, VerdictReason> {
    unpaired_clusters(cell, &pair.clustering).map_or_else(|| independent(cell), Ok)
}

/// What one side amounts to without its partner.
enum Alone {
    Counts(Counts),
    Inferred(Counts),
    Moments(Moments),
    Rate(ReportedRate),
    /// A mean whose samples nobody counts.
    Mean(ReportedMean),
}

impl Alone {
    /// The mean and its standard error, where rates are parts of that whole.
    fn mean(&self, whole: Option<f64>) -> Option<ReportedMean> {
        let of_share = |share: f64, n: u64| {
            let variance =
                share * (1.0 - share) / n.checked_sub(1).filter(|&left| left > 0)? as f64;
            let whole = whole?;
            Some(ReportedMean { mean: share * whole, stderr: variance.max(0.0).sqrt() * whole })
        };
        match self {
            Self::Counts(counts) | Self::Inferred(counts) => of_share(counts.share(), counts.n),
            Self::Rate(rate) => of_share(rate.share, rate.n),
            Self::Moments(moments) => {
                Some(ReportedMean { mean: moments.mean, stderr: moments.stderr()? })
            }
            Self::Mean(mean) => Some(*mean),
        }
    }
}

/// Samples of both arms that belong together, in at least one of them.
fn unpaired_clusters(cell: &CellPair<'_>, asked: &Clustering) -> Option<ComparisonEvidence> {
    let sides = [cell.baseline.samples.as_ref()?, cell.candidate.samples.as_ref()?];
    let own = sides.map(|samples| side_clusters(samples, asked));
    let sums = |samples: &SampledSide<'_>, own: Option<UnpairedClusters<'_>>| {
        let cluster = |row| own.map_or((0, row), |own| own.cluster_of(row));
        let scored = samples.rows().filter_map(|row| Some((cluster(row), samples.score(row)?)));
        ClusterSums::summed(scored)
    };
    let ([baseline, candidate], [mine, theirs]) = (sides, own);
    let (baseline, candidate) = (sums(baseline, mine), sums(candidate, theirs));
    let arms = [&baseline, &candidate];
    let holds_several = arms.iter().any(|arm| arm.clusters.iter().any(|&(_, n)| n > 1));
    let none_empty = arms.iter().all(|arm| !arm.clusters.is_empty());
    let design = Design::IndependentClustered { baseline, candidate };
    let evidence = ComparisonEvidence::new(design, &cell.spec);
    let [before, after] = sides.map(SampledSide::right_score);
    let of_outcomes = before.zip(after).map(|(a, b)| a.max(b) * cell.spec.unit.shown_scale());
    let largest = evidence.largest.or(of_outcomes);
    (holds_several && none_empty).then_some(ComparisonEvidence { largest, ..evidence })
}

fn independent(cell: &CellPair<'_>) -> Result<ComparisonEvidence, VerdictReason> {
    let spec = &cell.spec;
    let (mine, theirs) = (alone(&cell.baseline, spec)?, alone(&cell.candidate, spec)?);
    let inferred_sizes = [&mine, &theirs].map(|one| match one {
        Alone::Inferred(counts) => Some(counts.n),
        _ => None,
    });
    let design = match (mine, theirs) {
        (
            Alone::Counts(baseline) | Alone::Inferred(baseline),
            Alone::Counts(candidate) | Alone::Inferred(candidate),
        ) => Design::IndependentBinary { baseline, candidate },
        (Alone::Moments(baseline), Alone::Moments(candidate)) => {
            Design::IndependentReal { baseline, candidate }
        }
        (Alone::Rate(baseline), Alone::Rate(candidate)) => {
            Design::ReportedRates { baseline, candidate }
        }
        (Alone::Counts(counts) | Alone::Inferred(counts), Alone::Rate(candidate)) => {
            Design::ReportedRates { baseline: as_rate(counts), candidate }
        }
        (Alone::Rate(baseline), Alone::Counts(counts) | Alone::Inferred(counts)) => {
            Design::ReportedRates { baseline, candidate: as_rate(counts) }
        }
        (mine, theirs) => {
            let [baseline, candidate] = [mine, theirs].map(|one| one.mean(spec.unit.whole()));
            baseline
                .zip(candidate)
                .map_or(Err(VerdictReason::SizeUnknown), |(baseline, candidate)| {
                    Ok(Design::ReportedMeans { baseline, candidate })
                })?
        }
    };
    Ok(ComparisonEvidence { inferred_sizes, ..ComparisonEvidence::new(design, spec) })
}

fn as_rate(counts: Counts) -> ReportedRate {
    ReportedRate { share: counts.share(), decimals: MOST_DECIMALS, n: counts.n }
}

fn alone(side: &PairSide<'_>, spec: &MetricSpec) -> Result<Alone, VerdictReason> {
    if let Some(samples) = side.samples.as_ref().filter(|samples| samples.scored > 0) {
        return Ok(from_samples(samples));
    }
    let stated = side.stated.ok_or(VerdictReason::MissingValue)?;
    from_stated(stated, spec)
}

fn from_samples(samples: &SampledSide<'_>) -> Alone {
    if samples.is_binary()
        && let Some(counts) = samples.right_count().and_then(|x| Counts::new(x, samples.scored))
    {
        return Alone::Counts(counts);
    }
    Alone::Moments(samples.scores().collect())
}

/// A share within this of a whole count over n is that count.
const WHOLE_COUNT: f64 = 1e-6;
/// A standard error within this of the one of a count is the one of a count.
const COUNT_STDERR: f64 = 1e-6;
/// How whole a size inferred from a standard error has to be, relative to itself.
const INFERRED: f64 = 1e-7;
/// Decimals from which on a share that is a whole count is that count.
const EXACT_DECIMALS: u8 = 8;

fn from_stated(stated: StatedSide<'_>, spec: &MetricSpec) -> Result<Alone, VerdictReason> {
    let unit = spec.unit;
    let value = stated.value().value().ok_or(VerdictReason::MissingValue)?;
    let whole = unit.whole();
    let counted = whole.filter(|_| !spec.pooled);
    let inferred = || counts_of_stderr(value / counted?, stated.stderr()? / counted?);
    let Some(n) = stated.n.filter(|&n| n > 0) else {
        let mean = || {
            Some(Alone::Mean(ReportedMean { mean: value, stderr: possible_stderr(stated, whole)? }))
        };
        return inferred().map(Alone::Inferred).or_else(mean).ok_or(VerdictReason::SizeUnknown);
    };
    let Some(whole) = counted else {
        let units = stated.clusters().unwrap_or(n);
        return summary(value, stated.stderr(), units).ok_or(VerdictReason::NotAnAverage);
    };
    let rate = printed_rate(&stated, unit, n).ok_or(VerdictReason::NotAnAverage)?;
    if is_impossible(&stated, rate, spec) || impossible_stderr(&stated, spec).is_some() {
        return Err(VerdictReason::ImpossibleFigure);
    }
    let share = rate.share;
    let variance = share * (1.0 - share) / n.saturating_sub(1).max(1) as f64;
    let (of_counts, unlike) = (variance.max(0.0).sqrt() * whole, COUNT_STDERR * whole);
    let stderr = stated.stderr().filter(|stderr| (stderr - of_counts).abs() > unlike);
    // Right and wrong samples vary as they do, whatever is stated; scores between may vary less.
    let stderr = stderr.map(|own| if spec.outcomes { own.max(of_counts) } else { own });
    let allows_for_clusters = stderr.is_some_and(|own| !spec.outcomes || own > of_counts);
    if let Some(clusters) = stated.clusters().filter(|_| !allows_for_clusters) {
        // A share varies most where the samples of a cluster are all right or all wrong: then there are
        // as many draws as clusters.
        return Ok(Alone::Rate(ReportedRate { share, decimals: MOST_DECIMALS, n: clusters }));
    }
    if let Some(stderr) = stderr {
        let units = stated.clusters().unwrap_or(n);
        return summary(value, Some(stderr), units).ok_or(VerdictReason::NotAnAverage);
    }
    let count = share * n as f64;
    let whole_count = (count - count.round()).abs() <= WHOLE_COUNT * (n as f64).max(1.0);
    if whole_count
        && rate.decimals >= EXACT_DECIMALS
        && let Some(counts) = Counts::new(count.round() as u64, n)
    {
        return Ok(Alone::Counts(counts));
    }
    Ok(Alone::Rate(rate))
}

/// The stated standard error, where it is not larger than the standard deviation that scores with
/// such a mean can have.
fn possible_stderr(stated: StatedSide<'_>, whole: Option<f64>) -> Option<f64> {
    let (value, stderr) = (stated.value().value()?, stated.stderr()?);
    let most = whole.map_or(f64::INFINITY, |whole| (value * (whole - value)).max(0.0).sqrt());
    (stderr > 0.0 && stderr <= most).then_some(stderr)
}

/// The counts behind a share whose standard error is that of counts: the size that both imply, where
/// n and n·p are whole.
fn counts_of_stderr(share: f64, stderr: f64) -> Option<Counts> {
    let n = reported::implied_size(share, stderr)?;
    let whole = |value: f64| (value - value.round()).abs() <= INFERRED * value.abs().max(1.0);
    let plausible = n.is_finite() && (2.0..1e7).contains(&n) && whole(n);
    let x = share * n.round();
    (plausible && whole(x)).then(|| Counts::new(x.round() as u64, n.round() as u64)).flatten()
}

fn summary(mean: f64, stderr: Option<f64>, n: u64) -> Option<Alone> {
    let stderr = stderr.filter(|stderr| stderr.is_finite() && *stderr >= 0.0)?;
    let m2 = stderr * stderr * n as f64 * n.checked_sub(1)? as f64;
    Some(Alone::Moments(Moments::new(n, mean, m2)))
}
