//! Tables and figures for a paper, in the languages that papers are set in.
//!
//! Owns which of a report a paper takes, and the geometry of its figures. Each language is one file.

mod latex;
mod typst;

pub(super) use latex::Latex;
pub(super) use typst::Typst;

use super::chart::interval_scale;
use super::inline;
use crate::quantity;
use crate::report::block::{Block, Icon, Span, Text};
use crate::report::chart::{Chart, IntervalPanel, IntervalRow, Marks};
use crate::report::{PaperTable, Report};
use crate::text::Catalogue;

/// Sections about the making of a report; no paper prints their tables.
const NOT_IN_PAPERS: &[&str] = &[
    "comparability",
    "gates",
    "data-files",
    "paired",
    "coverage",
    "setup",
    "training-config",
    "method",
    "diagnostics",
    "reproduce",
];
/// Width of the plot of a figure, and height of a row, in centimetres.
const PLOT: f64 = 7.0;
const ROW: f64 = 0.55;
/// Numbers along a scale.
const TICKS: f64 = 5.0;

/// Tables and figures, in the order of the report.
struct Paper<'a> {
    title: String,
    kind: &'a str,
    tables: Vec<PaperTable>,
    figures: Vec<Figure>,
}

impl<'a> Paper<'a> {
    fn of(report: &'a Report, words: &Catalogue) -> Self {
        let shown = || {
            let sections = report.sections.iter();
            sections.filter(|section| !NOT_IN_PAPERS.contains(&section.id))
        };
        let mut tables: Vec<PaperTable> = if report.paper.is_empty() {
            let of_section = shown().map(|section| (&section.title, &section.blocks));
            of_section.flat_map(|(title, blocks)| tables(title, blocks)).collect()
        } else {
            report.paper.clone()
        };
        tables.retain(|paper| !paper.table.columns().is_empty() && !paper.table.is_empty());
        let charts = shown().flat_map(|section| &section.blocks).filter_map(|block| match block {
            Block::Chart { chart } => figure(chart),
            _ => None,
        });
        let keyed = |figure: Figure| {
            let behind = ["punctuation.full-stop", "punctuation.sentence-gap", "paper.dots"];
            let behind = behind.map(|key| words.get(key)).concat();
            Figure { title: figure.title + &behind, panels: figure.panels }
        };
        Self {
            title: inline::plain(&report.title, 160),
            kind: report.kind,
            tables,
            figures: charts.map(keyed).collect(),
        }
    }
}

/// The tables among blocks, also in folded ones, each below the last heading before it.
fn tables(title: &Text, blocks: &[Block]) -> Vec<PaperTable> {
    let mut caption = title.clone();
    let mut found = Vec::new();
    for block in blocks {
        match block {
            Block::Heading { text } => caption = text.clone(),
            Block::Table { table } => found.push(PaperTable {
                caption: caption.clone(),
                // Bold means something else in a report.
                table: table.clone().with_texts(&Text::without_bold),
                notes: Vec::new(),
            }),
            Block::Details { blocks, .. } => found.extend(tables(&caption, blocks)),
            _ => {}
        }
    }
    found
}

/// A figure of points with intervals; lengths are centimetres from its upper left corner of the plot.
struct Figure {
    title: String,
    panels: Vec<FigurePanel>,
}

struct FigurePanel {
    /// Of the first row.
    top: f64,
    rows: Vec<FigureRow>,
    /// Where nothing differs, where that is on the scale.
    zero: Option<f64>,
    ticks: Vec<(f64, String)>,
    axis: String,
}

struct FigureRow {
    name: String,
    y: f64,
    interval: Option<[f64; 2]>,
    at: f64,
    /// Whether something is concluded from it.
    is_decided: bool,
}

impl FigurePanel {
    /// Of the scale below the rows.
    fn bottom(&self) -> f64 {
        self.top + ROW * self.rows.len() as f64
    }
}

fn figure(chart: &Chart) -> Option<Figure> {
    let Marks::Intervals { panels } = &chart.marks else { return None };
    let mut top = 0.0;
    // One point a row.
    let differences = panels.iter().filter(|panel| panel.axis.is_difference);
    let panels = differences.map(|panel| {
        let drawn = figure_panel(panel, top);
        top = drawn.bottom() + 3.0 * ROW;
        drawn
    });
    let panels: Vec<FigurePanel> = panels.collect();
    (!panels.is_empty()).then(|| Figure { title: chart.title.clone(), panels })
}

fn figure_panel(panel: &IntervalPanel, top: f64) -> FigurePanel {
    let scale = interval_scale(panel, [0.0, PLOT]);
    let row = |(position, row): (usize, &IntervalRow)| {
        let mark = row.marks.last()?;
        Some(FigureRow {
            name: row.name.clone(),
            y: top + ROW * (position as f64 + 0.5),
            interval: mark.interval.map(|ends| ends.map(|end| scale.clamped(end))),
            at: scale.clamped(mark.at),
            is_decided: row.look.is_decided,
        })
    };
    let zero = (panel.axis.is_difference && scale.covers(0.0)).then(|| scale.place(0.0));
    let ticks = scale.ticks(TICKS, panel.axis.is_difference).into_iter();
    FigurePanel {
        top,
        rows: panel.rows.iter().enumerate().filter_map(row).collect(),
        zero,
        ticks: ticks.map(|tick| (scale.place(tick.value), tick.label)).collect(),
        axis: panel.axis.named(),
    }
}

/// Centimetres as both languages read them.
fn length(centimetres: f64) -> String {
    quantity::fixed(centimetres, 3)
}

/// A sign as fonts of papers have it.
fn sign(icon: Icon) -> Option<&'static str> {
    match icon {
        Icon::Up => Some("↑"),
        Icon::Down => Some("↓"),
        Icon::Flat => Some("→"),
        Icon::Good | Icon::Kept => Some("✓"),
        Icon::Bad | Icon::Severe => Some("✗"),
        Icon::Caution => Some("!"),
        Icon::Star => Some("★"),
        Icon::Open | Icon::Running | Icon::Forecast => None,
    }
}

/// A text in pieces, and whether each is bold.
fn pieces(text: &Text) -> Vec<(String, bool)> {
    let piece = |span: &Span| match span {
        Span::Strong(text) => Some((text.clone(), true)),
        Span::Icon(icon) => Some((sign(*icon)?.to_owned(), false)),
        Span::Plain(text) | Span::Code(text) | Span::Report(text) => Some((text.clone(), false)),
    };
    let mut pieces: Vec<(String, bool)> = text.0.iter().filter_map(piece).collect();
    if let Some((first, _)) = pieces.first_mut() {
        *first = first.trim_start().to_owned();
    }
    pieces
}
