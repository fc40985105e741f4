//! Gates that a user declares: rules over the results of some metrics, roles and datasets.

use serde::Deserialize;

use super::undecided::fell_widened_by_candidate;
use super::{Expectations, GateOutcome, cut_short, one_sided};
use crate::compare::{Comparison, NonInferiorityShown, VerdictReason};
use crate::model::{Dims, Margin, MetricRole};
use crate::pairing::PairArm;
use crate::quantity::Unit;

/// How much depends on a gate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GateTier {
    /// It fails the process, and closes it where it cannot be judged.
    #[default]
    Critical,
    /// It fails the process; where it cannot be judged, that is said and nothing else.
    Supporting,
    /// It is shown.
    Advisory,
}

impl GateTier {
    /// The name in `report.json` and in `reportgen.toml`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Critical => "critical",
            Self::Supporting => "supporting",
            Self::Advisory => "advisory",
        }
    }
}

/// What an inconclusive outcome counts as.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnInconclusive {
    Pass,
    Fail,
    /// Neither; it is said.
    #[default]
    Warn,
}

impl OnInconclusive {
    /// The name in `report.json` and in `reportgen.toml`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Warn => "warn",
        }
    }
}

/// A number as it is written, with or without a percent sign.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Amount {
    pub value: f64,
    pub is_percent: bool,
}

impl Amount {
    /// Reads `80%` or `1.5`; `None` for what is no finite number.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let number = text.strip_suffix('%');
        let value: f64 = number.unwrap_or(text).trim_end().parse().ok()?;
        value.is_finite().then_some(Self { value, is_percent: number.is_some() })
    }

    /// The share of a whole, which is written in percent or from 0 to 1; `None` for anything else.
    pub fn share(self) -> Option<f64> {
        let share = if self.is_percent { self.value / 100.0 } else { self.value };
        (0.0..=1.0).contains(&share).then_some(share)
    }

    /// The number in the unit of a metric: of a rate it has to be written in percent, because a plain
    /// one may be meant as either; of anything else it may not.
    fn in_unit(self, unit: Unit) -> Option<f64> {
        (self.is_percent == unit.is_rate()).then(|| self.value / unit.shown_scale())
    }
}

/// What has to hold of every result that a gate is about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DeclaredRule {
    /// Not worse than the baseline by so much, in the unit of the difference.
    Margin(Margin),
    /// Not worse than the baseline by such a share of its figure.
    MaxDrop(f64),
    /// The candidate's figure is at least so much.
    Floor(Amount),
    /// The candidate's figure is at most so much.
    Ceiling(Amount),
    /// At least such a share of the samples has a score in both arms.
    Coverage(f64),
    /// No result of either arm is missing in the other, wholly or in too many samples.
    Complete,
    /// Every expectation of a phase is met.
    Expectation,
}

impl DeclaredRule {
    /// The key in `reportgen.toml`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Margin(_) => "margin",
            Self::MaxDrop(_) => "max_drop",
            Self::Floor(_) => "floor",
            Self::Ceiling(_) => "ceiling",
            Self::Coverage(_) => "coverage",
            Self::Complete => "complete",
            Self::Expectation => "expectation",
        }
    }
}

/// A table `[gate.NAME]`.
#[derive(Debug, Clone, PartialEq)]
pub struct DeclaredGate {
    pub name: String,
    pub tier: GateTier,
    pub on_inconclusive: OnInconclusive,
    /// Canonical names; with no names and no roles, every metric that is judged.
    pub metrics: Vec<String>,
    pub roles: Vec<MetricRole>,
    /// Names without case; none means all.
    pub datasets: Vec<String>,
    /// At least one.
    pub rules: Vec<DeclaredRule>,
}

/// One rule held against one result, or against all expectations.
struct DeclaredCheck<'c> {
    rule: DeclaredRule,
    outcome: GateOutcome,
    cell: Option<&'c Comparison<'c>>,
    /// Why it says nothing.
    cause: Option<UnjudgedCause>,
}

/// The first check that decided a gate.
#[derive(Debug, Clone)]
pub struct DeclaredExample {
    pub rule: DeclaredRule,
    pub metric: String,
    pub dataset: Option<String>,
    pub dims: Dims,
    /// The candidate's figure, in its unit.
    pub figure: Option<f64>,
    pub unit: Unit,
    /// Why it could not be evaluated, where it could not.
    pub cause: Option<UnjudgedCause>,
}

/// Why a rule says nothing of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnjudgedCause {
    Missing,
    Blocked,
    Direction,
    Unit,
    Spread,
}

/// What a rule says of a result, or why it says nothing.
type Judged = Result<GateOutcome, UnjudgedCause>;

impl UnjudgedCause {
    /// The end of a key of the catalogues.
    pub fn name(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Blocked => "blocked",
            Self::Direction => "direction",
            Self::Unit => "unit",
            Self::Spread => "spread",
        }
    }
}

/// What a declared gate came to.
#[derive(Debug, Clone)]
pub struct DeclaredCounts {
    pub gate: DeclaredGate,
    pub outcome: GateOutcome,
    /// How many checks had that outcome.
    pub count: usize,
    /// How many there were: each rule on each result.
    pub of: usize,
    pub example: Option<DeclaredExample>,
    /// Names of metrics and datasets that no result has.
    pub unmatched: Vec<String>,
    /// Files that could not be read, where they alone close it.
    pub unread: usize,
}

/// Judges a gate; `None` where it asks for expectations alone and nothing has any.
pub(super) fn judge(
    gate: &DeclaredGate,
    cells: &[&Comparison<'_>],
    expectations: Option<Expectations>,
    unread: usize,
) -> Option<DeclaredCounts> {
    let is_of_phase = |rule: &DeclaredRule| *rule == DeclaredRule::Expectation;
    if expectations.is_none() && gate.rules.iter().all(is_of_phase) {
        return None;
    }
    let chosen: Vec<&Comparison<'_>> =
        cells.iter().copied().filter(|cell| is_chosen(cell, gate)).collect();
    let unmatched =
        if gate.rules.iter().all(is_of_phase) { Vec::new() } else { unmatched(gate, &chosen) };
    let checks = checks(gate, &chosen, expectations);
    let has = |wanted| checks.iter().any(|check| check.outcome == wanted);
    let found = if has(GateOutcome::Fail) {
        GateOutcome::Fail
    } else if has(GateOutcome::NotGateable) || checks.is_empty() || !unmatched.is_empty() {
        GateOutcome::NotGateable
    } else if has(GateOutcome::Inconclusive) {
        GateOutcome::Inconclusive
    } else {
        GateOutcome::Pass
    };
    // What could not be read may hold what the gate looks for.
    let is_hidden = unread > 0 && matches!(found, GateOutcome::Pass | GateOutcome::Inconclusive);
    let outcome = if is_hidden { GateOutcome::NotGateable } else { found };
    let deciding: Vec<_> = checks.iter().filter(|check| check.outcome == outcome).collect();
    let example = deciding.iter().find_map(|check| Some(example(check, check.cell?)));
    Some(DeclaredCounts {
        gate: gate.clone(),
        outcome,
        count: deciding.len(),
        of: checks.len(),
        example,
        unmatched,
        unread: if is_hidden { unread } else { 0 },
    })
}

/// Each rule on each result that it asks of, and on the expectations where there are any.
fn checks<'c>(
    gate: &DeclaredGate,
    chosen: &[&'c Comparison<'c>],
    expectations: Option<Expectations>,
) -> Vec<DeclaredCheck<'c>> {
    let mut checks = Vec::new();
    for &rule in &gate.rules {
        if rule == DeclaredRule::Expectation {
            let outcome = expectations.map(|all| super::expectation(all).outcome);
            checks.extend(outcome.map(|outcome| DeclaredCheck {
                rule,
                outcome,
                cell: None,
                cause: None,
            }));
        } else {
            let of_cell = |&cell: &&'c Comparison<'c>| {
                let found = check(rule, cell)?;
                let (outcome, cause) = (found.unwrap_or(GateOutcome::NotGateable), found.err());
                Some(DeclaredCheck { rule, outcome, cell: Some(cell), cause })
            };
            checks.extend(chosen.iter().filter_map(of_cell));
        }
    }
    checks
}

fn example(check: &DeclaredCheck<'_>, cell: &Comparison<'_>) -> DeclaredExample {
    let key = &cell.cell.key;
    DeclaredExample {
        rule: check.rule,
        cause: check.cause,
        metric: key.metric.clone(),
        dataset: key.dataset.clone(),
        dims: key.dims.clone(),
        figure: cell.own_figure(PairArm::Candidate),
        unit: cell.cell.spec.unit,
    }
}

fn is_chosen(cell: &Comparison<'_>, gate: &DeclaredGate) -> bool {
    let DeclaredGate { metrics, roles, datasets, .. } = gate;
    let key = &cell.cell.key;
    let is_asked = if metrics.is_empty() && roles.is_empty() {
        cell.cell.is_judged()
    } else {
        (metrics.is_empty() || metrics.contains(&key.metric))
            && (roles.is_empty() || cell.cell.metric_role().is_some_and(|one| roles.contains(&one)))
    };
    is_asked && (datasets.is_empty() || datasets.iter().any(|name| is_dataset(name, cell)))
}

fn is_dataset(name: &str, cell: &Comparison<'_>) -> bool {
    cell.cell.key.dataset.as_ref().is_some_and(|dataset| dataset.eq_ignore_ascii_case(name))
}

/// Names that the gate lists and none of its results has.
fn unmatched(gate: &DeclaredGate, chosen: &[&Comparison<'_>]) -> Vec<String> {
    let has_metric = |name: &String| chosen.iter().any(|cell| cell.cell.key.metric == *name);
    let has_role =
        |role: &MetricRole| chosen.iter().any(|cell| cell.cell.metric_role() == Some(*role));
    let has_dataset = |name: &String| chosen.iter().any(|cell| is_dataset(name, cell));
    let metrics = gate.metrics.iter().filter(|name| !has_metric(name)).cloned();
    let roles = gate.roles.iter().filter(|role| !has_role(role)).map(|role| role.name().to_owned());
    let datasets = gate.datasets.iter().filter(|name| !has_dataset(name)).cloned();
    metrics.chain(roles).chain(datasets).collect()
}

/// What a rule says of a result, or why it says nothing; `None` where it does not ask.
fn check(rule: DeclaredRule, cell: &Comparison<'_>) -> Option<Judged> {
    let is_blocked = matches!(cell.reason, Some(VerdictReason::Blocked(_)));
    match rule {
        DeclaredRule::Expectation => None,
        DeclaredRule::Complete => Some(if one_sided(cell) || cut_short(cell) {
            Err(UnjudgedCause::Missing)
        } else {
            Ok(GateOutcome::Pass)
        }),
        DeclaredRule::Coverage(least) => Some(match cell.cell.coverage {
            Some(coverage) if 1.0 - coverage.lost_share() >= least => Ok(GateOutcome::Pass),
            Some(_) => Ok(GateOutcome::Fail),
            None => Err(UnjudgedCause::Missing),
        }),
        _ if is_blocked => Some(Err(UnjudgedCause::Blocked)),
        DeclaredRule::Floor(amount) => Some(threshold(cell, amount, 1.0)),
        DeclaredRule::Ceiling(amount) => Some(threshold(cell, amount, -1.0)),
        DeclaredRule::Margin(_) | DeclaredRule::MaxDrop(_) => against_baseline(rule, cell),
    }
}

/// Whether the candidate's figure lies on the right side of a limit, above it with `sign` 1 and below
/// it with -1: over its whole interval where its samples give one, else as it is stated.
fn threshold(cell: &Comparison<'_>, amount: Amount, sign: f64) -> Judged {
    let limit = amount.in_unit(cell.cell.spec.unit).ok_or(UnjudgedCause::Unit)?;
    let figure = cell.own_figure(PairArm::Candidate).filter(|figure| figure.is_finite());
    let figure = figure.ok_or(UnjudgedCause::Missing)?;
    let ends = cell.arm_interval(PairArm::Candidate).unwrap_or([figure; 2]);
    let holds = ends.map(|end| sign * end >= sign * limit);
    match holds {
        [true, true] => Ok(GateOutcome::Pass),
        [false, false] => Ok(GateOutcome::Fail),
        _ if sign * figure < sign * limit => undecided(cell),
        _ => Ok(GateOutcome::Inconclusive),
    }
}

/// What is said of a figure on the wrong side that may lie there by chance.
fn undecided(cell: &Comparison<'_>) -> Judged {
    let by_itself = fell_widened_by_candidate(cell);
    if by_itself { Err(UnjudgedCause::Spread) } else { Ok(GateOutcome::Inconclusive) }
}

/// Whether the candidate is worse than the baseline by less than is allowed.
fn against_baseline(rule: DeclaredRule, cell: &Comparison<'_>) -> Option<Judged> {
    // Totals repeat their parts, and nothing can be worse than what was not there.
    if cell.cell.total.is_some() || cell.figure(PairArm::Baseline).is_none() {
        return None;
    }
    let (margin, gain) = match allowed(rule, cell) {
        Ok(found) => found,
        Err(cause) => return Some(Err(cause)),
    };
    if let Some(shown) = cell.within_margin(margin) {
        return Some(match shown.outcome {
            NonInferiorityShown::Pass => Ok(GateOutcome::Pass),
            NonInferiorityShown::Fail => Ok(GateOutcome::Fail),
            NonInferiorityShown::Inconclusive => undecided(cell),
        });
    }
    match rule {
        // A share of a number without samples, such as a time, is asked of the number itself.
        DeclaredRule::MaxDrop(_) if cell.analysis.is_none() && gain >= -margin => {
            Some(Ok(GateOutcome::Pass))
        }
        DeclaredRule::MaxDrop(_) if cell.analysis.is_none() => Some(Ok(GateOutcome::Fail)),
        _ if cell.reason == Some(VerdictReason::NotAnAverage) && gain >= 0.0 => None,
        _ => Some(Err(UnjudgedCause::Spread)),
    }
}

/// How much worse the candidate may be, and how much better it is, in the unit of the difference.
fn allowed(rule: DeclaredRule, cell: &Comparison<'_>) -> Result<(f64, f64), UnjudgedCause> {
    let unit = cell.cell.spec.unit;
    let sign = cell.cell.spec.direction.sign();
    if cell.delta.is_some() && sign.is_none() {
        return Err(UnjudgedCause::Direction);
    }
    let margin = match rule {
        DeclaredRule::Margin(margin) => {
            Some(margin.value).filter(|_| !margin.in_points || unit.is_rate())
        }
        DeclaredRule::MaxDrop(share) => {
            let baseline = cell.figure(PairArm::Baseline).map(f64::abs);
            baseline.map(|figure| share * figure * unit.shown_scale())
        }
        _ => None,
    };
    let gain = cell.delta.zip(sign).map(|(delta, sign)| sign * delta);
    Ok((margin.ok_or(UnjudgedCause::Unit)?, gain.ok_or(UnjudgedCause::Missing)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_a_number_with_or_without_a_percent_sign() {
        for (text, expected, share) in [
            ("80%", Some((80.0, true)), Some(0.8)),
            (" 0.5 % ", Some((0.5, true)), Some(0.005)),
            ("0.8", Some((0.8, false)), Some(0.8)),
            ("1.5", Some((1.5, false)), None),
            ("-3", Some((-3.0, false)), None),
            ("101%", Some((101.0, true)), None),
            ("5pp", None, None),
            ("nan", None, None),
            ("inf", None, None),
            ("", None, None),
        ] {
            let found = Amount::parse(text);
            assert_eq!(found.map(|one| (one.value, one.is_percent)), expected, "{text}");
            assert_eq!(found.and_then(Amount::share), share, "{text}");
        }
    }

    #[test]
    fn a_limit_of_a_rate_is_written_in_percent_and_no_other_is() {
        let eighty = Amount { value: 80.0, is_percent: true };
        let plain = Amount { value: 80.0, is_percent: false };
        for (amount, unit, expected) in [
            (eighty, Unit::Fraction, Some(0.8)),
            (eighty, Unit::Percent, Some(80.0)),
            (eighty, Unit::Seconds, None),
            (plain, Unit::Seconds, Some(80.0)),
            (plain, Unit::Fraction, None),
        ] {
            assert_eq!(amount.in_unit(unit), expected, "{amount:?} {unit:?}");
        }
    }
}
