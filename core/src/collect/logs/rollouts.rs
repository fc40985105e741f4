//! Rollouts: from the line that begins one to the line that scores it.
//!
//! Lines belong to the rollout whose `{id}` they name, else to the one that began last in their
//! process.

use std::sync::Arc;

use indexmap::IndexMap;

use super::patterns::{LineMeaning, LogLineFit, ScoreOutcome};
use crate::model::logs::{
    Fallback, LogTally, Place, RolloutCourse, RolloutGroup, RolloutOutcome, Values,
};

/// Rollouts that are open at once.
const MOST_OPEN: usize = 4096;

#[derive(Debug, Default)]
struct Rollout {
    way: RolloutCourse,
    line: u64,
    /// A line said that it begins; else it was taken from what followed.
    is_begun: bool,
    process: String,
}

/// The rollouts of one log that have not ended.
#[derive(Default)]
pub(super) struct Rollouts {
    path: Arc<str>,
    open: IndexMap<String, Rollout>,
    /// The rollout that began last in each process, where its line names an id.
    current: IndexMap<String, String>,
    /// Whether the log says where rollouts begin.
    begins_are_said: bool,
    /// Begun rollouts that are open in each process, and scores that are still to come for those
    /// which were closed because no line said whose a score is.
    begun: IndexMap<String, [u64; 2]>,
}

impl Rollouts {
    pub(super) fn new(path: Arc<str>) -> Self {
        Self { path, ..Self::default() }
    }

    pub(super) fn failed(&mut self, process: &str, line: u64) {
        if self.begins_are_said {
            let key = self.current(process).to_owned();
            if let Some(rollout) = self.open.get_mut(&key) {
                rollout.way.failed = true;
            }
        } else if self.open.len() < MOST_OPEN || self.open.contains_key(process) {
            let rollout = self.open.entry(process.to_owned()).or_default();
            (rollout.way.failed, rollout.line) = (true, line);
        }
    }

    pub(super) fn event(
        &mut self,
        tally: &mut LogTally,
        process: &str,
        fit: &LogLineFit<'_>,
        line: u64,
    ) {
        let id = fit.hole("id").map(|id| format!("id {id}"));
        let name = id.as_deref().unwrap_or_else(|| self.current(process)).to_owned();
        let name = name.as_str();
        if fit.means == LineMeaning::Rollout {
            self.begins_are_said = true;
            self.close(tally, name);
            if id.is_some()
                && (self.current.len() < MOST_OPEN || self.current.contains_key(process))
            {
                let _before = self.current.insert(process.to_owned(), name.to_owned());
            }
            if self.open.len() >= MOST_OPEN
                && let Some(oldest) = self.open.keys().next().cloned()
            {
                self.close(tally, &oldest);
            }
            let process = process.to_owned();
            let open = self.begun.entry(process.clone()).or_default();
            *open = [open[0] + 1, if open[0] == 0 { 0 } else { open[1] }];
            let begun = Rollout { is_begun: true, line, process, ..Rollout::default() };
            let _before = self.open.insert(name.to_owned(), begun);
            return;
        }
        if self.begins_are_said
            && self.is_unassigned(tally, process, (name, id.is_some()), fit, line)
        {
            return;
        }
        if !self.open.contains_key(name) && self.open.len() >= MOST_OPEN {
            return;
        }
        let rollout = self.open.entry(name.to_owned()).or_default();
        rollout.line = line;
        let way = &mut rollout.way;
        match fit.means {
            LineMeaning::Violation => way.violated = true,
            LineMeaning::Failed => way.failed = true,
            LineMeaning::Fallback => way.fallback = way.fallback.max(Fallback::Used),
            LineMeaning::FallbackSucceeded => {
                way.fallback = ended(way.fallback, Fallback::Succeeded);
            }
            LineMeaning::FallbackFailed => way.fallback = ended(way.fallback, Fallback::Failed),
            LineMeaning::Score => {
                way.outcome = match fit.outcome {
                    Some(ScoreOutcome::Success) => RolloutOutcome::Success,
                    Some(ScoreOutcome::Failure) => RolloutOutcome::Failure,
                    None => RolloutOutcome::Unjudged,
                };
                self.scored(tally, name, fit, line);
            }
            _ => {}
        }
    }

    fn current<'a>(&'a self, process: &'a str) -> &'a str {
        self.current.get(process).map_or(process, String::as_str)
    }

    /// Whether a line cannot be assigned to an open rollout: none is open under its name, or it is a score
    /// that names none while several are open in its process, which is counted as odd.
    fn is_unassigned(
        &mut self,
        tally: &mut LogTally,
        process: &str,
        (name, has_id): (&str, bool),
        fit: &LogLineFit<'_>,
        line: u64,
    ) -> bool {
        let [open, awaited] = self.begun.get(process).copied().unwrap_or_default();
        let is_ambiguous = !has_id && open > 1;
        if !is_ambiguous && self.open.contains_key(name) {
            return false;
        }
        if fit.means != LineMeaning::Score {
            // Behind the score of a rollout and before the next one nothing belongs to any.
            return !self.open.contains_key(name);
        }
        if is_ambiguous {
            self.odd(tally, "unassigned", line);
            let of_process = self.open.iter().filter(|(_, rollout)| rollout.process == process);
            let names: Vec<String> = of_process.map(|(name, _)| name.clone()).collect();
            for name in &names {
                self.close(tally, name);
            }
            let _before = self.begun.insert(process.to_owned(), [0, open - 1]);
        } else if !has_id && awaited > 0 {
            self.odd(tally, "unassigned", line);
            let _before = self.begun.insert(process.to_owned(), [0, awaited - 1]);
        } else {
            self.odd(tally, "scored-twice", line);
        }
        true
    }

    fn odd(&self, tally: &mut LogTally, name: &'static str, line: u64) {
        let place = || Place { path: Arc::clone(&self.path), line };
        tally.odd_scores.entry(name).or_insert_with(|| (0, place())).0 += 1;
    }

    fn left(&mut self, rollout: &Rollout) {
        if let Some([open, _]) = self.begun.get_mut(&rollout.process).filter(|_| rollout.is_begun) {
            *open = open.saturating_sub(1);
        }
    }

    fn scored(&mut self, tally: &mut LogTally, name: &str, fit: &LogLineFit<'_>, line: u64) {
        let value = fit.number("value");
        if value.is_none() {
            self.odd(tally, "score-not-finite", line);
        }
        if let (Some(value), Some(max)) = (value, fit.number("max")) {
            match fit.outcome {
                Some(ScoreOutcome::Success) if value == 0.0 => {
                    self.odd(tally, "right-at-zero", line);
                }
                Some(ScoreOutcome::Failure) if value == max => {
                    self.odd(tally, "wrong-at-full", line);
                }
                _ => {}
            }
            tally.scales_differ |= tally.scale.is_some_and(|known| known != max);
            tally.scale = Some(tally.scale.unwrap_or(max));
            if value > max || value < 0.0 {
                let place = Place { path: Arc::clone(&self.path), line };
                tally.beyond_scale.get_or_insert((0, place)).0 += 1;
            }
        }
        if let Some(rollout) = self.open.shift_remove(name) {
            self.left(&rollout);
            self.count(tally, &rollout, value);
        }
    }

    fn close(&mut self, tally: &mut LogTally, name: &str) {
        if let Some(rollout) = self.open.shift_remove(name) {
            self.left(&rollout);
            self.count(tally, &rollout, None);
        }
    }

    fn count(&self, tally: &mut LogTally, rollout: &Rollout, score: Option<f64>) {
        let is_scored = rollout.way.outcome != RolloutOutcome::Unscored;
        // An exception outside of rollouts is none of them.
        if !(rollout.is_begun || is_scored || rollout.way.fallback != Fallback::None) {
            return;
        }
        let first = Place { path: Arc::clone(&self.path), line: rollout.line };
        let ways = tally.ways.entry(rollout.way).or_insert_with(|| RolloutGroup {
            count: 0,
            scores: Values::default(),
            first,
        });
        ways.count += 1;
        if let Some(score) = score {
            ways.scores.add(score);
        }
    }

    pub(super) fn end(&mut self, tally: &mut LogTally) {
        for (_, rollout) in std::mem::take(&mut self.open) {
            self.count(tally, &rollout, None);
        }
    }
}

/// What a fallback came to, with what was said of it before.
fn ended(before: Fallback, now: Fallback) -> Fallback {
    match before {
        Fallback::None | Fallback::Used => now,
        before if before == now => now,
        _ => Fallback::Both,
    }
}
