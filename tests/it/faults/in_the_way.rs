//! Links, pipes and files of others where a report goes.

use std::fs;

use super::{DRAWN, Desk, FORMATS};
use crate::cases::tests;
use crate::command::within_10_seconds;
use crate::manifest;

const VICTIM: &str = "a file of the user";

/// A link where the program may put a file for itself leads nowhere that is written to. With `status`
/// 0 the report is there as well.
fn writes_through_no(link: &str, status: u8) {
    let desk = Desk::drawn();
    desk.0.write("victim", VICTIM);
    desk.0.write("victims/report.md", VICTIM);
    let is_directory = link.ends_with("ready");
    let _replaced = fs::remove_file(desk.0.path(link));
    desk.link(if is_directory { "../victims" } else { "../victim" }, link);
    desk.score(0.4);
    let further = ["--format", FORMATS, "--force"];
    let ended = within_10_seconds(desk.program("out", &further));
    assert_eq!(ended.status.code(), Some(i32::from(status)), "{link}: {ended:?}");
    assert_eq!(desk.0.read("victim"), VICTIM);
    assert_eq!(desk.0.read("victims/report.md"), VICTIM);
    let json = desk.0.read("out/report.json");
    assert_eq!(json.contains("0.625"), status != 0, "{link}: old reports stay on failure");
    assert_eq!(manifest::torn(&desk.0.path("out")), [""; 0]);
}

tests![
    a_link_in_the_place_of_a_file_on_its_way = writes_through_no("out/report.md.partial", 0),
    a_link_in_the_place_of_a_file_being_written = writes_through_no("out/.reportgen-aaaaaa", 0),
    a_link_in_the_place_of_an_abandoned_file = writes_through_no("out/.reportgen-aaaaaa.tmp", 0),
    a_link_in_the_place_of_a_report = writes_through_no("out/report.md", 0),
    a_link_in_the_place_of_the_manifest = writes_through_no("out/report.manifest.json", 0),
    a_link_in_the_place_of_the_lock = writes_through_no("out/.reportgen.lock", 4),
    a_link_in_the_place_of_what_is_ready = writes_through_no("out/.reportgen.ready", 4),
];

#[test]
fn a_file_of_the_users_in_the_place_of_the_lock_stays_and_a_lock_that_was_left_goes() {
    let lock = "out/.reportgen.lock";
    let desk = Desk::drawn();
    desk.0.write(lock, VICTIM);
    desk.score(0.4);
    let ended = desk.compare("out", &["--format", FORMATS]);
    assert!(ended.status == 4 && ended.err.contains(&desk.0.word(lock)), "{ended:?}");
    assert!(ended.err.contains("move or rename it"), "{ended:?}");
    assert_eq!(desk.0.read(lock), VICTIM);
    assert!(desk.0.read("out/report.json").contains("0.625"), "old reports stay on failure");
    for left in ["", "report", "reportgen writes here\n"] {
        desk.0.write(lock, left);
        assert_eq!(desk.compare("out", &["--format", FORMATS]).status, 0, "{left}");
        assert_eq!(desk.names("out"), DRAWN);
    }
}

#[test]
fn a_directory_of_the_users_that_is_called_like_one_that_was_left_stays() {
    let desk = Desk::drawn();
    desk.0.write("out/.reportgen-aaaaaa/new/report.md", VICTIM);
    fs::create_dir(desk.0.path("out/.reportgen-bbbbbb")).expect("made");
    desk.score(0.4);
    assert_eq!(desk.compare("out", &["--format", FORMATS]).status, 0);
    assert_eq!(desk.0.read("out/.reportgen-aaaaaa/new/report.md"), VICTIM);
    let left = desk.names("out").into_iter().filter(|name| name.starts_with(".reportgen-"));
    assert_eq!(left.collect::<Vec<_>>(), [".reportgen-aaaaaa"]);
}

#[test]
fn a_copy_that_is_kept_aside_goes_through_no_link() {
    let desk = Desk::drawn();
    desk.0.write("victim", VICTIM);
    desk.link("../victim", "out/report.md.bak");
    let edited = desk.0.read("out/report.md").replace("## Setup", "## My setup");
    desk.0.write("out/report.md", &edited);
    assert_eq!(desk.compare("out", &[]).status, 0);
    assert_eq!(
        (desk.0.read("victim").as_str(), desk.0.read("out/report.md.bak-2")),
        (VICTIM, edited)
    );
}

#[test]
fn a_link_to_a_report_is_replaced_and_the_words_behind_it_are_taken_along() {
    let desk = Desk::new();
    assert_eq!(desk.compare("elsewhere.md", &[]).status, 0);
    let place = "## Setup\n\n<!-- reportgen:prose mine -->\nMy words.\n<!-- reportgen:end -->\n";
    let text = desk.0.read("elsewhere.md").replace("## Setup\n", place);
    desk.0.write("elsewhere.md", &text);
    desk.link("../elsewhere.md", "out/report.md");
    desk.link("nowhere", "out/report.json");
    desk.score(0.4);
    assert_eq!(desk.compare("out", &["--format", "md,json"]).status, 0);
    for name in ["report.md", "report.json"] {
        assert!(fs::symlink_metadata(desk.0.path("out").join(name)).expect("there").is_file());
    }
    assert!(desk.0.read("out/report.md").contains("My words."));
    assert!(!desk.0.path("out/nowhere").exists() && desk.0.read("elsewhere.md") == text);
}

/// A pipe that nobody reads ends the command at once.
fn waits_for_no_pipe(pipe: &str, target: &str, formats: &str) {
    let desk = Desk::new();
    desk.pipe(pipe);
    let before = desk.names("out");
    let ended = within_10_seconds(desk.program(target, &["--format", formats]));
    assert_eq!(ended.status.code(), Some(4), "{ended:?}");
    assert!(String::from_utf8_lossy(&ended.stderr).contains(&desk.0.word(pipe)), "{ended:?}");
    assert_eq!(desk.names("out"), before);
}

tests![
    a_pipe_in_the_place_of_a_report = waits_for_no_pipe("out/report.md", "out", "md"),
    a_pipe_in_the_place_of_one_of_several = waits_for_no_pipe("out/report.json", "out", "md,json"),
    a_pipe_in_the_place_of_the_manifest =
        waits_for_no_pipe("out/report.manifest.json", "out", "md,json"),
    a_pipe_in_the_place_of_the_lock = waits_for_no_pipe("out/.reportgen.lock", "out", "md"),
    a_pipe_that_is_named = waits_for_no_pipe("out/pipe.md", "out/pipe.md", "md"),
];

#[test]
fn a_directory_in_the_place_of_one_report_leaves_the_others_as_they_were() {
    for taken in DRAWN {
        let desk = Desk::drawn();
        fs::remove_file(desk.0.path("out").join(taken)).expect("gone");
        fs::create_dir(desk.0.path("out").join(taken)).expect("made");
        let before: Vec<_> =
            DRAWN.iter().map(|name| fs::read(desk.0.path("out").join(name)).ok()).collect();
        desk.score(0.4);
        let ended = desk.compare("out", &["--format", FORMATS, "--force"]);
        assert!(ended.status == 4 && ended.err.contains(taken), "{ended:?}");
        let after: Vec<_> =
            DRAWN.iter().map(|name| fs::read(desk.0.path("out").join(name)).ok()).collect();
        assert!(before == after && desk.names("out") == DRAWN, "{taken}");
    }
}

/// Whatever the program did not write is left alone without `--force`, and told.
fn replaces_only_by_force(content: &str, formats: &[&str]) {
    for format in formats {
        let desk = Desk::new();
        let name = format!("notes.{format}");
        desk.0.write(&name, content);
        let ended = desk.compare(&name, &[]);
        assert!(ended.status == 2 && ended.out.is_empty(), "{format}: {ended:?}");
        assert!(ended.err.contains(&name) && ended.err.contains("--force"), "{}", ended.err);
        assert_eq!(desk.0.read(&name), content);
        assert_eq!(desk.compare(&name, &["--force"]).status, 0);
        assert_ne!(desk.0.read(&name), content);
        assert_eq!(desk.0.path(format!("{name}.bak")).exists(), *format == "md");
    }
}

tests![
    notes_are_no_report = replaces_only_by_force("# Notes\n", &["md", "html", "json", "csv"]),
    another_table_is_no_report = replaces_only_by_force("step,value,n\n1,2,3\n", &["csv"]),
    data_of_others_are_no_report =
        replaces_only_by_force("{\"schema\": \"other\", \"kind\": \"compare\"}", &["json"]),
];

#[test]
fn an_empty_file_is_written_and_reports_are_written_again() {
    for format in FORMATS.split(',') {
        let desk = Desk::new();
        let name = format!("report.{format}");
        desk.0.write(&name, "");
        for score in [0.625, 0.4] {
            desk.score(score);
            let ended = desk.compare(&name, &[]);
            assert_eq!((ended.status, ended.err.as_str()), (0, ""), "{format}: {ended:?}");
        }
        assert_eq!(desk.names(""), ["a", "b", &name]);
    }
}

#[test]
fn a_manifest_of_others_is_replaced_only_by_force() {
    let desk = Desk::new();
    desk.0.write("out/report.manifest.json", "{}");
    let ended = desk.compare("out", &["--format", "md,json"]);
    assert!(ended.status == 2 && ended.err.contains("report.manifest.json"), "{ended:?}");
    assert_eq!(desk.names("out"), [manifest::NAME]);
    assert_eq!(desk.compare("out", &["--format", "md"]).status, 0, "it is in nobody's way");
    assert_eq!(desk.compare("out", &["--format", "md,json", "--force"]).status, 0);
}

#[test]
fn inputs_and_configuration_are_not_replaced_under_any_name_even_by_force() {
    let desk = Desk::new();
    desk.0.write("my.md", "lang = \"en\"\n");
    desk.0.write("words/report.txt", "");
    desk.link("my.md", "link.md");
    desk.link("a/metrics.json", "link.json");
    desk.link("a", "runs");
    let config = desk.0.word("my.md");
    for target in
        ["my.md", "a/../my.md", "link.md", "a/metrics.json", "link.json", "runs/metrics.json"]
    {
        let ended = desk.compare(target, &["--config", &config, "--force"]);
        assert!(ended.status == 2 && ended.err.contains("input"), "{target}: {ended:?}");
    }
    assert_eq!(desk.0.read("my.md"), "lang = \"en\"\n");
    assert!(desk.0.read("a/metrics.json").contains("0.5"));
    assert_eq!(desk.names(""), ["a", "b", "link.json", "link.md", "my.md", "runs", "words"]);
}

#[test]
fn results_that_are_named_like_a_report_are_not_replaced_even_by_force() {
    for (name, content, format) in [
        ("report.json", "[{\"task\": \"gsm8k\", \"accuracy\": 0.5, \"n\": 100}]", "json"),
        ("report.csv", "id,correct\n1,1\n", "csv"),
        ("report.md", "| task | accuracy |\n|---|---|\n| a | 0.5 |\n", "md"),
    ] {
        let desk = Desk::new();
        desk.0.write(format!("b/{name}"), content);
        let ended = desk.compare("b", &["--format", format, "--force"]);
        assert!(ended.status == 2 && ended.err.contains("input"), "{name}: {ended:?}");
        assert_eq!(desk.0.read(format!("b/{name}")), content);
    }
    let desk = Desk::new();
    for _ in 0..2 {
        assert_eq!(desk.compare("b", &["--format", "md,json,csv,html"]).status, 0);
    }
}

#[test]
fn the_configuration_of_the_current_directory_is_not_replaced() {
    let desk = Desk::new();
    desk.0.write("here/reportgen.toml", "lang = \"en\"\n");
    for spelling in ["reportgen.toml", "./reportgen.toml", "../here/reportgen.toml"] {
        let [a, b] = ["a", "b"].map(|run| desk.0.word(run));
        let mut program = crate::command::program();
        program.args(["compare", &a, &b, "-o", spelling, "--force"]);
        program.current_dir(desk.0.path("here"));
        let ended = within_10_seconds(program);
        assert_eq!(ended.status.code(), Some(2), "{ended:?}");
        assert_eq!(desk.0.read("here/reportgen.toml"), "lang = \"en\"\n");
    }
}

#[test]
fn a_link_below_the_directory_leads_nowhere_that_is_written_to() {
    let desk = Desk::new();
    let samples: Vec<String> =
        (0..20).map(|id| format!("{{\"id\": {id}, \"exact_match\": {}}}", id % 2)).collect();
    desk.0.write("run/samples_geo.jsonl", samples.join("\n"));
    fs::create_dir(desk.0.path("elsewhere")).expect("made");
    let [run, out] = ["run", "out"].map(|below| desk.0.word(below));
    let metrics = || crate::command::reportgen(["metrics", &run, "-o", &out]);
    assert_eq!(metrics().status, 0);
    assert!(desk.0.path("out/qa_logs").is_dir(), "{:?}", desk.names("out"));
    fs::remove_dir_all(desk.0.path("out/qa_logs")).expect("gone");
    desk.link("../elsewhere", "out/qa_logs");
    let before = desk.names("out");
    let ended = metrics();
    assert_eq!(ended.status, 4, "{ended:?}");
    assert_eq!((desk.names("elsewhere"), desk.names("out")), (vec![], before));
}

#[test]
fn a_directory_that_takes_no_files_is_told() {
    use std::os::unix::fs::PermissionsExt as _;
    let desk = Desk::drawn();
    let before = desk.set();
    let out = desk.0.path("out");
    let permit = |mode| fs::set_permissions(&out, fs::Permissions::from_mode(mode)).expect("set");
    permit(0o555);
    if fs::write(out.join("probe"), "").is_ok() {
        fs::remove_file(out.join("probe")).expect("gone");
        permit(0o755);
        println!("not tested: this user may write into every directory");
        return;
    }
    let ended = desk.compare("out", &["--format", FORMATS]);
    permit(0o755);
    assert!(ended.status == 4 && ended.err.contains("permission denied"), "{ended:?}");
    assert_eq!(desk.set(), before);
}
