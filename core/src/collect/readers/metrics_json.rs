//! Flat or nested JSON of final figures: `metrics.json`, `all_results.json`, `eval_results.json`.
//!
//! A figure is named by the keys above it. `eval/<dataset>/<metric>` and `{"<dataset>":
//! {"<metric>": …}}` name a dataset; other names with slashes, such as `train/loss`, are names of
//! metrics. A count beside figures, such as `n`, is the number of samples behind them, and
//! `acc_stderr` beside `acc` is its standard error. `higher_is_better` declares the direction.
//! Where every key of the file is a number, it is a step: `{"500": {"accuracy": 0.5}}`. The metric may
//! stand above the datasets, `{"accuracy": {"gsm8k": 0.4}}`, where the catalogue knows that name alone.
//! Keys that are points of a coordinate may name no metric: `{"Shot 1": 57.0, "Shot 2": 56.1}`.

use std::collections::{BTreeMap, BTreeSet};

use super::super::document::{Node, Table, Value, parse_json_line, read_document};
use super::super::{FileEntry, ReadOptions, ReadResult, Reader, foreign, path_dims, plain_name};
use super::beside_figures::{self, FileSampleCounts};
use super::deviations;
use super::episodes::{self, EpisodeCounts};
use super::figure::{FileFigure, SIZE_KEYS, read_cell};
use super::figure_names::name;
use super::file_figures::{
    FigureEntry, UNNAMED, declare_direction, declare_several_answers, illegible, read_figures,
    scalar, spread_assumed,
};
use super::heads::coordinate;
use super::settings_beside::OF_WANDB;
use super::spreads::{FileSpreads, SpreadKind, parse};
use crate::diag::Code;
use crate::model::{
    DimValue, Dims, Fragment, MetricNames, Planned, Source, axis_of_key, places_of_name,
};

const NAMES: &[&str] = &["metrics.json", "results.json", "scores.json", "summary.json", OF_WANDB];
const NAME_ENDS: &[&str] = &["_metrics.json", "_results.json", "_scores.json"];
/// Results of the Hugging Face trainer, in which `epoch` says how long training lasted.
const TRAINER_NAMES: &[&str] = &["all_results.json", "train_results.json", "eval_results.json"];
const NOT_METRICS: &[&str] =
    &["timestamp", "time", "date", "seed", "schema_version", "std", "stderr"];

pub(super) const READER: Reader = Reader { name: "metrics-json", recognises, read };

fn recognises(file: &FileEntry) -> bool {
    // What is written as YAML or TOML has the same names.
    let otherwise = [".yaml", ".yml", ".toml"].iter().find_map(|end| file.name.strip_suffix(end));
    let name = otherwise.map_or_else(|| file.name.clone(), |stem| format!("{stem}.json"));
    let is_named = NAMES.contains(&name.as_str())
        || NAME_ENDS.iter().any(|end| name.ends_with(end))
        || is_named_otherwise(file);
    is_named && foreign::program(file).is_none() && !foreign::is_of_records(file)
}

/// Whether a file of another name holds a figure of a metric that is known by name: the whole run, or
/// one named after coordinates, as where each evaluation has a file, `epoch1_n150_shot1.json`.
fn is_named_otherwise(file: &FileEntry) -> bool {
    let at_a_point = || !path_dims::path_dims(plain_name(&file.relative)).is_empty();
    file.has_extension("json")
        && (file.is_run || at_a_point())
        && !file.stem().contains("config")
        && foreign::holds_figures(file)
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    let mut read = read_all(file, options)?;
    if file.name == OF_WANDB && is_of_tracker_alone(file) {
        read.diagnostics.retain(|finding| finding.code != Code::EmptyFile);
    }
    Ok(read)
}

/// Whether a summary holds nothing but the tracker's own keys: the log of the run has the rest.
fn is_of_tracker_alone(file: &FileEntry) -> bool {
    let parsed = parse_json_line(&String::from_utf8_lossy(&file.head), 1);
    parsed.is_ok_and(|parsed| parsed.root.entries().all(|(key, _)| key.starts_with('_')))
}

fn read_all(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    read_figures(file, &options.names, read_document, |root, fragment, findings| {
        let names = &options.names;
        findings.extend(beside_figures::impossible_sizes(root, file));
        let mut leaves = Leaves::default();
        leaves.collect(root, &[], false, &mut Beside { file, names, fragment });
        let dims = dims(root, file, names);
        let unnamed = leaves.unnamed();
        let is_by_step = is_by_step(root);
        let of_all = root.table().and_then(beside_figures::dataset_field);
        let turned = Turned::find(&leaves, names);
        for leaf in &leaves.figures {
            let Leaf { parts, figure, line, is_deviation, higher, .. } = leaf;
            let Some(mut place) = leaf.place(&turned, is_by_step, &dims) else { continue };
            if parts.split_last().is_some_and(|(_, above)| unnamed.contains(above)) {
                place.name_by_point(file);
            }
            let FigurePlace { dims, path, nested, is_turned } = &place;
            let is_of_tracker = || path.first().is_some_and(|key| key.starts_with('_'));
            if file.name == OF_WANDB && is_of_tracker() {
                continue;
            }
            let Some((metric, dataset)) = name(path, *nested) else { continue };
            if path.len() == 1 && is_no_metric(metric.as_str(), dims, names) {
                continue;
            }
            let dataset = dataset.or_else(|| of_all.filter(|_| path.len() == 1).map(str::to_owned));
            let mut figure = *figure;
            figure.n =
                figure.n.or_else(|| leaves.size_of(parts)).or_else(|| path_dims::size_of(dims));
            if *is_turned {
                figure.n = figure.n.or_else(|| turned.size(dataset.as_deref()));
                figure.stderr =
                    figure.stderr.or_else(|| turned.stderr(&metric, dataset.as_deref()));
            }
            figure.answers = leaves.tally_of(parts).and_then(FileSampleCounts::answers_each);
            leaves.plan(parts, dataset.as_deref(), file, fragment);
            if *is_deviation && figure.n.is_some() {
                continue;
            }
            let source = Source::line(&file.display, *line, parts.join("/"));
            if let Some(higher) = higher {
                declare_direction(&metric, dataset.as_deref(), *higher, names, fragment);
            }
            if leaves.has_several_answers(parts) {
                declare_several_answers(&metric, dataset.as_deref(), names, fragment);
            }
            let scalar = scalar(&metric, dataset.as_deref(), dims, figure, source, names);
            fragment.scalars.push(scalar);
        }
        deviations::drop_those_of_runs(root, fragment);
        declare_of_file(root, names, fragment);
        if TRAINER_NAMES.contains(&file.name.as_str()) {
            beside_figures::note_length_of_training(root, file, fragment);
        }
        findings.extend(illegible(leaves.texts, file));
        findings.extend(spread_assumed(leaves.assumed, file));
    })
}

/// Whether a table is none of those that stand for a file or a chart in a summary of W&B.
fn is_no_media(table: &Table) -> bool {
    table.get("_type").is_none_or(|kind| kind.text().is_none())
}

/// Metrics that stand above their datasets.
struct Turned<'a> {
    /// The metrics.
    metrics: BTreeSet<&'a str>,
    /// Sizes and standard errors, under their own names above the same datasets.
    beside: BTreeMap<&'a str, BTreeMap<&'a str, f64>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TurnedPart {
    /// Named as elsewhere.
    Not,
    Figure,
    /// Sizes and standard errors of figures.
    Beside,
}

impl<'a> Turned<'a> {
    /// A table is turned where its name is a metric of the catalogue and none of its keys is.
    fn find(leaves: &'a Leaves, names: &MetricNames) -> Self {
        let mut tables: BTreeMap<&str, Vec<(&str, &Leaf)>> = BTreeMap::new();
        for leaf in &leaves.figures {
            if let [.., above, last] = leaf.parts.as_slice() {
                tables.entry(above).or_default().push((last, leaf));
            }
        }
        let is_metric = |name: &str| names.get(name).is_some();
        let is_plain = |below: &[(&str, &Leaf)]| !below.iter().any(|(last, _)| is_metric(last));
        let mut found = Self { metrics: BTreeSet::new(), beside: BTreeMap::new() };
        for (&above, below) in tables.iter().filter(|(_, below)| is_plain(below)) {
            let is_spread = parse(above).is_some_and(|(base, _)| tables.contains_key(&*base));
            if is_spread || SIZE_KEYS.contains(&above) {
                let values = below
                    .iter()
                    .filter_map(|(last, leaf)| Some((*last, leaf.figure.value.value()?)));
                found.beside.insert(above, values.collect());
            } else if is_metric(above) {
                found.metrics.insert(above);
            }
        }
        if found.metrics.is_empty() {
            found.beside.clear();
        }
        found
    }

    fn part(&self, path: &[String]) -> TurnedPart {
        match path {
            [.., above, _] if self.beside.contains_key(above.as_str()) => TurnedPart::Beside,
            [.., above, _] if self.metrics.contains(above.as_str()) => TurnedPart::Figure,
            _ => TurnedPart::Not,
        }
    }

    fn size(&self, dataset: Option<&str>) -> Option<u64> {
        let sizes = SIZE_KEYS.iter().find_map(|key| self.beside.get(key))?;
        let n = sizes.get(dataset?).filter(|n| **n >= 0.0 && n.fract() == 0.0)?;
        Some(*n as u64)
    }

    fn stderr(&self, metric: &str, dataset: Option<&str>) -> Option<f64> {
        let is_of =
            |name: &&str| parse(name) == Some((metric.to_owned(), SpreadKind::StandardError));
        let (_, errors) = self.beside.iter().find(|(name, _)| is_of(name))?;
        errors.get(dataset?).copied().filter(|error| *error >= 0.0)
    }
}

/// What the file says of its only metric; of several metrics one word cannot be true of all.
fn declare_of_file(root: &Node, names: &MetricNames, fragment: &mut Fragment) {
    let metrics: BTreeSet<String> =
        fragment.scalars.iter().map(|scalar| scalar.metric.clone()).collect();
    if let (Some(higher), [only]) = (declared(root), metrics.iter().collect::<Vec<_>>().as_slice())
    {
        declare_direction(only, None, higher, names, fragment);
    }
}

fn declared(node: &Node) -> Option<bool> {
    match node.get("higher_is_better")?.value {
        Value::Bool(higher) => Some(higher),
        _ => None,
    }
}

fn is_no_metric(name: &str, dims: &Dims, names: &MetricNames) -> bool {
    let is_place = || axis_of_key(&name.to_lowercase()).is_some();
    !names.is_declared(name) && (NOT_METRICS.contains(&name) || is_place())
        || dims.get(name).is_some()
}

/// Coordinates that the file states.
fn dims(root: &Node, file: &FileEntry, names: &MetricNames) -> Dims {
    let mut dims = Dims::none();
    if TRAINER_NAMES.contains(&file.name.as_str()) {
        return dims;
    }
    for (key, node) in root.table().into_iter().flatten() {
        let axis = axis_of_key(&key.to_lowercase()).filter(|_| !names.is_declared(key));
        let written = || number_of_place(node.text()?.trim());
        let place = axis.zip(node.number().or_else(written).filter(|at: &f64| at.is_finite()));
        if let Some((axis, at)) = place {
            dims.insert(axis, DimValue::Number(at));
        }
    }
    dims
}

/// The number of a place: `5`, `5-shot`, `checkpoint-100`.
fn number_of_place(text: &str) -> Option<f64> {
    let name = text.trim_end_matches('/').rsplit('/').next().unwrap_or(text);
    let named = || coordinate(name).filter(|(.., rest)| rest.is_empty())?.1.parse().ok();
    text.parse().ok().or_else(named)
}

/// Where a figure stands.
struct FigurePlace {
    dims: Dims,
    /// The keys that name it, the metric last.
    path: Vec<String>,
    nested: bool,
    /// Whether its metric stands above its dataset.
    is_turned: bool,
}

impl FigurePlace {
    /// Makes a coordinate of the last key, which stands in the place of a metric.
    fn name_by_point(&mut self, file: &FileEntry) {
        let Some((last, own)) = self.path.last_mut().and_then(|last| {
            let own = places_of_name(last)?;
            Some((last, own))
        }) else {
            return;
        };
        UNNAMED.clone_into(last);
        for (axis, value) in own.iter() {
            self.dims.insert(axis, value.clone());
        }
        path_dims::add_bare_size(&file.relative, &mut self.dims);
    }
}

impl Leaf {
    /// Where it stands in a file of these coordinates; `None` for what stands beside metrics above their
    /// datasets.
    fn place(&self, turned: &Turned<'_>, is_by_step: bool, dims: &Dims) -> Option<FigurePlace> {
        let (dims, path) = match self.parts.split_first().filter(|_| is_by_step) {
            Some((step, below)) => (dims.clone().with("step", DimValue::parse(step)), below),
            None => (dims.clone(), self.parts.as_slice()),
        };
        let nested = self.nested && (!is_by_step || path.len() > 1);
        let turn = turned.part(path);
        if turn == TurnedPart::Beside {
            return None;
        }
        let mut path = path.to_vec();
        if turn == TurnedPart::Figure
            && let [.., metric, dataset] = path.as_mut_slice()
        {
            std::mem::swap(metric, dataset);
        }
        let (own, path) = without_coordinates(&path);
        let dims = own.iter().fold(dims, |dims, (axis, value)| dims.with(axis, value.clone()));
        Some(FigurePlace { dims, path, nested, is_turned: turn == TurnedPart::Figure })
    }
}

/// The coordinates that keys above a figure are, as in `{"shot1": {"accuracy": 0.5}}`, and the other keys.
fn without_coordinates(path: &[String]) -> (Dims, Vec<String>) {
    let mut dims = Dims::none();
    let mut rest = Vec::with_capacity(path.len());
    for (place, key) in path.iter().enumerate() {
        match places_of_name(key).filter(|_| place + 1 < path.len()) {
            Some(own) => own.iter().for_each(|(axis, value)| dims.insert(axis, value.clone())),
            None => rest.push(key.clone()),
        }
    }
    (dims, rest)
}

/// Whether every key of the file is the number of a step, with a table of figures below.
fn is_by_step(root: &Node) -> bool {
    let is_step = |key: &str| !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit());
    root.table().is_some_and(|table| {
        !table.is_empty()
            && table.iter().all(|(key, below)| is_step(key) && below.table().is_some())
    })
}

struct Leaf {
    parts: Vec<String>,
    nested: bool,
    figure: FileFigure,
    line: u64,
    /// Whether it is the standard deviation of a metric beside it, if its samples are counted.
    is_deviation: bool,
    /// Whether more is better, where that is written beside the number.
    higher: Option<bool>,
}

/// Where values go that are not figures.
struct Beside<'a> {
    file: &'a FileEntry,
    names: &'a MetricNames,
    fragment: &'a mut Fragment,
}

#[derive(Default)]
struct Leaves {
    figures: Vec<Leaf>,
    sizes: BTreeMap<Vec<String>, u64>,
    /// `eval_samples` of the Hugging Face trainer.
    split_sizes: BTreeMap<String, u64>,
    episodes: EpisodeCounts,
    /// What tables say of their samples, by the keys above.
    tallies: BTreeMap<Vec<String>, FileSampleCounts>,
    /// Figures behind which a spread is written, and where.
    assumed: Vec<(String, u64)>,
    /// Names under which a text stands in place of a figure, and where.
    texts: Vec<(String, u64)>,
}

impl Leaves {
    /// The keys above figures that nobody names: each of several keys is a point of a coordinate.
    fn unnamed(&self) -> BTreeSet<Vec<String>> {
        let mut points: BTreeMap<&[String], usize> = BTreeMap::new();
        for leaf in &self.figures {
            if let Some((last, above)) = leaf.parts.split_last()
                && places_of_name(last).is_some()
            {
                *points.entry(above).or_default() += 1;
            }
        }
        points.retain(|_, count| *count > 1);
        points.into_keys().map(<[String]>::to_vec).collect()
    }

    fn collect(&mut self, node: &Node, above: &[String], nested: bool, to: &mut Beside<'_>) {
        let Some(table) = node.table() else { return };
        let spreads = FileSpreads::find(table, to.names);
        let tally = FileSampleCounts::read(table, to.names);
        for (key, inner) in table {
            let beside = table.keys().map(String::as_str);
            let is_figure = (to.names.is_declared(key) && inner.number().is_some())
                || beside_figures::is_precision_metric(key, inner.number(), beside);
            if !is_figure && beside_figures::take_setting(key, inner, above, to.file, to.fragment) {
                continue;
            }
            let spread = spreads.kind(key);
            if spread.is_some_and(|spread| spread != SpreadKind::StandardDeviation) {
                continue;
            }
            let mut parts = above.to_vec();
            parts.extend(key.split('/').map(str::to_owned));
            let entry = match inner.text().and_then(read_cell) {
                Some(figure) if figure.stderr.is_some() => {
                    self.assumed.push((parts.join("/"), inner.line));
                    FigureEntry::Figure(figure)
                }
                _ => FigureEntry::read(parts.last().map_or("", String::as_str), inner, to.names),
            };
            match entry {
                FigureEntry::Figure(figure) => {
                    let figure = spreads.complete(key, figure);
                    let share = tally.share(key, figure, to.names);
                    if share.is_some_and(|share| tally.is_said(&share)) {
                        continue;
                    }
                    let figure = share.unwrap_or(figure);
                    if tally.is_part(key, to.names) && !SIZE_KEYS.contains(&key.as_str()) {
                        continue;
                    }
                    let is_deviation = spread.is_some();
                    let (line, higher) = (inner.line, declared(inner));
                    let leaf = Leaf { parts, nested, figure, line, is_deviation, higher };
                    self.add(leaf, inner, to.names);
                }
                FigureEntry::Illegible => self.texts.push((parts.join("/"), inner.line)),
                FigureEntry::Other if inner.table().is_some_and(is_no_media) => {
                    self.collect(inner, &parts, true, to);
                }
                FigureEntry::Other => {}
            }
        }
        self.tallies.insert(above.to_vec(), tally);
    }

    fn add(&mut self, mut leaf: Leaf, node: &Node, names: &MetricNames) {
        let last = leaf.parts.last().map_or("", String::as_str);
        if names.is_declared(last) {
            self.figures.push(leaf);
        } else if SIZE_KEYS.contains(&last) {
            let Some(n) = node.count() else { return };
            leaf.parts.pop();
            self.sizes.entry(leaf.parts).or_insert(n);
        } else if episodes::is_number(&leaf.parts) {
            self.episodes.add(leaf.parts, node.count());
        } else if let (Some(split), Some(n)) = (last.strip_suffix("_samples"), node.count()) {
            self.split_sizes.insert(split.to_owned(), n);
        } else {
            self.figures.push(leaf);
        }
    }

    fn size_of(&self, parts: &[String]) -> Option<u64> {
        let (metric, above) = parts.split_last()?;
        let split = metric.split_once('_').map_or("", |(split, _)| split);
        let scored = self.tallies.get(above).and_then(FileSampleCounts::size);
        let stated = || self.sizes.get(above).or_else(|| self.split_sizes.get(split)).copied();
        scored.or_else(stated).or_else(|| self.episodes.behind(parts))
    }

    fn has_several_answers(&self, parts: &[String]) -> bool {
        self.tally_of(parts).is_some_and(FileSampleCounts::has_several_answers)
    }

    /// What the table of a figure says of its samples.
    fn tally_of(&self, parts: &[String]) -> Option<&FileSampleCounts> {
        self.tallies.get(parts.split_last().map_or(parts, |(_, above)| above))
    }

    /// Writes down how many samples the figure should stand on, where fewer have a result.
    fn plan(&self, parts: &[String], dataset: Option<&str>, file: &FileEntry, to: &mut Fragment) {
        let above = parts.split_last().map_or(parts, |(_, above)| above);
        let Some(tally) = self.tallies.get(above).filter(|tally| tally.scored.is_some()) else {
            return;
        };
        if let Some((samples, key, line)) = tally.total.clone() {
            let key = [above, &[key]].concat().join("/");
            let source = Source::line(&file.display, line, key);
            let dataset = dataset.unwrap_or_default().to_owned();
            to.planned.entry(dataset).or_insert(Planned { samples, source });
        }
    }
}
