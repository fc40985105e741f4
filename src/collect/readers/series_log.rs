//! Metrics over steps in lines of logs: `step 10 | loss 0.3 | lr 1e-5`, `Epoch 1: ppo_loss: 0.00034
//! kl: 0.094`, `{'loss': 0.3, 'epoch': 0.1}`, and lines of figures below a line that is the step.
//!
//! A figure counts where the line says its step, or where the line is nothing but figures. Lines that are
//! rows of a grid, `shot 1 accuracy: 57%`, are figures and no points.

use super::super::content::{end_findings, open, unreadable};
use super::super::lines::{self, Limits, Line};
use super::super::logs::line::{clean, split_log_prefix};
use super::super::logs::log_names::is_log;
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::commands_in_force::{Command, CommandsInForce};
use super::curve_columns::lay_runs_apart;
use super::file_figures::settle_units;
use super::log_rows::{LogResult, LogRow, of_grid, result, row, rows_of_results};
use super::log_sections::{LogHeading, LogLabel, LogLabels, MODEL, heading, labels};
use super::points::{Points, as_share, is_metric};
use super::row_runs::part_runs;
use super::sample_ids;
use super::written_settings::{LogSettings, written};
use crate::diag::{Code, Diagnostic, Location, Warned};
use crate::model::{DimValue, Fragment, MetricNames, Point, axis_of_curve};

pub(in crate::collect) const NAME: &str = "series-log";
pub(super) const READER: Reader = Reader { name: NAME, recognises, read };

/// Lines behind a line that is a step within which figures are of that step.
const BELOW: u64 = 20;
/// Most words of a name.
const WORDS: usize = 3;

fn recognises(file: &FileEntry) -> bool {
    if !is_log(&file.name) {
        return false;
    }
    let mut points = Points::default();
    let head = String::from_utf8_lossy(&file.head);
    let mut log = Log::new(&mut points);
    (1..).zip(head.lines()).any(|(number, line)| {
        log.add(number, figures(line));
        !log.points.is_empty() || row(line, &MetricNames::default()).is_some()
    })
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    let source = open(&file.path, file.packing, file.limits)
        .map_err(|error| unreadable(&file.display, error))?;
    let limits = Limits { lines: file.limits.lines, ..Limits::from(file.limits) };
    // `Namespace(checkpoint='epoch 5', lr=0.1)` says nothing of an epoch 5.
    let LogSettings { config, commands, printed, lines: of_settings, is_whole } = written(file);
    let mut points = Points::of(&options.names);
    let mut log = Log::new(&mut points);
    let (mut rows, mut results) = (Vec::new(), Vec::new());
    let each = |found: &mut Vec<(u64, Said)>, number, line: Line<'_>| {
        take_line(line, &options.names, |said| found.push((number, said)));
    };
    let mut whose = LogLabels::default();
    let mut in_force = CommandsInForce::default();
    let mut long = Vec::new();
    let ending = lines::parse(source, limits, Vec::new, each, |found, before| {
        for (number, said) in found {
            let line = before + number;
            match said {
                Said::Heading(labels, command) => {
                    whose.begin(labels);
                    if let Some(command) = command {
                        in_force.note(line, command);
                    }
                }
                Said::Row(row) => rows.push((line, log.placed(line, row), whose.above())),
                Said::Result(_) if log.is_below_step(line) => {}
                Said::Result(result) => results.push((line, result, whose.above())),
                Said::Points(figures, own) if !of_settings.contains(&line) => {
                    whose.note(line, own);
                    log.add(line, figures);
                }
                Said::Points(..) => {}
                Said::TooLong(bytes) => long.push((line, bytes)),
            }
        }
    });
    let mut findings = end_findings(&ending, limits, &file.display);
    findings.extend(long.into_iter().take(LONG_LINES).map(|(line, bytes)| {
        let finding = Diagnostic::new(Code::LineTooLong).with("bytes", bytes);
        finding.with("limit", limits.line_bytes).at(Location::line(&*file.display, line))
    }));
    let series = points
        .finish_beside(file, |is_wanted| whose.columns(is_wanted, options))
        .drain_into(&mut findings);
    rows.extend(rows_of_results(results));
    let scalars = of_grid(rows, file, &options.names);
    let mut fragment = Fragment {
        config,
        commands,
        printed,
        has_whole_config: is_whole,
        scalars,
        series,
        ..Fragment::default()
    };
    findings.extend(settle_units(&mut fragment, file, &options.names));
    lay_runs_apart(&mut fragment, options);
    part_runs(&mut fragment, &RUNS.map(str::to_owned), options, file);
    in_force.give(&mut fragment, file);
    Ok(Warned::new(fragment, findings))
}

/// Takes what a line says, a heading before what else it says.
fn take_line(line: Line<'_>, names: &MetricNames, mut take: impl FnMut(Said)) {
    let text = match line {
        Line::Text { text, .. } => text,
        Line::TooLong { bytes } => return take(Said::TooLong(bytes)),
    };
    if let Some(LogHeading { labels, command, may_be_place }) = heading(text) {
        take(Said::Heading(labels, command));
        if !may_be_place {
            return;
        }
    }
    if let Some(row) = row(text, names) {
        return take(Said::Row(row));
    }
    if let Some(result) = result(text, names) {
        take(Said::Result(result));
    }
    let line = figures(text);
    if line.at.is_some() || !line.figures.is_empty() {
        take(Said::Points(line, labels(text)));
    }
}

/// Lines past the limit that get a finding each.
const LONG_LINES: usize = 5;

/// What a line says.
enum Said {
    /// Figures, and whose they are.
    Points(LogLine, Vec<LogLabel>),
    Row(LogRow),
    /// A figure that is of a step where the line stands below one.
    Result(LogResult),
    /// Nothing, because it is longer than a line may be.
    TooLong(u64),
    /// Whose the figures below are.
    Heading(Vec<LogLabel>, Option<Command>),
}

/// Columns of headings that tell the runs of a grid apart.
const RUNS: [&str; 9] =
    [MODEL, "arm", "kl_beta", "method", "run", "lr", "batch_size", "kl_coef", "data"];
/// The position that a line names, on which axis.
type Position = (&'static str, f64);

#[derive(Debug, PartialEq)]
struct LogFigure {
    name: String,
    /// As it is written.
    value: f64,
    /// Whether a percent sign stands behind it.
    is_percentage: bool,
}

/// What one line says.
#[derive(Debug, Default, PartialEq)]
struct LogLine {
    at: Option<Position>,
    figures: Vec<LogFigure>,
    /// Whether there are other words.
    has_words: bool,
}

/// The lines of a log, one after another.
struct Log<'p> {
    points: &'p mut Points,
    /// The last line that was nothing but a step, and which figures came since.
    heading: Option<(u64, Position, Vec<String>)>,
}

impl<'p> Log<'p> {
    fn new(points: &'p mut Points) -> Self {
        Self { points, heading: None }
    }

    fn add(&mut self, number: u64, LogLine { at, figures, has_words }: LogLine) {
        let names = self.points.names();
        let is_figure = |name: &str| is_metric(name, names) && !is_about_process(name);
        if at.is_some() {
            self.heading = None;
        }
        if figures.iter().any(|figure| sample_ids::is_name(&figure.name)) {
            return;
        }
        let figures: Vec<_> = figures.into_iter().filter(|one| is_figure(&one.name)).collect();
        let position = match at {
            Some(position) if figures.is_empty() => {
                self.heading = Some((number, position, Vec::new()));
                return;
            }
            Some(position) => position,
            None if has_words => return,
            None => match self.below(number, &figures) {
                Some(position) => position,
                None => return,
            },
        };
        let (axis, at) = position;
        for LogFigure { name, value, is_percentage } in figures {
            let value =
                if is_percentage { as_share(value, &name, self.points.names()) } else { value };
            self.points.add(&name, axis, Point { at, value, line: number });
        }
    }

    /// A row at the step of the heading above it, where it says none itself.
    fn placed(&self, number: u64, row: LogRow) -> LogRow {
        let Some((line, (axis, at), _)) = &self.heading else { return row };
        let is_placed = ["epoch", "step", "round"].iter().any(|name| row.dims.get(name).is_some());
        if is_placed || number > *line + BELOW {
            return row;
        }
        LogRow { dims: row.dims.with(axis, DimValue::Number(*at)), ..row }
    }

    fn is_below_step(&self, number: u64) -> bool {
        self.heading.as_ref().is_some_and(|(line, ..)| number <= *line + BELOW)
    }

    /// The step above a line of figures. One that comes again is of something within the step.
    fn below(&mut self, number: u64, figures: &[LogFigure]) -> Option<Position> {
        let (line, position, seen) = self.heading.as_mut()?;
        let again = figures.iter().any(|figure| seen.contains(&figure.name));
        if again || number > *line + BELOW {
            self.heading = None;
            return None;
        }
        seen.extend(figures.iter().map(|figure| figure.name.clone()));
        Some(*position)
    }
}

/// Numbers that loggers and launchers put beside every line.
fn is_about_process(name: &str) -> bool {
    ["pid", "rank", "local_rank", "eta", "line", "port", "exitcode"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}

/// What a line of a log says in figures.
fn figures(line: &str) -> LogLine {
    let cleaned = clean(line);
    let line = split_log_prefix(&cleaned).rest;
    // Progress bars stand before what a trainer prints of its dictionary.
    let start = ["{'", "{\""].iter().filter_map(|open| line.find(open)).min();
    let line = start.and_then(|start| line.get(start..)).unwrap_or(line);
    if !line.bytes().any(|byte| byte.is_ascii_digit()) {
        return LogLine { has_words: true, ..LogLine::default() };
    }
    let mut found = Words::default();
    for segment in line.split(['|', ',', ';', '{', '}', '\t', '，', '；']) {
        for word in segment.split_whitespace() {
            found.word(word);
        }
        found.end_of_segment();
    }
    found.finish()
}

/// Words since the last figure, and what was found before.
#[derive(Default)]
struct Words<'l> {
    name: Vec<&'l str>,
    /// Whether `:` or `=` stands behind the name.
    is_signed: bool,
    axes: Vec<(String, f64)>,
    figures: Vec<LogFigure>,
    /// Figures behind their name without a sign, which count where the line is nothing else.
    unsigned: Vec<LogFigure>,
    /// Whether a word before or behind the step is of no figure.
    others: [bool; 2],
}

impl<'l> Words<'l> {
    fn word(&mut self, word: &'l str) {
        if ["-", "–", "—", "·", "•"].contains(&word) {
            return self.end_of_segment();
        }
        let word = word.trim_matches(['\'', '"', '[', ']', '*', '`']);
        let sign = |c: char| matches!(c, ':' | '=' | '：');
        if word == "%" && self.name.is_empty() {
            return self.mark_percentage();
        }
        if let Some(value) = number(word) {
            return self.value(value, word.contains('%'));
        }
        let Some((before, after)) = word.rsplit_once(sign) else {
            if self.is_signed {
                self.end_of_segment();
            }
            return self.name.push(word);
        };
        let before = before.trim_end_matches(['\'', '"']);
        if let (Some(value), true) = (number(before), after.is_empty()) {
            return self.value(value, before.contains('%'));
        }
        let before = before.rsplit(sign).next().unwrap_or(before);
        self.name.extend(Some(before).filter(|before| !before.is_empty()));
        self.is_signed = !self.name.is_empty();
        let after = after.trim_matches(['\'', '"', '[']);
        match number(after) {
            Some(value) => self.value(value, after.contains('%')),
            None if after.is_empty() => {}
            None => self.end_of_segment(),
        }
    }

    /// A percent sign apart from the figure before it.
    fn mark_percentage(&mut self) {
        if let Some(figure) = self.figures.last_mut() {
            figure.is_percentage = true;
        }
    }

    fn value(&mut self, value: f64, is_percentage: bool) {
        let words = std::mem::take(&mut self.name);
        let is_signed = std::mem::take(&mut self.is_signed);
        let Some(last) = words.last() else { return self.other() };
        let axis = last.to_ascii_lowercase();
        if axis_of_curve(|name| name == axis).is_some() {
            if words.len() > 1 {
                self.other();
            }
            self.unsigned.clear();
            return self.axes.push((axis, value));
        }
        let name = match words.as_slice() {
            [one] => (*one).to_owned(),
            several => several.join("_").to_lowercase(),
        };
        if words.len() > WORDS || !words.iter().all(|word| is_name(word)) {
            self.other();
        } else if is_signed {
            self.figures.push(LogFigure { name, value, is_percentage });
        } else if words.len() == 1 {
            self.unsigned.push(LogFigure { name, value, is_percentage });
        } else {
            self.other();
        }
    }

    fn end_of_segment(&mut self) {
        self.is_signed = false;
        if !std::mem::take(&mut self.name).is_empty() {
            self.other();
        }
    }

    fn other(&mut self) {
        let place = usize::from(!self.axes.is_empty());
        if let Some(is_there) = self.others.get_mut(place) {
            *is_there = true;
        }
    }

    fn finish(mut self) -> LogLine {
        let of = |name: &str| self.axes.iter().find(|(axis, _)| axis == name);
        let written = axis_of_curve(|name| of(name).is_some());
        let at = written.and_then(|(name, axis)| Some((axis, of(name)?.1)));
        let [before, behind] = self.others;
        if at.is_some() && !behind {
            self.figures.append(&mut self.unsigned);
        }
        let has_words = before || behind || !self.unsigned.is_empty();
        LogLine { at: at.filter(|(_, at)| at.is_finite()), figures: self.figures, has_words }
    }
}

/// A number as logs write it: `0.3`, `97.7%`, `$0.01`, `10/500` for the tenth, `np.float64(0.3)`.
fn number(word: &str) -> Option<f64> {
    let is_call = |call: &str| {
        ["", "tensor"].contains(&call) || ["np.", "numpy."].iter().any(|of| call.starts_with(of))
    };
    let call = word.split_once('(').filter(|(call, _)| is_call(call));
    let word = call.map_or(word, |(_, inside)| inside);
    let word = word.trim_end_matches([')', '%', '.']).trim_start_matches('$');
    let whole = |text: &&str| text.parse::<u64>().is_ok();
    match word.split_once('/') {
        Some((at, of)) => Some(at).filter(whole).and(Some(of).filter(whole)).and(at.parse().ok()),
        None => word.parse().ok(),
    }
}

fn is_name(word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "_-/.@()#%^".contains(c);
    word.starts_with(|c: char| c.is_alphabetic() || c == '_') && word.chars().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> String {
        let LogLine { at, figures, .. } = figures(line);
        let at = at.map_or("-".to_owned(), |(axis, at)| format!("{axis} {at}"));
        let figures = figures.iter().map(|one| format!(" {}={}", one.name, one.value));
        at + &figures.collect::<String>()
    }

    #[test]
    fn lines_say_their_step_and_their_figures() {
        for (line, expected) in [
            ("step 10 | loss 0.3 | lr 1e-5", "step 10 loss=0.3 lr=0.00001"),
            ("{'loss': '3.692', 'epoch': 0.1}", "epoch 0.1 loss=3.692"),
            (" 8%|#| 5/60 [00:00<00:00, 1it/s]  {'loss': 3, 'epoch': 0.6}", "epoch 0.6 loss=3"),
            ("{\"step\": 3, \"kl\": NaN}", "step 3 kl=NaN"),
            (
                "2025-12-21 10:00:00,123 - INFO - Epoch 1/3: ppo_loss: 0.00034 kl: 0.094",
                "epoch 1 ppo_loss=0.00034 kl=0.094",
            ),
            (
                "Epoch 2 Train Loss: 0.01 Val Loss: 5.1 KL: 0.08",
                "epoch 2 train_loss=0.01 val_loss=5.1 KL=0.08",
            ),
            (
                "(TaskRunner pid=7) step:1 - actor/kl_loss:0.001 - a/b@8:np.float64(0.5)",
                "step 1 actor/kl_loss=0.001 a/b@8=0.5",
            ),
            ("[step 10] format_ok = 97.7%, cost=$0.006", "step 10 format_ok=97.7 cost=0.006"),
            ("第 1 轮 epoch=1 损失：0.5", "epoch 1 损失=0.5"),
            ("step 3 took 5 s", "step 3"),
            ("Loaded 500 problems of step 3", "step 3"),
            ("loss: 0.3", "- loss=0.3"),
            ("16:30:00 ready", "-"),
        ] {
            assert_eq!(told(line), expected, "{line}");
        }
    }

    fn series(log: &str) -> Vec<String> {
        let mut points = Points::default();
        let mut lines = Log::new(&mut points);
        for (number, line) in (1..).zip(log.lines()) {
            lines.add(number, figures(line));
        }
        let all = points.finish(&FileEntry::holding("train.log", b"")).value;
        let values = |points: &[Point]| {
            points.iter().map(|point| format!("{}:{}", point.at, point.value)).collect::<Vec<_>>()
        };
        all.iter().map(|one| format!("{} {}", one.metric, values(&one.points).join(" "))).collect()
    }

    #[test]
    fn a_percentage_of_a_share_is_the_share() {
        let log = "step 1 accuracy=0.5% cost=2%\nstep 2 accuracy: 61 % cost=3%\n";
        assert_eq!(series(log), ["accuracy 1:0.005 2:0.61", "cost 1:2 2:3"]);
    }

    #[test]
    fn figures_below_a_step_are_of_that_step() {
        let log =
            "=== Epoch 1/2 ===\n  ppo_loss: 0.1\n  kl: 0.2\nEpoch 2/2\nppo_loss: 0.3 kl: 0.4\n";
        assert_eq!(series(log), ["ppo_loss 1:0.1 2:0.3", "kl 1:0.2 2:0.4"]);
    }

    #[test]
    fn figures_of_samples_of_prose_and_far_from_a_step_are_none() {
        let far = format!("step 1\n{}kl: 0.3\n", "waiting\n".repeat(30));
        for log in [
            "step 1\nwe saw a loss: 0.3 today\n",
            "step 1 problem_id: 7 score: 0.5\n",
            "kl: 0.3\nstep 1\n",
            &far,
        ] {
            assert_eq!(series(log), [""; 0], "{log}");
        }
    }
}
