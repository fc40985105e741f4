//! Findings that the user accepted are marked; an acceptance that covers none is a finding itself.
//!
//! Marks and never removes: a finding keeps its severity, place and words.

use super::CheckFindings;
use crate::diag::{Code, Diagnostic, FindingAcceptance};

/// Marks the findings that a rule covers with the first such rule.
pub(super) fn mark_accepted(findings: &mut [Diagnostic], rules: &[FindingAcceptance]) {
    for finding in findings {
        finding.accepted = rules.iter().find(|rule| rule.covers(finding)).cloned();
    }
}

/// Marks what was noticed outside the checks, and adds a finding for every rule that covers neither
/// any of it nor any of `checked`.
pub fn accept_findings(
    noticed: &mut Vec<Diagnostic>,
    checked: &[CheckFindings],
    rules: &[FindingAcceptance],
) {
    let all = || checked.iter().flat_map(|one| &one.diagnostics).chain(noticed.iter());
    let about_unused = |rule: &&FindingAcceptance| {
        // A rule about the findings made here speaks of what is not there yet.
        matches!(rule.code, Code::AcceptanceUnused | Code::AcceptanceElsewhere)
    };
    let unused: Vec<Diagnostic> = rules
        .iter()
        .filter(|rule| !about_unused(rule) && !all().any(|finding| rule.covers(finding)))
        .map(|rule| match rule.closest_subject(all()) {
            Some(closest) => covers_none(Code::AcceptanceElsewhere, rule)
                .with("count", all().filter(|finding| finding.code == rule.code).count())
                .with("closest", closest),
            None => covers_none(Code::AcceptanceUnused, rule),
        })
        .collect();
    noticed.extend(unused);
    mark_accepted(noticed, rules);
}

fn covers_none(code: Code, rule: &FindingAcceptance) -> Diagnostic {
    let text = rule.to_string();
    Diagnostic::new(code).key(&text).with("rule", text.as_str()).with("code", rule.code.id())
}
