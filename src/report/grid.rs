//! Grids of comparisons for programs: axes, and what each part of them comes to.

use super::ReportMaterial;
use super::data::{
    GridAxisView, GridChangeView, GridExtremeView, GridMeanView, GridPageView, GridView,
};
use super::sections::layout::{self, ReportGrid, ReportGridPage};
use super::sections::tally::{self, Along, ReportTally};
use crate::compare::Comparison;
use crate::pairing::{ArmPair, PairArm};

/// The grids of every candidate, in cell order.
pub(super) fn views(material: &ReportMaterial<'_>) -> Vec<GridView> {
    material
        .pairs()
        .flat_map(|(pair, _, comparisons)| {
            let groups = layout::groups(comparisons, material.layout).into_iter();
            groups.filter(ReportGrid::is_grid).map(|group| view(&group, pair)).collect::<Vec<_>>()
        })
        .collect()
}

fn view(group: &ReportGrid<'_>, pair: &ArmPair<'_>) -> GridView {
    let shared = group.pages();
    let along = |axis: &str| {
        let rows = tally::along(group, &shared, axis);
        rows.into_iter().map(|row| axis_view(axis, row)).collect::<Vec<_>>()
    };
    GridView {
        metric: group.metric.to_owned(),
        dataset: group.dataset.map(str::to_owned),
        candidate_run: pair.name(PairArm::Candidate).to_owned(),
        unit: group
            .comparisons
            .first()
            .map_or("", |comparison| comparison.cell.spec.unit.name_of_differences()),
        asked: group.asked,
        split: group.page.clone(),
        rows: group.rows.clone(),
        column: group.column.clone(),
        pages: group.all_pages().iter().map(page_view).collect(),
        axes: group.axes().flat_map(along).collect(),
    }
}

fn page_view(page: &ReportGridPage<'_>) -> GridPageView {
    let tally = ReportTally::new(&page.comparisons);
    GridPageView {
        value: page.value.clone(),
        only_in: page.only_in.map(PairArm::name),
        cells: tally.total,
        known: tally.known.len(),
        missing: tally.missing(),
        failed: tally.failed,
        improved: tally.improved,
        declined: tally.declined,
        tied: tally.tied,
        mean: tally.mean(),
        largest_gain: tally.extreme(1.0).map(extreme),
        largest_loss: tally.extreme(-1.0).map(extreme),
    }
}

fn extreme((comparison, delta): (&Comparison<'_>, f64)) -> GridExtremeView {
    let key = &comparison.cell.key;
    GridExtremeView { delta, dataset: key.dataset.clone(), dims: key.dims.clone() }
}

fn axis_view(axis: &str, row: Along<'_>) -> GridAxisView {
    let mean = |tally: &ReportTally<'_>| GridMeanView {
        mean: tally.mean(),
        known: tally.known.len(),
        cells: tally.total,
    };
    let change = row.change.map(|change| GridChangeView {
        delta: change.delta,
        known: change.known,
        cells: change.total,
    });
    GridAxisView {
        axis: axis.to_owned(),
        means: row.pages.iter().map(mean).collect(),
        value: row.value,
        change,
    }
}
