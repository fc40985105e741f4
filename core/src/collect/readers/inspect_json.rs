//! Logs of Inspect AI (version 2), as JSON or as the archive `.eval`: settings, figures of each scorer,
//! samples.
//!
//! `scores[].metrics` are figures over samples whose epochs a reducer has made one; `samples` hold
//! every epoch. A metric is called as its score is: for `accuracy` and `mean` over the mean of
//! epochs, which is what the samples average to; under another reducer, or another metric of the same
//! score, its name goes behind a slash. Reduced samples are not read: they follow from the epochs.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::content::{bad_record, list_text};
use super::super::document::{Node, RepeatedKeys, Value, flatten, parse_json_line, repeated_keys};
use super::super::lines::{Limits, LineCounter};
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::figure::FileFigure;
use super::file_figures::{produced, read_figures, scalar, with_figures};
use super::inspect_archive::{self, LogArchive};
use super::run_endings::ending;
use super::samples::{BadRecord, Harvest, JsonList, json};
use crate::diag::{Diagnostic, Location};
use crate::model::{
    ConfigEntry, ConfigValue, Dims, Direction, Fragment, MetricNames, Planned, Provenance,
    RunEnding, Source,
};
use crate::quantity::Unit;

pub(in crate::collect) const NAME: &str = "inspect";

pub(super) const READER: Reader = Reader { name: NAME, recognises: is_log, read };

/// Keys that no other program writes together near the beginning of a document.
const MARKS: &[&str] = &["\"eval\"", "\"eval_id\"", "\"task_version\""];
/// What is wrong with a file of a document and more: who reads the whole of it refuses it.
const GOES_ON: &str = "expected nothing behind the document";
/// The mark of a log that its owner does not want to be used.
const INVALIDATED: &str = "invalidated";
/// Averages over samples, and what else stands beside them and is no metric.
const AVERAGES: &[&str] = &["accuracy", "mean"];
const STDERRS: &[&str] = &["stderr", "bootstrap_stderr"];
const SPREADS: &[&str] = &["std", "var"];
/// The figure over all samples among those of `grouped`, of which each other one is of the samples of a group.
const OF_ALL: &str = "all";
/// Settings of a run that decide what is asked and when an answer ends.
const LIMITS: &[&str] = &[
    "epochs",
    "epochs_reducer",
    "limit",
    "sample_id",
    "message_limit",
    "token_limit",
    "time_limit",
    "working_limit",
    "score_on_error",
];
/// Settings of requests that say nothing of the answers.
const REQUESTS: &[&str] = &["max_connections", "max_retries", "timeout", "attempt_timeout"];

pub(in crate::collect) fn is_log(file: &FileEntry) -> bool {
    let is_document = || file.has_extension("json") && MARKS.iter().all(|mark| file.head_has(mark));
    inspect_archive::is_log(file) || is_document()
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    if inspect_archive::is_log(file) {
        read_archive(file, options)
    } else {
        read_json(file, options)
    }
}

fn read_archive(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    let archive = LogArchive::open(file)?;
    let log = Log::parse(archive.header());
    let each = |harvest: &mut Harvest, line, sample: &str| {
        if let Err(fault) = harvest.take_record(&log.record(sample)?, line) {
            let expected = fault.expected;
            harvest.findings.bad(BadRecord { line, column: None, expected });
        }
        Ok(())
    };
    let pieces = archive.fold_samples(|| Harvest::of_file(file, options), each)?;
    Ok(with_figures(file, &options.names, Vec::new(), |fragment, findings| {
        let mut whole = Harvest::default();
        for (piece, before) in pieces {
            whole.append(piece, before, file.limits.metrics);
        }
        log.give(Some(whole), file, options, fragment, findings);
    }))
}

fn read_json(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    read_figures(file, &options.names, list_text, |text, fragment, findings| {
        let log = Log::parse(text);
        let samples = log.samples.map(|list| {
            let mut harvest = Harvest::of_file(file, options);
            JsonList { text, list, record: |sample| log.record(sample) }.take(&mut harvest);
            harvest
        });
        log.give(samples, file, options, fragment, findings);
    })
}

/// Hands on the records of these lines.
pub(in crate::collect) fn records(
    file: &FileEntry,
    wanted: &BTreeSet<u64>,
    take: &mut dyn FnMut(u64, &str),
) -> Result<(), String> {
    let refused = |finding: Box<Diagnostic>| finding.code.id().to_owned();
    if inspect_archive::is_log(file) {
        let archive = LogArchive::open(file).map_err(refused)?;
        let log = Log::parse(archive.header());
        let hand_on = |line, sample: &str| {
            if let Ok(record) = log.record(sample) {
                take(line, &record);
            }
        };
        return archive.hand_on(wanted, hand_on).map_err(refused);
    }
    let text = list_text(file).map_err(refused)?.value;
    let log = Log::parse(&text);
    let list = log.samples.unwrap_or("[]");
    JsonList { text: &text, list, record: |sample| log.record(sample) }.hand_on(wanted, take);
    Ok(())
}

/// The parts of a log.
#[derive(Default)]
struct Log<'a> {
    samples: Option<&'a str>,
    eval: Option<Node>,
    plan: Option<Node>,
    results: Option<Node>,
    stats: Option<Node>,
    status: Option<Node>,
    invalidated: Option<Node>,
    repeated: RepeatedKeys,
    /// Whether something stands behind the document, perhaps another one.
    goes_on: bool,
    torn: bool,
}

impl<'a> Log<'a> {
    fn parse(text: &'a str) -> Self {
        let (mut log, mut scratch) = (Self::default(), String::new());
        let mut lines = LineCounter::new(text);
        let mut read = 0;
        let ended = json::for_each_field(text, |key, raw| {
            read = raw.text.as_ptr().addr() + raw.text.len() - text.as_ptr().addr();
            let name = key.name(&mut scratch);
            let part = match name {
                "samples" => {
                    if log.samples.replace(raw.text).is_some() {
                        let line = lines.line_of_part(raw.text);
                        log.repeated.note(|| (name.to_owned(), line));
                    }
                    return;
                }
                "eval" => &mut log.eval,
                "plan" => &mut log.plan,
                "results" => &mut log.results,
                "stats" => &mut log.stats,
                "status" => &mut log.status,
                INVALIDATED => &mut log.invalidated,
                _ => return,
            };
            let line = lines.line_of_part(raw.text);
            let Ok(parsed) = parse_json_line(raw.text, line) else { return };
            if part.is_some() {
                log.repeated.note(|| (name.to_owned(), line));
            }
            log.repeated.append(parsed.repeated);
            *part = Some(parsed.root);
        });
        log.torn = ended.is_err();
        let rest = text.get(read..).unwrap_or_default().trim_start();
        log.goes_on = rest.strip_prefix('}').is_some_and(|rest| !rest.trim().is_empty());
        if log.torn && log.samples.is_none() {
            let rest = text.get(read..).unwrap_or_default();
            let behind = rest.split_once("\"samples\"").map(|(_, samples)| samples);
            log.samples = behind.and_then(|samples| samples.get(samples.find('[')?..));
        }
        log
    }

    /// Puts what the log says into a fragment, and its samples.
    fn give(
        &self,
        samples: Option<Harvest>,
        file: &FileEntry,
        options: &ReadOptions,
        fragment: &mut Fragment,
        findings: &mut Vec<Diagnostic>,
    ) {
        if let Some(harvest) = samples {
            let line_bytes = Limits::from(file.limits).line_bytes;
            *fragment = harvest.into_fragment(file, line_bytes).drain_into(findings);
        }
        fragment.torn |= self.torn;
        findings.extend(repeated_keys(self.repeated.clone(), file));
        let goes_on = || bad_record(GOES_ON, Location::file(&*file.display));
        findings.extend(self.goes_on.then(goes_on));
        self.read_settings(&file.display, fragment);
        self.read_figures(&file.display, &options.names, fragment);
    }

    /// What stands under that key of what is known before the first sample.
    fn eval(&self, key: &str) -> Option<&Node> {
        self.eval.as_ref()?.get(key)
    }

    fn task(&self) -> Option<&str> {
        self.eval("task")?.text()
    }

    /// Whether every sample is asked more than once.
    fn has_epochs(&self) -> bool {
        let epochs = self.eval("config").and_then(|config| config.get("epochs")?.count());
        epochs.is_some_and(|epochs| epochs > 1)
    }

    /// What each scorer was set to, by its name, and which function makes each score.
    fn scorers(&self) -> Vec<(String, Option<&Node>)> {
        let results = self.results.as_ref().and_then(|results| results.get("scores"));
        let options = named(self.eval("scorers"))
            .map(|(name, node)| (format!("scorer.{name}"), node.get("options")));
        let functions =
            named(results).map(|(name, node)| (format!("score.{name}.scorer"), node.get("scorer")));
        options.chain(functions).collect()
    }

    /// One sample of one epoch as a record: what was asked and answered, and each score by its name.
    fn record<'s>(&self, sample: &str) -> Result<Cow<'s, str>, json::Malformed> {
        let task = serde_json::Value::from(self.task()).to_string();
        let mut fields = vec![format!("\"task\":{task}")];
        let (mut key_scratch, mut inner_scratch) = (String::new(), String::new());
        json::for_each_field(sample, |key, raw| match key.name(&mut key_scratch) {
            key @ ("id" | "input" | "target" | "metadata" | "error") => {
                fields.push(format!("\"{key}\":{}", raw.text));
            }
            "scores" => fields.push(format!("\"scores\":{{{}}}", scores(raw.text))),
            "output" => {
                let _checked = json::for_each_field(raw.text, |key, raw| {
                    if key.name(&mut inner_scratch) == "completion" {
                        fields.push(format!("\"output\":{}", raw.text));
                    }
                });
            }
            _ => {}
        })?;
        Ok(Cow::Owned(format!("{{{}}}", fields.join(","))))
    }

    fn read_settings(&self, path: &Arc<str>, fragment: &mut Fragment) {
        fragment.has_whole_config = true;
        let config = &mut fragment.config;
        let mut take = |node: Option<&Node>, key: &str| {
            if let Some(node) = node {
                flatten(node, key, path, config);
            }
        };
        for key in ["model", "task_args", "model_roles"] {
            take(self.eval(key), key);
        }
        let dataset = self.eval("dataset");
        take(dataset.and_then(|dataset| dataset.get("name")), "eval.dataset.name");
        take(self.eval("sandbox"), "sandbox");
        take(self.plan.as_ref().and_then(|plan| plan.get("steps")), "solver");
        for key in LIMITS {
            take(self.eval("config").and_then(|config| config.get(key)), key);
        }
        let requests = self.plan.as_ref().and_then(|plan| plan.get("config"));
        for (key, options) in self.scorers() {
            take(options, &key);
        }
        for requests in [self.eval("model_generate_config"), requests] {
            let settings = requests.into_iter().flat_map(Node::entries);
            for (key, node) in settings.filter(|(key, _)| !REQUESTS.contains(&key.as_str())) {
                take(Some(node), key);
            }
        }
        for (key, node) in self.eval("model_args").into_iter().flat_map(Node::entries) {
            take(Some(node).filter(|node| node.written().is_some()), &format!("model_args.{key}"));
        }
        let said = self.status.as_ref().and_then(|node| Some((node, node.text()?)));
        fragment.endings.extend(said.and_then(|(node, status)| {
            ending("status", status, Source::line(path, node.line, "status"))
        }));
        let invalidated = self.invalidated.as_ref().filter(|node| node.value == Value::Bool(true));
        fragment.endings.extend(invalidated.map(|node| RunEnding {
            said: INVALIDATED.to_owned(),
            source: Source::line(path, node.line, INVALIDATED),
        }));
        self.read_dataset(path, fragment);
        let written = |node: Option<&Node>| node.and_then(Node::written).map(str::to_owned);
        fragment.provenance = Provenance {
            commit: written(self.eval("revision").and_then(|revision| revision.get("commit"))),
            started: written(self.eval("created")),
            ended: written(self.stats.as_ref().and_then(|stats| stats.get("completed_at"))),
            model: written(self.eval("model")),
            harness: Some("inspect_ai".to_owned()),
            harness_version: written(self.eval("packages").and_then(|all| all.get("inspect_ai"))),
        };
    }

    /// Which version of the task was asked, where its data lies, and how many samples it has.
    fn read_dataset(&self, path: &Arc<str>, fragment: &mut Fragment) {
        let dataset = self.eval("dataset");
        if let (Some(task), Some(version)) =
            (self.task(), self.eval("task_version").and_then(Node::written))
        {
            fragment.versions.insert(task.to_owned(), version.to_owned());
        }
        let location = dataset.and_then(|dataset| dataset.get("location"));
        if let Some((node, location)) = location.and_then(|node| Some((node, node.text()?))) {
            let entry = ConfigEntry {
                value: ConfigValue::Text(place_of_data(location).to_owned()),
                source: Source::line(path, node.line, "eval.dataset.location"),
            };
            fragment.config.insert("eval.dataset.location".to_owned(), entry);
        }
        let ids = dataset.and_then(|dataset| dataset.get("sample_ids"));
        if let (Some(task), Some((node, ids))) =
            (self.task(), ids.and_then(|node| Some((node, node.list()?))))
        {
            let source = Source::line(path, node.line, "eval.dataset.sample_ids");
            let planned = Planned { samples: ids.len() as u64, source };
            fragment.planned.insert(task.to_owned(), planned);
        }
    }

    fn read_figures(&self, path: &Arc<str>, names: &MetricNames, fragment: &mut Fragment) {
        let scores = self.results.as_ref().and_then(|results| results.get("scores")?.list());
        for score in scores.into_iter().flatten() {
            let Some(name) = score.get("name").and_then(Node::text) else { continue };
            let reducer = score.get("reducer").and_then(Node::text);
            let reducer = reducer.filter(|reducer| *reducer != "mean");
            let metrics: Vec<(&String, &Node)> =
                score.get("metrics").into_iter().flat_map(Node::entries).collect();
            let stated = |keys: &[&str]| {
                let found = metrics.iter().find(|(metric, _)| keys.contains(&metric.as_str()));
                found.and_then(|(_, node)| node.get("value")?.number())
            };
            let average = AVERAGES.iter().find(|average| stated(&[average]).is_some());
            for (metric, node) in &metrics {
                if STDERRS.contains(&metric.as_str()) || SPREADS.contains(&metric.as_str()) {
                    continue;
                }
                let Some(figure) = node.get("value").and_then(FileFigure::read) else { continue };
                let is_average = average.is_some_and(|average| average == metric);
                let own = Some(metric.as_str()).filter(|_| !is_average);
                let parts = [Some(name), reducer, own].into_iter().flatten();
                let full = parts.collect::<Vec<_>>().join("/");
                if name_of_metric(metric, node) == "accuracy" {
                    let canonical = names.canonical(&full).to_owned();
                    let mut spec = produced(&canonical, Direction::Higher, Unit::Fraction, names);
                    spec.outcomes &= !self.has_epochs();
                    fragment.specs.insert(canonical, spec);
                }
                let figure = FileFigure {
                    n: score
                        .get("scored_samples")
                        .and_then(Node::count)
                        .filter(|_| metric.as_str() == OF_ALL || !is_of_group(node)),
                    // Samples are counted, however many epochs each has.
                    answers: self.has_epochs().then_some(1),
                    stderr: stated(STDERRS).filter(|_| is_average),
                    // A number as its bits are, rounded nowhere.
                    decimals: None,
                    ..figure
                };
                let source = Source::line(path, node.line, format!("results.scores.{full}"));
                let made = scalar(&full, self.task(), &Dims::none(), figure, source, names);
                fragment.scalars.push(made);
            }
        }
    }
}

/// The items of a list that have a name.
fn named(list: Option<&Node>) -> impl Iterator<Item = (&str, &Node)> {
    let items = list.and_then(Node::list).into_iter().flatten();
    items.filter_map(|node| Some((node.get("name")?.text()?, node)))
}

/// Of a file on a machine its name: another machine has it in another directory.
fn place_of_data(location: &str) -> &str {
    let is_on_a_machine = location.starts_with(['/', '~', '.']) || location.contains('\\');
    let name = location.rsplit(['/', '\\']).next().filter(|_| is_on_a_machine);
    name.unwrap_or(location)
}

fn is_of_group(node: &Node) -> bool {
    node.get("group").is_some_and(|group| group.text().is_some())
}

/// What a figure is: `accuracy` of a group is called as the group is.
fn name_of_metric<'n>(name: &'n str, node: &'n Node) -> &'n str {
    let of_group = || node.get("params")?.get("metric")?.get("name")?.text();
    of_group().unwrap_or(name)
}

/// The scores of a sample, each by its name, as fields of a JSON object. A scorer that gives several
/// gives them as an object.
fn scores(raw: &str) -> String {
    let mut found = Vec::new();
    let mut scratch = String::new();
    // The text was read as JSON once already; a fault cannot come now.
    let _checked = json::for_each_field(raw, |scorer, score| {
        let scorer = serde_json::Value::from(scorer.name(&mut scratch)).to_string();
        let _checked = json::for_each_field(score.text, |key, value| {
            if key.name(&mut String::new()) != "value" {
                return;
            }
            if value.text.starts_with('{') {
                let _checked = json::for_each_field(value.text, |name, value| {
                    let name = serde_json::Value::from(name.name(&mut String::new()));
                    found.push(format!("{name}:{}", number_of(value.text)));
                });
            } else {
                found.push(format!("{scorer}:{}", number_of(value.text)));
            }
        });
    });
    found.join(",")
}

/// The number for a grade, as `value_to_float` of Inspect has it: correct, partly correct, incorrect, no
/// answer.
fn number_of(value: &str) -> &str {
    match value {
        "\"C\"" => "1",
        "\"P\"" => "0.5",
        "\"I\"" | "\"N\"" => "0",
        _ => value,
    }
}
