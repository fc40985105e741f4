//! Settings that are coordinates in one run and in another not: `lr` of a sweep beside a run with one `lr`, or
//! beside one that has none.

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::{Code, Diagnostic};
use crate::model::{CHECKPOINT_DIMS, DimValue, Dims, Run, Scalar, TRAINING_SETTINGS, leaf};

/// Coordinates that no setting gives.
const OTHERS: &[&str] = &["seed", "samples", "filter"];
/// Most places at which a figure that has none is repeated.
const MOST_PLACES: usize = 64;

/// The values of each coordinate that any run has.
type Places = BTreeMap<String, BTreeSet<DimValue>>;

/// Gives results of a run that has a setting the coordinate of that name, where other runs have results at it;
/// and repeats a figure of a run that has none of a setting, written `-`, at each value that others have of it
/// for the same metric and dataset.
pub fn place_alike(runs: &mut [Run]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut known = Places::new();
    runs.iter().flat_map(all_dims).for_each(|dims| note(&mut known, dims));
    let none = DimValue::none();
    let mut of_results: BTreeMap<(String, Option<String>), Places> = BTreeMap::new();
    if known.values().any(|values| values.contains(&none)) {
        for scalar in runs.iter().flat_map(|run| &run.content.scalars) {
            note(of_results.entry(result(scalar)).or_default(), &scalar.dims);
        }
    }
    for run in runs {
        for (name, values) in &known {
            place_setting(run, name, values);
            if values.contains(&none) && TRAINING_SETTINGS.contains(&name.as_str()) {
                found.extend(repeat_without(run, name, &of_results));
            }
        }
    }
    found
}

fn note(known: &mut Places, dims: &Dims) {
    let is_setting = |name: &str| !CHECKPOINT_DIMS.contains(&name) && !OTHERS.contains(&name);
    for (name, value) in dims.iter().filter(|(name, _)| is_setting(name)) {
        if known.get(name).is_none_or(|values| !values.contains(value)) {
            known.entry(name.to_owned()).or_default().insert(value.clone());
        }
    }
}

/// Metric and dataset.
fn result(scalar: &Scalar) -> (String, Option<String>) {
    (scalar.metric.clone(), scalar.dataset.as_ref().map(|name| name.to_ascii_lowercase()))
}

fn all_dims(run: &Run) -> impl Iterator<Item = &Dims> {
    let content = &run.content;
    let scalars = content.scalars.iter().map(|scalar| &scalar.dims);
    scalars.chain(content.samples.iter().map(|table| &table.dims))
}

fn place_setting(run: &mut Run, name: &str, values: &BTreeSet<DimValue>) {
    if all_dims(run).any(|dims| dims.get(name).is_some()) {
        return;
    }
    let mut settings = run.content.config.iter().filter(|(key, _)| leaf(key) == name);
    let value = settings.next().map(|(_, entry)| DimValue::parse(&entry.value.to_string()));
    let is_one = settings.next().is_none();
    let Some(value) = value.filter(|value| is_one && values.contains(value)) else { return };
    for scalar in &mut run.content.scalars {
        scalar.dims.insert(name, value.clone());
    }
    for table in &mut run.content.samples {
        table.dims.insert(name, value.clone());
    }
}

fn repeat_without(
    run: &mut Run,
    name: &str,
    of_results: &BTreeMap<(String, Option<String>), Places>,
) -> Option<Diagnostic> {
    let none = DimValue::none();
    let own: BTreeSet<&DimValue> = all_dims(run).filter_map(|dims| dims.get(name)).collect();
    if !own.iter().eq([&&none]) {
        return None;
    }
    let at_each = |scalar: Scalar| -> Vec<Scalar> {
        let places = of_results.get(&result(&scalar)).and_then(|places| places.get(name));
        let values = places.into_iter().flatten().filter(|value| **value != none);
        let at = |value: &DimValue| {
            let dims = scalar.dims.clone().with(name, value.clone());
            Scalar { dims, ..scalar.clone() }
        };
        let placed: Vec<Scalar> = values.take(MOST_PLACES).map(at).collect();
        if placed.is_empty() { vec![scalar] } else { placed }
    };
    let scalars = std::mem::take(&mut run.content.scalars);
    let before = scalars.len();
    run.content.scalars = scalars.into_iter().flat_map(at_each).collect();
    let first = run.content.scalars.first()?.source.location();
    let told = Diagnostic::new(Code::FigureRepeated).about_run(&run.id).with("key", name).at(first);
    (run.content.scalars.len() > before).then_some(told)
}
