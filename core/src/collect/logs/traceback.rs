//! One Python traceback, line by line, from `Traceback (most recent call last)` to the line with the
//! type of the exception.

use super::cut::bounded_message;
use super::template::{is_bare, is_exception};

/// Lines of the traceback that an example shows.
const SHOWN_LINES: usize = 8;
/// Most characters of a shown line.
const LINE_LENGTH: usize = 200;
/// Lines of others that may stand between those of a traceback, where no prefix tells them apart.
const MOST_FOREIGN: u32 = 20;
/// Lines between two others of one chain.
pub(super) const CONNECTORS: &[&str] =
    &["During handling of the above exception", "The above exception was the direct cause"];

/// A traceback whose last line has not come.
#[derive(Debug, Default)]
pub(super) struct Traceback {
    indent: usize,
    /// Tracebacks that are open at once, because two processes write without a prefix.
    together: u32,
    foreign: u32,
    frames: u32,
    raised_at: Option<String>,
    lines: Vec<String>,
}

/// What a line was to a traceback.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TracebackStep {
    Body,
    Foreign,
    /// It ended with an exception of that type and message.
    Ended {
        kind: String,
        message: String,
    },
    /// Too much else has come: it was cut off.
    Lost,
}

impl Traceback {
    /// Begins at the line that has the words.
    pub(super) fn begin(line: &str) -> Self {
        let mut traceback =
            Self { indent: indent(ungrouped(line)), together: 1, ..Self::default() };
        traceback.keep(line);
        traceback
    }

    /// Begins at a frame: what follows an exception that another process raised.
    pub(super) fn begin_inside(line: &str) -> Self {
        let mut traceback = Self { together: 1, ..Self::default() };
        let _body = traceback.step(line);
        traceback
    }

    /// Another one began before this one ended: their lines cannot be told apart.
    pub(super) fn join(&mut self) {
        self.together += 1;
    }

    /// Whether another exception line is to come.
    pub(super) fn is_open(&self) -> bool {
        self.together > 0
    }

    /// The innermost frame; not known where tracebacks are mixed.
    pub(super) fn raised_at(&self) -> Option<String> {
        self.raised_at.clone()
    }

    pub(super) fn shown(&self) -> String {
        self.lines.join("\n")
    }

    /// Takes the next line of the same process.
    pub(super) fn step(&mut self, line: &str) -> TracebackStep {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            return TracebackStep::Body;
        }
        let plain = ungrouped(line);
        if indent(plain) > self.indent || trimmed.starts_with("+-") {
            self.frame(trimmed);
            self.keep(line);
            return TracebackStep::Body;
        }
        if let Some((kind, message)) = exception(plain.trim_start()) {
            self.keep(line);
            self.together -= 1;
            if self.together > 0 {
                self.raised_at = None;
            }
            return TracebackStep::Ended { kind: kind.to_owned(), message: message.to_owned() };
        }
        self.foreign += 1;
        if self.foreign > MOST_FOREIGN { TracebackStep::Lost } else { TracebackStep::Foreign }
    }

    fn frame(&mut self, trimmed: &str) {
        let trimmed = trimmed.trim_start_matches(['|', ' ']);
        let Some((path, rest)) =
            trimmed.strip_prefix("File \"").and_then(|rest| rest.split_once('"'))
        else {
            return;
        };
        self.frames += 1;
        let number = rest.trim_start_matches([',', ' ']).strip_prefix("line ").unwrap_or_default();
        let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
        let (number, behind) = number.split_at(end);
        let function = behind.trim_start_matches(", in ").trim();
        let place = match (number.is_empty(), function.is_empty()) {
            (true, _) => path.to_owned(),
            (false, true) => format!("{path}:{number}"),
            (false, false) => format!("{path}:{number} in {function}"),
        };
        self.raised_at = (self.together == 1).then(|| bounded_message(&place, LINE_LENGTH));
    }

    fn keep(&mut self, line: &str) {
        if self.lines.len() == SHOWN_LINES {
            // The first line says what it is, the last ones where it happened.
            self.lines.remove(1);
        }
        self.lines.push(bounded_message(line.trim_end(), LINE_LENGTH));
    }
}

/// What a logger wrote before a line of a traceback: `2025-01-01 10:00:00,000 - trainer - ERROR - `.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LineHead(String);

impl LineHead {
    /// What stands before the words; `None` where that is only indentation.
    pub(super) fn before(line: &str, words: &str) -> Option<Self> {
        let head = line.get(..line.find(words)?)?;
        let is_head = !head.trim_matches([' ', '\t', '|', '+', '-']).is_empty();
        is_head.then(|| Self(without_digits(head)))
    }

    /// A line without the same head, which may have other digits; the line where it has none.
    pub(super) fn taken_off<'l>(&self, line: &'l str) -> &'l str {
        // An empty line has lost the space at its end.
        if without_digits(line.trim_end()) == self.0.trim_end() {
            return "";
        }
        match line.split_at_checked(self.0.len()) {
            Some((head, rest)) if without_digits(head) == self.0 => rest,
            _ => line,
        }
    }
}

fn without_digits(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect()
}

pub(super) fn is_frame(line: &str) -> bool {
    line.starts_with(' ') && line.trim_start().starts_with("File \"")
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// A line of an exception group without its bars.
fn ungrouped(line: &str) -> &str {
    let trimmed = line.trim_start();
    trimmed.strip_prefix("| ").or_else(|| trimmed.strip_prefix("+ ")).unwrap_or(line)
}

/// Type and message of the last line of a traceback.
fn exception(line: &str) -> Option<(&str, &str)> {
    let end = line.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.')));
    let (name, mut rest) = line.split_at(end.unwrap_or(line.len()));
    let mut kind = name;
    // Ray writes the type of the cause behind its own: `RayTaskError(ValueError): …`.
    if let Some((inner, behind)) = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'))
        && is_exception(inner)
    {
        kind = line.get(..name.len() + inner.len() + 2)?;
        rest = behind;
    }
    let last = name.rsplit('.').next().unwrap_or_default();
    let is_class = last.starts_with(|c: char| c.is_ascii_uppercase()) || is_exception(name);
    let is_known = is_exception(name) || is_bare(name) || rest.is_empty() || name.contains('.');
    let message = match rest.strip_prefix(':') {
        Some(message) => message.trim(),
        None if rest.trim().is_empty() => "",
        None => return None,
    };
    (is_class && is_known && !kind.is_empty()).then_some((kind, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &[&str], kind: &str, message: &str, raised_at: Option<&str>) {
        let mut traceback = Traceback::begin(lines.first().expect("a line"));
        let mut last = TracebackStep::Foreign;
        for line in lines.iter().skip(1) {
            last = traceback.step(line);
        }
        let ended = TracebackStep::Ended { kind: kind.to_owned(), message: message.to_owned() };
        assert_eq!(last, ended, "{lines:?}");
        assert_eq!(traceback.raised_at().as_deref(), raised_at, "{lines:?}");
    }

    const FIRST: &str = "Traceback (most recent call last):";

    #[test]
    fn the_last_line_says_what_was_raised_and_the_last_frame_where() {
        let at = "  File \"/a/b.py\", line 12, in run";
        check(
            &[FIRST, at, "    run()", "ValueError: bad"],
            "ValueError",
            "bad",
            Some("/a/b.py:12 in run"),
        );
        check(
            &[FIRST, at, "KeyboardInterrupt"],
            "KeyboardInterrupt",
            "",
            Some("/a/b.py:12 in run"),
        );
        check(&[FIRST, at, "_queue.Empty"], "_queue.Empty", "", Some("/a/b.py:12 in run"));
        check(
            &["  Traceback (most recent call last):", "    File \"c.py\", line 1", "  OSError: x"],
            "OSError",
            "x",
            Some("c.py:1"),
        );
        check(
            &[FIRST, at, "ray.exceptions.RayTaskError(OSError): ray::main() (pid=1)"],
            "ray.exceptions.RayTaskError(OSError)",
            "ray::main() (pid=1)",
            Some("/a/b.py:12 in run"),
        );
        check(
            &[FIRST, at, "Loading weights: 3", "OSError: x"],
            "OSError",
            "x",
            Some("/a/b.py:12 in run"),
        );
    }

    #[test]
    fn a_traceback_that_never_ends_is_given_up() {
        let mut traceback = Traceback::begin(FIRST);
        let steps: Vec<TracebackStep> =
            (0..=MOST_FOREIGN).map(|_| traceback.step("step 3 done")).collect();
        assert_eq!(steps.last(), Some(&TracebackStep::Lost));
        assert!(steps.iter().rev().skip(1).all(|step| *step == TracebackStep::Foreign));
    }
}
