//! Rows of points with intervals in signs that every font draws one column wide:
//! `[---o---]`, with `|` for no difference, `:` for margins and `<` `>` for what goes on beyond.

use std::collections::BTreeSet;

use crate::render::widths::{columns, text_columns, without_middle};
use crate::report::chart::{IntervalMark, IntervalPanel, IntervalRow, MarkShape, RowLook};
use crate::text::Catalogue;

use super::intervals::scale;
use super::scale::{Scale, Tick};

/// Columns of a plot.
const PLOT: [usize; 2] = [21, 51];
/// The fewest columns of a name that is cut, and the most.
const NAMES: [usize; 2] = [12, 46];
const GAP: usize = 2;
/// Columns between two numbers along the scale.
const TICKS: f64 = 9.0;

pub(super) fn lines(
    panels: &[IntervalPanel],
    width: usize,
    words: &Catalogue,
) -> Option<Vec<String>> {
    let rows = || panels.iter().flat_map(|panel| &panel.rows);
    // A single interval stands in the headline.
    rows().nth(1)?;
    let said = rows().map(|row| text_columns(&row.word)).max().unwrap_or(0);
    let titles = panels.iter().map(|panel| text_columns(&panel.axis.named()));
    let names = rows().map(|row| text_columns(&row.name)).chain(titles).max().unwrap_or(0);
    let room = width.checked_sub(PLOT[0] + 2 * GAP + said)?;
    if room < names.min(NAMES[0]) {
        return None;
    }
    let names = names.min(NAMES[1]).min(room);
    let plot = width.checked_sub(names + 2 * GAP + said)?.min(PLOT[1]);
    let mut lines = Vec::new();
    let mut shown = Signs::default();
    for panel in panels {
        let scale = scale(panel, [0.0, plot as f64 - 1.0]);
        for row in &panel.rows {
            lines.extend(row.group.as_ref().map(|group| format!("-- {group}")));
            let name = padded(&row.name, names);
            let marks = shown.drawn(row, &scale, plot, panel.axis.is_difference);
            lines.push(format!("{name}{gap}{marks}{gap}{}", row.word, gap = " ".repeat(GAP)));
        }
        let ticks = scale.ticks(plot as f64 / TICKS, panel.axis.is_difference);
        let title = padded(&panel.axis.named(), names);
        lines.push(format!("{title}{}{}", " ".repeat(GAP), along(&ticks, &scale, plot)));
    }
    let explained = match panels.first().and_then(|panel| panel.arms.as_ref()) {
        Some([baseline, candidate]) => {
            words.fill("chart.sign.arms", &[("baseline", baseline), ("candidate", candidate)])
        }
        None => shown.explained(words),
    };
    if !explained.is_empty() {
        lines.extend([String::new(), explained]);
    }
    Some(lines)
}

/// A text of so many columns, without its middle where it has more.
fn padded(text: &str, most: usize) -> String {
    let text = without_middle(text, most as f64, columns);
    let room = most.saturating_sub(text_columns(&text));
    format!("{text}{}", " ".repeat(room))
}

/// The numbers of a scale in a line, as far as there is room between them.
fn along(ticks: &[Tick], scale: &Scale, plot: usize) -> String {
    let mut line = String::new();
    for tick in ticks {
        let middle = scale.place(tick.value).round().max(0.0) as usize;
        let length = tick.label.len();
        let start = (middle + 1)
            .saturating_sub(length.div_ceil(2))
            .min((plot + GAP).saturating_sub(length));
        let used = line.len();
        if start >= used + usize::from(used > 0) {
            line.push_str(&" ".repeat(start - used));
            line.push_str(&tick.label);
        }
    }
    line
}

/// The signs that are explained below a chart, in that order, where they were drawn.
const SIGNS: [&str; 7] = ["decided", "open", "blocked", "pooled", "one", "margin", "beyond"];

/// The signs that were drawn, each of which has to be explained.
#[derive(Debug, Default)]
struct Signs(BTreeSet<&'static str>);

impl Signs {
    fn drawn(&mut self, row: &IntervalRow, scale: &Scale, plot: usize, has_zero: bool) -> String {
        let mut signs = vec![b' '; plot];
        let column = |value: f64| scale.clamped(value).round().max(0.0) as usize;
        let mut set = |at: usize, sign: u8| {
            if let Some(place) = signs.get_mut(at) {
                *place = sign;
            }
        };
        for edge in row.margin.into_iter().flatten().filter(|edge| scale.covers(*edge)) {
            set(column(edge), b':');
            self.0.insert("margin");
        }
        let marks = || row.marks.iter();
        for [lo, hi] in marks().filter_map(|mark| mark.interval) {
            (column(lo)..=column(hi)).for_each(|at| set(at, b'-'));
        }
        if has_zero {
            set(column(0.0), b'|');
        }
        for [lo, hi] in marks().filter_map(|mark| mark.interval) {
            set(column(lo), if scale.covers(lo) { b'[' } else { b'<' });
            set(column(hi), if scale.covers(hi) { b']' } else { b'>' });
            self.0.insert("interval");
            if !scale.covers(lo) || !scale.covers(hi) {
                self.0.insert("beyond");
            }
        }
        for mark in marks() {
            if scale.covers(mark.at) {
                set(column(mark.at), self.point(mark, row.look));
            } else {
                set(column(mark.at), if mark.at > 0.0 { b'>' } else { b'<' });
                self.0.insert("beyond");
            }
        }
        String::from_utf8_lossy(&signs).into_owned()
    }

    fn point(&mut self, mark: &IntervalMark, look: RowLook) -> u8 {
        let (seen, sign) = match look {
            _ if mark.shape == MarkShape::Baseline => return b'A',
            _ if mark.shape == MarkShape::Candidate => return b'B',
            _ if mark.shape == MarkShape::One => ("one", b'.'),
            RowLook { is_pooled: true, .. } => ("pooled", b'#'),
            RowLook { is_blocked: true, .. } => ("blocked", b'x'),
            RowLook { is_decided: true, .. } => ("decided", b'*'),
            _ => ("open", b'o'),
        };
        self.0.insert(seen);
        sign
    }

    fn explained(&self, words: &Catalogue) -> String {
        // Where all are decided, nothing has to be told apart.
        let told_apart = self.0.contains("open") || self.0.contains("blocked");
        let drawn = SIGNS.into_iter().filter(|sign| self.0.contains(sign));
        let drawn = drawn.filter(|sign| *sign != "decided" || told_apart);
        let drawn = drawn.map(|key| words.get(&format!("chart.sign.{key}")));
        let interval = self.0.contains("interval").then(|| words.get("chart.sign.interval"));
        interval.into_iter().chain(drawn).collect::<Vec<_>>().join(&words.get("punctuation.comma"))
    }
}
