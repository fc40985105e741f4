//! Elements of SVG. Coordinates have one decimal, texts are escaped here and nowhere else.

use std::fmt::Write as _;

use crate::render::{escape, widths};

/// The width of most drawings; it fits a page of paper at the size of its texts.
pub(super) const WIDTH: f64 = 720.0;

/// The size of texts, which `charts.css` sets, and of those along a scale.
pub(super) const FONT: f64 = 12.0;
pub(super) const SMALL_FONT: f64 = 11.0;

/// What stands inside of the element, and its size.
pub(super) struct Svg {
    pub(super) body: String,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Where a text stands against its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A drawing that grows downwards.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    body: String,
}

/// A coordinate with one decimal.
pub(super) fn px(at: f64) -> f64 {
    (at * 10.0).round() / 10.0 + 0.0
}

/// The width of a text in a font of that size, with a little air.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    widths::width(text, widths::em) * size * 1.03 + 1.0
}

impl Canvas {
    pub(super) fn finished(self, width: f64, height: f64) -> Svg {
        Svg { body: self.body, width: px(width), height: px(height) }
    }

    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        let _infallible = writeln!(self.body, "{element}");
    }

    pub(super) fn line(&mut self, class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(px);
        self.push(format_args!(
            "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"
        ));
    }

    pub(super) fn rect(&mut self, class: &str, [x, y]: [f64; 2], [width, height]: [f64; 2]) {
        let [x, y, width, height] = [x, y, width, height].map(px);
        self.push(format_args!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
        ));
    }

    pub(super) fn circle(&mut self, class: &str, [x, y]: [f64; 2], r: f64) {
        let [x, y] = [x, y].map(px);
        self.push(format_args!("<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>"));
    }

    /// A line through these points, closed where it is an area.
    pub(super) fn path(&mut self, class: &str, points: &[[f64; 2]], closed: bool) {
        let mut d = String::with_capacity(points.len() * 10);
        for (at, [x, y]) in points.iter().enumerate() {
            let _infallible = write!(d, "{}{} {}", if at == 0 { "M" } else { "L" }, px(*x), px(*y));
        }
        let end = if closed { "Z" } else { "" };
        self.push(format_args!("<path class=\"{class}\" d=\"{d}{end}\"/>"));
    }

    pub(super) fn text(&mut self, class: &str, [x, y]: [f64; 2], anchor: Anchor, text: &str) {
        let [x, y] = [x, y].map(px);
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let text = escape::html(&escape::clean(text));
        self.push(format_args!("<text{class} x=\"{x}\" y=\"{y}\"{anchor}>{text}</text>"));
    }

    /// A text that loses its middle where it is wider than that, and says it whole when it is pointed at.
    pub(super) fn fitted(&mut self, at: [f64; 2], anchor: Anchor, text: &str, room: f64) {
        let shown = widths::without_middle(text, (room - 1.0) / (FONT * 1.03), widths::em);
        if shown == text {
            return self.text("", at, anchor, text);
        }
        self.open("", text);
        self.text("", at, anchor, &shown);
        self.close();
    }

    /// Begins a group that says so when it is pointed at.
    pub(super) fn open(&mut self, class: &str, title: &str) {
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let title = escape::html(&escape::clean(title));
        self.push(format_args!("<g{class}><title>{title}</title>"));
    }

    pub(super) fn group(&mut self, class: &str) {
        self.push(format_args!("<g class=\"{class}\">"));
    }

    pub(super) fn close(&mut self) {
        self.push(format_args!("</g>"));
    }
}
