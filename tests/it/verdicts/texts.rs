//! Every method tag that a report can show has its words in every language.

use std::collections::BTreeSet;
use std::fs;

use reportgen::text::{Catalogue, LANGUAGES};
use walkdir::WalkDir;

/// Tags of the decision table: the texts of its files, and what is given as the method of a test anywhere in the statistics.
fn tags() -> BTreeSet<String> {
    let mut tags = BTreeSet::new();
    for entry in WalkDir::new("core/src/stats").into_iter().map(|entry| entry.expect("an entry")) {
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != "rs")
            || path.starts_with("core/src/stats/reference")
        {
            continue;
        }
        let source = fs::read_to_string(path).expect("read");
        let table = path.starts_with("core/src/stats/decision");
        for line in source.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let mut parts = line.split('"');
            while let (Some(before), Some(text)) = (parts.next(), parts.next()) {
                let named = table || before.trim_end().ends_with("method:");
                let tag = text
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || b"-0123456789".contains(&byte));
                if named && tag && !text.is_empty() {
                    tags.insert(text.to_owned());
                }
            }
        }
    }
    tags.extend(["e-value", "holm", "bonferroni", "tost", "pairing-bounds"].map(str::to_owned));
    tags
}

#[test]
fn every_method_in_use_is_explained_in_every_language() {
    let tags = tags();
    assert!(tags.contains("tango") && tags.contains("welch-t"), "{tags:?}");
    for lang in LANGUAGES {
        let words = Catalogue::shipped(lang);
        let silent: Vec<&String> =
            tags.iter().filter(|tag| words.find(&format!("explain.{tag}")).is_none()).collect();
        assert!(silent.is_empty(), "no sentence in {lang:?} for {silent:?}");
    }
}
