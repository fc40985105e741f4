//! Differences over the coordinates of a grid: a cell for each, pages below each other on one scale of
//! colours.

use std::collections::BTreeSet;

use super::Drawn;
use crate::compare::{Comparison, Verdict};
use crate::model::{Absence, DimValue, Measured};
use crate::pairing::PairArm;
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::chart::{CellState, Chart, GridCell, GridPanel, GridRow};
use crate::report::data::ComparisonData;
use crate::report::sections::layout::{self, ReportGrid, ReportGridPage};
use crate::report::sections::phrases;
use crate::text::Catalogue;

/// Larger grids are left to the tables.
const MOST_COLUMNS: usize = 12;
const MOST_ROWS: usize = 40;
/// Most charts of one report.
const MOST_GRIDS: usize = 6;

pub(super) fn charts(material: &ReportMaterial<'_>, _: &ComparisonData) -> Drawn {
    let words = material.words;
    let of_pair = |comparisons: &'_ [Comparison<'_>], candidate: &str| -> Vec<Chart> {
        let groups = layout::groups(comparisons, material.layout);
        let grids = groups.iter().filter(|group| group.is_grid());
        let several = material.paired_arms.pairs.len() > 1;
        let candidate = Some(candidate).filter(|_| several);
        grids.filter_map(|group| chart(group, candidate, words)).collect()
    };
    let charts = material
        .pairs()
        .flat_map(|(pair, _, comparisons)| of_pair(comparisons, pair.name(PairArm::Candidate)));
    Drawn::first(charts, MOST_GRIDS, Some)
}

/// The axes that make rows, and the one that makes columns.
fn axes<'g>(group: &'g ReportGrid<'_>) -> Option<(&'g [String], &'g str)> {
    match (&group.column, group.rows.as_slice()) {
        (Some(column), rows) => Some((rows, column)),
        (None, [rows @ .., column]) if !rows.is_empty() => Some((rows, column)),
        _ => None,
    }
}

fn chart(group: &ReportGrid<'_>, candidate: Option<&str>, words: &Catalogue) -> Option<Chart> {
    let (rows, column) = axes(group)?;
    let known = |page: &&ReportGridPage<'_>| page.comparisons.iter().any(|one| one.delta.is_some());
    let pages = group.pages();
    let panels: Vec<GridPanel> =
        pages.iter().filter(known).map(|page| panel(group, page, (rows, column), words)).collect();
    let fits = |panel: &GridPanel| {
        panel.columns.len() <= MOST_COLUMNS && (1..=MOST_ROWS).contains(&panel.rows.len())
    };
    let cells = || panels.iter().flat_map(|panel| &panel.rows).flat_map(|row| &row.cells);
    if panels.is_empty() || !panels.iter().all(fits) || cells().count() < 3 {
        return None;
    }
    let unit = group.comparisons.first()?.cell.spec.unit;
    let name = match (group.dataset, candidate) {
        (Some(dataset), None) => dataset.to_owned(),
        (Some(dataset), Some(candidate)) => format!("{candidate}, {dataset}"),
        (None, candidate) => candidate.unwrap_or_default().to_owned(),
    };
    let title = words.fill(
        if name.is_empty() { "chart.grid" } else { "chart.grid-of" },
        &[
            ("metric", group.metric),
            ("name", name.as_str()),
            ("unit", &phrases::unit_detail(unit, words)),
        ],
    );
    Some(Chart::of_grid("grid", title, panels, words))
}

fn panel(
    group: &ReportGrid<'_>,
    page: &ReportGridPage<'_>,
    (rows, column): (&[String], &str),
    words: &Catalogue,
) -> GridPanel {
    let title = group.page.as_deref().zip(page.value.as_ref());
    let row_of = |one: &Comparison<'_>| -> Vec<Option<DimValue>> {
        rows.iter().map(|axis| layout::coordinate(one, axis)).collect()
    };
    let keys: BTreeSet<_> = page.comparisons.iter().map(|one| row_of(one)).collect();
    let columns = layout::axis_values(&page.comparisons, column);
    let row = |key: &Vec<Option<DimValue>>| {
        let own: Vec<&Comparison<'_>> =
            page.comparisons.iter().filter(|one| row_of(one) == *key).copied().collect();
        let cell = |value: &DimValue| {
            let found =
                |one: &&&Comparison<'_>| layout::coordinate(one, column).as_ref() == Some(value);
            cell(own.iter().find(found).copied(), words)
        };
        let name = key.iter().flatten().map(DimValue::to_string).collect::<Vec<_>>();
        GridRow { name: name.join(", "), cells: columns.iter().map(cell).collect() }
    };
    let names = rows.iter().map(|axis| phrases::dim_name(axis, words)).collect::<Vec<_>>();
    GridPanel {
        title: title
            .map_or_else(String::new, |(axis, value)| phrases::dim_value(axis, value, words)),
        corner: format!("{} × {}", names.join(", "), phrases::dim_name(column, words)),
        rows: keys.iter().map(row).collect(),
        columns: columns.iter().map(ToString::to_string).collect(),
    }
}

/// A difference, or a sign for why there is none.
pub(super) fn cell(found: Option<&Comparison<'_>>, words: &Catalogue) -> GridCell {
    let absent = |state, sign: &str| GridCell {
        value: None,
        label: sign.to_owned(),
        said: words.get(&format!(
            "chart.cell.{}",
            if state == CellState::Failed { "failed" } else { "absent" }
        )),
        direction: 0.0,
        state,
    };
    let Some(one) = found else { return absent(CellState::Absent, "?") };
    let failed = Measured::Absent(Absence::Failed);
    let Some(delta) = one.delta.filter(|delta| delta.is_finite()) else {
        let has_failed = PairArm::BOTH.iter().any(|&which| one.cell.side(which).value() == failed);
        return if has_failed {
            absent(CellState::Failed, "!")
        } else {
            absent(CellState::Absent, "?")
        };
    };
    let name =
        phrases::dataset_and_place(one.cell.key.dataset.as_deref(), &one.cell.key.dims, words);
    let figure = phrases::delta_text(one, delta);
    let verdict = words.get(&format!("verdict.{}", one.verdict.name()));
    let decided = matches!(one.verdict, Verdict::Better | Verdict::Worse | Verdict::Equivalent);
    let decimals = usize::from(one.cell.spec.unit.is_rate());
    let decimals =
        if decimals == 1 { 1 } else { quantity::decimals(delta, one.cell.spec.unit).min(3) };
    GridCell {
        value: Some(quantity::settled(delta)),
        label: quantity::signed(delta, decimals),
        said: words.fill("chart.row", &[("name", &name), ("figure", &figure), ("word", &verdict)]),
        direction: one.cell.spec.direction.sign().unwrap_or(0.0),
        state: if decided { CellState::Decided } else { CellState::Open },
    }
}
