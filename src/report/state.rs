//! What a report says in so short a form that a later one can tell whether it says something else.
//!
//! Figures move with every run; what counts here are verdicts, gates and findings.

use std::fmt::{self, Display};

use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

use super::Report;
use super::block::Tone;
use crate::diag::Severity;

/// Version of the form in which states are written.
const VERSION: &str = "1";

/// Verdicts that tell one report from another.
const DECIDED: [&str; 2] = ["worse", "better"];

/// The state of a report. Written as `1 alert 00c0ffee00c0ffee` or `1 quiet …`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportState {
    /// Whether somebody has to look: something is worse, or a gate closes.
    pub is_alert: bool,
    digest: u64,
}

impl ReportState {
    pub fn new(report: &Report) -> Self {
        let gates = report.gates.iter().map(|gate| format!("gate {}={}", gate.name, gate.outcome));
        let comparisons = report.data.get("comparisons").and_then(Value::as_array);
        let verdicts = comparisons.into_iter().flatten().filter_map(|row| {
            let verdict = row.get("verdict")?.as_str()?;
            let parts = ["metric", "dataset", "dims", "candidate_run"].map(|name| row.get(name));
            DECIDED.contains(&verdict).then(|| format!("{verdict} {parts:?}"))
        });
        let loud = report
            .findings
            .iter()
            .filter(|one| one.severity >= Severity::Warning && one.accepted.is_none());
        let findings = loud.map(|one| format!("{} {:?}", one.code.id(), one.subject));
        let mut lines: Vec<String> = gates.chain(verdicts).chain(findings).collect();
        lines.sort();
        lines.insert(0, format!("{} {}", report.kind, report.headline.tone.name()));
        Self {
            is_alert: report.headline.tone == Tone::Danger
                || report.gates.iter().any(|gate| gate.effect.closes()),
            digest: xxh3_64(lines.join("\n").as_bytes()),
        }
    }

    /// Reads a state as it is written; `None` for another form, such as that of a later version.
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let [version, level, digest] = [words.next()?, words.next()?, words.next()?];
        let is_alert = match level {
            "alert" => true,
            "quiet" => false,
            _ => return None,
        };
        let digest = u64::from_str_radix(digest, 16).ok()?;
        (version == VERSION && words.next().is_none()).then_some(Self { is_alert, digest })
    }
}

impl Display for ReportState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = if self.is_alert { "alert" } else { "quiet" };
        write!(f, "{VERSION} {level} {:016x}", self.digest)
    }
}
