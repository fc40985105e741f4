//! Where a difference between paired samples comes from: from answers that were judged in both
//! arms, or from answers that failed before they could be judged in one of them.
//!
//! Every pair with a score in both arms belongs to a class in either arm, and the change of its
//! score d = candidate − baseline is credited to what changed:
//!
//! - judged → judged (right, wrong, or scored in between): to the answers;
//! - failure f → judged: to f, which was left;
//! - judged → failure g: to g, which was entered;
//! - f → f: to f; f → g: half to either.
//!
//! The contribution of a class is the sum of what it is credited with over the number of pairs, so
//! that all contributions sum to the difference, and change their signs when the arms are swapped.
//! For scores of 0 and 1 a failure scores 0: what a class contributes is then the share of pairs
//! that left it and are right, less the share that were right and entered it. A failure that becomes
//! a wrong answer, or another failure, moves nothing. It describes what happened and proves no
//! cause: an answer that was cut might have been wrong anyway.
//!
//! Knows no words; classes have names that the catalogues explain.

use std::collections::BTreeMap;

use super::CompareOptions;
use super::joined::{Joined, Scored};
use crate::model::{Direction, Ending, SampleStatus};
use crate::pairing::{ArmPair, CellPair, SampledSide};
use crate::stats::Interval;

/// What became of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DecompositionClass {
    /// Right, where scores are right or wrong; else with the best score there is.
    Right,
    /// Scored in between.
    Answered,
    WrongAnswer,
    /// Cut at the length limit, and not right.
    Cut,
    /// It ended otherwise than with an answer that could be judged; never [`Ending::Plain`].
    Ended(Ending),
    /// Without a score, for no reason that is written.
    NoScore,
}

/// Stable names; the words are the catalogue entries `class.<name>`.
const NAMES: &[(DecompositionClass, &str)] = &[
    (DecompositionClass::Right, "right"),
    (DecompositionClass::Answered, "answered"),
    (DecompositionClass::WrongAnswer, "wrong-answer"),
    (DecompositionClass::Cut, "cut"),
    (DecompositionClass::Ended(Ending::NoAnswer), "no-answer"),
    (DecompositionClass::Ended(Ending::Syntax), "syntax-error"),
    (DecompositionClass::Ended(Ending::Runtime), "runtime-error"),
    (DecompositionClass::Ended(Ending::Timeout), "timeout"),
    (DecompositionClass::Ended(Ending::Execution), "execution-error"),
    (DecompositionClass::Ended(Ending::Other), "other"),
    (DecompositionClass::Ended(Ending::Unknown), "unknown"),
    (DecompositionClass::Ended(Ending::Infrastructure), "infrastructure"),
    (DecompositionClass::NoScore, "no-score"),
];

impl DecompositionClass {
    pub fn all() -> impl Iterator<Item = (Self, &'static str)> {
        NAMES.iter().copied()
    }

    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(class, _)| *class == self).map_or("", |(_, name)| name)
    }

    /// Whether the answer failed before it could be judged.
    pub fn is_failure(self) -> bool {
        match self {
            Self::Cut => true,
            Self::Ended(ending) => ending != Ending::Unknown,
            Self::Right | Self::Answered | Self::WrongAnswer | Self::NoScore => false,
        }
    }
}

/// The parts of one difference.
#[derive(Debug, Clone, PartialEq)]
pub struct Decomposition {
    pub pairs: u64,
    /// Those of them with a score in both arms; the difference is over these.
    pub scored: u64,
    /// What the difference is made of, the answers first, then failures by the size of their
    /// contribution.
    pub parts: Vec<Contribution>,
    /// How many pairs went from one class to another, the most frequent first, unchanged ones last.
    pub transitions: Vec<Transition>,
}

/// What one class, or the answers, contribute.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contribution {
    /// The class; `None` for the answers that were judged in both arms.
    pub class: Option<DecompositionClass>,
    /// Pairs in the class in the baseline; for the answers, pairs judged there.
    pub baseline: u64,
    /// The same for the candidate.
    pub candidate: u64,
    /// In the unit of the difference.
    pub contribution: f64,
    /// Its interval at the level of the report, by the method of the difference itself; not adjusted
    /// for the number of parts. `None` where the scores are not just right or wrong.
    pub interval: Option<Interval>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transition {
    pub baseline: DecompositionClass,
    pub candidate: DecompositionClass,
    pub pairs: u64,
}

/// Pairs with a score in both arms that are alike in everything that counts here.
#[derive(Debug, Clone, Copy)]
struct Step {
    scored: Scored,
    from: DecompositionClass,
    to: DecompositionClass,
    pairs: usize,
}

impl Step {
    /// The share of the change of score that goes to a class, or to the answers.
    fn share(&self, class: Option<DecompositionClass>) -> f64 {
        let failure = |class: DecompositionClass| Some(class).filter(|class| class.is_failure());
        match (failure(self.from), failure(self.to)) {
            (None, None) => f64::from(u8::from(class.is_none())),
            (Some(left), None) => f64::from(u8::from(class == Some(left))),
            (None, Some(entered)) => f64::from(u8::from(class == Some(entered))),
            (left, entered) => {
                let half = |one: bool| if one { 0.5 } else { 0.0 };
                half(class == left) + half(class == entered)
            }
        }
    }

    /// The change of score that goes to a class, or to the answers, as if nothing else had changed.
    fn credited(&self, class: Option<DecompositionClass>) -> Scored {
        self.scored.moving(self.share(class) * self.scored.difference())
    }
}

/// What the changes of score go to.
enum Credits {
    /// Pairs that are alike in everything that counts once: every part has an interval.
    Pairs(Vec<Step>),
    /// Only how much goes to each class, and to the answers, of scores that are more than right or wrong.
    Sums(BTreeMap<Option<DecompositionClass>, f64>),
}

impl Credits {
    fn add_to_sums(sums: &mut BTreeMap<Option<DecompositionClass>, f64>, step: &Step) {
        let to = (step.to != step.from).then_some(Some(step.to));
        let classes = [None, Some(step.from)].into_iter().chain(to);
        for class in classes.filter(|class| step.share(*class) > 0.0) {
            *sums.entry(class).or_default() += step.credited(class).difference();
        }
    }
}

/// The parts of the difference of a cell, where samples are paired, the metric is a score with a
/// good side, and some answer failed before it could be judged. Rates that follow from how answers
/// ended are left out, because they are what is decomposed, and so are means of several answers.
pub(super) fn decomposition(
    pair: &ArmPair<'_>,
    cell: &CellPair<'_>,
    options: &CompareOptions,
) -> Option<Decomposition> {
    let joined = Joined::new(pair, cell)?;
    let sides = [joined.baseline, joined.candidate];
    let is_score = |side: &&SampledSide<'_>| {
        side.table.answers().is_none() && !side.table.is_derived(&cell.key.metric)
    };
    let right = joined.right();
    let higher = cell.spec.direction == Direction::Higher;
    if !cell.is_judged() || (right.is_some() && !higher) || !sides.iter().all(is_score) {
        return None;
    }
    let best = right.or(cell.spec.bounds.map(|(lo, hi)| if higher { hi } else { lo }));
    let Steps { transitions, scored, credits } = steps(joined, best, right.is_some());
    let fails = |&(from, to): &(DecompositionClass, DecompositionClass)| {
        from.is_failure() || to.is_failure()
    };
    if scored == 0 || !transitions.keys().any(fails) {
        return None;
    }
    let level = 1.0 - options.stats.alpha;
    let scale = cell.spec.unit.shown_scale();
    let classes = DecompositionClass::all().map(|(class, _)| Some(class)).filter(|class| {
        let met = |&(from, to): &(DecompositionClass, DecompositionClass)| {
            Some(from) == *class || Some(to) == *class
        };
        class.is_some_and(DecompositionClass::is_failure) && transitions.keys().any(met)
    });
    let mut parts: Vec<Contribution> = std::iter::once(None)
        .chain(classes)
        .map(|class| part(joined, class, (&credits, scored), &transitions, (scale, level)))
        .collect();
    let size = |part: &Contribution| part.contribution.abs();
    parts.sort_by(|a, b| {
        a.class.is_some().cmp(&b.class.is_some()).then(size(b).total_cmp(&size(a)))
    });
    let mut transitions: Vec<Transition> = transitions
        .into_iter()
        .map(|((baseline, candidate), pairs)| Transition { baseline, candidate, pairs })
        .collect();
    transitions.sort_by_key(|one| (one.baseline == one.candidate, std::cmp::Reverse(one.pairs)));
    let pairs = transitions.iter().map(|one| one.pairs).sum();
    Some(Decomposition { pairs, scored, parts, transitions })
}

/// How many pairs there are between two classes.
type Transitions = BTreeMap<(DecompositionClass, DecompositionClass), u64>;

/// Where every pair went.
struct Steps {
    transitions: Transitions,
    /// Pairs with a score in both arms.
    scored: u64,
    credits: Credits,
}

fn steps(joined: Joined<'_, '_>, best: Option<f64>, binary: bool) -> Steps {
    let mut transitions = Transitions::new();
    let mut scored_pairs = 0;
    let mut credits =
        if binary { Credits::Pairs(Vec::new()) } else { Credits::Sums(BTreeMap::new()) };
    // Whether an answer is right is part of its class: pairs of equal classes have equal scores.
    let alike = !joined.is_clustered();
    let mut first_of = BTreeMap::new();
    for (a, b, scored) in joined.rows() {
        let from = class(joined.baseline, a, best, binary);
        let to = class(joined.candidate, b, best, binary);
        *transitions.entry((from, to)).or_default() += 1;
        let Some(scored) = scored else { continue };
        scored_pairs += 1;
        let step = Step { scored, from, to, pairs: 1 };
        match &mut credits {
            Credits::Sums(sums) => Credits::add_to_sums(sums, &step),
            Credits::Pairs(steps) => {
                let known = alike.then(|| *first_of.entry((from, to)).or_insert(steps.len()));
                match known.and_then(|position| steps.get_mut(position)) {
                    Some(Step { pairs, .. }) => *pairs += 1,
                    None => steps.push(step),
                }
            }
        }
    }
    Steps { transitions, scored: scored_pairs, credits }
}

/// What a class, or the answers, contribute.
fn part(
    joined: Joined<'_, '_>,
    class: Option<DecompositionClass>,
    (credits, scored): (&Credits, u64),
    transitions: &Transitions,
    (scale, level): (f64, f64),
) -> Contribution {
    let is_own = |met: DecompositionClass| match class {
        Some(class) => met == class,
        None => !met.is_failure() && met != DecompositionClass::NoScore,
    };
    let count = |of: &dyn Fn(&(DecompositionClass, DecompositionClass)) -> DecompositionClass| {
        transitions.iter().filter(|(key, _)| is_own(of(key))).map(|(_, pairs)| pairs).sum()
    };
    let (sum, interval) = match credits {
        Credits::Sums(sums) => (sums.get(&class).copied().unwrap_or_default(), None),
        Credits::Pairs(steps) => {
            let credited = steps.iter().map(|step| (step.credited(class), step.pairs));
            let sum = credited.clone().map(|(own, pairs)| own.difference() * pairs as f64).sum();
            let each = credited.flat_map(|(own, pairs)| std::iter::repeat_n(own, pairs));
            (sum, joined.evidence(each).and_then(|evidence| evidence.interval(level)))
        }
    };
    Contribution {
        class,
        baseline: count(&|key| key.0),
        candidate: count(&|key| key.1),
        contribution: scale * sum / scored as f64,
        interval,
    }
}

/// The class of one answer. Being right comes before all else: an answer that was cut and is right
/// has not failed. Then the limit, because what was cut does not parse for that reason.
fn class(
    side: &SampledSide<'_>,
    row: usize,
    best: Option<f64>,
    binary: bool,
) -> DecompositionClass {
    let score = side.score(row);
    if score.is_some() && score == best {
        return DecompositionClass::Right;
    }
    if side.is_truncated(row) {
        return DecompositionClass::Cut;
    }
    match (side.table.ending(row), score) {
        (Ending::Plain, None) if side.table.statuses().get(row) == Some(&SampleStatus::Errored) => {
            DecompositionClass::Ended(Ending::Infrastructure)
        }
        (Ending::Plain, None) => DecompositionClass::NoScore,
        (Ending::Plain, Some(_)) if binary => DecompositionClass::WrongAnswer,
        (Ending::Plain, Some(_)) => DecompositionClass::Answered,
        (ending, _) => DecompositionClass::Ended(ending),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both together make the contributions sum to the difference, and change their signs with it.
    #[test]
    fn a_change_is_credited_once_and_alike_whichever_arm_comes_first() {
        let names: Vec<DecompositionClass> =
            DecompositionClass::all().map(|(class, _)| class).collect();
        let credits: Vec<Option<DecompositionClass>> =
            std::iter::once(None).chain(names.iter().map(|class| Some(*class))).collect();
        for &from in &names {
            for &to in &names {
                let step = |from, to| Step { scored: Scored::nothing(), from, to, pairs: 1 };
                let (ahead, back) = (step(from, to), step(to, from));
                let total: f64 = credits.iter().map(|class| ahead.share(*class)).sum();
                assert_eq!(total.to_bits(), 1.0_f64.to_bits(), "{from:?} to {to:?}");
                for class in &credits {
                    let same = ahead.share(*class).to_bits() == back.share(*class).to_bits();
                    assert!(same, "{from:?} to {to:?}: {class:?}");
                }
            }
        }
    }

    #[test]
    fn every_class_has_a_name_of_its_own() {
        let names: Vec<&str> = DecompositionClass::all().map(|(class, _)| class.name()).collect();
        let mut distinct = names.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), names.len());
    }
}
