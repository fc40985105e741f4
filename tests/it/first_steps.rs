//! What a person meets first: no command, two paths, help, completions and manual pages.

use crate::command::{Ended, program, reportgen};
use crate::directory::Directory;

/// Nothing is done, and what could be typed is said.
fn is_refused(ended: &Ended, told: &[&str]) {
    assert_eq!((ended.status, ended.out.as_str()), (2, ""), "{ended:?}");
    for part in told {
        assert!(ended.err.contains(part), "`{part}` is not in: {}", ended.err);
    }
}

#[test]
fn who_names_no_command_is_told_what_to_begin_with() {
    for (locale, about) in [("en_US", "compares ML evaluation runs"), ("zh_CN.UTF-8", "全部命令")]
    {
        let ended = program().env("LANG", locale).output().expect("it runs");
        let told = String::from_utf8_lossy(&ended.stderr);
        assert_eq!((ended.status.code(), ended.stdout.as_slice()), (Some(2), &b""[..]));
        assert!(told.contains(about) && told.lines().count() <= 12, "{told}");
        let commands = told.lines().filter(|line| line.starts_with("  reportgen "));
        for command in commands {
            let name = command.split_whitespace().nth(1).expect("a command");
            assert_eq!(reportgen([name, "--help"]).status, 0, "{name}");
        }
    }
}

#[test]
fn two_paths_alone_are_compared() {
    let metrics = "{\"accuracy\": 0.5}";
    let runs = Directory::of([("a/metrics.json", metrics), ("b/metrics.json", metrics)]);
    let [a, b, gone] = ["a", "b", "gone"].map(|run| runs.word(run));
    let ended = reportgen([&a, &b, "--detail", "brief"]);
    let meant = reportgen(["compare", &a, &b, "--detail", "brief"]);
    assert_eq!(ended, meant);
    assert_eq!(ended.status, 0);
    is_refused(&reportgen([&a]), &[&a, "reportgen compare", "reportgen inspect"]);
    is_refused(&reportgen([&a, "--lang", "zh"]), &["reportgen compare"]);
    for words in [[&a, &gone], [&gone, &a]] {
        is_refused(&reportgen(words), &[&gone, "reportgen compare RUN_A RUN_B"]);
    }
    is_refused(&reportgen(["compere", &b]), &["compare"]);
}

#[test]
fn completions_and_manual_pages_name_every_command() {
    let commands = ["compare", "check", "inspect", "handoff", "selfcheck"];
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ended = reportgen(["completions", shell]);
        assert_eq!((ended.status, ended.err.as_str()), (0, ""));
        for word in commands.into_iter().chain(["detail"]) {
            assert!(ended.out.contains(word), "{shell}: {word}");
        }
    }
    let directory = Directory::new();
    let written = reportgen(["man", "-o", &directory.word("man")]);
    assert_eq!(written.status, 0, "{written:?}");
    for command in commands {
        let page = directory.read(format!("man/reportgen-{command}.1"));
        assert!(
            page.starts_with(".ie") && page.contains(&format!("reportgen\\-{command}")),
            "{page}"
        );
    }
    assert!(reportgen(["man"]).out.contains("reportgen \\- Compare ML evaluation runs"));
}

#[test]
fn the_help_has_a_line_for_each_command() {
    let help = reportgen(["--help"]).out;
    let commands = help.split("Commands:\n").nth(1).expect("commands");
    let commands: Vec<&str> = commands.split("\n\n").next().expect("a list").lines().collect();
    let names = commands.iter().map(|line| line.split_whitespace().next().unwrap_or_default());
    let first: Vec<&str> = names.take(4).collect();
    assert_eq!(first, ["compare", "check", "inspect", "explain"]);
    for line in commands {
        assert!(!line.starts_with("    "), "{line}");
    }
}
