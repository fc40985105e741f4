//! `--interactive` shows each change, and writes those that were accepted.

use std::io::Write as _;
use std::process::Stdio;

use super::Desk;
use crate::command::program;

const DOCUMENT: &str = "# Results\n\n| Model | gsm8k | math |\n|---|---|---|\n| base | ? | ? |\n| tuned | ? | ? |\n\n<!-- reportgen:begin answer -->\n<!-- reportgen:end -->\n";

/// The document after these answers, and what was printed.
fn answered(answers: &str) -> (String, String) {
    let desk = Desk::new();
    desk.0.write("doc.md", DOCUMENT);
    let mut command = program();
    command.args(["fill", "-i", "doc.md", "base", "tuned"]).current_dir(desk.0.path("."));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("started");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(answers.as_bytes()).expect("written");
    drop(input);
    let ended = child.wait_with_output().expect("ended");
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    (desk.0.read("doc.md"), String::from_utf8(ended.stdout).expect("text"))
}

#[test]
fn what_is_accepted_is_written_and_nothing_else() {
    for (answers, base, tuned, has_region) in [
        ("y\nn\nYes\nn\nn\n", "50.0% | ?", "62.5% | ?", false),
        ("n\na\n", "? | 25.0%", "62.5% | 23.75%", true),
        ("y\nq\n", "50.0% | ?", "? | ?", false),
        ("n\nn\nn\nn\ny\n", "? | ?", "? | ?", true),
        ("", "? | ?", "? | ?", false),
    ] {
        let (document, _) = answered(answers);
        let rows = format!("| base | {base} |\n| tuned | {tuned} |\n");
        assert!(document.contains(&rows), "{answers}: {document}");
        assert_eq!(document.contains("inconclusive"), has_region, "{answers}: {document}");
    }
}

#[test]
fn a_change_is_shown_with_the_head_of_its_table_its_row_and_its_source() {
    let (_, shown) = answered("x\ny\nq\n");
    for words in [
        "doc.md:5\n  | Model | gsm8k | math |\n  | base | ? | ? |\n  c2: ? → 50.0%  base/summary.json:1",
        "write it? [y, n, a, q] y: write it, n: leave it",
        "1 cell filled",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
}
