//! What follows from several answers to each problem: pass@k and pass^k as metrics of their own,
//! and how much of a mean's variance is sampling; and from what a training logs: its evaluations.
//!
//! Stands between reading and grouping, because a metric has to be there before runs are set
//! against each other. Owns which metrics are derived; the formulas are those of
//! [`repeats`](crate::stats::repeats).

mod flags;
mod logged;
mod one_name;
mod places;

pub use flags::switch_off;
pub use logged::add_evaluations;
pub use one_name::name_alike;
pub use places::place_alike;

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::{Code, Diagnostic, Fact, Location, Warned, nearest_name};
use crate::model::{
    Answers, Column, CountedArm, Dims, Direction, Fragment, MetricNames, MetricSpec, Run,
    SampleTable, WithinProblems, leaf,
};
use crate::quantity::{Quantity, Unit};
use crate::stats::means::answers::{VarianceSplit, WORTH_MORE_ANSWERS};
use crate::stats::repeats::{pass_at_k, pass_hat_k};
use crate::stats::{Counts, Moments};

/// Most metrics that a hint names.
const MOST_NAMED: usize = 8;

/// What the user chose to be derived.
#[derive(Debug, Clone, Default)]
pub struct DeriveOptions {
    /// The k of pass@k that are asked for beside the default.
    pub pass_at: Vec<u32>,
    pub names: MetricNames,
    /// Canonical names of the metrics that the user makes primary.
    pub primary: Vec<String>,
}

/// Adds the derived metrics to the runs.
///
/// The default k is the smallest number of answers that any problem of the dataset has in any run:
/// then no problem is left out, and runs with different numbers of answers are comparable.
pub fn derive(mut runs: Vec<Run>, options: &DeriveOptions) -> Warned<Vec<Run>> {
    let mut fewest = BTreeMap::<Option<String>, u32>::new();
    for table in runs.iter().flat_map(|run| &run.content.samples) {
        let own = table.answers().map_or(1, |answers| answers.range().0);
        fewest.entry(name_of(table)).and_modify(|known| *known = own.min(*known)).or_insert(own);
    }
    let mut findings = Vec::new();
    logged::add_last_evaluations(&mut runs, &options.names);
    for run in &mut runs {
        logged::order_series(run, &options.names, &options.primary);
        let id = run.id.clone();
        let mut tables = std::mem::take(&mut run.content.samples);
        for table in &mut tables {
            let default = fewest.get(&name_of(table)).copied();
            let asked = default.into_iter().chain(options.pass_at.iter().copied());
            // Of one answer both chances are the mean, which is there already.
            let ks: BTreeSet<u32> = asked.filter(|&k| k > 1).collect();
            let found = derive_table(table, run, &ks, options);
            findings.extend(found.into_iter().map(|finding| finding.run(&id)));
        }
        run.content.samples = tables;
    }
    findings.extend(unused_names(&runs, &options.names, &options.primary));
    Warned::new(runs, findings)
}

/// A finding for each metric that the user declares or makes primary and none of the runs has. A name that they have
/// as something else, such as a coordinate, a setting or a field that is no number, is no such
/// finding, nor is any name while they have no metrics at all.
pub fn unused_names(runs: &[Run], names: &MetricNames, primary: &[String]) -> Vec<Diagnostic> {
    let content = || runs.iter().map(|run| &run.content);
    let scalars = content().flat_map(|content| &content.scalars).map(|one| one.metric.as_str());
    let columns = content().flat_map(|content| &content.samples).flat_map(SampleTable::columns);
    let series = content().flat_map(|content| &content.series).map(|one| one.metric.as_str());
    let counted = content().flat_map(|content| &content.counted);
    let counted = counted.flat_map(CountedArm::metrics);
    let known: BTreeSet<&str> = scalars
        .chain(columns.map(|(name, _)| name.as_str()))
        .chain(series)
        .chain(counted)
        .collect();
    if known.is_empty() {
        return Vec::new();
    }
    let others: BTreeSet<&str> = content().flat_map(other_names).collect();
    let has =
        |all: &BTreeSet<&str>, metric: &str| all.iter().any(|name| names.canonical(name) == metric);
    let finding = |code: Code, metric: &str| {
        let near = nearest_name(metric, known.iter().copied());
        let known = Fact::first(MOST_NAMED, known.iter().copied());
        Diagnostic::new(code).about_metric(metric).with("near", near).with("known", known)
    };
    let declared = names.declared().map(|spec| spec.name.as_str());
    let declared = declared.filter(|metric| !has(&known, metric) && !has(&others, metric));
    let declared = declared.filter(|metric| !is_of_answers(metric));
    // Before answers are counted nobody can say whether there will be pass@k; afterwards it is there.
    let is_open = |metric: &&str| is_of_answers(metric) && runs.iter().all(|run| !is_derived(run));
    let primary = primary.iter().map(String::as_str);
    let primary = primary.filter(|metric| !has(&known, metric) && !is_open(metric));
    let declared = declared.map(|metric| finding(Code::MetricUnused, metric));
    declared.chain(primary.map(|metric| finding(Code::PrimaryUnused, metric))).collect()
}

/// Names of coordinates, of settings and of fields of samples.
fn other_names(content: &Fragment) -> impl Iterator<Item = &str> {
    let of_tables = content.samples.iter().map(|table| &table.dims);
    let dims = of_tables.chain(content.scalars.iter().map(|scalar| &scalar.dims));
    let axes = content.series.iter().map(|series| series.axis.as_str());
    let settings = content.config.iter().map(|(key, _)| leaf(key));
    let fields = content.sample_fields.iter().map(String::as_str);
    dims.flat_map(Dims::names).chain(axes).chain(settings).chain(fields)
}

/// Whether metrics were derived from the answers of the run.
fn is_derived(run: &Run) -> bool {
    run.content.specs.values().any(|spec| spec.derived)
}

/// Whether a metric of that name is derived from several answers; before they are counted nobody can
/// say whether it will be there.
pub fn is_of_answers(name: &str) -> bool {
    ["_pass@", "_pass^"].iter().any(|kind| name.contains(kind))
}

/// Names of datasets differ in more than ASCII case.
fn name_of(table: &SampleTable) -> Option<String> {
    table.dataset.as_ref().map(|name| name.to_ascii_lowercase())
}

fn derive_table(
    table: &mut SampleTable,
    run: &mut Run,
    ks: &BTreeSet<u32>,
    options: &DeriveOptions,
) -> Vec<Diagnostic> {
    let Some(answers) = table.answers().cloned() else {
        let single = |&k| too_few(table, &vec![1; table.len()], k);
        return ks.first().and_then(single).into_iter().collect();
    };
    let spec = |run: &Run, table: &SampleTable, metric: &str| -> Option<MetricSpec> {
        let produced = run.content.spec(table.dataset.as_deref(), metric);
        options.names.meaning(metric, produced)
    };
    let judged: Vec<(MetricSpec, String, WithinProblems)> = answers
        .columns()
        .iter()
        .filter_map(|(metric, within)| Some((spec(run, table, metric)?, metric.clone(), *within)))
        .filter(|(spec, ..)| spec.direction.sign().is_some())
        .collect();
    let mut findings: Vec<Diagnostic> = noise(table, &answers, &judged).into_iter().collect();
    // A pass is a 1 that is declared to be good; of a rate of errors it would be the opposite.
    let passes = |(spec, _, within): &&(MetricSpec, String, WithinProblems)| {
        within.binary && spec.direction == Direction::Higher
    };
    for (spec, metric, _) in judged.iter().filter(passes) {
        for &k in ks {
            add(table, run, &answers, (metric, spec), k);
        }
    }
    if judged.iter().any(|one| passes(&one)) {
        findings.extend(ks.iter().filter_map(|&k| too_few(table, answers.counts(), k)));
    }
    findings
}

/// The chance of k answers, from the right ones of all.
type Estimate = fn(Counts, u64) -> Option<f64>;

/// Adds pass@k and pass^k of a metric; problems with fewer than k answers have neither. Nothing is
/// added where none has so many.
fn add(
    table: &mut SampleTable,
    run: &mut Run,
    answers: &Answers,
    (metric, spec): (&str, &MetricSpec),
    k: u32,
) {
    let Some(means) = table.column(metric).cloned() else { return };
    for (kind, estimate) in [("pass@", pass_at_k as Estimate), ("pass^", pass_hat_k)] {
        let of_problem = |(row, &n): (usize, &u32)| {
            let n = u64::from(n);
            let right = (means.get(row)? * n as f64).round() as u64;
            estimate(Counts::new(right, n)?, u64::from(k))
        };
        let scores: Vec<Option<f64>> =
            answers.counts().iter().enumerate().map(of_problem).collect();
        if scores.iter().all(Option::is_none) {
            continue;
        }
        let name = format!("{metric}_{kind}{k}");
        let spec = MetricSpec { name: name.clone(), derived: true, role: None, ..spec.clone() };
        let key = match &table.dataset {
            Some(dataset) => format!("{dataset}/{name}"),
            None => name.clone(),
        };
        run.content.specs.insert(key, spec);
        table.add_column(name, Column::from_scores(scores.into_iter()));
    }
}

/// The finding that problems have fewer answers than pass@k looks at.
fn too_few(table: &SampleTable, counts: &[u32], k: u32) -> Option<Diagnostic> {
    let count = counts.iter().filter(|&&n| n < k).count();
    (count > 0).then(|| {
        about(Code::TooFewAnswers, table)
            .with("k", u64::from(k))
            .with("count", count)
            .with("total", counts.len())
            .with("most", u64::from(counts.iter().copied().max().unwrap_or(1)))
    })
}

fn whole_percent(share: f64) -> Quantity {
    Quantity::rounded(100.0 * share, 0, Unit::Percent)
}

/// How much of the variance of each mean comes from sampling answers.
fn noise(
    table: &SampleTable,
    answers: &Answers,
    judged: &[(MetricSpec, String, WithinProblems)],
) -> Option<Diagnostic> {
    let shares: Vec<Fact> = judged
        .iter()
        .filter_map(|(_, metric, within)| {
            let share = split(table.column(metric)?, answers, within)?.sampling_share();
            Some(Fact::named(metric.as_str(), whole_percent(share)))
        })
        .collect();
    let (fewest, most) = answers.range();
    let k = Quantity::Counts { lowest: u64::from(fewest), highest: u64::from(most) };
    (!shares.is_empty()).then(|| {
        about(Code::AnswerNoise, table)
            .with("k", k)
            .with("shares", shares)
            .with("limit", whole_percent(WORTH_MORE_ANSWERS))
    })
}

fn split(means: &Column, answers: &Answers, within: &WithinProblems) -> Option<VarianceSplit> {
    let (mut moments, mut inverse) = (Moments::default(), 0.0);
    for (row, &n) in answers.counts().iter().enumerate() {
        if let Some(mean) = means.get(row) {
            moments.add(mean);
            inverse += 1.0 / f64::from(n);
        }
    }
    let problems = (within.problems > 0).then_some(within.problems as f64)?;
    VarianceSplit::new(&moments, within.variances / problems, inverse / moments.n as f64)
}

fn about(code: Code, table: &SampleTable) -> Diagnostic {
    Diagnostic::new(code)
        .about_dataset(table.dataset.as_deref())
        .at(Location::file(table.path.as_ref()))
}
