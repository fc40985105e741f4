//! `reportgen explain`.

use crate::cli::Streams;
use crate::cli::args::{ExplainArguments, ExplainFormat};
use crate::diag::{Code, Explanation};
use crate::exit::{ExitStatus, Failure};
use crate::explain::{self, Entry};
use crate::text::{Catalogue, Lang};

/// Lines are no longer than this, or than a narrower terminal.
const WIDEST: usize = 100;

/// Codes that one hint names.
const MOST_NAMED: usize = 8;

pub(super) fn run(
    arguments: &ExplainArguments,
    Streams { surroundings, out, .. }: &mut Streams<'_>,
) -> Result<ExitStatus, Failure> {
    let words = Catalogue::of(arguments.lang.map_or(surroundings.lang, Into::into));
    let asked: Result<Vec<&Explanation>, Failure> = arguments
        .codes
        .iter()
        .map(|word| explain::find(word).ok_or_else(|| unknown(word)))
        .collect();
    let lists_all = arguments.codes.is_empty();
    let found = if lists_all { explain::all() } else { asked? };
    let entries: Vec<Entry> = found.iter().map(|one| Entry::of(one, words)).collect();
    let text = match arguments.format {
        ExplainFormat::Json => json(&entries)?,
        ExplainFormat::Text if lists_all => {
            let lines = entries.iter().map(|entry| format!("{}  {}", entry.code, entry.title));
            lines.chain([String::new()]).collect::<Vec<_>>().join("\n")
        }
        ExplainFormat::Text => {
            let width = surroundings.width.map_or(WIDEST, |width| WIDEST.min(width.into()));
            let told: Vec<String> = entries.iter().map(|one| tell(one, words, width)).collect();
            told.join("\n")
        }
    };
    out.write_all(text.as_bytes()).map_err(Failure::standard_output)?;
    Ok(ExitStatus::Done)
}

fn json(entries: &[Entry]) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(entries);
    let text = text.map_err(Failure::input)?;
    Ok(format!("{text}\n"))
}

/// Title, facts a line each, and the texts, broken between words.
fn tell(entry: &Entry, words: &Catalogue, width: usize) -> String {
    let colon = words.get("punctuation.colon");
    let mut text = format!("{}  {}\n\n", entry.code, entry.title);
    for (label, fact) in entry.facts(words) {
        text.push_str(&broken(&format!("{label}{colon}{fact}"), width));
    }
    for (label, paragraph) in entry.texts(words) {
        text.push('\n');
        text.push_str(&broken(&format!("{label}{colon}{paragraph}"), width));
    }
    text
}

fn broken(text: &str, width: usize) -> String {
    let mut lines = String::new();
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push_str(&line);
            lines.push('\n');
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    format!("{lines}{line}\n")
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
    let title = Catalogue::of(Lang::En).unfilled(&format!("diagnostic.{code}.title"));
    format!("{code} ({title})")
}
