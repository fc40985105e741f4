//! One name for a result that runs call by two: `{"gsm8k/accuracy": 0.5}` is accuracy on gsm8k where
//! another run says so, and pass@1 is the share of accepted answers.

use std::collections::BTreeSet;

use super::DeriveOptions;
use crate::model::{Fragment, MetricSpec, Run, Scalar, SpecOrigin};

const ACCEPTED: &str = "accepted_at_1";

/// Names results alike in all runs: as the user asks for them, else as the runs count them.
pub fn name_alike(runs: &mut [Run], options: &DeriveOptions) {
    part_datasets(runs, options);
    let names = &options.names;
    let (one, Some(other)) = (ACCEPTED, names.same_share(ACCEPTED)) else { return };
    let has = |run: &Run, metric: &str| metrics(&run.content).any(|(_, name)| name == metric);
    let held = |metric: &str| runs.iter().any(|run| has(run, metric));
    let asked = |metric: &str| options.primary.iter().any(|name| name == metric);
    let (from, to) = match (held(one), held(other)) {
        (true, true) if runs.iter().any(|run| has(run, one) && has(run, other)) => return,
        (true, _) if asked(other) => (one, other),
        (_, true) if asked(one) || held(one) => (other, one),
        _ => return,
    };
    let spec = options.names.get(to);
    for run in runs {
        let Fragment { scalars, samples, specs, .. } = &mut run.content;
        for scalar in scalars.iter_mut().filter(|scalar| scalar.metric == from) {
            to.clone_into(&mut scalar.metric);
            if let Some(spec) = spec.clone().filter(|spec| spec.outcomes && !is_whole(scalar)) {
                let of_answers =
                    MetricSpec { outcomes: false, origin: SpecOrigin::Producer, ..spec };
                let dataset = scalar.dataset.as_ref();
                let key = dataset.map_or_else(|| to.to_owned(), |name| format!("{name}/{to}"));
                specs.entry(key).or_insert(of_answers);
            }
        }
        for table in samples {
            table.rename(from, to);
        }
    }
}

/// Whether the figure may be that of one answer to each of its problems.
fn is_whole(scalar: &Scalar) -> bool {
    let count = scalar.n.zip(scalar.value.value()).map(|(n, share)| share * n as f64);
    count.is_none_or(|count| (count - count.round()).abs() < 1e-6)
}

/// Takes names such as `gsm8k/accuracy` apart where another run has accuracy on gsm8k.
fn part_datasets(runs: &mut [Run], options: &DeriveOptions) {
    let canonical = |metric: &str| options.names.canonical(metric).to_owned();
    let known: BTreeSet<(String, String)> = runs
        .iter()
        .flat_map(|run| metrics(&run.content))
        .filter_map(|(dataset, metric)| Some((dataset?.to_ascii_lowercase(), metric.to_owned())))
        .collect();
    let is_known = |dataset: &str, metric: &str| {
        let dataset = dataset.to_ascii_lowercase();
        let has = |metric: &str| known.contains(&(dataset.clone(), metric.to_owned()));
        has(metric) || options.names.same_share(metric).is_some_and(has)
    };
    for scalar in runs.iter_mut().flat_map(|run| &mut run.content.scalars) {
        let Some((dataset, metric)) = scalar.metric.rsplit_once('/') else { continue };
        let metric = canonical(metric);
        if scalar.dataset.is_none() && is_known(dataset, &metric) {
            scalar.dataset = Some(dataset.to_owned());
            scalar.metric = metric;
        }
    }
}

/// The results of a run, each with its dataset.
fn metrics(content: &Fragment) -> impl Iterator<Item = (Option<&str>, &str)> {
    let scalars = content.scalars.iter().map(|one| (one.dataset.as_deref(), one.metric.as_str()));
    let of_tables = content.samples.iter().flat_map(|table| {
        table.columns().iter().map(|(name, _)| (table.dataset.as_deref(), name.as_str()))
    });
    scalars.chain(of_tables)
}
