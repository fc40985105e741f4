//! Six words, and the reason where one is needed.

use super::evidence::Evidence;
use super::margins::{self, equivalence_level};
use super::{Bounds, Choices, Comparison};
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
    /// No outcome of this design could have reached α, alone or in its family.
    OutOfReach,
    /// There is no test for this design that may be looked at again and again.
    NoAnytimeMethod,
    /// One arm has a single training, the other several.
    OneSeed,
    /// Not every run of an arm has the figure.
    SeedMissing,
    /// The figures of neither arm vary between its trainings.
    NoSpread,
    /// Another run of the baseline could differ as much.
    WithinNoise,
    /// Another run of the baseline could move the figure out of the margin.
    NoiseBeyondMargin,
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
            Self::OutOfReach => "out-of-reach",
            Self::NoAnytimeMethod => "no-anytime-method",
            Self::OneSeed => "one-seed",
            Self::SeedMissing => "seed-missing",
            Self::NoSpread => "no-spread",
            Self::WithinNoise => "within-noise",
            Self::NoiseBeyondMargin => "noise-beyond-margin",
        }
    }
}

/// Decides one comparison. The adjusted p and the interval both have to agree before a difference
/// is called one; a margin is judged by the interval at 1 − 2α (two one-sided tests). Either has to
/// hold as well with every missing score against it.
pub(super) fn decide(comparison: &mut Comparison<'_>, choices: &Choices) {
    let established = established(comparison, choices).filter(|_| comparison.reason.is_none());
    let holds = |other: &Evidence| match established {
        Some(Established::Equivalence) => equivalent(comparison, other, choices),
        _ => stands(comparison, other, choices),
    };
    let told = comparison.readings.as_ref().map(|readings| {
        let holds: &dyn Fn(&Evidence) -> bool = &holds;
        readings.told(established.map(|_| holds))
    });
    let (verdict, reason) = match comparison.reason {
        Some(reason) => (Verdict::NotAssessable, Some(reason)),
        None => judge(comparison, established, told, choices),
    };
    comparison.noninferiority = margins::noninferiority(comparison, choices);
    comparison.bounds = told;
    comparison.verdict = verdict;
    comparison.reason = reason;
}

/// What the pairs with a score in both arms establish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Established {
    Difference,
    Equivalence,
}

/// The margin comes first: a real difference inside it does not matter by declaration.
fn established(comparison: &Comparison<'_>, choices: &Choices) -> Option<Established> {
    let evidence = comparison.evidence.as_ref()?;
    if equivalent(comparison, evidence, choices) {
        return Some(Established::Equivalence);
    }
    let p = comparison.p_adjusted?;
    (p < choices.options.alpha && apart(comparison, choices)).then_some(Established::Difference)
}

/// Whether the interval excludes no difference. Where there is none, because equal differences of
/// scores without bounds have no spread to judge by, the test decides alone. It is for one look and decides nothing where
/// verdicts have to hold at any time.
fn apart(comparison: &Comparison<'_>, choices: &Choices) -> bool {
    let interval = comparison.analysis.as_ref().and_then(|analysis| analysis.interval);
    choices.anytime || interval.is_none_or(|interval| interval.excludes(0.0))
}

/// Whether evidence lies within the declared margin.
fn equivalent(comparison: &Comparison<'_>, evidence: &Evidence, choices: &Choices) -> bool {
    let level = equivalence_level(choices).filter(|_| !choices.anytime);
    comparison.margin.zip(level).is_some_and(|(margin, level)| {
        let interval = evidence.interval(level);
        interval.is_some_and(|interval| interval.lo > -margin && interval.hi < margin)
    })
}

/// Whether other evidence shows the difference too, in the same direction and with the adjustment
/// that its p-value had in the family.
fn stands(comparison: &Comparison<'_>, other: &Evidence, choices: &Choices) -> bool {
    let factor = match (comparison.p_adjusted, comparison.raw_p()) {
        (Some(adjusted), Some(raw)) => adjusted / raw,
        _ => return false,
    };
    let Some(other) = other.analyse(choices.options, choices.anytime) else { return false };
    let excluded = other.interval.is_none_or(|interval| interval.excludes(0.0));
    comparison.analysis.as_ref().is_some_and(|own| own.delta * other.delta > 0.0)
        && other.test.is_some_and(|test| test.p * factor < choices.options.alpha)
        && (choices.anytime || excluded)
}

fn judge(
    comparison: &Comparison<'_>,
    established: Option<Established>,
    bounds: Option<Bounds>,
    choices: &Choices,
) -> (Verdict, Option<Reason>) {
    let Some(analysis) = &comparison.analysis else {
        return (Verdict::NotAssessable, Some(Reason::TooFew));
    };
    if all_outcomes_equal(comparison) {
        return (Verdict::Identical, None);
    }
    if bounds.is_some_and(|bounds| bounds.survives == Some(false)) {
        return (Verdict::Inconclusive, Some(Reason::MissingCouldUndo));
    }
    if let Some(reason) = established.and_then(|found| drowned(comparison, found, choices)) {
        return (Verdict::Inconclusive, Some(reason));
    }
    match established {
        Some(Established::Equivalence) => (Verdict::Equivalent, None),
        Some(Established::Difference) => direction_of(comparison, analysis.delta),
        None if comparison.p_adjusted.is_none() || analysis.interval.is_none() => {
            (Verdict::NotAssessable, Some(Reason::TooFew))
        }
        None => (Verdict::Inconclusive, why_open(comparison, choices)),
    }
}

/// Why what the samples establish does not stand against the noise between runs of the baseline. The
/// samples of two single runs tell nothing about other runs, so both have to establish it.
fn drowned(
    comparison: &Comparison<'_>,
    established: Established,
    choices: &Choices,
) -> Option<Reason> {
    let noise = comparison.noise.as_ref()?;
    let alpha = choices.options.alpha;
    match established {
        Established::Difference if noise.p >= alpha => Some(Reason::WithinNoise),
        Established::Difference => {
            noise.p_adjusted.is_some_and(|p| p >= alpha).then_some(Reason::LostToFamily)
        }
        Established::Equivalence => {
            let (farthest, margin) = (comparison.delta?.abs() + noise.reach, comparison.margin?);
            (farthest >= margin).then_some(Reason::NoiseBeyondMargin)
        }
    }
}

fn direction_of(comparison: &Comparison<'_>, delta: f64) -> (Verdict, Option<Reason>) {
    match comparison.cell.spec.direction {
        Direction::Unknown => (Verdict::NotAssessable, Some(Reason::DirectionUnknown)),
        Direction::Neutral => (Verdict::NotAssessable, Some(Reason::Neutral)),
        direction => match direction.sign() {
            Some(sign) if sign * delta > 0.0 => (Verdict::Better, None),
            _ => (Verdict::Worse, None),
        },
    }
}

fn why_open(comparison: &Comparison<'_>, choices: &Choices) -> Option<Reason> {
    if comparison.out_of_reach {
        return Some(Reason::OutOfReach);
    }
    let alone = comparison.raw_p().is_some_and(|p| p < choices.options.alpha);
    (alone && apart(comparison, choices)).then_some(Reason::LostToFamily)
}

fn all_outcomes_equal(comparison: &Comparison<'_>) -> bool {
    if comparison.identical_arms {
        return true;
    }
    if let Some(seeds) = &comparison.seeds {
        return seeds.all_equal;
    }
    if comparison.cell.coverage.is_some_and(|coverage| coverage.lost() > 0) {
        return false;
    }
    match comparison.flips {
        Some(flips) => flips.gained == 0 && flips.lost == 0,
        None => comparison.evidence.as_ref().is_some_and(Evidence::all_equal),
    }
}
