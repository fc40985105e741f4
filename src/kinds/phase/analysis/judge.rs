//! What became of an expectation: its zones over the change of one comparison, with the interval of
//! that change.

use super::expectation::{Aim, ExpectedWay, SizeUnit, Subject};
use super::phase_figures;
use crate::compare::{Comparison, VerdictReason};
use crate::conditions::{Operand, ThresholdStanding, ThresholdZones};
use crate::diag::Code;
use crate::model::MetricSpec;
use crate::pairing::PairArm;
use crate::quantity::Unit;

/// What an expectation is held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectationMeasure {
    /// The difference, in its unit: points for rates.
    Change,
    /// The difference as a percentage of the baseline.
    Relative,
    /// The figure of the candidate, as it is shown.
    Level,
}

impl ExpectationMeasure {
    /// The name in catalogues and `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Change => "change",
            Self::Relative => "relative",
            Self::Level => "level",
        }
    }
}

/// An expectation under one reading of its unit.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedExpectation {
    pub measure: ExpectationMeasure,
    /// The value, in points, percent or the metric's unit.
    pub value: f64,
    /// Its interval; limits may be infinite.
    pub interval: Option<[f64; 2]>,
    pub standing: ThresholdStanding,
    /// Every way in which a value of the interval stands; empty without an interval.
    pub possible: Vec<ThresholdStanding>,
    /// The border nearest to the value among those that the interval covers.
    pub border: Option<f64>,
    /// Units (pairs, clusters, samples of each side) at which the interval would no longer reach that
    /// border, if the value stayed.
    pub needed: Option<u64>,
}

impl JudgedExpectation {
    /// Whether the whole interval stands alike.
    pub fn is_sure(&self) -> bool {
        self.possible.len() == 1
    }
}

/// Why an expectation is not judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnjudgedExpectation {
    Unreadable,
    /// No metric of that name was found.
    NoFigure,
    /// A side has no figure yet.
    NoValue,
    /// A finding takes the verdict of the comparison.
    Blocked(Code),
    /// The unit does not go with the metric.
    Unit,
    /// Nobody declared which way of the metric is worse.
    NoDirection,
    /// A change may or may not be there, and nothing says how much counts as none.
    NoTolerance,
}

impl UnjudgedExpectation {
    /// The name in catalogues and `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::NoFigure => "no-figure",
            Self::NoValue => "no-value",
            Self::Blocked(_) => "not-comparable",
            Self::Unit => "unit",
            Self::NoDirection => "no-direction",
            Self::NoTolerance => "no-tolerance",
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Fulfilment {
    /// One reading, or two that agree.
    Judged(JudgedExpectation),
    /// Points and a share of the baseline lead to different answers, and the text does not say which
    /// of the two is meant.
    Ambiguous([JudgedExpectation; 2]),
    Open(UnjudgedExpectation),
}

/// As what an expectation is counted, wherever that is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectationClass {
    Met,
    Missed,
    /// Judged, and not over the whole interval, or not without a doubt about what is meant.
    Open,
    Unjudged(UnjudgedExpectation),
}

impl ExpectationClass {
    /// The name in catalogues.
    pub fn name(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Missed => "missed",
            Self::Open => "open",
            Self::Unjudged(why) => why.name(),
        }
    }
}

impl Fulfilment {
    pub fn class(&self) -> ExpectationClass {
        match self {
            Self::Judged(judged) if !judged.is_sure() => ExpectationClass::Open,
            Self::Judged(judged) if judged.standing.is_good() => ExpectationClass::Met,
            Self::Judged(_) => ExpectationClass::Missed,
            Self::Ambiguous(_) | Self::Open(UnjudgedExpectation::NoTolerance) => {
                ExpectationClass::Open
            }
            Self::Open(why) => ExpectationClass::Unjudged(*why),
        }
    }
}

pub(super) fn judge_expectation(aim: &Aim, comparison: &Comparison<'_>) -> Fulfilment {
    if let Some(VerdictReason::Blocked(code)) = comparison.reason {
        return Fulfilment::Open(UnjudgedExpectation::Blocked(code));
    }
    if comparison.delta.is_none() {
        return Fulfilment::Open(UnjudgedExpectation::NoValue);
    }
    judged(aim, comparison).unwrap_or_else(Fulfilment::Open)
}

fn judged(aim: &Aim, comparison: &Comparison<'_>) -> Result<Fulfilment, UnjudgedExpectation> {
    let spec = &comparison.cell.spec;
    match *aim {
        Aim::Toward { way, least, most, unit } => {
            let zones = match resolved(way, spec)? {
                ExpectedWay::Down => ThresholdZones::fall(least, most),
                _ => ThresholdZones::rise(least, most),
            };
            under_each(comparison, &measures(unit, spec, least.is_some())?, &zones)
        }
        Aim::Between { subject, lo, hi, closed, unit } => {
            let as_level = is_level(unit, spec, lo.or(hi).unwrap_or_default());
            let measures = match (subject, as_level) {
                (Subject::Level, as_level) => as_level.map(|()| vec![ExpectationMeasure::Level])?,
                (Subject::Either, Ok(())) => {
                    [vec![ExpectationMeasure::Level], measures(unit, spec, true)?].concat()
                }
                (Subject::Either | Subject::Change, _) => measures(unit, spec, true)?,
            };
            under_each(comparison, &measures, &ThresholdZones::between(lo, hi, closed))
        }
        Aim::Same { tolerance, or, .. } => same(comparison, tolerance, or),
        Aim::Reach { level, unit } => {
            is_level(unit, spec, level)?;
            let zones = match resolved(ExpectedWay::Better, spec)? {
                ExpectedWay::Down => ThresholdZones::between(None, Some(level), true),
                _ => ThresholdZones::between(Some(level), None, true),
            };
            under_each(comparison, &[ExpectationMeasure::Level], &zones)
        }
        Aim::Near { level, tolerance, unit } => {
            is_level(unit, spec, level)?;
            let size = tolerance.or(comparison.margin).unwrap_or(0.0);
            let zones = ThresholdZones::between(Some(level - size), Some(level + size), true);
            under_each(comparison, &[ExpectationMeasure::Level], &zones)
        }
    }
}

/// Up or down, where the better way of a metric is one of them.
fn resolved(way: ExpectedWay, spec: &MetricSpec) -> Result<ExpectedWay, UnjudgedExpectation> {
    if way != ExpectedWay::Better {
        return Ok(way);
    }
    let sign = spec.direction.sign().ok_or(UnjudgedExpectation::NoDirection)?;
    Ok(if sign > 0.0 { ExpectedWay::Up } else { ExpectedWay::Down })
}

/// Whether a number in that unit can be a figure of the metric.
fn is_level(unit: SizeUnit, spec: &MetricSpec, level: f64) -> Result<(), UnjudgedExpectation> {
    let fits = match unit {
        SizeUnit::Plain => !spec.unit.is_rate() || level == 0.0,
        SizeUnit::Percent => spec.unit.is_rate(),
        SizeUnit::Points | SizeUnit::Relative => false,
    };
    if fits { Ok(()) } else { Err(UnjudgedExpectation::Unit) }
}

/// About the same, by the tolerance of the text, else by the margin that is declared for the metric.
/// Without either, equal outcomes are the same and a change that is there is not; between the two
/// nothing can be said.
fn same(
    comparison: &Comparison<'_>,
    tolerance: Option<(f64, SizeUnit)>,
    or: Option<ExpectedWay>,
) -> Result<Fulfilment, UnjudgedExpectation> {
    let spec = &comparison.cell.spec;
    let or = or.map(|way| resolved(way, spec)).transpose()?;
    let margin_unit = if spec.unit.is_rate() { SizeUnit::Points } else { SizeUnit::Plain };
    let tolerance = tolerance.or_else(|| Some((comparison.margin?, margin_unit)));
    let (size, unit) = tolerance.unwrap_or((0.0, SizeUnit::Plain));
    let lo = (or != Some(ExpectedWay::Down)).then_some(0.0 - size);
    let hi = (or.is_none() || or == Some(ExpectedWay::Down)).then_some(size);
    let zones = ThresholdZones::between(lo, hi, true);
    let outcome = under_each(comparison, &measures(unit, spec, size != 0.0)?, &zones)?;
    match &outcome {
        Fulfilment::Judged(judged) if tolerance.is_none() && or.is_none() => {
            let apart = judged.is_sure() || judged.standing == ThresholdStanding::Met;
            if apart { Ok(outcome) } else { Err(UnjudgedExpectation::NoTolerance) }
        }
        _ => Ok(outcome),
    }
}

/// What a size in that unit can mean for a metric.
fn measures(
    unit: SizeUnit,
    spec: &MetricSpec,
    sized: bool,
) -> Result<Vec<ExpectationMeasure>, UnjudgedExpectation> {
    let rate = spec.unit.is_rate();
    match (unit, rate) {
        (SizeUnit::Plain, true) if sized => Err(UnjudgedExpectation::Unit),
        (SizeUnit::Points, false) => Err(UnjudgedExpectation::Unit),
        (SizeUnit::Plain, _) | (SizeUnit::Points, true) => Ok(vec![ExpectationMeasure::Change]),
        (SizeUnit::Percent, true) => {
            Ok(vec![ExpectationMeasure::Change, ExpectationMeasure::Relative])
        }
        (SizeUnit::Relative, _) | (SizeUnit::Percent, false) => {
            Ok(vec![ExpectationMeasure::Relative])
        }
    }
}

fn under_each(
    comparison: &Comparison<'_>,
    measures: &[ExpectationMeasure],
    zones: &ThresholdZones<ThresholdStanding>,
) -> Result<Fulfilment, UnjudgedExpectation> {
    let readings: Vec<JudgedExpectation> = measures
        .iter()
        .map(|measure| reading(comparison, *measure, zones).ok_or(UnjudgedExpectation::NoValue))
        .collect::<Result<_, _>>()?;
    let mut readings = readings.into_iter();
    let first = readings.next().ok_or(UnjudgedExpectation::NoValue)?;
    let other = readings
        .find(|other| other.standing != first.standing || other.is_sure() != first.is_sure());
    Ok(match other {
        Some(other) => Fulfilment::Ambiguous([first, other]),
        None => Fulfilment::Judged(first),
    })
}

/// One reading; `None` where the figure that it asks for is not there.
fn reading(
    comparison: &Comparison<'_>,
    measure: ExpectationMeasure,
    zones: &ThresholdZones<ThresholdStanding>,
) -> Option<JudgedExpectation> {
    let scaled = |figure: Operand, scale: f64| {
        (figure.value * scale, figure.interval.map(|ends| ends.map(|end| end * scale)))
    };
    let (value, interval) = match measure {
        ExpectationMeasure::Change => {
            let interval = comparison.allowed_interval();
            (comparison.delta?, interval.map(|interval| [interval.lo, interval.hi]))
        }
        ExpectationMeasure::Relative => scaled(phase_figures::relative(comparison)?, 100.0),
        ExpectationMeasure::Level => {
            let figure = phase_figures::level(comparison, PairArm::Candidate)?;
            // A count of what happened is no estimate.
            let exact = (figure.unit == Unit::Count).then_some([figure.value; 2]);
            let figure = Operand { interval: figure.interval.or(exact), ..figure };
            scaled(figure, figure.unit.shown_scale())
        }
    };
    let possible = interval.map_or_else(Vec::new, |interval| zones.within(interval));
    let border =
        interval.filter(|_| possible.len() > 1).and_then(|interval| zones.border(value, interval));
    let needed = border
        .zip(interval)
        // More samples do not help where the seed is the unit.
        .filter(|_| comparison.seeds.is_none())
        .and_then(|(border, interval)| needed(comparison.units()?, value, border, interval));
    Some(JudgedExpectation {
        measure,
        value,
        interval,
        standing: zones.at(value),
        possible,
        border,
        needed,
    })
}

/// Units at which an interval that shrinks with the root of their number ends before the border.
/// `None` where the value stands on the border.
fn needed(units: u64, value: f64, border: f64, [lo, hi]: [f64; 2]) -> Option<u64> {
    let half = if border < value { value - lo } else { hi - value };
    let distance = (value - border).abs();
    let factor = (half / distance).powi(2);
    let needed = (units as f64 * factor).ceil();
    (distance > 1e-9 && needed.is_finite() && needed < 1e12).then_some(needed as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twice_as_close_to_the_border_takes_four_times_the_samples() {
        assert_eq!(needed(200, 25.0, 20.0, [15.0, 35.0]), Some(800));
        assert_eq!(needed(200, 25.0, 22.5, [15.0, 35.0]), Some(3200));
        assert_eq!(needed(200, 25.0, 30.0, [15.0, 35.0]), Some(800));
        assert_eq!(needed(200, 20.0, 20.0, [15.0, 25.0]), None);
    }

    #[test]
    fn a_percentage_of_a_rate_has_two_readings_and_no_unit_has_none() {
        let spec = |unit| MetricSpec { unit, ..MetricSpec::undeclared("some") };
        let (rate, plain) = (spec(Unit::Fraction), spec(Unit::Tokens));
        let (change, relative) = (ExpectationMeasure::Change, ExpectationMeasure::Relative);
        for (unit, of_rate, of_plain) in [
            (SizeUnit::Points, Ok(vec![change]), Err(UnjudgedExpectation::Unit)),
            (SizeUnit::Percent, Ok(vec![change, relative]), Ok(vec![relative])),
            (SizeUnit::Relative, Ok(vec![relative]), Ok(vec![relative])),
            (SizeUnit::Plain, Err(UnjudgedExpectation::Unit), Ok(vec![change])),
        ] {
            assert_eq!(measures(unit, &rate, true), of_rate, "{unit:?}");
            assert_eq!(measures(unit, &plain, true), of_plain, "{unit:?}");
        }
        assert_eq!(measures(SizeUnit::Plain, &rate, false), Ok(vec![change]));
    }
}
