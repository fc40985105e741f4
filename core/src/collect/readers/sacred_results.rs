//! What the main function of an experiment of sacred returned: `result` of its `run.json`.

use super::super::FileEntry;
use super::super::document::{Node, Table};
use super::figure::SIZE_KEYS;
use super::file_figures::{FigureEntry, scalar};
use crate::model::{Dims, MetricNames, Scalar, Source};

pub(super) const RESULT: &str = "result";
/// What else sacred writes at the top of the record of a run.
const BESIDE: [&str; 3] = ["experiment", "heartbeat", "meta"];

/// The figures in it, each called by the keys above it; a number alone is called `result`.
pub(super) fn results(root: &Node, file: &FileEntry, names: &MetricNames) -> Vec<Scalar> {
    let is_by_sacred = BESIDE.iter().all(|key| root.get(key).is_some());
    let mut found = Vec::new();
    let mut waiting: Vec<(String, &Node, Option<&Table>)> = Vec::new();
    if let Some(result) = root.get(RESULT).filter(|_| is_by_sacred) {
        waiting.push((RESULT.to_owned(), result, None));
    }
    while let Some((key, node, beside)) = waiting.pop() {
        let metric = key.strip_prefix(RESULT).and_then(|rest| rest.strip_prefix('/'));
        let metric = metric.unwrap_or(&key);
        if let FigureEntry::Figure(mut figure) = FigureEntry::read(metric, node, names) {
            let size = SIZE_KEYS.iter().find_map(|name| beside?.get(*name)?.count());
            figure.n = figure.n.or(size);
            let source = Source::line(&file.display, node.line, key.as_str());
            found.push(scalar(metric, None, &Dims::none(), figure, source, names));
        } else if let Some(table) = node.table() {
            let is_size = |name: &str| SIZE_KEYS.contains(&name) && !names.is_declared(name);
            let below = table.iter().rev().filter(|(name, _)| !is_size(name));
            waiting.extend(below.map(|(name, node)| (format!("{key}/{name}"), node, Some(table))));
        }
    }
    found
}
