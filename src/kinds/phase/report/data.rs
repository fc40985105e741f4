//! What `report.json` holds of a phase beside the comparison.

use serde::Serialize;

use crate::compare::Comparison;
use crate::group::Which;
use crate::kinds::phase::analysis::{
    Anomaly, Bound, Conversion, Distribution, Expected, Judged, Outcome, Phase, Unjudged,
};
use crate::model::Dims;
use crate::report::data::TransitionView;
use crate::rules::{Label, Reading};

/// The fields of a phase.
#[derive(Debug, Clone, Serialize)]
pub(in crate::kinds::phase) struct PhaseView {
    /// Every expectation.
    pub(super) expectations: Vec<ExpectationView>,
    /// How samples ended, dataset by dataset.
    pub(super) error_distribution: Vec<DistributionView>,
    /// What errors turned into, dataset by dataset.
    pub(super) conversion: Vec<ConversionView>,
    /// Every anomaly that was declared.
    pub(super) anomalies: Vec<AnomalyView>,
}

/// One expectation.
#[derive(Debug, Clone, Serialize)]
pub(in crate::kinds::phase) struct ExpectationView {
    /// Candidate.
    pub(super) candidate_run: String,
    /// As declared.
    pub(super) name: String,
    /// As declared.
    pub(super) text: String,
    /// Metric that it is held against.
    pub(super) metric: Option<String>,
    /// Its dataset.
    pub(super) dataset: Option<String>,
    /// Its grid point.
    pub(super) dims: Dims,
    /// `met`, `exceeded`, `missed`, `violated`, `ambiguous`, or why it is not judged.
    pub(super) outcome: &'static str,
    /// Whether the whole interval stands so; `null` where nothing is judged.
    pub(super) sure: Option<bool>,
    /// The finding that takes the verdict.
    pub(super) blocked_by: Option<&'static str>,
    /// One, or two where the unit has two readings with different answers.
    pub(super) readings: Vec<ReadingView>,
}

/// One reading of an expectation.
#[derive(Debug, Clone, Serialize)]
pub(in crate::kinds::phase) struct ReadingView {
    /// `change`, `relative` or `level`.
    pub(super) measure: &'static str,
    /// In the unit of the difference, or percent.
    pub(super) value: f64,
    /// Its interval; an open end is `null`.
    pub(super) ci: Option<[Option<f64>; 2]>,
    /// How the value stands.
    pub(super) standing: &'static str,
    /// How values of the interval stand.
    pub(super) possible: Vec<&'static str>,
    /// The border that leaves it open.
    pub(super) border: Option<f64>,
    /// Units that would settle it.
    pub(super) needed_n: Option<u64>,
}

/// How the samples of a dataset ended.
#[derive(Debug, Clone, Serialize)]
pub(in crate::kinds::phase) struct DistributionView {
    /// Candidate.
    pub(super) candidate_run: String,
    /// Dataset.
    pub(super) dataset: Option<String>,
    /// Grid point.
    pub(super) dims: Dims,
    /// One for each kind of ending.
    pub(super) shares: Vec<ShareView>,
    /// Sums of the shares of baseline and candidate, percent.
    pub(super) total: [Option<f64>; 2],
    /// Whether these are 100% but for rounding.
    pub(super) whole: [Option<bool>; 2],
}

/// The share of one kind of ending.
#[derive(Debug, Clone, Serialize)]
pub(in crate::kinds::phase) struct ShareView {
    /// Stable name.
    pub(super) kind: String,
    /// Percent of the samples.
    pub(super) baseline: Option<f64>,
    /// Percent of the samples.
    pub(super) candidate: Option<f64>,
    /// In points.
    pub(super) delta: Option<f64>,
    /// Its interval.
    pub(super) ci: Option<[f64; 2]>,
    /// Verdict of its comparison.
    pub(super) verdict: Option<&'static str>,
}

/// What errors turned into.
#[derive(Debug, Clone, Serialize)]
pub(in crate::kinds::phase) struct ConversionView {
    /// Candidate.
    pub(super) candidate_run: String,
    /// Dataset.
    pub(super) dataset: Option<String>,
    /// Grid point.
    pub(super) dims: Dims,
    /// Metric that says what is right; `null` for bounds.
    pub(super) metric: Option<String>,
    /// Samples that both arms have; `null` for bounds.
    pub(super) pairs: Option<u64>,
    /// Counts, from class to class; `null` for bounds.
    pub(super) transitions: Option<Vec<TransitionView>>,
    /// Bounds from the shares; `null` where samples are counted.
    pub(super) bounds: Option<Vec<BoundView>>,
}

/// How many samples can have gone from one group to another.
#[derive(Debug, Clone, Serialize)]
pub(in crate::kinds::phase) struct BoundView {
    /// Group in the baseline.
    pub(super) from: &'static str,
    /// Group in the candidate.
    pub(super) to: &'static str,
    /// At least, percent of all samples.
    pub(super) least: f64,
    /// At most, percent of all samples.
    pub(super) most: f64,
}

/// One anomaly.
#[derive(Debug, Clone, Serialize)]
pub(in crate::kinds::phase) struct AnomalyView {
    /// Candidate.
    pub(super) candidate_run: String,
    /// As declared.
    pub(super) name: String,
    /// The condition as declared.
    pub(super) when: String,
    /// `fired`, `quiet`, `cannot-tell`, `unknown`.
    pub(super) state: &'static str,
    /// What the values alone say.
    pub(super) seen: Option<bool>,
    /// Whether a threshold is smaller than what these samples can show.
    pub(super) below_noise: bool,
    /// As declared.
    pub(super) cause: Option<String>,
    /// As declared.
    pub(super) response: Option<String>,
    /// Each clause.
    pub(super) readings: Vec<ClauseView>,
}

/// One clause of a rule.
#[derive(Debug, Clone, Serialize)]
pub(in crate::kinds::phase) struct ClauseView {
    /// What was asked for.
    pub(super) figure: String,
    /// Its value in its unit; a change of a rate is a fraction.
    pub(super) value: Option<f64>,
    /// Its interval; an open end is `null`.
    pub(super) ci: Option<[Option<f64>; 2]>,
    /// Samples behind it.
    pub(super) n: Option<u64>,
    /// The relation.
    pub(super) relation: &'static str,
    /// The other side as declared.
    pub(super) against: String,
    /// Whether it holds: `holds`, `fails`, `unsure`, `unknown`.
    pub(super) outcome: &'static str,
    /// Why there is no figure.
    pub(super) unknown: Option<&'static str>,
}

/// The fields of these phases.
pub(super) fn view(phases: &[Phase<'_>]) -> PhaseView {
    let mut view = PhaseView {
        expectations: Vec::new(),
        error_distribution: Vec::new(),
        conversion: Vec::new(),
        anomalies: Vec::new(),
    };
    for phase in phases {
        let run = || phase.pair.name(Which::Candidate).to_owned();
        view.expectations.extend(phase.expectations.iter().map(|one| expectation(one, run())));
        let own = &phase.distributions;
        view.error_distribution.extend(own.iter().map(|one| distribution(one, run())));
        view.conversion.extend(own.iter().filter_map(|one| conversion(one, run())));
        view.anomalies.extend(phase.anomalies.iter().map(|one| anomaly(one, run())));
    }
    view
}

fn expectation(one: &Expected<'_>, candidate_run: String) -> ExpectationView {
    let key = one.comparison.map(|comparison| &comparison.cell.key);
    let (outcome, sure, readings) = match &one.outcome {
        Outcome::Judged(judged) => {
            (judged.standing.name(), Some(judged.is_sure()), vec![reading(judged)])
        }
        Outcome::Ambiguous(both) => ("ambiguous", None, both.iter().map(reading).collect()),
        Outcome::Open(why) => (why.name(), None, Vec::new()),
    };
    ExpectationView {
        candidate_run,
        name: one.declared.name.clone(),
        text: one.declared.text.clone(),
        metric: key.map(|key| key.metric.clone()),
        dataset: key.and_then(|key| key.dataset.clone()),
        dims: key.map(|key| key.dims.clone()).unwrap_or_default(),
        outcome,
        sure,
        blocked_by: match one.outcome {
            Outcome::Open(Unjudged::Blocked(code)) => Some(code.id()),
            _ => None,
        },
        readings,
    }
}

fn reading(judged: &Judged) -> ReadingView {
    ReadingView {
        measure: judged.measure.name(),
        value: judged.value,
        ci: judged.interval.map(finite),
        standing: judged.standing.name(),
        possible: judged.possible.iter().map(|standing| standing.name()).collect(),
        border: judged.border,
        needed_n: judged.needed,
    }
}

fn finite(ends: [f64; 2]) -> [Option<f64>; 2] {
    ends.map(|end| Some(end).filter(|end| end.is_finite()))
}

fn distribution(one: &Distribution<'_>, candidate_run: String) -> DistributionView {
    let ci = |comparison: &Comparison<'_>| {
        comparison.allowed_interval().map(|interval| [interval.lo, interval.hi])
    };
    let shares = one.shares.iter().map(|share| ShareView {
        kind: share.name.clone(),
        baseline: share.percent(Which::Baseline),
        candidate: share.percent(Which::Candidate),
        delta: share.comparison.and_then(|comparison| comparison.delta),
        ci: share.comparison.and_then(ci),
        verdict: share.comparison.map(|comparison| comparison.verdict.name()),
    });
    DistributionView {
        candidate_run,
        dataset: one.dataset.map(str::to_owned),
        dims: one.dims.clone(),
        shares: shares.collect(),
        total: one.sums.map(|sum| Some(sum?.total)),
        whole: one.sums.map(|sum| Some(sum?.is_whole())),
    }
}

fn conversion(one: &Distribution<'_>, candidate_run: String) -> Option<ConversionView> {
    let empty = ConversionView {
        candidate_run,
        dataset: one.dataset.map(str::to_owned),
        dims: one.dims.clone(),
        metric: None,
        pairs: None,
        transitions: None,
        bounds: None,
    };
    Some(match one.conversion.as_ref()? {
        Conversion::Counted(flow) => {
            let transitions = flow.transitions.iter().map(|one| TransitionView {
                baseline: one.baseline.name(),
                candidate: one.candidate.name(),
                pairs: one.pairs,
            });
            ConversionView {
                metric: Some(flow.metric.clone()),
                pairs: Some(flow.pairs),
                transitions: Some(transitions.collect()),
                ..empty
            }
        }
        Conversion::Bounded(bounds) => {
            let bound = |one: &Bound| BoundView {
                from: one.from,
                to: one.to,
                least: one.least,
                most: one.most,
            };
            ConversionView { bounds: Some(bounds.iter().map(bound).collect()), ..empty }
        }
    })
}

fn anomaly(one: &Anomaly<'_>, candidate_run: String) -> AnomalyView {
    let text = |label: &Option<Label>| label.as_ref().map(|label| label.english().to_owned());
    AnomalyView {
        candidate_run,
        name: one.rule.name.english().to_owned(),
        when: one.rule.when.text().to_owned(),
        state: one.state(),
        seen: one.judgement.outcome.seen(),
        below_noise: one.is_below_noise(),
        cause: text(&one.rule.cause),
        response: text(&one.rule.response),
        readings: one.judgement.readings.iter().map(clause).collect(),
    }
}

fn clause(reading: &Reading) -> ClauseView {
    let figure = reading.figure.ok();
    ClauseView {
        figure: reading.quantity.to_string(),
        value: figure.map(|figure| figure.value),
        ci: figure.and_then(|figure| figure.interval).map(finite),
        n: figure.and_then(|figure| figure.n),
        relation: reading.relation.sign(),
        against: reading.against.clone(),
        outcome: reading.outcome.name(),
        unknown: reading.figure.err().map(crate::rules::Unknown::name),
    }
}
