//! The figure of each run of an arm beside their mean and its interval.

use super::Drawn;
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::chart::{
    Axis, Chart, IntervalMark, IntervalPanel, IntervalRow, MarkShape, Marks, RowLook,
};
use crate::report::data::{ArmView, ComparisonData, ComparisonView};

/// The first comparisons are the ones that matter most; the table has all.
const MOST_PANELS: usize = 6;

pub(super) fn charts(material: &ReportMaterial<'_>, data: &ComparisonData) -> Drawn {
    let words = material.words;
    let mut found = data.comparisons.iter().filter_map(panel);
    let panels: Vec<IntervalPanel> = found.by_ref().take(MOST_PANELS).collect();
    if panels.is_empty() {
        return None.into();
    }
    let rows = panels.iter().flat_map(|panel| &panel.rows);
    let said = rows.map(|row| format!("{}: {}", row.name, row.figure));
    let description = said.collect::<Vec<_>>().join(&words.get("punctuation.semicolon"));
    let level = quantity::level(1.0 - material.options.alpha);
    let title = words.fill("chart.seeds", &[("level", &level)]);
    let marks = Marks::Intervals { panels };
    Drawn {
        charts: vec![Chart { name: "runs", title, description, marks }],
        left_out: found.count(),
    }
}

fn panel(comparison: &ComparisonView) -> Option<IntervalPanel> {
    let arms = [
        (&comparison.baseline, &comparison.baseline_run),
        (&comparison.candidate, &comparison.candidate_run),
    ];
    let rows = arms.map(|(arm, name)| row(arm, name, comparison));
    let rows: Vec<IntervalRow> = rows.into_iter().flatten().collect();
    let dataset = comparison.dataset.as_deref().map(|dataset| format!(" ({dataset})"));
    let title = format!("{}{}", comparison.metric, dataset.unwrap_or_default());
    let axis = Axis { title, unit: comparison.unit.suffix(), is_difference: false };
    let has_runs = rows.iter().any(|row| row.marks.len() > 2);
    has_runs.then_some(IntervalPanel { axis, arms: None, rows })
}

fn row(arm: &ArmView, name: &str, comparison: &ComparisonView) -> Option<IntervalRow> {
    let scale = comparison.unit.shown_scale();
    let seeds = arm.seeds.iter().flatten().filter_map(|seed| seed.value);
    let one = |at| IntervalMark { at, interval: None, shape: MarkShape::One };
    let mean = arm.value?;
    let interval = arm.ci.map(|ends| ends.map(|end| end * scale));
    let whole = IntervalMark::figure(mean * scale, interval);
    Some(IntervalRow {
        name: name.to_owned(),
        group: None,
        marks: seeds.map(|value| one(value * scale)).chain([whole]).collect(),
        margin: None,
        figure: quantity::figure(mean, comparison.unit),
        word: String::new(),
        look: RowLook { is_decided: true, ..RowLook::default() },
    })
}
