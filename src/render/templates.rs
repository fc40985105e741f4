//! The template engine: shipped templates, the user's overlay, strictness, escaping.
//!
//! Knows no report. Values that were composed for their place are marked safe and pass as they
//! are; any other string that a template prints is escaped: for Markdown as if it stood in a table
//! cell, the strictest place, for HTML as text.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, Error, ErrorKind, Output, State, UndefinedBehavior};

use super::escape::{self, Place, Stand};
use super::{RenderError, RenderOptions};

/// Templates and assets that come with the program.
const SHIPPED: &[(&str, &str)] = &[
    ("report.md.j2", include_str!("../../report_templates/report.md.j2")),
    ("section.md.j2", include_str!("../../report_templates/section.md.j2")),
    ("blocks.md.j2", include_str!("../../report_templates/blocks.md.j2")),
    ("page.html.j2", include_str!("../../report_templates/page.html.j2")),
    ("style.css", include_str!("../../report_templates/style.css")),
    ("page.js", include_str!("../../report_templates/page.js")),
];

const MARKDOWN: &str = "markdown";

/// The source of a template or asset: the user's, else the shipped one.
pub(super) fn source<'a>(name: &str, options: &'a RenderOptions) -> Option<&'a str> {
    let own = options.templates.get(name).map(String::as_str);
    own.or_else(|| SHIPPED.iter().find(|(shipped, _)| *shipped == name).map(|(_, text)| *text))
}

/// Fills the template of that name.
pub(super) fn fill(
    name: &str,
    context: Value,
    options: &RenderOptions,
) -> Result<String, RenderError> {
    let filled = environment(options).and_then(|env| env.get_template(name)?.render(context));
    filled.map_err(|error| explained(name, error))
}

/// A string that is already escaped for its place.
pub(super) fn safe(text: String) -> Value {
    Value::from_safe_string(text)
}

fn environment(options: &RenderOptions) -> Result<Environment<'_>, Error> {
    let mut env = Environment::new();
    env.set_syntax(
        SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .keep_trailing_newline(true)
            .build()?,
    );
    env.set_undefined_behavior(UndefinedBehavior::Strict);
    env.set_debug(true);
    env.set_auto_escape_callback(|name| match name.trim_end_matches(".j2").rsplit('.').next() {
        Some("md") => AutoEscape::Custom(MARKDOWN.into()),
        Some("html") => AutoEscape::Html,
        _ => AutoEscape::None,
    });
    env.set_formatter(format_value);
    let shipped =
        SHIPPED.iter().copied().filter(|(name, _)| !options.templates.contains_key(*name));
    let own = options.templates.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    for (name, text) in shipped.chain(own) {
        if name.strip_suffix(".j2").is_some() {
            env.add_template(name, text)?;
        }
    }
    Ok(env)
}

fn format_value(
    out: &mut Output<'_>,
    state: &mut State<'_, '_>,
    value: &Value,
) -> Result<(), Error> {
    let is_markdown = matches!(state.auto_escape(), AutoEscape::Custom(_));
    match value.as_str() {
        Some(text) if is_markdown && !value.is_safe() => {
            let shown = escape::bounded(&escape::clean(text), Place::Cell.limit());
            let escaped =
                escape::markdown(&shown, Place::Cell, Stand { first: true, alone: false });
            Ok(out.write_str(&escaped)?)
        }
        _ if is_markdown => Ok(out.write_str(&value.to_string())?),
        _ => minijinja::escape_formatter(out, state, value),
    }
}

fn explained(asked: &str, error: Error) -> RenderError {
    let template = error.name().unwrap_or(asked).to_owned();
    let line = error.line().unwrap_or(1);
    let detail = error.detail().unwrap_or_default();
    // The engine names the expression only inside its message: "`run.nme` is undefined".
    let name = detail.split('`').nth(1).map(str::to_owned);
    match name {
        Some(name) if error.kind() == ErrorKind::UndefinedError => {
            RenderError::MissingValue { template, line, name, source: error }
        }
        _ => {
            let message =
                if detail.is_empty() { error.kind().to_string() } else { detail.to_owned() };
            RenderError::Template { template, line, message, source: error }
        }
    }
}
