//! Shares that are read as percentages: one finding for a run, however many of its files write them.

use indexmap::IndexSet;

use super::bounded;
use crate::diag::{Code, Diagnostic, Fact};

/// Most metrics that the finding names.
const MOST_NAMED: usize = 8;

/// Makes the findings of several files one, at the first file.
pub(super) fn join(findings: &mut Vec<Diagnostic>) {
    let is_one = |one: &Diagnostic| one.code == Code::UnitInferred;
    let Some(first) = findings.iter().find(|one| is_one(one)).cloned() else { return };
    let (mut metrics, mut largest, mut count) = (IndexSet::new(), f64::NEG_INFINITY, 0);
    for found in findings.iter().filter(|one| is_one(one)) {
        metrics.extend(found.evidence.get("metrics").map(Fact::items).unwrap_or_default());
        if let Some(Fact::Number(own)) = found.evidence.get("largest") {
            largest = largest.max(*own);
        }
        if let Some(Fact::Count(own)) = found.evidence.get("count") {
            count += own;
        }
    }
    let whole = first
        .with("metrics", bounded(metrics, MOST_NAMED))
        .with("largest", largest)
        .with("count", count);
    let place = findings.iter().position(is_one).unwrap_or_default();
    findings.retain(|one| !is_one(one));
    findings.insert(place, whole);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Location;

    #[test]
    fn files_of_one_run_that_write_percentages_are_told_once() {
        let of_file = |path: &str, metric: &str, largest: f64| {
            let found = Diagnostic::new(Code::UnitInferred).with("metrics", vec![metric]);
            found.with("largest", largest).with("count", 2_usize).at(Location::file(path))
        };
        let other = Diagnostic::new(Code::EmptyFile);
        let mut findings =
            vec![of_file("a", "f1", 57.0), other.clone(), of_file("b", "accuracy", 63.2)];
        join(&mut findings);
        let expected = of_file("a", "f1", 63.2).with("metrics", vec!["f1", "accuracy"]);
        assert_eq!(findings, [expected.with("count", 4_usize), other]);
    }
}
