//! The figures: grids and difference tables where coordinates vary, one table of metrics elsewhere.

use std::collections::BTreeSet;

use super::layout::{self, Group, Page};
use super::{lists, margins, noise, phrases};
use crate::compare::Comparison;
use crate::group::{ArmPair, Which};
use crate::model::DimValue;
use crate::quantity;
use crate::report::Material;
use crate::report::block::{Align, Block, Cell, Table, Text};
use crate::text::Catalogue;

pub(crate) fn blocks(material: &Material<'_>) -> Vec<Block> {
    let mut blocks: Vec<Block> = material
        .pairs()
        .flat_map(|(pair, _, comparisons)| {
            let groups = layout::groups(comparisons, material.layout);
            let (grids, flat): (Vec<_>, Vec<_>) = groups.into_iter().partition(Group::is_grid);
            let mut blocks: Vec<Block> =
                phrases::candidate_heading(material, pair).into_iter().collect();
            let flat: Vec<&Comparison<'_>> =
                flat.iter().flat_map(|group| group.comparisons.iter().copied()).collect();
            if !flat.is_empty() {
                blocks.push(Block::Table { table: metrics(&flat, pair, material.words) });
            }
            for group in &grids {
                blocks.extend(grid_blocks(group, pair, material.words));
            }
            blocks.extend(margins::blocks(comparisons, material.words));
            blocks
        })
        .collect();
    blocks.extend(idle_axes(material).filter(|_| !blocks.is_empty()));
    blocks
}

/// Axes that were asked for and lie in no grid: coordinates with one value throughout each run.
fn idle_axes(material: &Material<'_>) -> Option<Block> {
    let (words, comma) = (material.words, material.words.get("punctuation.comma"));
    let all: Vec<&Comparison<'_>> = material.all().collect();
    let idle = material.layout.axes().filter(|axis| layout::values(&all, axis).is_empty());
    let names = lists::joined(idle.map(str::to_owned).collect(), &comma);
    let text = words.fill("results.idle-axes", &[("names", &names)]);
    (!names.is_empty()).then(|| Block::paragraph(text))
}

/// One row for each comparison.
fn metrics(comparisons: &[&Comparison<'_>], pair: &ArmPair<'_>, words: &Catalogue) -> Table {
    let datasets: BTreeSet<_> = comparisons.iter().map(|one| &one.cell.key.dataset).collect();
    let with_dataset = datasets.len() > 1;
    let with_dims = comparisons.iter().any(|one| !one.cell.key.dims.is_empty());
    let mut heads = vec![(words.get("results.metric"), Align::Left)];
    if with_dataset {
        heads.push((words.get("results.dataset"), Align::Left));
    }
    if with_dims {
        heads.push((words.get("results.dims"), Align::Left));
    }
    let columns = Columns::of(comparisons);
    heads.extend(difference_heads(pair, &level(comparisons), columns, words));
    let mut table = Table::with_heads(heads);
    for one in comparisons {
        let key = &one.cell.key;
        let mut cells = vec![Cell::text(Text::code(key.metric.clone()))];
        if with_dataset {
            cells.push(Cell::text(key.dataset.clone().unwrap_or_default()));
        }
        if with_dims {
            cells.push(Cell::text(phrases::place(&key.dims, words)));
        }
        cells.extend(difference_cells(one, columns, words));
        table.push(cells);
    }
    table
}

/// The columns that some tables have.
#[derive(Clone, Copy)]
struct Columns {
    /// Intervals that hold together: in a family of several tests.
    joint: bool,
    /// How far runs of the baseline lie apart: where some repeat it.
    noise: bool,
    /// Interval and test: where anything was compared, or was expected to be.
    tested: bool,
}

impl Columns {
    fn of(comparisons: &[&Comparison<'_>]) -> Self {
        Self {
            joint: comparisons.iter().any(|one| one.ci_simultaneous.is_some()),
            noise: comparisons.iter().any(|one| one.noise.is_some()),
            tested: comparisons.iter().any(|one| one.delta.is_some()),
        }
    }
}

/// The level of the intervals.
fn level(comparisons: &[&Comparison<'_>]) -> String {
    comparisons.first().map_or_else(String::new, |one| quantity::level(1.0 - one.alpha))
}

fn difference_heads(
    pair: &ArmPair<'_>,
    level: &str,
    columns: Columns,
    words: &Catalogue,
) -> Vec<(String, Align)> {
    let level = [("level", level)];
    let mut heads = vec![
        (pair.name(Which::Baseline).to_owned(), Align::Right),
        (pair.name(Which::Candidate).to_owned(), Align::Right),
        (words.get("results.difference"), Align::Right),
    ];
    for (shown, key) in [
        (columns.tested, "results.interval"),
        (columns.joint, "results.joint"),
        (columns.noise, "results.noise"),
        (columns.tested, "results.p"),
    ] {
        if shown {
            heads.push((words.fill(key, &level), Align::Right));
        }
    }
    heads.extend([
        (words.get("results.n"), Align::Right),
        (words.get("results.judgement"), Align::Left),
    ]);
    heads
}

fn difference_cells(comparison: &Comparison<'_>, columns: Columns, words: &Catalogue) -> Vec<Cell> {
    let Columns { joint, noise, tested } = columns;
    let mut cells = vec![
        phrases::figure_cell(comparison, Which::Baseline, words),
        phrases::figure_cell(comparison, Which::Candidate, words),
        phrases::delta_cell(comparison, words),
    ];
    if comparison.delta.is_none() {
        let shown = 2 * usize::from(tested) + usize::from(joint) + usize::from(noise);
        cells.extend(vec![phrases::no_difference(comparison); shown]);
    } else {
        cells.push(phrases::interval_cell(comparison));
        cells.extend(joint.then(|| phrases::joint_interval_cell(comparison)));
        cells.extend(noise.then(|| noise::floor_cell(comparison)));
        cells.push(phrases::p_cell(comparison));
    }
    cells.extend([phrases::n_cell(comparison, words), phrases::judgement(comparison, words)]);
    cells
}

fn grid_blocks(group: &Group<'_>, pair: &ArmPair<'_>, words: &Catalogue) -> Vec<Block> {
    group.pages().iter().flat_map(|page| page_blocks(group, page, pair, words)).collect()
}

fn page_blocks(
    group: &Group<'_>,
    page: &Page<'_>,
    pair: &ArmPair<'_>,
    words: &Catalogue,
) -> Vec<Block> {
    let comparisons = &page.comparisons;
    let mut blocks = vec![Block::Heading { text: page_title(group, page, words) }];
    let shown = |which: Which| {
        group.asked || comparisons.iter().any(|one| one.cell.side(which).value().value().is_some())
    };
    // Without columns, the table of differences has every figure of both arms in the same rows.
    let arms = Which::BOTH.into_iter().filter(|_| group.column.is_some() || !group.asked);
    for which in arms {
        let label = phrases::arm_label(pair, which, words);
        if shown(which) {
            let text = Text::strong(label).and_plain(words.get("punctuation.colon-end"));
            blocks.push(Block::Paragraph { text });
            blocks.push(Block::Table { table: grid(group, comparisons, which, words) });
        } else {
            let text = Text::strong(label).and_plain(words.get("results.no-results"));
            blocks.push(Block::Paragraph { text });
        }
    }
    if Which::BOTH.into_iter().all(shown) {
        let text = Text::plain(words.get("results.difference-table"));
        blocks.push(Block::Paragraph { text });
        blocks.push(Block::Table { table: differences(group, comparisons, pair, words) });
    }
    blocks
}

pub(super) fn page_title(group: &Group<'_>, page: &Page<'_>, words: &Catalogue) -> Text {
    let axis = group.page.as_deref().zip(page.value.as_ref());
    let text = axis.map_or_else(Text::empty, |(name, value)| {
        Text::plain(format!("{} · ", phrases::dim_value(name, value, words)))
    });
    let text = text.and_code(group.metric);
    match group.dataset {
        None => text,
        Some(dataset) => text.and_plain(words.fill("phrase.detail", &[("detail", dataset)])),
    }
}

/// One arm's figures, rows by columns.
pub(super) fn grid(
    group: &Group<'_>,
    comparisons: &[&Comparison<'_>],
    which: Which,
    words: &Catalogue,
) -> Table {
    let columns =
        group.column.as_deref().map_or_else(Vec::new, |name| layout::values(comparisons, name));
    let mut heads: Vec<(String, Align)> =
        group.rows.iter().map(|name| (phrases::dim_name(name, words), Align::Left)).collect();
    match &group.column {
        Some(name) => heads.extend(
            columns.iter().map(|value| (phrases::dim_value(name, value, words), Align::Right)),
        ),
        None => heads.push((group.metric.to_owned(), Align::Right)),
    }
    let mut table = Table::with_heads(heads);
    for row in row_keys(group, comparisons) {
        let on_row = |one: &&&Comparison<'_>| row_key(group, one) == row;
        let of_row: Vec<_> = comparisons.iter().filter(on_row).collect();
        let mut cells: Vec<Cell> = row.iter().map(|value| row_head(value.as_ref())).collect();
        match &group.column {
            None => cells.extend(of_row.first().map(|one| phrases::figure_cell(one, which, words))),
            Some(name) => cells.extend(columns.iter().map(|value| {
                let found = of_row.iter().find(|one| layout::at(one, name).as_ref() == Some(value));
                found.map_or_else(Cell::missing, |one| phrases::figure_cell(one, which, words))
            })),
        }
        table.push(cells);
    }
    table
}

fn row_head(value: Option<&DimValue>) -> Cell {
    match value {
        None => Cell::default(),
        Some(value) => match value.number() {
            Some(number) => Cell::number(Text::strong(value.to_string()), number),
            None => Cell::text(Text::strong(value.to_string())),
        },
    }
}

fn row_key(group: &Group<'_>, comparison: &Comparison<'_>) -> Vec<Option<DimValue>> {
    group.rows.iter().map(|name| layout::at(comparison, name)).collect()
}

fn row_keys(group: &Group<'_>, comparisons: &[&Comparison<'_>]) -> Vec<Vec<Option<DimValue>>> {
    let keys: BTreeSet<_> = comparisons.iter().map(|one| row_key(group, one)).collect();
    keys.into_iter().collect()
}

/// One row for each grid point.
fn differences(
    group: &Group<'_>,
    comparisons: &[&Comparison<'_>],
    pair: &ArmPair<'_>,
    words: &Catalogue,
) -> Table {
    let axes: Vec<&str> = group.axes().collect();
    let mut heads: Vec<(String, Align)> =
        axes.iter().map(|name| (phrases::dim_name(name, words), Align::Left)).collect();
    let columns = Columns::of(comparisons);
    heads.extend(difference_heads(pair, &level(comparisons), columns, words));
    let mut table = Table::with_heads(heads);
    let mut comparisons = comparisons.to_vec();
    comparisons.sort_by_cached_key(|one| {
        axes.iter().map(|name| layout::at(one, name)).collect::<Vec<_>>()
    });
    for one in comparisons {
        let mut cells: Vec<Cell> =
            axes.iter().map(|name| row_head(layout::at(one, name).as_ref())).collect();
        cells.extend(difference_cells(one, columns, words));
        table.push(cells);
    }
    table
}
