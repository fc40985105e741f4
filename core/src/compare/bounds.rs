//! How far samples without a score could move a difference.
//!
//! Samples that fail are seldom a fair draw, so what is lost counts as evidence: everything is
//! worked out again over all samples that either arm was asked, once with each score in doubt
//! against the candidate and once for it.

use serde::Serialize;

use super::evidence::ComparisonEvidence;
use super::joined::{AskedSample, Joined, Scored};
use crate::pairing::{ArmPair, CellPair};
use crate::stats::Interval;

/// A difference under every reading of the samples without a score, in the unit of the difference.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bounds {
    /// Samples that either arm was asked; of arms of several runs, that some run was asked.
    pub asked: u64,
    /// Those of them without a score in at least one arm, or run.
    pub lost: u64,
    /// The difference that is reported, over the samples with a score.
    pub completed_only: f64,
    /// Every missing score of either arm wrong.
    pub all_wrong: f64,
    /// Every missing score of either arm right.
    pub all_right: f64,
    /// Missing scores of the baseline right, of the candidate wrong.
    pub worst: f64,
    /// Missing scores of the baseline wrong, of the candidate right.
    pub best: f64,
    /// Whether what the completed pairs say still holds in both extremes; `None` where they
    /// establish nothing, where nothing is missing, or where a finding takes the verdict anyway.
    pub survives: Option<bool>,
    /// The same for answers that were cut at the length limit.
    pub truncation: Option<Truncation>,
}

/// A difference with truncated answers counted as wrong.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Truncation {
    /// Truncated answers, over both arms.
    pub samples: u64,
    pub counted_wrong: f64,
    /// Whether what the scores say still holds; `None` where they establish nothing.
    pub survives: Option<bool>,
}

/// The readings as evidence, from which the verdict is taken again.
#[derive(Debug)]
pub(super) struct DifferenceReadings<'a> {
    /// How far the difference could move; `None` for scores without bounds, where it could move as
    /// far as one likes.
    bounds: Option<Bounds>,
    /// Whether something is missing.
    lost: bool,
    /// The two extremes, when something is missing.
    extremes: Vec<ComparisonEvidence>,
    /// The samples whose order stands in for the extremes, for scores without bounds. It is asked
    /// only where something is established: ranking every sample is dear.
    by_order: Option<Joined<'a, 'a>>,
    truncated: Option<ComparisonEvidence>,
    /// The pairs with an answer in both arms, where one arm lacks some that were scored.
    answered: Option<Answered>,
}

/// The pairs with an answer in both arms, in the unit of the difference.
#[derive(Debug)]
struct Answered {
    /// How far the difference over them lies from the one that is reported.
    moved: f64,
    /// `None` where too few are left to say anything.
    evidence: Option<ComparisonEvidence>,
}

/// What the readings say of what the completed pairs establish.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Judged {
    pub(super) bounds: Option<Bounds>,
    /// Whether it holds in both extremes; `None` where nothing is established or missing.
    pub(super) survives: Option<bool>,
}

impl<'a> DifferenceReadings<'a> {
    /// The readings of a cell, when a sample has no score or an answer was cut.
    pub(super) fn over_pairs(
        pair: &'a ArmPair<'a>,
        cell: &'a CellPair<'a>,
        completed_only: f64,
    ) -> Option<Self> {
        let joined = Joined::new(pair, cell)?;
        let coverage = cell.coverage?;
        let judged = cell.has_good_side();
        let cut = joined.baseline.truncated() + joined.candidate.truncated();
        let cut = Some(cut).filter(|&cut| cut > 0 && judged);
        let answered = joined
            .answered()
            .filter(|_| judged)
            .map(|pairs| Answered::new(joined, completed_only, pairs));
        let lost = coverage.lost() > 0;
        let lost_answers = joined.lost_answers();
        let is_lost = lost || lost_answers.is_some();
        if !is_lost && cut.is_none() && answered.is_none() {
            return None;
        }
        let Some((wrong, right)) = wrong_and_right(joined.right(), cell) else {
            let by_order = lost.then_some(joined);
            let is_open = lost || answered.is_some();
            return is_open.then(|| Self { lost, by_order, answered, ..Self::open() });
        };
        let asked = joined.asked();
        let lost_answers = lost_answers.as_ref();
        let filled = |baseline: f64, candidate: f64| {
            asked.iter().map(move |&one| {
                let [mine, theirs] = joined.filled(one, lost_answers, [baseline, candidate]);
                joined.scored(one, mine, theirs)
            })
        };
        let mean = |baseline, candidate| mean_difference(filled(baseline, candidate), joined);
        let extremes: Vec<ComparisonEvidence> = [filled(right, wrong), filled(wrong, right)]
            .into_iter()
            .filter(|_| is_lost)
            .filter_map(|scored| joined.evidence(scored))
            .collect();
        let counted_wrong = || asked.iter().filter_map(|&one| cut_is_wrong(joined, one, wrong));
        let truncation = cut.map(|samples| {
            let counted_wrong = mean_difference(counted_wrong(), joined);
            Truncation { samples, counted_wrong, survives: None }
        });
        let bounds = Bounds {
            asked: coverage.eligible,
            lost: coverage.lost(),
            completed_only,
            all_wrong: mean(wrong, wrong),
            all_right: mean(right, right),
            worst: mean(right, wrong),
            best: mean(wrong, right),
            survives: None,
            truncation,
        };
        let truncated = cut.and_then(|_| joined.evidence(counted_wrong()));
        Some(Self {
            bounds: Some(bounds),
            lost: is_lost,
            extremes,
            by_order: None,
            truncated,
            answered,
        })
    }

    /// Nothing can be said without the answers that one arm lacks.
    pub(super) fn needs_answers(self) -> Self {
        Self { answered: Some(Answered { moved: f64::INFINITY, evidence: None }), ..self }
    }

    /// Every sample has its score.
    pub(super) fn complete() -> Self {
        Self { lost: false, ..Self::open() }
    }

    /// Something is missing that nothing can stand in for.
    pub(super) fn open() -> Self {
        Self {
            bounds: None,
            lost: true,
            extremes: Vec::new(),
            by_order: None,
            truncated: None,
            answered: None,
        }
    }

    /// The readings of a design that is worked out elsewhere: with every missing score against the
    /// candidate, then for it.
    pub(super) fn from_extremes(bounds: Bounds, extremes: [ComparisonEvidence; 2]) -> Self {
        Self {
            lost: bounds.lost > 0,
            bounds: Some(bounds),
            extremes: extremes.into(),
            by_order: None,
            truncated: None,
            answered: None,
        }
    }

    /// How far samples without a score could move the difference at most.
    pub(super) fn slack(&self) -> f64 {
        let lost = match self.bounds {
            Some(Bounds { completed_only, worst, best, .. }) => {
                (worst - completed_only).abs().max((best - completed_only).abs())
            }
            None if self.lost => f64::INFINITY,
            None => 0.0,
        };
        lost.max(self.answered.as_ref().map_or(0.0, |pairs| pairs.moved))
    }

    /// Whether the order of the samples stands in for missing scores without bounds.
    pub(super) fn is_by_order(&self) -> bool {
        self.by_order.is_some()
    }

    /// Whether both extremes are there, where something is missing.
    fn is_complete(&self) -> bool {
        !self.lost || self.extremes.len() == 2
    }

    /// An interval and those of both extremes at its level; `None` where an extreme has none.
    pub(super) fn covering(&self, interval: Interval) -> Option<Interval> {
        let answered = self.answered.iter().map(|pairs| pairs.evidence.as_ref());
        let mut readings = self.extremes.iter().map(Some).chain(answered);
        let covering = readings.try_fold(interval, |covering, reading| {
            let Interval { lo, hi, .. } = reading?.interval(interval.level)?;
            Some(covering.covering(lo, hi))
        });
        covering.filter(|_| self.is_complete())
    }

    /// The readings, where the completed pairs establish something and `holds` says whether other
    /// evidence establishes it too.
    pub(super) fn judged(&self, holds: Option<&impl Fn(&ComparisonEvidence) -> bool>) -> Judged {
        let survives = holds.filter(|_| self.lost || self.answered.is_some());
        let survives =
            survives.map(|holds| self.survives_loss(holds) && self.holds_answered(holds));
        let bounds = self.bounds.map(|bounds| {
            let truncation = bounds.truncation.map(|truncation| Truncation {
                survives: holds.map(|holds| self.truncated.as_ref().is_some_and(holds)),
                ..truncation
            });
            Bounds { survives: survives.filter(|_| self.lost), truncation, ..bounds }
        });
        Judged { bounds, survives }
    }

    /// Whether it holds with every missing score against the candidate, and with every one for it.
    fn survives_loss(&self, holds: &impl Fn(&ComparisonEvidence) -> bool) -> bool {
        match self.by_order {
            // A missing score is as bad, then as good, as the worst.
            Some(joined) => [f64::NEG_INFINITY, f64::INFINITY]
                .into_iter()
                .all(|lost| joined.by_order(Some(lost)).as_ref().is_some_and(holds)),
            None => self.is_complete() && self.extremes.iter().all(holds),
        }
    }

    /// Whether it holds without the pairs of which one arm has no answer.
    fn holds_answered(&self, holds: &impl Fn(&ComparisonEvidence) -> bool) -> bool {
        self.answered.as_ref().is_none_or(|pairs| pairs.evidence.as_ref().is_some_and(holds))
    }
}

impl Answered {
    fn new(
        joined: Joined<'_, '_>,
        reported: f64,
        pairs: impl Iterator<Item = Scored> + Clone,
    ) -> Self {
        let difference = mean_difference(pairs.clone(), joined);
        Self { moved: (difference - reported).abs(), evidence: joined.evidence(pairs) }
    }
}

/// The mean difference, in the unit in which it is shown; 0 of no samples.
fn mean_difference(scored: impl Iterator<Item = Scored>, joined: Joined<'_, '_>) -> f64 {
    let (sum, n) = scored.fold((0.0, 0_u64), |(sum, n), one| (sum + one.difference(), n + 1));
    joined.spec.unit.shown_scale() * sum / n.max(1) as f64
}

/// The scores that stand for wrong and right, from the larger of two outcomes where there are only
/// two, else from the bounds of the metric. Without a declared good side the larger is right.
pub(super) fn wrong_and_right(outcome: Option<f64>, cell: &CellPair<'_>) -> Option<(f64, f64)> {
    let bounds = cell.spec.bounds.filter(|(lo, hi)| (hi - lo).is_finite());
    let (lo, hi) = outcome.map(|larger| (0.0, larger)).or(bounds)?;
    Some(if cell.spec.direction.sign() == Some(-1.0) { (hi, lo) } else { (lo, hi) })
}

/// The sample with truncated answers wrong, when both arms then have a score.
fn cut_is_wrong(joined: Joined<'_, '_>, one: AskedSample, wrong: f64) -> Option<Scored> {
    let [mine, theirs] = joined.cut(one).map(|cut| cut.then_some(wrong));
    let mine = mine.or_else(|| joined.baseline_score(one))?;
    let theirs = theirs.or_else(|| joined.candidate_score(one))?;
    Some(joined.scored(one, mine, theirs))
}
