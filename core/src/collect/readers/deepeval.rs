//! A test run as `DeepEval` keeps it (`test_run_<time>.json` of 4.3.1): each test case with what every metric
//! says of it.
//!
//! Whether a score is good is said by its threshold: a case passes above it, or below it.

use std::borrow::Cow;
use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde_json::{Map, Value as Json};

use super::super::content::{list_text, list_text_again};
use super::super::document::{Node, flatten, parse_json_line, scalar_value};
use super::super::lines::{Limits, LineCounter};
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::file_figures::{declare_direction, read_figures};
use super::samples::{Harvest, JsonList, json};
use crate::model::{ConfigValue, Fragment, MetricNames, Provenance};

pub(super) const READER: Reader = Reader { name: "deepeval", recognises, read };

/// Test cases, those of several turns behind the others.
const LISTS: [&str; 2] = ["testCases", "conversationalTestCases"];
const METRICS: &str = "metricsData";
/// What of a metric decides its scores, and as what it is read.
const OF_METRIC: &[(&str, &str)] = &[
    ("threshold", "threshold"),
    ("evaluationModel", "judge_model"),
    ("strictMode", "strict_mode"),
];

pub(in crate::collect) fn recognises(file: &FileEntry) -> bool {
    file.has_extension("json")
        && file.head.starts_with(b"{")
        && [LISTS[0], METRICS].iter().all(|key| file.head_has(&format!("\"{key}\"")))
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    read_figures(file, &options.names, list_text, |text, fragment, findings| {
        let run = TestRun::parse(text);
        let mut harvest = Harvest::of_file(file, options);
        for list in run.lists(text) {
            list.take(&mut harvest);
        }
        let line_bytes = Limits::from(file.limits).line_bytes;
        *fragment = harvest.into_fragment(file, line_bytes).drain_into(findings);
        run.read_metrics(text, file, &options.names, fragment);
        if let Some(settings) = &run.settings {
            flatten(settings, "", &file.display, &mut fragment.config);
        }
        fragment.provenance =
            Provenance { harness: Some("deepeval".to_owned()), ..Provenance::default() };
    })
}

/// Hands on the records of these lines.
pub(in crate::collect) fn records(
    file: &FileEntry,
    wanted: &BTreeSet<u64>,
    take: &mut dyn FnMut(u64, &str),
) -> Result<(), String> {
    let text = list_text_again(file)?;
    let run = TestRun::parse(&text);
    for list in run.lists(&text) {
        list.hand_on(wanted, take);
    }
    Ok(())
}

/// The parts of a file.
#[derive(Default)]
struct TestRun<'a> {
    cases: [Option<&'a str>; 2],
    dataset: Option<String>,
    settings: Option<Node>,
}

impl<'a> TestRun<'a> {
    fn parse(text: &'a str) -> Self {
        let mut run = Self::default();
        run.take_members(text, &mut LineCounter::new(text));
        run
    }

    fn take_members(&mut self, object: &'a str, lines: &mut LineCounter<'a>) {
        json::each_member(object, |key, part| match key {
            // The copy of the latest run has more around it.
            "testRunData" => self.take_members(part, lines),
            "datasetAlias" => self.dataset = serde_json::from_str(part).ok(),
            "hyperparameters" => {
                let line = lines.line_of_part(part);
                self.settings = parse_json_line(part, line).ok().map(|parsed| parsed.root);
            }
            _ => {
                if let Some(place) = LISTS.iter().position(|list| *list == key) {
                    self.cases[place] = Some(part);
                }
            }
        });
    }

    fn lists<'s>(
        &'s self,
        text: &'a str,
    ) -> impl Iterator<Item = JsonList<'a, impl Fn(&'a str) -> Result<Cow<'a, str>, json::Malformed>>>
    {
        let list = move |list: &'a str| JsonList { text, list, record: |case| self.record(case) };
        self.cases.into_iter().flatten().filter(|list| list.starts_with('[')).map(list)
    }

    /// A test case as a record: what was asked, answered and expected, and the score of each metric.
    fn record<'s>(&self, case: &'s str) -> Result<Cow<'s, str>, json::Malformed> {
        let parsed: Json = serde_json::from_str(case)
            .map_err(|_| json::Malformed { offset: 0, expected: "JSON" })?;
        let member = |key: &str| parsed.get(key).filter(|value| !value.is_null());
        let turns = || member("turns").map(|turns| turns.to_string().into());
        let fields = [
            ("dataset", self.dataset.as_deref().map(Json::from)),
            ("id", member("name").cloned()),
            ("question", member("input").cloned().or_else(turns)),
            ("target", member("expectedOutput").cloned()),
            ("output", member("actualOutput").cloned()),
            ("scores", Some(scores(&parsed))),
        ];
        let named = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        Ok(Cow::Owned(Json::Object(named.collect()).to_string()))
    }

    /// Which way is good for each metric, and its settings, of which the first case that has them tells.
    fn read_metrics(
        &self,
        text: &str,
        file: &FileEntry,
        names: &MetricNames,
        fragment: &mut Fragment,
    ) {
        let mut directions: IndexMap<String, BTreeSet<bool>> = IndexMap::new();
        let mut lines = LineCounter::new(text);
        for list in self.cases.into_iter().flatten() {
            let _ended = json::for_each_element(list, |case| {
                let line = lines.line_of_part(case);
                let Ok(case) = parse_json_line(case, line) else { return };
                let metrics = case.root.get(METRICS).and_then(Node::list);
                for metric in metrics.into_iter().flatten() {
                    let Some(name) = metric.get("name").and_then(Node::text) else { continue };
                    if !directions.contains_key(name) {
                        for (key, called) in OF_METRIC {
                            let key = metric.get(key).map(|node| (node, called));
                            if let Some((node, called)) = key {
                                let key = format!("metrics.{name}.{called}");
                                flatten(node, &key, &file.display, &mut fragment.config);
                            }
                        }
                    }
                    directions.entry(name.to_owned()).or_default().extend(is_higher_better(metric));
                }
            });
        }
        for (name, ways) in directions {
            if let [higher] = ways.into_iter().collect::<Vec<_>>()[..] {
                declare_direction(&name, None, higher, names, fragment);
            }
        }
    }
}

/// Whether a metric is passed above its threshold, as far as a case tells.
fn is_higher_better(metric: &Node) -> Option<bool> {
    let number = |key: &str| metric.get(key).and_then(Node::number);
    let (score, threshold) = (number("score")?, number("threshold")?);
    let ConfigValue::Bool(passed) = metric.get("success").map(scalar_value)? else { return None };
    (score != threshold).then_some((score > threshold) == passed)
}

/// Whether the case passes, and each score by the name of its metric.
fn scores(case: &Json) -> Json {
    let mut scores = Map::new();
    let passed = case.get("success").and_then(Json::as_bool);
    scores.extend(passed.map(|passed| ("pass".to_owned(), u8::from(passed).into())));
    for metric in case.get(METRICS).and_then(Json::as_array).into_iter().flatten() {
        let name = metric.get("name").and_then(Json::as_str);
        if let (Some(name), Some(score)) = (name, metric.get("score")) {
            scores.insert(name.to_owned(), score.clone());
        }
    }
    Json::Object(scores)
}
