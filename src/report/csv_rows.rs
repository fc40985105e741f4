//! One row for each comparison, for spreadsheets and data frames.
//!
//! Columns are stable; grid coordinates are columns `dim.<name>`.

use std::collections::BTreeSet;

use super::Sheet;
use super::data::ComparisonData;
use super::data::{ArmView, ComparisonView, SourceView};

pub(super) fn sheet(data: &ComparisonData) -> Sheet {
    let dims: BTreeSet<&str> = data.comparisons.iter().flat_map(|row| row.dims.names()).collect();
    let rows = data.comparisons.iter().map(|comparison| row(comparison, data, &dims));
    Sheet { heads: heads(&dims), rows: rows.collect() }
}

const FIGURES: [&str; 38] = [
    "baseline_run",
    "candidate_run",
    "unit",
    "baseline",
    "candidate",
    "baseline_n",
    "candidate_n",
    "delta",
    "delta_unit",
    "ci_lo",
    "ci_hi",
    "ci_level",
    "p",
    "p_adjusted",
    "test",
    "paired",
    "gained",
    "lost",
    "verdict",
    "reason",
    "baseline_absent",
    "candidate_absent",
    "baseline_source",
    "candidate_source",
    "pairing_unit",
    "baseline_seeds",
    "candidate_seeds",
    "baseline_compared",
    "candidate_compared",
    "grade",
    "grade_unaccepted",
    "accepted",
    "baseline_of",
    "candidate_of",
    "noise_runs",
    "noise_sd",
    "noise_floor",
    "noise_p",
];

fn heads(dims: &BTreeSet<&str>) -> Vec<String> {
    let mut names = vec!["metric".to_owned(), "dataset".to_owned()];
    names.extend(dims.iter().map(|name| format!("dim.{name}")));
    names.extend(FIGURES.iter().map(|&name| name.to_owned()));
    names
}

fn row(of: &ComparisonView, data: &ComparisonData, dims: &BTreeSet<&str>) -> Vec<String> {
    let delta = of.delta.as_ref();
    let ci = delta.and_then(|delta| delta.ci);
    let test = of.test.as_ref();
    let mut fields = vec![of.metric.clone(), of.dataset.clone().unwrap_or_default()];
    fields.extend(dims.iter().map(|name| match of.dims.get(name) {
        Some(value) => value.to_string(),
        None => String::new(),
    }));
    fields.extend([
        of.baseline_run.clone(),
        of.candidate_run.clone(),
        of.unit.name().to_owned(),
        number(of.baseline.value),
        number(of.candidate.value),
        count(of.baseline.n),
        count(of.candidate.n),
        number(delta.map(|delta| delta.absolute)),
        delta.map_or("", |delta| delta.unit).to_owned(),
        number(ci.map(|[lo, _]| lo)),
        number(ci.map(|[_, hi]| hi)),
        number(delta.and_then(|delta| delta.level)),
        number(test.map(|test| test.p)),
        number(test.and_then(|test| test.p_adjusted)),
        test.map_or("", |test| test.method).to_owned(),
        count(of.pairing.as_ref().map(|pairing| pairing.paired)),
        count(of.flips.map(|flips| flips.gained)),
        count(of.flips.map(|flips| flips.lost)),
        of.verdict.to_owned(),
        of.reason.clone().unwrap_or_default(),
        of.baseline.absent.unwrap_or_default().to_owned(),
        of.candidate.absent.unwrap_or_default().to_owned(),
        source(&of.baseline),
        source(&of.candidate),
        of.pairing.as_ref().map_or("", |pairing| pairing.unit).to_owned(),
        seeds(&of.baseline),
        seeds(&of.candidate),
    ]);
    fields.extend(of.compared().map(number));
    let grades = &data.comparability.candidates;
    let grade = grades.iter().find(|grade| grade.candidate == of.candidate_run);
    fields.push(grade.map_or("", |grade| grade.grade).to_owned());
    fields.push(grade.map_or("", |grade| grade.grade_unaccepted).to_owned());
    fields.push(of.accepted.join(" "));
    let of_all = |arm: &ArmView| count(arm.part.map(|[_, of]| of));
    fields.extend([of_all(&of.baseline), of_all(&of.candidate)]);
    let noise = of.noise.as_ref();
    fields.push(count(noise.map(|noise| noise.runs)));
    fields.extend([
        number(noise.map(|noise| noise.sd)),
        number(noise.map(|noise| noise.floor)),
        number(noise.map(|noise| noise.p)),
    ]);
    fields
}

fn number(value: Option<f64>) -> String {
    value.filter(|value| value.is_finite()).map_or_else(String::new, |value| value.to_string())
}

fn count(value: Option<u64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// The figure of each training, separated by spaces; `?` where one has none.
fn seeds(arm: &ArmView) -> String {
    let figures = arm.seeds.iter().flatten().map(|seed| match number(seed.value) {
        missing if missing.is_empty() => "?".to_owned(),
        figure => figure,
    });
    figures.collect::<Vec<_>>().join(" ")
}

/// `path:line key`, as far as known.
fn source(arm: &ArmView) -> String {
    let Some(SourceView { path, line, key }) = &arm.source else { return String::new() };
    let line = line.map_or_else(String::new, |line| format!(":{line}"));
    let key = key.as_ref().map_or_else(String::new, |key| format!(" {key}"));
    format!("{path}{line}{key}")
}
