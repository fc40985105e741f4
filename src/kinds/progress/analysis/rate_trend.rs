//! Counts as shares of other counts over every step of a run.

use indexmap::IndexMap;

use super::counters::{Counter, ProgressCounting};
use super::declared::RateOf;
use super::timeline::Timeline;
use crate::compare::{NoTrend, TrendEstimate, series_trend};
use crate::model::{Dims, Point, Series};
use crate::stats::Counts;

/// The trend of a share over steps that each counted for themselves.
pub(super) fn rate_trend(
    name: &str,
    steps: &[(f64, Counts)],
    alpha: f64,
) -> (usize, Result<TrendEstimate, NoTrend>) {
    let points = steps.iter().map(|(at, counts)| Point { at: *at, value: counts.share(), line: 0 });
    let points = points.collect();
    let (series, _) = Series::new(name.to_owned(), String::new(), Dims::none(), points, "".into());
    series_trend(&series, alpha)
}

/// What each step from one to another counted for itself, where both counters are recorded. Of cumulative
/// counters those are the cases since the step before; where nobody says what they count, those that never
/// fall may be cumulative, and no step is known by itself.
pub(super) fn step_counts(
    timeline: &Timeline,
    (from, to): (f64, f64),
    of: &RateOf,
    counters: &IndexMap<String, Counter>,
) -> Vec<(f64, Counts)> {
    let curve = |name: &str| timeline.curves.get(name);
    let Some((part, all)) = curve(&of.count).zip(curve(&of.of)) else { return Vec::new() };
    let recorded = part.between(from, to).filter_map(|reading| {
        let all = all.at(reading.at)?;
        Some((reading.at, Counts::new(reading.whole()?, all.whole()?)?))
    });
    let recorded: Vec<(f64, Counts)> = recorded.collect();
    let falls = recorded.windows(2).any(|two| two[1].1.n < two[0].1.n || two[1].1.x < two[0].1.x);
    let counting = |name: &str| counters.get(name).map(|one| one.counting);
    let is_mixed = counting(&of.count) != counting(&of.of);
    let mut steps: Vec<(f64, Counts)> = match counting(&of.of) {
        _ if is_mixed => Vec::new(),
        Some(ProgressCounting::PerStep) => recorded,
        Some(ProgressCounting::Cumulative) if !falls => {
            let since = recorded.windows(2).filter_map(|two| {
                let [(_, before), (at, after)] = [two[0], two[1]];
                Some((at, Counts::new(after.x - before.x, after.n - before.n)?))
            });
            since.collect()
        }
        Some(ProgressCounting::Unknown) | None if falls => recorded,
        _ => Vec::new(),
    };
    steps.retain(|(_, counts)| counts.n > 0);
    steps
}

#[cfg(test)]
mod tests {
    use crate::kinds::progress::analysis::ProgressMovement;
    use crate::kinds::progress::analysis::progress_testing::{analysed, declared};

    /// Forty steps of 32 cases: 10 to 29 right, one more every other step.
    #[test]
    fn a_share_that_rises_over_many_steps_is_told_where_its_ends_cannot_tell() {
        let right: Vec<f64> = (0..40).map(|step| f64::from(20 + step / 5)).collect();
        let all = vec![32.0; 40];
        let up = "per_step = [\"bad\", \"all\"]\n[rates]\nr = { count = \"bad\", of = \"all\", direction = \"higher\" }";
        let found = |part: &[f64], all: &[f64], toml: &str| {
            analysed(&[("bad", part), ("all", all)], &declared(toml), |progress| {
                (progress.rates[0].movement, progress.rates[0].trend.is_some())
            })
        };
        assert_eq!(found(&right, &all, up), (ProgressMovement::Improved, true));
        let level: Vec<f64> = (0..40).map(|step| f64::from(20 + step * 7 % 5)).collect();
        assert_eq!(found(&level, &all, up), (ProgressMovement::NotSeparable, true));
        // The same cases counted up have the same trend, from the second step on.
        let sum = |values: &[f64]| -> Vec<f64> {
            values
                .iter()
                .scan(0.0, |sum, value| {
                    *sum += value;
                    Some(*sum)
                })
                .collect()
        };
        let counted_up = up.replace("per_step", "cumulative");
        assert!(found(&sum(&right), &sum(&all), &counted_up).1);
        // What nobody declares counts as its values show.
        let undeclared = up.split_once('\n').unwrap().1;
        assert!(found(&sum(&right), &sum(&all), undeclared).1);
        assert!(found(&level, &all, undeclared).1);
    }
}
