//! Which comparisons a name of `reportgen.toml` means.

use crate::compare::Comparison;
use crate::model::MetricNames;

/// The comparisons of a metric, or of `dataset/metric`; a metric's name may hold slashes itself.
/// Names are those of a catalogue, the user's first, or their aliases; `syntax_error` stands for `syntax_error_rate`
/// where nothing is called `syntax_error` and the user declares no metric of that name, and so do
/// `pass@1` and `accepted_at_1` for each other: of one answer to each problem they are the same.
pub(super) fn named<'c, 'a>(
    comparisons: &'c [Comparison<'a>],
    names: &MetricNames,
    name: &str,
) -> Vec<&'c Comparison<'a>> {
    let found = exactly(comparisons, names, name);
    let (dataset, metric) = match name.rsplit_once('/') {
        Some((dataset, metric)) => (format!("{dataset}/"), metric),
        None => (String::new(), name),
    };
    if !found.is_empty() || [name, metric].into_iter().any(|name| names.is_declared(name)) {
        return found;
    }
    let same = names.same_share(names.canonical(metric)).map(str::to_owned);
    let also = same.unwrap_or_else(|| format!("{metric}_rate"));
    exactly(comparisons, names, &(dataset + &also))
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
