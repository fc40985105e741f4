//! Typst: tables as `figure(table(…))`, figures of lines and circles. Texts stand in strings, in which
//! nothing is markup.

use std::fmt::Write as _;

use super::{Figure, FigurePanel, PLOT, Paper, length, pieces};
use crate::render::escape::clean;
use crate::render::widths;
use crate::render::{Format, RenderError, RenderOptions};
use crate::report::block::{Align, Cell, ColumnHead, Table, Text};
use crate::report::{PaperTable, Report};

pub(in crate::render) struct Typst;

/// Room for names left of a plot, and for the numbers below a panel, in centimetres.
const NAMES: f64 = 6.0;
const FOOT: f64 = 1.0;
/// The width of a page of A4 with Typst's margins, in units of its text of 11 points, and what stands between
/// the texts of two columns.
const PAGE: f64 = 41.0;
const INSET: f64 = 1.0;
/// Smaller texts are not read.
const SMALLEST: f64 = 0.5;
/// Half the height of a line of text, and the radius of a point.
const HALF_TEXT: f64 = 0.14;
const RADIUS: f64 = 0.08;

impl Format for Typst {
    fn name(&self) -> &'static str {
        "typst"
    }

    fn extension(&self) -> &'static str {
        "typ"
    }

    fn signature(&self) -> Option<&'static str> {
        Some("// reportgen ")
    }

    fn render(&self, report: &Report, options: &RenderOptions) -> Result<String, RenderError> {
        let paper = Paper::of(report, options.catalogues.of(report.lang));
        let mut out = format!("// reportgen {}: {}\n", options.label(paper.kind), paper.title);
        for one in &paper.figures {
            figure(&mut out, one);
        }
        for one in &paper.tables {
            table(&mut out, one);
        }
        Ok(out)
    }
}

fn table(out: &mut String, paper: &PaperTable) {
    let columns = paper.table.columns();
    let aligned = columns.iter().map(|head| match head.align {
        Align::Left => "left",
        Align::Right => "right",
        Align::Center => "center",
    });
    let heads: Vec<String> = columns.iter().map(|head| inline(&head.title)).collect();
    let line = |row: &Vec<Cell>| {
        let cells: Vec<String> = row.iter().map(|cell| inline(&cell.text)).collect();
        format!("    {},\n", cells.join(", "))
    };
    let lines: String = paper.table.rows().iter().map(line).collect();
    let notes = paper.notes.join(" ");
    let caption = inline(&paper.caption);
    let _infallible = write!(
        out,
        "\n#[\n#show figure: set block(breakable: true)\n#figure(\n  caption: {caption},\n  kind: table,\n  [#[{}#table(\n    columns: {},\n    \
         align: ({},),\n    stroke: none,\n    table.hline(),\n    table.header({}),\n    \
         table.hline(stroke: 0.5pt),\n{lines}    table.hline(),\n  )]\n  {}],\n)\n]\n",
        smaller(&paper.table),
        columns.len(),
        aligned.collect::<Vec<_>>().join(", "),
        heads.join(", "),
        if notes.is_empty() {
            String::new()
        } else {
            format!("#text(size: 0.8em, {})", string(&notes))
        },
    );
}

/// A smaller size of texts where a table would be wider than a page: columns that have no room run into each
/// other.
fn smaller(table: &Table) -> String {
    let wide = |text: &Text| {
        let all: String = pieces(text).into_iter().map(|(text, _)| text).collect();
        widths::width(&all, widths::em)
    };
    let widest = |(at, head): (usize, &ColumnHead)| {
        let cells = table.rows().iter().filter_map(|row| row.get(at));
        cells.map(|cell| wide(&cell.text)).fold(wide(&head.title), f64::max) + INSET
    };
    let needed: f64 = table.columns().iter().enumerate().map(widest).sum();
    let size = (PAGE / needed).max(SMALLEST);
    if size < 1.0 { format!("#set text(size: {}em); ", length(size)) } else { String::new() }
}

fn inline(text: &Text) -> String {
    let piece = |(text, is_bold): &(String, bool)| {
        let text = string(text);
        if *is_bold { format!("strong({text})") } else { format!("[#{text}]") }
    };
    let pieces: Vec<String> = pieces(text).iter().map(piece).collect();
    if pieces.is_empty() { "[]".to_owned() } else { pieces.join(" + ") }
}

/// A string literal, with signs of numbers as typesetters write them.
fn string(text: &str) -> String {
    let mut out = String::from("\"");
    let mut before = ' ';
    for c in clean(text).chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '-' if matches!(before, ' ' | '(') => out.push('−'),
            c => out.push(c),
        }
        before = c;
    }
    out.push('"');
    out
}

fn figure(out: &mut String, figure: &Figure) {
    let width = length(NAMES + PLOT + 0.5);
    let height = length(figure.panels.last().map_or(0.0, |panel| panel.bottom() + FOOT));
    let title = string(&figure.title);
    let _infallible = writeln!(
        out,
        "\n#figure(\n  caption: {title},\n  kind: image,\n  box(width: {width}cm, height: {height}cm, \
         align(left, {{\n    set text(size: 8pt)"
    );
    for one in &figure.panels {
        panel(out, one);
    }
    out.push_str("  })),\n)\n");
}

fn panel(out: &mut String, panel: &FigurePanel) {
    let (top, bottom) = (panel.top, panel.bottom());
    let mut add = |[x, y]: [f64; 2], what: String| {
        let (x, y) = (length(x + NAMES), length(y));
        let _infallible = writeln!(out, "    place(dx: {x}cm, dy: {y}cm, {what})");
    };
    let line = |[across, down]: [f64; 2], stroke: &str| {
        format!("line(end: ({}cm, {}cm), stroke: {stroke})", length(across), length(down))
    };
    let text = |width: f64, side: &str, text: &str| {
        format!("box(width: {}cm, align({side}, {}))", length(width), string(text))
    };
    for (x, label) in &panel.ticks {
        add([*x, top], line([0.0, bottom - top], "0.4pt + luma(200)"));
        add([x - 1.0, bottom + 0.1], text(2.0, "center", label));
    }
    if let Some(x) = panel.zero {
        add([x, top], line([0.0, bottom - top], "0.8pt"));
    }
    let names = NAMES - 0.2;
    add([-NAMES, bottom + 0.1], text(names, "right", &panel.axis));
    for row in &panel.rows {
        add([-NAMES, row.y - HALF_TEXT], text(names, "right", &row.name));
        if let Some([from, to]) = row.interval {
            add([from, row.y], line([to - from, 0.0], "0.8pt"));
        }
        let fill = if row.is_decided { "black" } else { "white" };
        let dot = format!("circle(radius: {}cm, fill: {fill}, stroke: 0.8pt)", length(RADIUS));
        add([row.at - RADIUS, row.y - RADIUS], dot);
    }
}
