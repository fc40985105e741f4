//! From lines to counts: what each process was doing when a line came.
//!
//! Lines of one process belong together; those of others may stand between them. An error waits for
//! the next line of its process, because a traceback, or another exception of the same chain, may
//! follow it.

use std::sync::Arc;

use indexmap::IndexMap;

use super::super::occurrences::LineOccurrences;
use super::line::{LogLevel, clean, level, repeated, split_log_prefix};
use super::patterns::{LineMeaning, LogLineFit, Patterns, ScoreOutcome, TRACEBACK};
use super::pending_errors::{CountedError, PendingError, announced, first, shown, signature};
use super::rollouts::Rollouts;
use super::traceback::{CONNECTORS, LineHead, Traceback, TracebackStep, is_frame};
use crate::model::logs::{
    LogTally, LoggedEvent, MOST_NAMES, Penalty, Place, StepTally, Values, Violation,
};
use crate::model::without_secrets;

/// Processes that are followed at once.
const MOST_PROCESSES: usize = 4096;
/// Lines without one of its own after which a process is no longer waited for.
const PATIENCE: u64 = 4000;
/// Lines within which a penalty belongs to the violation before it, and an error that is written
/// twice is counted once.
const NEAR: u64 = 50;
/// The type of an error that names none.
const PLAIN: &str = "log";

#[derive(Debug, Default)]
struct LogProcess {
    open: Option<Traceback>,
    pending: Option<PendingError>,
    last_line: u64,
    counted: Option<CountedError>,
    violation: Option<(String, u64)>,
    /// What the logger wrote before the last traceback, and before each line of it.
    head: Option<LineHead>,
    /// How many lines the one at hand stands for.
    times: u64,
}

impl LogProcess {
    fn is_watched(&self) -> bool {
        self.open.is_some() || self.pending.is_some()
    }
}

pub(super) struct Follower<'a> {
    patterns: &'a Patterns,
    path: Arc<str>,
    pub(super) tally: &'a mut LogTally,
    /// How many lines each pattern fitted.
    pub(super) used: &'a mut [u64],
    processes: IndexMap<String, LogProcess>,
    watched: usize,
    rollouts: Rollouts,
    /// The step that a line named last.
    step: Option<i64>,
    /// Tracebacks without an end.
    lost: LineOccurrences,
}

impl<'a> Follower<'a> {
    pub(super) fn new(
        patterns: &'a Patterns,
        path: Arc<str>,
        tally: &'a mut LogTally,
        used: &'a mut [u64],
    ) -> Self {
        let rollouts = Rollouts::new(Arc::clone(&path));
        Self {
            patterns,
            path,
            tally,
            used,
            processes: IndexMap::new(),
            watched: 0,
            rollouts,
            step: None,
            lost: LineOccurrences::default(),
        }
    }

    /// Looks at the lines of a block that matter: those with a word of interest, and those behind
    /// them while a process is watched.
    pub(super) fn block(&mut self, text: &str, hits: &[usize], before: u64) {
        let bytes = text.as_bytes();
        let mut hits = hits.iter().copied().peekable();
        let (mut at, mut line) = (0, before + 1);
        while at < bytes.len() {
            if self.watched == 0 {
                // Nobody waits: on to the next line of interest.
                let Some(next) = hits.peek().copied() else { break };
                let between = bytes.get(at..next).unwrap_or_default();
                line += memchr::memchr_iter(b'\n', between).count() as u64;
                at = next;
            }
            let rest = bytes.get(at..).unwrap_or_default();
            let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let is_hit = hits.next_if_eq(&at).is_some();
            self.line(line, text.get(at..at + length).unwrap_or_default(), is_hit);
            at += length + 1;
            line += 1;
        }
    }

    fn line(&mut self, number: u64, raw: &str, is_hit: bool) {
        let cleaned = clean(raw);
        let (text, times) = repeated(&cleaned);
        let parts = split_log_prefix(text);
        if self.watched > 0 {
            self.give_up(number);
        }
        if !is_hit && !self.processes.get(parts.process).is_some_and(LogProcess::is_watched) {
            return;
        }
        let mut process = self.take(parts.process);
        process.last_line = number;
        process.times = times;
        self.process_line(&mut process, parts.process, parts.rest, number, is_hit);
        self.put(parts.process, process);
    }

    fn take(&mut self, name: &str) -> LogProcess {
        let Some(process) = self.processes.get_mut(name) else { return LogProcess::default() };
        self.watched -= usize::from(process.is_watched());
        std::mem::take(process)
    }

    fn put(&mut self, name: &str, process: LogProcess) {
        if !self.processes.contains_key(name) && self.processes.len() >= MOST_PROCESSES {
            let oldest = self.processes.keys().next().cloned();
            if let Some(oldest) = oldest {
                let mut old = self.take(&oldest);
                self.finish(&mut old, &oldest);
                let _gone = self.processes.shift_remove(&oldest);
            }
        }
        self.watched += usize::from(process.is_watched());
        let _before = self.processes.insert(name.to_owned(), process);
    }

    /// Lets go of processes that have been silent for long.
    fn give_up(&mut self, number: u64) {
        if !number.is_multiple_of(256) {
            return;
        }
        let silent = |process: &LogProcess| {
            process.is_watched() && number.saturating_sub(process.last_line) > PATIENCE
        };
        let names: Vec<String> = self
            .processes
            .iter()
            .filter(|(_, p)| silent(p))
            .map(|(name, _)| name.clone())
            .collect();
        for name in names {
            let mut process = self.take(&name);
            self.finish(&mut process, &name);
            self.put(&name, process);
        }
    }

    fn process_line(
        &mut self,
        process: &mut LogProcess,
        name: &str,
        rest: &str,
        number: u64,
        is_hit: bool,
    ) {
        if rest.contains(TRACEBACK) {
            self.begin(process, name, rest);
            return;
        }
        let inner = process.head.as_ref().map_or(rest, |head| head.taken_off(rest));
        if let Some(open) = process.open.as_mut() {
            match open.step(inner) {
                TracebackStep::Body => return,
                TracebackStep::Ended { kind, message } => {
                    if self.patterns.read(inner).1 {
                        // Its announcement and what came before it in the chain go with it.
                        (process.open, process.pending) = (None, None);
                        return;
                    }
                    self.ended(process, name, (kind, message), number);
                    return;
                }
                TracebackStep::Lost => {
                    self.lost.note(number);
                    process.open = None;
                }
                // Of another process without a prefix: the line may still mean something.
                TracebackStep::Foreign => {}
            }
        } else if let Some(pending) = process.pending.as_mut() {
            if inner.trim().is_empty() {
                return;
            }
            if CONNECTORS.iter().any(|words| inner.trim_start().starts_with(words)) {
                pending.connected = true;
                return;
            }
            let begins = pending.has_traceback && is_frame(inner);
            // Without a sentence between them one is not the cause of the other.
            self.commit(process, name);
            if begins {
                process.open = Some(Traceback::begin_inside(inner));
                return;
            }
        }
        if is_hit {
            self.meaning(process, name, rest, number);
        }
    }

    /// A traceback begins. What waits is its announcement, or the exception before it in the chain.
    fn begin(&mut self, process: &mut LogProcess, name: &str, rest: &str) {
        if let Some(open) = process.open.as_mut() {
            open.join();
            return;
        }
        let belongs = process
            .pending
            .as_ref()
            .is_some_and(|pending| pending.connected || !pending.has_traceback);
        if !belongs {
            self.commit(process, name);
        }
        process.head = LineHead::before(rest, TRACEBACK);
        process.open = Some(Traceback::begin(rest));
    }

    fn ended(
        &mut self,
        process: &mut LogProcess,
        name: &str,
        raised: (String, String),
        number: u64,
    ) {
        let Some(open) = process.open.take() else { return };
        let (kind, message) = raised;
        let key = signature(&kind, &message);
        let mut causes = Vec::new();
        if let Some(before) = process.pending.take() {
            causes = before.causes;
            // An announcement (`ERROR: evaluation failed`) is no error of its own.
            if before.has_traceback {
                causes.push(before.key);
            }
        }
        let (example, raised_at) = (open.shown(), open.raised_at());
        let pending = PendingError {
            key,
            line: number,
            example,
            raised_at,
            causes,
            has_traceback: true,
            connected: false,
            times: process.times,
        };
        if open.is_open() {
            // The other one's last line is still to come.
            process.pending = Some(pending);
            self.commit(process, name);
            process.open = Some(open);
        } else {
            process.pending = Some(pending);
        }
    }

    fn commit(&mut self, process: &mut LogProcess, name: &str) {
        let Some(pending) = process.pending.take() else { return };
        let PendingError { key, line, example, raised_at, causes, has_traceback, times, .. } =
            pending;
        self.rollouts.failed(name, line);
        self.tally.errors.as_cause += causes.len() as u64;
        // The same error as a line and as a traceback is one.
        let twice = process.counted.take().is_some_and(|counted| {
            counted.key == key
                && counted.has_traceback != has_traceback
                && line.saturating_sub(counted.line) <= NEAR
        });
        if twice {
            if let (true, Some(known)) = (has_traceback, self.tally.errors.kept.get_mut(&key)) {
                known.with_traceback += 1;
                if known.raised_at.is_none() {
                    known.raised(raised_at.as_deref());
                    (known.raised_at, known.causes) = (raised_at, causes);
                    known.example = shown(&example);
                }
            }
            return;
        }
        process.counted = Some(CountedError { key: key.clone(), line, has_traceback });
        if let Some(StepTally { errors, .. }) = self.tally.at_step(self.step)
            && (errors.len() < MOST_NAMES || errors.contains_key(&key.kind))
        {
            *errors.entry(key.kind.clone()).or_default() += times;
        }
        let place = self.place(line);
        let raised = raised_at.clone();
        let new = || first(place, &example, raised_at, causes);
        let errors = &mut self.tally.errors;
        if let Some(known) = errors.add(key, name, has_traceback, times, new) {
            known.raised(raised.as_deref());
        }
    }

    fn place(&self, line: u64) -> Place {
        Place { path: Arc::clone(&self.path), line }
    }

    fn meaning(&mut self, process: &mut LogProcess, name: &str, rest: &str, number: u64) {
        let (found, is_ignored) = self.patterns.read(rest);
        if is_ignored {
            return;
        }
        let line_level = level(rest);
        let found = self.meant(found, line_level.map(|(level, _)| level));
        let explained = found.iter().any(|fit| fit.means != LineMeaning::Step);
        for fit in &found {
            if let Some(used) = self.used.get_mut(fit.pattern) {
                *used += 1;
            }
            self.event(process, name, fit, rest, number);
        }
        if explained {
            return;
        }
        match line_level {
            Some((LogLevel::Error, message)) => {
                self.commit(process, name);
                let times = process.times;
                process.pending =
                    Some(PendingError { times, ..announced(PLAIN, message, rest, number) });
            }
            Some((LogLevel::Warning, message)) => {
                self.warn(name, process.times, (PLAIN, message), rest, number);
            }
            Some((LogLevel::Quiet, _)) | None => {}
        }
    }

    /// What a line means without the errors that shipped patterns see in a line of level `INFO`, and
    /// in a figure (`MeanSquaredError: 0.03`).
    fn meant<'t>(
        &self,
        found: Vec<LogLineFit<'t>>,
        line_level: Option<LogLevel>,
    ) -> Vec<LogLineFit<'t>> {
        let is_meant = |fit: &LogLineFit<'t>| {
            let is_trouble = matches!(fit.means, LineMeaning::Error | LineMeaning::Warning);
            let is_users =
                self.patterns.all.get(fit.pattern).is_some_and(|it| it.written_at.is_some());
            let is_figure = fit.hole("message").is_some_and(|message| {
                message.contains('.') && message.trim().parse::<f64>().is_ok()
            });
            !is_trouble || is_users || !(line_level == Some(LogLevel::Quiet) || is_figure)
        };
        found.into_iter().filter(is_meant).collect()
    }

    fn warn(&mut self, name: &str, times: u64, said: (&str, &str), rest: &str, number: u64) {
        let key = signature(said.0, said.1);
        let place = self.place(number);
        let new = || first(place, rest.trim(), None, Vec::new());
        let _known = self.tally.warnings.add(key, name, false, times, new);
    }

    fn event(
        &mut self,
        process: &mut LogProcess,
        name: &str,
        fit: &LogLineFit<'_>,
        rest: &str,
        number: u64,
    ) {
        let place = self.place(number);
        let subject = fit
            .subject
            .as_deref()
            .map(|name| without_secrets(name).into_owned())
            .filter(|name| !name.is_empty());
        let subject = subject.as_deref();
        let message = fit.hole("message").unwrap_or(rest);
        match fit.means {
            LineMeaning::Error => {
                self.commit(process, name);
                let (kind, times) = (subject.unwrap_or(PLAIN), process.times);
                process.pending =
                    Some(PendingError { times, ..announced(kind, message, rest, number) });
                return;
            }
            LineMeaning::Warning => {
                self.warn(name, process.times, (subject.unwrap_or(PLAIN), message), rest, number);
                return;
            }
            LineMeaning::Violation => self.violated(process, subject.unwrap_or("?"), rest, &place),
            LineMeaning::Penalty => self.penalised(process, fit, rest, &place),
            LineMeaning::Step => {
                if let Some(step) = fit.number("value") {
                    let [from, to] = self.tally.steps.unwrap_or([step, step]);
                    self.tally.steps = Some([from.min(step), to.max(step)]);
                    self.step = Some(step as i64);
                }
                return;
            }
            LineMeaning::Score => {
                let place =
                    fit.outcome.map(|outcome| usize::from(outcome == ScoreOutcome::Failure));
                if let Some(count) =
                    place.and_then(|at| self.tally.at_step(self.step)?.right_wrong.get_mut(at))
                {
                    *count += 1;
                }
            }
            _ => {}
        }
        let said = self.tally.said.entry(fit.means.name());
        said.or_insert_with(|| first_said(&place, rest)).count += 1;
        self.rollouts.event(self.tally, name, fit, place.line);
    }

    fn violated(&mut self, process: &mut LogProcess, rule: &str, rest: &str, place: &Place) {
        let new = || Violation { said: first_said(place, rest), penalties: 0, penalty: 0.0 };
        let LogTally { violations, other_names, .. } = &mut *self.tally;
        if let Some(violation) = bounded_entry(violations, other_names, rule, new) {
            violation.said.count += 1;
            process.violation = Some((rule.to_owned(), place.line));
        }
        if let Some(step) = self.tally.at_step(self.step) {
            step.violations += 1;
        }
    }

    fn penalised(
        &mut self,
        process: &mut LogProcess,
        fit: &LogLineFit<'_>,
        rest: &str,
        place: &Place,
    ) {
        let Some(value) = fit.number("value") else { return };
        let near = |line: u64| place.line.saturating_sub(line) <= NEAR;
        let rule = process.violation.take().filter(|(_, line)| near(*line));
        if let Some(violation) = rule.and_then(|(rule, _)| self.tally.violations.get_mut(&rule)) {
            violation.penalties += 1;
            violation.penalty += value;
        }
        let term = fit.subject.as_deref().map_or_else(|| "penalty".into(), without_secrets);
        let new = || Penalty { said: first_said(place, rest), values: Values::default() };
        let LogTally { penalties, other_names, .. } = &mut *self.tally;
        if let Some(penalty) = bounded_entry(penalties, other_names, &term, new) {
            penalty.said.count += 1;
            penalty.values.add(value);
        }
    }

    fn finish(&mut self, process: &mut LogProcess, name: &str) {
        if process.open.take().is_some() {
            self.lost.note(process.last_line);
        }
        self.commit(process, name);
    }

    /// The log has ended; returns the tracebacks without an end.
    pub(super) fn end(mut self) -> LineOccurrences {
        let mut processes = std::mem::take(&mut self.processes);
        for (name, process) in &mut processes {
            self.finish(process, name);
        }
        self.rollouts.end(self.tally);
        self.lost
    }
}

/// The entry of that name; where there are too many names the line is only counted.
fn bounded_entry<'m, T>(
    known: &'m mut IndexMap<String, T>,
    other_names: &mut u64,
    name: &str,
    new: impl FnOnce() -> T,
) -> Option<&'m mut T> {
    if known.len() >= MOST_NAMES && !known.contains_key(name) {
        *other_names += 1;
        return None;
    }
    Some(known.entry(name.to_owned()).or_insert_with(new))
}

/// What a line says, before it is counted.
fn first_said(place: &Place, rest: &str) -> LoggedEvent {
    LoggedEvent { count: 0, first: place.clone(), example: shown(rest.trim()) }
}
