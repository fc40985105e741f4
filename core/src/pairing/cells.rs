//! Cells: one metric at one grid point, with everything either arm says about it.

use std::collections::{BTreeMap, BTreeSet};

use rayon::iter::{
    IntoParallelRefIterator as _, IntoParallelRefMutIterator as _, ParallelIterator as _,
};

use super::PairingOptions;
use super::coordinates::{self, CellKey, RunLevel};
use super::counted::{CountedCell, CountedSide, CountedTable};
use super::pair_arm::{PairArm, PerArm};
use super::partners::SiftedRows;
use super::side::{PairSide, SampledSide, StatedSide, side_samples};
use super::tables::{TablePair, decides};
use super::units::{settle_unit, spec_of_cell};
use crate::model::{Dims, GivenRole, MetricSpec, Run, SampleTable};

/// One metric at one grid point of one pair of arms.
#[derive(Debug)]
pub struct CellPair<'a> {
    pub key: CellKey,
    pub spec: MetricSpec,
    /// What the metric is for in this comparison; `None` for one that is only described.
    pub role: Option<GivenRole>,
    pub baseline: PairSide<'a>,
    pub candidate: PairSide<'a>,
    /// Position in [`super::RunPair::tables`] when both sides have per-sample outcomes.
    pub table: Option<usize>,
    /// What an engine counted of both sides.
    pub counted: Option<CountedCell<'a>>,
    /// How many of the samples can be compared, when both sides have per-sample outcomes.
    pub coverage: Option<PairCoverage>,
    /// Whether one arm writes percentages and the other shares.
    pub mixed_units: bool,
    /// Whether its figures, none above 1, may be shares in one arm and percentages in the other.
    pub share_or_percentage: bool,
    /// Whether the metric is one that others write as percentages, and here is at most 1 throughout.
    pub written_as_shares: bool,
    /// What its figures are the total of, where its parts are cells too.
    pub total: Option<Total>,
}

/// How many of the samples that either arm was asked have a score in both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairCoverage {
    /// Samples with a score or a failure in at least one arm, contradicting ones included, and those
    /// that are known to be missing in both.
    pub eligible: u64,
    /// Pairs with a score in both.
    pub complete: u64,
    /// Samples among the eligible ones that an arm set out to score and neither has a record of.
    pub unseen: u64,
}

impl PairCoverage {
    pub fn lost(self) -> u64 {
        self.eligible - self.complete
    }

    pub fn lost_share(self) -> f64 {
        if self.eligible == 0 { 0.0 } else { self.lost() as f64 / self.eligible as f64 }
    }
}

/// What a figure is the total of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Total {
    /// Name of the total: of a dataset, a metric, or a value of a coordinate.
    pub name: String,
    /// Names of its parts, those of groups within it in place of the groups.
    pub parts: Vec<String>,
    /// Whether a file says so, and not the name alone.
    pub declared: bool,
}

impl<'a> CellPair<'a> {
    pub fn side(&self, which: PairArm) -> &PairSide<'a> {
        match which {
            PairArm::Baseline => &self.baseline,
            PairArm::Candidate => &self.candidate,
        }
    }

    /// Whether both sides have outcomes of samples, which were matched.
    pub fn is_of_samples(&self) -> bool {
        self.table.is_some() || self.counted.is_some()
    }

    /// The name under which its figures are totals, else that of the metric.
    pub fn total_name(&self) -> &str {
        self.total.as_ref().map_or(self.key.metric.as_str(), |total| total.name.as_str())
    }

    /// The figure of that arm in the unit of the cell.
    pub fn figure(&self, which: PairArm) -> Option<f64> {
        self.side(which).value().value()
    }

    /// The figures of baseline and candidate, where both have one.
    pub fn figures(&self) -> Option<(f64, f64)> {
        self.figure(PairArm::Baseline).zip(self.figure(PairArm::Candidate))
    }

    /// The samples behind the figures of baseline and candidate, where both are known.
    pub fn n_of_both(&self) -> Option<(u64, u64)> {
        self.baseline.n().zip(self.candidate.n())
    }

    /// Whether one way of its metric is better than the other.
    pub fn has_good_side(&self) -> bool {
        self.spec.has_good_side()
    }
}

/// The cells of one pair of arms, and what was left out of them.
pub(super) struct CellLayout<'a> {
    /// Every cell of either arm, ordered by key.
    pub(super) cells: Vec<CellPair<'a>>,
    /// Figures over checkpoints that only one arm has.
    pub(super) lone_curves: PerArm<Vec<CellKey>>,
}

/// Lays out the figures of two runs as cells.
pub(super) fn pair_cells<'a>(
    (baseline, my_tables): (&'a Run, &[SiftedRows<'a>]),
    (candidate, their_tables): (&'a Run, &[SiftedRows<'a>]),
    (tables, counted): (&[TablePair<'a>], &[CountedTable<'a>]),
    run_level: &RunLevel,
    options: &PairingOptions,
) -> CellLayout<'a> {
    let mut mine = sides(baseline, my_tables, run_level, options);
    let mut theirs = sides(candidate, their_tables, run_level, options);
    let my_keys: BTreeSet<CellKey> = mine.keys().cloned().collect();
    let their_keys: BTreeSet<CellKey> = theirs.keys().cloned().collect();
    let lone_curves = [
        coordinates::lone_curves(&my_keys, &their_keys),
        coordinates::lone_curves(&their_keys, &my_keys),
    ];
    let left_out: BTreeSet<&CellKey> = lone_curves.iter().flatten().collect();
    let keys = my_keys.union(&their_keys).filter(|key| !left_out.contains(key)).cloned();
    let spellings = dataset_spellings(&[baseline, candidate]);
    let places: BTreeMap<*const SampleTable, usize> =
        tables.iter().zip(0..).map(|(pair, at)| (std::ptr::from_ref(pair.baseline), at)).collect();
    let cells = keys
        .map(|mut key| {
            let dataset = key.dataset.as_ref().and_then(|name| spellings.get(name));
            let dataset = dataset.map(String::as_str);
            let mut spec = spec_of_cell(dataset, &key.metric, baseline, candidate, options);
            let mut sides = [
                (baseline, mine.remove(&key).unwrap_or_default()),
                (candidate, theirs.remove(&key).unwrap_or_default()),
            ];
            let mixed_units = settle_unit(dataset, &mut spec, &mut sides, options);
            if spec.range().is_none() {
                let _counted = sides.each_mut().map(|(_, side)| side.count_infinite());
            }
            let [(_, baseline), (_, candidate)] = sides;
            let mine = baseline.samples.as_ref().map(|samples| std::ptr::from_ref(samples.table));
            let place = mine.and_then(|mine| places.get(&mine).copied());
            let is_joined =
                |at: &usize| tables.get(*at).is_some_and(|pair| joins(pair, &candidate));
            let table = place.filter(is_joined);
            let counted = counted_cell(counted, [&baseline, &candidate], &key, options);
            key.dataset = dataset.map(str::to_owned);
            CellPair {
                key,
                spec,
                role: None,
                baseline,
                candidate,
                table,
                counted,
                coverage: None,
                mixed_units,
                share_or_percentage: false,
                written_as_shares: false,
                total: None,
            }
        })
        .collect();
    let mut laid = CellLayout { cells, lone_curves };
    laid.cells.par_iter_mut().for_each(|cell| {
        cell.coverage = cell
            .table
            .and_then(|index| tables.get(index))
            .map(|pair| cover(pair, cell))
            .or_else(|| cover_counted(counted, cell));
    });
    laid
}

/// Datasets by lower-case name, as the first file that names them writes them.
fn dataset_spellings(runs: &[&Run]) -> BTreeMap<String, String> {
    let mut spellings = BTreeMap::new();
    for run in runs {
        let tables = run.content.samples.iter().filter_map(|table| table.dataset.as_ref());
        let scalars = run.content.scalars.iter().filter_map(|scalar| scalar.dataset.as_ref());
        let counted = run.content.counted.iter().flat_map(|own| own.datasets.iter());
        let counted = counted.filter_map(|counted| counted.dataset.as_ref());
        for name in tables.chain(scalars).chain(counted) {
            spellings.entry(name.to_ascii_lowercase()).or_insert_with(|| name.clone());
        }
    }
    spellings
}

/// A sample counts as asked when an arm has a score or a failure for it.
fn cover(pair: &TablePair<'_>, cell: &CellPair<'_>) -> PairCoverage {
    let join = &pair.join;
    let (Some(mine), Some(theirs)) = (&cell.baseline.samples, &cell.candidate.samples) else {
        return PairCoverage { eligible: 0, complete: 0, unseen: 0 };
    };
    let (mut complete, mut asked) = (0, 0);
    for &(a, b) in &join.pairs {
        asked += u64::from(pair.was_asked(mine, a, theirs, b));
        complete += u64::from(mine.is_scored(a as usize) && theirs.is_scored(b as usize));
    }
    let unseen = pair.unseen();
    PairCoverage { eligible: asked + pair.unpaired() + unseen, complete, unseen }
}

/// What an engine counted of a cell that both sides have of it.
fn counted_cell<'a>(
    tables: &[CountedTable<'a>],
    sides: [&PairSide<'a>; 2],
    key: &CellKey,
    options: &PairingOptions,
) -> Option<CountedCell<'a>> {
    let own = sides[0].counted.as_ref().filter(|_| sides[1].counted.is_some())?;
    let table = tables.iter().position(|table| std::ptr::eq(table.counted, own.counted))?;
    let place = own.counted.scores.iter().position(|scores| std::ptr::eq(scores, own.scores))?;
    let kind = own.counted.plan.metrics.get(place)?.kind;
    let decides = decides(&key.metric, options);
    Some(CountedCell { table, scores: own.scores, kind, decides })
}

/// The same of samples that an engine counted.
fn cover_counted(tables: &[CountedTable<'_>], cell: &CellPair<'_>) -> Option<PairCoverage> {
    let counted = cell.counted?;
    let table = tables.get(counted.table)?;
    let infinite_counts = cell.spec.range().is_none();
    let (mut complete, mut asked) = (0, 0);
    for group in counted.scores.groups.iter().filter(|group| table.are_pairs(group.status)) {
        let is_scored = group.scored.iter().all(|state| state.counts(infinite_counts));
        complete += if is_scored { group.ids } else { 0 };
        asked += if counted.was_asked(group, infinite_counts) { group.ids } else { 0 };
    }
    Some(PairCoverage { eligible: asked + table.counts.unpaired(), complete, unseen: 0 })
}

fn joins(pair: &TablePair<'_>, candidate: &PairSide<'_>) -> bool {
    let samples = candidate.samples.as_ref();
    samples.is_some_and(|samples| std::ptr::eq(samples.table, pair.candidate))
}

fn sides<'a>(
    run: &'a Run,
    tables: &[SiftedRows<'a>],
    run_level: &RunLevel,
    options: &PairingOptions,
) -> BTreeMap<CellKey, PairSide<'a>> {
    let mut sides: BTreeMap<CellKey, PairSide<'a>> = BTreeMap::new();
    for SiftedRows { table, distinct, .. } in tables {
        let columns: Vec<SampledSide<'_>> = table
            .columns()
            .par_iter()
            .map(|(_, column)| side_samples(table, column, distinct))
            .collect();
        for ((metric, _), samples) in table.columns().iter().zip(columns) {
            let name = options.names.canonical(metric);
            let key = cell_key(table.dataset.as_deref(), name, &table.dims, &run_level.tables);
            let side = sides.entry(key).or_default();
            if side.samples.is_none() {
                side.samples = Some(samples);
            }
        }
    }
    for counted in run.content.counted.iter().flat_map(|own| own.datasets.iter()) {
        let arm = run.content.counted.as_ref().map_or(0, |own| own.arm);
        for (metric, place) in counted.plan.metrics.iter().zip(0..) {
            let name = options.names.canonical(&metric.name);
            let key = cell_key(counted.dataset.as_deref(), name, &Dims::none(), &[]);
            let side = sides.entry(key).or_default();
            side.counted = side.counted.take().or_else(|| CountedSide::new(counted, place, arm));
        }
    }
    for scalar in &run.content.scalars {
        let key = cell_key(
            scalar.dataset.as_deref(),
            options.names.canonical(&scalar.metric),
            &scalar.dims,
            &run_level.scalars,
        );
        let side = sides.entry(key).or_default();
        let known = side.stated.is_some_and(|stated| stated.n.is_some());
        let n = scalar.n.or_else(|| {
            let dataset = scalar.dataset.as_deref()?;
            let sizes = &run.content.declared_sizes;
            sizes.iter().find(|(name, _)| name.eq_ignore_ascii_case(dataset)).map(|(_, n)| *n)
        });
        if side.stated.is_none() || (!known && n.is_some()) {
            side.stated = Some(StatedSide::new(scalar, n));
        }
    }
    sides
}

fn cell_key(dataset: Option<&str>, metric: &str, dims: &Dims, run_level: &[String]) -> CellKey {
    CellKey {
        dataset: dataset.map(str::to_ascii_lowercase),
        metric: metric.to_owned(),
        dims: dims.without_all(run_level),
    }
}
