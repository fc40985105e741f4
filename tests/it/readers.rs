//! Runs as they lie on disk, to what is read of them: one snapshot for each folder of
//! `fixtures/runs/<format>/<case>`. A new case is a new folder.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use reportgen::collect::{CollectError, ReadOptions, collect};
use reportgen::diag::{Code, Warned};
use reportgen::model::{Measured, Point, Provenance, Run, SampleTable};

use crate::cases::tests;
use crate::difference::assert_same;
use crate::directory::{Directory, files_below, unescaped, write_file};

/// A test for each format whose cases are read as one run each: a folder of [`RUNS`].
macro_rules! formats {
    [$($name:ident),+ $(,)?] => {
        const FORMATS: &[&str] = &[$(stringify!($name)),+];

        tests![$($name = is_read_as_its_snapshots_say(stringify!($name))),+];
    };
}

formats![
    best_checkpoint,
    code_reports,
    config,
    data_files,
    database,
    deepeval,
    grid,
    helm,
    inspect_json,
    lighteval,
    lm_eval_new,
    lm_eval_old,
    metrics_slash,
    mteb,
    other,
    promptfoo,
    ragas,
    series,
    spreadsheet,
    summary,
    trackers,
];

const RUNS: &str = "fixtures/runs";
/// Folders of single files of samples, which `samples.rs` reads.
const OF_SAMPLES: &str = "samples_";

fn folders(directory: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(directory)
        .expect("a directory of fixtures")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found
}

fn name(path: &Path) -> String {
    path.file_name().expect("a name").to_string_lossy().into_owned()
}

/// Reads every case, also where one is read otherwise than its snapshot says.
fn is_read_as_its_snapshots_say(format: &str) {
    let mut cases = folders(&Path::new(RUNS).join(format));
    assert!(!cases.is_empty(), "{format} has no case");
    cases.retain(|case| catch_unwind(|| check(format, case)).is_err());
    assert!(cases.is_empty(), "not as their snapshots say: {cases:?}");
}

#[test]
fn every_folder_of_runs_is_a_format() {
    let mut names: Vec<String> = folders(Path::new(RUNS)).iter().map(|path| name(path)).collect();
    names.retain(|name| !name.starts_with(OF_SAMPLES));
    assert_eq!(FORMATS, names);
}

fn check(format: &str, case: &Path) {
    let (directory, at) = (Directory::new(), case.to_string_lossy());
    let files = files_below(case);
    let written = |path: &PathBuf| unescaped(&path.to_string_lossy());
    let is_escaped = files.iter().any(|path| written(path) != path.to_string_lossy());
    for path in files.iter().filter(|_| is_escaped) {
        directory.write(written(path), fs::read(path).expect("a file"));
    }
    let root = if is_escaped { directory.path(case) } else { case.to_path_buf() };
    let read = collect(std::slice::from_ref(&root), &ReadOptions::default());
    let read = described(&read.expect("the fixture is there"));
    let read = read.replace(&*root.to_string_lossy(), &at);
    insta::assert_snapshot!(format!("{format}__{}", name(case)), read);
}

fn described(read: &Warned<Vec<Run>>) -> String {
    let mut text = String::new();
    for run in &read.value {
        describe_run(run, &mut text).expect("a text takes everything");
    }
    for finding in &read.diagnostics {
        let place = finding.location.as_ref().map(ToString::to_string).unwrap_or_default();
        write!(text, "! {} {:?} {place}", finding.code, finding.severity).expect("written");
        for (name, fact) in &finding.evidence {
            write!(text, " {name}={fact}").expect("written");
        }
        text.push('\n');
    }
    text
}

fn describe_run(run: &Run, text: &mut String) -> std::fmt::Result {
    let content = &run.content;
    writeln!(text, "run {} {:?}", run.id, run.status)?;
    for file in &run.files {
        writeln!(text, "file {} {:?}", file.relative, file.used)?;
    }
    if content.provenance != Provenance::default() {
        writeln!(text, "provenance {:?}", content.provenance)?;
    }
    for (key, entry) in content.config.iter() {
        let line = entry.source.line.unwrap_or(0);
        writeln!(text, "config {key} = {:?} @{line}", entry.value)?;
    }
    for (name, spec) in &content.specs {
        writeln!(text, "spec {name} {:?} {:?} {:?}", spec.direction, spec.unit, spec.origin)?;
    }
    for (name, version) in &content.versions {
        writeln!(text, "version {name} = {version}")?;
    }
    for (dataset, size) in &content.declared_sizes {
        writeln!(text, "size {dataset} = {size}")?;
    }
    for scalar in &content.scalars {
        let dataset = scalar.dataset.as_deref().unwrap_or("");
        let value = match scalar.value {
            Measured::Value(value) => value.to_string(),
            Measured::Absent(absence) => format!("{absence:?}"),
        };
        write!(text, "scalar {} [{dataset}] [{}] = {value}", scalar.metric, scalar.dims)?;
        if let Some(unit) = scalar.unit {
            write!(text, " {unit:?}")?;
        }
        write!(text, " n={:?} stderr={:?}", scalar.n, scalar.stderr)?;
        let key = scalar.source.key.as_deref().unwrap_or("");
        writeln!(text, " @{}:{} {key}", scalar.source.path, scalar.source.line.unwrap_or(0))?;
    }
    for series in &content.series {
        write!(text, "series {} by {} [{}] =", series.metric, series.axis, series.dims)?;
        for point in &series.points {
            write!(text, " {}:{}@{}", point.at, point.value, point.line)?;
        }
        text.push('\n');
    }
    for table in &content.samples {
        describe_samples(table, text)?;
    }
    for file in &run.data_files {
        writeln!(text, "data {:?} {} = {} {:?}", file.role, file.key, file.declared, file.content)?;
    }
    Ok(())
}

fn describe_samples(table: &SampleTable, text: &mut String) -> std::fmt::Result {
    let metrics: Vec<&str> = table.columns().iter().map(|(name, _)| name.as_str()).collect();
    let dataset = table.dataset.as_deref().unwrap_or("");
    writeln!(text, "samples [{dataset}] [{}] {} rows {metrics:?}", table.dims, table.len())
}

/// What `fixtures/make_trackers.py` logged at once through each tracker.
#[test]
fn a_training_gives_the_same_curves_and_settings_whichever_tracker_logged_it() {
    let read = |tracker: &str| {
        let place = Path::new(RUNS).join("trackers").join(tracker);
        let read = collect(&[place], &ReadOptions::default()).expect("the fixture is there");
        let [run] = read.value.try_into().expect("one run");
        let series: BTreeMap<String, Vec<Point>> =
            run.content.series.iter().map(|one| (one.metric.clone(), one.points.clone())).collect();
        let config = run.content.config.iter();
        let settings: BTreeMap<String, String> =
            config.map(|(key, entry)| (key.to_owned(), entry.value.to_string())).collect();
        (series, settings)
    };
    let (expected, settings) = read("csv");
    assert_eq!(expected.len(), 4, "{expected:?}");
    for tracker in ["tensorboardx", "tensorboard", "wandb", "mlflow", "mlflow_sqlite"] {
        let (found, of_tracker) = read(tracker);
        assert_eq!(settings, of_tracker, "{tracker}");
        assert!(found.keys().eq(expected.keys()), "{tracker}: {:?}", found.keys());
        for (metric, points) in &found {
            assert_eq!(points.len(), expected[metric].len(), "{tracker} {metric}");
            for (found, expected) in points.iter().zip(&expected[metric]) {
                let single = 1e-7 * expected.value.abs();
                let apart = (found.value - expected.value).abs();
                let same = found.value == expected.value || apart <= single;
                let same = same && found.at == expected.at;
                assert!(same, "{tracker} {metric}: {found:?} for {expected:?}");
            }
        }
    }
}

#[test]
fn nothing_given_and_a_missing_path_are_the_only_fatal_errors() {
    assert!(matches!(collect(&[], &ReadOptions::default()), Err(CollectError::NothingGiven)));
    let error = collect(&["fixtures/runs/no such run".into()], &ReadOptions::default())
        .expect_err("it is not there");
    assert!(error.to_string().contains("no such run"), "{error}");
}

#[test]
fn a_single_file_is_a_run_with_its_own_name() {
    let read = collect(
        &["fixtures/runs/other/single_file.json/metrics.json".into()],
        &ReadOptions::default(),
    )
    .expect("there");
    let run = &read.value[0];
    assert_eq!((run.id.as_str(), run.files[0].relative.as_str()), ("metrics.json", "metrics.json"));
    assert_eq!(run.content.scalars.len(), 1);
}

#[test]
fn runs_of_one_name_get_ids_by_their_parents_and_the_same_run_twice_is_reported() {
    let directory = Directory::new();
    for parent in ["甲 1", "b"] {
        directory.write(format!("{parent}/out/metrics.json"), "{\"kl\": 1}");
    }
    let inputs = ["甲 1/out", "b/out", "b/../b/out"].map(|below| directory.path(below));
    let read = collect(&inputs, &ReadOptions::default()).expect("there");
    let ids: Vec<&str> = read.value.iter().map(|run| run.id.as_str()).collect();
    assert_eq!(ids, ["甲 1/out", "b/out", "b/out#2"]);
    let codes: Vec<Code> = read.diagnostics.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [Code::SameRunTwice]);
}

#[cfg(unix)]
#[test]
fn links_back_into_the_run_are_not_read_twice_and_broken_links_are_reported() {
    use std::os::unix::fs::symlink;
    let directory = Directory::new();
    let run = directory.path("run");
    directory.write("run/step_1/metrics.json", "{\"kl\": 1}");
    symlink(run.join("step_1"), run.join("latest")).expect("linked");
    symlink(&run, run.join("step_1/loop")).expect("linked");
    symlink(run.join("step_1/metrics.json"), run.join("metrics.json")).expect("linked");
    symlink(run.join("gone"), run.join("dangling.json")).expect("linked");
    let read = collect(&[run], &ReadOptions::default()).expect("there");
    assert_eq!(read.value[0].content.scalars.len(), 1);
    let codes: Vec<Code> = read.diagnostics.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [Code::Unreadable]);
}

#[cfg(unix)]
#[test]
fn names_that_are_not_utf8_are_shown_as_well_as_possible() {
    use std::os::unix::ffi::OsStrExt as _;
    let directory = Directory::new();
    let run = directory.path(std::ffi::OsStr::from_bytes(b"r\xff"));
    write_file(&run.join("metrics.json"), "{\"kl\": 1}");
    let read = collect(&[run], &ReadOptions::default()).expect("there");
    assert_eq!(read.value[0].name, "r\u{fffd}");
    assert_eq!(read.value[0].content.scalars.len(), 1);
}

#[test]
fn neither_the_number_of_threads_nor_the_order_of_files_can_be_seen_in_the_result() {
    let read_with = |threads: usize, steps: &mut dyn Iterator<Item = u32>| {
        let directory = Directory::new();
        for step in steps {
            let text = format!("{{\"eval/a/accuracy\": 0.{step}, \"eval/b/accuracy\": NaN}}");
            directory.write(format!("eval_step_{step}/metrics.json"), text);
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let runs = [directory.root().to_path_buf()];
        let read = pool.install(|| collect(&runs, &ReadOptions::default()).expect("there"));
        described(&read).replace(&directory.word(""), "").replace(&name(directory.root()), "run")
    };
    let one = read_with(1, &mut (0..40));
    assert_eq!(one.matches("scalar accuracy").count(), 80, "{one}");
    assert_same(&one, &read_with(4, &mut (0..40)));
    assert_same(&one, &read_with(3, &mut (0..40).rev()));
}
