//! Records of figures in JSON, one a line or in a list: whether they stand at places of a grid, or follow a
//! training.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexSet;

use super::super::FileEntry;
use super::super::document::{Node, Table, Value, parse_json_line};
use super::coordinates::dim_of_column;
use super::figure::read_cell;
use super::points::axis_of_record;
use super::samples::json;
use super::{grid_sheet, wide};

/// Names under which a document may hold its records.
pub(super) const LISTS: &[&str] = &["results", "records", "rows", "runs"];

/// The records of a list, or of lines, as far as the first bytes show them.
pub(super) fn first_listed(file: &FileEntry) -> Vec<Node> {
    let mut records = Vec::new();
    each_listed(file, |record| {
        records.extend(parse_json_line(record, 1).ok().map(|parsed| parsed.root));
    });
    records
}

/// The names in these records, whose values are not looked at.
pub(super) fn names_listed(file: &FileEntry) -> Vec<String> {
    let mut names = IndexSet::new();
    let mut add = |name: &str| {
        if !names.contains(name) {
            names.insert(name.to_owned());
        }
    };
    each_listed(file, |record| json::each_member(record, |name, _| add(name)));
    names.into_iter().collect()
}

fn each_listed(file: &FileEntry, mut take: impl FnMut(&str)) {
    let head = String::from_utf8_lossy(file.head.trim_ascii_start());
    let list = || LISTS.iter().find_map(|name| list_under(&head, name));
    let list = if head.starts_with('[') { Some(&*head) } else { list() };
    if let Some(list) = list.filter(|_| file.has_extension("json")) {
        // The head may end in the middle of a record: those before its end tell enough.
        let _ended = json::for_each_element(list, &mut take);
    } else if is_lines(file) && head.starts_with('{') {
        head.lines().for_each(&mut take);
    }
}

/// The list under a key of a document, as far as its first bytes show it.
pub(in crate::collect) fn list_under<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    let (_, behind) = head.split_once(&format!("\"{name}\""))?;
    let list = behind.trim_start().strip_prefix(':')?.trim_start();
    list.starts_with('[').then_some(list)
}

pub(super) fn keys_of(records: &[Node]) -> Vec<String> {
    let keys: IndexSet<&String> =
        records.iter().filter_map(Node::table).flat_map(Table::keys).collect();
    keys.into_iter().cloned().collect()
}

/// Whether records with a step or an epoch are results at the places of a grid, and no points of a
/// training.
pub(super) fn lists_places(file: &FileEntry) -> bool {
    let records = first_listed(file);
    are_of_grid(&records, &keys_of(&records))
}

pub(super) fn are_of_grid(records: &[Node], header: &[String]) -> bool {
    let mut texts = records.iter().filter_map(Node::table).flat_map(Table::values);
    let mut has_counts = || texts.any(|node| node.text().is_some_and(states_counts));
    let is_grid = || wide::has_metric(header) && grid_sheet::is_grid(header);
    are_at_places(records) && (is_grid() || has_counts())
}

/// Whether flat records with a step or an epoch each stand at places of a grid: at a shot, all at one
/// step, or at several sizes at one step; or whether they are of evaluations, by their counts.
fn are_at_places(records: &[Node]) -> bool {
    let mut sizes: BTreeMap<u64, BTreeSet<&str>> = BTreeMap::new();
    let (mut has_shot, mut has_counts) = (false, false);
    for record in records {
        let Some(at) = axis_of_record(record).filter(|_| is_row(record)) else { return false };
        let sizes = sizes.entry(at.to_bits()).or_default();
        for (key, node) in record.table().into_iter().flatten() {
            has_counts |= node.text().is_some_and(states_counts);
            match dim_of_column(key) {
                Some("shot") => has_shot = true,
                Some("samples") => sizes.extend(node.written()),
                _ => {}
            }
        }
    }
    has_shot || has_counts || sizes.len() == 1 || sizes.values().any(|sizes| sizes.len() > 1)
}

pub(super) fn is_lines(file: &FileEntry) -> bool {
    ["jsonl", "ndjson", "jsonlines"].iter().any(|end| file.has_extension(end))
}

/// Longest text of a record of figures.
const LONGEST_TEXT: usize = 100;

/// Whether a record is flat and its texts are short.
pub(super) fn is_row(record: &Node) -> bool {
    let is_flat = |node: &Node| !matches!(node.value, Value::List(_) | Value::Table(_));
    let is_short = |node: &Node| node.text().is_none_or(|text| text.len() <= LONGEST_TEXT);
    record.table().is_some_and(|table| table.values().all(|one| is_flat(one) && is_short(one)))
}

/// Whether a text is a figure with the counts that it follows from, as `97.7% (43/44)`: that of an
/// evaluation, and no point of a curve.
pub(super) fn states_counts(text: &str) -> bool {
    text.ends_with(')') && read_cell(text).is_some_and(|figure| figure.n.is_some())
}
