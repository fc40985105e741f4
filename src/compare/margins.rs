//! Margins that a user declares: which of them can be used, and non-inferiority within them.

use super::evidence::Evidence;
use super::{Choices, Comparison};
use crate::diag::{Code, Diagnostic, nearest};
use crate::group::Grouping;
use crate::model::{Margin, MetricSpec};
use crate::quantity::Quantity;

/// Whether the candidate is shown not to be worse than the baseline by the margin or more.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NonInferiority {
    /// The margin, in the unit of the difference.
    pub margin: f64,
    /// Level of the interval whose limit decides: 1 − 2α.
    pub level: f64,
    /// Its limit on the side that is bad for the candidate, in the unit of the difference.
    pub limit: f64,
    /// What that limit, and the other one, show.
    pub outcome: Shown,
}

/// What an interval shows about a margin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// The difference is better than −margin.
    Pass,
    /// The difference is worse than −margin.
    Fail,
    /// The interval contains −margin, or samples without a score or the noise between runs could
    /// move it there.
    Inconclusive,
}

impl Shown {
    /// The name in `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Inconclusive => "inconclusive",
        }
    }
}

/// Non-inferiority of a comparison with a margin and a declared good side. Intervals are for one
/// look, so there is none where verdicts have to hold at any time.
pub(super) fn noninferiority(
    comparison: &Comparison<'_>,
    choices: &Choices,
) -> Option<NonInferiority> {
    if comparison.reason.is_some() || choices.anytime {
        return None;
    }
    let (margin, sign) = (comparison.margin?, comparison.cell.spec.direction.sign()?);
    let level = equivalence_level(choices)?;
    // Both limits as gains: the one that is bad for the candidate first.
    let gains = |evidence: &Evidence| {
        let interval = evidence.interval(level)?;
        let (a, b) = (sign * interval.lo, sign * interval.hi);
        Some((a.min(b), a.max(b)))
    };
    let (bad, good) = gains(comparison.evidence.as_ref()?)?;
    let runs = comparison.noise.as_ref().zip(comparison.delta).map(|(noise, delta)| {
        let gain = sign * delta;
        (gain - noise.reach, gain + noise.reach)
    });
    let everywhere = |holds: &dyn Fn((f64, f64)) -> bool| {
        holds((bad, good))
            && runs.is_none_or(holds)
            && comparison
                .readings
                .as_ref()
                .is_none_or(|readings| readings.hold(|one| gains(one).is_some_and(holds)))
    };
    let outcome = if everywhere(&|(bad, _)| bad > -margin) {
        Shown::Pass
    } else if everywhere(&|(_, good)| good < -margin) {
        Shown::Fail
    } else {
        Shown::Inconclusive
    };
    Some(NonInferiority { margin, level, limit: sign * bad, outcome })
}

/// What the limits of a gain show about a margin, the one that is bad for the candidate first.
pub(super) fn shown(bad: f64, good: f64, margin: f64) -> Shown {
    if bad > -margin {
        Shown::Pass
    } else if good < -margin {
        Shown::Fail
    } else {
        Shown::Inconclusive
    }
}

/// The level of two one-sided tests at α each; `None` where α leaves no interval.
pub(super) fn equivalence_level(choices: &Choices) -> Option<f64> {
    let level = 1.0 - 2.0 * choices.options.alpha;
    (level > 0.0).then_some(level)
}

/// Why a margin is not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Misfit {
    /// No difference can exceed it.
    BeyondRange,
    /// It is in points and the metric is no rate.
    Points,
}

/// The margin in the unit of the difference, if it can be used.
pub(super) fn usable(margin: Margin, spec: &MetricSpec) -> Option<f64> {
    misfit(margin, spec).is_none().then_some(margin.value)
}

fn misfit(margin: Margin, spec: &MetricSpec) -> Option<Misfit> {
    if margin.in_points && !spec.unit.is_rate() {
        return Some(Misfit::Points);
    }
    (margin.value >= range(spec)?).then_some(Misfit::BeyondRange)
}

/// Largest possible difference, in the unit of the difference.
fn range(spec: &MetricSpec) -> Option<f64> {
    largest_difference(spec).map(|range| range * spec.unit.shown_scale())
}

/// Largest possible difference of two scores, in the unit of the metric.
pub(super) fn largest_difference(spec: &MetricSpec) -> Option<f64> {
    let (lo, hi) = spec.bounds.or_else(|| spec.unit.whole().map(|whole| (0.0, whole)))?;
    Some(hi - lo).filter(|range| range.is_finite())
}

/// Below this many points a margin without `pp` looks like a share.
const LOOKS_LIKE_A_SHARE: f64 = 0.2;

/// What is wrong or unusual about the margins declared, and what was done with them.
pub fn review_margins(grouping: &Grouping<'_>, choices: &Choices) -> Vec<Diagnostic> {
    let cells = || grouping.pairs.iter().flat_map(|pair| &pair.cells);
    let mut found = Vec::new();
    for (metric, &margin) in &choices.margins {
        let about = |code| Diagnostic::new(code).metric(metric).with("metric", metric.as_str());
        let Some(spec) = cells().find(|cell| cell.key.metric == *metric).map(|cell| &cell.spec)
        else {
            let names = cells().map(|cell| cell.key.metric.as_str());
            found.push(about(Code::MarginUnused).with("near", nearest(metric, names)));
            continue;
        };
        match misfit(margin, spec) {
            Some(Misfit::Points) => found.push(
                about(Code::MarginUnit).with("margin", margin.value).with("unit", spec.unit.name()),
            ),
            Some(Misfit::BeyondRange) => found.push(
                about(Code::MarginBeyondRange)
                    .with("margin", margin.value)
                    .with("range", range(spec).unwrap_or_default()),
            ),
            None => {
                let share = !margin.in_points && margin.value < LOOKS_LIKE_A_SHARE;
                if spec.unit.is_rate() && share {
                    let meant = Quantity::Computed(100.0 * margin.value);
                    found.push(
                        about(Code::MarginShare).with("margin", margin.value).with("meant", meant),
                    );
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
