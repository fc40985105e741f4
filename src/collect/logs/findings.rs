//! What was odd about logs, as findings.

use super::blocks::{Ending, Odd};
use super::content;
use super::patterns::Patterns;
use crate::diag::{Code, Diagnostic, Explanation, Location};
use crate::model::logs::{LogTally, MOST_NAMES, MOST_SIGNATURES, RolloutOutcome};

/// What was odd about one log.
pub(super) fn of_file(path: &str, ending: &Ending, lost: Option<(u64, u64)>) -> Vec<Diagnostic> {
    let odd = &ending.oddities;
    let lines = [
        (Code::LogBytesReplaced, odd.replaced),
        (Code::LogInGbk, odd.gbk),
        (Code::LogBinary, odd.binary),
        (Code::LogLineCut, odd.long),
        (
            Code::LogTracebackCut,
            lost.map_or_else(Odd::default, |(count, first)| Odd { count, first }),
        ),
    ];
    let lines = lines.into_iter().filter(|(_, odd)| odd.count > 0).map(|(code, odd)| {
        Diagnostic::new(code).with("count", odd.count).at(Location::line(path, odd.first))
    });
    let unread = ending.error.as_ref().map(|error| *content::unreadable(path, error));
    lines.chain(unread).collect()
}

/// What was odd about all logs of a run together.
pub(super) fn of_tally(tally: &LogTally) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let other = tally.errors.other + tally.warnings.other + tally.other_names;
    if other > 0 {
        findings.push(
            Diagnostic::new(Code::LogTooVaried)
                .with("count", other)
                .with("signatures", MOST_SIGNATURES)
                .with("names", MOST_NAMES),
        );
    }
    let ways = || tally.ways.iter();
    let all: u64 = ways().map(|(_, ways)| ways.count).sum();
    let unscored: u64 = ways()
        .filter(|(way, _)| way.outcome == RolloutOutcome::Unscored)
        .map(|(_, ways)| ways.count)
        .sum();
    let has_scores = unscored < all;
    if unscored > 0 && has_scores {
        let first = ways().find(|(way, _)| way.outcome == RolloutOutcome::Unscored);
        let finding =
            Diagnostic::new(Code::RolloutsUnscored).with("count", unscored).with("of", all);
        findings.push(match first {
            Some((_, ways)) => finding.at(Location::line(&*ways.first.path, ways.first.line)),
            None => finding,
        });
    }
    if let Some((count, place)) = &tally.beyond_scale {
        findings.push(
            Diagnostic::new(Code::ScoreBeyondScale)
                .with("count", *count)
                .with("max", tally.scale.unwrap_or_default())
                .at(Location::line(&*place.path, place.line)),
        );
    }
    findings
}

/// A run without a log.
pub(super) fn no_log(path: &str) -> Diagnostic {
    Diagnostic::new(Code::NoLog).with("path", path).at(Location::file(path))
}

/// One log is a copy of another.
pub(super) fn copy(copy: &str, first: &str) -> Diagnostic {
    Diagnostic::new(Code::LogTwice).with("first", first).at(Location::file(copy))
}

/// Patterns of the user that fitted no line.
pub(super) fn unused<'p>(
    patterns: &'p Patterns,
    used: &'p [u64],
) -> impl Iterator<Item = Diagnostic> + 'p {
    patterns.all.iter().zip(used).filter(|(_, used)| **used == 0).filter_map(|(pattern, _)| {
        let (path, line) = pattern.own.as_ref()?;
        // A pattern that silences lines is not counted.
        if pattern.means == super::patterns::Meaning::Ignore {
            return None;
        }
        let finding = Diagnostic::new(Code::PatternUnused).with("pattern", pattern.text.as_str());
        Some(finding.at(Location::line(&**path, *line)))
    })
}

pub(crate) const EXPLAINED: &[Explanation] = &[
    Explanation::new(
        Code::LogBytesReplaced,
        "Lines of a log hold bytes that are neither UTF-8 nor plausible GBK. Each such byte is shown \
         as U+FFFD and the rest of the line is used; the first such line is named.",
        "Words that a pattern looks for are not found where their bytes are damaged, so counts from \
         such lines may be too low. A log that was cut in the middle of a character has one.",
    ),
    Explanation::new(
        Code::LogInGbk,
        "Lines of a log are not UTF-8 and every byte of them makes sense as Chinese text in GBK, \
         while less than half of their bytes beyond ASCII make sense as UTF-8. They are read as \
         GBK. Other lines of the same log may be UTF-8.",
        "Machines and editors that write GBK beside programs that write UTF-8 make logs of both. \
         Read as UTF-8 such lines are unreadable, and no pattern in Chinese would fit them.",
    ),
    Explanation::new(
        Code::LogBinary,
        "Lines of a log hold NUL bytes. The bytes are left out and the text around them is used.",
        "A log that was rotated while its writer kept the file open begins with NUL bytes, and a \
         machine that lost power ends a log with them: what stood there is lost.",
    ),
    Explanation::new(
        Code::LogLineCut,
        "A line of a log is longer than 1 MiB. Of such a line the end is read, because progress \
         that is redrawn in place is one long line of which the last drawing counts.",
        "An error that stands in the middle of such a line is not counted. Binary data written to a \
         log is the other usual reason.",
    ),
    Explanation::new(
        Code::LogTracebackCut,
        "A traceback begins and its last line, with the type of the exception, does not come: the \
         log ends, the process falls silent, or more than 20 other lines stand in its place. It is \
         not counted as an error, because what was raised is not known.",
        "The process may have been killed while it wrote, which is itself the answer to why a run \
         ended. The number of errors is at least that much too low.",
    ),
    Explanation::new(
        Code::LogTooVaried,
        "A run has more than 2,000 different errors or warnings, or more than 500 different rules or \
         penalty terms. The first ones in the order of lines are kept apart, all later ones are \
         counted together.",
        "Memory stays bounded, and a signature that began late is missing from the table. Mostly a \
         message carries something that varies in a way that is not cut out; a pattern with `as` \
         gives such errors one name.",
    ),
    Explanation::new(
        Code::LogTwice,
        "Two logs of a run have the same bytes. The first in path order is read and the other is \
         not. Logs that share only some of their lines are not noticed.",
        "The output of `tee` beside that of a scheduler would count every error twice.",
    ),
    Explanation::new(
        Code::NoLog,
        "No file of a run is a log by its name: `*.log`, `*.out`, `*.err`, `stdout*`, `stderr*`, \
         `console*`, `nohup.out`, `log.txt`, rotated with a number or compressed. A file that is \
         named on the command line is one whatever it is called, unless it holds records.",
        "Errors, broken rules and fallbacks stand in logs alone; without one only the outcomes of \
         samples are told, and why they failed stays open.",
    ),
    Explanation::new(
        Code::PatternUnused,
        "A pattern of the user's own fitted no line of any log. Patterns that mean `ignore` and \
         shipped ones are not meant.",
        "What the pattern should count is reported as if it never happened. A log whose wording has \
         changed, and a hole of the wrong kind, look just the same.",
    ),
    Explanation::new(
        Code::RolloutsUnscored,
        "Lines begin rollouts, or let them fall back, and no line scores them before the next one \
         begins in their process or the log ends. Other rollouts of the run are scored.",
        "The rates of success and the mean score leave these rollouts out. Where they crash rather \
         than end, the rates look better than the run was.",
    ),
    Explanation::new(
        Code::ScoreBeyondScale,
        "Score lines name the largest possible score (`-5.0/10.0`), and scores lie above it or \
         below 0. The scores are used as they are.",
        "A mean on a scale whose other end nobody wrote down cannot be read as a share of the best \
         result: -2.75 of 10 may be bad or as bad as can be. Mostly a penalty was taken off.",
    ),
];
