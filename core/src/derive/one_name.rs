//! One name for a result that runs call by two: `{"gsm8k/accuracy": 0.5}` is accuracy on gsm8k where
//! another run says so, and pass@1 is the share of accepted answers.

use std::collections::{BTreeMap, BTreeSet};

use super::DeriveOptions;
use crate::diag::{Code, Diagnostic};
use crate::model::{Dims, Fragment, MetricSpec, Run, Scalar, SpecOrigin};
use crate::quantity::Unit;

const ACCEPTED: &str = "accepted_at_1";

/// Names results alike in all runs: as the user asks for them, else as the runs count them. Finds figures of a
/// run that differ although they are of one name then.
pub fn name_alike(runs: &mut [Run], options: &DeriveOptions) -> Vec<Diagnostic> {
    let found = part_datasets(runs, options);
    name_accepted(runs, options);
    found
}

fn name_accepted(runs: &mut [Run], options: &DeriveOptions) {
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
fn part_datasets(runs: &mut [Run], options: &DeriveOptions) -> Vec<Diagnostic> {
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
    let parts = |name: &str| {
        let (above, last) = name.rsplit_once('/')?;
        // The metric may stand first.
        let ways = [(above, last), (last, above)];
        let way = ways.map(|(dataset, metric)| (dataset.to_owned(), canonical(metric)));
        way.into_iter().find(|(dataset, metric)| is_known(dataset, metric))
    };
    let mut found = Vec::new();
    for run in runs {
        let scalars = std::mem::take(&mut run.content.scalars);
        let is_whole = |scalar: &Scalar| scalar.dataset.is_some() || !scalar.metric.contains('/');
        let mut stated: BTreeMap<FigurePlace, Scalar> = BTreeMap::new();
        if !scalars.iter().all(is_whole) {
            let whole = scalars.iter().filter(|scalar| is_whole(scalar));
            stated.extend(whole.map(|scalar| (place(scalar), scalar.clone())));
        }
        for mut scalar in scalars {
            if let Some((dataset, metric)) = parts(&scalar.metric).filter(|_| !is_whole(&scalar)) {
                (scalar.dataset, scalar.metric) = (Some(dataset), metric);
                if let Some(other) = stated.get(&place(&scalar)) {
                    found.extend(contradicted(other, &scalar, &run.id));
                    continue;
                }
                stated.insert(place(&scalar), scalar.clone());
            }
            run.content.scalars.push(scalar);
        }
    }
    found
}

/// What a figure is of: its metric, its dataset in lower case, and its coordinates.
type FigurePlace = (String, Option<String>, Dims);

fn place(scalar: &Scalar) -> FigurePlace {
    let dataset = scalar.dataset.as_ref().map(|name| name.to_ascii_lowercase());
    (scalar.metric.clone(), dataset, scalar.dims.clone())
}

/// The finding that a run states two figures of one name, where they differ.
fn contradicted(kept: &Scalar, dropped: &Scalar, run: &str) -> Option<Diagnostic> {
    let (kept_value, dropped_value) = (kept.value.value()?, dropped.value.value()?);
    let share = |value: f64, unit| if unit == Some(Unit::Percent) { value * 0.01 } else { value };
    let (mine, theirs) = (share(kept_value, kept.unit), share(dropped_value, dropped.unit));
    let shown = |scalar: &Scalar| {
        let key = scalar.source.key.as_deref().unwrap_or_default();
        format!("{} ({key})", scalar.source.path)
    };
    ((mine - theirs).abs() > SAME * mine.abs().max(theirs.abs())).then(|| {
        Diagnostic::new(Code::ConflictingFigures)
            .run(run)
            .metric(&kept.metric)
            .dataset(kept.dataset.as_deref())
            .with("metric", kept.metric.as_str())
            .with("kept", kept_value)
            .with("kept_path", shown(kept))
            .with("dropped", dropped_value)
            .with("dropped_path", shown(dropped))
            .with("count", 0_u64)
            .at(dropped.source.location())
    })
}

/// Up to where two figures are one but for the rounding of a last digit.
const SAME: f64 = 1e-9;

/// The results of a run, each with its dataset.
fn metrics(content: &Fragment) -> impl Iterator<Item = (Option<&str>, &str)> {
    let scalars = content.scalars.iter().map(|one| (one.dataset.as_deref(), one.metric.as_str()));
    let of_tables = content.samples.iter().flat_map(|table| {
        table.columns().iter().map(|(name, _)| (table.dataset.as_deref(), name.as_str()))
    });
    scalars.chain(of_tables)
}
