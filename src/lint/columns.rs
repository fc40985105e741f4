//! Columns of figures of a table.

use std::ops::Range;

use super::printed::{Printed, number_at};
use crate::marked::{Cell, Figure, Row, Table, Written};

/// A table whose rows are as long as its head.
pub(super) struct Columns<'t> {
    /// In lower case.
    pub(super) heads: Vec<String>,
    header: &'t Row,
    pub(super) rows: Vec<&'t Row>,
    /// Positions of columns that hold figures and nothing else but what is missing.
    pub(super) figures: Vec<usize>,
}

/// Words of heads of intervals, spreads and tests.
const SPREADS: &[&str] = &[
    "ci",
    "lo",
    "hi",
    "lower",
    "upper",
    "std",
    "stddev",
    "stdev",
    "sd",
    "se",
    "sem",
    "stderr",
    "var",
    "variance",
    "dz",
    "p-value",
    "pval",
    "pvalue",
    "sig",
    "±",
    "标准差",
    "方差",
    "标准误",
    "下限",
    "上限",
];

/// Words of heads of counts, settings and places in an order.
pub(super) const POSITIONS: &[&str] = &[
    "rank",
    "iteration",
    "iterations",
    "iter",
    "iters",
    "step",
    "steps",
    "epoch",
    "epochs",
    "seed",
    "year",
    "count",
    "counts",
    "samples",
    "size",
    "params",
    "layer",
    "layers",
    "shots",
    "id",
    "idx",
    "index",
    "no.",
    "support",
    "pairs",
    "questions",
    "problems",
    "items",
    "排名",
    "参数量",
    "样本数",
    "题数",
    "步数",
    "轮次",
    "序号",
    "年份",
    "编号",
    "数量",
];

/// Letters that stand for such words.
const LETTERS: &[&str] = &["n", "k", "p", "t", "lr"];

impl<'t> Columns<'t> {
    pub(super) fn of(table: &'t Table, text: &str) -> Self {
        let width = table.header.cells.len();
        let rows: Vec<&Row> = table.rows.iter().filter(|row| row.cells.len() == width).collect();
        let head = |cell: &Cell| text.get(cell.content.clone()).unwrap_or_default().to_lowercase();
        let holds_figures = |column: &usize| {
            let cells = || rows.iter().filter_map(|row| row.cells.get(*column));
            let is_open = |cell: &Cell| match &cell.written {
                Written::Text(text) => {
                    text.is_empty() || matches!(text.as_str(), "-" | "–" | "—" | "n/a" | "N/A")
                }
                _ => true,
            };
            cells().all(is_open) && cells().any(|cell| figure(cell).is_some())
        };
        Self {
            heads: table.header.cells.iter().map(head).collect(),
            header: &table.header,
            figures: (0..width).filter(holds_figures).collect(),
            rows,
        }
    }

    /// Whether the name of a row says something of one of these columns, as `x (0-shot MMLU)` does: then
    /// its figure is another one than in the rows beside it.
    pub(super) fn names_one(&self, row: &Row, columns: &[usize]) -> bool {
        let names = row.cells.iter().filter_map(|cell| match &cell.written {
            Written::Text(text) if text.contains(['(', '（']) => Some(text.to_lowercase()),
            _ => None,
        });
        let heads = || columns.iter().filter_map(|column| self.heads.get(*column));
        let word =
            |head: &str| head.split(['(', '（']).next().unwrap_or_default().trim().to_owned();
        names
            .into_iter()
            .any(|name| heads().any(|head| !word(head).is_empty() && has_word(&name, &word(head))))
    }

    /// Where the head of a column stands.
    pub(super) fn head_place(&self, column: usize) -> Option<Range<usize>> {
        self.header.cells.get(column).map(|cell| cell.content.clone())
    }

    /// Whether a column holds results, by its head.
    pub(super) fn is_measured(&self, column: usize) -> bool {
        self.heads.get(column).is_some_and(|head| !is_beside(head))
    }

    /// Whether a column holds whole numbers without a unit.
    pub(super) fn is_whole(&self, column: usize) -> bool {
        self.rows.iter().filter_map(|row| figure_in(row, column)).all(Figure::is_whole)
    }

    /// The only column besides one whose head has one of the words.
    pub(super) fn only(&self, words: &[&str], besides: Option<usize>) -> Option<usize> {
        let mut named = self.heads.iter().enumerate().filter(|(at, head)| {
            besides != Some(*at) && words.iter().any(|word| has_word(head, word))
        });
        named.next().map(|(at, _)| at).filter(|_| named.next().is_none())
    }

    /// Columns of figures whose head has one of the words.
    pub(super) fn named(&self, words: &[&str]) -> Vec<usize> {
        let is_named = |column: &&usize| {
            let head = self.heads.get(**column).map_or("", String::as_str);
            words.iter().any(|word| has_word(head, word))
        };
        self.figures.iter().filter(is_named).copied().collect()
    }
}

/// Whether a head says that its column is of how sure, how many or in which order, and not of what was
/// measured.
fn is_beside(head: &str) -> bool {
    let head = head.trim_matches(['*', '`', ' ', '#']);
    let is = |words: &[&str]| words.iter().any(|word| has_word(head, word));
    // `Step 100` is a column of what was measured there.
    let is_position = is(POSITIONS) && !head.contains(|c: char| c.is_ascii_digit());
    let named = head.split(['_', ' ', '(']).next().unwrap_or_default();
    // Alone these are languages as well: Hindi and Lao.
    let is_language = matches!(head, "hi" | "lo");
    (is(SPREADS) && !is_language) || is_position || head.is_empty() || LETTERS.contains(&named)
}

/// How a line is broken inside of a head.
const BREAKS: [&str; 3] = ["<br>", "<br/>", "<br />"];

/// A head in one line, without emphasis.
pub(super) fn plain_head(head: &str) -> String {
    let head = BREAKS.iter().fold(head.to_owned(), |head, tag| head.replace(tag, " "));
    head.trim_matches(['*', '_', '`', ' ']).replace('`', "")
}

/// Words of rows and heads that say how samples are spread.
pub(super) const OF_SAMPLES: &[&str] = &[
    "min",
    "max",
    "median",
    "std",
    "sd",
    "best",
    "worst",
    "p50",
    "p90",
    "p95",
    "p99",
    "最小",
    "最大",
    "中位",
    "标准差",
];

/// What a row is called, in lower case and without emphasis.
pub(super) fn name_of(row: &Row, text: &str) -> String {
    let name = row.cells.first().and_then(|cell| text.get(cell.content.clone()));
    name.unwrap_or_default().trim_matches(['*', '_', '`', ' ']).to_lowercase()
}

/// Whether a name begins as that of a row of deviations, intervals or quantiles of the rows around it.
pub(super) fn is_spread(name: &str) -> bool {
    let name = name.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '%' | ' '));
    let first = name.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let is = |word: &&str| *word == first || (!word.is_ascii() && name.starts_with(*word));
    first == "σ" || SPREADS.iter().chain(OF_SAMPLES).any(is)
}

/// Whether a head is one of the words, and says no more than its unit.
pub(super) fn is_only(head: &str, words: &[&str]) -> bool {
    let head = head.trim_matches(['*', '`', ' ']).trim_start_matches("# ");
    words.contains(&head.trim_end_matches("(%)").trim_end())
}

/// Whether a text has a word; one of Latin letters must stand by itself.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (text.get(..at), text.get(at + word.len()..));
        let stands_alone = !is_letter(before.and_then(|text| text.chars().next_back()))
            && !is_letter(after.and_then(|text| text.chars().next()));
        stands_alone || !word.is_ascii()
    })
}

/// The bytes of the number of a cell with its sign.
pub(super) fn number_place(cell: &Cell, text: &str) -> Range<usize> {
    let content = text.get(cell.content.clone()).unwrap_or_default();
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '\u{2212}');
    let number = content.find(is_number).and_then(|at| number_at(content, at));
    let place = number.map_or(0..content.len(), |number| number.place);
    cell.content.start + place.start..cell.content.start + place.end
}

/// Another value in place of a figure: with its decimals, signed where it is, with its sign of minus.
pub(super) fn rewritten(figure: &Figure, value: f64) -> String {
    let text = Printed::from(figure).like(value);
    let is_signed = figure.has_plus || figure.value < 0.0;
    if is_signed && value > 0.0 {
        format!("+{text}")
    } else if figure.true_minus {
        text.replace('-', "\u{2212}")
    } else {
        text
    }
}

pub(super) fn figure(cell: &Cell) -> Option<&Figure> {
    match &cell.written {
        Written::Figure(figure) => Some(figure),
        _ => None,
    }
}

/// The figure of a row in a column, unless it has a note that may say what else it is.
pub(super) fn figure_in(row: &Row, column: usize) -> Option<&Figure> {
    row.cells.get(column).filter(|cell| !cell.is_noted).and_then(figure)
}

pub(super) fn printed_in(row: &Row, column: usize) -> Option<Printed> {
    figure_in(row, column).map(Printed::from)
}
