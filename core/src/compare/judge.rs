//! The verdict of a cell: what was measured, and what became of its test in its family.

use super::bounds::Judged;
use super::evidence::ComparisonEvidence;
use super::hidden::HiddenClusters;
use super::verdict::{Challenges, Established, VerdictGrounds};
use super::{
    Adjusted, CompareOptions, Comparison, MeasuredCell, NonInferiority, VerdictReason, margins,
};
use crate::stats::{Analysis, Design, Interval, Options, skew};

/// Judges a cell. What its samples establish has to hold as well with every missing score against
/// it.
pub(super) fn judge_comparison<'a>(
    measured: MeasuredCell<'a>,
    adjusted: Option<Adjusted>,
    options: &CompareOptions,
) -> Comparison<'a> {
    let noninferiority = noninferiority(&measured);
    let grounds = grounds(&measured, adjusted, noninferiority);
    let established = grounds.established(options);
    let holds = |established| {
        let measured = &measured;
        move |other: &ComparisonEvidence| match (established, grounds.margin) {
            (Established::Equivalence, Some((margin, Interval { level, .. }))) => {
                other.interval(level).is_some_and(|interval| interval.is_within(margin))
            }
            _ => stands(measured, adjusted, other, options),
        }
    };
    let judged =
        measured.readings.as_ref().map(|readings| readings.judged(established.map(holds).as_ref()));
    let Judged { bounds, survives } = judged.unwrap_or_default();
    let challenges = Challenges {
        survives: survives != Some(false),
        hidden_clusters: established.is_some_and(|established| {
            let by_itself = |hidden: &HiddenClusters| holds(established)(&hidden.evidence);
            let beside = |hidden| holds_beside(&measured, &grounds, hidden, established);
            measured.hidden.iter().any(|hidden| !by_itself(hidden) || !beside(hidden))
        }),
        too_skewed: established.and_then(|established| too_skewed(&measured, established)),
    };
    let (verdict, reason) = grounds.verdict(established, challenges, options);
    // What is planned, and what holds together with the whole family, is at the level that the
    // smallest p of it is held to.
    let level = adjusted.filter(|_| !options.anytime).map(|adjusted| adjusted.level);
    let level = level.filter(|&level| level < options.stats.alpha);
    let evidence = level.zip(measured.evidence.as_ref());
    let planned = evidence
        .and_then(|(alpha, evidence)| evidence.analysis_at(Options { alpha, ..options.stats }));
    let shares = adjusted.is_some_and(|adjusted| adjusted.size > 1);
    let evidence = evidence.filter(|_| shares);
    let planned = planned.as_ref().or(measured.analysis.as_ref());
    let comparison = Comparison {
        adjusted,
        ci_simultaneous: evidence.and_then(|(alpha, evidence)| evidence.interval(1.0 - alpha)),
        mde: planned.and_then(|planned| planned.mde),
        needed: planned.and_then(|planned| planned.needed).max(match reason {
            Some(VerdictReason::TooSkewed(pairs)) => Some(pairs),
            _ => None,
        }),
        noninferiority,
        bounds,
        verdict,
        reason,
        small_within: None,
        measured,
    };
    Comparison { small_within: comparison.measured_small(), ..comparison }
}

/// Whether the interval with the clusters of a field shows it too, where they cross those that count.
fn holds_beside(
    measured: &MeasuredCell<'_>,
    grounds: &VerdictGrounds,
    hidden: &HiddenClusters,
    established: Established,
) -> bool {
    let shown = |level, shows: &dyn Fn(Interval) -> bool| {
        !hidden.crosses || measured.interval_with(hidden, level).is_some_and(shows)
    };
    if let (Established::Equivalence, Some((margin, Interval { level, .. }))) =
        (established, grounds.margin)
    {
        return shown(level, &|interval| interval.is_within(margin));
    }
    let factor = grounds.adjusted.map_or(1.0, |adjusted| adjusted.factor);
    shown(1.0 - measured.alpha / factor, &|interval| interval.excludes(0.0))
}

fn noninferiority(measured: &MeasuredCell<'_>) -> Option<NonInferiority> {
    let (margin, interval) = measured.margin.zip(measured.margin_interval)?;
    noninferiority_within(measured, margin, interval)
}

impl MeasuredCell<'_> {
    /// Non-inferiority within a margin in the unit of the difference, whatever margin is declared for
    /// the metric; `None` where no interval can show it.
    pub fn within_margin(&self, margin: f64) -> Option<NonInferiority> {
        let level = 1.0 - 2.0 * self.alpha;
        let is_told = level > 0.0 && !self.is_anytime();
        let interval = self.evidence.as_ref().filter(|_| is_told)?.interval(level)?;
        noninferiority_within(self, margin, interval)
    }
}

fn noninferiority_within(
    measured: &MeasuredCell<'_>,
    margin: f64,
    interval: Interval,
) -> Option<NonInferiority> {
    let direction = measured.cell.spec.direction;
    let is_skewed = || too_skewed(measured, Established::Equivalence).is_some();
    let widest = widest(measured, interval).filter(|_| !is_skewed());
    margins::compare_with_margin(interval, widest, margin, direction)
        .filter(|_| measured.refused.is_none())
}

fn grounds(
    measured: &MeasuredCell<'_>,
    adjusted: Option<Adjusted>,
    noninferiority: Option<NonInferiority>,
) -> VerdictGrounds {
    let analysis = measured.analysis.as_ref();
    VerdictGrounds {
        refused: measured.refused,
        direction: measured.cell.spec.direction,
        role: measured.cell.metric_role(),
        all_equal: all_outcomes_equal(measured),
        delta: analysis.map(|analysis| analysis.delta),
        p: measured.test().map(|test| test.p),
        adjusted,
        interval: analysis.and_then(|analysis| analysis.interval),
        untested: if measured.is_infinite() {
            VerdictReason::InfiniteScores
        } else {
            VerdictReason::TooFew
        },
        margin: measured.margin.zip(measured.margin_interval),
        shown: noninferiority.map(|shown| shown.outcome),
        noise: measured.noise.as_ref().map(|noise| (noise.p, noise.reach)),
    }
}

/// Pairs that it would take to establish that, where paired scores are too skewed for it.
fn too_skewed(measured: &MeasuredCell<'_>, established: Established) -> Option<u64> {
    let Design::PairedReal(sample) = &measured.evidence.as_ref()?.design else { return None };
    match established {
        Established::Difference => skew::pairs_for_difference(sample, measured.alpha),
        Established::Equivalence => skew::pairs_for_margin(sample),
    }
}

/// The interval widened by missing scores, possible clusters and the noise of the baseline; `None` if
/// that cannot be computed.
fn widest(measured: &MeasuredCell<'_>, interval: Interval) -> Option<Interval> {
    let read = measured.readings.as_ref().map(|readings| readings.covering(interval));
    let read = read.unwrap_or(Some(interval))?;
    let read = measured.with_hidden(read);
    Some(match measured.noise.as_ref().zip(measured.delta) {
        Some((noise, delta)) => read.covering(delta - noise.reach, delta + noise.reach),
        None => read,
    })
}

/// Whether other evidence shows the difference too, in the same direction and with the adjustment
/// that its p-value had in the family.
fn stands(
    measured: &MeasuredCell<'_>,
    adjusted: Option<Adjusted>,
    other: &ComparisonEvidence,
    options: &CompareOptions,
) -> bool {
    let (Some(adjusted), Some(Analysis { delta, .. })) = (adjusted, &measured.analysis) else {
        return false;
    };
    let Some(other) = other.analysis(options) else { return false };
    let excluded = other.interval.is_none_or(|interval| interval.excludes(0.0));
    delta * other.delta > 0.0
        && other.test.is_some_and(|other| other.p * adjusted.factor < options.stats.alpha)
        && (options.anytime || excluded)
}

pub(super) fn all_outcomes_equal(measured: &MeasuredCell<'_>) -> bool {
    if measured.identical_arms {
        return true;
    }
    if let Some(seeds) = &measured.seeds {
        return seeds.all_equal;
    }
    if measured.cell.coverage.is_some_and(|coverage| coverage.lost() > 0) {
        return false;
    }
    match measured.flips() {
        Some(flips) => flips.gained == 0 && flips.lost == 0,
        None => measured.evidence.as_ref().is_some_and(|evidence| evidence.all_equal),
    }
}
