//! Files that evaluation harnesses write for each task: what is read of them, and that files which come
//! close are left to other readers.

use std::path::Path;

use reportgen::collect::{ReadOptions, collect};
use reportgen::model::{FileUse, Run};

use crate::command::{compare, reportgen};
use crate::directory::Directory;

/// By `fixtures/make_mteb.py`.
const MTEB: &str = "fixtures/runs/mteb/two_tasks";

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
    for (dataset, subset, main) in [
        ("NFCorpus", None, 0.315941),
        ("STS17", Some("en-en"), 0.8759),
        ("STS17", Some("en-de"), 0.3516),
    ] {
        let mut scalars = run.content.scalars.iter();
        let found = scalars.find(|scalar| {
            let place = |name: &str| scalar.dims.get(name).map(ToString::to_string);
            let is_there = place("split").as_deref() == Some("test");
            let is_subset = place("subset").as_deref() == subset;
            let is_it = scalar.metric == "main_score" && is_there && is_subset;
            is_it && scalar.dataset.as_deref() == Some(dataset)
        });
        assert_eq!(found.expect(dataset).value.value(), Some(main), "{dataset} {subset:?}");
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
        (
            "run_settings.jsonl",
            r#"{"task": "a", "id": 1, "version": "1", "correct": true}"#,
            Some("samples-jsonl"),
        ),
    ] {
        assert_eq!(reader_of(name, content), reader, "{name} {content}");
    }
}
