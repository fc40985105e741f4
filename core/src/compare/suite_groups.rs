//! Samples that belong together over the datasets of an average: by the clusters that count, by a field
//! that may say one, or because one id stands in several datasets.
//!
//! Says how much less sure that makes a mean over the datasets; what follows is decided where averages
//! are formed.

use std::collections::BTreeSet;

use super::MeasuredCell;
use super::grouped::Groupable;
use super::hidden::{GroupedDifference, alike};
use super::seeds::GroupableRuns;
use crate::pairing::{GroupOrigin, PairArm, PossibleClusters, TablePair};
use crate::stats::means::intraclass::Intraclass;
use crate::stats::{Design, Moments};

/// The samples of every part of an average, in groups that may reach over parts.
#[derive(Debug)]
pub(super) struct SuiteGroups {
    /// For each part, the number of the group of each of its pairs.
    of_pairs: Vec<Vec<u32>>,
    count: usize,
}

/// What names a group, and where the name holds.
type Label = (usize, u64);

impl SuiteGroups {
    /// One without a label is a group of its own.
    fn by_label(labels: &[Vec<Option<Label>>]) -> Self {
        let mut known: Vec<Label> = labels.iter().flatten().flatten().copied().collect();
        known.sort_unstable();
        known.dedup();
        let mut count = known.len();
        let mut number = |label: &Option<Label>| {
            let group = label.and_then(|label| known.binary_search(&label).ok());
            group.unwrap_or_else(|| {
                count += 1;
                count - 1
            }) as u32
        };
        let of_pairs = labels.iter().map(|part| part.iter().map(&mut number).collect()).collect();
        Self { of_pairs, count }
    }

    /// The clusters that count, one where they have one name in several datasets. `None` where samples
    /// stand for themselves.
    pub(super) fn by_clusters(parts: &[&MeasuredCell<'_>]) -> Option<Self> {
        let tables = parts.iter().map(|part| table(part));
        let partitions: Vec<_> =
            tables.map(|table| table.and_then(|table| table.clusters.used.as_ref())).collect();
        let fields = partitions.iter().flatten().filter(|one| !one.by_content);
        let keys: BTreeSet<&str> = fields.map(|one| one.key.as_str()).collect();
        let labels = |(place, part): (usize, &&MeasuredCell<'_>)| -> Option<Vec<Option<Label>>> {
            let pairs = 0..table(part)?.join.pairs.len();
            let Some(partition) = partitions[place] else { return Some(vec![None; pairs.len()]) };
            // Contents are numbered anew in each dataset.
            let of_field =
                keys.iter().position(|key| *key == partition.key && !partition.by_content);
            let space = of_field.unwrap_or(keys.len() + place);
            Some(pairs.map(|pair| Some((space, partition.label(pair)?))).collect())
        };
        partitions.iter().flatten().next()?;
        let labels: Option<Vec<_>> = parts.iter().enumerate().map(labels).collect();
        Some(Self::by_label(&labels?))
    }

    /// Samples with one id.
    pub(super) fn by_ids(parts: &[&MeasuredCell<'_>]) -> Option<Self> {
        let labels = |part: &&MeasuredCell<'_>| -> Option<Vec<Option<Label>>> {
            let TablePair { baseline, join, .. } = table(part)?;
            let id = |&(row, _): &(u32, u32)| Some((0, *baseline.id_hashes().get(row as usize)?));
            Some(join.pairs.iter().map(id).collect())
        };
        let labels: Option<Vec<_>> = parts.iter().map(labels).collect();
        Some(Self::by_label(&labels?))
    }

    /// Samples with one value of a field.
    fn by_field(parts: &[&MeasuredCell<'_>], field: &SuiteField) -> Option<Self> {
        let labels = |part: &&MeasuredCell<'_>| -> Option<Vec<Option<Label>>> {
            let pairs = 0..table(part)?.join.pairs.len();
            let partition = field.in_part(part).map(|found| &found.partition);
            Some(pairs.map(|pair| Some((0, partition?.label(pair)?))).collect())
        };
        let labels: Option<Vec<_>> = parts.iter().map(labels).collect();
        Some(Self::by_label(&labels?))
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// How far a weighted mean over the parts spreads beyond what the parts show by themselves.
    pub(super) fn spread(&self, differences: &[PartDifferences], weights: &[f64]) -> Spread {
        let mut sums: Vec<(u32, usize, f64, f64)> = Vec::new();
        for (part, (found, weight)) in differences.iter().zip(weights).enumerate() {
            let weight = weight / found.apart.len().max(1) as f64;
            let groups = &self.of_pairs[part];
            sums.extend(
                found
                    .apart
                    .iter()
                    .map(|&(pair, apart)| (groups[pair], part, weight * apart, weight)),
            );
        }
        sums.sort_by_key(|&(group, part, ..)| (group, part));
        let (mut whole, mut within, mut sizes) = (0.0, 0.0, 0.0_f64);
        let mut noise = 0.0_f64;
        for group in sums.chunk_by(|a, b| a.0 == b.0) {
            let of_part =
                |same: &[(u32, usize, f64, f64)]| same.iter().map(|one| one.2).sum::<f64>();
            let in_parts = || group.chunk_by(|a, b| a.1 == b.1).map(of_part);
            let squares = [in_parts().sum::<f64>().powi(2), in_parts().map(|sum| sum * sum).sum()];
            whole += squares[0];
            within += squares[1];
            noise += (squares[0] - squares[1]).powi(2);
            sizes += group.iter().map(|one| one.3).sum::<f64>().powi(2);
        }
        if whole <= within {
            return Spread::ALONE;
        }
        Spread {
            factor: (whole / within).sqrt(),
            most_df: 1.0 / sizes - 1.0,
            deviations: (whole - within) / noise.sqrt(),
        }
    }

    /// The runs of both arms over all parts, crossed with the groups: what each adds to the weighted mean
    /// beyond the mean of its run. `None` where not every run has the samples.
    pub(super) fn crossed(&self, parts: &[&MeasuredCell<'_>], weights: &[f64]) -> Option<Design> {
        let runs: Vec<GroupableRuns> = parts
            .iter()
            .map(|part| GroupableRuns::new(part.pair, part.cell))
            .collect::<Option<_>>()?;
        let scores: Vec<_> = runs.iter().map(GroupableRuns::scores).collect();
        let alone =
            scores.iter().flat_map(|(_, pairs)| pairs).filter(|pair| pair.is_none()).count();
        let size = parts.first()?;
        let [baseline, candidate] = PairArm::BOTH.map(|which| {
            let of_run = |run: usize| {
                let (mut mean, mut next) = (0.0, self.count);
                let mut sums = vec![0.0; self.count + alone];
                for (part, (scores, pairs)) in scores.iter().enumerate() {
                    let row = &scores[which][run];
                    let of_part = row.iter().sum::<f64>() / row.len() as f64;
                    mean += weights[part] * of_part;
                    for (pair, score) in pairs.iter().zip(row) {
                        let group =
                            pair.map_or(next, |pair| self.of_pairs[part][pair as usize] as usize);
                        next += usize::from(pair.is_none());
                        sums[group] += weights[part] * (score - of_part) / row.len() as f64;
                    }
                }
                let items = sums.len() as f64;
                sums.into_iter().map(|sum| mean + items * sum).collect::<Vec<f64>>()
            };
            (0..size.pair.size(which)).map(of_run).collect::<Vec<_>>()
        });
        Some(Design::SeedsByItems { baseline, candidate })
    }
}

/// What goes together over the parts of a mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spread {
    /// Of the standard error, to that of independent parts; at least 1, because a negative covariance is
    /// not believed.
    pub(super) factor: f64,
    /// Degrees of freedom that groups leave at most, counted as so many of equal size (Kish 1965, *Survey
    /// Sampling*).
    pub(super) most_df: f64,
    /// How many of its standard deviations the covariance lies above 0.
    deviations: f64,
}

/// Standard deviations beyond which a covariance is no chance: the normal quantile at a one-sided 5 %.
const BEYOND_CHANCE: f64 = 1.645;

impl Spread {
    pub(super) const ALONE: Self = Self { factor: 1.0, most_df: f64::INFINITY, deviations: 0.0 };

    /// Nothing where it may be chance: equal ids of two datasets may be counters.
    pub(super) fn beyond_chance(self) -> Self {
        if self.deviations > BEYOND_CHANCE { self } else { Self::ALONE }
    }

    pub(super) fn wider(self, other: Self) -> Self {
        if other.factor > self.factor { other } else { self }
    }
}

/// The differences of a part, less their mean.
#[derive(Debug)]
pub(super) struct PartDifferences {
    /// Behind the position of the pair.
    apart: Vec<(usize, f64)>,
    /// How many are other than 0.
    different: usize,
}

impl PartDifferences {
    pub(super) fn samples(&self) -> usize {
        self.apart.len()
    }

    /// `None` where samples of some part are not paired, or not those of all runs.
    pub(super) fn of(parts: &[&MeasuredCell<'_>]) -> Option<Vec<Self>> {
        let of_part = |part: &&MeasuredCell<'_>| {
            let mut apart = Groupable::new(part.pair, part.cell)?.differences();
            let different = apart.iter().filter(|(_, difference)| *difference != 0.0).count();
            let mean = apart.iter().map(|(_, difference)| *difference).collect::<Moments>().mean;
            for (_, difference) in &mut apart {
                *difference -= mean;
            }
            Some(Self { apart, different })
        };
        parts.iter().map(of_part).collect()
    }
}

/// A field that may say which samples belong together in some dataset of an average.
#[derive(Debug, Clone)]
pub(super) struct SuiteField {
    pub(super) key: String,
    pub(super) origin: GroupOrigin,
    /// Whether clusters that count lie in several of its values.
    pub(super) crosses: bool,
}

impl SuiteField {
    /// The fields of all parts that have more than a few values in some part.
    pub(super) fn all(parts: &[&MeasuredCell<'_>]) -> Vec<Self> {
        let mut found = Vec::<Self>::new();
        let possible = parts.iter().flat_map(|part| possible(part)).filter(|one| !one.are_few());
        for PossibleClusters { partition, crosses, origin } in possible {
            match found.iter_mut().find(|known| known.is(&partition.key, origin)) {
                Some(known) => known.crosses |= crosses,
                None => found.push(Self {
                    key: partition.key.clone(),
                    origin: origin.clone(),
                    crosses: *crosses,
                }),
            }
        }
        found
    }

    /// Whether it is that field, or the same part of ids or of its values.
    pub(super) fn is(&self, key: &str, origin: &GroupOrigin) -> bool {
        let is_same = match (&self.origin, origin) {
            (GroupOrigin::IdBeginning(_), GroupOrigin::IdBeginning(_))
            | (GroupOrigin::IdEnd(_), GroupOrigin::IdEnd(_)) => true,
            (mine, theirs) => mine == theirs,
        };
        self.key == key && is_same
    }

    pub(super) fn in_part<'p>(&self, part: &'p MeasuredCell<'_>) -> Option<&'p PossibleClusters> {
        possible(part).find(|one| self.is(&one.partition.key, &one.origin))
    }

    /// Tests that it takes.
    pub(super) fn tests(&self) -> usize {
        1 + usize::from(self.crosses)
    }

    /// Its values as groups, and how alike the differences within them are where a test at that level
    /// shows it.
    pub(super) fn groups(
        &self,
        parts: &[&MeasuredCell<'_>],
        differences: &[PartDifferences],
        level: f64,
    ) -> Option<(SuiteGroups, Option<Intraclass>)> {
        let groups = SuiteGroups::by_field(parts, self)?;
        let counting = SuiteGroups::by_clusters(parts);
        let grouped = differences.iter().enumerate().flat_map(|(part, found)| {
            let (groups, counting) = (&groups, &counting);
            found.apart.iter().map(move |&(pair, value)| GroupedDifference {
                group: groups.of_pairs[part][pair],
                cluster: counting.as_ref().map(|counting| counting.of_pairs[part][pair]),
                value,
            })
        });
        let different: usize = differences.iter().map(|part| part.different).sum();
        let shown = || alike(grouped.collect(), self.crosses, level);
        let correlation = if different < FEWEST_DIFFERENT { None } else { shown() };
        Some((groups, correlation))
    }
}

/// Differences other than 0 below which a test over all datasets finds too much.
const FEWEST_DIFFERENT: usize = 20;

fn table<'p>(part: &'p MeasuredCell<'_>) -> Option<&'p TablePair<'p>> {
    part.pair.tables.get(part.cell.table?)
}

/// What may say a cluster of the samples of a part; equal content is numbered anew in each.
fn possible<'p>(part: &'p MeasuredCell<'_>) -> impl Iterator<Item = &'p PossibleClusters> {
    let found = table(part).into_iter().flat_map(|table| &table.clusters.possible);
    found.filter(|one| part.cell.has_good_side() && !one.is_content())
}
