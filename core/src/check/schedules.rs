//! Learning rates that the arms log and that differ at most places where both have one, where no configuration
//! says why.

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::{Code, Diagnostic};
use crate::model::{Dims, Run, Series, leaf};
use crate::pairing::RunPair;

/// What is alike within an arm and differs between the arms, as the finding names it.
const RATES: &str = "rates";
/// What trainings schedule and log.
const SCHEDULED: [&str; 2] = ["lr", "learning_rate"];
/// At fewer places that both have, an arm may have been a step ahead of the other.
const FEWEST: usize = 2;
/// Share of the larger value by which the values differ, at least: a schedule is logged with few digits.
const LEAST: f64 = 0.01;

pub(super) fn run(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    let runs = [pair.baseline, pair.candidate];
    if runs.iter().all(|run| records_rate(run)) && differs_in_plan(runs) {
        return Vec::new();
    }
    let [mine, theirs] = runs.map(|run| run.content.series.iter().filter(|one| is_rate(one)));
    let differs = |one: &&Series| {
        let mut alike = theirs.clone().filter(|other| {
            (&one.metric, &one.axis, &one.dims) == (&other.metric, &other.axis, &other.dims)
        });
        alike.any(|other| differ_mostly(&common(one, other)))
    };
    let mut fields: BTreeSet<&str> = mine.filter(differs).map(|one| one.metric.as_str()).collect();
    let mut figures: BTreeMap<&str, Vec<(f64, f64)>> = BTreeMap::new();
    let theirs = rates(pair.candidate);
    for (place, mine) in rates(pair.baseline) {
        let theirs = theirs.get(&place).map(|theirs| (mine, *theirs));
        figures.entry(place.0).or_default().extend(theirs);
    }
    let figures = figures.into_iter().filter(|(_, values)| differ_mostly(values));
    fields.extend(figures.map(|(metric, _)| metric));
    if fields.is_empty() {
        return Vec::new();
    }
    let fields: Vec<String> = fields.into_iter().map(str::to_owned).collect();
    let found = Diagnostic::new(Code::ConstantsDiffer);
    vec![found.with("alike", RATES).with("dataset", "").with("fields", fields)]
}

fn is_scheduled(name: &str) -> bool {
    let last = name.rsplit(['/', '.']).next().unwrap_or(name);
    SCHEDULED.contains(&last)
}

fn is_rate(series: &Series) -> bool {
    is_scheduled(&series.metric)
}

fn records_rate(run: &Run) -> bool {
    run.content.config.iter().any(|(key, _)| SCHEDULED.contains(&leaf(key)))
}

/// Whether the configurations differ in something that a schedule follows from.
fn differs_in_plan([mine, theirs]: [&Run; 2]) -> bool {
    const PLANS: &[&str] =
        &["lr", "rate", "step", "epoch", "warm", "sched", "batch", "accum", "decay"];
    let plans = mine.content.config.iter().filter(|(key, _)| {
        let key = key.to_ascii_lowercase();
        PLANS.iter().any(|part| key.contains(part))
    });
    let mut both = plans.filter_map(|(key, own)| Some((own, theirs.content.config.get(key)?)));
    both.any(|(own, other)| !own.value.same_as(&other.value))
}

/// The rates that a table has beside its figures.
fn rates(run: &Run) -> BTreeMap<(&str, Option<&str>, &Dims), f64> {
    let rates = run.content.scalars.iter().filter(|one| is_scheduled(&one.metric));
    rates
        .filter_map(|one| {
            let place = (&*one.metric, one.dataset.as_deref(), &one.dims);
            Some((place, one.value.value()?))
        })
        .collect()
}

/// The values of two series where both have one.
fn common(mine: &Series, theirs: &Series) -> Vec<(f64, f64)> {
    let theirs: BTreeMap<u64, f64> =
        theirs.points.iter().map(|point| (point.at.to_bits(), point.value)).collect();
    let both = mine.points.iter().map(|point| (point.value, theirs.get(&point.at.to_bits())));
    both.filter_map(|(mine, theirs)| Some((mine, *theirs?))).collect()
}

fn differ_mostly(values: &[(f64, f64)]) -> bool {
    let differ = |(a, b): &(f64, f64)| (a - b).abs() > LEAST * a.abs().max(b.abs());
    values.len() >= FEWEST && 2 * values.iter().filter(|pair| differ(pair)).count() >= values.len()
}
