//! Margins that a user declares: which of them can be used, and non-inferiority within them.

use std::collections::BTreeSet;

use serde::Serialize;

use super::CompareOptions;
use crate::diag::{Code, Diagnostic, Fact, nearest_name};
use crate::model::{Direction, Margin, MetricSpec};
use crate::pairing::{CellPair, PairArm, PairedArms};
use crate::quantity::Quantity;
use crate::stats::Interval;

/// Whether the candidate is shown not to be worse than the baseline by the margin or more.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct NonInferiority {
    /// The margin, in the unit of the difference.
    pub margin: f64,
    /// Level of the interval whose limit decides: 1 − 2α.
    pub level: f64,
    /// Its limit on the side that is bad for the candidate, in the unit of the difference.
    pub limit: f64,
    /// What that limit, and the other one, show.
    pub outcome: NonInferiorityShown,
}

/// What an interval shows about a margin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum NonInferiorityShown {
    /// The difference is better than −margin.
    Pass,
    /// The difference is worse than −margin.
    Fail,
    /// The interval contains −margin, or samples without a score or the noise between runs could
    /// move it there.
    Inconclusive,
}

impl NonInferiorityShown {
    /// The name in `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Inconclusive => "inconclusive",
        }
    }
}

/// Non-inferiority within a margin, from the interval at 1 − 2α: `widest` is that interval with
/// the effects of missing scores and of the noise of the baseline, `None` if they cannot be computed.
/// Returns `None` for a metric without a direction.
pub(super) fn compare_with_margin(
    interval: Interval,
    widest: Option<Interval>,
    margin: f64,
    direction: Direction,
) -> Option<NonInferiority> {
    let sign = direction.sign()?;
    // Both limits as gains, the one that is bad for the candidate first.
    let gains = |Interval { lo, hi, .. }: Interval| {
        let (a, b) = (sign * lo, sign * hi);
        (a.min(b), a.max(b))
    };
    let outcome = match widest.map(gains) {
        Some((bad, _)) if bad > -margin => NonInferiorityShown::Pass,
        Some((_, good)) if good < -margin => NonInferiorityShown::Fail,
        _ => NonInferiorityShown::Inconclusive,
    };
    let (bad, _) = gains(interval);
    Some(NonInferiority { margin, level: interval.level, limit: sign * bad, outcome })
}

/// The level of two one-sided tests at α each; `None` where α leaves no interval. Intervals are for
/// one look, so there is none either where verdicts have to hold at any time.
pub(super) fn level(options: &CompareOptions) -> Option<f64> {
    let level = 1.0 - 2.0 * options.stats.alpha;
    (level > 0.0 && !options.anytime).then_some(level)
}

/// The margin declared for the metric of a cell in the unit of the difference, if it can be used.
pub(super) fn usable_margin(cell: &CellPair<'_>, options: &CompareOptions) -> Option<f64> {
    let margin = *options.margins.get(&cell.key.metric)?;
    misfit(margin, cell).is_none().then_some(margin.value)
}

/// Why a margin is not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Misfit {
    BeyondRange,
    /// It is in percentage points, but the metric is not a rate.
    Points,
}

fn misfit(margin: Margin, cell: &CellPair<'_>) -> Option<Misfit> {
    if margin.in_points && !cell.spec.unit.is_rate() {
        return Some(Misfit::Points);
    }
    (margin.value >= reach(cell)?).then_some(Misfit::BeyondRange)
}

/// Largest difference that a margin has to stay below: the largest possible one, or that of shares
/// where the figures are such.
fn reach(cell: &CellPair<'_>) -> Option<f64> {
    range(&cell.spec).or_else(|| cell.written_as_shares.then_some(1.0))
}

/// Largest possible difference, in the unit of the difference.
pub(super) fn range(spec: &MetricSpec) -> Option<f64> {
    spec.range().map(|range| range * spec.unit.shown_scale())
}

/// The part of an interval that differences reach which are no larger than `range`, both in the
/// unit of the difference.
pub(super) fn clipped_to_range(interval: Interval, range: Option<f64>) -> Interval {
    let Some(range) = range else { return interval };
    let [lo, hi] = [interval.lo, interval.hi].map(|limit| limit.clamp(-range, range));
    Interval { lo, hi, ..interval }
}

/// Most metrics that a hint names.
const MOST_NAMED: usize = 8;

/// Below this many points a margin without `pp` looks like a share.
const LOOKS_LIKE_A_SHARE: f64 = 0.2;

/// What is wrong or unusual about the margins declared, and what was done with them.
pub fn review_margins(paired_arms: &PairedArms<'_>, options: &CompareOptions) -> Vec<Diagnostic> {
    let cells = || paired_arms.pairs.iter().flat_map(|pair| &pair.cells);
    let mut found = Vec::new();
    for (metric, &margin) in &options.margins {
        let about = |code| Diagnostic::new(code).about_metric(metric);
        let Some(cell) = cells().find(|cell| cell.key.metric == *metric) else {
            let names: BTreeSet<&str> = cells().map(|cell| cell.key.metric.as_str()).collect();
            let near = nearest_name(metric, names.iter().copied());
            let known = Fact::first(MOST_NAMED, names);
            found.push(about(Code::MarginUnused).with("near", near).with("known", known));
            continue;
        };
        let spec = &cell.spec;
        match misfit(margin, cell) {
            Some(Misfit::Points) => found.push(
                about(Code::MarginUnit).with("margin", margin.value).with("unit", spec.unit.name()),
            ),
            Some(Misfit::BeyondRange) => found.push(
                about(Code::MarginBeyondRange)
                    .with("margin", margin.value)
                    .with("range", reach(cell).unwrap_or_default()),
            ),
            None => {
                let share = !margin.in_points && margin.value < LOOKS_LIKE_A_SHARE;
                if spec.unit.is_rate() && share {
                    let read = about(Code::MarginShare).with("margin", margin.value);
                    let meant = Quantity::Computed(100.0 * margin.value);
                    found.push(with_weight(read.with("meant", meant), cell));
                }
                if spec.direction.sign().is_none() {
                    let direction = spec.direction.name();
                    found.push(about(Code::MarginUndirected).with("direction", direction));
                }
            }
        }
    }
    found
}

/// With what one sample moves a rate by, where somebody says over how many it is.
fn with_weight(finding: Diagnostic, cell: &CellPair<'_>) -> Diagnostic {
    let n = PairArm::BOTH.into_iter().filter_map(|which| cell.side(which).n()).min();
    match n.filter(|n| *n > 0) {
        None => finding.with("samples", "").with("weight", ""),
        Some(n) => finding.with("samples", n).with("weight", Quantity::Computed(100.0 / n as f64)),
    }
}
