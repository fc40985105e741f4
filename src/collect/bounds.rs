//! Scores that their metric cannot have.

use indexmap::IndexMap;

use crate::diag::{Code, Diagnostic, Location, Severity};
use crate::model::{Fragment, MetricNames, MetricSpec, SampleTable, SpecOrigin};
use crate::quantity::Unit;

/// Rounding may lift a full share this much above its bound, relative to the range.
const ROUNDING: f64 = 1e-6;

/// Scores are percentages only above this.
const CLEARLY_ABOVE_ONE: f64 = 1.5;

/// Takes away every score outside the bounds of its metric, as the user or the shipped catalogue
/// declares them: such a score is a mistake of its writer, and one of them could decide a mean.
pub(super) fn drop_impossible_scores(
    table: &mut SampleTable,
    names: &MetricNames,
) -> Vec<Diagnostic> {
    let metrics: Vec<String> = table.columns().iter().map(|(name, _)| name.clone()).collect();
    metrics.iter().filter_map(|name| enforce_one(table, name, &names.get(name)?)).collect()
}

/// What aggregates and series hold that their metric cannot have. Nothing is taken away: a stated
/// figure is what a person will look for. Points of a series are a remark, for they are no results.
pub(super) fn review(fragment: &Fragment, names: &MetricNames) -> Vec<Diagnostic> {
    let mut found: IndexMap<&str, (Diagnostic, u64)> = IndexMap::new();
    for scalar in &fragment.scalars {
        let outside = scalar
            .value
            .value()
            .filter(|value| value.is_finite())
            .zip(names.get(&scalar.metric))
            .and_then(|(value, spec)| {
                let (lo, hi) = stated_bounds(scalar.unit, &spec)?;
                is_outside(value, (lo, hi)).then_some((value, lo, hi))
            });
        if let Some((value, lo, hi)) = outside {
            let first = || {
                let finding = out_of_range(&scalar.metric, value, (lo, hi));
                let finding = finding.dataset(scalar.dataset.as_deref());
                (finding.at(scalar.source.location()), 0)
            };
            found.entry(scalar.metric.as_str()).or_insert_with(first).1 += 1;
        }
    }
    let aggregates = found.into_values().map(|(finding, count)| finding.with("count", count));
    let series = fragment.series.iter().filter_map(|series| {
        let (lo, hi) = names.get(&series.metric).and_then(|spec| stated_bounds(None, &spec))?;
        let outside = series.points.iter().map(|point| point.value).filter(|&value| {
            // A curve in percent is no mistake, whatever its metric's unit.
            let high = if hi == 1.0 { 100.0 } else { hi };
            value.is_finite() && is_outside(value, (lo, high))
        });
        let (first, count) = (outside.clone().next()?, outside.count());
        let finding = out_of_range(&series.metric, first, (lo, hi)).with("count", count);
        let mut finding = finding.at(Location::file(series.path.as_ref()));
        finding.severity = Severity::Info;
        Some(finding)
    });
    aggregates.chain(series).collect()
}

fn out_of_range(metric: &str, value: f64, (lo, hi): (f64, f64)) -> Diagnostic {
    Diagnostic::new(Code::AggregateOutOfRange)
        .metric(metric)
        .with("metric", metric)
        .with("value", value)
        .with("lowest", lo)
        .with("highest", hi)
}

/// The range of a stated figure in the unit in which its file writes it.
fn stated_bounds(unit: Option<Unit>, spec: &MetricSpec) -> Option<(f64, f64)> {
    match unit.unwrap_or(spec.unit).whole() {
        Some(whole) if spec.unit.is_rate() => Some((0.0, whole)),
        _ => spec.bounds,
    }
}

fn is_outside(value: f64, (lo, hi): (f64, f64)) -> bool {
    let slack = if (hi - lo).is_finite() { ROUNDING * (hi - lo) } else { 0.0 };
    value < lo - slack || hi + slack < value
}

fn enforce_one(table: &mut SampleTable, metric: &str, spec: &MetricSpec) -> Option<Diagnostic> {
    let (lo, hi) = bounds(table, metric, spec)?;
    let removed = table.remove_scores(metric, |score| !is_outside(score, (lo, hi)));
    // Infinite ones are told where they are read.
    let removed: Vec<_> = removed.into_iter().filter(|(_, score)| score.is_finite()).collect();
    let &(row, score) = removed.first()?;
    Some(
        Diagnostic::new(Code::OutOfRange)
            .metric(metric)
            .dataset(table.dataset.as_deref())
            .with("metric", metric)
            .with("count", removed.len())
            .with("score", score)
            .with("lowest", lo)
            .with("highest", hi)
            .at(table.source(row, metric).location()),
    )
}

/// The bounds in the unit of the table. Scores of a rate are percentages where most of those that
/// are not 0 clearly exceed 1, else shares: one score of 1.7 among right and wrong ones does not
/// make a right answer 1%.
fn bounds(table: &SampleTable, metric: &str, spec: &MetricSpec) -> Option<(f64, f64)> {
    let is_settled = spec.origin == SpecOrigin::User && spec.unit == Unit::Percent;
    if !spec.unit.is_rate() || is_settled {
        return spec.bounds;
    }
    let column = table.column(metric)?;
    if column.is_binary() {
        return None;
    }
    let scores = (0..table.len()).filter_map(|row| column.get(row)).filter(|score| *score != 0.0);
    let (above, all) = scores.fold((0_usize, 0_usize), |(above, all), score| {
        (above + usize::from(score > CLEARLY_ABOVE_ONE), all + 1)
    });
    let unit = if 2 * above > all { Unit::Percent } else { Unit::Fraction };
    unit.whole().map(|whole| (0.0, whole))
}
