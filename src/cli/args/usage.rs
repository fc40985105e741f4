//! What is wrong with a command line, in the words of the catalogues.

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::render::clean_lines;
use crate::text::{self, Catalogue};

/// The error with what may have been meant and how the command is used; in the parser's words where
/// there are no others.
pub(in crate::cli) fn in_words(error: &clap::Error, words: &Catalogue) -> String {
    let Some(message) = message(error, words) else {
        return clean_lines(&error.render().to_string());
    };
    let mut lines = vec![words.fill("refused.error", &[("message", message)])];
    if let Some(tip) = tip(error, words) {
        lines.extend([String::new(), format!("  {}", words.fill("usage.tip", &[("tip", tip)]))]);
    }
    if let Some(usage) = text_of(error, ContextKind::Usage) {
        let usage = usage.trim_start_matches("Usage:").trim().to_owned();
        lines.extend([String::new(), words.fill("usage.usage", &[("usage", usage)])]);
    }
    lines.extend([String::new(), words.get("usage.help"), String::new()]);
    clean_lines(&lines.join("\n"))
}

fn message(error: &clap::Error, words: &Catalogue) -> Option<String> {
    let text = |kind| text_of(error, kind);
    let argument = || text(ContextKind::InvalidArg);
    let value = || text(ContextKind::InvalidValue);
    let fill = |key: &str, facts: &[(&str, String)]| Some(words.fill(key, facts));
    match error.kind() {
        ErrorKind::UnknownArgument => fill("usage.argument", &[("argument", argument()?)]),
        ErrorKind::InvalidSubcommand => {
            let command = text(ContextKind::InvalidSubcommand)?;
            let is_left_out =
                !cfg!(feature = "history") && matches!(&*command, "history" | "nightly");
            let key = if is_left_out { "usage.left-out" } else { "usage.command" };
            fill(key, &[("command", command)])
        }
        ErrorKind::InvalidValue if value()?.is_empty() => {
            fill("usage.no-value", &[("argument", argument()?)])
        }
        ErrorKind::InvalidValue => {
            let possible = text(ContextKind::ValidValue).unwrap_or_default();
            let facts = [("value", value()?), ("argument", argument()?), ("possible", possible)];
            fill("usage.value", &facts)
        }
        ErrorKind::ValueValidation => {
            let cause = std::error::Error::source(error)?;
            let cause = text::causes(cause, words);
            let facts = [("value", value()?), ("argument", argument()?), ("cause", cause)];
            fill("usage.validation", &facts)
        }
        ErrorKind::MissingRequiredArgument => fill("usage.missing", &[("argument", argument()?)]),
        ErrorKind::ArgumentConflict => {
            let prior = text(ContextKind::PriorArg);
            let prior = prior.filter(|prior| Some(prior) != argument().as_ref());
            match prior {
                Some(other) => {
                    fill("usage.conflict", &[("argument", argument()?), ("other", other)])
                }
                None => fill("usage.twice", &[("argument", argument()?)]),
            }
        }
        _ => None,
    }
}

/// What may have been meant: an argument of another command before one that is written alike.
fn tip(error: &clap::Error, words: &Catalogue) -> Option<String> {
    let unknown = text_of(error, ContextKind::InvalidArg).unwrap_or_default();
    let flag = unknown.trim_start_matches('-').split(['=', ' ']).next().unwrap_or_default();
    let parser = super::parser();
    let has = |command: &&clap::Command| {
        command.get_arguments().any(|known| known.get_long() == Some(flag))
    };
    let comma = words.get("punctuation.comma");
    let commands: Vec<&str> =
        parser.get_subcommands().filter(has).map(clap::Command::get_name).collect();
    if error.kind() == ErrorKind::UnknownArgument && !commands.is_empty() {
        let facts = [("argument", unknown), ("commands", commands.join(&comma))];
        return Some(words.fill("usage.elsewhere", &facts));
    }
    let kinds =
        [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    let meant = kinds.into_iter().find_map(|kind| joined(error, kind, &words.get("usage.or")))?;
    Some(words.fill("usage.similar", &[("name", meant)]))
}

fn text_of(error: &clap::Error, kind: ContextKind) -> Option<String> {
    joined(error, kind, ", ")
}

/// What the parser says of that kind, `between` standing between several texts.
fn joined(error: &clap::Error, kind: ContextKind, between: &str) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => Some(texts.join(between)),
        ContextValue::StyledStr(text) => Some(text.to_string()),
        ContextValue::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
