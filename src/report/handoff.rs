//! Whether a model can be handed over: the report of `handoff`.

use indexmap::IndexMap;
use serde::Serialize;

use super::block::{Align, Block, Cell, Icon, Section, Table, Text, Tone};
use super::kind::{self, KindReport, Sheet};
use super::quantity;
use crate::diag::{Code, Diagnostic, Fact, Location, Severity};
use crate::handoff::{Examined, Outcome, is_ready};
use crate::text::Catalogue;

/// Version tag of the JSON.
const SCHEMA: &str = "reportgen.handoff/1";

/// The data of a report.
#[derive(Debug, Clone, Serialize)]
struct HandoffView {
    /// Directory as given.
    path: String,
    /// Whether nothing fails.
    ready: bool,
    /// Every check, in the order of the document.
    checks: Vec<CheckView>,
}

/// One check.
#[derive(Debug, Clone, Serialize)]
struct CheckView {
    /// Stable name.
    check: &'static str,
    /// `pass`, `caution`, `fail`, `skipped`.
    outcome: &'static str,
    /// What is there, in English; why there was nothing to look at, where the check was skipped.
    seen: String,
    /// The facts behind it.
    facts: IndexMap<&'static str, Fact>,
    /// What is wrong.
    findings: Vec<ProblemView>,
}

/// One thing that is wrong.
#[derive(Debug, Clone, Serialize)]
struct ProblemView {
    /// Code.
    code: Code,
    /// How loud.
    severity: Severity,
    /// Message in English.
    message: String,
    /// Place.
    location: Option<Location>,
    /// What to do, in English.
    help: Option<String>,
    /// Facts.
    evidence: IndexMap<&'static str, Fact>,
}

/// The report of a directory.
pub fn handoff(path: &str, examined: &[Examined], words: &Catalogue) -> KindReport {
    let english = Catalogue::english();
    let ready = is_ready(examined);
    let checks: Vec<CheckView> = examined.iter().map(|one| view(one, english)).collect();
    KindReport {
        sheet: sheet(&checks),
        data: kind::data(SCHEMA, "handoff", &HandoffView { path: path.to_owned(), ready, checks }),
        lang: words.lang,
        title: Text::plain(words.fill("handoff.title", &[("path", path)])),
        headline: headline(examined, words),
        mark: if ready { "as-declared" } else { "not-comparable" },
        sections: sections(examined, words),
    }
}

/// One row per finding; one per check without.
fn sheet(checks: &[CheckView]) -> Sheet {
    let mut rows = Vec::new();
    for check in checks {
        let row = |found: [String; 3]| {
            let own = [check.check.to_owned(), check.outcome.to_owned(), check.seen.clone()];
            own.into_iter().chain(found).collect()
        };
        if check.findings.is_empty() {
            rows.push(row(Default::default()));
        }
        rows.extend(check.findings.iter().map(|problem| {
            let place = problem.location.as_ref().map(ToString::to_string).unwrap_or_default();
            row([problem.code.id().to_owned(), problem.message.clone(), place])
        }));
    }
    let heads = ["check", "outcome", "seen", "code", "message", "place"];
    Sheet { heads: heads.map(str::to_owned).into(), rows }
}

fn view(one: &Examined, english: &Catalogue) -> CheckView {
    let problem = |finding: &Diagnostic| ProblemView {
        code: finding.code,
        severity: finding.severity,
        message: english.message(finding),
        location: finding.location.clone(),
        help: english.help(finding),
        evidence: finding.evidence.clone(),
    };
    CheckView {
        check: one.check,
        outcome: one.outcome.name(),
        seen: seen(one, english),
        facts: one.facts.clone(),
        findings: one.findings.iter().map(problem).collect(),
    }
}

/// What is there; empty where the facts for it are not known.
fn seen(one: &Examined, words: &Catalogue) -> String {
    if let Some(reason) = one.skipped {
        return words.get(&format!("handoff.skipped.{reason}"));
    }
    if one.facts.is_empty() {
        return String::new();
    }
    let facts: Vec<(&str, String)> =
        one.facts.iter().map(|(name, fact)| (*name, shown(name, fact, words))).collect();
    let facts: Vec<(&str, &str)> =
        facts.iter().map(|(name, text)| (*name, text.as_str())).collect();
    words.fill(&format!("handoff.seen.{}", one.check), &facts)
}

/// A fact for a person.
fn shown(name: &str, fact: &Fact, words: &Catalogue) -> String {
    match (name, fact) {
        ("bytes", Fact::Count(bytes)) => size(*bytes),
        ("parameters" | "elements" | "tensors" | "tokens", Fact::Count(count)) => {
            quantity::count(*count)
        }
        ("template", Fact::Count(has)) => {
            words.get(if *has == 1 { "handoff.template" } else { "handoff.no-template" })
        }
        (_, Fact::List(items)) => items.join(&words.get("punctuation.comma")),
        (_, other) => other.to_string(),
    }
}

/// A size in units of 1,000.
fn size(bytes: u64) -> String {
    let units =
        [(1_000_000_000_000, "TB"), (1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    let fitting = units.into_iter().find(|(unit, _)| bytes >= *unit);
    fitting.map_or_else(
        || format!("{bytes} B"),
        |(unit, name)| format!("{:.1} {name}", bytes as f64 / unit as f64),
    )
}

fn headline(examined: &[Examined], words: &Catalogue) -> Text {
    let count =
        |outcome: Outcome| examined.iter().filter(|one| one.outcome == outcome).count().to_string();
    let ready = is_ready(examined);
    let (icon, title, sentence) = if ready {
        (Icon::Good, "handoff.ready", "handoff.headline-ready")
    } else {
        (Icon::Severe, "handoff.not-ready", "handoff.headline-not-ready")
    };
    let sentence = words.fill(
        sentence,
        &[
            ("passed", &count(Outcome::Pass)),
            ("cautions", &count(Outcome::Caution)),
            ("failed", &count(Outcome::Fail)),
            ("skipped", &count(Outcome::Skipped)),
        ],
    );
    Text::icon(icon)
        .and_plain(" ")
        .and_strong(words.get(title))
        .and_plain(words.get("punctuation.colon"))
        .and_plain(sentence)
}

fn sections(examined: &[Examined], words: &Catalogue) -> Vec<Section> {
    let heads = ["check", "outcome", "seen"];
    let heads = heads.map(|head| (words.get(&format!("handoff.head-{head}")), Align::Left));
    let mut table = Table::with_heads(heads.into());
    for one in examined {
        let outcome = words.get(&format!("handoff.outcome.{}", one.outcome.name()));
        let outcome = match icon(one.outcome) {
            Some(icon) => Text::icon(icon).and_plain(" ").and_plain(outcome),
            None => Text::plain(outcome),
        };
        let codes = one.findings.iter().fold(Text::plain(seen(one, words)), |text, finding| {
            let text = if text.is_empty() { text } else { text.and_plain(" ") };
            text.and_code(finding.code.id())
        });
        table.push(vec![
            Cell::text(Text::strong(words.get(&format!("handoff.check.{}", one.check)))),
            Cell::text(outcome),
            Cell::text(codes),
        ]);
    }
    let mut notes = vec![Text::plain(words.get("handoff.limits"))];
    if examined.iter().any(|one| one.skipped == Some("not-asked")) {
        notes.push(Text::plain(words.get("handoff.scan-hint")));
    }
    let notes = notes.into_iter().map(|text| Block::Paragraph { text });
    let checks = Section {
        id: "checks",
        title: words.get("handoff.section").into(),
        blocks: std::iter::once(Block::Table { table }).chain(notes).collect(),
    };
    [problems(examined, words), Some(checks)].into_iter().flatten().collect()
}

fn icon(outcome: Outcome) -> Option<Icon> {
    match outcome {
        Outcome::Skipped => None,
        Outcome::Pass => Some(Icon::Good),
        Outcome::Caution => Some(Icon::Caution),
        Outcome::Fail => Some(Icon::Bad),
    }
}

/// What is wrong and what to do about it, failures first.
fn problems(examined: &[Examined], words: &Catalogue) -> Option<Section> {
    let mut findings: Vec<&Diagnostic> = examined.iter().flat_map(|one| &one.findings).collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let block = |finding: &&Diagnostic| {
        let tone = if finding.severity == Severity::Error { Tone::Danger } else { Tone::Warning };
        let place = finding.location.as_ref().map(|place| Text::code(place.to_string()));
        let help = words.help(finding).map(Text::plain);
        Block::Callout {
            tone,
            title: Text::code(finding.code.id()).and_plain(" ").and_plain(words.message(finding)),
            body: help.into_iter().chain(place).collect(),
        }
    };
    (!findings.is_empty()).then(|| Section {
        id: "problems",
        title: words.get("handoff.problems").into(),
        blocks: findings.iter().map(block).collect(),
    })
}
