//! How a record ended, by its error type or by the raw result of a sandbox: rules as data.

use std::borrow::Cow;

use indexmap::IndexMap;
use serde::Deserialize;

use crate::collect::outcomes::{JsonMembers, JudgedAnswer, json_elements, json_text};
use crate::model::ERROR_TYPES;

/// All cases passed.
pub const SUCCESS: &str = "success";
/// The code ran and its answer is wrong.
pub const WRONG_ANSWER: &str = "wrong_answer";
/// An error whose kind nobody tells, or one kind too many.
pub(super) const OTHER: &str = "other_error";
/// The program ended by itself; whether its answer is right is said elsewhere.
const RAN: &str = "ran";
/// The program ended by itself, and nothing says whether its answer is right.
pub const EXECUTED: &str = "executed";
/// A longer text is a message, not a name.
const MOST_OF_NAME: usize = 40;

/// Names of kinds by kind: the table `[metrics.error_types]`.
pub type KindNames = IndexMap<String, Vec<String>>;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Shipped {
    kinds: KindNames,
    results: Results,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Results {
    inside: Vec<String>,
    rules: Vec<Rule>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    field: String,
    #[serde(default)]
    is: Vec<String>,
    #[serde(default)]
    not: Vec<String>,
    #[serde(default)]
    raised: Vec<String>,
    #[serde(default)]
    has: Vec<String>,
    kind: String,
}

/// How a record ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum EndingKind<'a> {
    /// A kind that the lists know.
    Listed(Cow<'a, str>),
    /// An error type that no list has, under its own name: nobody said whether such code ran.
    Unlisted(String),
    /// Nothing in the record says it.
    Unknown,
}

/// The lists and rules.
#[derive(Debug, Clone, Default)]
pub struct MetricsMapping {
    /// Kinds of ending by each name that they have.
    names: IndexMap<String, String>,
    results: Results,
}

impl MetricsMapping {
    /// The shipped lists with the user's names in front.
    ///
    /// # Errors
    /// What the parser says of the shipped lists; a test holds it.
    pub fn over_shipped(own: KindNames) -> Result<Self, toml::de::Error> {
        let Shipped { kinds, results } = toml::from_str(ERROR_TYPES)?;
        let mut names = IndexMap::new();
        // What is named first counts: the user's list stands before the shipped one.
        for (kind, spelled) in own.into_iter().chain(kinds) {
            let kind = plain(&kind);
            for name in std::iter::once(&kind).chain(&spelled) {
                names.entry(plain(name)).or_insert_with(|| kind.clone());
            }
        }
        Ok(Self { names, results })
    }

    fn named(&self, name: &str) -> Option<&str> {
        self.names.get(name).map(String::as_str)
    }

    pub(super) fn kind<'a>(&'a self, record: &JudgedAnswer<'_>) -> EndingKind<'a> {
        let right = is_right(record.accepted, record.pass_ratio);
        match record.kind {
            Some(SUCCESS) if right == Some(true) => EndingKind::Listed(Cow::Borrowed(SUCCESS)),
            // `none` and `ok` only say that the program ran, which needs the text as it is written.
            Some(SUCCESS) | None => self.looked_at(record, right),
            Some(name) => match self.named(name) {
                Some(RAN) | None => self.looked_at(record, right),
                Some(kind) => EndingKind::Listed(Cow::Borrowed(kind)),
            },
        }
    }

    /// The same by the whole record.
    fn looked_at<'a>(&'a self, record: &JudgedAnswer<'_>, right: Option<bool>) -> EndingKind<'a> {
        let members = JsonMembers::parse(record.text);
        let written = members.get("error_type").and_then(json_text);
        let written = written.filter(|text| !text.trim().is_empty());
        if let Some(written) = written {
            let kind = self.named_in(&written);
            return ended(kind, right).unwrap_or_else(|| EndingKind::Unlisted(own_name(&written)));
        }
        ended(self.said_by(&members, right), right).unwrap_or(EndingKind::Unknown)
    }

    /// The kind that a text names, alone or before a colon, dotted or not.
    fn named_in(&self, text: &str) -> Option<&str> {
        let head = head(text);
        let short = head.split('(').next().unwrap_or(head);
        [text, head, last_part(head), short].into_iter().find_map(|name| self.named(&plain(name)))
    }

    /// The kind that a raw result says: of the record itself, or of what lies in one of its fields.
    fn said_by(&self, members: &JsonMembers<'_>, right: Option<bool>) -> Option<&str> {
        let own = self.rule(members);
        if own.is_some_and(|kind| kind != RAN) {
            return own;
        }
        for name in &self.results.inside {
            let Some(raw) = members.get(name) else { continue };
            let inner = if raw.starts_with('[') {
                self.said_by_cases(&json_elements(raw))
            } else if raw.starts_with('{') {
                self.rule(&JsonMembers::parse(raw))
            } else {
                None
            };
            if inner.is_some() && !(inner == Some(RAN) && own.is_some()) {
                return inner;
            }
        }
        own.or_else(|| right.filter(|right| *right).map(|_| SUCCESS))
    }

    /// Whether that is one of the kinds that a record may have.
    pub fn has(&self, kind: &str) -> bool {
        let kind = plain(kind);
        kind == EXECUTED || self.names.values().any(|known| *known == kind && known != RAN)
    }

    /// The first of several cases that is no success decides; all must say something.
    fn said_by_cases(&self, cases: &[&str]) -> Option<&str> {
        // Whether all said something, and whether all of them said that they passed.
        let (mut all_ran, mut all_passed) = (!cases.is_empty(), true);
        for case in cases {
            let members = JsonMembers::parse(case);
            let passed =
                ["passed", "accepted", "success"].iter().find_map(|name| members.get(name));
            let passed = match passed {
                Some("true") => Some(true),
                Some("false") => Some(false),
                _ => None,
            };
            let nested =
                || members.get("exec_info").and_then(|raw| self.rule(&JsonMembers::parse(raw)));
            match (self.rule(&members).or_else(nested), passed) {
                (Some(RAN) | None, Some(false)) => return Some(WRONG_ANSWER),
                (Some(RAN), None) => all_passed = false,
                (None, None) => all_ran = false,
                (Some(RAN) | None, Some(true)) | (Some(SUCCESS), _) => {}
                (failed, _) => return failed,
            }
        }
        all_ran.then_some(if all_passed { SUCCESS } else { RAN })
    }

    fn rule(&self, members: &JsonMembers<'_>) -> Option<&str> {
        let holds = |rule: &&Rule| {
            let value = members.get_path(&rule.field).and_then(json_text);
            value.is_some_and(|value| rule.holds(&value))
        };
        self.results.rules.iter().find(holds).map(|rule| rule.kind.as_str())
    }
}

impl Rule {
    fn holds(&self, value: &str) -> bool {
        let same = |known: &String| known.eq_ignore_ascii_case(value.trim());
        let lower = || value.to_lowercase();
        self.is.iter().any(same)
            || (!self.not.is_empty() && !self.not.iter().any(same))
            || self.raised.iter().any(|name| raised(value).is_some_and(|found| found == name))
            || self.has.iter().any(|word| lower().contains(&word.to_lowercase()))
    }
}

/// The exception that the last line of a traceback names.
fn raised(text: &str) -> Option<&str> {
    let last = text.lines().rev().find(|line| !line.trim().is_empty())?;
    let name = last.split(':').next()?.trim();
    name.rsplit('.').next()
}

/// A kind that was found; one that only says that the program ran is told by whether it was right.
/// What passed every case ran, whatever its ending is called.
fn ended(kind: Option<&str>, right: Option<bool>) -> Option<EndingKind<'_>> {
    let kind = match (kind, right) {
        (Some(RAN) | None, Some(true)) => SUCCESS,
        (Some(RAN), Some(false)) => WRONG_ANSWER,
        (Some(RAN), None) => EXECUTED,
        (kind, _) => kind?,
    };
    Some(EndingKind::Listed(Cow::Borrowed(kind)))
}

/// What stands before the message.
fn head(text: &str) -> &str {
    text.split([':', '：']).next().unwrap_or(text).trim()
}

/// A dotted name without its modules.
fn last_part(name: &str) -> &str {
    let last = name.rsplit('.').next().unwrap_or(name);
    if name.contains(char::is_whitespace) || last.is_empty() { name } else { last }
}

/// The name that a text gives, without its message.
fn own_name(text: &str) -> String {
    let name = plain(last_part(head(text)));
    if name.is_empty() || name.len() > MOST_OF_NAME { OTHER.to_owned() } else { name }
}

/// Whether every case passed, by what the record says of it.
fn is_right(accepted: Option<bool>, pass_ratio: Option<f64>) -> Option<bool> {
    accepted.or_else(|| pass_ratio.map(|ratio| ratio == 1.0))
}

/// A name without its spelling.
fn plain(name: &str) -> String {
    name.trim().to_lowercase().replace([' ', '-'], "_")
}
