//! Which comparisons a name of `reportgen.toml` means.

use crate::compare::Comparison;
use crate::model::MetricNames;

/// The comparisons of a metric, or of `dataset/metric`; a metric's name may hold slashes itself.
/// Names are those of a catalogue, the user's first, or their aliases; `syntax_error` stands for `syntax_error_rate`
/// where nothing is called `syntax_error` and the user declares no metric of that name.
pub(super) fn named<'c, 'a>(
    comparisons: &'c [Comparison<'a>],
    names: &MetricNames,
    name: &str,
) -> Vec<&'c Comparison<'a>> {
    let rate = format!("{name}_rate");
    let metric = name.rsplit_once('/').map_or(name, |(_, metric)| metric);
    let is_other = [name, metric].into_iter().any(|name| names.is_declared(name));
    match exactly(comparisons, names, name) {
        found if found.is_empty() && !is_other => exactly(comparisons, names, &rate),
        found => found,
    }
}

fn exactly<'c, 'a>(
    comparisons: &'c [Comparison<'a>],
    names: &MetricNames,
    name: &str,
) -> Vec<&'c Comparison<'a>> {
    let matching = |dataset: Option<&str>, metric: &str| -> Vec<&'c Comparison<'a>> {
        let canonical = names.canonical(metric);
        let is_named = |comparison: &&Comparison<'_>| {
            let key = &comparison.cell.key;
            let same = key.metric == metric
                || key.metric == canonical
                || key.metric.eq_ignore_ascii_case(metric);
            same && dataset.is_none_or(|name| {
                key.dataset.as_ref().is_some_and(|known| known.eq_ignore_ascii_case(name))
            })
        };
        comparisons.iter().filter(is_named).collect()
    };
    let whole = matching(None, name);
    if !whole.is_empty() {
        return whole;
    }
    let splits = name.match_indices('/').map(|(at, _)| name.split_at(at));
    let found =
        splits.map(|(dataset, metric)| matching(Some(dataset), metric.trim_start_matches('/')));
    found.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
}
