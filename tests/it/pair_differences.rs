//! Differences of samples and of datasets as a report draws them.

use crate::command::reportgen;
use crate::directory::Directory;

/// Three models on two datasets with scores between 0 and 1.
fn scored() -> Directory {
    let run = |shift: f64| {
        let record = |id: u32| {
            let dataset = if id.is_multiple_of(2) { "even" } else { "odd" };
            let change = shift * f64::from(id % 10);
            let score = 0.3 + f64::from(id * 7 % 50) / 100.0 + change;
            format!("{{\"id\": \"q{id}\", \"dataset\": \"{dataset}\", \"rougeL\": {score:.3}}}\n")
        };
        (0..200).map(record).collect::<String>()
    };
    Directory::of([
        ("base.jsonl", run(0.0)),
        ("tuned.jsonl", run(0.01)),
        ("worse.jsonl", run(-0.01)),
    ])
}

#[test]
fn several_candidates_over_several_datasets_are_a_map_of_differences() {
    let directory = scored();
    let names = ["base.jsonl", "tuned.jsonl", "worse.jsonl"].map(|name| directory.word(name));
    let words = ["compare", &names[0], &names[1], &names[2], "--lang", "en"];
    let report = reportgen(words).out;
    let (_, map) = report.split_once(": differences from base.jsonl").expect("a map");
    let (map, _) = map.split_once("on each dataset").expect("an end");
    for expected in ["dataset × arm", "tuned.jsonl", "worse.jsonl", "even", "+0.04*", "-0.05*"] {
        assert!(map.contains(expected), "{expected}:\n{map}");
    }
}

#[test]
fn differences_of_single_samples_are_drawn_with_their_percentiles() {
    let directory = scored();
    let [base, tuned] = ["base.jsonl", "tuned.jsonl"].map(|name| directory.word(name));
    let report = reportgen(["compare", &base, &tuned, "--lang", "en"]).out;
    let (_, section) = report.split_once("## Differences of single samples").expect("a section");
    // Of each even id 0.00, 0.02, 0.04, 0.06 or 0.08, twenty times each.
    for expected in [
        "(even): samples by difference",
        "0 (equal)      20  ",
        "0.00 … +0.01    0\n",
        "+0.01 … +0.02  20  ",
        "> +0.07        20  ",
        "(even) | 0 | 20 | 80 |",
        " 0.00 | 0.00 | +0.02 | +0.04 | +0.06 | +0.08 | +0.08 |",
    ] {
        assert!(section.contains(expected), "{expected}:\n{section}");
    }
}

#[test]
fn a_credential_in_a_long_name_is_masked_before_the_name_is_shortened() {
    let secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    let run = |shift: u32| {
        let record = |id: u32| {
            let dataset = format!("a_dataset_with_a_long_name_{secret}_part_{}", id % 2);
            let right = u8::from(!(id + shift).is_multiple_of(3));
            format!("{{\"id\": \"q{id}\", \"dataset\": \"{dataset}\", \"correct\": {right}}}\n")
        };
        (0..120).map(record).collect::<String>()
    };
    let names =
        ["base", "one", "two"].map(|arm| format!("experiment_{arm}_{secret}_of_many.jsonl"));
    let runs = [0, 1, 2].map(run);
    let directory = Directory::of(names.iter().cloned().zip(runs));
    let [base, one, two] = names.map(|name| directory.word(name));
    let out = directory.word("out");
    let ended =
        reportgen(["compare", &base, &one, &two, "-o", &out, "--format", "md,html,latex,typst"]);
    let files = ["md", "html", "tex", "typ"].map(|end| directory.read(format!("out/report.{end}")));
    for text in files.iter().chain([&ended.out, &ended.err]) {
        for part in ["ghp_abcd", "abcdefgh", "wxyz0123", "23456789"] {
            assert!(!text.contains(part), "{part}: {}", &text[..text.len().min(3000)]);
        }
    }
}
