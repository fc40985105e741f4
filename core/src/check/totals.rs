//! Figures that are totals of others beside them: which, and how that is known.

use indexmap::IndexMap;

use crate::diag::{Code, Diagnostic};
use crate::pairing::{ArmPair, Total};

/// Most parts named; the report has them all.
const MOST_NAMED: usize = 5;

/// One finding for each total, over all its metrics.
pub(super) fn run(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let mut totals = IndexMap::<&str, &Total>::new();
    for total in pair.cells.iter().filter_map(|cell| cell.total.as_ref()) {
        let known = totals.entry(&total.name).or_insert(total);
        if total.parts.len() > known.parts.len() {
            *known = total;
        }
    }
    totals.into_values().map(finding).collect()
}

fn finding(total: &Total) -> Diagnostic {
    let named: Vec<String> = total.parts.iter().take(MOST_NAMED).cloned().collect();
    Diagnostic::new(Code::TotalBesideParts)
        .about_key(&total.name)
        .with("count", total.parts.len())
        .with("parts", named)
        .with("known", if total.declared { "declared" } else { "named" })
}
