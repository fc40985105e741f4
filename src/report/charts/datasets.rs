//! Both arms on each dataset that is averaged over, the largest gain first.

use super::Drawn;
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::chart::{
    Axis, Chart, IntervalMark, IntervalPanel, IntervalRow, MarkShape, Marks, RowLook,
};
use crate::report::data::{ComparisonData, ComparisonView, SuiteView};
use crate::text::Catalogue;

/// More rows than this are not read; the table has them.
const MOST_ROWS: usize = 25;
const MOST_CHARTS: usize = 4;

pub(super) fn charts(material: &ReportMaterial<'_>, data: &ComparisonData) -> Drawn {
    // Those with something established come first: more than a few are not drawn.
    let mut suites: Vec<&SuiteView> = data.suites.iter().collect();
    suites.sort_by_key(|suite| !matches!(suite.verdict, "better" | "worse"));
    Drawn::first(suites, MOST_CHARTS, |suite| chart(suite, data, material.words))
}

fn chart(suite: &SuiteView, data: &ComparisonData, words: &Catalogue) -> Option<Chart> {
    let is_part = |row: &&ComparisonView| {
        row.metric == suite.metric
            && row.candidate_run == suite.candidate_run
            && row.dims == suite.dims
    };
    let mut parts: Vec<(f64, IntervalRow)> =
        data.comparisons.iter().filter(is_part).filter_map(row).collect();
    parts.sort_by(|(a, one), (b, other)| b.total_cmp(a).then_with(|| one.name.cmp(&other.name)));
    let first = data.comparisons.iter().find(is_part)?;
    let rows: Vec<IntervalRow> = parts.into_iter().map(|(_, row)| row).collect();
    if !(2..=MOST_ROWS).contains(&rows.len()) {
        return None;
    }
    let said = rows.iter().map(|row| format!("{}: {}", row.name, row.figure));
    let description = said.collect::<Vec<_>>().join(&words.get("punctuation.semicolon"));
    let coordinates = (!suite.dims.is_empty()).then(|| suite.dims.to_string());
    let named = coordinates.map_or_else(
        || suite.metric.clone(),
        |dims| {
            let args = [("name", suite.metric.as_str()), ("detail", &dims)];
            words.fill("phrase.name-with-detail", &args)
        },
    );
    let unit = suite.metric_unit.suffix();
    let axis = Axis { title: suite.metric.clone(), unit, is_difference: false };
    let arms = Some([first.baseline_run.clone(), first.candidate_run.clone()]);
    let is_one = data.suites.iter().all(|other| other.candidate_run == suite.candidate_run);
    let key = if is_one { "chart.datasets" } else { "chart.datasets-of" };
    let facts = [
        ("metric", named.as_str()),
        ("baseline", first.baseline_run.as_str()),
        ("candidate", first.candidate_run.as_str()),
    ];
    Some(Chart {
        name: "datasets",
        title: words.fill(key, &facts),
        description,
        marks: Marks::Intervals { panels: vec![IntervalPanel { axis, arms, rows }] },
    })
}

/// A row with its difference. Where an arm has no figure the other stands alone, below all others; `None`
/// where neither has one.
fn row(row: &ComparisonView) -> Option<(f64, IntervalRow)> {
    let values = row.compared();
    let scale = row.unit.shown_scale();
    let shapes = [MarkShape::Baseline, MarkShape::Candidate];
    let marks = values.into_iter().zip(shapes).filter_map(|(value, shape)| {
        Some(IntervalMark { at: value? * scale, interval: None, shape })
    });
    let marks: Vec<IntervalMark> = marks.collect();
    let figure = |value: Option<f64>| {
        value.map_or_else(|| "?".to_owned(), |value| quantity::figure(value, row.unit))
    };
    let change = match values {
        [Some(baseline), Some(candidate)] => candidate - baseline,
        _ => f64::NEG_INFINITY,
    };
    let drawn = IntervalRow {
        name: row.dataset.clone()?,
        group: None,
        figure: values.map(figure).join(" → "),
        margin: None,
        word: String::new(),
        look: RowLook::default(),
        marks,
    };
    (!drawn.marks.is_empty()).then_some((change, drawn))
}
