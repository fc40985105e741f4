//! Findings: what each share and metric shows, with its ground, and what is wrong with the data.

use super::words::{Telling, arrow, grounds, is_kept, points, share};
use crate::diag::Location;
use crate::kinds::progress::analysis::{Metric, Movement, Rate, Reading, interval};
use crate::quantity;
use crate::report::block::{Block, Icon, Text};

/// Metrics whose trend is told one by one.
const MOST_TOLD: usize = 8;

pub(super) fn section(telling: &Telling<'_>) -> Vec<Block> {
    let progress = telling.progress;
    let mut blocks = Vec::new();
    for rate in &progress.rates {
        let name = telling.name(&rate.name);
        blocks.push(heading(telling, &name, rate.movement, rate.change(), is_kept(rate)));
        blocks.push(Block::bullets(of_rate(telling, rate)));
    }
    let moved = progress.metrics.iter().filter(|metric| {
        matches!(metric.movement, Movement::Improved | Movement::Worsened | Movement::Changed)
    });
    for metric in moved.take(MOST_TOLD) {
        let name = telling.name(&metric.name);
        blocks.push(heading(telling, &name, metric.movement, metric.change(), false));
        blocks.push(Block::bullets(of_metric(telling, metric)));
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

fn of_rate(telling: &Telling<'_>, rate: &Rate) -> Vec<Text> {
    let span = &telling.progress.span;
    let (from, to) = (telling.step(span.from), telling.step(span.to));
    let level = telling.level();
    let mut items = Vec::new();
    let unknown = "?".to_owned();
    let shown = |side: &Option<crate::kinds::progress::analysis::Side>| {
        side.as_ref().map_or_else(|| unknown.clone(), |side| share(side.counts))
    };
    let (before, after) = (shown(&rate.before), shown(&rate.after));
    let change = points(rate).unwrap_or_else(|| unknown.clone());
    let facts = [
        ("from", from.as_str()),
        ("to", to.as_str()),
        ("before", before.as_str()),
        ("after", after.as_str()),
        ("change", change.as_str()),
    ];
    let key = if span.is_single() { "rate-one" } else { "rate-both" };
    items.push(Text::plain(telling.fill(key, &facts)));
    if let Some(side) = &rate.after {
        let ci = interval(side.counts, telling.progress.alpha);
        let range = quantity::range(ci.lo, ci.hi, quantity::Unit::Fraction);
        let n = quantity::count(side.counts.n);
        let facts = [("n", n.as_str()), ("level", level.as_str()), ("interval", range.as_str())];
        items.push(Text::plain(telling.fill("rate-interval", &facts)));
    }
    match (rate.test, rate.movement) {
        (Some(test), _) => {
            let scaled = quantity::interval(100.0 * test.interval.lo, 100.0 * test.interval.hi, 1);
            let difference = 100.0 * (test.later.share() - test.earlier.share());
            let difference =
                quantity::difference_with_decimals(difference, 1, quantity::Unit::Percent);
            let (earlier, later) = (share(test.earlier), share(test.later));
            let (p, adjusted) =
                (quantity::p_in_sentence(test.p), quantity::p_in_sentence(test.p_adjusted));
            let facts = [
                ("earlier", earlier.as_str()),
                ("later", later.as_str()),
                ("difference", difference.as_str()),
                ("interval", scaled.as_str()),
                ("level", level.as_str()),
                ("p", p.as_str()),
                ("adjusted", adjusted.as_str()),
            ];
            let key = if rate.since.is_some() { "rate-since" } else { "rate-steps" };
            items.push(Text::plain(telling.fill(key, &facts)));
        }
        (None, Movement::Untested(why)) => {
            let why = telling.get(&format!("why.{}", why.name()));
            items.push(Text::plain(telling.fill("not-tested", &[("why", &why)])));
        }
        _ => {}
    }
    let sides = [&rate.before, &rate.after];
    let places = sides.into_iter().flatten().flat_map(|side| &side.places);
    items.extend(ground(telling, places));
    items
}

fn of_metric(telling: &Telling<'_>, metric: &Metric) -> Vec<Text> {
    let mut items = Vec::new();
    if let Ok(trend) = metric.trend {
        let unit = quantity::Unit::Plain;
        let slope = quantity::figure(trend.slope, unit);
        let interval =
            trend.interval.map_or_else(|| "?".to_owned(), |ci| quantity::range(ci.lo, ci.hi, unit));
        let (points, p) =
            (quantity::count(metric.points as u64), quantity::p_in_sentence(trend.p_adjusted));
        let facts = [
            ("slope", slope.as_str()),
            ("interval", interval.as_str()),
            ("level", &telling.level()),
            ("points", points.as_str()),
            ("p", p.as_str()),
        ];
        items.push(Text::plain(telling.fill("metric-trend", &facts)));
    }
    let places: Vec<Location> =
        [&metric.before, &metric.after].into_iter().flatten().map(Reading::location).collect();
    items.extend(ground(telling, places.iter()));
    items
}

fn ground<'p>(telling: &Telling<'_>, places: impl Iterator<Item = &'p Location>) -> Option<Text> {
    let places = grounds(places, &telling.words.get("punctuation.comma"));
    let text = Text::plain(telling.get("ground"));
    (!places.is_empty()).then(|| places.0.into_iter().fold(text, Text::and))
}
