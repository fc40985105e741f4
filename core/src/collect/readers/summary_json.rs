//! `summary.json` of evaluations by dataset: `datasets.<name>.<metric>`, also below `summary`,
//! with the number of problems and, in some, counts of error types.

use super::super::document::{Node, Table, read_document};
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::beside_figures::{self, FileSampleCounts};
use super::deviations;
use super::figure::{FileFigure, SIZE_KEYS};
use super::file_figures::{FigureEntry, declare_several_answers, illegible, read_figures, scalar};
use super::spreads::{FileSpreads, SpreadKind};
use crate::model::{DimValue, Dims, Fragment, Measured, MetricNames, Planned, Source};
use crate::quantity::Unit;

const DISTRIBUTIONS: &[&str] = &["error_types", "error_distribution", "error_type_distribution"];
/// Names of the number of samples of a dataset. `num_samples` and `n_samples` are not among them:
/// beside `n` they are often the answers to each problem.
const AIM_KEYS: &[&str] = &[
    "n",
    "total",
    "num_problems",
    "num_examples",
    "total_samples",
    "expected_samples",
    "dataset_size",
];
/// Sizes of figures that stand on fewer samples than the others.
const SIZES: &str = "n_by_metric";
/// Outcomes that are not errors, and which the figures themselves state.
const SUCCESSES: &[&str] = &["success", "accepted", "passed", "correct", "none", "executed"];
/// Answers to all problems together, where problems have several: no figure, and no number of samples.
const ANSWERS: &str = "answers";

pub(super) const READER: Reader = Reader { name: "summary-json", recognises, read };

fn recognises(file: &FileEntry) -> bool {
    file.has_extension("json") && file.stem().ends_with("summary") && file.head_has("\"datasets\"")
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    read_figures(file, &options.names, read_document, |root, fragment, findings| {
        let names = &options.names;
        let (prefix, summary) = match root.get("summary") {
            Some(inner) if root.get("datasets").is_none() => ("summary.", inner),
            _ => ("", root),
        };
        let mut dims = Dims::none();
        let step = summary.get("step").or_else(|| root.get("step")).and_then(Node::number);
        if let Some(step) = step.filter(|step| step.is_finite()) {
            dims.insert("step", DimValue::Number(step));
        }
        findings.extend(beside_figures::impossible_sizes(root, file));
        for (key, node) in
            [Some(root), root.get("summary")].into_iter().flatten().flat_map(Node::entries)
        {
            let _is_result = beside_figures::take_setting(key, node, &[], file, fragment);
        }
        let mut texts = Vec::new();
        for (dataset, node) in summary.get("datasets").into_iter().flat_map(Node::entries) {
            if let Some(figures) = node.table() {
                let key = format!("{prefix}datasets.{dataset}");
                let place = DatasetFigures { file, names, dataset, key, dims: &dims };
                place.read(figures, fragment, &mut texts);
            }
        }
        deviations::drop_those_of_runs(root, fragment);
        findings.extend(illegible(texts, file));
    })
}

struct DatasetFigures<'a> {
    file: &'a FileEntry,
    names: &'a MetricNames,
    dataset: &'a str,
    key: String,
    dims: &'a Dims,
}

impl DatasetFigures<'_> {
    fn read(&self, figures: &Table, fragment: &mut Fragment, texts: &mut Vec<(String, u64)>) {
        let tally = FileSampleCounts::read(figures, self.names);
        let is_declared = |key: &str| self.names.is_declared(key);
        let sizes = SIZE_KEYS.iter().filter(|key| !is_declared(key));
        let stated = sizes.copied().find_map(|key| figures.get(key)?.count());
        let n = tally.size().or(stated);
        if let Some(n) = n {
            fragment.declared_sizes.insert(self.dataset.to_owned(), n);
        }
        self.read_aim(figures, &tally, fragment);
        let spreads = FileSpreads::find(figures, self.names);
        let beside = || figures.keys().map(String::as_str);
        for (metric, node) in figures {
            let is_spread = match spreads.kind(metric) {
                Some(SpreadKind::StandardDeviation) => n.is_some(),
                known => known.is_some(),
            };
            if is_spread
                || (SIZE_KEYS.contains(&metric.as_str()) && !is_declared(metric))
                || (AIM_KEYS.contains(&metric.as_str()) && !is_declared(metric))
                || tally.is_part(metric, self.names)
                || metric == ANSWERS
                || (!beside_figures::is_precision_metric(metric, node.number(), beside())
                    && beside_figures::take_setting(
                        metric,
                        node,
                        &[self.dataset.to_owned()],
                        self.file,
                        fragment,
                    ))
            {
                continue;
            }
            if DISTRIBUTIONS.contains(&metric.as_str()) {
                self.read_errors(metric, node, figures, n, fragment);
                continue;
            }
            match FigureEntry::read(metric, node, self.names) {
                FigureEntry::Figure(figure) => {
                    let figure = spreads.complete(metric, figure);
                    let share = tally.share(metric, figure, self.names);
                    if share.is_some_and(|share| tally.is_said(&share)) {
                        continue;
                    }
                    let mut figure = share.unwrap_or(figure);
                    // A size that is written there and is no number is not known.
                    let size = figures.get(SIZES).and_then(|sizes| sizes.get(metric));
                    figure.n = figure.n.or_else(|| size.map_or(n, Node::count));
                    figure.answers = tally.answers_each();
                    if tally.has_several_answers() {
                        let dataset = Some(self.dataset);
                        declare_several_answers(metric, dataset, self.names, fragment);
                    }
                    self.add(metric, metric, figure, node.line, fragment);
                }
                FigureEntry::Illegible => texts.push((metric.clone(), node.line)),
                FigureEntry::Other => {}
            }
        }
    }

    /// The most samples that a name of a size of the dataset states: beside the `n` that were
    /// scored, `total` tells how many there are.
    fn read_aim(&self, figures: &Table, tally: &FileSampleCounts, fragment: &mut Fragment) {
        let is_aim = |key: &str| AIM_KEYS.contains(&key) && !self.names.is_declared(key);
        let stated = figures.iter().filter(|(key, _)| is_aim(key));
        let stated = stated.filter_map(|(key, node)| Some((node.count()?, key, node.line)));
        let problems = tally.total.as_ref().filter(|_| tally.has_several_answers());
        let problems = problems.map(|(problems, key, line)| (*problems, key, *line));
        let most = || stated.max_by_key(|(samples, ..)| *samples);
        if let Some((samples, key, line)) = problems.or_else(most) {
            let key = format!("{}.{key}", self.key);
            let source = Source::line(&self.file.display, line, key);
            fragment.planned.insert(self.dataset.to_owned(), Planned { samples, source });
        }
    }

    /// Counts of error types as rates; they need the number of problems.
    fn read_errors(
        &self,
        name: &str,
        node: &Node,
        figures: &Table,
        n: Option<u64>,
        fragment: &mut Fragment,
    ) {
        let answers = figures.get(ANSWERS).and_then(Node::count).or(n);
        let Some(answers) = answers.filter(|answers| *answers > 0) else { return };
        for (error, count) in node.entries() {
            let rate = format!("{error}_rate");
            let Some(count) = count.count().filter(|count| *count <= answers) else { continue };
            if SUCCESSES.contains(&error.as_str()) || figures.contains_key(&rate) {
                continue;
            }
            let value = Measured::new(count as f64 / answers as f64);
            let unit = Some(Unit::Fraction);
            let figure = FileFigure { unit, n, ..FileFigure::plain(value) };
            self.add(&rate, &format!("{name}.{error}"), figure, node.line, fragment);
        }
    }

    fn add(&self, metric: &str, key: &str, figure: FileFigure, line: u64, fragment: &mut Fragment) {
        let source = Source::line(&self.file.display, line, format!("{}.{key}", self.key));
        let dataset = Some(self.dataset);
        let scalar = scalar(metric, dataset, self.dims, figure, source, self.names);
        fragment.scalars.push(scalar);
    }
}
