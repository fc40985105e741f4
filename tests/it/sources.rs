//! The sources of the program as text: what of them is shipped, and which file names which.
//!
//! Written for how the code is written: rustfmt lays it out, comments stand on lines of their own,
//! tests of a file are its last module.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

/// The folders of both packages, and what lies in them as one tree of modules.
pub(crate) const FOLDERS: [&str; 2] = ["src", "core/src"];

/// A source file.
pub(crate) struct Source {
    /// Its path below the folder of its package.
    pub(crate) below: String,
    /// What is shipped of it: without comments and tests.
    pub(crate) code: String,
}

/// The files with that extension below a folder, in order.
pub(crate) fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let entries = WalkDir::new(folder).sort_by_file_name().into_iter();
    let paths = entries.map(|entry| entry.expect("readable").into_path());
    let found: Vec<PathBuf> = paths
        .filter(|path| path.is_file() && path.extension().is_some_and(|own| own == extension))
        .collect();
    assert!(!found.is_empty(), "no .{extension} below {folder}");
    found
}

pub(crate) fn read(path: impl AsRef<Path>) -> String {
    let text = fs::read_to_string(&path);
    text.map_err(|error| format!("{}: {error}", path.as_ref().display())).expect("a text")
}

/// Every source file of the program.
pub(crate) fn sources() -> Vec<Source> {
    let source = |folder: &str, path: PathBuf| {
        let text = read(&path);
        let is_test = path.file_name().is_some_and(|name| name == "tests.rs");
        let shipped = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let shipped = if is_test { "" } else { shipped };
        let code = shipped.lines().filter(|line| !line.trim_start().starts_with("//"));
        Source {
            below: path.strip_prefix(folder).expect("below it").to_str().expect("UTF-8").to_owned(),
            code: code.collect::<Vec<_>>().join("\n"),
        }
    };
    let of = |folder| files(folder, "rs").into_iter().map(move |path| source(folder, path));
    FOLDERS.into_iter().flat_map(of).collect()
}

impl Source {
    /// The module below the root of the crate: `check` for `check/cells.rs`.
    pub(crate) fn top(&self) -> &str {
        let first = self.below.split('/').next().unwrap_or_default();
        first.strip_suffix(".rs").unwrap_or(first)
    }

    /// The modules from the root of the crate down to this file.
    fn module(&self) -> Vec<&str> {
        let path = self.below.trim_end_matches(".rs").trim_end_matches("/mod");
        path.split('/').filter(|part| !matches!(*part, "lib" | "main")).collect()
    }

    pub(crate) fn lies_in(&self, places: &[&str]) -> bool {
        places.iter().any(|place| self.below.starts_with(place))
    }

    /// Where the code has that name as a word of its own, and as the first of a path.
    pub(crate) fn places_of<'s>(&'s self, name: &'s str) -> impl Iterator<Item = usize> + 's {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        self.code.match_indices(name).map(|(at, _)| at).filter(move |at| {
            let before = &self.code[..*at];
            let before =
                before.strip_suffix("::").filter(|b| !b.ends_with(is_part)).unwrap_or(before);
            let after = &self.code[at + name.len()..];
            let is_longer = name.ends_with(is_part) && after.starts_with(is_part);
            !(is_longer || before.ends_with(is_part) || before.ends_with([':', '>']))
        })
    }

    /// The top modules that are named after `crate::`.
    pub(crate) fn imports(&self) -> BTreeSet<&str> {
        let paths = paths(&self.code).into_iter().map(|(path, _)| path);
        let own = paths.filter(|path| matches!(path[0], "crate" | "reportgen") && path.len() > 1);
        own.map(|path| path[1]).collect()
    }
}

/// The identifier that a text starts with.
pub(crate) fn word(text: &str) -> &str {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default()
}

/// A path as its parts, and the name that it is given with `as`.
type Named<'s> = (Vec<&'s str>, Option<&'s str>);

/// The paths of several parts that a text names; those of a `use` with braces one by one.
fn paths(code: &str) -> Vec<Named<'_>> {
    let mut found = Vec::new();
    let (mut last, mut end) = (' ', 0);
    for (at, c) in code.char_indices() {
        let starts = c.is_alphabetic() && !(last.is_alphanumeric() || matches!(last, '_' | ':'));
        let text = &code[at..];
        if starts && at >= end && text[word(text).len()..].starts_with("::") {
            found.extend(tree(text));
            let path = text.trim_start_matches(|c: char| c.is_alphanumeric() || "_:".contains(c));
            let group = if path.starts_with('{') { parts(path).last().copied() } else { None };
            end = group
                .map_or(at, |last| last.as_ptr() as usize + last.len() - code.as_ptr() as usize);
        }
        last = c;
    }
    found
}

/// The paths that begin where the text does.
fn tree(text: &str) -> Vec<Named<'_>> {
    let text = text.trim_start();
    let name = if text.starts_with('*') { &text[..1] } else { word(text) };
    if name.is_empty() {
        return Vec::new();
    }
    let rest = &text[name.len()..];
    let below = match rest.strip_prefix("::") {
        Some(group) if group.starts_with('{') => parts(group).into_iter().flat_map(tree).collect(),
        Some(path) if path.starts_with(|c: char| c.is_alphabetic() || c == '*') => tree(path),
        _ => vec![(Vec::new(), rest.trim_start().strip_prefix("as ").map(word))],
    };
    let with_name = |(path, alias)| ([vec![name], path].concat(), alias);
    below.into_iter().map(with_name).collect()
}

/// The parts of a group in braces that a text starts with.
fn parts(text: &str) -> Vec<&str> {
    let (mut found, mut depth, mut start) = (Vec::new(), 0, 1);
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 || (depth == 1 && c == ',') {
            found.push(&text[start..at]);
            start = at + 1;
        }
        if depth == 0 {
            break;
        }
    }
    found
}

/// The texts in quotation marks, as they are written.
pub(crate) fn literals(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find(['"', '\'']) {
        let (before, from) = rest.split_at(at);
        if let Some(quoted) = from.strip_prefix('\'') {
            rest = behind_character(quoted);
            continue;
        }
        let hashes = before.len() - before.trim_end_matches('#').len();
        let is_raw = before.trim_end_matches('#').ends_with('r');
        let close = format!("\"{}", if is_raw { "#".repeat(hashes) } else { String::new() });
        let mut end = 1;
        while !from[end..].starts_with(&close) {
            let is_escape = !is_raw && from[end..].starts_with('\\');
            let taken = from[end..].chars().take(1 + usize::from(is_escape));
            end += taken.map(char::len_utf8).sum::<usize>();
        }
        found.push(&from[1..end]);
        rest = &from[end + 1..];
    }
    found
}

/// What follows a character in quotes, or the quote before a lifetime.
fn behind_character(text: &str) -> &str {
    if let Some(escaped) = text.strip_prefix('\\') {
        let end = 1 + escaped[1..].find('\'').expect("a closing quote");
        return &escaped[end + 1..];
    }
    let first = text.chars().next().map_or(0, char::len_utf8);
    text[first..].strip_prefix('\'').unwrap_or(text)
}

/// Which file names items of which other one.
pub(crate) type Arrows<'s> = BTreeMap<&'s str, BTreeSet<&'s str>>;

/// The arrows between files. A file and the `mod.rs` above it belong together: what a file names
/// of those is no arrow. An item that is handed on by a `pub use` belongs to the file that has it.
pub(crate) fn arrows(sources: &[Source]) -> Arrows<'_> {
    let files: BTreeMap<Vec<&str>, &Source> =
        sources.iter().map(|source| (source.module(), source)).collect();
    let mut arrows = Arrows::new();
    for source in sources {
        let module = source.module();
        for (path, _) in paths(&source.code) {
            let Some(named) = resolved(&files, &module, &path, 0) else { continue };
            let is_above = module.starts_with(&named);
            if let Some(file) = files.get(&named).filter(|_| !is_above) {
                arrows.entry(&source.below).or_default().insert(&file.below);
            }
        }
    }
    arrows
}

/// The module that has the item of a path.
fn resolved<'s>(
    files: &BTreeMap<Vec<&'s str>, &'s Source>,
    from: &[&'s str],
    path: &[&'s str],
    depth: usize,
) -> Option<Vec<&'s str>> {
    let ups = path.iter().take_while(|part| **part == "super").count();
    let child = [from, &path[..1]].concat();
    let (mut module, mut rest) = match path[0] {
        "crate" => (Vec::new(), &path[1..]),
        "self" => (from.to_vec(), &path[1..]),
        "super" => (from[..from.len() - ups].to_vec(), &path[ups..]),
        _ if files.contains_key(&child) => (from.to_vec(), path),
        _ => return None,
    };
    while let Some((next, further)) = rest.split_first() {
        let below = [&module[..], &[*next]].concat();
        if !files.contains_key(&below) {
            break;
        }
        (module, rest) = (below, further);
    }
    let handed_on = rest.first().and_then(|name| exported(files.get(&module)?, name));
    match handed_on {
        Some(path) if depth < 8 => resolved(files, &module, &path, depth + 1).or(Some(module)),
        _ => Some(module),
    }
}

/// The path that a file hands on under that name.
fn exported<'s>(source: &'s Source, name: &str) -> Option<Vec<&'s str>> {
    let statements = source.code.split("\npub").skip(1).filter_map(|rest| {
        let (head, tree) = rest.split_once("use ")?;
        (head.len() < 20 && !head.contains(['{', ';', '\n'])).then_some(tree)
    });
    let mut paths = statements.flat_map(|text| tree(text.split(';').next().unwrap_or_default()));
    let found = paths.find(|(path, alias)| alias.or(path.last().copied()) == Some(name));
    found.map(|(path, _)| path)
}

/// The shortest way along the arrows from one file to another, both named.
pub(crate) fn way<'s>(arrows: &Arrows<'s>, from: &'s str, to: &str) -> Option<Vec<&'s str>> {
    let mut seen = BTreeSet::new();
    let mut ways = vec![vec![from]];
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            for next in way.last().and_then(|last| arrows.get(last)).into_iter().flatten() {
                let way = [&way[..], &[*next]].concat();
                if *next == to {
                    return Some(way);
                }
                if seen.insert(*next) {
                    longer.push(way);
                }
            }
        }
        ways = longer;
    }
    None
}

/// A shortest circle for every set of files that all lead to each other.
pub(crate) fn circles<'s>(arrows: &Arrows<'s>) -> Vec<Vec<&'s str>> {
    let mut told: BTreeSet<&str> = BTreeSet::new();
    let mut circles = Vec::new();
    for file in arrows.keys() {
        if told.contains(file) {
            continue;
        }
        if let Some(circle) = way(arrows, file, file) {
            let all = arrows.keys().filter(|other| {
                way(arrows, file, other).is_some() && way(arrows, other, file).is_some()
            });
            told.extend(all);
            circles.push(circle);
        }
    }
    circles
}

#[test]
fn paths_are_read_with_groups_aliases_and_children() {
    let code = "use super::{a::B, c::{self, D as E}};\nlet x = f::<u8>(g::h(1), Self::new());";
    let found: Vec<String> = paths(code).iter().map(|(path, _)| path.join("::")).collect();
    assert_eq!(found, ["super::a::B", "super::c::self", "super::c::D", "f", "g::h", "Self::new"]);
}

#[test]
fn literals_are_told_from_characters_lifetimes_and_raw_texts() {
    let code = r##"f('"', b'\'', "a\"b", r#"c"d"#); fn g<'a>(x: &'a str) { h("e") }"##;
    assert_eq!(literals(code), ["a\\\"b", "c\"d", "e"]);
}

#[test]
fn an_item_belongs_to_the_file_that_has_it_and_a_circle_is_told_once() {
    let file =
        |below: &str, code: &str| Source { below: below.to_owned(), code: format!("\n{code}") };
    let sources = [
        file("m/mod.rs", "mod a;\nmod b;\npub(crate) use a::{Item as Thing};"),
        file("m/a.rs", "use super::b::other;\nuse super::own;"),
        file("m/b.rs", "use super::Thing;"),
    ];
    let arrows = arrows(&sources);
    let names = |file: &str| arrows[file].iter().copied().collect::<Vec<_>>();
    assert_eq!((names("m/a.rs"), names("m/b.rs")), (vec!["m/b.rs"], vec!["m/a.rs"]));
    assert_eq!(circles(&arrows), [["m/a.rs", "m/b.rs", "m/a.rs"]]);
}
