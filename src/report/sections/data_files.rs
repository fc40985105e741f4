//! The data files of both arms side by side.

use super::{lists, phrases};
use crate::check::{data_files_differ, query_column};
use crate::model::{ColumnSummary, DataContent, DataFile};
use crate::pairing::{ArmPair, DataPair, DataPairJoin, PairArm};
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::block::{Block, Cell, Table, Text};
use crate::text::Catalogue;

/// Most columns of a data file that are summed up in one cell.
const MOST_COLUMNS: usize = 4;
/// Most values of a label that are shown.
const MOST_VALUES: usize = 3;

/// The table of corresponding files, if any of them differ.
pub(super) fn blocks(pair: &ArmPair<'_>, words: &Catalogue) -> Vec<Block> {
    if !differ(pair) {
        return Vec::new();
    }
    vec![Block::heading(words.get("data.heading")), table(pair, words)]
}

/// The table, where no such files differ: a check shows it as well.
pub(super) fn equal(material: &ReportMaterial<'_>) -> Vec<Block> {
    let names_any = |pair: &ArmPair<'_>| {
        PairArm::BOTH.iter().any(|&which| !pair.run(which).data_files.is_empty())
    };
    phrases::by_candidate(material, |pair, _, _| {
        let is_shown = names_any(pair) && !differ(pair);
        is_shown.then(|| table(pair, material.words)).into_iter().collect()
    })
}

fn differ(pair: &ArmPair<'_>) -> bool {
    pair.data.iter().any(|files| data_files_differ(files.baseline, files.candidate))
}

fn table(pair: &ArmPair<'_>, words: &Catalogue) -> Block {
    let of_arm = |which| pair.run(which).data_files.iter().map(move |file| (which, file));
    let files: Vec<(PairArm, &DataFile)> = PairArm::BOTH.into_iter().flat_map(of_arm).collect();
    let head = |key: &str| words.get(&format!("data.{key}"));
    let repeated =
        |content: &DataContent| (content.rows_read > 0).then_some(content.duplicates.rows);
    Table::of_rows(&files)
        .left(head("arm"), |(which, _)| Text::strong(phrases::arm_label(pair, *which, words)))
        .left(head("file"), |(_, file)| Text::code(file.name()))
        .left(head("use"), |(_, file)| words.get(&format!("data.role.{}", file.role.name())))
        .right(head("bytes"), |(_, file)| {
            number(file.content.as_ref().map(|content| content.bytes))
        })
        .right(head("records"), |(_, file)| records(file.content.as_ref()))
        .right(head("shared"), |(_, file)| number(shared(pair, file)))
        .right(head("repeated"), |(_, file)| number(file.content.as_ref().and_then(repeated)))
        .left(head("quality"), |(_, file)| {
            let read = file.content.as_ref().filter(|content| content.rows_read > 0);
            let is_empty = file.content.as_ref().is_some_and(|content| content.rows == Some(0));
            let told = match read {
                Some(content) => Some(quality(content, words)),
                None => (!is_empty).then(|| words.get("data.not-read")),
            };
            let parts = same_rows(pair, file, words).into_iter().chain(told);
            let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
            parts.join(&words.get("punctuation.semicolon"))
        })
        .left(head("hash"), |(_, file)| hash(file, words))
        .block()
}

fn number(value: Option<u64>) -> Cell {
    value.map_or_else(Cell::missing, Cell::count)
}

/// Of a file that was read in part only, at least so many.
fn records(content: Option<&DataContent>) -> Cell {
    match content {
        Some(content) if content.partial && content.rows_read > 0 => {
            let read = content.rows_read;
            Cell::number(format!("≥ {}", quantity::count(read)), read as f64)
        }
        other => number(other.and_then(|content| content.rows)),
    }
}

/// Records that the other arm's file has too.
fn shared(pair: &ArmPair<'_>, file: &DataFile) -> Option<u64> {
    Some(of_file(pair, file)?.join.as_ref()?.shared)
}

/// The file beside the one that stands in its place in the other arm.
fn of_file<'p, 'a>(pair: &'p ArmPair<'a>, file: &DataFile) -> Option<&'p DataPair<'a>> {
    let is_it = |other: &DataFile| std::ptr::eq(other, file);
    pair.data.iter().find(|files| is_it(files.baseline) || is_it(files.candidate))
}

/// That a file has the records of the other arm's in another order or format.
fn same_rows(pair: &ArmPair<'_>, file: &DataFile, words: &Catalogue) -> Option<String> {
    let is_same = |files: &&DataPair<'_>| {
        data_files_differ(files.baseline, files.candidate)
            && files.join.as_ref().is_some_and(DataPairJoin::same_rows)
    };
    of_file(pair, file).filter(is_same).map(|_| words.get("data.same-rows"))
}

fn hash(file: &DataFile, words: &Catalogue) -> Text {
    match &file.content {
        Some(content) => Text::code(content.sha256.chars().take(12).collect::<String>()),
        None if file.is_withheld => Text::plain(words.get("data.withheld")),
        None if file.is_elsewhere() => Text::plain(words.get("data.elsewhere")),
        None => Text::plain(words.get("data.gone")),
    }
}

/// Queries with a positive sample, switches as `664/800 (83.0%)`, means of numbers, labels, in the
/// words of the file's own columns.
fn quality(content: &DataContent, words: &Catalogue) -> String {
    let queries = content.queries.as_ref();
    let queries =
        queries.map(|queries| share(&query_column(queries), queries.positive, queries.n, words));
    let figures = content.columns.iter().filter_map(|column| match &column.summary {
        ColumnSummary::Flag { yes } if column.n > 0 => {
            Some(share(&column.name, *yes, column.n, words))
        }
        ColumnSummary::Number { mean, .. } if !is_id(&column.name) && column.values.is_empty() => {
            let mean = quantity::mean(*mean);
            Some(words.fill("data.mean", &[("column", &column.name), ("mean", &mean)]))
        }
        _ => None,
    });
    let labels = content.columns.iter().filter(|column| column.values.len() > 1).map(|column| {
        let shown = column.values.iter();
        let percent = |count: u64| quantity::percent(count as f64 / column.n as f64);
        let parts = shown.map(|(value, count)| format!("{value} {}", percent(*count)));
        let values = lists::first(parts, MOST_VALUES, words);
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
