//! What failed in a training and why: rates, distributions and chains over the counts of its logs,
//! and over the outcomes of its samples.
//!
//! Pure: takes what `collect` read, opens no file, draws nothing.

mod config;
mod distribution;
mod figures;
mod samples;

use std::cmp::Reverse;

use crate::conditions::{Judgement, UnknownOperand};
use crate::diag::{Code, Diagnostic, Location};
use crate::model::SampleTable;
use crate::model::logs::{
    Fallback, LogTally, Place, RolloutCourse, RolloutOutcome, Signature, SignatureKey, Signatures,
    Values,
};
use crate::stats::{Counts, wilson};

pub use config::{OneOrMany, Suggestion, Tables};
pub use distribution::QualityDistribution;
pub use samples::{MetricOutcome, SampleOutcomes};

/// Level of every interval here.
pub const LEVEL: f64 = 0.95;

/// A count of so many, with Wilson's interval of its share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QualityRate {
    pub x: u64,
    /// Of how many; at least 1.
    pub n: u64,
    /// Interval of the share at 95%.
    pub interval: [f64; 2],
}

impl QualityRate {
    /// `None` of nothing.
    pub fn new(x: u64, n: u64) -> Option<Self> {
        let counts = Counts::new(x, n)?;
        let interval = wilson(counts, LEVEL);
        Some(Self { x, n, interval: [interval.lo, interval.hi] })
    }

    pub fn share(self) -> f64 {
        self.x as f64 / self.n as f64
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// Stable name, the key of its words.
    pub id: &'static str,
    /// Rollouts that came this way; `None` where no line of the logs says such a thing.
    pub count: Option<u64>,
    /// Those of them that were right and wrong, where there are scores.
    pub right_wrong: Option<[u64; 2]>,
}

/// Rollouts whose own lines do not go together.
#[derive(Debug, Clone, PartialEq)]
pub struct Contradiction {
    /// Stable name, the key of its words.
    pub id: &'static str,
    pub count: u64,
    /// Of how many that could have it.
    pub of: u64,
    pub first: Place,
}

/// What became of a declared suggestion.
#[derive(Debug, Clone)]
pub struct Advice {
    pub suggestion: Suggestion,
    pub judgement: Judgement,
}

/// Everything that is said of one run.
#[derive(Debug)]
pub struct Quality<'r> {
    pub path: &'r str,
    pub tally: &'r LogTally,
    pub rollouts: u64,
    /// Right ones of those that were judged; `None` where none was.
    pub success: Option<QualityRate>,
    /// Rollouts that fell back, of all; `None` where no line speaks of fallbacks.
    pub fallback: Option<QualityRate>,
    pub scores: Option<QualityDistribution>,
    /// Scores by outcome: right, wrong, not judged.
    pub by_outcome: Vec<(RolloutOutcome, QualityDistribution)>,
    /// The chain, from what was generated to its score; empty without rollouts.
    pub chain: Vec<Link>,
    pub contradictions: Vec<Contradiction>,
    /// Rollouts whose fallback ran to its end with a wrong answer.
    pub remark: Option<Contradiction>,
    pub samples: Vec<SampleOutcomes>,
    pub advice: Vec<Advice>,
}

impl Quality<'_> {
    /// Whether there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        self.tally.files.is_empty() && self.samples.is_empty()
    }
}

/// Signatures: those of the most frequent type first, of each type the most frequent first, then by
/// their first line.
pub fn ranked(signatures: &Signatures) -> Vec<(&SignatureKey, &Signature)> {
    let types = signatures.by_type();
    let mut ranked: Vec<_> = signatures.kept.iter().collect();
    let place = |signature: &Signature| (signature.first.path.clone(), signature.first.line);
    ranked.sort_by_cached_key(|(key, signature)| {
        let of_type = types.get_index_of(key.kind.as_str());
        (of_type, Reverse(signature.count), place(signature), (*key).clone())
    });
    ranked
}

pub fn analyse<'r>(
    path: &'r str,
    tally: &'r LogTally,
    tables: &[SampleTable],
    suggestions: &[Suggestion],
) -> Quality<'r> {
    let all = |_: RolloutCourse| true;
    let rollouts = count(tally, all);
    let judged =
        count(tally, |way| is(way, RolloutOutcome::Success) || is(way, RolloutOutcome::Failure));
    let by_outcome = [RolloutOutcome::Success, RolloutOutcome::Failure, RolloutOutcome::Unjudged];
    let mut quality = Quality {
        path,
        tally,
        rollouts,
        success: QualityRate::new(count(tally, |way| is(way, RolloutOutcome::Success)), judged),
        fallback: speaks_of_fallback(tally)
            .then(|| QualityRate::new(count(tally, fell_back), rollouts))
            .flatten(),
        scores: QualityDistribution::new(&scores(tally, all)).filter(|_| !tally.scales_differ),
        by_outcome: by_outcome
            .into_iter()
            // Scores of different scales have no mean.
            .filter(|_| !tally.scales_differ)
            .filter_map(|outcome| {
                Some((outcome, QualityDistribution::new(&scores(tally, |way| is(way, outcome)))?))
            })
            .collect(),
        chain: chain(tally, rollouts),
        contradictions: contradictions(tally),
        remark: remark(tally),
        samples: tables.iter().map(samples::quality_outcomes).collect(),
        advice: Vec::new(),
    };
    let advice = suggestions.iter().map(|suggestion| Advice {
        suggestion: suggestion.clone(),
        judgement: suggestion.when.judge(&quality),
    });
    quality.advice = advice.collect();
    quality
}

fn is(way: RolloutCourse, outcome: RolloutOutcome) -> bool {
    way.outcome == outcome
}

fn fell_back(way: RolloutCourse) -> bool {
    way.fallback != Fallback::None
}

fn speaks_of_fallback(tally: &LogTally) -> bool {
    ["fallback", "fallback-succeeded", "fallback-failed"]
        .iter()
        .any(|name| tally.said.contains_key(name))
}

fn count(tally: &LogTally, belongs: impl Fn(RolloutCourse) -> bool) -> u64 {
    tally.ways.iter().filter(|(way, _)| belongs(**way)).map(|(_, ways)| ways.count).sum()
}

fn scores(tally: &LogTally, belongs: impl Fn(RolloutCourse) -> bool) -> Values {
    let mut values = Values::default();
    for (_, ways) in tally.ways.iter().filter(|(way, _)| belongs(**way)) {
        values.merge(&ways.scores);
    }
    values
}

/// The links, in the order in which a rollout passes them. A link that nothing in the logs speaks of
/// is unknown and not 0.
fn chain(tally: &LogTally, rollouts: u64) -> Vec<Link> {
    if rollouts == 0 {
        return Vec::new();
    }
    let says = |name: &str| tally.said.contains_key(name);
    let judged = tally.ways.keys().any(|way| way.outcome >= RolloutOutcome::Success);
    let link = |id: &'static str, known: bool, belongs: &dyn Fn(RolloutCourse) -> bool| {
        let with = |outcome: RolloutOutcome| count(tally, |way| belongs(way) && is(way, outcome));
        let right_wrong = [with(RolloutOutcome::Success), with(RolloutOutcome::Failure)];
        Link {
            id,
            count: known.then(|| count(tally, belongs)),
            right_wrong: (known && judged).then_some(right_wrong),
        }
    };
    let fails = says("failed") || tally.errors.total() > 0;
    let falls = speaks_of_fallback(tally);
    let tells_end = says("fallback-succeeded") || says("fallback-failed");
    let mut links = vec![
        link("generated", true, &|_| true),
        link("violated", !tally.violations.is_empty(), &|way| way.violated),
        link("failed", fails, &|way| way.failed),
        link("fallback", falls, &fell_back),
        link("fallback-succeeded", tells_end, &|way| {
            matches!(way.fallback, Fallback::Succeeded | Fallback::Both)
        }),
    ];
    if says("fallback-failed") {
        links.push(link("fallback-failed", true, &|way| {
            matches!(way.fallback, Fallback::Failed | Fallback::Both)
        }));
    }
    links.push(link("right", judged, &|way| is(way, RolloutOutcome::Success)));
    links.push(link("wrong", judged, &|way| is(way, RolloutOutcome::Failure)));
    let without = |outcome| count(tally, |way| is(way, outcome));
    if without(RolloutOutcome::Unjudged) > 0 {
        links.push(link("unjudged", true, &|way| is(way, RolloutOutcome::Unjudged)));
    }
    if without(RolloutOutcome::Unscored) > 0 {
        links.push(link("unscored", true, &|way| is(way, RolloutOutcome::Unscored)));
    }
    links
}

fn contradictions(tally: &LogTally) -> Vec<Contradiction> {
    let right = |way: RolloutCourse| is(way, RolloutOutcome::Success);
    let kinds = [
        crossed(tally, "failed-right", |way| way.failed && way.fallback == Fallback::None, right),
        crossed(tally, "fallback-failed-right", |way| way.fallback == Fallback::Failed, right),
        crossed(tally, "fallback-both", fell_back, |way| way.fallback == Fallback::Both),
    ];
    let wrong = |way: RolloutCourse| is(way, RolloutOutcome::Failure);
    let odd = tally.odd_scores.iter().filter(|(id, _)| **id != "score-not-finite");
    let odd = odd.map(|(&id, (n, first))| {
        let of = match id {
            "right-at-zero" => count(tally, right),
            "wrong-at-full" => count(tally, wrong),
            _ => count(tally, |_| true),
        };
        Contradiction { id, count: *n, of, first: first.clone() }
    });
    kinds.into_iter().flatten().chain(odd).collect()
}

fn remark(tally: &LogTally) -> Option<Contradiction> {
    let succeeded = |way: RolloutCourse| way.fallback == Fallback::Succeeded;
    crossed(tally, "fallback-succeeded-wrong", succeeded, |way| is(way, RolloutOutcome::Failure))
}

/// Rollouts that could and do; `None` where none does.
fn crossed(
    tally: &LogTally,
    id: &'static str,
    could: impl Fn(RolloutCourse) -> bool,
    does: impl Fn(RolloutCourse) -> bool,
) -> Option<Contradiction> {
    let has = |way: RolloutCourse| could(way) && does(way);
    let places = tally.ways.iter().filter(|(way, _)| has(**way)).map(|(_, ways)| &ways.first);
    let first = places.min_by_key(|place| (place.path.clone(), place.line))?.clone();
    Some(Contradiction { id, count: count(tally, has), of: count(tally, could), first })
}

/// Findings of the analysis: lines that do not go together, and conditions that cannot be judged.
pub fn findings(quality: &Quality<'_>) -> Vec<Diagnostic> {
    let at = |code: Code, count: u64, first: &Place| {
        Diagnostic::new(code)
            .run(quality.path)
            .with("count", count)
            .at(Location::line(&*first.path, first.line))
    };
    let contradicting = |one: &Contradiction| match one.id {
        "unassigned" => at(Code::ScoresUnassigned, one.count, &one.first).with("of", one.of),
        _ => at(Code::RolloutContradiction, one.count, &one.first)
            .key(one.id)
            .with("of", one.of)
            .with("kind", one.id),
    };
    let mut found: Vec<Diagnostic> = quality.contradictions.iter().map(contradicting).collect();
    if quality.tally.scales_differ {
        found.push(Diagnostic::new(Code::ScoreScalesDiffer).run(quality.path));
    }
    if let Some((count, first)) = quality.tally.odd_scores.get("score-not-finite") {
        found.push(at(Code::ScoreNotFinite, *count, first));
    }
    for advice in &quality.advice {
        let unfit =
            advice.judgement.readings.iter().find(|one| one.figure == Err(UnknownOperand::Unit));
        found.extend(unfit.map(|reading| {
            Diagnostic::new(Code::ThresholdUnfit)
                .run(quality.path)
                .key(advice.suggestion.when.text())
                .with("condition", advice.suggestion.when.text())
                .with("figure", reading.quantity.to_string())
        }));
    }
    found
}

#[cfg(test)]
mod tests;
