//! Arms that were evaluated at other points of their trainings, which nobody declared.

use super::checkpoint::names_weights;
use crate::diag::{Code, Diagnostic};
use crate::pairing::{ArmPair, ConfigDifference, PointDifference, without_numbers};

/// One finding for each coordinate. None where one arm is a model before the training, or where weights that
/// are named alike but for a number are all else that differs: their number is the point.
pub(super) fn run(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let mut settings =
        pair.differences.iter().filter(|one| !one.environment && !one.one_sided()).peekable();
    if settings.peek().is_some() && settings.all(names_point) {
        return Vec::new();
    }
    let points = pair.points.iter();
    let undeclared =
        points.filter(|point| !point.is_from_start() && !pair.factors.contains(point.name));
    let finding = |point: &PointDifference| {
        let [baseline, candidate] =
            [0, 1].map(|arm| format!("{} {}", point.name, point.values[arm]));
        Diagnostic::new(Code::PointsDiffer)
            .about_key(point.name)
            .with("baseline", baseline)
            .with("candidate", candidate)
    };
    undeclared.map(finding).collect()
}

/// Whether a difference is one of weights that are named alike but for a number.
fn names_point(one: &ConfigDifference) -> bool {
    let entries = one.baseline.as_ref().zip(one.candidate.as_ref());
    names_weights(&one.key)
        && entries.is_some_and(|(mine, theirs)| {
            let [mine, theirs] =
                [mine, theirs].map(|entry| without_numbers(&entry.value.to_string()));
            mine == theirs
        })
}
