//! The files that other programs read: `metrics.json` as it is logged, `summary.json` for choosing a
//! checkpoint, and the QA logs.

use indexmap::{IndexMap, IndexSet};
use serde_json::{Map, Value, json};

use super::view;
use crate::kinds::metrics::analysis::{Dataset, Evaluation, QA_SCHEMA};
use crate::model::DimValue;
use crate::report::{json_file, json_line, json_object};

/// What `summary.json` says of itself, so that no other is overwritten.
pub(in crate::kinds::metrics) const SUMMARY_SCHEMA: &str = "reportgen.summary/1";

/// What an earlier run of this command wrote of other datasets of the same evaluation.
#[derive(Debug, Default)]
pub(in crate::kinds::metrics) struct FormerFiles {
    /// `metrics.json`.
    logged: Map<String, Value>,
    /// `datasets` of `summary.json`.
    summary: Map<String, Value>,
    /// `datasets` of `qa_logs/qa_summary.json`.
    qa: Map<String, Value>,
}

impl FormerFiles {
    /// What stays beside an evaluation: nothing of its datasets, and nothing of another step.
    pub(in crate::kinds::metrics) fn beside(
        evaluation: &Evaluation,
        read: impl Fn(&str) -> Option<String>,
    ) -> Self {
        let object = |name| -> Map<String, Value> {
            read(name).and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
        };
        let (summary, qa) = (object("summary.json"), object("qa_logs/qa_summary.json"));
        let is_own = |file: &Map<String, Value>, schema| file.get("schema") == Some(&json!(schema));
        if !is_own(&summary, SUMMARY_SCHEMA) || summary.get("step") != step(evaluation).as_ref() {
            return Self::default();
        }
        let is_again = |name: &str| {
            evaluation.datasets.iter().any(|dataset| dataset.name.eq_ignore_ascii_case(name))
        };
        let others = |file: &Map<String, Value>| -> Map<String, Value> {
            let datasets = file.get("datasets").map(json_object).unwrap_or_default();
            datasets.into_iter().filter(|(name, _)| !is_again(name)).collect()
        };
        let summary = others(&summary);
        let is_of_other = |key: &str| {
            let name = key.strip_prefix("eval/").and_then(|rest| Some(rest.rsplit_once('/')?.0));
            name.is_some_and(|name| summary.keys().any(|other| other.to_lowercase() == name))
        };
        let logged = object("metrics.json").into_iter().filter(|(key, _)| is_of_other(key));
        let qa = if is_own(&qa, QA_SCHEMA) { others(&qa) } else { Map::new() };
        Self { logged: logged.collect(), summary, qa }
    }

    /// The QA logs that stay.
    fn logs(&self) -> impl Iterator<Item = String> {
        self.qa.values().filter_map(|dataset| dataset["file"].as_str().map(str::to_owned))
    }

    /// Whether a file below the output directory is one of the logs that stay.
    pub(in crate::kinds::metrics) fn keeps(&self, file: &str) -> bool {
        file.strip_prefix("qa_logs/").is_some_and(|name| self.logs().any(|log| log == name))
    }
}

/// Path below the output directory, with `/`, and content of every file.
pub(in crate::kinds::metrics) fn metric_files(
    evaluation: &Evaluation,
    former: &FormerFiles,
) -> Vec<(String, String)> {
    let names = file_names(&evaluation.datasets, former.logs());
    let behind = |former: &Map<String, Value>, new: Map<String, Value>| -> Map<String, Value> {
        former.clone().into_iter().chain(new).collect()
    };
    let with_others = |mut file: Map<String, Value>, former: &Map<String, Value>| {
        let new = file.get("datasets").map(json_object).unwrap_or_default();
        file.insert("datasets".to_owned(), behind(former, new).into());
        file
    };
    let logged = behind(&former.logged, logged(evaluation));
    let summary = with_others(summary(evaluation), &former.summary);
    let mut files = vec![
        ("metrics.json".to_owned(), json_file(&logged)),
        ("summary.json".to_owned(), json_file(&summary)),
    ];
    for (dataset, name) in evaluation.datasets.iter().zip(&names) {
        let lines: String = dataset.log.iter().map(|line| json_line(&line.text) + "\n").collect();
        files.push((format!("qa_logs/{name}"), lines));
    }
    let qa = with_others(json_object(&qa_summary(evaluation, &names)), &former.qa);
    files.push(("qa_logs/qa_summary.json".to_owned(), json_file(&qa)));
    files
}

/// Plain numbers under `eval/<dataset>/<metric>`. What is unknown is not there.
fn logged(evaluation: &Evaluation) -> Map<String, Value> {
    let mut all: Map<String, Value> =
        step(evaluation).map(|step| ("step".to_owned(), step)).into_iter().collect();
    for dataset in &evaluation.datasets {
        let name = dataset.name.to_lowercase();
        let mut insert = |metric: &str, value: Value| {
            all.insert(format!("eval/{name}/{metric}"), value);
        };
        // One n beside figures of several would be wrong for some of them.
        if let Some(n) = dataset.draws.filter(|_| sizes(dataset).is_empty()) {
            insert("n", n.into());
        }
        for figure in &dataset.figures {
            if let Some(value) = figure.value {
                insert(&figure.metric, value.into());
            }
        }
    }
    all
}

fn summary(evaluation: &Evaluation) -> Map<String, Value> {
    let datasets: Map<String, Value> = evaluation
        .datasets
        .iter()
        .map(|dataset| (dataset.name.clone(), dataset_summary(dataset)))
        .collect();
    let mut all = Map::new();
    all.insert("schema".to_owned(), SUMMARY_SCHEMA.into());
    all.extend(step(evaluation).map(|step| ("step".to_owned(), step)));
    all.insert("datasets".to_owned(), datasets.into());
    all
}

/// The step that every dataset names.
fn step(evaluation: &Evaluation) -> Option<Value> {
    let first = evaluation.datasets.first()?.step?;
    evaluation
        .datasets
        .iter()
        .all(|dataset| dataset.step == Some(first))
        .then(|| json!(DimValue::Number(first)))
}

fn dataset_summary(dataset: &Dataset) -> Value {
    let figures = dataset.figures.iter();
    let mut all: Map<String, Value> =
        figures.clone().map(|figure| (figure.metric.clone(), json!(figure.value))).collect();
    // Several answers to one problem are no independent draws, and a reader takes `n` for those.
    all.extend(dataset.draws.map(|n| ("n".to_owned(), n.into())));
    if dataset.draws != Some(dataset.records) {
        all.insert("answers".to_owned(), dataset.records.into());
    }
    let counts: IndexMap<&str, u64> =
        dataset.kinds.iter().map(|(kind, count)| (kind.as_str(), *count)).collect();
    all.insert("error_distribution".to_owned(), json!(counts));
    let intervals: IndexMap<&str, [f64; 2]> = figures
        .clone()
        .filter_map(|figure| Some((figure.metric.as_str(), figure.interval?)))
        .map(|(metric, found)| (metric, [found.lo, found.hi]))
        .collect();
    all.insert("intervals".to_owned(), json!(intervals));
    let sizes = sizes(dataset);
    if !sizes.is_empty() {
        all.insert("n_by_metric".to_owned(), json!(sizes));
    }
    let reasons: IndexMap<&str, &str> = figures
        .filter(|figure| figure.value.is_none())
        .map(|figure| (figure.metric.as_str(), figure.method))
        .collect();
    all.insert("unknown_because".to_owned(), json!(reasons));
    all.into()
}

/// How many problems are behind the figures that stand on fewer than all; `null` where that is not
/// known.
fn sizes(dataset: &Dataset) -> IndexMap<&str, Option<u64>> {
    let known = dataset.figures.iter().filter(|figure| figure.value.is_some());
    let fewer = known.filter(|figure| figure.problems != dataset.draws);
    fewer.map(|figure| (figure.metric.as_str(), figure.problems)).collect()
}

fn qa_summary(evaluation: &Evaluation, names: &[String]) -> Value {
    let of_dataset = |(dataset, file): (&Dataset, &String)| {
        let records = dataset.log.iter().map(|line| {
            json!({"problem_id": line.problem, "stratum": line.stratum, "source": line.source})
        });
        let mut all = json_object(&json!({ "file": file }));
        all.extend(json_object(&view::qa_view(dataset)));
        all.insert("records".to_owned(), records.collect());
        (dataset.name.clone(), all.into())
    };
    let datasets: Map<String, Value> =
        evaluation.datasets.iter().zip(names).map(of_dataset).collect();
    json!({ "schema": QA_SCHEMA, "seed": evaluation.seed, "datasets": datasets })
}

/// `<dataset>_qa.jsonl` in lower case, each once and none that is `taken`; what a path could be made
/// of is `_`.
fn file_names(datasets: &[Dataset], taken: impl Iterator<Item = String>) -> Vec<String> {
    let mut names: IndexSet<String> = taken.collect();
    let taken = names.len();
    for dataset in datasets {
        let kept = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
        let plain: String = dataset.name.to_lowercase().chars().map(kept).take(100).collect();
        let plain = plain.trim_start_matches('.');
        let mut name = format!("{plain}_qa.jsonl");
        let mut further = 2;
        while !names.insert(name.clone()) {
            name = format!("{plain}-{further}_qa.jsonl");
            further += 1;
        }
    }
    names.into_iter().skip(taken).collect()
}
