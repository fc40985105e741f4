//! Fields that say one thing in all records of each arm, and not the same in both: how samples were asked
//! or scored, whatever the field is called. The same of columns beside stated figures.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::samples::about;
use crate::diag::{Code, Diagnostic};
use crate::model::Scalar;
use crate::pairing::{CellPair, RunPair, TablePair, is_rater};

/// Fewer records may say the same by chance.
const FEWEST_RECORDS: usize = 20;

/// First words of names that say which arm a record is of, on what it ran, or what came out.
const BEGINNINGS: [&str; 44] = [
    "account",
    "adapter",
    "agent",
    "algorithm",
    "answer",
    "approach",
    "arm",
    "branch",
    "build",
    "checkpoint",
    "cluster",
    "commit",
    "completion",
    "condition",
    "config",
    "created",
    "date",
    "device",
    "experiment",
    "file",
    "filename",
    "finished",
    "generation",
    "host",
    "hostname",
    "job",
    "machine",
    "message",
    "method",
    "model",
    "name",
    "node",
    "output",
    "policy",
    "prediction",
    "response",
    "run",
    "session",
    "started",
    "strategy",
    "system",
    "user",
    "variant",
    "worker",
];
/// Last words of names that say who, where, when or at what cost.
const ENDINGS: [&str; 35] = [
    "epoch",
    "iteration",
    "seed",
    "step",
    "steps",
    "at",
    "cost",
    "date",
    "day",
    "dir",
    "directory",
    "duration",
    "elapsed",
    "file",
    "filename",
    "hash",
    "id",
    "label",
    "latency",
    "line",
    "log",
    "ms",
    "path",
    "price",
    "seconds",
    "sha",
    "tag",
    "time",
    "timestamp",
    "tokens",
    "trace",
    "uri",
    "url",
    "usd",
    "uuid",
];

/// Words in heads of columns that say what a model is, whose, and where more is written of it.
const OF_MODELS: [&str; 38] = [
    "arch",
    "architecture",
    "base",
    "family",
    "grade",
    "open",
    "parameters",
    "params",
    "release",
    "released",
    "size",
    "type",
    "参数量",
    "架构",
    "author",
    "authors",
    "company",
    "creator",
    "developer",
    "institution",
    "lab",
    "licence",
    "license",
    "link",
    "organisation",
    "organization",
    "owner",
    "paper",
    "provider",
    "publisher",
    "ref",
    "reference",
    "team",
    "vendor",
    "作者",
    "单位",
    "机构",
    "许可",
];
/// Parts of Chinese heads that say when, where and by what name.
const OF_ROWS: [&str; 9] = ["日期", "时间", "说明", "描述", "名称", "链接", "编号", "序号", "实验"];

/// What those who rate took, and what they wrote.
const MEASURED: [&str; 8] =
    ["cost", "duration", "latency", "response", "time", "timestamp", "tokens", "output"];

pub(super) fn run(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    let judged = pair.cells.iter().filter(|cell| cell.has_good_side());
    let judged: BTreeSet<usize> = judged.filter_map(|cell| cell.table).collect();
    let cells = pair.cells_by_table();
    let tables = judged.iter().filter_map(|&at| pair.tables.get(at).zip(cells.get(at)));
    let mut found: Vec<(&TablePair<'_>, Vec<&str>)> =
        tables.map(|(tables, cells)| (tables, unlike(pair, cells, tables))).collect();
    found.retain(|(_, fields)| !fields.is_empty());
    let fields: BTreeSet<&str> = found.iter().flat_map(|(_, fields)| fields).copied().collect();
    let first = found.first().map(|&(tables, _)| {
        about(Code::ConstantsDiffer, tables)
            .with("alike", "records")
            .with("fields", fields.into_iter().map(str::to_owned).collect::<Vec<String>>())
            .at(tables.candidate.source(0, "").location())
    });
    first.into_iter().chain(beside_figures(pair)).collect()
}

/// The findings about columns beside stated figures: one for all, or one for each dataset where they
/// differ for some.
fn beside_figures(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    let stated = pair.cells.iter().filter(|cell| cell.has_good_side() && !cell.is_of_samples());
    let mut found: IndexMap<Option<&str>, (BTreeSet<&str>, &Scalar)> = IndexMap::new();
    let mut are_all = true;
    for cell in stated {
        let sides = cell.baseline.stated.as_ref().zip(cell.candidate.stated.as_ref());
        let Some((mine, theirs)) = sides else { continue };
        let unlike = remarks_unlike(pair, mine.scalar, theirs.scalar);
        are_all &= !unlike.is_empty();
        if !unlike.is_empty() {
            let dataset = cell.key.dataset.as_deref();
            let (fields, _) = found.entry(dataset).or_insert((BTreeSet::new(), theirs.scalar));
            fields.extend(unlike);
        }
    }
    let told = |dataset: Option<&str>, fields: BTreeSet<&str>, scalar: &Scalar| {
        Diagnostic::new(Code::ConstantsDiffer)
            .dataset(dataset)
            .with("alike", "records")
            .with("dataset", dataset.unwrap_or_default())
            .with("fields", fields.into_iter().map(str::to_owned).collect::<Vec<String>>())
            .at(scalar.source.location())
    };
    match found.first() {
        Some((_, &(_, first))) if are_all => {
            let fields = found.into_values().flat_map(|(fields, _)| fields).collect();
            vec![told(None, fields, first)]
        }
        _ => found
            .into_iter()
            .map(|(dataset, (fields, first))| told(dataset, fields, first))
            .collect(),
    }
}

/// The heads under which the rows of two figures say different things of how these came about.
fn remarks_unlike<'a>(pair: &RunPair<'_>, mine: &'a Scalar, theirs: &Scalar) -> Vec<&'a str> {
    let says_more = |head: &str| {
        let name = head.to_lowercase();
        let mut words = name.split(['_', '-', ' ']);
        !words.any(|word| OF_MODELS.contains(&word))
            && !OF_ROWS.iter().any(|part| name.contains(part))
            && says_a_condition(&name.replace(' ', "_"))
    };
    // `49-51` is a figure of its own kind.
    let is_unlike = |(head, text): &&(String, String)| {
        let says =
            |text: &str| text.contains(char::is_alphabetic) && text.trim().parse::<f64>().is_err();
        let is_other = |(other, theirs): &(String, String)| {
            other == head && theirs != text && (says(text) || says(theirs))
        };
        theirs.remarks.iter().any(is_other)
    };
    let unlike = mine.remarks.iter().filter(is_unlike).map(|(head, _)| head.as_str());
    unlike.filter(|head| says_more(head) && !is_setting_of_both(pair, head)).collect()
}

fn is_setting_of_both(pair: &RunPair<'_>, field: &str) -> bool {
    [pair.baseline, pair.candidate].iter().all(|run| run.content.config.get(field).is_some())
}

/// The fields of one table that are constant in each arm and differ, but for those that are settings of
/// both runs and compared as such.
fn unlike<'a>(pair: &RunPair<'_>, cells: &[&CellPair<'_>], tables: &TablePair<'a>) -> Vec<&'a str> {
    if tables.baseline.len().min(tables.candidate.len()) < FEWEST_RECORDS {
        return Vec::new();
    }
    let theirs = tables.candidate.constants();
    let differs = |(field, value): &&(String, u32)| {
        theirs.iter().any(|(other, theirs)| other == field && theirs != value)
    };
    let mine = tables.baseline.constants().iter().filter(differs);
    let fields = mine.map(|(field, _)| field.as_str());
    // Workers rate where marks are given, and compute where answers are right or wrong.
    let is_rated = || {
        let mut own = cells.iter().filter(|cell| cell.is_judged());
        own.all(|cell| !cell.spec.outcomes)
    };
    let is_condition = |field: &str| {
        says_a_condition(field) || matches!(field, "worker" | "worker_id") && is_rated()
    };
    fields.filter(|field| is_condition(field) && !is_setting_of_both(pair, field)).collect()
}

fn says_a_condition(field: &str) -> bool {
    let name = field.rsplit('.').next().unwrap_or(field).to_ascii_lowercase();
    let words = || name.split(['_', '-', ' ']).filter(|word| !word.is_empty());
    // Another rater in each arm is another condition, whatever the name ends with.
    let rates = |word: &str| is_rater(word) || matches!(word, "assessor" | "scorer");
    if words().next().is_some_and(rates) && words().count() <= 2 {
        return !words().next_back().is_some_and(|word| MEASURED.contains(&word));
    }
    // What a sample was asked with, whose ever it is, and a limit that was set.
    if words().next_back() == Some("prompt") || words().next() == Some("max") {
        return true;
    }
    let begins = words().next().is_some_and(|word| BEGINNINGS.contains(&word));
    !begins && !words().next_back().is_some_and(|word| ENDINGS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_a_condition_unless_it_says_something_else() {
        for field in [
            "k",
            "votes",
            "system_prompt",
            "metric_name",
            "meta.tests_run",
            "choices",
            "rater",
            "rater_id",
            "annotator_id",
            "labeler",
            "tools",
            "generation_config.max_new_tokens",
        ] {
            assert!(says_a_condition(field), "{field}");
        }
        for field in [
            "run",
            "meta.run_id",
            "Timestamp",
            "output_path",
            "cost_usd",
            "agent_name",
            "judge_latency",
            "grader_cost",
            "worker_id",
        ] {
            assert!(!says_a_condition(field), "{field}");
        }
    }
}
