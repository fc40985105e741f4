//! Documents that other programs write under names of results, and whose numbers are no figures of a
//! model: token counts, settings, numbers of instances.

use super::FileEntry;
use super::document::{Node, Table, Value, parse_json_line};
use crate::model::{Direction, MetricNames, places_of_name};

/// Programs, with keys that their documents have near the beginning.
const PROGRAMS: &[(&str, &[&str])] = &[
    (PROMPTFOO, &["\"evalId\"", "\"results\"", "\"prompts\""]),
    ("deepeval", &["\"testCases\"", "\"metricsData\""]),
    (PROMPTFOO, &["\"results\"", "\"tokenUsage\"", "\"vars\""]),
];

/// A program that writes the same results in many ways, of which some are read.
pub(super) const PROMPTFOO: &str = "promptfoo";
/// Tables of its database.
const OF_PROMPTFOO: [&str; 2] = ["evals", "eval_results"];
/// Columns of its tables.
const COLUMNS: [&str; 4] = ["Status", "Score", "Named Scores", "Grader Reason"];

/// Levels below the root on which records are looked for.
const DEPTH: usize = 2;

/// Whether a database is that in which promptfoo keeps its evaluations.
pub(super) fn are_of_promptfoo<'t>(tables: &(impl Iterator<Item = &'t str> + Clone)) -> bool {
    OF_PROMPTFOO.iter().all(|name| tables.clone().any(|table| table == *name))
}

/// Whether a file is what promptfoo writes as YAML, as XML or as a table.
fn is_told_by_promptfoo(file: &FileEntry) -> bool {
    let begins = |text: &str| file.head.starts_with(text.as_bytes());
    let first_line = file.head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let has = |name: &str| memchr::memmem::find(first_line, name.as_bytes()).is_some();
    begins("evalId: ") && file.head_has("\nresults:\n")
        || begins("<promptfoo>")
        || file.has_extension("csv") && COLUMNS.iter().all(|name| has(name))
}

/// The program that wrote a file whose shape is not read.
pub(super) fn program(file: &FileEntry) -> Option<&'static str> {
    if is_told_by_promptfoo(file) {
        return Some(PROMPTFOO);
    }
    let is_by = |marks: &[&str]| marks.iter().all(|mark| file.head_has(mark));
    let found = PROGRAMS.iter().find(|(_, marks)| is_by(marks));
    found.filter(|_| file.has_extension("json")).map(|(program, _)| *program)
}

/// Whether a file is one of records beside bookkeeping: a list of objects, no figure at the top, and
/// nowhere one of a metric whose good side is known.
pub(super) fn is_of_records(file: &FileEntry) -> bool {
    if !file.head_has("[") || !file.head_is_whole {
        return false;
    }
    let parsed = parse_json_line(&String::from_utf8_lossy(&file.head), 1);
    let Ok(Some(root)) = parsed.as_ref().map(|parsed| parsed.root.table()) else { return false };
    let has_figure = root.values().any(|node| node.number().is_some());
    !has_figure && holds_records(root, DEPTH) && !holds_metric(root, &MetricNames::default())
}

/// Whether a document holds a figure of a metric whose good side is known, or nothing but figures by a
/// coordinate.
pub(super) fn holds_figures(file: &FileEntry) -> bool {
    let parsed = parse_json_line(&String::from_utf8_lossy(&file.head), 1).ok();
    let root = parsed.as_ref().and_then(|parsed| parsed.root.table());
    root.is_some_and(|root| {
        holds_metric(root, &MetricNames::default())
            || root.len() > 1
                && root
                    .iter()
                    .all(|(name, node)| places_of_name(name).is_some() && holds_number(node))
    })
}

/// Whether a table holds a figure of a metric whose good side is known.
pub(super) fn is_of_figures(node: &Node) -> bool {
    node.table().is_some_and(|table| holds_metric(table, &MetricNames::default()))
}

fn holds_records(table: &Table, depth: usize) -> bool {
    table.values().any(|node| match &node.value {
        Value::List(items) => items.first().is_some_and(|first| first.table().is_some()),
        Value::Table(inner) => depth > 0 && holds_records(inner, depth - 1),
        _ => false,
    })
}

/// Whether a name is that of a metric whose good side is known.
pub(super) fn is_known_metric(name: &str, names: &MetricNames) -> bool {
    let spec = names.get(name.rsplit('/').next().unwrap_or(name));
    spec.is_some_and(|spec| matches!(spec.direction, Direction::Higher | Direction::Lower))
}

fn holds_metric(table: &Table, names: &MetricNames) -> bool {
    let is_known = |name: &str| is_known_metric(name, names);
    table.iter().any(|(name, node)| match &node.value {
        Value::Table(inner) => is_known(name) || holds_metric(inner, names),
        _ => is_known(name) && holds_number(node),
    })
}

fn holds_number(node: &Node) -> bool {
    node.number().is_some() || node.text().is_some_and(|text| text.contains(['0', '.']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(content: &str) -> (Option<&'static str>, bool) {
        let file = FileEntry::holding("results.json", content.as_bytes());
        (program(&file), is_of_records(&file))
    }

    #[test]
    fn documents_of_other_programs_are_known_by_what_they_hold() {
        let promptfoo = r#"{"evalId": "e", "results": {"prompts": [], "stats": {"errors": 0}}}"#;
        assert_eq!(check(promptfoo), (Some("promptfoo"), false));
        for (name, content) in [
            ("results.yaml", "evalId: e\nresults:\n  version: 3\n"),
            ("results.xml", "<promptfoo>\n  <evalId>e</evalId>"),
            ("results.csv", "Description,n,p,Status,Score,Named Scores,Grader Reason,Comment\n"),
        ] {
            let file = FileEntry::holding(name, content.as_bytes());
            assert_eq!(program(&file), Some("promptfoo"), "{name}");
        }
        let unknown = r#"{"run": {"tests": [{"q": "x", "ok": 1}], "seconds": 3.5}}"#;
        assert_eq!(check(unknown), (None, true));
        for figures in [
            r#"{"accuracy": 0.5, "n": 100}"#,
            r#"{"mine": 0.5, "samples": [{"id": 1}]}"#,
            r#"{"gsm8k": {"accuracy": 0.5}, "samples": [{"id": 1}]}"#,
            r#"{"results": {"math": {"mine": 0.5}}}"#,
        ] {
            assert_eq!(check(figures), (None, false), "{figures}");
        }
    }
}
