//! Tables of coloured cells as SVG and in signs. What is not known has no colour and no number.

use crate::render::widths::{columns, text_columns, without_middle};
use crate::report::chart::{CellState, GridCell, GridKey, GridPanel};

use super::svg::{Anchor, Canvas, FONT, SMALL_FONT, Svg, WIDTH, text_width};

const CELL: [f64; 2] = [44.0, 28.0];
/// Wider cells take what room there is, up to here.
const WIDEST: f64 = 96.0;
const GAP: f64 = 2.0;
const NAMES: [f64; 2] = [60.0, 220.0];
const HEAD: f64 = 20.0;
const TITLE: f64 = 22.0;
/// Colours on either side of 0.
const SHADES: f64 = 4.0;
/// The fewest and the most columns of a cell in signs.
const SIGNS: [usize; 2] = [5, 16];
const NAME_SIGNS: usize = 28;

/// Shades that a key shows, from the worst on, and the size of each.
const KEY: [&str; 5] = ["b4 decided", "b2", "n0", "a2", "a4 decided"];
const SWATCH: [f64; 2] = [26.0, 14.0];

pub(super) fn svg(panels: &[GridPanel], key: Option<&GridKey>) -> Svg {
    let mut canvas = Canvas::default();
    let most = largest(panels);
    let names = panels.iter().flat_map(|panel| panel.rows.iter().map(|row| row.name.as_str()));
    let corners = panels.iter().map(|panel| panel.corner.as_str());
    let names = names.chain(corners).map(|name| text_width(name, FONT)).fold(0.0, f64::max);
    let names = names.clamp(NAMES[0], NAMES[1]) + 8.0;
    let count = panels.iter().map(|panel| panel.columns.len()).max().unwrap_or(1).max(1) as f64;
    let width = ((WIDTH - names) / count).clamp(CELL[0], WIDEST);
    let total = WIDTH.max(names + width * count);
    let mut top = 0.0;
    for panel in panels {
        if !panel.title.is_empty() {
            canvas.text("group", [0.0, top + 14.0], Anchor::Start, &panel.title);
            top += TITLE;
        }
        canvas.fitted([names - 8.0, top + 13.0], Anchor::End, &panel.corner, names - 8.0);
        for (at, column) in panel.columns.iter().enumerate() {
            let x = names + width * (at as f64 + 0.5);
            canvas.fitted([x, top + 13.0], Anchor::Middle, column, width - 4.0);
        }
        top += HEAD;
        for row in &panel.rows {
            canvas.fitted([names - 8.0, top + 18.0], Anchor::End, &row.name, names - 8.0);
            for (at, cell) in row.cells.iter().enumerate() {
                let place = [names + width * at as f64, top];
                one_cell(&mut canvas, cell, place, [width - GAP, CELL[1] - GAP], most);
            }
            top += CELL[1];
        }
        top += 8.0;
    }
    if let Some(key) = key {
        top += draw_key(&mut canvas, key, [names, top], total);
    }
    canvas.finished(total, top)
}

/// The colours from worse to better with the words for both ends, and what paler ones mean, which has a
/// line of its own where there is no room for it. Returns the height.
fn draw_key(canvas: &mut Canvas, key: &GridKey, [names, top]: [f64; 2], total: f64) -> f64 {
    let base = top + SWATCH[1] - 2.0;
    let mut x = names + text_width(&key.worse, SMALL_FONT) + 6.0;
    canvas.text("tick", [x - 6.0, base], Anchor::End, &key.worse);
    for class in KEY {
        canvas.group(class);
        canvas.rect("cell", [x, top], [SWATCH[0] - GAP, SWATCH[1]]);
        canvas.close();
        x += SWATCH[0];
    }
    let words = format!("{} · {}", key.better, key.note);
    if x + 4.0 + text_width(&words, SMALL_FONT) <= total {
        canvas.text("tick", [x + 4.0, base], Anchor::Start, &words);
        return CELL[1];
    }
    canvas.text("tick", [x + 4.0, base], Anchor::Start, &key.better);
    let start = (total - text_width(&key.note, SMALL_FONT)).clamp(0.0, names);
    canvas.text("tick", [start, base + HEAD], Anchor::Start, &key.note);
    CELL[1] + HEAD
}

/// The value farthest from 0, which the darkest colour stands for.
fn largest(panels: &[GridPanel]) -> f64 {
    let cells = panels.iter().flat_map(|panel| &panel.rows).flat_map(|row| &row.cells);
    cells.filter_map(|cell| cell.value).map(f64::abs).fold(0.0, f64::max)
}

fn one_cell(canvas: &mut Canvas, cell: &GridCell, place: [f64; 2], size: [f64; 2], most: f64) {
    canvas.open(&class(cell, most), &cell.said);
    canvas.rect("cell", place, size);
    let middle = [place[0] + size[0] / 2.0, place[1] + size[1] / 2.0 + SMALL_FONT / 3.0];
    let label = format!("{}{}", cell.label.replace('-', "−"), established(cell));
    canvas.text("value", middle, Anchor::Middle, &label);
    canvas.close();
}

/// The class of a cell: its shade, from `b4` (worst) over `n0` to `a4` (best), or why it has none.
fn class(cell: &GridCell, most: f64) -> String {
    let Some(value) = cell.value else {
        return match cell.state {
            CellState::Failed => "failed".to_owned(),
            _ => "absent".to_owned(),
        };
    };
    // What is not established has the paler half of the colours.
    let shades = if cell.state == CellState::Decided { SHADES } else { SHADES / 2.0 };
    let shade = if most > 0.0 { (value.abs() / most * shades).ceil() } else { 0.0 };
    let good = value * cell.direction;
    let side = match good {
        good if good > 0.0 => 'a',
        good if good < 0.0 => 'b',
        _ => 'n',
    };
    let shade = if side == 'n' { 0.0 } else { shade };
    let firm = if cell.state == CellState::Decided { " decided" } else { "" };
    format!("{side}{shade}{firm}")
}

pub(super) fn lines(panels: &[GridPanel], width: usize) -> Option<Vec<String>> {
    let labels = || panels.iter().flat_map(|panel| &panel.rows).flat_map(|row| &row.cells);
    let heads = panels.iter().flat_map(|panel| &panel.columns).map(|head| text_columns(head));
    let cell = labels().map(|cell| text_columns(&cell.label)).chain(heads).max()?;
    let cell = (cell + 2).clamp(SIGNS[0], SIGNS[1]);
    let names = panels.iter().flat_map(|panel| panel.rows.iter().map(|row| row.name.as_str()));
    let names = names.chain(panels.iter().map(|panel| panel.corner.as_str()));
    let names = names.map(text_columns).max()?.min(NAME_SIGNS);
    let count = panels.iter().map(|panel| panel.columns.len()).max()?;
    let cell = cell.min(width.checked_sub(names)? / count.max(1));
    // Figures are not cut, only what stands above them.
    if cell < SIGNS[0] || labels().any(|label| text_columns(&label.label) + 2 > cell) {
        return None;
    }
    let mut lines = Vec::new();
    for panel in panels {
        lines.extend((!panel.title.is_empty()).then(|| panel.title.clone()));
        let heads = panel.columns.iter().map(|head| format!("{head} "));
        lines.push(line(&panel.corner, heads, names, cell));
        for row in &panel.rows {
            let cells = row.cells.iter().map(|cell| {
                let sign = established(cell);
                format!("{}{}", cell.label, if sign.is_empty() { " " } else { sign })
            });
            lines.push(line(&row.name, cells, names, cell));
        }
    }
    Some(lines)
}

/// The sign behind a figure that something is concluded from.
fn established(cell: &GridCell) -> &'static str {
    if cell.state == CellState::Decided { "*" } else { "" }
}

fn line(name: &str, cells: impl Iterator<Item = String>, names: usize, width: usize) -> String {
    let name = without_middle(name, names as f64, columns);
    let pad = " ".repeat(names.saturating_sub(text_columns(&name)));
    let cells = cells.map(|cell| {
        let cell = without_middle(&cell, width as f64 - 1.0, columns);
        format!("{}{cell}", " ".repeat(width.saturating_sub(text_columns(&cell))))
    });
    format!("{name}{pad}{}", cells.collect::<String>())
}
