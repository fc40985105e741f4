//! `reportgen explain`.

use std::io::Write as _;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::cli::Streams;
use crate::cli::args::{ExplainArguments, ExplainFormat};
use crate::diag::Code;
use crate::exit::{ExitStatus, Failure};
use crate::explain::{self, Explanation};
use crate::text::Catalogue;

/// Lines are no longer than this, or than a narrower terminal.
const WIDEST: usize = 100;

/// Codes that one hint names.
const MOST_NAMED: usize = 8;

pub(super) fn run_command(
    arguments: &ExplainArguments,
    Streams { surroundings, out, .. }: &mut Streams<'_>,
) -> Result<ExitStatus, Failure> {
    let words = Catalogue::shipped(arguments.lang.unwrap_or(surroundings.lang));
    let asked: Result<Vec<Code>, Failure> = arguments
        .codes
        .iter()
        .map(|word| explain::find(word).ok_or_else(|| unknown(word)))
        .collect();
    let lists_all = arguments.codes.is_empty();
    let found = if lists_all { explain::codes() } else { asked? };
    let entries: Vec<Explanation> =
        found.into_iter().map(|code| Explanation::new(code, words)).collect();
    let text = match arguments.format {
        ExplainFormat::Json => json(&entries)?,
        ExplainFormat::Text if lists_all => {
            let lines = entries.iter().map(|entry| format!("{}  {}", entry.code, entry.title));
            lines.chain([String::new()]).collect::<Vec<_>>().join("\n")
        }
        ExplainFormat::Text => {
            let width = surroundings.width.map_or(WIDEST, |width| WIDEST.min(width.into()));
            let texts: Vec<String> =
                entries.iter().map(|entry| explanation_text(entry, words, width)).collect();
            texts.join("\n")
        }
    };
    out.write_all(text.as_bytes()).map_err(Failure::standard_output)?;
    Ok(ExitStatus::Done)
}

fn json(entries: &[Explanation]) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(entries);
    let text = text.map_err(Failure::input)?;
    Ok(format!("{text}\n"))
}

/// Title, facts a line each, and the texts, broken between words.
fn explanation_text(entry: &Explanation, words: &Catalogue, width: usize) -> String {
    let colon = words.get("punctuation.colon");
    let mut text = format!("{}  {}\n\n", entry.code, entry.title);
    for (label, fact) in entry.facts(words) {
        text.push_str(&wrapped(&format!("{label}{colon}{fact}"), width));
    }
    for (label, paragraph) in entry.texts(words) {
        text.push('\n');
        text.push_str(&wrapped(&format!("{label}{colon}{paragraph}"), width));
    }
    text
}

/// The text in lines of at most that many columns, where no word is wider. Chinese characters may
/// part anywhere, except before punctuation that closes and after punctuation that opens.
fn wrapped(text: &str, width: usize) -> String {
    let mut lines = String::new();
    let mut line = 0;
    for piece in pieces(text) {
        if line > 0 && line + piece.trim_end().width() > width {
            lines.truncate(lines.trim_end().len());
            lines.push('\n');
            line = 0;
        }
        lines.push_str(piece);
        line += piece.width();
    }
    lines + "\n"
}

/// The text cut wherever a line may end: after spaces and around wide characters.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (at, c) in text.char_indices() {
        let parts = |before: char| {
            let is_wide = [before, c].iter().any(|c| c.width() == Some(2));
            let is_bound = "（《“".contains(before) || "，。、；：！？）》”…".contains(c);
            before == ' ' || (is_wide && !is_bound && c != ' ')
        };
        if before.is_some_and(parts) {
            pieces.push(&text[start..at]);
            start = at;
        }
        before = Some(c);
    }
    pieces.push(&text[start..]);
    pieces
}

fn unknown(word: &str) -> Failure {
    let near = explain::suggestions(word);
    let mut names: Vec<String> = near.iter().take(MOST_NAMED).map(|code| named(*code)).collect();
    if near.len() > MOST_NAMED {
        names.push("…".to_owned());
    }
    let hint = match names.as_slice() {
        [] => "`reportgen explain` lists the codes".to_owned(),
        names => format!("did you mean {}?", names.join(", ")),
    };
    Failure::usage(format!("there is no code `{word}`; {hint}"))
}

/// Errors are English whatever the language of the texts.
fn named(code: Code) -> String {
    let title = Catalogue::english().unfilled(&format!("diagnostic.{code}.title"));
    format!("{code} ({title})")
}
