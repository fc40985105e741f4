//! Six words, and the reason where one is needed.

use super::{Choices, Comparison};
use crate::diag::Code;
use crate::model::Direction;

/// What can be said about a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The candidate is better.
    Better,
    /// The candidate is worse.
    Worse,
    /// The difference is smaller than the declared margin.
    Equivalent,
    /// The data cannot tell.
    Inconclusive,
    /// Every outcome is the same.
    Identical,
    /// No verdict is possible; the reason says why.
    NotAssessable,
}

impl Verdict {
    /// The name in `report.json` and in the catalogue.
    pub fn name(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Equivalent => "equivalent",
            Self::Inconclusive => "inconclusive",
            Self::Identical => "identical",
            Self::NotAssessable => "not-assessable",
        }
    }
}

/// Why there is no verdict, or no firmer one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// One side has no figure.
    MissingValue,
    /// The number of samples behind a figure is not known.
    SizeUnknown,
    /// The figure is not an average of per-sample scores within known bounds.
    NotAnAverage,
    /// Nobody declared which way is good.
    DirectionUnknown,
    /// A change of this metric has no good side.
    Neutral,
    /// A finding takes the verdict.
    Blocked(Code),
    /// Too few samples to say anything.
    TooFew,
    /// It would be a difference if it were the only one tested.
    LostToFamily,
    /// Samples without a score or partner could undo the difference.
    MissingCouldUndo,
}

impl Reason {
    /// The catalogue key of the reason.
    pub fn key(self) -> &'static str {
        match self {
            Self::MissingValue => "missing-value",
            Self::SizeUnknown => "size-unknown",
            Self::NotAnAverage => "not-an-average",
            Self::DirectionUnknown => "direction-unknown",
            Self::Neutral => "neutral",
            Self::Blocked(_) => "blocked",
            Self::TooFew => "too-few",
            Self::LostToFamily => "lost-to-family",
            Self::MissingCouldUndo => "missing-could-undo",
        }
    }
}

/// Decides one comparison. The adjusted p and the interval both have to agree before a difference
/// is called one; a margin is judged by the interval at 1 − 2α (two one-sided tests).
pub(super) fn decide(comparison: &mut Comparison<'_>, choices: &Choices) {
    if comparison.reason.is_some() {
        comparison.verdict = Verdict::NotAssessable;
        return;
    }
    let (verdict, reason) = judge(comparison, choices);
    comparison.verdict = verdict;
    comparison.reason = reason;
}

fn judge(comparison: &Comparison<'_>, choices: &Choices) -> (Verdict, Option<Reason>) {
    let Some(analysis) = &comparison.analysis else {
        return (Verdict::NotAssessable, Some(Reason::TooFew));
    };
    if all_outcomes_equal(comparison) {
        return (Verdict::Identical, None);
    }
    let alpha = choices.options.alpha;
    let slack = comparison.slack().unwrap_or(0.0);
    if let Some(margin) = choices.margins.get(&comparison.cell.key.metric)
        && super::evidence::interval_at(comparison, 1.0 - 2.0 * alpha)
            .is_some_and(|interval| interval.lo - slack > -margin && interval.hi + slack < *margin)
    {
        return (Verdict::Equivalent, None);
    }
    let (Some(p), Some(interval)) = (comparison.p_adjusted, analysis.interval) else {
        return (Verdict::NotAssessable, Some(Reason::TooFew));
    };
    let apart = interval.excludes(0.0);
    if p >= alpha || !apart {
        let alone = analysis.test.is_some_and(|test| test.p < alpha) && apart;
        return (Verdict::Inconclusive, alone.then_some(Reason::LostToFamily));
    }
    if slack > 0.0 && interval.lo - slack <= 0.0 && interval.hi + slack >= 0.0 {
        return (Verdict::Inconclusive, Some(Reason::MissingCouldUndo));
    }
    match comparison.cell.spec.direction {
        Direction::Unknown => (Verdict::NotAssessable, Some(Reason::DirectionUnknown)),
        Direction::Neutral | Direction::Target(_) => {
            (Verdict::NotAssessable, Some(Reason::Neutral))
        }
        direction => match direction.sign() {
            Some(sign) if sign * analysis.delta > 0.0 => (Verdict::Better, None),
            _ => (Verdict::Worse, None),
        },
    }
}

fn all_outcomes_equal(comparison: &Comparison<'_>) -> bool {
    if comparison.identical_arms {
        return true;
    }
    if comparison.cell.coverage.is_some_and(|coverage| coverage.lost() > 0) {
        return false;
    }
    match comparison.flips {
        Some(flips) => flips.gained == 0 && flips.lost == 0,
        None => comparison.paired.is_some() && comparison.pair.same_outcomes(comparison.cell),
    }
}
