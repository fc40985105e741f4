//! Metrics over steps or epochs as a table, one row a position. An empty cell was not logged.

use std::collections::{BTreeMap, BTreeSet};

use super::super::records::{FileSheet, header, read_sheet};
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::curve_columns::{CurveColumns, lay_runs_apart};
use super::file_figures::{illegible, with_figures};
use super::heads::PlainHead;
use super::points::{IsWanted, Points, as_share, is_metric, number_in};
use super::sample_ids;
use crate::diag::Warned;
use crate::model::{Fragment, Point, axis_of_curve};

/// What stands in a cell where nothing was logged.
const EMPTY: &[&str] = &["", "-", "–", "—", "/", "none", "null", "na", "n/a", "<na>"];

/// Such cells of a column that are counted.
const MOST_COUNTED: usize = 10_000;

pub(super) const READER: Reader = Reader { name: "series-csv", recognises, read };

fn recognises(file: &FileEntry) -> bool {
    if !file.has_extension("csv") && !file.has_extension("tsv") {
        return false;
    }
    let names: Vec<String> = lower(&header(file));
    axis_of(&names).is_some() && !sample_ids::is_any_name(&names)
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    let Warned { value: sheet, diagnostics } = read_sheet(file)?;
    let names = lower(&sheet.header);
    if !names.iter().any(|name| is_metric(name, &options.names)) {
        // DVCLive keeps such a table of the epoch at each step.
        return Ok(Warned::new(Fragment::default(), diagnostics));
    }
    Ok(with_figures(file, &options.names, diagnostics, |fragment, findings| {
        let Some((written, axis)) = axis_of(&names) else { return };
        let axis_column = names.iter().position(|name| name == written).unwrap_or(0);
        let mut points = Points::default();
        let above = folder_of_metric(file);
        let heads: Vec<PlainHead> = sheet.header.iter().map(|head| PlainHead::of(head)).collect();
        let metrics: Vec<(&str, bool)> = sheet.header.iter().zip(&heads).map(named).collect();
        let mut illegible_cells = Illegible::default();
        for (line, row) in &sheet.rows {
            let place = FileSheet::cell(row, axis_column);
            let at: Option<f64> = place.parse().ok();
            illegible_cells.note(axis_column, place, at, *line);
            let Some(at) = at.filter(|at| at.is_finite()) else { continue };
            for (column, ((name, is_percent), lower_name)) in metrics.iter().zip(&names).enumerate()
            {
                let names = &options.names;
                if !is_metric(lower_name, names) {
                    continue;
                }
                let cell = FileSheet::cell(row, column);
                let value = match cell.parse() {
                    Ok(percentage) if *is_percent => Some(as_share(percentage, name, names)),
                    _ => number_in(cell, name, names),
                };
                illegible_cells.note(column, cell, value, *line);
                if let Some(value) = value {
                    points.add(&format!("{above}{name}"), axis, Point { at, value, line: *line });
                }
            }
        }
        findings.extend(illegible(illegible_cells.named(&metrics), file));
        let columns = |is_wanted| columns_of(&sheet, (axis_column, is_wanted), options);
        fragment.series = points.finish_beside(file, columns).drain_into(findings);
        lay_runs_apart(fragment, options);
    }))
}

/// Cells that hold something else than a number, in columns that hold numbers.
#[derive(Default)]
struct Illegible {
    numeric: BTreeSet<usize>,
    /// The lines of the first of them in each column.
    lines: BTreeMap<usize, Vec<u64>>,
}

impl Illegible {
    fn note(&mut self, column: usize, cell: &str, value: Option<f64>, line: u64) {
        if value.is_some() {
            self.numeric.insert(column);
        } else if !EMPTY.iter().any(|word| word.eq_ignore_ascii_case(cell)) {
            let lines = self.lines.entry(column).or_default();
            if lines.len() < MOST_COUNTED {
                lines.push(line);
            }
        }
    }

    fn named(self, metrics: &[(&str, bool)]) -> Vec<(String, u64)> {
        let of_numbers = self.lines.iter().filter(|(column, _)| self.numeric.contains(column));
        let named = of_numbers.filter_map(|(column, lines)| Some((metrics.get(*column)?.0, lines)));
        named.flat_map(|(name, lines)| lines.iter().map(|line| (name.to_owned(), *line))).collect()
    }
}

/// The name of a metric, and whether its head says once that all cells are percentages: `accuracy (%)`.
fn named<'s>((written, head): (&'s String, &'s PlainHead)) -> (&'s str, bool) {
    (if head.is_percent { &head.name } else { written }, head.is_percent)
}

fn columns_of(
    sheet: &FileSheet,
    (axis_column, is_wanted): (usize, IsWanted),
    options: &ReadOptions,
) -> CurveColumns {
    let mut columns = CurveColumns::asking(options);
    let beside = sheet.header.iter().enumerate().filter(|(at, _)| *at != axis_column);
    let wanted: Vec<(usize, &String)> = beside.filter(|(_, name)| is_wanted(name)).collect();
    for (line, row) in &sheet.rows {
        for &(column, name) in &wanted {
            columns.add(name, *line, FileSheet::cell(row, column));
        }
    }
    columns
}

/// What `DVCLive` makes a path below `plots/metrics/` of: `eval/` for the column `acc` of `eval/acc.tsv`.
fn folder_of_metric(file: &FileEntry) -> &str {
    let below = file.relative.split_once("plots/metrics/").map_or("", |(_, below)| below);
    below.rfind('/').map_or("", |end| below.get(..=end).unwrap_or_default())
}

fn axis_of(names: &[String]) -> Option<(&'static str, &'static str)> {
    axis_of_curve(|written| names.iter().any(|name| name == written))
}

fn lower(header: &[String]) -> Vec<String> {
    header.iter().map(|name| name.to_ascii_lowercase()).collect()
}
