//! One run, two answers: the aggregate that a file states against the samples it came from.

use crate::diag::{Code, Diagnostic};
use crate::group::{Cell, RunPair, Side, Which};
use crate::quantity::Quantity;

pub(super) fn run(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for cell in &pair.cells {
        for which in Which::BOTH {
            let (run, side) = (pair.run(which), cell.side(which));
            if let Some((stated, computed)) = wrong_stderr(side) {
                let mut finding = Diagnostic::new(Code::StderrDisagrees)
                    .run(&run.id)
                    .dataset(cell.key.dataset.as_deref())
                    .metric(&cell.key.metric)
                    .with("run", run.id.as_str())
                    .with("metric", cell.key.to_string())
                    .with("stated", stated)
                    .with("computed", Quantity::Computed(computed));
                finding.location = side.stated.map(|stated| stated.scalar.source.location());
                found.push(finding);
            }
            found.extend(under_another_name(pair, cell, which));
            if let Some((stated, computed)) = disagreement(side) {
                let location = side.stated.map(|stated| stated.scalar.source.location());
                let mut finding = Diagnostic::new(Code::AggregateDisagrees)
                    .run(&run.id)
                    .dataset(cell.key.dataset.as_deref())
                    .metric(&cell.key.metric)
                    .with("run", run.id.as_str())
                    .with("metric", cell.key.metric.as_str())
                    .with("stated", stated)
                    .with("computed", Quantity::Computed(computed));
                finding.location = location;
                found.push(finding);
            }
        }
    }
    found
}

/// Names of shares of right answers, whatever the samples call a right one.
const SHARES: [&str; 4] = ["accuracy", "exact_match", "pass_rate", "success_rate"];

/// A stated share of right answers against the only samples that say what is right.
fn under_another_name(pair: &RunPair<'_>, cell: &Cell<'_>, which: Which) -> Option<Diagnostic> {
    let (run, side) = (pair.run(which), cell.side(which));
    let stated = side.stated.as_ref().filter(|_| side.samples.is_none())?;
    let whole = cell.spec.unit.whole()?;
    if !SHARES.contains(&cell.key.metric.as_str()) {
        return None;
    }
    let beside = pair
        .cells
        .iter()
        .filter(|other| other.key.dataset == cell.key.dataset && other.key.dims == cell.key.dims);
    let mut judged = beside.filter_map(|other| {
        let samples = other.side(which).samples.as_ref()?;
        let derived = other.spec.derived || samples.table.is_derived(&other.key.metric);
        (samples.is_binary() && samples.scored > 0 && !derived).then_some((other, samples))
    });
    let (other, samples) = judged.next()?;
    if judged.next().is_some() || stated.scalar.n.is_some_and(|n| n != samples.scored) {
        return None;
    }
    let computed = samples.mean / samples.right_score()? * whole;
    let value = stated.value().value()?;
    ((value - computed).abs() > stated.rounding()).then(|| {
        Diagnostic::new(Code::AggregateDisagrees)
            .run(&run.id)
            .dataset(cell.key.dataset.as_deref())
            .metric(&cell.key.metric)
            .with("run", run.id.as_str())
            .with("metric", format!("{} ({})", cell.key.metric, other.key.metric))
            .with("stated", value)
            .with("computed", Quantity::Computed(computed))
            .at(stated.scalar.source.location())
    })
}

/// Figures that differ by more than the rounding of the stated one.
fn disagreement(side: &Side<'_>) -> Option<(f64, f64)> {
    let samples = side.samples.as_ref().filter(|samples| samples.scored > 0)?;
    let stated = side.stated.as_ref()?;
    let value = stated.value().value()?;
    ((value - samples.mean).abs() > stated.rounding()).then_some((value, samples.mean))
}

/// How much smaller or larger than that of the samples a stated standard error may be: clusters
/// widen it.
const FITTING: std::ops::RangeInclusive<f64> = 0.5..=3.0;
/// Fewer samples leave the standard error itself uncertain.
const FEWEST_SAMPLES: u64 = 20;

/// A stated standard error that is none of the samples, and the one of the samples.
fn wrong_stderr(side: &Side<'_>) -> Option<(f64, f64)> {
    let samples = side.samples.as_ref().filter(|samples| samples.scored >= FEWEST_SAMPLES)?;
    let stated = side.stated.as_ref()?.stderr()?;
    let right = samples.right_score()?;
    let share = samples.mean / right;
    let computed = right * (share * (1.0 - share) / (samples.scored - 1) as f64).sqrt();
    let wrong = computed > 0.0 && !FITTING.contains(&(stated / computed));
    (wrong && disagreement(side).is_none()).then_some((stated, computed))
}
