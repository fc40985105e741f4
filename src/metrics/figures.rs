//! Tallies to figures: value, number of records behind it, interval.

use super::distribution::Distribution;
use super::mapping::{SUCCESS, WRONG_ANSWER};
use super::problems::Measure;
use super::tally::{Tally, UNKNOWN};
use crate::model::Unit;
use crate::stats::means::clustered::clustered_mean;
use crate::stats::{Counts, Interval, mean_interval, quantile, quantile_interval, wilson};

/// One in so many records may say nothing of its ending: 5%, as everywhere where results are missing.
const MOST_UNKNOWN: u64 = 20;

/// Level of every interval.
pub const LEVEL: f64 = 0.95;

/// One figure of a dataset.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Its metric.
    pub metric: String,
    /// What it is measured in.
    pub unit: Unit,
    /// The figure; `None` where nothing says it.
    pub value: Option<f64>,
    /// For a rate, how many records it holds of.
    pub count: Option<u64>,
    /// Records behind it.
    pub n: u64,
    /// Its interval.
    pub interval: Option<Interval>,
    /// How the interval was made, or why there is none: a key of the words.
    pub method: &'static str,
}

impl Figure {
    fn unknown(metric: &str, unit: Unit, method: &'static str) -> Self {
        Self {
            metric: metric.to_owned(),
            unit,
            value: None,
            count: None,
            n: 0,
            interval: None,
            method,
        }
    }
}

/// The kinds that every dataset has a rate of, in the order of the report, with the rest of their
/// names.
pub(super) const STANDARD: [(&str, Option<Measure>); 6] = [
    (SUCCESS, None),
    ("syntax_error", Some(Measure::Syntax)),
    ("runtime_error", Some(Measure::Runtime)),
    ("timeout", Some(Measure::Timeout)),
    (WRONG_ANSWER, Some(Measure::Wrong)),
    ("api_error", Some(Measure::Api)),
];

/// Every figure of a dataset, in the order of the report. `seconds` is the time that the user says
/// its evaluation took.
pub(super) fn figures(tally: &Tally, seconds: Option<f64>) -> Vec<Figure> {
    let count = |kind: &str| tally.kinds.get(kind).map_or(0, |known| known.seen.count);
    let rate = |metric: &str, x, n, measure| rate(tally, metric, x, n, measure);
    let known = tally.records - count(UNKNOWN);
    // What says nothing of its ending is no fair draw: where only success is told, it is always
    // success that is known.
    let are_known = count(UNKNOWN) * MOST_UNKNOWN <= tally.records;
    let ending = |metric: &str, x, measure| {
        if are_known {
            rate(metric, x, known, measure)
        } else {
            Figure::unknown(metric, Unit::Fraction, "unknown-endings")
        }
    };
    let executed = count(SUCCESS) + count(WRONG_ANSWER);
    let mut found = vec![
        ending("exec_success_rate", executed, Some(Measure::Executed)),
        rate("accepted_at_1", tally.accepted.yes, tally.accepted.n, Some(Measure::Accepted)),
        mean(tally, "pass_ratio_mean", Unit::Fraction, &tally.pass_ratio, Measure::PassRatio),
        at(tally, "pass_ratio_p50", Unit::Plain, &tally.pass_ratio, 0.5),
        at(tally, "pass_ratio_p90", Unit::Plain, &tally.pass_ratio, 0.9),
    ];
    for (kind, measure) in STANDARD.into_iter().skip(1) {
        found.push(ending(&rate_name(kind), count(kind), measure));
    }
    let own = |kind: &&String| *kind != UNKNOWN && STANDARD.iter().all(|(name, _)| name != kind);
    for kind in tally.kinds.keys().filter(own) {
        found.push(ending(&rate_name(kind), count(kind), None));
    }
    let truncated = tally.truncated;
    found.extend([
        mean(tally, "avg_gen_tokens", Unit::Tokens, &tally.gen_tokens, Measure::GenTokens),
        mean(tally, "avg_gen_time", Unit::Seconds, &tally.gen_time, Measure::GenTime),
        mean(tally, "avg_judge_time", Unit::Seconds, &tally.judge_time, Measure::JudgeTime),
        throughput(tally, seconds),
        rate("truncation_rate", truncated.yes, truncated.n, Some(Measure::Truncated)),
    ]);
    found
}

/// Quantiles that are for reading only.
pub(super) fn spreads(tally: &Tally) -> Vec<Figure> {
    let fields = [
        ("gen_tokens", Unit::Tokens, &tally.gen_tokens),
        ("gen_time", Unit::Seconds, &tally.gen_time),
        ("judge_time", Unit::Seconds, &tally.judge_time),
    ];
    let known = fields.into_iter().filter(|(.., values)| values.n() > 0);
    let both = |(name, unit, values)| {
        [(0.5, "p50"), (0.9, "p90")]
            .map(|(share, end)| at(tally, &format!("{name}_{end}"), unit, values, share))
    };
    known.flat_map(both).collect()
}

/// The metric of a kind of ending.
fn rate_name(kind: &str) -> String {
    format!("{kind}_rate")
}

fn rate(tally: &Tally, metric: &str, x: u64, n: u64, measure: Option<Measure>) -> Figure {
    let Some(counts) = Counts::new(x, n).filter(|_| n > 0) else {
        return Figure::unknown(metric, Unit::Fraction, "no-field");
    };
    let (interval, method) = if !tally.problems.has_several() {
        (Some(wilson(counts, LEVEL)), "wilson")
    } else if x == 0 || x == n {
        unanimous(tally, measure, x > 0)
    } else {
        by_problem(tally, measure)
    };
    Figure {
        value: Some(counts.share()),
        count: Some(x),
        n,
        interval: interval.map(within_share),
        ..Figure::unknown(metric, Unit::Fraction, method)
    }
}

fn mean(
    tally: &Tally,
    metric: &str,
    unit: Unit,
    values: &Distribution,
    measure: Measure,
) -> Figure {
    let moments = values.moments();
    if moments.n == 0 {
        return Figure::unknown(metric, unit, "no-field");
    }
    let (interval, method) = if tally.problems.has_several() {
        by_problem(tally, Some(measure))
    } else {
        let interval = mean_interval(moments, LEVEL);
        (interval, if interval.is_some() { "t" } else { "no-spread" })
    };
    let interval = match unit {
        Unit::Fraction => interval.map(within_share),
        _ => interval.map(|found| Interval { lo: found.lo.max(0.0), ..found }),
    };
    let value = Some(moments.mean);
    Figure { value, n: moments.n, interval, ..Figure::unknown(metric, unit, method) }
}

/// Answers to one problem are alike, so problems are the units (see `clustered_mean`).
fn by_problem(tally: &Tally, measure: Option<Measure>) -> (Option<Interval>, &'static str) {
    let Some(measure) = measure else { return (None, "several-answers") };
    let Some(sums) = tally.problems.sums(measure) else { return (None, "several-answers") };
    let interval = clustered_mean(&sums).and_then(|mean| mean.interval(LEVEL));
    (interval, if interval.is_some() { "cluster-t" } else { "no-spread" })
}

/// Outcomes that are all the same have no spread: whole problems count instead.
fn unanimous(
    tally: &Tally,
    measure: Option<Measure>,
    all: bool,
) -> (Option<Interval>, &'static str) {
    let sums = measure.and_then(|measure| tally.problems.sums(measure));
    let problems = sums.map_or(0, |sums| sums.clusters.len() as u64);
    match Counts::new(if all { problems } else { 0 }, problems).filter(|_| problems > 0) {
        Some(counts) => (Some(wilson(counts, LEVEL)), "wilson-problems"),
        None => (None, "several-answers"),
    }
}

fn within_share(interval: Interval) -> Interval {
    Interval { lo: interval.lo.clamp(0.0, 1.0), hi: interval.hi.clamp(0.0, 1.0), ..interval }
}

fn at(tally: &Tally, metric: &str, unit: Unit, values: &Distribution, share: f64) -> Figure {
    let counted = values.values();
    let Some(value) = quantile(&counted, share) else {
        return Figure::unknown(metric, unit, "no-field");
    };
    let (interval, method) = if tally.problems.has_several() {
        (None, "several-answers")
    } else {
        let interval = quantile_interval(&counted, share, LEVEL);
        (interval, if interval.is_some() { "order-statistics" } else { "too-few" })
    };
    let value = Some(value);
    Figure { value, n: values.n(), interval, ..Figure::unknown(metric, unit, method) }
}

/// Records a second: by the time that the user gives, else from the first to the last record, in
/// which one record less was made.
fn throughput(tally: &Tally, seconds: Option<f64>) -> Figure {
    let figure = |value, n, method| Figure {
        value: Some(value),
        n,
        ..Figure::unknown("throughput", Unit::Plain, method)
    };
    match (seconds, tally.times) {
        (Some(seconds), _) => figure(tally.records as f64 / seconds, tally.records, "wall-clock"),
        (None, Some((first, last, n))) if n > 1 && last > first && n == tally.records => {
            figure((n - 1) as f64 / (last - first), n, "times")
        }
        _ => Figure::unknown("throughput", Unit::Plain, "no-clock"),
    }
}
