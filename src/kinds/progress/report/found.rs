//! Findings: what each share and metric shows, with its ground, and what is wrong with the data.

use super::words::{Telling, arrow, grounds, is_kept, points, share};
use crate::diag::Location;
use crate::kinds::progress::analysis::{Metric, Movement, Rate, RecordedValue, Side, interval};
use crate::quantity::{self, Unit};
use crate::report::block::{Block, Icon, Text};
use crate::stats::Interval;

/// Metrics whose trend is told one by one.
const MOST_TOLD: usize = 8;

pub(super) fn section(telling: &Telling<'_>) -> Vec<Block> {
    let progress = telling.progress;
    let mut blocks = Vec::new();
    for rate in &progress.rates {
        let name = telling.name(&rate.name);
        blocks.push(heading(telling, &name, rate.movement, rate.change(), is_kept(rate)));
        blocks.push(Block::bullets(about_rate(telling, rate)));
    }
    let moved = progress.metrics.iter().filter(|metric| {
        matches!(metric.movement, Movement::Improved | Movement::Worsened | Movement::Changed)
    });
    for metric in moved.take(MOST_TOLD) {
        let name = telling.name(&metric.name);
        blocks.push(heading(telling, &name, metric.movement, metric.change(), false));
        blocks.push(Block::bullets(about_metric(telling, metric)));
    }
    if blocks.is_empty() {
        blocks.push(Block::paragraph(telling.get("nothing-found")));
    }
    blocks
}

fn heading(
    telling: &Telling<'_>,
    name: &str,
    movement: Movement,
    change: Option<f64>,
    is_kept: bool,
) -> Block {
    let icon = match movement {
        Movement::Improved => Icon::Good,
        Movement::Worsened => Icon::Bad,
        Movement::Unchanged if is_kept => Icon::Kept,
        Movement::Untested(_) => Icon::Caution,
        _ => change.map_or(Icon::Flat, arrow),
    };
    let text = Text::strong(name)
        .and_plain(telling.words.get("punctuation.colon"))
        .and_plain(telling.movement(movement))
        .and_plain(" ")
        .and_icon(icon);
    Block::heading(text)
}

fn about_rate(telling: &Telling<'_>, rate: &Rate) -> Vec<Text> {
    let span = &telling.progress.span;
    let level = &telling.level();
    let shown = |side: &Option<Side>| {
        side.as_ref().map_or_else(|| "?".to_owned(), |side| share(side.counts))
    };
    let facts = [
        ("from", telling.step(span.from)),
        ("to", telling.step(span.to)),
        ("before", shown(&rate.before)),
        ("after", shown(&rate.after)),
        ("change", points(rate).unwrap_or_else(|| "?".to_owned())),
    ];
    let key = if span.is_single() { "rate-one" } else { "rate-both" };
    let mut items = vec![telling.fill(key, &facts)];
    if let Some(side) = &rate.after {
        let ci = interval(side.counts, telling.progress.alpha);
        let range = &quantity::range(ci.lo, ci.hi, Unit::Fraction);
        let facts = [("n", &quantity::count(side.counts.n)), ("level", level), ("interval", range)];
        items.push(telling.fill("rate-interval", &facts));
    }
    match (rate.test, rate.movement) {
        (Some(test), _) => {
            let difference = 100.0 * (test.later.share() - test.earlier.share());
            let [lo, hi] = [test.interval.lo, test.interval.hi].map(|end| 100.0 * end);
            let facts = [
                ("earlier", &share(test.earlier)),
                ("later", &share(test.later)),
                ("difference", &quantity::difference_with_decimals(difference, 1, Unit::Percent)),
                ("interval", &quantity::interval(lo, hi, 1)),
                ("level", level),
                ("p", &quantity::p_in_sentence(test.p)),
                ("adjusted", &quantity::p_in_sentence(test.p_adjusted)),
            ];
            let key = if rate.since.is_some() { "rate-since" } else { "rate-steps" };
            items.push(telling.fill(key, &facts));
        }
        (None, Movement::Untested(why)) => {
            items.push(telling.fill("not-tested", &[("why", telling.why(why))]));
        }
        _ => {}
    }
    let sides = [&rate.before, &rate.after];
    let places = sides.into_iter().flatten().flat_map(|side| &side.places);
    items.into_iter().map(Text::plain).chain(ground(telling, places)).collect()
}

fn about_metric(telling: &Telling<'_>, metric: &Metric) -> Vec<Text> {
    let trend = metric.trend.ok().map(|trend| {
        let range = |ci: Interval| quantity::range(ci.lo, ci.hi, Unit::Plain);
        let facts = [
            ("slope", quantity::figure(trend.slope, Unit::Plain)),
            ("interval", trend.interval.map_or_else(|| "?".to_owned(), range)),
            ("level", telling.level()),
            ("points", quantity::count(metric.points as u64)),
            ("p", quantity::p_in_sentence(trend.p_adjusted)),
        ];
        Text::plain(telling.fill("metric-trend", &facts))
    });
    let places: Vec<Location> = [&metric.before, &metric.after]
        .into_iter()
        .flatten()
        .map(RecordedValue::location)
        .collect();
    trend.into_iter().chain(ground(telling, places.iter())).collect()
}

fn ground<'p>(telling: &Telling<'_>, places: impl Iterator<Item = &'p Location>) -> Option<Text> {
    let places = grounds(places, &telling.words.get("punctuation.comma"));
    let text = Text::plain(telling.get("ground"));
    (!places.is_empty()).then(|| places.0.into_iter().fold(text, Text::and))
}
