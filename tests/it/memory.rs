//! Memory that is kept within a size.

use std::fmt::Write as _;
use std::process::Output;

use crate::command::{program, reportgen};
use crate::directory::Directory;

/// Kibibytes that are too few for the samples, and more than all the rest takes.
const LITTLE: &str = "32000";

/// Two arms of so many samples that large blocks hold them.
fn arms() -> Directory {
    let samples = |seed: u32| {
        (0..300_000_u32).fold(String::new(), |mut lines, row| {
            let accepted = row.wrapping_mul(2_654_435_761).wrapping_add(seed) % 100 < 38 + seed;
            writeln!(lines, r#"{{"id": "q{row:08}", "accepted": {accepted}}}"#).expect("a text");
            lines
        })
    };
    Directory::of([("a.jsonl", samples(1)), ("b.jsonl", samples(4))])
}

/// Compares them within such limits of a shell.
fn compared(arms: &Directory, limits: &str, more: &str) -> Output {
    let program = program();
    let shell = format!(
        "{limits}; exec '{}' compare a.jsonl b.jsonl --format json -o - {more}",
        program.get_program().display()
    );
    let mut within = std::process::Command::new("sh");
    within.args(["-c", &shell]).current_dir(arms.root()).env_remove("TMPDIR");
    // Each thread has a stack.
    within.env("RAYON_NUM_THREADS", "2");
    for (name, value) in program.get_envs() {
        assert!(value.is_none(), "{}", name.display());
        within.env_remove(name);
    }
    within.output().expect("a shell")
}

#[test]
fn a_report_is_the_same_in_less_memory_than_its_samples_take() {
    let arms = arms();
    let whole = compared(&arms, "true", "");
    assert!(whole.status.success(), "{whole:?}");
    let little = format!("ulimit -d {LITTLE}");
    let refused = compared(&arms, &little, "");
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("memory allocation of"), "{LITTLE} KiB are enough: {said}");
    let kept = compared(&arms, &little, "--memory 8M");
    assert!(kept.status.success(), "{}", String::from_utf8_lossy(&kept.stderr));
    assert!(kept.stdout == whole.stdout, "another report");
    let without_files = compared(&arms, "ulimit -f 1", "--memory 8M");
    assert!(without_files.stdout == whole.stdout, "another report");
    let said = String::from_utf8_lossy(&without_files.stderr);
    assert!(said.contains("did not fit into --memory and had no file"), "{said}");
}

#[test]
fn an_amount_of_memory_that_cannot_be_kept_is_refused() {
    let check = |name: &str, directory: &str, expected: &str| {
        let mut program = program();
        program.args(["inspect", "fixtures/kl_beta/kl-0.15", "--memory", "1G"]);
        let ended = program.env(name, directory).output().expect("it runs");
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(2), "{said}");
        assert!(said.contains(expected), "{said}");
    };
    check("TMPDIR", "/dev/shm", "is itself in memory (tmpfs); set TMPDIR");
    check("TMPDIR", "/no/such/place", "takes no files; set TMPDIR");
    let ended = reportgen(["inspect", "fixtures/kl_beta/kl-0.15", "--memory", "4"]);
    assert_eq!(ended.status, 2);
    assert!(ended.err.contains("write for example 4G, 500M or 25%"), "{}", ended.err);
}
