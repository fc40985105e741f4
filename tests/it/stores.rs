//! Directories that hold several runs, and those of one run that look like it.

use crate::command::reportgen;
use crate::directory::Directory;

const LOW: &str = r#"{"accuracy": 0.41, "n": 100}"#;
const HIGH: &str = r#"{"accuracy": 0.52, "n": 100}"#;

#[test]
fn hidden_directories_are_listed_and_names_of_paths_are_entered() {
    let directory = Directory::of([
        (".cache/results.json", LOW),
        ("..__x/results.json", HIGH),
        ("node_modules/results.json", LOW),
    ]);
    let ended = reportgen(["inspect", &directory.word("")]);
    for line in [
        "..__x/results.json  metrics-json",
        ".cache/  ignored: hidden directory",
        "node_modules/  ignored: directory of no results",
        "accuracy = 0.52",
    ] {
        assert!(ended.out.contains(line), "{line}\n{}", ended.out);
    }
}
