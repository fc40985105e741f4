//! The stages of `best`: checkpoints of one run set against each other.

use std::path::PathBuf;

use super::analysis as best;
use crate::diag::{Code, Diagnostic, Effect, Warned};
use crate::exit::Failure;
use crate::model::{MetricSpec, Run, Selection};
use crate::pairing::{self, Arm, PairedArms, PairingOptions};
use crate::pipeline::{PipelineError, prejudge, read_single};
use crate::settings::Settings;
use crate::{check, compare, derive};

/// Reads a run with evaluations at several steps and chooses among its checkpoints.
///
/// # Errors
/// When the run does not exist or holds nothing readable, and when it is not clear which metric
/// decides.
pub(super) fn choose_best(
    input: &PathBuf,
    wanted: &best::Wanted,
    (plan, loss): (&best::BestPlan, Option<(&str, &'static str)>),
    settings: &Settings,
    mut noticed: Vec<Diagnostic>,
) -> Result<Warned<best::Choice>, Failure> {
    let words = settings.words();
    let runs = evaluated_runs(input, wanted, settings, &mut noticed)
        .map_err(|error| error.into_failure(words))?;
    let Some(run) = runs.first().filter(|run| !run.is_empty()) else {
        let path = input.to_string_lossy().into_owned();
        return Err(PipelineError::EmptyRun { path, diagnostics: noticed }.into_failure(words));
    };
    noticed.extend(derive::unused_names(&runs, &settings.names, &[]));
    let question = best::question(run, wanted, &settings.names).map_err(Failure::usage)?;
    let last = best::last(run, plan, &question);
    let parts = best::checkpoints(run, &question, last);
    let steps: Vec<f64> = parts.iter().map(|part| part.step).collect();
    let primary = vec![question.metric.clone()];
    let options = PairingOptions { vary: Vec::new(), primary, ..settings.into() };
    let none = || best::NoQuestion::NoCheckpoints { path: run.path.clone() };
    let arms: Vec<Arm<'_>> = parts.iter().map(|part| Arm::single(&part.run)).collect();
    let level = 1.0 - settings.options.alpha;
    let (mut figures, spec) = checkpoint_figures(&arms, &steps, &question, (&options, level))
        .ok_or_else(none)
        .map_err(Failure::usage)?;
    let no_direction = || best::NoQuestion::NoDirection { metric: question.metric.clone() };
    let sign = spec.direction.sign().ok_or_else(no_direction).map_err(Failure::usage)?;
    best::mark_fragments(&mut figures, plan.size(question.dataset.as_deref()));
    let leader = best::best_checkpoint(&figures, sign).ok_or_else(none).map_err(Failure::usage)?;
    let order: Vec<usize> = (0..arms.len()).filter(|at| *at != leader).collect();
    let ranked = std::iter::once(leader).chain(order.iter().copied());
    let ranked: Vec<Arm<'_>> = ranked.filter_map(|at| arms.get(at).cloned()).collect();
    let (mut against, mut optimism) = (vec![None; figures.len()], None);
    if let Some(mut paired_arms) = pairing::pair_arms(&ranked, &options) {
        best::narrow_to_question(&mut paired_arms, &question);
        against = compared(&paired_arms, (&order, &figures), settings, &mut noticed);
        optimism = best::optimism(&paired_arms, (&figures, leader, &order), &spec);
    }
    let loss = best::LossName { asked: loss, names: &settings.names, decides: &question.metric };
    noticed.extend(loss.missing(run));
    let unplaced = best::unplaced(run, &question, sign).filter(|_| last.is_none());
    let illegible = best::illegible(run, &question);
    let reached = best::reached(run);
    let recorded = run.content.selection.clone();
    let by_another = |it: &Selection| best::is_by_another(it, &question, &settings.names);
    let choice = best::Choice {
        run: run.id.clone(),
        path: run.path.clone(),
        loss: best::loss(run, &loss, &figures, (leader, sign)),
        coverage: best::checkpoint_coverage(run, plan, reached, last),
        beside: best::figures_at_steps(run, &question),
        recorded_by_another: recorded.as_ref().is_some_and(by_another),
        recorded,
        question,
        spec,
        figures,
        best: leader,
        against,
        optimism,
        reached,
        noticed: unplaced.into_iter().chain(illegible).collect(),
        level,
    };
    noticed.extend(choice.findings());
    Ok(Warned::new(choice, noticed))
}

/// The run with the figures of its checkpoints: where files of evaluations do not answer, what its
/// training logged of them.
fn evaluated_runs(
    input: &PathBuf,
    wanted: &best::Wanted,
    settings: &Settings,
    noticed: &mut Vec<Diagnostic>,
) -> Result<Vec<Run>, PipelineError> {
    let mut runs = read_single(std::slice::from_ref(input), settings, noticed)?;
    for run in &mut runs {
        if best::question(run, wanted, &settings.names).is_err() {
            derive::add_evaluations(run, &settings.names);
        }
    }
    Ok(runs)
}

/// The comparison of the best with every other checkpoint, in the order of the figures.
fn compared(
    paired_arms: &PairedArms<'_>,
    (order, figures): (&[usize], &[best::Figure]),
    settings: &Settings,
    noticed: &mut Vec<Diagnostic>,
) -> Vec<Option<best::AgainstBest>> {
    let findings = check::check(paired_arms, &settings.accept);
    for finding in findings.iter().flat_map(|found| &found.diagnostics).filter(|one| decides(one)) {
        // What is wrong with the best is found again beside every other checkpoint.
        if !noticed.contains(finding) {
            noticed.push(finding.clone());
        }
    }
    let options = compare::CompareOptions { stats: settings.options, ..Default::default() };
    let compared = compare::compare(paired_arms, &prejudge(paired_arms, &findings), &options);
    best::against(&compared.comparisons, order, figures)
}

/// Whether a finding bears on which checkpoint is the best: it takes a verdict, or the figure that
/// decides is disputed by the run itself.
fn decides(finding: &Diagnostic) -> bool {
    // That a checkpoint has no figure stands in its row.
    let is_told = finding.code == Code::NoSharedMetric;
    (finding.effect() == Effect::Blocks && !is_told) || finding.code == Code::AggregateDisagrees
}

/// The figure of every checkpoint: set against the first, or against itself where it is the only
/// one.
fn checkpoint_figures(
    arms: &[Arm<'_>],
    steps: &[f64],
    question: &best::Question,
    (options, level): (&PairingOptions, f64),
) -> Option<(Vec<best::Figure>, MetricSpec)> {
    match (arms, pairing::pair_arms(arms, options)) {
        (_, Some(paired_arms)) => {
            best::checkpoint_figures(&paired_arms.pairs, steps, question, level)
        }
        ([arm], None) => {
            let alone = [pairing::pair_with_itself(arm.lead, options)];
            best::checkpoint_figures(&alone, steps, question, level)
        }
        _ => None,
    }
}
