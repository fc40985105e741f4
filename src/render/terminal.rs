//! The short form of a report for a terminal.
//!
//! Owns widths and colours. Draws only signs that every terminal shows two cells wide; the full
//! report is elsewhere.

use std::ops::Range;

use anstyle::{AnsiColor, Style};
use comfy_table::{Cell, CellAlignment, ContentArrangement, LineStyle, Table, presets};
use unicode_width::UnicodeWidthStr as _;

use super::{escape, inline};
use crate::report::block::{self, Align, Block, Icon, Span, Text, Tone};
use crate::report::{Headline, Report};

/// The most characters of one cell.
const LONGEST_CELL: usize = 60;
/// The most characters of the headline and of a paragraph.
const LONGEST_TEXT: usize = 400;

/// What the terminal can show; the caller knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TerminalOptions {
    /// Colours are wanted and understood.
    pub color: bool,
    /// Columns of the terminal; `None` leaves tables as wide as they are.
    pub width: Option<u16>,
}

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
pub fn terminal(report: &Report, options: TerminalOptions) -> String {
    let plain = |text: &Text| inline::plain(&with_even_signs(text), LONGEST_TEXT);
    let result = paint(&plain(&report.headline.result), style(report.headline.tone), options);
    let Headline { trust, next, .. } = &report.headline;
    let headline = [result, plain(trust), plain(next)];
    let blocks = report.brief.iter().filter_map(|part| match part {
        Block::Paragraph { text } => Some(inline::plain(&with_even_signs(text), LONGEST_TEXT)),
        Block::Table { table } => Some(lines(table, options).join("\n")),
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
/// cells wrap.
fn lines(table: &block::Table, options: TerminalOptions) -> Vec<String> {
    let optional = (0..table.columns().len()).filter(|at| is_optional(table, *at)).count();
    let drawn = (0..=optional).map(|left_out| drawn(table, left_out)).find(|drawn| {
        let widest = drawn.lines().map(|line| line.trim_end().width()).max().unwrap_or(0);
        options.width.is_none_or(|width| widest <= usize::from(width))
    });
    let drawn = drawn.unwrap_or_else(|| {
        let mut drawn = self::drawn(table, optional);
        drawn.set_content_arrangement(ContentArrangement::Dynamic);
        if let Some(width) = options.width {
            drawn.set_width(width);
        }
        drawn
    });
    drawn.lines().map(|line| with_tone(line.trim_end(), table, options)).collect()
}

fn is_optional(table: &block::Table, column: usize) -> bool {
    table.columns().get(column).is_some_and(|head| head.optional)
}

/// The table without some of its optional columns: one rule below the heads and nothing else.
fn drawn(table: &block::Table, left_out: usize) -> Table {
    let mut optional = 0;
    let shown: Vec<usize> = (0..table.columns().len())
        .filter(|at| {
            optional += usize::from(is_optional(table, *at));
            !(is_optional(table, *at) && optional <= left_out)
        })
        .collect();
    let rule = presets::NOTHING.header_separator(LineStyle::none().fill('─').junction('─'));
    let mut drawn = Table::new();
    drawn.load_style(rule).set_content_arrangement(ContentArrangement::Disabled);
    let heads = shown.iter().filter_map(|at| table.columns().get(*at));
    drawn.set_header(heads.clone().map(|head| cell_text(&head.title)));
    for row in table.rows() {
        drawn
            .add_row(shown.iter().filter_map(|at| Some(Cell::new(cell_text(&row.get(*at)?.text)))));
    }
    let last = shown.len().saturating_sub(1);
    for ((position, column), head) in drawn.column_iter_mut().enumerate().zip(heads) {
        column.set_padding((0, if position == last { 0 } else { 2 }));
        if head.align == Align::Right {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    drawn
}

/// The text of a cell: no control character reaches the terminal.
fn cell_text(text: &Text) -> String {
    escape::bounded(&inline::plain(&with_even_signs(text), LONGEST_TEXT), LONGEST_CELL)
}

/// The line in the colour of its last cell. That cell stands last, so that its colour cannot disturb
/// the widths of other columns.
fn with_tone(line: &str, table: &block::Table, options: TerminalOptions) -> String {
    let last = table.rows().iter().filter_map(|row| row.last());
    let toned = last.filter_map(|cell| Some((cell_text(&cell.text), cell.tone?)));
    let ending = toned.filter(|(text, _)| line.ends_with(text.as_str()));
    match ending.max_by_key(|(text, _)| text.len()) {
        None => line.to_owned(),
        Some((text, tone)) => {
            let before = line.strip_suffix(text.as_str()).unwrap_or_default();
            format!("{before}{}", paint(&text, style(tone), options))
        }
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

fn paint(text: &str, style: Style, options: TerminalOptions) -> String {
    if options.color { format!("{style}{text}{style:#}") } else { text.to_owned() }
}
