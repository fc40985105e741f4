//! Both arms on each dataset that is averaged over, the largest gain first.

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

pub(super) fn charts(material: &ReportMaterial<'_>, data: &ComparisonData) -> Vec<Chart> {
    let charts = data.suites.iter().filter_map(|suite| chart(suite, data, material.words));
    charts.take(MOST_CHARTS).collect()
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

/// A row with its difference; `None` where an arm has no figure.
fn row(row: &ComparisonView) -> Option<(f64, IntervalRow)> {
    let [Some(baseline), Some(candidate)] = row.compared() else { return None };
    let scale = row.unit.shown_scale();
    let shapes = [MarkShape::Baseline, MarkShape::Candidate];
    let marks = [baseline, candidate].into_iter().zip(shapes);
    let marks = marks.map(|(at, shape)| IntervalMark { at: at * scale, interval: None, shape });
    let figures = [baseline, candidate].map(|value| quantity::figure(value, row.unit));
    let drawn = IntervalRow {
        name: row.dataset.clone()?,
        group: None,
        marks: marks.collect(),
        margin: None,
        figure: figures.join(" → "),
        word: String::new(),
        look: RowLook::default(),
    };
    Some((candidate - baseline, drawn))
}
