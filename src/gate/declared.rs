//! Gates that a user declares: rules over the results of some metrics, roles and datasets.

use serde::Deserialize;

use super::amount::Amount;
use super::freshness::{Age, Clock};
use super::undecided::fell_widened_by_candidate;
use super::{Expectations, GateOutcome, cut_short, one_sided};
use crate::compare::{Comparison, NonInferiorityShown, VerdictReason};
use crate::model::{Dims, Margin, MetricRole, Run};
use crate::pairing::PairArm;
use crate::quantity::{Period, Unit};

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
    /// No run of the candidates is older.
    Freshness(Period),
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
            Self::Freshness(_) => "freshness",
        }
    }

    /// Whether it is asked of results, and not of expectations or of runs.
    fn is_of_results(self) -> bool {
        !matches!(self, Self::Expectation | Self::Freshness(_))
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

/// What a rule is held against.
#[derive(Clone, Copy)]
enum Subject<'c> {
    Result(&'c Comparison<'c>),
    Run(&'c Run),
    Expectations,
}

/// One rule held against one result, one run, or all expectations.
struct DeclaredCheck<'c> {
    rule: DeclaredRule,
    outcome: GateOutcome,
    subject: Subject<'c>,
    /// Why it says nothing.
    cause: Option<UnjudgedCause>,
}

/// The first check that decided a gate.
#[derive(Debug, Clone)]
pub struct DeclaredExample {
    pub rule: DeclaredRule,
    pub subject: ExampleSubject,
    /// Why it could not be evaluated, where it could not.
    pub cause: Option<UnjudgedCause>,
}

/// What decided a gate.
#[derive(Debug, Clone)]
pub enum ExampleSubject {
    Result {
        metric: String,
        dataset: Option<String>,
        dims: Dims,
        /// The candidate's figure, in its unit.
        figure: Option<f64>,
        unit: Unit,
    },
    Run {
        id: String,
    },
}

/// Why a rule says nothing of a result or a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnjudgedCause {
    Missing,
    Blocked,
    Direction,
    Unit,
    Spread,
    /// A run says nowhere when it was made.
    Undated,
    /// A run says that it was made later than now.
    Future,
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
            Self::Undated => "undated",
            Self::Future => "future",
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
    /// How many there were: each rule on each result or run.
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
    (cells, candidates): (&[&Comparison<'_>], &[&Run]),
    expectations: Option<Expectations>,
    (unread, clock): (usize, &Clock),
) -> Option<DeclaredCounts> {
    let is_of_phase = |rule: &DeclaredRule| *rule == DeclaredRule::Expectation;
    if expectations.is_none() && gate.rules.iter().all(is_of_phase) {
        return None;
    }
    let chosen: Vec<&Comparison<'_>> =
        cells.iter().copied().filter(|cell| is_chosen(cell, gate)).collect();
    let asks_results = gate.rules.iter().any(|rule| rule.is_of_results());
    let unmatched = if asks_results { unmatched(gate, &chosen) } else { Vec::new() };
    let mut checks = checks(gate, &chosen, expectations);
    let has_no_result = asks_results && checks.is_empty();
    checks.extend(age_checks(gate, candidates, clock));
    let has = |wanted| checks.iter().any(|check| check.outcome == wanted);
    let found = if has(GateOutcome::Fail) {
        GateOutcome::Fail
    } else if has(GateOutcome::NotGateable)
        || has_no_result
        || checks.is_empty()
        || !unmatched.is_empty()
    {
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
    let example = deciding.iter().find_map(|check| example(check));
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
                subject: Subject::Expectations,
                cause: None,
            }));
        } else {
            let of_cell = |&cell: &&'c Comparison<'c>| {
                let found = check(rule, cell)?;
                let (outcome, cause) = (found.unwrap_or(GateOutcome::NotGateable), found.err());
                Some(DeclaredCheck { rule, outcome, subject: Subject::Result(cell), cause })
            };
            checks.extend(chosen.iter().filter_map(of_cell));
        }
    }
    checks
}

/// The rules about the age of runs on each of them.
fn age_checks<'c>(
    gate: &DeclaredGate,
    candidates: &[&'c Run],
    clock: &Clock,
) -> impl Iterator<Item = DeclaredCheck<'c>> {
    let limits = gate.rules.iter().filter_map(|rule| match rule {
        DeclaredRule::Freshness(limit) => Some(*limit),
        _ => None,
    });
    limits.flat_map(move |limit| {
        candidates.iter().map(move |&run| {
            let (outcome, cause) = match clock.age(limit, run) {
                Age::Within => (GateOutcome::Pass, None),
                Age::Beyond => (GateOutcome::Fail, None),
                Age::Unknown => (GateOutcome::NotGateable, Some(UnjudgedCause::Undated)),
                Age::OfTheFuture => (GateOutcome::NotGateable, Some(UnjudgedCause::Future)),
            };
            let rule = DeclaredRule::Freshness(limit);
            DeclaredCheck { rule, outcome, subject: Subject::Run(run), cause }
        })
    })
}

fn example(check: &DeclaredCheck<'_>) -> Option<DeclaredExample> {
    let subject = match check.subject {
        Subject::Result(cell) => {
            let key = &cell.cell.key;
            ExampleSubject::Result {
                metric: key.metric.clone(),
                dataset: key.dataset.clone(),
                dims: key.dims.clone(),
                figure: cell.own_figure(PairArm::Candidate),
                unit: cell.cell.spec.unit,
            }
        }
        Subject::Run(run) => ExampleSubject::Run { id: run.id.clone() },
        Subject::Expectations => return None,
    };
    Some(DeclaredExample { rule: check.rule, cause: check.cause, subject })
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
        DeclaredRule::Expectation | DeclaredRule::Freshness(_) => None,
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
