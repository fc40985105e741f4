//! How the cells of one metric are laid out: pages, rows and columns of a grid. Checkpoints make
//! pages unless the user says what does: another checkpoint is another question.

use std::collections::{BTreeMap, BTreeSet};

use crate::compare::Comparison;
use crate::model::{Absence, CHECKPOINT_DIMS, DATASET_AXIS, DimValue, Layout, Measured};
use crate::pairing::PairArm;

/// Coordinates that make good columns.
const COLUMNS: &[&str] = &["shot", "shots", "num_fewshot", "k", "filter"];
/// Wider grids are shown as rows, unless the user asks for the column.
const MOST_COLUMNS: usize = 8;

/// The comparisons of one metric on one dataset, with the coordinates that vary.
#[derive(Debug)]
pub(in crate::report) struct ReportGrid<'a> {
    /// Dataset; `None` too where the dataset is an axis.
    pub(in crate::report) dataset: Option<&'a str>,
    pub(in crate::report) metric: &'a str,
    pub(in crate::report) comparisons: Vec<&'a Comparison<'a>>,
    /// Axis that makes pages.
    pub(in crate::report) page: Option<String>,
    /// Axes that make rows, the coarsest first.
    pub(in crate::report) rows: Vec<String>,
    /// Axis that makes columns.
    pub(in crate::report) column: Option<String>,
    /// The arm whose figures these are, where the other has the metric over other axes only.
    pub(in crate::report) alone: Option<PairArm>,
    /// Whether the user asked for one of these axes: what is planned is then shown too.
    pub(in crate::report) asked: bool,
}

/// One page of a grid; no value without an axis that makes pages.
#[derive(Debug)]
pub(in crate::report) struct ReportGridPage<'a> {
    pub(in crate::report) value: Option<DimValue>,
    pub(in crate::report) comparisons: Vec<&'a Comparison<'a>>,
    /// The arm that alone has results or plans there, while the other has them elsewhere.
    pub(in crate::report) only_in: Option<PairArm>,
}

impl<'a> ReportGrid<'a> {
    /// Whether cells form a grid: at least two coordinates vary, or several cells lie along one that
    /// the user asked for.
    pub(in crate::report) fn is_grid(&self) -> bool {
        let folded = usize::from(self.page.is_some()) + usize::from(self.column.is_some());
        let least = if self.asked || self.alone.is_some() { 1 } else { 2 };
        folded + self.rows.len() >= least && self.comparisons.len() >= 2
    }

    /// Pages in the order of the axis. Unless the user asked for the grid, only those on which an arm
    /// has a figure.
    pub(in crate::report) fn all_pages(&self) -> Vec<ReportGridPage<'a>> {
        let Some(name) = &self.page else {
            return vec![ReportGridPage {
                value: None,
                comparisons: self.comparisons.clone(),
                only_in: self.alone,
            }];
        };
        let known = |page: &ReportGridPage<'_>| {
            let mut cells = page.comparisons.iter().map(|comparison| comparison.cell);
            cells.any(|cell| PairArm::BOTH.iter().any(|&w| cell.side(w).value().value().is_some()))
        };
        let mut by_value: BTreeMap<DimValue, Vec<&Comparison<'a>>> = BTreeMap::new();
        for &comparison in &self.comparisons {
            if let Some(value) = coordinate(comparison, name) {
                by_value.entry(value).or_default().push(comparison);
            }
        }
        let all = count_there(&self.comparisons);
        by_value
            .into_iter()
            .map(|(value, comparisons)| self.page(value, comparisons, all))
            .filter(|page| self.asked || known(page))
            .collect()
    }

    /// Pages on which the arms can be compared, now or when both have been run.
    pub(in crate::report) fn pages(&self) -> Vec<ReportGridPage<'a>> {
        self.all_pages().into_iter().filter(|page| page.only_in.is_none()).collect()
    }

    fn page(
        &self,
        value: DimValue,
        comparisons: Vec<&'a Comparison<'a>>,
        all: [usize; 2],
    ) -> ReportGridPage<'a> {
        let here = count_there(&comparisons);
        let only_in = PairArm::BOTH.into_iter().find(|&which| {
            let other = which.other();
            here[which] > 0 && here[other] == 0 && all[other] > 0
        });
        ReportGridPage { value: Some(value), comparisons, only_in: only_in.or(self.alone) }
    }

    /// Row and column axes together, rows first.
    pub(in crate::report) fn axes(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().chain(&self.column).map(String::as_str)
    }

    /// The axis that says how many samples a figure stands on, where it has several values.
    pub(in crate::report) fn size_axis(&self) -> Option<&str> {
        let is_size = |name: &&str| {
            let sized = self.comparisons.iter().flat_map(|comparison| {
                let of =
                    |which| Some((coordinate(comparison, name)?.number()?, comparison.n(which)?));
                PairArm::BOTH.into_iter().filter_map(of).collect::<Vec<_>>()
            });
            let mut sized = sized.peekable();
            sized.peek().is_some() && sized.all(|(value, n)| value == n as f64)
        };
        let several = |name: &&str| axis_values(&self.comparisons, name).len() > 1;
        self.axes().filter(several).find(is_size)
    }
}

/// In how many comparisons each arm has a result, or a place for one.
fn count_there(comparisons: &[&Comparison<'_>]) -> [usize; 2] {
    PairArm::BOTH.map(|which| comparisons.iter().filter(|one| is_there(one, which)).count())
}

/// Whether an arm has a result there, or a place for one: what is written as not run yet counts.
pub(super) fn is_there(comparison: &Comparison<'_>, which: PairArm) -> bool {
    let side = comparison.cell.side(which);
    side.stated.is_some() || side.samples.is_some() || comparison.figure(which).is_some()
}

/// Whether an arm has a result there, or a place for one that can be filled.
pub(super) fn can_be_there(comparison: &Comparison<'_>, which: PairArm) -> bool {
    let cannot = Measured::Absent(Absence::NotApplicable);
    is_there(comparison, which) && comparison.cell.side(which).value() != cannot
}

/// Where a comparison stands on an axis: its coordinate, or its dataset.
pub(in crate::report) fn coordinate(comparison: &Comparison<'_>, axis: &str) -> Option<DimValue> {
    let key = &comparison.cell.key;
    key.dims.get(axis).cloned().or_else(|| {
        let dataset = key.dataset.as_ref().filter(|_| axis == DATASET_AXIS)?;
        Some(DimValue::Text(dataset.clone()))
    })
}

pub(in crate::report) fn axis_values(comparisons: &[&Comparison<'_>], axis: &str) -> Vec<DimValue> {
    let found: BTreeSet<DimValue> =
        comparisons.iter().filter_map(|comparison| coordinate(comparison, axis)).collect();
    found.into_iter().collect()
}

/// The groups of one pair of arms, in cell order.
pub(in crate::report) fn groups<'a>(
    comparisons: &'a [Comparison<'a>],
    layout: &Layout,
) -> Vec<ReportGrid<'a>> {
    let over_datasets = layout.axes().any(|axis| axis == DATASET_AXIS);
    let dataset = |comparison: &'a Comparison<'a>| {
        comparison.cell.key.dataset.as_deref().filter(|_| !over_datasets)
    };
    let mut groups: indexmap::IndexMap<_, Vec<&Comparison<'_>>> = indexmap::IndexMap::new();
    for comparison in comparisons {
        groups
            .entry((dataset(comparison), comparison.cell.key.metric.as_str()))
            .or_default()
            .push(comparison);
    }
    groups
        .into_iter()
        .flat_map(|((dataset, metric), comparisons)| {
            let parts = by_arm(comparisons).into_iter();
            parts.map(move |(alone, comparisons)| ReportGrid {
                alone,
                ..lay_out(dataset, metric, comparisons, layout)
            })
        })
        .collect()
}

/// The comparisons in one part, or one part for each arm if the arms have different axes: in a joint
/// table, no row would have figures of both.
fn by_arm<'a>(
    comparisons: Vec<&'a Comparison<'a>>,
) -> Vec<(Option<PairArm>, Vec<&'a Comparison<'a>>)> {
    let axes = |which| {
        let own = comparisons.iter().filter(move |comparison| is_there(comparison, which));
        own.map(|comparison| comparison.cell.key.dims.names().collect::<Vec<_>>())
            .collect::<BTreeSet<_>>()
    };
    let [baseline, candidate] = PairArm::BOTH.map(axes);
    let is_apart =
        !baseline.is_empty() && !candidate.is_empty() && baseline.is_disjoint(&candidate);
    let are_grids = baseline.iter().chain(&candidate).all(|names| !names.is_empty());
    if !is_apart || !are_grids {
        return vec![(None, comparisons)];
    }
    let own = |which| {
        comparisons.iter().copied().filter(|comparison| is_there(comparison, which)).collect()
    };
    PairArm::BOTH.map(|which| (Some(which), own(which))).into()
}

fn lay_out<'a>(
    dataset: Option<&'a str>,
    metric: &'a str,
    comparisons: Vec<&'a Comparison<'a>>,
    layout: &Layout,
) -> ReportGrid<'a> {
    let names: BTreeSet<&str> =
        comparisons.iter().flat_map(|comparison| comparison.cell.key.dims.names()).collect();
    let mut varying: Vec<String> = names
        .into_iter()
        .filter(|name| axis_values(&comparisons, name).len() > 1)
        .map(str::to_owned)
        .collect();
    let there = |axis: &&String| !axis_values(&comparisons, axis).is_empty();
    let split = layout.split().map(str::to_owned).filter(|axis| there(&axis));
    let by: Vec<String> = layout.by().iter().filter(there).cloned().collect();
    let asked = split.is_some() || !by.is_empty();
    varying.retain(|name| !by.contains(name) && split.as_ref() != Some(name));
    let mut page = split.or_else(|| remove_preferred(&mut varying, CHECKPOINT_DIMS));
    let (rows, column) = match by.split_last() {
        Some((last, [])) => ([vec![last.clone()], varying].concat(), None),
        Some((last, rows)) => ([rows.to_vec(), varying].concat(), Some(last.clone())),
        None => by_habit(&comparisons, varying),
    };
    let mut group =
        ReportGrid { dataset, metric, comparisons, page: None, rows, column, alone: None, asked };
    if group.rows.is_empty() && group.column.is_none() {
        group.rows.extend(page.take());
    }
    group.page = page;
    group
}

/// Rows and column where the user names none.
fn by_habit(
    comparisons: &[&Comparison<'_>],
    mut varying: Vec<String>,
) -> (Vec<String>, Option<String>) {
    let mut column = remove_preferred(&mut varying, COLUMNS)
        .or_else(|| if varying.len() >= 2 { varying.pop() } else { None });
    if let Some(name) = column.take_if(|name| axis_values(comparisons, name).len() > MOST_COLUMNS) {
        varying.push(name);
    }
    (varying, column)
}

fn remove_preferred(names: &mut Vec<String>, preferred: &[&str]) -> Option<String> {
    let position =
        preferred.iter().find_map(|wanted| names.iter().position(|name| name == wanted))?;
    Some(names.remove(position))
}
