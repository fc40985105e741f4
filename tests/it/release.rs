//! What a release is made of, where several files have to say the same.

use std::collections::BTreeSet;
use std::path::Path;

use toml::Table;

use crate::sources::read;

const WORKFLOW: &str = ".github/workflows/release.yml";

fn manifest() -> Table {
    read(Path::new("Cargo.toml")).parse().expect("Cargo.toml is TOML")
}

/// A template of binstall with these values.
fn filled(template: &str, target: &str) -> String {
    [("name", "reportgen"), ("version", "VERSION"), ("target", target), ("bin", "reportgen")]
        .iter()
        .fold(template.to_owned(), |text, (key, value)| {
            text.replace(&format!("{{ {key} }}"), value)
        })
}

#[test]
fn binstall_asks_for_the_archives_that_a_release_has() {
    let manifest = manifest();
    let binstall = &manifest["package"]["metadata"]["binstall"];
    let text = |key: &str| binstall[key].as_str().expect("a text").to_owned();
    let workflow = read(Path::new(WORKFLOW));
    let name = filled("{ name }-{ version }-{ target }", "${{ matrix.target }}")
        .replace("VERSION", "${{ needs.source.outputs.version }}");
    assert!(workflow.contains(&format!("NAME: {name}\n")), "{WORKFLOW} calls archives otherwise");
    assert!(workflow.contains("tar czf \"dist/$NAME.tar.gz\" \"$NAME\""), "{WORKFLOW}");
    let archive = filled(&text("pkg-url"), "TARGET");
    assert!(archive.ends_with("/vVERSION/reportgen-VERSION-TARGET.tar.gz"), "{archive}");
    let program = filled(&text("bin-dir"), "TARGET");
    assert_eq!(program, "reportgen-VERSION-TARGET/reportgen{ binary-ext }");
}

#[test]
fn a_release_has_both_c_libraries_of_linux_and_both_other_systems() {
    let workflow = read(Path::new(WORKFLOW));
    let targets = workflow.split("{ target: ").skip(1).filter_map(|row| row.split(',').next());
    let targets: BTreeSet<&str> = targets.collect();
    let expected = [
        "aarch64-apple-darwin",
        "aarch64-unknown-linux-gnu",
        "aarch64-unknown-linux-musl",
        "x86_64-apple-darwin",
        "x86_64-pc-windows-msvc",
        "x86_64-unknown-linux-gnu",
        "x86_64-unknown-linux-musl",
    ];
    assert_eq!(targets, BTreeSet::from(expected));
}

#[test]
fn the_version_stands_in_one_place() {
    let manifest = manifest();
    let package: Table = read(Path::new("pyproject.toml")).parse().expect("pyproject.toml is TOML");
    let project = package["project"].as_table().expect("a table");
    assert!(manifest["workspace"]["package"]["version"].is_str());
    assert!(!project.contains_key("version"), "pyproject.toml repeats it");
    let dynamic = project["dynamic"].as_array().expect("a list");
    assert_eq!(dynamic.iter().filter_map(|one| one.as_str()).collect::<Vec<_>>(), ["version"]);
}

#[test]
fn the_container_is_built_with_the_rust_that_the_manifest_asks_for() {
    let manifest = manifest();
    let rust =
        manifest["workspace"]["package"]["rust-version"].as_str().expect("a version").to_owned();
    let container = read(Path::new("Containerfile"));
    assert!(container.contains(&format!("rust:{rust}-")), "Containerfile is built with another");
    assert!(container.contains("\nUSER 65532"), "the container runs as root");
}
