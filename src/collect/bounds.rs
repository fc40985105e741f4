//! Scores that their metric cannot have.

use crate::diag::{Code, Diagnostic};
use crate::model::{MetricCatalogue, MetricSpec, SampleTable, SpecOrigin, Unit};

/// Rounding may lift a full share this much above its bound, relative to the range.
const ROUNDING: f64 = 1e-6;

/// Scores are percentages only above this.
const CLEARLY_ABOVE_ONE: f64 = 1.5;

/// Takes away every score outside the bounds of its metric, as the user or the shipped catalogue
/// declares them: such a score is a mistake of its writer, and one of them could decide a mean.
pub(super) fn enforce(table: &mut SampleTable, own: Option<&MetricCatalogue>) -> Vec<Diagnostic> {
    let names: Vec<String> = table.columns().iter().map(|(name, _)| name.clone()).collect();
    let spec = |name: &str| {
        own.and_then(|own| own.get(name)).or_else(|| MetricCatalogue::shipped().get(name))
    };
    names.iter().filter_map(|name| enforce_one(table, name, spec(name)?)).collect()
}

fn enforce_one(table: &mut SampleTable, metric: &str, spec: &MetricSpec) -> Option<Diagnostic> {
    let (lo, hi) = bounds(table, metric, spec)?;
    let slack = if (hi - lo).is_finite() { ROUNDING * (hi - lo) } else { 0.0 };
    let removed = table.remove_scores(metric, |score| lo - slack <= score && score <= hi + slack);
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
