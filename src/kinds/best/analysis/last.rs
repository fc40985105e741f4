//! The step of an evaluation that only says that it is the last one.

use super::BestPlan;
use super::best_question::Question;
use super::figures::{Written, is_final_evaluation, written_figures};
use crate::diag::{Code, Diagnostic};
use crate::model::{ConfigValue, Run, leaf};

/// Names in a configuration of the number of steps of a training.
const STEPS: &[&str] =
    &["max_steps", "total_steps", "num_train_steps", "total_training_steps", "train_steps"];

/// The last step of the training: of the plan, else of the training state, else the number of steps
/// in the configuration. What lies before an evaluation is not the last step.
pub fn last(run: &Run, plan: &BestPlan, question: &Question) -> Option<f64> {
    if let Some(end) = plan.end {
        return Some(end as f64);
    }
    let state = run.content.progress.as_ref().map(|progress| progress.reached as f64);
    let config = || {
        let keys = run.content.config.iter();
        let mut named = keys.filter(|(key, _)| STEPS.contains(&leaf(key)));
        named.find_map(|(_, entry)| match &entry.value {
            ConfigValue::Number(steps, _) if *steps > 0.0 && steps.fract() == 0.0 => Some(*steps),
            _ => None,
        })
    };
    let all = written_figures(run, question);
    let furthest = all.iter().filter_map(|written| written.step).max_by(f64::total_cmp);
    state.or_else(config).filter(|last| furthest.is_none_or(|furthest| furthest <= *last))
}

/// That the evaluation at the end is left out, and whether it would have been the best.
pub fn unplaced(run: &Run, question: &Question, sign: f64) -> Option<Diagnostic> {
    let all = written_figures(run, question);
    let at_end = |one: &&Written<'_>| one.step.is_none() && is_final_evaluation(one.path);
    let left_out = all.iter().find(at_end)?;
    let placed = all.iter().filter(|one| one.step.is_some());
    let is_better = placed.clone().all(|one| sign * left_out.value > sign * one.value);
    Some(
        Diagnostic::new(Code::FinalStepUnknown)
            .run(&run.id)
            .dataset(question.dataset.as_deref())
            .metric(&question.metric)
            .with("path", left_out.path)
            .with("value", left_out.value)
            .with("better", if is_better { 1_u64 } else { 2 })
            .at(crate::diag::Location::file(left_out.path)),
    )
}

/// Figures at steps that are no numbers.
pub fn illegible(run: &Run, question: &Question) -> Option<Diagnostic> {
    let scalars = run.content.scalars.iter().filter(|scalar| scalar.metric == question.metric);
    let mut texts: Vec<String> = Vec::new();
    let mut place = None;
    for scalar in scalars {
        if let Some(step) = scalar.dims.get("step").filter(|step| step.number().is_none()) {
            place = place.or_else(|| Some(scalar.source.location()));
            let step = step.to_string();
            if !texts.contains(&step) {
                texts.push(step);
            }
        }
    }
    let finding = Diagnostic::new(Code::StepIllegible).run(&run.id).metric(&question.metric);
    Some(finding.with("count", texts.len()).with("steps", texts).at(place?))
}
