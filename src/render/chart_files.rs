//! The charts of a report as SVG files beside its Markdown.
//!
//! Owns their names, which stay the same where other charts come and go.

use indexmap::IndexMap;

use super::templates::assets;
use super::{RenderOptions, chart};
use crate::report::Report;

/// The directory that they lie in, beside `report.md`.
pub const CHART_DIRECTORY: &str = "report.charts";

/// Name and content of each chart, in document order.
pub fn chart_files(report: &Report, options: &RenderOptions) -> Vec<(String, String)> {
    let style = assets(&["colours.css", "charts.css"], options);
    let drawn = report.charts().into_iter().map(|drawn| chart::file(drawn, &style));
    names(report).into_iter().zip(drawn).collect()
}

/// Whether a file is one that was drawn here.
pub fn is_chart_file(text: &str) -> bool {
    text.starts_with(chart::FILE_BEGINNING)
}

/// `report.charts/curve.svg`, `report.charts/curve-2.svg`, …, in document order.
pub(super) fn names(report: &Report) -> Vec<String> {
    let mut seen: IndexMap<&str, usize> = IndexMap::new();
    let name = |name| {
        let count = seen.entry(name).or_default();
        *count += 1;
        let ending = if *count == 1 { String::new() } else { format!("-{count}") };
        format!("{CHART_DIRECTORY}/{name}{ending}.svg")
    };
    report.charts().into_iter().map(|chart| chart.name).map(name).collect()
}
