//! The figures of comparisons that rules and expectations are held against.

use super::phase_lookup;
use crate::compare::{Comparison, Verdict};
use crate::conditions::{Operand, Operands, Quantity, UnknownOperand};
use crate::model::MetricNames;
use crate::pairing::PairArm;
use crate::quantity::Unit;
use crate::stats;

/// The figures of rules: a plain name is the candidate's figure.
///
/// `change`, `relative`, `improvement` (a change for the better), `degradation` (one for the worse),
/// `baseline`, `candidate` of a metric; `count` of `tested`, `separable`, `better`, `worse`,
/// `identical`.
pub(super) struct Changes<'c, 'a> {
    pub(super) comparisons: &'c [Comparison<'a>],
    pub(super) names: &'c MetricNames,
}

impl Operands for Changes<'_, '_> {
    fn figure(&self, quantity: &Quantity) -> Result<Operand, UnknownOperand> {
        let function = quantity.function.as_deref();
        if function == Some("count") {
            return self.count(&quantity.name);
        }
        let known = ["change", "relative", "improvement", "degradation", "baseline", "candidate"];
        if function.is_some_and(|name| !known.contains(&name)) || !quantity.numbers.is_empty() {
            return Err(UnknownOperand::NoSuchFunction);
        }
        let named = phase_lookup::named(self.comparisons, self.names, &quantity.name);
        let [comparison] = named.as_slice() else { return Err(UnknownOperand::NoSuchFigure) };
        if comparison.is_blocked() {
            return Err(UnknownOperand::NoValue);
        }
        let sign = || comparison.cell.spec.direction.sign().ok_or(UnknownOperand::NoDirection);
        let figure = match function {
            Some("change") => moved(comparison, 1.0),
            Some("improvement") => moved(comparison, sign()?),
            Some("degradation") => moved(comparison, -sign()?),
            Some("relative") if comparison.figure(PairArm::Baseline) == Some(0.0) => {
                return Err(UnknownOperand::ZeroBaseline);
            }
            Some("relative") => relative(comparison),
            Some("baseline") => level(comparison, PairArm::Baseline),
            _ => level(comparison, PairArm::Candidate),
        };
        figure.ok_or(UnknownOperand::NoValue)
    }
}

impl Changes<'_, '_> {
    fn count(&self, what: &str) -> Result<Operand, UnknownOperand> {
        let tested = |comparison: &&Comparison<'_>| {
            let interval =
                comparison.analysis.as_ref().is_some_and(|found| found.interval.is_some());
            interval && !comparison.is_blocked()
        };
        let apart = |comparison: &&Comparison<'_>| {
            comparison.allowed_interval().is_some_and(|interval| interval.excludes(0.0))
        };
        let counted: &dyn Fn(&&Comparison<'_>) -> bool = match what {
            "tested" => &|_| true,
            "separable" => &apart,
            "better" => &|comparison| comparison.verdict == Verdict::Better,
            "worse" => &|comparison| comparison.verdict == Verdict::Worse,
            "identical" => &|comparison| comparison.verdict == Verdict::Identical,
            _ => return Err(UnknownOperand::NoSuchFigure),
        };
        let among = self.comparisons.iter().filter(tested).count() as u64;
        if among == 0 {
            return Err(UnknownOperand::NoValue);
        }
        let count = self.comparisons.iter().filter(tested).filter(counted).count();
        let figure = Operand::exact(count as f64, Unit::Count);
        Ok(Operand { n: Some(among), ..figure })
    }
}

/// The difference, or its negative: a share for rates, else in its own unit.
fn moved(comparison: &Comparison<'_>, sign: f64) -> Option<Operand> {
    let spec = &comparison.cell.spec;
    let (unit, scale) =
        if spec.unit.is_rate() { (Unit::Fraction, 100.0) } else { (spec.unit, 1.0) };
    let ends = |lo: f64, hi: f64| [lo.min(hi), lo.max(hi)];
    let interval = comparison.allowed_interval();
    Some(Operand {
        value: sign * comparison.delta? / scale,
        interval: interval.map(|found| ends(sign * found.lo / scale, sign * found.hi / scale)),
        unit,
        n: comparison.units(),
        is_change: true,
    })
}

/// The difference as a share of the baseline.
pub(super) fn relative(comparison: &Comparison<'_>) -> Option<Operand> {
    Some(Operand {
        value: comparison.relative()?,
        interval: comparison.relative_interval().map(|found| [found.lo, found.hi]),
        unit: Unit::Fraction,
        n: comparison.units(),
        is_change: true,
    })
}

/// An arm's figure, with Wilson's interval where it is a share.
pub(super) fn level(comparison: &Comparison<'_>, which: PairArm) -> Option<Operand> {
    let (unit, value) = (comparison.cell.spec.unit, comparison.figure(which)?);
    let n = comparison.n(which).filter(|n| *n > 0 && comparison.seeds.is_none());
    let interval = unit.whole().zip(n).and_then(|(whole, n)| {
        let share = Some(value / whole).filter(|share| (0.0..=1.0).contains(share))?;
        let found = stats::wilson_share(share, n, 1.0 - comparison.alpha);
        Some([found.lo * whole, found.hi * whole])
    });
    Some(Operand { value, interval, unit, n, is_change: false })
}
