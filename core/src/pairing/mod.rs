//! Runs to arms, cells and pairs, and what is left over.
//!
//! The first arm is the baseline; each other arm is set against it in an [`ArmPair`]. The first run
//! of an arm leads it: configuration, samples and coordinates of the leads are set against each
//! other, and each further run against the lead of the baseline. Knows no statistics: it says which
//! figures belong together and which samples are the same.

mod answers_each;
mod arm;
mod arm_scores;
mod cells;
mod clusters;
mod config;
mod content;
mod coordinates;
mod counted;
mod data;
mod expected;
mod exposure;
mod field_names;
mod id_parts;
mod lost_answers;
mod metric_roles;
mod missing;
mod orders;
mod origin;
mod pair_arm;
mod partners;
mod points;
mod pooled;
mod repeated;
mod scales;
mod seeds;
mod shared_questions;
mod side;
mod tables;
mod totals;
mod unanswered;
mod units;

pub use arm::{Arm, PairedRun, PairedRunCell};
pub use cells::{CellPair, PairCoverage, Total};
pub use clusters::{
    GroupOrigin, PairClusters, PairPartition, PossibleClusters, UnpairedClusters, Unused,
    side_clusters,
};
pub use config::{
    COMMIT, ConfigChange, ConfigDifference, ConfigRole, Factors, Respelled, config_role, is_commit,
    is_environment, moves_answers, names, names_the_model,
};
pub(crate) use config::{
    belongs_to_training, config_differences, names_one_model, names_other_model, recorded_seed,
    records_training, same_commit,
};
pub use content::{MOST_QUARANTINED, PairingProof};
pub use coordinates::CellKey;
pub use counted::{CountedCell, CountedRecords, CountedSide, CountedTable, PairCounts};
pub use data::{DataPair, DataPairJoin, IdJoin};
pub use exposure::{Evaluated, Example, Exposure};
pub use field_names::{is_of_question, is_rater, may_be_gold};
pub use id_parts::RunOfId;
pub use lost_answers::LostAnswers;
pub use orders::PairOrder;
pub use pair_arm::{PairArm, PerArm};
pub use partners::{PairableRows, PairedRows};
pub use points::{PointDifference, without_numbers, without_numbers_behind};
pub use repeated::RepeatedContent;
pub use shared_questions::{DatasetOverlap, SharedQuestions};
pub use side::{AnswersShownBy, PairSide, SampledSide, StatedSide};
use tables::Parts;
pub use tables::{Subset, TablePair};
pub use unanswered::unanswered_parts;

use std::collections::{BTreeMap, BTreeSet};

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::model::{Clustering, ConfigEntry, MetricNames, Planned, Run, SampleTable};
use cells::CellLayout;
use coordinates::RunLevel;
use partners::SiftedRows;

/// What the user chose for the grouping.
#[derive(Debug, Clone, Default)]
pub struct PairingOptions {
    /// Configuration keys that are meant to differ, as the user wrote them.
    pub vary: Vec<String>,
    pub names: MetricNames,
    /// Which field of the samples says the cluster.
    pub clustering: Clustering,
    /// Canonical names of the metrics that the user makes primary, where there are any.
    pub primary: Vec<String>,
    /// Canonical names of the metrics with a margin.
    pub margins: BTreeSet<String>,
}

#[derive(Debug)]
pub struct PairedArms<'a> {
    pub baseline: &'a Run,
    /// One pair for each candidate, in the order given.
    pub pairs: Vec<ArmPair<'a>>,
    /// Metrics that only say when and how something was measured, and make no cells.
    pub bookkeeping: BTreeSet<String>,
}

/// Samples by the place of their table.
pub type FullestSamples<'p, 'a> = BTreeMap<*const SampleTable, &'p SampledSide<'a>>;

/// Samples and figures of two runs beside each other.
#[derive(Debug)]
pub struct RunPair<'a> {
    pub baseline: &'a Run,
    pub candidate: &'a Run,
    /// Sample tables of the same dataset and grid point, joined.
    pub tables: Vec<TablePair<'a>>,
    /// Samples that an engine counted, by dataset.
    pub counted: Vec<CountedTable<'a>>,
    /// Who chooses the field of the samples that says the cluster.
    pub clustering: Clustering,
    /// Every metric at every grid point of either side, ordered by key.
    pub cells: Vec<CellPair<'a>>,
    /// Figures over checkpoints that only one run has: curves, not cells of the comparison.
    pub lone_curves: PerArm<Vec<CellKey>>,
}

#[derive(Debug)]
pub struct ArmPair<'a> {
    /// The run that leads the baseline and the one that leads the candidate.
    pub leads: RunPair<'a>,
    /// Names of the arms; that of an arm of one run is the run's id.
    pub names: PerArm<String>,
    pub members: PerArm<Vec<PairedRun<'a>>>,
    /// Further runs of the baseline's configuration, used only to measure its noise.
    pub noise: Vec<PairedRun<'a>>,
    /// Configuration keys of seeds that vary within an arm.
    pub repetition_keys: Vec<String>,
    /// For each run of either arm, the lead first, the seed that its configuration records.
    pub seeds: PerArm<Vec<Option<String>>>,
    /// Keys that are meant to differ, and how that is known.
    pub factors: Factors,
    /// The points of their trainings at which the arms were evaluated, where these differ.
    pub points: Vec<PointDifference>,
    /// Settings whose key each arm writes in its own way, and which were compared nevertheless.
    pub respelled: Vec<Respelled>,
    /// Every configuration key that differs, factors included.
    pub differences: Vec<ConfigDifference>,
    /// Corresponding data files of the leads.
    pub data: Vec<DataPair<'a>>,
    /// What the leads evaluated, and what of it they were trained on; empty where a run names no
    /// training file that could be read.
    pub exposed: PerArm<Vec<Exposure<'a>>>,
    /// Questions of the leads that stand in several datasets. Arms of several runs are not asked: each
    /// run's mean over the datasets is one figure, whatever these share.
    pub shared_questions: Vec<SharedQuestions>,
}

/// An arm is read as the run that leads it.
impl<'a> std::ops::Deref for ArmPair<'a> {
    type Target = RunPair<'a>;

    fn deref(&self) -> &RunPair<'a> {
        &self.leads
    }
}

impl<'a> RunPair<'a> {
    /// How many samples of the cell's dataset that arm set out to score, where its files say so.
    pub fn expected(&self, cell: &CellPair<'_>, which: PairArm) -> Option<Planned> {
        if let Some(tables) = cell.table.and_then(|index| self.tables.get(index)) {
            return tables.expected(which).cloned();
        }
        let table = cell.side(which).samples.as_ref().map(|samples| samples.table);
        expected::expected_samples(self.run(which), cell.key.dataset.as_deref(), table)
    }

    /// The setting by which that arm chose beforehand to score so many samples.
    pub fn chosen_limit(&self, which: PairArm, samples: u64) -> Option<Planned> {
        expected::chosen_limit(self.run(which), samples)
    }

    /// Whether the settings of either run are those of a training.
    pub fn records_training(&self) -> bool {
        PairArm::BOTH.iter().any(|&which| records_training(&self.run(which).content.config))
    }

    pub fn run(&self, which: PairArm) -> &'a Run {
        [self.baseline, self.candidate][which]
    }

    /// The arm that does not record the field from which a figure of the other follows, over samples
    /// that both have: the figure is not missing there, it cannot be.
    pub fn unrecorded_in(&self, cell: &CellPair<'_>) -> Option<PairArm> {
        let (samples, lacking) = match (&cell.baseline.samples, &cell.candidate.samples) {
            (Some(samples), None) => (samples, PairArm::Candidate),
            (None, Some(samples)) => (samples, PairArm::Baseline),
            _ => return None,
        };
        let is_paired =
            self.tables.iter().any(|pair| std::ptr::eq(pair.table(lacking.other()), samples.table));
        let is_derived = samples.table.is_derived(&cell.key.metric);
        (is_paired && is_derived && cell.side(lacking).stated.is_none()).then_some(lacking)
    }

    /// The cells over each pair of tables, in the order of the tables.
    pub fn cells_by_table(&self) -> Vec<Vec<&CellPair<'a>>> {
        let mut own: Vec<Vec<&CellPair<'a>>> = self.tables.iter().map(|_| Vec::new()).collect();
        for cell in &self.cells {
            if let Some(of_table) = cell.table.and_then(|index| own.get_mut(index)) {
                of_table.push(cell);
            }
        }
        own
    }

    /// Of each table of that arm the samples of its fullest metric.
    pub fn fullest(&self, which: PairArm) -> FullestSamples<'_, 'a> {
        let mut fullest = FullestSamples::new();
        for samples in self.cells.iter().filter_map(|cell| cell.side(which).samples.as_ref()) {
            let known = fullest.entry(std::ptr::from_ref(samples.table)).or_insert(samples);
            if samples.scored >= known.scored {
                *known = samples;
            }
        }
        fullest
    }

    /// Whether every pair of a cell's samples has the same score in both arms; `false` without
    /// paired samples.
    pub fn same_outcomes(&self, cell: &CellPair<'_>) -> bool {
        if let Some(counted) = cell.counted {
            return self
                .counted
                .get(counted.table)
                .is_some_and(|table| table.has_same_scores(&counted));
        }
        let tables = cell.table.and_then(|index| self.tables.get(index));
        let sides = cell.baseline.samples.as_ref().zip(cell.candidate.samples.as_ref());
        tables.zip(sides).is_some_and(|(tables, (mine, theirs))| {
            let mut pairs = tables.join.pairs.iter();
            pairs.all(|&(a, b)| mine.score(a as usize) == theirs.score(b as usize))
        })
    }
}

impl<'a> ArmPair<'a> {
    /// Differing keys that are neither factors nor environment.
    pub fn residue(&self) -> impl Iterator<Item = &ConfigDifference> {
        self.differences
            .iter()
            .filter(|difference| !difference.environment && !self.factors.contains(&difference.key))
    }

    /// Undeclared changes that both sides record, each with what follows from it.
    pub fn undeclared(&self) -> Vec<ConfigChange<'_>> {
        let residue: Vec<&ConfigDifference> =
            self.residue().filter(|difference| !difference.one_sided()).collect();
        let (following, leading): (Vec<_>, Vec<_>) =
            residue.into_iter().partition(|one| one.follows.is_some());
        let mut changes = config::changes(leading);
        for change in changes.iter_mut().filter(|_| !following.is_empty()) {
            let leads = |one: &&&ConfigDifference| {
                let leader = one.follows.as_ref();
                change.differences.iter().any(|own| leader.is_some_and(|key| *key == own.key))
            };
            change.following = following.iter().filter(leads).map(|one| one.key.as_str()).collect();
        }
        changes
    }

    /// What that arm's lead records under a key, as the other arm may spell it.
    pub fn entry(&self, which: PairArm, key: &str) -> Option<&'a ConfigEntry> {
        let config = &self.run(which).content.config;
        config.get(key).or_else(|| {
            let own = self.respelled.iter().find_map(|pair| match which {
                PairArm::Baseline => (pair.candidate == key).then_some(&pair.baseline),
                PairArm::Candidate => (pair.baseline == key).then_some(&pair.candidate),
            });
            config.get(own?)
        })
    }
}

/// Sets every later arm against the first; `None` below two arms.
pub fn pair_arms<'a>(arms: &[Arm<'a>], options: &PairingOptions) -> Option<PairedArms<'a>> {
    let (baseline, candidates) = arms.split_first()?;
    let mut sifted: Vec<_> = arms.par_iter().map(|arm| partners::sift_rows(arm.lead)).collect();
    let theirs = sifted.split_off(1);
    let mine = sifted.pop()?;
    let pairs = candidates.iter().zip(&theirs);
    let mut pairs: Vec<ArmPair<'a>> = pairs
        .map(|(candidate, theirs)| pair((baseline, &mine), (candidate, theirs), options))
        .collect();
    let bookkeeping = metric_roles::assign(&mut pairs, options);
    (!pairs.is_empty()).then_some(PairedArms { baseline: baseline.lead, pairs, bookkeeping })
}

/// Sets a run against itself: its cells with everything that it has for each, twice.
pub fn pair_with_itself<'a>(run: &'a Run, options: &PairingOptions) -> ArmPair<'a> {
    let arm = Arm::single(run);
    let sifted = partners::sift_rows(run);
    pair((&arm, &sifted), (&arm, &sifted), options)
}

fn pair<'a>(
    (baseline, mine): (&Arm<'a>, &[SiftedRows<'a>]),
    (candidate, theirs): (&Arm<'a>, &[SiftedRows<'a>]),
    options: &PairingOptions,
) -> ArmPair<'a> {
    let runs: Vec<&Run> = baseline.runs().chain(candidate.runs()).collect();
    let run_level = coordinates::run_level(&runs);
    let arms = [baseline, candidate];
    let is_repeated = arms.iter().any(|arm| !arm.members.is_empty());
    let laid = |run: (&'a Run, &[SiftedRows<'a>]), parts| {
        lay_out((baseline.lead, mine), run, &run_level, parts, options)
    };
    let recorded = arms.map(|arm| arm.completed(arm.lead.content.config.clone()));
    let member = |which: PairArm, run: &'a Run| {
        let pair = laid((run, &partners::sift_rows(run)), Parts::Incomplete);
        PairedRun {
            run,
            by_place: arm::by_place(&pair.cells),
            pair,
            within: config::config_differences_within(&recorded[which], &run.content.config),
            recorded_by_one: arms[which].recorded_by_one(run),
        }
    };
    // The figures of several runs are compared, and those have to be over the same samples.
    let parts = if is_repeated { Parts::Incomplete } else { Parts::MayBeChosen };
    let leads = laid((candidate.lead, theirs), parts);
    let behind = |which: PairArm| {
        let arm = arms[which];
        arm.completed(origin::config_behind_figures(arm.lead, which, &leads.cells))
    };
    let mut differences =
        config_differences(&behind(PairArm::Baseline), &behind(PairArm::Candidate));
    let repetition_keys = seeds::repetition_keys(arms);
    config::repetitions_are_environment(&mut differences, &repetition_keys);
    let mut factors = config::factors(&differences, &options.vary, baseline.lead, candidate.lead);
    let points = points::differing(arms, &differences);
    points::take_for_factors(&mut factors, &points, &differences, arms);
    if options.vary.is_empty() && !is_repeated {
        seeds::take_seed_for_factor(&mut factors, &differences);
    }
    let configs = arms.map(|arm| &arm.lead.content.config);
    let shared_questions = if is_repeated {
        Vec::new()
    } else {
        shared_questions::shared_questions(&leads.tables, &leads.cells)
    };
    ArmPair {
        names: arms.map(|arm| arm.name.clone()),
        members: PairArm::BOTH
            .map(|which| arms[which].members.iter().map(|run| member(which, run)).collect()),
        noise: baseline.noise.iter().map(|run| member(PairArm::Baseline, run)).collect(),
        seeds: seeds::recorded_seeds(arms, &repetition_keys),
        repetition_keys,
        factors,
        points,
        respelled: config::respelled_keys(configs[0], configs[1]),
        differences,
        data: data::pair_data_files(arms.map(Arm::data_files)),
        exposed: arms.map(|arm| exposure::exposures(arm.lead)),
        shared_questions,
        leads,
    }
}

/// Samples and figures of a run beside those of the baseline's lead.
fn lay_out<'a>(
    (baseline, mine): (&'a Run, &[SiftedRows<'a>]),
    (candidate, theirs): (&'a Run, &[SiftedRows<'a>]),
    run_level: &RunLevel,
    parts: Parts,
    options: &PairingOptions,
) -> RunPair<'a> {
    let tables = tables::pair_tables(
        (baseline, mine),
        (candidate, theirs),
        &run_level.tables,
        parts,
        options,
    );
    let counted = counted::tables(baseline, candidate);
    let CellLayout { mut cells, lone_curves } = cells::pair_cells(
        (baseline, mine),
        (candidate, theirs),
        (&tables, &counted),
        run_level,
        options,
    );
    scales::settle_scales(&mut cells);
    pooled::settle_pooled(&mut cells);
    answers_each::settle_answers(&mut cells, [baseline, candidate]);
    totals::mark_totals(&mut cells, [baseline, candidate]);
    let clustering = options.clustering.clone();
    RunPair { baseline, candidate, tables, counted, clustering, cells, lone_curves }
}
