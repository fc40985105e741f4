//! How a report speaks of findings that the user accepted: a label beside the finding, a clause
//! beside the grade, a mark beside a verdict that stands only because of it.

use std::fmt::Display;

use indexmap::IndexSet;

use super::lists;
use crate::check::CheckFindings;
use crate::diag::Diagnostic;
use crate::report::finding::accepted_label;
use crate::text::Catalogue;

pub(super) fn label(finding: &Diagnostic, words: &Catalogue) -> Option<String> {
    finding.accepted.is_some().then(|| accepted_label(finding.code, words))
}

/// The code of a finding in brackets, with the label where it was accepted.
pub(super) fn code(finding: &Diagnostic, words: &Catalogue) -> String {
    let parts: Vec<String> =
        [Some(finding.code.id().to_owned()), label(finding, words)].into_iter().flatten().collect();
    words.fill("phrase.detail", &[("detail", &parts.join(&words.get("punctuation.comma")))])
}

/// What stands behind a verdict: the codes that would have taken it had they not been accepted, and
/// those that keep it from being attributed where the pair as a whole is not confounded.
pub(in crate::report) fn beside(
    [accepted, confounded]: [&[impl Display]; 2],
    words: &Catalogue,
) -> String {
    let comma = words.get("punctuation.comma");
    let marks = [("accepted.beside", accepted), ("accepted.confounded", confounded)];
    let marks = marks.into_iter().filter(|(_, codes)| !codes.is_empty()).map(|(key, codes)| {
        let codes: Vec<String> = codes.iter().map(ToString::to_string).collect();
        words.fill(key, &[("codes", codes.join(&comma))])
    });
    let marks: Vec<String> = marks.collect();
    if marks.is_empty() {
        return String::new();
    }
    words.fill("phrase.detail", &[("detail", marks.join(&words.get("punctuation.semicolon")))])
}

/// What was accepted, and the grade without it; nothing where nothing was.
pub(super) fn clause(alike: &[&CheckFindings], words: &Catalogue) -> String {
    let accepted = || alike.iter().flat_map(|findings| findings.accepted_mismatches());
    let mut clause = String::new();
    let lifted: IndexSet<String> =
        accepted().filter(|finding| finding.is_lifted()).map(name).collect();
    if !lifted.is_empty() {
        let count = lifted.len().to_string();
        let worst = alike.iter().map(|findings| (findings.grade_unaccepted, findings.grade)).max();
        let worse = worst.filter(|(unaccepted, grade)| unaccepted > grade);
        let key = if worse.is_some() { "accepted.clause" } else { "accepted.clause-same" };
        let grade = worse.map_or_else(String::new, |(unaccepted, _)| {
            words.get(&format!("accepted.grade.{}", unaccepted.name()))
        });
        let names = lists::shortened(lifted, words);
        clause
            .push_str(&words.fill(key, &[("count", &count), ("names", &names), ("grade", &grade)]));
    }
    let kept: IndexSet<String> =
        accepted().filter(|finding| !finding.is_lifted()).map(name).collect();
    if !kept.is_empty() {
        let names = lists::shortened(kept, words);
        clause.push_str(&words.fill("accepted.clause-kept", &[("names", &names)]));
    }
    clause
}

/// The code of a finding with what it is about.
fn name(finding: &Diagnostic) -> String {
    let subject = &finding.subject;
    let about = [&subject.key, &subject.metric, &subject.dataset].into_iter().flatten().next();
    about.map_or_else(
        || finding.code.id().to_owned(),
        |about| format!("{} {about}", finding.code.id()),
    )
}
