//! Whether a model can be handed over: the report of `handoff`.

use std::cmp::Reverse;

use serde_json::{Value, json};

use super::analysis::{CheckOutcome, CheckResult, is_ready};
use crate::diag::{Code, Diagnostic, Fact};
use crate::quantity;
use crate::report::block::{Block, Icon, Table, Text, Tone};
use crate::report::{
    FindingView, Headline, Part, Report, Sheet, finding, first_table, json_object,
};
use crate::text::Catalogue;

pub(super) struct Material<'a> {
    examined: &'a [CheckResult],
    findings: &'a [FindingView],
    words: &'a Catalogue,
}

pub(super) type Blocks = fn(&Material<'_>) -> Vec<Block>;

pub(super) static PARTS: &[Part<Blocks>] = &[
    Part {
        id: "diagnostics",
        title: "section.diagnostics",
        blocks: |material| finding::blocks(material.findings, material.words),
    },
    Part { id: "checks", title: "handoff.section", blocks: checks },
];

/// The report of a directory.
pub(super) fn report(
    path: &str,
    examined: &[CheckResult],
    noticed: &[Diagnostic],
    words: &Catalogue,
) -> Report {
    let english = Catalogue::english();
    let ready = is_ready(examined);
    let checks: Vec<Value> = examined.iter().map(|check| view(check, english)).collect();
    let all = examined.iter().flat_map(|check| &check.findings).chain(noticed);
    let mut all: Vec<&Diagnostic> = all.collect();
    // Merging the shards writes what else is not there.
    all.sort_by_key(|finding| finding.code != Code::UnmergedShards);
    let findings = finding::views(all, words);
    let material = Material { examined, findings: &findings, words };
    Report {
        kind: "handoff",
        paper: Vec::new(),
        gates: Vec::new(),
        sheet: Some(sheet(examined, english)),
        data: json_object(&json!({ "path": path, "ready": ready, "checks": checks })),
        lang: words.lang,
        title: Text::plain(words.fill("handoff.title", &[("path", path)])),
        headline: headline(&material),
        brief: first_table(self::checks(&material), words),
        sections: crate::report::sections(PARTS, |blocks| blocks(&material), words),
        findings,
    }
}

/// One row per finding; one per check without.
fn sheet(examined: &[CheckResult], english: &Catalogue) -> Sheet {
    let mut rows = Vec::new();
    for check in examined {
        let row = |found: [String; 3]| {
            let shared =
                [check.check.to_owned(), check.outcome.name().to_owned(), seen(check, english)];
            shared.into_iter().chain(found).map(Value::from).collect()
        };
        if check.findings.is_empty() {
            rows.push(row(Default::default()));
        }
        rows.extend(check.findings.iter().map(|finding| {
            let place = finding.location.as_ref().map(ToString::to_string).unwrap_or_default();
            row([finding.code.id().to_owned(), english.message(finding), place])
        }));
    }
    let heads = ["check", "outcome", "seen", "code", "message", "place"];
    Sheet { heads: heads.map(str::to_owned).into(), rows }
}

fn view(check: &CheckResult, english: &Catalogue) -> Value {
    let codes = check.findings.iter().map(|finding| json!(finding.code));
    json!({
        "check": check.check,
        "outcome": check.outcome.name(),
        "seen": seen(check, english),
        "facts": check.facts,
        "codes": codes.collect::<Value>(),
    })
}

/// What is there; empty where the facts for it are not known.
fn seen(check: &CheckResult, words: &Catalogue) -> String {
    if let Some(reason) = check.skipped {
        return words.get(&format!("handoff.skipped.{reason}"));
    }
    if check.facts.is_empty() {
        return String::new();
    }
    let facts: Vec<(&str, String)> =
        check.facts.iter().map(|(name, fact)| (*name, shown(name, fact, words))).collect();
    words.fill(&format!("handoff.seen.{}", check.check), &facts)
}

/// A fact for a person.
fn shown(name: &str, fact: &Fact, words: &Catalogue) -> String {
    match (name, fact) {
        ("template", Fact::Count(has)) => {
            words.get(if *has == 1 { "handoff.template" } else { "handoff.no-template" })
        }
        (_, Fact::Shape(sizes)) => quantity::dimensions(sizes),
        (_, other) => other.text(&words.get("punctuation.comma")),
    }
}

/// Nothing is called good that a check has doubts about.
fn headline(material: &Material<'_>) -> Headline {
    let Material { examined, findings, words } = *material;
    let count =
        |outcome: CheckOutcome| examined.iter().filter(|check| check.outcome == outcome).count();
    let cautions = count(CheckOutcome::Caution);
    let (tone, icon, title, sentence) = match is_ready(examined) {
        false => (Tone::Danger, Icon::Severe, "handoff.not-ready", "handoff.headline-not-ready"),
        true if cautions > 0 => {
            (Tone::Warning, Icon::Caution, "handoff.ready", "handoff.headline-ready")
        }
        true => (Tone::Good, Icon::Good, "handoff.ready", "handoff.headline-ready"),
    };
    let sentence = words.fill(
        sentence,
        &[
            ("passed", count(CheckOutcome::Pass)),
            ("cautions", cautions),
            ("failed", count(CheckOutcome::Fail)),
            ("skipped", count(CheckOutcome::Skipped)),
        ],
    );
    let text = Text::marked(icon, "")
        .and_strong(words.get(title))
        .and_plain(words.get("punctuation.colon"))
        .and_plain(sentence);
    let is_unscanned = examined.iter().any(|check| check.skipped == Some("not-asked"));
    let own = if is_unscanned { "handoff.next-scan" } else { "handoff.next-load" };
    let next = finding::next_step(findings, words).or_else(|| Some(words.get(own)));
    Headline::new(tone, text).trusted(finding::trust(findings, words)).followed_by(next, words)
}

fn checks(material: &Material<'_>) -> Vec<Block> {
    let Material { examined, words, .. } = *material;
    let outcome = |examined: &&CheckResult| {
        let word = words.get(&format!("handoff.outcome.{}", examined.outcome.name()));
        match icon(examined.outcome) {
            Some(icon) => Text::marked(icon, word),
            None => Text::plain(word),
        }
    };
    let seen = |examined: &&CheckResult| {
        let seen = Text::plain(seen(examined, words));
        examined
            .findings
            .iter()
            .fold(seen, |text, finding| text.and_plain(" ").and_code(finding.code.id()))
    };
    let mut worst_first: Vec<&CheckResult> = examined.iter().collect();
    worst_first.sort_by_key(|examined| Reverse(examined.outcome));
    let table = Table::of_rows(&worst_first)
        .left(words.get("handoff.head-check"), |examined| {
            Text::strong(words.get(&format!("handoff.check.{}", examined.check)))
        })
        .left(words.get("handoff.head-outcome"), outcome)
        .left(words.get("handoff.head-seen"), seen);
    let mut blocks = vec![table.block(), Block::paragraph(words.get("handoff.limits"))];
    if examined.iter().any(|examined| examined.skipped == Some("not-asked")) {
        blocks.push(Block::paragraph(words.get("handoff.scan-hint")));
    }
    blocks
}

fn icon(outcome: CheckOutcome) -> Option<Icon> {
    match outcome {
        CheckOutcome::Skipped => None,
        CheckOutcome::Pass => Some(Icon::Good),
        CheckOutcome::Caution => Some(Icon::Caution),
        CheckOutcome::Fail => Some(Icon::Bad),
    }
}
