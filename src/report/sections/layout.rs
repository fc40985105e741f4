//! How the cells of one metric are laid out: pages, rows and columns of a grid. Checkpoints make
//! pages: another checkpoint is another question.

use std::collections::BTreeSet;

use crate::compare::Comparison;
use crate::group::CHECKPOINT_DIMS;
use crate::model::DimValue;

/// Coordinates that make good columns.
const COLUMNS: &[&str] = &["shot", "shots", "num_fewshot", "k", "filter"];
/// Wider grids are shown as rows.
const MOST_COLUMNS: usize = 8;

/// The comparisons of one metric on one dataset, with the coordinates that vary.
#[derive(Debug)]
pub(super) struct Group<'a> {
    /// Dataset.
    pub(super) dataset: Option<&'a str>,
    /// Metric.
    pub(super) metric: &'a str,
    /// Its comparisons, in cell order.
    pub(super) comparisons: Vec<&'a Comparison<'a>>,
    /// Coordinate that makes pages.
    pub(super) page: Option<String>,
    /// Coordinates that make rows, the coarsest first.
    pub(super) rows: Vec<String>,
    /// Coordinate that makes columns.
    pub(super) column: Option<String>,
}

impl<'a> Group<'a> {
    /// Whether cells form a grid: at least two coordinates vary.
    pub(super) fn is_grid(&self) -> bool {
        let folded = usize::from(self.page.is_some()) + usize::from(self.column.is_some());
        folded + self.rows.len() >= 2
    }

    /// Pages on which either arm has a figure; one `None` without a page coordinate.
    pub(super) fn pages(&self) -> Vec<Option<DimValue>> {
        let Some(name) = &self.page else { return vec![None] };
        let known = |page: &DimValue| {
            self.on_page(Some(page)).iter().any(|one| {
                let cell = one.cell;
                cell.baseline.value().value().or(cell.candidate.value().value()).is_some()
            })
        };
        values(&self.comparisons, name).into_iter().filter(known).map(Some).collect()
    }

    /// Comparisons on one page.
    pub(super) fn on_page(&self, page: Option<&DimValue>) -> Vec<&'a Comparison<'a>> {
        let name = self.page.as_deref();
        self.comparisons
            .iter()
            .filter(|one| match (name, page) {
                (Some(name), Some(value)) => one.cell.key.dims.get(name) == Some(value),
                _ => true,
            })
            .copied()
            .collect()
    }

    /// Row and column coordinates together, rows first.
    pub(super) fn axes(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().chain(&self.column).map(String::as_str)
    }
}

/// Values of a coordinate over some comparisons, ordered.
pub(super) fn values(comparisons: &[&Comparison<'_>], name: &str) -> Vec<DimValue> {
    let found: BTreeSet<DimValue> =
        comparisons.iter().filter_map(|one| one.cell.key.dims.get(name)).cloned().collect();
    found.into_iter().collect()
}

/// The groups of one pair of arms, in cell order.
pub(super) fn groups<'a>(comparisons: &'a [Comparison<'a>]) -> Vec<Group<'a>> {
    comparisons
        .chunk_by(|a, b| {
            (&a.cell.key.dataset, &a.cell.key.metric) == (&b.cell.key.dataset, &b.cell.key.metric)
        })
        .filter_map(|chunk| {
            let key = &chunk.first()?.cell.key;
            Some(lay_out(key.dataset.as_deref(), &key.metric, chunk.iter().collect()))
        })
        .collect()
}

fn lay_out<'a>(
    dataset: Option<&'a str>,
    metric: &'a str,
    comparisons: Vec<&'a Comparison<'a>>,
) -> Group<'a> {
    let names: BTreeSet<&str> =
        comparisons.iter().flat_map(|one| one.cell.key.dims.names()).collect();
    let mut varying: Vec<String> = names
        .into_iter()
        .filter(|name| values(&comparisons, name).len() > 1)
        .map(str::to_owned)
        .collect();
    let mut page = take(&mut varying, CHECKPOINT_DIMS);
    let mut column = take(&mut varying, COLUMNS)
        .or_else(|| if varying.len() >= 2 { varying.pop() } else { None });
    if let Some(name) = column.take_if(|name| values(&comparisons, name).len() > MOST_COLUMNS) {
        varying.push(name);
    }
    if varying.is_empty() && column.is_none() {
        varying.extend(page.take());
    }
    Group { dataset, metric, comparisons, page, rows: varying, column }
}

fn take(names: &mut Vec<String>, preferred: &[&str]) -> Option<String> {
    let position =
        preferred.iter().find_map(|wanted| names.iter().position(|name| name == wanted))?;
    Some(names.remove(position))
}
