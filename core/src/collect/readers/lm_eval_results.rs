//! Aggregate results of lm-evaluation-harness, before and since version 0.4.
//!
//! Since 0.4: `results.<task>."<metric>,<filter>"` in `results_<time>.json`, together with the
//! configuration, versions, sizes and directions. Before: `results.<task>.<metric>` and
//! `versions`, in files that often carry the step in their name.

use std::sync::Arc;

use super::super::document::{Node, Table, flatten, read_document, scalar_value};
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::figure::FileFigure;
use super::file_figures::{declare_direction, declare_of_producer, read_figures, scalar};
use crate::model::{
    Config, ConfigEntry, ConfigValue, DimValue, Dims, Fragment, MetricNames, Planned, Provenance,
    Source,
};
pub(in crate::collect) const NAME: &str = "lm-eval-results";

/// The program, as the catalogue of metrics calls it.
const PRODUCER: &str = "lm_eval";
const NOT_METRICS: &[&str] = &["alias", "name", "sample_len", "samples"];
const STDERR: &str = "_stderr";
/// Top-level keys that describe how samples were made and scored.
const TOP_LEVEL_CONFIG: &[&str] = &[
    "chat_template_sha",
    "system_instruction_sha",
    "fewshot_as_multiturn",
    "model_source",
    "transformers_version",
];

pub(super) const READER: Reader = Reader { name: NAME, recognises, read };

fn recognises(file: &FileEntry) -> bool {
    file.has_extension("json")
        && file.head_has("\"results\"")
        && ["\"versions\"", "\"n-shot\"", "_stderr,", "_stderr\"", ",none\""]
            .iter()
            .any(|mark| file.head_has(mark))
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    read_figures(file, &options.names, read_document, |root, fragment, _| {
        let names = &options.names;
        for (task, row) in root.get("results").into_iter().flat_map(Node::entries) {
            if let Some(row) = row.table() {
                read_task(root, (task, row), &file.display, names, fragment);
            }
        }
        read_sizes(root, &file.display, fragment);
        read_groups(root, fragment);
        read_versions(root, fragment);
        read_directions(root, names, fragment);
        declare_of_producer(PRODUCER, names, fragment);
        read_config(root, &file.display, &mut fragment.config);
        fragment.has_whole_config = root.get("config").is_some();
        fragment.provenance = provenance(root);
    })
}

fn read_task(
    root: &Node,
    (task, row): (&str, &Table),
    path: &Arc<str>,
    names: &MetricNames,
    fragment: &mut Fragment,
) {
    let n = effective_size(root, task);
    for (key, node) in row {
        let (metric, filter) = key.rsplit_once(',').unwrap_or((key, "none"));
        let Some(mut figure) = FileFigure::read(node) else { continue };
        if metric.ends_with(STDERR) || NOT_METRICS.contains(&metric) {
            continue;
        }
        let stderr_key = match key.rsplit_once(',') {
            Some((metric, filter)) => format!("{metric}{STDERR},{filter}"),
            None => format!("{key}{STDERR}"),
        };
        figure.n = n;
        // Documents are counted, however many answers there are to each.
        figure.answers = n.map(|_| 1);
        figure.stderr =
            row.get(&stderr_key).and_then(Node::number).filter(|error| error.is_finite());
        let mut dims = Dims::none();
        if filter != "none" {
            dims.insert("filter", DimValue::Text(filter.to_owned()));
        }
        let source = Source::line(path, node.line, format!("results.{task}.{key}"));
        fragment.scalars.push(scalar(metric, Some(task), &dims, figure, source, names));
    }
}

fn effective_size(root: &Node, task: &str) -> Option<u64> {
    root.get("n-samples")?.get(task)?.get("effective")?.count()
}

fn read_sizes(root: &Node, path: &Arc<str>, fragment: &mut Fragment) {
    for (task, node) in root.get("n-samples").into_iter().flat_map(Node::entries) {
        if let Some(n) = effective_size(root, task) {
            fragment.declared_sizes.insert(task.clone(), n);
            let source = Source::line(path, node.line, format!("n-samples.{task}.effective"));
            fragment.planned.insert(task.clone(), Planned { samples: n, source });
        }
    }
}

/// The tasks of each group; a task by itself is listed with none.
fn read_groups(root: &Node, fragment: &mut Fragment) {
    for (group, tasks) in root.get("group_subtasks").into_iter().flat_map(Node::entries) {
        let tasks: Vec<String> = tasks
            .list()
            .into_iter()
            .flatten()
            .filter_map(|task| task.text().map(str::to_owned))
            .collect();
        if !tasks.is_empty() {
            fragment.groups.insert(group.clone(), tasks);
        }
    }
}

fn read_versions(root: &Node, fragment: &mut Fragment) {
    for (task, version) in root.get("versions").into_iter().flat_map(Node::entries) {
        if let Some(version) = version.written() {
            fragment.versions.insert(task.clone(), version.to_owned());
        }
    }
    if let Some(version) = root.get("lm_eval_version").and_then(Node::written) {
        fragment.versions.insert("lm_eval".to_owned(), version.to_owned());
    }
}

fn read_directions(root: &Node, names: &MetricNames, fragment: &mut Fragment) {
    for (task, metrics) in root.get("higher_is_better").into_iter().flat_map(Node::entries) {
        for (metric, higher) in metrics.entries() {
            let ConfigValue::Bool(higher) = scalar_value(higher) else { continue };
            declare_direction(metric, Some(task), higher, names, fragment);
        }
    }
}

fn read_config(root: &Node, path: &Arc<str>, config: &mut Config) {
    for (key, node) in root.get("config").into_iter().flat_map(Node::entries) {
        match node.text() {
            Some(arguments) if key == "model_args" || key == "gen_kwargs" => {
                read_arguments(key, arguments, &Source::line(path, node.line, key), config);
            }
            _ => flatten(node, key, path, config),
        }
    }
    for key in TOP_LEVEL_CONFIG {
        if let Some(node) = root.get(key) {
            flatten(node, key, path, config);
        }
    }
    for (key, below) in [("configs", ""), ("n-shot", ".num_fewshot"), ("task_hashes", ".task_hash")]
    {
        for (task, node) in root.get(key).into_iter().flat_map(Node::entries) {
            flatten(node, &format!("task.{task}{below}"), path, config);
        }
    }
}

/// `pretrained=x,dtype=float` as keys. A part without `=` belongs to the value before it.
fn read_arguments(prefix: &str, arguments: &str, source: &Source, config: &mut Config) {
    let mut parts: Vec<(String, String)> = Vec::new();
    for part in arguments.split(',') {
        match (part.split_once('='), parts.last_mut()) {
            (Some((name, value)), _) => {
                parts.push((name.trim().to_owned(), value.trim().to_owned()));
            }
            (None, Some((_, value))) => {
                value.push(',');
                value.push_str(part);
            }
            (None, None) if part.trim().is_empty() => {}
            (None, None) => parts.push((String::new(), part.trim().to_owned())),
        }
    }
    for (name, value) in parts {
        let key = if name.is_empty() { prefix.to_owned() } else { format!("{prefix}.{name}") };
        let source = Source { key: Some(key.clone()), ..source.clone() };
        config.insert(key, ConfigEntry { value: ConfigValue::Text(value), source });
    }
}

fn provenance(root: &Node) -> Provenance {
    let written = |key: &str| root.get(key).and_then(Node::written).map(str::to_owned);
    Provenance {
        commit: written("git_hash"),
        started: written("date"),
        ended: None,
        model: written("model_name").or_else(|| model_argument(root)),
        harness: Some("lm-evaluation-harness".to_owned()),
        harness_version: written("lm_eval_version"),
    }
}

fn model_argument(root: &Node) -> Option<String> {
    let arguments = root.get("config")?.get("model_args")?;
    match arguments.text() {
        Some(text) => {
            let found = text.split(',').find_map(|part| part.trim().strip_prefix("pretrained="));
            found.map(str::to_owned)
        }
        None => arguments.get("pretrained")?.written().map(str::to_owned),
    }
}
