//! Scores of each arm by another number of the same samples: by the confidence that records state, where
//! scores are right or wrong, and by the length of the answers.
//!
//! What the first reading keeps is all that is looked at. Samples are taken as independent.

use super::Comparison;
use crate::model::MetricRole;
use crate::pairing::{PairArm, SampledSide};
use crate::stats::{
    Bin, Counts, Interval, Moments, calibration_error, equal_count_bins, mean_interval, wilson,
};

/// Samples of an arm below which nothing is shown.
const FEWEST: usize = 100;
/// Samples of a bin.
const FEWEST_OF_BIN: usize = 20;
const MOST_BINS: usize = 10;
/// Of more samples every k-th is looked at, so that a report of many takes no longer.
const MOST_SAMPLES: usize = 10_000;
/// Most datasets of one candidate.
const MOST_DATASETS: usize = 4;

/// What samples are put in order by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BinnedBy {
    /// Stated as a share, so that it can be held against the share of right answers.
    Confidence,
    /// In tokens.
    Length,
}

impl BinnedBy {
    const BOTH: [Self; 2] = [Self::Confidence, Self::Length];

    pub fn name(self) -> &'static str {
        match self {
            Self::Confidence => "confidence",
            Self::Length => "length",
        }
    }

    /// Names of the columns that hold it.
    fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Confidence => &[
                "confidence",
                "confidence_score",
                "verbalized_confidence",
                "predicted_probability",
                "probability",
                "p_true",
            ],
            Self::Length => &["avg_gen_tokens"],
        }
    }
}

/// The scores of both arms of a comparison by a number of its samples.
#[derive(Debug)]
pub struct ScoreBins<'a> {
    pub comparison: &'a Comparison<'a>,
    pub by: BinnedBy,
    /// The column of the numbers.
    pub column: &'static str,
    /// Whether scores are right or wrong: means are shares of 1 then, else in the unit of the cell.
    pub is_share: bool,
    /// Baseline and candidate.
    pub arms: [ArmBins; 2],
}

/// The scores of one arm in bins of equal count, at least two.
#[derive(Debug)]
pub struct ArmBins {
    pub bins: Vec<ScoreBin>,
    /// Expected calibration error as a share, of confidence.
    pub calibration_error: Option<f64>,
}

#[derive(Debug, Clone, Copy)]
pub struct ScoreBin {
    pub bin: Bin,
    /// Of the mean score: Wilson's for right and wrong, else Student's. `None` where all scores are equal.
    pub interval: Option<Interval>,
}

/// The bins of the primary metric of each dataset, of the first few.
pub fn score_bins<'a>(comparisons: &'a [Comparison<'a>], level: f64) -> Vec<ScoreBins<'a>> {
    let is_primary = |one: &&Comparison<'_>| {
        !one.pair.is_repeated()
            && one.cell.role.is_some_and(|given| given.role == MetricRole::Primary)
            && one.cell.table.is_some()
    };
    let mut found: Vec<ScoreBins<'a>> = Vec::new();
    for one in comparisons.iter().filter(is_primary) {
        for by in BinnedBy::BOTH {
            let of_kind = || found.iter().filter(|other| other.by == by);
            let is_known =
                of_kind().any(|other| other.comparison.cell.key.dataset == one.cell.key.dataset);
            if !is_known && of_kind().count() < MOST_DATASETS {
                found.extend(ScoreBins::of(one, by, level));
            }
        }
    }
    found.sort_by_key(|one| one.by);
    found
}

impl<'a> ScoreBins<'a> {
    fn of(comparison: &'a Comparison<'a>, by: BinnedBy, level: f64) -> Option<Self> {
        let sides = PairArm::BOTH.map(|which| comparison.cell.side(which).samples.as_ref());
        let [Some(baseline), Some(candidate)] = sides else { return None };
        let is_binary = baseline.is_binary() && candidate.is_binary();
        let more_is_better = comparison.cell.spec.direction.sign() == Some(1.0);
        if by == BinnedBy::Confidence && !(is_binary && more_is_better) {
            return None;
        }
        let has = |column: &str| {
            [baseline, candidate].iter().all(|side| side.table.column(column).is_some())
        };
        let column = by.columns().iter().find(|column| has(column))?;
        let arm = |side: &SampledSide<'_>| arm_bins(side, by, column, is_binary, level);
        let arms = [arm(baseline)?, arm(candidate)?];
        Some(Self { comparison, by, column, is_share: is_binary, arms })
    }
}

/// `None` with too few samples, where the numbers are hardly ever different, and where confidence is no share.
fn arm_bins(
    side: &SampledSide<'_>,
    by: BinnedBy,
    column: &str,
    is_binary: bool,
    level: f64,
) -> Option<ArmBins> {
    let numbers = side.table.column(column)?;
    if side.scored < FEWEST as u64 || numbers.is_binary() {
        return None;
    }
    let score = |row: usize| {
        let outcome = || Some(f64::from(u8::from(side.outcome(row)?)));
        if is_binary { outcome() } else { side.score(row) }
    };
    let every = (side.scored as usize).div_ceil(MOST_SAMPLES).max(1);
    let points =
        side.rows().step_by(every).filter_map(|row| Some([numbers.get(row)?, score(row)?]));
    let points: Vec<[f64; 2]> = points.collect();
    let is_share = |[number, _]: &[f64; 2]| (0.0..=1.0).contains(number);
    if points.len() < FEWEST || by == BinnedBy::Confidence && !points.iter().all(is_share) {
        return None;
    }
    let bins = equal_count_bins(points, MOST_BINS, FEWEST_OF_BIN);
    let interval = |scores: Moments| {
        let right = (scores.mean * scores.n as f64).round() as u64;
        let of_share = || Some(wilson(Counts::new(right, scores.n)?, level));
        if is_binary { of_share() } else { mean_interval(scores, level) }
    };
    let calibration_error = (by == BinnedBy::Confidence).then(|| calibration_error(&bins));
    let bins = bins.into_iter().map(|bin| ScoreBin { bin, interval: interval(bin.scores) });
    let bins: Vec<ScoreBin> = bins.collect();
    (bins.len() > 1).then_some(ArmBins { bins, calibration_error })
}
