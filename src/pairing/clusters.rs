//! Which samples, paired or of one arm, belong together, and by which field.
//!
//! A field that says so in one arm says it for the pair, and so does content that stands behind
//! several ids. Where several could, the one with fewest clusters is taken: it is the coarser one
//! where one lies within the other, and the more careful one where they cross. Fields that may only
//! say so are handed on to be tested.

use super::id_beginnings::{BeginningEnd, Beginnings, beginnings};
use super::partners::PairedRows;
use super::side::SampledSide;
use crate::model::{Clustering, SampleTable};

/// The clusters of the pairs of two tables.
#[derive(Debug)]
pub struct PairClusters {
    pub asked: Clustering,
    /// The clusters that count; `None` when every pair stands for itself.
    pub used: Option<PairPartition>,
    /// Further fields that could have been taken.
    pub unused: Vec<Unused>,
    /// Fields whose values several pairs share, unless the user has chosen: they may say a cluster,
    /// also beside the one that counts.
    pub possible: Vec<PossibleClusters>,
    /// Whether the field that the user chose is in neither table.
    pub lacking: bool,
}

/// Pairs divided into clusters.
#[derive(Debug)]
pub struct PairPartition {
    pub key: String,
    /// Whether equal content says it, and no field.
    pub by_content: bool,
    /// Number of clusters; a pair that names none is a cluster of its own.
    pub count: usize,
    /// Pairs that name none.
    pub alone: u64,
    /// Position of the first of them.
    pub first_alone: Option<usize>,
    /// Number of the cluster of each pair, below `count`.
    pair_clusters: Vec<u32>,
}

/// Pairs divided by a field that may say a cluster.
#[derive(Debug)]
pub struct PossibleClusters {
    pub partition: PairPartition,
    /// Whether some cluster that counts lies in several of these.
    pub crosses: bool,
    /// What the ids of one of them begin with, where no field says it but the ids.
    pub beginning: Option<String>,
}

/// A field that could have told clusters apart.
#[derive(Debug)]
pub struct Unused {
    pub key: String,
    pub by_content: bool,
    pub count: usize,
    /// Whether each of its clusters lies within one of those that count.
    pub nested: bool,
}

impl PairPartition {
    /// Number of the cluster of each pair, in the order of the pairs.
    pub fn pair_clusters(&self) -> &[u32] {
        &self.pair_clusters
    }

    /// How many values say a cluster.
    pub fn values(&self) -> usize {
        self.count - self.alone as usize
    }

    /// Numbers clusters by label, after the pairs whose label is 0.
    fn by_label(key: &str, labels: &[u64]) -> Self {
        let mut distinct: Vec<u64> = labels.iter().copied().filter(|&label| label != 0).collect();
        distinct.sort_unstable();
        distinct.dedup();
        let alone = labels.iter().filter(|&&label| label == 0).count();
        let mut next_alone = 0;
        let number = |&label: &u64| {
            if label == 0 {
                next_alone += 1;
                next_alone - 1
            } else {
                (alone + distinct.binary_search(&label).unwrap_or_default()) as u32
            }
        };
        Self {
            key: key.to_owned(),
            by_content: false,
            count: alone + distinct.len(),
            alone: alone as u64,
            first_alone: labels.iter().position(|&label| label == 0),
            pair_clusters: labels.iter().map(number).collect(),
        }
    }

    /// Whether each cluster lies within one cluster of the other partition.
    fn lies_within(&self, other: &Self) -> bool {
        let mut outer = vec![None; self.count];
        self.pair_clusters.iter().zip(&other.pair_clusters).all(|(&own, &theirs)| {
            let known = outer.get_mut(own as usize);
            known.is_some_and(|known| *known.get_or_insert(theirs) == theirs)
        })
    }
}

/// The clusters of the samples of one arm, where they are not paired.
#[derive(Debug, Clone, Copy)]
pub struct UnpairedClusters<'a> {
    labels: &'a [u64],
}

impl UnpairedClusters<'_> {
    /// The cluster of a row. A sample that names none is a cluster of its own.
    pub fn cluster_of(self, row: usize) -> (u64, usize) {
        match self.labels.get(row) {
            None | Some(0) => (0, row),
            Some(&label) => (label, 0),
        }
    }
}

/// Chooses the clusters of the samples of one arm, by the rules that hold for pairs; `None` where
/// every sample stands for itself.
pub fn side_clusters<'s>(
    samples: &'s SampledSide<'_>,
    asked: &Clustering,
) -> Option<UnpairedClusters<'s>> {
    if *asked == Clustering::Off {
        return None;
    }
    let rows = samples.rows().count();
    let fields = samples.table.clusters().iter().map(|(_, labels)| UnpairedClusters { labels });
    let contents = samples.distinct.repeated.iter().filter(|_| *asked == Clustering::Automatic);
    let contents = contents.map(|repeated| UnpairedClusters { labels: repeated.labels() });
    let counted = fields.chain(contents).map(|own| {
        let mut distinct: Vec<_> = samples.rows().map(|row| own.cluster_of(row)).collect();
        distinct.sort_unstable();
        distinct.dedup();
        (distinct.len(), own)
    });
    let found = counted.filter(|&(count, _)| tells_apart(count, rows, asked));
    found.min_by_key(|&(count, _)| count).map(|(_, own)| own)
}

/// Whether that many clusters of so many samples tell some apart. A field that says the same of
/// all tells nothing apart; a user may mean it nevertheless.
fn tells_apart(clusters: usize, samples: usize, asked: &Clustering) -> bool {
    clusters < samples && (clusters > 1 || matches!(asked, Clustering::Key(_)))
}

/// Chooses the clusters of matched rows.
pub(super) fn pair_clusters(
    baseline: &SampleTable,
    candidate: &SampleTable,
    join: &PairedRows,
    asked: &Clustering,
) -> PairClusters {
    let mut keys: Vec<&str> = [baseline, candidate]
        .into_iter()
        .flat_map(|table| table.clusters().iter().map(|(key, _)| key.as_str()))
        .collect();
    keys.sort_unstable();
    keys.dedup();
    let lacking = matches!(asked, Clustering::Key(_)) && keys.is_empty();
    let partition =
        |key: &&str| PairPartition::by_label(key, &labels(baseline, candidate, join, key));
    let divides =
        |found: &PairPartition| tells_apart(found.count, found.pair_clusters.len(), asked);
    let fields = keys.iter().map(partition);
    let mut found: Vec<PairPartition> = fields.chain(by_content(join)).filter(divides).collect();
    // What the user names goes before what content says.
    let named = matches!(asked, Clustering::Key(_));
    found.sort_by_key(|partition| (named && partition.by_content, partition.count));
    let mut found = found.into_iter().peekable();
    let may_count = |first: &PairPartition| match asked {
        Clustering::Automatic => true,
        Clustering::Key(_) => !first.by_content,
        Clustering::Off => false,
    };
    let used = found.next_if(may_count);
    let found: Vec<PairPartition> = found.collect();
    let unused = found.iter().map(|other| Unused {
        nested: used.as_ref().is_some_and(|used| other.lies_within(used)),
        key: other.key.clone(),
        by_content: other.by_content,
        count: other.count,
    });
    let unused = unused.collect();
    let possible = if *asked == Clustering::Automatic {
        let declared = found.into_iter().filter(|other| !other.by_content);
        let fields = declared.chain(shared_fields(baseline, candidate, join));
        let fields = fields.filter_map(|field| possible(field, used.as_ref()));
        let mut fields: Vec<PossibleClusters> = fields.collect();
        for end in [BeginningEnd::LastSeparator, BeginningEnd::FirstSeparator] {
            let found = beginnings(baseline, join, end);
            fields.extend(found.and_then(|found| told_by_ids(&found, used.as_ref(), &fields)));
        }
        fields
    } else {
        Vec::new()
    };
    PairClusters { asked: asked.clone(), unused, used, possible, lacking }
}

/// The pairs of equal content as one cluster each.
fn by_content(join: &PairedRows) -> Option<PairPartition> {
    let label = |labels: &[u64], row: u32| labels.get(row as usize).copied().unwrap_or_default();
    let labels: Vec<u64> = match (&join.baseline.repeated, &join.candidate.repeated) {
        (Some(mine), _) => join.pairs.iter().map(|&(a, _)| label(mine.labels(), a)).collect(),
        (None, Some(theirs)) => {
            join.pairs.iter().map(|&(_, b)| label(theirs.labels(), b)).collect()
        }
        (None, None) => return None,
    };
    Some(PairPartition { by_content: true, ..PairPartition::by_label("content", &labels) })
}

/// Fewest clusters that can be tested.
const FEWEST_TESTED: usize = 6;

impl PossibleClusters {
    /// Whether its values are too few for a test with them as clusters: most often they are parts of
    /// the dataset, all that there are and no draw.
    pub fn are_few(&self) -> bool {
        self.partition.values() < FEWEST_TESTED
    }
}

/// A field that may say a cluster, unless its values lie within the clusters that count already.
fn possible(field: PairPartition, used: Option<&PairPartition>) -> Option<PossibleClusters> {
    if used.is_some_and(|used| field.lies_within(used)) {
        return None;
    }
    let crosses = used.is_some_and(|used| !used.lies_within(&field));
    Some(PossibleClusters { partition: field, crosses, beginning: None })
}

/// What ids begin with, unless a field says the same.
fn told_by_ids(
    Beginnings { labels, example }: &Beginnings,
    used: Option<&PairPartition>,
    fields: &[PossibleClusters],
) -> Option<PossibleClusters> {
    let found = possible(PairPartition::by_label("id", labels), used)?;
    let is_same = |field: &PossibleClusters| {
        let (mine, theirs) = (&found.partition, &field.partition);
        mine.lies_within(theirs) && theirs.lies_within(mine)
    };
    let is_known = fields.iter().any(is_same);
    (!is_known).then_some(PossibleClusters { beginning: Some(example.clone()), ..found })
}

/// The fields whose values several pairs share and in which the arms agree: what differs between
/// them is said by the answers, which go with the scores.
fn shared_fields(
    baseline: &SampleTable,
    candidate: &SampleTable,
    join: &PairedRows,
) -> Vec<PairPartition> {
    let partition = |(key, mine): &(String, Vec<u32>)| {
        let (_, theirs) = candidate.shared_fields().iter().find(|(other, _)| other == key)?;
        let value = |rows: &[u32], row: u32| rows.get(row as usize).copied().unwrap_or_default();
        let label = |&(a, b): &(u32, u32)| {
            let said = value(mine, a);
            (said == value(theirs, b)).then_some(u64::from(said))
        };
        let labels: Vec<u64> = join.pairs.iter().map(label).collect::<Option<_>>()?;
        let found = PairPartition::by_label(key, &labels);
        (found.values() > 1 && found.count < labels.len()).then_some(found)
    };
    baseline.shared_fields().iter().filter_map(partition).collect()
}

/// What the baseline says of each pair's cluster, or the candidate where it says nothing.
fn labels(
    baseline: &SampleTable,
    candidate: &SampleTable,
    join: &PairedRows,
    key: &str,
) -> Vec<u64> {
    let column = |table: &'_ SampleTable| -> Vec<u64> {
        let found = table.clusters().iter().find(|(known, _)| known == key);
        found.map(|(_, rows)| rows.clone()).unwrap_or_default()
    };
    let (mine, theirs) = (column(baseline), column(candidate));
    let of = |rows: &[u64], row: u32| rows.get(row as usize).copied().filter(|&label| label != 0);
    let label = |&(a, b): &(u32, u32)| of(&mine, a).or_else(|| of(&theirs, b)).unwrap_or(0);
    join.pairs.iter().map(label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_partition_lies_within_another_or_crosses_it() {
        let partition = |labels: &[u64]| PairPartition::by_label("key", labels);
        let passages = partition(&[1, 1, 2, 2, 3, 3, 0]);
        assert_eq!((passages.count, passages.alone, passages.first_alone), (4, 1, Some(6)));
        assert_eq!(passages.pair_clusters(), [1, 1, 2, 2, 3, 3, 0]);
        for (books, within) in [
            (&[7, 7, 7, 7, 9, 9, 9][..], true),
            (&[7, 7, 7, 9, 9, 9, 9], false),
            (&[1, 1, 2, 2, 3, 3, 0], true),
            (&[1, 2, 3, 4, 5, 6, 7], false),
        ] {
            assert_eq!(passages.lies_within(&partition(books)), within, "{books:?}");
        }
    }
}
