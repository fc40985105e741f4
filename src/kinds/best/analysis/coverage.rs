//! Which of the planned evaluations are there.

use std::collections::BTreeMap;

use crate::diag::{Code, Diagnostic};
use crate::model::Run;

use super::Choice;
use super::best_question::step_of_checkpoint;
use super::figures::is_final_evaluation;

/// Which evaluations a training set out to make.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BestPlan {
    pub end: Option<u64>,
    pub tiers: Vec<Tier>,
}

impl BestPlan {
    /// Samples that the plan says a dataset has; the largest number where it says several.
    pub fn size(&self, dataset: Option<&str>) -> Option<u64> {
        let all = self.tiers.iter().flat_map(|tier| &tier.datasets);
        let own = all
            .filter(|(name, _)| dataset.is_some_and(|dataset| dataset.eq_ignore_ascii_case(name)));
        own.filter_map(|(_, size)| *size).max()
    }
}

/// Evaluations that are made at the same steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Tier {
    pub name: String,
    /// Datasets, each with the number of its samples where that is declared.
    pub datasets: Vec<(String, Option<u64>)>,
    pub at: At,
}

/// When a tier is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// Every so many steps, and at the end.
    Every(u64),
    /// At the end only.
    End,
}

/// What became of a planned evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Done,
    /// The training has come further and it is not there.
    Missing,
    NotReached,
    /// It is there and covers another number of samples.
    OtherSize,
}

impl State {
    /// The name in `report.json` and in the catalogue.
    pub fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Missing => "missing",
            Self::NotReached => "not-reached",
            Self::OtherSize => "other-size",
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    pub tier: String,
    /// Dataset, as the plan writes it.
    pub dataset: String,
    pub step: u64,
    /// Samples that it should cover.
    pub planned: Option<u64>,
    /// Samples that it covers, where that is known.
    pub n: Option<u64>,
    pub state: State,
}

/// The last step that the run is known to have reached: of its training state, its series and its
/// evaluations.
pub fn reached(run: &Run) -> Option<f64> {
    let content = &run.content;
    let series = content.series.iter().filter(|one| one.axis == "step");
    let series = series.filter_map(|one| one.points.last().map(|point| point.at));
    let scalars = content.scalars.iter().filter_map(|one| step_of_checkpoint(&one.dims));
    let samples = content.samples.iter().filter_map(|one| step_of_checkpoint(&one.dims));
    let state = content.progress.iter().map(|progress| progress.reached as f64);
    series.chain(scalars).chain(samples).chain(state).max_by(f64::total_cmp)
}

/// Every planned evaluation, step by step and tier by tier. A step that is planned by a tier and
/// lies behind `reached` is missing where it is not there; without `reached` nothing is. The end is that
/// of the plan, else the `last` step of the training; where nobody knows it, nothing is due then.
pub fn checkpoint_coverage(
    run: &Run,
    plan: &BestPlan,
    reached: Option<f64>,
    last: Option<f64>,
) -> Vec<Evaluation> {
    let end = plan.end.or_else(|| last.map(|last| last as u64));
    let there = there(run, end);
    let until = end.or_else(|| reached.map(|reached| reached as u64));
    let mut found = Vec::new();
    for step in steps(plan, end, until) {
        for tier in &plan.tiers {
            let due = match tier.at {
                At::Every(every) => step % every.max(1) == 0 || Some(step) == end,
                At::End => Some(step) == end,
            };
            for (dataset, planned) in tier.datasets.iter().filter(|_| due) {
                let n = there.get(&(dataset.to_ascii_lowercase(), step));
                let state = match (n, planned) {
                    (Some(Some(n)), Some(planned)) if n != planned => State::OtherSize,
                    (Some(_), _) => State::Done,
                    (None, _) if reached.is_some_and(|reached| step as f64 <= reached) => {
                        State::Missing
                    }
                    (None, _) => State::NotReached,
                };
                found.push(Evaluation {
                    tier: tier.name.clone(),
                    dataset: dataset.clone(),
                    step,
                    planned: *planned,
                    n: n.copied().flatten(),
                    state,
                });
            }
        }
    }
    found
}

/// The steps that some tier plans, ascending.
fn steps(plan: &BestPlan, end: Option<u64>, last: Option<u64>) -> Vec<u64> {
    const MOST: usize = 10_000;
    let mut steps: Vec<u64> = end.into_iter().collect();
    for tier in &plan.tiers {
        if let (At::Every(every), Some(last)) = (tier.at, last) {
            let every = every.max(1);
            let due = (1..).map_while(|k: u64| k.checked_mul(every));
            steps.extend(due.take_while(|step| *step <= last).take(MOST));
        }
    }
    steps.sort_unstable();
    steps.dedup();
    steps
}

/// Datasets in lower case and steps with an evaluation, each with its number of samples.
fn there(run: &Run, end: Option<u64>) -> BTreeMap<(String, u64), Option<u64>> {
    let mut found: BTreeMap<(String, u64), Option<u64>> = BTreeMap::new();
    let content = &run.content;
    let scalars =
        content.scalars.iter().map(|one| (&one.dataset, &one.dims, &*one.source.path, one.n));
    let samples = content
        .samples
        .iter()
        .map(|one| (&one.dataset, &one.dims, &*one.path, Some(one.len() as u64)));
    for (dataset, dims, path, n) in scalars.chain(samples) {
        let at = step_of_checkpoint(dims)
            .map(|step| step as u64)
            .or_else(|| end.filter(|_| is_final_evaluation(path)));
        if let (Some(dataset), Some(at)) = (dataset, at) {
            let known = found.entry((dataset.to_ascii_lowercase(), at)).or_default();
            *known = known.or(n);
        }
    }
    found
}

/// The first few, and `…` where there are more: the list of all is in the data.
fn first(mut these: Vec<String>) -> Vec<String> {
    const MOST: usize = 12;
    if these.len() > MOST {
        these.truncate(MOST);
        these.push("…".to_owned());
    }
    these
}

/// One finding for each kind of gap, with everything that it is about.
pub(super) fn unevaluated_checkpoints(choice: &Choice) -> Vec<Diagnostic> {
    let listed = |state: State| -> Vec<String> {
        let these = choice.coverage.iter().filter(|one| one.state == state);
        these
            .map(|one| match (state, one.n, one.planned) {
                (State::OtherSize, Some(n), Some(planned)) => {
                    format!("{} ({}): {n}/{planned}", one.dataset, one.step)
                }
                _ => format!("{} ({})", one.dataset, one.step),
            })
            .collect()
    };
    let finding = |code: Code, state: State| {
        let these = listed(state);
        (!these.is_empty()).then(|| {
            Diagnostic::new(code)
                .run(&choice.run)
                .with("count", these.len())
                .with("evaluations", first(these))
        })
    };
    [
        finding(Code::PlannedEvaluationMissing, State::Missing),
        finding(Code::EvaluationOfOtherSize, State::OtherSize),
    ]
    .into_iter()
    .flatten()
    .collect()
}
