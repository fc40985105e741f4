//! Whether a run can be judged, is waited for, or was seen before.

use super::job::Job;
use super::record::{JobRecord, RunNote, RunRecord, RunState};
use crate::collect::RunScan;
use crate::quantity::{Moment, Night, TimeOfDay};

/// Files that programs write last.
pub(super) const MARKERS: [&str; 5] = ["_SUCCESS", "_SUCCESS.json", "_DONE", ".done", "COMPLETED"];
/// Seconds after which a run that is not complete and does not change is given up.
const GIVEN_UP: i64 = 24 * 3600;

/// What is known of the time.
#[derive(Debug, Clone, Copy)]
pub struct Watch {
    pub now: Moment,
    /// Seconds for which a run has to stay as it is until it is taken for complete.
    pub quiet: i64,
}

/// What is to be done with a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sight {
    /// It was read before and has not changed.
    Same,
    /// It is not complete yet, or no longer.
    Waiting(RunRecord),
    /// It has to be read.
    Ready(RunRecord),
}

impl Watch {
    /// The night of a job.
    pub fn night(self, job: &Job) -> Night {
        self.now.night(job.due.unwrap_or_default())
    }

    /// Names of files by which a run of the job is known to be complete.
    pub fn markers(job: &Job) -> Vec<&str> {
        job.marker.as_deref().map_or_else(|| MARKERS.to_vec(), |marker| vec![marker])
    }

    /// Looks at a run of the job. One that is named after a night to come, the next one apart, which a
    /// clock of another zone may have reached, is left until then. In the order of what is trusted more: the file that is written last,
    /// two looks apart that see the same, and only then the time that files carry, which a copy may
    /// keep. What the run says of itself is asked when it is read.
    pub fn look(self, job: &Job, known: &JobRecord, name: &str, scan: &RunScan) -> Sight {
        let before = known.runs.get(name).filter(|run| run.state != RunState::Gone);
        let same = before.filter(|run| run.signature == scan.signature);
        let is_settled =
            |run: &&RunRecord| !matches!(run.state, RunState::Writing | RunState::Dead);
        if same.is_some_and(|run| is_settled(&run)) {
            return Sight::Same;
        }
        let zone = job.due.unwrap_or_default();
        let finished = Moment(scan.newest);
        // A clock that was set back has not seen the run later than now.
        let since = same.map_or(self.now, |run| run.since.min(self.now));
        let run = RunRecord {
            state: RunState::Writing,
            night: Night::named_in(name).unwrap_or_else(|| finished.night(zone)),
            signature: scan.signature.clone(),
            since,
            content: before.and_then(|run| run.content.clone()),
            revision: before.map_or(0, |run| run.revision),
            finished,
            filed: before.map_or_else(|| self.now.night(zone), |run| run.filed),
            late: before.is_some_and(|run| run.late),
            questions: before.map(|run| run.questions.clone()).unwrap_or_default(),
            judge: before.and_then(|run| run.judge.clone()),
            note: None,
        };
        // What was judged before is there, whatever the clock says.
        let was_judged = before.is_some_and(|run| run.state == RunState::Complete);
        if !was_judged && run.night.days_since(self.now.night(zone)) > 1 {
            return Sight::Waiting(RunRecord { note: Some(RunNote::Ahead), ..run });
        }
        let age = self.now.seconds_since(finished);
        let is_quiet = same.is_some() && self.now.seconds_since(since) >= self.quiet;
        let is_ready = scan.is_marked || job.marker.is_none() && (is_quiet || age >= self.quiet);
        match (is_ready, same) {
            // What it said of itself still stands, until it is given up.
            (true, Some(before)) if before.content.is_some() && before.note.is_some() => {
                self.waiting(RunRecord { note: before.note.clone(), ..run }, before.state)
            }
            (true, _) => Sight::Ready(run),
            (false, before) => {
                self.waiting(run, before.map_or(RunState::Writing, |before| before.state))
            }
        }
    }

    /// A run that is waited for, or given up; what is dead stays dead until it changes.
    fn waiting(self, run: RunRecord, before: RunState) -> Sight {
        let is_given_up = before == RunState::Dead || self.now.seconds_since(run.since) >= GIVEN_UP;
        let state = if is_given_up { RunState::Dead } else { RunState::Writing };
        Sight::Waiting(RunRecord { state, ..run })
    }

    /// Whether a run that is complete now was awaited before: its files are newer than the time at
    /// which it was due, or somebody looked for it after that time.
    pub fn is_late(
        self,
        due: Option<TimeOfDay>,
        run: &RunRecord,
        last_look: Option<Moment>,
    ) -> bool {
        let Some(due) = due.map(|due| due.on(run.night)) else { return false };
        run.finished > due || last_look.is_some_and(|last| last >= due)
    }

    /// Whether the run of tonight should be there; `None` where no run is ever due.
    pub fn is_due(self, job: &Job) -> Option<bool> {
        job.due.map(|due| self.now >= due.on(self.now.night(due)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nightly::Questions;
    use crate::nightly::job::{BaselineChoice, Keep};

    const QUIET: i64 = 600;

    fn job(marker: Option<&str>) -> Job {
        Job {
            name: "main".to_owned(),
            runs: Vec::new(),
            chosen: Vec::new(),
            baseline: BaselineChoice::Previous,
            metrics: Vec::new(),
            due: None,
            marker: marker.map(str::to_owned),
            keep: Keep::default(),
            words: Vec::new(),
            settings: String::new(),
        }
    }

    fn scan(signature: &str, newest: i64, is_marked: bool) -> RunScan {
        RunScan { signature: signature.to_owned(), newest, is_marked }
    }

    /// What becomes of a run that is looked at again and again, at those seconds: `.` for waiting, `!`
    /// for ready, `x` for dead, `=` for the same as before.
    fn check(marker: Option<&str>, looks: &[(i64, RunScan)]) -> String {
        let (job, mut known) = (job(marker), JobRecord::default());
        let mut seen = String::new();
        for (now, scan) in looks {
            let watch = Watch { now: Moment(*now), quiet: QUIET };
            let (sign, run) = match watch.look(&job, &known, "run", scan) {
                Sight::Same => ('=', None),
                Sight::Ready(run) => ('!', Some(RunRecord { state: RunState::Complete, ..run })),
                Sight::Waiting(run) if run.state == RunState::Dead => ('x', Some(run)),
                Sight::Waiting(run) => ('.', Some(run)),
            };
            seen.push(sign);
            known.runs.extend(run.map(|run| ("run".to_owned(), run)));
        }
        seen
    }

    #[test]
    fn a_run_is_ready_when_it_is_marked_or_was_quiet_or_is_old() {
        let fresh = |signature, now: i64| (now, scan(signature, now - 5, false));
        assert_eq!(check(None, &[(10_000, scan("a", 9_000, false))]), "!");
        assert_eq!(
            check(None, &[fresh("a", 10_000), fresh("b", 10_600), fresh("c", 11_200)]),
            "..."
        );
        // Two looks apart see the same, although its files say that they were written just now.
        let skewed = |now| (now, scan("a", 20_000, false));
        assert_eq!(
            check(None, &[skewed(10_000), skewed(10_300), skewed(10_600), skewed(10_900)]),
            "..!="
        );
        assert_eq!(check(None, &[(10_000, scan("a", 9_999, true))]), "!");
    }

    #[test]
    fn a_named_marker_is_waited_for_and_what_never_gets_it_is_given_up_once() {
        let old = |now: i64, is_marked| (now, scan("a", 10, is_marked));
        let day = GIVEN_UP;
        let looks = [old(20_000, false), old(20_000 + day, false), old(20_600 + day, false)];
        assert_eq!(check(Some("END"), &looks), ".xx");
        let marked = (20_700 + day, scan("b", 10, true));
        assert_eq!(check(Some("END"), &[looks.as_slice(), &[marked]].concat()), ".xx!");
    }

    #[test]
    fn a_clock_that_is_set_back_neither_ends_nor_prolongs_the_wait_by_its_error() {
        let skewed = |now| (now, scan("a", 99_999, false));
        assert_eq!(
            check(None, &[skewed(50_000), skewed(10_000), skewed(10_300), skewed(10_600)]),
            "...!"
        );
    }

    #[test]
    fn a_run_is_late_by_its_files_or_because_it_was_looked_for() {
        let due: TimeOfDay = "06:00".parse().expect("a time");
        let night: Night = "2026-03-01".parse().expect("a night");
        let watch = Watch { now: Moment(0), quiet: QUIET };
        let late = |finished: i64, last: Option<i64>| {
            let run = RunRecord {
                state: RunState::Complete,
                night,
                signature: String::new(),
                since: Moment(0),
                content: None,
                revision: 1,
                finished: Moment(due.on(night).0 + finished),
                filed: night,
                late: false,
                questions: Questions::default(),
                judge: None,
                note: None,
            };
            let last = last.map(|last| Moment(due.on(night).0 + last));
            [None, Some(due)].map(|due| watch.is_late(due, &run, last))
        };
        assert_eq!(late(-60, None), [false, false]);
        assert_eq!(late(60, None), [false, true]);
        assert_eq!(late(-60, Some(-30)), [false, false]);
        assert_eq!(late(-60, Some(3600)), [false, true]);
    }
}
