//! The short form of a report for a terminal.
//!
//! Owns widths and colours. Draws only signs that every terminal shows two cells wide; the full
//! report is elsewhere.

use std::ops::Range;

use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, presets};
use unicode_width::UnicodeWidthStr;

use super::terminal_colours::{TerminalOptions, paint};
use super::widths::{columns, without_middle};
use super::{chart, escape, inline, terminal_samples};
use crate::report::block::{self, Align, Block, Icon, Span, Text, Tone};
use crate::report::{Headline, Report};
use crate::text::Catalogue;

/// The most characters of one cell.
const LONGEST_CELL: usize = 60;
/// The most characters of the headline and of a paragraph.
const LONGEST_TEXT: usize = 400;

/// A table without a report around it, ending in one newline: one row of cells below the other,
/// text to the left and `numbers`, a range of columns, to the right.
pub fn plain_table(heads: &[&str], rows: &[Vec<String>], numbers: Range<usize>) -> String {
    let mut table = block::Table::of_rows(rows);
    for (position, head) in heads.iter().enumerate() {
        let align = if numbers.contains(&position) { Align::Right } else { Align::Left };
        table = table.column(*head, align, |row| row[position].as_str());
    }
    let lines = lines(&table.table(), TerminalOptions::default());
    lines.into_iter().map(|line| line + "\n").collect()
}

/// Headline and short form of a report, ending in one newline.
pub fn terminal(report: &Report, words: &Catalogue, options: TerminalOptions) -> String {
    let plain = |text: &Text| inline::plain(&with_even_signs(text), LONGEST_TEXT);
    let result = paint(&plain(&report.headline.result), style(report.headline.tone), options);
    let Headline { trust, next, .. } = &report.headline;
    let headline = [result, plain(trust), plain(next)];
    let blocks = report.brief.iter().filter_map(|part| match part {
        Block::Paragraph { text } => Some(inline::plain(&with_even_signs(text), LONGEST_TEXT)),
        Block::Table { table } => Some(lines(table, options).join("\n")),
        Block::Samples { cards, .. } => Some(terminal_samples::cards(cards, options)),
        Block::Chart { chart } => {
            let width = options.width.map_or(chart::TEXT_WIDTH, usize::from);
            let drawn = chart::text(chart, width.min(chart::TEXT_WIDTH), words)?;
            Some(escape::clean_lines(&drawn))
        }
        _ => None,
    });
    let parts = headline.into_iter().chain(blocks).filter(|part| !part.is_empty());
    format!("{}\n", parts.collect::<Vec<_>>().join("\n\n"))
}

/// Without the signs that need U+FE0F, whose width terminals disagree about.
fn with_even_signs(text: &Text) -> Text {
    let spans = text.0.iter().filter_map(|span| match span {
        Span::Icon(Icon::Up) => Some(Span::Plain("🔺".to_owned())),
        Span::Icon(Icon::Down) => Some(Span::Plain("🔻".to_owned())),
        Span::Icon(Icon::Flat | Icon::Caution) => None,
        other => Some(other.clone()),
    });
    Text(spans.collect())
}

/// The lines of a table. Where it is too wide, optional columns are left out, leftmost first; then
/// heads are broken at spaces, and long texts lose their middle. No row is broken.
fn lines(table: &block::Table, options: TerminalOptions) -> Vec<String> {
    let optional = table.columns().iter().filter(|column| column.optional).count();
    let fits =
        |drawn: &Drawn| options.width.is_none_or(|width| drawn.width() <= usize::from(width));
    let whole = (0..=optional).map(|left_out| Drawn::new(table, left_out, GAP));
    let broken = whole.clone().map(Drawn::with_broken_heads);
    let drawn = whole.chain(broken).find(fits).unwrap_or_else(|| {
        let close = Drawn::new(table, optional, NARROW_GAP).with_broken_heads();
        let width = options.width.map_or(close.width(), usize::from);
        close.shortened(width)
    });
    let heads = drawn.heads.iter().map(|head| head.lines().count().max(1)).max().unwrap_or(0);
    let lines = drawn.lines();
    let toned = |(at, line): (usize, &String)| {
        let row = at.checked_sub(heads + 1);
        let end = row.and_then(|row| Some((drawn.rows.get(row)?.last()?, drawn.tones.get(row)?)));
        match end {
            Some((text, Some(tone))) => painted_end(line, text, *tone, options),
            _ => line.clone(),
        }
    };
    lines.iter().enumerate().map(toned).collect()
}

/// Cells between columns, and where there is little room.
const GAP: usize = 3;
const NARROW_GAP: usize = 2;
/// A text is not made shorter than that.
const SHORTEST_CELL: usize = 12;

/// A table of plain texts, as it is drawn.
struct Drawn {
    heads: Vec<String>,
    rows: Vec<Vec<String>>,
    /// Of each row, the tone of its last cell. It stands last, so that its colour cannot disturb the
    /// widths of other columns.
    tones: Vec<Option<Tone>>,
    is_left: Vec<bool>,
    gap: usize,
}

impl Drawn {
    /// The table without some of its optional columns.
    fn new(table: &block::Table, left_out: usize, gap: usize) -> Self {
        let mut optional = 0;
        let mut is_shown = |column: &block::ColumnHead| {
            optional += usize::from(column.optional);
            !column.optional || optional > left_out
        };
        let columns = table.columns().iter().enumerate();
        let shown: Vec<(usize, &block::ColumnHead)> =
            columns.filter(|(_, column)| is_shown(column)).collect();
        let row = |row: &Vec<block::Cell>| {
            let cells = shown.iter().map(|(at, _)| row.get(*at));
            cells.map(|cell| cell.map_or_else(String::new, |cell| cell_text(&cell.text))).collect()
        };
        Self {
            heads: shown.iter().map(|(_, column)| cell_text(&column.title)).collect(),
            rows: table.rows().iter().map(row).collect(),
            tones: table.rows().iter().map(|row| row.last()?.tone).collect(),
            is_left: shown.iter().map(|(_, column)| column.align != Align::Right).collect(),
            gap,
        }
    }

    /// The widest line of a column's head, and of its cells.
    fn widths(&self, column: usize) -> [usize; 2] {
        let head = self.heads.get(column).into_iter().flat_map(|head| head.lines());
        let cells = self.rows.iter().filter_map(|row| row.get(column)).map(String::as_str);
        [head.map(UnicodeWidthStr::width).max(), cells.map(UnicodeWidthStr::width).max()]
            .map(Option::unwrap_or_default)
    }

    fn column_widths(&self) -> Vec<usize> {
        let widths = (0..self.heads.len()).map(|column| self.widths(column));
        widths.map(|[head, cells]| head.max(cells)).collect()
    }

    fn width(&self) -> usize {
        self.column_widths().iter().sum::<usize>() + self.gap * self.heads.len().saturating_sub(1)
    }

    /// With heads over several lines where they are wider than what stands below them.
    fn with_broken_heads(mut self) -> Self {
        for column in 0..self.heads.len() {
            let [head, cells] = self.widths(column);
            if head > cells
                && let Some(text) = self.heads.get_mut(column)
            {
                *text = text.replace(' ', "\n").replace('（', "\n（");
            }
        }
        self
    }

    /// So that it fits: texts of the first column leave out their middle, then heads over numbers,
    /// then other texts; numbers lose what stands in brackets behind them and stay whole; then all
    /// texts are cut further.
    fn shortened(mut self, width: usize) -> Self {
        let columns = 0..self.heads.len();
        let (text, number) = (true, false);
        self.limit_columns(0..1, text, SHORTEST_CELL, width);
        self.limit_columns(columns.clone(), number, SHORTEST_CELL / 2, width);
        self.limit_columns(columns.clone(), text, SHORTEST_CELL, width);
        for column in columns.clone() {
            if self.width() > width && self.is_left.get(column) == Some(&false) {
                self.leave_out_brackets(column);
            }
        }
        self.limit_columns(columns.clone(), number, SHORTEST_CELL / 2, width);
        self.limit_columns(columns, text, SHORTEST_CELL / 2, width);
        if self.width() > width {
            self.gap = 1;
        }
        self
    }

    /// Makes columns of texts, or of numbers, as narrow as is needed and at least so wide. Numbers
    /// themselves are not cut.
    fn limit_columns(&mut self, columns: Range<usize>, texts: bool, least: usize, width: usize) {
        for column in columns {
            let excess = self.width().saturating_sub(width);
            let [head, cells] = self.widths(column);
            let least = if texts { least } else { least.max(cells) };
            let now = head.max(cells);
            if excess > 0 && now > least && self.is_left.get(column) == Some(&texts) {
                self.limit(column, now.saturating_sub(excess).max(least));
            }
        }
    }

    fn leave_out_brackets(&mut self, column: usize) {
        for cell in self.rows.iter_mut().filter_map(|row| row.get_mut(column)) {
            let number = cell.split_once(" (").map_or(cell.as_str(), |(number, _)| number);
            // Of an arm with a figure of its own the one that is compared stands last.
            let compared = number.rsplit(['；', ';']).next().unwrap_or(number).trim_start();
            *cell = compared.to_owned();
        }
    }

    /// Nothing in a column is wider than that.
    fn limit(&mut self, column: usize, most: usize) {
        if let Some(head) = self.heads.get_mut(column) {
            let lines = head.lines().map(|line| without_middle(line, most as f64, columns));
            *head = lines.collect::<Vec<_>>().join("\n");
        }
        for cell in self.rows.iter_mut().filter_map(|row| row.get_mut(column)) {
            *cell = without_middle(cell, most as f64, columns);
        }
    }

    /// One rule below the heads and nothing else.
    fn lines(&self) -> Vec<String> {
        let rule = presets::NOTHING.header_separator(LineStyle::none().fill('─').junction('─'));
        let mut table = Table::new();
        table.load_style(rule).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(&self.heads);
        for row in &self.rows {
            table.add_row(row);
        }
        let last = self.heads.len().saturating_sub(1);
        for ((position, column), is_left) in table.column_iter_mut().enumerate().zip(&self.is_left)
        {
            let padding = u16::try_from(self.gap - 1).unwrap_or_default();
            column.set_padding((0, if position == last { 0 } else { padding }));
            if !is_left {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        table.lines().map(|line| line.trim_end().to_owned()).collect()
    }
}

/// The text of a cell: no control character reaches the terminal.
fn cell_text(text: &Text) -> String {
    escape::bounded(&inline::plain(&with_even_signs(text), LONGEST_TEXT), LONGEST_CELL)
}

/// The line with its last cell in the colour of its tone.
fn painted_end(line: &str, text: &str, tone: Tone, options: TerminalOptions) -> String {
    match line.strip_suffix(text) {
        None => line.to_owned(),
        Some(before) => format!("{before}{}", paint(text, style(tone), options)),
    }
}

fn style(tone: Tone) -> Style {
    match tone {
        Tone::Good => AnsiColor::Green.on_default(),
        Tone::Danger => AnsiColor::Red.on_default().bold(),
        Tone::Warning => AnsiColor::Yellow.on_default(),
        Tone::Note => Style::new().dimmed(),
    }
}
