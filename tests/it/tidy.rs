//! The rules of the house that a compiler does not know: which module may know which, where a
//! dependency may be named, and that documents, catalogues and codes point at things that exist.
//!
//! Reads the sources as text, so a rule is written for how the code is written: paths start with
//! `crate::`, `use` lines are flat or one brace deep.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use reportgen::diag::Code;
use reportgen::text::{Catalogue, LANGUAGES};
use walkdir::WalkDir;

/// The document that says which module may know which, and where a crate may be named.
const ARCHITECTURE: &str = "docs/architecture.md";

/// Names of the standard library that bring the outside in, and where they may stand.
const OUTSIDE: &[(&str, &[&str])] = &[
    ("std::env", &["main.rs", "cli/"]),
    ("std::fs", &["collect/", "cli/", "output/", "kinds/quality/mod.rs"]),
    ("std::net", &[]),
    ("std::process", &["main.rs", "exit.rs"]),
    ("std::time", &[]),
    ("HashMap", &[]),
    ("HashSet", &[]),
    ("println!", &[]),
    ("eprintln!", &[]),
    ("print!", &[]),
    ("eprint!", &[]),
];

const MOST_LINES: usize = 500;

/// A source file: its path below `src/` and the code that is shipped, without comments and tests.
struct Source {
    below: String,
    lines: usize,
    code: String,
}

fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let found = WalkDir::new(folder).sort_by_file_name().into_iter().filter_map(Result::ok);
    let paths = found.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path);
    paths.filter(|path| path.extension().is_some_and(|found| found == extension)).collect()
}

fn read(path: &Path) -> String {
    let text = fs::read_to_string(path);
    text.map_err(|error| format!("{}: {error}", path.display())).expect("a text")
}

fn sources() -> Vec<Source> {
    let source = |path: PathBuf| {
        let text = read(&path);
        let shipped = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let code = shipped.lines().filter(|line| !line.trim_start().starts_with("//"));
        let below = path.strip_prefix("src").expect("below src").to_str().expect("UTF-8");
        Source {
            below: below.to_owned(),
            lines: text.lines().count(),
            code: code.collect::<Vec<_>>().join("\n"),
        }
    };
    files("src", "rs").into_iter().map(source).collect()
}

impl Source {
    /// The module below the root of the crate: `check` for `check/cells.rs`.
    fn module(&self) -> &str {
        let first = self.below.split('/').next().unwrap_or_default();
        first.strip_suffix(".rs").unwrap_or(first)
    }

    /// Whether all of it is compiled for tests alone.
    fn is_test(&self) -> bool {
        self.below.split('/').any(|part| matches!(part, "tests" | "tests.rs" | "testing.rs"))
    }

    fn lies_in(&self, places: &[&str]) -> bool {
        places.iter().any(|place| self.below.starts_with(place))
    }

    /// Whether the code has that name as a word of its own.
    fn names(&self, name: &str) -> bool {
        self.code.match_indices(name).any(|(at, _)| {
            let before = self.code[..at].chars().next_back();
            !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':')
        })
    }

    /// The modules that are named as `crate::module` or inside `crate::{…}`.
    fn imports(&self) -> BTreeSet<&str> {
        let mut found = BTreeSet::new();
        for root in ["crate::", "reportgen::"] {
            for (at, _) in self.code.match_indices(root) {
                let path = &self.code[at + root.len()..];
                match path.strip_prefix('{') {
                    Some(list) => {
                        let list = list.split_once('}').map_or(list, |(inside, _)| inside);
                        found.extend(list.split(',').map(|path| word(path.trim())));
                    }
                    None => {
                        found.insert(word(path));
                    }
                }
            }
        }
        found.remove("");
        found
    }
}

/// The identifier that a text starts with.
fn word(text: &str) -> &str {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default()
}

/// Fails with every offence at once.
fn none(offences: &[String]) {
    assert!(offences.is_empty(), "\n{}", offences.join("\n"));
}

/// The rows of the table of the architecture document whose first heads are these, as plain text.
fn table(heads: [&str; 2]) -> Vec<Vec<String>> {
    let cells = |line: &str| -> Vec<String> {
        let plain = line.replace('`', "");
        plain.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let text = read(Path::new(ARCHITECTURE));
    let found = text.lines().skip_while(|line| !cells(line).starts_with(&heads.map(str::to_owned)));
    let rows: Vec<_> = found.skip(2).take_while(|line| line.starts_with('|')).map(cells).collect();
    assert!(!rows.is_empty(), "{ARCHITECTURE} has no table {heads:?}");
    rows
}

fn list(cell: &str) -> Vec<String> {
    cell.split(',').map(|part| part.trim().to_owned()).filter(|part| part != "–").collect()
}

/// Each module with the modules that it may name, lowest first.
fn layers() -> Vec<(String, Vec<String>)> {
    table(["module", "may import"]).iter().map(|row| (row[0].clone(), list(&row[1]))).collect()
}

#[test]
fn a_module_names_only_the_modules_that_the_architecture_allows() {
    let layers: BTreeMap<_, _> = layers().into_iter().collect();
    let mut offences = Vec::new();
    let mut modules = BTreeSet::new();
    let sources = sources();
    for source in sources.iter().filter(|one| one.below != "lib.rs" && one.below != "main.rs") {
        let module = source.module();
        modules.insert(module);
        let Some(allowed) = layers.get(module) else {
            offences.push(format!("src/{}: `{module}` has no row", source.below));
            continue;
        };
        for import in source.imports() {
            if import != module && !allowed.iter().any(|allowed| allowed == import) {
                offences.push(format!("src/{}: `{module}` must not know `{import}`", source.below));
            }
        }
    }
    let gone = layers.keys().filter(|module| !modules.contains(module.as_str()));
    offences.extend(gone.map(|module| format!("{ARCHITECTURE}: there is no module `{module}`")));
    none(&offences);
}

#[test]
fn the_layers_have_no_cycle() {
    let mut below = BTreeSet::new();
    for (module, imports) in layers() {
        for import in imports {
            assert!(
                below.contains(&import),
                "`{module}` may import `{import}`, which is not below"
            );
        }
        below.insert(module);
    }
}

#[test]
fn a_crate_is_named_only_where_the_architecture_allows() {
    let manifest: toml::Table = read(Path::new("Cargo.toml")).parse().expect("TOML");
    let dependencies = manifest["dependencies"].as_table().expect("a table");
    let sources = sources();
    let mut offences = Vec::new();
    for row in table(["crate", "only in"]) {
        let places = list(&row[1].replace("src/", ""));
        let places: Vec<&str> = places.iter().map(String::as_str).collect();
        for name in list(&row[0]) {
            assert!(dependencies.contains_key(&name), "{ARCHITECTURE}: `{name}` is no dependency");
            let path = format!("{}::", name.replace('-', "_"));
            for source in sources.iter().filter(|source| !source.lies_in(&places)) {
                if source.names(&path) {
                    offences.push(format!("src/{}: `{name}` belongs in {places:?}", source.below));
                }
            }
        }
    }
    none(&offences);
}

#[test]
fn the_stages_touch_no_clock_no_environment_no_files_and_no_hash_order() {
    let mut offences = Vec::new();
    for source in sources() {
        for (name, places) in OUTSIDE {
            if source.names(name) && !source.lies_in(places) {
                offences.push(format!("src/{}: `{name}` belongs in {places:?}", source.below));
            }
        }
    }
    none(&offences);
}

/// Code without its `use` items, which name things that nothing need call.
fn without_imports(code: &str) -> String {
    let mut inside = false;
    let lines = code.lines().filter(|line| {
        let item = line.trim_start().trim_start_matches("pub ").trim_start_matches("pub(crate) ");
        let import = inside || item.starts_with("use ");
        inside = import && !line.trim_end().ends_with(';');
        !import
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn words(code: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    code.split(|c| !is_part(c)).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Names are followed from the code outside `src/stats/` through the bodies of the functions there.
/// The recomputation of reference vectors is left out, so that a formula which only it calls is
/// found; functions of one name count as one.
#[test]
fn every_function_of_the_statistics_is_reached_from_a_report_or_a_command() {
    let (mut reached, mut unreached) = (BTreeSet::new(), Vec::new());
    let sources = sources();
    for source in sources.iter().filter(|source| !source.lies_in(&["stats/reference/"])) {
        let code = without_imports(&source.code);
        if source.module() != "stats" {
            reached.extend(words(&code));
            continue;
        }
        let mut parts = code.split("fn ");
        reached.extend(parts.next().map(words).unwrap_or_default());
        unreached.extend(parts.map(|part| {
            let name = word(part);
            (&source.below, name.to_owned(), words(&part[name.len()..]))
        }));
    }
    while let Some(at) = unreached.iter().position(|(_, name, _)| reached.contains(name)) {
        reached.extend(unreached.swap_remove(at).2);
    }
    let dead = unreached.iter().map(|(file, name, _)| format!("src/{file}: nothing uses `{name}`"));
    none(&dead.collect::<Vec<_>>());
}

#[test]
fn no_source_is_too_long_to_be_read() {
    let long = sources().into_iter().filter(|source| source.lines > MOST_LINES);
    none(&long.map(|one| format!("src/{}: {} lines", one.below, one.lines)).collect::<Vec<_>>());
}

#[test]
fn every_test_module_is_part_of_the_one_binary() {
    let main = read(Path::new("tests/it/main.rs"));
    for path in files("tests/it", "rs") {
        let is_root = path.parent() == Some(Path::new("tests/it"));
        let name = path.file_stem().expect("a name").to_str().expect("UTF-8");
        let declared = main.lines().any(|line| line == format!("mod {name};"));
        assert!(declared || !is_root || name == "main", "{} never runs", path.display());
    }
}

#[test]
fn every_code_is_raised_outside_the_table_of_codes() {
    let sources: Vec<Source> = sources()
        .into_iter()
        .filter(|source| !source.is_test() && source.module() != "diag")
        .collect();
    let raises = |source: &Source, name: &str| {
        let mut found = source.code.match_indices(name);
        found.any(|(at, _)| word(&source.code[at + "Code::".len()..]) == &name["Code::".len()..])
    };
    let names = Code::ALL.iter().map(|code| (code, format!("Code::{code:?}")));
    let silent = names.filter(|(_, name)| !sources.iter().any(|source| raises(source, name)));
    none(
        &silent.map(|(code, name)| format!("{code}: nothing raises `{name}`")).collect::<Vec<_>>(),
    );
}

#[test]
fn every_text_that_is_asked_for_by_its_key_is_in_the_catalogues() {
    let mut offences = Vec::new();
    let mut seen = 0;
    for source in sources() {
        for call in ["words.get(\"", "words.fill(\"", "words.find(\""] {
            for (at, _) in source.code.match_indices(call) {
                let rest = &source.code[at + call.len()..];
                let key = rest.split('"').next().unwrap_or_default();
                seen += 1;
                for lang in LANGUAGES {
                    if Catalogue::of(lang).find(key).is_none() {
                        offences.push(format!("src/{}: no `{key}` in {}", source.below, lang.tag));
                    }
                }
            }
        }
    }
    none(&offences);
    assert!(seen > 50, "only {seen} texts are asked for: is the call still `words.get`?");
}

fn documents() -> Vec<PathBuf> {
    let readme = PathBuf::from("README.md");
    files("docs", "md").into_iter().chain(readme.exists().then_some(readme)).collect()
}

#[test]
fn every_path_that_a_document_names_exists() {
    let roots: BTreeSet<String> =
        ["docs", "fixtures", "report_templates", "src", "tests", "benches"]
            .map(str::to_owned)
            .into();
    let mut offences = Vec::new();
    for document in documents() {
        for span in read(&document).split('`').skip(1).step_by(2) {
            let first = span.split('/').next().unwrap_or_default();
            let is_path =
                span.contains('/') && !span.contains([' ', '<', '*', '{', '…', '$', '\n']);
            let name = span.rsplit('/').next().unwrap_or_default();
            let is_whole = name.is_empty() || name.contains('.');
            if roots.contains(first) && is_path && is_whole && !Path::new(span).exists() {
                offences.push(format!("{}: there is no `{span}`", document.display()));
            }
        }
    }
    none(&offences);
}

#[test]
fn every_link_between_documents_leads_somewhere() {
    let mut offences = Vec::new();
    for document in documents() {
        let folder = document.parent().expect("a folder");
        for rest in read(&document).split("](").skip(1) {
            let target = rest.split([')', '#', ' ']).next().unwrap_or_default();
            let is_local = !target.is_empty() && !target.contains("://");
            if is_local && !folder.join(target).exists() {
                offences.push(format!("{}: {target} leads nowhere", document.display()));
            }
        }
    }
    none(&offences);
}

#[test]
fn nothing_shipped_holds_a_path_of_the_machine_it_was_made_on() {
    let mut offences = Vec::new();
    for folder in ["src", "docs", "fixtures", "report_templates", "README.md", "Cargo.toml"] {
        for entry in WalkDir::new(folder).into_iter().filter_map(Result::ok) {
            if !entry.file_type().is_file() {
                continue;
            }
            let bytes = fs::read(entry.path()).expect("readable");
            let text = String::from_utf8_lossy(&bytes);
            for start in ["/root/", "/home/", "/tmp/", "/Users/"] {
                let at_start = |at: usize| {
                    let before = text[..at].chars().next_back();
                    !before.is_some_and(|c| c.is_alphanumeric() || "._-~".contains(c))
                };
                if text.match_indices(start).any(|(at, _)| at_start(at)) {
                    offences.push(format!("{}: {start}…", entry.path().display()));
                }
            }
        }
    }
    none(&offences);
}
