//! Scores that their metric cannot have.

use indexmap::IndexMap;

use crate::diag::{Code, Diagnostic, Location, Severity};
use crate::model::{Fragment, MetricNames, MetricSpec, SampleTable, with_rounding};
use crate::quantity::Unit;

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

fn is_outside(value: f64, bounds: (f64, f64)) -> bool {
    let (lo, hi) = with_rounding(bounds);
    value < lo || hi < value
}

fn enforce_one(table: &mut SampleTable, metric: &str, spec: &MetricSpec) -> Option<Diagnostic> {
    let (lo, hi) = bounds(table, metric, spec)?;
    let removed = table.remove_scores(metric, |score| !is_outside(score, (lo, hi)));
    // Infinite ones are told where they are read.
    let removed: Vec<_> = removed.into_iter().filter(|(_, score)| score.is_finite()).collect();
    let &(row, score) = removed.first()?;
    let finding = set_aside(metric, table.dataset.as_deref(), (removed.len(), score), (lo, hi));
    Some(finding.at(table.source(row, metric).location()))
}

/// The finding about so many scores that count as missing, one of which is told.
pub(super) fn set_aside(
    metric: &str,
    dataset: Option<&str>,
    (count, score): (usize, f64),
    (lo, hi): (f64, f64),
) -> Diagnostic {
    Diagnostic::new(Code::OutOfRange)
        .metric(metric)
        .dataset(dataset)
        .with("metric", metric)
        .with("count", count)
        .with("score", score)
        .with("lowest", lo)
        .with("highest", hi)
}

/// The bounds in the unit of the table.
fn bounds(table: &SampleTable, metric: &str, spec: &MetricSpec) -> Option<(f64, f64)> {
    bounds_by(spec, || {
        let column = table.column(metric).filter(|column| !column.is_binary())?;
        let mut size = RateSize::default();
        (0..table.len()).filter_map(|row| column.get(row)).for_each(|score| size.take(score));
        Some(size)
    })
}

/// The bounds of scores; those of a rate follow from how large its scores are, where that is known.
pub fn bounds_by(spec: &MetricSpec, size: impl FnOnce() -> Option<RateSize>) -> Option<(f64, f64)> {
    let is_settled = spec.unit_declared && spec.unit == Unit::Percent;
    if !spec.unit.is_rate() || is_settled {
        return spec.bounds;
    }
    size()?.unit().whole().map(|whole| (0.0, whole))
}

/// Scores of a rate are percentages where most of those that are not 0 clearly exceed 1, else shares:
/// one score of 1.7 among right and wrong ones does not make a right answer 1%.
#[derive(Debug, Clone, Copy, Default)]
pub struct RateSize {
    above: u64,
    all: u64,
}

impl RateSize {
    pub(super) fn take(&mut self, score: f64) {
        self.above += u64::from(score > CLEARLY_ABOVE_ONE);
        self.all += u64::from(score != 0.0);
    }

    fn unit(self) -> Unit {
        if 2 * self.above > self.all { Unit::Percent } else { Unit::Fraction }
    }
}
