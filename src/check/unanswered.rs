//! Answers that one arm lacks and the other has, although all of them were scored.

use std::collections::BTreeSet;

use crate::diag::{Code, Diagnostic};
use crate::pairing::{CellPair, LackingAnswers, RunPair};
use crate::quantity::Quantity;

pub(super) fn run(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    let mut told = BTreeSet::new();
    let mut found = Vec::new();
    for cell in &pair.cells {
        let place = (&cell.key.dataset, &cell.key.dims);
        if cell.has_good_side()
            && !told.contains(&place)
            && let Some(finding) = finding(pair, cell)
        {
            told.insert(place);
            found.push(finding);
        }
    }
    found
}

fn finding(pair: &RunPair<'_>, cell: &CellPair<'_>) -> Option<Diagnostic> {
    let LackingAnswers { arm, parts } = LackingAnswers::of_cell(cell)?;
    let [baseline, candidate] = parts.map(|(count, of)| Quantity::Part { count, of });
    let side = cell.side(arm).samples.as_ref()?;
    let first = side.unanswered().next()?;
    Some(
        Diagnostic::new(Code::AnswersLacking)
            .about_dataset(cell.key.dataset.as_deref())
            .dims(&cell.key.dims)
            .with("run", pair.run(arm).id.as_str())
            .with("baseline", baseline)
            .with("candidate", candidate)
            .at(side.table.source(first, &cell.key.metric).location()),
    )
}
