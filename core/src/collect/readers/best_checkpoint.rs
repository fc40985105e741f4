//! `best_checkpoint.json`: the figures of every checkpoint, and which was chosen.
//!
//! With `all_checkpoints` the `best_*` figures only repeat one of its rows and are left out.

use super::super::document::{Node, Table, read_document};
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::file_figures::{FigureEntry, illegible, read_figures, scalar};
use crate::model::{DimValue, Dims, Fragment, MetricNames, Selection, Source};

/// Keys that say how the choice was made; outcomes rather than configuration.
const CHOICE: &[&str] = &["best_step", "step", "model_path", "selection_metric"];
pub(in crate::collect) const NAME: &str = "best-checkpoint";

pub(super) const READER: Reader = Reader { name: NAME, recognises, read };

fn recognises(file: &FileEntry) -> bool {
    file.name == "best_checkpoint.json"
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    read_figures(file, &options.names, read_document, |root, fragment, findings| {
        let names = &options.names;
        let mut figures =
            CheckpointFigures { file, names, fragment: Fragment::default(), texts: Vec::new() };
        let dataset = root.get("selection_metric").and_then(Node::text).and_then(selected_dataset);
        match root.get("all_checkpoints").and_then(Node::table) {
            Some(checkpoints) => read_all(checkpoints, dataset, &mut figures),
            None => read_best(root, dataset, &mut figures),
        }
        let CheckpointFigures { texts, .. } = figures;
        *fragment = figures.fragment;
        fragment.selection = selection(root, file);
        findings.extend(illegible(texts, file));
    })
}

/// Steps are texts in the file and numbers in order.
fn read_all(checkpoints: &Table, dataset: Option<&str>, figures: &mut CheckpointFigures<'_>) {
    let mut rows: Vec<(DimValue, &str, &Node)> =
        checkpoints.iter().map(|(step, node)| (step_of(step), step.as_str(), node)).collect();
    rows.sort_by(|a, b| a.0.cmp(&b.0));
    for (step, name, row) in rows {
        let dims = Dims::none().with("step", step);
        for (metric, node) in row.entries() {
            let key = format!("all_checkpoints.{name}.{metric}");
            figures.add(metric, &key, node, (dataset, &dims));
        }
    }
}

/// `500`, and also `global_step_500` or `step-500`.
fn step_of(text: &str) -> DimValue {
    let digits = text.trim_start_matches(|c: char| !c.is_ascii_digit());
    match DimValue::parse(digits) {
        step @ DimValue::Number(_) => step,
        DimValue::Text(_) => DimValue::Text(text.to_owned()),
    }
}

fn read_best(root: &Node, dataset: Option<&str>, figures: &mut CheckpointFigures<'_>) {
    let step = root.get("best_step").or_else(|| root.get("step")).and_then(Node::written);
    let dims = step.map_or_else(Dims::none, |step| Dims::none().with("step", step_of(step)));
    for (key, node) in root.entries() {
        if !CHOICE.contains(&key.as_str()) {
            let metric = key.strip_prefix("best_").unwrap_or(key);
            figures.add(metric, key, node, (dataset, &dims));
        }
    }
}

fn selection(root: &Node, file: &FileEntry) -> Option<Selection> {
    let node = root.get("best_step").or_else(|| root.get("step"))?;
    let text = |key| root.get(key).and_then(Node::text).map(str::to_owned);
    Some(Selection {
        step: step_of(node.written()?).number()?,
        metric: text("selection_metric"),
        model_path: text("model_path"),
        source: Source::line(&file.display, node.line, "best_step"),
    })
}

/// The dataset in `summary.datasets.<dataset>.<metric>`, on which the checkpoints were evaluated.
fn selected_dataset(selection: &str) -> Option<&str> {
    let (_, named) = selection.split_once("datasets.")?;
    named.rsplit_once('.').map(|(dataset, _)| dataset)
}

/// Figures of the file, and texts in their place.
struct CheckpointFigures<'a> {
    file: &'a FileEntry,
    names: &'a MetricNames,
    fragment: Fragment,
    texts: Vec<(String, u64)>,
}

impl CheckpointFigures<'_> {
    fn add(
        &mut self,
        metric: &str,
        key: &str,
        node: &Node,
        (dataset, dims): (Option<&str>, &Dims),
    ) {
        match FigureEntry::read(metric, node, self.names) {
            FigureEntry::Figure(figure) => {
                let source = Source::line(&self.file.display, node.line, key);
                let scalar = scalar(metric, dataset, dims, figure, source, self.names);
                self.fragment.scalars.push(scalar);
            }
            FigureEntry::Illegible => self.texts.push((metric.to_owned(), node.line)),
            FigureEntry::Other => {}
        }
    }
}
