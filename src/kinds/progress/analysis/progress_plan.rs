//! What the run is held against beside its figures: the plan, and the names that are declared.

use super::declared::{Asked, DeclaredProgress};
use super::rates::ProgressRate;
use super::timeline::{Timeline, TimelineSpan};
use crate::diag::{Code, Diagnostic, Location};
use crate::model::{ConfigValue, Run, Source, leaf};

/// Keys of a configuration that say how many steps a run sets out to make, by their last component.
const PLAN_KEYS: [&str; 5] =
    ["max_steps", "total_training_steps", "total_steps", "num_train_steps", "max_train_steps"];

/// How many steps the run sets out to make.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    pub steps: f64,
    /// Where a file of the run says so; `None` where `reportgen.toml` does.
    pub source: Option<Source>,
}

/// The planned steps: as declared, as the state of the training says, or as the configuration does.
pub(super) fn planned_steps(run: &Run, declared: &DeclaredProgress, axis: &str) -> Option<Plan> {
    if let Some(steps) = declared.planned_steps {
        return Some(Plan { steps: steps.get() as f64, source: None });
    }
    // What files plan are steps of the optimiser.
    if axis == "epoch" {
        return None;
    }
    if let Some(progress) = &run.content.progress {
        let source = Some(progress.source.clone());
        return Some(Plan { steps: progress.planned as f64, source });
    }
    run.content.config.iter().find_map(|(key, entry)| match entry.value {
        ConfigValue::Number(steps, _) if steps > 0.0 && PLAN_KEYS.contains(&leaf(key)) => {
            Some(Plan { steps, source: Some(entry.source.clone()) })
        }
        _ => None,
    })
}

/// The finding for metrics that `[progress]` names and the run has not.
pub(super) fn missing_names(
    timeline: &Timeline,
    rates: &[ProgressRate],
    declared: &DeclaredProgress,
    asked: &Asked,
) -> Option<Diagnostic> {
    let of_rates = declared.rates.values().flat_map(|rate| [&rate.count, &rate.of]);
    let of_averages = declared.averages.iter().flat_map(|(name, one)| [name, &one.of, &one.per]);
    let lists = declared.cumulative.iter().chain(&declared.per_step).chain(&declared.cost);
    let of_predictions = declared.prediction.iter().map(|one| &one.metric);
    let labelled = declared.labels.keys().chain(&declared.show);
    let named = of_rates.chain(of_averages).chain(lists).chain(of_predictions).chain(labelled);
    let is_known = |name: &String| {
        timeline.curves.contains_key(name) || rates.iter().any(|rate| rate.name == *name)
    };
    let mut missing: Vec<String> = Vec::new();
    for name in named.filter(|name| !is_known(name) && asked.is_own(name)) {
        if !missing.contains(name) {
            missing.push(name.clone());
        }
    }
    let known: Vec<String> = timeline.curves.keys().take(20).cloned().collect();
    (!missing.is_empty()).then(|| {
        Diagnostic::new(Code::MetricUnrecorded)
            .with("setting", "[progress]")
            .with("metrics", missing)
            .with("known", known)
            .at(Location::file(asked.config.as_str()))
    })
}

pub(super) fn beyond(plan: Option<&Plan>, span: &TimelineSpan, config: &str) -> Option<Diagnostic> {
    let plan = plan.filter(|plan| span.to > plan.steps)?;
    let place = match &plan.source {
        Some(source) => source.location(),
        None => Location::file(config),
    };
    Some(
        Diagnostic::new(Code::BeyondPlan)
            .with("reached", span.to)
            .with("planned", plan.steps)
            .at(place),
    )
}
