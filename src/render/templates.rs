//! The template engine: shipped templates, the user's overlay, strictness. Knows no report.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Value;
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior};

use super::{RenderError, RenderOptions, filters, template_steps, template_values};
use crate::text::Lang;

/// Templates and assets that come with the program: name and source.
pub const SHIPPED: &[(&str, &str)] = &[
    ("report.md.j2", include_str!("../../report_templates/report.md.j2")),
    ("section.md.j2", include_str!("../../report_templates/section.md.j2")),
    ("blocks.md.j2", include_str!("../../report_templates/blocks.md.j2")),
    ("page.html.j2", include_str!("../../report_templates/page.html.j2")),
    ("colours.css", include_str!("../../report_templates/colours.css")),
    ("charts.css", include_str!("../../report_templates/charts.css")),
    ("style.css", include_str!("../../report_templates/style.css")),
    ("page.js", include_str!("../../report_templates/page.js")),
    ("tables.js", include_str!("../../report_templates/tables.js")),
    ("samples.css", include_str!("../../report_templates/samples.css")),
    ("samples.js", include_str!("../../report_templates/samples.js")),
];

/// Styles or scripts one after the other.
pub(super) fn assets(names: &[&str], options: &RenderOptions) -> String {
    names.iter().filter_map(|name| template_source(name, options)).collect()
}

/// The source of a template or asset: the user's, else the shipped one.
fn template_source<'a>(name: &str, options: &'a RenderOptions) -> Option<&'a str> {
    let own = options.templates.get(name).map(|own| own.text.as_str());
    own.or_else(|| SHIPPED.iter().find(|(shipped, _)| *shipped == name).map(|(_, text)| *text))
}

/// Fills the template of that name for a document in a language.
pub(super) fn fill_template(
    name: &str,
    context: Value,
    lang: Lang,
    options: &RenderOptions,
) -> Result<String, RenderError> {
    is_bounded(options)?;
    let filled = environment(lang, options).and_then(|env| env.get_template(name)?.render(context));
    filled.map_err(|error| explained(name, error, options))
}

fn is_bounded(options: &RenderOptions) -> Result<(), RenderError> {
    for own in options.templates.values() {
        if let Some((line, most)) = template_steps::too_many(&own.text) {
            let message = format!(
                "more than {most} operators, filters or branches in one; set parts of it to names first"
            );
            let source = Error::new(ErrorKind::SyntaxError, message.clone());
            return Err(RenderError::Template {
                template: own.path.clone(),
                line,
                message,
                source,
            });
        }
    }
    Ok(())
}

fn environment(lang: Lang, options: &RenderOptions) -> Result<Environment<'_>, Error> {
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
    env.set_auto_escape_callback(template_values::place);
    env.set_formatter(template_values::print);
    filters::add_template_filters(&mut env, lang, options);
    let shipped =
        SHIPPED.iter().copied().filter(|(name, _)| !options.templates.contains_key(*name));
    let own = options.templates.iter().map(|(name, own)| (name.as_str(), own.text.as_str()));
    for (name, text) in shipped.chain(own) {
        if name.strip_suffix(".j2").is_some() {
            env.add_template(name, text)?;
        }
    }
    Ok(env)
}

/// The error in words: the file as the user named it, the line, the name of the value. What went
/// wrong in a template that another one includes is reported for the included one.
fn explained(asked: &str, error: Error, options: &RenderOptions) -> RenderError {
    let mut cause = &error;
    while let Some(inner) =
        std::error::Error::source(cause).and_then(|source| source.downcast_ref())
    {
        cause = inner;
    }
    let template = cause.name().or(error.name()).unwrap_or(asked);
    let own = options.templates.get(template);
    let template = own.map_or_else(|| template.to_owned(), |own| own.path.clone());
    let line = cause.line().or(error.line()).unwrap_or(1);
    let detail = cause.detail().unwrap_or_default();
    // The engine names the expression only inside its message: "`run.nme` is undefined".
    let name = detail.split('`').nth(1).or_else(|| expression(cause)).map(str::to_owned);
    match name {
        Some(name) if cause.kind() == ErrorKind::UndefinedError => {
            RenderError::MissingValue { template, line, name, source: error }
        }
        _ => {
            let message =
                if detail.is_empty() { cause.kind().to_string() } else { detail.to_owned() };
            RenderError::Template { template, line, message, source: error }
        }
    }
}

/// The expression before the filter that the engine was at.
fn expression(error: &Error) -> Option<&str> {
    let before = error.template_source()?.get(..error.range()?.start)?;
    let before = before.trim_end().strip_suffix('|')?.trim_end();
    let part = |c: char| c.is_alphanumeric() || "_.[]\"'".contains(c);
    let start = before.rfind(|c| !part(c)).map_or(0, |at| at + 1);
    before.get(start..).filter(|name| !name.is_empty())
}
