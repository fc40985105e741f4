//! What a cell offers to the statistics: the best design its data allows.
//!
//! Samples that are provably the same come first; then counts, then figures with a standard error,
//! then percentages with the number of samples behind them. A figure without that number is
//! refused.

use std::collections::BTreeMap;

use super::{Comparison, Reason};
use crate::group::{ArmPair, Cell, Partition, Side, SideSamples, Stated, TablePair};
use crate::model::Unit;
use crate::stats::{
    self, Analysis, ClusterSums, Counts, Design, DifferenceSample, Interval, Moments, PairedCounts,
    ReportedRate,
};

/// A design and the factor from its unit to the unit of the difference.
#[derive(Debug)]
pub(super) struct Evidence {
    design: Design,
    scale: f64,
    flips: Option<PairedCounts>,
    pairs: Option<u64>,
    inferred_size: bool,
}

impl Evidence {
    /// How the two sides were observed.
    pub(super) fn design(&self) -> &Design {
        &self.design
    }

    /// Whether a size was inferred from a standard error.
    pub(super) fn inferred_size(&self) -> bool {
        self.inferred_size
    }

    /// The statistics' answer in the unit of the difference.
    pub(super) fn analyse(&self, options: stats::Options) -> Option<Analysis> {
        let method = stats::method_for(&self.design)?;
        let mut analysis = method.analyse(&self.design, options);
        analysis.delta *= self.scale;
        analysis.interval = analysis.interval.map(|interval| self.scaled(interval));
        analysis.mde = analysis.mde.map(|mde| mde * self.scale);
        Some(analysis)
    }

    fn interval(&self, level: f64) -> Option<Interval> {
        let method = stats::method_for(&self.design)?;
        method.interval(&self.design, level).map(|interval| self.scaled(interval))
    }

    fn scaled(&self, interval: Interval) -> Interval {
        let Interval { lo, hi, level } = interval;
        Interval { lo: lo * self.scale, hi: hi * self.scale, level }
    }

    /// Paired outcomes, for 0/1 scores.
    pub(super) fn flips(&self) -> Option<PairedCounts> {
        self.flips
    }

    /// Number of clusters, when the cluster is the unit.
    pub(super) fn clusters(&self) -> Option<u64> {
        match &self.design {
            Design::PairedClustered(sums) => Some(sums.clusters.len() as u64),
            _ => None,
        }
    }

    /// Pairs whose scores entered.
    pub(super) fn paired(&self) -> Option<u64> {
        self.pairs
    }
}

/// The interval of a comparison at another level, in the unit of the difference.
pub(super) fn interval_at(comparison: &Comparison<'_>, level: f64) -> Option<Interval> {
    of(comparison.pair, comparison.cell).ok()?.interval(level)
}

/// The best design that the cell's data allows.
pub(super) fn of(pair: &ArmPair<'_>, cell: &Cell<'_>) -> Result<Evidence, Reason> {
    let joined = cell.table.and_then(|index| pair.tables.get(index));
    let samples = cell.baseline.samples.as_ref().zip(cell.candidate.samples.as_ref());
    if let (Some(tables), Some((mine, theirs))) = (joined, samples)
        && !tables.join.pairs.is_empty()
    {
        return paired(tables, mine, theirs, cell.spec.unit).ok_or(Reason::TooFew);
    }
    independent(cell)
}

fn paired(
    tables: &TablePair<'_>,
    mine: &SideSamples<'_>,
    theirs: &SideSamples<'_>,
    unit: Unit,
) -> Option<Evidence> {
    if let Some(clusters) = &tables.clusters.used {
        let sums = cluster_sums(tables, clusters, mine, theirs);
        let largest = sums.clusters.iter().map(|&(_, n)| n).max()?;
        if largest > 1 {
            let pairs = sums.clusters.iter().map(|&(_, n)| n).sum();
            let flips =
                (mine.is_binary() && theirs.is_binary()).then(|| tally(tables, mine, theirs));
            let design = Design::PairedClustered(sums);
            return Some(Evidence {
                design,
                scale: unit.shown_scale(),
                flips,
                pairs: Some(pairs),
                inferred_size: false,
            });
        }
    }
    if mine.is_binary() && theirs.is_binary() {
        let counts = tally(tables, mine, theirs);
        let design = Design::PairedBinary(counts);
        let scale = unit_of_share(unit);
        let pairs = Some(counts.n());
        return (counts.n() > 0).then_some(Evidence {
            design,
            scale,
            flips: Some(counts),
            pairs,
            inferred_size: false,
        });
    }
    let mut differences = DifferenceSample::default();
    for (a, b) in scores(tables, mine, theirs) {
        differences.add(a, b);
    }
    let pairs = differences.differences.n;
    let design = Design::PairedReal(differences);
    (pairs >= 2).then_some(Evidence {
        design,
        scale: unit.shown_scale(),
        flips: None,
        pairs: Some(pairs),
        inferred_size: false,
    })
}

/// Scores of the pairs that have one in both arms, in the unit of the cell.
pub(super) fn scores<'a>(
    tables: &'a TablePair<'_>,
    mine: &'a SideSamples<'_>,
    theirs: &'a SideSamples<'_>,
) -> impl Iterator<Item = (f64, f64)> + 'a {
    tables
        .join
        .pairs
        .iter()
        .filter_map(|&(a, b)| Some((mine.score(a as usize)?, theirs.score(b as usize)?)))
}

fn tally(tables: &TablePair<'_>, mine: &SideSamples<'_>, theirs: &SideSamples<'_>) -> PairedCounts {
    let mut counts = PairedCounts::default();
    for &(a, b) in &tables.join.pairs {
        if let Some((before, after)) = mine.outcome(a as usize).zip(theirs.outcome(b as usize)) {
            counts.add(before, after);
        }
    }
    counts
}

/// Differences and pairs by cluster; clusters without a pair of scores are left out.
fn cluster_sums(
    tables: &TablePair<'_>,
    clusters: &Partition,
    mine: &SideSamples<'_>,
    theirs: &SideSamples<'_>,
) -> ClusterSums {
    let mut sums = vec![(0.0, 0_u64); clusters.count];
    for (&(a, b), &cluster) in tables.join.pairs.iter().zip(clusters.of_pair()) {
        let scores = mine.score(a as usize).zip(theirs.score(b as usize));
        if let (Some((before, after)), Some(sum)) = (scores, sums.get_mut(cluster as usize)) {
            sum.0 += after - before;
            sum.1 += 1;
        }
    }
    sums.retain(|&(_, n)| n > 0);
    ClusterSums { clusters: sums }
}

/// Sums and counts of differences by the key of their cluster, in the order of the keys.
pub(super) fn sums_of<K: Ord>(differences: impl Iterator<Item = (K, f64)>) -> ClusterSums {
    let mut sums = BTreeMap::<K, (f64, u64)>::new();
    for (cluster, difference) in differences {
        let sum = sums.entry(cluster).or_default();
        sum.0 += difference;
        sum.1 += 1;
    }
    ClusterSums { clusters: sums.into_values().collect() }
}

/// What one side amounts to without its partner.
enum Alone {
    Counts(Counts),
    Inferred(Counts),
    Moments(Moments),
    Rate(ReportedRate),
}

fn independent(cell: &Cell<'_>) -> Result<Evidence, Reason> {
    let unit = cell.spec.unit;
    let (mine, theirs) = (alone(&cell.baseline, unit)?, alone(&cell.candidate, unit)?);
    let inferred_size = [&mine, &theirs].iter().any(|one| matches!(one, Alone::Inferred(_)));
    let (design, scale) = match (mine, theirs) {
        (
            Alone::Counts(baseline) | Alone::Inferred(baseline),
            Alone::Counts(candidate) | Alone::Inferred(candidate),
        ) => (Design::IndependentBinary { baseline, candidate }, unit_of_share(unit)),
        (Alone::Moments(baseline), Alone::Moments(candidate)) => {
            (Design::IndependentReal { baseline, candidate }, unit.shown_scale())
        }
        (Alone::Rate(baseline), Alone::Rate(candidate)) => {
            (Design::ReportedRates { baseline, candidate }, unit_of_share(unit))
        }
        (Alone::Counts(counts) | Alone::Inferred(counts), Alone::Rate(candidate)) => {
            (Design::ReportedRates { baseline: as_rate(counts), candidate }, unit_of_share(unit))
        }
        (Alone::Rate(baseline), Alone::Counts(counts) | Alone::Inferred(counts)) => {
            (Design::ReportedRates { baseline, candidate: as_rate(counts) }, unit_of_share(unit))
        }
        _ => return Err(Reason::SizeUnknown),
    };
    Ok(Evidence { design, scale, flips: None, pairs: None, inferred_size })
}

/// From a share to the unit of the difference: points for rates.
fn unit_of_share(unit: Unit) -> f64 {
    if unit.is_rate() { 100.0 } else { 1.0 }
}

fn as_rate(counts: Counts) -> ReportedRate {
    ReportedRate { share: counts.share(), decimals: MOST_DECIMALS, n: counts.n }
}

fn alone(side: &Side<'_>, unit: Unit) -> Result<Alone, Reason> {
    if let Some(samples) = side.samples.as_ref().filter(|samples| samples.scored > 0) {
        return Ok(from_samples(samples));
    }
    let stated = side.stated.ok_or(Reason::MissingValue)?;
    from_stated(stated, unit)
}

fn from_samples(samples: &SideSamples<'_>) -> Alone {
    if samples.is_binary()
        && let Some(counts) = samples.right_count().and_then(|x| Counts::new(x, samples.scored))
    {
        return Alone::Counts(counts);
    }
    let mut moments = Moments::default();
    for score in samples.scores() {
        moments.add(score);
    }
    Alone::Moments(moments)
}

/// A share within this of a whole count over n is that count.
const WHOLE_COUNT: f64 = 1e-6;
/// A standard error within this of the one of a count is the one of a count.
const COUNT_STDERR: f64 = 1e-6;
/// How whole a size inferred from a standard error has to be, relative to itself.
const INFERRED: f64 = 1e-7;
/// Decimals from which on a percentage that is a whole count is that count.
const EXACT_DECIMALS: u8 = 6;
/// Decimals beyond which a percentage is taken as exact.
const MOST_DECIMALS: u8 = 10;

fn from_stated(stated: Stated<'_>, unit: Unit) -> Result<Alone, Reason> {
    let value = stated.value().value().ok_or(Reason::MissingValue)?;
    let whole = unit.whole();
    let inferred = || counts_of_stderr(value / whole?, stated.stderr()? / whole?);
    let Some(n) = stated.n.filter(|&n| n > 0) else {
        return inferred().map(Alone::Inferred).ok_or(Reason::SizeUnknown);
    };
    let Some(whole) = whole else {
        return summary(value, stated.stderr(), n).ok_or(Reason::NotAnAverage);
    };
    let share = value / whole;
    if !(0.0..=1.0).contains(&share) {
        return Err(Reason::NotAnAverage);
    }
    if let Some(stderr) = stated.stderr() {
        let of_count = (share * (1.0 - share) / (n.saturating_sub(1).max(1)) as f64).sqrt();
        if (stderr / whole - of_count).abs() > COUNT_STDERR {
            return summary(value, Some(stderr), n).ok_or(Reason::NotAnAverage);
        }
    }
    let count = share * n as f64;
    let whole_count = (count - count.round()).abs() <= WHOLE_COUNT * (n as f64).max(1.0);
    let decimals = decimals_of_percent(&stated, unit);
    if whole_count
        && decimals >= EXACT_DECIMALS
        && let Some(counts) = Counts::new(count.round() as u64, n)
    {
        return Ok(Alone::Counts(counts));
    }
    Ok(Alone::Rate(ReportedRate { share, decimals, n }))
}

/// The counts behind a share whose standard error is that of counts, `s² = p(1−p)/(n−1)`: the only
/// n that makes both n and n·p whole, or nothing.
fn counts_of_stderr(share: f64, stderr: f64) -> Option<Counts> {
    let n = share * (1.0 - share) / (stderr * stderr) + 1.0;
    let whole = |value: f64| (value - value.round()).abs() <= INFERRED * value.abs().max(1.0);
    let plausible = n.is_finite() && (2.0..1e7).contains(&n) && whole(n);
    let x = share * n.round();
    (plausible && whole(x)).then(|| Counts::new(x.round() as u64, n.round() as u64)).flatten()
}

fn summary(mean: f64, stderr: Option<f64>, n: u64) -> Option<Alone> {
    let stderr = stderr.filter(|stderr| stderr.is_finite() && *stderr >= 0.0)?;
    let m2 = stderr * stderr * n as f64 * n.checked_sub(1)? as f64;
    Some(Alone::Moments(Moments { n, mean, m2 }))
}

/// Decimals of the percentage as the producer wrote it; 57.0 counts as one decimal.
fn decimals_of_percent(stated: &Stated<'_>, unit: Unit) -> u8 {
    let percent = unit == Unit::Percent || stated.rescaled();
    let decimals = stated.decimals().saturating_sub(if percent { 0 } else { 2 });
    u8::try_from(decimals).unwrap_or(MOST_DECIMALS).clamp(1, MOST_DECIMALS)
}
