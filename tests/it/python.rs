//! The Python package: its own tests, run with the program that is tested here.

use std::env;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

/// The Python that `.ci/run` prepares, else the one of the machine.
fn python() -> String {
    env::var("REPORTGEN_TEST_PYTHON").unwrap_or_else(|_| "python3".to_owned())
}

/// Whether this Python can run it; says so where it cannot.
fn has(module: &str, arguments: &[&str]) -> bool {
    let asked = Command::new(python()).args(["-m", module]).args(arguments).output();
    let here = asked.is_ok_and(|ended| ended.status.success());
    if !here {
        let _unwritable = writeln!(std::io::stderr(), "NOT TESTED: {} has no {module}", python());
    }
    here
}

/// Runs a module of Python at the root, and shows what it said.
fn assert_passes(arguments: &[&str]) {
    let mut command = Command::new(python());
    command.args(["-B", "-m"]).args(arguments);
    command.env("REPORTGEN_BIN", env!("CARGO_BIN_EXE_reportgen"));
    let ended = command.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("python starts");
    let said = String::from_utf8_lossy(&ended.stdout).into_owned();
    let _unwritable = writeln!(std::io::stderr(), "{said}");
    assert!(ended.status.success(), "{said}\n{}", String::from_utf8_lossy(&ended.stderr));
}

#[test]
fn the_python_package_passes_its_tests() {
    if has("pytest", &["--version"]) {
        assert_passes(&["pytest", "-q", "-p", "no:cacheprovider"]);
    }
}

#[test]
fn the_python_package_passes_strict_type_checks() {
    if has("mypy", &["--version"]) {
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mypy");
        assert_passes(&["mypy", "--cache-dir", &cache.to_string_lossy()]);
    }
}
