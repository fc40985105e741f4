//! The report of a night: its runs compared, and what is remembered of it.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use super::job_run::JobRun;
use super::log::Log;
use super::written::FORMATS;
use crate::cli::args::{self, Asked, ReportAsked};
use crate::cli::shell;
use crate::diag::nearest_name;
use crate::exit::Failure;
use crate::kinds::{Made, Request};
use crate::nightly::{
    BaselineChoice, GateResult, Job, NightFigure, NightPlan, NightReport, attach_comparisons,
    main_figure, noticed, undeclared,
};
use crate::output::{Beside, Output, Wanted};
use crate::pipeline::RunAddress;
use crate::render::CommentOptions;
use crate::report::data::GateView;
use crate::text::Refusal;

impl JobRun<'_> {
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
            let made = match self.unknown_baseline(baseline) {
                Some(unknown) => Err(CompareFailure::of_inputs(Failure::input(unknown))),
                None => self.compare(baseline, plan),
            };
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
                    let words = self.shared.settings.words();
                    report.noticed = noticed(&made.report.findings, &report.undeclared, words);
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

    /// Why a baseline that the job names cannot be one: it is no run of the job, and nothing is there.
    pub(super) fn unknown_baseline(&self, baseline: &str) -> Option<Refusal> {
        let is_there = || self.shared.root.join(RunAddress::of(Path::new(baseline)).path).exists();
        if !matches!(self.job.baseline, BaselineChoice::Named(_)) || is_there() {
            return None;
        }
        let words = ["previous", "best", "accepted"].map(str::to_owned);
        let last = |run: &String| run.rsplit('/').next().map(str::to_owned);
        let known: Vec<String> = words
            .into_iter()
            .chain(self.names().cloned())
            .chain(self.names().filter_map(last))
            .collect();
        let near = nearest_name(baseline, known);
        Some(Refusal::new("refused.no-baseline-run").with("baseline", baseline).with("near", near))
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
                let words = self.shared.settings.words();
                let result = words.get(&format!("nightly.result-of.{result}"));
                log.say("compared", &[&facts[..], &[("result", &*result)]].concat())?;
                report.noticed.iter().try_for_each(|noticed| {
                    log.say("noticed", &[&facts[..], &[("noticed", &**noticed)]].concat())
                })
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
            charts_as_files: false,
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
