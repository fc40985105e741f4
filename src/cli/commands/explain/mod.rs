//! `reportgen explain`: what codes mean, and metrics by the shipped catalogue.

mod metric;

use std::io::Write as _;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::cli::Streams;
use crate::cli::args::{ExplainArguments, ExplainFormat};
use crate::diag::{Code, Fact};
use crate::exit::{ExitStatus, Failure};
use crate::explain::{self, Explanation};
use crate::model::KnownMetric;
use crate::text::{Catalogue, Refusal};

/// Lines are no longer than this, or than a narrower terminal.
const WIDEST: usize = 100;

/// Codes that one hint names.
const MOST_NAMED: usize = 8;

/// What is explained.
enum Entry<'a> {
    Code(Explanation),
    Metric(&'a str, KnownMetric),
}

pub(in crate::cli) fn run_command<'a>(
    arguments: &'a ExplainArguments,
    Streams { surroundings, out, .. }: &mut Streams<'_>,
) -> Result<ExitStatus, Failure> {
    let words = Catalogue::shipped(arguments.lang.unwrap_or(surroundings.lang));
    let of_code = |code| Entry::Code(Explanation::new(code, words));
    let entry = |word: &'a String| {
        let of_metric = || Some(Entry::Metric(word, metric::known(word)?));
        let found = explain::find(word).map(of_code).or_else(of_metric);
        found.ok_or_else(|| unknown(word, words))
    };
    let lists_all = arguments.words.is_empty();
    let entries: Vec<Entry<'_>> = if lists_all {
        explain::codes().into_iter().map(of_code).collect()
    } else {
        arguments.words.iter().map(entry).collect::<Result<_, Failure>>()?
    };
    let text = match arguments.format {
        ExplainFormat::Json => json(&entries)?,
        ExplainFormat::Text if lists_all => {
            let lines = entries.iter().map(Entry::title);
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

fn json(entries: &[Entry<'_>]) -> Result<String, Failure> {
    let values = entries.iter().map(|entry| match entry {
        Entry::Code(code) => serde_json::to_value(code),
        Entry::Metric(name, known) => Ok(metric::json(name, known)),
    });
    let text = values.collect::<Result<Vec<_>, _>>();
    let text = text.and_then(|values| serde_json::to_string_pretty(&values));
    let text = text.map_err(Failure::input)?;
    Ok(format!("{text}\n"))
}

impl Entry<'_> {
    /// A code with its title; a metric with its canonical name, where that is another one.
    fn title(&self) -> String {
        match self {
            Self::Code(code) => format!("{}  {}", code.code, code.title),
            Self::Metric(name, known) if known.spec.name == *name => (*name).to_owned(),
            Self::Metric(name, known) => format!("{name}  {}", known.spec.name),
        }
    }
}

/// Title, facts a line each, and the texts, broken between words.
fn explanation_text(entry: &Entry<'_>, words: &Catalogue, width: usize) -> String {
    let colon = words.get("punctuation.colon");
    let (facts, texts) = match entry {
        Entry::Code(code) => (code.facts(words), code.texts(words)),
        Entry::Metric(_, known) => (metric::facts(known, words), Vec::new()),
    };
    let mut text = format!("{}\n\n", entry.title());
    for (label, fact) in facts {
        text.push_str(&wrapped(&format!("{label}{colon}{fact}"), width));
    }
    for (label, paragraph) in texts {
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

fn unknown(word: &str, words: &Catalogue) -> Failure {
    let near = explain::suggestions(word);
    if near.is_empty() {
        return Failure::refused("refused.no-code", &[("code", word)]);
    }
    let named = |code: &Code| {
        let title = words.unfilled(&format!("diagnostic.{code}.title"));
        format!("{code} ({title})")
    };
    let codes = Fact::first(MOST_NAMED, near.iter().map(named));
    Failure::usage(Refusal::new("refused.code-like").with("code", word).with("codes", codes))
}
