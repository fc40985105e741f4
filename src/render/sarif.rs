//! Findings that have a place, as a log of static analysis: SARIF 2.1.0
//! (<https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>). Who shows such logs beside
//! code refuses results without a place, so these stay in the other formats.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::escape::clean;
use super::{Format, RenderError, RenderOptions};
use crate::diag::{Location, Severity};
use crate::report::{FindingView, Report, json_file};
use crate::text::Catalogue;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

pub(super) struct Sarif;

impl Format for Sarif {
    fn name(&self) -> &'static str {
        "sarif"
    }

    fn extension(&self) -> &'static str {
        "sarif"
    }

    fn signature(&self) -> Option<&'static str> {
        Some("sarif-schema-2.1.0.json")
    }

    fn render(&self, report: &Report, _: &RenderOptions) -> Result<String, RenderError> {
        let placed =
            || report.findings.iter().filter_map(|one| Some((one, one.location.as_ref()?)));
        let rules: Map<String, Value> =
            placed().map(|(finding, _)| (finding.code.id().to_owned(), rule(finding))).collect();
        let results: Vec<Value> = placed().map(|(finding, place)| result(finding, place)).collect();
        let rules: Vec<Value> = rules.into_iter().map(|(_, rule)| rule).collect();
        Ok(sarif_log(&rules, &results))
    }
}

/// A log of these results.
pub fn sarif_log(rules: &[Value], results: &[Value]) -> String {
    json_file(&json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "reportgen",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    }))
}

/// Where a result is.
pub fn sarif_place(place: &Location) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": uri(&place.path) } });
    if let Some(line) = place.line.filter(|line| *line > 0) {
        let mut region = json!({ "startLine": line });
        if let Some(column) = place.column.filter(|column| *column > 0) {
            region["startColumn"] = column.into();
        }
        physical["region"] = region;
    }
    json!({ "physicalLocation": physical })
}

fn rule(finding: &FindingView) -> Value {
    let words = Catalogue::english();
    let id = finding.code.id();
    let text = |key: String| words.find(&key).unwrap_or(id).to_owned();
    json!({
        "id": id,
        "shortDescription": { "text": text(format!("diagnostic.{id}.title")) },
        "fullDescription": { "text": text(format!("explanation.{id}.when")) },
        "help": { "text": format!("reportgen explain {id}") },
        "defaultConfiguration": { "level": level(finding.code.severity()) },
    })
}

fn result(finding: &FindingView, place: &Location) -> Value {
    let help = finding.help.as_ref().map(|help| format!("\n{help}")).unwrap_or_default();
    let mut result = json!({
        "ruleId": finding.code.id(),
        "level": level(finding.severity),
        "message": { "text": super::escape::clean_lines(&format!("{}{help}", finding.message)) },
        "locations": [sarif_place(place)],
    });
    if let Some(rule) = &finding.accepted {
        result["suppressions"] = json!([{ "kind": "external", "justification": clean(rule) }]);
    }
    result
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// A path as a reference: relative to the directory of the command, or a whole address.
fn uri(path: &str) -> String {
    let mut uri = if path.starts_with('/') { "file://".to_owned() } else { String::new() };
    let path = path.strip_prefix("./").unwrap_or(path);
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => {
                let _infallible = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    // RFC 3986, section 2.
    #[test]
    fn a_path_is_a_reference_in_which_only_its_own_signs_mean_something() {
        for (path, expected) in [
            ("runs/a/config.yaml", "runs/a/config.yaml"),
            ("./a b.csv", "a%20b.csv"),
            ("/data/x.csv", "file:///data/x.csv"),
            ("a:b/c?d#e%f.csv", "a%3Ab/c%3Fd%23e%25f.csv"),
            ("语.csv", "%E8%AF%AD.csv"),
        ] {
            assert_eq!(uri(path), expected, "{path}");
        }
    }
}
