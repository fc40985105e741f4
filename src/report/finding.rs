//! A finding, in `report.json` and in the document.

use std::borrow::Cow;

use indexmap::IndexMap;
use serde::Serialize;

use super::block::{Block, Icon, Table, Text};
use crate::diag::{Code, Diagnostic, Fact, Location, Relief, Severity};
use crate::text::Catalogue;

#[derive(Debug, Clone, Serialize)]
pub struct FindingView {
    pub code: Code,
    pub severity: Severity,
    /// The acceptance that covers it; `null` when it was not accepted.
    pub accepted: Option<String>,
    /// What it is about, as `name: value` parts that are known.
    pub subject: IndexMap<&'static str, String>,
    /// Message in English.
    pub message: String,
    pub location: Option<Location>,
    /// What to do, in English.
    pub help: Option<String>,
    pub evidence: IndexMap<Cow<'static, str>, Fact>,
    /// Message in the report's language.
    #[serde(skip)]
    pub local_message: String,
    /// Help in the report's language.
    #[serde(skip)]
    pub local_help: Option<String>,
}

impl FindingView {
    pub fn new(finding: &Diagnostic, words: &Catalogue) -> Self {
        Self::with_message(finding, words, |finding, words| words.message(finding))
    }

    /// As [`Self::new`], with messages worded by the caller.
    pub(crate) fn with_message(
        finding: &Diagnostic,
        words: &Catalogue,
        message: impl Fn(&Diagnostic, &Catalogue) -> String,
    ) -> Self {
        let english = Catalogue::english();
        let subject = &finding.subject;
        let parts = [
            ("candidate", &subject.candidate),
            ("run", &subject.run),
            ("dataset", &subject.dataset),
            ("metric", &subject.metric),
            ("key", &subject.key),
        ];
        let known = |(name, part): (&'static str, &Option<String>)| Some((name, part.clone()?));
        Self {
            code: finding.code,
            severity: finding.severity,
            accepted: finding.accepted.as_ref().map(ToString::to_string),
            subject: parts.into_iter().filter_map(known).collect(),
            message: message(finding, english),
            location: finding.location.clone(),
            help: english.help(finding),
            evidence: finding.evidence.clone(),
            local_message: message(finding, words),
            local_help: words.help(finding),
        }
    }
}

/// The label of a finding that was accepted.
pub(super) fn accepted_label(code: Code, words: &Catalogue) -> String {
    words.get(match code.acceptance() {
        Relief::Lifts => "accepted.label",
        Relief::Marks => "accepted.label-kept",
    })
}

/// The findings in English and in the language of the words.
pub fn views<'d>(
    findings: impl IntoIterator<Item = &'d Diagnostic>,
    words: &Catalogue,
) -> Vec<FindingView> {
    findings.into_iter().map(|finding| FindingView::new(finding, words)).collect()
}

/// What has to be known before a result is believed: the gravest finding that is more than a remark,
/// the first of equals, and how many more there are. Empty without one.
pub fn trust(findings: &[FindingView], words: &Catalogue) -> Text {
    let Some(gravest) = gravest(findings) else { return Text::empty() };
    let text = Text::marked(Icon::Caution, "")
        .and_strong(words.get("headline.check-first"))
        .and_plain(words.get("punctuation.colon"))
        .and_quoting(&gravest.local_message)
        .and_plain(words.fill("phrase.detail", &[("detail", gravest.code.id())]));
    match findings.iter().filter(|finding| is_loud(finding)).count() {
        1 => text,
        all => text.and_plain(words.fill("headline.more-findings", &[("count", all - 1)])),
    }
}

/// What to do about that finding.
pub fn next_step(findings: &[FindingView], words: &Catalogue) -> Option<String> {
    let help = gravest(findings)?.local_help.as_ref()?;
    Some(words.fill("next.help", &[("help", help)]))
}

fn gravest(findings: &[FindingView]) -> Option<&FindingView> {
    // Of equals, `max_by_key` takes the last.
    findings.iter().rev().filter(|finding| is_loud(finding)).max_by_key(|finding| finding.severity)
}

fn is_loud(finding: &FindingView) -> bool {
    finding.severity > Severity::Info && finding.accepted.is_none()
}

/// Every finding with code, message, place and advice, the gravest first.
pub fn blocks(findings: &[FindingView], words: &Catalogue) -> Vec<Block> {
    if findings.is_empty() {
        return Vec::new();
    }
    let mut sorted: Vec<&FindingView> = findings.iter().collect();
    sorted.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let code = |finding: &&FindingView| {
        let sign = match finding.severity {
            Severity::Error => Text::icon(Icon::Bad).and_plain(" "),
            Severity::Warning => Text::icon(Icon::Caution).and_plain(" "),
            Severity::Info => Text::empty(),
        };
        let code = sign.and_code(finding.code.id());
        if finding.accepted.is_none() {
            return code;
        }
        let label = accepted_label(finding.code, words);
        code.and_plain(words.fill("phrase.detail", &[("detail", label)]))
    };
    let table = Table::of_rows(&sorted)
        .left(words.get("diagnostics.code"), code)
        .left(words.get("diagnostics.message"), |finding| {
            Text::empty().and_quoting(&finding.local_message)
        })
        .left(words.get("diagnostics.place"), |finding| {
            let place = finding.location.as_ref();
            place.map_or_else(Text::empty, |place| Text::code(place.to_string()))
        })
        .left(words.get("diagnostics.help"), |finding| {
            Text::empty().and_quoting(finding.local_help.as_deref().unwrap_or_default())
        });
    let hint = Text::plain(words.get("diagnostics.explain")).and_code("reportgen explain CODE");
    vec![table.block(), Block::paragraph(hint)]
}
