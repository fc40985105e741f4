//! Which nights are reported, and what is compared with what.

use std::collections::{BTreeMap, BTreeSet};

use super::job::{BaselineChoice, Job};
use super::record::{JobRecord, RunState};
use crate::history::HistoryRow;
use crate::quantity::Night;

/// Runs that are compared at once.
const MOST_CANDIDATES: usize = 12;
/// Nights that are reported after some at which nobody looked.
const MOST_NIGHTS: usize = 7;

/// The report of a night.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NightPlan {
    pub night: Night,
    /// A run below the root; `None` where there is nothing to compare with yet.
    pub baseline: Option<String>,
    /// The last complete runs of the night.
    pub candidates: Vec<String>,
    /// How many more there are.
    pub left_out: usize,
}

/// The reports to be made after runs of these nights were read. The first look at a job reports its last
/// night alone: the earlier ones are history. `best` has the figures of the job's first metric, if the
/// job asks for the best run.
pub fn plan_nights(
    job: &Job,
    known: &JobRecord,
    touched: &BTreeSet<Night>,
    best: &[HistoryRow],
) -> Vec<NightPlan> {
    let most = if known.reports.is_empty() { 1 } else { MOST_NIGHTS };
    let last = touched.iter().rev().take(most).rev();
    last.filter_map(|night| plan(job, known, *night, best)).collect()
}

fn plan(job: &Job, known: &JobRecord, night: Night, best: &[HistoryRow]) -> Option<NightPlan> {
    let baseline = baseline(job, known, night, best);
    let of_night = known.complete().filter(|(_, run)| run.night == night);
    let is_candidate = |name: &&String| baseline.as_ref() != Some(*name);
    let names = of_night.map(|(name, run)| (run.finished, name)).collect::<BTreeSet<_>>();
    let names: Vec<&String> =
        names.into_iter().map(|(_, name)| name).filter(is_candidate).collect();
    let left_out = names.len().saturating_sub(MOST_CANDIDATES);
    let candidates: Vec<String> = names.into_iter().skip(left_out).cloned().collect();
    (!candidates.is_empty()).then_some(NightPlan { night, baseline, candidates, left_out })
}

fn baseline(job: &Job, known: &JobRecord, night: Night, best: &[HistoryRow]) -> Option<String> {
    match &job.baseline {
        BaselineChoice::Previous => {
            let earlier = known.complete().filter(|(_, run)| run.night < night);
            let last = earlier.max_by_key(|(name, run)| (run.night, run.finished, *name));
            last.map(|(name, _)| name.clone())
        }
        BaselineChoice::Best => best_run(known, night, best),
        BaselineChoice::Accepted => known.accepted.clone(),
        BaselineChoice::Named(name) => {
            let is_named = |run: &&String| run.rsplit('/').next() == Some(name.as_str());
            Some(known.runs.keys().find(is_named).unwrap_or(name).clone())
        }
    }
}

/// Of the complete runs of earlier nights the one whose figures are the best on average, the latest
/// among equals.
fn best_run(known: &JobRecord, night: Night, rows: &[HistoryRow]) -> Option<String> {
    let mut means: BTreeMap<(Night, &str), Vec<f64>> = BTreeMap::new();
    let is_there = |row: &&HistoryRow| {
        let run = known.runs.get(&row.run);
        row.night < night && run.is_some_and(|run| run.state == RunState::Complete)
    };
    for row in rows.iter().filter(is_there) {
        let sign = if row.higher_is_better? { 1.0 } else { -1.0 };
        means.entry((row.night, &row.run)).or_default().extend(row.value.map(|value| sign * value));
    }
    let means = means.into_iter().filter(|(_, values)| !values.is_empty());
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let best = means.map(|((_, run), values)| (mean(&values), run));
    best.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, run)| run.to_owned())
}
