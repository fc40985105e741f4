//! From the stages' types to the wire types of `report.json`.

mod comparison;
mod curves;
mod data_files;
mod gates;
mod score_bins;

pub(super) use comparison::comparison;
pub(super) use curves::curves;
pub(super) use gates::gates;
pub(super) use score_bins::score_bins;

use indexmap::IndexMap;

use super::data::{
    AcceptedView, ArmGrade, Comparability, FamiliesView, FamilyView, LevelChangeView, PartGrade,
    PartSubject, ResidueView, RunView, SeriesView, SuiteMeanView, SuiteView, TrendView,
    VerdictCounts,
};
use super::material::aa_kind;
use super::{FindingView, ReportMaterial, TREND_METHOD};
use crate::check::Part;
use crate::compare::{
    FamilySize, NoTrend, RateCondition, Suite, SuiteMean, Trend, TrendEstimate, Verdict,
    VerdictReason,
};
use crate::diag::{Code, Diagnostic};
use crate::model::RunStatus;
use crate::pairing::PairArm;
use crate::text::Catalogue;
use comparison::{finite, noise};

pub(super) fn runs(material: &ReportMaterial<'_>) -> Vec<RunView> {
    let of_arms = material.runs().map(|(run, pair, which)| (run, pair, which, which.name()));
    let repeats = material.noise_runs().map(|(run, pair)| (run, pair, PairArm::Baseline, "noise"));
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
            data_files: data_files::data_files(run),
            provenance: run.content.provenance.clone(),
        })
        .collect()
}

pub(super) fn comparability(material: &ReportMaterial<'_>) -> Comparability {
    let mut factors: Vec<String> = Vec::new();
    for key in material.paired_arms.pairs.iter().flat_map(|pair| &pair.factors.keys) {
        if !factors.contains(key) {
            factors.push(key.clone());
        }
    }
    let residue = material
        .paired_arms
        .pairs
        .iter()
        .flat_map(|pair| {
            let undeclared = pair
                .differences
                .iter()
                .filter(|difference| !pair.factors.contains(&difference.key));
            undeclared.map(|difference| ResidueView {
                key: difference.key.clone(),
                candidate_run: pair.name(PairArm::Candidate).to_owned(),
                baseline: difference.baseline.as_ref().map(|entry| entry.value.clone()),
                candidate: difference.candidate.as_ref().map(|entry| entry.value.clone()),
                role: difference.role.key(),
                can_move_metric: !difference.environment,
            })
        })
        .collect();
    let candidates = material
        .pairs()
        .map(|(pair, findings, _)| ArmGrade {
            candidate: pair.name(PairArm::Candidate).to_owned(),
            grade: findings.grade.name(),
            grade_unaccepted: findings.grade_unaccepted.name(),
            aa: aa_kind(pair, findings),
            claim: findings.claim.name(),
            parts: findings.parts.iter().map(part).collect(),
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

fn part(part: &Part) -> PartGrade {
    let about = part
        .about
        .iter()
        .map(|(subject, code)| PartSubject { subject: subject.clone(), code: *code });
    PartGrade {
        grade: part.grade.name(),
        results: part.results,
        of: part.of,
        about: about.collect(),
    }
}

/// Every rule that covers a finding, in the order of the findings.
fn accepted(material: &ReportMaterial<'_>) -> Vec<AcceptedView> {
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

pub(super) fn findings(material: &ReportMaterial<'_>) -> Vec<FindingView> {
    let message = |finding: &Diagnostic, words: &Catalogue| material.message(finding, words);
    let view = |finding| FindingView::with_message(finding, material.words, message);
    material.diagnostics().map(view).collect()
}

pub(super) fn families(material: &ReportMaterial<'_>) -> FamiliesView {
    let families = material.families;
    let view = |one: &FamilySize| FamilyView {
        family: one.family.name(),
        tests: one.tests,
        copies: one.copies,
        unattainable: one.unattainable,
        counted: one.counted,
        level: one.level,
    };
    FamiliesView {
        tested: families.iter().map(view).collect(),
        secondary_open: families.secondary_open(),
        error_rate: families.error_rate(),
        rate_conditions: material.rate_conditions().into_iter().map(RateCondition::name).collect(),
        unseen_share: material.fewest_open_pairs().map(|pairs| (3.0 / pairs as f64).min(1.0)),
        bookkeeping: material.paired_arms.bookkeeping.iter().cloned().collect(),
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
        role: suite.role.map(|given| given.role.name()),
        dims: suite.dims.clone(),
        candidate_run: suite.pair.name(PairArm::Candidate).to_owned(),
        datasets: suite.datasets,
        left_out: suite.left_out,
        unit: suite.spec.unit.name_of_differences(),
        macro_mean: mean(suite.macro_mean),
        micro_mean: suite.micro_mean.map(mean),
        p_adjusted: suite.adjusted.map(|adjusted| adjusted.p),
        noninferiority: suite.noninferiority,
        accepted: ids(&suite.accepted),
        confounded: ids(&suite.confounded),
        noise: suite
            .noise
            .as_ref()
            .map(|found| noise(found, suite.adjusted.and_then(|test| test.noise_p))),
        verdict: suite.verdict.name(),
        reason: suite.reason.map(VerdictReason::tag),
        word: suite.reason.and_then(VerdictReason::word),
        metric_unit: suite.spec.unit,
    }
}

pub(super) fn series(tested: &Trend<'_>) -> SeriesView {
    SeriesView {
        run: tested.run.id.clone(),
        metric: tested.series.metric.clone(),
        axis: tested.series.axis.clone(),
        dims: tested.series.dims.clone(),
        path: tested.series.path.to_string(),
        points: tested.points,
        not_finite: tested.series.points.len() - tested.points,
        trend: tested.finding.ok().map(trend),
        no_trend: tested.finding.err().map(NoTrend::name),
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

pub(super) fn verdict_counts(material: &ReportMaterial<'_>) -> VerdictCounts {
    let mut counts = VerdictCounts::default();
    for comparison in material.all() {
        let slot = match comparison.verdict {
            Verdict::Better => &mut counts.better,
            Verdict::Worse => &mut counts.worse,
            Verdict::Equivalent => &mut counts.equivalent,
            Verdict::Inconclusive if comparison.reason == Some(VerdictReason::GuardHeld) => {
                &mut counts.not_worse
            }
            Verdict::Inconclusive => &mut counts.inconclusive,
            Verdict::Identical => &mut counts.identical,
            Verdict::NotAssessable if comparison.reason.is_some_and(VerdictReason::is_by_role) => {
                &mut counts.described
            }
            Verdict::NotAssessable => &mut counts.not_assessable,
        };
        *slot += 1;
    }
    counts
}
