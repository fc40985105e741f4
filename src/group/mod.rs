//! Runs to arms, cells and pairs, and what is left over.
//!
//! The first arm is the baseline; each other arm is set against it in an [`ArmPair`]. Knows no
//! statistics: it says which figures belong together and which samples are the same.

mod cells;
mod clusters;
mod config;
mod content;
mod coordinates;
mod pairing;
mod side;
mod units;

pub use cells::{Cell, CellKey, PairCoverage, Which};
pub use clusters::{Clusters, Partition, Unused};
pub use config::{Change, ConfigDifference, Factors, is_environment, names};
pub use content::Proof;
pub use coordinates::CHECKPOINT_DIMS;
pub use pairing::{Distinct, Join, TablePair};
pub use side::{Side, SideSamples, Stated};

use crate::model::{Clustering, MetricCatalogue, Run, canonical_metric};
use cells::Laid;
use pairing::Sifted;

/// Choices of the grouping.
#[derive(Debug, Clone, Default)]
pub struct Choices {
    /// Configuration keys that are meant to differ, as the user wrote them.
    pub vary: Vec<String>,
    /// Meanings of metrics declared by the user.
    pub metrics: Option<MetricCatalogue>,
    /// Which field of the samples says the cluster.
    pub clustering: Clustering,
}

impl Choices {
    /// The canonical name of a metric: the user's, else the shipped catalogue's, else its own.
    fn canonical<'n>(&'n self, name: &'n str) -> &'n str {
        let own = self.metrics.as_ref().and_then(|metrics| metrics.canonical(name));
        own.unwrap_or_else(|| canonical_metric(name))
    }
}

/// The arms of one invocation, each candidate set against the baseline.
#[derive(Debug)]
pub struct Grouping<'a> {
    /// The run that every other is compared with.
    pub baseline: &'a Run,
    /// One pair for each candidate, in the order given.
    pub pairs: Vec<ArmPair<'a>>,
}

/// The baseline and one candidate.
#[derive(Debug)]
pub struct ArmPair<'a> {
    /// The baseline.
    pub baseline: &'a Run,
    /// The candidate.
    pub candidate: &'a Run,
    /// Keys that are meant to differ, and how that is known.
    pub factors: Factors,
    /// Every configuration key that differs, factors included.
    pub differences: Vec<ConfigDifference>,
    /// Sample tables of the same dataset and grid point, joined.
    pub tables: Vec<TablePair<'a>>,
    /// Every metric at every grid point of either side, ordered by key.
    pub cells: Vec<Cell<'a>>,
    /// Figures over checkpoints that only the baseline, only the candidate has: curves of one arm
    /// that are no cells of the comparison.
    pub lone_curves: [Vec<CellKey>; 2],
}

impl<'a> ArmPair<'a> {
    /// The run of that arm.
    pub fn run(&self, which: Which) -> &'a Run {
        match which {
            Which::Baseline => self.baseline,
            Which::Candidate => self.candidate,
        }
    }

    /// Whether every pair of a cell's samples has the same score in both arms; `false` without
    /// paired samples.
    pub fn same_outcomes(&self, cell: &Cell<'_>) -> bool {
        let tables = cell.table.and_then(|index| self.tables.get(index));
        let sides = cell.baseline.samples.as_ref().zip(cell.candidate.samples.as_ref());
        tables.zip(sides).is_some_and(|(tables, (mine, theirs))| {
            let mut pairs = tables.join.pairs.iter();
            pairs.all(|&(a, b)| mine.score(a as usize) == theirs.score(b as usize))
        })
    }

    /// Differing keys that are neither factors nor environment.
    pub fn residue(&self) -> impl Iterator<Item = &ConfigDifference> {
        self.differences
            .iter()
            .filter(|difference| !difference.environment && !self.factors.contains(&difference.key))
    }

    /// Undeclared changes that both sides record.
    pub fn undeclared(&self) -> Vec<Change<'_>> {
        config::changes(self.residue().filter(|difference| !difference.one_sided()))
    }
}

/// Sets every later run against the first. `runs` holds at least two.
pub fn group<'a>(runs: &'a [Run], choices: &Choices) -> Option<Grouping<'a>> {
    let (baseline, candidates) = runs.split_first()?;
    let sifted = pairing::sift(baseline);
    let pairs =
        candidates.iter().map(|candidate| pair(baseline, &sifted, candidate, choices)).collect();
    Some(Grouping { baseline, pairs })
}

/// Sets a run against itself: its cells with everything that it has for each, twice.
pub fn against_itself<'a>(run: &'a Run, choices: &Choices) -> ArmPair<'a> {
    pair(run, &pairing::sift(run), run, choices)
}

fn pair<'a>(
    baseline: &'a Run,
    mine: &[Sifted<'a>],
    candidate: &'a Run,
    choices: &Choices,
) -> ArmPair<'a> {
    let theirs = pairing::sift(candidate);
    let differences = config::differences(&baseline.content.config, &candidate.content.config);
    let factors = config::factors(&differences, &choices.vary, baseline, candidate);
    let run_level = coordinates::run_level(baseline, candidate);
    let tables = pairing::join_tables(mine, &theirs, &run_level.tables, &choices.clustering);
    let Laid { cells, lone_curves } =
        cells::cells((baseline, mine), (candidate, &theirs), &tables, &run_level, choices);
    ArmPair { baseline, candidate, factors, differences, tables, cells, lone_curves }
}
