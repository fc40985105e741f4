//! Scores that say otherwise than the answer and the target of their own records, in one arm alone:
//! one scorer does not look at what it scores, or scores what another one takes.

use super::cells::once_per_place;
use crate::diag::{Code, Diagnostic};
use crate::model::AnswerMatch;
use crate::pairing::{CellPair, PairArm, RunPair, SampledSide};
use crate::quantity::Quantity;
use crate::stats::proportions::independent::{Arm, differ_beyond_chance};

/// Metrics that say whether an answer is the right one, by names that mean nothing else.
pub(super) const METRICS: [&str; 3] = ["accuracy", "exact_match", "correct"];
/// Share of contradictions up to which scores go by answer and target: above it in both arms the
/// fields are something else, such as a choice counted from 1 beside one counted from 0.
const AGREEING: f64 = 0.05;

pub(super) fn run(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    let cells = pair.cells.iter().filter(|cell| METRICS.contains(&cell.key.metric.as_str()));
    once_per_place(cells, |cell| finding(pair, cell))
}

fn finding(pair: &RunPair<'_>, cell: &CellPair<'_>) -> Option<Diagnostic> {
    let found = PairArm::BOTH.map(|which| Contradictions::of(cell.side(which).samples.as_ref()?));
    let [Some(mine), Some(theirs)] = found else { return None };
    let [before, after] = [&mine, &theirs].map(|one| Arm { x: one.count as f64, n: one.of as f64 });
    let is_one_sided = before.share().min(after.share()) <= AGREEING;
    if !is_one_sided || !differ_beyond_chance(before, after) {
        return None;
    }
    let (arm, first) = if before.share() > after.share() {
        (PairArm::Baseline, mine.first)
    } else {
        (PairArm::Candidate, theirs.first)
    };
    let [baseline, candidate] =
        [&mine, &theirs].map(|one| Quantity::Part { count: one.count, of: one.of });
    let side = cell.side(arm).samples.as_ref()?;
    Some(
        Diagnostic::new(Code::ScoresAgainstAnswers)
            .about_dataset(cell.key.dataset.as_deref())
            .dims(&cell.key.dims)
            .metric(&cell.key.metric)
            .with("run", pair.run(arm).id.as_str())
            .with("metric", cell.key.metric.as_str())
            .with("baseline", baseline)
            .with("candidate", candidate)
            .at(side.table.source(first?, &cell.key.metric).location()),
    )
}

/// Records whose answer is the target or another choice, and those of them scored the other way.
#[derive(Default)]
struct Contradictions {
    count: u64,
    of: u64,
    first: Option<usize>,
}

impl Contradictions {
    fn of(side: &SampledSide<'_>) -> Option<Self> {
        let mut found = Self::default();
        if !side.table.has_answer_matches() {
            return None;
        }
        for row in side.rows() {
            let Some(is_right) = side.outcome(row) else { continue };
            let is_contradicted = match side.table.answer_match(row) {
                AnswerMatch::Same => !is_right,
                AnswerMatch::OtherChoice => is_right,
                AnswerMatch::Unknown => continue,
            };
            found.of += 1;
            if is_contradicted {
                found.count += 1;
                found.first = found.first.or(Some(row));
            }
        }
        (found.of > 0).then_some(found)
    }
}
