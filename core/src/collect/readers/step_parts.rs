//! Records of the parts of a step: of its generations, or of the processes that made it.

use std::collections::BTreeSet;

use super::super::document::Node;
use super::beside_figures::DATASETS;
use super::coordinates::dim_of_column;

/// Where most steps have several records with the same fields, one after another, the names of the fields
/// that only number them. A training that was resumed goes back instead, and evaluations have other
/// fields than what is logged beside them.
pub(super) fn numbers_of_parts<'r>(rows: &[(f64, &'r Node)]) -> Option<BTreeSet<&'r str>> {
    let keys = |row: &'r Node| row.table().into_iter().flat_map(|table| table.keys());
    let is_one_step =
        |a: &(f64, &'r Node), b: &(f64, &'r Node)| a.0 == b.0 && keys(a.1).eq(keys(b.1));
    let steps: Vec<&[(f64, &Node)]> = rows.chunk_by(is_one_step).collect();
    let several = steps.iter().filter(|step| step.len() > 1).count();
    if 2 * several <= steps.len() {
        return None;
    }
    let positions: BTreeSet<u64> = rows.iter().map(|(at, _)| at.to_bits()).collect();
    if positions.len() != steps.len() {
        return None;
    }
    let value = |row: &'r Node, key: &str| row.get(key).and_then(Node::written);
    let are_others = |step: &&[(f64, &'r Node)], key: &str| {
        step.windows(2).any(|two| matches!(two, [a, b] if value(a.1, key) != value(b.1, key)))
    };
    let keys_of_all: BTreeSet<&String> = rows.iter().flat_map(|(_, row)| keys(row)).collect();
    let mut tells_apart = keys_of_all.into_iter().filter(|key| tells_results_apart(key));
    if tells_apart.any(|key| steps.iter().any(|step| are_others(step, key))) {
        return None;
    }
    // At a single step any figure may happen to count.
    let is_number = |key: &&'r str| {
        steps.len() > 1
            && [0.0, 1.0].into_iter().any(|first| {
                steps.iter().all(|step| {
                    let numbers = step.iter().map(|(_, row)| row.get(key).and_then(Node::number));
                    numbers.enumerate().all(|(at, number)| number == Some(first + at as f64))
                })
            })
    };
    let (_, first) = rows.first().copied()?;
    Some(keys(first).map(String::as_str).filter(is_number).collect())
}

/// Names of whose results these are, beside datasets and coordinates: other values of one are no parts of
/// the same step.
const WHOSE: &[&str] = &["arm", "judge", "method", "model", "model_name", "system"];

fn tells_results_apart(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let name = name.as_str();
    WHOSE.contains(&name) || DATASETS.contains(&name) || dim_of_column(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::super::super::document::parse_json_line;
    use super::*;

    #[test]
    fn most_steps_have_several_records_of_the_same_fields() {
        for (lines, expected) in [
            (
                "{'step':1,'g':0,'r':1}{'step':1,'g':1,'r':2}{'step':2,'g':0,'r':1}{'step':2,'g':1,'r':3}",
                Some("g"),
            ),
            ("{'step':1,'r':1}{'step':1,'r':2}", Some("")),
            ("{'step':1,'model':'a','r':1}{'step':1,'model':'b','r':2}", None),
            ("{'step':1,'dataset':'a','r':1}{'step':1,'dataset':'b','r':2}", None),
            ("{'epoch':1,'shot':1,'r':1}{'epoch':1,'shot':2,'r':2}", None),
            ("{'step':1,'model':'a','r':1}{'step':1,'model':'a','r':2}", Some("")),
            ("{'step':1,'r':1}{'step':2,'r':2}{'step':2,'r':3}{'step':3,'r':3}", None),
            ("{'step':1,'r':1}{'step':2,'r':2}{'step':1,'r':1}{'step':2,'r':2}", None),
            (
                "{'step':1,'loss':1}{'step':1,'eval_loss':2}{'step':2,'loss':1}{'step':2,'eval_loss':2}",
                None,
            ),
        ] {
            let lines = lines.replace('\'', "\"").replace("}{", "}\n{");
            let parsed: Vec<_> = lines
                .lines()
                .map(|line| parse_json_line(line, 1).expect("a record").root)
                .collect();
            let place = |row: &Node| row.get("step").or(row.get("epoch")).and_then(Node::number);
            let at = |row: &Node| place(row).unwrap_or_default();
            let rows: Vec<(f64, &Node)> = parsed.iter().map(|row| (at(row), row)).collect();
            let found = numbers_of_parts(&rows);
            let found = found.map(|names| names.into_iter().collect::<Vec<_>>().join(" "));
            assert_eq!(found.as_deref(), expected, "{lines}");
        }
    }
}
