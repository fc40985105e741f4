//! Tallies to figures: value, number of records behind it, interval.

use super::distribution::MetricsDistribution;
use super::mapping::{EXECUTED, SUCCESS, WRONG_ANSWER};
use super::problems::Measure;
use super::tally::{MetricsTally, UNKNOWN};
use crate::quantity::Unit;
use crate::stats::means::clustered::clustered_mean;
use crate::stats::{Counts, Interval, mean_interval, quantile, quantile_interval, wilson};

/// One in so many records may say nothing of its ending: 5%, as everywhere where results are missing.
const MOST_UNKNOWN: u64 = 20;

pub const LEVEL: f64 = 0.95;

#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    pub metric: String,
    pub unit: Unit,
    /// The figure; `None` where nothing says it.
    pub value: Option<f64>,
    /// For a rate, how many records it holds of.
    pub count: Option<u64>,
    /// Records behind it.
    pub n: u64,
    /// Problems behind it, which are the independent draws; `None` where they are not known.
    pub problems: Option<u64>,
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
            problems: None,
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
pub(super) fn figures(tally: &MetricsTally, seconds: Option<f64>) -> Vec<Figure> {
    let rate = |metric: &str, x, n, measure| rate(tally, metric, x, n, measure);
    // What says nothing of its ending is no fair draw: where only success is told, it is always
    // success that is known.
    let ending = |metric: &str, x, untold: u64, measure| {
        if untold * MOST_UNKNOWN <= tally.records {
            rate(metric, x, tally.records - untold, measure)
        } else {
            Figure::unknown(metric, Unit::Fraction, "unknown-endings")
        }
    };
    let untold = tally.untold();
    let mut found = vec![
        ending("exec_success_rate", tally.executed(), untold, Some(Measure::Executed)),
        rate("accepted_at_1", tally.accepted.yes, tally.accepted.n, Some(Measure::Accepted)),
        mean(tally, "pass_ratio_mean", Unit::Fraction, &tally.pass_ratio, Measure::PassRatio),
        quantile_figure(
            tally,
            "pass_ratio_p50",
            Unit::Plain,
            &tally.pass_ratio,
            Measure::PassRatio,
            0.5,
        ),
        quantile_figure(
            tally,
            "pass_ratio_p90",
            Unit::Plain,
            &tally.pass_ratio,
            Measure::PassRatio,
            0.9,
        ),
    ];
    for (kind, measure) in STANDARD.into_iter().skip(1) {
        // Where nothing says whether the answer is right, it may be a wrong one.
        let open = if kind == WRONG_ANSWER { tally.count(EXECUTED) } else { 0 };
        found.push(ending(&rate_name(kind), tally.count(kind), untold + open, measure));
    }
    let own = |kind: &&String| {
        let known = [UNKNOWN, EXECUTED];
        !known.contains(&kind.as_str()) && STANDARD.iter().all(|(name, _)| name != kind)
    };
    for (kind, one) in tally.kinds.iter().filter(|(kind, _)| own(kind)) {
        // A name that no list has is known of its own records.
        let untold = if one.is_listed { untold } else { tally.count(UNKNOWN) };
        found.push(ending(&rate_name(kind), one.seen.count, untold, None));
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

/// The problems behind all records; `None` where they are not told apart.
pub(super) fn problems(tally: &MetricsTally) -> Option<u64> {
    if tally.problems.too_many {
        return None;
    }
    if !tally.problems.has_several() {
        return Some(tally.records);
    }
    tally.problems.count().filter(|_| tally.with_id == tally.records)
}

/// The problems behind `n` of the records.
fn problems_behind(tally: &MetricsTally, n: u64, measure: Option<Measure>) -> Option<u64> {
    let all = problems(tally)?;
    if !tally.problems.has_several() || n == tally.records {
        return Some(if n == tally.records { all } else { n });
    }
    Some(tally.problems.sums(measure?)?.clusters.len() as u64)
}

/// Quantiles that are for reading only.
pub(super) fn spreads(tally: &MetricsTally) -> Vec<Figure> {
    let fields = [
        ("gen_tokens", Unit::Tokens, &tally.gen_tokens, Measure::GenTokens),
        ("gen_time", Unit::Seconds, &tally.gen_time, Measure::GenTime),
        ("judge_time", Unit::Seconds, &tally.judge_time, Measure::JudgeTime),
    ];
    let known = fields.into_iter().filter(|(_, _, values, _)| values.n() > 0);
    let both = |(name, unit, values, measure)| {
        [(0.5, "p50"), (0.9, "p90")].map(|(share, end)| {
            quantile_figure(tally, &format!("{name}_{end}"), unit, values, measure, share)
        })
    };
    known.flat_map(both).collect()
}

fn rate_name(kind: &str) -> String {
    format!("{kind}_rate")
}

fn rate(tally: &MetricsTally, metric: &str, x: u64, n: u64, measure: Option<Measure>) -> Figure {
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
        problems: problems_behind(tally, n, measure),
        interval: interval.map(within_share),
        ..Figure::unknown(metric, Unit::Fraction, method)
    }
}

fn mean(
    tally: &MetricsTally,
    metric: &str,
    unit: Unit,
    values: &MetricsDistribution,
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
    let n = moments.n;
    let method = if n == 1 { "too-few" } else { method };
    let problems = problems_behind(tally, n, Some(measure));
    Figure { value, n, problems, interval, ..Figure::unknown(metric, unit, method) }
}

/// Answers to one problem are alike, so problems are the units (see `clustered_mean`).
fn by_problem(tally: &MetricsTally, measure: Option<Measure>) -> (Option<Interval>, &'static str) {
    let Some(measure) = measure else { return (None, "several-answers") };
    let Some(sums) = tally.problems.sums(measure) else { return (None, "several-answers") };
    let interval = clustered_mean(&sums).and_then(|mean| mean.interval(LEVEL));
    (interval, if interval.is_some() { "cluster-t" } else { "no-spread" })
}

/// Outcomes that are all the same have no spread: whole problems count instead.
fn unanimous(
    tally: &MetricsTally,
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

fn quantile_figure(
    tally: &MetricsTally,
    metric: &str,
    unit: Unit,
    values: &MetricsDistribution,
    measure: Measure,
    share: f64,
) -> Figure {
    let counted = values.values();
    let Some(value) = quantile(&counted, share) else {
        return Figure::unknown(metric, unit, "no-field");
    };
    let (interval, method) = if tally.problems.has_several() && counted.len() > 1 {
        (None, "several-answers")
    } else {
        let interval = quantile_interval(&counted, share, LEVEL);
        (interval, if interval.is_some() { "order-statistics" } else { "too-few" })
    };
    let (value, n) = (Some(value), values.n());
    let problems = problems_behind(tally, n, Some(measure));
    Figure { value, n, problems, interval, ..Figure::unknown(metric, unit, method) }
}

/// Records a second: by the time that the user gives, else from the first to the last record, in
/// which one record less was made.
fn throughput(tally: &MetricsTally, seconds: Option<f64>) -> Figure {
    let figure = |value, n, method| Figure {
        value: Some(value),
        n,
        problems: problems_behind(tally, n, None),
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
