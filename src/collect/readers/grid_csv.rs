//! A grid of results as a table: columns of coordinates, and one column for each metric.
//!
//! An empty cell or `?` is not run yet, `n/a` cannot exist, `failed` or NaN gave no number.

use super::super::records::{Sheet, header, read_sheet};
use super::super::{Choices, FileEntry, Reader};
use super::figures::{Figure, cell, review, scalar, settle_units};
use super::sample_ids;
use crate::diag::{Code, Diagnostic, Location, Warned};
use crate::model::{Absence, DimValue, Dims, Fragment, Measured, Source, Unit};

/// Columns that are coordinates, with the name of the coordinate.
const DIMS: &[(&str, &str)] = &[
    ("epoch", "epoch"),
    ("step", "step"),
    ("global_step", "step"),
    ("samples", "samples"),
    ("样本数", "samples"),
    ("shot", "shot"),
    ("shots", "shot"),
    ("num_fewshot", "shot"),
    ("seed", "seed"),
    ("dataset", "dataset"),
    ("split", "split"),
    ("temperature", "temperature"),
    ("filter", "filter"),
];
/// A table with nothing but these is a series.
const SERIES_AXES: &[&str] = &["epoch", "step"];
/// Columns that say how many samples are behind a row, and nothing else.
const SIZES: &[&str] = &["n", "num_samples", "n_samples", "num_problems", "num_examples"];

/// Whether a coordinate is the number of samples behind a figure.
pub(super) fn is_size_axis(axis: &str) -> bool {
    dim(axis) == Some("samples") || is_size(axis)
}

/// Whether a table names single samples.
pub(super) fn has_id_column(header: &[String]) -> bool {
    header.iter().any(|name| sample_ids::is_name(name))
}

/// See the module.
pub(super) struct GridCsv;

impl Reader for GridCsv {
    fn name(&self) -> &'static str {
        "grid-csv"
    }

    fn recognises(&self, file: &FileEntry) -> bool {
        if !file.has_extension("csv") && !file.has_extension("tsv") {
            return false;
        }
        let header = header(file);
        let columns = header.iter().filter(|name| dim(name).is_some() || is_size(name));
        columns.clone().any(|name| dim(name).is_none_or(|dim| !SERIES_AXES.contains(&dim)))
            && columns.count() < header.len()
            && !has_id_column(&header)
    }

    fn read(&self, file: &FileEntry, _: &Choices) -> Result<Warned<Fragment>, Box<Diagnostic>> {
        let mut findings = Vec::new();
        let sheet = read_sheet(file)?.drain_into(&mut findings);
        let metrics = metric_columns(&sheet);
        let mut fragment = Fragment::default();
        let units = stated_units(&sheet);
        for (line, row) in &sheet.rows {
            let place = Place::of(&sheet.header, row);
            for column in &metrics {
                let Some(name) = sheet.header.get(*column) else { continue };
                let text = Sheet::cell(row, *column);
                let Some(figure) = cell(text) else {
                    findings.push(not_a_figure(file, *line, name, text));
                    continue;
                };
                let unit = units.get(*column).copied().flatten();
                let figure = Figure { unit, n: place.n, ..figure };
                let source = Source::line(&file.display, *line, name.as_str());
                let dataset = place.dataset.as_deref();
                fragment.scalars.push(scalar(name, dataset, &place.dims, figure, source));
            }
        }
        findings.extend(settle_units(&mut fragment, file));
        findings.extend(review(&fragment, file));
        Ok(Warned::new(fragment, findings))
    }
}

fn dim(name: &str) -> Option<&'static str> {
    let lower = name.to_ascii_lowercase();
    DIMS.iter().find(|(written, _)| *written == lower).map(|(_, dim)| *dim)
}

fn is_size(name: &str) -> bool {
    SIZES.iter().any(|size| name.eq_ignore_ascii_case(size))
}

/// Columns that hold at least one number or nothing but absence, and are no coordinates.
fn metric_columns(sheet: &Sheet) -> Vec<usize> {
    let is_metric = |column: usize| {
        let measured = |row: &[String]| cell(Sheet::cell(row, column)).map(|figure| figure.value);
        let cells: Vec<Option<Measured>> =
            sheet.rows.iter().map(|(_, row)| measured(row)).collect();
        let numbers = cells.iter().flatten().any(|measured| measured.value().is_some());
        let not_run = Some(Measured::Absent(Absence::NotRun));
        numbers || cells.iter().all(|measured| *measured == not_run)
    };
    let columns = sheet.header.iter().enumerate();
    columns
        .filter(|(column, name)| {
            let is_other = dim(name).is_some() || is_size(name) || sample_ids::is_unnamed(name);
            !is_other && is_metric(*column)
        })
        .map(|(column, _)| column)
        .collect()
}

/// Where in the grid a row stands.
struct Place {
    dims: Dims,
    dataset: Option<String>,
    n: Option<u64>,
}

impl Place {
    fn of(header: &[String], row: &[String]) -> Self {
        let mut place = Self { dims: Dims::none(), dataset: None, n: None };
        // In a table without any other coordinate the sizes are what its rows differ in.
        let sizes_tell_rows_apart = header.iter().all(|name| dim(name).is_none());
        for (column, name) in header.iter().enumerate() {
            let text = Sheet::cell(row, column);
            if is_size(name) {
                let size = DimValue::parse(text);
                place.n = size.number().filter(|n| *n >= 0.0).map(|n| n as u64);
                if sizes_tell_rows_apart && !text.is_empty() {
                    place.dims.insert("samples", size);
                }
                continue;
            }
            match dim(name) {
                Some("dataset") => {
                    place.dataset = Some(text.to_owned()).filter(|text| !text.is_empty());
                }
                Some(dim) if !text.is_empty() => {
                    let value = DimValue::parse(text);
                    if dim == "samples" && place.n.is_none() {
                        place.n = value.number().filter(|n| *n >= 0.0).map(|n| n as u64);
                    }
                    place.dims.insert(dim, value);
                }
                _ => {}
            }
        }
        place
    }
}

/// The unit of each column: one in which a percent sign stands is in percent.
fn stated_units(sheet: &Sheet) -> Vec<Option<Unit>> {
    let unit =
        |column: usize| sheet.rows.iter().find_map(|(_, row)| cell(Sheet::cell(row, column))?.unit);
    (0..sheet.header.len()).map(unit).collect()
}

fn not_a_figure(file: &FileEntry, line: u64, column: &str, text: &str) -> Diagnostic {
    let text: String = text.chars().take(40).collect();
    Diagnostic::new(Code::BadRecord)
        .with("count", 1_u64)
        .key(column)
        .with("cause", format!("`{text}` under {column} is no figure"))
        .with("line", line)
        .with("column", 1_u64)
        .at(Location::line(&*file.display, line))
}
