//! A row of a table as a line of text: where its cells are, and what stands in them.

use std::ops::Range;

/// One cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// The bytes between its bars.
    pub space: Range<usize>,
    /// Those without the space around them.
    pub content: Range<usize>,
    pub written: Written,
    /// A star stands behind it that ends no emphasis: it has a note of its own.
    pub is_noted: bool,
}

/// What stands in a cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Written {
    /// `?`, whatever emphasis is around it; the bytes of the sign.
    Asked(Range<usize>),
    /// `?/16`: the bytes of the sign, and the number behind the bar.
    AskedOf(Range<usize>, u64),
    /// `? ± ?`: the bytes of both signs.
    AskedSpread([Range<usize>; 2]),
    /// `?%`, `? (?/16)` or `?/16 (?%)`: the bytes of all of it.
    AskedParts(Range<usize>),
    /// Several `?`, or one in a form that is not known: `?†`, `? of 1319`.
    AskedOtherwise,
    Figure(Figure),
    Text(String),
}

/// What a `?` among others asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedPart {
    Share,
    /// How many are right, with a stroke behind it.
    Right,
    /// Of how many, behind the stroke.
    All,
}

/// A number as it is written.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    pub value: f64,
    /// Sign, digits and point alone.
    pub number: String,
    pub suffix: String,
    /// U+2212 in place of the hyphen.
    pub true_minus: bool,
    pub has_plus: bool,
    pub bold: bool,
}

impl Figure {
    /// The figure that a text is.
    pub fn read(text: &str) -> Option<Self> {
        figure(text, plain(text))
    }

    /// Its digits with the sign behind them, without emphasis and a plus.
    pub fn written(&self) -> String {
        format!("{}{}", self.number, self.suffix)
    }

    /// Whether it may be a share of 1: a bare number of at most 1.
    pub fn may_be_fraction(&self) -> bool {
        self.suffix.is_empty() && self.value.abs() <= 1.0
    }

    /// Whether the sign behind it says that it is a share, or a difference of two.
    pub fn is_share(&self) -> bool {
        matches!(self.suffix.trim(), "%" | "pp")
    }

    /// Whether it may be a count.
    pub fn is_whole(&self) -> bool {
        self.decimals() == 0 && !self.is_share()
    }

    pub fn decimals(&self) -> usize {
        self.number.split_once('.').map_or(0, |(_, decimals)| decimals.len())
    }
}

/// Words that stand where a result is to come.
const ASKED: &[&str] = &["?", "？", "待填充", "待补充"];
/// What may stand between a figure and how far it may be off.
const SPREAD_SIGNS: &[&str] = &["$\\pm$", "±", "+/-"];
/// What may follow a number that is a figure.
const SUFFIXES: &[&str] = &["", "%", "pp", "s"];

/// The cells of a row that begins at that byte: bars with a backslash divide nothing.
pub(super) fn split_row(line: &str, start: usize) -> Vec<Cell> {
    let end = line.trim_end().len();
    let begin = line.len() - line.trim_start().len();
    let bytes = line.as_bytes();
    let (mut cells, mut from, mut at) = (Vec::new(), begin, begin);
    if bytes.get(at) == Some(&b'|') {
        (from, at) = (at + 1, at + 1);
    }
    while at < end {
        match bytes.get(at) {
            Some(b'\\') if bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation) => at += 1,
            Some(b'|') => {
                cells.push(cell(line, start, from..at));
                from = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    if from < end {
        cells.push(cell(line, start, from..end));
    }
    cells
}

fn cell(line: &str, start: usize, space: Range<usize>) -> Cell {
    let text = line.get(space.clone()).unwrap_or_default();
    let before = text.len() - text.trim_start().len();
    let content = text.trim();
    let begin = start + space.start + before;
    Cell {
        written: written(content, begin),
        is_noted: is_noted(content),
        space: start + space.start..start + space.end,
        content: begin..begin + content.len(),
    }
}

fn written(content: &str, start: usize) -> Written {
    let inner = plain(content);
    let begin = start + content.find(inner).unwrap_or_default();
    let sign = |text: &str| begin..begin + text.len();
    if ASKED.contains(&inner) {
        return Written::Asked(sign(inner));
    }
    if let Some((asked, of)) = inner.split_once(['/', '／'])
        && ASKED.contains(&asked.trim())
        && let Some(Ok(of)) = without_thousands(of.trim()).map(|of| of.parse())
    {
        return Written::AskedOf(sign(asked.trim()), of);
    }
    if let Some(sides) = split_spread(inner)
        && sides.iter().all(|side| inner.get(side.clone()).is_some_and(|at| ASKED.contains(&at)))
    {
        return Written::AskedSpread(sides.map(|side| begin + side.start..begin + side.end));
    }
    let parts: Vec<AskedPart> = asked_parts(inner).into_iter().map(|(_, part)| part).collect();
    let has_once = |part| parts.iter().filter(|own| **own == part).count() <= 1;
    if !parts.is_empty() && [AskedPart::Share, AskedPart::Right].into_iter().all(has_once) {
        return Written::AskedParts(sign(inner));
    }
    if !parts.is_empty() || asks_otherwise(inner) {
        return Written::AskedOtherwise;
    }
    // A star behind a stroke belongs to the words.
    let words = if inner.ends_with('\\') { content } else { inner };
    figure(content, inner).map_or_else(|| Written::Text(words.to_owned()), Written::Figure)
}

/// The bytes of the two sides of `52.3 ± 1.4` or `52.3 (± 1.4)`.
pub fn split_spread(text: &str) -> Option<[Range<usize>; 2]> {
    let (at, sign) = SPREAD_SIGNS.iter().find_map(|sign| Some((text.find(*sign)?, sign)))?;
    let before = text.get(..at)?.trim_end();
    let inner = before.strip_suffix('(').zip(text.strip_suffix(')'));
    let (figure, text) = inner.unwrap_or((before, text));
    let spread = text.get(at + sign.len()..)?.trim_start();
    Some([0..figure.trim_end().len(), text.len() - spread.len()..text.len()])
}

/// The bytes of the two sides of `52.3% (690/1319)` or `690/1319 (52.3%)`.
pub fn split_counts(text: &str) -> Option<[Range<usize>; 2]> {
    let (open, bracket) = text.char_indices().find(|(_, c)| matches!(c, '(' | '（' | '['))?;
    let first = text.get(..open)?.trim_end();
    let inner = text.strip_suffix([')', '）', ']'])?;
    let start = open + bracket.len_utf8();
    let second = inner.get(start..)?;
    let are_counts = |side: &str| side.matches('/').count() == 1;
    (are_counts(first) != are_counts(second)).then_some([0..first.len(), start..inner.len()])
}

/// Each `?` of a text in which nothing else stands but the number of samples and signs: the bytes, and what
/// it asks for.
pub fn asked_parts(text: &str) -> Vec<(Range<usize>, AskedPart)> {
    const SIGNS: &str = "()（）[]*_`=,，;；%％+";
    let (mut parts, mut rest) = (Vec::new(), text);
    let is_stroke = |c: char| matches!(c, '/' | '／');
    while let Some(next) = rest.chars().next() {
        let at = text.len() - rest.len();
        let Some(sign) = ASKED.iter().find(|sign| rest.starts_with(**sign)) else {
            if !next.is_whitespace() && !SIGNS.contains(next) {
                return Vec::new();
            }
            rest = rest.get(next.len_utf8()..).unwrap_or_default();
            continue;
        };
        rest = rest.get(sign.len()..).unwrap_or_default();
        let Some(behind) = rest.trim_start().strip_prefix(is_stroke) else {
            parts.push((at..at + sign.len(), AskedPart::Share));
            rest = rest.trim_start().strip_prefix("pp").unwrap_or(rest);
            continue;
        };
        parts.push((at..at + sign.len(), AskedPart::Right));
        let behind = behind.trim_start();
        let start = text.len() - behind.len();
        if let Some(sign) = ASKED.iter().find(|sign| behind.starts_with(**sign)) {
            parts.push((start..start + sign.len(), AskedPart::All));
            rest = behind.get(sign.len()..).unwrap_or_default();
        } else {
            rest = behind.trim_start_matches(|c: char| c.is_ascii_digit() || c == ',');
            let digits = behind.get(..behind.len() - rest.len()).unwrap_or_default();
            if digits.is_empty() || without_thousands(digits).is_none() {
                return Vec::new();
            }
        }
    }
    parts
}

/// Whether a short text has a `?` in the place of a figure: at its begin, or behind a sign or a space.
fn asks_otherwise(text: &str) -> bool {
    const MOST_WORDS: usize = 3;
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let stands_for_figure = |(at, _): (usize, &str)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        before.is_none_or(|c| !c.is_alphanumeric() && !"?？!！/=&".contains(c))
    };
    words.count() <= MOST_WORDS
        && ASKED.iter().any(|sign| text.match_indices(sign).any(stands_for_figure))
}

/// A text without the emphasis around it.
fn plain(content: &str) -> &str {
    content.trim_matches(['*', '_', '`']).trim()
}

/// Digits without the commas between thousands; `None` where a comma stands for something else.
pub fn without_thousands(digits: &str) -> Option<String> {
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let mut groups = whole.split(',');
    let first = groups.next().is_none_or(|first| whole == first || (1..=3).contains(&first.len()));
    let is_whole = first && groups.all(|group| group.len() == 3) && !decimals.contains(',');
    is_whole.then(|| digits.replace(',', ""))
}

fn figure(content: &str, inner: &str) -> Option<Figure> {
    let true_minus = inner.starts_with('\u{2212}');
    let unsigned = inner.strip_prefix(['+', '-', '\u{2212}']).unwrap_or(inner);
    let digits = unsigned.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
    let (digits, suffix) = unsigned.split_at(digits.unwrap_or(unsigned.len()));
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit())
        && !digits.ends_with(['.', ','])
        && SUFFIXES.contains(&suffix.trim());
    let minus = if true_minus || inner.starts_with('-') { "-" } else { "" };
    let number = format!("{minus}{}", without_thousands(digits)?);
    let value = number.parse().ok().filter(|_| is_number)?;
    Some(Figure {
        value,
        number,
        suffix: suffix.to_owned(),
        true_minus,
        has_plus: inner.starts_with('+'),
        bold: content.starts_with("**") || content.starts_with("__"),
    })
}

/// Whether more stars stand behind a text than before it.
fn is_noted(content: &str) -> bool {
    let before = content.len() - content.trim_start_matches('*').len();
    content.len() - content.trim_end_matches('*').len() > before
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &[&str]) {
        let cells = split_row(line, 0);
        let found: Vec<&str> = cells.iter().map(|cell| &line[cell.content.clone()]).collect();
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn bars_divide_where_no_backslash_stands_before_them() {
        check("| a | b |", &["a", "b"]);
        check("a|b", &["a", "b"]);
        check("| a \\| b | `c\\|d` |", &["a \\| b", "`c\\|d`"]);
        check("| a \\\\| b |", &["a \\\\", "b"]);
        check("|  |?|", &["", "?"]);
        check("  | ？ |  ", &["？"]);
    }

    #[test]
    fn a_cell_asks_states_a_figure_or_says_something_else() {
        let only = |line: &str| split_row(line, 10).remove(0).written;
        assert_eq!(only("| **?** |"), Written::Asked(14..15));
        assert_eq!(only("| ?/16 |"), Written::AskedOf(12..13, 16));
        assert_eq!(only("| ? ± ? |"), Written::AskedSpread([12..13, 17..18]));
        assert_eq!(only("| **?+/-?** |"), Written::AskedSpread([14..15, 18..19]));
        assert_eq!(only("| ? (± ?) |"), Written::AskedSpread([12..13, 18..19]));
        for otherwise in
            ["? ?", "? (3/16)", "?†", "?[^1]", "? of 1319", "<b>?</b>", "? (+?)", "? (50.0)"]
        {
            assert_eq!(only(&format!("| {otherwise} |")), Written::AskedOtherwise, "{otherwise}");
        }
        for asked in ["+?", "? pp", "?% (?/1,319)"] {
            assert!(matches!(only(&format!("| {asked} |")), Written::AskedParts(_)), "{asked}");
        }
        assert_eq!(only("| ?/1,319 |"), Written::AskedOf(12..13, 1319));
        assert_eq!(only("| **? (?/16)** |"), Written::AskedParts(14..22));
        assert_eq!(only("| **?** (?/16) |"), Written::AskedParts(14..24));
        assert_eq!(only("| ?/? (?%) |"), Written::AskedParts(12..20));
        assert_eq!(only("| ?% |"), Written::AskedParts(12..14));
        assert_eq!(only("| ?/16 = ?% |"), Written::AskedParts(12..21));
        assert_eq!(only("| ? (?%) |"), Written::AskedOtherwise);
        assert!(matches!(only("| why? |"), Written::Text(_)));
        assert!(matches!(only("| 3 of 4 |"), Written::Text(_)));
        let Written::Figure(figure) = only("| **\u{2212}1,200.50 pp** |") else {
            panic!("a figure")
        };
        assert_eq!((figure.value, figure.decimals()), (-1200.5, 2));
        assert!(figure.bold && figure.true_minus && !figure.has_plus);
        assert_eq!(figure.suffix, " pp");
        for no_figure in ["1,2", "12,34", "1,2345", "52,3%", "1.5,000"] {
            assert_eq!(Figure::read(no_figure), None, "{no_figure}");
        }
        for (line, expected) in
            [("| 22.0* |", true), ("| *22.0* |", false), ("| **22.0*** |", true)]
        {
            assert_eq!(split_row(line, 0).remove(0).is_noted, expected, "{line}");
        }
    }
}
