//! The order of results in a list: what they are for, then the worst verdict, then the strength of
//! what was seen. Grids keep the order of their coordinates.

use crate::compare::Comparison;
use crate::model::MetricRole;

/// The results in that order; equal ones as they came.
pub(in crate::report) fn most_urgent_first<'m, 'a>(
    comparisons: impl IntoIterator<Item = &'m Comparison<'a>>,
) -> Vec<&'m Comparison<'a>> {
    let mut sorted: Vec<&Comparison<'_>> = comparisons.into_iter().collect();
    let rank = |one: &Comparison<'_>| {
        (MetricRole::rank(one.cell.metric_role()), one.delta.is_none(), one.verdict.urgency())
    };
    sorted.sort_by(|a, b| {
        let ends = |one: &Comparison<'_>| one.allowed_interval().map(|ends| [ends.lo, ends.hi]);
        let strength = |one: &Comparison<'_>| weakness(one.p_adjusted(), one.delta, ends(one));
        rank(a).cmp(&rank(b)).then_with(|| {
            let ([p, effect], [other_p, other]) = (strength(a), strength(b));
            p.total_cmp(&other_p).then(effect.total_cmp(&other))
        })
    });
    sorted
}

/// What sorts strong results first: p, then the difference over half its interval.
pub(in crate::report) fn weakness(
    p: Option<f64>,
    delta: Option<f64>,
    interval: Option<[f64; 2]>,
) -> [f64; 2] {
    let half = interval.map_or(f64::INFINITY, |[lo, hi]| (hi - lo) / 2.0);
    let effect = delta.map_or(0.0, |delta| if delta == 0.0 { 0.0 } else { delta.abs() / half });
    [p.unwrap_or(1.0), -effect]
}
