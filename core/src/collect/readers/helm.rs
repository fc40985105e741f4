//! What HELM writes of a run of one scenario (`helm/benchmark/runner.py` of crfm-helm 0.5.16): figures
//! (`stats.json`), the figures of each instance (`per_instance_stats.json`), and what was run
//! (`run_spec.json`).
//!
//! `count` and `stddev` of a figure are over trials, each of which has given its mean over the instances:
//! no number of instances, and no spread of them. That number is a figure of its own, `num_instances`.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use super::super::content::{bad_record, list_text};
use super::super::document::{Node, flatten, parse_json_line, read_document};
use super::super::lines::{Limits, LineCounter};
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::figure::FileFigure;
use super::file_figures::{read_figures, scalar};
use super::samples::{Harvest, json};
use crate::diag::{Location, Warned};
use crate::model::{DimValue, Dims, Fragment, Measured, MetricNames, Provenance, Source};

pub(in crate::collect) const SETTINGS_NAME: &str = "helm-settings";

pub(super) const FIGURES: Reader = Reader { name: "helm", recognises: is_figures, read };
pub(super) const INSTANCES: Reader =
    Reader { name: "helm-instances", recognises: is_instances, read: read_instances };
pub(super) const SETTINGS: Reader =
    Reader { name: SETTINGS_NAME, recognises: is_settings, read: read_settings };

const SIZE: &str = "num_instances";
/// Counts of what was asked, and how, which are no results.
const COUNTS: &[&str] =
    &[SIZE, "batch_size", "num_references", "num_train_trials", "num_train_instances"];
/// Where a figure says again what the instances gave before they were changed.
const UNCHANGED: &str = " (original)";
const INSTANCE: &str = "instance_id";
const STATS: &str = "stats";
const PERTURBATION: &str = "perturbation";
/// Parts of the name of a run that say who answers, and not what is asked.
const WHO: &[&str] = &["model=", "model_deployment="];

fn is_list_with(file: &FileEntry, keys: &[&str]) -> bool {
    file.has_extension("json")
        && file.head.starts_with(b"[")
        && keys.iter().all(|key| file.head_has(&format!("\"{key}\"")))
}

fn is_figures(file: &FileEntry) -> bool {
    let has_name = || parse_first(file).is_some_and(|first| Stat::of(&first).is_some());
    is_list_with(file, &["name", "count", "sum_squared"]) && !file.head_has(INSTANCE) && has_name()
}

fn is_instances(file: &FileEntry) -> bool {
    is_list_with(file, &[INSTANCE, "train_trial_index", STATS, "sum_squared"])
}

/// The first element of a list, as far as it was looked at.
fn parse_first(file: &FileEntry) -> Option<Node> {
    let text = String::from_utf8_lossy(&file.head);
    let mut first = None;
    let _cut = json::for_each_element(&text, |element| {
        first = first.take().or_else(|| parse_json_line(element, 1).ok());
    });
    first.map(|parsed| parsed.root)
}

/// Where a figure belongs: the split, the part of it, and how its instances were changed.
type Place = BTreeMap<&'static str, String>;

/// One figure as HELM writes it.
struct Stat<'a> {
    metric: &'a str,
    place: Place,
    /// Over trials; nothing where there was nothing to average.
    mean: Option<f64>,
    trials: u64,
}

impl<'a> Stat<'a> {
    fn of(node: &'a Node) -> Option<Self> {
        let name = node.get("name")?;
        let text = |key: &str| Some(name.get(key)?.text()?.to_owned());
        let changed = name.get(PERTURBATION).and_then(|perturbation| {
            let called = perturbation.get("name")?.text()?;
            let on = perturbation.get("computed_on").and_then(Node::text);
            Some(on.map_or_else(|| called.to_owned(), |on| format!("{called} ({on})")))
        });
        let parts =
            [("split", text("split")), ("subset", text("sub_split")), (PERTURBATION, changed)];
        Some(Self {
            metric: name.get("name")?.text()?,
            place: parts.into_iter().filter_map(|(key, value)| Some((key, value?))).collect(),
            mean: node.get("mean").and_then(Node::number),
            trials: node.get("count")?.count()?,
        })
    }

    fn is_changed(&self) -> bool {
        self.place.contains_key(PERTURBATION)
    }

    fn can_be_better(&self, names: &MetricNames) -> bool {
        let has_good_side = || names.get(self.metric).is_some_and(|spec| spec.has_good_side());
        names.is_declared(self.metric) || has_good_side()
    }

    /// Of instances that were changed everything is measured again, what was asked of them included.
    fn is_result(&self, names: &MetricNames) -> bool {
        let is_again = self.place.get(PERTURBATION).is_some_and(|on| on.ends_with(UNCHANGED));
        let is_of_interest = !self.is_changed() || self.can_be_better(names);
        !COUNTS.contains(&self.metric) && !is_again && is_of_interest
    }
}

/// What was asked, by the directory of a run: `mmlu:subject=anatomy` of `mmlu:subject=anatomy,model=a`.
fn scenario(file: &FileEntry) -> Option<String> {
    let directory = file.path.parent()?.file_name()?.to_str()?;
    let (name, arguments) = directory.split_once(':')?;
    let is_who = |argument: &&str| WHO.iter().any(|who| argument.starts_with(who));
    let (who, what): (Vec<&str>, Vec<&str>) = arguments.split(',').partition(is_who);
    let separator = if what.is_empty() { "" } else { ":" };
    (!who.is_empty()).then(|| format!("{name}{separator}{}", what.join(",")))
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    read_figures(file, &options.names, read_document, |root, fragment, _| {
        let nodes = root.list().unwrap_or_default();
        let stats: Vec<(Stat<'_>, u64)> =
            nodes.iter().filter_map(|node| Some((Stat::of(node)?, node.line))).collect();
        let sizes = stats.iter().filter(|(stat, _)| stat.metric == SIZE);
        let sizes: Vec<(&Place, f64)> =
            sizes.filter_map(|(stat, _)| Some((&stat.place, stat.mean?))).collect();
        let splits: BTreeSet<&String> =
            stats.iter().filter_map(|(stat, _)| stat.place.get("split")).collect();
        let dataset = scenario(file);
        let names = &options.names;
        for (stat, line) in stats.iter().filter(|(stat, _)| stat.is_result(names)) {
            let Some(mean) = stat.mean else { continue };
            let size = sizes.iter().find(|(place, _)| **place == stat.place);
            let figure = FileFigure {
                // A mean over trials, of which each has the same instances.
                n: size.map(|(_, size)| *size as u64),
                answers: Some(stat.trials).filter(|trials| *trials > 1),
                ..FileFigure::plain(Measured::new(mean))
            };
            // One split is no coordinate, as it is none of samples.
            let parts = stat.place.iter().filter(|(key, _)| **key != "split" || splits.len() > 1);
            let dims = parts.fold(Dims::none(), |dims, (key, value)| {
                dims.with(key, DimValue::Text(value.clone()))
            });
            let source = Source::line(&file.display, *line, stat.metric);
            let made = scalar(stat.metric, dataset.as_deref(), &dims, figure, source, names);
            fragment.scalars.push(made);
        }
    })
}

/// The scores of an instance in a trial, and the line of the first.
struct Instance {
    line: u64,
    split: Option<String>,
    scores: Vec<(String, f64)>,
}

fn read_instances(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    read_figures(file, &options.names, list_text, |text, fragment, findings| {
        let mut instances: IndexMap<(String, u64), Instance> = IndexMap::new();
        let mut lines = LineCounter::new(text);
        let ended = json::for_each_element(text, |element| {
            let line = lines.line_of_part(element);
            if let Ok(parsed) = parse_json_line(element, line) {
                take_instance(&parsed.root, &options.names, &mut instances);
            }
        });
        let mut harvest = Harvest::of_file(file, options);
        let dataset = scenario(file);
        for ((id, _), instance) in instances.iter().filter(|(_, one)| !one.scores.is_empty()) {
            // What is made here is JSON.
            let _taken =
                harvest.take_record(&record(id, dataset.as_deref(), instance), instance.line);
        }
        let line_bytes = Limits::from(file.limits).line_bytes;
        *fragment = harvest.into_fragment(file, line_bytes).drain_into(findings);
        if let Err(fault) = ended {
            fragment.torn = true;
            let line = lines.line_of_part(text.get(fault.offset..).unwrap_or_default());
            let place = Location::line(&*file.display, line);
            findings.push(bad_record(format!("expected {}", fault.expected), place));
        }
    })
}

/// Adds what one metric says of an instance, which several do. Instances that were changed have the ids of
/// those they were made of, and are no answers to these.
fn take_instance(
    node: &Node,
    names: &MetricNames,
    instances: &mut IndexMap<(String, u64), Instance>,
) {
    let id = node.get(INSTANCE).and_then(Node::text);
    let trial = node.get("train_trial_index").and_then(Node::count);
    let (Some(id), Some(trial), None) = (id, trial, node.get(PERTURBATION)) else { return };
    let new = || Instance { line: node.line, split: None, scores: Vec::new() };
    let instance = instances.entry((id.to_owned(), trial)).or_insert_with(new);
    for stat in node.get(STATS).and_then(Node::list).into_iter().flatten() {
        let Some(stat) = Stat::of(stat).filter(|stat| !stat.is_changed()) else { continue };
        if let Some(mean) = stat.mean.filter(|_| stat.can_be_better(names)) {
            instance.scores.push((stat.metric.to_owned(), mean));
        }
        instance.split = instance.split.take().or_else(|| stat.place.get("split").cloned());
    }
}

fn record(id: &str, dataset: Option<&str>, instance: &Instance) -> String {
    let mut fields = serde_json::Map::new();
    fields.insert(INSTANCE.to_owned(), id.into());
    fields.extend(dataset.map(|dataset| ("dataset".to_owned(), dataset.into())));
    fields.extend(instance.split.as_ref().map(|split| ("split".to_owned(), split.as_str().into())));
    fields.extend(instance.scores.iter().map(|(name, value)| (name.clone(), (*value).into())));
    serde_json::Value::from(fields).to_string()
}

fn is_settings(file: &FileEntry) -> bool {
    const MARKS: &[&str] = &["scenario_spec", "adapter_spec", "metric_specs"];
    file.has_extension("json") && MARKS.iter().all(|key| file.head_has(&format!("\"{key}\"")))
}

fn read_settings(file: &FileEntry, _: &ReadOptions) -> ReadResult {
    /// What is read, and below which key.
    const PARTS: &[(&str, &str)] = &[
        ("scenario_spec", "task"),
        ("adapter_spec", ""),
        ("metric_specs", "metrics"),
        ("data_augmenter_spec", "data_augmenter"),
        ("annotators", "annotators"),
    ];
    let mut findings = Vec::new();
    let root = read_document(file)?.drain_into(&mut findings);
    let mut fragment = Fragment { has_whole_config: true, ..Fragment::default() };
    for (part, key) in PARTS {
        if let Some(node) = root.get(part) {
            flatten(node, key, &file.display, &mut fragment.config);
        }
    }
    let model = root.get("adapter_spec").and_then(|spec| spec.get("model")?.text());
    fragment.provenance = Provenance {
        model: model.map(str::to_owned),
        harness: Some("helm".to_owned()),
        ..Provenance::default()
    };
    Ok(Warned::new(fragment, findings))
}
