//! What was odd about logs, as findings.

use super::super::content;
use super::super::lines::ReadEnd;
use super::super::occurrences::LineOccurrences;
use super::blocks::Oddities;
use super::patterns::Patterns;
use crate::diag::{Code, Diagnostic, Location};
use crate::model::logs::{LogTally, MOST_NAMES, MOST_SIGNATURES, RolloutOutcome};

pub(super) fn about_logs(
    path: &str,
    ending: &ReadEnd,
    odd: Oddities,
    lost: LineOccurrences,
) -> Vec<Diagnostic> {
    let lines = [
        (Code::LogBytesReplaced, odd.replaced),
        (Code::LogInGbk, odd.gbk),
        (Code::LogBinary, odd.binary),
        (Code::LogLineCut, odd.long),
        (Code::LogTracebackCut, lost),
    ];
    let unread = ending.error.as_ref().map(|error| content::unreadable(path, error));
    lines.into_iter().filter_map(|(code, odd)| odd.finding(code, path)).chain(unread).collect()
}

/// What was odd about all logs of a run together.
pub(super) fn about_tally(tally: &LogTally) -> Vec<Diagnostic> {
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

pub(super) fn no_log(path: &str) -> Diagnostic {
    Diagnostic::new(Code::NoLog).with("path", path).at(Location::file(path))
}

pub(super) fn copy(copy: &str, first: &str) -> Diagnostic {
    Diagnostic::new(Code::LogTwice).with("first", first).at(Location::file(copy))
}

/// Patterns of the user that fitted no line.
pub(super) fn unused<'p>(
    patterns: &'p Patterns,
    used: &'p [u64],
) -> impl Iterator<Item = Diagnostic> + 'p {
    patterns.all.iter().zip(used).filter(|(_, used)| **used == 0).filter_map(|(pattern, _)| {
        let (path, line) = pattern.written_at.as_ref()?;
        // A pattern that silences lines is not counted.
        if pattern.means == super::patterns::LineMeaning::Ignore {
            return None;
        }
        let finding = Diagnostic::new(Code::PatternUnused).with("pattern", pattern.text.as_str());
        Some(finding.at(Location::line(&**path, *line)))
    })
}
