//! Which module may know which, which file may name which other one, and where crates are named.

use std::collections::{BTreeMap, BTreeSet};

use super::{ARCHITECTURE, list, none, table};
use crate::sources::{arrows, circles, files, read, sources};

/// Each module with the modules that it may name, lowest first.
fn layers() -> Vec<(String, Vec<String>)> {
    table(["module", "may import"]).iter().map(|row| (row[0].clone(), list(&row[1]))).collect()
}

#[test]
fn a_module_names_exactly_the_modules_that_the_architecture_allows() {
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let layers = layers();
    for source in sources().iter().filter(|one| one.below != "lib.rs" && one.below != "main.rs") {
        let row = layers.iter().find(|(row, _)| is_in(&source.below, row));
        let row = row.map_or_else(|| source.top().to_owned(), |(row, _)| row.clone());
        let named = source.imports().into_iter().filter(|import| *import != source.top());
        imports.entry(row).or_default().extend(named.map(str::to_owned));
    }
    let layers: BTreeMap<_, _> = layers.into_iter().collect();
    let mut offences = Vec::new();
    for module in imports.keys().chain(layers.keys()).collect::<BTreeSet<_>>() {
        let (Some(named), Some(allowed)) = (imports.get(module), layers.get(module)) else {
            offences.push(format!("`{module}` is only one of a module and a row"));
            continue;
        };
        let forbidden = named.iter().filter(|import| !allowed.contains(import));
        offences.extend(forbidden.map(|import| format!("`{module}` must not know `{import}`")));
        let unused = allowed.iter().filter(|import| !named.contains(*import));
        offences.extend(unused.map(|import| format!("`{module}` does not import `{import}`")));
    }
    none(&offences);
}

/// Whether a file is part of a module, of which `*` stands for any name.
fn is_in(below: &str, module: &str) -> bool {
    let path = below.trim_end_matches(".rs").split('/').map(Some).chain([None]);
    let parts = module.split('/');
    parts.zip(path).all(|(part, name)| part == "*" && name.is_some() || name == Some(part))
}

/// The kind that a file belongs to, and which part of it: `best` and `analysis`.
fn part_of_kind(below: &str) -> Option<(&str, &str)> {
    let (kind, inside) = below.strip_prefix("kinds/")?.split_once('/')?;
    Some((kind, inside.split(['/', '.']).next()?))
}

/// What a kind may know of another one.
const KNOWN_KINDS: &[(&str, &str)] = &[
    ("kinds/phase/mod.rs", "kinds/compare/args.rs"),
    ("kinds/phase/mod.rs", "kinds/compare/mod.rs"),
    ("kinds/compare/args.rs", "kinds/samples/beside.rs"),
    ("kinds/compare/mod.rs", "kinds/samples/beside.rs"),
    ("kinds/phase/mod.rs", "kinds/samples/beside.rs"),
];

#[test]
fn kinds_do_not_know_each_other_and_analyses_neither_arguments_nor_reports() {
    let sources = sources();
    let mut across = BTreeSet::new();
    let mut offences = Vec::new();
    for (from, named) in &arrows(&sources) {
        for to in named {
            let (Some((kind, part)), Some((other, known))) = (part_of_kind(from), part_of_kind(to))
            else {
                continue;
            };
            if kind != other {
                across.insert((*from, *to));
            } else if matches!((part, known), ("analysis", "args" | "report") | ("report", "args"))
            {
                offences.push(format!("{from} must not know {to}"));
            }
        }
    }
    assert_eq!(across, KNOWN_KINDS.iter().copied().collect());
    let is_inner = |below: &str| {
        part_of_kind(below).is_some_and(|(_, part)| matches!(part, "analysis" | "report"))
    };
    let inner: Vec<_> = sources.iter().filter(|source| is_inner(&source.below)).collect();
    assert!(inner.len() > 30, "only {} files of analyses and reports", inner.len());
    let parsers = inner.iter().filter(|source| source.places_of("clap::").next().is_some());
    offences.extend(parsers.map(|source| format!("{} must not know clap", source.below)));
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
fn files_of_a_module_do_not_name_each_other_in_a_circle() {
    let sources = sources();
    let arrows = arrows(&sources);
    let count: usize = arrows.values().map(BTreeSet::len).sum();
    assert!(count > 500, "only {count} arrows: are imports still read?");
    let circles = circles(&arrows);
    none(&circles.iter().map(|files| files.join(" -> ")).collect::<Vec<_>>());
}

#[test]
fn readers_do_not_know_each_other() {
    const FOLDER: &str = "collect/readers/";
    let listed = read(format!("core/src/{FOLDER}mod.rs"));
    let readers = listed.split("READERS: &[Reader] = &[").nth(1).expect("the readers");
    let readers = readers.split("];").next().expect("their end").lines().map(str::trim);
    let sources = sources();
    let is_file = |path: &str| sources.iter().any(|source| source.below == path);
    let readers: BTreeSet<String> = readers
        .filter(|line| !line.is_empty())
        .map(|line| format!("{FOLDER}{}", crate::sources::word(line)))
        .map(|reader| [format!("{reader}.rs"), format!("{reader}/mod.rs")])
        .map(|files| files.into_iter().find(|file| is_file(file)).expect("the file of a reader"))
        .collect();
    assert!(readers.len() > 10, "{readers:?}");
    let arrows = arrows(&sources);
    let inside = arrows
        .iter()
        .filter(|(file, _)| file.starts_with(FOLDER) && **file != format!("{FOLDER}mod.rs"));
    let found = inside.flat_map(|(file, named)| named.iter().map(|named| (*file, *named)));
    let found = found.filter(|(_, named)| readers.contains(*named));
    none(&found.map(|(file, named)| format!("{file} names {named}")).collect::<Vec<_>>());
}

#[test]
fn a_crate_is_named_only_where_the_architecture_allows() {
    let manifests = ["Cargo.toml", "core/Cargo.toml"].map(|path| read(path).parse().expect("TOML"));
    let is_dependency = |name: &str| {
        manifests.iter().any(|manifest: &toml::Table| manifest["dependencies"].get(name).is_some())
    };
    let sources = sources();
    let mut offences = Vec::new();
    for row in table(["crate", "only in"]) {
        let places = list(&row[1].replace("core/src/", "").replace("src/", ""));
        let places: Vec<&str> = places.iter().map(String::as_str).collect();
        for name in list(&row[0]) {
            assert!(is_dependency(&name), "{ARCHITECTURE}: `{name}` is no dependency");
            let path = format!("{}::", name.replace('-', "_"));
            let named = sources.iter().filter(|source| source.places_of(&path).next().is_some());
            for place in &places {
                let is_used = named.clone().any(|source| source.lies_in(&[place]));
                let unused = format!("{ARCHITECTURE}: {place} does not name `{name}`");
                offences.extend((!is_used).then_some(unused));
            }
            let elsewhere = named.filter(|source| !source.lies_in(&places));
            offences.extend(
                elsewhere.map(|one| format!("{}: `{name}` belongs in {places:?}", one.below)),
            );
        }
    }
    none(&offences);
}

#[test]
fn every_test_module_is_part_of_the_one_binary() {
    for path in files("tests/it", "rs") {
        let folder = path.parent().expect("a folder");
        let stem = path.file_stem().expect("a name").to_str().expect("UTF-8");
        let (above, name) = match stem {
            "main" => continue,
            "mod" => (folder.parent().expect("a folder"), folder.file_name().expect("a name")),
            _ => (folder, path.file_stem().expect("a name")),
        };
        let roots = ["main.rs", "mod.rs"].map(|root| above.join(root));
        let root = roots.iter().find(|root| root.exists()).expect("a root");
        let line = format!("mod {};", name.to_str().expect("UTF-8"));
        assert!(read(root).lines().any(|found| found == line), "{} never runs", path.display());
    }
}
