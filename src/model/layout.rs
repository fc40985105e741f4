//! How a report is laid out, as far as the user says it.

use serde::Deserialize;

/// The name under which `by` and `split` mean the dataset of a cell, which is no coordinate.
pub const DATASET_AXIS: &str = "dataset";

/// Axes of the grids and parts that a person writes. Invariant: no axis twice, and none without a
/// name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layout {
    by: Vec<String>,
    split: Option<String>,
    prose: Option<Vec<Prose>>,
}

/// Axes that make no grid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotALayout {
    /// An axis that would lie in a grid twice.
    #[error("by and split name the axis `{axis}` {count} times; name each axis once")]
    Repeated {
        /// The axis.
        axis: String,
        /// How often it is named.
        count: usize,
    },
    /// An axis without a name.
    #[error("by and split need names of axes, got an empty text")]
    Unnamed,
}

/// A part of a report that only a person can write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Prose {
    /// Strengths and weaknesses of each candidate.
    Findings,
    /// What follows.
    Conclusion,
}

impl Layout {
    /// The layout along these axes.
    ///
    /// # Errors
    /// When an axis is named twice, or has no name.
    pub fn new(
        by: Vec<String>,
        split: Option<String>,
        prose: Option<Vec<Prose>>,
    ) -> Result<Self, NotALayout> {
        let layout = Self { by, split, prose };
        for axis in layout.axes() {
            let count = layout.axes().filter(|other| *other == axis).count();
            if axis.trim().is_empty() {
                return Err(NotALayout::Unnamed);
            }
            if count > 1 {
                return Err(NotALayout::Repeated { axis: axis.to_owned(), count });
            }
        }
        Ok(layout)
    }

    /// Axes of a grid: the last makes columns where there are several, the others rows.
    pub fn by(&self) -> &[String] {
        &self.by
    }

    /// The axis of which each value gets its own block of tables.
    pub fn split(&self) -> Option<&str> {
        self.split.as_deref()
    }

    /// The axes that were named, the split first.
    pub fn axes(&self) -> impl Iterator<Item = &str> {
        self.split.iter().chain(&self.by).map(String::as_str)
    }

    /// Whether the user asked for a grid: planned results are then shown before they are there.
    pub fn is_asked(&self) -> bool {
        self.split.is_some() || !self.by.is_empty()
    }

    /// Whether the report has that part: where the user says so, or asks for a grid and says nothing.
    pub fn has(&self, part: Prose) -> bool {
        match &self.prose {
            Some(parts) => parts.contains(&part),
            None => self.is_asked(),
        }
    }
}
