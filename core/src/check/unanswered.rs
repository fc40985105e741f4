//! Answers that one arm lacks and the other has, although all of them were scored.

use super::cells::once_per_place;
use crate::diag::{Code, Diagnostic};
use crate::pairing::{CellPair, PairArm, RunPair, unanswered_parts};
use crate::quantity::Quantity;
use crate::stats::proportions::independent::{Arm, differ_beyond_chance};

pub(super) fn run(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    let cells = pair.cells.iter().filter(|cell| cell.has_good_side());
    once_per_place(cells, |cell| finding(pair, cell))
}

fn finding(pair: &RunPair<'_>, cell: &CellPair<'_>) -> Option<Diagnostic> {
    let [mine, theirs] = [cell.baseline.samples.as_ref()?, cell.candidate.samples.as_ref()?];
    let parts = unanswered_parts([&[mine], &[theirs]], &cell.spec)?;
    let [before, after] = parts.map(|(count, n)| Arm { x: count as f64, n: n as f64 });
    if !differ_beyond_chance(before, after) {
        return None;
    }
    let arm = if before.share() > after.share() { PairArm::Baseline } else { PairArm::Candidate };
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
