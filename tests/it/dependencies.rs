//! What the program is built from: licences, sources and versions against `deny.toml`, and the bill
//! of materials that lists them.

#[path = "../../examples/sbom/document.rs"]
mod document;
#[path = "../../examples/sbom/packages.rs"]
mod packages;

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use packages::{Package, locked};

/// The packages of this workspace, which come from no registry.
const OWN: [&str; 3] = ["reportgen", "reportgen-core", "reportgen-memory"];
const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

fn policy() -> toml::Table {
    let text = fs::read_to_string("deny.toml").expect("a policy");
    toml::from_str(&text).expect("TOML")
}

fn texts<'t>(list: &'t toml::Value, key: Option<&str>) -> BTreeSet<&'t str> {
    let items = list.as_array().expect("a list").iter();
    let text = |item: &'t toml::Value| key.map_or(Some(item), |key| item.get(key));
    items.map(|item| text(item).and_then(toml::Value::as_str).expect("a text")).collect()
}

fn tree(feature: Option<&str>) -> Vec<Package> {
    packages::tree(env!("CARGO"), None, feature).expect("`cargo tree` works")
}

/// Everything that is linked into the program or run to build it, on this platform.
fn built() -> Vec<Package> {
    tree(None)
}

/// Whether what is allowed satisfies an expression of SPDX; `/` is what `OR` was once.
fn satisfies(expression: &str, allowed: &BTreeSet<&str>) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut words = spaced.split_whitespace().peekable();
    let satisfied = any(&mut words, allowed);
    assert_eq!(words.next(), None, "{expression} is an expression");
    satisfied
}

type Words<'w, 't> = &'w mut std::iter::Peekable<std::str::SplitWhitespace<'t>>;

fn any(words: Words<'_, '_>, allowed: &BTreeSet<&str>) -> bool {
    let mut satisfied = all(words, allowed);
    while words.next_if_eq(&"OR").is_some() {
        satisfied |= all(words, allowed);
    }
    satisfied
}

fn all(words: Words<'_, '_>, allowed: &BTreeSet<&str>) -> bool {
    let mut satisfied = one(words, allowed);
    while words.next_if_eq(&"AND").is_some() {
        satisfied &= one(words, allowed);
    }
    satisfied
}

fn one(words: Words<'_, '_>, allowed: &BTreeSet<&str>) -> bool {
    let licence = words.next().expect("a licence");
    if licence == "(" {
        let satisfied = any(words, allowed);
        assert_eq!(words.next(), Some(")"));
        return satisfied;
    }
    let exception = words.next_if_eq(&"WITH").and_then(|_| words.next());
    match exception {
        Some(exception) => allowed.contains(&*format!("{licence} WITH {exception}")),
        None => allowed.contains(licence),
    }
}

#[test]
fn an_expression_of_licences_is_fine_if_what_is_allowed_satisfies_it() {
    let allowed = BTreeSet::from(["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"]);
    for fine in [
        "MIT",
        "GPL-3.0 OR MIT",
        "Unlicense/MIT",
        "(GPL-3.0 OR MIT) AND Zlib",
        "Apache-2.0 WITH LLVM-exception",
    ] {
        assert!(satisfies(fine, &allowed), "{fine}");
    }
    for refused in ["GPL-3.0", "MIT AND GPL-3.0", "Apache-2.0", "(GPL-3.0 AND MIT) OR ISC"] {
        assert!(!satisfies(refused, &allowed), "{refused}");
    }
}

#[test]
fn every_licence_of_what_is_built_is_allowed() {
    let policy = policy();
    let allowed = texts(&policy["licenses"]["allow"], None);
    let built = tree(Some("object-stores"));
    assert!(built.len() > 100, "{built:?}");
    assert!(built.iter().any(|package| package.name == "object_store"), "{built:?}");
    let refused: Vec<_> =
        built.iter().filter(|package| !satisfies(&package.licence, &allowed)).collect();
    assert!(refused.is_empty(), "{refused:?}");
}

#[test]
fn everything_comes_from_the_registry_with_a_hash() {
    for package in locked().expect("a lock file") {
        let is_own = OWN.contains(&&*package.name);
        assert_eq!(package.source.is_none(), is_own, "{package:?}");
        assert!(is_own || package.source.as_deref() == Some(CRATES_IO), "{package:?}");
        assert!(is_own || package.sha256.is_some(), "{package:?}");
    }
}

#[test]
fn versions_beside_the_newest_are_those_that_are_listed() {
    let policy = policy();
    let listed = texts(&policy["bans"]["skip"], Some("crate"));
    let locked = locked().expect("a lock file");
    // Cargo writes versions of one name in ascending order.
    let older = locked.windows(2).filter(|pair| pair[0].name == pair[1].name);
    let older: Vec<String> =
        older.map(|pair| format!("{}@{}", pair[0].name, pair[0].version)).collect();
    assert_eq!(older.iter().map(String::as_str).collect::<BTreeSet<_>>(), listed);
}

#[test]
fn no_client_of_a_network_is_built_in() {
    let policy = policy();
    let denied = texts(&policy["bans"]["deny"], Some("crate"));
    assert!(denied.len() > 3, "{denied:?}");
    let locked = locked().expect("a lock file");
    let denied_and_locked: Vec<_> =
        locked.iter().filter(|package| denied.contains(&*package.name)).collect();
    assert!(denied_and_locked.is_empty(), "{denied_and_locked:?}");
    // In the lock file because polars could ask for them, and in no program that is built.
    for client in ["hyper", "object_store", "quinn", "reqwest", "ring", "rustls"] {
        assert!(built().iter().all(|package| package.name != client), "{client}");
    }
}

#[test]
fn the_bill_of_materials_has_what_cyclonedx_asks_for() {
    let built = built();
    let bill = document::bill(&built, &locked().expect("a lock file"));
    assert_eq!([&bill["bomFormat"], &bill["specVersion"]], ["CycloneDX", "1.5"]);
    assert_eq!(bill["metadata"]["component"]["name"], env!("CARGO_PKG_NAME"));
    let components = bill["components"].as_array().expect("components");
    assert_eq!(components.len() + 1, built.len());
    let refs: BTreeSet<&str> = components.iter().map(|one| text(one, "bom-ref")).collect();
    assert_eq!(refs.len(), components.len(), "no two are called alike");
    for component in components {
        let (name, version) = (text(component, "name"), text(component, "version"));
        let version = version.replace('+', "%2B");
        assert_eq!(text(component, "purl"), format!("pkg:cargo/{name}@{version}"));
        assert_eq!(component["type"], "library");
        let expression = text(&component["licenses"][0], "expression");
        assert!(!expression.is_empty() && !expression.contains('/'), "{component}");
        if OWN.contains(&name) {
            continue;
        }
        let hash = text(&component["hashes"][0], "content");
        assert!(hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{hash}");
    }
    let own = text(&bill["metadata"]["component"], "bom-ref");
    let dependencies = bill["dependencies"].as_array().expect("dependencies");
    let of = |wanted: &str| {
        let found = dependencies.iter().find(|one| one["ref"] == wanted).expect(wanted);
        found["dependsOn"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|one| one.as_str().expect("a text"))
    };
    assert!(dependencies.iter().all(|one| of(text(one, "ref")).all(|other| refs.contains(other))));
    let direct: BTreeSet<&str> = of(own).filter_map(|one| one.split(['/', '@']).nth(1)).collect();
    assert!(direct.contains("comrak") && !direct.contains("proptest"), "{direct:?}");
    assert_eq!(dependencies.len(), built.len());
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().expect(key)
}
