//! For each code of reading, files that raise it and files that come close and do not.

use std::collections::BTreeSet;
use std::fs;

use reportgen::collect::{ReadOptions, collect};
use reportgen::diag::Code;
use walkdir::WalkDir;

use crate::cases::cases;
use crate::directory::Directory;

/// Files of one run: path below it, and content.
type Files = &'static [(&'static str, &'static [u8])];

/// Parquet, and a record of samples, in gzip.
const PACKED_PARQUET: &[u8] = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x0bp\x0c2TH\xccKQ\xc8\xcd/J\x05\x00\x99]P\xb7\x0d\x00\x00\x00";
const PACKED_LINE: &[u8] = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xabV\xcaLQ\xb2R0\xd4QPJ\xce/*JM.\x01\xf1j\xb9\x00\xf7@\x1b \x18\x00\x00\x00";

/// A code, files that raise it, and files that come close. Where two runs are needed, their paths
/// begin with `a/` and `b/`.
pub(super) struct Case {
    code: &'static str,
    raising: Files,
    close: Files,
}

fn files(code: &'static str, raising: Files, close: Files) -> Case {
    Case { code, raising, close }
}

impl Case {
    fn check(&self) {
        let found = raised(self.raising);
        assert!(found.contains(self.code), "{} is not raised, but {found:?}", self.code);
        let found = raised(self.close);
        assert!(!found.contains(self.code), "{} is raised by files that come close", self.code);
    }
}

cases![
    a_file_that_cannot_be_opened = files(
        "R101", &[("x.parquet", b"PAR1 and nothing else")], &[("x.jsonl", SOUND)]),
    parquet_that_is_packed_once_more = files(
        "R101", &[("x.parquet.gz", PACKED_PARQUET)], &[("x.jsonl.gz", PACKED_LINE)]),
    a_line_that_is_no_record = files(
        "R102",
        &[("x.jsonl", b"{\"id\": 1, \"correct\": 1}\n{oops}\n{\"id\": 2, \"correct\": 1}\n")],
        &[("x.jsonl", b"{\"id\": 1, \"correct\": 1}\n\n{\"id\": 2, \"correct\": 1}\n")],
    ),
    a_file_that_stops_inside_a_record = files(
        "R103",
        &[("x.jsonl", b"{\"id\": 1, \"correct\": 1}\n{\"id\": 2, \"corr")],
        &[("x.jsonl", b"{\"id\": 1, \"correct\": 1}\n{\"id\": 2, \"correct\": 0}")],
    ),
    records_of_the_generations_of_a_step = files(
        "R180",
        &[("x.jsonl", b"{\"step\": 1, \"kl\": 1}\n{\"step\": 1, \"kl\": 2}\n")],
        &[("x.jsonl", b"{\"step\": 1, \"kl\": 1}\n{\"step\": 2, \"kl\": 2}\n{\"step\": 2, \"kl\": 3}\n")],
    ),
    a_figure_that_is_nan = files(
        "R106",
        &[("metrics.json", b"{\"accuracy\": NaN, \"f1\": 0.5}")],
        &[("metrics.json", b"{\"accuracy\": null, \"f1\": 0.5}")],
    ),
    bytes_that_are_not_utf8 = files(
        "R107",
        &[("x.jsonl", b"{\"id\": \"\xff\", \"correct\": 1}\n{\"id\": 2, \"correct\": 0}\n")],
        &[("x.jsonl", b"{\"id\": \"\xef\xbf\xbd\", \"correct\": 1}\n{\"id\": 2, \"correct\": 0}\n")],
    ),
    a_spread_that_no_word_explains = files(
        "R174",
        &[("x.csv", b"dataset,accuracy\ng,51.2 \xc2\xb1 1.4\n")],
        &[("x.csv", b"dataset,accuracy,stderr\ng,51.2,1.4\n")],
    ),
    a_table_of_a_document_without_a_metric = files(
        "R175",
        &[("x.md", b"|dataset|accuracy|\n|--|--|\n|g|0.5|\n\n|item|price|\n|--|--|\n|gpu|3.5|\n")],
        &[("x.md", b"|dataset|accuracy|\n|--|--|\n|g|0.5|\n\n|item|colour|\n|--|--|\n|gpu|red|\n")],
    ),
    a_standard_deviation_too_narrow_for_its_samples = files(
        "R165",
        &[("metrics.json", b"{\"wer\": 0.2, \"wer_std\": 0.003, \"n\": 500}")],
        &[("metrics.json", b"{\"wer\": 0.2, \"wer_std\": 0.1, \"n\": 500}")],
    ),
    a_file_that_calls_the_wrong_side_of_a_metric_good = files(
        "R166",
        &[("metrics.json", b"{\"higher_is_better\": false, \"accuracy\": 0.5}")],
        &[("metrics.json", b"{\"higher_is_better\": false, \"perplexity\": 12.5}")],
    ),
    a_run_with_nothing_to_read = files(
        "R109", &[("photo.png", b"\x89PNG")], &[("photo.png", b"\x89PNG"), ("x.jsonl", SOUND)]),
    a_list_as_a_score = files(
        "R110",
        &[("x.jsonl", b"{\"id\": 1, \"correct\": [1]}\n{\"id\": 2, \"correct\": 0}\n")],
        &[("x.jsonl", b"{\"id\": 1, \"correct\": \"yes\"}\n{\"id\": 2, \"correct\": \"no\"}\n")],
    ),
    an_older_evaluation_of_the_same_task = files(
        "R111",
        &[
            ("results_2026-01-01T00-00-00.1.json", HARNESS),
            ("results_2026-01-02T00-00-00.1.json", HARNESS),
        ],
        &[("results_2026-01-01T00-00-00.1.json", HARNESS)],
    ),
    an_old_version_beside_the_results = files(
        "R177",
        &[("results.jsonl", SOUND), ("results_old.jsonl", SOUND)],
        &[("results.jsonl", SOUND), ("answers_old.jsonl", SOUND)],
    ),
    a_key_twice_in_one_object = files(
        "R112",
        &[("config.json", b"{\"lr\": 1, \"lr\": 2}")],
        &[("config.json", b"{\"lr\": 1, \"opt\": {\"lr\": 2}}")],
    ),
    results_without_a_figure = files(
        "R113", &[("summary.json", b"{\"datasets\": {}}")], &[("summary.json", b"")]),
    two_files_with_other_figures_of_one_metric = files(
        "R118",
        &[
            ("one/metrics.json", b"{\"eval/a/accuracy\": 0.5}"),
            ("two/metrics.json", b"{\"eval/a/accuracy\": 0.6}"),
        ],
        &[
            ("one/metrics.json", b"{\"eval/a/accuracy\": 0.5}"),
            ("two/metrics.json", b"{\"eval/a/accuracy\": 0.5, \"eval/b/accuracy\": 0.6}"),
        ],
    ),
    curves_that_nothing_tells_apart = files(
        "R173",
        &[("metrics_1.csv", b"step,loss\n1,0.5\n2,0.4\n"), ("metrics_2.csv", b"step,loss\n1,0.7\n2,0.6\n")],
        &[("train_1.csv", b"step,loss\n1,0.5\n2,0.4\n"), ("val_1.csv", b"step,loss\n1,0.7\n2,0.6\n")],
    ),
    steps_from_the_first_again = files(
        "R181",
        &[("log.csv", b"step,loss\n1,0.5\n2,0.4\n3,0.3\n1,0.6\n2,0.5\n3,0.2\n")],
        &[
            ("log.csv", b"step,loss\n1,0.5\n2,0.4\n3,0.3\n2,0.35\n3,0.25\n4,0.2\n"),
            ("again.csv", b"step,loss\n1,0.5\n1,0.6\n2,0.5\n3,0.2\n"),
            ("same.csv", b"step,loss\n1,0.5\n2,0.4\n1,0.5\n2,0.4\n"),
        ],
    ),
    a_step_twice = files(
        "R119",
        &[("log.csv", b"step,loss\n1,0.5\n2,0.4\n2,0.3\n")],
        &[
            ("log.csv", b"step,loss\n1,0.5\n2,0.4\n3,0.4\n"),
            ("models.csv", b"model,step,acc\nA,1,0.5\nA,2,0.6\nB,1,0.4\nB,2,0.7\n"),
            ("splits.jsonl", b"{\"split\":\"a\",\"step\":1,\"f1\":0.5}\n{\"split\":\"b\",\"step\":1,\"f1\":0.4}\n{\"split\":\"a\",\"step\":2,\"f1\":0.6}\n{\"split\":\"b\",\"step\":2,\"f1\":0.7}\n"),
        ],
    ),
    several_answers_to_each_problem = files(
        "R120",
        &[("x.jsonl", b"{\"id\":1,\"correct\":1}\n{\"id\":1,\"correct\":0}\n{\"id\":2,\"correct\":0}\n{\"id\":2,\"correct\":1}\n")],
        &[("x.jsonl", b"{\"id\":1,\"correct\":1}\n{\"id\":2,\"correct\":0}\n{\"id\":3,\"correct\":0}\n{\"id\":3,\"correct\":0}\n")],
    ),
    a_figure_beyond_one_among_shares = files(
        "R121",
        &[("metrics.json", b"{\"eval/a/accuracy\": 0.5, \"eval/b/accuracy\": 62.5}")],
        &[("metrics.json", b"{\"eval/a/accuracy\": 0.5, \"eval/b/accuracy\": 1.0}")],
    ),
    a_table_that_no_reader_takes = files(
        "R122",
        &[("x.jsonl", SOUND), ("table.jsonl", b"[1, 2]\n[3, 4]\n")],
        &[("x.jsonl", SOUND), ("notes.txt", b"[1, 2]\n[3, 4]\n")],
    ),
    configurations_that_contradict_each_other = files(
        "R123",
        &[("config.yaml", b"lr: 1\n"), ("args.json", b"{\"lr\": 2}")],
        &[("config.yaml", b"lr: 1\n"), ("args.json", b"{\"lr\": 1.0}")],
    ),
    more_answers_to_some_problems_than_to_others = files(
        "R150",
        &[("x.jsonl", b"{\"id\":1,\"correct\":1}\n{\"id\":1,\"correct\":0}\n{\"id\":2,\"correct\":0}\n{\"id\":2,\"correct\":1}\n{\"id\":3,\"correct\":1}\n")],
        &[("x.jsonl", b"{\"id\":1,\"correct\":1}\n{\"id\":1,\"correct\":0}\n{\"id\":2,\"correct\":0}\n{\"id\":2,\"correct\":1}\n")],
    ),
    an_answer_without_a_score_among_several = files(
        "R151",
        &[("x.jsonl", b"{\"id\":1,\"correct\":1}\n{\"id\":1,\"correct\":null}\n{\"id\":2,\"correct\":0}\n{\"id\":2,\"correct\":1}\n")],
        &[("x.jsonl", b"{\"id\":1,\"correct\":null}\n{\"id\":2,\"correct\":1}\n")],
    ),
    a_score_that_its_metric_cannot_have = files(
        "R152",
        &[("x.jsonl", b"{\"id\":1,\"accuracy\":-0.5}\n{\"id\":2,\"accuracy\":1}\n")],
        &[("x.jsonl", b"{\"id\":1,\"reward\":-0.5}\n{\"id\":2,\"reward\":1}\n")],
    ),
    two_names_of_a_metric_that_disagree = files(
        "R153",
        &[("x.jsonl", b"{\"id\":1,\"acc\":1,\"accuracy\":0}\n{\"id\":2,\"acc\":1,\"accuracy\":1}\n")],
        &[("x.jsonl", b"{\"id\":1,\"acc\":1,\"accuracy\":1}\n{\"id\":2,\"acc\":0,\"accuracy\":0}\n")],
    ),
    two_places_of_a_metric_that_disagree = files(
        "R153",
        &[("x.jsonl", b"{\"id\":1,\"correct\":0,\"scores\":{\"correct\":1}}\n{\"id\":2,\"correct\":1}\n")],
        &[("x.jsonl", b"{\"id\":1,\"correct\":true,\"scores\":{\"correct\":1}}\n{\"id\":2,\"correct\":0}\n")],
    ),
    a_dataset_that_one_run_tells_by_the_name_of_its_file = files(
        "R154",
        &[
            ("a/results.jsonl", b"{\"id\":1,\"dataset\":\"quiz\",\"correct\":1}\n{\"id\":2,\"dataset\":\"quiz\",\"correct\":0}\n"),
            ("b/quiz.jsonl", SOUND),
        ],
        &[("a/quiz.jsonl", SOUND), ("b/quiz.jsonl", SOUND)],
    ),
    a_number_of_samples_that_overflows = files(
        "R160",
        &[("metrics.json", b"{\"accuracy\": 0.5, \"n\": 1e400}")],
        &[("metrics.json", b"{\"accuracy\": 0.5, \"n\": 1000000}")],
    ),
    a_record_that_contradicts_itself = files(
        "R157",
        &[("x.jsonl", b"{\"id\":1,\"accepted\":true,\"pass_ratio\":0.8}\n{\"id\":2,\"accepted\":false,\"pass_ratio\":0.5}\n")],
        &[("x.jsonl", b"{\"id\":1,\"accepted\":true,\"pass_ratio\":1.0}\n{\"id\":2,\"accepted\":false,\"pass_ratio\":0.5}\n")],
    ),
    a_figure_that_its_metric_cannot_have = files(
        "R158",
        &[("metrics.json", b"{\"eval/a/accuracy\": -0.2}")],
        &[("metrics.json", b"{\"eval/a/reward\": -0.2}")],
    ),
    the_same_bytes_in_two_runs = files(
        "R159",
        &[("a/metrics.json", LONG), ("b/metrics.json", LONG)],
        &[("a/metrics.json", b"{\"accuracy\": 0.5}"), ("b/metrics.json", b"{\"accuracy\": 0.5}")],
    ),
];

/// Codes of reading whose conditions other tests make: what the grouping finds in samples
/// (`verdicts/samples.rs`), what a run may reach (`access.rs`), the settings (`cli.rs`, `metric_names.rs`), a run given twice (`readers.rs`), stated figures
/// and several answers (`verdicts/`), and limits of size, which are tested with small ones or with
/// files made for the purpose (`lines.rs`, `samples.rs`), directories of several runs (`stores.rs`), and files that change
/// while they are read (`side_by_side.rs`).
const ELSEWHERE: &[&str] = &[
    "R104", "R105", "R108", "R114", "R115", "R117", "R124", "R125", "R126", "R130", "R131", "R155",
    "R156", "R161", "R162", "R163", "R164", "R167", "R168", "R169", "R172", "R176", "R178", "R179",
    "R190", "R191",
];
/// Takes more files than a row of the table can hold.
const TOO_MANY: &str = "R116";

const SOUND: &[u8] =
    b"{\"id\":1,\"correct\":1}\n{\"id\":2,\"correct\":0}\n{\"id\":3,\"correct\":1}\n";
const HARNESS: &[u8] = b"{\"results\": {\"quiz\": {\"acc,none\": 0.5, \"acc_stderr,none\": 0.05}}, \"configs\": {}, \"config\": {}}";
const LONG: &[u8] = b"{\"eval/first/accuracy\": 0.5123, \"eval/second/accuracy\": 0.6123, \"eval/third/accuracy\": 0.7123, \"eval/fourth/accuracy\": 0.8123, \"eval/fifth/accuracy\": 0.4123, \"eval/sixth/accuracy\": 0.3123, \"eval/seventh/accuracy\": 0.2123, \"eval/eighth/accuracy\": 0.1123, \"eval/ninth/accuracy\": 0.0123}";

/// What is noticed when the files are read as one run, or as two.
fn raised(files: Files) -> BTreeSet<&'static str> {
    let directory = Directory::of(files.iter().copied());
    let two = ["a", "b"].map(|run| directory.path(run));
    let one = [directory.root().to_path_buf()];
    let runs = if two[0].is_dir() { two.as_slice() } else { one.as_slice() };
    let read = collect(runs, &ReadOptions::default()).expect("there");
    read.diagnostics.iter().map(|finding| finding.code.id()).collect()
}

#[test]
fn every_code_of_reading_has_such_files() {
    let here = cases().into_iter().map(|case| case.code);
    let here: BTreeSet<&str> = here.chain(ELSEWHERE.iter().copied()).chain([TOO_MANY]).collect();
    let reading = Code::ALL.iter().map(|code| code.id()).filter(|id| id.starts_with("R1"));
    let bare: Vec<&str> = reading.filter(|id| !here.contains(id)).collect();
    assert!(bare.is_empty(), "no files raise {bare:?}");
}

#[test]
fn the_other_codes_of_reading_are_named_in_other_tests() {
    let entries = ["tests/it", "src"].into_iter().flat_map(WalkDir::new);
    let entries = entries.map(|entry| entry.expect("an entry"));
    let files = entries.filter(|entry| {
        entry.path().extension().is_some_and(|extension| extension == "rs")
            && entry.file_name() != "reading_codes.rs"
    });
    let texts: Vec<String> = files
        .filter_map(|entry| {
            let text = fs::read_to_string(entry.path()).expect("a text");
            let is_test = entry.path().starts_with("tests") || entry.file_name() == "tests.rs";
            let tests = if is_test { 0 } else { text.find("#[cfg(test)]\nmod tests {")? };
            Some(text[tests..].to_owned())
        })
        .collect();
    for id in ELSEWHERE {
        let code = Code::ALL.iter().find(|code| code.id() == *id).expect(id);
        let names = [format!("\"{id}\""), format!("Code::{code:?}")];
        let is_named = texts.iter().any(|text| names.iter().any(|name| text.contains(name)));
        assert!(is_named, "no test names {names:?}");
    }
}

#[test]
fn of_a_run_with_too_many_files_the_first_are_looked_at_and_the_finding_says_so() {
    let directory = Directory::new();
    let path = |number: usize| directory.path(format!("{number:05}.txt"));
    for number in 0..50_000 {
        fs::File::create(path(number)).expect("made");
    }
    let codes = || {
        let read =
            collect(&[directory.root().to_path_buf()], &ReadOptions::default()).expect("there");
        let codes = read.diagnostics.iter().map(|finding| finding.code);
        codes.collect::<Vec<_>>()
    };
    assert!(!codes().contains(&Code::LimitReached));
    fs::File::create(path(50_000)).expect("made");
    assert!(codes().contains(&Code::LimitReached));
}
