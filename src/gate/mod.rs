//! Gates: what makes the process fail, and what it does with results it cannot judge.

mod amount;
mod declared;
mod doubts;
mod freshness;
mod judged;
mod undecided;
mod unseen;

pub use amount::Amount;
pub use declared::{
    DeclaredCounts, DeclaredExample, DeclaredGate, DeclaredRule, ExampleSubject, GateTier,
    OnInconclusive, UnjudgedCause,
};
pub use judged::{GateBasis, GateEffect, JudgedGate};

use serde::Deserialize;

use crate::check::{CheckFindings, Grade};
use crate::compare::{
    Comparison, NonInferiority, NonInferiorityShown, Suite, Verdict, VerdictReason,
};
use crate::diag::{Diagnostic, Severity};
use crate::model::Run;
use crate::pairing::{PairArm, PairedArms};
use crate::quantity::Moment;
use doubts::Doubts;
use freshness::Clock;
use undecided::{is_blocked, is_undecidable, says_away};
use unseen::Unseen;

/// One thing that `--fail-on` can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GateRule {
    /// Some cell, or some average over datasets, is worse.
    Regression,
    /// Runs are confounded or not comparable.
    Mismatch,
    /// A result that one arm has is missing in the other.
    Missing,
    /// There is a finding of severity warning or error.
    Warning,
    /// An expectation of a phase is missed or violated.
    Expectation,
}

impl GateRule {
    pub const ALL: [Self; 5] =
        [Self::Regression, Self::Mismatch, Self::Missing, Self::Warning, Self::Expectation];

    pub fn name(self) -> &'static str {
        match self {
            Self::Regression => "regression",
            Self::Mismatch => "mismatch",
            Self::Missing => "missing",
            Self::Warning => "warning",
            Self::Expectation => "expectation",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GateOutcome {
    /// The rule was looked for and not found.
    Pass,
    /// The rule was found.
    Fail,
    /// The data cannot tell. Does not fail the process, and is never called a pass.
    Inconclusive,
    /// There is nothing that could be judged.
    NotGateable,
}

impl GateOutcome {
    /// The name in `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Inconclusive => "inconclusive",
            Self::NotGateable => "not-gateable",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gate {
    pub rule: GateRule,
    pub outcome: GateOutcome,
    /// How many cells, candidates or findings decided it.
    pub count: usize,
    /// How many it looked at.
    pub of: usize,
    /// How many of these are averages over datasets.
    pub averages: usize,
    /// How many of these it judged by non-inferiority within a declared margin.
    pub within_margin: usize,
    /// How many findings it does not count because the user accepted them; of a regression, how many
    /// cells and averages it could judge only because of that.
    pub accepted: usize,
    /// How many cells it left open because another run of the baseline could differ as much.
    pub within_noise: usize,
    /// How many cells it does not judge because their role asks for no verdict.
    pub described: usize,
    /// How many results of the baseline that could have become worse lack their counterpart.
    pub missing: usize,
    /// How many results that could have become worse are not comparable, beside others that are.
    pub blocked: usize,
    /// How many files of the runs could not be read, which may hold what it looks for.
    pub unread: usize,
    /// How many runs have two figures for one thing, or two values of a setting that decides scores.
    pub contradicting: usize,
    /// How many runs record no settings, beside runs that do; counts for a mismatch alone.
    pub silent: usize,
    /// In how many pairs one side alone records settings that decide scores; for a mismatch alone.
    pub one_sided: usize,
    /// How many metrics were to decide and are in no run; for a regression alone.
    pub absent: usize,
    /// Whether it is closed by these alone.
    pub is_closed_unseen: bool,
    /// Why it could judge no result at all.
    pub nothing: Option<NothingJudged>,
}

/// Why a regression cannot be looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NothingJudged {
    NotComparable,
    /// No result is in both arms.
    InBoth,
    WithoutSize,
    WithoutDirection,
    /// Each result has a reason of its own.
    Other,
}

impl NothingJudged {
    /// The end of a key of the catalogue.
    pub fn key(self) -> &'static str {
        match self {
            Self::NotComparable => "nothing-not-comparable",
            Self::InBoth => "nothing-in-both",
            Self::WithoutSize => "nothing-without-size",
            Self::WithoutDirection => "nothing-without-direction",
            Self::Other => "nothing-judged",
        }
    }

    fn new(cells: &[&Comparison<'_>], is_incomparable: bool) -> Self {
        let has = |reason| cells.iter().any(|one| one.reason == Some(reason));
        if is_incomparable {
            Self::NotComparable
        } else if cells.iter().all(|one| one.delta.is_none()) {
            Self::InBoth
        } else if has(VerdictReason::SizeUnknown) {
            Self::WithoutSize
        } else if has(VerdictReason::DirectionUnknown) {
            Self::WithoutDirection
        } else {
            Self::Other
        }
    }
}

impl Gate {
    fn new(rule: GateRule, outcome: GateOutcome, count: usize, of: usize) -> Self {
        Self {
            rule,
            outcome,
            count,
            of,
            averages: 0,
            within_margin: 0,
            accepted: 0,
            within_noise: 0,
            described: 0,
            missing: 0,
            blocked: 0,
            unread: 0,
            contradicting: 0,
            silent: 0,
            one_sided: 0,
            absent: 0,
            is_closed_unseen: false,
            nothing: None,
        }
    }

    /// The same gate over runs of which something could not be seen: what it found stands, and that it
    /// found nothing is no pass. A gate that asks for findings has those about the files themselves.
    fn beside_unseen(self, unseen: Unseen, doubts: Doubts) -> Self {
        let looks_at_files =
            matches!(self.rule, GateRule::Regression | GateRule::Mismatch | GateRule::Missing);
        let compares_settings = self.rule == GateRule::Mismatch;
        let of_settings = |count: usize| if compares_settings { count } else { 0 };
        let looks_at_scores = looks_at_files && !compares_settings;
        let files = if looks_at_files { unseen.files } else { 0 };
        let scores = if looks_at_scores { doubts.scores } else { 0 };
        let unread = files + scores + of_settings(unseen.data_files);
        let contradicting = match self.rule {
            GateRule::Regression => doubts.figures,
            GateRule::Mismatch => doubts.settings,
            _ => 0,
        };
        let (silent, one_sided) = (of_settings(unseen.silent_runs), of_settings(unseen.one_sided));
        let absent = if self.rule == GateRule::Regression { unseen.absent } else { 0 };
        let hides = unread + contradicting + silent + one_sided + absent > 0;
        let is_closed_unseen =
            hides && matches!(self.outcome, GateOutcome::Pass | GateOutcome::Inconclusive);
        let outcome = if is_closed_unseen { GateOutcome::NotGateable } else { self.outcome };
        Self { outcome, unread, contradicting, silent, one_sided, absent, is_closed_unseen, ..self }
    }

    /// Whether it is closed because it found what it looked for, and not because it could not look.
    pub fn is_blocked(&self) -> bool {
        self.outcome == GateOutcome::NotGateable
            && !self.is_closed_unseen
            && matches!(self.rule, GateRule::Mismatch | GateRule::Missing)
    }
}

/// How many expectations of a phase came out how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Expectations {
    /// Missed or violated, over the whole interval.
    pub failed: usize,
    /// Judged, and not over the whole interval, or not without a doubt about the unit.
    pub open: usize,
    /// Not judged: no figure, not comparable, not readable.
    pub unjudged: usize,
    pub of: usize,
}

/// The gate of [`GateRule::Expectation`]: fails where one is missed or violated for sure, is closed where
/// one could not be judged, and stays undecided where an interval reaches over a border.
fn expectation(all: Expectations) -> Gate {
    let Expectations { failed, open, unjudged, of } = all;
    let (outcome, count) = if failed > 0 {
        (GateOutcome::Fail, failed)
    } else if unjudged > 0 || of == 0 {
        (GateOutcome::NotGateable, unjudged)
    } else if open > 0 {
        (GateOutcome::Inconclusive, open)
    } else {
        (GateOutcome::Pass, of)
    };
    Gate::new(GateRule::Expectation, outcome, count, of)
}

/// What the user asks to be judged.
#[derive(Debug, Clone, Copy)]
pub struct AskedGates<'a> {
    /// `--fail-on`.
    pub rules: &'a [GateRule],
    /// `[gate.NAME]`.
    pub declared: &'a [DeclaredGate],
    /// Whether a rule that stays undecided fails.
    pub strict: bool,
    /// What the age of runs is counted from.
    pub now: Moment,
}

/// Evaluates every rule and every declared gate. Those about expectations are judged of a phase alone.
pub fn evaluate(
    asked: AskedGates<'_>,
    paired_arms: &PairedArms<'_>,
    findings: &[CheckFindings],
    comparisons: &[Vec<Comparison<'_>>],
    suites: &[Suite<'_>],
    (collected, expectations): (&[Diagnostic], Option<Expectations>),
) -> Vec<JudgedGate> {
    let cells: Vec<&Comparison<'_>> = comparisons.iter().flatten().collect();
    let unseen = Unseen::of(paired_arms, findings, collected);
    let doubts = Doubts::among(paired_arms, findings, collected);
    let is_asked = asked.rules.contains(&GateRule::Expectation);
    let of_phase = expectations.filter(|_| is_asked).map(expectation);
    let hidden = (unseen, doubts);
    let of_rules = rules_of_cells(asked.rules, findings, &cells, suites, (collected, hidden));
    let of_rules = of_rules.into_iter().chain(of_phase);
    let unread = unseen.files + doubts.scores + doubts.figures;
    let candidates: Vec<&Run> =
        paired_arms.pairs.iter().flat_map(|pair| pair.runs(PairArm::Candidate)).collect();
    let over = (&*cells, &*candidates);
    let said = findings.iter().flat_map(|one| &one.diagnostics).chain(collected);
    let undated = freshness::undated(&candidates, said);
    let clock = Clock { now: asked.now, undated };
    let judge = |gate| declared::judge(gate, over, expectations, (unread, &clock));
    let declared = asked.declared.iter().filter_map(judge);
    let declared = declared.map(JudgedGate::of_declared);
    of_rules.map(|gate| JudgedGate::of_rule(gate, asked.strict)).chain(declared).collect()
}

/// The rules but that about expectations; see [`expectation`].
fn rules_of_cells(
    rules: &[GateRule],
    findings: &[CheckFindings],
    cells: &[&Comparison<'_>],
    suites: &[Suite<'_>],
    (collected, (unseen, doubts)): (&[Diagnostic], (Unseen, Doubts)),
) -> Vec<Gate> {
    rules
        .iter()
        .filter_map(|&rule| {
            let gate = match rule {
                GateRule::Expectation => return None,
                GateRule::Regression => regression(findings, cells, suites),
                GateRule::Mismatch => mismatch(findings),
                GateRule::Missing => {
                    let count = cells.iter().filter(|one| one_sided(one) || cut_short(one)).count();
                    let outcome =
                        if count > 0 { GateOutcome::NotGateable } else { GateOutcome::Pass };
                    Gate::new(rule, outcome, count, cells.len())
                }
                GateRule::Warning => warning(findings, collected),
            };
            Some(gate.beside_unseen(unseen, doubts))
        })
        .collect()
}

/// Closed while a candidate is confounded or not comparable, wholly or in part. What was accepted and
/// lets itself be lifted does not count, which the gate says.
fn mismatch(findings: &[CheckFindings]) -> Gate {
    let differs = |one: &&CheckFindings| one.grade >= Grade::Confounded || !one.parts.is_empty();
    let count = findings.iter().filter(differs).count();
    let outcome = if count > 0 { GateOutcome::NotGateable } else { GateOutcome::Pass };
    let accepted = findings.iter().flat_map(CheckFindings::accepted_mismatches);
    let accepted = accepted.filter(|finding| finding.is_lifted()).count();
    Gate { accepted, ..Gate::new(GateRule::Mismatch, outcome, count, findings.len()) }
}

/// Fails on any warning or error that was not accepted, or that accepting does not lift.
fn warning(findings: &[CheckFindings], collected: &[Diagnostic]) -> Gate {
    let found = findings.iter().flat_map(|one| &one.diagnostics).chain(collected);
    let loud = found.filter(|one| one.severity >= Severity::Warning);
    let (accepted, counted): (Vec<_>, Vec<_>) = loud.partition(|one| one.is_lifted());
    let count = counted.len();
    let outcome = if count > 0 { GateOutcome::Fail } else { GateOutcome::Pass };
    Gate { accepted: accepted.len(), ..Gate::new(GateRule::Warning, outcome, count, count) }
}

/// Whether one arm has a figure that the other lacks, although it records what it follows from.
fn one_sided(comparison: &Comparison<'_>) -> bool {
    PairArm::BOTH.iter().any(|&which| comparison.pair.lacks(comparison.cell, which))
        || says_away(comparison)
}

/// Whether the candidate could have become worse where it, or one of its runs, has no figure.
fn leaves_open(one: &Comparison<'_>) -> bool {
    let is_judged = one.cell.is_judged();
    one.pair.leaves_open(one.cell) || (is_judged && one.reason == Some(VerdictReason::SeedMissing))
}

/// Whether one arm lacks too many of the samples, or of the scores, that the other has, or a run of
/// it lacks the figure.
fn cut_short(comparison: &Comparison<'_>) -> bool {
    match comparison.reason {
        Some(VerdictReason::Blocked(code)) => code.means_incomplete(),
        reason => reason == Some(VerdictReason::SeedMissing),
    }
}

/// Fails on any cell, or average over datasets, that is worse: by more than its margin where one is
/// declared, at all elsewhere. Passes only when every one passes, so it needs no correction for
/// their number (an intersection–union test, Berger 1982): one with a margin when non-inferiority
/// is shown, another when it is better or identical. An undecided one, a real change of a metric
/// whose good side nobody declared, a figure of unknown size or that cannot be, or one that cannot be
/// tested and moved to the bad side, keeps the gate undecided. An incomparable run closes it, and so
/// does a figure of the baseline without a counterpart: a dataset that was never evaluated cannot be
/// shown to be no worse. A result that could have become worse and is not comparable closes it too, and
/// so does one that fell and stays undecided by what the candidate alone says of its samples.
fn regression(findings: &[CheckFindings], cells: &[&Comparison<'_>], suites: &[Suite<'_>]) -> Gate {
    let of_cells = cells
        .iter()
        .filter(|one| one.cell.is_judged())
        .map(|one| (one.noninferiority, (one.verdict, one.reason), !one.accepted.is_empty()));
    let of_suites = suites
        .iter()
        .filter(|one| one.spec.has_good_side())
        .filter(|one| one.role.is_none_or(|given| given.role.is_judged()))
        .map(|one| (one.noninferiority, (one.verdict, one.reason), !one.accepted.is_empty()));
    let both = of_cells.clone().chain(of_suites.clone());
    let within_margin = both.clone().filter(|(shown, ..)| shown.is_some()).count();
    let accepted =
        both.filter(|&(shown, verdict, accepted)| accepted && regressed(shown, verdict).is_some());
    let accepted = accepted.count();
    let outcomes = |(shown, verdict, _)| regressed(shown, verdict);
    let singly: Vec<GateOutcome> = of_cells.filter_map(outcomes).collect();
    let averaged: Vec<GateOutcome> = of_suites.filter_map(outcomes).collect();
    let count = |judged: &[GateOutcome], wanted: GateOutcome| {
        judged.iter().filter(|outcome| **outcome == wanted).count()
    };
    let both = |wanted: GateOutcome| count(&singly, wanted) + count(&averaged, wanted);
    let unjudged =
        cells.iter().filter(|one| one.reason == Some(VerdictReason::DirectionUnknown)).count();
    let undecidable = cells.iter().filter(|one| is_undecidable(one)).count();
    let open = both(GateOutcome::Inconclusive) + unjudged + undecidable;
    let incomparable = findings.iter().any(|one| one.grade == Grade::NotComparable);
    let blocked = cells.iter().filter(|one| is_blocked(one)).count();
    let decided = singly.len() + averaged.len();
    let of = if decided == 0 { 0 } else { decided + unjudged + undecidable };
    let missing = cells.iter().filter(|one| leaves_open(one)).count();
    let (outcome, count) = if both(GateOutcome::Fail) > 0 {
        (GateOutcome::Fail, both(GateOutcome::Fail))
    } else if incomparable || of == 0 || missing > 0 || blocked > 0 {
        (GateOutcome::NotGateable, of)
    } else if open > 0 {
        (GateOutcome::Inconclusive, open)
    } else {
        (GateOutcome::Pass, of)
    };
    let averages = averaged.len();
    let drowned = cells.iter().filter(|one| one.reason == Some(VerdictReason::WithinNoise));
    let within_noise = drowned.filter(|one| one.cell.is_judged()).count();
    let is_described = |one: &&&Comparison<'_>| {
        one.cell.has_good_side() && one.cell.is_described_by_role() && one.delta.is_some()
    };
    Gate {
        averages,
        within_margin,
        accepted,
        within_noise,
        described: cells.iter().filter(is_described).count(),
        missing: if incomparable || of == 0 { 0 } else { missing },
        blocked: if incomparable || of == 0 { 0 } else { blocked },
        nothing: (incomparable || of == 0).then(|| NothingJudged::new(cells, incomparable)),
        ..Gate::new(GateRule::Regression, outcome, count, of)
    }
}

/// What one cell, or one average, says about a regression; `None` where it says nothing.
fn regressed(
    shown: Option<NonInferiority>,
    (verdict, reason): (Verdict, Option<VerdictReason>),
) -> Option<GateOutcome> {
    if let Some(shown) = shown {
        return Some(match shown.outcome {
            NonInferiorityShown::Pass => GateOutcome::Pass,
            NonInferiorityShown::Fail => GateOutcome::Fail,
            NonInferiorityShown::Inconclusive => GateOutcome::Inconclusive,
        });
    }
    match verdict {
        Verdict::Worse => Some(GateOutcome::Fail),
        Verdict::Inconclusive if reason == Some(VerdictReason::GuardHeld) => {
            Some(GateOutcome::Pass)
        }
        Verdict::Inconclusive => Some(GateOutcome::Inconclusive),
        Verdict::Better | Verdict::Equivalent | Verdict::Identical => Some(GateOutcome::Pass),
        Verdict::NotAssessable => None,
    }
}
