//! Baseline files: a comparison with one is the comparison with the run that it was saved from.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::command::{Ended, json, reportgen};
use crate::directory::Directory;

const CASES: &str = "fixtures/cases";
/// Flags of comparisons that are taken over with their values, and those of them that say how runs are
/// read.
const FLAGS: &[&str] = &[
    "--vary",
    "--config",
    "--by",
    "--split",
    "--cluster",
    "--accept",
    "--pass-at",
    "--margin",
    "--metric",
    "--noise",
    "--higher",
    "--lower",
    "--preset",
];
const READING: &[&str] = &["--config", "--cluster"];

/// Two runs that some case compares, and how.
struct Pair {
    runs: [String; 2],
    flags: Vec<String>,
}

/// The first comparison of each two runs among the cases.
fn pairs() -> Vec<Pair> {
    let mut found: BTreeMap<[String; 2], Vec<String>> = BTreeMap::new();
    let cases = fs::read_dir(CASES).expect("a directory");
    let mut cases: Vec<PathBuf> = cases.map(|case| case.expect("a case").path()).collect();
    cases.sort();
    for case in cases {
        let commands = fs::read_to_string(case.join("cmd")).expect("a command");
        for line in commands.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let ["compare", first, second, more @ ..] = words.as_slice() else { continue };
            if first == second || ![first, second].iter().all(|run| Path::new(run).exists()) {
                continue;
            }
            let taken = more.windows(2).filter(|two| FLAGS.contains(&two[0]));
            let flags = taken.flatten().map(|word| (*word).to_owned()).collect();
            found.entry([first, second].map(|run| (*run).to_owned())).or_insert(flags);
        }
    }
    found.into_iter().map(|(runs, flags)| Pair { runs, flags }).collect()
}

fn save(run: &str, file: &str, flags: &[String]) -> Ended {
    let read = flags.windows(2).filter(|two| READING.contains(&two[0].as_str())).flatten();
    let words = ["baseline", "save", run, "-o", file].map(str::to_owned);
    reportgen(words.into_iter().chain(read.cloned()))
}

fn compare(first: &str, second: &str, flags: &[String]) -> Ended {
    let words = ["compare", first, second, "--format", "json", "--lang", "en"].map(str::to_owned);
    reportgen(words.into_iter().chain(flags.iter().cloned()))
}

/// The report without what says that a run was read from a file, and where it lies.
fn without_file(mut report: Value, file: &str, run: &str) -> String {
    let findings = report["findings"].as_array_mut().expect("findings");
    findings.retain(|finding| finding["code"] != "R179");
    for one in report["runs"].as_array_mut().expect("runs") {
        let one = one.as_object_mut().expect("a run");
        one.remove("path");
        one.remove("readers");
    }
    let text = serde_json::to_string_pretty(&report).expect("JSON");
    text.replace(file, run)
}

#[test]
fn every_pair_of_fixtures_is_compared_alike_with_a_run_and_with_its_file() {
    let directory = Directory::new();
    let mut different = String::new();
    let mut compared = 0;
    for (at, Pair { runs: [first, second], flags }) in pairs().into_iter().enumerate() {
        let name = Path::new(&first).file_name().expect("a name");
        let file = directory.word(Path::new(&at.to_string()).join(name));
        let saved = save(&first, &file, &flags);
        let whole = compare(&first, &second, &flags);
        if !Path::new(&file).exists() {
            assert!(whole.out.is_empty(), "{first} can be compared, and not saved: {saved:?}");
            continue;
        }
        let with_file = compare(&file, &second, &flags);
        assert_eq!((whole.status, with_file.status), (whole.status, whole.status), "{first}");
        if whole.out.is_empty() {
            continue;
        }
        let whole = json(&whole);
        // One place under two names is told by the place.
        if whole["findings"].as_array().expect("findings").iter().any(|one| one["code"] == "R115") {
            continue;
        }
        compared += 1;
        let expected = without_file(whole, &first, &first);
        let found = without_file(json(&with_file), &file, &first);
        if let Some(lines) = crate::difference::difference(&expected, &found) {
            let _infallible = write!(different, "{first} and {second}:\n{lines}");
        }
    }
    assert!(different.is_empty(), "{different}");
    assert!(compared > 60, "only {compared} pairs");
}

/// Samples of which every text is another one, as JSON lines; every so many answers are other ones.
fn samples(count: u64, id: fn(u64) -> String, apart: u64) -> String {
    let mut text = String::new();
    for row in 0..count {
        let noise = noise(row);
        let is_right = (noise >> 40 & 7 != 0) != (apart > 0 && row % apart == 0);
        let (id, right) = (id(row), u8::from(is_right));
        let _infallible = writeln!(
            text,
            r#"{{"id":"{id}","prompt":"what is {noise} less {row}?","target":"{noise:x}","response":"it is {noise} {apart}","accuracy":{right}}}"#
        );
    }
    text
}

fn noise(row: u64) -> u64 {
    let mixed = (row + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

/// Saves so many samples with such ids, and compares the run and its file with another run.
fn check_size(count: u64, id: fn(u64) -> String, said: &str, most: u64) {
    let directory = Directory::new();
    directory.write("base/samples.jsonl", samples(count, id, 0));
    directory.write("new/samples.jsonl", samples(count, id, 50));
    let (base, new) = (directory.word("base"), directory.word("new"));
    let file = directory.word("file/base");
    let saved = save(&base, &file, &[]);
    assert!(saved.out.contains(said), "{saved:?}");
    let bytes = fs::metadata(&file).expect("a file").len();
    assert!(bytes <= most * count, "{bytes} bytes");
    let [whole, with_file] = [&base, &file].map(|first| json(&compare(first, &new, &[])));
    assert_eq!(whole["comparisons"][0]["pairing"]["paired"], count);
    assert_eq!(with_file["comparisons"][0]["pairing"]["paired"], count);
    let expected = without_file(whole, &base, &base);
    assert_eq!(without_file(with_file, &file, &base), expected);
}

#[test]
fn samples_of_distinct_texts_take_ten_bytes_each_and_are_compared_alike() {
    check_size(30_000, |row| format!("bench/{row}"), "Hashes are cut to 36 bits", 10);
}

#[test]
fn random_ids_give_way_to_hashes_and_pair_all_the_same() {
    let id = |row| format!("{:016x}{:016x}", noise(row), noise(row + 1_000_000));
    check_size(30_000, id, "ids are replaced", 11);
}

#[test]
fn a_run_gives_the_same_bytes_each_time_and_a_file_of_a_file_is_the_file() {
    let directory = Directory::new();
    let words = ["a", "b", "c/a"].map(|name| directory.word(name));
    save("fixtures/kl_beta/kl-0.15", &words[0], &[]);
    save("fixtures/kl_beta/kl-0.15", &words[1], &[]);
    let [first, second] = [0, 1].map(|at: usize| fs::read(&words[at]).expect("a file"));
    assert_eq!(first, second);
    let report = |first: &str| {
        let report = json(&compare(first, "fixtures/kl_beta/kl-0.12", &[]));
        without_file(report, first, "")
    };
    save(&words[0], &words[2], &[]);
    assert_eq!(report(&words[2]), report(&words[0]));
}

#[test]
fn runs_that_repeat_each_other_are_saved_as_one_arm() {
    let directory = Directory::new();
    let file = directory.word("base.rgb");
    let seeds = [1, 2, 3, 4].map(|seed| format!("fixtures/seeds/base-seed{seed}"));
    let tuned = [1, 2, 3, 4].map(|seed| format!("--arm=tuned=fixtures/seeds/tuned-seed{seed}"));
    let words = ["baseline", "save", "-o", &file].map(str::to_owned);
    assert_eq!(reportgen(words.into_iter().chain(seeds.clone())).status, 0);
    let report = |base: Vec<String>| {
        let words = ["compare", "--format", "json"].map(str::to_owned);
        json(&reportgen(words.into_iter().chain(base).chain(tuned.clone())))
    };
    let whole = report(seeds.iter().map(|run| format!("--arm=base={run}")).collect());
    let with_file = report(vec![format!("--arm=base={file}")]);
    for field in ["verdict", "delta", "test"] {
        assert_eq!(whole["comparisons"][0][field], with_file["comparisons"][0][field], "{field}");
    }
}

/// The text of a file, and the file of a text.
fn unpacked(path: &str) -> String {
    let mut text = String::new();
    let file = fs::File::open(path).expect("a file");
    GzDecoder::new(file).read_to_string(&mut text).expect("gzip");
    text
}

fn pack(path: &str, text: &str) {
    let mut file = GzEncoder::new(Vec::new(), Compression::fast());
    file.write_all(text.as_bytes()).expect("packed");
    fs::write(path, file.finish().expect("packed")).expect("written");
}

/// What is said of a file in the place of a saved one, after a change of its text.
#[track_caller]
fn check_refused(change: impl Fn(&str) -> String, said: &str) {
    let directory = Directory::new();
    let file = directory.word("base.rgb");
    save("fixtures/kl_beta/kl-0.15", &file, &[]);
    pack(&file, &change(&unpacked(&file)));
    let ended = compare(&file, "fixtures/kl_beta/kl-0.12", &[]);
    assert_eq!(ended.status, 4, "{ended:?}");
    assert!(ended.err.contains(said), "{}", ended.err);
}

#[test]
fn a_file_that_was_changed_or_cut_or_is_newer_is_refused_with_what_to_do() {
    check_refused(|text| text.replace("0.15", "0.16"), "checksum does not fit");
    check_refused(|text| text[..text.len() / 2].to_owned(), "checksum does not fit");
    check_refused(|text| text.lines().take(1).collect(), "ends in its first line");
    check_refused(
        |text| text.replacen("_baseline\":1", "_baseline\":2", 1),
        "it has version 2 of baseline files",
    );
}

/// The text of a file with the first item of a list of its run there twice, under a checksum that fits.
fn with_first_twice(text: &str, list: &str) -> String {
    let (head, body) = text.split_once('\n').expect("two lines");
    let [mut head, mut body] =
        [head, body].map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let items = body["runs"][0]["content"][list].as_array_mut().expect("a list");
    items.push(items[0].clone());
    let body = body.to_string();
    head["sha256"] = format!("{:x}", Sha256::digest(&body)).into();
    format!("{head}\n{body}\n")
}

#[test]
fn a_setting_or_a_figure_that_stands_twice_makes_no_baseline() {
    check_refused(|text| with_first_twice(text, "config"), "stands there twice");
    check_refused(|text| with_first_twice(text, "scalars"), "a figure stands twice");
}

#[test]
fn samples_that_were_cut_off_close_the_gates_in_a_baseline_too() {
    let line = "{\"id\": 1, \"acc\": 1}\n";
    let cut = format!("{line}{{\"id\": 2, \"acc\": 0}}\n{{\"id\"");
    let directory = Directory::of([("a/samples.jsonl", line), ("b/samples.jsonl", &cut)]);
    let [a, b, file] = ["a", "b", "b.rgb"].map(|name| directory.word(name));
    assert_eq!(save(&b, &file, &[]).status, 0);
    let flags = ["--fail-on", "regression,mismatch,missing"].map(str::to_owned);
    for (first, second) in [(&a, &b), (&a, &file), (&file, &a)] {
        assert_eq!(compare(first, second, &flags).status, 3, "{first} {second}");
    }
}

#[test]
fn a_file_that_is_no_baseline_is_not_replaced() {
    let directory = Directory::of([("notes.md", "mine")]);
    let file = directory.word("notes.md");
    let ended = save("fixtures/kl_beta/kl-0.15", &file, &[]);
    assert_eq!((ended.status, directory.read("notes.md").as_str()), (2, "mine"));
    assert!(ended.err.contains("is no baseline file"), "{}", ended.err);
}

#[test]
fn credentials_of_a_configuration_are_not_in_the_file() {
    let directory = Directory::of([
        ("run/config.yaml", "lr: 0.1\nopenai_api_key: sk-abcdefghijklmnopqrstuvwx1234567890\n"),
        ("run/metrics.json", "{\"accuracy\": 0.5, \"n\": 100}"),
    ]);
    let file = directory.word("base.rgb");
    save(&directory.word("run"), &file, &[]);
    let text = unpacked(&file);
    assert!(text.contains("openai_api_key") && !text.contains("abcdefghij"), "{text}");
}
