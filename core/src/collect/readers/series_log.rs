//! Metrics over steps in lines of logs: `step 10 | loss 0.3 | lr 1e-5`, `Epoch 1: ppo_loss: 0.00034
//! kl: 0.094`, `{'loss': 0.3, 'epoch': 0.1}`, and lines of figures below a line that is the step.
//!
//! A figure counts where the line says its step, or where the line is nothing but figures. Lines that are
//! rows of a grid, `shot 1 accuracy: 57%`, are figures and no points.

use std::io::Read;
use std::sync::Arc;

use super::super::content::{end_findings, open, unreadable};
use super::super::lines::{self, Limits, Line, ReadEnd};
use super::super::logs::log_names::is_log;
use super::super::rare_lines::parse_rare;
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::commands_in_force::{Command, CommandsInForce};
use super::curve_columns::lay_runs_apart;
use super::file_figures::settle_units;
use super::line_figures::{LogFigure, LogLine, Position, figures, non_finite_words};
use super::line_shape::{LineShape, LineShapes, Values};
use super::log_rows::{LogResult, LogRow, of_grid, result, row, rows_of_results};
use super::log_sections::{LogHeading, LogLabel, LogLabels, MODEL, heading, labels};
use super::points::{Points, as_share};
use super::row_runs::part_runs;
use super::written_settings::{LogSettings, written};
use crate::diag::{Code, Diagnostic, Location, Warned};
use crate::model::{DimValue, Fragment, MetricNames, Point};

pub(in crate::collect) const NAME: &str = "series-log";
pub(super) const READER: Reader = Reader { name: NAME, recognises, read };

/// Lines behind a line that is a step within which figures are of that step.
const BELOW: u64 = 20;

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
    let mut fragment =
        Fragment { config, commands, printed, has_whole_config: is_whole, ..Fragment::default() };
    let mut points = Points::of(&options.names);
    let mut log = Log::new(&mut points);
    let (mut rows, mut results) = (Vec::new(), Vec::new());
    let mut whose = LogLabels::default();
    let mut in_force = CommandsInForce::default();
    let mut long = Vec::new();
    let merge = |block: Block, before| {
        for (number, said) in block.found {
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
                Said::Alike(shape, values) if !of_settings.contains(&line) => {
                    whose.note(line, Vec::new());
                    log.add_alike(line, &shape, &values);
                }
                Said::Points(..) | Said::Alike(..) => {}
                Said::TooLong(bytes) => long.push((line, bytes)),
            }
        }
    };
    let ending = parse(source, limits, options, merge);
    let mut findings = end_findings(&ending, limits, &file.display);
    findings.extend(too_long(long, file, limits));
    let series = points
        .finish_beside(file, |is_wanted| whose.columns(is_wanted, options))
        .drain_into(&mut findings);
    if options.skips_log_figures {
        findings.retain(|finding| finding.code == Code::NotFinite);
        return Ok(Warned::new(fragment, findings));
    }
    rows.extend(rows_of_results(results));
    fragment.scalars = of_grid(rows, file, &options.names);
    fragment.series = series;
    findings.extend(settle_units(&mut fragment, file, &options.names));
    lay_runs_apart(&mut fragment, options);
    part_runs(&mut fragment, &RUNS.map(str::to_owned), options, file);
    in_force.give(&mut fragment, file);
    Ok(Warned::new(fragment, findings))
}

/// Reads all lines, or, where figures are not wanted, those around NaN and infinity.
fn parse(
    source: impl Read + Send,
    limits: Limits,
    options: &ReadOptions,
    merge: impl FnMut(Block, u64) + Send,
) -> ReadEnd {
    let each = |block: &mut Block, number, line: Line<'_>| {
        block.take(number, line, &options.names);
    };
    if options.skips_log_figures {
        let rare = (non_finite_words, BELOW as usize);
        return parse_rare(source, limits, rare, Block::default, each, merge);
    }
    lines::parse(source, limits, Block::default, each, merge)
}

/// The first lines that are longer than is read, by number, with how long they are.
fn too_long(
    lines: Vec<(u64, u64)>,
    file: &FileEntry,
    limits: Limits,
) -> impl Iterator<Item = Diagnostic> {
    lines.into_iter().take(LONG_LINES).map(move |(line, bytes)| {
        let finding = Diagnostic::new(Code::LineTooLong).with("bytes", bytes);
        finding.with("limit", limits.line_bytes).at(Location::line(&*file.display, line))
    })
}

/// What lines next to each other say.
#[derive(Default)]
struct Block {
    found: Vec<(u64, Said)>,
    shapes: LineShapes,
}

impl Block {
    /// Takes what a line says, a heading before what else it says.
    fn take(&mut self, number: u64, line: Line<'_>, names: &MetricNames) {
        let text = match line {
            Line::Text { text, .. } => text,
            Line::TooLong { bytes } => return self.found.push((number, Said::TooLong(bytes))),
        };
        if let Some((shape, values)) = self.shapes.values(text) {
            return self.found.push((number, Said::Alike(shape, values)));
        }
        let mut take = |said| self.found.push((number, said));
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
            let labels = labels(text);
            if labels.is_empty() {
                self.shapes.note(text, &line, names);
            }
            self.found.push((number, Said::Points(line, labels)));
        }
    }
}

/// Lines past the limit that get a finding each.
const LONG_LINES: usize = 5;

/// What a line says.
enum Said {
    /// Figures, and whose they are.
    Points(LogLine, Vec<LogLabel>),
    /// The same of a line that differs in its numbers alone from one before.
    Alike(Arc<LineShape>, Values),
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

    fn add(&mut self, number: u64, mut line: LogLine) {
        if line.at.is_some() {
            self.heading = None;
        }
        if line.describes_sample() {
            return;
        }
        line.retain_metrics(self.points.names());
        let LogLine { at, figures, has_words } = line;
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

    /// Adds the points of a line of that shape.
    fn add_alike(&mut self, number: u64, shape: &LineShape, Values { at, figures }: &Values) {
        self.heading = None;
        for (name, value) in shape.names().iter().zip(figures) {
            self.points.add(name, shape.axis(), Point { at: *at, value: *value, line: number });
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

#[cfg(test)]
mod tests {
    use super::*;

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
