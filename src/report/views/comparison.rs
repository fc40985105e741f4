//! One figure of the comparison, in the wire types.

use super::ids;
use crate::compare::{
    Comparison, Decomposition, DecompositionClass, Noise, SeedFigure, VerdictReason,
};
use crate::model::{Absence, Measured, MetricRole};
use crate::pairing::PairArm;
use crate::report::data::{
    AnswersView, ArmView, ComparisonView, CoverageView, DecompositionView, DeltaView, FlipsView,
    NoiseFigureView, NoiseView, PairingView, PartView, SeedView, SourceView, TestView,
    TransitionView,
};
use crate::report::report_tags;

pub(in crate::report) fn comparison(comparison: &Comparison<'_>) -> ComparisonView {
    let key = &comparison.cell.key;
    ComparisonView {
        metric: key.metric.clone(),
        dataset: key.dataset.clone(),
        dims: key.dims.clone(),
        direction: comparison.cell.spec.direction.name(),
        role: comparison.cell.role.map(|given| given.role.name()),
        role_origin: comparison.cell.role.map(|given| given.origin.name()),
        unit: comparison.cell.spec.unit,
        baseline_run: comparison.pair.name(PairArm::Baseline).to_owned(),
        candidate_run: comparison.pair.name(PairArm::Candidate).to_owned(),
        baseline: arm(comparison, PairArm::Baseline),
        candidate: arm(comparison, PairArm::Candidate),
        delta: delta(comparison),
        test: test(comparison),
        pairing: pairing(comparison),
        flips: comparison.flips().map(|flips| FlipsView {
            gained: flips.gained,
            lost: flips.lost,
            both_right: flips.both_right,
            both_wrong: flips.both_wrong,
        }),
        bounds: comparison.bounds,
        decomposition: comparison.decomposition.as_ref().map(decomposition),
        answers: comparison.sampling.map(|sampling| AnswersView {
            baseline: sampling.answers[0],
            candidate: sampling.answers[1],
            sampling_share: sampling.share,
            stderr_ratio_twice_answers: sampling.with_more_answers,
            stderr_ratio_twice_problems: sampling.with_more_problems,
        }),
        noninferiority: comparison.noninferiority,
        noise: comparison
            .noise
            .as_ref()
            .map(|found| noise(found, comparison.adjusted.and_then(|test| test.noise_p))),
        mde: comparison.mde.and_then(finite),
        needed_n: comparison.needed,
        verdict: comparison.verdict.name(),
        reason: comparison.reason.map(VerdictReason::tag),
        small_within: comparison.small_within,
        word: comparison.reason.and_then(VerdictReason::word),
        rank: MetricRole::rank(comparison.cell.metric_role()),
        accepted: ids(&comparison.accepted),
        confounded: ids(&comparison.confounded),
        notes: report_tags(comparison).collect(),
    }
}

pub(super) fn noise(found: &Noise<'_>, p_adjusted: Option<f64>) -> NoiseView {
    let figures = found.figures.iter();
    let runs = found.runs() as u64;
    NoiseView {
        runs,
        figures: figures
            .map(|figure| NoiseFigureView { run: figure.run.id.clone(), value: figure.value })
            .collect(),
        items: found.items,
        range: found.range().map(|(lowest, highest)| [lowest, highest]),
        sd: found.sd,
        floor: found.floor,
        level: found.level,
        df: runs.saturating_sub(1),
        p: found.p,
        p_adjusted,
        within: found.covers(),
        deterministic: found.deterministic,
    }
}

fn decomposition(found: &Decomposition) -> DecompositionView {
    let parts = found.parts.iter().map(|part| PartView {
        class: part.class.map_or("answers", DecompositionClass::name),
        baseline: part.baseline,
        candidate: part.candidate,
        contribution: part.contribution,
        ci: part.interval.map(|interval| [interval.lo, interval.hi]),
    });
    let transitions = found.transitions.iter().map(|transition| TransitionView {
        baseline: transition.baseline.name(),
        candidate: transition.candidate.name(),
        pairs: transition.pairs,
    });
    DecompositionView {
        pairs: found.pairs,
        scored: found.scored,
        parts: parts.collect(),
        transitions: transitions.collect(),
    }
}

fn pairing(comparison: &Comparison<'_>) -> Option<PairingView> {
    let seeds = comparison.seeds.as_ref();
    let crossed = seeds.is_some_and(|seeds| seeds.items.is_some());
    let join = comparison.pair_counts().filter(|_| comparison.paired().is_some() || crossed);
    let unit = match (seeds, comparison.clusters()) {
        (Some(_), _) => "seed",
        (None, Some(_)) => "cluster",
        (None, None) => "sample",
    };
    (seeds.is_some() || join.is_some()).then(|| PairingView {
        paired: seeds.map_or(comparison.paired(), |seeds| seeds.paired).unwrap_or_default(),
        baseline_only: join.map_or(0, |join| join.baseline_only),
        candidate_only: join.map_or(0, |join| join.candidate_only),
        conflicting: join.map_or(0, |join| join.contradicted + join.quarantined),
        unit,
        clusters: comparison.clusters(),
        items: seeds.and_then(|seeds| seeds.items),
        baseline_value: comparison.figure(PairArm::Baseline),
        candidate_value: comparison.figure(PairArm::Candidate),
        proof: join.map(|join| join.proof.name()),
    })
}

fn delta(comparison: &Comparison<'_>) -> Option<DeltaView> {
    let analysis = comparison.analysis.as_ref();
    let interval = analysis.and_then(|analysis| analysis.interval);
    Some(DeltaView {
        absolute: finite(comparison.delta?)?,
        relative: comparison.relative().and_then(finite),
        unit: comparison.cell.spec.unit.name_of_differences(),
        ci: interval.map(|interval| [interval.lo, interval.hi]),
        level: interval.map(|interval| interval.level),
        ci_method: interval.and(analysis).map(|analysis| analysis.interval_method),
        ci_simultaneous: comparison.ci_simultaneous.map(|interval| [interval.lo, interval.hi]),
        level_simultaneous: comparison.ci_simultaneous.map(|interval| interval.level),
    })
}

fn test(comparison: &Comparison<'_>) -> Option<TestView> {
    let test = comparison.analysis.as_ref()?.test?;
    Some(TestView {
        method: test.method,
        p: test.p,
        p_adjusted: comparison.p_adjusted(),
        family: comparison.adjusted.map(|adjusted| {
            format!("{} tests of this report, m={}, Holm", adjusted.family.name(), adjusted.size)
        }),
        statistic: test.statistic.and_then(finite),
        attainable: test.attainable.and_then(finite),
        paired_p_bounds: comparison.paired_p.map(|p| [p.lowest, p.highest]),
    })
}

fn arm(comparison: &Comparison<'_>, which: PairArm) -> ArmView {
    let side = comparison.cell.side(which);
    let value = match &comparison.seeds {
        Some(seeds) => seeds.mean(which).map_or_else(|| side.value(), Measured::Value),
        None => side.value(),
    };
    let moments = comparison.seeds.as_ref().map(|seeds| seeds.moments(which));
    ArmView {
        value: value.value().and_then(finite),
        absent: match value {
            Measured::Value(value) => value.is_infinite().then_some("infinite"),
            Measured::Absent(Absence::NotRun) => Some("not-run"),
            Measured::Absent(Absence::NotApplicable) => Some("not-applicable"),
            Measured::Absent(Absence::Failed) => Some("failed"),
        },
        n: moments.map_or_else(|| comparison.n(which), |moments| Some(moments.n)),
        clusters: comparison.own_clusters().map(|clusters| clusters[which]),
        ci: comparison.arm_interval(which),
        seeds: comparison.seeds.as_ref().map(|seeds| seeds.arm(which).iter().map(seed).collect()),
        coverage: coverage(comparison, which),
        part: comparison.part(which),
        whole: comparison.whole_figure(which),
        source: side.source(&comparison.cell.key.metric).map(|source| SourceView {
            path: source.path.to_string(),
            line: source.line,
            key: source.key,
        }),
    }
}

/// What became of the samples of an arm; of a stated figure only how many there should be.
fn coverage(comparison: &Comparison<'_>, which: PairArm) -> Option<CoverageView> {
    let (cell, side) = (comparison.cell, comparison.cell.side(which));
    let tables = cell.table.and_then(|index| comparison.pair.tables.get(index));
    let planned = comparison.pair.expected(cell, which).map(|aim| aim.samples);
    if let Some(counted) = &side.counted {
        let missing = cell.counted.and_then(|own| comparison.pair.counted.get(own.table));
        return Some(CoverageView {
            present: counted.scored,
            missing: missing.map_or(0, |table| table.missing(which)),
            unscored: counted.unscored,
            duplicate: counted.records.agreeing,
            conflicting: counted.records.conflicting,
            ..CoverageView::default()
        });
    }
    let Some(samples) = &side.samples else {
        let (present, planned) = (side.n()?, planned?);
        let missing = planned.saturating_sub(present);
        return Some(CoverageView {
            present,
            planned: Some(planned),
            missing,
            ..CoverageView::default()
        });
    };
    let unreached = planned.map_or(0, |planned| planned.saturating_sub(samples.recorded()));
    Some(CoverageView {
        planned,
        present: samples.scored,
        missing: tables.map_or(unreached, |tables| tables.missing(which)),
        errored: samples.errored,
        unscored: samples.unscored,
        truncated: samples.truncated(),
        duplicate: samples.distinct.agreeing,
        conflicting: samples.distinct.conflicting.len() as u64,
    })
}

fn seed(figure: &SeedFigure<'_>) -> SeedView {
    let SeedFigure { run, seed, value, n } = figure;
    SeedView { run: run.id.clone(), seed: seed.clone(), value: value.and_then(finite), n: *n }
}

pub(super) fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}
