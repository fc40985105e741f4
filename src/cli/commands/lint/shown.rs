//! Findings in each format.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Checked, Document};
use crate::cli::args::LintFormat;
use crate::diag::Location;
use crate::lint::Finding;
use crate::model::without_secrets;
use crate::render::{
    MOST_ANNOTATIONS, annotation, clean, sarif_log, sarif_place, without_commands,
};
use crate::text::Catalogue;

pub(super) fn findings(checked: &[Checked], format: LintFormat, words: &Catalogue) -> String {
    let found = checked.iter().flat_map(|one| {
        one.findings.iter().map(|finding| {
            let message = clean(&without_secrets(&finding.message.in_words(words)));
            (&one.document, finding, message)
        })
    });
    match format {
        LintFormat::Text => {
            found.map(|(document, finding, message)| text(document, finding, &message)).collect()
        }
        LintFormat::Json => {
            found.map(|(document, finding, message)| object(document, finding, &message)).collect()
        }
        LintFormat::Sarif => sarif(&found.collect::<Vec<_>>(), words),
        LintFormat::Github => found
            .enumerate()
            .map(|(at, (document, finding, message))| {
                if at < MOST_ANNOTATIONS {
                    annotated(document, finding, &message)
                } else {
                    without_commands(&text(document, finding, &message))
                }
            })
            .collect(),
    }
}

fn text(document: &Document, finding: &Finding, message: &str) -> String {
    let Finding { line, column, rule, .. } = finding;
    format!("{}:{line}:{column}: {message} [{rule}]\n", clean(&document.shown))
}

fn object(document: &Document, finding: &Finding, message: &str) -> String {
    let reckoned = finding.reckoned.as_ref();
    let object = json!({
        "path": document.shown,
        "line": finding.line,
        "column": finding.column,
        "rule": finding.rule,
        "message": message,
        "found": reckoned.map(|reckoned| &reckoned.found),
        "expected": reckoned.map(|reckoned| &reckoned.expected),
        "how": reckoned.map(|reckoned| &reckoned.how),
        "fix": reckoned.and_then(|reckoned| reckoned.fix.as_ref()),
    });
    format!("{object}\n")
}

fn sarif(found: &[(&Document, &Finding, String)], words: &Catalogue) -> String {
    let raised: BTreeSet<&str> = found.iter().map(|(_, finding, _)| finding.rule).collect();
    let rules = raised.iter().map(|rule| {
        json!({
            "id": rule,
            "shortDescription": { "text": words.get(&format!("lint.about.{rule}")) },
            "help": { "text": format!("docs/lint.md, {rule}") },
            "defaultConfiguration": { "level": "warning" },
        })
    });
    let rules: Vec<Value> = rules.collect();
    let results = found.iter().map(|(document, finding, message)| {
        let mut place = Location::line(document.shown.as_str(), finding.line as u64);
        place.column = Some(finding.column as u64);
        json!({
            "ruleId": finding.rule,
            "level": "warning",
            "message": { "text": message },
            "locations": [sarif_place(&place)],
        })
    });
    sarif_log(&rules, &results.collect::<Vec<_>>())
}

fn annotated(document: &Document, finding: &Finding, message: &str) -> String {
    let fields = [
        ("file", document.shown.clone()),
        ("line", finding.line.to_string()),
        ("col", finding.column.to_string()),
        ("title", finding.rule.to_owned()),
    ];
    annotation("warning", &fields, message) + "\n"
}
