//! The tables of a Markdown document by byte range: what stands in which cell, under which headings.

use std::ops::Range;

use comrak::nodes::{AstNode, NodeValue, Sourcepos};
use comrak::{Arena, Options, parse_document};

use super::beside::{Beside, beside};
use super::rows::{Cell, split_row};
use super::{lines_of, plain_text, without_escapes};

/// How a comment begins that says what the table below it holds.
const BIND: &str = "reportgen:bind";

#[derive(Debug, Default)]
pub struct Document {
    pub tables: Vec<Table>,
    /// Lines that look like rows and belong to no table.
    pub stray: Vec<Row>,
    pub headings: Vec<Heading>,
    /// Text between stars that are shown, and the byte at which these begin: what was meant to be bold.
    pub literal_stars: Vec<(usize, String)>,
}

#[derive(Debug, Clone)]
pub struct Heading {
    pub level: u8,
    pub text: String,
    /// Counted from 1.
    pub line: usize,
}

#[derive(Debug)]
pub struct Table {
    /// The headings above it, the outermost first.
    pub headings: Vec<Heading>,
    /// What the comments above it say, with their lines.
    pub bound: Vec<(usize, Vec<(String, String)>)>,
    /// Captions and paragraphs that are about it.
    pub beside: Vec<Beside>,
    pub header: Row,
    pub rows: Vec<Row>,
}

#[derive(Debug, Clone)]
pub struct Row {
    /// Counted from 1.
    pub line: usize,
    pub cells: Vec<Cell>,
}

impl Document {
    pub fn read(text: &str) -> Self {
        let lines = Lines::new(text);
        let arena = Arena::new();
        let mut options = Options::default();
        options.extension.table = true;
        let root = parse_document(&arena, text, &options);
        let mut document = Self::default();
        let mut headings: Vec<Heading> = Vec::new();
        for node in root.descendants() {
            let data = node.data.borrow();
            let line = data.sourcepos.start.line;
            match &data.value {
                NodeValue::Heading(heading) => {
                    let heading = Heading { level: heading.level, text: plain_text(node), line };
                    headings.retain(|above| above.level < heading.level);
                    headings.push(heading.clone());
                    document.headings.push(heading);
                }
                NodeValue::Table(_) => {
                    document.tables.extend(table(node, headings.clone(), &lines));
                }
                NodeValue::Paragraph => {
                    document.stray.extend(stray_rows(data.sourcepos, &lines));
                }
                NodeValue::Text(text) => {
                    let shown = starred(text).and_then(|inner| {
                        Some((lines.shown_stars(line, inner)?, inner.to_owned()))
                    });
                    document.literal_stars.extend(shown);
                }
                NodeValue::Strong => {
                    let torn = torn_stars(node)
                        .into_iter()
                        .filter_map(|inner| Some((lines.shown_stars(line, &inner)?, inner)));
                    document.literal_stars.extend(torn);
                }
                _ => {}
            }
        }
        document
    }
}

/// The lines of a text, by number from 1.
#[derive(Debug)]
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub fn new(text: &'t str) -> Self {
        let starts = lines_of(text).scan(0, |next, line| {
            let start = *next;
            *next += line.len();
            Some(start)
        });
        Self { text, starts: starts.collect() }
    }

    /// Where each line begins, and its text with its end.
    pub fn each(&self) -> impl Iterator<Item = (usize, &'t str)> {
        self.starts.iter().copied().zip(lines_of(self.text))
    }

    /// The line that holds a byte: where it begins, and its text with its end.
    pub fn holding(&self, at: usize) -> (usize, &'t str) {
        let line = self.starts.partition_point(|start| *start <= at);
        let start = self.start_of(line);
        let end = self.starts.get(line).copied().unwrap_or(self.text.len());
        (start, self.text.get(start..end).unwrap_or_default())
    }

    /// Where a line begins; 0 for one that is not there.
    pub fn start_of(&self, line: usize) -> usize {
        line.checked_sub(1).and_then(|before| self.starts.get(before)).copied().unwrap_or(0)
    }

    /// Lines and columns of bytes in ascending order, columns in characters from 1. A line is counted
    /// through once, however many of them it has.
    pub fn positions(&self, ascending: impl Iterator<Item = usize>) -> Vec<(usize, usize)> {
        let (mut from, mut column) = (0, 1);
        let position = |at: usize| {
            let line = self.starts.partition_point(|start| *start <= at);
            let start = self.start_of(line);
            if from < start {
                (from, column) = (start, 1);
            }
            column += self.text.get(from..at).unwrap_or_default().chars().count();
            from = at.max(from);
            (line.max(1), column)
        };
        ascending.map(position).collect()
    }

    /// The bytes of a line from a column on, counted from 1, without its end.
    fn range(&self, line: usize, column: usize) -> Option<Range<usize>> {
        let start = *self.starts.get(line.checked_sub(1)?)?;
        let end = self.starts.get(line).copied().unwrap_or(self.text.len());
        let whole = self.text.get(start..end)?.trim_end_matches(['\n', '\r']);
        let begin = start + column.checked_sub(1)?;
        (begin <= start + whole.len()).then(|| begin..start + whole.len())
    }

    /// The byte at which stars around a text begin that are shown because of what stands beside them:
    /// punctuation inside, and a letter outside
    /// (<https://spec.commonmark.org/0.31.2/#left-flanking-delimiter-run>). A backslash shows them too,
    /// and then they are meant.
    fn shown_stars(&self, line: usize, inner: &str) -> Option<usize> {
        let range = self.range(line, 1)?;
        let text = self.text.get(range.clone())?;
        let (at, end) = starred_in(text, inner)?;
        let outside = [text.get(..at)?.chars().next_back(), text.get(end..)?.chars().next()];
        let inside = [inner.chars().next(), inner.chars().next_back()];
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let is_sign = |c: Option<char>| c.is_some_and(|c| !c.is_alphanumeric() && !is_symbol(c));
        let is_broken =
            outside.into_iter().zip(inside).any(|(out, inn)| is_letter(out) && is_sign(inn));
        is_broken.then_some(range.start + at)
    }

    fn row(&self, line: usize, column: usize) -> Option<Row> {
        let range = self.range(line, column)?;
        let cells = split_row(self.text.get(range.clone())?, range.start);
        Some(Row { line, cells })
    }
}

fn table<'a>(node: &'a AstNode<'a>, headings: Vec<Heading>, lines: &Lines<'_>) -> Option<Table> {
    let mut rows = node.children().filter_map(|row| {
        let start = row.data.borrow().sourcepos.start;
        lines.row(start.line, start.column)
    });
    let header = rows.next()?;
    let rows = rows.collect();
    let mut comments = Vec::new();
    let mut before = node.previous_sibling();
    while let Some(above) = before {
        let data = above.data.borrow();
        let NodeValue::HtmlBlock(html) = &data.value else { break };
        comments.extend(bound(&html.literal).map(|bound| (data.sourcepos.start.line, bound)));
        before = above.previous_sibling();
    }
    comments.reverse();
    let bound = comments;
    Some(Table { headings, bound, beside: beside(node), header, rows })
}

/// The names and values of `<!-- reportgen:bind run=a metric="exact match" -->`.
fn bound(comment: &str) -> Option<Vec<(String, String)>> {
    let inner = comment.trim().strip_prefix("<!--")?.strip_suffix("-->")?;
    let mut rest = inner.trim().strip_prefix(BIND)?.trim_start();
    let mut pairs = Vec::new();
    while let Some((name, after)) = rest.split_once('=') {
        let after = after.trim_start();
        let quoted = after.strip_prefix('"').and_then(|inner| inner.split_once('"'));
        let plain = || after.split_once(char::is_whitespace).unwrap_or((after, ""));
        let (value, left) = quoted.unwrap_or_else(plain);
        pairs.push((name.trim().to_owned(), value.to_owned()));
        rest = left.trim_start();
    }
    Some(pairs)
}

/// The text between the first two pairs of stars that Markdown did not take for emphasis. Stars
/// beside a slash are a pattern of paths.
fn starred(text: &str) -> Option<&str> {
    let (before, rest) = text.split_once("**")?;
    let (inner, after) = rest.split_once("**")?;
    let is_path = before.ends_with('/') || after.starts_with('/') || rest.starts_with('/');
    let is_marked = !inner.is_empty() && inner.trim() == inner && !inner.contains('*');
    (is_marked && !is_path && is_closed(inner)).then_some(inner)
}

/// The texts on both sides of bold where stars are shown in front of the first and behind the second: of
/// `**100%**提升，但**召回率（Recall）**有` the words between become bold.
fn torn_stars<'a>(strong: &'a AstNode<'a>) -> Vec<String> {
    let text = |node: Option<&'a AstNode<'a>>| match &node?.data.borrow().value {
        NodeValue::Text(text) => Some(text.to_string()),
        _ => None,
    };
    let sides = (text(strong.previous_sibling()), text(strong.next_sibling()));
    let (Some(before), Some(after)) = sides else { return Vec::new() };
    let inner = |text: &str| {
        let is_marked = !text.is_empty() && text.trim() == text && is_closed(text);
        is_marked.then(|| text.to_owned())
    };
    let first = before.rsplit_once("**").and_then(|(_, text)| inner(text));
    let second = after.split_once("**").and_then(|(text, _)| inner(text));
    first.zip(second).map_or_else(Vec::new, |(first, second)| vec![first, second])
}

/// Where in a line a text stands between stars, with its escapes, and where these end.
fn starred_in(line: &str, inner: &str) -> Option<(usize, usize)> {
    let whole = format!("**{inner}**");
    if let Some(at) = line.find(&whole) {
        return Some((at, at + whole.len()));
    }
    let stars = || line.match_indices("**").map(|(at, _)| at);
    stars().zip(stars().skip(1)).find_map(|(at, close)| {
        let written = line.get(at + 2..close)?;
        (written.contains('\\') && without_escapes(written) == inner).then_some((at, close + 2))
    })
}

/// Currencies, arrows, ticks and pictures: of these Markdown takes stars for bold since version 0.31 of
/// CommonMark alone, and GitHub follows an older one.
fn is_symbol(c: char) -> bool {
    let is_latin = matches!(c, '¢'..='¦' | '¨' | '©' | '¬' | '®'..='±' | '´' | '¸' | '×' | '÷');
    let is_other =
        matches!(c, '\u{20a0}'..='\u{214f}' | '\u{2190}'..='\u{2bff}' | '\u{ffe0}'..='\u{fffd}');
    is_latin || is_other || c >= '\u{1f000}'
}

/// Whether every bracket is closed behind where it opens; arguments such as `f(**a) and g(**b)` are not.
fn is_closed(text: &str) -> bool {
    let depth = text.chars().try_fold(0usize, |depth, c| match c {
        '(' | '（' | '[' => Some(depth + 1),
        ')' | '）' | ']' => depth.checked_sub(1),
        _ => Some(depth),
    });
    depth == Some(0)
}

/// Lines of a paragraph that are written as rows are.
fn stray_rows(place: Sourcepos, lines: &Lines<'_>) -> Vec<Row> {
    let rows = (place.start.line..=place.end.line).filter_map(|line| {
        let range = lines.range(line, 1)?;
        let text = lines.text.get(range)?;
        let inner = text.trim_start_matches([' ', '\t', '>']);
        let is_row = inner.starts_with('|') && inner.trim_end().ends_with('|');
        is_row.then(|| lines.row(line, text.len() - inner.len() + 1))?
    });
    rows.filter(|row| row.cells.len() > 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of the cells of the only table.
    fn check(text: &str, expected: &[&[&str]]) {
        let document = Document::read(text);
        let table = document.tables.first().expect("a table");
        let rows = [&table.header].into_iter().chain(&table.rows);
        let found: Vec<Vec<&str>> = rows
            .map(|row| row.cells.iter().map(|cell| &text[cell.content.clone()]).collect())
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn cells_are_where_the_document_has_them() {
        check("| a | b |\n|---|---|\n| 1 | ? |\n", &[&["a", "b"], &["1", "?"]]);
        check("\u{feff}a|b\r\n-|-\r\n1|**?**\r\n", &[&["a", "b"], &["1", "**?**"]]);
        check(
            "> | 样本数 | b |\n> |---|---|\n> | x\\|y | ？ |\n",
            &[&["样本数", "b"], &["x\\|y", "？"]],
        );
        check("- item\n\n  | a | b |\n  |--|--|\n  | 📈 | ? |\n", &[&["a", "b"], &["📈", "?"]]);
        check(
            "| a | b |\n|--|--|\n| 1 |\n| 1 | 2 | 3 |\n",
            &[&["a", "b"], &["1"], &["1", "2", "3"]],
        );
    }

    #[test]
    fn a_table_knows_its_headings_and_what_it_is_bound_to() {
        let text = "# A\n## B\n# C\n### D\n<!-- reportgen:bind run=x metric=\"exact match\" -->\n| a |\n|---|\n| ? |\n";
        let document = Document::read(text);
        let table = document.tables.first().expect("a table");
        let headings: Vec<&str> = table.headings.iter().map(|above| above.text.as_str()).collect();
        assert_eq!(headings, ["C", "D"]);
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(table.bound, [(5, vec![pair("run", "x"), pair("metric", "exact match")])]);
    }

    #[test]
    fn rows_outside_of_a_table_are_seen_and_tables_in_code_are_not() {
        let text = "1. note\n2. more\n| 400 | ? |\n| 800 | ? |\n\n```\n| a | b |\n|---|---|\n| 1 | ? |\n```\n";
        let document = Document::read(text);
        assert!(document.tables.is_empty());
        let lines: Vec<usize> = document.stray.iter().map(|row| row.line).collect();
        assert_eq!(lines, [3, 4]);
    }
}
