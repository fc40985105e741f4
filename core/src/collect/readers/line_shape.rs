//! Lines of a log that differ in their numbers alone: what one of them says, all say, of other figures.
//!
//! Only lines are looked at whose meaning does not depend on their numbers: they are longer than a heading,
//! are no row or result of a grid, and name whose their figures are in no label. The numbers that may differ
//! stand apart, behind a space, a sign or a bracket and before a space, a comma or a bracket.

use std::sync::Arc;

use super::super::logs::line::{clean, split_log_prefix};
use super::super::plain_number;
use super::line_figures::{LogFigure, LogLine, figures};
use super::log_commands::LONGEST_COMMAND;
use super::log_rows::may_be_row;
use super::log_sections::LONGEST_HEADING;
use crate::model::MetricNames;

/// What stands before and behind a number that may differ.
const BEFORE: &[u8] = b" :=(";
const BEHIND: &[u8] = b" ,)}";
/// Base of the marker numbers that replace those of a line, to see which becomes which figure.
const MARKER_BASE: u64 = 7_140_000_000;
/// Shapes tried in a block of lines before each further one has to be earned by this many matching lines.
const FREE_SHAPES: usize = 8;

/// What a line may be by its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineLength {
    Heading,
    Command,
    Neither,
}

impl LineLength {
    fn of(text: &str) -> Self {
        match text.len() {
            length if length <= LONGEST_HEADING => Self::Heading,
            length if length <= LONGEST_COMMAND => Self::Command,
            _ => Self::Neither,
        }
    }
}

/// A line without its numbers, and what these are.
#[derive(Debug)]
pub(super) struct LineShape {
    length: LineLength,
    /// What stands around the numbers, one piece more than these are.
    pieces: Vec<String>,
    axis: &'static str,
    /// Which number the position is, and each of the figures.
    at: usize,
    figures: Vec<usize>,
    names: Vec<String>,
}

/// The numbers of a line that are its position and its figures.
#[derive(Debug, PartialEq)]
pub(super) struct Values {
    pub(super) at: f64,
    pub(super) figures: Vec<f64>,
}

impl LineShape {
    pub(super) fn axis(&self) -> &'static str {
        self.axis
    }

    /// The names of the figures.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// The shape of a line that says this.
    fn of(text: &str, said: &LogLine, names: &MetricNames) -> Option<Self> {
        let mut said = said.clone();
        let drawn = clean(text);
        let prefixed = split_log_prefix(&drawn);
        let hangs_on_numbers = drawn.len() != text.len()
            || text.trim_end().ends_with(')')
            || may_be_row(text)
            || prefixed.process.is_empty() && text.starts_with('(')
            || said.describes_sample();
        let length = LineLength::of(text);
        if hangs_on_numbers || length == LineLength::Heading {
            return None;
        }
        let (pieces, numbers) = taken_apart(text, text.len() - prefixed.rest.len())?;
        let mut numbered = figures(&with_numbers(&pieces));
        said.retain_metrics(names);
        numbered.retain_metrics(names);
        // A line may say a number again that is none of those that may differ.
        let place = |numbered: f64, value: f64| {
            let place =
                (0..numbers.len()).find(|at| (MARKER_BASE + *at as u64) as f64 == numbered)?;
            numbers.get(place).filter(|number| **number == value).map(|_| place)
        };
        let ((axis, at), (_, numbered_at)) = (said.at?, numbered.at?);
        let is_same = |(one, other): (&LogFigure, &LogFigure)| {
            (one.name == other.name && !one.is_percentage && !other.is_percentage)
                .then(|| place(other.value, one.value))?
        };
        let of_figures = said.figures.iter().zip(&numbered.figures);
        let places = of_figures.map(is_same).collect::<Option<Vec<usize>>>()?;
        let is_whole = !places.is_empty() && said.figures.len() == numbered.figures.len();
        let names = said.figures.into_iter().map(|one| one.name).collect();
        let at = place(numbered_at, at)?;
        is_whole.then_some(Self { length, pieces, axis, at, figures: places, names })
    }

    /// The numbers of a line that has this shape.
    fn values(&self, text: &str, numbers: &mut Vec<f64>) -> Option<Values> {
        let (first, behind) = self.pieces.split_first()?;
        let mut rest = text.as_bytes().strip_prefix(first.as_bytes())?;
        numbers.clear();
        for piece in behind {
            let (number, length) = plain_number::leading(rest)?;
            let (written, more) = rest.split_at_checked(length)?;
            rest = more.strip_prefix(piece.as_bytes())?;
            if !number.is_finite() || !written.last().is_some_and(u8::is_ascii_digit) {
                return None;
            }
            numbers.push(number);
        }
        if !rest.is_empty() {
            return None;
        }
        let figures = self.figures.iter().filter_map(|place| numbers.get(*place).copied());
        let mut values = Vec::with_capacity(self.figures.len());
        values.extend(figures);
        Some(Values { at: *numbers.get(self.at)?, figures: values })
    }
}

/// A text as the pieces around its numbers from there on, and these.
fn taken_apart(text: &str, from: usize) -> Option<(Vec<String>, Vec<f64>)> {
    let bytes = text.as_bytes();
    let (mut pieces, mut numbers) = (Vec::new(), Vec::new());
    let (mut at, mut start) = (from.max(1), 0);
    while at < bytes.len() {
        let is_apart = bytes.get(at - 1).is_some_and(|before| BEFORE.contains(before));
        let found = bytes.get(at..).filter(|_| is_apart).and_then(plain_number::leading);
        let end = at + found.map_or(0, |(_, length)| length);
        let ends = bytes.get(end).is_none_or(|behind| BEHIND.contains(behind));
        let has_digit = || bytes.get(end - 1).is_some_and(u8::is_ascii_digit);
        match found {
            Some((number, _)) if ends && number.is_finite() && has_digit() => {
                pieces.push(text.get(start..at)?.to_owned());
                numbers.push(number);
                (at, start) = (end, end);
            }
            _ => at += 1,
        }
    }
    pieces.push(text.get(start..)?.to_owned());
    Some((pieces, numbers))
}

/// The pieces with their numbers of [`MARKER_BASE`] between them.
fn with_numbers(pieces: &[String]) -> String {
    let mut text = String::new();
    for (at, piece) in (0..).zip(pieces) {
        if at > 0 {
            text.push_str(&(MARKER_BASE + at - 1).to_string());
        }
        text.push_str(piece);
    }
    text
}

/// The shape that lines next to each other had last.
#[derive(Debug, Default)]
pub(super) struct LineShapes {
    last: Option<Arc<LineShape>>,
    /// How many shapes were made, and how many lines had one.
    made: usize,
    had: usize,
    numbers: Vec<f64>,
}

impl LineShapes {
    /// The shape of a line that has the last one, and its numbers.
    pub(super) fn values(&mut self, text: &str) -> Option<(Arc<LineShape>, Values)> {
        let shape = self.last.as_ref().filter(|last| last.length == LineLength::of(text))?;
        let values = shape.values(text, &mut self.numbers)?;
        self.had += 1;
        Some((Arc::clone(shape), values))
    }

    /// Notes a line that has another shape, and what it says; where shapes are of few lines each, no more of
    /// them are made.
    pub(super) fn note(&mut self, text: &str, said: &LogLine, names: &MetricNames) {
        if self.made <= FREE_SHAPES + self.had / FREE_SHAPES {
            self.made += 1;
            self.last = LineShape::of(text, said, names).map(Arc::new).or(self.last.take());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a line says when one before it has a shape, and what it says by itself.
    fn check(first: &str, line: &str, has_shape: bool) {
        let names = MetricNames::default();
        let mut shapes = LineShapes::default();
        shapes.note(first, &figures(first), &names);
        let found = shapes.values(line);
        assert_eq!(found.is_some(), has_shape, "{first}\n{line}");
        let Some((shape, values)) = found else { return };
        let mut said = figures(line);
        said.retain_metrics(&names);
        assert_eq!(said.at, Some((shape.axis(), values.at)), "{line}");
        let expected: Vec<(String, f64)> =
            said.figures.into_iter().map(|one| (one.name, one.value)).collect();
        let found: Vec<(String, f64)> = shape.names().iter().cloned().zip(values.figures).collect();
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn lines_that_differ_in_numbers_alone_say_the_same_of_other_figures() {
        let long = "actor/part_0/a_long_name_of_a_metric:0.25 - critic/score/mean:-1e-05 - pid:7";
        for (first, line, has_shape) in [
            ("step:1 - L - kl:0.5", "step:20 - L - kl:0.125", true),
            ("(Task pid=7) step:1 - L - kl:0.5", "(Task pid=7) step:2 - L - kl:1", true),
            ("(Task pid=7) step:1 - L - kl:0.5", "(Task pid=8) step:2 - L - kl:1", false),
            (
                "step:1 - L - kl:np.float64(0.5) - n:3",
                "step:2 - L - kl:np.float64(0.1) - n:4",
                true,
            ),
            ("step 1 | L | lr 1e-5", "step 3 | L | lr 2e-06", true),
            (
                "{'loss': 0.5, 'L': 1, 'epoch': 0.5, 'x': 1}",
                "{'loss': 5, 'L': 1, 'epoch': 1, 'x': 2}",
                true,
            ),
            ("step:1 - L - kl:0.5", "step:2 - L - kl:nan", false),
            ("step:1 - L - kl:0.5", "step:2 - L - kl:1e999", false),
            ("step:1 - L - kl:0.5", "step:2 - L - kl:1.", false),
            ("step:1 - L - kl:0.5", "step:2 - L - kl:0.5%", false),
            ("step:1 - L - kl:0.5", "step:2 - L - lr:0.5", false),
            ("step:1 - L - kl:0.5", "step:2 - L - kl:0.5 - lr:1", false),
            ("step:1 - L - acc:0.5%", "step:2 - L - acc:0.7%", false),
            ("step:1/3 - L - kl:1", "step:2/3 - L - kl:1", false),
            ("step:1 - L - kl:0.5 (3)", "step:2 - L - kl:0.5 (4)", false),
            ("step:1 - L - shot:2 - kl:0.5", "step:2 - L - shot:2 - kl:0.5", false),
            ("step:1 - L - id:2", "step:2 - L - id:3", false),
            ("L - kl:0.5", "L - kl:0.25", false),
            ("step:1 - L - kl:0.5", "step:2 - kl:0.25", false),
        ] {
            check(&first.replace('L', long), &line.replace('L', long), has_shape);
        }
        check("step:1 - kl:0.5", "step:2 - kl:0.25", false);
        // One that is longer than any command may be one when it is shorter.
        let line =
            |digits: usize| format!("{} - step:1 - kl:0.{}", long.repeat(51), "1".repeat(digits));
        let length = line(0).len();
        check(&line(LONGEST_COMMAND - length), &line(LONGEST_COMMAND - length + 1), false);
        check(&line(LONGEST_COMMAND - length + 1), &line(LONGEST_COMMAND - length + 2), true);
    }
}
