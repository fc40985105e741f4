//! A grid of results as a table of texts: columns of coordinates, and one column for each metric.
//!
//! Columns named like a dataset say the dataset of a row. A text that stands for what is asked or how,
//! such as a subset, a language or a judge, is a coordinate, so that rows of different meaning are
//! never set against each other; a setting that is the same in every row is a setting of the run.
//!
//! An empty cell or `?` is not run yet, `n/a` cannot exist, `failed` or NaN gave no number. Which file
//! the table stands in is not known here.

use super::super::content::bad_record;
use super::super::document::MOST_SAMPLES;
use super::super::occurrences::FewFaults;
use super::super::records::FileSheet;
use super::super::{FileEntry, ReadOptions};
use super::beside_figures;
use super::chinese_heads::{in_english, setting_key};
use super::column_roles::{
    ColumnRole, METRIC_NAMES, VALUES, column_roles, is_dataset, is_setting_name, read_figure,
    tells_rows_apart,
};
use super::column_units::{ColumnUnit, stated_units};
use super::coordinates::{dim_of_column, is_size_column, size_as_written};
use super::figure::FileFigure;
use super::file_figures::{declare_several_answers, scalar, spread_assumed};
use super::sample_ids;
use super::settings_beside::is_setting_field;
use super::spreads::{SpreadKind, with_spreads};
use crate::diag::{Diagnostic, Location};
use crate::model::{
    CHECKPOINT_DIMS, ConfigEntry, ConfigValue, DimValue, Dims, Fragment, MetricNames, Source,
};
use crate::quantity::Unit;

/// Whether columns with these heads make a grid, or a list of metrics with their values: with nothing but
/// places of a training they are a series. A number of
/// samples says how sure a figure is beside a rate that is better on one side, and not beside what a
/// training logs at its steps.
pub(super) fn is_grid(header: &[String]) -> bool {
    let names = MetricNames::default();
    let is_judged = |name: &String| {
        let spec = names.get(name);
        spec.is_some_and(|spec| spec.unit.is_rate() && spec.direction.sign().is_some())
    };
    let is_axis =
        |name: &String| dim_of_column(name).is_some_and(|dim| CHECKPOINT_DIMS.contains(&dim));
    let is_sized = || header.iter().any(is_judged) || !header.iter().any(is_axis);
    let is_what = |name: &String| dim_of_column(name).is_some() || is_dataset(name);
    let is_place = |name: &&String| is_what(name) || is_size_column(name);
    let mut places = header.iter().filter(is_place);
    let has = |known: &[&str]| {
        header.iter().any(|name| known.iter().any(|known| known.eq_ignore_ascii_case(name)))
    };
    let is_list = has(METRIC_NAMES) && has(VALUES) && !header.iter().any(is_axis);
    let has_places = places.clone().count() < header.len()
        && places.any(|name| if is_what(name) { !is_axis(name) } else { is_sized() });
    (has_places || is_list) && !sample_ids::is_any_name(header)
}

/// Puts the figures of a table into the fragment. Columns that say something of each run in it hold none.
pub(super) fn read_sheet_figures(
    sheet: &FileSheet,
    (file, options, of_runs): (&FileEntry, &ReadOptions, &[usize]),
    fragment: &mut Fragment,
    findings: &mut Vec<Diagnostic>,
) {
    let names = &options.names;
    let parts = column_roles(sheet, names, &options.columns, of_runs);
    let is_metric = |column: &usize| parts.get(*column) == Some(&ColumnRole::Metric);
    let metrics: Vec<usize> = (0..parts.len()).filter(is_metric).collect();
    let spreads: Vec<(usize, SpreadKind, usize)> = parts
        .iter()
        .enumerate()
        .filter_map(|(column, part)| match part {
            ColumnRole::Spread(kind, of) => Some(((*of)?, *kind, column)),
            _ => None,
        })
        .collect();
    read_settings(sheet, &parts, file, fragment);
    let named = parts.iter().position(|part| *part == ColumnRole::MetricName);
    let units = if named.is_some() { Vec::new() } else { stated_units(sheet) };
    let mut assumed = Vec::new();
    let (mut impossible, mut illegible) = (FewFaults::default(), FewFaults::default());
    for (line, row) in &sheet.rows {
        let place = RowPlace::read(&parts, row);
        if let Some((column, size)) = &place.impossible {
            let name = sheet.header.get(*column).map_or("", String::as_str);
            let path = &file.display;
            impossible.note(|| beside_figures::impossible_size(name, size, path, *line));
        }
        for column in &metrics {
            let Some(header) = sheet.header.get(*column) else { continue };
            let name = named.map_or(header.as_str(), |named| FileSheet::cell(row, named));
            let text = FileSheet::cell(row, *column);
            let Some(figure) = read_figure(text, name, names) else {
                illegible.note(|| not_a_figure(file, *line, name, text));
                continue;
            };
            if figure.stderr.is_some() {
                assumed.push((name.to_owned(), *line));
            }
            let of_column = units.get(*column).copied().unwrap_or(ColumnUnit::Unknown);
            // Beside percentages, `1206` is a rating or a count.
            let may_be_percent = figure.value.value().is_none_or(|value| value.abs() <= 100.0);
            let is_percent = matches!(of_column, ColumnUnit::Percent) && may_be_percent;
            let unit = is_percent.then_some(Unit::Percent).or(figure.unit);
            let RowPlace { n, answers, clusters, .. } = place;
            let n = own_size(&parts, *column, row).or(n).or(figure.n);
            let figure = FileFigure { unit, n, answers, clusters, ..figure };
            let figure =
                with_spreads(figure, (name, *column), &spreads, (&sheet.header, row), names);
            let source = Source::line(&file.display, *line, name);
            let dataset = place.dataset.as_deref();
            if place.several_answers {
                declare_several_answers(name, dataset, names, fragment);
            }
            let mut scalar = scalar(name, dataset, &place.dims, figure, source, names);
            scalar.unit_inferred = unit.is_none() && matches!(of_column, ColumnUnit::Mixed);
            scalar.remarks = remarks(sheet, &parts, row);
            fragment.scalars.push(scalar);
        }
    }
    findings.extend(impossible.told_in("key"));
    findings.extend(illegible.findings(|finding: Diagnostic, count| finding.with("count", count)));
    findings.extend(spread_assumed(assumed, file));
}

/// The number of samples that a row has for the figures of one column.
fn own_size(parts: &[ColumnRole], column: usize, row: &[String]) -> Option<u64> {
    let at = parts.iter().position(|part| *part == ColumnRole::SizeOf(column))?;
    let size = size_as_written(FileSheet::cell(row, at)).number()?;
    (0.0..=MOST_SAMPLES).contains(&size).then_some(size as u64)
}

/// What the texts of a row say that tell no rows apart.
fn remarks(sheet: &FileSheet, parts: &[ColumnRole], row: &[String]) -> Vec<(String, String)> {
    let columns = sheet.header.iter().enumerate();
    let texts = columns.filter(|(column, _)| parts.get(*column) == Some(&ColumnRole::Text));
    let remark =
        |(column, head): (usize, &String)| (head.clone(), FileSheet::cell(row, column).to_owned());
    texts.map(remark).collect()
}

/// Settings that are the same in every row.
fn read_settings(
    sheet: &FileSheet,
    parts: &[ColumnRole],
    file: &FileEntry,
    fragment: &mut Fragment,
) {
    let Some((line, row)) = sheet.rows.first() else { return };
    for (column, name) in sheet.header.iter().enumerate() {
        let text = FileSheet::cell(row, column);
        if parts.get(column) == Some(&ColumnRole::Setting) && !text.is_empty() {
            let source = Source::line(&file.display, *line, name.as_str());
            let value = ConfigValue::Text(text.to_owned());
            let key = in_english(name).unwrap_or(name);
            fragment.config.insert(key.to_owned(), ConfigEntry { value, source });
        }
    }
}

/// Whether a column is a setting, which may not apply to a row; a split is of every result.
fn may_be_none(dim: &str) -> bool {
    is_setting_name(dim) && !is_setting_field(&setting_key(dim))
}

/// Where in the grid a row stands.
struct RowPlace {
    dims: Dims,
    dataset: Option<String>,
    n: Option<u64>,
    clusters: Option<u64>,
    /// 1 where the size counts problems.
    answers: Option<u64>,
    /// Whether its figures are averages over several answers to each sample.
    several_answers: bool,
    /// Column and text of a size that there cannot be.
    impossible: Option<(usize, String)>,
}

impl RowPlace {
    fn read(parts: &[ColumnRole], row: &[String]) -> Self {
        let mut place = Self {
            dims: Dims::none(),
            dataset: None,
            n: None,
            clusters: None,
            answers: None,
            several_answers: false,
            impossible: None,
        };
        let mut problems = None;
        // In a table without any other coordinate the sizes are what its rows differ in.
        let sizes_tell_rows_apart = !parts.iter().any(tells_rows_apart);
        for (column, part) in parts.iter().enumerate() {
            let text = FileSheet::cell(row, column);
            match part {
                ColumnRole::Size | ColumnRole::Problems => {
                    let size = size_as_written(text);
                    let n = place.size(column, text, &size);
                    match part {
                        ColumnRole::Problems => problems = n.filter(|&problems| problems > 0),
                        _ => place.n = n,
                    }
                    if sizes_tell_rows_apart && !text.is_empty() {
                        place.dims.insert("samples", size);
                    }
                }
                ColumnRole::Clusters => {
                    place.clusters = place.size(column, text, &size_as_written(text));
                }
                ColumnRole::Dataset => {
                    place.dataset = Some(text.to_owned()).filter(|text| !text.is_empty());
                }
                ColumnRole::Dim(dim) if DimValue::is_none(text) && may_be_none(dim) => {
                    place.dims.insert(dim, DimValue::none());
                }
                ColumnRole::Dim(dim) if !text.is_empty() => {
                    let is_size = dim == "samples";
                    let value = if is_size { size_as_written(text) } else { DimValue::parse(text) };
                    if is_size && place.n.is_none() {
                        place.n = place.size(column, text, &value);
                    }
                    place.dims.insert(dim, value);
                }
                _ => {}
            }
        }
        place.several_answers = place.n.zip(problems).is_some_and(|(n, problems)| n > problems);
        place.n = if place.several_answers { problems } else { place.n.or(problems) };
        place.answers = problems.map(|_| 1);
        place
    }

    fn size(&mut self, column: usize, text: &str, size: &DimValue) -> Option<u64> {
        let size = size.number().filter(|n| *n >= 0.0)?;
        if size > MOST_SAMPLES {
            self.impossible = Some((column, text.to_owned()));
            return None;
        }
        Some(size as u64)
    }
}

fn not_a_figure(file: &FileEntry, line: u64, column: &str, text: &str) -> Diagnostic {
    let text: String = text.chars().take(40).collect();
    let cause = format!("`{text}` under {column} is no figure");
    bad_record(cause, Location::line(&*file.display, line)).key(column)
}
