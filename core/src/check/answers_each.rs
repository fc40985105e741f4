//! Stated figures that are averages over several answers to each problem, as far as that was not
//! said beside them.

use crate::diag::{Code, Diagnostic};
use crate::pairing::{AnswersShownBy, PairArm, RunPair};
use crate::quantity::Quantity;

pub(super) fn run(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for cell in &pair.cells {
        for which in PairArm::BOTH {
            let Some(stated) = cell.side(which).stated.as_ref() else { continue };
            let Some(each) = stated.answers else { continue };
            let code = match each.shown_by {
                AnswersShownBy::File => continue,
                AnswersShownBy::Size => Code::SizeOfAnswers,
                AnswersShownBy::Figure => Code::AverageOfAnswers,
            };
            let Some(value) = stated.value().value() else { continue };
            found.push(
                Diagnostic::new(code)
                    .about_run(&pair.run(which).id)
                    .dataset(cell.key.dataset.as_deref())
                    .dims(&cell.key.dims)
                    .about_metric(&cell.key.metric)
                    .with("cell", cell.key.to_string())
                    .with("value", Quantity::Computed(value))
                    .with("stated", each.stated)
                    .with("answers", each.answers)
                    .with("problems", stated.n.unwrap_or(each.stated))
                    .at(stated.scalar.source.location()),
            );
        }
    }
    found
}
