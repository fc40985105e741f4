//! `reportgen nightly`: the jobs of the configuration over a root of results.
//!
//! Whatever it is killed at, the next one finds the old state or the new one: reports and files of the
//! history lie under names that nothing refers to yet, until index, record and the list of the history
//! are put in place as one set.

mod job_run;
mod log;
mod night_report;
mod written;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::cli::args::NightlyArguments;
use crate::cli::{Streams, config, emit};
use crate::diag::{Diagnostic, Warned};
use crate::exit::{ExitStatus, Failure};
use crate::history::{self, HistoryRow, Manifest, RowFilter};
use crate::kinds;
use crate::nightly::{self, BaselineChoice, IndexMaterial, Job, Record, Watch};
use crate::output::{self, Hold};
use crate::quantity::Moment;
use crate::render::{self, TerminalOptions};
use crate::report::Report;
use crate::settings::{AccessFlags, ConfigFile, Flags, Settings};
use crate::text::Refusal;
use crate::trend::{self, Decision, MetricTrend};
use job_run::{JobRun, Shared};
use log::Log;
use night_report::comparison;
use written::Store;

/// What a command was given, settled.
struct Desk<'a> {
    file: &'a ConfigFile,
    access: AccessFlags,
    settings: Settings,
    root: PathBuf,
    store: Store,
    watch: Watch,
}

/// What somebody decided, by job.
struct Decisions<'a> {
    /// Runs that are baselines, and whose levels are the normal ones.
    accept: &'a [(String, String)],
    /// What is said of the alerts of a figure.
    alerts: Vec<(&'a str, &'a str, Decision)>,
}

impl<'a> Decisions<'a> {
    fn new(arguments: &'a NightlyArguments) -> Self {
        let asked = [
            (&arguments.acknowledge, Decision::Acknowledge),
            (&arguments.dismiss, Decision::Invalidate),
        ];
        let alerts = asked.iter().flat_map(|(figures, decision)| {
            figures.iter().map(|(job, figure)| (&**job, &**figure, *decision))
        });
        Self { accept: &arguments.accept, alerts: alerts.collect() }
    }

    fn jobs(&self) -> Vec<String> {
        let accepted = self.accept.iter().map(|(job, _)| job.clone());
        accepted.chain(self.alerts.iter().map(|(job, ..)| (*job).to_owned())).collect()
    }

    /// The run of a job that was accepted last.
    fn accepted(&self, job: &str) -> Option<&'a String> {
        self.accept.iter().rev().find(|(name, _)| *name == job).map(|(_, run)| run)
    }

    /// The alerts as somebody judged them. An error where there is none to judge.
    fn on_alerts(&self, record: &mut Record) -> Result<(), Failure> {
        let tonight = record.tonight();
        for (job, figure, decision) in &self.alerts {
            if !nightly::decide(&mut record.alerts, (job, figure), *decision, tonight) {
                let open = record.alerts.iter().filter(|alert| alert.is_confirmed_decline());
                let open: Vec<String> = open
                    .map(|alert| &alert.alarm.key)
                    .map(|key| format!("{}={}", key.job, nightly::figure_name(key)))
                    .collect();
                let refusal = Refusal::new("refused.no-alert").with("job", *job);
                let open = if open.is_empty() { "–".to_owned() } else { open.join(", ") };
                return Err(Failure::usage(refusal.with("figure", *figure).with("open", open)));
            }
        }
        Ok(())
    }

    /// The levels of the accepted runs are the normal ones.
    fn on_levels(&self, record: &mut Record) {
        let tonight = record.tonight();
        for (job, run) in self.accept {
            let known = record.jobs.get(job).and_then(|known| known.runs.get(run));
            let night = known.map_or(tonight, |known| known.night);
            nightly::accept_level(&mut record.alerts, job, (night, tonight));
        }
    }
}

pub(super) fn run_command(
    arguments: &NightlyArguments,
    streams: &mut Streams<'_>,
) -> Result<ExitStatus, Failure> {
    let is_untrusted = arguments.reading.untrusted;
    let Some(file) = config::file(arguments.config.as_deref(), None, is_untrusted)? else {
        return Err(Failure::refused("refused.no-config-jobs", &[]));
    };
    let flags = kinds::find("compare").map(kinds::Kind::flags).unwrap_or_default();
    let all = nightly::jobs(&file, &[], &flags).map_err(Failure::usage)?;
    let jobs = nightly::jobs(&file, &arguments.jobs, &flags).map_err(Failure::usage)?;
    let decisions = Decisions::new(arguments);
    nightly::jobs(&file, &decisions.jobs(), &flags).map_err(Failure::usage)?;
    for job in &jobs {
        comparison(job, vec!["a".into(), "b".into()])?;
    }
    let now = arguments.at.unwrap_or(streams.surroundings.now);
    let access = arguments.reading.flags();
    let asked = Flags { lang: arguments.lang, access: access.clone(), ..Flags::default() };
    let named = Some(Path::new(&file.path));
    let mut noticed = Vec::new();
    let settings =
        config::command_settings(named, &asked, streams.surroundings)?.drain_into(&mut noticed);
    emit::findings(&noticed, settings.words(), streams.err).map_err(Failure::standard_output)?;
    let beside = Path::new(&file.path).parent().unwrap_or_else(|| Path::new("")).to_owned();
    let desk = Desk {
        root: arguments.root.clone().unwrap_or(beside),
        store: Store { out: arguments.output.clone() },
        watch: Watch { now, quiet: arguments.quiet_period },
        file: &file,
        access,
        settings,
    };
    if !desk.root.as_os_str().is_empty() && !desk.root.is_dir() {
        let root = desk.root.display().to_string();
        return Err(Failure::input(Refusal::new("refused.no-root").with("path", root)));
    }
    if let Some(root) = desk.root_in_output() {
        let refusal =
            Refusal::new("refused.root-in-output").with("root", root.display().to_string());
        return Err(Failure::usage(refusal.with("path", desk.store.out.display().to_string())));
    }
    let words = desk.settings.words();
    let mut log = Log { format: arguments.log_format, at: now, words, err: streams.err };
    if arguments.dry_run {
        return desk.dry_run(&jobs, &mut log);
    }
    let _held = match output::hold(&desk.store.out, &owner(now, streams.surroundings.process))? {
        Hold::Busy(owner) => {
            let path = desk.store.out.display().to_string();
            let refusal = Refusal::new("refused.held").with("path", path).with("owner", owner);
            return Err(Failure { status: ExitStatus::Busy, ..Failure::usage(refusal) });
        }
        Hold::Taken { held, killed } => {
            if let Some(owner) = killed {
                log.say("killed-before", &[("owner", &owner)])?;
            }
            held
        }
    };
    output::finish(&desk.store.out)?;
    desk.run((&all, &jobs), &decisions, &mut log, streams.out)
}

/// Refuses a run that a job does not have, and says where accepting it sets no baseline.
fn accept(run: &JobRun<'_>, job: &Job, accepted: &str, log: &mut Log<'_>) -> Result<(), Failure> {
    if !run.has(accepted) {
        let refusal = Refusal::new("refused.no-run-of-job").with("job", job.name.as_str());
        let refusal = refusal.with("run", accepted);
        return Err(Failure::usage(refusal.among(accepted, run.names())));
    }
    if job.baseline != BaselineChoice::Accepted {
        log.say("accepted-level", &[("job", &job.name), ("run", accepted)])?;
    }
    Ok(())
}

/// Who holds an output directory.
fn owner(now: Moment, process: u32) -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let host = if host.trim().is_empty() { "?" } else { host.trim() };
    format!("process {process} on {host}, since {now}")
}

impl Desk<'_> {
    /// The root, where it lies in the output directory.
    fn root_in_output(&self) -> Option<&Path> {
        let here = Path::new(".");
        let root = if self.root.as_os_str().is_empty() { here } else { &self.root };
        let places = root.canonicalize().ok().zip(self.store.out.canonicalize().ok());
        places.is_some_and(|(root, out)| root.starts_with(out)).then_some(root)
    }

    /// What would be done, run by run.
    fn dry_run(&self, jobs: &[Job], log: &mut Log<'_>) -> Result<ExitStatus, Failure> {
        let (record, manifest) = (self.store.record()?, self.store.manifest()?);
        let mut is_idle = true;
        for job in jobs {
            let known = record.as_ref().and_then(|record| record.jobs.get(&job.name));
            let last_look = known.and(record.as_ref()).map(|record| record.at);
            let known = known.cloned().unwrap_or_default();
            let run = JobRun::begin(self.shared(true), job, &known, last_look)?;
            run.tell(log)?;
            is_idle &= !run.has_news();
            for plan in run.plans(&self.best(job, &manifest)?) {
                is_idle = false;
                if let Some(unknown) =
                    plan.baseline.as_deref().and_then(|name| run.unknown_baseline(name))
                {
                    let (night, cause) = (plan.night.to_string(), unknown.in_words(log.words));
                    let facts = [("job", &*job.name), ("night", &night), ("cause", &cause)];
                    log.say("not-compared", &facts)?;
                    continue;
                }
                let baseline = plan.baseline.unwrap_or_else(|| "?".to_owned());
                let (night, runs) = (plan.night.to_string(), plan.candidates.join(" "));
                let facts = [
                    ("job", &*job.name),
                    ("night", &night),
                    ("baseline", &baseline),
                    ("runs", &runs),
                ];
                log.say("would-compare", &facts)?;
            }
        }
        if is_idle {
            log.say("nothing-to-do", &[])?;
        }
        Ok(ExitStatus::Done)
    }

    fn shared(&self, is_dry: bool) -> Shared<'_> {
        Shared {
            file: self.file,
            access: &self.access,
            settings: &self.settings,
            root: &self.root,
            store: &self.store,
            watch: self.watch,
            lang: self.settings.lang,
            is_dry,
        }
    }

    /// The figures of a job's first metric, where it asks for the best run.
    fn best(&self, job: &Job, manifest: &Manifest) -> Result<Vec<HistoryRow>, Failure> {
        let Some(metric) = job.metrics.first().filter(|_| job.baseline == BaselineChoice::Best)
        else {
            return Ok(Vec::new());
        };
        let metrics = vec![self.settings.names.canonical(metric).to_owned()];
        let filter = RowFilter { metrics, jobs: vec![job.name.clone()], ..RowFilter::default() };
        let read = history::read_rows(&self.store.history(), manifest, &filter);
        // The best run may be the one that cannot be read.
        match read.diagnostics.first() {
            Some(damage) => Err(self.damaged(damage)),
            None => Ok(read.value),
        }
    }

    fn run(
        &self,
        (all, jobs): (&[Job], &[Job]),
        decisions: &Decisions<'_>,
        log: &mut Log<'_>,
        out: &mut dyn Write,
    ) -> Result<ExitStatus, Failure> {
        let before = self.store.record()?;
        let listed = self.store.manifest()?;
        if let Some(last) =
            before.as_ref().map(|before| before.at).filter(|at| *at > self.watch.now)
        {
            log.say("clock-set-back", &[("last", &last.to_string())])?;
        }
        let damage = self.tell_damage(&listed, before.as_ref(), log)?;
        let mut record = before.clone().unwrap_or_else(|| Record::new(self.watch.now));
        decisions.on_alerts(&mut record)?;
        let mut rows: Vec<HistoryRow> = Vec::new();
        for job in jobs {
            let known = record.jobs.get(&job.name);
            let last_look = known.map(|_| record.at);
            let mut known = known.cloned().unwrap_or_default();
            let accepted = decisions.accepted(&job.name);
            known.accepted = accepted.cloned().or(known.accepted);
            let mut run = JobRun::begin(self.shared(false), job, &known, last_look)?;
            if let Some(accepted) = accepted {
                accept(&run, job, accepted, log)?;
            }
            run.tell(log)?;
            for plan in run.plans(&self.best(job, &listed)?) {
                run.report(&plan, log)?;
            }
            let (known, found) = run.end();
            record.jobs.insert(job.name.clone(), known);
            rows.extend(found);
        }
        let status = damage.unwrap_or_else(|| self.status(&record, jobs));
        let is_same = |before: &Record| {
            before.jobs == record.jobs
                && before.alerts == record.alerts
                && decisions.accept.is_empty()
        };
        if before.as_ref().is_some_and(is_same) {
            log.say("nothing-changed", &[])?;
            return Ok(status);
        }
        record.at = self.watch.now;
        self.store.forget(&mut record, jobs, log)?;
        let mut manifest = listed.clone();
        let mut noticed = self.store.add(&mut manifest, rows)?;
        let known = noticed.len();
        let rows = self.figures(&manifest).drain_into(&mut noticed);
        let status = if noticed.len() > known { ExitStatus::InputOutput } else { status };
        decisions.on_levels(&mut record);
        let watched = nightly::watched(&rows, &record);
        let trends = nightly::judged(&record.alerts, &watched);
        let mut alarms = trends.alarms();
        alarms.extend(nightly::further_alarms(&record.alerts, &watched, &alarms));
        nightly::name_settings(&mut alarms, |digest| self.store.settings(digest));
        record.alerts = trend::advance(&record.alerts, &alarms, record.tonight());
        let index = self.index((&record, &trends.metrics), all, rows, &noticed);
        let place = (Path::new(&self.file.path), self.settings.lang);
        let written = self.store.commit(&index, &record, &manifest, place)?;
        self.store.tidy(&listed, &manifest);
        self.sum_up(&index, &written, out).map_err(Failure::standard_output)?;
        Ok(status)
    }

    /// Says what is wrong with the history; the exit status then.
    fn tell_damage(
        &self,
        manifest: &Manifest,
        record: Option<&Record>,
        log: &mut Log<'_>,
    ) -> Result<Option<ExitStatus>, Failure> {
        let (damaged, is_gone) = self.store.damage(manifest, record);
        for (path, cause) in &damaged {
            log.say("history-damaged", &[("path", path), ("cause", cause)])?;
        }
        if is_gone {
            let path = self.store.history().display().to_string();
            log.say("history-gone", &[("path", &path)])?;
        }
        Ok((is_gone || !damaged.is_empty()).then_some(ExitStatus::InputOutput))
    }

    fn damaged(&self, damage: &Diagnostic) -> Failure {
        let message = self.settings.words().message(damage);
        Failure::input(Refusal::new("refused.history-damaged").with("message", message))
    }

    /// The figures of all nights, those of the last run of each.
    fn figures(&self, manifest: &Manifest) -> Warned<Vec<HistoryRow>> {
        let (directory, all) = (self.store.history(), RowFilter::default());
        history::read_rows_by_night(&directory, manifest, &all, nightly::last_runs)
    }

    /// The gravest of what the last comparisons of each job ended with; a job with gates and nothing to
    /// judge the last night by is one whose gates could not be evaluated.
    fn status(&self, record: &Record, jobs: &[Job]) -> ExitStatus {
        let known = || jobs.iter().filter_map(|job| Some((job, record.jobs.get(&job.name)?)));
        let reports = known().flat_map(|(_, known)| known.deciding());
        let mut ended: Vec<u8> = reports.map(|(_, report)| report.status).collect();
        let has_gates = |job: &Job| {
            !self.settings.fail_on.is_empty()
                || !self.settings.gates.is_empty()
                || job.gates().next().is_some()
        };
        if known().any(|(job, known)| has_gates(job) && known.is_unjudged()) {
            ended.push(ExitStatus::NotGateable.code());
        }
        let gravest_first = [
            ExitStatus::InputOutput,
            ExitStatus::Usage,
            ExitStatus::NotGateable,
            ExitStatus::GateFailed,
        ];
        let gravest = gravest_first.into_iter().find(|status| ended.contains(&status.code()));
        gravest.unwrap_or(ExitStatus::Done)
    }

    fn index(
        &self,
        (record, watched): (&Record, &[MetricTrend<'_>]),
        jobs: &[Job],
        mut rows: Vec<HistoryRow>,
        noticed: &[Diagnostic],
    ) -> Report {
        let canonical = |name: &String| self.settings.names.canonical(name).to_owned();
        if jobs.iter().all(|job| !job.metrics.is_empty()) {
            let named: Vec<String> =
                jobs.iter().flat_map(|job| &job.metrics).map(canonical).collect();
            rows.retain(|row| named.contains(&row.metric));
        }
        let rules = self.settings.fail_on.iter().map(|rule| rule.name().to_owned());
        let declared = self.settings.gates.iter().map(|gate| gate.name.clone());
        let gates: Vec<String> = rules.chain(declared).collect();
        nightly::index_report(&IndexMaterial {
            record,
            jobs,
            rows: &rows,
            watched,
            noticed,
            gates: &gates,
            words: self.settings.words(),
        })
    }

    fn sum_up(&self, index: &Report, written: &[PathBuf], out: &mut dyn Write) -> io::Result<()> {
        let words = self.settings.words();
        out.write_all(render::terminal(index, words, TerminalOptions::default()).as_bytes())?;
        for path in written {
            let path = render::clean(&path.display().to_string());
            writeln!(out, "{}", words.fill("terminal.written", &[("path", &path)]))?;
        }
        Ok(())
    }
}
