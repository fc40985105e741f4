//! How the metrics of one run move over one axis: slope, test, and what was not tested.

use super::phrases;
use crate::compare::{NoTrend, Trend, TrendEstimate};
use crate::quantity;
use crate::report::Material;
use crate::report::block::{Align, Block, Cell, Icon, Table, Text};
use crate::text::Catalogue;

/// Digits that a slope and its interval are shown with.
const SLOPE_DIGITS: f64 = 3.0;
/// Most metric names in one sentence.
const MOST_NAMES: usize = 8;

/// A table of the tested series, and a sentence for each reason that others were not tested.
pub(super) fn blocks(axis: &str, trends: &[&Trend<'_>], material: &Material<'_>) -> Vec<Block> {
    let words = material.words;
    let alpha = material.options.alpha;
    let mut table = Table::with_heads(vec![
        (words.get("results.metric"), Align::Left),
        (words.get("results.n"), Align::Right),
        (words.fill("trend.slope", &[("axis", &phrases::dim_name(axis, words))]), Align::Right),
        (words.get("trend.interval"), Align::Right),
        (words.get("trend.p"), Align::Right),
        (words.get("results.p"), Align::Right),
        (words.get("trend.reading"), Align::Left),
    ]);
    for trend in trends {
        if let Ok(estimate) = trend.finding {
            table.push(row(trend, estimate, axis, alpha, words));
        }
    }
    let mut blocks = Vec::new();
    if !table.is_empty() {
        blocks.push(Block::Table { table });
    }
    blocks.extend([NoTrend::TooFew, NoTrend::Smoothed].iter().filter_map(|&reason| {
        let untested = trends.iter().filter(|trend| trend.finding == Err(reason));
        let names: Vec<&str> = untested.map(|trend| trend.series.metric.as_str()).collect();
        untested_sentence(reason, &names, words)
    }));
    blocks
}

/// How the trends were made, when there are any.
pub(super) fn method(material: &Material<'_>) -> Option<Block> {
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
    Some(Block::Paragraph { text: Text::plain(text) })
}

fn row(
    trend: &Trend<'_>,
    estimate: TrendEstimate,
    axis: &str,
    alpha: f64,
    words: &Catalogue,
) -> Vec<Cell> {
    let limits = estimate.interval.map(|interval| [interval.lo, interval.hi]);
    let largest = limits
        .unwrap_or_default()
        .into_iter()
        .fold(estimate.slope.abs(), |size, limit| size.max(limit.abs()));
    let decimals = quantity::decimals_for_digits(largest, SLOPE_DIGITS);
    let interval = limits.map_or_else(
        || Cell::text("—"),
        |[lo, hi]| Cell::number(quantity::interval(lo, hi, decimals), lo),
    );
    let left_out = trend.series.points.len() - trend.points;
    let mut points = quantity::count(trend.points as u64);
    if left_out > 0 {
        let left_out = quantity::count(left_out as u64);
        points = words.fill("trend.points", &[("count", &points), ("left_out", &left_out)]);
    }
    vec![
        Cell::text(Text::code(trend.series.metric.clone())),
        Cell::number(points, trend.points as f64),
        Cell::number(quantity::signed(estimate.slope, decimals), estimate.slope),
        interval,
        Cell::number(quantity::p_value(estimate.p), estimate.p),
        Cell::number(quantity::p_value(estimate.p_adjusted), estimate.p_adjusted),
        Cell::text(reading(estimate, axis, alpha, words)),
    ]
}

/// Where the metric goes, when the adjusted p says that it goes anywhere, and the likely change.
fn reading(estimate: TrendEstimate, axis: &str, alpha: f64, words: &Catalogue) -> Text {
    let text = match (estimate.p_adjusted < alpha, estimate.z > 0.0) {
        (false, _) if estimate.is_untestable() => {
            let n = quantity::fixed(estimate.effective, 1);
            Text::plain(words.fill("trend.autocorrelated", &[("n", &n)]))
        }
        (false, _) => Text::plain(words.get("trend.none-shown")),
        (true, true) => Text::icon(Icon::Up).and_plain(format!(" {}", words.get("trend.rises"))),
        (true, false) => Text::icon(Icon::Down).and_plain(format!(" {}", words.get("trend.falls"))),
    };
    match estimate.change {
        None => text,
        Some(change) => {
            let axis = phrases::dim_name(axis, words);
            let (at, p) = (quantity::exact(change.after), quantity::p_in_sentence(change.p));
            let args = [("axis", axis.as_str()), ("at", &at), ("p", &p)];
            text.and_plain(words.fill("trend.change", &args))
        }
    }
}

fn untested_sentence(reason: NoTrend, names: &[&str], words: &Catalogue) -> Option<Block> {
    let shown = names.get(..names.len().min(MOST_NAMES)).filter(|shown| !shown.is_empty())?;
    let mut list = shown.join(&words.get("punctuation.comma"));
    if names.len() > MOST_NAMES {
        list.push('…');
    }
    let key = format!("trend.not-{}", reason.name());
    let fewest = crate::compare::FEWEST_POINTS.to_string();
    let text = words.fill(&key, &[("names", &list), ("fewest", &fewest)]);
    Some(Block::Paragraph { text: Text::plain(text) })
}
