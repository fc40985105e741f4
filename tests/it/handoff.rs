//! `reportgen handoff`: what is said of every directory of `fixtures/checkpoints`, and of directories
//! and files that nobody means to hand over.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use reportgen::diag::Code;
use reportgen::kinds::handoff::analysis::CHECKS;
use serde_json::Value;

use crate::cases::tests;
use crate::command::{Ended, json, reportgen};
use crate::directory::Directory;
use crate::report::{list, text};

const CHECKPOINTS: &str = "fixtures/checkpoints";
const WEIGHTS: &str = "model.safetensors";

/// The exit status, and every check that does not pass: its outcome and codes.
type Row = (u8, &'static [(&'static str, &'static str, &'static [&'static str])]);

/// A test for each directory of [`CHECKPOINTS`], by its name.
macro_rules! directories {
    [$($name:ident = $row:expr),+ $(,)?] => {
        const ROWS: &[(&str, Row)] = &[$((stringify!($name), $row)),+];

        tests![$($name = gets_its_verdict_and_no_other_finding(stringify!($name), $row)),+];
    };
}

directories![
    adapter = (1, &[("weights", "fail", &["R321"])]),
    another_type = (0, &[("dtypes", "caution", &["R322"])]),
    bytes_behind = (1, &[("headers", "fail", &["R316"])]),
    config_cut_off = (1, &[("config", "fail", &["R302"])]),
    cut_off = (1, &[("headers", "fail", &["R313"])]),
    diverged = (1, &[("values", "fail", &["R326", "R327"])]),
    embedding_resized = (1, &[("shapes", "fail", &["R324"]), ("parameters", "fail", &["R325"])]),
    empty_file = (1, &[("files", "fail", &["R305"])]),
    experts = (0, &[]),
    gguf = (
        1,
        &[
            ("config", "fail", &["R301"]),
            ("generation-config", "caution", &["R303"]),
            ("tokenizer", "fail", &["R307"]),
            ("weights", "fail", &["R329"]),
        ],
    ),
    header_cut_off = (1, &[("headers", "fail", &["R312"])]),
    index_missing = (1, &[("weights", "fail", &["R301"])]),
    index_of_another_save = (1, &[("index", "fail", &["R317"])]),
    layer_missing = (1, &[("layers", "fail", &["R323"]), ("parameters", "fail", &["R325"])]),
    name_twice = (0, &[("headers", "caution", &["R312"])]),
    no_header = (1, &[("headers", "fail", &["R312"])]),
    old_beside_new = (0, &[("files", "caution", &["R305"]), ("weights", "caution", &["R318"])]),
    only_documents = (1, &[("weights", "fail", &["R310"])]),
    other_name = (1, &[("weights", "fail", &["R301"])]),
    output_missing = (1, &[("shapes", "fail", &["R324"]), ("parameters", "fail", &["R325"])]),
    overlapping = (1, &[("headers", "fail", &["R314"])]),
    pickled = (0, &[("weights", "caution", &["R319"])]),
    pointers = (1, &[("files", "fail", &["R304"])]),
    shard_missing = (1, &[("weights", "fail", &["R311"])]),
    split = (0, &[]),
    tensor_of_a_layer_missing =
        (1, &[("layers", "fail", &["R323"]), ("parameters", "fail", &["R325"])],),
    tensor_twice = (
        1,
        &[
            ("headers", "fail", &["R328"]),
            ("index", "caution", &["R317"]),
            ("parameters", "fail", &["R325"]),
        ],
    ),
    tokenizer_missing = (1, &[("tokenizer", "fail", &["R307"])]),
    tokens_added = (1, &[("tokenizer", "fail", &["R308"])]),
    unknown_type = (1, &[("headers", "fail", &["R315"])]),
    unnamed = (
        1,
        &[
            ("config", "fail", &["R306", "R306", "R301"]),
            ("generation-config", "caution", &["R303"]),
            ("tokenizer", "caution", &["R303"]),
        ],
    ),
    verl_shards = (1, &[("config", "fail", &["R309"]), ("weights", "fail", &["R320"])]),
    vision_language = (0, &[]),
    whole = (0, &[]),
    wrong_size = (1, &[("headers", "fail", &["R315"]), ("parameters", "fail", &["R325"])]),
];

fn gets_its_verdict_and_no_other_finding(name: &str, (status, expected): Row) {
    let ended = handoff(&Path::new(CHECKPOINTS).join(name), &["--scan"]);
    let report = json(&ended);
    let expected: Vec<_> = expected.iter().map(|(a, b, c)| (*a, *b, c.to_vec())).collect();
    assert_eq!((ended.status, told(&report)), (status, expected));
    assert_eq!(report["ready"], status == 0);
}

fn handoff(directory: &Path, arguments: &[&str]) -> Ended {
    let own = ["handoff", "--lang", "en", "--format", "json"].iter().chain(arguments);
    reportgen(own.map(OsString::from).chain([directory.into()]))
}

/// The checks that say more than that all is right.
fn told(report: &Value) -> Vec<(&str, &str, Vec<&str>)> {
    let told = list(report, "checks").iter().map(|check| {
        let codes = list(check, "codes").iter().map(|one| one.as_str().expect("a code")).collect();
        (text(check, "check"), text(check, "outcome"), codes)
    });
    told.filter(|(_, outcome, _)| !matches!(*outcome, "pass" | "skipped")).collect()
}

#[test]
fn only_a_checkpoint_without_a_doubt_has_a_good_sign_over_it() {
    for (name, (_, doubts)) in ROWS {
        let directory = Path::new(CHECKPOINTS).join(name);
        let directory = directory.to_str().expect("UTF-8");
        let arguments = ["handoff", directory, "--scan", "--lang", "en"];
        let page = reportgen(arguments).out;
        let first = page.lines().nth(2).expect("a headline");
        assert_eq!(first.contains('✅'), doubts.is_empty(), "{name}: {first}");
        assert!(page.contains("\n**Next**: "), "{name}: {page}");
    }
}

#[test]
fn every_directory_has_a_row() {
    let entries = fs::read_dir(CHECKPOINTS).expect("listed");
    let names: BTreeSet<String> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    let rows: BTreeSet<String> = ROWS.iter().map(|(name, ..)| (*name).to_owned()).collect();
    assert_eq!(names, rows);
}

#[test]
fn every_code_of_the_handoff_is_raised_by_a_directory() {
    let expected = ROWS.iter().flat_map(|(_, (_, checks))| checks.iter());
    let raised: BTreeSet<&str> = expected.flat_map(|(.., codes)| codes.iter().copied()).collect();
    let own = Code::ALL.iter().map(|code| code.id()).filter(|id| id.starts_with("R3"));
    let bare: Vec<&str> = own.filter(|id| !raised.contains(id)).collect();
    assert!(bare.is_empty(), "no directory raises {bare:?}");
}

#[test]
fn the_report_has_every_check_once_and_each_says_what_it_saw_or_why_it_did_not_look() {
    let ids: Vec<&str> = CHECKS.iter().map(|check| check.id).collect();
    for (name, ..) in ROWS {
        let report = json(&handoff(&Path::new(CHECKPOINTS).join(name), &[]));
        let checks = list(&report, "checks");
        let found: Vec<&str> = checks.iter().map(|check| text(check, "check")).collect();
        assert_eq!(found, ids);
        for check in checks {
            let is_silent = text(check, "seen").is_empty() && list(check, "codes").is_empty();
            assert!(!is_silent, "{name}: {check}");
        }
    }
}

#[test]
fn numbers_are_looked_through_only_where_that_is_asked_for() {
    let diverged = Path::new(CHECKPOINTS).join("diverged");
    let without = handoff(&diverged, &[]);
    assert_eq!(without.status, 0);
    let report = json(&without);
    let values = list(&report, "checks").last().expect("the last check");
    assert_eq!((text(values, "check"), text(values, "outcome")), ("values", "skipped"));
    let with = json(&handoff(&diverged, &["--scan"]));
    let values = list(&with, "checks").last().expect("the last check");
    // 1,416 parameters, all of them F32.
    assert_eq!(values["facts"]["elements"], 1416);
    let message = text(&list(&with, "findings")[0], "message");
    assert!(message.contains("model.norm.weight: 1 NaN, 0 Inf / 8"), "{message}");
    assert!(message.contains("lm_head.weight: 0 NaN, 2 Inf / 192"), "{message}");
}

/// A copy of a good model, to be changed.
fn copied(name: &str) -> Directory {
    let copy = Directory::new();
    for entry in fs::read_dir(Path::new(CHECKPOINTS).join(name)).expect("listed") {
        let entry = entry.expect("an entry");
        fs::copy(entry.path(), copy.path(entry.file_name())).expect("copied");
    }
    copy
}

fn codes(report: &Value) -> Vec<String> {
    told(report).into_iter().flat_map(|(.., codes)| codes).map(str::to_owned).collect()
}

/// A safetensors file of a header and nothing behind it.
fn file_of(header: &[u8]) -> Vec<u8> {
    let length = u64::try_from(header.len()).expect("a length");
    [&length.to_le_bytes(), header].concat()
}

#[test]
fn headers_that_cannot_be_are_told_and_nothing_is_read_for_them() {
    let deep = [vec![b'['; 100_000], vec![b']'; 100_000]].concat();
    let huge = br#"{"a":{"dtype":"F32","shape":[18446744073709551615,18446744073709551615],"data_offsets":[0,18446744073709551615]}}"#;
    let backwards = br#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}}"#;
    let fraction = br#"{"a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]}}"#;
    let files: &[(&str, Vec<u8>, &str)] = &[
        ("a length beyond every file", u64::MAX.to_le_bytes().to_vec(), "R312"),
        ("a length beyond this file", 99_999_999_u64.to_le_bytes().to_vec(), "R312"),
        ("half a length", vec![1, 2, 3], "R312"),
        ("a header of no bytes", file_of(b""), "R312"),
        ("a header that is a list", file_of(b"[]"), "R312"),
        ("a header that begins with a space", file_of(b" {}"), "R312"),
        ("a header of no text", file_of(&[b'{', 0xff, b'}']), "R312"),
        ("brackets within brackets", file_of(&[b"{\"a\":", &deep[..], b"}"].concat()), "R312"),
        ("an entry that is a number", file_of(br#"{"a":1}"#), "R312"),
        ("a fraction of a dimension", file_of(fraction), "R312"),
        ("a tensor of all numbers there are", file_of(huge), "R313"),
        ("an end before its beginning", file_of(backwards), "R315"),
    ];
    for (name, bytes, code) in files {
        let copy = copied("whole");
        copy.write(WEIGHTS, bytes);
        let ended = handoff(copy.root(), &["--scan"]);
        assert_eq!(ended.status, 1, "{name}");
        assert!(codes(&json(&ended)).contains(&(*code).to_owned()), "{name}: {}", ended.err);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn a_file_with_bytes_changed_at_random_gets_a_verdict(
        changes in prop::collection::vec((0_usize..2600, any::<u8>()), 1..8),
        length in 0_usize..9000,
    ) {
        let copy = copied("whole");
        let place = copy.path(WEIGHTS);
        let mut bytes = fs::read(&place).expect("read");
        for (at, byte) in changes {
            bytes[at] = byte;
        }
        bytes.truncate(length);
        copy.write(WEIGHTS, &bytes);
        let ended = handoff(copy.root(), &["--scan"]);
        prop_assert!(matches!(ended.status, 0 | 1), "{}", ended.err);
        prop_assert_eq!(list(&json(&ended), "checks").len(), CHECKS.len());
    }

    #[test]
    fn bytes_of_no_format_are_never_weights(bytes in prop::collection::vec(any::<u8>(), 1..200)) {
        let copy = copied("whole");
        copy.write(WEIGHTS, &bytes);
        prop_assert_eq!(codes(&json(&handoff(copy.root(), &["--scan"]))), ["R312"]);
    }
}

#[test]
fn what_is_no_directory_ends_with_what_to_do() {
    let whole = Path::new(CHECKPOINTS).join("whole");
    let file = handoff(&whole.join("config.json"), &[]);
    assert_eq!((file.status, file.out.as_str()), (4, ""));
    assert!(file.err.contains("is a file; name the directory that it lies in"), "{}", file.err);
    let nothing = handoff(Path::new("fixtures/no_such_model"), &[]);
    assert_eq!((nothing.status, nothing.out.as_str()), (4, ""));
    assert!(nothing.err.contains("fixtures/no_such_model"), "{}", nothing.err);
}

#[test]
fn a_report_never_replaces_a_file_of_the_model() {
    let copy = copied("whole");
    let config = copy.path("config.json");
    let before = fs::read(&config).expect("read");
    let ended = handoff(copy.root(), &["-o", config.to_str().expect("UTF-8")]);
    assert_eq!(ended.status, 2, "{}", ended.err);
    assert_eq!(fs::read(&config).expect("read"), before);
    let beside = handoff(copy.root(), &["-o", copy.root().to_str().expect("UTF-8")]);
    assert_eq!(beside.status, 0, "{}", beside.err);
}

#[test]
fn shards_are_found_two_directories_deep() {
    let run = Directory::new();
    run.write("global_step_1000/actor/model_world_size_8_rank_0.pt", "PK");
    let report = json(&handoff(run.root(), &[]));
    assert!(codes(&report).contains(&"R320".to_owned()), "{report}");
}

/// What names and files a Unix system lets somebody make.
#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    use std::path::PathBuf;

    use super::*;

    fn absolute(path: &str) -> PathBuf {
        fs::canonicalize(path).expect("it is there")
    }

    #[test]
    fn links_are_followed_as_a_cache_of_models_lays_them() {
        let snapshot = Directory::new();
        let whole = absolute(CHECKPOINTS).join("whole");
        for entry in fs::read_dir(&whole).expect("listed") {
            let entry = entry.expect("an entry");
            symlink(entry.path(), snapshot.path(entry.file_name())).expect("linked");
        }
        symlink(snapshot.root(), snapshot.path("itself")).expect("linked");
        let ended = handoff(snapshot.root(), &["--scan"]);
        assert_eq!((ended.status, codes(&json(&ended)).len()), (0, 0), "{}", ended.err);
    }

    #[test]
    fn a_link_to_nowhere_is_an_empty_file() {
        let copy = copied("whole");
        for name in [WEIGHTS, "config.json"] {
            fs::remove_file(copy.path(name)).expect("removed");
            symlink("blobs/gone", copy.path(name)).expect("linked");
        }
        let ended = handoff(copy.root(), &[]);
        assert_eq!(ended.status, 1);
        let codes = codes(&json(&ended));
        assert!(codes.contains(&"R305".to_owned()), "{codes:?}");
        assert!(codes.contains(&"R302".to_owned()), "{codes:?}");
    }

    #[test]
    fn what_is_no_file_is_not_waited_for() {
        let copy = copied("whole");
        for name in [WEIGHTS, "tokenizer.json", "generation_config.json"] {
            fs::remove_file(copy.path(name)).expect("removed");
        }
        let _socket = UnixListener::bind(copy.path(WEIGHTS)).expect("a socket");
        let _other = UnixListener::bind(copy.path("tokenizer.json")).expect("a socket");
        fs::create_dir(copy.path("generation_config.json")).expect("made");
        let ended = handoff(copy.root(), &["--scan"]);
        assert_eq!(ended.status, 1);
        let report = json(&ended);
        let broken = codes(&report).iter().filter(|code| *code == "R302").count();
        assert_eq!(broken, 2, "{report}");
    }

    #[test]
    fn names_that_are_no_text_are_listed_all_the_same() {
        let copy = copied("whole");
        let name = OsStr::from_bytes(b"old-\xff.safetensors");
        fs::copy(copy.path(WEIGHTS), copy.path(name)).expect("copied");
        let ended = handoff(copy.root(), &[]);
        assert_eq!(ended.status, 0, "{}", ended.err);
        assert_eq!(codes(&json(&ended)), ["R318"]);
    }
}
