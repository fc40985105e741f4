//! Tests whether samples that stand next to each other are alike, whatever says that they belong
//! together: passages, sessions and series are written one behind the other.

use super::evidence::ComparisonEvidence;
use super::grouped::Groupable;
use super::hidden::HiddenClusters;
use super::{CompareOptions, ComparisonFamily, MeasuredCell};
use crate::model::Clustering;
use crate::pairing::{
    CellPair, GroupOrigin, PairArm, PairOrder, PairPartition, PairedArms, TablePair,
};
use crate::stats::means::blocks::{BlockCorrelation, FEWEST_BLOCKS, alike_in_blocks, block_sizes};
use crate::stats::series::{order_correlation, without_parabola};
use crate::stats::{ClusterSums, Design};

/// How many tests hold blocks of neighbours against the samples of cells: the level is shared among
/// them.
pub(super) fn count(paired_arms: &PairedArms<'_>) -> usize {
    let pairs = paired_arms.pairs.iter();
    let cells = pairs.flat_map(|pair| &pair.cells).filter(|cell| may_be_judged(cell));
    let samples = |cell: &CellPair<'_>| cell.baseline.samples.as_ref().map_or(0, |own| own.scored);
    cells.map(|cell| block_sizes(samples(cell) as usize)).sum()
}

fn may_be_judged(cell: &CellPair<'_>) -> bool {
    let has_samples = PairArm::BOTH.iter().all(|&which| cell.side(which).samples.is_some());
    let is_tested = ComparisonFamily::for_metric(cell.metric_role(), &cell.spec).is_some();
    has_samples && is_tested && cell.has_good_side() && cell.total.is_none()
}

/// Whether there is a verdict to hold against neighbours: that of the cell, or of an average that it
/// is part of.
fn has_something_to_say(measured: &MeasuredCell<'_>) -> bool {
    let interval = measured.analysis.as_ref().and_then(|found| found.interval);
    let differs = interval.is_some_and(|interval| interval.excludes(0.0));
    let margin = measured.margin.zip(measured.margin_interval);
    let is_within = margin.is_some_and(|(margin, interval)| interval.is_within(margin));
    let key = &measured.cell.key;
    let of_metric =
        || measured.pair.cells.iter().filter(|one| one.key.is_of(&key.metric, &key.dims));
    measured.refused.is_none() && (differs || is_within || of_metric().nth(1).is_some())
}

/// The blocks of neighbours in which the samples of a cell are alike, of so many tests.
pub(super) fn alike_neighbours(
    measured: &MeasuredCell<'_>,
    tests: usize,
    options: &CompareOptions,
) -> Vec<HiddenClusters> {
    let (pair, cell) = (measured.pair, measured.cell);
    if pair.clustering != Clustering::Automatic
        || !may_be_judged(cell)
        || !has_something_to_say(measured)
    {
        return Vec::new();
    }
    let levels = Levels { alpha: options.stats.alpha, tests };
    match (cell.table.and_then(|index| pair.tables.get(index)), Groupable::new(pair, cell)) {
        (Some(tables), Some(scores)) => among_pairs(cell, tables, &scores, levels),
        _ if pair.is_repeated() || measured.own_clusters().is_some() => Vec::new(),
        _ => within_arms(cell, levels).unwrap_or_default(),
    }
}

/// At which levels neighbours are found to be alike.
#[derive(Clone, Copy)]
struct Levels {
    alpha: f64,
    tests: usize,
}

impl Levels {
    /// The sizes of blocks that show it, in one of so many orders. Where one does by a test that
    /// counts all others, the rest only has to by itself: which size spans what belongs together is
    /// not known.
    fn shown(self, values: &[f64], orders: usize) -> Vec<BlockCorrelation> {
        let shared = self.alpha / (orders * self.tests).max(1) as f64;
        let mut found = alike_in_blocks(values, 1.0 - self.alpha);
        let is_shown = found.iter().any(|one| one.correlation.p < shared);
        found.retain(|one| is_shown && one.correlation.lower > 0.0);
        found
    }
}

fn among_pairs(
    cell: &CellPair<'_>,
    tables: &TablePair<'_>,
    scores: &Groupable<'_, '_>,
    levels: Levels,
) -> Vec<HiddenClusters> {
    let differences = scores.differences();
    let samples = differences.len();
    let mut of_pairs = vec![None; tables.join.pairs.len()];
    for (pair, difference) in within_parts(differences, tables) {
        of_pairs[pair] = Some(difference);
    }
    let used = tables.clusters.used.as_ref();
    let mut orders = tables.orders();
    orders.retain(|(_, positions)| !is_by_outcome(positions, cell, tables));
    let count = orders.len();
    let mut found = Vec::new();
    for (order, positions) in orders {
        let mut sequence = Sequence::new(&positions, &of_pairs, used);
        if used.is_none() {
            let known = positions.iter().filter(|&&pair| of_pairs[pair as usize].is_some());
            let ease = known.filter_map(|&pair| ease(pair as usize, cell, tables));
            sequence.take_difficulty(&ease.collect::<Vec<f64>>());
        }
        for BlockCorrelation { size, correlation } in levels.shown(&sequence.values, count) {
            let groups = PairPartition::in_blocks(&sequence.blocks(size, of_pairs.len()));
            let Some(evidence) = scores.evidence_by(&groups, cell) else { continue };
            found.push(HiddenClusters {
                key: groups.key.clone(),
                clusters: blocks_of(size, sequence.values.len()),
                samples,
                correlation,
                origin: GroupOrigin::Neighbours {
                    order: order.clone(),
                    example: sequence.example(size, tables),
                },
                beside: used.is_some(),
                crosses: false,
                in_suite: false,
                evidence,
            });
        }
    }
    found
}

/// Whether the scores of an arm rise or fall throughout in that order: it was made by them, and says
/// nothing of what samples share.
fn is_by_outcome(order: &[u32], cell: &CellPair<'_>, tables: &TablePair<'_>) -> bool {
    let pairs = || order.iter().filter_map(|&position| tables.join.pairs.get(position as usize));
    let score = |which: PairArm, row: u32| cell.side(which).samples.as_ref()?.score(row as usize);
    is_monotone(pairs().filter_map(|&(row, _)| score(PairArm::Baseline, row)))
        || is_monotone(pairs().filter_map(|&(_, row)| score(PairArm::Candidate, row)))
}

/// What both arms score in a pair, together.
fn ease(pair: usize, cell: &CellPair<'_>, tables: &TablePair<'_>) -> Option<f64> {
    let &(a, b) = tables.join.pairs.get(pair)?;
    let score = |which: PairArm, row: u32| cell.side(which).samples.as_ref()?.score(row as usize);
    Some(score(PairArm::Baseline, a)? + score(PairArm::Candidate, b)?)
}

/// Correlation of scores with their places from which on samples are sorted by difficulty.
/// Twenty clusters of ten that stand one behind the other, with a correlation of 0.3 between the scores
/// of each, reach it in 2 of 1,000 simulated files.
const SORTED: f64 = 0.4;

fn is_monotone(scores: impl Iterator<Item = f64> + Clone) -> bool {
    scores.clone().is_sorted() || scores.is_sorted_by(|a, b| a >= b)
}

/// The differences less the mean of their part, where a field of few values divides the dataset: parts
/// are no draw, and stand one behind the other too.
fn within_parts(mut differences: Vec<(usize, f64)>, tables: &TablePair<'_>) -> Vec<(usize, f64)> {
    let fields = tables.clusters.possible.iter().map(|field| (field.are_few(), &field.partition));
    for (_, parts) in fields.filter(|(are_few, parts)| *are_few && parts.alone == 0) {
        let mut sums = vec![(0.0, 0.0); parts.count];
        let part = |pair: usize| parts.pair_clusters()[pair] as usize;
        for &(pair, difference) in &differences {
            let (sum, n) = &mut sums[part(pair)];
            (*sum, *n) = (*sum + difference, *n + 1.0);
        }
        for (pair, difference) in &mut differences {
            let (sum, n) = sums[part(*pair)];
            *difference -= sum / n;
        }
    }
    differences
}

/// What is drawn, one behind the other: pairs, or the clusters that count where they first appear,
/// each with what it adds to the difference beyond its number of pairs.
struct Sequence {
    values: Vec<f64>,
    /// The place of each pair, and of its cluster, among them.
    places: Vec<(u32, u32)>,
}

impl Sequence {
    fn new(order: &[u32], of_pairs: &[Option<f64>], used: Option<&PairPartition>) -> Self {
        let known = of_pairs.iter().flatten();
        let mean = known.clone().sum::<f64>() / known.count().max(1) as f64;
        let mut values = Vec::with_capacity(used.map_or(order.len(), |used| used.count));
        let mut places = Vec::with_capacity(order.len());
        let mut of_clusters = vec![None; used.map_or(0, |used| used.count)];
        for &pair in order {
            let Some(difference) = of_pairs[pair as usize] else { continue };
            let cluster = used.map(|used| used.pair_clusters()[pair as usize] as usize);
            let known = cluster.and_then(|cluster| of_clusters[cluster]);
            let place = known.unwrap_or(values.len());
            if known.is_none() {
                values.push(0.0);
            }
            if let Some(cluster) = cluster {
                of_clusters[cluster] = Some(place);
            }
            values[place] += if used.is_some() { difference - mean } else { difference };
            places.push((pair, place as u32));
        }
        Self { values, places }
    }

    /// Takes from the values what their places say of them, where samples are sorted by difficulty: how
    /// far arms differ goes with it, and neighbours are alike in that and share nothing else.
    fn take_difficulty(&mut self, ease: &[f64]) {
        if ease.len() == self.values.len() && order_correlation(ease).abs() >= SORTED {
            without_parabola(&mut self.values);
        }
    }

    /// The first and the last id of the first block.
    fn example(&self, size: usize, tables: &TablePair<'_>) -> String {
        let place = |place: usize| self.places.iter().find(|(_, known)| *known as usize == place);
        let id = |at| {
            let row = place(at).and_then(|(pair, _)| tables.join.pairs.get(*pair as usize));
            row.map_or("", |(row, _)| tables.baseline.id(*row as usize))
        };
        format!("id={} … id={}", id(0), id(size - 1))
    }

    /// The block of each pair, from 1 on: 0 for one without a difference. Where a further doubling would
    /// leave too few there are as few as can be, since what a longer block shares is lost.
    fn blocks(&self, size: usize, pairs: usize) -> Vec<u64> {
        let count = blocks_of(size, self.values.len());
        let mut blocks = vec![0; pairs];
        for &(pair, place) in &self.places {
            blocks[pair as usize] = 1 + block(place as usize, count, self.values.len());
        }
        blocks
    }
}

fn blocks_of(size: usize, values: usize) -> usize {
    let count = values / size;
    if count < 2 * FEWEST_BLOCKS { FEWEST_BLOCKS } else { count }
}

/// In which of so many blocks of nearly equal size a place lies.
fn block(place: usize, count: usize, places: usize) -> u64 {
    (place * count / places) as u64
}

/// Blocks of the records of each arm, where these are not paired.
fn within_arms(cell: &CellPair<'_>, levels: Levels) -> Option<Vec<HiddenClusters>> {
    let arms = [cell.baseline.samples.as_ref()?, cell.candidate.samples.as_ref()?];
    let scores = arms.map(|samples| samples.scores().collect::<Vec<f64>>());
    let shown = [0, 1].map(|arm| {
        let is_by_score = is_monotone(scores[arm].iter().copied());
        if is_by_score { Vec::new() } else { levels.shown(&scores[arm], scores.len()) }
    });
    let sizes = shown.iter().map(Vec::len).max()?;
    let by_size = (0..sizes).filter_map(|at| {
        let sums = |arm: usize| {
            let size = shown[arm].get(at).or(shown[arm].last()).map_or(1, |one| one.size);
            in_blocks(&scores[arm], size)
        };
        let found = shown.iter().filter_map(|found| found.get(at));
        let strongest = found.max_by(|a, b| a.correlation.lower.total_cmp(&b.correlation.lower))?;
        let id = |place: usize| arms[0].rows().nth(place).map_or("", |row| arms[0].table.id(row));
        let example = format!("id={} … id={}", id(0), id(strongest.size - 1));
        let design = Design::IndependentClustered { baseline: sums(0), candidate: sums(1) };
        Some(HiddenClusters {
            key: "order".to_owned(),
            clusters: scores.iter().map(Vec::len).min()? / strongest.size,
            samples: scores.iter().map(Vec::len).sum(),
            correlation: strongest.correlation,
            origin: GroupOrigin::Neighbours { order: PairOrder::Records, example },
            beside: false,
            crosses: false,
            in_suite: false,
            evidence: ComparisonEvidence::new(design, &cell.spec),
        })
    });
    Some(by_size.collect())
}

fn in_blocks(scores: &[f64], size: usize) -> ClusterSums {
    let count = if size > 1 { blocks_of(size, scores.len()) } else { scores.len() };
    let places = scores.iter().enumerate();
    ClusterSums::summed(places.map(|(place, &score)| (block(place, count, scores.len()), score)))
}
