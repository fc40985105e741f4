//! Answers that one arm lacks and the other has, although all of them were scored.

use std::collections::BTreeSet;

use crate::diag::{Code, Diagnostic};
use crate::pairing::{CellPair, PairArm, RunPair, SampledSide};
use crate::quantity::Quantity;

/// Square of the distance of two shares in standard errors from which on they differ by more than
/// chance at 5 %.
const BEYOND_CHANCE: f64 = 3.841;

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
    let sides = [cell.baseline.samples.as_ref()?, cell.candidate.samples.as_ref()?];
    if !sides.iter().any(|side| side.has_unanswered(&cell.spec)) {
        return None;
    }
    let count = |side: &SampledSide<'_>| side.unanswered().count() as u64;
    let [(mine, n), (theirs, other_n)] = sides.map(|side| (count(side), side.scored));
    let shares = [mine as f64 / n as f64, theirs as f64 / other_n as f64];
    let all = (mine + theirs) as f64 / (n + other_n) as f64;
    let variance = all * (1.0 - all) * (1.0 / n as f64 + 1.0 / other_n as f64);
    // An arm without a score gives no number here, of which nothing is true.
    let apart = (shares[0] - shares[1]).powi(2) > BEYOND_CHANCE * variance;
    if !apart {
        return None;
    }
    let lacking = if shares[0] > shares[1] { PairArm::Baseline } else { PairArm::Candidate };
    let side = cell.side(lacking).samples.as_ref()?;
    let first = side.unanswered().next()?;
    Some(
        Diagnostic::new(Code::AnswersLacking)
            .about_dataset(cell.key.dataset.as_deref())
            .dims(&cell.key.dims)
            .with("run", pair.run(lacking).id.as_str())
            .with("baseline", Quantity::Part { count: mine, of: n })
            .with("candidate", Quantity::Part { count: theirs, of: other_n })
            .at(side.table.source(first, &cell.key.metric).location()),
    )
}
