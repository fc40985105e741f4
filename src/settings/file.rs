//! What is wrong with a configuration, in the words of the catalogues.
//!
//! Stages below know no words: what they refuse becomes a [`Refusal`] here.

use crate::diag::NotAFindingAcceptance;
use crate::model::{NotALayout, NotMetricNames};
use crate::text::Refusal;

/// Why a configuration file is not used: the parser's message, or what it says of a key or a value.
pub(super) fn refused(path: &str, text: &str, error: &toml::de::Error) -> Refusal {
    refused_at(path, line(text, error.span().map_or(0, |span| span.start)), error)
}

/// As [`refused`], for an error about that line that does not know its place.
pub(super) fn refused_at(path: &str, line: usize, error: &toml::de::Error) -> Refusal {
    let mut quoted = error.message().split('`').skip(1).step_by(2);
    let name = quoted.next().unwrap_or_default();
    let at = |key| at_line(key, path, line);
    match error.message() {
        message if message.starts_with("unknown field") => {
            at("refused.unknown-key").with("key", name).among(name, quoted)
        }
        message if message.starts_with("unknown variant") => {
            at("refused.unknown-value").with("value", name).among(name, quoted)
        }
        message if message.starts_with("missing field") => {
            at("refused.missing-key").with("key", name)
        }
        _ if error.span().is_none() => at("refused.at-line").with("message", error.message()),
        _ => in_file(path, error),
    }
}

/// The line of a place in a text, from 1.
pub(super) fn line(text: &str, at: usize) -> usize {
    1 + text.get(..at).unwrap_or_default().matches('\n').count()
}

fn at_line(key: &'static str, path: &str, line: usize) -> Refusal {
    Refusal::new(key).with("path", path).with("line", line)
}

fn in_file(path: &str, error: &impl ToString) -> Refusal {
    let message = error.to_string().trim_end().to_owned();
    Refusal::new("refused.file").with("path", path).with("message", message)
}

pub(super) fn no_metric_names(path: &str, text: &str, error: NotMetricNames) -> Refusal {
    let at = |key, line| at_line(key, path, line);
    match error {
        NotMetricNames::Form(error) => refused(path, text, &error),
        NotMetricNames::NoName { line } => at("refused.metric-unnamed", line),
        NotMetricNames::NoDirection { name, line } => {
            at("refused.metric-undirected", line).with("name", name)
        }
        NotMetricNames::ListedTwice { name, line, first } => {
            at("refused.metric-twice", line).with("name", name).with("first", first)
        }
    }
}

pub(super) fn no_acceptance(error: NotAFindingAcceptance) -> Refusal {
    match error {
        NotAFindingAcceptance::UnknownCode { text, code, nearest } => {
            let refusal = Refusal::new("refused.accept-unknown").with("text", text);
            refusal.with("code", code).with("nearest", nearest.id())
        }
        NotAFindingAcceptance::NoSubject { text, code } => {
            Refusal::new("refused.accept-no-subject").with("text", text).with("code", code.id())
        }
    }
}

/// Why axes make no grid.
pub fn no_layout(error: NotALayout) -> Refusal {
    match error {
        NotALayout::Repeated { axis, count } => {
            Refusal::new("refused.axis-repeated").with("axis", axis).with("count", count)
        }
        NotALayout::Unnamed => Refusal::new("refused.axis-unnamed"),
    }
}
