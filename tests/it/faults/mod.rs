//! What becomes of the files when something goes wrong while they are written.

#![cfg(unix)]

mod broken_off;
mod in_the_way;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::command::{Ended, program, reportgen, within_10_seconds};
use crate::directory::Directory;
use crate::manifest;

const FORMATS: &str = "md,html,json,csv";
const DRAWN: [&str; 5] = ["report.csv", "report.html", "report.json", manifest::NAME, "report.md"];

/// Two runs, and a place for reports of them.
struct Desk(Directory);

impl Desk {
    fn new() -> Self {
        let desk = Self(Directory::new());
        desk.0.write("a/metrics.json", "{\"accuracy\": 0.5, \"n\": 200}");
        desk.score(0.625);
        desk
    }

    /// One with a set of reports in `out/`.
    fn drawn() -> Self {
        let desk = Self::new();
        let ended = desk.compare("out", &["--format", FORMATS]);
        assert_eq!(ended.status, 0, "{ended:?}");
        desk
    }

    /// Other results, so that every report changes.
    fn score(&self, score: f64) {
        self.0.write("b/metrics.json", format!("{{\"accuracy\": {score}, \"n\": 200}}"));
    }

    fn words(&self, target: &str) -> [String; 5] {
        let [a, b, target] = ["a", "b", target].map(|below| self.0.word(below));
        ["compare".to_owned(), a, b, "-o".to_owned(), target]
    }

    fn compare(&self, target: &str, further: &[&str]) -> Ended {
        let words = self.words(target);
        reportgen(words.iter().map(String::as_str).chain(further.iter().copied()))
    }

    /// The same as a process of its own.
    fn program(&self, target: &str, further: &[&str]) -> Command {
        let mut program = program();
        program.args(self.words(target)).args(further);
        program
    }

    /// The same in a shell that did something before.
    fn after(&self, before: &str, target: &str, further: &[&str]) -> Output {
        let program = self.program(target, further);
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{before}; exec \"$0\" \"$@\"")]);
        within_10_seconds({
            shell.arg(program.get_program()).args(program.get_args());
            shell
        })
    }

    fn link(&self, aim: &str, below: &str) {
        let path = self.0.path(below);
        fs::create_dir_all(path.parent().expect("a directory")).expect("made");
        std::os::unix::fs::symlink(aim, path).expect("linked");
    }

    fn pipe(&self, below: &str) {
        let path = self.0.path(below);
        fs::create_dir_all(path.parent().expect("a directory")).expect("made");
        assert!(Command::new("mkfifo").arg(path).status().is_ok_and(|made| made.success()));
    }

    /// Names in a directory, hidden ones among them.
    fn names(&self, below: &str) -> Vec<String> {
        names(&self.0.path(below))
    }

    /// Content of each file of a set.
    fn set(&self) -> Vec<String> {
        assert_eq!(self.names("out"), DRAWN);
        assert_eq!(manifest::torn(&self.0.path("out")), [""; 0]);
        DRAWN.iter().map(|name| self.0.read(format!("out/{name}"))).collect()
    }
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).into_iter().flatten();
    let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    let mut names: Vec<String> = entries.map(|entry| name(entry.expect("an entry"))).collect();
    names.sort();
    names
}
