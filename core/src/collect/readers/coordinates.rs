//! Names of columns and axes that are coordinates of a grid, or sizes of what its figures stand on.

use crate::model::{DimValue, axis_of_key};

/// Columns that are coordinates beside those that hold a place on an axis, with the name of the coordinate.
const DIMS: &[(&str, &str)] = &[
    ("samples", SAMPLES),
    ("样本数", SAMPLES),
    ("num_fewshot", "shot"),
    ("seed", "seed"),
    ("split", "split"),
    ("temperature", "temperature"),
    ("filter", "filter"),
];
const SAMPLES: &str = "samples";
/// Columns that say how many samples are behind a row, and nothing else.
const SIZES: &[&str] =
    &["n", "num_samples", "n_samples", "num_problems", "num_questions", "num_examples"];

/// Whether a coordinate is the number of samples behind a figure.
pub(super) fn is_size_axis(axis: &str) -> bool {
    dim_of_column(axis) == Some(SAMPLES) || is_size_column(axis)
}

pub(super) fn dim_of_column(name: &str) -> Option<&'static str> {
    let lower = name.to_ascii_lowercase();
    let other = DIMS.iter().find(|(written, _)| *written == lower).map(|(_, dim)| *dim);
    other.or_else(|| axis_of_key(&lower))
}

/// Whether a column of that name says how many samples are behind a row, and nothing else.
pub(super) fn is_size_column(name: &str) -> bool {
    SIZES.iter().any(|size| name.eq_ignore_ascii_case(size))
}

/// A size as it is written: commas between groups of three digits are no part of the number.
pub(super) fn size_as_written(text: &str) -> DimValue {
    let is_digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let mut groups = text.trim().split(',');
    let first = groups.next().unwrap_or_default();
    let is_grouped = (1..=3).contains(&first.len())
        && is_digits(first)
        && groups.all(|group| group.len() == 3 && is_digits(group));
    if is_grouped { DimValue::parse(&text.replace(',', "")) } else { DimValue::parse(text) }
}
