//! Inline text composed for its place: spans to Markdown, HTML or plain text.
//!
//! Owns the joints between spans. Emphasis follows strict `CommonMark`: `**100%**提升` shows its
//! asterisks on GitHub, so a space is set exactly where the flanking rules would fail
//! (<https://spec.commonmark.org/0.31.2/#delimiter-run>), and nowhere else.

use crate::report::block::{Icon, Span, Text};

use super::escape::{
    self, Stand, TextPlace, bounded, clean, code_span, is_surely_punctuation, is_wordy,
};

/// The document of a report in Markdown.
pub(super) const REPORT: &str = "report.md";

/// The sign as text; U+FE0F asks for the coloured form where the bare character has both.
pub(super) fn sign(icon: Icon) -> &'static str {
    match icon {
        Icon::Up => "⬆\u{FE0F}",
        Icon::Down => "⬇\u{FE0F}",
        Icon::Flat => "➡\u{FE0F}",
        Icon::Good => "✅",
        Icon::Caution => "⚠\u{FE0F}",
        Icon::Bad => "❌",
        Icon::Severe => "🔴",
        Icon::Open => "⏳",
        Icon::Running => "🔄",
        Icon::Forecast => "🔮",
        Icon::Kept => "🏆",
        Icon::Star => "⭐",
    }
}

/// One line of Markdown for a cell of a table.
pub fn cell_markdown(text: &Text) -> String {
    markdown(text, TextPlace::Cell)
}

/// One line of Markdown.
pub(super) fn markdown(text: &Text, place: TextPlace) -> String {
    match place {
        TextPlace::Cell => join(&pieces(&without_piped_code(text), place.limit()), place),
        TextPlace::Prose | TextPlace::Heading => join(&pieces(text, place.limit()), place),
    }
}

/// One line of Markdown with every plain piece emphasised, for titles that are not headings.
pub(super) fn markdown_strong(text: &Text, place: TextPlace) -> String {
    markdown(&text.in_bold(), place)
}

/// Readers disagree about a backslash before a pipe in a code span in a cell; as plain text it
/// is clear.
fn without_piped_code(text: &Text) -> Text {
    text.map(|span| match span {
        Span::Code(text) if text.contains("\\|") => Span::Plain(text.clone()),
        other => other.clone(),
    })
}

/// One line of HTML with `strong` and `code` elements only.
pub(super) fn html(text: &Text) -> String {
    let written = pieces(text, TextPlace::Prose.limit()).into_iter().map(|piece| match piece {
        Span::Plain(text) => escape::html(&text),
        Span::Strong(text) => format!("<strong>{}</strong>", escape::html(&text)),
        Span::Code(text) | Span::Report(text) => format!("<code>{}</code>", escape::html(&text)),
        Span::Icon(icon) => sign(icon).to_owned(),
    });
    written.collect::<String>().trim().to_owned()
}

/// One line without markup.
pub(super) fn plain(text: &Text, limit: usize) -> String {
    let written = pieces(text, limit).into_iter().map(|piece| match piece {
        Span::Plain(text) | Span::Strong(text) | Span::Code(text) => text,
        Span::Icon(icon) => sign(icon).to_owned(),
        Span::Report(directory) => format!("{directory}/{REPORT}"),
    });
    written.collect::<String>().trim().to_owned()
}

/// Clean pieces: none empty, equal kinds merged, emphasis without space at its edges, at most
/// `limit` characters together.
fn pieces(text: &Text, limit: usize) -> Vec<Span> {
    let mut pieces = Vec::new();
    let mut left = limit;
    for span in &text.0 {
        if left == 0 {
            break;
        }
        let mut cut = |text: &str| {
            let shown = bounded(&clean(text), left);
            left -= shown.chars().count().min(left);
            shown
        };
        match span {
            Span::Plain(text) => push_plain(&mut pieces, &cut(text)),
            Span::Strong(text) => push_strong(&mut pieces, &cut(text)),
            Span::Code(text) => push_code(&mut pieces, &cut(text)),
            Span::Icon(icon) => pieces.push(Span::Icon(*icon)),
            Span::Report(directory) if is_plain_path(directory) => pieces.push(span.clone()),
            Span::Report(directory) => push_code(&mut pieces, &cut(directory)),
        }
    }
    pieces
}

/// Whether a path leads below the directory it stands in, and reads as one in every format.
fn is_plain_path(path: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    path.split('/')
        .all(|part| !part.is_empty() && !part.starts_with('.') && part.chars().all(is_plain))
}

fn push_plain(pieces: &mut Vec<Span>, text: &str) {
    match pieces.last_mut() {
        _ if text.is_empty() => {}
        Some(Span::Plain(before)) => before.push_str(text),
        _ => pieces.push(Span::Plain(text.to_owned())),
    }
}

fn push_strong(pieces: &mut Vec<Span>, text: &str) {
    let inner = text.trim();
    if inner.is_empty() {
        return push_plain(pieces, text);
    }
    let (lead, rest) = text.split_at(text.len() - text.trim_start().len());
    push_plain(pieces, lead);
    match pieces.last_mut() {
        Some(Span::Strong(before)) => before.push_str(inner),
        _ => pieces.push(Span::Strong(inner.to_owned())),
    }
    push_plain(pieces, &rest[inner.len()..]);
}

fn push_code(pieces: &mut Vec<Span>, text: &str) {
    if text.trim().is_empty() {
        push_plain(pieces, text);
    } else {
        pieces.push(Span::Code(text.trim().to_owned()));
    }
}

fn join(pieces: &[Span], place: TextPlace) -> String {
    let mut line = String::new();
    for (position, piece) in pieces.iter().enumerate() {
        let next = pieces.get(position + 1);
        match piece {
            Span::Plain(text) => {
                let text = if line.is_empty() { text.trim_start() } else { text };
                let text = if next.is_none() { text.trim_end() } else { text };
                let stand = Stand { first: line.is_empty(), alone: pieces.len() == 1 };
                line.push_str(&escape::markdown(text, place, stand));
            }
            Span::Strong(text) => push_emphasis(&mut line, text, next, place),
            Span::Code(text) => {
                if line.ends_with('`') {
                    line.push(' ');
                }
                line.push_str(&code_span(text, place));
            }
            Span::Icon(icon) => line.push_str(sign(*icon)),
            Span::Report(directory) => {
                // Behind `!` it would be an image.
                if line.ends_with('!') {
                    line.push(' ');
                }
                let shown =
                    escape::markdown(directory, place, Stand { first: false, alone: false });
                line.extend(["[", &shown, "](", directory, "/", REPORT, ")"]);
            }
        }
    }
    line.truncate(line.trim_end().len());
    line
}

fn push_emphasis(line: &mut String, text: &str, next: Option<&Span>, place: TextPlace) {
    let open_neighbour = line.chars().next_back();
    if !marks_work(text.chars().next(), open_neighbour) {
        line.push(' ');
    }
    line.push_str("**");
    line.push_str(&escape::markdown(text, place, Stand { first: false, alone: false }));
    line.push_str("**");
    if !marks_work(text.chars().next_back(), next.and_then(first_char)) {
        line.push(' ');
    }
}

/// Whether an emphasis mark between an inner and an outer character flanks the inner one.
fn marks_work(inner: Option<char>, outer: Option<char>) -> bool {
    inner.is_some_and(is_wordy)
        || outer.is_none_or(|c| c.is_whitespace() || is_surely_punctuation(c))
}

fn first_char(piece: &Span) -> Option<char> {
    match piece {
        Span::Plain(text) | Span::Strong(text) => text.chars().next(),
        Span::Code(_) => Some('`'),
        Span::Icon(icon) => sign(*icon).chars().next(),
        Span::Report(_) => Some('['),
    }
}
