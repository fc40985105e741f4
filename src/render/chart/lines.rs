//! Lines over one axis as SVG: both arms on one plot, told apart by dashes and shapes of points as well
//! as by colour.

use crate::quantity;
use crate::report::chart::{
    Axis, ChartEvent, ChartLine, IntervalMark, IntervalPanel, IntervalRow, LineChart, LineWeight,
    RowLook, ends,
};

use super::scale::{Scale, domain};
use super::svg::{Anchor, Canvas, FONT, SMALL_FONT, Svg, text_width};

/// Two stand beside each other where a page has room.
pub(super) const WIDTH: f64 = 480.0;
const PLOT: f64 = 170.0;
const LEGEND: f64 = 20.0;
const LABEL: f64 = 14.0;
const FOOT: f64 = 32.0;
/// Points beyond an edge that are so near each other are marked once.
const APART: f64 = 8.0;
const RING: f64 = 5.0;
/// Room for the first point beside the numbers of the scale.
const POINT: f64 = 6.0;
/// Room in the legend for a piece of a line.
const SAMPLE: f64 = 28.0;
/// Digits of a figure that somebody points at.
const DIGITS: usize = 5;
/// Half the height of a whisker's end.
const END: f64 = 3.0;

pub(super) fn svg(chart: &LineChart) -> Svg {
    let mut canvas = Canvas::default();
    let told = chart.events.iter().find(|event| event.is_marked);
    let top = 8.0 + legend_height(chart) + if told.is_some() { LABEL } else { 0.0 };
    let bottom = top + PLOT;
    let cut = chart.cut();
    let is_log = chart.is_logarithmic();
    let y = Scale { values: cut.unwrap_or_else(|| whole(chart)), places: [bottom, top], is_log };
    let ticks = y.ticks(PLOT / 35.0, chart.y.is_difference);
    let widths = ticks.iter().map(|tick| text_width(&y_label(&tick.label, chart), SMALL_FONT));
    let widest = widths.fold(0.0, f64::max);
    let left = widest + 8.0;
    let broken = chart.lines.iter().flat_map(|line| line.broken.iter().flatten().copied());
    let places: Vec<f64> = points(chart).map(|[x, _]| x).chain(broken).collect();
    let [first, last] = ends(&places);
    let x = Scale {
        values: [first, if last > first { last } else { first + 1.0 }],
        places: [left + POINT, WIDTH - 10.0],
        is_log: chart.is_x_logarithmic(),
    };
    legend(&mut canvas, chart);
    for tick in &ticks {
        let at = y.place(tick.value);
        canvas.line("grid", [left, at], [WIDTH - 10.0, at]);
        canvas.text(
            "tick along-y",
            [left - 5.0, at + 4.0],
            Anchor::End,
            &y_label(&tick.label, chart),
        );
    }
    let ticks = x.ticks((WIDTH - left) / 80.0, false);
    for (at, tick) in ticks.iter().enumerate() {
        let place = x.place(tick.value);
        let half = text_width(&tick.label, SMALL_FONT) / 2.0;
        let is_last = at + 1 == ticks.len() && place + half > WIDTH;
        let (place, anchor) = if is_last { (WIDTH, Anchor::End) } else { (place, Anchor::Middle) };
        canvas.line("grid", [x.place(tick.value), bottom], [x.place(tick.value), bottom + 4.0]);
        canvas.text("tick along-x", [place, bottom + 15.0], anchor, &tick.label);
    }
    let room = WIDTH - left - 10.0;
    canvas.text("tick", [left + room / 2.0, bottom + 28.0], Anchor::Middle, &chart.x.named());
    if !chart.scale.is_empty() {
        canvas.text("tick", [0.0, bottom + 28.0], Anchor::Start, &chart.scale);
    }
    for event in chart.events.iter().filter(|event| event.is_marked) {
        self::event(&mut canvas, event, &x, [top, bottom]);
    }
    if let Some(event) = told {
        let at = x.clamped(event.at);
        let anchor = if at > WIDTH / 2.0 { Anchor::End } else { Anchor::Start };
        canvas.text("tick", [at, top - 5.0], anchor, &event.label);
    }
    for line in &chart.lines {
        draw(&mut canvas, line, chart, (&x, &y), top);
    }
    if cut.is_some() {
        let logged = chart.lines.iter().filter(|line| line.weight != LineWeight::Strong);
        logged.for_each(|line| beyond(&mut canvas, line, (&x, &y), &chart.x.title));
    }
    canvas.finished(WIDTH, bottom + FOOT)
}

fn y_label(number: &str, chart: &LineChart) -> String {
    format!("{}{}", number.replace('-', "−"), chart.y.unit)
}

/// Lines with intervals row by row, for signs; `None` for what has sparklines in a table.
pub(super) fn rows(chart: &LineChart) -> Option<IntervalPanel> {
    let lines: Vec<&ChartLine> =
        chart.lines.iter().filter(|line| !line.intervals.is_empty()).collect();
    let row = |line: &ChartLine, is_first: bool, [at, value]: [f64; 2], interval| {
        let event = chart.events.iter().find(|event| event.at == at);
        IntervalRow {
            name: format!("{}{}", quantity::exact(at), chart.x.unit),
            group: (lines.len() > 1 && is_first).then(|| line.name.clone()),
            marks: vec![IntervalMark::figure(value, interval)],
            margin: None,
            figure: String::new(),
            word: event.map_or_else(String::new, |event| event.label.clone()),
            look: RowLook { is_decided: true, ..RowLook::default() },
        }
    };
    let title = match lines.as_slice() {
        [_] => chart.x.title.clone(),
        _ => format!("{} → {}", chart.x.title, chart.y.title),
    };
    let axis = Axis { title, ..chart.y.clone() };
    let rows = lines.iter().flat_map(|line| {
        let points = line.parts.iter().flatten().zip(&line.intervals).enumerate();
        points.map(move |(at, (point, interval))| row(line, at == 0, *point, *interval))
    });
    let rows: Vec<IntervalRow> = rows.collect();
    (!rows.is_empty()).then_some(IntervalPanel { axis, arms: None, rows })
}

fn points(chart: &LineChart) -> impl Iterator<Item = [f64; 2]> {
    chart.lines.iter().flat_map(|line| line.parts.iter().flatten().copied())
}

/// The range of all values, with air at its ends.
fn whole(chart: &LineChart) -> [f64; 2] {
    let values = chart.values();
    if chart.is_logarithmic() {
        let [lowest, highest] = ends(&values);
        return [lowest / 1.1, highest * 1.1];
    }
    if values.is_empty() { [0.0, 1.0] } else { domain(&[values], false) }
}

/// An arrow at the edge where a line goes on beyond it, with the figure that lies farthest out there.
fn beyond(canvas: &mut Canvas, line: &ChartLine, (x, y): (&Scale, &Scale), axis: &str) {
    let [low, high] = y.values;
    let out = |[_, value]: &[f64; 2]| (low - value).max(value - high);
    let cut = line.parts.iter().flatten().filter(|point| out(point) > 0.0);
    let mut cut: Vec<[f64; 2]> = cut.copied().collect();
    cut.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let near = |a: &[f64; 2], b: &[f64; 2]| {
        x.place(b[0]) - x.place(a[0]) < APART && (a[1] > high) == (b[1] > high)
    };
    for points in cut.chunk_by(near) {
        let farthest = points.iter().max_by(|a, b| out(a).total_cmp(&out(b)));
        let Some([at, value]) = farthest else { continue };
        let said = format!("{axis} {}: {}", quantity::exact(*at), quantity::exact(*value));
        let (place, edge) = (x.clamped(*at), y.clamped(*value));
        let base = if *value > high { edge + 6.0 } else { edge - 6.0 };
        canvas.open(class(line.series), &said);
        canvas.path("beyond", &[[place - 4.5, base], [place, edge], [place + 4.5, base]], true);
        canvas.close();
    }
}

/// Where the names of lines stand above the plot: from left to right, in as many rows as they need.
fn legend_places<'c>(chart: &'c LineChart) -> Vec<(&'c ChartLine, [f64; 2])> {
    let (mut x, mut y) = (0.0, 10.0);
    let named = chart.lines.iter().filter(|line| !line.name.is_empty());
    let place = |line: &'c ChartLine| {
        let width = (SAMPLE + text_width(&line.name, FONT)).min(WIDTH);
        if x + width > WIDTH {
            (x, y) = (0.0, y + LEGEND);
        }
        let at = [x, y];
        x += width + 16.0;
        (line, at)
    };
    named.map(place).collect()
}

fn legend_height(chart: &LineChart) -> f64 {
    legend_places(chart).last().map_or(0.0, |(_, [_, y])| y + LEGEND - 10.0)
}

/// The names of the lines above the plot, each behind a piece of it.
fn legend(canvas: &mut Canvas, chart: &LineChart) {
    for (line, [x, y]) in legend_places(chart) {
        canvas.open(class(line.series), &line.name);
        match line.weight {
            LineWeight::Guide => canvas.line("guide", [x, y], [x + 22.0, y]),
            LineWeight::Rings => {
                dot(canvas, line.series, [x + 11.0, y]);
                canvas.circle("ring", [x + 11.0, y], RING);
            }
            LineWeight::Crosses => cross(canvas, [x + 11.0, y], RING),
            _ => {
                canvas.line("strong", [x, y], [x + 22.0, y]);
                dot(canvas, line.series, [x + 11.0, y]);
            }
        }
        canvas.close();
        let room = WIDTH - x - SAMPLE;
        canvas.fitted([x + SAMPLE, y + FONT / 3.0], Anchor::Start, &line.name, room);
    }
}

pub(super) fn class(series: usize) -> &'static str {
    match series {
        0 => "arm-a",
        1 => "arm-b",
        _ => "arm-c",
    }
}

/// A filled circle for the first arm, an open diamond for the second.
pub(super) fn dot(canvas: &mut Canvas, series: usize, [x, y]: [f64; 2]) {
    match series {
        1 => canvas.path("dot", &[[x - 4.0, y], [x, y - 4.0], [x + 4.0, y], [x, y + 4.0]], true),
        _ => canvas.circle("dot", [x, y], 3.0),
    }
}

fn draw(
    canvas: &mut Canvas,
    line: &ChartLine,
    chart: &LineChart,
    (x, y): (&Scale, &Scale),
    top: f64,
) {
    canvas.open(class(line.series), &line.said);
    let place = |[at, value]: [f64; 2]| [x.place(at), y.clamped(value)];
    let class = match line.weight {
        LineWeight::Faint => "faint",
        LineWeight::Guide => "guide",
        _ => "strong",
    };
    for part in &line.parts {
        let places: Vec<[f64; 2]> = part.iter().copied().map(place).collect();
        if !matches!(line.weight, LineWeight::Rings | LineWeight::Crosses) {
            canvas.path(class, &places, false);
        }
        for (point, at) in part.iter().zip(&places) {
            match line.weight {
                LineWeight::Rings => canvas.circle("ring", *at, RING),
                LineWeight::Crosses => cross(canvas, *at, RING),
                LineWeight::Dots => {
                    canvas.open("", &told(*point, chart));
                    dot(canvas, line.series, *at);
                    canvas.close();
                }
                _ if places.len() == 1 => dot(canvas, line.series, *at),
                _ => {}
            }
        }
    }
    let all = line.parts.iter().flatten();
    for ([at, _], ends) in all.zip(&line.intervals) {
        if let Some(ends) = ends {
            let at = x.place(*at);
            let [low, high] = ends.map(|end| y.clamped(end));
            canvas.line("whisker", [at, low], [at, high]);
            for end in [low, high] {
                canvas.line("whisker end", [at - END, end], [at + END, end]);
            }
        }
    }
    for stretch in &line.broken {
        let [from, to] = stretch.map(|at| x.clamped(at));
        cross(canvas, [from, top], 3.5);
        if to > from {
            canvas.line("cross", [from, top], [to, top]);
        }
    }
    canvas.close();
}

/// A point in words: where it stands, its figure, and what is said of it.
fn told([at, value]: [f64; 2], chart: &LineChart) -> String {
    let [at_shown, shown] =
        [at, value].map(|number| quantity::exact(quantity::round_to_digits(number, DIGITS)));
    let event = chart.events.iter().find(|event| event.at == at);
    let event = event.map_or_else(String::new, |event| format!(", {}", event.label));
    let LineChart { x, y, .. } = chart;
    format!("{} {at_shown}{}: {shown}{}{event}", x.title, x.unit, y.unit)
}

fn cross(canvas: &mut Canvas, [x, y]: [f64; 2], half: f64) {
    canvas.path("cross", &[[x - half, y - half], [x + half, y + half]], false);
    canvas.path("cross", &[[x - half, y + half], [x + half, y - half]], false);
}

fn event(canvas: &mut Canvas, event: &ChartEvent, x: &Scale, [top, bottom]: [f64; 2]) {
    let at = x.clamped(event.at);
    canvas.open("event", &event.label);
    canvas.line("event", [at, top], [at, bottom]);
    canvas.close();
}
