//! Packages as a document of CycloneDX 1.5. It has no date and no number of its own: equal packages
//! give equal bytes.

use serde_json::{Value, json};

use super::packages::{Locked, Package};

/// The bill of the first package.
pub(crate) fn bill(packages: &[Package], locked: &[Locked]) -> Value {
    let components: Vec<Value> =
        packages.iter().skip(1).map(|package| component(package, locked)).collect();
    let dependencies: Vec<Value> = packages
        .iter()
        .map(|package| {
            let needs = package.needs.iter().filter_map(|&at| packages.get(at)).map(purl);
            json!({ "ref": purl(package), "dependsOn": needs.collect::<Vec<_>>() })
        })
        .collect();
    let own = packages.first().map(|package| {
        json!({
            "type": "application",
            "bom-ref": purl(package),
            "name": package.name,
            "version": package.version,
            "licenses": [{ "expression": expression(&package.licence) }],
        })
    });
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": own },
        "components": components,
        "dependencies": dependencies,
    })
}

fn component(package: &Package, locked: &[Locked]) -> Value {
    let is_it = |one: &&Locked| one.name == package.name && one.version == package.version;
    let sha256 = locked.iter().find(is_it).and_then(|one| one.sha256.as_deref()).into_iter();
    let hashes: Vec<Value> =
        sha256.map(|content| json!({ "alg": "SHA-256", "content": content })).collect();
    json!({
        "type": "library",
        "bom-ref": purl(package),
        "name": package.name,
        "version": package.version,
        "purl": purl(package),
        "hashes": hashes,
        "licenses": [{ "expression": expression(&package.licence) }],
    })
}

fn purl(package: &Package) -> String {
    format!("pkg:cargo/{}@{}", package.name, package.version.replace('+', "%2B"))
}

/// An expression of SPDX; a slash is what `OR` was once.
fn expression(licence: &str) -> String {
    licence.split('/').map(str::trim).collect::<Vec<_>>().join(" OR ")
}
