//! One job on one night: its runs looked at and read.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};

use super::log::Log;
use super::written::Store;
use crate::collect::{RunScan, digest_run, matching_runs, scan_run};
use crate::exit::Failure;
use crate::history::HistoryRow;
use crate::nightly::{
    BaselineChoice, Job, JobRecord, NightPlan, Questions, RunFigures, RunNote, RunRecord, RunState,
    Sight, Watch, judge_of, plan_nights, read_figures,
};
use crate::pipeline;
use crate::quantity::{Moment, Night};
use crate::settings::{AccessFlags, ConfigFile, Settings};
use crate::text::{Lang, Refusal};

/// What all jobs share.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a> {
    pub(super) file: &'a ConfigFile,
    pub(super) access: &'a AccessFlags,
    pub(super) settings: &'a Settings,
    pub(super) root: &'a Path,
    pub(super) store: &'a Store,
    pub(super) watch: Watch,
    pub(super) lang: Lang,
    /// Whether nothing may be written.
    pub(super) is_dry: bool,
}

pub(super) struct JobRun<'a> {
    pub(super) shared: Shared<'a>,
    pub(super) job: &'a Job,
    pub(super) known: JobRecord,
    /// Nights of which a run was read that can be compared.
    pub(super) touched: BTreeSet<Night>,
    pub(super) rows: Vec<HistoryRow>,
    /// Runs of which something is new, and what.
    told: Vec<(String, &'static str)>,
    /// Patterns that nothing matches.
    unmatched: Vec<&'a str>,
}

/// A run that was read.
struct ReadRun {
    name: String,
    run: RunRecord,
    rows: Vec<HistoryRow>,
    is_fresh: bool,
}

impl<'a> JobRun<'a> {
    /// Looks at all runs, and reads those that are new or changed.
    pub(super) fn begin(
        shared: Shared<'a>,
        job: &'a Job,
        before: &JobRecord,
        last_look: Option<Moment>,
    ) -> Result<Self, Failure> {
        let mut found: BTreeMap<String, PathBuf> = BTreeMap::new();
        let mut unmatched = Vec::new();
        for pattern in &job.runs {
            let matching =
                matching_runs(shared.root, pattern, &shared.store.out).map_err(|error| {
                    let refusal = Refusal::new("refused.pattern").with("meant", job.name.as_str());
                    Failure::usage(refusal.with("pattern", pattern.as_str()).because(error))
                })?;
            if matching.is_empty() {
                unmatched.push(pattern.as_str());
            }
            found.extend(matching.into_iter().map(|path| (shared.name(&path), path)));
        }
        drop_links(&mut found);
        let markers = Watch::markers(job);
        let look = |(name, path): (&String, &PathBuf)| (name.clone(), scan_run(path, &markers));
        let scans: BTreeMap<String, io::Result<RunScan>> = found.par_iter().map(look).collect();
        let known = JobRecord {
            night: shared.watch.night(job),
            is_due: shared.watch.is_due(job),
            settings: job.settings.clone(),
            ..before.clone()
        };
        let mut run = Self {
            shared,
            job,
            known,
            touched: BTreeSet::new(),
            rows: Vec::new(),
            told: Vec::new(),
            unmatched,
        };
        run.see(before, scans, last_look);
        Ok(run)
    }

    /// Runs that are there.
    pub(super) fn names(&self) -> impl Iterator<Item = &String> + Clone {
        let is_there = |(_, run): &(&String, &RunRecord)| run.state != RunState::Gone;
        self.known.runs.iter().filter(is_there).map(|(name, _)| name)
    }

    /// Whether something is to be told of a run or a pattern.
    pub(super) fn has_news(&self) -> bool {
        !self.told.is_empty() || !self.unmatched.is_empty()
    }

    /// Whether there is a run of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.known.runs.get(name).is_some_and(|run| run.state != RunState::Gone)
    }

    fn see(
        &mut self,
        before: &JobRecord,
        scans: BTreeMap<String, io::Result<RunScan>>,
        last_look: Option<Moment>,
    ) {
        for (name, run) in &mut self.known.runs {
            if !scans.contains_key(name) && run.state != RunState::Gone {
                run.state = RunState::Gone;
                self.told.push((name.clone(), "gone"));
            }
        }
        let mut ready = Vec::new();
        for (name, scan) in scans {
            let is_marked = scan.as_ref().is_ok_and(|scan| scan.is_marked);
            let sight = match scan {
                Ok(scan) => self.shared.watch.look(self.job, before, &name, &scan),
                // It went while it was looked at, or cannot be entered.
                Err(error) => self.unreadable(&name, before, &error),
            };
            match sight {
                Sight::Same => {}
                Sight::Waiting(run) => self.keep(before, name, run),
                Sight::Ready(run) => ready.push((name, run, is_marked)),
            }
        }
        let read = |(name, run, is_marked)| self.read((before, last_look), name, run, is_marked);
        let read: Vec<ReadRun> = ready.into_par_iter().map(read).collect();
        for ReadRun { name, run, rows, is_fresh } in read {
            if is_fresh && run.state == RunState::Complete {
                self.touched.insert(run.night);
            }
            self.rows.extend(rows);
            self.keep(before, name, run);
        }
    }

    fn unreadable(&self, name: &str, before: &JobRecord, error: &io::Error) -> Sight {
        let scan =
            RunScan { signature: String::new(), newest: self.shared.watch.now.0, is_marked: false };
        let note = Some(RunNote::Unreadable { cause: error.to_string() });
        match self.shared.watch.look(self.job, before, name, &scan) {
            Sight::Same => Sight::Same,
            Sight::Ready(run) | Sight::Waiting(run) => {
                Sight::Waiting(RunRecord { state: RunState::Unreadable, note, ..run })
            }
        }
    }

    /// Remembers a run, and tells of it where its state is another one.
    fn keep(&mut self, before: &JobRecord, name: String, run: RunRecord) {
        let old = before.runs.get(&name);
        let is_same = old.is_some_and(|old| old.state == run.state && old.revision == run.revision);
        let told = match run.state {
            RunState::Complete if run.revision > 1 => "changed",
            RunState::Complete if run.late => "late",
            RunState::Complete => "new",
            state => state.name(),
        };
        if !is_same {
            self.told.push((name.clone(), told));
        }
        self.known.runs.insert(name, run);
    }

    /// Reads a run whose files may be others than before.
    fn read(
        &self,
        (before, last_look): (&JobRecord, Option<Moment>),
        name: String,
        run: RunRecord,
        is_marked: bool,
    ) -> ReadRun {
        let path = self.shared.root.join(&name);
        let content = digest_run(&path, &self.shared.settings.access);
        let is_fresh = run.content.as_ref() != Some(&content);
        let old = before.runs.get(&name).filter(|old| old.state == RunState::Complete);
        let run = RunRecord { content: Some(content), ..run };
        if let Some(old) = old.filter(|_| !is_fresh) {
            // Other times of the same files move it to no other night.
            let (state, night, finished) = (RunState::Complete, old.night, old.finished);
            let run = RunRecord { state, night, finished, ..run };
            return ReadRun { name, run, rows: Vec::new(), is_fresh };
        }
        let figures =
            pipeline::pair_single_run(&path, self.shared.settings, Vec::new(), |pair, noticed| {
                read_figures((pair, &noticed), self.job, &name)
            });
        let (mut questions, mut settings) = (Questions::default(), None);
        let (state, note, rows) = match figures {
            Err(error) => {
                let words = self.shared.settings.words();
                let cause = if error.is_about_several_runs() {
                    words.get("nightly.cause-several")
                } else {
                    error.into_failure(words).to_string()
                };
                (RunState::Unreadable, Some(RunNote::Unreadable { cause }), Vec::new())
            }
            Ok(mut figures) => {
                settings = figures.settings.take();
                questions = std::mem::take(&mut figures.questions);
                match judged(figures, is_marked) {
                    (RunState::Complete, None, rows) if rows.is_empty() => {
                        let cause = self.shared.settings.words().get("nightly.cause-empty");
                        (RunState::Unreadable, Some(RunNote::Unreadable { cause }), rows)
                    }
                    other => other,
                }
            }
        };
        let is_filed = matches!(state, RunState::Complete | RunState::Partial);
        let judge = settings.as_ref().and_then(|(_, settings)| judge_of(settings));
        let mut run = RunRecord { state, questions, judge, note, ..run };
        if is_fresh && is_filed {
            let is_first = run.revision == 0;
            run.revision += 1;
            run.filed = self.known.night;
            run.late |= is_first && self.shared.watch.is_late(self.job.due, &run, last_look);
        }
        let rows = if is_fresh && is_filed { self.filed(rows, &run) } else { Vec::new() };
        if let Some((digest, settings)) =
            settings.filter(|_| !rows.is_empty() && !self.shared.is_dry)
        {
            self.shared.store.keep_settings(&digest, &settings);
        }
        ReadRun { name, run, rows, is_fresh }
    }

    fn filed(&self, mut rows: Vec<HistoryRow>, run: &RunRecord) -> Vec<HistoryRow> {
        for row in &mut rows {
            row.night = run.night;
            row.revision = run.revision;
            run.state.name().clone_into(&mut row.state);
            row.late = run.late;
            row.content = run.content.clone().unwrap_or_default();
            row.finished = Some(run.finished);
            row.ingested = self.shared.watch.now;
        }
        rows
    }

    /// Tells what was found.
    pub(super) fn tell(&self, log: &mut Log<'_>) -> Result<(), Failure> {
        for pattern in &self.unmatched {
            let root = self.shared.root.display().to_string();
            let root = if root.is_empty() { ".".to_owned() } else { root };
            let facts = [("job", &*self.job.name), ("pattern", pattern), ("root", &root)];
            log.say("unmatched", &facts)?;
        }
        let awaited = self.known.awaited();
        if self.known.missing(1).contains(&awaited) {
            let (night, job) = (awaited.to_string(), &*self.job.name);
            log.say("missing", &[("job", job), ("night", &night)])?;
        }
        for (name, told) in &self.told {
            let night = self.known.runs.get(name).map(|run| run.night.to_string());
            let facts =
                [("job", &*self.job.name), ("run", name), ("night", &night.unwrap_or_default())];
            log.say(told, &facts)?;
        }
        Ok(())
    }

    /// What is to be compared: nights with other runs than before, and those whose comparison failed, for
    /// its cause may be gone.
    pub(super) fn plans(&self, best: &[HistoryRow]) -> Vec<NightPlan> {
        let failed = self.known.reports.iter().filter(|(_, report)| report.failure.is_some());
        // What the newest night was compared with may be another than it was.
        let is_changed =
            |run: &String| self.told.iter().any(|(name, told)| name == run && *told == "changed");
        let newest = self.known.reports.last_key_value();
        let stale = newest.filter(|(_, report)| report.baseline.as_ref().is_some_and(is_changed));
        let nights = failed.map(|(night, _)| *night).chain(self.touched.iter().copied());
        let nights = nights.chain(stale.map(|(night, _)| *night)).collect();
        // What is filed in this call counts as well.
        let names = &self.shared.settings.names;
        let metric = self.job.metrics.first().map(|metric| names.canonical(metric));
        let metric = metric.filter(|_| self.job.baseline == BaselineChoice::Best);
        let own = self.rows.iter().filter(|row| Some(&*row.metric) == metric);
        // A run that was read again counts with what it says now.
        let is_as_it_was = |row: &&HistoryRow| self.rows.iter().all(|own| own.run != row.run);
        let best: Vec<HistoryRow> = best.iter().filter(is_as_it_was).chain(own).cloned().collect();
        plan_nights(self.job, &self.known, &nights, &best)
    }

    /// What is remembered, and the rows of what was read.
    pub(super) fn end(self) -> (JobRecord, Vec<HistoryRow>) {
        (self.known, self.rows)
    }
}

impl Shared<'_> {
    /// The name of a run from night to night: its path below the root.
    pub(super) fn name(&self, run: &Path) -> String {
        run.strip_prefix(self.root).unwrap_or(run).to_string_lossy().into_owned()
    }
}

/// Leaves out links to other runs among these, such as `latest`.
fn drop_links(found: &mut BTreeMap<String, PathBuf>) {
    let is_link = |path: &PathBuf| path.is_symlink();
    let own: BTreeSet<PathBuf> = found
        .values()
        .filter(|path| !is_link(path))
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    found.retain(|_, path| {
        !is_link(path) || path.canonicalize().is_ok_and(|there| !own.contains(&there))
    });
}

/// What a run is by what it says of itself.
fn judged(figures: RunFigures, is_marked: bool) -> (RunState, Option<RunNote>, Vec<HistoryRow>) {
    let RunFigures { rows, is_wanted, ending, lacks, .. } = figures;
    match (is_wanted, ending.filter(|_| !is_marked), lacks) {
        (false, _, _) => (RunState::Excluded, None, Vec::new()),
        (true, Some(said), _) => {
            let is_at_work =
                ["running", "started"].iter().any(|word| said.to_lowercase().ends_with(word));
            let state = if is_at_work { RunState::Writing } else { RunState::Dead };
            (state, Some(RunNote::Said { said }), Vec::new())
        }
        (true, None, Some(lacks)) if rows.is_empty() => (RunState::Unreadable, Some(lacks), rows),
        (true, None, Some(lacks)) => (RunState::Partial, Some(lacks), rows),
        (true, None, None) => (RunState::Complete, None, rows),
    }
}
