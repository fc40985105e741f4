//! Shares of samples by how they ended.

use crate::compare::Comparison;
use crate::pairing::PairArm;

/// The share of one kind of ending.
#[derive(Debug, Clone)]
pub struct PhaseShare<'a> {
    /// Stable name: `syntax_error`, `wrong_answer`, `success`.
    pub name: String,
    /// The comparison of the metric that tells it; `None` where neither arm has that metric.
    pub comparison: Option<&'a Comparison<'a>>,
}

impl PhaseShare<'_> {
    /// The share of an arm in percent; `None` where it is not known.
    pub fn percent(&self, which: PairArm) -> Option<f64> {
        percent(self.comparison?, which)
    }

    /// Whether the answer failed before it could be judged.
    pub fn is_failure(&self) -> bool {
        !matches!(self.name.as_str(), SUCCESS | WRONG)
    }
}

pub(super) const SUCCESS: &str = "success";
pub(super) const WRONG: &str = "wrong_answer";

/// The figure of a rate over all samples of the arm in percent: shares of other samples, such as the
/// pairs, do not add up.
pub(super) fn percent(one: &Comparison<'_>, which: PairArm) -> Option<f64> {
    let whole = one.cell.spec.unit.whole()?;
    Some(one.own_figure(which)? / whole * 100.0)
}
