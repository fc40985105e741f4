//! Samples of two runs as an engine counted them: pairs by what became of them and by their scores, and
//! no single one.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Version of the file of counts.
pub const COUNTED_VERSION: u64 = 2;
/// Steps in 1 of what is summed, and in one of these of what they leave of it, as SQL has them. So many are whole
/// numbers that every engine makes of a `DOUBLE` alike, which more than 2⁵³ are not.
pub const SUMMED_STEPS: &str = "1e12";

/// What the statement was made for, as its file repeats it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CountedPlan {
    pub schema: String,
    pub dialect: String,
    pub baseline: CountedSource,
    pub candidate: CountedSource,
    pub metrics: Vec<PlannedMetric>,
}

impl CountedPlan {
    pub const SCHEMA: &str = "reportgen.plan/1";

    pub fn sources(&self) -> [&CountedSource; 2] {
        [&self.baseline, &self.candidate]
    }

    /// The field that says which samples belong together.
    pub fn cluster(&self) -> Option<&str> {
        self.sources().into_iter().find_map(|source| source.cluster.as_deref())
    }
}

/// One of the two runs: where its samples lie, and the names of their columns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountedSource {
    pub name: String,
    pub from: String,
    pub id: String,
    pub dataset: Option<String>,
    pub prompt: Option<String>,
    pub target: Option<String>,
    pub cluster: Option<String>,
    pub scores: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannedMetric {
    pub name: String,
    pub kind: MetricKind,
    /// Sums are of scores over 10 to that power.
    pub exponent: i32,
    /// Whether more of it is better, so that a sample without it counts as asked.
    pub is_score: bool,
    /// Lowest and highest score that baseline and candidate can have, in the unit of either; scores outside
    /// count as missing.
    #[serde(default)]
    pub ranges: [Option<ScoreRange>; 2],
}

/// Lowest and highest score; JSON has no infinite ones.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ScoreRange {
    lowest: Option<f64>,
    highest: Option<f64>,
}

impl ScoreRange {
    pub fn new((lowest, highest): (f64, f64)) -> Self {
        let finite = |end: f64| Some(end).filter(|end| end.is_finite());
        Self { lowest: finite(lowest), highest: finite(highest) }
    }

    pub fn ends(self) -> (f64, f64) {
        (self.lowest.unwrap_or(f64::NEG_INFINITY), self.highest.unwrap_or(f64::INFINITY))
    }
}

/// How the scores of a metric are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MetricKind {
    /// Pairs of scores, each with how often it occurs.
    Values,
    /// Sums of scores, of their differences and of both squared.
    Sums,
}

/// What became of an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PairStatus {
    /// In both runs, and no content says that it is not the same.
    Pair,
    /// In both, with equal targets and other prompts.
    Reworded,
    /// In both, with other content.
    Other,
    OnlyA,
    OnlyB,
    /// Records of the baseline contradict each other.
    ConflictA,
    ConflictB,
    ConflictBoth,
    /// Records without an id.
    NoId,
}

impl PairStatus {
    pub const ALL: [Self; 9] = [
        Self::Pair,
        Self::Reworded,
        Self::Other,
        Self::OnlyA,
        Self::OnlyB,
        Self::ConflictA,
        Self::ConflictB,
        Self::ConflictBoth,
        Self::NoId,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Pair => "pair",
            Self::Reworded => "reworded",
            Self::Other => "other-content",
            Self::OnlyA => "only-a",
            Self::OnlyB => "only-b",
            Self::ConflictA => "conflict-a",
            Self::ConflictB => "conflict-b",
            Self::ConflictBoth => "conflict-both",
            Self::NoId => "no-id",
        }
    }

    /// Whether records of that arm contradict each other, 0 being the baseline.
    pub fn is_torn(self, arm: usize) -> bool {
        match self {
            Self::ConflictBoth => true,
            Self::ConflictA => arm == 0,
            Self::ConflictB => arm == 1,
            _ => false,
        }
    }

    pub fn is_conflict(self) -> bool {
        self.is_torn(0) || self.is_torn(1)
    }
}

/// The samples of one dataset in both runs.
#[derive(Debug, Clone, PartialEq)]
pub struct CountedPairs {
    pub plan: Arc<CountedPlan>,
    pub dataset: Option<String>,
    /// The file that holds the counts.
    pub path: Arc<str>,
    pub ids: BTreeMap<PairStatus, CountedIds>,
    /// One for each metric of the plan.
    pub scores: Vec<CountedScores>,
}

/// Ids of one status. What is of both arms has the baseline first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CountedIds {
    pub ids: u64,
    /// One of them.
    pub example: Option<String>,
    /// Those that have a record in the arm.
    pub present: [u64; 2],
    pub records: [u64; 2],
    /// Those of which both prompts are known, and both targets.
    pub with_prompts: u64,
    pub with_targets: u64,
    /// Those without a cluster, where a field says which samples belong together.
    pub lone: u64,
}

/// One metric of a dataset.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CountedScores {
    pub groups: Vec<CountedGroup>,
    /// Clusters of pairs that are alike; empty where no field says which samples belong together.
    pub clusters: Vec<ClusterClass>,
    /// Records of either arm whose score is outside of the range of the metric, and the highest such score.
    pub outside: [(u64, f64); 2],
}

impl CountedScores {
    /// The groups of ids whose scores count for an arm, 0 being the baseline.
    pub fn of_arm(&self, arm: usize) -> impl Iterator<Item = &CountedGroup> + Clone {
        let groups = self.groups.iter();
        groups.filter(move |group| !group.status.is_torn(arm) && group.status != PairStatus::NoId)
    }
}

/// Ids with one status and one pair of scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CountedGroup {
    pub status: PairStatus,
    /// Without a score of this metric and with one of another.
    pub elsewhere: bool,
    pub scored: [ScoreState; 2],
    /// The scores, of metrics that are listed.
    pub scores: [Option<f64>; 2],
    pub ids: u64,
    /// Of metrics that are not.
    pub sums: Option<ScoreSums>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ScoreState {
    #[default]
    Absent,
    Finite,
    Infinite,
}

impl ScoreState {
    /// Whether there is a score, a finite one unless infinite ones count.
    pub fn counts(self, infinite_counts: bool) -> bool {
        self == Self::Finite || infinite_counts && self == Self::Infinite
    }
}

/// Sums over ids: of the scores of either arm, and of candidate − baseline.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ScoreSums {
    pub scores: [f64; 2],
    pub squares: [f64; 2],
    /// The highest score of either arm.
    pub highest: [f64; 2],
    pub differences: f64,
    pub squared_differences: f64,
    pub cubed_differences: f64,
    /// Ids whose difference is not 0, the lowest such difference and the highest.
    pub others: u64,
    pub least: f64,
    pub most: f64,
}

/// Clusters with as many pairs and the same sums.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClusterClass {
    pub clusters: u64,
    /// In each: pairs with a score in both arms.
    pub pairs: u64,
    /// Pairs with a score in one arm alone.
    pub alone: [u64; 2],
    /// Pairs without a score, and those of them that have one of another metric.
    pub silent: [u64; 2],
    pub sums: ClusterTotals,
}

/// Sums of differences in clusters: `complete` over pairs with a score in both arms, `filled` with missing
/// scores as 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ClusterTotals {
    /// In each of the clusters.
    Each { complete: f64, filled: f64 },
    /// Over all of the clusters, with sums of squares.
    All { complete: [f64; 2], filled: [f64; 2] },
}

/// What one run has of counts: which arm it is, and all datasets.
#[derive(Debug, Clone)]
pub struct CountedArm {
    /// 0 for the baseline, 1 for the candidate.
    pub arm: usize,
    pub datasets: Arc<[CountedPairs]>,
}

impl CountedArm {
    /// Names of the metrics that were counted.
    pub fn metrics(&self) -> impl Iterator<Item = &str> {
        let plan = self.datasets.first().map(|counted| &counted.plan);
        plan.into_iter().flat_map(|plan| &plan.metrics).map(|metric| metric.name.as_str())
    }

    /// How many ids it has a record of.
    pub fn samples(&self) -> u64 {
        let ids = self.datasets.iter().flat_map(|counted| &counted.ids);
        let own = ids.filter(|(status, _)| **status != PairStatus::NoId);
        own.map(|(_, ids)| ids.present[self.arm]).sum()
    }
}
