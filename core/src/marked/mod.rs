//! Marked places in Markdown: what stands between `<!-- reportgen:prose NAME -->`, or `begin`, and
//! `<!-- reportgen:end -->`, by byte range, and what the lines around them are; and the tables of a
//! document, cell by cell.
//!
//! Owns how markers are written. Knows neither reports nor what a place is for.

mod beside;
mod plain;
mod rows;
mod tables;

use std::ops::Range;

use xxhash_rust::xxh3::Xxh3;

pub use beside::Beside;
pub use plain::{plain_text, without_escapes};
pub use rows::{
    AskedPart, Cell, Figure, Written, asked_parts, split_counts, split_spread, without_thousands,
};
pub use tables::{Document, Heading, Lines, Row, Table};

/// The word that opens a place where a person writes.
pub const PROSE: &str = "prose";

/// The word that opens a place for what a program generates in a document of a person.
pub const REGION: &str = "begin";

/// A mark of byte order, which may begin a document, and is no part of its first line.
pub const BYTE_ORDER: char = '\u{feff}';

/// The line that closes a place.
pub const END: &str = "<!-- reportgen:end -->";

/// A Markdown text with its lines and places.
#[derive(Debug)]
pub struct Marked<'t> {
    pub text: &'t str,
    pub lines: Vec<Line>,
    pub places: Vec<Place<'t>>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Line {
    /// The bytes of the line, its end among them.
    pub range: Range<usize>,
    pub kind: LineKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    Text,
    /// A line of a fenced code block, the fences among them.
    Fenced,
    /// A heading of that level.
    Heading(u8),
    /// A line of the place of that index, its markers among them.
    Place(usize),
}

/// A place and the markers around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place<'t> {
    /// The word that opens it.
    pub opening: &'static str,
    /// The first word behind that; may be empty.
    pub name: &'t str,
    /// What follows the name in the marker.
    pub note: &'t str,
    /// The lines from the opening marker to the closing one.
    pub whole: Range<usize>,
    pub content: Range<usize>,
}

/// A marker without its partner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unpaired {
    /// Counted from 1.
    pub line: usize,
    pub marker: String,
}

struct Opened<'t> {
    opening: &'static str,
    name: &'t str,
    note: &'t str,
    start: usize,
    content: usize,
    line: usize,
}

impl<'t> Marked<'t> {
    /// Reads the places that these words open. Markers inside fenced code mean nothing.
    ///
    /// # Errors
    /// When a place is not closed before the next one or the end of the text, or closed without
    /// being open.
    pub fn read(text: &'t str, openings: &[&'static str]) -> Result<Self, Unpaired> {
        let mut marked = Self { text, lines: Vec::new(), places: Vec::new() };
        let mut open: Option<Opened<'t>> = None;
        let mut fence = None;
        let mut start = 0;
        for (at, line) in lines_of(text).enumerate() {
            let range = start..start + line.len();
            start = range.end;
            let openings = if fence.is_some() { &[] } else { openings };
            let marker = |opening: &&'static str| Some((*opening, opening_marker(line, opening)?));
            if let Some((opening, (name, note, content))) = openings.iter().find_map(marker) {
                if let Some(open) = open {
                    return Err(marked.unpaired(&open));
                }
                let content = range.start + content;
                open =
                    Some(Opened { opening, name, note, start: range.start, content, line: at + 1 });
            }
            let kind = if let Some(opened) = open.take() {
                let from = opened.content.max(range.start);
                match closing_marker(&text[from..range.end]) {
                    Some(end) => marked.places.push(opened.closed(text, from + end, range.end)),
                    None => open = Some(opened),
                }
                LineKind::Place(marked.places.len() - usize::from(open.is_none()))
            } else if is_fenced(line, &mut fence) {
                LineKind::Fenced
            } else if closing_marker(line).is_some_and(|at| line[..at].trim().is_empty()) {
                return Err(Unpaired { line: at + 1, marker: END.to_owned() });
            } else {
                heading(line).map_or(LineKind::Text, LineKind::Heading)
            };
            marked.lines.push(Line { range, kind });
        }
        match open {
            Some(open) => Err(marked.unpaired(&open)),
            None => Ok(marked),
        }
    }

    pub fn line(&self, line: &Line) -> &'t str {
        &self.text[line.range.clone()]
    }

    /// The lines outside places that say something, and where they stand among all lines.
    pub fn outside(&self) -> impl DoubleEndedIterator<Item = (usize, &Line, &'t str)> {
        let lines = self.lines.iter().enumerate();
        let lines = lines.filter(|(_, line)| !matches!(line.kind, LineKind::Place(_)));
        let lines = lines.map(|(at, line)| (at, line, self.line(line).trim_end()));
        lines.filter(|(_, _, text)| !text.is_empty())
    }

    fn unpaired(&self, open: &Opened<'_>) -> Unpaired {
        let marker = self.text[open.start..].lines().next().unwrap_or_default();
        Unpaired { line: open.line, marker: marker.trim().to_owned() }
    }
}

impl<'t> Opened<'t> {
    fn closed(self, text: &str, end: usize, after: usize) -> Place<'t> {
        let before = &text[self.content..end];
        // Spaces before the closing marker are not what somebody wrote.
        let spaces = before.len() - before.trim_end_matches([' ', '\t']).len();
        let alone = text[..end - spaces].ends_with('\n');
        let end = if alone { end - spaces } else { end };
        let (opening, name, note) = (self.opening, self.name, self.note);
        Place { opening, name, note, whole: self.start..after, content: self.content.min(end)..end }
    }
}

impl Place<'_> {
    /// The hash of what was generated in it, where the marker has one: `#1f…` begins the note.
    pub fn generated_hash(&self) -> Option<&str> {
        self.note.strip_prefix('#').and_then(|note| note.split([' ', ':']).next())
    }
}

/// A hash of lines: blanks around them and line ends aside, which editors change.
pub fn lines_hash<'t>(lines: impl Iterator<Item = &'t str>) -> String {
    let mut hasher = Xxh3::new();
    for line in lines {
        hasher.update(line.trim().as_bytes());
        hasher.update(b"\n");
    }
    format!("{:016x}", hasher.digest())
}

/// The lines of a text with their ends, as Markdown has them: a carriage return alone is one too.
pub fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let at = memchr::memchr2(b'\n', b'\r', rest.as_bytes());
        let is_pair = |at: usize| rest.as_bytes().get(at..at + 2) == Some(b"\r\n");
        let end = at.map_or(rest.len(), |at| at + 1 + usize::from(is_pair(at)));
        let (line, after) = rest.split_at_checked(end).filter(|(line, _)| !line.is_empty())?;
        rest = after;
        Some(line)
    })
}

/// The lines outside of fenced code, each with the byte at which it begins.
pub fn outside_of_fences(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fence = None;
    let lines = lines_of(text).scan(0, |next, line| {
        let start = *next;
        *next += line.len();
        Some((start, line))
    });
    lines.filter(move |(_, line)| !is_fenced(line, &mut fence))
}

/// The text of a heading line, without its signs.
pub fn heading_text(line: &str) -> &str {
    line.trim().trim_start_matches('#').trim()
}

/// A line without the spaces that may stand before a block; more of them make code of it.
fn unindented(line: &str) -> Option<&str> {
    let line = line.strip_prefix(BYTE_ORDER).unwrap_or(line);
    let text = line.trim_start_matches(' ');
    (line.len() - text.len() < 4).then_some(text)
}

/// What the marker names, its note, and where in the line the content begins: behind the line end
/// where nothing else follows the marker.
fn opening_marker<'t>(line: &'t str, opening: &str) -> Option<(&'t str, &'t str, usize)> {
    let inner = unindented(line)?.strip_prefix("<!--")?.trim_start();
    let inner = inner.strip_prefix("reportgen:")?.trim_start().strip_prefix(opening)?;
    if !inner.starts_with([' ', '\t', '-']) {
        return None;
    }
    let (words, rest) = inner.split_once("-->")?;
    let words = words.trim();
    let (name, note) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    let rest = if rest.trim().is_empty() { "" } else { rest };
    Some((name.trim_end_matches(':'), note.trim(), line.len() - rest.len()))
}

/// Where in the line the closing marker begins, if it ends in one.
fn closing_marker(line: &str) -> Option<usize> {
    let inner = line.trim_end().strip_suffix("-->")?.trim_end();
    let inner = inner.strip_suffix("end")?.trim_end().strip_suffix("reportgen:")?;
    inner.trim_end().strip_suffix("<!--").map(str::len)
}

/// Whether the line belongs to a fenced code block; `fence` is the sign and length of an open one.
fn is_fenced(line: &str, fence: &mut Option<(char, usize)>) -> bool {
    let text = unindented(line).unwrap_or_default();
    let sign = text.chars().next().filter(|sign| matches!(sign, '`' | '~'));
    let length = sign.map_or(0, |sign| text.chars().take_while(|c| *c == sign).count());
    let rest = text.get(length..).unwrap_or_default().trim();
    match (*fence, sign) {
        (Some(open), Some(sign)) if open.0 == sign && length >= open.1 && rest.is_empty() => {
            *fence = None;
            true
        }
        (Some(_), _) => true,
        (None, Some(sign)) if length >= 3 && (sign == '~' || !rest.contains('`')) => {
            *fence = Some((sign, length));
            true
        }
        (None, _) => false,
    }
}

fn heading(line: &str) -> Option<u8> {
    let text = unindented(line)?;
    let rest = text.trim_start_matches('#');
    let level = text.len() - rest.len();
    let is_heading = (1..=6).contains(&level) && (rest.trim().is_empty() || rest.starts_with(' '));
    is_heading.then(|| u8::try_from(level).unwrap_or(u8::MAX))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Names, notes and contents of the places of a text.
    fn check(text: &str, expected: &[(&str, &str, &str)]) {
        let marked = Marked::read(text, &[PROSE]).expect("every marker has its partner");
        let place = |place: &Place<'_>| {
            (place.name.to_owned(), place.note.to_owned(), text[place.content.clone()].to_owned())
        };
        let found: Vec<_> = marked.places.iter().map(place).collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|(a, b, c)| ((*a).to_owned(), (*b).to_owned(), (*c).to_owned()))
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_place_is_what_stands_between_its_markers() {
        check(
            "a\n<!-- reportgen:prose x -->\nmine\n\n  - too\n<!-- reportgen:end -->\nb\n",
            &[("x", "", "mine\n\n  - too\n")],
        );
        check(
            "<!-- reportgen:prose x -->\r\n我的\r\n<!-- reportgen:end -->\r\n",
            &[("x", "", "我的\r\n")],
        );
        check(
            "<!--reportgen:prose x: #1f: a note-->\nmine <!--reportgen: end-->",
            &[("x", "#1f: a note", "mine ")],
        );
        check("<!-- reportgen:prose x --> mine <!-- reportgen:end -->\n", &[("x", "", " mine ")]);
        check("<!-- reportgen:prose -->\n<!-- reportgen:end -->", &[("", "", "")]);
        check("<!-- reportgen:prose a -->\n```\n<!-- reportgen:end -->\n", &[("a", "", "```\n")]);
    }

    #[test]
    fn what_is_quoted_or_opened_by_another_word_is_no_place() {
        check("```\n<!-- reportgen:prose x -->\n<!-- reportgen:end -->\n```\n", &[]);
        check("    <!-- reportgen:prose x -->\n", &[]);
        check("say `<!-- reportgen:prose x -->`\n| <!-- reportgen:end --> |\n", &[]);
        check("<!-- reportgen:proses x -->\n<!-- a comment -->\n", &[]);
    }

    #[test]
    fn a_marker_without_its_partner_is_told_with_its_line() {
        for (text, line, marker) in [
            ("a\n<!-- reportgen:prose x -->\nmine\n", 2, "<!-- reportgen:prose x -->"),
            (
                "<!-- reportgen:prose x -->\n\n<!-- reportgen:prose y -->\n<!-- reportgen:end -->",
                1,
                "<!-- reportgen:prose x -->",
            ),
            ("a\n\n<!-- reportgen:end -->\n", 3, END),
        ] {
            let expected = Unpaired { line, marker: marker.to_owned() };
            assert_eq!(Marked::read(text, &[PROSE]).err(), Some(expected), "{text}");
        }
    }

    #[test]
    fn headings_count_outside_of_places_and_fences_alone() {
        let text = "# a\n```\n# b\n```\n### c\n#d\n\
                    <!-- reportgen:prose -->\n# e\n<!-- reportgen:end -->\n";
        let marked = Marked::read(text, &[PROSE]).expect("paired");
        let heads = marked.lines.iter().filter(|line| matches!(line.kind, LineKind::Heading(_)));
        let heads: Vec<&str> = heads.map(|line| heading_text(marked.line(line))).collect();
        assert_eq!(heads, ["a", "c"]);
    }

    proptest! {
        #[test]
        fn the_lines_are_the_text_and_no_text_is_too_odd(
            parts in proptest::collection::vec(prop_oneof![
                Just("<!-- reportgen:prose x -->"), Just("<!-- reportgen:end -->"), Just("```"),
                Just("\n"), Just("\r\n"), Just("# "), Just("实验"), Just("-->"), Just("<!--"),
                Just(" "), Just("~~~~"), Just("reportgen:"),
            ], 0..30)
        ) {
            let text = parts.concat();
            if let Ok(marked) = Marked::read(&text, &[PROSE, REGION]) {
                let lines: String = marked.lines.iter().map(|line| marked.line(line)).collect();
                prop_assert_eq!(lines, text.as_str());
                for place in &marked.places {
                    prop_assert!(place.whole.start <= place.content.start);
                    prop_assert!(place.content.end <= place.whole.end);
                }
            }
        }
    }
}
