//! Grids summed up: by page, by row, by column. Averages say how many cells they stand on.

use super::layout::{self, Group};
use super::phrases;
use crate::compare::Comparison;
use crate::model::DimValue;
use crate::report::block::{Align, Block, Cell, Table, Text};
use crate::report::{Material, quantity};
use crate::text::Catalogue;

pub(super) fn blocks(material: &Material<'_>) -> Vec<Block> {
    let words = material.words;
    material
        .pairs()
        .flat_map(|(pair, _, comparisons)| {
            let blocks: Vec<Block> = layout::groups(comparisons)
                .iter()
                .filter(|group| {
                    group.is_grid() && group.comparisons.iter().any(|one| one.delta.is_some())
                })
                .flat_map(|group| group_blocks(group, words))
                .collect();
            let heading = phrases::candidate_heading(material, pair).filter(|_| !blocks.is_empty());
            heading.into_iter().chain(blocks)
        })
        .collect()
}

fn group_blocks(group: &Group<'_>, words: &Catalogue) -> Vec<Block> {
    let mut blocks = vec![
        Block::Heading { text: title(group, words) },
        Block::Table { table: overall(group, words) },
    ];
    let axes: Vec<&str> = group.axes().collect();
    for axis in axes {
        let name = phrases::dim_name(axis, words);
        let text = Text::plain(words.fill("summary.by", &[("axis", &name)]));
        blocks.push(Block::Heading { text });
        blocks.push(Block::Table { table: by_axis(group, axis, words) });
    }
    blocks
}

fn title(group: &Group<'_>, words: &Catalogue) -> Text {
    let text = Text::code(group.metric);
    match group.dataset {
        None => text,
        Some(dataset) => text.and_plain(words.fill("phrase.detail", &[("detail", dataset)])),
    }
}

fn page_heads(group: &Group<'_>, pages: &[Option<DimValue>], words: &Catalogue) -> Vec<String> {
    pages
        .iter()
        .map(|page| match (&group.page, page) {
            (Some(name), Some(value)) => phrases::dim_value(name, value, words),
            _ => words.get("summary.all"),
        })
        .collect()
}

fn overall(group: &Group<'_>, words: &Catalogue) -> Table {
    let pages = group.pages();
    let mut heads = vec![(words.get("summary.figure"), Align::Left)];
    heads.extend(page_heads(group, &pages, words).into_iter().map(|head| (head, Align::Right)));
    let tallies: Vec<Tally<'_>> =
        pages.iter().map(|page| Tally::of(&group.on_page(page.as_ref()))).collect();
    let mut table = Table::with_heads(heads);
    let mut row = |key: &str, cell: &dyn Fn(&Tally<'_>) -> Cell| {
        let mut cells = vec![Cell::text(words.get(key))];
        cells.extend(tallies.iter().map(cell));
        table.push(cells);
    };
    row("summary.mean", &|tally| tally.mean_cell());
    row("summary.largest-gain", &|tally| tally.extreme_cell(1.0, words));
    row("summary.largest-loss", &|tally| tally.extreme_cell(-1.0, words));
    row("summary.improved", &|tally| tally.count_cell(tally.improved, words));
    row("summary.declined", &|tally| tally.count_cell(tally.declined, words));
    row("summary.tied", &|tally| tally.count_cell(tally.tied, words));
    row("summary.missing", &|tally| {
        let text = format!("{}/{}", tally.missing, tally.total);
        Cell::number(text, tally.missing as f64)
    });
    table
}

/// What became of the cells of one page.
struct Tally<'a> {
    known: Vec<(&'a Comparison<'a>, f64)>,
    improved: usize,
    declined: usize,
    tied: usize,
    missing: usize,
    total: usize,
}

impl<'a> Tally<'a> {
    /// Improved and declined follow the metric's direction; where it has none, rise and fall.
    fn of(comparisons: &[&'a Comparison<'a>]) -> Self {
        let known: Vec<(&Comparison<'_>, f64)> = comparisons
            .iter()
            .filter_map(|one| Some((*one, phrases::settled(one.delta?))))
            .collect();
        let good = |(one, delta): &(&Comparison<'_>, f64)| {
            delta * one.cell.spec.direction.sign().unwrap_or(1.0)
        };
        let count = |keep: &dyn Fn(f64) -> bool| known.iter().filter(|one| keep(good(one))).count();
        Self {
            improved: count(&|change| change > 0.0),
            declined: count(&|change| change < 0.0),
            tied: count(&|change| change == 0.0),
            missing: comparisons.len() - known.len(),
            total: comparisons.len(),
            known,
        }
    }

    fn mean(&self) -> Option<f64> {
        let sum: f64 = self.known.iter().map(|(_, delta)| delta).sum();
        (!self.known.is_empty()).then(|| sum / self.known.len() as f64)
    }

    fn mean_cell(&self) -> Cell {
        self.mean()
            .zip(self.known.first())
            .map_or_else(Cell::missing, |(mean, (one, _))| Cell::number(mean_text(mean, one), mean))
    }

    /// The largest change towards (+1) or against (−1) the metric's good side, with its place.
    fn extreme_cell(&self, side: f64, words: &Catalogue) -> Cell {
        let along = |(one, delta): &&(&Comparison<'_>, f64)| {
            side * delta * one.cell.spec.direction.sign().unwrap_or(1.0)
        };
        let best = self
            .known
            .iter()
            .filter(|one| along(one) > 0.0)
            .max_by(|a, b| along(a).total_cmp(&along(b)));
        match best {
            None if self.known.is_empty() => Cell::missing(),
            None => Cell::text("—"),
            Some((one, delta)) => {
                let name = phrases::delta_text(one, *delta);
                let detail = phrases::place(&one.cell.key.dims, words);
                let text =
                    words.fill("phrase.name-with-detail", &[("name", &name), ("detail", &detail)]);
                Cell::number(text, *delta)
            }
        }
    }

    fn count_cell(&self, count: usize, words: &Catalogue) -> Cell {
        if self.known.is_empty() {
            return Cell::text(format!("?/{}", self.total));
        }
        let name = format!("{count}/{}", self.total);
        let text = if self.missing > 0 {
            let missing = self.missing.to_string();
            words.fill("summary.with-missing", &[("share", &name), ("missing", &missing)])
        } else {
            name
        };
        Cell::number(text, count as f64)
    }
}

/// A mean of differences needs more decimals than its operands; trailing zeros are cut.
fn mean_text(mean: f64, one: &Comparison<'_>) -> String {
    let unit = one.cell.spec.unit;
    let decimals = if unit.is_rate() { 3 } else { phrases::interval_decimals(one) };
    let text = quantity::signed(phrases::settled(mean), decimals);
    let trimmed = match text.split_once('.') {
        Some((whole, decimals)) => {
            let kept = decimals.trim_end_matches('0');
            format!("{whole}.{}", if kept.is_empty() { "0" } else { kept })
        }
        None => text,
    };
    format!("{trimmed}{}", quantity::delta_suffix(unit))
}

fn by_axis(group: &Group<'_>, axis: &str, words: &Catalogue) -> Table {
    let pages = group.pages();
    let mut heads = vec![(phrases::dim_name(axis, words), Align::Left)];
    heads.extend(
        page_heads(group, &pages, words)
            .into_iter()
            .map(|page| (words.fill("summary.mean-on", &[("page", &page)]), Align::Right)),
    );
    let with_trend = pages.len() >= 2;
    if with_trend {
        heads.push((words.get("summary.trend"), Align::Center));
    }
    let mut table = Table::with_heads(heads);
    for value in layout::values(&group.comparisons, axis) {
        let means: Vec<Option<(f64, Cell)>> = pages
            .iter()
            .map(|page| {
                let on_row: Vec<_> = group
                    .on_page(page.as_ref())
                    .into_iter()
                    .filter(|one| one.cell.key.dims.get(axis) == Some(&value))
                    .collect();
                let tally = Tally::of(&on_row);
                tally.mean().map(|mean| (mean, tally.mean_cell()))
            })
            .collect();
        let head = Text::strong(phrases::dim_value(axis, &value, words));
        let mut cells = vec![match value.number() {
            Some(number) => Cell::number(head, number),
            None => Cell::text(head),
        }];
        let trend = trend(&means);
        cells.extend(
            means.into_iter().map(|mean| mean.map_or_else(Cell::missing, |(_, cell)| cell)),
        );
        if with_trend {
            cells.push(trend);
        }
        table.push(cells);
    }
    table
}

/// Sign of the change from the first page to the last.
fn trend(means: &[Option<(f64, Cell)>]) -> Cell {
    match (means.first(), means.last()) {
        (Some(Some((first, _))), Some(Some((last, _)))) => {
            Cell::text(Text::icon(phrases::direction_icon(phrases::settled(last - first))))
        }
        _ => Cell::missing(),
    }
}
