//! How the metrics of one run move over one axis: slope, test, and what was not tested.

use super::{lists, phrases};
use crate::compare::{NoTrend, Trend, TrendEstimate};
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::block::{Block, Cell, Icon, Table, Text};
use crate::text::Catalogue;

/// Digits that a slope and its interval are shown with.
const SLOPE_DIGITS: f64 = 3.0;
/// Most metric names in one sentence.
const MOST_NAMES: usize = 8;

/// A table of the tested series, and a sentence for each reason that others were not tested.
pub(super) fn blocks(
    axis: &str,
    trends: &[&Trend<'_>],
    material: &ReportMaterial<'_>,
) -> Vec<Block> {
    let words = material.words;
    let tested: Vec<(&Trend<'_>, TrendEstimate)> =
        trends.iter().filter_map(|trend| Some((*trend, trend.finding.ok()?))).collect();
    let mut blocks = Vec::new();
    if !tested.is_empty() {
        blocks.push(table(axis, &tested, material.options.alpha, words));
    }
    blocks.extend([NoTrend::TooFew, NoTrend::Smoothed].iter().filter_map(|&reason| {
        let untested = trends.iter().filter(|trend| trend.finding == Err(reason));
        let names: Vec<&str> = untested.map(|trend| trend.series.metric.as_str()).collect();
        untested_sentence(reason, &names, words)
    }));
    blocks
}

/// How the trends were made, when there are any.
pub(super) fn method(material: &ReportMaterial<'_>) -> Option<Block> {
    let words = material.words;
    let tested: Vec<TrendEstimate> =
        material.trends.iter().filter_map(|trend| trend.finding.ok()).collect();
    let family = tested.first()?.family.to_string();
    let level = quantity::level(1.0 - material.options.alpha);
    let mut text = words.fill("trend.method", &[("family", &family), ("level", &level)]);
    let averaged = tested.iter().map(|estimate| estimate.averaged).max().filter(|&most| most > 1);
    if let Some(most) = averaged {
        text.push_str(&words.fill("trend.averaged", &[("count", most)]));
    }
    Some(Block::paragraph(text))
}

fn table(
    axis: &str,
    tested: &[(&Trend<'_>, TrendEstimate)],
    alpha: f64,
    words: &Catalogue,
) -> Block {
    let axis_name = phrases::dim_name(axis, words);
    Table::of_rows(tested)
        .left(words.get("results.metric"), |(trend, _)| Text::code(trend.series.metric.as_str()))
        .right(words.get("results.n"), |(trend, _)| points(trend, words))
        .right(words.fill("trend.slope", &[("axis", &axis_name)]), |(_, estimate)| {
            Cell::number(quantity::signed(estimate.slope, decimals(estimate)), estimate.slope)
        })
        .right(words.get("trend.interval"), |(_, estimate)| {
            phrases::limits_cell(estimate.interval, decimals(estimate))
        })
        .right(words.get("trend.p"), |(_, estimate)| phrases::p_cell(Some(estimate.p)))
        .right(words.get("results.p"), |(_, estimate)| phrases::p_cell(Some(estimate.p_adjusted)))
        .left(words.get("trend.reading"), |(_, estimate)| reading(*estimate, axis, alpha, words))
        .block()
}

fn decimals(estimate: &TrendEstimate) -> usize {
    let limits = estimate.interval.map_or([0.0; 2], |interval| [interval.lo, interval.hi]);
    let largest = limits.iter().fold(estimate.slope.abs(), |size, limit| size.max(limit.abs()));
    quantity::decimals_for_digits(largest, SLOPE_DIGITS)
}

fn points(trend: &Trend<'_>, words: &Catalogue) -> Cell {
    let left_out = trend.series.points.len() - trend.points;
    if left_out == 0 {
        return Cell::count(trend.points as u64);
    }
    let [count, left_out] = [trend.points, left_out].map(|count| quantity::count(count as u64));
    let args = [("count", count), ("left_out", left_out)];
    Cell::number(words.fill("trend.points", &args), trend.points as f64)
}

/// Where the metric goes, when the adjusted p says that it goes anywhere, and the likely change.
fn reading(estimate: TrendEstimate, axis: &str, alpha: f64, words: &Catalogue) -> Text {
    let text = match (estimate.p_adjusted < alpha, estimate.z > 0.0) {
        (false, _) if estimate.is_untestable => {
            let n = quantity::fixed(estimate.effective, 1);
            Text::plain(words.fill("trend.autocorrelated", &[("n", &n)]))
        }
        (false, _) => Text::plain(words.get("trend.none-shown")),
        (true, true) => Text::marked(Icon::Up, words.get("trend.rises")),
        (true, false) => Text::marked(Icon::Down, words.get("trend.falls")),
    };
    match estimate.change {
        None => text,
        Some(change) => {
            let axis = phrases::dim_name(axis, words);
            let (at, p) = (quantity::exact(change.after), quantity::p_text_in_sentence(change.p));
            let args = [("axis", axis.as_str()), ("at", &at), ("p", &p)];
            text.and_plain(words.fill("trend.change", &args))
        }
    }
}

fn untested_sentence(reason: NoTrend, names: &[&str], words: &Catalogue) -> Option<Block> {
    if names.is_empty() {
        return None;
    }
    let list = lists::first(names.iter().map(|&name| name.to_owned()), MOST_NAMES, words);
    let key = format!("trend.not-{}", reason.name());
    let fewest = crate::compare::FEWEST_POINTS.to_string();
    let text = words.fill(&key, &[("names", &list), ("fewest", &fewest)]);
    Some(Block::paragraph(text))
}
