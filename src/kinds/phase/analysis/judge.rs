//! What became of an expectation: its zones over the change of one comparison, with the interval of
//! that change.

use super::expectation::{Aim, Way, Written};
use super::zones::{Standing, Zones};
use crate::compare::{Comparison, Reason};
use crate::diag::Code;
use crate::group::Which;
use crate::model::MetricSpec;
use crate::quantity::Unit;
use crate::stats;

/// What an expectation is held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// The difference, in its unit: points for rates.
    Change,
    /// The difference as a percentage of the baseline.
    Relative,
    /// The figure of the candidate, as it is shown.
    Level,
}

impl Measure {
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
pub struct Judged {
    /// What was held against it.
    pub measure: Measure,
    /// The value, in points, percent or the metric's unit.
    pub value: f64,
    /// Its interval; limits may be infinite.
    pub interval: Option<[f64; 2]>,
    /// How the value stands.
    pub standing: Standing,
    /// Every way in which a value of the interval stands; empty without an interval.
    pub possible: Vec<Standing>,
    /// The border nearest to the value among those that the interval covers.
    pub border: Option<f64>,
    /// Units (pairs, clusters, samples of each side) at which the interval would no longer reach that
    /// border, if the value stayed.
    pub needed: Option<u64>,
}

impl Judged {
    /// Whether the whole interval stands alike.
    pub fn is_sure(&self) -> bool {
        self.possible.len() == 1
    }
}

/// Why an expectation is not judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unjudged {
    /// The text is no expectation.
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

impl Unjudged {
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

/// What became of an expectation.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// One reading, or two that agree.
    Judged(Judged),
    /// Points and a share of the baseline lead to different answers, and the text does not say which
    /// of the two is meant.
    Ambiguous([Judged; 2]),
    /// Not judged.
    Open(Unjudged),
}

/// Judges an aim.
pub(super) fn judge(aim: &Aim, one: &Comparison<'_>) -> Outcome {
    if let Some(Reason::Blocked(code)) = one.reason {
        return Outcome::Open(Unjudged::Blocked(code));
    }
    if one.delta.is_none() {
        return Outcome::Open(Unjudged::NoValue);
    }
    match judged(aim, one) {
        Ok(outcome) => outcome,
        Err(why) => Outcome::Open(why),
    }
}

fn judged(aim: &Aim, one: &Comparison<'_>) -> Result<Outcome, Unjudged> {
    let spec = &one.cell.spec;
    match *aim {
        Aim::Toward { way, least, most, unit } => {
            let zones = Zones::toward(way, least, most);
            under_each(one, &measures(unit, spec, least.is_some())?, &zones)
        }
        Aim::Between { lo, hi, closed, unit } => {
            under_each(one, &measures(unit, spec, true)?, &Zones::between(lo, hi, closed))
        }
        Aim::Same { tolerance, or } => same(one, tolerance, or),
        Aim::NotToward { way, tolerance } => {
            let (size, unit) = declared(tolerance, one).unwrap_or((0.0, Written::Plain));
            let zones = match way {
                Way::Down => Zones::between(Some(0.0 - size), None, true),
                Way::Up => Zones::between(None, Some(size), true),
            };
            under_each(one, &measures(unit, spec, size != 0.0)?, &zones)
        }
        Aim::Better { least, most, unit } => {
            judged(&Aim::Toward { way: good_way(spec)?, least, most, unit }, one)
        }
        Aim::Level { way, level, most, unit } => {
            is_level(unit, spec, level)?;
            let zones = match (most, way) {
                (Some(most), _) => Zones::between(Some(level), Some(most), true),
                (None, way) => match way.map_or_else(|| good_way(spec), Ok)? {
                    Way::Up => Zones::between(Some(level), None, true),
                    Way::Down => Zones::between(None, Some(level), true),
                },
            };
            under_each(one, &[Measure::Level], &zones)
        }
        Aim::Limit { below, closed, at, unit } => {
            let zones = if below {
                Zones::between(None, Some(at), closed)
            } else {
                Zones::between(Some(at), None, closed)
            };
            let mut measures = measures(unit, spec, true)?;
            if is_level(unit, spec, at).is_ok() {
                measures.insert(0, Measure::Level);
            }
            under_each(one, &measures, &zones)
        }
        Aim::NotWorse { tolerance } => {
            let bad = match good_way(spec)? {
                Way::Up => Way::Down,
                Way::Down => Way::Up,
            };
            judged(&Aim::NotToward { way: bad, tolerance }, one)
        }
        Aim::Near { level, tolerance, unit } => {
            is_level(unit, spec, level)?;
            let size = tolerance.or(one.margin).unwrap_or(0.0);
            let zones = Zones::between(Some(level - size), Some(level + size), true);
            reading(one, Measure::Level, &zones).map(Outcome::Judged).ok_or(Unjudged::NoValue)
        }
    }
}

/// The way in which the metric becomes better.
fn good_way(spec: &MetricSpec) -> Result<Way, Unjudged> {
    let sign = spec.direction.sign().ok_or(Unjudged::NoDirection)?;
    Ok(if sign > 0.0 { Way::Up } else { Way::Down })
}

/// Whether a number in that unit can be a figure of the metric.
fn is_level(unit: Written, spec: &MetricSpec, level: f64) -> Result<(), Unjudged> {
    let fits = match unit {
        Written::Plain => !spec.unit.is_rate() || level == 0.0,
        Written::Percent => spec.unit.is_rate(),
        Written::Points | Written::Relative => false,
    };
    if fits { Ok(()) } else { Err(Unjudged::Unit) }
}

/// The tolerance of the text, else the margin that is declared for the metric.
fn declared(text: Option<(f64, Written)>, one: &Comparison<'_>) -> Option<(f64, Written)> {
    let unit = if one.cell.spec.unit.is_rate() { Written::Points } else { Written::Plain };
    text.or_else(|| Some((one.margin?, unit)))
}

/// About the same. Without a tolerance, equal outcomes are the same and a change that is there is
/// not; between the two nothing can be said.
fn same(
    one: &Comparison<'_>,
    tolerance: Option<(f64, Written)>,
    or: Option<Way>,
) -> Result<Outcome, Unjudged> {
    let spec = &one.cell.spec;
    let tolerance = declared(tolerance, one);
    let (size, unit) = tolerance.unwrap_or((0.0, Written::Plain));
    let zones = match or {
        None => Zones::between(Some(0.0 - size), Some(size), true),
        Some(Way::Up) => Zones::between(Some(0.0 - size), None, true),
        Some(Way::Down) => Zones::between(None, Some(size), true),
    };
    let outcome = under_each(one, &measures(unit, spec, size != 0.0)?, &zones)?;
    match &outcome {
        Outcome::Judged(judged) if tolerance.is_none() && or.is_none() => {
            let apart = judged.is_sure() || judged.standing == Standing::Met;
            if apart { Ok(outcome) } else { Err(Unjudged::NoTolerance) }
        }
        _ => Ok(outcome),
    }
}

/// What a size in that unit can mean for a metric.
fn measures(unit: Written, spec: &MetricSpec, sized: bool) -> Result<Vec<Measure>, Unjudged> {
    let rate = spec.unit.is_rate();
    match (unit, rate) {
        (Written::Plain, true) if sized => Err(Unjudged::Unit),
        (Written::Points, false) => Err(Unjudged::Unit),
        (Written::Plain, _) | (Written::Points, true) => Ok(vec![Measure::Change]),
        (Written::Percent, true) => Ok(vec![Measure::Change, Measure::Relative]),
        (Written::Relative, _) | (Written::Percent, false) => Ok(vec![Measure::Relative]),
    }
}

fn under_each(
    one: &Comparison<'_>,
    measures: &[Measure],
    zones: &Zones,
) -> Result<Outcome, Unjudged> {
    let readings: Vec<Judged> = measures
        .iter()
        .map(|measure| reading(one, *measure, zones).ok_or(Unjudged::NoValue))
        .collect::<Result<_, _>>()?;
    let mut readings = readings.into_iter();
    let first = readings.next().ok_or(Unjudged::NoValue)?;
    let other = readings
        .find(|other| other.standing != first.standing || other.is_sure() != first.is_sure());
    Ok(match other {
        Some(other) => Outcome::Ambiguous([first, other]),
        None => Outcome::Judged(first),
    })
}

/// One reading; `None` where the figure that it asks for is not there.
fn reading(one: &Comparison<'_>, measure: Measure, zones: &Zones) -> Option<Judged> {
    let (value, interval) = match measure {
        Measure::Change => (one.delta?, one.allowed_interval().map(|found| [found.lo, found.hi])),
        Measure::Relative => {
            let interval = one.relative_interval();
            (one.relative()? * 100.0, interval.map(|found| [found.lo * 100.0, found.hi * 100.0]))
        }
        Measure::Level => level(one)?,
    };
    let possible = interval.map_or_else(Vec::new, |[lo, hi]| zones.within(lo, hi));
    let border =
        interval.filter(|_| possible.len() > 1).and_then(|interval| zones.border(value, interval));
    let needed = border
        .zip(interval)
        // More samples do not help where the seed is the unit.
        .filter(|_| one.seeds.is_none())
        .and_then(|(border, interval)| needed(one.units()?, value, border, interval));
    Some(Judged { measure, value, interval, standing: zones.at(value), possible, border, needed })
}

/// The candidate's figure as it is shown, with Wilson's interval where it is a share.
fn level(one: &Comparison<'_>) -> Option<(f64, Option<[f64; 2]>)> {
    let (unit, value) = (one.cell.spec.unit, one.figure(Which::Candidate)?);
    let shown = value * unit.shown_scale();
    let share = unit.whole().map(|whole| value / whole).filter(|share| (0.0..=1.0).contains(share));
    let n = one.n(Which::Candidate).filter(|n| *n > 0 && one.seeds.is_none());
    let interval = share.zip(n).map(|(share, n)| {
        let interval = stats::wilson_share(share, n, 1.0 - one.alpha);
        [interval.lo * 100.0, interval.hi * 100.0]
    });
    let interval = interval.or_else(|| exact(unit, shown));
    Some((shown, interval))
}

/// A count of what happened is no estimate.
fn exact(unit: Unit, value: f64) -> Option<[f64; 2]> {
    (unit == Unit::Count).then_some([value; 2])
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
        let (change, relative) = (Measure::Change, Measure::Relative);
        for (unit, of_rate, of_plain) in [
            (Written::Points, Ok(vec![change]), Err(Unjudged::Unit)),
            (Written::Percent, Ok(vec![change, relative]), Ok(vec![relative])),
            (Written::Relative, Ok(vec![relative]), Ok(vec![relative])),
            (Written::Plain, Err(Unjudged::Unit), Ok(vec![change])),
        ] {
            assert_eq!(measures(unit, &rate, true), of_rate, "{unit:?}");
            assert_eq!(measures(unit, &plain, true), of_plain, "{unit:?}");
        }
        assert_eq!(measures(Written::Plain, &rate, false), Ok(vec![change]));
    }
}
