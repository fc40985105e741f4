//! What errors turned into: counted where both arms have the outcomes of the same samples, bounded
//! where only shares are known. A flow is never made up.

use super::phase_shares::{PhaseShare, SUCCESS, WRONG};
use crate::compare::{Comparison, DecompositionClass, Transition};
use crate::pairing::PairArm;

#[derive(Debug, Clone, PartialEq)]
pub enum Conversion {
    /// Counted over paired samples.
    Counted(PhaseFlow),
    /// Bounded by the shares of both arms, if both stand on the same samples.
    Bounded(Vec<Bound>),
}

/// From what to what the samples went that both arms have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhaseFlow {
    /// The metric that says which answers are right.
    pub metric: String,
    pub pairs: u64,
    /// Pairs from one class to another, unchanged ones too.
    pub transitions: Vec<Transition>,
}

impl PhaseFlow {
    /// The classes of either arm, in the order of [`DecompositionClass`].
    pub fn classes(&self) -> Vec<DecompositionClass> {
        let mut found: Vec<DecompositionClass> = self
            .transitions
            .iter()
            .flat_map(|transition| [transition.baseline, transition.candidate])
            .collect();
        found.sort();
        found.dedup();
        found
    }

    /// Pairs whose classes in baseline and candidate satisfy a condition.
    pub fn count(&self, wanted: impl Fn(DecompositionClass, DecompositionClass) -> bool) -> u64 {
        let fits = self
            .transitions
            .iter()
            .filter(|transition| wanted(transition.baseline, transition.candidate));
        fits.map(|transition| transition.pairs).sum()
    }
}

/// How many samples can have gone from one group to another, in percent of all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bound {
    /// `failed` or `wrong-answer` in the baseline.
    pub from: &'static str,
    /// `judged` (right or wrong), `wrong-answer` or `success` in the candidate.
    pub to: &'static str,
    pub least: f64,
    pub most: f64,
}

/// What can be said of the errors at one place; shares that do not add up bound nothing.
pub(super) fn conversion(
    here: &[&Comparison<'_>],
    shares: &[PhaseShare<'_>],
    adds_up: bool,
) -> Option<Conversion> {
    let success =
        shares.iter().find(|share| share.name == SUCCESS).and_then(|share| share.comparison);
    let first = success.filter(|comparison| comparison.decomposition.is_some());
    let taken_apart = first
        .or_else(|| here.iter().copied().find(|comparison| comparison.decomposition.is_some()));
    if let Some(one) = taken_apart
        && let Some(parts) = &one.decomposition
    {
        return Some(Conversion::Counted(PhaseFlow {
            metric: one.cell.key.metric.clone(),
            pairs: parts.pairs,
            transitions: parts.transitions.clone(),
        }));
    }
    if adds_up { bounded(shares) } else { None }
}

/// Fréchet's bounds (1951) for two margins: a share a of the baseline and b of the candidate have
/// at least a + b − 1 and at most the smaller of the two in common. Each is attained by some flow.
fn bounded(shares: &[PhaseShare<'_>]) -> Option<Conversion> {
    let percent = |name: &str, which| shares.iter().find(|one| one.name == name)?.percent(which);
    let [before, after] = PairArm::BOTH.map(|which| {
        let (wrong, success) = (percent(WRONG, which)?, percent(SUCCESS, which)?);
        let failed = 100.0 - wrong - success;
        (failed >= -1e-6).then_some([failed.max(0.0), wrong, success])
    });
    let ([failed, wrong, _], [still, mistaken, right]) = (before?, after?);
    let bound = |from, to, a: f64, b: f64| Bound {
        from,
        to,
        least: (a + b - 100.0).max(0.0),
        most: a.min(b),
    };
    Some(Conversion::Bounded(vec![
        bound("failed", "judged", failed, 100.0 - still),
        bound("failed", "wrong-answer", failed, mistaken),
        bound("failed", "success", failed, right),
        bound("wrong-answer", "success", wrong, right),
    ]))
}
