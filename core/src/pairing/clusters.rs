//! Which samples, paired or of one arm, belong together, and by which field.
//!
//! A field that says so in one arm says it for the pair, and so does content that stands behind
//! several ids. Where several could, the one with fewest clusters is taken: it is the coarser one
//! where one lies within the other, and the more careful one where they cross. Fields that may only
//! say so are handed on to be tested.

use super::field_names::{groups_nothing, is_of_question};
use super::id_parts::{GroupedIds, IdPart, grouped_ids};
use super::orders::PairOrder;
use super::partners::PairedRows;
use super::side::SampledSide;
use crate::model::{Clustering, SampleTable, SharedKey, SharedPart};

/// The clusters of the pairs of two tables.
#[derive(Debug)]
pub struct PairClusters {
    pub asked: Clustering,
    /// The clusters in use; `None` if pairs are independent.
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
    /// What names each cluster behind those of pairs that name none, ordered.
    labels: Vec<u64>,
}

/// Pairs divided by a field that may say a cluster.
#[derive(Debug)]
pub struct PossibleClusters {
    pub partition: PairPartition,
    /// Whether some cluster that counts lies in several of these.
    pub crosses: bool,
    pub origin: GroupOrigin,
}

/// What says which pairs may belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GroupOrigin {
    /// The value of a field.
    Field,
    /// What the value of a field begins with.
    FieldBeginning(SharedPart),
    /// What ids begin with, such as this one.
    IdBeginning(String),
    /// What ids end with, such as this one.
    IdEnd(String),
    /// Places next to each other in that order, such as those from one id to another.
    Neighbours { order: PairOrder, example: String },
}

/// A field that could have defined the clusters.
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

    /// What names the cluster of the pair at that position: equal values of one field have one label in
    /// every table.
    pub fn label(&self, pair: usize) -> Option<u64> {
        let cluster = *self.pair_clusters.get(pair)? as usize;
        self.labels.get(cluster.checked_sub(self.alone as usize)?).copied()
    }

    /// How many values say a cluster.
    pub fn values(&self) -> usize {
        self.count - self.alone as usize
    }

    /// Pairs in these blocks, numbered from 1 on, of an order.
    pub fn in_blocks(blocks: &[u64]) -> Self {
        Self::by_label("order", blocks)
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
            labels: distinct,
        }
    }

    /// Whether there are so few clusters of so many pairs each, by content or a field that may as well
    /// be a setting, that they are no draw: a `context` of four lengths, a prompt that is one of three
    /// templates. Five passages stay five passages.
    fn is_of_parts(&self) -> bool {
        let may_be_setting = self.by_content || MAY_BE_SETTINGS.contains(&self.key.as_str());
        let are_few = self.values() < FEWEST_TESTED;
        may_be_setting && are_few && PART_SIZE * self.values() <= self.pair_clusters.len()
    }

    /// Whether both make the same clusters.
    fn divides_like(&self, other: &Self) -> bool {
        self.count == other.count && self.lies_within(other) && other.lies_within(self)
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
/// samples are independent.
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

/// Whether that many clusters divide so many samples at all. A field with one value for all samples
/// does not, but a user may ask for it nevertheless.
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
    let found = fields.chain(by_content(join)).filter(divides);
    let (parts, mut found): (Vec<PairPartition>, Vec<PairPartition>) =
        found.partition(|one| *asked == Clustering::Automatic && one.is_of_parts());
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
        let (contents, fields): (Vec<PairPartition>, Vec<PairPartition>) =
            parts.into_iter().chain(found).partition(|other| other.by_content);
        let is_known = |content: &PairPartition| fields.iter().any(|one| one.divides_like(content));
        let contents = contents.into_iter().filter(|one| one.is_of_parts() && !is_known(one));
        let contents: Vec<PairPartition> =
            contents.map(|one| PairPartition { key: "prompt".to_owned(), ..one }).collect();
        let declared = fields.into_iter().chain(contents).map(|one| (one, GroupOrigin::Field));
        let shared = |whole| shared_fields(baseline, candidate, join, whole);
        let all = declared.chain(shared(true)).chain(told_by_ids(baseline, join));
        let all = all.chain(shared(false));
        possible(all, used.as_ref())
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

/// Fields that say a cluster by their name, and a setting or a kind where they have few values.
const MAY_BE_SETTINGS: [&str; 7] =
    ["context", "template", "template_id", "family", "table", "image", "user_id"];

/// Fields whose values are the kinds that a dataset is made of, and how many of them there may be.
const KINDS: [&str; 12] = [
    "category",
    "subcategory",
    "difficulty",
    "level",
    "language",
    "lang",
    "subject",
    "domain",
    "type",
    "question_type",
    "task_type",
    "skill",
];
const MOST_KINDS: usize = 12;

/// Pairs to each value, on average, from which few values of a named field are parts of the dataset.
const PART_SIZE: usize = 20;

impl PossibleClusters {
    /// Whether content that no field says makes these.
    pub fn is_content(&self) -> bool {
        self.partition.by_content
    }

    /// Whether its values are too few for a test with them as clusters: most often they are parts of
    /// the dataset, all that there are and no draw. Of kinds that somebody lists there may be more.
    pub fn are_few(&self) -> bool {
        let values = self.partition.values();
        let name = self.partition.key.rsplit('.').next().unwrap_or_default();
        let are_kinds = self.origin == GroupOrigin::Field
            && KINDS.contains(&name)
            && values <= MOST_KINDS
            && PART_SIZE * values <= self.partition.pair_clusters.len();
        values < FEWEST_TESTED || are_kinds
    }
}

/// What may say a cluster, unless the clusters that count say it already, or what stands before it: of
/// a field and a part of a text or an id the field is named.
fn possible(
    all: impl Iterator<Item = (PairPartition, GroupOrigin)>,
    used: Option<&PairPartition>,
) -> Vec<PossibleClusters> {
    let mut found = Vec::<PossibleClusters>::new();
    for (partition, origin) in all {
        let is_same = |known: &PossibleClusters| {
            origin != GroupOrigin::Field && partition.divides_like(&known.partition)
        };
        if used.is_some_and(|used| partition.lies_within(used)) || found.iter().any(is_same) {
            continue;
        }
        let crosses = used.is_some_and(|used| !used.lies_within(&partition));
        found.push(PossibleClusters { partition, crosses, origin });
    }
    found
}

/// What ids begin or end with.
fn told_by_ids(
    baseline: &SampleTable,
    join: &PairedRows,
) -> impl Iterator<Item = (PairPartition, GroupOrigin)> {
    let found = |part| {
        let GroupedIds { labels, example } = grouped_ids(baseline, join, part)?;
        let origin = match part {
            IdPart::End => GroupOrigin::IdEnd(example),
            IdPart::Beginning | IdPart::FirstPart => GroupOrigin::IdBeginning(example),
        };
        Some((PairPartition::by_label("id", &labels), origin))
    };
    [IdPart::Beginning, IdPart::FirstPart, IdPart::End].into_iter().filter_map(found)
}

/// The fields, whole or parts of them, whose values several pairs share and in which the arms agree:
/// what differs between them is said by the answers, which go with the scores. What by its name says
/// something of the question may stand in one arm alone.
fn shared_fields<'t>(
    baseline: &'t SampleTable,
    candidate: &'t SampleTable,
    join: &'t PairedRows,
    whole: bool,
) -> impl Iterator<Item = (PairPartition, GroupOrigin)> + 't {
    let column = |table: &'t SampleTable, key: &SharedKey| {
        let known = table.shared_fields().iter().find(|(known, _)| known == key);
        known.map(|(_, rows)| rows.as_slice())
    };
    let partition = move |key: &SharedKey| {
        let value =
            |rows: &[u32], row: u32| u64::from(rows.get(row as usize).copied().unwrap_or(0));
        let mine = column(baseline, key)
            .map(|rows| join.pairs.iter().map(|&(a, _)| value(rows, a)).collect::<Vec<u64>>());
        let theirs = column(candidate, key)
            .map(|rows| join.pairs.iter().map(|&(_, b)| value(rows, b)).collect::<Vec<u64>>());
        // Topics, directories and the words around a question may have other names in each arm.
        let may_be_renamed = key.part != SharedPart::Whole || is_of_question(&key.field);
        let labels = match (mine, theirs) {
            (Some(mine), Some(theirs)) => {
                let by = |labels: &[u64]| PairPartition::by_label(&key.field, labels);
                let agree =
                    mine == theirs || may_be_renamed && by(&mine).divides_like(&by(&theirs));
                agree.then_some(mine)?
            }
            (Some(only), None) | (None, Some(only)) => {
                is_of_question(&key.field).then_some(only)?
            }
            (None, None) => return None,
        };
        let found = PairPartition::by_label(&key.field, &labels);
        let origin = match key.part {
            SharedPart::Whole => GroupOrigin::Field,
            part => holds_groups(&found).then_some(GroupOrigin::FieldBeginning(part))?,
        };
        (found.values() > 1 && found.count < labels.len()).then_some((found, origin))
    };
    let keys = |table: &'t SampleTable| table.shared_fields().iter().map(|(key, _)| key);
    let further = keys(candidate).filter(move |key| column(baseline, key).is_none());
    let keys = keys(baseline).chain(further);
    // Equal answers to different questions group nothing, and as many attempts or answers do not.
    let keys = keys.filter(|key| !groups_nothing(&key.field));
    keys.filter(move |key| (key.part == SharedPart::Whole) == whole).filter_map(partition)
}

/// Whether there are enough beginnings, and pairs to each on average: fewer are names of parts of the
/// dataset.
fn holds_groups(beginnings: &PairPartition) -> bool {
    let known = beginnings.pair_clusters.len() - beginnings.alone as usize;
    beginnings.values() >= FEWEST_TESTED && 2 * beginnings.values() <= known
}

/// The cluster of each pair as the baseline records it, or else the candidate.
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
