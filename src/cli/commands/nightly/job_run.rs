//! One job on one night: its runs looked at, read, and compared.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};

use super::log::Log;
use super::written::{FORMATS, Store};
use crate::cli::args::{self, Asked, ReportAsked};
use crate::cli::shell;
use crate::collect::{RunScan, digest_run, matching_runs, scan_run};
use crate::exit::Failure;
use crate::history::HistoryRow;
use crate::kinds::{Made, Request};
use crate::nightly::{
    GateResult, Job, JobRecord, NightFigure, NightPlan, NightReport, Questions, RunFigures,
    RunNote, RunRecord, RunState, Sight, Watch, attach_comparisons, judge_of, main_figure,
    plan_nights, read_figures, undeclared,
};
use crate::output::{Beside, Output, Wanted};
use crate::pipeline;
use crate::quantity::{Moment, Night};
use crate::render::CommentOptions;
use crate::report::data::GateView;
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
    shared: Shared<'a>,
    job: &'a Job,
    known: JobRecord,
    /// Nights of which a run was read that can be compared.
    touched: BTreeSet<Night>,
    rows: Vec<HistoryRow>,
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
        let figures = pipeline::alone(&path, self.shared.settings, Vec::new(), |pair, noticed| {
            read_figures((pair, &noticed), self.job, &name)
        });
        let (mut questions, mut settings) = (Questions::default(), None);
        let (state, note, rows) = match figures {
            Err(error) => {
                let cause = error.into_failure(self.shared.settings.words()).to_string();
                (RunState::Unreadable, Some(RunNote::Unreadable { cause }), Vec::new())
            }
            Ok(mut figures) => {
                settings = figures.settings.take();
                questions = std::mem::take(&mut figures.questions);
                judged(figures, is_marked)
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
        let nights = failed.map(|(night, _)| *night).chain(self.touched.iter().copied()).collect();
        plan_nights(self.job, &self.known, &nights, best)
    }

    /// Compares the runs of a night and writes the report.
    pub(super) fn report(&mut self, plan: &NightPlan, log: &mut Log<'_>) -> Result<(), Failure> {
        let mut report = NightReport {
            filed: self.known.night,
            baseline: plan.baseline.clone(),
            baseline_note: plan.note,
            candidates: plan.candidates.clone(),
            left_out: plan.left_out,
            ..NightReport::default()
        };
        if let Some(baseline) = &plan.baseline {
            let made = self.compare(baseline, plan);
            match made {
                Err(failure) if failure.is_about_inputs => {
                    report.status = failure.failure.status.code();
                    report.failure = Some(failure.failure.to_string());
                }
                Err(failure) => return Err(failure.failure),
                Ok(made) => {
                    let name = |path: &str| self.shared.name(Path::new(path));
                    attach_comparisons(&mut self.rows, &made.report.data, baseline, name);
                    let said = |name: &str| {
                        let said = made.report.data.get("headline")?.get(name)?.as_str()?;
                        Some(said.to_owned())
                    };
                    report.result = said("result");
                    report.trust = said("trust");
                    report.figure = self.main_figure(&made);
                    report.undeclared = undeclared(&made.report.data);
                    report.status = made.status.code();
                    let gate = |gate: &GateView| GateResult {
                        name: gate.name.clone(),
                        outcome: gate.outcome.to_owned(),
                        tier: gate.tier.map(str::to_owned),
                    };
                    report.gates = made.report.gates.iter().map(gate).collect();
                }
            }
        }
        let fails_as_before = |before: &NightReport| {
            before.failure.is_some()
                && before.failure == report.failure
                && before.baseline == report.baseline
        };
        let before = self.known.reports.get(&plan.night);
        if before.is_some_and(fails_as_before) && !self.touched.contains(&plan.night) {
            return Ok(());
        }
        self.tell_of(plan, &report, log)?;
        self.known.reports.insert(plan.night, report);
        Ok(())
    }

    fn main_figure(&self, made: &Made) -> Option<NightFigure> {
        let names = &self.shared.settings.names;
        let metric = self.job.metrics.first().map(|metric| names.canonical(metric));
        main_figure(&made.report.data, metric)
    }

    fn tell_of(
        &self,
        plan: &NightPlan,
        report: &NightReport,
        log: &mut Log<'_>,
    ) -> Result<(), Failure> {
        let night = plan.night.to_string();
        let facts = [("job", &*self.job.name), ("night", &*night)];
        let said = report.failure.as_ref().or(report.result.as_ref());
        match (said, &report.failure) {
            (None, _) if plan.note.is_some() => log.say("none-accepted", &facts),
            (None, _) => log.say("no-baseline", &facts),
            (Some(cause), Some(_)) => {
                log.say("not-compared", &[&facts[..], &[("cause", cause)]].concat())
            }
            (Some(result), None) => {
                log.say("compared", &[&facts[..], &[("result", result)]].concat())
            }
        }
    }

    fn compare(&self, baseline: &str, plan: &NightPlan) -> Result<Made, CompareFailure> {
        let runs = std::iter::once(baseline).chain(plan.candidates.iter().map(String::as_str));
        let runs: Vec<OsString> =
            runs.map(|run| self.shared.root.join(run).into_os_string()).collect();
        let (asked, words) = comparison(self.job, runs).map_err(CompareFailure::fatal)?;
        let below = format!("{}/{}", self.job.name, plan.night);
        let directory = self.shared.store.place(&below).map_err(CompareFailure::fatal)?;
        let output = Output::new(Wanted {
            path: Some(&directory),
            name: "report",
            formats: &FORMATS.map(str::to_owned),
            templates: None,
            own: None,
            config: Some(Path::new(&self.shared.file.path)),
            kind: asked.kind.name,
            offers_places: true,
            force: false,
            lang: self.shared.lang,
            comment: &CommentOptions::default(),
        });
        let output = output.map_err(CompareFailure::fatal)?;
        let request = Request {
            config: Some(self.shared.file),
            lang: Some(self.shared.lang),
            access: self.shared.access,
            locale: self.shared.lang,
            command: &shell::command_line(&words),
            now: self.shared.watch.now,
            output: &output,
        };
        let mut made =
            (asked.kind.run)(&asked.matches, &request).map_err(CompareFailure::of_inputs)?;
        if let Some(note) = plan.note {
            let said = self
                .shared
                .settings
                .words()
                .fill(&format!("nightly.baseline-of.{}", note.name()), &[("baseline", baseline)]);
            let headline = &mut made.report.headline;
            headline.trust = std::mem::take(&mut headline.trust).and_plain(format!(" {said}"));
        }
        let written = output.write(&made.report, Beside::default(), &mut io::sink());
        written.map_err(CompareFailure::fatal)?;
        Ok(made)
    }

    /// What is remembered, and the rows of what was read.
    pub(super) fn end(self) -> (JobRecord, Vec<HistoryRow>) {
        (self.known, self.rows)
    }
}

/// What a job asks of the comparison of these runs, and the words of its command line.
///
/// # Errors
/// When a setting of the job is none that a comparison could use.
pub(super) fn comparison(
    job: &Job,
    runs: Vec<OsString>,
) -> Result<(ReportAsked, Vec<OsString>), Failure> {
    let mut words: Vec<OsString> = vec!["reportgen".into(), "compare".into()];
    words.extend(runs);
    words.extend(job.words.iter().map(Into::into));
    let refused = |error: String| {
        let first = error.lines().next().unwrap_or_default().trim_start_matches("error: ");
        let refusal = Refusal::new("refused.job-comparison").with("job", job.name.as_str());
        Failure::usage(refusal.with("message", first))
    };
    match args::parse(&words) {
        Ok(Asked::Report(asked)) => Ok((asked, words)),
        Ok(Asked::Other(_)) => Err(refused(String::new())),
        Err(error) => Err(refused(error.to_string())),
    }
}

/// Why a comparison could not be made.
struct CompareFailure {
    failure: Failure,
    /// Whether the next night can go better, and the other jobs can go on.
    is_about_inputs: bool,
}

impl CompareFailure {
    fn fatal(failure: Failure) -> Self {
        Self { failure, is_about_inputs: false }
    }

    fn of_inputs(failure: Failure) -> Self {
        Self { failure, is_about_inputs: true }
    }
}

impl Shared<'_> {
    /// The name of a run from night to night: its path below the root.
    fn name(&self, run: &Path) -> String {
        run.strip_prefix(self.root).unwrap_or(run).to_string_lossy().into_owned()
    }
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
        (true, None, Some(lacks)) => (RunState::Partial, Some(lacks), rows),
        (true, None, None) => (RunState::Complete, None, rows),
    }
}
