//! Which nights are reported, and what is compared with what.

use std::collections::{BTreeMap, BTreeSet};

use super::job::{BaselineChoice, Job};
use super::record::{BaselineNote, JobRecord, RunRecord, RunState};
use crate::history::HistoryRow;
use crate::quantity::Night;

/// Runs that are compared at once.
const MOST_CANDIDATES: usize = 12;
/// Nights that are reported after some at which nobody looked.
const MOST_NIGHTS: usize = 31;
/// Nights in which a run with the same questions is looked for.
const SAME_QUESTIONS: u32 = 14;

/// The report of a night.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NightPlan {
    pub night: Night,
    /// A run below the root; `None` where there is nothing to compare with yet.
    pub baseline: Option<String>,
    pub note: Option<BaselineNote>,
    /// The last complete runs of the night.
    pub candidates: Vec<String>,
    /// How many more there are.
    pub left_out: usize,
}

/// The reports to be made of these nights. The first look at a job reports its last night alone: the
/// earlier ones are history. `best` has the figures of the job's first metric, if the job asks for the best
/// run.
pub fn plan_nights(
    job: &Job,
    known: &JobRecord,
    nights: &BTreeSet<Night>,
    best: &[HistoryRow],
) -> Vec<NightPlan> {
    let most = if known.reports.is_empty() { 1 } else { MOST_NIGHTS };
    let last = nights.iter().rev().take(most).rev();
    last.filter_map(|night| plan(job, known, *night, best)).collect()
}

fn plan(job: &Job, known: &JobRecord, night: Night, best: &[HistoryRow]) -> Option<NightPlan> {
    let (baseline, note) = baseline(job, known, night, best);
    let of_night = known.complete().filter(|(_, run)| run.night == night);
    let is_candidate = |name: &&String| baseline.as_ref() != Some(*name);
    let names = of_night.map(|(name, run)| (run.finished, name)).collect::<BTreeSet<_>>();
    let names: Vec<&String> =
        names.into_iter().map(|(_, name)| name).filter(is_candidate).collect();
    let left_out = names.len().saturating_sub(MOST_CANDIDATES);
    let candidates: Vec<String> = names.into_iter().skip(left_out).cloned().collect();
    (!candidates.is_empty()).then_some(NightPlan { night, baseline, note, candidates, left_out })
}

fn baseline(
    job: &Job,
    known: &JobRecord,
    night: Night,
    best: &[HistoryRow],
) -> (Option<String>, Option<BaselineNote>) {
    match &job.baseline {
        BaselineChoice::Previous => previous(known, night),
        BaselineChoice::Best => (best_run(known, night, best), None),
        BaselineChoice::Accepted => {
            let note = known.accepted.is_none().then_some(BaselineNote::NoneAccepted);
            (known.accepted.clone(), note)
        }
        BaselineChoice::Named(name) => {
            let is_named = |run: &&String| run.rsplit('/').next() == Some(name.as_str());
            (Some(known.runs.keys().find(is_named).unwrap_or(name).clone()), None)
        }
    }
}

/// The last complete run of an earlier night that was asked the same, else the last one.
fn previous(known: &JobRecord, night: Night) -> (Option<String>, Option<BaselineNote>) {
    let order = |(name, run): &(&String, &RunRecord)| (run.night, run.finished, (*name).clone());
    let mut earlier: Vec<_> = known.complete().filter(|(_, run)| run.night < night).collect();
    earlier.sort_by_key(order);
    let Some((last, before)) = earlier.pop() else { return (None, None) };
    let own = known.complete().filter(|(_, run)| run.night == night).max_by_key(order);
    let Some((_, own)) = own.filter(|(_, own)| !own.questions.can_be(&before.questions)) else {
        return (Some(last.clone()), None);
    };
    let is_alike = |(_, run): &&(&String, &RunRecord)| {
        let is_recent = run.night >= night.before(SAME_QUESTIONS);
        is_recent && !run.questions.is_empty() && own.questions.can_be(&run.questions)
    };
    match earlier.iter().rev().find(is_alike) {
        Some((name, _)) => (Some((*name).clone()), Some(BaselineNote::SameQuestions)),
        None => (Some(last.clone()), Some(BaselineNote::OtherQuestions)),
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
