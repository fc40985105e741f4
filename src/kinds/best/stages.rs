//! The stages of `best`: checkpoints of one run set against each other.

use std::path::PathBuf;

use super::analysis::Undecided;
use super::{KIND, analysis as best};
use crate::diag::{Code, Diagnostic, Effect, Warned};
use crate::exit::Failure;
use crate::model::{MetricSpec, Run, Selection, shell_word};
use crate::pairing::{self, Arm, PairedArms, PairingOptions, moves_answers};
use crate::pipeline::{PipelineError, read_single, restrict};
use crate::settings::Settings;
use crate::text::Refusal;
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
    let mut run = read_run(input, settings, &mut noticed)?;
    let found = evaluations(&mut run, wanted, settings).map_err(|why| refusal(why, &run))?;
    let best::FoundQuestion { question, axis, .. } = found;
    noticed.extend(derive::unused_names(std::slice::from_ref(&run), &settings.names, &[]));
    let run = &run;
    let last = match axis {
        best::CheckpointAxis::Step => best::last(run, plan, &question),
        best::CheckpointAxis::Epoch => plan.end.map(|end| end as f64),
    };
    let parts = best::checkpoints(run, &question, last);
    let steps: Vec<f64> = parts.iter().map(|part| part.step).collect();
    let primary = vec![question.metric.clone()];
    let options = PairingOptions { vary: Vec::new(), primary, ..settings.into() };
    let none = || refusal(Undecided::NoCheckpoints, run);
    let arms: Vec<Arm<'_>> = parts.iter().map(|part| Arm::single(&part.run)).collect();
    let level = 1.0 - settings.options.alpha;
    let (mut figures, spec) =
        checkpoint_figures(&arms, &steps, &question, (&options, level)).ok_or_else(none)?;
    let no_direction = || refusal(Undecided::NoDirection(vec![question.metric.clone()]), run);
    let sign = spec.direction.sign().ok_or_else(no_direction)?;
    best::mark_fragments(&mut figures, plan.size(question.dataset.as_deref()));
    let leader = best::best_checkpoint(&figures, sign).ok_or_else(none)?;
    let order: Vec<usize> = (0..arms.len()).filter(|at| *at != leader).collect();
    let ranked = std::iter::once(leader).chain(order.iter().copied());
    let ranked: Vec<Arm<'_>> = ranked.filter_map(|at| arms.get(at).cloned()).collect();
    let (mut against, mut optimism) = (vec![None; figures.len()], None);
    if let Some(mut paired_arms) = pairing::pair_arms(&ranked, &options) {
        best::narrow_to_question(&mut paired_arms, &question);
        noticed.extend(compare::impossible_figures(&paired_arms));
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
        axis,
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

fn read_run(
    input: &PathBuf,
    settings: &Settings,
    noticed: &mut Vec<Diagnostic>,
) -> Result<Run, Failure> {
    let runs = read_single(std::slice::from_ref(input), Some(KIND.name), settings, noticed);
    let runs = runs.map_err(|error| error.into_failure(settings.words()))?;
    runs.into_iter().next().filter(|run| !run.is_empty()).ok_or_else(|| {
        let path = input.to_string_lossy().into_owned();
        let diagnostics = std::mem::take(noticed);
        PipelineError::EmptyRun { path, diagnostics }.into_failure(settings.words())
    })
}

fn refusal(why: Undecided, run: &Run) -> Failure {
    let code = |metric: &String| format!("`{metric}`");
    Failure::usage(match why {
        Undecided::Several(candidates) => {
            Refusal::new("refused.best-unclear").with("candidates", candidates)
        }
        Undecided::NoneFits(candidates) => {
            Refusal::new("refused.best-none").with("candidates", candidates)
        }
        Undecided::NoDirection(metrics) => {
            let first = metrics.first().map_or("", String::as_str);
            Refusal::new("refused.best-direction")
                .with("undirected", metrics.iter().map(code).collect::<Vec<_>>())
                .with("metric", first)
                .with("word", shell_word(first))
        }
        Undecided::NoCheckpoints => {
            Refusal::new("refused.no-checkpoints").with("path", run.path.as_str())
        }
    })
}

/// What decides. Where files of evaluations have no figure of it, or only one, the run gets what its
/// training logged.
fn evaluations(
    run: &mut Run,
    wanted: &best::Wanted,
    settings: &Settings,
) -> Result<best::FoundQuestion, Undecided> {
    let mut found = best::question(run, wanted, &settings.names)?;
    if found.as_ref().is_none_or(|found| found.checkpoints < 2) {
        derive::add_evaluations(run, &settings.names);
        let stated = found.map(|found| found.wanted());
        found = best::question(run, stated.as_ref().unwrap_or(wanted), &settings.names)?;
    }
    let found = found.ok_or_else(|| best::no_question(run, wanted, &settings.names))?;
    if found.axis == best::CheckpointAxis::Epoch {
        best::count_epochs(run);
    }
    Ok(found)
}

/// The comparison of the best with every other checkpoint, in the order of the figures.
fn compared(
    paired_arms: &PairedArms<'_>,
    (order, figures): (&[usize], &[best::Figure]),
    settings: &Settings,
    noticed: &mut Vec<Diagnostic>,
) -> Vec<Option<best::AgainstBest>> {
    let findings = check::check(paired_arms, &settings.accept);
    // `best` compares no settings, so that one which alone differs is no factor either.
    let differ: Vec<bool> = paired_arms
        .pairs
        .iter()
        .zip(&findings)
        .map(|(pair, found)| {
            pair.factors.keys.iter().any(|key| moves_answers(key))
                || found.diagnostics.iter().any(differs_in_evaluation)
        })
        .collect();
    for (found, differ) in findings.iter().zip(&differ) {
        for finding in found
            .diagnostics
            .iter()
            .filter(|one| decides(one) || *differ && one.code == Code::FactorInferred)
        {
            // What is wrong with the best is found again beside every other checkpoint.
            if !noticed.contains(finding) {
                noticed.push(finding.clone());
            }
        }
    }
    let options = compare::CompareOptions { stats: settings.options, ..Default::default() };
    let compared = compare::compare(paired_arms, &restrict(paired_arms, &findings), &options);
    let mut against = best::against(&compared.comparisons, order, figures);
    for at in order.iter().zip(&differ).filter_map(|(at, differ)| differ.then_some(*at)) {
        if let Some(against) = against.get_mut(at).and_then(Option::as_mut) {
            (against.separable, against.reason) = (None, Some(best::OTHER_SETTINGS));
        }
    }
    against
}

/// Whether a finding bears on which checkpoint is the best: it takes a verdict, or the figure that
/// decides is disputed by the run itself.
fn decides(finding: &Diagnostic) -> bool {
    // That a checkpoint has no figure stands in its row.
    let is_told = finding.code == Code::NoSharedMetric;
    (finding.effect() == Effect::Blocks && !is_told)
        || finding.code == Code::AggregateDisagrees
        || differs_in_evaluation(finding)
}

/// Whether a finding says that two checkpoints were not evaluated alike: settings of a training may move on
/// from step to step.
fn differs_in_evaluation(finding: &Diagnostic) -> bool {
    matches!(finding.code, Code::ConfigDiffers | Code::JudgeDiffers)
        && finding.subject.key.as_deref().is_some_and(moves_answers)
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
