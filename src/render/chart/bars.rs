//! Bars from 0 on, as SVG and in signs; shares of a whole as one bar for each group.

use crate::quantity;
use crate::report::chart::{Axis, Bar, BarGroup, signs};
use crate::text::Catalogue;

use super::svg::{Anchor, Canvas, FONT, SMALL_FONT, Svg, WIDTH, text_width};

const ROW: f64 = 22.0;
const BAR: f64 = 14.0;
const GROUP: f64 = 24.0;
const NAMES: [f64; 2] = [80.0, 240.0];
const GAP: f64 = 10.0;
/// The height of a bar that is a whole, and of the words above or below it.
const WHOLE: f64 = 28.0;
const LEADER: f64 = 16.0;
/// A part that is narrower has no room for its figure.
const NARROW: f64 = 30.0;

pub(super) fn svg(groups: &[BarGroup], is_whole: bool) -> Svg {
    let mut canvas = Canvas::default();
    let height = if is_whole { wholes(&mut canvas, groups) } else { rows(&mut canvas, groups) };
    canvas.finished(WIDTH, height)
}

fn rows(canvas: &mut Canvas, groups: &[BarGroup]) -> f64 {
    let bars = || groups.iter().flat_map(|group| &group.bars);
    let widest = |text: fn(&Bar) -> &str, size| {
        bars().map(|bar| text_width(text(bar), size)).fold(0.0, f64::max)
    };
    let names = widest(|bar| &bar.name, FONT).clamp(NAMES[0], NAMES[1]);
    let figures = widest(|bar| &bar.shown, SMALL_FONT);
    let start = names + GAP;
    let room = WIDTH - start - figures - GAP;
    let largest = bars().filter_map(|bar| bar.value).fold(0.0, f64::max);
    let mut y = 0.0;
    for group in groups {
        if !group.name.is_empty() {
            canvas.text("group", [0.0, y + 16.0], Anchor::Start, &group.name);
            y += GROUP;
        }
        for bar in &group.bars {
            let middle = y + ROW / 2.0;
            canvas.fitted([names, middle + FONT / 3.0], Anchor::End, &bar.name, names);
            canvas.open(if bar.value.is_some() { "" } else { "absent" }, &said(bar));
            let length =
                if largest > 0.0 { bar.value.unwrap_or(0.0) / largest * room } else { 0.0 };
            match bar.value {
                Some(_) => canvas.rect("bar", [start, middle - BAR / 2.0], [length, BAR]),
                None => canvas.rect("cell", [start, middle - BAR / 2.0], [NARROW, BAR]),
            }
            let behind = start + if bar.value.is_some() { length } else { NARROW } + 6.0;
            canvas.text("figure", [behind, middle + 4.0], Anchor::Start, &bar.shown);
            canvas.close();
            y += ROW;
        }
        canvas.line("zero", [start, y - ROW * group.bars.len() as f64], [start, y]);
    }
    y + 4.0
}

fn said(bar: &Bar) -> String {
    format!("{}: {}", bar.name, bar.shown)
}

/// Bars of equal length, cut into their parts in one order, and what each part is.
fn wholes(canvas: &mut Canvas, groups: &[BarGroup]) -> f64 {
    let names = groups.iter().map(|group| text_width(&group.name, FONT)).fold(0.0, f64::max);
    let names = names.clamp(NAMES[0], NAMES[1]);
    let start = names + GAP;
    let room = WIDTH - start - 1.0;
    let mut y = legend(canvas, groups);
    for group in groups {
        let text = y + WHOLE / 2.0 + FONT / 3.0;
        canvas.fitted([names, text], Anchor::End, &group.name, names);
        let total: f64 = group.bars.iter().filter_map(|bar| bar.value).sum();
        let mut x = start;
        for (position, bar) in group.bars.iter().enumerate() {
            let Some(value) = bar.value.filter(|value| *value > 0.0) else { continue };
            let width = value / total.max(100.0) * room;
            canvas.open(&format!("part-{}", position % 8), &said(bar));
            canvas.rect("part", [x, y], [width, WHOLE]);
            let texts = [format!("{} {}", bar.name, bar.shown), bar.shown.clone()];
            let fits = |text: &&String| text_width(text, SMALL_FONT) + 6.0 <= width;
            if let Some(shown) = texts.iter().find(fits) {
                canvas.text("value", [x + width / 2.0, text], Anchor::Middle, shown);
            }
            canvas.close();
            x += width;
        }
        y += WHOLE + LEADER / 2.0;
    }
    y
}

/// What the parts are, in rows as long as there is room.
fn legend(canvas: &mut Canvas, groups: &[BarGroup]) -> f64 {
    let [mut x, mut y] = [0.0, 12.0];
    let Some(first) = groups.first() else { return 0.0 };
    for (position, bar) in first.bars.iter().enumerate() {
        let width = text_width(&bar.name, FONT) + 30.0;
        if x > 0.0 && x + width > WIDTH {
            [x, y] = [0.0, y + 18.0];
        }
        canvas.open(&format!("part-{}", position % 8), &bar.name);
        canvas.rect("part", [x, y - 10.0], [12.0, 12.0]);
        canvas.close();
        canvas.fitted([x + 17.0, y], Anchor::Start, &bar.name, WIDTH - 40.0);
        x += width;
    }
    y + 14.0
}

pub(super) fn lines(axis: &Axis, groups: &[BarGroup], words: &Catalogue) -> Vec<String> {
    let all: Vec<Bar> = groups.iter().flat_map(|group| group.bars.iter().cloned()).collect();
    let scale = signs::scale(all.iter().filter_map(|bar| bar.value));
    // Half of a thing is not counted.
    let scale = if axis.unit.is_empty() { scale.max(1.0) } else { scale };
    let drawn = signs::bars(&all, scale);
    let mut drawn = drawn.split('\n');
    let mut lines = Vec::new();
    for group in groups {
        if group.name.is_empty() {
            lines.extend(drawn.by_ref().take(group.bars.len()).map(str::to_owned));
            continue;
        }
        lines.extend((!lines.is_empty()).then(String::new));
        lines.push(group.name.clone());
        lines.extend(drawn.by_ref().take(group.bars.len()).map(|line| format!("  {line}")));
    }
    let sign = quantity::fixed(scale, quantity::decimals_for_digits(scale, 1.0));
    let args = [("count", sign.as_str()), ("unit", axis.unit)];
    lines.extend([String::new(), words.fill("chart.sign.bar", &args)]);
    lines
}
