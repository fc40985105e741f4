//! Tables whose heads hold coordinates or runs, made long: `Shot 1, Shot 2` becomes a column `shot`, one
//! column for each model becomes a column `model`. What the columns mean then is not known here.

use std::collections::BTreeSet;

use super::super::records::FileSheet;
use super::chinese_heads::{in_english, plain_head};
use super::column_roles::{METRIC_NAMES, MODELS, RUN, VALUES, is_beside, is_setting_name};
use super::companions::{Companion, companion, with_counts};
use super::coordinates::{dim_of_column, is_size_column};
use super::figure::{FileFigure, read_cell, share_of_counts};
use super::file_figures::UNNAMED;
use super::heads::{self, PlainHead, coordinate, is_difference, is_of_model, plain_cells};
use super::sample_ids;
use super::spreads;
use crate::model::MetricNames;
use crate::quantity::Unit;

/// The heads of names of metrics, and of their figures.
const METRIC: &str = "metric";
const VALUE: &str = "value";
/// The head of how many samples are behind the figures of a row.
const SIZE: &str = "n";
/// The heads without emphasis, arrows and units.
pub(super) fn plain_heads(header: &[String]) -> Vec<String> {
    let heads = header.iter().map(|head| PlainHead::of(head).name);
    heads.filter(|head| !is_sign(head)).collect()
}

/// Whether a column holds the spreads of the column before it, by nothing but the sign.
fn is_sign(head: &str) -> bool {
    matches!(head, "±" | "+/-" | "+-")
}

/// The table in which a spread stands behind its figure, where it has columns of its own for them.
fn with_spreads_in_cells(mut sheet: FileSheet) -> FileSheet {
    let signs: Vec<bool> = sheet.header.iter().map(|head| is_sign(head)).collect();
    if signs.first() == Some(&false) && signs.contains(&true) {
        for (_, row) in &mut sheet.rows {
            let mut cells: Vec<String> = Vec::new();
            for (cell, is_spread) in std::mem::take(row).into_iter().zip(&signs) {
                match cells.last_mut().filter(|_| *is_spread) {
                    Some(figure) if !cell.trim().is_empty() => figure.extend([" ± ", cell.trim()]),
                    Some(_) => {}
                    None => cells.push(cell),
                }
            }
            *row = cells;
        }
        sheet.header.retain(|head| !is_sign(head));
    }
    sheet
}

/// Whether some heads are the same coordinate at several points.
pub(super) fn has_axis(header: &[String]) -> bool {
    let is_axis = || Axis::find(header).is_some() || Axis::of_setting(header).is_some();
    !sample_ids::is_any_name(header) && is_axis()
}

/// Whether a table is a matrix of tasks and models as a data frame writes it: the first head is empty,
/// and no other is known.
pub(super) fn is_matrix(header: &[String]) -> bool {
    let Some((first, models)) = header.split_first() else { return false };
    first.is_empty()
        && models.len() > 1
        && !has_metric(models)
        && !models.iter().any(|head| is_beside(head))
}

/// Whether a table has one row for each model or run and a column of a metric that is known by its name.
pub(super) fn is_leaderboard(header: &[String]) -> bool {
    let has_model = header.iter().any(|head| is_one_of(head, MODELS) || is_one_of(head, &[RUN]));
    let no_series = header.iter().all(|head| dim_of_column(head).is_none());
    has_model && no_series && !sample_ids::is_any_name(header) && has_metric(header)
}

/// Whether a table has one row for each model and no head that says more, but for a size: the others
/// name datasets.
pub(super) fn is_by_dataset(header: &[String]) -> bool {
    let mut own = header.iter().filter(|head| !is_of_model(head));
    let Some(first) = own.next() else { return false };
    let is_other = |head: &&String| {
        !is_size_column(&head.to_ascii_lowercase()) && !is_setting_name(&plain_head(head))
    };
    let others: Vec<String> = own.filter(is_other).cloned().collect();
    is_one_of(first, MODELS)
        && others.len() > 1
        && !has_metric(&others)
        && !sample_ids::is_any_name(header)
        && !others.iter().any(|head| is_beside(head) || is_spread(head) || is_one_of(head, VALUES))
}

/// Whether a head is a metric that is known by its name.
pub(super) fn has_metric(header: &[String]) -> bool {
    let names = MetricNames::default();
    header.iter().any(|head| names.get(head).is_some())
}

/// Whether a row names the metric of its figure.
pub(super) fn names_metric(header: &[String]) -> bool {
    header.iter().any(|head| is_one_of(head, METRIC_NAMES))
}

fn is_one_of(head: &str, known: &[&str]) -> bool {
    known.contains(&plain_head(head).as_str())
}

/// The table with plain heads and one column for each coordinate and metric. `title` is a metric where
/// it is the name of one. Columns that tell runs apart are added to `columns`.
pub(super) fn to_long(
    sheet: &FileSheet,
    title: &str,
    names: &MetricNames,
    columns: &mut Vec<String>,
) -> FileSheet {
    let heads: Vec<PlainHead> = sheet.header.iter().map(|head| PlainHead::of(head)).collect();
    let rows = sheet.rows.iter().map(|(line, row)| (*line, plain_cells(&heads, row))).collect();
    // `Model` is the column that is asked for as `model`.
    let asked = |head: PlainHead| {
        let written = |asked: &&String| asked.eq_ignore_ascii_case(&head.name);
        let meant = |asked: &&String| asked.eq_ignore_ascii_case(&plain_head(&head.name));
        let asked = columns.iter().find(written).or_else(|| columns.iter().find(meant));
        let name = in_english(&head.name).map(str::to_owned);
        asked.cloned().or(name).unwrap_or(head.name)
    };
    let header = heads.into_iter().map(asked).collect();
    let mut sheet = with_counts(with_spreads_in_cells(FileSheet { header, rows }));
    let title = names.get(title).map_or(UNNAMED, |_| title);
    let is_matrix = is_matrix(&sheet.header) && !has_number(&sheet, 0);
    if is_matrix && let Some(first) = sheet.header.first_mut() {
        "dataset".clone_into(first);
    }
    if let Some(axis) = Axis::find(&sheet.header) {
        sheet = axis.melt(&sheet, title);
    }
    match models(&sheet, is_matrix, names, columns) {
        Models::One(column) => {
            let of = |(at, head): (usize, &String)| {
                if at == column { VALUE.to_owned() } else { head.clone() }
            };
            let model = sheet.header.get(column).cloned().unwrap_or_default();
            sheet.header = sheet.header.iter().enumerate().map(of).collect();
            sheet.header.push("model".to_owned());
            sheet.rows.iter_mut().for_each(|(_, row)| row.push(model.clone()));
            sheet
        }
        Models::Several(axis) => axis.melt(&sheet, title),
        // A head that the user declares is that of a metric, and so are those beside it.
        Models::None
            if is_by_dataset(&sheet.header)
                && !sheet.header.iter().any(|head| names.is_declared(head)) =>
        {
            drop_of_models(&mut sheet);
            let columns = figure_columns(&sheet, names);
            let axis = Axis::of_heads("dataset", &columns, &sheet.header, None);
            match axis.with_metrics_in_heads(names).or_else(|axis| axis.with_ratings(&sheet)) {
                Ok(axis) => axis.melt_by_metric(&sheet, title),
                Err(axis) => axis.with_companions(&sheet.header, title).melt(&sheet, title),
            }
        }
        Models::None => sheet,
    }
}

/// Takes the columns away that say something of a model itself.
fn drop_of_models(sheet: &mut FileSheet) {
    let kept: Vec<bool> = sheet.header.iter().map(|head| !is_of_model(head)).collect();
    let keep = |row: &mut Vec<String>| {
        let mut kept = kept.iter().copied();
        row.retain(|_| kept.next().unwrap_or(true));
    };
    sheet.rows.iter_mut().for_each(|(_, row)| keep(row));
    keep(&mut sheet.header);
}

/// Columns that are figures of one model each.
enum Models {
    None,
    /// The only one.
    One(usize),
    Several(Axis),
}

/// Columns of figures are of models in a matrix, and where each row names its metric and no column is
/// the value; or where the user asks for a column that does not exist, and no catalogue knows them as metrics.
fn models(
    sheet: &FileSheet,
    is_matrix: bool,
    names: &MetricNames,
    columns: &mut Vec<String>,
) -> Models {
    let header = &sheet.header;
    if let Some(axis) = Axis::of_setting(header) {
        if !columns.contains(&axis.name) {
            columns.push(axis.name.clone());
        }
        return Models::Several(axis);
    }
    let mut of_models = figure_columns(sheet, names);
    let is_by_metric = names_metric(header) && !header.iter().any(|head| is_one_of(head, VALUES));
    let missing = || columns.iter().find(|asked| !header.contains(asked)).cloned();
    let column =
        if is_by_metric || is_matrix { missing().or(Some("model".to_owned())) } else { missing() };
    // Of another setting only heads that name it are values: `KL_BETA=0.12`.
    if let Some(name) = column.as_ref().filter(|name| !is_one_of(name, MODELS) && *name != RUN) {
        let asked = name.to_ascii_lowercase();
        let names_it = |&column: &usize| {
            header.get(column).is_some_and(|head| head.to_ascii_lowercase().contains(&asked))
        };
        if header.iter().any(|head| head.to_ascii_lowercase().contains(&asked)) || !is_by_metric {
            of_models.retain(names_it);
        }
    }
    match (column, of_models.as_slice()) {
        (Some(_), [only]) if is_by_metric => Models::One(*only),
        (Some(name), [_, _, ..]) if !header.contains(&name) => {
            if !columns.contains(&name) {
                columns.push(name.clone());
            }
            let unnamed = is_by_metric.then(|| VALUE.to_owned());
            Models::Several(Axis::of_heads(&name, &of_models, header, unnamed))
        }
        _ => Models::None,
    }
}

/// Columns with figures of which the head names no metric and nothing beside figures.
fn figure_columns(sheet: &FileSheet, names: &MetricNames) -> Vec<usize> {
    let is_figure = |&column: &usize| {
        let head = sheet.header.get(column).map_or("", String::as_str);
        let is_other = sample_ids::is_unnamed(head)
            || is_spread(head)
            || companion(column, &sheet.header).is_some()
            || is_beside(head)
            || is_difference(head)
            || names.get(head).is_some();
        !is_other && has_number(sheet, column)
    };
    (0..sheet.header.len()).filter(is_figure).collect()
}

/// All columns but those of differences between others, which belong to no single point.
fn columns_but_differences(sheet: &FileSheet) -> impl Iterator<Item = usize> + '_ {
    let heads = sheet.header.iter().enumerate();
    heads.filter(|(_, head)| !is_difference(head)).map(|(column, _)| column)
}

fn is_spread(head: &str) -> bool {
    spreads::bare(&head.to_ascii_lowercase()).is_some()
}

fn has_number(sheet: &FileSheet, column: usize) -> bool {
    let cells = || sheet.rows.iter().map(|(_, row)| FileSheet::cell(row, column));
    let has_value = |figure: FileFigure| figure.value.value().is_some();
    cells().filter_map(read_cell).any(has_value) || are_counts_of_one_test(cells())
}

/// Whether all cells are counts out of the same number, `12/30`: of dates and devices some are other numbers.
fn are_counts_of_one_test<'c>(cells: impl Iterator<Item = &'c str>) -> bool {
    let sizes: Vec<Option<u64>> =
        cells.map(|cell| share_of_counts(cell).and_then(|figure| figure.n)).collect();
    let first = sizes.first().copied().flatten().filter(|&size| size >= FEWEST_COUNTED);
    first.is_some() && sizes.iter().all(|size| *size == first)
}

/// Fewer may be devices, or months.
const FEWEST_COUNTED: u64 = 13;

/// Heads that are one coordinate at several points.
#[derive(Debug, PartialEq)]
struct Axis {
    name: String,
    columns: Vec<AxisColumn>,
    /// The head of figures whose metric no head names, where it is not the title.
    unnamed: Option<String>,
}

#[derive(Debug, PartialEq)]
struct AxisColumn {
    column: usize,
    at: String,
    /// What else the head says; nothing where it names no metric.
    metric: String,
    /// How many samples the head says are behind its figures.
    size: Option<String>,
}

impl AxisColumn {
    fn new(column: usize, at: String, metric: String) -> Self {
        let size = metric.strip_prefix("n=").or(metric.strip_prefix("N="));
        let is_size = |size: &&str| size.bytes().all(|byte| byte.is_ascii_digit());
        match size.filter(is_size).map(str::to_owned) {
            Some(size) => Self { column, at, metric: String::new(), size: Some(size) },
            None => Self { column, at, metric, size: None },
        }
    }
}

impl Axis {
    /// The coordinate that heads have at two points or more, if it is a single one.
    fn find(header: &[String]) -> Option<Self> {
        let axis = Self::of_points(header, |head| {
            let (name, at, metric) = coordinate(head)?;
            Some((name.to_owned(), at, metric))
        })?;
        let is_twice = header.iter().any(|head| dim_of_column(head) == Some(&axis.name));
        (!is_twice).then_some(axis)
    }

    /// The setting of which each of several heads gives another value, if it is a single one:
    /// `KL_BETA=0.15` and `KL_BETA=0.12`.
    fn of_setting(header: &[String]) -> Option<Self> {
        let axis = Self::of_points(header, |head| {
            let (name, at) = heads::setting(head)?;
            Some((name, at, String::new()))
        })?;
        let points: BTreeSet<&String> = axis.columns.iter().map(|column| &column.at).collect();
        let is_told_apart = points.len() == axis.columns.len() && !header.contains(&axis.name);
        is_told_apart.then_some(axis)
    }

    /// The axis of which heads name two points or more, if it is a single one. `point` has its name, the point
    /// and what else a head says.
    fn of_points(
        header: &[String],
        point: impl Fn(&str) -> Option<(String, String, String)>,
    ) -> Option<Self> {
        let of_head = |(column, head): (usize, &String)| {
            let (name, at, metric) = point(head)?;
            Some((name, AxisColumn::new(column, at, metric)))
        };
        let (names, columns): (Vec<String>, Vec<AxisColumn>) =
            header.iter().enumerate().filter_map(of_head).unzip();
        let name = names.first().filter(|first| names.iter().all(|name| name == *first))?.clone();
        let points: BTreeSet<&String> = columns.iter().map(|column| &column.at).collect();
        let unnamed = names_metric(header).then(|| VALUE.to_owned());
        (points.len() > 1).then_some(Self { name, columns, unnamed })
    }

    /// The heads of some columns as the points of an axis.
    fn of_heads(name: &str, columns: &[usize], header: &[String], unnamed: Option<String>) -> Self {
        let point = |&column: &usize| {
            let at = header.get(column).cloned().unwrap_or_default();
            AxisColumn::new(column, at, String::new())
        };
        let columns = columns.iter().map(point).collect();
        Self { name: name.to_owned(), columns, unnamed }
    }

    /// The same with what stands beside the columns: their sizes and spreads.
    fn with_companions(mut self, header: &[String], title: &str) -> Self {
        let beside = (0..header.len()).filter_map(|column| {
            let (of, says) = companion(column, header)?;
            let point = self.columns.iter().find(|point| point.column == of)?;
            let metric = match says {
                Companion::Size => SIZE.to_owned(),
                Companion::Spread(_) => {
                    format!("{title}{}", header.get(column)?.get(point.at.len()..)?)
                }
            };
            Some(AxisColumn::new(column, point.at.clone(), metric))
        });
        let beside: Vec<AxisColumn> = beside.collect();
        self.columns.extend(beside);
        self
    }

    /// The same where heads name the metric behind the point: `WikiText (ppl)`; as it is where none does.
    fn with_metrics_in_heads(mut self, names: &MetricNames) -> Result<Self, Self> {
        for column in &mut self.columns {
            let open = column.at.strip_suffix(')').and_then(|head| head.rsplit_once('('));
            if let Some((at, metric)) = open.filter(|(_, metric)| names.get(metric).is_some()) {
                (column.at, column.metric) = (at.trim().to_owned(), metric.to_owned());
            }
        }
        let has_metric = self.columns.iter().any(|column| !column.metric.is_empty());
        if has_metric { Ok(self) } else { Err(self) }
    }

    /// Beside percentages, columns of numbers above 100 are metrics of their own: `Elo`.
    fn with_ratings(mut self, sheet: &FileSheet) -> Result<Self, Self> {
        let figures = |column: usize| {
            let cells = sheet.rows.iter().map(move |(_, row)| FileSheet::cell(row, column));
            cells.filter_map(read_cell).filter_map(|one| Some((one.unit, one.value.value()?)))
        };
        let is_percent = |(unit, _): (Option<Unit>, f64)| unit == Some(Unit::Percent);
        let is_rating =
            |column: usize| figures(column).any(|one| !is_percent(one) && one.1 > 100.0);
        let has_percents = self.columns.iter().any(|point| figures(point.column).any(is_percent));
        if !has_percents || !self.columns.iter().any(|point| is_rating(point.column)) {
            return Err(self);
        }
        for point in self.columns.iter_mut().filter(|point| is_rating(point.column)) {
            point.metric = std::mem::take(&mut point.at);
        }
        Ok(self)
    }

    /// The table with columns of the coordinate, the metric and its value, and a row for each figure.
    fn melt_by_metric(&self, sheet: &FileSheet, title: &str) -> FileSheet {
        let is_point = |column: &usize| self.columns.iter().any(|point| point.column == *column);
        let rest: Vec<usize> = columns_but_differences(sheet).filter(|at| !is_point(at)).collect();
        let cells = sheet.rows.iter().flat_map(|(line, row)| {
            let cell = |column: usize| FileSheet::cell(row, column).to_owned();
            let before: Vec<String> = rest.iter().map(|&column| cell(column)).collect();
            self.columns.iter().map(move |point| {
                let metric = if point.metric.is_empty() { title } else { &point.metric };
                let own = [point.at.clone(), metric.to_owned(), cell(point.column)];
                (*line, [before.clone(), own.to_vec()].concat())
            })
        });
        let heads = rest.iter().filter_map(|&column| sheet.header.get(column).cloned());
        let header = heads.chain([self.name.clone(), METRIC.to_owned(), VALUE.to_owned()]);
        FileSheet { header: header.collect(), rows: cells.collect() }
    }

    /// The table with a column of the coordinate, and a row for each point of it.
    fn melt(&self, sheet: &FileSheet, title: &str) -> FileSheet {
        let is_point = |column: usize| self.columns.iter().any(|point| point.column == column);
        let rest: Vec<usize> = columns_but_differences(sheet).filter(|&at| !is_point(at)).collect();
        let head = |point: &AxisColumn| match (&self.unnamed, point.metric.is_empty()) {
            (Some(unnamed), true) => unnamed.clone(),
            (None, true) => title.to_owned(),
            (_, false) => point.metric.clone(),
        };
        let mut metrics: Vec<String> = Vec::new();
        let mut points: Vec<&str> = Vec::new();
        for point in &self.columns {
            if !metrics.contains(&head(point)) {
                metrics.push(head(point));
            }
            if !points.contains(&point.at.as_str()) {
                points.push(&point.at);
            }
        }
        let has_sizes = self.columns.iter().any(|point| point.size.is_some())
            && !sheet.header.iter().any(|head| is_size_column(&head.to_ascii_lowercase()));
        let mut rows = Vec::with_capacity(sheet.rows.len() * points.len());
        for (line, row) in &sheet.rows {
            for at in &points {
                let cell = |column: usize| FileSheet::cell(row, column).to_owned();
                let mut cells: Vec<String> = rest.iter().map(|&column| cell(column)).collect();
                cells.push((*at).to_owned());
                for metric in &metrics {
                    let is_it = |point: &&AxisColumn| point.at == *at && head(point) == *metric;
                    let point = self.columns.iter().find(is_it);
                    cells.push(point.map_or_else(String::new, |point| cell(point.column)));
                }
                if has_sizes {
                    let mut points = self.columns.iter().filter(|point| point.at == *at);
                    cells.push(points.find_map(|point| point.size.clone()).unwrap_or_default());
                }
                rows.push((*line, cells));
            }
        }
        let heads = rest.iter().filter_map(|&column| sheet.header.get(column).cloned());
        let size = has_sizes.then(|| SIZE.to_owned());
        let header = heads.chain([self.name.clone()]).chain(metrics).chain(size).collect();
        FileSheet { header, rows }
    }
}
