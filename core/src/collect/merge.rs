//! Fragments of one run to one, in path order.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};

use super::content::past_limit;
use super::stamps::results_stamp;
use super::{Piece, ReadOptions, answers, bounded, bounds, curve_names, path_dims, readers, stems};
use crate::diag::{Code, Diagnostic, Location, Warned};
use crate::model::{
    Config, ConfigEntry, ConfigValue, Dims, Fragment, Limits, SampleTable, Scalar, Source, leaf,
};
use crate::quantity::Unit;

/// Joins the pieces. Of what several files say:
///
/// 1. Newer evaluations count before older ones, by the times in the names of their files.
/// 2. A list of checkpoints counts after the evaluations that it repeats.
/// 3. Otherwise the first in path order counts.
/// 4. Lines of logs count for metrics over steps that no other file has.
/// 5. Series of one name that cannot be one curve are named by what tells their files apart; where one
///    continues another, they are one.
/// 6. A configuration key that a later file writes differently is kept beside it as `file#key`.
pub(super) fn merge(mut pieces: Vec<Piece>, options: &ReadOptions) -> Warned<Fragment> {
    pieces.sort_by_key(|piece| {
        let stamp = results_stamp(&piece.relative).map(str::to_owned);
        (Reverse(stamp), piece.reader == readers::BEST_CHECKPOINT, piece.position)
    });
    stems::name_datasets(&mut pieces);
    let mut whole = Fragment::default();
    let mut figures = MergedFigures::default();
    let mut contradictions = ConfigContradictions::default();
    let mut logged = Vec::new();
    let mut tables = BTreeMap::new();
    let mut known_files = ConfigFiles::default();
    for Piece { relative, display, reader, mut fragment, .. } in pieces {
        let config = std::mem::take(&mut fragment.config);
        let logs = [readers::SERIES_LOG, readers::CONFIG_DUMP];
        if logs.contains(&reader) {
            known_files.logs.insert(Arc::clone(&display));
        } else if reader == readers::CONFIG {
            known_files.configs.insert(Arc::clone(&display));
        }
        whole.has_whole_config |= fragment.has_whole_config;
        let changed = merge_config(&mut whole.config, config, &relative, &known_files);
        if reader == readers::CONFIG {
            contradictions.add(display, changed);
        }
        let place = path_dims::path_dims(&relative);
        for mut scalar in fragment.scalars.drain(..) {
            add_place(&mut scalar.dims, &place);
            scalar.n = scalar.n.or_else(|| path_dims::size_of(&place));
            figures.add(scalar);
        }
        for mut table in fragment.samples.drain(..) {
            add_place(&mut table.dims, &place);
            add_samples(&mut whole.samples, &mut tables, table);
        }
        if reader == readers::SERIES_LOG {
            logged.push(std::mem::take(&mut fragment.series));
        }
        add_rest(&mut whole, fragment);
    }
    let filed: BTreeSet<String> = whole.series.iter().map(|one| one.metric.clone()).collect();
    whole.series.extend(logged.into_iter().flatten().filter(|one| !filed.contains(&one.metric)));
    let mut findings: Vec<Diagnostic> = contradictions.finish().into_iter().collect();
    findings.extend(curve_names::name_apart(&mut whole.series));
    findings.extend(curve_names::join_parts(&mut whole.series));
    add_logged_settings(&mut whole);
    whole.scalars = figures.finish(&mut findings);
    findings.extend(left_out(&mut whole, options.access.limits));
    findings.extend(bounds::review(&whole, &options.names));
    for table in &mut whole.samples {
        findings.extend(bounds::drop_impossible_scores(table, &options.names));
        findings.extend(answers::collapse_answers(table));
    }
    Warned::new(whole, findings)
}

/// Settings that a training logs beside its metrics.
const LOGGED_SETTINGS: &[&str] =
    &["learning_rate", "lr", "batch_size", "weight_decay", "momentum", "kl_coef", "clip_range"];
/// Those of them that a training changes as it goes.
const SCHEDULED: &[&str] = &["learning_rate", "lr", "kl_coef", "momentum"];
/// Fewer equal points of a setting may be those of a schedule.
const MOST_OF_A_START: usize = 2;

/// What a training logs of a setting is its value where it never changes, unless a configuration says
/// it.
fn add_logged_settings(whole: &mut Fragment) {
    let Fragment { series, config, .. } = whole;
    for series in series {
        let name = series.metric.rsplit('/').next().unwrap_or_default();
        let is_known = config.iter().any(|(key, _)| leaf(key) == name);
        let [first, others @ ..] = series.points.as_slice() else { continue };
        let is_constant = others.len() >= MOST_OF_A_START
            && others.iter().all(|point| point.value.total_cmp(&first.value).is_eq());
        if LOGGED_SETTINGS.contains(&name) && !is_known && is_constant && series.dims.is_empty() {
            let source = Source::line(&series.path, first.line, series.metric.as_str());
            let value = ConfigValue::Number(first.value, first.value.to_string());
            config.insert(name.to_owned(), ConfigEntry { value, source });
        }
    }
}

/// Leaves out what is more than a run may hold, and says where it stood first.
fn left_out(whole: &mut Fragment, limits: Limits) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    if let Some(first) = whole.scalars.get(limits.figures) {
        findings.push(past_limit("figures", limits.figures, &first.source.path));
        whole.scalars.truncate(limits.figures);
    }
    if let Some(first) = whole.samples.get(limits.figures).and_then(|table| table.paths().next()) {
        findings.push(past_limit("figures", limits.figures, first));
        whole.samples.truncate(limits.figures);
    }
    let first_key = whole.config.iter().nth(limits.keys);
    if let Some(path) = first_key.map(|(_, first)| Arc::clone(&first.source.path)) {
        findings.push(past_limit("keys", limits.keys, &path));
        whole.config.truncate(limits.keys);
    }
    findings
}

/// Adds the coordinates in the names above a file that the file itself does not state.
fn add_place(dims: &mut Dims, place: &Dims) {
    for (name, value) in place.iter() {
        if dims.get(name).is_none() {
            dims.insert(name, value.clone());
        }
    }
}

/// Adds what needs no comparison with what is there: lists go on, of anything else the first counts.
fn add_rest(whole: &mut Fragment, part: Fragment) {
    whole.series.extend(part.series);
    whole.sample_fields.extend(part.sample_fields);
    part.printed.iter().for_each(|(key, entry)| whole.printed.insert_beside(key, entry));
    add_missing(&mut whole.specs, part.specs);
    whole.provenance.merge(part.provenance);
    add_missing(&mut whole.versions, part.versions);
    add_missing(&mut whole.declared_sizes, part.declared_sizes);
    add_missing(&mut whole.planned, part.planned);
    add_missing(&mut whole.groups, part.groups);
    whole.progress = whole.progress.take().or(part.progress);
    whole.selection = whole.selection.take().or(part.selection);
    whole.best_checkpoint = whole.best_checkpoint.take().or(part.best_checkpoint);
    whole.endings.extend(part.endings);
    whole.torn |= part.torn;
    whole.torn_samples.extend(part.torn_samples);
}

fn add_missing<T>(whole: &mut IndexMap<String, T>, part: IndexMap<String, T>) {
    for (name, value) in part {
        whole.entry(name).or_insert(value);
    }
}

/// Names of datasets differ in more than ASCII case.
fn dataset_key(name: Option<&String>) -> Option<String> {
    name.map(|name| name.to_ascii_lowercase())
}

/// Samples of one dataset at one grid point are one table, however many files they were split over.
fn add_samples(
    whole: &mut Vec<SampleTable>,
    places: &mut BTreeMap<(Option<String>, Dims), usize>,
    table: SampleTable,
) {
    let place = *places
        .entry((dataset_key(table.dataset.as_ref()), table.dims.clone()))
        .or_insert(whole.len());
    match whole.get_mut(place) {
        Some(known) => known.extend(table),
        None => whole.push(table),
    }
}

/// Which of the files of a run are logs, and which hold nothing but its configuration.
#[derive(Default)]
struct ConfigFiles {
    logs: BTreeSet<Arc<str>>,
    configs: BTreeSet<Arc<str>>,
}

/// Adds the keys of a file, and returns those that an earlier file writes differently, each with
/// that file. Beside figures stands the last value of a schedule, which is none where a configuration says it.
fn merge_config(
    whole: &mut Config,
    config: Config,
    relative: &str,
    files: &ConfigFiles,
) -> Vec<(String, Arc<str>)> {
    let mut changed = Vec::new();
    let is_of_log = |entry: &ConfigEntry| files.logs.contains(&entry.source.path);
    let is_config = |entry: &ConfigEntry| files.configs.contains(&entry.source.path);
    for (key, entry) in config {
        match whole.get(&key) {
            Some(earlier) if earlier.value.same_as(&entry.value) => {}
            Some(earlier) if is_of_log(earlier) || is_of_log(&entry) => {
                whole.insert_beside(&key, &entry);
            }
            Some(earlier)
                if SCHEDULED.contains(&leaf(&key)) && is_config(earlier) != is_config(&entry) =>
            {
                if is_config(&entry) {
                    whole.replace(&key, entry);
                }
            }
            Some(earlier) => {
                changed.push((key.clone(), Arc::clone(&earlier.source.path)));
                whole.insert(format!("{relative}#{key}"), entry);
            }
            None => {
                whole.insert(key, entry);
            }
        }
    }
    changed
}

#[derive(Default)]
struct ConfigContradictions {
    configs: IndexSet<Arc<str>>,
    files: IndexSet<Arc<str>>,
    keys: IndexSet<String>,
}

impl ConfigContradictions {
    /// Adds a configuration file and what it changes. What else states a key is no configuration.
    fn add(&mut self, path: Arc<str>, changed: Vec<(String, Arc<str>)>) {
        for (key, earlier) in changed {
            if self.configs.contains(&earlier) {
                self.files.insert(earlier);
                self.files.insert(Arc::clone(&path));
                self.keys.insert(key);
            }
        }
        self.configs.insert(path);
    }

    fn finish(self) -> Option<Diagnostic> {
        let first = self.files.get_index(1)?.to_string();
        let files = bounded(self.files.iter().map(ToString::to_string), MOST_NAMED);
        let keys = bounded(self.keys, MOST_NAMED);
        Some(
            Diagnostic::new(Code::SeveralConfigs)
                .with("files", files)
                .with("keys", keys)
                .at(Location::file(first)),
        )
    }
}

/// Most files and keys that a finding names.
const MOST_NAMED: usize = 8;

/// Figures in the order they were read, and where each lies by what it measures.
#[derive(Default)]
struct MergedFigures {
    scalars: Vec<Scalar>,
    places: BTreeMap<(String, Option<String>, Dims), usize>,
    /// The first conflict of two files, and how many they have.
    conflicts: IndexMap<(Arc<str>, Arc<str>), (Diagnostic, u64)>,
}

impl MergedFigures {
    /// Adds a figure; one that is there already only gains what the new one knows more.
    fn add(&mut self, scalar: Scalar) {
        let dataset = dataset_key(scalar.dataset.as_ref());
        let key = (scalar.metric.clone(), dataset, scalar.dims.clone());
        let place = *self.places.entry(key).or_insert(self.scalars.len());
        let Some(earlier) = self.scalars.get_mut(place) else {
            self.scalars.push(scalar);
            return;
        };
        // Of two names of a metric in one file the canonical one counts, wherever it stands.
        let mut scalar = scalar;
        if earlier.source.path == scalar.source.path && spelling(&scalar) < spelling(earlier) {
            std::mem::swap(earlier, &mut scalar);
        }
        match (earlier.value.value(), scalar.value.value()) {
            (Some(kept), Some(dropped))
                if !nearly_equal(share(kept, earlier.unit), share(dropped, scalar.unit)) =>
            {
                let (own, other) = (&earlier.source, &scalar.source);
                let is_row = own.path == other.path && own.key == other.key;
                let files = (Arc::clone(&own.path), Arc::clone(&other.path));
                let first = || (conflict((earlier, kept), (&scalar, dropped)), 0);
                self.conflicts.entry(files).or_insert_with(first).1 += 1;
                earlier.disputed |= is_row;
            }
            (None, Some(_)) => *earlier = scalar,
            _ => {
                earlier.n = earlier.n.or(scalar.n);
                earlier.stderr = earlier.stderr.or(scalar.stderr);
            }
        }
    }

    fn finish(self, findings: &mut Vec<Diagnostic>) -> Vec<Scalar> {
        let conflicts = self.conflicts.into_values();
        findings.extend(conflicts.map(|(finding, count)| finding.with("count", count)));
        self.scalars
    }
}

/// The figure, a percentage as a fraction, so that figures of two files can be compared.
fn share(value: f64, unit: Option<Unit>) -> f64 {
    if unit == Some(Unit::Percent) { value * 0.01 } else { value }
}

/// Whether the key of a figure is another name than the metric's own, and the key.
fn spelling(scalar: &Scalar) -> (bool, Option<&str>) {
    let key = scalar.source.key.as_deref();
    let name = key.and_then(|key| key.rsplit(['/', '.']).next());
    let name = name.map(|name| name.split_once(',').map_or(name, |(name, _)| name));
    (name != Some(scalar.metric.as_str()), key)
}

fn conflict((earlier, kept): (&Scalar, f64), (later, dropped): (&Scalar, f64)) -> Diagnostic {
    // In one file only the keys tell the figures apart.
    let place = |scalar: &Scalar| match &scalar.source.key {
        Some(key) if earlier.source.path == later.source.path => {
            format!("{} ({key})", scalar.source.path)
        }
        _ => scalar.source.path.to_string(),
    };
    Diagnostic::new(Code::ConflictingFigures)
        .metric(&later.metric)
        .dataset(later.dataset.as_deref())
        .with("metric", later.metric.as_str())
        .with("kept", kept)
        .with("kept_path", place(earlier))
        .with("dropped", dropped)
        .with("dropped_path", place(later))
        .at(later.source.location())
}

/// Equal but for the rounding of one producer's last digit.
fn nearly_equal(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}
