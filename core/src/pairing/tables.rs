//! Joins the tables of both arms for the same dataset and grid point: how many samples each
//! has, set out to score and lacks.

use std::collections::{BTreeMap, BTreeSet};

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::PairingOptions;
use super::clusters::{self, PairClusters};
use super::expected;
use super::orders::{PairOrder, are_first, pair_orders};
use super::pair_arm::{PairArm, PerArm};
use super::partners::{PairedRows, SiftedRows, pair_rows};
use super::side::SampledSide;
use crate::model::{
    Column, Dims, Direction, MetricNames, MetricRole, Planned, Run, SampleStatus, SampleTable,
};

/// Two tables of the same dataset and grid point, joined.
#[derive(Debug)]
pub struct TablePair<'a> {
    pub baseline: &'a SampleTable,
    pub candidate: &'a SampleTable,
    pub dims: Dims,
    pub join: PairedRows,
    /// How many samples baseline and candidate set out to score, where their files say so.
    pub expected: PerArm<Option<Planned>>,
    /// The arm that chose beforehand to score only some of the other's samples.
    pub subset: Option<Subset>,
    /// Which matched rows belong together.
    pub clusters: PairClusters,
    /// Rows of the baseline in pairs that were asked and of which neither arm has a score.
    silent: SilentRows,
}

/// What a run that has only some of the other's samples is taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parts {
    /// A choice, where its settings say so.
    MayBeChosen,
    Incomplete,
}

/// Samples of one arm that are the first ones of the other, as many as a limit in its settings says: a
/// choice made before there were results.
#[derive(Debug, Clone)]
pub struct Subset {
    pub which: PairArm,
    pub limit: Planned,
}

impl Subset {
    fn find(join: &PairedRows, runs: [&Run; 2], tables: [&SampleTable; 2]) -> Option<Self> {
        let which = match (join.baseline_only, join.candidate_only) {
            (0, 1..) => PairArm::Baseline,
            (1.., 0) => PairArm::Candidate,
            _ => return None,
        };
        let own = [&join.baseline, &join.candidate][which].recorded();
        let is_part = join.contradicted + join.quarantined == 0 && own == join.pairs.len() as u64;
        let limit = expected::chosen_limit(runs[which], own).filter(|_| is_part)?;
        let larger = which.other();
        let row = |&(baseline, candidate): &(u32, u32)| [baseline, candidate][larger];
        let paired: BTreeSet<u32> = join.pairs.iter().map(row).collect();
        let rows = [&join.baseline, &join.candidate][larger].rows();
        are_first(&paired, rows, tables[larger]).then_some(Self { which, limit })
    }
}

impl<'a> TablePair<'a> {
    /// The positions of the pairs in each order in which neighbours may belong together.
    pub fn orders(&self) -> Vec<(PairOrder, Vec<u32>)> {
        pair_orders(&self.join, self.baseline, self.candidate)
    }

    pub fn table(&self, which: PairArm) -> &'a SampleTable {
        [self.baseline, self.candidate][which]
    }

    /// Samples that an arm set out to score and of which neither has a record.
    pub fn unseen(&self) -> u64 {
        if self.subset.is_some() {
            return 0;
        }
        let seen = self.join.pairs.len() as u64 + self.join.unpaired();
        let aims = self.expected.iter().flatten().map(|aim| aim.samples);
        aims.max().unwrap_or(0).saturating_sub(seen)
    }

    /// Samples of either arm that are in no pair and should be.
    pub fn unpaired(&self) -> u64 {
        if self.subset.is_some() { 0 } else { self.join.unpaired() }
    }

    /// Samples that the other arm has or either set out to score, and that arm has no record of.
    pub fn missing(&self, which: PairArm) -> u64 {
        if self.subset.is_some() {
            return 0;
        }
        self.unseen() + [self.join.candidate_only, self.join.baseline_only][which]
    }

    /// Samples of that arm that have a record.
    pub fn recorded(&self, which: PairArm) -> u64 {
        [&self.join.baseline, &self.join.candidate][which].recorded()
    }

    /// How many samples that arm set out to score, where its files say so.
    pub fn expected(&self, which: PairArm) -> Option<&Planned> {
        self.expected[which].as_ref()
    }

    /// Whether the samples in these rows count as asked: an arm has a score or a failure, or neither has
    /// a score although nothing says that the metric is one of other samples.
    pub fn was_asked(
        &self,
        baseline: &SampledSide<'_>,
        a: u32,
        candidate: &SampledSide<'_>,
        b: u32,
    ) -> bool {
        let (a, b) = (a as usize, b as usize);
        let failed =
            |table: &SampleTable, row| table.statuses().get(row) == Some(&SampleStatus::Errored);
        let is_silent = || self.silent.hold(baseline.column, a as u32);
        baseline.is_scored(a)
            || candidate.is_scored(b)
            || failed(self.baseline, a)
            || failed(self.candidate, b)
            || is_silent()
    }
}

/// Rows of the baseline in pairs that were asked and of which neither arm has a score: of any metric, or of a
/// single one that decides.
#[derive(Debug, Clone, Default)]
struct SilentRows {
    of_all: BTreeSet<u32>,
    /// By the place of the column of the baseline.
    by_column: BTreeMap<usize, BTreeSet<u32>>,
}

impl SilentRows {
    fn hold(&self, column: &Column, row: u32) -> bool {
        let own = || self.by_column.get(&place(column));
        self.of_all.contains(&row) || own().is_some_and(|rows| rows.contains(&row))
    }

    fn among(tables: [&SampleTable; 2], join: &PairedRows, options: &PairingOptions) -> Self {
        let columns = tables.map(|table| score_columns(table, &options.names));
        let has = |column: &Column, row: u32| column.is_scored(row as usize, true);
        let is_scored = |arm: usize, row: u32| columns[arm].iter().any(|one| has(one, row));
        let silent = join.pairs.iter().filter(|&&(a, b)| !is_scored(0, a) && !is_scored(1, b));
        let of_all = silent.map(|&(a, _)| a).collect();
        let mut by_column = BTreeMap::new();
        for (metric, mine) in tables[0].columns() {
            let Some(theirs) = tables[1].column(metric).filter(|_| decides(metric, options)) else {
                continue;
            };
            let lacks = |&&(a, b): &&(u32, u32)| !has(mine, a) && !has(theirs, b);
            if !join.pairs.iter().any(|pair| lacks(&pair)) {
                continue;
            }
            // Samples of another kind have another metric, which those with this one do not have.
            let scored: Vec<u32> =
                join.pairs.iter().filter(|pair| !lacks(pair)).map(|&(a, _)| a).collect();
            let is_other = |other: &&&Column| {
                let shared = scored.iter().filter(|row| has(other, **row)).count();
                2 * shared < scored.len()
            };
            let others: Vec<&&Column> = columns[0].iter().filter(is_other).collect();
            let is_of_other_kind = |row: u32| others.iter().any(|other| has(other, row));
            let rows = join.pairs.iter().filter(lacks).map(|&(a, _)| a);
            by_column.insert(place(mine), rows.filter(|row| !is_of_other_kind(*row)).collect());
        }
        Self { of_all, by_column }
    }
}

/// Where a column lies, as long as its table is borrowed.
fn place(column: &Column) -> usize {
    std::ptr::from_ref(column).addr()
}

/// Whether a metric is one that decides: by the user's choice, else by the catalogue.
pub(super) fn decides(metric: &str, options: &PairingOptions) -> bool {
    let name = options.names.canonical(metric);
    if !options.primary.is_empty() {
        return options.primary.iter().any(|primary| primary == name);
    }
    let role = options.names.get(metric).and_then(|spec| spec.role).map(|given| given.role);
    role == Some(MetricRole::Primary)
}

/// The columns of scores: of metrics of which more is better, where there are such, so that how long an
/// answer took is not taken for one.
fn score_columns<'t>(table: &'t SampleTable, names: &MetricNames) -> Vec<&'t Column> {
    let own = || table.columns().iter().filter(|(metric, _)| !table.is_derived(metric));
    let is_score =
        |metric: &str| names.get(metric).is_some_and(|spec| spec.direction == Direction::Higher);
    let scores: Vec<&Column> =
        own().filter(|(metric, _)| is_score(metric)).map(|(_, column)| column).collect();
    if scores.is_empty() { own().map(|(_, column)| column).collect() } else { scores }
}

/// Joins the tables of the same dataset and grid point.
pub(super) fn pair_tables<'a>(
    (my_run, baseline): (&Run, &[SiftedRows<'a>]),
    (their_run, candidate): (&Run, &[SiftedRows<'a>]),
    run_level: &[String],
    parts: Parts,
    options: &PairingOptions,
) -> Vec<TablePair<'a>> {
    let clustering = &options.clustering;
    let key = |table: &SampleTable| {
        let dataset = table.dataset.as_deref().map(str::to_ascii_lowercase);
        (dataset, table.dims.without_all(run_level))
    };
    let mut by_key = BTreeMap::new();
    for theirs in candidate {
        by_key.entry(key(theirs.table)).or_insert(theirs);
    }
    let matched: Vec<_> = baseline
        .iter()
        .filter_map(|mine| {
            let key = key(mine.table);
            Some((mine, *by_key.get(&key)?, key.1))
        })
        .collect();
    matched
        .into_par_iter()
        .map(|(mine, theirs, dims)| {
            let join = pair_rows(mine, theirs);
            let (baseline, candidate) = (mine.table, theirs.table);
            let clusters = clusters::pair_clusters(baseline, candidate, &join, clustering);
            let expected = [(my_run, baseline), (their_run, candidate)].map(|(run, table)| {
                expected::expected_samples(run, table.dataset.as_deref(), Some(table))
            });
            let chosen = || Subset::find(&join, [my_run, their_run], [baseline, candidate]);
            let subset = (parts == Parts::MayBeChosen).then(chosen).flatten();
            let silent = SilentRows::among([baseline, candidate], &join, options);
            TablePair { baseline, candidate, dims, join, expected, subset, clusters, silent }
        })
        .collect()
}
