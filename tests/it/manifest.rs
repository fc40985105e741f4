//! Whether files that were written together are still those that were.

use std::fs;
use std::path::Path;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// The file that says so.
pub(crate) const NAME: &str = "report.manifest.json";

/// Names of the files that the manifest of a directory lists; `None` without one.
pub(crate) fn listed(directory: &Path) -> Option<Vec<String>> {
    let files = manifest(directory)?["files"].as_array().expect("files").clone();
    Some(files.iter().map(|file| file["name"].as_str().expect("a name").to_owned()).collect())
}

/// The listed files that are not as they were written.
pub(crate) fn torn(directory: &Path) -> Vec<String> {
    let manifest = manifest(directory).expect("a manifest");
    let files = manifest["files"].as_array().expect("files");
    let is_torn = |file: &&Value| {
        let content = fs::read(directory.join(file["name"].as_str().expect("a name")));
        content.map_or(true, |content| {
            let hash = format!("{:x}", Sha256::digest(&content));
            file["sha256"] != hash.as_str() || file["bytes"] != content.len()
        })
    };
    files.iter().filter(is_torn).map(|file| file["name"].to_string()).collect()
}

fn manifest(directory: &Path) -> Option<Value> {
    let text = fs::read(directory.join(NAME)).ok()?;
    Some(serde_json::from_slice(&text).expect("a manifest is never half written"))
}
