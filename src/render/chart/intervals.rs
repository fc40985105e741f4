//! Rows of points with intervals as SVG: names to the left, figures and words to the right, one
//! scale below each panel.

use crate::report::chart::{IntervalMark, IntervalPanel, IntervalRow, MarkShape, RowLook, Side};

use super::lines::{class as arm_class, dot as arm_shape};
use super::scale::{Scale, domain};
use super::svg::{Anchor, Canvas, FONT, SMALL_FONT, Svg, WIDTH, text_width};

const ROW: f64 = 24.0;
const GROUP: f64 = 22.0;
const GAP: f64 = 12.0;
/// Below the rows of a panel: its numbers.
const FOOT: f64 = 26.0;
const BETWEEN: f64 = 10.0;
/// Room for names, and for the plot before names get more of it.
const NAMES: [f64; 2] = [96.0, 240.0];
const PLOT: f64 = 200.0;
/// Half the height of the bars at the ends of an interval.
const END: f64 = 3.5;
/// Places between two numbers along the scale.
const TICKS: f64 = 80.0;

/// Where the columns begin, the same for all panels.
struct Columns {
    names: f64,
    plot: [f64; 2],
    figures: f64,
    words: f64,
}

pub(super) fn svg(panels: &[IntervalPanel]) -> Svg {
    let mut canvas = Canvas::default();
    let columns = columns(panels);
    let mut top = 4.0;
    if let Some(arms) = panels.first().and_then(|panel| panel.arms.as_ref()) {
        top += arm_names(&mut canvas, arms, columns.plot[0]);
    }
    for panel in panels {
        top = panel_rows(&mut canvas, panel, &columns, top) + BETWEEN;
    }
    canvas.finished(WIDTH, top - BETWEEN)
}

fn columns(panels: &[IntervalPanel]) -> Columns {
    let rows = || panels.iter().flat_map(|panel| &panel.rows);
    let widest = |text: fn(&IntervalRow) -> &str, size| {
        rows().map(|row| text_width(text(row), size)).fold(0.0, f64::max)
    };
    let titles = panels.iter().map(|panel| text_width(&panel.axis.named(), SMALL_FONT));
    let names = widest(|row| &row.name, FONT).max(titles.fold(0.0, f64::max));
    let words = WIDTH - widest(|row| &row.word, FONT);
    let figures = words - GAP - widest(|row| &row.figure, SMALL_FONT);
    let names = names.clamp(NAMES[0], NAMES[1].max(figures - 2.0 * GAP - PLOT));
    Columns { names, plot: [names + GAP, figures - GAP], figures, words }
}

/// Every value of a row that its scale has to show.
pub(super) fn reach(row: &IntervalRow) -> Vec<f64> {
    let marks = row.marks.iter();
    let marks = marks.flat_map(|mark| mark.interval.into_iter().flatten().chain([mark.at]));
    marks.chain(row.margin.into_iter().flatten()).collect()
}

pub(in crate::render) fn scale(panel: &IntervalPanel, places: [f64; 2]) -> Scale {
    let reaches: Vec<Vec<f64>> = panel.rows.iter().map(reach).collect();
    Scale::straight(domain(&reaches, panel.axis.is_difference), places)
}

/// Draws a panel from there on, and says where it ends.
fn panel_rows(canvas: &mut Canvas, panel: &IntervalPanel, columns: &Columns, top: f64) -> f64 {
    let scale = scale(panel, columns.plot);
    let groups = panel.rows.iter().filter(|row| row.group.is_some()).count() as f64;
    let bottom = top + groups * GROUP + panel.rows.len() as f64 * ROW;
    let [start, end] = columns.plot;
    let ticks = scale.ticks((end - start) / TICKS, panel.axis.is_difference);
    let mut y = top;
    for row in &panel.rows {
        y += if row.group.is_some() { GROUP } else { 0.0 };
        if let Some(margin) = row.margin {
            let [from, to] = margin.map(|at| scale.clamped(at));
            canvas.rect("margin", [from, y], [to - from, ROW]);
        }
        y += ROW;
    }
    for tick in &ticks {
        let x = scale.place(tick.value);
        let is_zero = panel.axis.is_difference && tick.value == 0.0;
        canvas.line(if is_zero { "zero" } else { "grid" }, [x, top], [x, bottom]);
        let label = tick.label.replace('-', "−");
        canvas.text("tick", [x, bottom + 15.0], Anchor::Middle, &label);
    }
    canvas.text("tick", [columns.names, bottom + 15.0], Anchor::End, &panel.axis.named());
    let mut y = top;
    for row in &panel.rows {
        if let Some(group) = &row.group {
            canvas.line("grid", [0.0, y + 1.0], [WIDTH, y + 1.0]);
            canvas.text("group", [0.0, y + 15.0], Anchor::Start, group);
            y += GROUP;
        }
        one_row(canvas, row, &scale, columns, y + ROW / 2.0);
        y += ROW;
    }
    bottom + FOOT
}

fn one_row(canvas: &mut Canvas, row: &IntervalRow, scale: &Scale, columns: &Columns, y: f64) {
    let text = y + FONT / 3.0;
    canvas.fitted([columns.names, text], Anchor::End, &row.name, columns.names);
    canvas.open(class(row.look), &format!("{}: {}, {}", row.name, row.figure, row.word));
    let of_arms =
        |mark: &&IntervalMark| matches!(mark.shape, MarkShape::Baseline | MarkShape::Candidate);
    let arms: Vec<f64> = row.marks.iter().filter(of_arms).map(|mark| mark.at).collect();
    if let [baseline, candidate] = arms.as_slice() {
        let [from, to] = [baseline, candidate].map(|at| scale.clamped(*at));
        canvas.line("link", [from, y], [to, y]);
    }
    for mark in &row.marks {
        match mark.shape {
            MarkShape::Figure => one_mark(canvas, mark, row.look, scale, y),
            MarkShape::One => canvas.circle("one", [scale.clamped(mark.at), y], 3.5),
            MarkShape::Baseline => arm_dot(canvas, 0, [scale.clamped(mark.at), y]),
            MarkShape::Candidate => arm_dot(canvas, 1, [scale.clamped(mark.at), y]),
        }
    }
    canvas.text("figure", [columns.figures, text], Anchor::Start, &row.figure);
    canvas.text("word", [columns.words, text], Anchor::Start, &row.word);
    canvas.close();
}

/// The shapes of both arms with their names, in a line of so much height.
fn arm_names(canvas: &mut Canvas, arms: &[String; 2], start: f64) -> f64 {
    let room = (WIDTH - start) / 2.0;
    for (series, name) in arms.iter().enumerate() {
        let x = start + room * series as f64;
        arm_dot(canvas, series, [x + 6.0, 8.0]);
        canvas.fitted([x + 18.0, 8.0 + FONT / 3.0], Anchor::Start, name, room - 24.0);
    }
    ROW
}

/// In the colour and the shape of an arm.
fn arm_dot(canvas: &mut Canvas, series: usize, at: [f64; 2]) {
    canvas.group(arm_class(series));
    arm_shape(canvas, series, at);
    canvas.close();
}

fn class(look: RowLook) -> &'static str {
    match (look.side, look.is_decided) {
        (Some(Side::Better), _) => "better",
        (Some(Side::Worse), _) => "worse",
        (_, true) => "same",
        (_, false) if look.is_blocked => "blocked",
        (_, false) => "open",
    }
}

/// Certain differences are filled, open ones are rings, those that nothing is concluded from crosses,
/// averages diamonds.
fn one_mark(canvas: &mut Canvas, mark: &IntervalMark, look: RowLook, scale: &Scale, y: f64) {
    if let Some(ends) = mark.interval {
        let [from, to] = ends.map(|at| scale.clamped(at));
        canvas.line("interval", [from, y], [to, y]);
        for (value, x, outwards) in [(ends[0], from, -1.0), (ends[1], to, 1.0)] {
            if scale.covers(value) {
                canvas.line("interval", [x, y - END], [x, y + END]);
            } else {
                arrow(canvas, [x, y], outwards);
            }
        }
    }
    let x = scale.clamped(mark.at);
    if !scale.covers(mark.at) {
        if mark.interval.is_none() {
            arrow(canvas, [x, y], if mark.at > 0.0 { 1.0 } else { -1.0 });
        }
    } else if look.is_pooled {
        let corners = [[x - 6.0, y], [x, y - 5.0], [x + 6.0, y], [x, y + 5.0]];
        canvas.path("dot", &corners, true);
    } else if look.is_blocked {
        canvas.path("cross", &[[x - 3.5, y - 3.5], [x + 3.5, y + 3.5]], false);
        canvas.path("cross", &[[x - 3.5, y + 3.5], [x + 3.5, y - 3.5]], false);
    } else {
        canvas.circle("dot", [x, y], 4.0);
    }
}

/// Tells that something goes on beyond the scale.
fn arrow(canvas: &mut Canvas, [x, y]: [f64; 2], outwards: f64) {
    let back = x - 6.0 * outwards;
    canvas.path("beyond", &[[x, y], [back, y - 4.0], [back, y + 4.0]], true);
}
