//! What was wrong in a file of samples, counted while it is read and reported once.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::collect::content::bad_records;
use crate::collect::lines::{Line, ReadEnd};
use crate::collect::occurrences::{FewFaults, LineOccurrences};
use crate::diag::{Code, Diagnostic, Location};

use super::claims::RecordContradictions;
use super::json::Malformed;

/// A record that is no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BadRecord {
    pub(crate) line: u64,
    /// Column in characters, counted from 1.
    pub(crate) column: Option<u64>,
    pub(crate) expected: &'static str,
}

impl BadRecord {
    fn cause(self) -> String {
        format!("expected {}", self.expected)
    }

    fn location(self, path: &str) -> Location {
        match self.column {
            Some(column) => Location::column(path, self.line, column),
            None => Location::line(path, self.line),
        }
    }
}

/// Two names or places of one metric with different scores in one record.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rivals {
    pub(crate) metric: String,
    /// Name and score that count.
    pub(crate) kept: (String, f64),
    /// Name and score that do not.
    pub(crate) dropped: (String, f64),
}

/// What was noticed in a file or in a part of it. Lines count within the part.
#[derive(Debug, Default)]
pub(crate) struct RecordFindings {
    bad: FewFaults<BadRecord>,
    /// The last record, where it stops in the middle.
    pub(crate) torn: Option<BadRecord>,
    /// Lines in which bytes that are not UTF-8 were replaced.
    pub(crate) replaced: LineOccurrences,
    too_long: Vec<(u64, u64)>,
    not_finite: IndexMap<String, LineOccurrences>,
    unusable: IndexMap<String, LineOccurrences>,
    repeated_keys: IndexMap<String, LineOccurrences>,
    /// The first such record of each metric.
    rivals: IndexMap<String, (Rivals, LineOccurrences)>,
    pub(super) unscored: LineOccurrences,
    pub(super) contradictions: RecordContradictions,
}

impl RecordFindings {
    pub(crate) fn bad(&mut self, record: BadRecord) {
        self.bad.note(|| record);
    }

    /// Whether a record was left out, or is cut off.
    pub(crate) fn lost_some(&self) -> bool {
        !self.bad.is_empty() || self.torn.is_some()
    }

    /// The file has ended; compressed data that stops in the middle is a torn tail.
    pub(crate) fn end(&mut self, ending: &ReadEnd) {
        if ending.is_cut() {
            let line = ending.lines + 1;
            self.torn = Some(BadRecord { line, column: None, expected: "more compressed data" });
        }
    }

    pub(crate) fn too_long(&mut self, line: u64, bytes: u64) {
        self.too_long.push((line, bytes));
    }

    pub(crate) fn not_finite(&mut self, metric: &str, line: u64) {
        occurrences_of(&mut self.not_finite, metric).note(line);
    }

    /// A score of the metric is no single number.
    pub(crate) fn unusable(&mut self, metric: &str, line: u64) {
        occurrences_of(&mut self.unusable, metric).note(line);
    }

    pub(crate) fn repeated_key(&mut self, name: &str, line: u64) {
        occurrences_of(&mut self.repeated_keys, name).note(line);
    }

    pub(crate) fn rivals(&mut self, rivals: Rivals, line: u64) {
        let metric = rivals.metric.clone();
        self.rivals.entry(metric).or_insert((rivals, LineOccurrences::default())).1.note(line);
    }

    /// Appends what was noticed in the next part, whose lines count from `lines` on.
    pub(crate) fn append(&mut self, next: Self, lines: u64) {
        let shifted = |record: BadRecord| BadRecord { line: record.line + lines, ..record };
        self.bad.append(next.bad.map(shifted));
        self.torn = next.torn.map(shifted).or(self.torn);
        self.replaced.append(next.replaced, lines);
        self.too_long.extend(next.too_long.into_iter().map(|(line, bytes)| (line + lines, bytes)));
        for (known, added) in [
            (&mut self.not_finite, next.not_finite),
            (&mut self.unusable, next.unusable),
            (&mut self.repeated_keys, next.repeated_keys),
        ] {
            for (name, count) in added {
                occurrences_of(known, &name).append(count, lines);
            }
        }
        for (metric, (rivals, count)) in next.rivals {
            let known = self.rivals.entry(metric).or_insert((rivals, LineOccurrences::default()));
            known.1.append(count, lines);
        }
        self.unscored.append(next.unscored, lines);
        self.contradictions.append(next.contradictions, lines);
    }

    pub(crate) fn diagnostics(mut self, path: &Arc<str>, line_limit: usize) -> Vec<Diagnostic> {
        let bad = std::mem::take(&mut self.bad);
        let bad_finding =
            |bad: BadRecord, count| bad_records(count, bad.cause(), bad.location(path));
        let mut found: Vec<Diagnostic> = bad.findings(bad_finding).collect();
        found.extend(self.torn.map(|torn| {
            let finding = Diagnostic::new(Code::TornTail).with("cause", torn.cause());
            finding.at(torn.location(path))
        }));
        found.extend(self.replaced.finding(Code::InvalidUtf8, path));
        found.extend(self.too_long.iter().map(|&(line, bytes)| {
            Diagnostic::new(Code::LineTooLong)
                .with("bytes", bytes)
                .with("limit", line_limit)
                .at(Location::line(path.as_ref(), line))
        }));
        found.extend(self.score_diagnostics(path));
        found.extend(self.contradictions.diagnostics(path));
        let unscored = self.unscored.finding(Code::NoScores, path);
        found.extend(unscored.map(|finding| finding.with("metrics", "*")));
        found
    }

    fn score_diagnostics(&self, path: &str) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for (code, metrics) in
            [(Code::NotFinite, &self.not_finite), (Code::NoScores, &self.unusable)]
        {
            for (metric, seen) in metrics {
                let finding = seen.finding(code, path);
                found.extend(finding.map(|it| it.with("metrics", metric.as_str()).metric(metric)));
            }
        }
        for (name, seen) in &self.repeated_keys {
            let shown =
                if seen.count > 1 { format!("{name} ({}×)", seen.count) } else { name.clone() };
            found.push(
                Diagnostic::new(Code::DuplicateKey)
                    .with("key", shown)
                    .with("count", seen.count)
                    .key(name)
                    .at(Location::line(path, seen.first)),
            );
        }
        for (metric, (Rivals { kept, dropped, .. }, seen)) in &self.rivals {
            found.extend(seen.finding(Code::RivalNames, path).map(|finding| {
                finding
                    .with("metric", metric.as_str())
                    .with("kept", kept.0.as_str())
                    .with("kept_score", kept.1)
                    .with("dropped", dropped.0.as_str())
                    .with("dropped_score", dropped.1)
                    .metric(metric)
            }));
        }
        found
    }
}

/// Takes a line: `record` reads what is written in it, and `findings` has what was noticed.
pub(crate) fn take_line<T>(
    to: &mut T,
    number: u64,
    line: Line<'_>,
    findings: fn(&mut T) -> &mut RecordFindings,
    record: impl FnOnce(&mut T, &str) -> Result<(), Malformed>,
) {
    let (text, ended) = match line {
        Line::TooLong { bytes } => return findings(to).too_long(number, bytes),
        Line::Text { text, replaced, ended } => {
            if replaced {
                findings(to).replaced.note(number);
            }
            (text, ended)
        }
    };
    let Err(fault) = record(to, text) else { return };
    let before = text.get(..fault.offset).unwrap_or(text).chars().count() as u64;
    let bad = BadRecord { line: number, column: Some(before + 1), expected: fault.expected };
    if ended { findings(to).bad(bad) } else { findings(to).torn = Some(bad) }
}

fn occurrences_of<'a>(
    seen: &'a mut IndexMap<String, LineOccurrences>,
    name: &str,
) -> &'a mut LineOccurrences {
    let position = match seen.get_index_of(name) {
        Some(position) => position,
        None => seen.insert_full(name.to_owned(), LineOccurrences::default()).0,
    };
    &mut seen[position]
}
