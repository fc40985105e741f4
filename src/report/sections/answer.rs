//! The result in one sentence: how many verdicts of which kind, worst first, with the gates that do
//! not hold and the figures that matter most.

use std::collections::BTreeMap;

use super::{phrases, suite, training_curves};
use crate::compare::{Comparison, Suite, Verdict, VerdictReason};
use crate::gate::{GateEffect, GateOutcome, GateTier, JudgedGate};
use crate::model::MetricRole;
use crate::pairing::PairArm;
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::block::{Icon, Text, Tone};
use crate::stats::Interval;
use crate::text::Catalogue;

/// Most figures that the sentence names.
const MOST_NAMED: usize = 3;

/// The overall result of all comparisons and gates.
pub(in crate::report) struct Answer {
    pub(in crate::report) tone: Tone,
    icon: Icon,
    /// The name in `report.json`: `failed`, `worse`, `undecided`, `better`, `unchanged`,
    /// `no-verdict`; of gates alone that are not failed, `undecided` or `passed`.
    pub(in crate::report) outcome: &'static str,
    text: Text,
}

/// What a kind of report asks beside how arms compare, answered: it is as binding as a gate.
#[derive(Debug)]
pub struct Lead {
    pub tone: Tone,
    pub text: String,
    /// What to do about it, where nothing graver has to be done.
    pub next: Option<String>,
}

impl Answer {
    /// The sentence behind its sign.
    pub(in crate::report) fn into_text(self) -> Text {
        self.text.0.into_iter().fold(Text::icon(self.icon).and_plain(" "), Text::and)
    }

    /// What was asked beside comparisons: gates, and what a kind asks; `open` is the sign of what
    /// neither holds nor fails.
    fn of_rules(tone: Tone, text: String, open: Icon) -> Self {
        let (outcome, icon) = match tone {
            Tone::Danger => ("failed", Icon::Bad),
            Tone::Warning | Tone::Note => ("undecided", open),
            Tone::Good => ("passed", Icon::Good),
        };
        Self { tone, icon, outcome, text: Text::strong(text) }
    }

    fn of_lead(lead: &Lead) -> Self {
        Self::of_rules(lead.tone, lead.text.clone(), Icon::Open)
    }

    /// With what a kind asks. What is missed there stands first and is failed, whatever the comparisons
    /// say; what is open there has a sign of its own, because the results may not be.
    fn beside(self, lead: &Lead) -> Self {
        let asked = Self::of_lead(lead);
        let tone = self.tone.max(asked.tone);
        if asked.tone == Tone::Danger {
            return Self { text: joined(asked.text, self.text), ..asked };
        }
        let second = if asked.tone > self.tone { asked.into_text() } else { asked.text };
        Self { tone, text: joined(self.text, second), ..self }
    }
}

/// Two sentences behind each other.
fn joined(first: Text, second: Text) -> Text {
    second.0.into_iter().fold(first.and_plain(" "), Text::and)
}

/// The answer of a report; `None` where nothing was compared, and neither a gate nor the kind asked.
pub(in crate::report) fn answer(
    material: &ReportMaterial<'_>,
    lead: Option<&Lead>,
) -> Option<Answer> {
    match (of_results(material), lead) {
        (Some(answer), Some(lead)) => Some(answer.beside(lead)),
        (None, Some(lead)) => Some(Answer::of_lead(lead)),
        (answer, None) => answer,
    }
}

/// What all comparisons and gates say.
fn of_results(material: &ReportMaterial<'_>) -> Option<Answer> {
    let words = material.words;
    let results = results(material);
    let gates = gates(material.gates, words);
    if results.is_empty() {
        let of_gates = gates.map(|(tone, text)| Answer::of_rules(tone, text, Icon::Caution));
        return of_gates.or_else(|| of_curves(material));
    }
    let gate_tone = gates.as_ref().map_or(Tone::Good, |(tone, _)| *tone);
    let (tone, outcome, icon) = match (gate_tone, severity(&results)) {
        (Tone::Danger, _) => (Tone::Danger, "failed", Icon::Bad),
        (_, severity) => severity,
    };
    let mut text = Text::strong(counts(&results, words));
    let gap = words.get("punctuation.semicolon");
    let details: Vec<String> =
        against(material).into_iter().chain(gates.map(|(_, gates)| gates)).collect();
    if !details.is_empty() {
        text = text.and_plain(words.fill("phrase.detail", &[("detail", details.join(&gap))]));
    }
    let is_open = results.len() > 1
        && results.iter().all(|one| !one.tells())
        && results.iter().any(|one| one.verdict == Verdict::Inconclusive);
    let (colon, named) = if is_open {
        ("answer.closest", closest(&results).into_iter().collect())
    } else {
        ("punctuation.colon", named(&results))
    };
    if !named.is_empty() {
        text = text.and_plain(words.get(colon));
        let several = material.paired_arms.pairs.len() > 1;
        for (position, one) in named.iter().enumerate() {
            text = if position > 0 { text.and_plain(gap.as_str()) } else { text };
            text = one.figure(several, words).0.into_iter().fold(text, Text::and);
        }
    }
    let text = text.and_plain(words.get("punctuation.full-stop"));
    let icon = if gate_tone > tone { Icon::Caution } else { icon };
    Some(Answer { tone: tone.max(gate_tone), icon, outcome, text })
}

/// What training curves come to, where they are all that both arms have.
fn of_curves(material: &ReportMaterial<'_>) -> Option<Answer> {
    let words = material.words;
    let count: usize = material.curves.iter().map(|all| all.curves.len()).sum();
    if count == 0 {
        return None;
    }
    let mut text = Text::strong(words.fill("answer.curves", &[("count", count)]));
    if let Some(against) = against(material) {
        text = text.and_plain(words.fill("phrase.detail", &[("detail", against)]));
    }
    let ends = training_curves::ends(material);
    let named = ends.iter().take(MOST_NAMED).map(String::as_str).collect::<Vec<_>>();
    let named = named.join(&words.get("punctuation.semicolon"));
    let stop = words.get("punctuation.full-stop");
    let text = text.and_plain(words.get("punctuation.colon")).and_quoting(&(named + &stop));
    Some(Answer { tone: Tone::Note, icon: Icon::Open, outcome: "no-verdict", text })
}

/// What is compared with what, where there is one candidate.
fn against(material: &ReportMaterial<'_>) -> Option<String> {
    let [pair] = material.paired_arms.pairs.as_slice() else { return None };
    let names = PairArm::BOTH.map(|which| pair.name(which));
    let args = [("baseline", names[0]), ("candidate", names[1])];
    Some(material.words.fill("answer.against", &args))
}

/// One comparison or average with what it says.
struct Judged<'m> {
    verdict: Verdict,
    reason: Option<VerdictReason>,
    role: Option<MetricRole>,
    p: Option<f64>,
    /// That of its test alone, whatever shares the level.
    single_p: Option<f64>,
    subject: Subject<'m>,
}

#[derive(Clone, Copy)]
enum Subject<'m> {
    Cell(&'m Comparison<'m>),
    Average(&'m Suite<'m>),
}

impl Judged<'_> {
    fn is_decided(&self) -> bool {
        !matches!(self.verdict, Verdict::Inconclusive | Verdict::NotAssessable)
    }

    /// Whether it says something of the difference. That nothing differs is seldom what was asked.
    fn tells(&self) -> bool {
        self.is_decided() && self.verdict != Verdict::Identical
    }

    /// Whether a finding blocks the verdict, so that the figures are not a result.
    fn is_blocked(&self) -> bool {
        matches!(self.reason, Some(VerdictReason::Blocked(_)))
    }

    /// Sort key: informative comparisons first, among them those that got worse, then by role and
    /// verdict; averages before the comparisons that they average.
    fn rank(&self) -> (bool, bool, (u8, Option<MetricRole>), usize, bool) {
        let is_cell = matches!(self.subject, Subject::Cell(_));
        let is_worse = self.verdict == Verdict::Worse;
        (!self.tells(), !is_worse, MetricRole::rank(self.role), self.verdict.urgency(), is_cell)
    }

    /// Its name, both figures and their difference.
    fn figure(&self, several: bool, words: &Catalogue) -> Text {
        let (pair, name, difference) = match self.subject {
            Subject::Cell(cell) => {
                (cell.pair, phrases::cell_name(cell, words), difference(cell, words))
            }
            Subject::Average(suite) => {
                (suite.pair, suite::name(suite, words), suite::difference(suite, words))
            }
        };
        let lead = if several {
            let name = pair.name(PairArm::Candidate);
            Text::plain(words.fill("answer.of-candidate", &[("candidate", name)]))
        } else {
            Text::empty()
        };
        name.0.into_iter().fold(lead, Text::and).and_plain(" ").and_plain(difference)
    }
}

/// Everything that can have a verdict, and figures without one where nothing can.
fn results<'m>(material: &ReportMaterial<'m>) -> Vec<Judged<'m>> {
    let cells = material.all().filter(|cell| cell.delta.is_some()).map(|cell| Judged {
        verdict: cell.verdict,
        reason: cell.reason,
        role: cell.cell.metric_role(),
        p: cell.p_adjusted(),
        single_p: phrases::single_p(cell),
        subject: Subject::Cell(cell),
    });
    let averages = material.suites.iter().map(|suite| Judged {
        verdict: suite.verdict,
        reason: suite.reason,
        role: suite.role.map(|given| given.role),
        p: suite.adjusted.map(|test| test.p),
        single_p: suite.adjusted.map(|_| suite.macro_mean.p),
        subject: Subject::Average(suite),
    });
    let described = |one: &Judged<'_>| one.reason.is_some_and(VerdictReason::is_by_role);
    cells.chain(averages).filter(|one| !described(one)).collect()
}

/// The graver of what the verdicts say: worse before undecided before better.
fn severity(results: &[Judged<'_>]) -> (Tone, &'static str, Icon) {
    let has = |verdict: Verdict| results.iter().any(|one| one.verdict == verdict);
    let best_role = results.iter().map(|one| MetricRole::rank(one.role)).min();
    let first = |one: &&Judged<'_>| Some(MetricRole::rank(one.role)) == best_role;
    let is_open = results.iter().filter(first).all(|one| !one.is_decided());
    // That some results are identical leaves open what the others are.
    let says_something = has(Verdict::Better) || has(Verdict::Equivalent);
    if has(Verdict::Worse) {
        (Tone::Danger, "worse", Icon::Bad)
    } else if (is_open || !says_something) && has(Verdict::Inconclusive) {
        (Tone::Warning, "undecided", Icon::Open)
    } else if is_open {
        (Tone::Note, "no-verdict", Icon::Open)
    } else if has(Verdict::Better) {
        (Tone::Good, "better", Icon::Good)
    } else {
        (Tone::Good, "unchanged", Icon::Good)
    }
}

/// How many results of each verdict: `3 worse, 1 better`. A single result has its verdict alone.
fn counts(results: &[Judged<'_>], words: &Catalogue) -> String {
    if let [only] = results {
        return words.get(&format!("answer.single.{}", only.verdict.name()));
    }
    let count = |verdict: Verdict| {
        let is_it = |one: &&Judged<'_>| {
            one.verdict == verdict && one.reason != Some(VerdictReason::GuardHeld)
        };
        (verdict.name(), results.iter().filter(is_it).count() as u64)
    };
    phrases::verdict_counts(Verdict::WORST_FIRST.map(count), words)
}

/// The results that a reader must know first: what got worse, then what the metrics say by which a
/// run is judged.
fn named<'r, 'm>(results: &'r [Judged<'m>]) -> Vec<&'r Judged<'m>> {
    let mut named: Vec<&Judged<'_>> = results.iter().filter(|one| !one.is_blocked()).collect();
    named.sort_by(|a, b| {
        let p = |one: &Judged<'_>| one.p.unwrap_or(1.0);
        a.rank().cmp(&b.rank()).then(p(a).total_cmp(&p(b)))
    });
    // Beside what tells something, the rest is in the table.
    let telling = named.iter().filter(|one| one.tells()).count();
    named.truncate(telling.clamp(1, MOST_NAMED));
    named
}

/// The undecided result that its own test comes nearest to deciding, where it comes near at all.
fn closest<'r, 'm>(results: &'r [Judged<'m>]) -> Option<&'r Judged<'m>> {
    let asked = |one: &&Judged<'_>| {
        one.verdict == Verdict::Inconclusive
            && matches!(one.role, Some(MetricRole::Primary | MetricRole::Secondary))
    };
    let near = results.iter().filter(asked).filter_map(|one| Some((one, one.single_p?)));
    let near = near.filter(|(_, p)| *p < phrases::FARTHEST_P);
    near.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(one, _)| one)
}

/// `25.0% → 8.0% (-17.0 pp, 95% CI -23.2 … -11.6)`.
fn difference(comparison: &Comparison<'_>, words: &Catalogue) -> String {
    let [baseline, candidate] = PairArm::BOTH.map(|which| {
        let value = comparison.figure(which).unwrap_or_default();
        phrases::figure_text(comparison, which, value, words)
    });
    let delta = phrases::delta_text(comparison, comparison.delta.unwrap_or_default());
    let interval = phrases::interval(comparison);
    let key = if interval.is_some() { "answer.figures" } else { "answer.figures-alone" };
    let interval = interval.map_or_else(String::new, |Interval { lo, hi, .. }| {
        quantity::interval_text(lo, hi, phrases::interval_decimals(comparison))
    });
    words.fill(
        key,
        &[
            ("baseline", &baseline),
            ("candidate", &candidate),
            ("delta", &delta),
            ("level", &quantity::level(1.0 - comparison.alpha)),
            ("interval", &interval),
        ],
    )
}

/// The gates that do not pass, the gravest outcome first; those that pass where all do. Gates without
/// effect are named beside.
fn gates(gates: &[JudgedGate], words: &Catalogue) -> Option<(Tone, String)> {
    let standings: Vec<(GateStanding, &str)> =
        gates.iter().map(|gate| (GateStanding::new(gate), gate.name())).collect();
    let gravest = standings.iter().map(|(standing, _)| standing.rank()).min()?;
    let shown = standings.iter().filter(|(standing, _)| {
        standing.rank() == gravest || *standing == GateStanding::NotCounted
    });
    let mut told: BTreeMap<GateStanding, Vec<&str>> = BTreeMap::new();
    for (standing, name) in shown {
        told.entry(*standing).or_default().push(name);
    }
    let tone = match gravest {
        0 => Tone::Danger,
        1 | 2 => Tone::Warning,
        3 => Tone::Note,
        _ => Tone::Good,
    };
    let told = told.into_iter().map(|(standing, names)| {
        let names = names.join(&words.get("punctuation.comma"));
        words.fill(&format!("answer.gate.{}", standing.name()), &[("names", names)])
    });
    Some((tone, told.collect::<Vec<_>>().join(&words.get("punctuation.semicolon"))))
}

/// What is said of a gate, in the order in which it is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum GateStanding {
    Failed,
    /// Undecided, which counts as failed.
    FailedOpen,
    Blocked,
    NotGateable,
    Inconclusive,
    /// It does not pass, and nothing depends on it.
    NotCounted,
    Passed,
}

impl GateStanding {
    fn new(gate: &JudgedGate) -> Self {
        match (gate.effect(), gate.outcome()) {
            (GateEffect::Fails, GateOutcome::Inconclusive) => Self::FailedOpen,
            (GateEffect::Fails, _) => Self::Failed,
            (GateEffect::Blocks, _) if gate.is_blocked() => Self::Blocked,
            (GateEffect::Blocks, _) => Self::NotGateable,
            (GateEffect::None, _) if gate.passes() => Self::Passed,
            (GateEffect::None, GateOutcome::Inconclusive) if gate.tier != GateTier::Advisory => {
                Self::Inconclusive
            }
            (GateEffect::None, _) => Self::NotCounted,
        }
    }

    fn rank(self) -> u8 {
        match self {
            Self::Failed | Self::FailedOpen => 0,
            Self::Blocked | Self::NotGateable => 1,
            Self::Inconclusive => 2,
            Self::NotCounted => 3,
            Self::Passed => 4,
        }
    }

    /// The end of a key of the catalogue.
    fn name(self) -> &'static str {
        match self {
            Self::Failed => "fail",
            Self::FailedOpen => "inconclusive-fails",
            Self::Blocked => "blocked",
            Self::NotGateable => "not-gateable",
            Self::Inconclusive => "inconclusive",
            Self::NotCounted => "not-counted",
            Self::Passed => "pass",
        }
    }
}
