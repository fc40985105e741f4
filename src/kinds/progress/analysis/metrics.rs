//! Metrics that are no shares of counts: their values at two steps and their trend between.

use crate::compare::{NoTrend, TrendEstimate, series_trend};
use crate::model::{Direction, MetricNames, MetricSpec, Point, Run, Series};
use crate::quantity::Unit;
use crate::stats::holm;

use super::timeline::{Curve, Timeline, TimelineSpan, TimelineValue, without_coordinates};
use super::{ProgressMovement, ProgressUntested};

#[derive(Debug, Clone, PartialEq)]
pub struct ProgressMetric {
    /// Canonical name, with its coordinates.
    pub name: String,
    pub spec: MetricSpec,
    /// The value at the earlier step, or the one nearest to it.
    pub before: Option<TimelineValue>,
    /// The last value up to the later step.
    pub after: Option<TimelineValue>,
    /// Whether it is a counter or the cost, which grow by themselves.
    pub is_counter: bool,
    /// Whether it has one value only between the steps.
    pub is_constant: bool,
    /// Finite values between the steps.
    pub points: usize,
    /// Their trend, or why there is none.
    pub trend: Result<TrendEstimate, NoTrend>,
    pub movement: ProgressMovement,
}

impl ProgressMetric {
    /// Later value − earlier value, both finite; `None` across a restart of counting.
    pub fn change(&self) -> Option<f64> {
        if self.movement == ProgressMovement::Untested(ProgressUntested::Reset) {
            return None;
        }
        let change = self.after.as_ref()?.value - self.before.as_ref()?.value;
        change.is_finite().then_some(change)
    }
}

/// Every metric of the timeline, those apart that `leave_out` names.
pub(super) fn metrics(
    timeline: &Timeline,
    run: &Run,
    span: &TimelineSpan,
    (role, is_reset): (impl Fn(&str) -> Role, bool),
    alpha: f64,
) -> Vec<ProgressMetric> {
    let mut metrics: Vec<ProgressMetric> = timeline
        .curves
        .iter()
        .filter(|(name, _)| role(name) != Role::InRate)
        .map(|(name, curve)| {
            let mut metric = metric(name, curve, spec(run, name, &timeline.names), span, alpha);
            metric.is_counter = role(name) != Role::Plain;
            metric
        })
        .collect();
    let tested = |metric: &ProgressMetric| !metric.is_counter && metric.trend.is_ok();
    let raw: Vec<f64> = metrics
        .iter()
        .filter(|metric| tested(metric))
        .filter_map(|metric| metric.trend.ok())
        .map(|trend| trend.p)
        .collect();
    let mut adjusted = holm(&raw).into_iter();
    for metric in &mut metrics {
        if tested(metric)
            && let (Ok(trend), Some(p)) = (&mut metric.trend, adjusted.next())
        {
            trend.p_adjusted = p;
            trend.family = raw.len();
        }
        metric.movement = match (metric.is_counter, is_reset) {
            (true, true) => ProgressMovement::Untested(ProgressUntested::Reset),
            _ => movement(metric, alpha),
        };
    }
    metrics
}

/// What a metric is to the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Told in the row of its share.
    InRate,
    /// A counter or the cost.
    Counter,
    Plain,
}

fn metric(
    name: &str,
    curve: &Curve,
    spec: MetricSpec,
    span: &TimelineSpan,
    alpha: f64,
) -> ProgressMetric {
    let after = curve.until(span.to).cloned();
    let before = curve
        .until(span.from)
        .or_else(|| curve.between(span.from, span.to).next())
        .filter(|before| after.as_ref().is_some_and(|after| after.at > before.at))
        .cloned();
    let points: Vec<Point> = curve
        .between(span.from, span.to)
        .map(|reading| Point { at: reading.at, value: reading.value, line: 0 })
        .collect();
    let is_constant = points.windows(2).all(|two| two[0].value == two[1].value);
    let (series, _) =
        Series::new(name.to_owned(), String::new(), crate::model::Dims::none(), points, "".into());
    let (points, trend) = series_trend(&series, alpha);
    ProgressMetric {
        name: name.to_owned(),
        spec,
        before,
        after,
        is_counter: false,
        is_constant,
        points,
        trend,
        movement: ProgressMovement::Unchanged,
    }
}

fn movement(metric: &ProgressMetric, alpha: f64) -> ProgressMovement {
    let finite =
        |reading: &Option<TimelineValue>| reading.as_ref().map(|reading| reading.value.is_finite());
    match (finite(&metric.before), finite(&metric.after)) {
        (_, Some(false)) | (Some(false), _) => {
            return ProgressMovement::Untested(ProgressUntested::NotFinite);
        }
        (Some(true), Some(true)) => {}
        _ => return ProgressMovement::Untested(ProgressUntested::NoValue),
    }
    if metric.is_counter {
        return ProgressMovement::Untested(ProgressUntested::Counter);
    }
    match metric.trend {
        _ if metric.is_constant => ProgressMovement::Unchanged,
        Err(NoTrend::Smoothed) => ProgressMovement::Untested(ProgressUntested::Smoothed),
        Err(NoTrend::TooFew) => ProgressMovement::Untested(ProgressUntested::TooFew),
        Ok(trend) if trend.p_adjusted < alpha && trend.slope != 0.0 => {
            ProgressMovement::toward(trend.slope, metric.spec.direction)
        }
        Ok(trend) if trend.is_untestable => {
            ProgressMovement::Untested(ProgressUntested::Autocorrelated)
        }
        Ok(_) => ProgressMovement::NotSeparable,
    }
}

/// What a metric means: by the user, the file, the shipped catalogue, or nobody.
fn spec(run: &Run, name: &str, names: &MetricNames) -> MetricSpec {
    let metric = without_coordinates(name);
    let produced = run.content.spec(None, names.canonical(metric));
    names.meaning(metric, produced).unwrap_or_else(|| MetricSpec::undeclared(metric))
}

/// The only metric whose unit is money, for runs that declare no cost.
pub(super) fn in_dollars<'t>(timeline: &'t Timeline, run: &Run) -> Option<&'t str> {
    let mut curves = timeline.curves.keys().map(String::as_str);
    let is_money = |name: &&str| spec(run, name, &timeline.names).unit == Unit::Dollars;
    let found = curves.find(is_money)?;
    curves.all(|name| !is_money(&name)).then_some(found)
}

impl ProgressMovement {
    /// A change that is more than chance, by its sign and the good side.
    pub(super) fn toward(change: f64, direction: Direction) -> Self {
        match direction.sign() {
            Some(sign) if sign * change > 0.0 => Self::Improved,
            Some(_) => Self::Worsened,
            None => Self::Changed,
        }
    }
}
