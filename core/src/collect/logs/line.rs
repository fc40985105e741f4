//! One line of a log as a person saw it: without colours and redrawn progress, and what its prefix
//! says of process and level.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::model::skip_escape;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::collect) struct Prefixed<'l> {
    /// The process, as written: `rank3`, `WorkerDict pid=123`; empty without one.
    pub(in crate::collect) process: &'l str,
    /// The line behind the process, indented as it was.
    pub(in crate::collect) rest: &'l str,
}

/// How loud a line is, where it says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LogLevel {
    /// Below a warning: whatever the line names was handled.
    Quiet,
    Warning,
    Error,
}

/// Level words as loggers write them.
pub(super) const LEVELS: &[(&str, LogLevel)] = &[
    ("ERROR", LogLevel::Error),
    ("CRITICAL", LogLevel::Error),
    ("FATAL", LogLevel::Error),
    ("WARNING", LogLevel::Warning),
    ("WARN", LogLevel::Warning),
];
/// Level words of lines that report no error, whatever they name.
const QUIET: &[(&str, LogLevel)] =
    &[("INFO", LogLevel::Quiet), ("DEBUG", LogLevel::Quiet), ("TRACE", LogLevel::Quiet)];

/// What finds them, the loud ones first.
static LEVEL_WORDS: LazyLock<Vec<(Finder<'static>, LogLevel)>> = LazyLock::new(|| {
    let words = LEVELS.iter().chain(QUIET);
    words.map(|(word, level)| (Finder::new(word), *level)).collect()
});

/// Words of lines that say their level otherwise; see [`level`].
pub(super) const OTHER_LEVELS: &[&str] = &[
    "error: ",
    "fatal: ",
    "Killed",
    "level=error",
    "level=fatal",
    "level=warn",
    "\"error\"",
    "\"warning\"",
    "\"critical\"",
    "\"fatal\"",
];

/// The last drawing of a line without escape sequences and control characters; tabs stay.
pub(in crate::collect) fn clean(line: &str) -> Cow<'_, str> {
    let line = line.trim_end_matches(['\r', '\n']);
    let drawn = match line.rsplit('\r').find(|part| !part.trim().is_empty()) {
        Some(last) => last,
        None => line,
    };
    // Of U+0080 to U+009F, the second byte is below 0xa0.
    let is_control = |b: u8| (b < b' ' && b != b'\t') || b == 0x7f || b == 0xc2;
    if !drawn.bytes().any(is_control) {
        return Cow::Borrowed(drawn);
    }
    let mut clean = String::with_capacity(drawn.len());
    let mut rest = drawn.chars();
    while let Some(c) = rest.next() {
        let is_drawn = !skip_escape(c, &mut rest) && (!c.is_control() || c == '\t');
        clean.extend(is_drawn.then_some(c));
    }
    Cow::Owned(clean)
}

/// Takes the process off a line: `[rank3]: `, `(WorkerDict pid=1, ip=…) `, `[default0]:`, `3: `.
pub(in crate::collect) fn split_log_prefix(line: &str) -> Prefixed<'_> {
    let found = bracketed(line).or_else(|| worker(line)).or_else(|| labelled(line));
    let Some((process, rest)) = found else { return Prefixed { process: "", rest: line } };
    Prefixed { process, rest: rest.strip_prefix(' ').unwrap_or(rest) }
}

fn bracketed(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.strip_prefix('[')?.split_once(']')?;
    let digits = ["rank", "default", "Rank ", "RANK ", "rank "]
        .iter()
        .find_map(|word| name.strip_prefix(word))?;
    let is_rank = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    is_rank.then(|| (name, rest.strip_prefix(':').unwrap_or(rest)))
}

fn worker(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.strip_prefix('(')?.split_once(')')?;
    let name_end = name.find(", ip=").unwrap_or(name.len());
    let name = name.get(..name_end)?;
    (name.contains("pid=") && name.len() <= 120).then_some((name, rest))
}

/// `srun --label` and `mpirun` put the number of the task before each line.
fn labelled(line: &str) -> Option<(&str, &str)> {
    if !line.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (number, rest) = line.split_once(": ")?;
    let is_number = (1..=3).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    is_number.then_some((number, rest))
}

/// The level of a line, and what stands behind it: the message.
///
/// A level word counts where a logger would write it: at the start, or behind a time or a name with
/// a separator, and before one. `Detected ERROR in the reply` has none.
pub(super) fn level(line: &str) -> Option<(LogLevel, &str)> {
    let trimmed = line.trim();
    if trimmed == "Killed" {
        return Some((LogLevel::Error, trimmed));
    }
    if let Some(found) = structured(trimmed) {
        return Some(found);
    }
    let head_end = line.char_indices().nth(100).map_or(line.len(), |(end, _)| end);
    let head = line.get(..head_end)?;
    let found = LEVEL_WORDS.iter().filter_map(|(word, level)| {
        let at = word.find(head.as_bytes())?;
        let before = head.get(..at)?.trim_end_matches([' ', '\t']);
        let led = before.is_empty()
            || before.ends_with(['-', '|', ']', '[', '(', ':', ')'])
            || before.ends_with(|c: char| c.is_ascii_digit());
        let behind = line.get(at + word.needle().len()..)?;
        let ended =
            behind.is_empty() || behind.starts_with([':', ']', ' ', '\t', '|', '-', ')', ',']);
        (led && ended).then(|| (at, *level, message(behind)))
    });
    // The level of a line comes before what it quotes.
    let found = found.min_by_key(|(at, ..)| *at).map(|(_, level, message)| (level, message));
    let found = found.or_else(|| {
        let message =
            ["error: ", "fatal: "].iter().find_map(|word| trimmed.strip_prefix(word))?.trim();
        Some((LogLevel::Error, message))
    });
    found.filter(|(level, message)| *level == LogLevel::Quiet || !is_figure(message))
}

/// Whether a message is a figure and not an event: `0`, `none`, `RATE: 0.3`.
fn is_figure(message: &str) -> bool {
    let message = message.trim();
    let (name, value) = message.rsplit_once([':', '=']).unwrap_or(("", message));
    let is_name = name.chars().all(|c| c.is_ascii_uppercase() || matches!(c, ' ' | '_' | '-'));
    let value = value.trim();
    let is_none = ["none", "None", "null", "NONE", "no"].contains(&value);
    is_name && (is_none || value.trim_end_matches('%').parse::<f64>().is_ok())
}

/// What stands behind level and name of the logger, with what it is indented by; `None` without a level.
pub(in crate::collect) fn behind_level(line: &str) -> Option<&str> {
    let (_, message) = level(line).filter(|_| !line.trim_start().starts_with('{'))?;
    // `module:function:12 - message`
    let place = message
        .split_once(" - ")
        .filter(|(place, _)| place.contains(':') && !place.contains(char::is_whitespace));
    let message = place.map_or(message, |(_, message)| message);
    let before = line.strip_suffix(message)?;
    let indented = before.len() - before.trim_end_matches(' ').len();
    line.get(before.len() - indented.saturating_sub(1)..)
}

/// Lines of fields: `{"level": "error", "msg": …}` and `… level=error msg="…"`.
fn structured(line: &str) -> Option<(LogLevel, &str)> {
    let is_json = line.starts_with('{') && line.ends_with('}');
    if !is_json && !line.contains("level=") {
        return None;
    }
    let field = |names: &[&str]| names.iter().find_map(|name| value_of(line, name, is_json));
    let level = match field(&["level", "levelname", "severity"])?.to_ascii_lowercase().as_str() {
        "error" | "critical" | "fatal" | "panic" => LogLevel::Error,
        "warn" | "warning" => LogLevel::Warning,
        "info" | "debug" | "trace" => LogLevel::Quiet,
        _ => return None,
    };
    Some((level, field(&["msg", "message", "event"]).unwrap_or(line)))
}

/// The value of a field, up to its closing quote, or without quotes to the next space or comma.
fn value_of<'l>(line: &'l str, name: &str, is_json: bool) -> Option<&'l str> {
    let (quote, sign) = if is_json { ("\"", ':') } else { ("", '=') };
    let key = format!("{quote}{name}{quote}");
    line.match_indices(&key).find_map(|(at, found)| {
        let before = line.get(..at)?.chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
            return None;
        }
        let value = line.get(at + found.len()..)?.trim_start().strip_prefix(sign)?.trim_start();
        let Some(quoted) = value.strip_prefix('"') else {
            let end = value.find(|c: char| c.is_whitespace() || matches!(c, ',' | '}'));
            return value.get(..end.unwrap_or(value.len()));
        };
        let mut escaped = false;
        let end = quoted.find(|c| {
            let ends = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        });
        quoted.get(..end?)
    })
}

/// A line without Ray's count of equal lines, and the count: of `x [repeated 7x across cluster]`
/// seven were written and one is shown.
pub(super) fn repeated(line: &str) -> (&str, u64) {
    if !line.contains('[') {
        return (line, 1);
    }
    let found = line.split_once(" [repeated ").and_then(|(text, behind)| {
        let (count, _) = behind.split_once("x across cluster]")?;
        Some((text, count.parse().ok().filter(|count| *count > 0)?))
    });
    found.unwrap_or((line, 1))
}

/// A message without the separators and the name of the logger before it.
fn message(behind: &str) -> &str {
    let separators = [' ', '\t', ':', ']', '-', '|', ')', ','];
    let rest = behind.trim_start_matches(separators);
    // The dashes of a flag are no separators.
    let cut = behind.get(..behind.len() - rest.len()).unwrap_or_default();
    let dashes = cut.len() - cut.trim_end_matches('-').len();
    let rest = behind.get(cut.len() - dashes..).unwrap_or(rest);
    // `ERROR:root:message`, `ERROR 12-01 16:45:00 engine.py:380] message`
    if let Some((place, message)) = rest.split_once("] ")
        && place.len() <= 60
        && place.contains(".py:")
    {
        return message;
    }
    match rest.split_once(':') {
        Some((name, message))
            if behind.starts_with(':')
                && !behind.starts_with(": ")
                && !name.is_empty()
                && !name.contains(char::is_whitespace)
                && !message.starts_with(' ') =>
        {
            message
        }
        _ => rest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_what_was_seen_last() {
        for (line, seen) in [
            ("plain", "plain"),
            ("\u{1b}[31mred\u{1b}[0m text\r\n", "red text"),
            (" 10%|#  |\r 50%|## |\r100%|###|\r", "100%|###|"),
            ("\u{1b}]0;title\u{7}body", "body"),
            ("a\u{0}b\u{8}c\td", "abc\td"),
            ("\u{1b}", ""),
            ("中文\u{1b}[1m加粗\u{1b}[22m。", "中文加粗。"),
            ("", ""),
        ] {
            assert_eq!(clean(line), seen, "{line:?}");
        }
    }

    #[test]
    fn a_process_is_taken_off_and_the_indentation_kept() {
        for (line, process, rest) in [
            ("[rank3]:   File \"a.py\"", "rank3", "  File \"a.py\""),
            ("[rank12] hello", "rank12", "hello"),
            ("(WorkerDict pid=19740)   raise", "WorkerDict pid=19740", "  raise"),
            ("(main_task pid=7, ip=10.0.0.2) x", "main_task pid=7", "x"),
            ("[default0]:x", "default0", "x"),
            ("0: Traceback", "0", "Traceback"),
            ("[INFO] x", "", "[INFO] x"),
            ("(see pid) x", "", "(see pid) x"),
            ("2025: a year", "", "2025: a year"),
            ("step: 3", "", "step: 3"),
        ] {
            assert_eq!(split_log_prefix(line), Prefixed { process, rest }, "{line}");
        }
    }

    #[test]
    fn a_level_counts_where_a_logger_writes_it() {
        let error = |message| Some((LogLevel::Error, message));
        for (line, found) in [
            ("ERROR: disk full", error("disk full")),
            ("ERROR:root:disk full", error("disk full")),
            ("2025-12-01 16:45:00,1 - trainer - ERROR - disk full", error("disk full")),
            ("[2025-12-01 16:45:00][hydra][ERROR] - disk full", error("disk full")),
            ("2025-12-01 16:45:00 | CRITICAL | a:b:3 - disk full", error("a:b:3 - disk full")),
            ("WARNING 03-10 22:48:08 config.py:380] slow", Some((LogLevel::Warning, "slow"))),
            ("Detected ERROR in the reply", None),
            ("MY_ERROR: x", None),
            ("ERRORS: 3", None),
            ("all is well", None),
            ("ERROR: 0", None),
            ("ERROR RATE: 0.3", None),
            ("ERROR: none", None),
            ("error: linker failed", error("linker failed")),
            ("mean error: 0.3", None),
            ("error: 0.3", None),
            ("Killed", error("Killed")),
            ("Killed 3 workers", None),
            ("2025-12-01 16:45:00 INFO got ERROR: x", Some((LogLevel::Quiet, "got ERROR: x"))),
            ("INFO - recovered", Some((LogLevel::Quiet, "recovered"))),
            (r#"{"level":"error","msg":"disk \"a\" full","n":1}"#, error(r#"disk \"a\" full"#)),
            (r#"{"levelname": "WARNING", "message": "slow"}"#, Some((LogLevel::Warning, "slow"))),
            (
                r#"{"level":"info","error":"none"}"#,
                Some((LogLevel::Quiet, r#"{"level":"info","error":"none"}"#)),
            ),
            (r#"time=3 level=error msg="disk full" n=1"#, error("disk full")),
            ("log_level=error", None),
        ] {
            assert_eq!(level(line), found, "{line}");
        }
    }

    #[test]
    fn rays_count_of_equal_lines_is_taken_off() {
        let tail = "(Ray deduplicates logs by default)";
        assert_eq!(repeated(&format!("v [repeated 7x across cluster] {tail}")), ("v", 7));
        for line in ["v", "v [repeated manyx across cluster]", "v [repeated 0x across cluster]"] {
            assert_eq!(repeated(line), (line, 1));
        }
    }
}
