//! What the cache of MTEB keeps of a model: one file for each task (`TaskResult.to_disk` of 2.26.24), the
//! description of the model (`model_meta.json`), and how it was asked (`run_settings.jsonl`).

use std::sync::Arc;

use super::super::document::{Node, Value, flatten, read_document};
use super::super::records::read_json_lines;
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::figure::FileFigure;
use super::file_figures::{read_figures, scalar, spec_key};
use crate::diag::Warned;
use crate::model::{
    DimValue, Dims, Fragment, GivenRole, MetricNames, MetricRole, MetricSpec, Provenance,
    RoleOrigin, Source, SpecOrigin,
};

pub(super) const RESULTS: Reader = Reader { name: "mteb", recognises: is_result, read };
pub(super) const MODEL: Reader =
    Reader { name: "mteb-model", recognises: is_model, read: read_model };
pub(super) const SETTINGS: Reader =
    Reader { name: "mteb-settings", recognises: is_settings, read: read_settings };

const TASK: &str = "task_name";
/// Before 1.11.
const OLD_TASK: &str = "mteb_dataset_name";
const REVISION: &str = "dataset_revision";
const VERSION: &str = "mteb_version";
const SCORES: &str = "scores";
const SUBSET: &str = "hf_subset";
/// The subset of a task that has no others.
const WHOLE: &str = "default";
/// The metric that a task is judged by, once more under a name that is the same for all tasks
/// (`AbsTask._add_main_score`).
const MAIN: &str = "main_score";
/// The metrics that this is a copy of (`main_score` of `mteb/tasks` and of the classes of tasks), those of most
/// tasks first. Where several equal it, such as recall and hit rate of one document, the first is meant.
const MAIN_METRICS: &[&str] = &[
    "ndcg_at_10",
    "accuracy",
    "v_measure",
    "f1",
    "max_ap",
    "cosine_spearman",
    "hit_rate_at_5",
    "map_at_1000",
    "ndcg_at_5",
    "recall_at_10",
    "recall_at_1",
    "ndcg_at_20",
    "hit_rate_at_1",
    "recall_at_5",
    "map_at_5",
    "lrap",
    "taxon_top_1_accuracy",
    "map_at_10",
    "text_acc",
    "p-MRR",
    "nmi",
    "max_accuracy",
    "ndcg_at_1",
    "recall_at_2",
    "recall_at_100",
    "map_at_100",
    "kendalltau",
    "image_acc",
    "map",
    "ap",
];
/// Functions of similarity as they were called before 1.11, and since.
const OLD_FUNCTIONS: &[(&str, &str)] = &[
    ("cos_sim", "cosine"),
    ("manhattan", "manhattan"),
    ("euclidean", "euclidean"),
    ("dot", "dot"),
    ("max", "max"),
    ("similarity", "similarity"),
    ("v_measures", "v_measures"),
];
/// What was measured of the evaluation itself.
const NO_SCORES: &[&str] = &["evaluation_time", "co2_emissions"];
/// What is read of the description of a model: which it is, and how it was loaded. The rest follows from it.
const OF_MODEL: &[(&str, &str)] = &[
    ("name", "model"),
    ("revision", "model_revision"),
    ("loader_kwargs", "loader_kwargs"),
    ("experiment_kwargs", "experiment_kwargs"),
    ("output_dtypes", "output_dtypes"),
];
const ARGUMENTS: &str = "encode_kwargs";

fn is_result(file: &FileEntry) -> bool {
    let has = |key: &&str| file.head_has(&format!("\"{key}\""));
    file.has_extension("json")
        && has(&VERSION)
        && ([TASK, REVISION, SCORES, SUBSET].iter().all(has) || has(&OLD_TASK))
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    read_figures(file, &options.names, read_document, |root, fragment, _| {
        let written = |key: &str| root.get(key).and_then(Node::written).map(str::to_owned);
        let Some(task) = written(TASK).or_else(|| written(OLD_TASK)) else { return };
        let all = if root.get(OLD_TASK).is_some() { old_scores(root) } else { scores_of(root) };
        let main = main_metric(&all);
        for scores in &all {
            let left_out = main.map(|_| MAIN);
            read_scores(scores, &task, left_out, &file.display, &options.names, fragment);
        }
        if let Some(spec) = main.and_then(|main| judged_by(main, &options.names)) {
            fragment.specs.insert(spec_key(&spec.name, Some(&task)), spec);
        }
        fragment.versions.extend(written(REVISION).map(|revision| (task, revision)));
        fragment.provenance = Provenance {
            started: written("date"),
            harness: Some("mteb".to_owned()),
            harness_version: written(VERSION),
            ..Provenance::default()
        };
    })
}

/// What was scored on a subset of a split.
struct Scores<'a> {
    split: &'a str,
    subset: Option<&'a str>,
    /// Where the numbers stand in the file.
    place: String,
    /// Beside figures stand texts, and lists of what each of several trainings scored.
    figures: Vec<(String, &'a Node)>,
}

fn numbers(node: &Node) -> impl Iterator<Item = (&String, &Node)> {
    node.entries().filter(|(_, node)| node.number().is_some())
}

fn scores_of(root: &Node) -> Vec<Scores<'_>> {
    let mut found = Vec::new();
    for (split, subsets) in root.get(SCORES).into_iter().flat_map(Node::entries) {
        for scores in subsets.list().into_iter().flatten() {
            let subset = scores.get(SUBSET).and_then(Node::text).filter(|subset| *subset != WHOLE);
            let place = format!("{SCORES}.{split}.{}", subset.unwrap_or(WHOLE));
            let figures = numbers(scores).map(|(name, node)| (name.clone(), node)).collect();
            found.push(Scores { split, subset, place, figures });
        }
    }
    found
}

/// Scores as they stood before 1.11: a table for each split, with one for each subset or none, in which those
/// of a function of similarity are a table again. They are called as `_convert_from_before_v1_11_0` calls them.
fn old_scores(root: &Node) -> Vec<Scores<'_>> {
    let splits: Vec<(&String, &Node)> =
        root.entries().filter(|(_, node)| node.table().is_some()).collect();
    let is_subset = |(key, node): (&String, &Node)| {
        node.table().is_some() && OLD_FUNCTIONS.iter().all(|(function, _)| function != key)
    };
    let has_subsets = splits.iter().any(|(_, scores)| scores.entries().any(is_subset));
    let mut found = Vec::new();
    for (split, node) in splits {
        let of_split: Vec<(Option<&str>, &Node)> = if has_subsets {
            let subsets = node.entries().filter(|entry| is_subset(*entry));
            subsets.map(|(subset, node)| (Some(subset.as_str()), node)).collect()
        } else {
            vec![(None, node)]
        };
        for (subset, scores) in of_split {
            let own = numbers(scores).filter(|(name, _)| !NO_SCORES.contains(&name.as_str()));
            let mut figures: Vec<(String, &Node)> =
                own.map(|(name, node)| (name.clone(), node)).collect();
            for (function, called) in OLD_FUNCTIONS {
                let of_function = scores.get(function).into_iter().flat_map(numbers);
                figures.extend(of_function.map(|(name, node)| (format!("{called}_{name}"), node)));
            }
            let parts = [Some(split.as_str()), subset];
            let place = parts.into_iter().flatten().collect::<Vec<_>>().join(".");
            found.push(Scores { split, subset, place, figures });
        }
    }
    found
}

/// The metric of which the main score is a copy wherever the file has one.
fn main_metric(all: &[Scores<'_>]) -> Option<&'static str> {
    let number = |scores: &Scores<'_>, name: &str| {
        let mut figures = scores.figures.iter();
        figures.find(|(own, _)| own == name).and_then(|(_, node)| node.number())
    };
    let mains = || all.iter().filter_map(|scores| Some((scores, number(scores, MAIN)?)));
    let is_it = |name: &&&str| mains().all(|(scores, main)| number(scores, name) == Some(main));
    mains().next().and_then(|_| MAIN_METRICS.iter().find(is_it).copied())
}

/// What a metric means by which a task is judged: one that the catalogue does not know means what the main
/// score does.
fn judged_by(metric: &str, names: &MetricNames) -> Option<MetricSpec> {
    let name = names.canonical(metric);
    let role = GivenRole { role: MetricRole::Primary, origin: RoleOrigin::Catalogue };
    let known = names.get(name).or_else(|| names.get(MAIN))?;
    let name = name.to_owned();
    Some(MetricSpec { name, role: Some(role), origin: SpecOrigin::Producer, ..known })
}

fn read_scores(
    scores: &Scores<'_>,
    task: &str,
    left_out: Option<&str>,
    path: &Arc<str>,
    names: &MetricNames,
    fragment: &mut Fragment,
) {
    let dims = Dims::none().with("split", DimValue::Text(scores.split.to_owned()));
    let dims = scores
        .subset
        .into_iter()
        .fold(dims, |dims, subset| dims.with("subset", DimValue::Text(subset.to_owned())));
    for (metric, node) in &scores.figures {
        if left_out == Some(metric) {
            continue;
        }
        let Some(figure) = FileFigure::read(node) else { continue };
        let source = Source::line(path, node.line, format!("{}.{metric}", scores.place));
        fragment.scalars.push(scalar(metric, Some(task), &dims, figure, source, names));
    }
}

fn is_model(file: &FileEntry) -> bool {
    const MARKS: &[&str] = &["name", "revision", "loader", "embed_dim", "similarity_fn_name"];
    file.has_extension("json") && MARKS.iter().all(|key| file.head_has(&format!("\"{key}\"")))
}

fn read_model(file: &FileEntry, _: &ReadOptions) -> ReadResult {
    let mut findings = Vec::new();
    let root = read_document(file)?.drain_into(&mut findings);
    let mut fragment = Fragment::default();
    for (written, key) in OF_MODEL {
        // A key without a value is one of a later version, or of another kind of model.
        if let Some(node) = root.get(written).filter(|node| node.value != Value::Null) {
            flatten(node, key, &file.display, &mut fragment.config);
        }
    }
    fragment.provenance.model = root.get("name").and_then(Node::text).map(str::to_owned);
    Ok(Warned::new(fragment, findings))
}

fn is_settings(file: &FileEntry) -> bool {
    const MARKS: &[&str] = &["task", "splits", "subsets", "version", ARGUMENTS];
    file.has_extension("jsonl") && MARKS.iter().all(|key| file.head_has(&format!("\"{key}\"")))
}

fn read_settings(file: &FileEntry, _: &ReadOptions) -> ReadResult {
    let mut findings = Vec::new();
    let lines = read_json_lines(file)?.drain_into(&mut findings);
    let mut fragment = Fragment { torn: lines.torn, ..Fragment::default() };
    for record in &lines.records {
        let task = record.get("task").and_then(Node::text);
        if let (Some(task), Some(arguments)) = (task, record.get(ARGUMENTS)) {
            let key = format!("task.{task}.{ARGUMENTS}");
            flatten(arguments, &key, &file.display, &mut fragment.config);
        }
    }
    Ok(Warned::new(fragment, findings))
}
