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
    file.has_extension("json") && [TASK, REVISION, VERSION, SCORES, SUBSET].iter().all(has)
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    read_figures(file, &options.names, read_document, |root, fragment, _| {
        let written = |key: &str| root.get(key).and_then(Node::written).map(str::to_owned);
        let Some(task) = written(TASK) else { return };
        let splits = || root.get(SCORES).into_iter().flat_map(Node::entries);
        let subsets = splits()
            .flat_map(|(_, subsets)| subsets.list().into_iter().flatten())
            .collect::<Vec<_>>();
        let main = main_metric(&subsets);
        for (split, subsets) in splits() {
            for scores in subsets.list().into_iter().flatten() {
                let place = (task.as_str(), split.as_str());
                let left_out = main.map(|_| MAIN);
                read_scores(scores, place, left_out, &file.display, &options.names, fragment);
            }
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

/// The metric of which the main score is a copy wherever the file has one.
fn main_metric(subsets: &[&Node]) -> Option<&'static str> {
    let number = |scores: &Node, name: &str| scores.get(name).and_then(Node::number);
    let mains = || subsets.iter().filter_map(|scores| Some((*scores, number(scores, MAIN)?)));
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
    scores: &Node,
    (task, split): (&str, &str),
    left_out: Option<&str>,
    path: &Arc<str>,
    names: &MetricNames,
    fragment: &mut Fragment,
) {
    let subset = scores.get(SUBSET).and_then(Node::text).filter(|subset| *subset != WHOLE);
    let dims = Dims::none().with("split", DimValue::Text(split.to_owned()));
    let dims = subset
        .into_iter()
        .fold(dims, |dims, subset| dims.with("subset", DimValue::Text(subset.to_owned())));
    // Beside figures stand texts, and lists of what each of several trainings scored.
    for (metric, node) in scores.entries().filter(|(_, node)| node.number().is_some()) {
        if left_out == Some(metric) {
            continue;
        }
        let Some(figure) = FileFigure::read(node) else { continue };
        let key = format!("{SCORES}.{split}.{}.{metric}", subset.unwrap_or(WHOLE));
        let source = Source::line(path, node.line, key);
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
