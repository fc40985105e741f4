//! The data of the report.

use serde::Serialize;

use crate::kinds::quality::analysis::{
    Distribution, MetricOutcome, Quality, Rate, SampleOutcomes, ranked,
};
use crate::model::logs::{LogFile, Place, RolloutOutcome, Signatures};
use crate::quantity;
use crate::text::Catalogue;

/// The data of a report.
#[derive(Debug, Serialize)]
pub(super) struct QualityView {
    runs: Vec<RunView>,
}

#[derive(Debug, Serialize)]
struct RunView {
    path: String,
    logs: Vec<LogFile>,
    steps: Option<[f64; 2]>,
    rollouts: u64,
    success: Option<RateView>,
    fallback: Option<RateView>,
    errors: SignaturesView,
    warnings: SignaturesView,
    violations: Vec<ViolationView>,
    chain: Vec<LinkView>,
    contradictions: Vec<ContradictionView>,
    remark: Option<ContradictionView>,
    score_scale: Option<f64>,
    scores: Vec<ScoresView>,
    penalties: Vec<PenaltyView>,
    samples: Vec<SamplesView>,
    suggestions: Vec<SuggestionView>,
}

#[derive(Debug, Serialize)]
struct RateView {
    x: u64,
    n: u64,
    rate: f64,
    ci: [f64; 2],
    level: f64,
}

#[derive(Debug, Serialize)]
struct SignaturesView {
    total: u64,
    as_cause: u64,
    other: u64,
    repeated: u64,
    signatures: Vec<SignatureView>,
}

#[derive(Debug, Serialize)]
struct SignatureView {
    #[serde(rename = "type")]
    kind: String,
    message: String,
    count: u64,
    share: f64,
    with_traceback: u64,
    processes: Vec<String>,
    first: Place,
    raised_at: Option<String>,
    places: Vec<RaisedView>,
    causes: Vec<CauseView>,
    example: String,
}

#[derive(Debug, Serialize)]
struct RaisedView {
    at: String,
    count: u64,
}

#[derive(Debug, Serialize)]
struct CauseView {
    #[serde(rename = "type")]
    kind: String,
    message: String,
}

#[derive(Debug, Serialize)]
struct ViolationView {
    rule: String,
    count: u64,
    penalties: u64,
    penalty: Option<f64>,
    first: Place,
    example: String,
}

#[derive(Debug, Serialize)]
struct LinkView {
    link: &'static str,
    count: Option<u64>,
    right: Option<u64>,
    wrong: Option<u64>,
}

#[derive(Debug, Serialize)]
struct ContradictionView {
    kind: &'static str,
    message: String,
    count: u64,
    of: u64,
    first: Place,
}

#[derive(Debug, Serialize)]
struct ScoresView {
    outcome: &'static str,
    #[serde(flatten)]
    scores: DistributionView,
}

#[derive(Debug, Serialize)]
struct DistributionView {
    n: u64,
    mean: f64,
    ci: Option<[f64; 2]>,
    min: f64,
    q1: f64,
    median: f64,
    q3: f64,
    max: f64,
    sum: f64,
    rounded: bool,
}

#[derive(Debug, Serialize)]
struct PenaltyView {
    term: String,
    per_rollout: Option<f64>,
    first: Place,
    #[serde(flatten)]
    values: DistributionView,
}

#[derive(Debug, Serialize)]
struct SamplesView {
    name: String,
    path: String,
    n: u64,
    errored: u64,
    unjudged: u64,
    unscored: u64,
    truncated: u64,
    endings: Vec<EndingView>,
    metrics: Vec<MetricView>,
}

#[derive(Debug, Serialize)]
struct EndingView {
    ending: &'static str,
    count: u64,
    line: u64,
}

#[derive(Debug, Serialize)]
struct MetricView {
    metric: String,
    right: Option<RateView>,
    scores: Option<DistributionView>,
}

#[derive(Debug, Serialize)]
struct SuggestionView {
    text: String,
    when: String,
    outcome: &'static str,
}

/// The data of runs.
pub(super) fn of(runs: &[Quality<'_>], english: &Catalogue) -> QualityView {
    QualityView { runs: runs.iter().map(|run| view(run, english)).collect() }
}

fn view(run: &Quality<'_>, english: &Catalogue) -> RunView {
    let tally = run.tally;
    RunView {
        path: run.path.to_owned(),
        logs: tally.files.clone(),
        steps: tally.steps,
        rollouts: run.rollouts,
        success: run.success.map(rate),
        fallback: run.fallback.map(rate),
        errors: signatures(&tally.errors),
        warnings: signatures(&tally.warnings),
        violations: violations(run),
        chain: chain(run),
        contradictions: run.contradictions.iter().map(|one| contradiction(one, english)).collect(),
        remark: run.remark.as_ref().map(|one| contradiction(one, english)),
        score_scale: tally.scale.filter(|_| !tally.scales_differ),
        scores: scores(run),
        penalties: penalties(run),
        samples: run.samples.iter().map(samples).collect(),
        suggestions: suggestions(run),
    }
}

fn violations(run: &Quality<'_>) -> Vec<ViolationView> {
    let view = |(rule, one): (&String, &crate::model::logs::Violation)| ViolationView {
        rule: rule.clone(),
        count: one.said.count,
        penalties: one.penalties,
        penalty: (one.penalties > 0).then_some(one.penalty),
        first: one.said.first.clone(),
        example: one.said.example.clone(),
    };
    run.tally.violations.iter().map(view).collect()
}

fn chain(run: &Quality<'_>) -> Vec<LinkView> {
    let view = |link: &crate::kinds::quality::analysis::Link| LinkView {
        link: link.id,
        count: link.count,
        right: link.right_wrong.map(|[right, _]| right),
        wrong: link.right_wrong.map(|[_, wrong]| wrong),
    };
    run.chain.iter().map(view).collect()
}

fn contradiction(
    one: &crate::kinds::quality::analysis::Contradiction,
    english: &Catalogue,
) -> ContradictionView {
    let [count, of] = [one.count, one.of].map(quantity::count);
    let key = format!("quality.contradiction-{}", one.id);
    ContradictionView {
        kind: one.id,
        message: english.fill(&key, &[("count", &count), ("of", &of)]),
        count: one.count,
        of: one.of,
        first: one.first.clone(),
    }
}

fn scores(run: &Quality<'_>) -> Vec<ScoresView> {
    let of_outcome = run.by_outcome.iter().map(|(outcome, scores)| ScoresView {
        outcome: match outcome {
            RolloutOutcome::Success => "success",
            RolloutOutcome::Failure => "failure",
            RolloutOutcome::Unjudged | RolloutOutcome::Unscored => "unjudged",
        },
        scores: distribution(scores),
    });
    let all = run.scores.iter();
    let all = all.map(|scores| ScoresView { outcome: "all", scores: distribution(scores) });
    of_outcome.chain(all).collect()
}

fn penalties(run: &Quality<'_>) -> Vec<PenaltyView> {
    let view = |(term, one): (&String, &crate::model::logs::Penalty)| {
        let values = Distribution::of(&one.values)?;
        Some(PenaltyView {
            term: term.clone(),
            per_rollout: (run.rollouts > 0).then(|| values.sum / run.rollouts as f64),
            first: one.said.first.clone(),
            values: distribution(&values),
        })
    };
    run.tally.penalties.iter().filter_map(view).collect()
}

fn suggestions(run: &Quality<'_>) -> Vec<SuggestionView> {
    let view = |one: &crate::kinds::quality::analysis::Advice| SuggestionView {
        text: one.suggestion.text.english().to_owned(),
        when: one.suggestion.when.text().to_owned(),
        outcome: one.judgement.outcome.name(),
    };
    run.advice.iter().map(view).collect()
}

fn rate(rate: Rate) -> RateView {
    let Rate { x, n, interval } = rate;
    RateView {
        x,
        n,
        rate: rate.share(),
        ci: interval,
        level: crate::kinds::quality::analysis::LEVEL,
    }
}

fn distribution(scores: &Distribution) -> DistributionView {
    let [min, q1, median, q3, max] = scores.five;
    let Distribution { n, mean, interval: ci, sum, rounded, .. } = *scores;
    DistributionView { n, mean, ci, min, q1, median, q3, max, sum, rounded }
}

fn signatures(all: &Signatures) -> SignaturesView {
    let total = all.total();
    let signatures = ranked(all).into_iter().map(|(key, one)| SignatureView {
        kind: key.kind.clone(),
        message: key.template.clone(),
        count: one.count,
        share: one.count as f64 / total as f64,
        with_traceback: one.with_traceback,
        processes: one.processes.clone(),
        first: one.first.clone(),
        raised_at: one.raised_at.clone(),
        places: one
            .places
            .iter()
            .map(|(at, count)| RaisedView { at: at.clone(), count: *count })
            .collect(),
        causes: one
            .causes
            .iter()
            .map(|cause| CauseView { kind: cause.kind.clone(), message: cause.template.clone() })
            .collect(),
        example: one.example.clone(),
    });
    SignaturesView {
        total,
        as_cause: all.as_cause,
        other: all.other,
        repeated: all.repeated,
        signatures: signatures.collect(),
    }
}

fn samples(table: &SampleOutcomes) -> SamplesView {
    let metric = |(metric, outcome): &(String, MetricOutcome)| {
        let (right, scores) = match outcome {
            MetricOutcome::Right(right) => (Some(rate(*right)), None),
            MetricOutcome::Scores(scores) => (None, Some(distribution(scores))),
        };
        MetricView { metric: metric.clone(), right, scores }
    };
    let ending =
        |&(ending, count, line): &(&'static str, u64, u64)| EndingView { ending, count, line };
    SamplesView {
        name: table.name.clone(),
        path: table.path.clone(),
        n: table.n,
        errored: table.errored,
        unjudged: table.unjudged,
        unscored: table.unscored,
        truncated: table.truncated,
        endings: table.endings.iter().map(ending).collect(),
        metrics: table.metrics.iter().map(metric).collect(),
    }
}
