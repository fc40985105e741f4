//! One run, two answers: the aggregate that a file states against the samples it came from.

use std::collections::BTreeMap;

use crate::diag::{Code, Diagnostic};
use crate::model::Dims;
use crate::pairing::{CellPair, PairArm, PairSide, RunPair, SampledSide};
use crate::quantity::Quantity;

pub(super) fn check_aggregates(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let judged = PairArm::BOTH.map(|which| judged(pair, which));
    for cell in &pair.cells {
        for (which, judged) in PairArm::BOTH.into_iter().zip(&judged) {
            let (run, side) = (pair.run(which), cell.side(which));
            let finding = |code, metric: String, (stated, computed): (f64, f64)| {
                Diagnostic::new(code)
                    .about_run(&run.id)
                    .dataset(cell.key.dataset.as_deref())
                    .metric(&cell.key.metric)
                    .with("metric", metric)
                    .with("stated", stated)
                    .with("computed", Quantity::Computed(computed))
                    .at(side.stated.map(|stated| stated.scalar.source.location()))
            };
            let metric = &cell.key.metric;
            let stderrs = wrong_stderr(side);
            let other = under_another_name(judged, cell, which);
            let means = disagreement(side);
            found.extend(
                share(side)
                    .map(|both| finding(Code::ShareDeclaredPercent, cell.key.to_string(), both)),
            );
            found.extend(
                stderrs.map(|both| finding(Code::StderrDisagrees, cell.key.to_string(), both)),
            );
            found.extend(other.map(|(other, both)| {
                finding(Code::AggregateDisagrees, format!("{metric} ({other})"), both)
            }));
            found.extend(means.map(|both| finding(Code::AggregateDisagrees, metric.clone(), both)));
        }
    }
    found
}

/// A figure as it is written that its samples prove to be a share, and their share.
fn share(side: &PairSide<'_>) -> Option<(f64, f64)> {
    let stated = side.stated.as_ref().filter(|stated| stated.share_by_samples)?;
    Some((stated.scalar.value.value()?, side.samples.as_ref()?.mean))
}

/// Samples that say what is right, by dataset and grid point.
type Judged<'p> =
    BTreeMap<(Option<&'p str>, &'p Dims), Vec<(&'p CellPair<'p>, &'p SampledSide<'p>)>>;

fn judged<'p>(pair: &'p RunPair<'p>, which: PairArm) -> Judged<'p> {
    let mut judged = Judged::new();
    for other in &pair.cells {
        let Some(samples) = other.side(which).samples.as_ref() else { continue };
        let derived = other.spec.derived || samples.table.is_derived(&other.key.metric);
        if samples.is_binary() && samples.scored > 0 && !derived {
            let place = (other.key.dataset.as_deref(), &other.key.dims);
            judged.entry(place).or_default().push((other, samples));
        }
    }
    judged
}

/// Names of shares of right answers, whatever the samples call a right one.
const SHARES: [&str; 4] = ["accuracy", "exact_match", "pass_rate", "success_rate"];

/// A stated share of right answers against the only samples that say what is right: their metric,
/// and both figures where they differ by more than rounding.
fn under_another_name<'p>(
    judged: &Judged<'p>,
    cell: &CellPair<'_>,
    which: PairArm,
) -> Option<(&'p str, (f64, f64))> {
    let side = cell.side(which);
    let stated = side.stated.as_ref().filter(|_| side.samples.is_none())?;
    let whole = cell.spec.unit.whole()?;
    if !SHARES.contains(&cell.key.metric.as_str()) {
        return None;
    }
    let here = judged.get(&(cell.key.dataset.as_deref(), &cell.key.dims))?;
    let [(other, samples)] = here.as_slice() else { return None };
    if stated.scalar.n.is_some_and(|n| n != samples.scored) {
        return None;
    }
    let computed = samples.mean / samples.right_score()? * whole;
    let value = stated.value().value()?;
    let differs = (value - computed).abs() > stated.rounding();
    differs.then_some((other.key.metric.as_str(), (value, computed)))
}

/// Figures that differ by more than the rounding of the stated one.
fn disagreement(side: &PairSide<'_>) -> Option<(f64, f64)> {
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
fn wrong_stderr(side: &PairSide<'_>) -> Option<(f64, f64)> {
    let samples = side.samples.as_ref().filter(|samples| samples.scored >= FEWEST_SAMPLES)?;
    let stated = side.stated.as_ref()?.stderr()?;
    let right = samples.right_score()?;
    let share = samples.mean / right;
    let computed = right * (share * (1.0 - share) / (samples.scored - 1) as f64).sqrt();
    let wrong = computed > 0.0 && !FITTING.contains(&(stated / computed));
    (wrong && disagreement(side).is_none()).then_some((stated, computed))
}
