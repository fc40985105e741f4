//! The data files of both arms side by side.

use super::phrases;
use crate::check::{data_files_differ, query_column};
use crate::group::{ArmPair, DataPair, Which};
use crate::model::{ColumnSummary, DataContent, DataFile};
use crate::quantity;
use crate::report::Material;
use crate::report::block::{Align, Block, Cell, Table, Text};
use crate::text::Catalogue;

/// Most columns of a data file that are summed up in one cell.
const MOST_COLUMNS: usize = 4;
/// Most values of a label that are shown.
const MOST_VALUES: usize = 3;

/// The table, where files that stand in each other's place differ.
pub(super) fn blocks(pair: &ArmPair<'_>, words: &Catalogue) -> Vec<Block> {
    if !differ(pair) {
        return Vec::new();
    }
    let text = Text::plain(words.get("data.heading"));
    vec![Block::Heading { text }, Block::Table { table: table(pair, words) }]
}

/// The table, where no such files differ: a check shows it as well.
pub(super) fn equal(material: &Material<'_>) -> Vec<Block> {
    let names_any = |pair: &ArmPair<'_>| {
        Which::BOTH.iter().any(|&which| !pair.run(which).data_files.is_empty())
    };
    material
        .pairs()
        .filter(|(pair, _, _)| names_any(pair) && !differ(pair))
        .flat_map(|(pair, _, _)| {
            let heading = phrases::candidate_heading(material, pair);
            heading.into_iter().chain([Block::Table { table: table(pair, material.words) }])
        })
        .collect()
}

fn differ(pair: &ArmPair<'_>) -> bool {
    pair.data.iter().any(|files| data_files_differ(files.baseline, files.candidate))
}

fn table(pair: &ArmPair<'_>, words: &Catalogue) -> Table {
    let heads = [
        ("arm", Align::Left),
        ("file", Align::Left),
        ("use", Align::Left),
        ("bytes", Align::Right),
        ("records", Align::Right),
        ("shared", Align::Right),
        ("repeated", Align::Right),
        ("quality", Align::Left),
        ("hash", Align::Left),
    ];
    let heads = heads.map(|(head, align)| (words.get(&format!("data.{head}")), align));
    let mut table = Table::with_heads(heads.into());
    for which in Which::BOTH {
        for file in &pair.run(which).data_files {
            let content = file.content.as_ref();
            table.push(vec![
                Cell::text(Text::strong(phrases::arm_label(pair, which, words))),
                Cell::text(Text::code(file.name())),
                Cell::text(words.get(&format!("data.role.{}", file.role.name()))),
                number(content.map(|one| one.bytes)),
                records(content),
                number(shared(pair, file)),
                number(content.filter(|one| one.rows_read > 0).map(|one| one.duplicates.rows)),
                Cell::text(content.map_or_else(|| "?".to_owned(), |one| quality(one, words))),
                hash(content, words),
            ]);
        }
    }
    table
}

fn number(value: Option<u64>) -> Cell {
    match value {
        Some(value) => Cell::number(quantity::count(value), value as f64),
        None => Cell::missing(),
    }
}

/// Of a file that was read in part only, at least so many.
fn records(content: Option<&DataContent>) -> Cell {
    match content {
        Some(one) if one.partial && one.rows_read > 0 => {
            Cell::number(format!("≥ {}", quantity::count(one.rows_read)), one.rows_read as f64)
        }
        other => number(other.and_then(|one| one.rows)),
    }
}

/// Records that the other arm's file has too.
fn shared(pair: &ArmPair<'_>, file: &DataFile) -> Option<u64> {
    let is_it = |one: &DataFile| std::ptr::eq(one, file);
    let of_file = |files: &&DataPair<'_>| is_it(files.baseline) || is_it(files.candidate);
    Some(pair.data.iter().find(of_file)?.join.as_ref()?.shared)
}

fn hash(content: Option<&DataContent>, words: &Catalogue) -> Cell {
    match content {
        Some(content) => {
            Cell::text(Text::code(content.sha256.chars().take(12).collect::<String>()))
        }
        None => Cell::text(words.get("data.gone")),
    }
}

/// Queries with a positive sample, switches as `664/800 (83.0%)`, means of numbers, labels, in the
/// words of the file's own columns.
fn quality(content: &DataContent, words: &Catalogue) -> String {
    let queries = content.queries.as_ref();
    let queries = queries.map(|one| share(&query_column(one), one.positive, one.n, words));
    let figures = content.columns.iter().filter_map(|column| match &column.summary {
        ColumnSummary::Flag { yes } if column.n > 0 => {
            Some(share(&column.name, *yes, column.n, words))
        }
        ColumnSummary::Number { mean, .. } if !is_id(&column.name) && column.values.is_empty() => {
            Some(
                words.fill(
                    "data.mean",
                    &[("column", &column.name), ("mean", &quantity::mean(*mean))],
                ),
            )
        }
        _ => None,
    });
    let labels = content.columns.iter().filter(|column| column.values.len() > 1).map(|column| {
        let shown = column.values.iter().take(MOST_VALUES);
        let percent = |count: u64| quantity::percent(count as f64 / column.n as f64);
        let mut parts: Vec<String> =
            shown.map(|(value, count)| format!("{value} {}", percent(*count))).collect();
        if column.values.len() > MOST_VALUES {
            parts.push("…".to_owned());
        }
        let values = parts.join(&words.get("punctuation.comma"));
        words.fill("data.labels", &[("column", &column.name), ("values", &values)])
    });
    let parts: Vec<String> =
        queries.into_iter().chain(figures).chain(labels).take(MOST_COLUMNS).collect();
    parts.join(&words.get("punctuation.semicolon"))
}

fn share(column: &str, yes: u64, n: u64, words: &Catalogue) -> String {
    let percent = quantity::percent(yes as f64 / n as f64);
    let args = [("column", column), ("count", &format!("{yes}/{n}")), ("percent", &percent)];
    words.fill("data.share", &args)
}

/// A mean of identifiers says nothing.
fn is_id(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    matches!(name.as_str(), "id" | "idx" | "index" | "uid" | "seed") || name.ends_with("_id")
}
