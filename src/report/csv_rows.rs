//! One row for each comparison, for spreadsheets and data frames.
//!
//! Columns are stable; grid coordinates are columns `dim.<name>`.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Sheet;
use super::data::{ArmGrade, ArmView, ComparisonData, ComparisonView, SourceView};
use crate::check::Grade;
use crate::model::DimValue;

pub(super) fn sheet(data: &ComparisonData) -> Sheet {
    let dims: BTreeSet<&str> = data.comparisons.iter().flat_map(|row| row.dims.names()).collect();
    let heads = ["metric", "dataset"].map(str::to_owned).into_iter();
    let heads = heads.chain(dims.iter().map(|name| format!("dim.{name}")));
    let heads = heads.chain(FIELDS.iter().map(|(head, _)| (*head).to_owned()));
    let row = |of: &ComparisonView| {
        let grades = &data.comparability.candidates;
        let grade = grades.iter().find(|grade| grade.candidate == of.candidate_run);
        let key = [text(Some(&of.metric)), text(of.dataset.as_deref())].into_iter();
        let dims = dims.iter().map(|name| match of.dims.get(name)? {
            DimValue::Number(value) => Some(Value::from(*value)),
            DimValue::Text(value) => Some(Value::from(&**value)),
        });
        let fields = FIELDS.iter().map(|(_, field)| field(of, grade));
        key.chain(dims.map(Option::unwrap_or_default)).chain(fields).collect()
    };
    Sheet { heads: heads.collect(), rows: data.comparisons.iter().map(row).collect() }
}

/// What stands in a column, of a comparison and the grade of its candidate.
type Field = fn(&ComparisonView, Option<&ArmGrade>) -> Value;

/// The columns behind the coordinates.
const FIELDS: [(&str, Field); 39] = [
    ("baseline_run", |of, _| Value::from(&*of.baseline_run)),
    ("candidate_run", |of, _| Value::from(&*of.candidate_run)),
    ("unit", |of, _| Value::from(of.unit.name())),
    ("baseline", |of, _| number(of.baseline.value)),
    ("candidate", |of, _| number(of.candidate.value)),
    ("baseline_n", |of, _| count(of.baseline.n)),
    ("candidate_n", |of, _| count(of.candidate.n)),
    ("delta", |of, _| number(of.delta.as_ref().map(|delta| delta.absolute))),
    ("delta_unit", |of, _| text(of.delta.as_ref().map(|delta| delta.unit))),
    ("ci_lo", |of, _| number(of.delta.as_ref().and_then(|delta| Some(delta.ci?[0])))),
    ("ci_hi", |of, _| number(of.delta.as_ref().and_then(|delta| Some(delta.ci?[1])))),
    ("ci_level", |of, _| number(of.delta.as_ref().and_then(|delta| delta.level))),
    ("p", |of, _| number(of.test.as_ref().map(|test| test.p))),
    ("p_adjusted", |of, _| number(of.test.as_ref().and_then(|test| test.p_adjusted))),
    ("test", |of, _| text(of.test.as_ref().map(|test| test.method))),
    ("paired", |of, _| count(of.pairing.as_ref().map(|pairing| pairing.paired))),
    ("gained", |of, _| count(of.flips.map(|flips| flips.gained))),
    ("lost", |of, _| count(of.flips.map(|flips| flips.lost))),
    ("verdict", |of, _| Value::from(of.verdict)),
    ("reason", |of, _| text(of.reason.as_deref())),
    ("baseline_absent", |of, _| text(of.baseline.absent)),
    ("candidate_absent", |of, _| text(of.candidate.absent)),
    ("baseline_source", |of, _| source(&of.baseline)),
    ("candidate_source", |of, _| source(&of.candidate)),
    ("pairing_unit", |of, _| text(of.pairing.as_ref().map(|pairing| pairing.unit))),
    ("baseline_seeds", |of, _| seeds(&of.baseline)),
    ("candidate_seeds", |of, _| seeds(&of.candidate)),
    ("baseline_compared", |of, _| number(of.compared()[0])),
    ("candidate_compared", |of, _| number(of.compared()[1])),
    ("grade", |of, grade| text(grade.map(|grade| grade_of(of, grade)))),
    ("grade_unaccepted", |_, grade| text(grade.map(|grade| grade.grade_unaccepted))),
    ("accepted", |of, _| Value::from(of.accepted.join(" "))),
    ("baseline_of", |of, _| count(of.baseline.part.map(|[_, of]| of))),
    ("candidate_of", |of, _| count(of.candidate.part.map(|[_, of]| of))),
    ("noise_runs", |of, _| count(of.noise.as_ref().map(|noise| noise.runs))),
    ("noise_sd", |of, _| number(of.noise.as_ref().map(|noise| noise.sd))),
    ("noise_floor", |of, _| number(of.noise.as_ref().map(|noise| noise.floor))),
    ("noise_p", |of, _| number(of.noise.as_ref().map(|noise| noise.p))),
    ("role", |of, _| text(of.role)),
];

/// The grade of a result: that of its pair, unless a finding about this part grades it worse.
fn grade_of<'v>(row: &'v ComparisonView, pair: &'v ArmGrade) -> &'v str {
    if row.reason.as_deref().is_some_and(|reason| reason.starts_with("blocked")) {
        Grade::NotComparable.name()
    } else if row.confounded.is_empty() {
        pair.grade
    } else {
        Grade::Confounded.name()
    }
}

fn text(value: Option<&str>) -> Value {
    value.map_or(Value::Null, Value::from)
}

/// A number that is not finite is none.
fn number(value: Option<f64>) -> Value {
    value.map_or(Value::Null, Value::from)
}

fn count(value: Option<u64>) -> Value {
    value.map_or(Value::Null, Value::from)
}

/// The figure of each training, separated by spaces; `?` where one has none.
fn seeds(arm: &ArmView) -> Value {
    let figures = arm.seeds.iter().flatten().map(|seed| match number(seed.value) {
        Value::Null => "?".to_owned(),
        figure => Sheet::text(&figure),
    });
    Value::from(figures.collect::<Vec<_>>().join(" "))
}

/// `path:line key`, as far as known.
fn source(arm: &ArmView) -> Value {
    let Some(SourceView { path, line, key }) = &arm.source else { return Value::Null };
    let line = line.map_or_else(String::new, |line| format!(":{line}"));
    let key = key.as_ref().map_or_else(String::new, |key| format!(" {key}"));
    Value::from(format!("{path}{line}{key}"))
}
