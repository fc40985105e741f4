//! Whether a condition holds, as far as the figures can tell.

use super::{
    Clause, Condition, Quantity, Side, Threshold, ThresholdRelation, ThresholdZones, Tree,
};
use crate::quantity::Unit;

/// A figure with what is known of its precision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Operand {
    pub value: f64,
    /// An interval of the value, in `unit`; `None` for what is no estimate, such as a step.
    pub interval: Option<[f64; 2]>,
    /// Unit of the value; a relative change is a [`Unit::Fraction`].
    pub unit: Unit,
    pub n: Option<u64>,
    /// Whether it is a difference, so that a threshold can lie below its noise.
    pub is_change: bool,
}

impl Operand {
    /// A figure that is no estimate: a step, a count of what happened, money spent.
    pub fn exact(value: f64, unit: Unit) -> Self {
        Self { value, interval: None, unit, n: None, is_change: false }
    }

    /// An estimate with its interval and the number of samples behind it.
    pub fn estimate(value: f64, interval: [f64; 2], unit: Unit, n: u64) -> Self {
        Self { interval: Some(interval), n: Some(n), ..Self::exact(value, unit) }
    }

    #[must_use]
    pub fn as_change(self) -> Self {
        Self { is_change: true, ..self }
    }
}

/// Why a figure is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownOperand {
    NoSuchFigure,
    NoSuchFunction,
    /// It exists, but not here: no value yet, or too few points.
    NoValue,
    /// It is NaN or infinite.
    NotFinite,
    /// Nobody declared which way of the metric is better.
    NoDirection,
    /// A share of a baseline that is 0.
    ZeroBaseline,
    /// The threshold is not in a unit that the figure can be held against.
    Unit,
}

impl UnknownOperand {
    /// The name in catalogues and `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoSuchFigure => "no-such-figure",
            Self::NoSuchFunction => "no-such-function",
            Self::NoValue => "no-value",
            Self::NotFinite => "not-finite",
            Self::NoDirection => "no-direction",
            Self::ZeroBaseline => "zero-baseline",
            Self::Unit => "unit",
        }
    }
}

/// Whoever knows the figures.
pub trait Operands {
    /// The figure asked for.
    ///
    /// # Errors
    /// Why there is none.
    fn figure(&self, quantity: &Quantity) -> Result<Operand, UnknownOperand>;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConditionTruth {
    /// Yes, over the whole interval.
    Holds,
    /// No, over the whole interval.
    Fails,
    /// The interval covers the threshold.
    Unsure {
        /// What the value alone says.
        seen: bool,
    },
    /// A figure that would decide is not there.
    Unknown,
}

impl ConditionTruth {
    /// The name in catalogues and `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::Unsure { .. } => "unsure",
            Self::Unknown => "unknown",
        }
    }

    /// What the values alone say; `None` where a value is missing.
    pub fn seen(self) -> Option<bool> {
        match self {
            Self::Holds => Some(true),
            Self::Fails => Some(false),
            Self::Unsure { seen } => Some(seen),
            Self::Unknown => None,
        }
    }

    fn not(self) -> Self {
        match self {
            Self::Holds => Self::Fails,
            Self::Fails => Self::Holds,
            Self::Unsure { seen } => Self::Unsure { seen: !seen },
            Self::Unknown => Self::Unknown,
        }
    }

    /// Both; what fails for sure decides alone, and what is unknown weighs more than what is unsure.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Fails, _) | (_, Self::Fails) => Self::Fails,
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::Unsure { seen: a }, Self::Unsure { seen: b }) => Self::Unsure { seen: a && b },
            (Self::Holds, rest) | (rest, Self::Holds) => rest,
        }
    }
}

/// One clause with the figure that it was held against.
#[derive(Debug, Clone, PartialEq)]
pub struct ClauseOutcome {
    pub quantity: Quantity,
    pub figure: Result<Operand, UnknownOperand>,
    pub relation: ThresholdRelation,
    /// The right side as written, or the quantity on it.
    pub against: String,
    /// Why there is no figure on the right side, where one is asked for.
    pub against_unknown: Option<UnknownOperand>,
    /// The right side in the unit of the figure.
    pub threshold: Option<f64>,
    /// The figure on the right side, where there is one and it is known.
    pub other: Option<Operand>,
    /// Whether the right side is a plain number that is read as a share: 1 as 100%.
    pub is_share: bool,
    pub outcome: ConditionTruth,
}

impl ClauseOutcome {
    /// The clause as a text.
    pub fn clause(&self) -> String {
        format!("{} {} {}", self.quantity, self.relation.sign(), self.against)
    }

    /// Whether the threshold of a difference is smaller than half the interval: at this number of
    /// samples a true difference of that size could not be told from none.
    pub fn is_below_noise(&self) -> bool {
        let (Ok(figure), Some(threshold)) = (&self.figure, self.threshold) else { return false };
        let half = figure.interval.map_or(0.0, |[lo, hi]| (hi - lo) / 2.0);
        figure.is_change && threshold != 0.0 && threshold.abs() < half
    }
}

/// What became of a condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    pub outcome: ConditionTruth,
    /// Every clause, from left to right.
    pub readings: Vec<ClauseOutcome>,
}

impl Condition {
    /// Asks for every figure and says whether the condition holds.
    pub fn judge(&self, figures: &dyn Operands) -> Judgement {
        let mut readings = Vec::new();
        let outcome = judge(&self.tree, figures, &mut readings);
        Judgement { outcome, readings }
    }
}

fn judge(tree: &Tree, figures: &dyn Operands, readings: &mut Vec<ClauseOutcome>) -> ConditionTruth {
    match tree {
        Tree::Clause(clause) => {
            let reading = read(clause, figures);
            let outcome = reading.outcome;
            readings.push(reading);
            outcome
        }
        Tree::Not(part) => judge(part, figures, readings).not(),
        Tree::All(parts) => {
            let outcomes: Vec<_> =
                parts.iter().map(|part| judge(part, figures, readings)).collect();
            outcomes.into_iter().fold(ConditionTruth::Holds, ConditionTruth::and)
        }
        Tree::Any(parts) => {
            let outcomes: Vec<_> =
                parts.iter().map(|part| judge(part, figures, readings)).collect();
            outcomes.into_iter().fold(ConditionTruth::Fails, |a, b| a.not().and(b.not()).not())
        }
    }
}

fn read(clause: &Clause, figures: &dyn Operands) -> ClauseOutcome {
    let figure = figures.figure(&clause.quantity);
    let relation = clause.relation;
    let (against, right) = match &clause.against {
        Side::Number(threshold) => {
            let right = figure.and_then(|figure| {
                let value = in_unit(*threshold, figure.unit).ok_or(UnknownOperand::Unit)?;
                Ok(Operand::exact(value, figure.unit))
            });
            (threshold.to_string(), right)
        }
        Side::Quantity(quantity) => {
            let right = figures.figure(quantity).and_then(|right| match figure {
                Ok(left) if left.unit.is_rate() != right.unit.is_rate() => {
                    Err(UnknownOperand::Unit)
                }
                Ok(left) if left.unit.whole() != right.unit.whole() => Err(UnknownOperand::Unit),
                _ => Ok(right),
            });
            (quantity.to_string(), right)
        }
    };
    let quantity = clause.quantity.clone();
    let (outcome, figure) = match (figure, right) {
        (Ok(left), Ok(right)) => (compared(left, relation, right), Ok(left)),
        (Ok(_), Err(UnknownOperand::Unit)) => (ConditionTruth::Unknown, Err(UnknownOperand::Unit)),
        (figure, _) => (ConditionTruth::Unknown, figure),
    };
    let is_figure = matches!(clause.against, Side::Quantity(_));
    let against_unknown = right.err().filter(|_| is_figure && figure.is_ok());
    let threshold = right.ok().map(|right| right.value);
    let is_plain = matches!(
        clause.against,
        Side::Number(Threshold { number, unit: Unit::Plain }) if number != 0.0
    );
    let is_share = is_plain && figure.is_ok_and(|figure| figure.unit == Unit::Fraction);
    let other = right.ok().filter(|_| is_figure);
    ClauseOutcome {
        quantity,
        figure,
        relation,
        against,
        against_unknown,
        threshold,
        other,
        is_share,
        outcome,
    }
}

/// A threshold in the unit of a figure; `None` where it has none there. A plain number above 1
/// against a share is not guessed to be a percentage.
fn in_unit(threshold: Threshold, unit: Unit) -> Option<f64> {
    let Threshold { number, unit: written } = threshold;
    match (written, unit) {
        (Unit::Percent, Unit::Fraction) => Some(number / 100.0),
        (Unit::Plain, Unit::Fraction) => (number.abs() <= 1.0).then_some(number),
        (Unit::Plain, _)
        | (Unit::Percent, Unit::Percent)
        | (Unit::Dollars, Unit::Dollars | Unit::Plain)
        | (Unit::Seconds, Unit::Seconds | Unit::Plain) => Some(number),
        _ => None,
    }
}

/// Two figures in a relation: sure where all values in their intervals agree. Against an estimate
/// the difference is held against 0.
fn compared(left: Operand, relation: ThresholdRelation, right: Operand) -> ConditionTruth {
    let ends = |figure: Operand| figure.interval.unwrap_or([figure.value; 2]);
    let [lo, hi] = ends(left);
    let (value, interval, to) = match right.interval {
        None => (left.value, [lo, hi], right.value),
        Some([least, most]) => (left.value - right.value, [lo - most, hi - least], 0.0),
    };
    let zones = ThresholdZones::holding(relation, to);
    match (zones.within(interval).as_slice(), zones.at(value)) {
        ([_], true) => ConditionTruth::Holds,
        ([_], false) => ConditionTruth::Fails,
        (_, seen) => ConditionTruth::Unsure { seen },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `rate` is 0.9 [0.8, 0.95], `step` is 5, `change(rate)` is 0.05 ± 0.12.
    struct Known;

    impl Operands for Known {
        fn figure(&self, quantity: &Quantity) -> Result<Operand, UnknownOperand> {
            let fraction = |value, interval| Operand::estimate(value, interval, Unit::Fraction, 40);
            match (quantity.function.as_deref(), quantity.name.as_str()) {
                (None, "rate") => Ok(fraction(0.9, [0.8, 0.95])),
                (Some("change"), "rate") => Ok(fraction(0.05, [-0.07, 0.17]).as_change()),
                (None, "step") => Ok(Operand::exact(5.0, Unit::Count)),
                (None, "later") => Err(UnknownOperand::NoValue),
                (None, _) => Err(UnknownOperand::NoSuchFigure),
                (Some(_), _) => Err(UnknownOperand::NoSuchFunction),
            }
        }
    }

    fn judged(text: &str) -> Judgement {
        Condition::parse(text).expect(text).judge(&Known)
    }

    #[test]
    fn an_interval_over_the_threshold_decides_nothing() {
        for (text, outcome) in [
            ("rate >= 80%", ConditionTruth::Holds),
            ("rate >= 0.85", ConditionTruth::Unsure { seen: true }),
            ("rate < 85%", ConditionTruth::Unsure { seen: false }),
            ("rate < 50%", ConditionTruth::Fails),
            ("step == 5", ConditionTruth::Holds),
            ("rate == 90%", ConditionTruth::Unsure { seen: true }),
            ("rate != 10%", ConditionTruth::Holds),
            ("rate > 90", ConditionTruth::Unknown),
            ("step > 3 pp", ConditionTruth::Unknown),
            ("later > 3", ConditionTruth::Unknown),
            ("sum(rate) > 3", ConditionTruth::Unknown),
            ("step > 3 and rate > 10%", ConditionTruth::Holds),
            ("step > 9 and later > 3", ConditionTruth::Fails),
            ("step > 3 or later > 3", ConditionTruth::Holds),
            ("step > 3 and later > 3", ConditionTruth::Unknown),
            ("rate > 85% and later > 3", ConditionTruth::Unknown),
            ("rate > 85% or step > 9", ConditionTruth::Unsure { seen: true }),
            ("not rate > 85%", ConditionTruth::Unsure { seen: false }),
            ("rate > step", ConditionTruth::Unknown),
            ("rate >= rate", ConditionTruth::Unsure { seen: true }),
        ] {
            assert_eq!(judged(text).outcome, outcome, "{text}");
        }
    }

    #[test]
    fn a_threshold_below_half_the_interval_of_a_change_lies_below_noise() {
        for (text, below) in [
            ("change(rate) < 10pp", true),
            ("change(rate) < 13pp", false),
            ("change(rate) > 0", false),
            ("rate > 1%", false),
        ] {
            let judged = judged(text);
            assert_eq!(judged.readings.iter().any(ClauseOutcome::is_below_noise), below, "{text}");
        }
    }

    #[test]
    fn readings_say_why_a_figure_is_unknown() {
        let why = |text: &str| judged(text).readings.first().map(|reading| reading.figure);
        let against = |text: &str| judged(text).readings[0].against_unknown;
        for text in ["rate < banana", "rate < NaN", "rate < tenpp"] {
            assert_eq!(against(text), Some(UnknownOperand::NoSuchFigure), "{text}");
        }
        assert_eq!(against("rate < 10pp"), None);
        assert_eq!(why("rate > 90"), Some(Err(UnknownOperand::Unit)));
        assert_eq!(why("later > 3"), Some(Err(UnknownOperand::NoValue)));
        assert_eq!(why("other > 3"), Some(Err(UnknownOperand::NoSuchFigure)));
        assert_eq!(why("sum(rate) > 3"), Some(Err(UnknownOperand::NoSuchFunction)));
    }
}
