//! Charts as SVG, inside a page or in files, and as text for Markdown and terminals.
//!
//! Owns geometry: scales, ticks, marks, room for texts. Looks are classes, which `charts.css` colours;
//! `style` attributes would be blocked by the policy of the page. Computes no figure: what is drawn
//! is in the chart. The same chart gives the same bytes.

mod bars;
mod grid;
mod intervals;
mod intervals_text;
mod lines;
mod scale;
mod svg;

use crate::report::chart::{Chart, Marks};
use crate::text::Catalogue;

use super::escape;
pub(super) use intervals::scale as interval_scale;
use svg::Svg;

/// Columns of a chart in Markdown.
pub(super) const TEXT_WIDTH: usize = 92;

/// Room around a drawing in a file of its own.
const AIR: f64 = 8.0;

/// How each file of a chart begins.
pub(super) const FILE_BEGINNING: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\"";

/// Lines of a chart in a fixed-width font, no wider than that; `None` where it has no room.
pub(super) fn text(chart: &Chart, width: usize, words: &Catalogue) -> Option<String> {
    let lines = match &chart.marks {
        Marks::Intervals { panels } => intervals_text::lines(panels, width, words)?,
        Marks::Lines(chart) => intervals_text::lines(&[lines::rows(chart)?], width, words)?,
        Marks::Grid { panels, .. } => grid::lines(panels, width)?,
        Marks::Bars { axis, groups, .. } => bars::lines(axis, groups, words),
    };
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    Some(lines.join("\n"))
}

/// The chart as an element of a page; `position` tells its ids from those of other charts.
pub(super) fn figure(chart: &Chart, position: usize) -> String {
    let half = if matches!(chart.marks, Marks::Lines(_)) { " half" } else { "" };
    let Svg { body, height, width } = drawing(chart);
    let [title, description] = texts(chart);
    let id = format!("chart-{position}");
    format!(
        "<figure class=\"chart{half}\" id=\"{id}\">\n<figcaption>{title}</figcaption>\n\
         <div class=\"drawing\" tabindex=\"0\" role=\"group\" aria-labelledby=\"{id}-title\">\n\
         <svg viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-labelledby=\"{id}-title {id}-text\">\n\
         <title id=\"{id}-title\">{title}</title>\n<desc id=\"{id}-text\">{description}</desc>\n\
         {body}</svg>\n</div>\n</figure>\n"
    )
}

/// The chart as a file of its own, which brings its looks along.
pub(super) fn file(chart: &Chart, style: &str) -> String {
    let Svg { body, height, width } = drawing(chart);
    let [title, description] = texts(chart);
    let edge = -AIR;
    let [width, height] = [width, height].map(|size| size + 2.0 * AIR);
    let style = style.replace('&', "&amp;").replace('<', "&lt;");
    let file = format!(
        "{FILE_BEGINNING} \
         width=\"{width}\" height=\"{height}\" \
         viewBox=\"{edge} {edge} {width} {height}\" role=\"img\" \
         aria-labelledby=\"title text\">\n\
         <title id=\"title\">{title}</title>\n<desc id=\"text\">{description}</desc>\n\
         <style>{style}</style>\n<rect class=\"paper\" x=\"{edge}\" y=\"{edge}\" \
         width=\"100%\" height=\"100%\"/>\n{body}</svg>\n"
    );
    // What XML cannot hold at all.
    file.replace(['\u{FFFE}', '\u{FFFF}'], "\u{FFFD}")
}

fn drawing(chart: &Chart) -> Svg {
    match &chart.marks {
        Marks::Intervals { panels } => intervals::svg(panels),
        Marks::Lines(chart) => lines::svg(chart),
        Marks::Grid { panels, key } => grid::svg(panels, key.as_ref()),
        Marks::Bars { groups, is_whole, .. } => bars::svg(groups, *is_whole),
    }
}

/// Title and description.
fn texts(chart: &Chart) -> [String; 2] {
    [&chart.title, &chart.description].map(|text| escape::html(&escape::clean(text)))
}
