//! Results of `EvalPlus`, each solution of each task: whether it passes the tests of the benchmark, and
//! those and the further tests of `humaneval+` or `mbpp+`.

use std::collections::BTreeSet;

use super::super::document::{Node, read_document};
use super::super::lines::Limits;
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::file_figures::read_figures;
use super::samples::Harvest;

pub(super) const READER: Reader = Reader { name: "evalplus", recognises, read };

const METRIC: &str = "pass@1";
/// `PASS` of `evalplus/eval`, and what it was called before.
const PASSED: &[&str] = &["pass", "success"];

pub(in crate::collect) fn recognises(file: &FileEntry) -> bool {
    let has = |key: &str| file.head_has(&format!("\"{key}\""));
    file.has_extension("json")
        && has("eval")
        && has("hash")
        && (has("base_status") || has("nfiles") && has("base"))
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    read_figures(file, &options.names, read_document, |root, fragment, findings| {
        let mut harvest = Harvest::of_file(file, options);
        for_each_record(root, |line, record| {
            // What is made here is JSON.
            let _taken = harvest.take_record(record, line);
        });
        let line_bytes = Limits::from(file.limits).line_bytes;
        *fragment = harvest.into_fragment(file, line_bytes).drain_into(findings);
        if let Some(hash) = root.get("hash").and_then(Node::text) {
            let datasets = fragment.samples.iter().filter_map(|table| table.dataset.clone());
            fragment.versions.extend(datasets.map(|dataset| (dataset, hash.to_owned())));
        }
    })
}

/// Hands on the records of these lines.
pub(in crate::collect) fn records(
    file: &FileEntry,
    wanted: &BTreeSet<u64>,
    take: &mut dyn FnMut(u64, &str),
) -> Result<(), String> {
    let root = read_document(file).map_err(|finding| finding.code.id().to_owned())?.value;
    for_each_record(&root, |line, record| {
        if wanted.contains(&line) {
            take(line, record);
        }
    });
    Ok(())
}

/// Each solution as a record of the tests of the benchmark, and of all tests where the further ones were run.
fn for_each_record(root: &Node, mut take: impl FnMut(u64, &str)) {
    for (task, node) in root.get("eval").into_iter().flat_map(Node::entries) {
        let dataset = task.split_once('/').map_or(task.as_str(), |(dataset, _)| dataset);
        let dataset = dataset.to_lowercase();
        for Solution { base, plus, text, line } in solutions(node) {
            let both = plus.map(|plus| (format!("{dataset}+"), base && plus));
            for (dataset, passed) in [(dataset.clone(), base)].into_iter().chain(both) {
                take(line, &record(&dataset, task, passed, text));
            }
        }
    }
}

struct Solution<'a> {
    /// Whether it passes the tests of the benchmark.
    base: bool,
    /// Whether it passes the further tests, where they were run.
    plus: Option<bool>,
    text: Option<&'a str>,
    line: u64,
}

/// The solutions of a task: a list of objects, and before 0.3 a list of results for each set of tests.
fn solutions(task: &Node) -> Vec<Solution<'_>> {
    if let Some(all) = task.list() {
        let status = |node: &Node, key: &str| node.get(key).and_then(Node::text).map(is_passed);
        let solution = |node| {
            let text = Node::get(node, "solution").and_then(Node::text);
            let plus = status(node, "plus_status");
            Some(Solution { base: status(node, "base_status")?, plus, text, line: node.line })
        };
        return all.iter().filter_map(solution).collect();
    }
    let results = |key: &str| {
        let status = |node: &Node| node.list()?.first()?.text().map(is_passed);
        let all = task.get(key).and_then(Node::list).unwrap_or_default();
        all.iter().map(|node| (status(node), node.line)).collect::<Vec<_>>()
    };
    let plus = results("plus");
    let solution = |(at, (base, line)): (usize, &(Option<bool>, u64))| {
        let plus = plus.get(at).and_then(|(status, _)| *status);
        Some(Solution { base: (*base)?, plus, text: None, line: *line })
    };
    results("base").iter().enumerate().filter_map(solution).collect()
}

fn is_passed(status: &str) -> bool {
    PASSED.contains(&status)
}

fn record(dataset: &str, task: &str, passed: bool, solution: Option<&str>) -> String {
    let [dataset, task] = [dataset, task].map(serde_json::Value::from);
    let text = solution.map(serde_json::Value::from);
    let text = text.map(|text| format!(",\"output\":{text}")).unwrap_or_default();
    let passed = u8::from(passed);
    format!("{{\"dataset\":{dataset},\"task_id\":{task},\"{METRIC}\":{passed}{text}}}")
}
