//! Files that evaluation harnesses write for each task: what is read of them, and that files which come
//! close are left to other readers.

use std::path::Path;

use reportgen::collect::{ReadOptions, collect};
use reportgen::model::{Direction, FileUse, Run, SampleTable};

use crate::command::{compare, compared, reportgen};
use crate::directory::{Directory, files_below, unescaped};
use crate::report::list;

/// By `fixtures/make_mteb.py`.
const MTEB: &str = "fixtures/runs/mteb/two_tasks";
/// By `fixtures/make_helm.py`.
const HELM: &str = "fixtures/runs/helm/one_model";
const OTHER_HELM: &str = "fixtures/runs/helm/another_model";

fn read(place: &Path) -> Run {
    let read = collect(&[place.to_path_buf()], &ReadOptions::default()).expect("it is there");
    let [run] = read.value.try_into().expect("one run");
    run
}

/// The reader that takes a file beside another one that is read.
fn reader_of(name: &str, content: &str) -> Option<&'static str> {
    let directory = Directory::of([(name, content), ("other_metrics.json", r#"{"kl": 1}"#)]);
    let run = read(directory.root());
    let file = run.files.iter().find(|file| file.relative == name).expect(name);
    match file.used {
        FileUse::Read { reader } => Some(reader),
        _ => None,
    }
}

/// The files of a fixture under another directory, with one text in place of another.
fn copied(from: &str, to: &str, [old, new]: [&str; 2]) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(from).expect("a fixture");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let file = |path: std::path::PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).expect("a text");
        (format!("{to}/{name}"), text.replace(old, new))
    };
    paths.map(file).collect()
}

/// As `TaskResult.from_disk(path).scores` of mteb 2.26.24 has them.
#[test]
fn results_of_mteb_are_figures_of_each_split_and_subset() {
    let run = read(Path::new(MTEB));
    for (dataset, subset, metric, value) in [
        ("NFCorpus", None, "ndcg@10", 0.315_941),
        ("STS17", Some("en-en"), "cosine_spearman", 0.8759),
        ("STS17", Some("en-de"), "cosine_spearman", 0.3516),
    ] {
        let mut scalars = run.content.scalars.iter();
        let found = scalars.find(|scalar| {
            let place = |name: &str| scalar.dims.get(name).map(ToString::to_string);
            let is_there = place("split").as_deref() == Some("test");
            let is_subset = place("subset").as_deref() == subset;
            let is_it = scalar.metric == metric && is_there && is_subset;
            is_it && scalar.dataset.as_deref() == Some(dataset)
        });
        assert_eq!(found.expect(dataset).value.value(), Some(value), "{dataset} {subset:?}");
    }
}

/// `AbsTask._add_main_score` of mteb 2.26.24 copies the metric that the task names.
#[test]
fn the_main_score_of_mteb_is_the_metric_that_equals_it_in_every_subset() {
    let whole = ["", ""];
    let at_1 = ["\"main_score\": 0.315941", "\"main_score\": 0.29813"];
    let unknown = ["\"main_score\": 0.3516", "\"main_score\": 0.3616"];
    for (change, dataset, primary, has_main) in [
        (whole, "NFCorpus", "ndcg@10", false),
        (whole, "STS17", "cosine_spearman", false),
        (at_1, "NFCorpus", "recall_at_100", false),
        (unknown, "STS17", "main_score", true),
    ] {
        let directory = Directory::of(
            [("a", change), ("b", change)]
                .into_iter()
                .flat_map(|(run, change)| copied(MTEB, run, change)),
        );
        let run = read(&directory.path("a"));
        let mut scalars = run.content.scalars.iter();
        let is_main = |scalar: &&reportgen::model::Scalar| {
            scalar.metric == "main_score" && scalar.dataset.as_deref() == Some(dataset)
        };
        assert_eq!(scalars.any(|scalar| is_main(&scalar)), has_main, "{dataset} {change:?}");
        let report = compared(&[directory.word("a"), directory.word("b")], &[]);
        let comparisons = report["comparisons"].as_array().expect("comparisons");
        let of_dataset = comparisons.iter().filter(|one| one["dataset"] == dataset);
        let roles: Vec<_> =
            of_dataset.filter(|one| one["metric"] == primary).map(|one| &one["role"]).collect();
        assert!(
            !roles.is_empty() && roles.iter().all(|role| **role == "primary"),
            "{primary}: {roles:?}"
        );
    }
}

#[test]
fn another_revision_of_a_dataset_of_mteb_is_other_data() {
    let models = Directory::of(
        [("a", ["", ""]), ("b", ["faeb762", "aaaa762"])]
            .into_iter()
            .flat_map(|(run, change)| copied(MTEB, run, change)),
    );
    let ended = compare(&[models.word("a"), models.word("b")], &[]);
    assert!(ended.err.contains("warning[R220]: version of STS17: faeb762"), "{}", ended.err);
    assert!(!ended.err.contains("version of NFCorpus"), "{}", ended.err);
}

#[test]
fn models_in_one_directory_of_mteb_are_runs_of_their_own() {
    let models = Directory::of(
        [("org__a/1", ["", ""]), ("org__b/2", ["all-MiniLM-L6-v2", "all-mpnet-base-v2"])]
            .into_iter()
            .flat_map(|(run, change)| copied(MTEB, run, change)),
    );
    let ended = reportgen(["inspect", &models.word("")]);
    assert!(ended.out.contains("2 runs: org__a, org__b"), "{}", ended.out);
}

/// As `stats.json` has them: a mean over one trial, of 8 instances by `num_instances`.
#[test]
fn figures_of_helm_have_the_number_of_instances_and_not_that_of_trials() {
    let run = read(Path::new(HELM));
    for (changed, n, value) in [
        (None, Some(8), 0.75),
        (Some("typos (perturbed)"), Some(8), 0.5),
        (Some("robustness (worst)"), None, 0.5),
    ] {
        let mut scalars = run.content.scalars.iter();
        let found = scalars.find(|scalar| {
            let dim = scalar.dims.get("perturbation").map(ToString::to_string);
            scalar.metric == "exact_match" && dim.as_deref() == changed
        });
        let found = found.expect("a figure");
        assert_eq!((found.value.value(), found.n, found.stderr), (Some(value), n, None));
    }
    let mut columns = run.content.samples.iter().flat_map(SampleTable::columns);
    let (_, column) = columns.find(|(name, _)| name == "exact_match").expect("a score");
    let scores: Vec<Option<f64>> = (0..8).map(|row| column.get(row)).collect();
    assert_eq!(scores, [0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0].map(Some));
}

#[test]
fn two_models_of_helm_are_compared_by_their_instances() {
    let ended = compare(&[HELM, OTHER_HELM], &["--vary", "model"]);
    let row = "| `exact_match` |  | 75.0% | 75.0% | 0.0 pp |";
    assert!(ended.out.contains(row), "{}", ended.out);
    assert!(!ended.out.contains("Confounded"), "{}", ended.out);
    for told in ["R122", "R201"] {
        assert!(!ended.err.contains(told), "{}", ended.err);
    }
}

#[test]
fn scenarios_that_helm_asked_of_one_model_are_datasets_of_one_run() {
    let other = ["sums_scenario.Sums", "products_scenario.Products"];
    let suite = Directory::of(
        [("sums:digits=2,model=maker_small", ["", ""]), ("products:model=maker_small", other)]
            .into_iter()
            .flat_map(|(to, change)| copied(HELM, to, change)),
    );
    let ended = reportgen(["inspect", &suite.word("")]);
    for told in ["sums:digits=2  8 samples", "products  8 samples", "products/exact_match = 0.75"] {
        assert!(ended.out.contains(told), "no `{told}` in {}", ended.out);
    }
    assert!(!ended.out.contains("runs:"), "{}", ended.out);
}

#[test]
fn models_in_a_suite_of_helm_are_arms_with_all_their_scenarios() {
    let plain = ["", ""];
    let other = ["sums_scenario.Sums", "products_scenario.Products"];
    let suite = Directory::of(
        [
            (HELM, "sums:digits=2,model=maker_small", plain),
            (HELM, "products:model=maker_small", other),
            (OTHER_HELM, "sums:digits=2,model=maker_large", plain),
            (OTHER_HELM, "products:model=maker_large", other),
        ]
        .into_iter()
        .flat_map(|(from, to, change)| copied(from, to, change)),
    );
    let report = compared(&[suite.word("")], &["--across", "model"]);
    let found: Vec<String> = list(&report, "comparisons")
        .iter()
        .filter(|one| one["metric"] == "exact_match" && one["dims"] == serde_json::json!({}))
        .map(|one| format!("{} {}", one["dataset"], one["pairing"]["paired"]))
        .collect();
    assert_eq!(found, ["\"products\" 8", "\"sums:digits=2\" 8"], "{report}");
}

#[test]
fn files_that_come_close_to_those_of_a_harness_are_left_to_others() {
    for (name, content, reader) in [
        ("r.json", r#"{"task_name": "a", "mteb_version": "1", "scores": {"accuracy": 0.5}}"#, None),
        (
            "metrics.json",
            r#"{"task_name": "a", "scores": {"accuracy": 0.5}}"#,
            Some("metrics-json"),
        ),
        ("model_meta.json", r#"{"name": "a", "revision": "b"}"#, None),
        ("stats.json", r#"[{"name": "a", "count": 1, "sum_squared": 1, "mean": 1}]"#, None),
        ("run_spec.json", r#"{"name": "a", "adapter_spec": {"model": "m"}}"#, None),
        (
            "run_settings.jsonl",
            r#"{"task": "a", "id": 1, "version": "1", "correct": true}"#,
            Some("samples-jsonl"),
        ),
    ] {
        assert_eq!(reader_of(name, content), reader, "{name} {content}");
    }
}

/// By `fixtures/make_lighteval.py`.
const LIGHTEVAL: &str = "fixtures/runs/lighteval";

/// One output directory of lighteval, in which both models of the fixture were evaluated.
fn output_of_lighteval() -> Directory {
    let directory = Directory::new();
    for model in ["base", "tuned"] {
        let own = Path::new(LIGHTEVAL).join(model);
        for path in files_below(&own) {
            let below = path.strip_prefix(&own).expect("below it").to_string_lossy();
            directory.write(unescaped(&below), std::fs::read(&path).expect("a file"));
        }
    }
    directory
}

/// Means and numbers of rows by pyarrow 26.0.1 over the details.
#[test]
fn an_output_directory_of_lighteval_holds_a_run_of_each_model_with_its_samples() {
    let directory = output_of_lighteval();
    let ended = reportgen(["inspect", &directory.word("")]);
    assert!(ended.out.starts_with("2 runs: example/base, example/tuned\n"), "{}", ended.out);
    let report = compared(&[directory.word("")], &["--across", "model"]);
    let pairs: Vec<String> = list(&report, "comparisons")
        .iter()
        .filter(|one| one["metric"] == "exact_match" && one["pairing"]["paired"].is_u64())
        .map(|one| {
            let values = ["baseline", "candidate"].map(|arm| &one[arm]["value"]);
            format!("{} {} {} {}", one["dataset"], one["pairing"]["paired"], values[0], values[1])
        })
        .collect();
    let expected = [
        "\"sums\" 8 0.625 0.75",
        "\"trivia:lakes\" 3 0.6666666666666666 0.6666666666666666",
        "\"trivia:rivers\" 5 0.6 0.8",
    ];
    assert_eq!(pairs, expected, "{report}");
}

#[test]
fn of_two_evaluations_by_lighteval_the_newer_one_counts_with_its_details() {
    let directory = Directory::new();
    let own = Path::new(LIGHTEVAL).join("base");
    for path in files_below(&own) {
        let below = unescaped(&path.strip_prefix(&own).expect("below it").to_string_lossy());
        let content = std::fs::read(&path).expect("a file");
        directory.write(below.replace("2026-11-28", "2026-11-27"), &content);
        directory.write(below, &content);
    }
    let run = read(directory.root());
    let places: Vec<&str> = run.content.samples.iter().map(|table| &*table.path).collect();
    assert_eq!(places.len(), 3, "{places:?}");
    assert!(places.iter().all(|place| place.contains("2026-11-28")), "{places:?}");
    assert_eq!(run.content.scalars.len(), 10);
}

/// By `fixtures/make_promptfoo.mjs`.
const PROMPTFOO: &str = "fixtures/runs/promptfoo/several/results.json";
const PROMPTFOO_LINES: &str = "fixtures/runs/promptfoo/several_lines/results.jsonl";

/// What promptfoo says of each of its prompts in the same file (`results.prompts[].metrics`).
#[test]
fn each_provider_and_prompt_of_promptfoo_is_a_run_with_the_sums_that_it_states() {
    let text = std::fs::read_to_string(PROMPTFOO).expect("a fixture");
    let stated: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let prompts = list(&stated["results"], "prompts");
    let first = "maker:small::prompt_version=prompt 1";
    for (name, prompt) in [
        "maker:small::prompt_version=prompt 2",
        "maker:large::prompt_version=prompt 1",
        "maker:large::prompt_version=prompt 2",
    ]
    .iter()
    .zip(prompts.get(1..).expect("four prompts"))
    {
        let of_file = |file: &str| {
            let runs = [first, name].map(|name| format!("{file}::model={name}"));
            compared(&runs, &[])
        };
        let report = of_file(PROMPTFOO);
        let without_places = |mut report: serde_json::Value| {
            let mut all = report["comparisons"].take();
            for one in all.as_array_mut().expect("comparisons") {
                one["baseline_run"].take();
                one["candidate_run"].take();
                one["baseline"]["source"].take();
                one["candidate"]["source"].take();
            }
            all
        };
        assert_eq!(without_places(of_file(PROMPTFOO_LINES)), without_places(report.clone()));
        for (metric, key) in [("pass", "testPassCount"), ("score", "score")] {
            let all = list(&report, "comparisons");
            let one = all.iter().find(|one| one["metric"] == metric).expect(metric);
            assert_eq!(
                (&one["direction"], &one["baseline"]["part"][1]),
                (&"higher".into(), &6.into())
            );
            for (arm, metrics) in
                [("baseline", &prompts[0]["metrics"]), ("candidate", &prompt["metrics"])]
            {
                // An answer that failed adds nothing to the sum, and nothing to the mean.
                let scored = one[arm]["coverage"]["present"].as_f64().expect("a number");
                let sum = one[arm]["value"].as_f64().expect("a mean") * scored;
                let expected = metrics[key].as_f64().expect("a sum");
                assert!((sum - expected).abs() < 1e-9, "{name} {arm} {metric}: {sum} {expected}");
            }
        }
    }
}

/// By `fixtures/make_promptfoo_old.mjs`: what the list of answers beside the table says of each.
#[test]
fn answers_in_tables_of_older_promptfoo_are_those_that_it_lists() {
    for (version, models) in [
        ("version_1", ["custom-function-0", "custom-function-1"]),
        ("version_2_first", ["custom-function-0", "custom-function-1"]),
        ("version_2", ["maker:small", "maker:large"]),
    ] {
        let path = format!("fixtures/runs/promptfoo/{version}/results.json");
        let text = std::fs::read_to_string(&path).expect("a fixture");
        let stated: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let inner = stated.get("results").filter(|inner| inner.is_object());
        let listed = list(inner.unwrap_or(&stated), "results");
        for (model, (prompt, begins)) in models
            .iter()
            .flat_map(|model| [(model, ("prompt 1", "What")), (model, ("prompt 2", "Quick"))])
        {
            let run = read(Path::new(&format!("{path}::model={model}::prompt_version={prompt}")));
            let table = &run.content.samples[0];
            let of_model = |answer: &&serde_json::Value| {
                let display = answer["prompt"]["display"].as_str().unwrap_or_default();
                let is_marked = display.starts_with(&format!("[{model}]"));
                let prompt = answer["prompt"]["raw"].as_str().expect("a prompt");
                prompt.starts_with(begins) && (is_marked || answer["provider"]["id"] == **model)
            };
            let own: Vec<&serde_json::Value> = listed.iter().filter(of_model).collect();
            assert_eq!((own.len(), table.len()), (4, 4), "{version} {model} {prompt}");
            for row in 0..table.len() {
                let id = table.id(row);
                let is_of = |answer: &&&serde_json::Value| {
                    answer["vars"]["number"].as_u64() == id.parse().ok()
                };
                let answer = own.iter().find(is_of).expect(id);
                let score = |metric: &str| table.column(metric).and_then(|one| one.get(row));
                let has_answer = answer["response"].get("output").is_some();
                let passed = answer["success"].as_bool().map(|passed| f64::from(u8::from(passed)));
                let place = format!("{version} {model} {prompt} {id}");
                assert_eq!(score("pass"), passed.filter(|_| has_answer), "{place}");
                let expected = answer.get("score").and_then(serde_json::Value::as_f64);
                assert_eq!(score("score"), expected.filter(|_| has_answer), "{place}");
                for name in ["exact", "brevity"] {
                    let named =
                        answer.get("namedScores").and_then(|named| named.get(name)?.as_f64());
                    assert_eq!(score(name), named.filter(|_| has_answer), "{place} {name}");
                }
            }
        }
    }
}

/// By `fixtures/make_deepeval_ragas.py`.
const DEEPEVAL: [&str; 2] = ["fixtures/runs/deepeval/base", "fixtures/runs/deepeval/tuned"];

/// As deepeval says in the same files (`metricsScores`).
#[test]
fn test_cases_of_deepeval_have_the_scores_of_which_it_states_the_list() {
    let report = compared(&DEEPEVAL.map(str::to_owned), &[]);
    for (directory, arm) in DEEPEVAL.iter().zip(["baseline", "candidate"]) {
        let path = Path::new(directory).join("test_run_20260101_120000.json");
        let text = std::fs::read_to_string(path).expect("a fixture");
        let stated: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        for metric in list(&stated, "metricsScores") {
            let scores: Vec<f64> =
                list(metric, "scores").iter().filter_map(serde_json::Value::as_f64).collect();
            let mut all = list(&report, "comparisons").iter();
            let one = all.find(|one| one["metric"] == metric["metric"]).expect("compared");
            assert_eq!(one["direction"], "higher", "{one}");
            assert_eq!(one[arm]["coverage"]["present"], scores.len(), "{one}");
            let mean = scores.iter().sum::<f64>() / scores.len() as f64;
            let found = one[arm]["value"].as_f64().expect("a mean");
            assert!((found - mean).abs() < 1e-12, "{arm}: {found} for {mean}");
        }
    }
}

#[test]
fn a_metric_of_deepeval_that_passes_below_its_threshold_is_better_when_lower() {
    let case = |score: f64, passes: bool| {
        format!(
            r#"{{"name": "case {score}", "input": "q {score}", "metricsData": [{{"name": "Bias", "threshold": 0.5, "success": {passes}, "score": {score}}}]}}"#
        )
    };
    for (cases, expected) in [
        ([case(0.2, true), case(0.7, false)], Some(Direction::Lower)),
        ([case(0.2, false), case(0.7, true)], Some(Direction::Higher)),
        ([case(0.2, true), case(0.7, true)], None),
    ] {
        let text = format!(r#"{{"testCases": [{}]}}"#, cases.join(", "));
        let directory = Directory::of([("test_run.json", text)]);
        let run = read(directory.root());
        let found = run.content.specs.get("Bias").map(|spec| spec.direction);
        assert_eq!(found, expected, "{cases:?}");
    }
}

/// Means by pandas 3.1.1 over the same table, of which NaN is left out.
#[test]
fn results_of_ragas_give_the_same_means_from_each_format() {
    for name in
        ["base/results.csv", "base/results.json", "base/lines.jsonl", "columns/results.json"]
    {
        let path = format!("fixtures/runs/ragas/{name}");
        let report = compared(&[path.clone(), path], &[]);
        let value = |metric: &str| {
            let mut all = list(&report, "comparisons").iter();
            let one = all.find(|one| one["metric"] == metric).expect(metric);
            (one["baseline"]["value"].as_f64(), one["baseline"]["coverage"]["present"].as_u64())
        };
        assert_eq!(value("exact_match"), (Some(0.5), Some(6)), "{name}");
        assert_eq!(value("non_llm_string_similarity"), (Some(0.6), Some(5)), "{name}");
    }
}

/// As `TaskResult._convert_from_before_v1_11_0` of mteb 2.26.24 calls them, in files by
/// `fixtures/make_mteb_old.py`.
#[test]
fn results_of_mteb_from_before_1_11_have_the_names_of_later_ones() {
    let run = read(Path::new("fixtures/runs/mteb/before_1_11"));
    for (dataset, subset, metric, value) in [
        ("ExampleSTS", Some("en-de"), "cosine_spearman", 0.866_666_666_666_666_5),
        ("ExampleSTS", Some("en-en"), "manhattan_pearson", 0.951_125_313_450_243_1),
        ("ExamplePairs", None, "max_ap", 0.5),
        ("ExamplePairs", None, "dot_accuracy", 0.7),
        ("ExampleSearch", None, "ndcg@10", 0.63093),
    ] {
        let mut scalars = run.content.scalars.iter();
        let found = scalars.find(|scalar| {
            let place = |name: &str| scalar.dims.get(name).map(ToString::to_string);
            let is_place = place("split").as_deref() == Some("test");
            let is_place = is_place && place("subset").as_deref() == subset;
            is_place && scalar.dataset.as_deref() == Some(dataset) && scalar.metric == metric
        });
        assert_eq!(found.expect(metric).value.value(), Some(value), "{dataset} {metric}");
    }
    assert_eq!(run.content.versions.get("ExampleSTS").map(String::as_str), Some("1f2e3d"));
    // Each number of the files, but for how long the evaluation took.
    assert_eq!(run.content.scalars.len(), 31 + 12 + 35);
}
