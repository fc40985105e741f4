//! What became of each pair: the class of the baseline's answer against that of the candidate's.

use super::Drawn;
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::chart::{CellState, Chart, GridCell, GridPanel, GridRow, Marks};
use crate::report::data::{ComparisonData, ComparisonView, TransitionView};
use crate::text::Catalogue;

const MOST_CHARTS: usize = 2;
const RIGHT: &str = "right";
/// With fewer classes the table of flips says it.
const LEAST_CLASSES: usize = 3;

pub(super) fn charts(material: &ReportMaterial<'_>, data: &ComparisonData) -> Drawn {
    Drawn::first(&data.comparisons, MOST_CHARTS, |row| chart(row, material.words))
}

fn chart(row: &ComparisonView, words: &Catalogue) -> Option<Chart> {
    let moved = &row.decomposition.as_ref()?.transitions;
    let mut classes: Vec<&'static str> = Vec::new();
    for class in moved.iter().flat_map(|one| [one.baseline, one.candidate]) {
        if !classes.contains(&class) {
            classes.push(class);
        }
    }
    classes.sort_by_key(|class| (*class != RIGHT, *class));
    if classes.len() < LEAST_CLASSES {
        return None;
    }
    let word = |class: &str| words.get(&format!("class.{class}"));
    let rows = classes.iter().map(|from| GridRow {
        name: word(from),
        cells: classes.iter().map(|to| cell(moved, from, to, words)).collect(),
    });
    let rows: Vec<GridRow> = rows.collect();
    let cells = rows.iter().flat_map(|row| &row.cells).filter(|cell| cell.value.is_some());
    let said: Vec<&str> = cells.map(|cell| cell.said.as_str()).collect();
    let description = said.join(&words.get("punctuation.semicolon"));
    let place =
        row.dataset.clone().into_iter().chain((!row.dims.is_empty()).then(|| row.dims.to_string()));
    let place = place.collect::<Vec<_>>().join(&words.get("punctuation.comma"));
    let detail = (!place.is_empty()).then(|| words.fill("phrase.detail", &[("detail", place)]));
    let metric = format!("{}{}", row.metric, detail.unwrap_or_default());
    let panel = GridPanel {
        title: String::new(),
        corner: format!("{} → {}", row.baseline_run, row.candidate_run),
        columns: classes.iter().map(|class| word(class)).collect(),
        rows,
    };
    Some(Chart {
        name: "transitions",
        title: words.fill("chart.transitions", &[("metric", metric)]),
        description,
        marks: Marks::Grid { panels: vec![panel], key: None },
    })
}

/// How many pairs went that way; blue to right answers, orange away from them.
fn cell(moved: &[TransitionView], from: &str, to: &str, words: &Catalogue) -> GridCell {
    let way = moved.iter().find(|one| one.baseline == from && one.candidate == to);
    let Some(pairs) = way.map(|one| one.pairs).filter(|pairs| *pairs > 0) else {
        return GridCell {
            value: None,
            label: "–".to_owned(),
            said: words.get("chart.cell.none"),
            direction: 0.0,
            state: CellState::Absent,
        };
    };
    let is_right = |class: &str| f64::from(u8::from(class == RIGHT));
    let [start, end] = [from, to].map(|class| words.get(&format!("class.{class}")));
    let count = quantity::count(pairs);
    GridCell {
        value: Some(pairs as f64),
        said: format!("{start} → {end}: {count}"),
        label: count,
        direction: is_right(to) - is_right(from),
        state: CellState::Open,
    }
}
