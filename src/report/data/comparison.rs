//! One figure at one grid point of two arms, and how they compare.

use serde::Serialize;

use crate::compare::{Bounds, NonInferiority};
use crate::model::{Dims, MetricRole};
use crate::quantity::Unit;

#[derive(Debug, Clone, Serialize)]
pub struct ComparisonView {
    /// Canonical metric name.
    pub metric: String,
    pub dataset: Option<String>,
    pub dims: Dims,
    /// `higher`, `lower`, `target`, `neutral`, `unknown`.
    pub direction: &'static str,
    /// `primary`, `guard`, `secondary`, `cost`, `breakdown`; `null` for a metric without a good side
    /// that nobody gave a role.
    pub role: Option<&'static str>,
    /// Who gave the role: `user`, `catalogue`, `default`.
    pub role_origin: Option<&'static str>,
    pub unit: Unit,
    /// Name of the baseline arm: the run id of an arm of one run.
    pub baseline_run: String,
    pub candidate_run: String,
    pub baseline: ArmView,
    pub candidate: ArmView,
    /// Candidate − baseline; `null` when a side is missing.
    pub delta: Option<DeltaView>,
    pub test: Option<TestView>,
    pub pairing: Option<PairingView>,
    pub flips: Option<FlipsView>,
    /// How far samples without a score could move the difference.
    pub bounds: Option<Bounds>,
    pub decomposition: Option<DecompositionView>,
    /// What several answers to each problem leave uncertain of the paired difference.
    pub answers: Option<AnswersView>,
    pub noninferiority: Option<NonInferiority>,
    /// How far runs of the baseline's configuration lie apart.
    pub noise: Option<NoiseView>,
    /// Smallest difference that would have been found, in the unit of the delta.
    pub mde: Option<f64>,
    /// Samples (or clusters) needed to find the observed difference.
    pub needed_n: Option<u64>,
    /// One of the six verdicts, or `missing` values lead to `not-assessable`.
    pub verdict: &'static str,
    pub reason: Option<String>,
    /// The distance from 0 that a better or worse result certainly lies within although no margin is
    /// declared, in the unit of the delta; `null` where it may be larger.
    pub small_within: Option<f64>,
    /// What people read in place of the verdict.
    #[serde(skip)]
    pub word: Option<&'static str>,
    /// Where its metric stands among the others, by what they are for.
    #[serde(skip)]
    pub rank: (u8, Option<MetricRole>),
    /// Codes of the findings that the verdict stands in spite of, because they were accepted.
    pub accepted: Vec<&'static str>,
    /// Codes of the findings that confound this result and not the pair as a whole.
    pub confounded: Vec<&'static str>,
    /// What a reader should know about the numbers, as stable tags.
    pub notes: Vec<&'static str>,
}

impl ComparisonView {
    /// The figures that the difference stands on, baseline first: over the pairs where samples, or
    /// trainings, were paired, else each arm's own.
    pub fn compared(&self) -> [Option<f64>; 2] {
        let over_pairs = self.pairing.as_ref();
        [
            over_pairs.and_then(|pairs| pairs.baseline_value).or(self.baseline.value),
            over_pairs.and_then(|pairs| pairs.candidate_value).or(self.candidate.value),
        ]
    }
}

/// One side of a cell.
#[derive(Debug, Clone, Serialize)]
pub struct ArmView {
    /// The figure in the metric's unit; `null` when absent. The mean over the runs of the arm.
    pub value: Option<f64>,
    /// Why there is none: `not-run`, `not-applicable`, `failed`.
    pub absent: Option<&'static str>,
    /// Samples behind it; runs where an arm has several.
    pub n: Option<u64>,
    /// Its clusters, when these are the units and samples were not paired.
    pub clusters: Option<u64>,
    /// Interval of the single figure.
    pub ci: Option<[f64; 2]>,
    /// Each run's own figure, where an arm has several runs.
    pub seeds: Option<Vec<SeedView>>,
    pub coverage: Option<CoverageView>,
    /// Samples behind the figure that is compared, and how many there should be; `null` where
    /// neither arm is known to lack any.
    pub part: Option<[u64; 2]>,
    /// The figure over all samples of an arm that lacks none, where `value` stands on the pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole: Option<f64>,
    pub source: Option<SourceView>,
}

/// One training of an arm of several.
#[derive(Debug, Clone, Serialize)]
pub struct SeedView {
    pub run: String,
    /// The seed that its configuration records.
    pub seed: Option<String>,
    /// Its figure in the metric's unit; `null` when absent.
    pub value: Option<f64>,
    pub n: Option<u64>,
}

/// What became of the samples of one side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct CoverageView {
    /// With a usable score.
    pub present: u64,
    /// How many there should be by the run's own files; `null` where none says so.
    pub planned: Option<u64>,
    /// In the other side only, or set out and in neither.
    pub missing: u64,
    /// Marked as failed by the producer.
    pub errored: u64,
    /// Without a usable score.
    pub unscored: u64,
    /// Stopped at the length limit.
    pub truncated: u64,
    /// Extra records of an id that was seen before, with equal content and scores.
    pub duplicate: u64,
    /// Ids whose records contradict each other; counted nowhere else.
    pub conflicting: u64,
}

/// Where a figure stood.
#[derive(Debug, Clone, Serialize)]
pub struct SourceView {
    pub path: String,
    /// Line, from 1.
    pub line: Option<u64>,
    pub key: Option<String>,
}

/// Candidate − baseline.
#[derive(Debug, Clone, Serialize)]
pub struct DeltaView {
    /// Difference in `unit`.
    pub absolute: f64,
    /// Difference as a share of the baseline; `null` when the baseline is 0.
    pub relative: Option<f64>,
    /// `pp` for rates, else the unit of the metric.
    pub unit: &'static str,
    /// Interval of the difference in `unit`.
    pub ci: Option<[f64; 2]>,
    pub level: Option<f64>,
    pub ci_method: Option<&'static str>,
    /// Interval that holds together with those of the whole family; `null` in a family of one.
    pub ci_simultaneous: Option<[f64; 2]>,
    /// Its level, 1 − α/m.
    pub level_simultaneous: Option<f64>,
}

/// Where the variance of a paired difference of several answers comes from.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct AnswersView {
    /// Answers to each problem of the baseline; the harmonic mean of uneven numbers.
    pub baseline: f64,
    pub candidate: f64,
    /// Share of drawing answers in the variance of the problems' differences.
    pub sampling_share: f64,
    /// Standard error with twice as many answers to each problem, over the present one.
    pub stderr_ratio_twice_answers: f64,
    /// The same with twice as many problems.
    pub stderr_ratio_twice_problems: f64,
}

#[derive(Debug, Clone, Serialize)]
pub struct DecompositionView {
    /// Pairs of samples.
    pub pairs: u64,
    /// Those with a score in both arms, over which the difference is.
    pub scored: u64,
    /// Contributions; they sum to the difference.
    pub parts: Vec<PartView>,
    /// Pairs by what became of them in either arm.
    pub transitions: Vec<TransitionView>,
}

/// What one class of failures, or the answers, contribute to a difference.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct PartView {
    /// `answers`, `cut`, `no-answer`, `syntax-error`, `runtime-error`, `timeout`, `execution-error`
    /// or `infrastructure`.
    pub class: &'static str,
    /// Pairs in it in the baseline.
    pub baseline: u64,
    pub candidate: u64,
    /// Contribution in the unit of the delta.
    pub contribution: f64,
    /// Its interval at the level of the delta's, not adjusted; `null` unless scores are right or
    /// wrong.
    pub ci: Option<[f64; 2]>,
}

/// Pairs that went from one class to another.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct TransitionView {
    /// Class in the baseline: one of the parts', or `right`, `answered`, `wrong-answer`, `no-score`.
    pub baseline: &'static str,
    pub candidate: &'static str,
    pub pairs: u64,
}

/// How far runs of the baseline's configuration lie apart.
#[derive(Debug, Clone, Serialize)]
pub struct NoiseView {
    /// Number of runs, the baseline included.
    pub runs: u64,
    /// Each run's figure, the baseline's first.
    pub figures: Vec<NoiseFigureView>,
    /// Samples behind each figure: those that all of the runs have.
    pub items: Option<u64>,
    pub range: Option<[f64; 2]>,
    /// Standard deviation of the figures, in the unit of the delta.
    pub sd: f64,
    /// How far two further runs lie apart at most, in the unit of the delta: t(1 − α/2)·sd·√2.
    pub floor: f64,
    /// Level of the floor, 1 − α.
    pub level: f64,
    pub df: u64,
    /// How often two such runs lie at least as far apart as the arms.
    pub p: f64,
    /// The same adjusted for the family.
    pub p_adjusted: Option<f64>,
    /// Whether the difference lies within the floor.
    pub within: bool,
    /// Whether the runs agree in every score.
    pub deterministic: bool,
}

#[derive(Debug, Clone, Serialize)]
pub struct NoiseFigureView {
    pub run: String,
    pub value: f64,
}

#[derive(Debug, Clone, Serialize)]
pub struct TestView {
    pub method: &'static str,
    pub p: f64,
    pub p_adjusted: Option<f64>,
    /// Name and size of the family, for example `primary tests of this report, m=4, Holm`.
    pub family: Option<String>,
    pub statistic: Option<f64>,
    /// Smallest p that the design could have given.
    pub attainable: Option<f64>,
    /// Smallest and largest p that a paired test could give over every pairing of the samples
    /// behind two stated figures; `null` where samples are at hand or sizes differ.
    pub paired_p_bounds: Option<[f64; 2]>,
}

/// How samples, or trainings, were paired.
#[derive(Debug, Clone, Serialize)]
pub struct PairingView {
    /// Pairs of `unit`; 0 for trainings that no seed pairs.
    pub paired: u64,
    /// Samples of the baseline without partner.
    pub baseline_only: u64,
    pub candidate_only: u64,
    /// Ids set aside because their records contradict each other.
    pub conflicting: u64,
    /// `sample`, `cluster`, `seed`.
    pub unit: &'static str,
    /// Number of clusters, when the cluster is the unit.
    pub clusters: Option<u64>,
    /// Samples that every run was scored on, when seeds and samples are crossed.
    pub items: Option<u64>,
    /// Figure of the baseline over the pairs.
    pub baseline_value: Option<f64>,
    pub candidate_value: Option<f64>,
    /// What proves that partners are the same sample: `document-hash`, `target-and-prompt-hash`,
    /// `target-hash`, `prompt-hash`, `content` (paired by it) or `id-only`;
    /// `null` where no samples were paired.
    pub proof: Option<&'static str>,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub struct FlipsView {
    /// Wrong, then right.
    pub gained: u64,
    /// Right, then wrong.
    pub lost: u64,
    pub both_right: u64,
    pub both_wrong: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct VerdictCounts {
    pub better: u64,
    pub worse: u64,
    pub equivalent: u64,
    pub inconclusive: u64,
    pub identical: u64,
    pub not_assessable: u64,
    /// Guards that are not worse; whether they are better is not asked.
    pub not_worse: u64,
    /// Metrics whose role keeps them from a verdict: cost and breakdown.
    pub described: u64,
}
