//! Facts of findings in JSON: a number is a number there, with its unit, and never a text.

use std::fs;

use serde_json::{Value, json};
use walkdir::WalkDir;

/// Facts that are names or quotations whatever they look like, with the codes that have them.
const QUOTED: &[(&str, &[&str])] = &[
    // Ids of samples.
    ("ids", &["R105", "R213", "R282"]),
    // Texts of configurations, versions and commits.
    ("baseline", &["R201", "R220", "R231", "R232", "R233"]),
    ("candidate", &["R201", "R220", "R231", "R232", "R233"]),
    ("first_value", &["R250", "R254"]),
    ("value", &["R203", "R250", "R254"]),
    ("seed", &["R252", "R269"]),
    // Expectations of the user.
    ("text", &["R440", "R441", "R442", "R443"]),
    ("word", &["R440"]),
];

/// Each text among the evidence of a report that is a number, a percentage, a part of a whole or a
/// difference: code, fact, text.
pub(crate) fn numbers_as_text(report: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect(report, &mut found);
    found
}

fn collect(value: &Value, found: &mut Vec<String>) {
    if let (Some(code), Some(facts)) = (value["code"].as_str(), value["evidence"].as_object()) {
        for (name, fact) in facts {
            let is_quoted =
                |(fact, codes): &&(&str, &[&str])| fact == name && codes.contains(&code);
            if !QUOTED.iter().any(|row| is_quoted(&row)) {
                let texts = texts(fact).into_iter().filter(|text| is_number(text));
                found.extend(texts.map(|text| format!("{code} {name}: {text:?}")));
            }
        }
    }
    match value {
        Value::Object(fields) => fields.values().for_each(|below| collect(below, found)),
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        _ => {}
    }
}

/// The texts of a fact, names of what its items are about apart.
fn texts(fact: &Value) -> Vec<&str> {
    match fact {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(fields) => {
            let values = fields.iter().filter(|(field, _)| *field != "name" && *field != "unit");
            values.flat_map(|(_, value)| texts(value)).collect()
        }
        _ => Vec::new(),
    }
}

fn is_number(text: &str) -> bool {
    let part = |text: &str| {
        let text = text.trim().trim_start_matches(['<', '±', '$', '~']);
        let bare = ["%", "pp", "×", "s"].iter().find_map(|unit| text.strip_suffix(unit));
        bare.unwrap_or(text).trim().replace(',', "").parse::<f64>().is_ok()
    };
    match text.split_once(['/', '–', '…']) {
        Some((from, to)) => part(from) && part(to),
        None => part(text),
    }
}

#[test]
fn no_evidence_of_a_golden_report_is_a_number_written_as_text() {
    let files = WalkDir::new("fixtures/cases").sort_by_file_name().into_iter().flatten();
    let texts = files.filter_map(|file| fs::read_to_string(file.path()).ok());
    let reports: Vec<Value> = texts
        .filter_map(|text| serde_json::from_str(&text).ok())
        .filter(Value::is_object)
        .collect();
    let facts = |report: &Value| report.to_string().matches("\"evidence\":{\"").count();
    assert!(reports.iter().map(facts).sum::<usize>() > 50, "the goldens have hardly any evidence");
    let found: Vec<String> = reports.iter().flat_map(numbers_as_text).collect();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn a_number_written_as_text_is_seen_wherever_it_stands_in_a_report() {
    for text in ["12.3%", "1,416", "43/44", "-1.8 pp", "2e-3", "3–4", "60×", "<0.001", "$0.5"] {
        for fact in [json!(text), json!([{ "name": "accuracy", "value": text }])] {
            let report = json!({ "parts": [{ "code": "R212", "evidence": { "share": fact } }] });
            assert_eq!(numbers_as_text(&report), [format!("R212 share: {text:?}")]);
        }
    }
    let typed = json!({ "value": 12.3, "unit": "percent" });
    for fact in [typed, json!(3), json!("BF16"), json!("step 20"), json!("a/b")] {
        let report = json!({ "code": "R212", "evidence": { "share": fact } });
        assert!(numbers_as_text(&report).is_empty(), "{report}");
    }
}
