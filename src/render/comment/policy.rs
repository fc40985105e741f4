//! Whether a comment has anything to say that an earlier one has not.

use serde_json::Value;

use super::START;
use crate::model::without_evident_secrets;
use crate::render::inline;
use crate::report::{Report, ReportState};

/// Characters of a name that is made from those of the arms.
const LONGEST_NAME: usize = 100;

/// When a comment is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CommentPolicy {
    #[default]
    Always,
    /// Where it says something else than the earlier one.
    OnChange,
    /// The same, and not before something needs attention.
    OnAlert,
}

/// Which comment is meant, and what it said before.
#[derive(Debug, Clone, Default)]
pub struct CommentOptions {
    /// What tells it from other comments; made from the report where the user names none.
    pub name: Option<String>,
    pub policy: CommentPolicy,
    /// The body of the earlier comment.
    pub previous: Option<String>,
}

/// How much a comment says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// The earlier comment, or none, says it.
    Nothing,
    /// What needed attention no longer does: one line.
    Resolved,
    Whole,
}

impl CommentOptions {
    /// The name in the first line, of letters, digits, `-`, `_` and `.`.
    pub(super) fn name(&self, report: &Report) -> String {
        let name = self.name.clone().unwrap_or_else(|| of_report(report));
        let name = without_evident_secrets(&name);
        let is_kept = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_');
        let words = name.split(|c| !is_kept(c)).filter(|word| !word.is_empty());
        let name = words.collect::<Vec<_>>().join("-");
        if name.is_empty() { report.kind.to_owned() } else { name }
    }

    pub(super) fn content(&self, name: &str, now: ReportState) -> Content {
        let body = self.previous.as_deref();
        let before = body.and_then(|body| state_in(body, name));
        let was_alert = before.is_some_and(|before| before.is_alert);
        match self.policy {
            CommentPolicy::Always => Content::Whole,
            CommentPolicy::OnChange | CommentPolicy::OnAlert if before == Some(now) => {
                Content::Nothing
            }
            _ if was_alert && !now.is_alert => Content::Resolved,
            CommentPolicy::OnAlert if !now.is_alert => Content::Nothing,
            _ => Content::Whole,
        }
    }
}

/// Kind and arms; of a report without arms, its title.
fn of_report(report: &Report) -> String {
    let runs = report.data.get("runs").and_then(Value::as_array);
    let arms = runs.into_iter().flatten().filter_map(|run| run.get("arm")?.as_str());
    let mut names: Vec<&str> = std::iter::once(report.kind).chain(arms).collect();
    names.dedup();
    let title = inline::plain(&report.title, LONGEST_NAME);
    if names.len() == 1 {
        names.push(&title);
    }
    names.join("-").chars().take(LONGEST_NAME).collect()
}

/// The state that a body of that name records in its first line.
fn state_in(body: &str, name: &str) -> Option<ReportState> {
    let first = body.trim_start_matches('\u{FEFF}').lines().next()?;
    let rest = first.strip_prefix(START)?.strip_prefix(name)?.strip_prefix(" -->")?;
    let state = rest.strip_prefix("<!-- reportgen:state ")?.split_once(" -->")?.0;
    ReportState::parse(state)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALERT: &str = "1 alert 00000000000000aa";
    const OTHER_ALERT: &str = "1 alert 00000000000000bb";
    const QUIET: &str = "1 quiet 00000000000000cc";
    const OTHER_QUIET: &str = "1 quiet 00000000000000dd";

    fn content(policy: CommentPolicy, before: Option<&str>, now: &str) -> Content {
        let body = |state| format!("{START}ci --><!-- reportgen:state {state} -->\r\n\r\nbody");
        let previous = before.map(body);
        let options = CommentOptions { name: None, policy, previous };
        options.content("ci", ReportState::parse(now).expect("a state"))
    }

    #[test]
    fn a_comment_is_written_when_the_policy_asks_for_it() {
        use CommentPolicy::{Always, OnAlert, OnChange};
        use Content::{Nothing, Resolved, Whole};
        for (before, now, expected) in [
            (None, QUIET, [Whole, Whole, Nothing]),
            (None, ALERT, [Whole, Whole, Whole]),
            (Some(QUIET), QUIET, [Whole, Nothing, Nothing]),
            (Some(QUIET), OTHER_QUIET, [Whole, Whole, Nothing]),
            (Some(QUIET), ALERT, [Whole, Whole, Whole]),
            (Some(ALERT), ALERT, [Whole, Nothing, Nothing]),
            (Some(ALERT), OTHER_ALERT, [Whole, Whole, Whole]),
            (Some(ALERT), QUIET, [Whole, Resolved, Resolved]),
            (Some("2 alert 00"), QUIET, [Whole, Whole, Nothing]),
        ] {
            let found = [Always, OnChange, OnAlert].map(|policy| content(policy, before, now));
            assert_eq!(found, expected, "{before:?} → {now}");
        }
    }

    #[test]
    fn the_state_of_another_comment_is_not_taken_for_this_one() {
        let body = format!("{START}ci-2 --><!-- reportgen:state {QUIET} -->\n");
        assert_eq!(state_in(&body, "ci"), None);
        assert_eq!(state_in(&body, "ci-2"), ReportState::parse(QUIET));
        assert_eq!(state_in("a person's words", "ci"), None);
    }
}
