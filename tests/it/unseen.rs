//! Characters that a terminal, an editor or a spreadsheet obeys, in names and texts of runs.

use serde_json::{Value, json};

use crate::command::{at_terminal, reportgen};
use crate::directory::Directory;

/// What stands in each name below: controls, separators of lines, marks of direction, nothing at all.
const HOSTILE: &str = "a\u{1b}[2J\u{1b}]0;x\u{7}\u{8}\u{7f}\u{9b}1m\u{85}\u{2028}\u{2029}\u{202a}\u{202e}\u{2066}\u{2069}\u{200b}\u{200e}\u{200f}\u{61c}\u{feff}\u{e0041}z";

fn is_obeyed(c: char) -> bool {
    (c.is_control() && c != '\n')
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[track_caller]
fn holds_nothing_obeyed(place: &str, text: &str) {
    // Forges make links of `@name` after Markdown; this space is ours.
    let found = text.lines().find(|line| line.contains(is_obeyed));
    assert!(found.is_none(), "{place}: {found:?}");
}

/// Two runs with such a name wherever a run has one.
fn runs() -> (Directory, [String; 3]) {
    let directory = Directory::new();
    // A file system takes neither `/` nor NUL.
    let run = |arm: usize| format!("run{arm}{HOSTILE}");
    for arm in 0..2 {
        let run = run(arm);
        let name = |what: &str| format!("{what}\u{0}{HOSTILE}");
        let config = json!({ name("key"): name("value"), "lr": arm, "note": format!("n{arm}\u{0}{HOSTILE}\nforged = 1") });
        directory.write(format!("{run}/config.json"), config.to_string());
        let records = (0..40).map(|id| {
            let right = id % 3 == arm % 2;
            format!("{}\n", json!({ "id": format!("i{id}{HOSTILE}"), "dataset": name("set"), "accuracy": u8::from(right), name("extra"): 1 }))
        });
        directory.write(format!("{run}/samples_x{HOSTILE}.jsonl"), records.collect::<String>());
        directory.write(
            format!("{run}/metrics.json"),
            json!({ name("figure"): 0.5, "f1": 0.25 }).to_string(),
        );
    }
    let words = [run(0), run(1), "out".to_owned()].map(|name| directory.word(name));
    (directory, words)
}

#[test]
fn no_output_holds_what_a_terminal_or_an_editor_obeys() {
    let (directory, [one, two, target]) = runs();
    let [one, two, target] = [&one, &two, &target].map(String::as_str);
    let written = reportgen(["compare", one, two, "-o", target, "--format", "md,html,json,csv"]);
    holds_nothing_obeyed("compare", &format!("{}{}", written.out, written.err));
    for format in ["md", "html", "json", "csv"] {
        let text = directory.read(format!("out/report.{format}"));
        holds_nothing_obeyed(format, &text);
        assert!(text.contains("[2J"), "{format} shows no name");
    }
    for arguments in [
        vec!["inspect", one, two],
        vec!["check", one, two],
        vec!["compare", one, two, "--fail-on", "warning,missing"],
        vec!["compare", one, two, "--format", "csv"],
        vec!["explain", HOSTILE],
        vec!["compare", HOSTILE, two],
        vec!["inspect", one, HOSTILE],
        vec!["inspect", one, "--no", HOSTILE],
        vec![HOSTILE],
    ] {
        let ended = reportgen(&arguments);
        holds_nothing_obeyed(&arguments.join(" "), &format!("{}{}", ended.out, ended.err));
    }
    let short = at_terminal(["compare", one, two], 100, false);
    holds_nothing_obeyed("terminal", &format!("{}{}", short.out, short.err));
    let inspected = reportgen(["inspect", one]);
    assert!(!inspected.out.contains("\nforged"), "{}", inspected.out);
}

#[test]
fn json_keeps_the_names_that_it_writes_as_escapes() {
    let (_directory, [one, two, _]) = runs();
    let ended = reportgen(["compare", &one, &two, "--format", "json"]);
    let report: Value = serde_json::from_str(&ended.out).expect("JSON");
    let texts = report.to_string();
    let runs = report["runs"].as_array().expect("runs");
    assert!(
        runs.iter().all(|run| run["path"].as_str().is_some_and(|path| path.contains(HOSTILE))),
        "{texts}"
    );
    assert!(ended.out.contains("\\u202e") && ended.out.contains("\\udb40\\udc41"), "{}", ended.out);
}

#[test]
fn no_cell_of_a_table_of_rows_is_a_formula() {
    for sign in ["=", "+", "-", "@", " =", "\n=", "\u{3000}=", "＝", "＋", "－", "＠", "\t="] {
        let name = format!("{sign}cmd|' /C calc'!A0");
        let directory = Directory::new();
        for arm in 0..2 {
            let figures = json!({ name.clone(): 0.5, "score": -0.5, "dataset": name });
            directory.write(format!("r{arm}/metrics.json"), figures.to_string());
        }
        let [one, two] = ["r0", "r1"].map(|name| directory.word(name));
        let ended = reportgen(["compare", &one, &two, "--format", "csv"]);
        let mut rows = ::csv::Reader::from_reader(ended.out.as_bytes());
        for row in rows.records() {
            for cell in &row.expect("a row") {
                let begins =
                    cell.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
                assert!(!begins || cell.parse::<f64>().is_ok(), "{cell:?}");
            }
        }
        assert!(ended.out.contains("cmd|"), "{}", ended.out);
        assert!(ended.out.contains(",-0.5,"), "{}", ended.out);
    }
}
