//! Tests whether fields that could define clusters do: samples that share a value and have similar
//! differences are not independent evidence.

use super::evidence::ComparisonEvidence;
use super::grouped::Groupable;
use super::{CompareOptions, MeasuredCell};
use crate::pairing::{
    ArmPair, CellPair, GroupOrigin, PairArm, PairPartition, PairedArms, PossibleClusters,
};
use crate::stats::means::intraclass::{CrossedValue, Intraclass, intraclass, intraclass_across};
use crate::stats::{Interval, Moments};

/// A field by whose values the differences of a cell are alike.
#[derive(Debug)]
pub struct HiddenClusters {
    /// The field.
    pub key: String,
    /// Its values among the pairs; a pair without one is a cluster of its own.
    pub clusters: usize,
    /// Samples whose differences were looked at.
    pub samples: usize,
    pub correlation: Intraclass,
    /// Whether a field says them, or a part of a text or an id.
    pub origin: GroupOrigin,
    /// Whether other clusters count already, and whether these lie in several of its own.
    pub(super) beside: bool,
    pub(super) crosses: bool,
    /// Whether all datasets of an average show it together, and this one not by itself.
    pub(super) in_suite: bool,
    /// The same scores with its values as clusters.
    pub(super) evidence: ComparisonEvidence,
}

impl MeasuredCell<'_> {
    /// The interval with the clusters of a field. Where they cross those that count already, the
    /// squares of both half widths are added: the variance of clusters in two ways is that of the one
    /// and of the other less that of what they share (Cameron, Gelbach and Miller 2011, *Journal of
    /// Business & Economic Statistics* 29).
    pub(super) fn interval_with(&self, hidden: &HiddenClusters, level: f64) -> Option<Interval> {
        let found = hidden.evidence.interval(level)?;
        if !hidden.crosses {
            return Some(found);
        }
        let counted = self.evidence.as_ref()?.interval(level)?;
        let delta = self.analysis.as_ref()?.delta;
        let lo = delta - (delta - found.lo).hypot(delta - counted.lo);
        let hi = delta + (found.hi - delta).hypot(counted.hi - delta);
        Some(hidden.evidence.possible(Interval { lo, hi, level }))
    }

    /// An interval, and those at its level with each field as the cluster that hides some.
    pub(super) fn with_hidden(&self, interval: Interval) -> Interval {
        let clustered =
            self.hidden.iter().filter_map(|hidden| self.interval_with(hidden, interval.level));
        clustered.fold(interval, |covering, Interval { lo, hi, .. }| covering.covering(lo, hi))
    }
}

/// How many tests hold fields, of few values or of more, against the differences of cells, over all
/// pairs of arms: the level is shared among them (Bonferroni), so that none finds something by chance
/// more often than α.
pub(super) fn count(paired_arms: &PairedArms<'_>, few: bool) -> usize {
    let pairs = paired_arms.pairs.iter();
    let cells = pairs.flat_map(|pair| pair.cells.iter().map(move |cell| (pair, cell)));
    let fields = cells.flat_map(|(pair, cell)| fields(pair, cell, few));
    fields.map(|field| 1 + usize::from(field.crosses)).sum()
}

/// The fields that may say a cluster of the samples of a cell that can have a verdict.
fn fields<'p>(
    pair: &'p ArmPair<'_>,
    cell: &CellPair<'_>,
    few: bool,
) -> impl Iterator<Item = &'p PossibleClusters> {
    let has_runs = !pair.is_repeated() || PairArm::BOTH.iter().all(|&which| pair.size(which) > 1);
    let is_judged = cell.has_good_side() && cell.total.is_none() && has_runs;
    let tables = cell.table.filter(|_| is_judged).and_then(|index| pair.tables.get(index));
    let possible = tables.into_iter().flat_map(|tables| &tables.clusters.possible);
    possible.filter(move |field| field.are_few() == few)
}

/// The fields of more values, and of few, by whose values the differences of a cell are alike, of so
/// many tests of either.
pub(super) fn hidden_clusters<'a>(
    pair: &ArmPair<'a>,
    cell: &CellPair<'a>,
    tests: [usize; 2],
    options: &CompareOptions,
) -> [Vec<HiddenClusters>; 2] {
    let all = || [false, true].into_iter().flat_map(|few| fields(pair, cell, few));
    let scores = all().next().and_then(|_| Groupable::new(pair, cell));
    let Some(scores) = scores else { return [Vec::new(), Vec::new()] };
    let differences = scores.differences();
    let used = cell.table.and_then(|index| pair.tables.get(index)?.clusters.used.as_ref());
    [false, true].map(|few| {
        let level = 1.0 - options.stats.alpha / tests[usize::from(few)].max(1) as f64;
        let found = |PossibleClusters { partition, crosses, origin }: &PossibleClusters| {
            let correlation = alike(by_groups(&differences, partition, used), *crosses, level)?;
            Some(HiddenClusters {
                key: partition.key.clone(),
                clusters: if few { partition.values() } else { partition.count },
                samples: differences.len(),
                correlation,
                origin: origin.clone(),
                beside: used.is_some(),
                crosses: *crosses,
                in_suite: false,
                evidence: scores.evidence_by(partition, cell)?,
            })
        };
        fields(pair, cell, few).filter_map(found).collect()
    })
}

/// A field that all datasets of an average show, as what hides clusters of one of them.
pub(super) fn hidden_in_part(
    part: &MeasuredCell<'_>,
    field: &PossibleClusters,
    correlation: Intraclass,
) -> Option<HiddenClusters> {
    let scores = Groupable::new(part.pair, part.cell)?;
    let PossibleClusters { partition, crosses, origin } = field;
    let used = part.pair.tables.get(part.cell.table?)?.clusters.used.as_ref();
    Some(HiddenClusters {
        key: partition.key.clone(),
        clusters: partition.count,
        samples: scores.differences().len(),
        correlation,
        origin: origin.clone(),
        beside: used.is_some(),
        crosses: *crosses,
        in_suite: true,
        evidence: scores.evidence_by(partition, part.cell)?,
    })
}

fn by_groups(
    differences: &[(usize, f64)],
    groups: &PairPartition,
    counting: Option<&PairPartition>,
) -> Vec<GroupedDifference> {
    let grouped = |&(pair, value): &(usize, f64)| GroupedDifference {
        group: groups.pair_clusters()[pair],
        cluster: counting.map(|counting| counting.pair_clusters()[pair]),
        value,
    };
    differences.iter().map(grouped).collect()
}

/// Candidate − baseline of one pair, and what it is divided by.
#[derive(Debug, Clone, Copy)]
pub(super) struct GroupedDifference {
    pub(super) group: u32,
    /// The cluster that counts, where there is any.
    pub(super) cluster: Option<u32>,
    pub(super) value: f64,
}

/// What is a draw of its own, in the group that it belongs to.
struct Draw {
    group: u32,
    value: f64,
    /// Whether the arms differ in it at all.
    differs: bool,
}

/// How alike differences are within groups, where a test shows that they are: of samples that stand
/// for themselves, else of the clusters that count, and where these cross the groups also of the
/// samples within each.
pub(super) fn alike(
    mut differences: Vec<GroupedDifference>,
    crosses: bool,
    level: f64,
) -> Option<Intraclass> {
    let shown = |units: &[Draw], found: Option<Intraclass>| {
        found.filter(|found| found.lower > 0.0 && !says_little(units))
    };
    let is_clustered = differences.iter().any(|one| one.cluster.is_some());
    let units =
        if is_clustered { clusters_as_units(&mut differences) } else { units(&differences) };
    let between = shown(&units, intraclass(&against_the_rest(by_group(&units)), level));
    if between.is_some() || !crosses {
        return between;
    }
    let crossed = |one: &GroupedDifference| CrossedValue {
        cluster: one.cluster.unwrap_or_default(),
        group: one.group,
        value: one.value,
    };
    let mut values: Vec<CrossedValue> = differences.iter().map(crossed).collect();
    shown(&self::units(&differences), intraclass_across(&mut values, level))
}

fn units(differences: &[GroupedDifference]) -> Vec<Draw> {
    let unit = |&GroupedDifference { group, value, .. }: &GroupedDifference| Draw {
        group,
        value,
        differs: value != 0.0,
    };
    differences.iter().map(unit).collect()
}

/// The clusters that count, each in the group that most of its samples are in, with what it adds to
/// the difference beyond its number of samples.
fn clusters_as_units(differences: &mut [GroupedDifference]) -> Vec<Draw> {
    let mean = differences.iter().map(|one| one.value).collect::<Moments>().mean;
    differences.sort_by_key(|one| (one.cluster, one.group));
    let unit = |cluster: &[GroupedDifference]| {
        let groups = cluster.chunk_by(|a, b| a.group == b.group);
        let group = groups.max_by_key(|same| same.len())?.first()?.group;
        let value = cluster.iter().map(|one| one.value - mean).sum();
        let differs = cluster.iter().any(|one| one.value != 0.0);
        Some(Draw { group, value, differs })
    };
    differences.chunk_by(|a, b| a.cluster == b.cluster).filter_map(unit).collect()
}

fn by_group(units: &[Draw]) -> Vec<Moments> {
    let count = units.iter().map(|unit| unit.group as usize + 1).max().unwrap_or_default();
    let mut groups = vec![Moments::default(); count];
    for unit in units {
        groups[unit.group as usize].add(unit.value);
    }
    groups
}

/// The groups; where one alone has several units, it and all others together.
fn against_the_rest(groups: Vec<Moments>) -> Vec<Moments> {
    let mut several = groups.iter().filter(|group| group.n > 1);
    let (Some(&large), None) = (several.next(), several.next()) else { return groups };
    let rest = groups.iter().filter(|group| group.n == 1).map(|group| group.mean).collect();
    vec![large, rest]
}

/// Mean size of groups below which few differences make the F test find too much, and how many have
/// to be other than 0 then. Of 200 pairs in groups of two, 1.25 % of the tests at 1.25 % should find
/// something: 3.0 % do where 10 pairs differ, 1.5 % where 20 do (4,000 simulated data sets each).
const SMALL_GROUPS: f64 = 3.0;
const FEWEST_DIFFERENT: usize = 20;

/// Whether groups are small and few of the units in them differ.
fn says_little(units: &[Draw]) -> bool {
    let groups = by_group(units);
    let shared = || groups.iter().filter(|group| group.n >= 2);
    let size: u64 = shared().map(|group| group.n).sum();
    let different = || units.iter().filter(|unit| unit.differs).count();
    (size as f64) < SMALL_GROUPS * shared().count() as f64 && different() < FEWEST_DIFFERENT
}
