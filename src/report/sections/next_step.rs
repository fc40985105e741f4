//! What to do next: one step, from the rules and figures alone. What keeps a result from being
//! believed comes before what would make it firmer.

use indexmap::IndexSet;

use super::{comparability, lists, missing, to_run};
use crate::check::{CheckFindings, Grade};
use crate::compare::{Comparison, Verdict, VerdictReason};
use crate::diag::{Code, Effect};
use crate::model::{EvalCommand, MetricRole};
use crate::pairing::{ArmPair, ConfigChange, PairArm};
use crate::quantity;
use crate::report::ReportMaterial;
use crate::text::Catalogue;

/// The step of the first candidate that needs the gravest one; `None` where none follows.
pub(in crate::report) fn next_step(material: &ReportMaterial<'_>) -> Option<String> {
    let averages_decide = material.suites.iter().any(|suite| is_decided(suite.verdict));
    let candidate = |(pair, findings, comparisons)| Candidate {
        pair,
        findings,
        comparisons,
        averages_decide,
        eval: material.eval,
        words: material.words,
    };
    let candidates: Vec<Candidate<'_>> = material.pairs().map(candidate).collect();
    RULES.iter().find_map(|rule| candidates.iter().find_map(rule))
}

/// What is known of a candidate.
struct Candidate<'m> {
    pair: &'m ArmPair<'m>,
    findings: &'m CheckFindings,
    comparisons: &'m [Comparison<'m>],
    /// Whether some average of the report is better or worse.
    averages_decide: bool,
    /// The command for a result that is missing.
    eval: Option<&'m EvalCommand>,
    words: &'m Catalogue,
}

/// From the gravest on.
const RULES: [fn(&Candidate<'_>) -> Option<String>; 6] =
    [comparable, unconfounded, whole, directed, larger, recorded];

/// What blocks a comparison has to be repaired.
fn comparable(&Candidate { findings, words, .. }: &Candidate<'_>) -> Option<String> {
    let blocks = (findings.grade == Grade::NotComparable)
        .then(|| findings.diagnostics.iter().find(|one| one.effect() == Effect::Blocks));
    let help = words.help(blocks??)?;
    Some(words.fill("next.help", &[("help", help)]))
}

/// What differs has to be made equal or declared.
fn unconfounded(&Candidate { pair, findings, words, .. }: &Candidate<'_>) -> Option<String> {
    let confounders = comparability::confounders(findings.diagnostics.iter(), words);
    if findings.grade != Grade::Confounded || confounders.is_empty() {
        return None;
    }
    let changed: IndexSet<String> = pair.undeclared().iter().map(ConfigChange::name).collect();
    // Declaring some does not take back what was declared.
    let declared = pair.factors.keys.iter().filter(|_| !pair.factors.inferred).cloned();
    let keys: IndexSet<String> =
        if changed.is_empty() { changed } else { declared.chain(changed).collect() };
    let args = [
        ("candidate", pair.name(PairArm::Candidate).to_owned()),
        ("baseline", pair.name(PairArm::Baseline).to_owned()),
        ("confounders", lists::shortened(confounders, words)),
        ("keys", lists::joined(keys.clone(), ",")),
    ];
    let key = if keys.is_empty() { "next.equal" } else { "next.equal-or-declared" };
    Some(words.fill(key, &args))
}

/// What the candidate lacks has to be run.
fn whole(&Candidate { pair, eval, words, .. }: &Candidate<'_>) -> Option<String> {
    let count = missing::count(pair)?.to_string();
    let candidate = pair.name(PairArm::Candidate).to_owned();
    let commands =
        eval.map(|eval| to_run::lacked(pair, PairArm::Candidate, eval)).unwrap_or_default();
    let price = to_run::price(commands.len(), eval, words);
    let args = [("count", count), ("candidate", candidate)];
    let Some(first) = commands.into_iter().next() else {
        return Some(words.fill("next.missing", &args));
    };
    let [count, candidate] = args;
    let args = [count, candidate, ("price", price), ("command", first)];
    Some(words.fill("next.missing-command", &args))
}

/// A metric that nothing else decides has to be given its good side.
fn directed(&Candidate { comparisons, words, .. }: &Candidate<'_>) -> Option<String> {
    let has_side = comparisons.iter().any(|one| one.cell.is_judged() && one.delta.is_some());
    let unknown = |one: &&Comparison<'_>| one.reason == Some(VerdictReason::DirectionUnknown);
    let metric = &comparisons.iter().find(unknown).filter(|_| !has_side)?.cell.key.metric;
    Some(words.fill("next.direction", &[("metric", metric)]))
}

/// What is undecided takes more samples; where the metrics that decide leave it open.
fn larger(
    &Candidate { comparisons, averages_decide, eval, words, .. }: &Candidate<'_>,
) -> Option<String> {
    let judged: Vec<&Comparison<'_>> = comparisons
        .iter()
        .filter(|one| one.cell.metric_role() == Some(MetricRole::Primary) && one.delta.is_some())
        .collect();
    let is_open = |one: &&&Comparison<'_>| one.verdict == Verdict::Inconclusive;
    if averages_decide || judged.iter().any(|one| is_decided(one.verdict)) {
        return None;
    }
    let open = judged.iter().filter(is_open).filter_map(|one| Some((one, one.needed?)));
    let (open, needed) = open.min_by_key(|(_, needed)| *needed)?;
    let args = [
        ("metric", open.cell.key.metric.clone()),
        ("needed", quantity::count(needed)),
        ("units", quantity::count(open.units()?)),
    ];
    let step = words.fill("next.larger", &args);
    let further = needed.saturating_sub(open.units()?);
    let Some(each) = eval.and_then(|eval| eval.minutes_per_sample) else { return Some(step) };
    let price = to_run::duration(each * further as f64, words);
    let args = [("step", step), ("further", quantity::count(further)), ("price", price)];
    Some(words.fill("next.larger-price", &args))
}

/// Settings that nobody recorded cannot be compared.
fn recorded(&Candidate { findings, words, .. }: &Candidate<'_>) -> Option<String> {
    let silent = findings.diagnostics.iter().any(|one| one.code == Code::NoConfig);
    (silent && findings.grade != Grade::Identical).then(|| words.get("next.recorded"))
}

fn is_decided(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Better | Verdict::Worse)
}
