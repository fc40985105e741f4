//! One run, two answers: the aggregate that a file states against the samples it came from.

use super::Check;
use crate::diag::{Code, Diagnostic, Explanation};
use crate::group::{ArmPair, Side, Which};

pub(super) const CHECK: Check = Check { id: "aggregates", explained: EXPLAINED, run };

const EXPLAINED: &[Explanation] = &[Explanation::new(
    Code::AggregateDisagrees,
    "Aggregate and per-sample results of one run disagree.",
    "",
)];

fn run(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for cell in &pair.cells {
        for which in Which::BOTH {
            let (run, side) = (pair.run(which), cell.side(which));
            if let Some((stated, computed)) = disagreement(side) {
                let location = side.stated.map(|stated| stated.scalar.source.location());
                let mut finding = Diagnostic::new(Code::AggregateDisagrees)
                    .run(&run.id)
                    .dataset(cell.key.dataset.as_deref())
                    .metric(&cell.key.metric)
                    .with("run", run.id.as_str())
                    .with("metric", cell.key.metric.as_str())
                    .with("stated", stated)
                    .with("computed", computed);
                finding.location = location;
                found.push(finding);
            }
        }
    }
    found
}

/// Figures that differ by more than the rounding of the stated one.
fn disagreement(side: &Side<'_>) -> Option<(f64, f64)> {
    let samples = side.samples.as_ref().filter(|samples| samples.scored > 0)?;
    let stated = side.stated.as_ref()?;
    let value = stated.value().value()?;
    ((value - samples.mean).abs() > stated.rounding()).then_some((value, samples.mean))
}
