//! The figures: grids and difference tables where coordinates vary, one table of metrics elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use super::layout::{self, ReportGrid, ReportGridPage};
use super::urgency::most_urgent_first;
use super::{folded, lists, margins, noise, phrases, roles};
use crate::compare::Comparison;
use crate::model::DimValue;
use crate::pairing::{ArmPair, PairArm};
use crate::quantity;
use crate::report::block::{self, Block, Cell, Table, Text};
use crate::report::{ReportMaterial, SHOWN_FIRST};
use crate::text::Catalogue;

pub(crate) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let mut blocks = phrases::by_candidate(material, |pair, _, comparisons| {
        let groups = layout::groups(comparisons, material.layout);
        let (grids, flat): (Vec<_>, Vec<_>) = groups.into_iter().partition(ReportGrid::is_grid);
        let flat = flat.iter().flat_map(|group| group.comparisons.iter().copied());
        let flat = most_urgent_first(flat);
        let table = (!flat.is_empty()).then(|| metrics(&flat, pair, words));
        let grids = grids.iter().flat_map(|group| grid_blocks(group, pair, words));
        let margins = margins::blocks(comparisons, words);
        let joint = joint(comparisons, words);
        table.into_iter().chain(grids).chain(margins).chain(joint).collect()
    });
    blocks.extend(idle_axes(material).filter(|_| !blocks.is_empty()));
    if !blocks.is_empty() {
        blocks.extend(roles::lines(material).into_iter().map(Block::paragraph));
    }
    let count = material.all().count();
    let is_grid = || {
        material.pairs().any(|(_, _, comparisons)| {
            layout::groups(comparisons, material.layout).iter().any(ReportGrid::is_grid)
        })
    };
    if count > SHOWN_FIRST || is_grid() {
        return blocks;
    }
    folded(words.fill("results.folded", &[("count", count)]), blocks)
}

/// The intervals that hold together in a family of several tests. No verdict goes by them.
fn joint(comparisons: &[Comparison<'_>], words: &Catalogue) -> Option<Block> {
    let rows = most_urgent_first(comparisons.iter().filter(|one| one.ci_simultaneous.is_some()));
    let level = quantity::level(1.0 - rows.first()?.alpha);
    let table = Table::of_rows(&rows)
        .left(words.get("results.metric"), |one| phrases::cell_name(one, words))
        .right(words.get("results.difference"), |one| phrases::delta_cell(one, words))
        .right(words.fill("results.joint", &[("level", &level)]), |one| {
            phrases::joint_interval_cell(one)
        });
    let summary = words.fill("results.joint-folded", &[("level", &level)]);
    Some(Block::folded(summary, vec![table.block()]))
}

/// Axes that were asked for and lie in no grid: coordinates with one value throughout each run.
fn idle_axes(material: &ReportMaterial<'_>) -> Option<Block> {
    let (words, comma) = (material.words, material.words.get("punctuation.comma"));
    let all: Vec<&Comparison<'_>> = material.all().collect();
    let idle = material.layout.axes().filter(|axis| layout::axis_values(&all, axis).is_empty());
    let names = lists::joined(idle.map(str::to_owned).collect(), &comma);
    let text = words.fill("results.idle-axes", &[("names", &names)]);
    (!names.is_empty()).then(|| Block::paragraph(text))
}

fn metrics(comparisons: &[&Comparison<'_>], pair: &ArmPair<'_>, words: &Catalogue) -> Block {
    let datasets: BTreeSet<_> =
        comparisons.iter().map(|comparison| &comparison.cell.key.dataset).collect();
    let with_dims = comparisons.iter().any(|comparison| !comparison.cell.key.dims.is_empty());
    let table = Table::of_rows(comparisons)
        .left(words.get("results.metric"), |comparison| {
            Text::code(comparison.cell.key.metric.as_str())
        })
        .when(datasets.len() > 1, |table| {
            table.left(words.get("results.dataset"), |comparison| {
                comparison.cell.key.dataset.as_deref().unwrap_or_default()
            })
        })
        .when(with_dims, |table| {
            table.left(words.get("results.dims"), |comparison| {
                phrases::place_phrase(&comparison.cell.key.dims, words)
            })
        });
    with_differences(table, comparisons, pair, words).block()
}

type CellOf = fn(&Comparison<'_>) -> Cell;

type Columns<'r, 'a> = block::ReportColumns<'r, &'r Comparison<'a>>;

/// Adds the figures of both arms and how they compare. Interval and test stand where anything was
/// compared, or was expected to be; intervals that hold together in a family of several tests; how
/// far runs of the baseline lie apart where some repeat it.
fn with_differences<'r, 'a>(
    table: Columns<'r, 'a>,
    comparisons: &[&Comparison<'_>],
    pair: &ArmPair<'_>,
    words: &Catalogue,
) -> Columns<'r, 'a> {
    let level = comparisons.first().map(|comparison| quantity::level(1.0 - comparison.alpha));
    let level = [("level", level.unwrap_or_default())];
    let any =
        |holds: fn(&Comparison<'_>) -> bool| comparisons.iter().any(|comparison| holds(comparison));
    let is_tested = any(|comparison| comparison.delta.is_some());
    let mut table = table
        .right(pair.name(PairArm::Baseline), |comparison| {
            phrases::figure_cell(comparison, PairArm::Baseline, words)
        })
        .right(pair.name(PairArm::Candidate), |comparison| {
            phrases::figure_cell(comparison, PairArm::Candidate, words)
        })
        .right(words.get("results.difference"), |comparison| {
            phrases::delta_cell(comparison, words)
        });
    let optional: [(&str, bool, CellOf); 3] = [
        ("results.interval", is_tested, phrases::interval_cell),
        ("results.noise", any(|comparison| comparison.noise.is_some()), noise::floor_cell),
        ("results.p", is_tested, |comparison| phrases::p_cell(comparison.p_adjusted())),
    ];
    for (key, is_shown, cell) in optional {
        table = table.when(is_shown, |table| {
            table.right(words.fill(key, &level), |comparison| match comparison.delta {
                Some(_) => cell(comparison),
                None => phrases::no_difference(comparison),
            })
        });
    }
    table
        .right(words.get("results.n"), |comparison| phrases::n_cell(comparison, words))
        .left(words.get("results.judgement"), |comparison| phrases::judgement(comparison, words))
}

fn grid_blocks(group: &ReportGrid<'_>, pair: &ArmPair<'_>, words: &Catalogue) -> Vec<Block> {
    group.pages().iter().flat_map(|page| page_blocks(group, page, pair, words)).collect()
}

fn page_blocks(
    group: &ReportGrid<'_>,
    page: &ReportGridPage<'_>,
    pair: &ArmPair<'_>,
    words: &Catalogue,
) -> Vec<Block> {
    let comparisons = &page.comparisons;
    let shown = |which: PairArm| {
        comparisons.iter().any(|comparison| comparison.cell.side(which).value().value().is_some())
    };
    let title = page_title(group, page, words);
    if !PairArm::BOTH.into_iter().any(shown) {
        let count = [("count", comparisons.len())];
        let text = title.and_plain(words.fill("results.nothing-yet", &count));
        return vec![Block::paragraph(text)];
    }
    let mut blocks = vec![Block::heading(title)];
    // Without columns, the table of differences has every figure of both arms in the same rows.
    let arms = PairArm::BOTH.into_iter().filter(|_| group.column.is_some() || !group.asked);
    for which in arms {
        let label = Text::strong(phrases::arm_label(pair, which, words));
        if shown(which) {
            let colon = words.get("punctuation.colon-end");
            blocks.push(Block::paragraph(label.and_plain(colon)));
            blocks.push(Block::Table { table: grid(group, comparisons, which, words) });
        } else {
            blocks.push(Block::paragraph(label.and_plain(words.get("results.no-results"))));
        }
    }
    if PairArm::BOTH.into_iter().all(shown) {
        // What has no difference stands in the tables of the arms, where there are any.
        let has_row = |one: &&&Comparison<'_>| group.column.is_none() || one.delta.is_some();
        let rows: Vec<&Comparison<'_>> = comparisons.iter().filter(has_row).copied().collect();
        if !rows.is_empty() {
            blocks.push(Block::paragraph(words.get("results.difference-table")));
            blocks.push(differences(group, &rows, pair, words));
        }
    }
    blocks
}

pub(super) fn page_title(
    group: &ReportGrid<'_>,
    page: &ReportGridPage<'_>,
    words: &Catalogue,
) -> Text {
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
    group: &ReportGrid<'_>,
    comparisons: &[&Comparison<'_>],
    which: PairArm,
    words: &Catalogue,
) -> Table {
    let mut by_row: BTreeMap<Vec<Option<DimValue>>, Vec<&Comparison<'_>>> = BTreeMap::new();
    for comparison in comparisons {
        let key = group.rows.iter().map(|name| layout::coordinate(comparison, name)).collect();
        by_row.entry(key).or_default().push(comparison);
    }
    let rows: Vec<_> = by_row.into_iter().collect();
    let mut table = Table::of_rows(&rows);
    for (position, name) in group.rows.iter().enumerate() {
        let head = phrases::dim_name(name, words);
        table = table.left(head, |(key, _)| row_head(key.get(position).and_then(Option::as_ref)));
    }
    let Some(name) = &group.column else {
        let figure = |(_, row): &(_, Vec<&Comparison<'_>>)| {
            row.first()
                .map_or_else(Cell::default, |first| phrases::figure_cell(first, which, words))
        };
        return table.right(group.metric, figure).table();
    };
    for value in layout::axis_values(comparisons, name) {
        table = table.right(phrases::dim_value(name, &value, words), |(_, row)| {
            let is_here = |comparison: &&&Comparison<'_>| {
                layout::coordinate(comparison, name).as_ref() == Some(&value)
            };
            let comparison = row.iter().find(is_here);
            comparison.map_or_else(Cell::missing, |comparison| {
                phrases::figure_cell(comparison, which, words)
            })
        });
    }
    table.table()
}

fn row_head(value: Option<&DimValue>) -> Cell {
    value.map_or_else(Cell::default, |value| phrases::axis_cell(value, value.to_string()))
}

fn differences(
    group: &ReportGrid<'_>,
    comparisons: &[&Comparison<'_>],
    pair: &ArmPair<'_>,
    words: &Catalogue,
) -> Block {
    let axes: Vec<&str> = group.axes().collect();
    let mut comparisons = comparisons.to_vec();
    comparisons.sort_by_cached_key(|comparison| {
        axes.iter().map(|name| layout::coordinate(comparison, name)).collect::<Vec<_>>()
    });
    let mut table = Table::of_rows(&comparisons);
    for name in axes {
        table = table.left(phrases::dim_name(name, words), |comparison| {
            row_head(layout::coordinate(comparison, name).as_ref())
        });
    }
    with_differences(table, &comparisons, pair, words).block()
}
