//! Findings: what each share and metric shows, with its ground, and what is wrong with the data.

use super::progress_wording::{ProgressWording, arrow, grounds, is_kept, points, share};
use crate::compare::TrendEstimate;
use crate::diag::Location;
use crate::kinds::progress::analysis::{
    ProgressMetric, ProgressMovement, ProgressRate, StepShare, TimelineValue, share_interval,
};
use crate::quantity::{self, Unit};
use crate::report::block::{Block, Icon, Text};
use crate::stats::Interval;

/// Metrics whose trend is told one by one.
const MOST_TOLD: usize = 8;

pub(super) fn progress_section(wording: &ProgressWording<'_>) -> Vec<Block> {
    let progress = wording.progress;
    let mut blocks = Vec::new();
    for rate in &progress.rates {
        let name = wording.name(&rate.name);
        blocks.push(heading(wording, &name, rate.movement, rate.change(), is_kept(rate)));
        blocks.push(Block::bullets(about_rate(wording, rate)));
    }
    let moved = progress.metrics.iter().filter(|metric| {
        matches!(
            metric.movement,
            ProgressMovement::Improved | ProgressMovement::Worsened | ProgressMovement::Changed
        )
    });
    for metric in moved.take(MOST_TOLD) {
        let name = wording.name(&metric.name);
        blocks.push(heading(wording, &name, metric.movement, metric.change(), false));
        blocks.push(Block::bullets(about_metric(wording, metric)));
    }
    if blocks.is_empty() {
        blocks.push(Block::paragraph(wording.get("nothing-found")));
    }
    blocks
}

fn heading(
    wording: &ProgressWording<'_>,
    name: &str,
    movement: ProgressMovement,
    change: Option<f64>,
    is_kept: bool,
) -> Block {
    let icon = match movement {
        ProgressMovement::Improved => Icon::Good,
        ProgressMovement::Worsened => Icon::Bad,
        ProgressMovement::Unchanged if is_kept => Icon::Kept,
        ProgressMovement::Untested(_) => Icon::Caution,
        _ => change.map_or(Icon::Flat, arrow),
    };
    let text = Text::strong(name)
        .and_plain(wording.words.get("punctuation.colon"))
        .and_plain(wording.movement(movement))
        .and_plain(" ")
        .and_icon(icon);
    Block::heading(text)
}

fn about_rate(wording: &ProgressWording<'_>, rate: &ProgressRate) -> Vec<Text> {
    let span = &wording.progress.span;
    let level = &wording.level();
    let shown = |side: &Option<StepShare>| {
        side.as_ref().map_or_else(|| "?".to_owned(), |side| share(side.counts))
    };
    let facts = [
        ("from", wording.step(span.from)),
        ("to", wording.step(span.to)),
        ("before", shown(&rate.before)),
        ("after", shown(&rate.after)),
        ("change", points(rate).unwrap_or_default()),
    ];
    let key = match points(rate) {
        _ if span.is_single() => "rate-one",
        Some(_) => "rate-both",
        None => "rate-values",
    };
    let mut items = vec![wording.fill(key, &facts)];
    // Counters that contradict each other make a share, but no sample of cases.
    if let Some(side) = rate.after.as_ref().filter(|_| !rate.is_doubtful()) {
        let ci = share_interval(side.counts, wording.progress.alpha);
        let range = &quantity::range(ci.lo, ci.hi, Unit::Fraction);
        let facts = [("n", &quantity::count(side.counts.n)), ("level", level), ("interval", range)];
        items.push(wording.fill("rate-interval", &facts));
    }
    match (rate.test, rate.movement) {
        (Some(test), _) => {
            let difference = 100.0 * (test.later.share() - test.earlier.share());
            let [lo, hi] = [test.interval.lo, test.interval.hi].map(|end| 100.0 * end);
            let facts = [
                ("earlier", &share(test.earlier)),
                ("later", &share(test.later)),
                ("difference", &quantity::difference_with_decimals(difference, 1, Unit::Percent)),
                ("interval", &quantity::interval_text(lo, hi, 1)),
                ("level", level),
                ("p", &quantity::p_text_in_sentence(test.p)),
                ("adjusted", &quantity::p_text_in_sentence(test.p_adjusted)),
            ];
            let key = if rate.since.is_some() { "rate-since" } else { "rate-steps" };
            items.push(wording.fill(key, &facts));
        }
        (None, ProgressMovement::Untested(why)) => {
            items.push(wording.fill("not-tested", &[("why", wording.why(why))]));
        }
        _ => {}
    }
    items.extend(rate.trend.map(|trend| {
        let points =
            |value: f64| quantity::difference_with_decimals(100.0 * value, 2, Unit::Percent);
        let ends = |ci: Interval| format!("{} … {}", points(ci.lo), points(ci.hi));
        trend_text(
            wording,
            (points(trend.slope), trend.interval.map(ends)),
            rate.trend_steps,
            trend,
        )
    }));
    let sides = [&rate.before, &rate.after];
    let places = sides.into_iter().flatten().flat_map(|side| &side.places);
    items.into_iter().map(Text::plain).chain(ground(wording, places)).collect()
}

fn about_metric(wording: &ProgressWording<'_>, metric: &ProgressMetric) -> Vec<Text> {
    let trend = metric.trend.ok().map(|trend| {
        let ends = |ci: Interval| quantity::range(ci.lo, ci.hi, Unit::Plain);
        let slope = quantity::figure(trend.slope, Unit::Plain);
        let text = trend_text(wording, (slope, trend.interval.map(ends)), metric.points, trend);
        Text::plain(text)
    });
    let places: Vec<Location> = [&metric.before, &metric.after]
        .into_iter()
        .flatten()
        .map(TimelineValue::location)
        .collect();
    trend.into_iter().chain(ground(wording, places.iter())).collect()
}

/// A trend over so many steps: its slope with the interval, as they are written, and its p.
fn trend_text(
    wording: &ProgressWording<'_>,
    (slope, interval): (String, Option<String>),
    points: usize,
    trend: TrendEstimate,
) -> String {
    let facts = [
        ("slope", slope),
        ("interval", interval.unwrap_or_else(|| "?".to_owned())),
        ("level", wording.level()),
        ("points", quantity::count(points as u64)),
        ("p", quantity::p_text_in_sentence(trend.p_adjusted)),
    ];
    wording.fill("metric-trend", &facts)
}

fn ground<'p>(
    wording: &ProgressWording<'_>,
    places: impl Iterator<Item = &'p Location>,
) -> Option<Text> {
    let places = grounds(places, &wording.words.get("punctuation.comma"));
    let text = Text::plain(wording.get("ground"));
    (!places.is_empty()).then(|| places.0.into_iter().fold(text, Text::and))
}
