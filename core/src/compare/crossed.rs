//! Scores of several runs over the same samples: who has which, and what stands in for the rest.
//!
//! Owns the table of runs by samples, the gaps included; which design it makes is decided in
//! `seeds.rs`, and what the extremes say in `verdict.rs`.

use std::collections::BTreeMap;

use super::bounds::{Bounds, wrong_and_right};
use crate::model::SampleStatus;
use crate::pairing::{CellPair, PairPartition, PairedRunCell, PerArm, SampledSide, TablePair};

/// Scores of the runs of either arm, in the unit of the cell: `arms[arm][run][sample]`.
pub(super) type Scores<T> = PerArm<Vec<Vec<T>>>;

/// Every sample that some run was asked, and each run's score of it.
#[derive(Debug)]
pub(super) struct Crossed {
    scores: Scores<Option<f64>>,
    asked: usize,
    /// The cluster of each sample, where samples come in clusters.
    clusters: Option<Vec<Cluster>>,
    /// Position of each sample among the pairs of the leads, where both have it.
    pairs: Vec<Option<u32>>,
    /// The scores that stand for wrong and right, where scores have bounds.
    wrong_and_right: Option<(f64, f64)>,
}

impl Crossed {
    /// The samples of all runs. `None` when some run has none.
    ///
    /// Samples are matched through those of the baseline's lead, to which every other run is
    /// joined; what the lead lacks is matched by its id.
    pub(super) fn new(
        cell: &CellPair<'_>,
        runs: &PerArm<Vec<PairedRunCell<'_, '_>>>,
    ) -> Option<Self> {
        let [baseline, candidate] = runs;
        let mut columns = Columns::of_lead(baseline.first()?.samples()?);
        let all = || runs.iter().flatten();
        let clusters = all().filter_map(|run| run.table).find_map(|table| columns.clusters(table));
        let pairs = candidate.first()?.table.map(|table| columns.pairs(table)).unwrap_or_default();
        let mut rows = Vec::new();
        for run in all() {
            rows.push(columns.rows_of(run)?);
        }
        columns.add_contradicted(runs);
        let unseen = all().filter_map(|run| run.table).map(TablePair::unseen).max();
        let known = columns.asked.len();
        columns.asked.resize(known + unseen.unwrap_or(0) as usize, true);
        let asked: Vec<usize> =
            (0..columns.asked.len()).filter(|&column| columns.asked[column]).collect();
        let mut rows = rows.into_iter().map(|row| -> Vec<Option<f64>> {
            asked.iter().map(|&column| row.get(column).copied().flatten()).collect()
        });
        let scores = runs.each_ref().map(|arm| rows.by_ref().take(arm.len()).collect());
        let right = all().all(|run| run.samples().is_some_and(SampledSide::is_binary)).then(|| {
            let scores: &Scores<Option<f64>> = &scores;
            scores.iter().flatten().flatten().flatten().copied().fold(0.0, f64::max)
        });
        Some(Self {
            wrong_and_right: wrong_and_right(right.filter(|&right| right > 0.0), cell),
            clusters: clusters.map(|known| {
                let cluster = |&column: &usize| known.get(&column).copied();
                asked
                    .iter()
                    .map(|column| cluster(column).unwrap_or(Cluster::Alone(*column)))
                    .collect()
            }),
            pairs: asked.iter().map(|column| pairs.get(column).copied()).collect(),
            asked: asked.len(),
            scores,
        })
    }

    /// Whether samples come in clusters.
    pub(super) fn is_clustered(&self) -> bool {
        self.clusters.is_some()
    }

    /// Positions of the samples that every run has a score of.
    fn complete(&self) -> Vec<usize> {
        let everywhere =
            |&column: &usize| self.scores.iter().flatten().all(|run| run[column].is_some());
        (0..self.asked).filter(everywhere).collect()
    }

    /// Samples that some run has no score of.
    pub(super) fn lost(&self) -> usize {
        self.asked - self.complete().len()
    }

    /// Whether something can stand in for a missing score.
    pub(super) fn has_bounds(&self) -> bool {
        self.wrong_and_right.is_some()
    }

    /// The scores of the samples that every run has, when at most that share of those asked is
    /// missing somewhere and there are at least two.
    pub(super) fn shared(&self, most_lost: f64) -> Option<Scores<f64>> {
        let complete = self.complete();
        let lost = 1.0 - complete.len() as f64 / self.asked.max(1) as f64;
        let of_run = |run: &Vec<Option<f64>>| -> Vec<f64> {
            complete.iter().filter_map(|&column| run[column]).collect()
        };
        (complete.len() >= 2 && lost <= most_lost)
            .then(|| self.scores.each_ref().map(|arm| arm.iter().map(of_run).collect()))
    }

    /// The same with clusters as items, where samples come in clusters: what a cluster adds to the sum
    /// over the samples beyond the mean of its run, so that the mean stays and clusters of unequal size
    /// count by their samples. Of scores over the samples that every run has, or over all asked.
    pub(super) fn by_cluster(&self, scores: Scores<f64>) -> Scores<f64> {
        match &self.clusters {
            Some(clusters) => self.summed_by(clusters, scores),
            None => scores,
        }
    }

    /// The same with other clusters, of the pairs of the leads.
    pub(super) fn by_groups(&self, groups: &PairPartition, scores: Scores<f64>) -> Scores<f64> {
        let group = |pair: u32| Cluster::Of(groups.pair_clusters()[pair as usize]);
        let positions = self.pairs.iter().enumerate();
        let clusters: Vec<Cluster> = positions
            .map(|(position, pair)| pair.map_or(Cluster::Alone(position), group))
            .collect();
        self.summed_by(&clusters, scores)
    }

    /// Position among the pairs of the leads of each sample that every run has.
    pub(super) fn pairs(&self) -> impl Iterator<Item = Option<u32>> {
        self.complete().into_iter().map(|position| self.pairs[position])
    }

    fn summed_by(&self, clusters: &[Cluster], scores: Scores<f64>) -> Scores<f64> {
        let samples = scores.iter().flatten().map(Vec::len).next().unwrap_or_default();
        let positions =
            if samples == self.asked { (0..self.asked).collect() } else { self.complete() };
        let mut numbers = BTreeMap::<Cluster, usize>::new();
        let items: Vec<usize> = positions
            .into_iter()
            .map(|position| {
                let next = numbers.len();
                *numbers.entry(clusters[position]).or_insert(next)
            })
            .collect();
        let weight = numbers.len() as f64 / samples.max(1) as f64;
        let summed = |run: &Vec<f64>| -> Vec<f64> {
            let mean = mean(run);
            let mut sums = vec![0.0; numbers.len()];
            for (&item, score) in items.iter().zip(run) {
                sums[item] += score - mean;
            }
            sums.into_iter().map(|sum| mean + sum * weight).collect()
        };
        scores.map(|arm| arm.iter().map(summed).collect())
    }

    /// Every sample asked, with the missing scores of baseline and candidate filled in.
    fn filled(&self, baseline: f64, candidate: f64) -> Scores<f64> {
        let [mine, theirs] = &self.scores;
        [(mine, baseline), (theirs, candidate)].map(|(arm, missing)| {
            let fill = |score: &Option<f64>| score.unwrap_or(missing);
            arm.iter().map(|run| run.iter().map(fill).collect()).collect()
        })
    }

    /// How far missing scores could move a difference, and the scores in either extreme. `None`
    /// where none is missing, or scores have no bounds. `shown` is the factor from the unit of the
    /// cell to that of the difference.
    pub(super) fn readings(
        &self,
        completed_only: f64,
        shown: f64,
    ) -> Option<(Bounds, [Scores<f64>; 2])> {
        let lost = self.lost();
        let (wrong, right) = self.wrong_and_right.filter(|_| lost > 0)?;
        let [worst, best] = [self.filled(right, wrong), self.filled(wrong, right)];
        let delta = |scores: &Scores<f64>| {
            let [baseline, candidate] = scores
                .each_ref()
                .map(|arm| mean(&arm.iter().map(|run| mean(run)).collect::<Vec<f64>>()));
            shown * (candidate - baseline)
        };
        let bounds = Bounds {
            asked: self.asked as u64,
            lost: lost as u64,
            completed_only,
            all_wrong: delta(&self.filled(wrong, wrong)),
            all_right: delta(&self.filled(right, right)),
            worst: delta(&worst),
            best: delta(&best),
            survives: None,
            truncation: None,
        };
        Some((bounds, [worst, best]))
    }
}

/// What a sample is clustered with; by its column where nothing else is in its cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cluster {
    Of(u32),
    Alone(usize),
}

/// The samples found so far, as columns of the table.
struct Columns<'a> {
    /// Column of each row of the lead's table; `None` for rows that do not count.
    of_lead: Vec<Option<usize>>,
    /// Columns of samples that the lead lacks, by id.
    further: BTreeMap<&'a str, usize>,
    /// Whether some run has a score or a failure there.
    asked: Vec<bool>,
}

impl<'a> Columns<'a> {
    fn of_lead(lead: &SampledSide<'a>) -> Self {
        let mut of_lead = vec![None; lead.table.len()];
        for (column, row) in lead.rows().enumerate() {
            of_lead[row] = Some(column);
        }
        let asked = vec![false; lead.rows().count()];
        Self { of_lead, further: BTreeMap::new(), asked }
    }

    /// The clusters by column, where those of the pairs of a table count.
    fn clusters(&self, table: &TablePair<'_>) -> Option<BTreeMap<usize, Cluster>> {
        let clusters = table.clusters.used.as_ref()?.pair_clusters();
        let pairs = table.join.pairs.iter().zip(clusters);
        let column = |row: u32| self.of_lead.get(row as usize).copied().flatten();
        let known =
            pairs.filter_map(|(&(row, _), &cluster)| Some((column(row)?, Cluster::Of(cluster))));
        Some(known.collect())
    }

    /// The position of the pair of each column.
    fn pairs(&self, table: &TablePair<'_>) -> BTreeMap<usize, u32> {
        let pairs = table.join.pairs.iter().zip(0..);
        let column = |row: u32| self.of_lead.get(row as usize).copied().flatten();
        pairs.filter_map(|(&(row, _), position)| Some((column(row)?, position))).collect()
    }

    /// The scores of a run by column; what lies beyond the end is missing.
    fn rows_of(&mut self, run: &PairedRunCell<'_, 'a>) -> Option<Vec<Option<f64>>> {
        let samples = run.samples()?;
        let lead_row: BTreeMap<usize, usize> = match run.table {
            None => BTreeMap::new(),
            Some(table) => {
                let pairs = table.join.pairs.iter();
                pairs.map(|&(mine, theirs)| (theirs as usize, mine as usize)).collect()
            }
        };
        let mut scores = vec![None; self.asked.len()];
        for row in samples.rows() {
            let matched = if run.table.is_none() { Some(row) } else { lead_row.get(&row).copied() };
            let column = match matched.and_then(|row| self.of_lead.get(row).copied().flatten()) {
                Some(column) => column,
                None => self.further(samples.table.id(row)),
            };
            let score = run.score(row);
            let failed = samples.table.statuses().get(row) == Some(&SampleStatus::Errored);
            self.asked[column] |= score.is_some() || failed;
            scores.resize(scores.len().max(column + 1), None);
            scores[column] = score;
        }
        Some(scores)
    }

    /// The column of a sample that the lead lacks.
    fn further(&mut self, id: &'a str) -> usize {
        let next = self.asked.len();
        let column = *self.further.entry(id).or_insert(next);
        if column == next {
            self.asked.push(false);
        }
        column
    }

    /// Samples whose records contradict each other in some run were asked, even where no run has a
    /// record to go by.
    fn add_contradicted(&mut self, runs: &PerArm<Vec<PairedRunCell<'_, 'a>>>) {
        let [baseline, _] = runs;
        let Some(lead) = baseline.first().and_then(PairedRunCell::samples) else { return };
        let tables = || runs.iter().flatten().filter_map(|run| run.table);
        let of_lead = tables().flat_map(|one| {
            one.join.baseline.conflicting.iter().map(|&row| lead.table.id(row as usize))
        });
        let of_others = tables().flat_map(|one| {
            one.join.candidate.conflicting.iter().map(|&row| one.candidate.id(row as usize))
        });
        let ids: Vec<&'a str> = of_lead.chain(of_others).collect();
        if ids.is_empty() {
            return;
        }
        let known: BTreeMap<&str, usize> =
            lead.rows().filter_map(|row| Some((lead.table.id(row), self.of_lead[row]?))).collect();
        for id in ids {
            let column = known.get(id).copied().unwrap_or_else(|| self.further(id));
            self.asked[column] = true;
        }
    }
}

/// Outcomes 0 and 1 sum up exactly, which a running mean would not.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
