//! The table of a progress report for spreadsheets.

use super::data::{MetricView, ProgressView, RateView, ShareView, ValueView};
use crate::report::Sheet;

/// One row for each share and metric.
pub(super) fn sheet(view: &ProgressView) -> Sheet {
    let heads = [
        "kind",
        "name",
        "unit",
        "direction",
        "from",
        "to",
        "before",
        "before_count",
        "before_of",
        "after",
        "after_count",
        "after_of",
        "change",
        "since_count",
        "since_of",
        "difference",
        "ci_lo",
        "ci_hi",
        "p",
        "p_adjusted",
        "movement",
    ];
    let ends = [view.from, view.to].map(|at| at.to_string());
    let rates = view.rates.iter().map(|rate| rate_row(rate, &ends));
    let rows = rates.chain(view.metrics.iter().map(|metric| metric_row(metric, &ends))).collect();
    Sheet { heads: heads.map(str::to_owned).into(), rows }
}

fn rate_row(rate: &RateView, ends: &[String; 2]) -> Vec<String> {
    let value = |side: &Option<ShareView>| number(side.as_ref().map(|side| side.value));
    let parts = |side: &Option<ShareView>| {
        let side = side.as_ref();
        [side.map(|side| side.count), side.map(|side| side.of)]
            .map(|count| count.map_or_else(String::new, |count| count.to_string()))
    };
    let mut row: Vec<String> =
        ["rate", &rate.name, "fraction", rate.direction].map(str::to_owned).into();
    row.extend(ends.clone());
    for side in [&rate.before, &rate.after] {
        row.push(value(side));
        row.extend(parts(side));
    }
    row.push(number(rate.change));
    row.extend(parts(&rate.since));
    row.push(number(rate.difference));
    row.extend([0, 1].map(|end| number(rate.difference_ci.map(|ci| ci[end]))));
    row.extend([number(rate.p), number(rate.p_adjusted), rate.movement.to_owned()]);
    row
}

fn metric_row(metric: &MetricView, ends: &[String; 2]) -> Vec<String> {
    let value = |side: &Option<ValueView>| number(side.as_ref().map(|side| side.value));
    let none = String::new;
    let mut row: Vec<String> =
        ["metric", &metric.name, metric.unit, metric.direction].map(str::to_owned).into();
    row.extend(ends.clone());
    row.extend([value(&metric.before), none(), none(), value(&metric.after), none(), none()]);
    row.extend([number(metric.change), none(), none(), number(metric.slope)]);
    row.extend([0, 1].map(|end| number(metric.slope_ci.map(|ci| ci[end]))));
    row.extend([number(metric.p), number(metric.p_adjusted), metric.movement.to_owned()]);
    row
}

fn number(value: Option<f64>) -> String {
    value.filter(|value| value.is_finite()).map_or_else(String::new, |value| value.to_string())
}
