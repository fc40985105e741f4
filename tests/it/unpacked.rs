//! How much compressed files may unpack to.

use crate::access::{compare, gzip, runs};
use crate::command::reportgen;

#[test]
fn a_compressed_file_unpacks_to_a_multiple_of_its_size_and_no_more() {
    let record = b"{\"id\": 1, \"acc\": 1}\n";
    let log = b"step 1 loss 0.5\n";
    for (name, line) in [("samples.jsonl.gz", &record[..]), ("train.log.gz", &log[..])] {
        let runs = runs("lr: 1\n");
        for run in ["a", "b"] {
            let content = gzip(|out| out.write_all(&line.repeat(200_000)).expect("written"));
            runs.write(format!("runs/{run}/{name}"), content);
        }
        let fail_on = ["--fail-on", "missing"];
        let ended = compare(&runs, &[&fail_on[..], &["--limit", "inflation=10"]].concat());
        assert!(ended.err.contains("it unpacks to more than 10 times its size"), "{}", ended.err);
        assert!(ended.err.contains("--limit inflation=NUMBER allows more"), "{}", ended.err);
        assert_eq!(ended.status, 3, "{name}: {}", ended.err);
        let ended = compare(&runs, &[&fail_on[..], &["--limit", "inflation=2000"]].concat());
        assert_eq!(ended.status, 0, "{name}: {}", ended.err);
    }
}

#[test]
fn a_small_compressed_file_unpacks_to_128_kib_and_no_more() {
    let line = b"step 1 loss 0.5\n";
    for (lines, is_read) in [(8_000, true), (9_000, false)] {
        let runs = runs("lr: 1\n");
        let content = gzip(|out| out.write_all(&line.repeat(lines)).expect("written"));
        assert!(content.len() * 10 < 1 << 17, "{}", content.len());
        runs.write("runs/b/train.log.gz", content);
        let ended = compare(&runs, &["--limit", "inflation=10"]);
        assert_eq!(!ended.err.contains("it unpacks to more"), is_read, "{lines}: {}", ended.err);
    }
}

#[test]
fn compression_changes_nothing() {
    let inspected = |name: &str| {
        let ended = reportgen(["inspect", &format!("fixtures/runs/{name}")]);
        assert_eq!(ended.status, 0, "{}", ended.err);
        ended.out.replace(name, "NAME").replace(".gz", "").replace(".zst", "")
    };
    let plain = inspected("samples_duplicates");
    assert_eq!(inspected("samples_gzip"), plain);
    assert_eq!(inspected("samples_zstd"), plain);
}
