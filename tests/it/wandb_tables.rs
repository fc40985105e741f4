//! Tables of samples that W&B keeps beside the log of a run, by `fixtures/make_wandb_tables.py`.

use std::fs;
use std::path::Path;

use reportgen::collect::{ReadOptions, collect};
use reportgen::model::{FileUse, Run};

use crate::directory::{Directory, files_below};

const RUN: &str = "fixtures/runs/trackers/wandb_tables";
const LOG: &str = "run-tables.wandb";
/// At steps 10 and 20, and at one that was over.
const SUMS: [&str; 3] = [
    "files/media/table/eval/sums_0_18e221040d56703800df.table.json",
    "files/media/table/eval/sums_10_1bce22ab5a815075f25e.table.json",
    "files/media/table/eval/sums_20_483b8e1105d999c5c4ce.table.json",
];
const NO_SAMPLES: &str = "files/media/table/by_class_22_07799c0c85f2529cef54.table.json";

fn read(place: &Path) -> Run {
    let read = collect(&[place.to_path_buf()], &ReadOptions::default()).expect("it is there");
    let [run] = read.value.try_into().expect("one run");
    run
}

/// The run with another file in the place of its log, or none.
fn without_log(name: &str, content: Option<&[u8]>) -> Directory {
    let directory = Directory::new();
    for path in files_below(Path::new(RUN)) {
        let relative = path.strip_prefix(RUN).expect("below");
        if relative != Path::new(LOG) {
            directory.write(relative, fs::read(&path).expect("a file"));
        }
    }
    if let Some(content) = content {
        directory.write(name, content);
    }
    directory
}

/// The samples of a dataset: how many, and each score that is there.
fn scores(run: &Run, dataset: &str, metric: &str) -> (usize, Vec<f64>) {
    let mut tables = run.content.samples.iter();
    let table = tables.find(|table| table.dataset.as_deref() == Some(dataset)).expect(dataset);
    let column = table.column(metric).expect(metric);
    (table.len(), (0..table.len()).filter_map(|row| column.get(row)).collect())
}

fn used<'r>(run: &'r Run, relative: &str) -> &'r FileUse {
    &run.files.iter().find(|file| file.relative == relative).expect(relative).used
}

/// As the script logs them.
#[test]
fn the_table_that_the_history_has_last_is_read_and_parts_of_one_all_are() {
    let run = read(Path::new(RUN));
    let right = vec![1.0, 1.0, 1.0, 1.0, 0.0, 0.0];
    assert_eq!(scores(&run, "sums", "correct"), (6, right));
    assert_eq!(scores(&run, "sums", "f1"), (6, vec![1.0, 1.0, 1.0, 1.0, 0.25]));
    assert_eq!(scores(&run, "parts", "correct"), (4, vec![1.0, 0.0, 0.0, 0.0]));
    let superseded = FileUse::Ignored { reason: "ignored.superseded" };
    assert_eq!([SUMS[0], SUMS[2]].map(|table| used(&run, table)), [&superseded; 2]);
    let other = FileUse::Ignored { reason: "ignored.logged-table" };
    assert_eq!(used(&run, NO_SAMPLES), &other);
}

#[test]
fn without_the_log_the_summary_says_which_table_is_the_last_and_else_the_number_in_its_name() {
    let summary = |path: &str| {
        let path = path.strip_prefix("files/").expect("below");
        format!(r#"{{"eval/sums": {{"_type": "table-file", "path": "{path}", "nrows": NaN}}}}"#)
    };
    let first = summary(SUMS[0]);
    for (summary, right) in [(Some(first.as_bytes()), 2), (None, 0), (Some(b"{".as_slice()), 0)] {
        let directory = without_log("files/wandb-summary.json", summary);
        let run = read(directory.root());
        let found = scores(&run, "sums", "correct").1;
        assert_eq!(found.iter().filter(|score| **score == 1.0).count(), right, "{summary:?}");
    }
}

#[test]
fn whatever_happened_to_the_log_each_table_is_read_or_said_not_to_be() {
    let log = fs::read(Path::new(RUN).join(LOG)).expect("the log");
    for at in (0..log.len()).step_by(211) {
        let mut changed = log.clone();
        changed[at] ^= 0x5a;
        let directory = without_log(LOG, Some(&changed));
        let run = read(directory.root());
        let is_read = |table: &&&str| matches!(used(&run, table), FileUse::Read { .. });
        assert!(SUMS.iter().filter(is_read).count() >= 1, "{at}");
    }
}

#[test]
fn what_wandb_logs_of_itself_is_no_log_of_the_run() {
    let line = "{\"msg\":\"ignoring partial history record\",\"step\":5,\"loss\":10}\n";
    for (place, is_own) in [
        ("wandb/run-1/logs/debug-internal.log", true),
        ("wandb/debug.log", true),
        ("run-20261121_143206-dwvj1dzx/logs/debug.log", true),
        ("run-1/debug.log", false),
        ("run-20261121-a/debug.log", false),
        ("out/debug.log", false),
    ] {
        let directory = Directory::of([(place, line), ("metrics.json", r#"{"accuracy": 0.5}"#)]);
        let run = read(directory.root());
        let own = FileUse::Ignored { reason: "ignored.own-log" };
        assert_eq!(*used(&run, place) == own, is_own, "{place}");
    }
}
