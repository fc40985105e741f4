//! How values stand in what a template makes.
//!
//! Values that were composed for their place are marked safe and pass as they are; any other string
//! is escaped: for Markdown as if it stood in a table cell, the strictest place, for HTML as text.

use std::borrow::Cow;

use minijinja::value::{Value, ValueKind};
use minijinja::{AutoEscape, Error, Output, State};

use super::escape::{self, Stand, TextPlace};

/// What stands for a value that is not known.
pub(super) const UNKNOWN: &str = "?";

/// A string that is already escaped for its place.
pub(super) fn safe(text: String) -> Value {
    Value::from_safe_string(text)
}

/// What the strings that a template prints are escaped for, by its name.
pub(super) fn place(template: &str) -> AutoEscape {
    match template.trim_end_matches(".j2").rsplit('.').next() {
        Some("md") => AutoEscape::Custom("markdown".into()),
        Some("html") => AutoEscape::Html,
        _ => AutoEscape::None,
    }
}

pub(super) fn print(
    out: &mut Output<'_>,
    state: &mut State<'_, '_>,
    value: &Value,
) -> Result<(), Error> {
    let is_markdown = matches!(state.auto_escape(), AutoEscape::Custom(_));
    if value.is_none() {
        return Ok(out.write_str(UNKNOWN)?);
    }
    match text_in(value) {
        Some(text) if is_markdown => Ok(out.write_str(&cell(&text))?),
        None if is_markdown => Ok(out.write_str(&value.to_string())?),
        Some(text) => minijinja::escape_formatter(out, state, &escape::clean(&text).into()),
        None => minijinja::escape_formatter(out, state, value),
    }
}

/// The text of a value that is not escaped yet: a string, or whatever else may hold strings.
fn text_in(value: &Value) -> Option<Cow<'_, str>> {
    let is_plain =
        matches!(value.kind(), ValueKind::Number | ValueKind::Bool | ValueKind::Undefined);
    match value.as_str() {
        _ if value.is_safe() => None,
        Some(text) => Some(text.into()),
        None => (!is_plain).then(|| value.to_string().into()),
    }
}

/// A text as it may stand anywhere in a line of Markdown.
fn cell(text: &str) -> String {
    let shown = escape::bounded(&escape::clean(text), TextPlace::Cell.limit());
    escape::markdown(&shown, TextPlace::Cell, Stand { first: true, alone: false })
}

/// A value as the template that is being filled would print it.
pub(super) fn printed(value: &Value, state: &State<'_, '_>) -> String {
    match (text_in(value), state.auto_escape()) {
        _ if value.is_none() => UNKNOWN.to_owned(),
        (Some(text), AutoEscape::Custom(_)) => cell(&text),
        (Some(text), AutoEscape::Html) => escape::html(&escape::clean(&text)),
        _ => value.to_string(),
    }
}
