//! Results that no gate may pass over although they have no verdict, or one that says nothing.

use crate::compare::{Comparison, HiddenClusters, Verdict, VerdictReason};
use crate::model::{Absence, Measured};
use crate::pairing::{GroupOrigin, PairArm, PairOrder};

/// Whether nothing may pass over a result that could have become worse: it is not comparable, or has no verdict
/// by what the candidate alone says of it.
pub(super) fn is_blocked(one: &Comparison<'_>) -> bool {
    one.cell.has_good_side() && matches!(one.reason, Some(VerdictReason::Blocked(_)))
        || one.verdict == Verdict::Inconclusive && fell_widened_by_candidate(one)
        || is_unsaid_by_candidate(one)
}

/// Whether both arms have a figure of which nothing can be said, so that the candidate could be worse.
pub(super) fn is_undecidable(one: &Comparison<'_>) -> bool {
    let untold = [
        VerdictReason::SizeUnknown,
        VerdictReason::ImpossibleFigure,
        VerdictReason::InfiniteScores,
        VerdictReason::TooFew,
        VerdictReason::NoSpread,
        VerdictReason::OneSeed,
        VerdictReason::NoAnytimeMethod,
    ];
    one.cell.is_judged()
        && one.noninferiority.is_none()
        && one.verdict == Verdict::NotAssessable
        && one.reason.is_some_and(|reason| untold.contains(&reason) || fell_untested(one, reason))
}

/// Whether a figure that no test can be made of, such as a quantile, moved to the bad side. One that
/// did not is no sign of a regression, and would leave every gate over its run open for ever.
fn fell_untested(one: &Comparison<'_>, reason: VerdictReason) -> bool {
    let gain = one.delta.zip(one.cell.spec.direction.sign()).map(|(delta, sign)| sign * delta);
    reason == VerdictReason::NotAnAverage && gain.is_none_or(|gain| gain < 0.0)
}

/// Whether a figure that fell stands on a grouping of the samples, or a spread, of which the candidate
/// alone says that it is wider than that of single samples. Nothing undecided by it passes.
pub(super) fn fell_widened_by_candidate(one: &Comparison<'_>) -> bool {
    let fell =
        one.delta.zip(one.cell.spec.direction.sign()).is_some_and(|(d, sign)| sign * d < 0.0);
    let Some(tables) = one.cell.table.and_then(|place| one.pair.tables.get(place)) else {
        let is_stated = one.cell.candidate.samples.is_none();
        let whole = one.cell.spec.unit.whole();
        let [mine, theirs] = PairArm::BOTH.map(|which| one.cell.side(which));
        return fell && is_stated && theirs.is_wider(whole) && !mine.is_wider(whole);
    };
    let baseline_records = |name: &str| {
        let table = tables.table(PairArm::Baseline);
        table.clusters().iter().any(|(key, _)| key == name)
            || table.shared_fields().iter().any(|(key, _)| key.field == name)
    };
    let is_used = tables.clusters.used.as_ref().is_some_and(|used| {
        if used.by_content {
            tables.join.baseline.repeated.is_none()
        } else {
            !baseline_records(&used.key)
        }
    });
    let hides = |hidden: &HiddenClusters| match &hidden.origin {
        GroupOrigin::Field | GroupOrigin::FieldBeginning(_) => !baseline_records(&hidden.key),
        GroupOrigin::Neighbours { order, .. } => *order == PairOrder::CandidateRecords,
        GroupOrigin::IdBeginning(_) | GroupOrigin::IdEnd(_) => false,
    };
    let is_hidden =
        || one.reason == Some(VerdictReason::HiddenClusters) && one.hidden.iter().any(hides);
    fell && (is_used || is_hidden())
}

/// Whether the candidate states a figure, or the size of one, of which nothing can be said, where of the
/// baseline's something can.
fn is_unsaid_by_candidate(one: &Comparison<'_>) -> bool {
    let [mine, theirs] = PairArm::BOTH.map(|which| one.cell.side(which));
    let by_reason = match one.reason {
        Some(
            VerdictReason::ImpossibleFigure
            | VerdictReason::InfiniteScores
            | VerdictReason::OneSeed,
        ) => true,
        Some(VerdictReason::SizeUnknown) => mine.n().is_some() && theirs.n().is_none(),
        _ => false,
    };
    one.verdict == Verdict::NotAssessable
        && one.cell.is_judged()
        && (by_reason && one.cell.figure(PairArm::Baseline).is_some() || says_away(one))
}

/// Whether the candidate says of a figure that the baseline has that it cannot exist.
pub(super) fn says_away(one: &Comparison<'_>) -> bool {
    let cannot = Measured::Absent(Absence::NotApplicable);
    let theirs = one.cell.side(PairArm::Candidate).value();
    one.cell.figure(PairArm::Baseline).is_some() && theirs == cannot
}
