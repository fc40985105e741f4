//! Metrics over coordinates that vary, summed up.

use serde::Serialize;

use crate::model::{DimValue, Dims};

/// One metric of one candidate over at least two coordinates that vary, or over those asked for.
#[derive(Debug, Clone, Serialize)]
pub struct GridView {
    pub metric: String,
    /// Dataset; `null` too where the dataset is an axis.
    pub dataset: Option<String>,
    pub candidate_run: String,
    pub unit: &'static str,
    /// Whether the user asked for one of the axes.
    pub asked: bool,
    /// Axis of which each value is one of `pages`.
    pub split: Option<String>,
    /// Axes of the rows, the coarsest first.
    pub rows: Vec<String>,
    /// Axis of the columns.
    pub column: Option<String>,
    /// The values of the split, ascending; one without a value where there is none.
    pub pages: Vec<GridPageView>,
    /// Means along each row and column axis.
    pub axes: Vec<GridAxisView>,
}

/// The cells at one value of the split.
#[derive(Debug, Clone, Serialize)]
pub struct GridPageView {
    pub value: Option<DimValue>,
    /// The arm that alone has results or plans there: `baseline`, `candidate`.
    pub only_in: Option<&'static str>,
    /// Cells that there should be.
    pub cells: usize,
    /// Cells with a figure in both arms.
    pub known: usize,
    pub missing: usize,
    /// Those of the others that were run and gave no figure.
    pub failed: usize,
    /// Known cells that moved to the good side; where the metric has none, that rose.
    pub improved: usize,
    pub declined: usize,
    pub tied: usize,
    pub mean: Option<f64>,
    /// The largest change to the good side.
    pub largest_gain: Option<GridExtremeView>,
    /// The largest change the other way.
    pub largest_loss: Option<GridExtremeView>,
}

#[derive(Debug, Clone, Serialize)]
pub struct GridExtremeView {
    pub delta: f64,
    pub dataset: Option<String>,
    pub dims: Dims,
}

/// The mean differences at one value of an axis.
#[derive(Debug, Clone, Serialize)]
pub struct GridAxisView {
    pub axis: String,
    pub value: DimValue,
    /// One for each of the pages that both arms have, in their order.
    pub means: Vec<GridMeanView>,
    /// From the first of these pages to the last.
    pub change: Option<GridChangeView>,
}

/// A mean difference over a part of a page.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct GridMeanView {
    /// Over the known cells.
    pub mean: Option<f64>,
    pub known: usize,
    /// How many there should be.
    pub cells: usize,
}

/// How a mean difference moved from the first page to the last.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct GridChangeView {
    /// Mean over the cells that are known on both pages.
    pub delta: f64,
    pub known: usize,
    /// Cells of the larger of both pages.
    pub cells: usize,
}
