//! Two shares as printed, each over a known number of samples.
//!
//! Where both shares are those of whole counts, the score interval is taken over all counts that
//! print so, and in small samples Boschloo's exact test is the test, as for counts; where one has none, it is a
//! mean of scores between 0 and 1, and among those of a given mean outcomes 0 or 1 vary most.

use super::{agreement, independent_binary};
use crate::stats::planning::{detectable_share, needed_per_arm};
use crate::stats::proportions::independent::{Arm, miettinen_nurminen, score_test};
use crate::stats::reported::consistent_counts;
use crate::stats::{Analysis, Counts, Interval, Note, Options, ReportedRate, Test};

/// `None` unless each rate is a share between 0 and 1 over at least one sample.
pub(super) fn analyse(
    baseline: ReportedRate,
    candidate: ReportedRate,
    options: Options,
) -> Option<Analysis> {
    let stands_for = Counted::new(baseline, candidate)?;
    let interval = Some(hull(&stands_for, 1.0 - options.alpha));
    let test = Some(most_careful_test(&stands_for));
    let mut notes = agreement::notes(interval, test, options.alpha);
    notes.push(Note::TreatedAsIndependent);
    notes.extend(stands_for.note);
    let (n_before, n_after) = (baseline.n as f64, candidate.n as f64);
    Some(Analysis {
        interval_method: independent_binary::INTERVAL,
        delta: stands_for.delta,
        interval,
        test,
        mde: detectable_share(baseline.share, n_before, n_after, options),
        needed: needed_per_arm(baseline.share, candidate.share, options),
        notes,
    })
}

pub(super) fn interval(
    baseline: ReportedRate,
    candidate: ReportedRate,
    level: f64,
) -> Option<Interval> {
    Some(hull(&Counted::new(baseline, candidate)?, level))
}

/// What the printed shares are taken to stand for.
struct Counted {
    arms: Arms,
    delta: f64,
    note: Option<Note>,
}

enum Arms {
    /// The smallest and the largest count that print so.
    Counts([[Counts; 2]; 2]),
    /// Mean scores of which at least one is that of no whole count.
    Scores([Arm; 2]),
}

impl Counted {
    fn new(baseline: ReportedRate, candidate: ReportedRate) -> Option<Self> {
        let is_share = |rate: &ReportedRate| rate.n >= 1 && (0.0..=1.0).contains(&rate.share);
        let are_shares = [baseline, candidate].iter().all(is_share);
        let delta = candidate.share - baseline.share;
        are_shares.then(|| match (extreme_counts(baseline), extreme_counts(candidate)) {
            (Some(before), Some(after)) => {
                let several = before[0] != before[1] || after[0] != after[1];
                let note = several.then_some(Note::SeveralCounts);
                Self { arms: Arms::Counts([before, after]), delta, note }
            }
            _ => Self {
                arms: Arms::Scores([bounded_score(baseline), bounded_score(candidate)]),
                delta,
                note: Some(Note::BoundedScore),
            },
        })
    }

    /// Every pair of an extreme baseline with an extreme candidate.
    fn corners(&self) -> Vec<(Arm, Arm)> {
        match &self.arms {
            Arms::Counts(arms) => {
                corners(arms).map(|(before, after)| (before.into(), after.into())).collect()
            }
            Arms::Scores([before, after]) => vec![(*before, *after)],
        }
    }
}

fn corners([before, after]: &[[Counts; 2]; 2]) -> impl Iterator<Item = (Counts, Counts)> + '_ {
    let distinct = |arm: &[Counts; 2]| if arm[0] == arm[1] { 1 } else { 2 };
    let afters = &after[..distinct(after)];
    before[..distinct(before)].iter().flat_map(|one| afters.iter().map(|other| (*one, *other)))
}

/// Smallest and largest count that print as this rate.
fn extreme_counts(rate: ReportedRate) -> Option<[Counts; 2]> {
    let counts = consistent_counts(rate.share, rate.decimals, rate.n);
    let extreme = |x: u64| Counts::new(x, rate.n);
    if counts.is_empty() {
        return None;
    }
    Some([extreme(*counts.start())?, extreme(*counts.end())?])
}

fn bounded_score(rate: ReportedRate) -> Arm {
    Arm { x: rate.share * rate.n as f64, n: rate.n as f64 }
}

/// The interval that covers those of all readings, and the printed difference.
fn hull(rates: &Counted, level: f64) -> Interval {
    let start = Interval { lo: rates.delta, hi: rates.delta, level };
    rates.corners().into_iter().fold(start, |hull, (before, after)| {
        let interval = miettinen_nurminen(before, after, level);
        Interval { lo: hull.lo.min(interval.lo), hi: hull.hi.max(interval.hi), level }
    })
}

/// The test with the largest p over all readings: that of counts in small samples exact, that of
/// mean scores the one of the interval.
fn most_careful_test(rates: &Counted) -> Test {
    let arms = match &rates.arms {
        Arms::Scores([before, after]) => return score_test(*before, *after),
        Arms::Counts(arms) => arms,
    };
    let [[lowest_before, highest_before], [lowest_after, highest_after]] =
        arms.map(|arm| arm.map(Counts::share));
    let [[before, _], [after, _]] = *arms;
    let first = independent_binary::test_of(before, after);
    // Some counts between the extremes make the shares equal.
    if lowest_before <= highest_after && lowest_after <= highest_before {
        let statistic = first.statistic.map(|_| 0.0);
        return Test { p: 1.0, statistic, ..first };
    }
    corners(arms)
        .map(|(before, after)| independent_binary::test_of(before, after))
        .fold(first, |careful, test| if test.p > careful.p { test } else { careful })
}
