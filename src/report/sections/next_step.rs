//! What to do next: one step, from the rules and figures alone. What keeps a result from being
//! believed comes before what would make it firmer.

use indexmap::IndexSet;

use super::urgency::most_urgent_first;
use super::{comparability, lists, missing, phrases, to_run};
use crate::check::{CheckFindings, Claim, Grade};
use crate::compare::{Comparison, Suite, Verdict, VerdictReason};
use crate::diag::{Code, Effect};
use crate::model::{EvalCommand, MetricRole};
use crate::pairing::{ArmPair, ConfigChange, PairArm};
use crate::quantity;
use crate::report::ReportMaterial;
use crate::text::Catalogue;

/// The step of the first candidate that needs the gravest one; `None` where none follows. `asked`
/// is what follows from what the kind of the report asks: a comparison that cannot be believed is
/// repaired before, what moved is looked at after.
pub(in crate::report) fn next_step(
    material: &ReportMaterial<'_>,
    asked: Option<String>,
) -> Option<String> {
    let candidate = |(pair, findings, comparisons)| Candidate {
        pair,
        findings,
        comparisons,
        averages: material.suites,
        eval: material.eval,
        words: material.words,
    };
    let candidates: Vec<Candidate<'_>> = material.pairs().map(candidate).collect();
    let first = |rules: &[Rule]| rules.iter().find_map(|rule| candidates.iter().find_map(rule));
    first(BELIEF).or(asked).or_else(|| first(RESULTS))
}

/// What is known of a candidate.
struct Candidate<'m> {
    pair: &'m ArmPair<'m>,
    findings: &'m CheckFindings,
    comparisons: &'m [Comparison<'m>],
    /// Those of the whole report.
    averages: &'m [Suite<'m>],
    /// The command for a result that is missing.
    eval: Option<&'m EvalCommand>,
    words: &'m Catalogue,
}

type Rule = fn(&Candidate<'_>) -> Option<String>;

/// What keeps results from being believed, from the gravest on.
const BELIEF: &[Rule] = &[comparable, unconfounded, whole, directed];
/// What results ask for, and what would make them firmer.
const RESULTS: &[Rule] = &[worse, larger, recorded, seeds];

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

/// What got worse is read sample by sample, where that says most.
fn worse(candidate: &Candidate<'_>) -> Option<String> {
    let Candidate { words, .. } = *candidate;
    let parts = worst(candidate);
    let metric = subject(&parts, candidate)?;
    let mut losses: Vec<(usize, &Comparison<'_>)> =
        parts.iter().filter_map(|part| Some((losing_pairs(part)?, *part))).collect();
    if losses.is_empty() {
        return Some(words.fill("next.worse-unseen", &[("metric", &metric)]));
    }
    losses.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let count: usize = losses.iter().map(|(count, _)| count).sum();
    let concentrated = match losses.as_slice() {
        [(_, only)] => main_failure(only, words),
        [(most, part), ..] => part.cell.key.dataset.as_ref().map(|dataset| {
            let args = [("count", most.to_string()), ("dataset", dataset.clone())];
            words.fill("next.worse-in", &args)
        }),
        [] => None,
    };
    let args = [
        ("count", quantity::count(count as u64)),
        ("metric", metric),
        ("concentrated", concentrated.unwrap_or_default()),
        ("section", words.get("section.samples")),
    ];
    Some(words.fill("next.worse", &args))
}

/// The result that got worse and matters most; where an average of it did, all parts of that.
fn worst<'m>(
    &Candidate { pair, comparisons, averages, .. }: &Candidate<'m>,
) -> Vec<&'m Comparison<'m>> {
    let mut sorted = most_urgent_first(comparisons).into_iter();
    let first = sorted.find(|one| one.verdict == Verdict::Worse);
    let is_of = |average: &Suite<'_>, one: &Comparison<'_>| {
        one.cell.key.metric == average.metric && one.cell.key.dims == *average.dims
    };
    let mut averages = averages.iter().filter(|one| {
        let is_about_first = first.is_none_or(|first| is_of(one, first));
        std::ptr::eq(one.pair, pair) && one.verdict == Verdict::Worse && is_about_first
    });
    match averages.next() {
        Some(average) => comparisons.iter().filter(|one| is_of(average, one)).collect(),
        None => first.into_iter().collect(),
    }
}

/// The metric, with the place of a single result that is one of several.
fn subject(
    parts: &[&Comparison<'_>],
    &Candidate { comparisons, words, .. }: &Candidate<'_>,
) -> Option<String> {
    let key = &parts.first()?.cell.key;
    let alike = comparisons.iter().filter(|one| one.cell.key.metric == key.metric).count();
    if parts.len() == alike {
        return Some(key.metric.clone());
    }
    let detail = phrases::dataset_and_place(key.dataset.as_deref(), &key.dims, words);
    let args = [("name", key.metric.clone()), ("detail", detail)];
    Some(words.fill("phrase.name-with-detail", &args))
}

/// Samples of both arms whose score moved away from the good side; `None` without shared samples.
fn losing_pairs(comparison: &Comparison<'_>) -> Option<usize> {
    let sign = comparison.cell.spec.direction.sign()?;
    let [baseline, candidate] = PairArm::BOTH.map(|which| comparison.cell.side(which));
    let (baseline, candidate) = (baseline.samples.as_ref()?, candidate.samples.as_ref()?);
    let is_worse = |&&(a, b): &&(u32, u32)| {
        let scores = baseline.score(a as usize).zip(candidate.score(b as usize));
        scores.is_some_and(|(before, after)| sign * (after - before) < 0.0)
    };
    Some(comparison.join()?.pairs.iter().filter(is_worse).count()).filter(|count| *count > 0)
}

/// The kind of failure that makes up most of what was lost.
fn main_failure(comparison: &Comparison<'_>, words: &Catalogue) -> Option<String> {
    let sign = comparison.cell.spec.direction.sign()?;
    let parts = &comparison.decomposition.as_ref()?.parts;
    let losses = parts.iter().filter(|part| sign * part.contribution < 0.0);
    let all: f64 = losses.clone().map(|part| part.contribution.abs()).sum();
    let most = losses.max_by(|a, b| a.contribution.abs().total_cmp(&b.contribution.abs()))?;
    let class = most.class.filter(|_| 2.0 * most.contribution.abs() > all)?;
    let class = words.get(&format!("class.{}", class.name()));
    let contribution = phrases::exact_delta_text(comparison, most.contribution);
    Some(words.fill("next.worse-by", &[("class", class), ("contribution", contribution)]))
}

/// What is undecided takes more samples; where the metrics that decide leave it open.
fn larger(&Candidate { comparisons, averages, eval, words, .. }: &Candidate<'_>) -> Option<String> {
    let judged: Vec<&Comparison<'_>> = comparisons
        .iter()
        .filter(|one| one.cell.metric_role() == Some(MetricRole::Primary) && one.delta.is_some())
        .collect();
    let is_open = |one: &&&Comparison<'_>| one.verdict == Verdict::Inconclusive;
    let averages_decide = averages.iter().any(|average| is_decided(average.verdict));
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

/// A difference between two models says nothing of another training.
fn seeds(
    &Candidate { findings, comparisons, averages, words, .. }: &Candidate<'_>,
) -> Option<String> {
    let verdicts = comparisons.iter().map(|one| one.verdict);
    let verdicts = verdicts.chain(averages.iter().map(|average| average.verdict));
    let is_asked = findings.claim == Claim::Checkpoints && verdicts.into_iter().any(is_decided);
    is_asked.then(|| words.get("next.seeds"))
}

fn is_decided(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Better | Verdict::Worse)
}
