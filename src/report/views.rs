//! From the stages' types to the wire types of `report.json`.

use indexmap::IndexMap;

use super::data::{
    AcceptedView, AnswersView, ArmGrade, ArmView, BoundsView, Comparability, ComparisonView,
    CoverageView, DecompositionView, DeltaView, DiagnosticView, FlipsView, GateView,
    LevelChangeView, NoiseFigureView, NoiseView, NonInferiorityView, PairingView, PartView,
    ResidueView, RunView, SeedView, SeriesView, SourceView, SuiteMeanView, SuiteView, TestView,
    TransitionView, TrendView, TruncationView, VerdictCounts,
};
use super::{Material, TREND_METHOD, data_views, intervals, sections, tags};
use crate::compare::{
    Bounds, Class, Comparison, Decomposition, NoTrend, Noise, NonInferiority, Reason, SeedFigure,
    Suite, SuiteMean, Trend, TrendEstimate, Verdict, delta_unit,
};
use crate::diag::{Code, Diagnostic};
use crate::gate::{Gate, Outcome, Rule};
use crate::group::Which;
use crate::model::{Absence, Measured, RunStatus};
use crate::text::{Catalogue, Lang};

pub(super) fn runs(material: &Material<'_>) -> Vec<RunView> {
    let of_arms = material.runs().map(|(run, pair, which)| (run, pair, which, which.name()));
    let repeats = material.noise_runs().map(|(run, pair)| (run, pair, Which::Baseline, "noise"));
    of_arms
        .chain(repeats)
        .map(|(run, pair, which, role)| RunView {
            id: run.id.clone(),
            name: run.name.clone(),
            role,
            arm: pair.name(which).to_owned(),
            path: run.path.clone(),
            readers: run.readers(),
            status: match run.status {
                RunStatus::Complete => "complete",
                RunStatus::Torn => "torn",
                RunStatus::Partial => "partial",
            },
            config: run
                .content
                .config
                .iter()
                .map(|(key, entry)| (key.to_owned(), entry.value.clone()))
                .collect(),
            data_files: data_views::data_files(run),
            provenance: run.content.provenance.clone(),
        })
        .collect()
}

pub(super) fn comparability(material: &Material<'_>) -> Comparability {
    let mut factors: Vec<String> = Vec::new();
    for key in material.grouping.pairs.iter().flat_map(|pair| &pair.factors.keys) {
        if !factors.contains(key) {
            factors.push(key.clone());
        }
    }
    let residue = material
        .grouping
        .pairs
        .iter()
        .flat_map(|pair| {
            let undeclared = pair.differences.iter().filter(|one| !pair.factors.contains(&one.key));
            undeclared.map(|one| ResidueView {
                key: one.key.clone(),
                candidate_run: pair.name(Which::Candidate).to_owned(),
                baseline: one.baseline.as_ref().map(|entry| entry.value.clone()),
                candidate: one.candidate.as_ref().map(|entry| entry.value.clone()),
                role: one.role.key(),
                can_move_metric: !one.environment,
            })
        })
        .collect();
    let candidates = material
        .pairs()
        .map(|(pair, findings, _)| ArmGrade {
            candidate: pair.name(Which::Candidate).to_owned(),
            grade: findings.grade.name(),
            grade_unaccepted: findings.grade_unaccepted.name(),
            aa: sections::aa(pair, findings),
        })
        .collect();
    Comparability {
        grade: material.grade().name(),
        grade_unaccepted: material.grade_unaccepted().name(),
        accepted: accepted(material),
        factors,
        residue,
        candidates,
    }
}

/// Every rule that covers a finding, in the order of the findings.
fn accepted(material: &Material<'_>) -> Vec<AcceptedView> {
    let mut rules: IndexMap<String, AcceptedView> = IndexMap::new();
    for finding in material.diagnostics() {
        if let Some(rule) = &finding.accepted {
            let (code, lifted) = (finding.code, finding.is_lifted());
            let rule = rule.to_string();
            let new = || AcceptedView { rule: rule.clone(), code, findings: 0, lifted };
            rules.entry(rule.clone()).or_insert_with(new).findings += 1;
        }
    }
    rules.into_values().collect()
}

pub(super) fn diagnostics(material: &Material<'_>) -> Vec<DiagnosticView> {
    material.diagnostics().map(|finding| diagnostic(finding, material)).collect()
}

fn diagnostic(finding: &Diagnostic, material: &Material<'_>) -> DiagnosticView {
    let english = Catalogue::of(Lang::En);
    let subject = &finding.subject;
    let parts = [
        ("candidate", &subject.candidate),
        ("run", &subject.run),
        ("dataset", &subject.dataset),
        ("metric", &subject.metric),
        ("key", &subject.key),
    ];
    let subject: IndexMap<&'static str, String> = parts
        .into_iter()
        .filter_map(|(name, value)| Some((name, value.as_ref()?.clone())))
        .collect();
    DiagnosticView {
        code: finding.code,
        severity: finding.severity,
        accepted: finding.accepted.as_ref().map(ToString::to_string),
        subject,
        message: material.message(finding, english),
        location: finding.location.clone(),
        help: english.help(finding),
        evidence: finding.evidence.clone(),
        local_message: material.message(finding, material.words),
        local_help: material.words.help(finding),
    }
}

fn ids(codes: &[Code]) -> Vec<&'static str> {
    codes.iter().map(|code| code.id()).collect()
}

pub(super) fn suite(suite: &Suite<'_>) -> SuiteView {
    let mean = |mean: SuiteMean| SuiteMeanView {
        method: mean.method,
        delta: mean.delta,
        ci: [mean.interval.lo, mean.interval.hi],
        level: mean.interval.level,
        p: mean.p,
    };
    SuiteView {
        metric: suite.metric.to_owned(),
        dims: suite.dims.clone(),
        candidate_run: suite.pair.name(Which::Candidate).to_owned(),
        datasets: suite.datasets,
        left_out: suite.left_out,
        unit: delta_unit(suite.spec.unit),
        macro_mean: mean(suite.macro_mean),
        micro_mean: suite.micro_mean.map(mean),
        p_adjusted: suite.p_adjusted,
        noninferiority: suite.noninferiority.map(noninferiority),
        accepted: ids(&suite.accepted),
        noise: suite.noise.as_ref().map(noise),
        verdict: suite.verdict.name(),
        metric_unit: suite.spec.unit,
    }
}

fn noninferiority(shown: NonInferiority) -> NonInferiorityView {
    NonInferiorityView {
        margin: shown.margin,
        level: shown.level,
        limit: shown.limit,
        outcome: shown.outcome.name(),
    }
}

pub(super) fn series(one: &Trend<'_>) -> SeriesView {
    SeriesView {
        run: one.run.id.clone(),
        metric: one.series.metric.clone(),
        axis: one.series.axis.clone(),
        dims: one.series.dims.clone(),
        path: one.series.path.to_string(),
        points: one.points,
        not_finite: one.series.points.len() - one.points,
        trend: one.finding.ok().map(trend),
        no_trend: one.finding.err().map(NoTrend::name),
    }
}

fn trend(estimate: TrendEstimate) -> TrendView {
    TrendView {
        method: TREND_METHOD,
        slope: finite(estimate.slope),
        ci: estimate.interval.map(|interval| [interval.lo, interval.hi]),
        level: estimate.interval.map(|interval| interval.level),
        z: estimate.z,
        variance_ratio: estimate.variance_ratio,
        p: estimate.p,
        p_adjusted: estimate.p_adjusted,
        family: format!("trends of this report, m={}, Holm", estimate.family),
        averaged: estimate.averaged,
        change: estimate.change.map(|change| LevelChangeView {
            after: change.after,
            p: change.p,
            exploratory: true,
        }),
    }
}

pub(super) fn comparison(one: &Comparison<'_>) -> ComparisonView {
    let key = &one.cell.key;
    ComparisonView {
        metric: key.metric.clone(),
        dataset: key.dataset.clone(),
        dims: key.dims.clone(),
        direction: one.cell.spec.direction.name(),
        unit: one.cell.spec.unit.name(),
        baseline_run: one.pair.name(Which::Baseline).to_owned(),
        candidate_run: one.pair.name(Which::Candidate).to_owned(),
        baseline: arm(one, Which::Baseline),
        candidate: arm(one, Which::Candidate),
        delta: delta(one),
        test: test(one),
        pairing: pairing(one),
        flips: one.flips.map(|flips| FlipsView {
            gained: flips.gained,
            lost: flips.lost,
            both_right: flips.both_right,
            both_wrong: flips.both_wrong,
        }),
        bounds: one.bounds.map(bounds),
        decomposition: one.decomposition.as_ref().map(decomposition),
        answers: one.sampling.map(|found| AnswersView {
            baseline: found.answers[0],
            candidate: found.answers[1],
            sampling_share: found.share,
            stderr_ratio_twice_answers: found.with_more_answers,
            stderr_ratio_twice_problems: found.with_more_problems,
        }),
        noninferiority: one.noninferiority.map(noninferiority),
        noise: one.noise.as_ref().map(noise),
        mde: one.analysis.as_ref().and_then(|analysis| finite(analysis.mde?)),
        needed_n: one.analysis.as_ref().and_then(|analysis| analysis.needed),
        verdict: one.verdict.name(),
        reason: one.reason.map(|reason| match reason {
            Reason::Blocked(code) => format!("blocked: {code}"),
            other => other.key().to_owned(),
        }),
        accepted: ids(&one.accepted),
        notes: tags(one).collect(),
    }
}

fn noise(found: &Noise<'_>) -> NoiseView {
    let figures = found.figures.iter();
    let runs = found.runs() as u64;
    NoiseView {
        runs,
        figures: figures
            .map(|one| NoiseFigureView { run: one.run.id.clone(), value: one.value })
            .collect(),
        items: found.items,
        range: found.range().map(|(lowest, highest)| [lowest, highest]),
        sd: found.sd,
        floor: found.floor,
        level: found.level,
        df: runs.saturating_sub(1),
        p: found.p,
        p_adjusted: found.p_adjusted,
        within: found.covers(),
        deterministic: found.deterministic,
    }
}

fn bounds(found: Bounds) -> BoundsView {
    BoundsView {
        asked: found.asked,
        lost: found.lost,
        completed_only: found.completed_only,
        all_wrong: found.all_wrong,
        all_right: found.all_right,
        worst: found.worst,
        best: found.best,
        survives: found.survives,
        truncation: found.truncation.map(|cut| TruncationView {
            samples: cut.samples,
            counted_wrong: cut.counted_wrong,
            survives: cut.survives,
        }),
    }
}

fn decomposition(found: &Decomposition) -> DecompositionView {
    let parts = found.parts.iter().map(|part| PartView {
        class: part.class.map_or("answers", Class::name),
        baseline: part.baseline,
        candidate: part.candidate,
        contribution: part.contribution,
        ci: part.interval.map(|interval| [interval.lo, interval.hi]),
    });
    let transitions = found.transitions.iter().map(|one| TransitionView {
        baseline: one.baseline.name(),
        candidate: one.candidate.name(),
        pairs: one.pairs,
    });
    DecompositionView {
        pairs: found.pairs,
        scored: found.scored,
        parts: parts.collect(),
        transitions: transitions.collect(),
    }
}

fn pairing(one: &Comparison<'_>) -> Option<PairingView> {
    let seeds = one.seeds.as_ref();
    let crossed = seeds.is_some_and(|seeds| seeds.items.is_some());
    let join = one.join().filter(|_| one.paired.is_some() || crossed);
    let unit = match (seeds, one.clusters) {
        (Some(_), _) => "seed",
        (None, Some(_)) => "cluster",
        (None, None) => "sample",
    };
    (seeds.is_some() || join.is_some()).then(|| PairingView {
        paired: seeds.map_or(one.paired, |seeds| seeds.paired).unwrap_or_default(),
        baseline_only: join.map_or(0, |join| join.baseline_only),
        candidate_only: join.map_or(0, |join| join.candidate_only),
        conflicting: join.map_or(0, |join| join.contradicted + join.quarantined),
        unit,
        clusters: one.clusters,
        items: seeds.and_then(|seeds| seeds.items),
        baseline_value: one.figure(Which::Baseline),
        candidate_value: one.figure(Which::Candidate),
        proof: join.map(|join| join.proof.name()),
    })
}

fn delta(one: &Comparison<'_>) -> Option<DeltaView> {
    let analysis = one.analysis.as_ref();
    let interval = analysis.and_then(|analysis| analysis.interval);
    Some(DeltaView {
        absolute: finite(one.delta?)?,
        relative: one.relative().and_then(finite),
        unit: delta_unit(one.cell.spec.unit),
        ci: interval.map(|interval| [interval.lo, interval.hi]),
        level: interval.map(|interval| interval.level),
        ci_method: interval.and(analysis).map(|analysis| analysis.interval_method),
        ci_simultaneous: one.ci_simultaneous.map(|interval| [interval.lo, interval.hi]),
        level_simultaneous: one.ci_simultaneous.map(|interval| interval.level),
    })
}

fn test(one: &Comparison<'_>) -> Option<TestView> {
    let test = one.analysis.as_ref()?.test?;
    Some(TestView {
        method: test.method,
        p: test.p,
        p_adjusted: one.p_adjusted,
        family: one.p_adjusted.map(|_| {
            let kind = one.family_kind().name();
            format!("{kind} tests of this report, m={}, Holm", one.family)
        }),
        statistic: test.statistic.and_then(finite),
        attainable: test.attainable.and_then(finite),
        paired_p_bounds: one.paired_p.map(|p| [p.lowest, p.highest]),
    })
}

fn arm(one: &Comparison<'_>, which: Which) -> ArmView {
    let side = one.cell.side(which);
    let value = match &one.seeds {
        Some(seeds) => seeds.mean(which).map_or_else(|| side.value(), Measured::Value),
        None => side.value(),
    };
    let level = 1.0 - one.alpha;
    let moments = one.seeds.as_ref().map(|seeds| seeds.moments(which));
    ArmView {
        value: value.value(),
        absent: match value {
            Measured::Value(_) => None,
            Measured::Absent(Absence::NotRun) => Some("not-run"),
            Measured::Absent(Absence::NotApplicable) => Some("not-applicable"),
            Measured::Absent(Absence::Failed) => Some("failed"),
        },
        n: moments.map_or_else(|| one.n(which), |moments| Some(moments.n)),
        clusters: one.own_clusters.map(|[baseline, candidate]| match which {
            Which::Baseline => baseline,
            Which::Candidate => candidate,
        }),
        ci: match moments {
            Some(moments) => intervals::over_seeds(moments, &one.cell.spec, level),
            None => intervals::of_arm(one, which, level),
        },
        seeds: one.seeds.as_ref().map(|seeds| seeds.arm(which).iter().map(seed).collect()),
        coverage: coverage(one, which),
        part: one.part(which),
        source: side.source(&one.cell.key.metric).map(|source| SourceView {
            path: source.path.to_string(),
            line: source.line,
            key: source.key,
        }),
    }
}

/// What became of the samples of an arm; of a stated figure only how many there should be.
fn coverage(one: &Comparison<'_>, which: Which) -> Option<CoverageView> {
    let (cell, side) = (one.cell, one.cell.side(which));
    let tables = cell.table.and_then(|index| one.pair.tables.get(index));
    let planned = one.pair.expected(cell, which).map(|aim| aim.samples);
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
        truncated: samples.truncated,
        duplicate: samples.duplicate,
        conflicting: samples.conflicting,
    })
}

fn seed(one: &SeedFigure<'_>) -> SeedView {
    let SeedFigure { run, seed, value, n } = one;
    SeedView { run: run.id.clone(), seed: seed.clone(), value: value.and_then(finite), n: *n }
}

fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

pub(super) fn verdict_counts(material: &Material<'_>) -> VerdictCounts {
    let mut counts = VerdictCounts::default();
    for one in material.all() {
        let slot = match one.verdict {
            Verdict::Better => &mut counts.better,
            Verdict::Worse => &mut counts.worse,
            Verdict::Equivalent => &mut counts.equivalent,
            Verdict::Inconclusive => &mut counts.inconclusive,
            Verdict::Identical => &mut counts.identical,
            Verdict::NotAssessable => &mut counts.not_assessable,
        };
        *slot += 1;
    }
    counts
}

pub(super) fn gates(material: &Material<'_>) -> Vec<GateView> {
    let english = Catalogue::of(Lang::En);
    material
        .gates
        .iter()
        .map(|gate| GateView {
            name: gate.rule.name().to_owned(),
            rule: english.get(&format!("gate.{}", gate.rule.name())),
            outcome: gate.outcome.name(),
            reason: gate_reason(gate, english),
            local_reason: gate_reason(gate, material.words),
        })
        .collect()
}

fn gate_reason(gate: &Gate, words: &Catalogue) -> String {
    let by_margin = gate.within_margin > 0;
    let key = match (gate.rule, gate.outcome) {
        (Rule::Regression, Outcome::NotGateable) => "nothing-judged",
        (Rule::Regression, Outcome::Inconclusive) if !by_margin => "no-margin",
        (Rule::Mismatch, Outcome::NotGateable) => "not_gateable-mismatch",
        (_, Outcome::NotGateable) => "not_gateable-missing",
        (_, outcome) => outcome.name(),
    };
    let (count, of) = (gate.count.to_string(), gate.of.to_string());
    let mut reason = words.fill(&format!("gate.reason-{key}"), &[("count", &count), ("of", &of)]);
    if gate.averages > 0 && gate.outcome != Outcome::NotGateable {
        let averages = gate.averages.to_string();
        reason.push_str(&words.fill("gate.with-averages", &[("averages", &averages)]));
    }
    if gate.within_noise > 0 && gate.outcome == Outcome::Inconclusive {
        let within = gate.within_noise.to_string();
        reason.push_str(&words.fill("gate.within-noise", &[("within", &within)]));
    }
    if by_margin && gate.outcome != Outcome::NotGateable {
        let within = gate.within_margin.to_string();
        reason.push_str(&words.fill("gate.within-margin", &[("within", &within)]));
    }
    if gate.accepted > 0 {
        let key = match (gate.rule, gate.outcome) {
            (Rule::Regression, _) => "gate.accepted-judged",
            (_, Outcome::Pass) => "gate.accepted-pass",
            _ => "gate.accepted-beside",
        };
        let accepted = gate.accepted.to_string();
        reason.push_str(&words.fill(key, &[("accepted", &accepted)]));
    }
    reason
}
