//! How a report is laid out, as far as the user says it.

use serde::Deserialize;

/// The name under which `by` and `split` mean the dataset of a cell, which is no coordinate.
pub const DATASET_AXIS: &str = "dataset";

/// What the user asked for, in one place.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
pub struct Asked {
    /// Axes of a grid: the last makes columns where there are several, the others rows.
    #[serde(default)]
    pub by: Vec<String>,
    /// The axis of which each value gets its own block of tables.
    pub split: Option<String>,
    /// Parts that are left for a person; `None` where nothing is said.
    pub prose: Option<Vec<Prose>>,
}

impl Asked {
    /// These choices, and where nothing is said the others.
    #[must_use]
    pub fn or(self, others: Self) -> Self {
        Self {
            by: if self.by.is_empty() { others.by } else { self.by },
            split: self.split.or(others.split),
            prose: self.prose.or(others.prose),
        }
    }
}

/// A part of a report that only a person can write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Prose {
    Findings,
    Conclusion,
}

/// Axes that make no grid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotALayout {
    #[error("by and split name the axis `{axis}` {count} times; name each axis once")]
    Repeated { axis: String, count: usize },
    #[error("by and split need names of axes, got an empty text")]
    Unnamed,
}

/// Axes of the grids and parts that a person writes. Invariant: no axis twice, and none without a
/// name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layout(Asked);

impl Layout {
    /// The layout that was asked for.
    ///
    /// # Errors
    /// When an axis is named twice, or has no name.
    pub fn new(asked: Asked) -> Result<Self, NotALayout> {
        let layout = Self(asked);
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

    /// The same layout under other names of its axes.
    ///
    /// # Errors
    /// When two names turn out to be of one axis.
    pub fn renamed(&self, name: impl Fn(&str) -> String) -> Result<Self, NotALayout> {
        let Asked { by, split, prose } = &self.0;
        Self::new(Asked {
            by: by.iter().map(|axis| name(axis)).collect(),
            split: split.as_deref().map(name),
            prose: prose.clone(),
        })
    }

    /// Axes of a grid: the last makes columns where there are several, the others rows.
    pub fn by(&self) -> &[String] {
        &self.0.by
    }

    /// The axis of which each value gets its own block of tables.
    pub fn split(&self) -> Option<&str> {
        self.0.split.as_deref()
    }

    /// The axes that were named, the split first.
    pub fn axes(&self) -> impl Iterator<Item = &str> {
        self.0.split.iter().chain(&self.0.by).map(String::as_str)
    }

    /// Whether the user asked for a grid: planned results are then shown before they are there.
    pub fn is_asked(&self) -> bool {
        self.axes().next().is_some()
    }

    /// Whether the report has that part: where the user says so, or asks for a grid and says nothing.
    pub fn has(&self, part: Prose) -> bool {
        match &self.0.prose {
            Some(parts) => parts.contains(&part),
            None => self.is_asked(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(by: &[&str], split: Option<&str>, prose: Option<&[Prose]>) -> Asked {
        Asked {
            by: by.iter().map(|axis| (*axis).to_owned()).collect(),
            split: split.map(str::to_owned),
            prose: prose.map(<[Prose]>::to_vec),
        }
    }

    #[test]
    fn what_is_said_first_counts_and_the_rest_is_filled_up() {
        let file = asked(&["samples", "shot"], Some("epoch"), None);
        for (flags, expected) in [
            (Asked::default(), vec!["epoch", "samples", "shot"]),
            (asked(&["step"], None, None), vec!["epoch", "step"]),
            (asked(&[], Some("step"), None), vec!["step", "samples", "shot"]),
        ] {
            let layout = Layout::new(flags.or(file.clone())).expect("a layout");
            assert_eq!(layout.axes().collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn an_axis_has_a_name_and_one_place() {
        let repeated = |axis: &str| NotALayout::Repeated { axis: axis.to_owned(), count: 2 };
        for (by, split, error) in [
            (&["shot", "shot"][..], None, repeated("shot")),
            (&["shot"], Some("shot"), repeated("shot")),
            (&[" "], None, NotALayout::Unnamed),
            (&["shot"], Some(""), NotALayout::Unnamed),
        ] {
            assert_eq!(Layout::new(asked(by, split, None)), Err(error));
        }
    }

    #[test]
    fn prose_comes_with_a_grid_unless_somebody_says_otherwise() {
        let both = [true, true];
        for (split, prose, expected) in [
            (None, None, [false, false]),
            (Some("epoch"), None, both),
            (Some("epoch"), Some(&[Prose::Findings][..]), [true, false]),
            (None, Some(&[Prose::Conclusion]), [false, true]),
            (Some("epoch"), Some(&[]), [false, false]),
        ] {
            let layout = Layout::new(asked(&[], split, prose)).expect("a layout");
            let parts = [Prose::Findings, Prose::Conclusion].map(|part| layout.has(part));
            assert_eq!(parts, expected, "{split:?} {prose:?}");
        }
    }
}
