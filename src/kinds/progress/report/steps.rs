//! The step table: every metric at both steps, what changed, and what that may be called.

use super::words::{Telling, change, is_kept, points, share, value};
use crate::kinds::progress::analysis::{Design, Metric, Movement, Rate, RecordedValue, Untested};
use crate::quantity;
use crate::quantity::Unit;
use crate::report::block::{Align, Block, Cell, Table, Text};

/// Rows that are shown openly where none is named.
const MOST_OPEN: usize = 12;

pub(super) fn section(telling: &Telling<'_>) -> Vec<Block> {
    let progress = telling.progress;
    let (open, folded) = shown_openly(telling);
    let mut blocks = vec![Block::heading(heading(telling)), Block::paragraph(taken(telling))];
    let has_since = progress.rates.iter().any(|rate| rate.since.is_some());
    let mut table = head(telling, has_since);
    for rate in &progress.rates {
        table.push(rate_row(telling, rate, has_since));
    }
    for metric in open {
        table.push(metric_row(telling, metric, has_since));
    }
    blocks.push(Block::Table { table });
    blocks.extend(notes(telling).into_iter().map(Block::paragraph));
    if !folded.is_empty() {
        let mut table = head(telling, false);
        for metric in &folded {
            table.push(metric_row(telling, metric, false));
        }
        let count = folded.len().to_string();
        blocks.push(Block::Details {
            summary: Text::plain(telling.fill("more-metrics", &[("count", &count)])),
            blocks: vec![Block::Table { table }],
        });
    }
    blocks
}

/// The metrics of the open table and those that are folded below it: open are those that are named,
/// that moved or have a good side, and others that vary while there is room.
fn shown_openly<'a>(telling: &Telling<'a>) -> (Vec<&'a Metric>, Vec<&'a Metric>) {
    let progress = telling.progress;
    let show = &progress.declared.show;
    let is_named = |metric: &Metric| {
        show.contains(&metric.name)
            || metric.is_counter
            || progress.declared.averages.contains_key(&metric.name)
    };
    let is_telling = |metric: &Metric| {
        let moved =
            matches!(metric.movement, Movement::Improved | Movement::Worsened | Movement::Changed);
        moved || (!metric.is_constant && metric.spec.direction.sign().is_some())
    };
    let is_open = |metric: &Metric| is_named(metric) || (show.is_empty() && is_telling(metric));
    let has_own = !show.is_empty() || !progress.rates.is_empty();
    let taken = progress.metrics.iter().filter(|metric| is_open(metric)).count();
    let mut room = if has_own { 0 } else { MOST_OPEN.saturating_sub(taken) };
    progress.metrics.iter().partition(|metric| {
        let fits = room > 0 && !metric.is_constant && !is_open(metric);
        room -= usize::from(fits);
        fits || is_open(metric)
    })
}

fn heading(telling: &Telling<'_>) -> String {
    let span = &telling.progress.span;
    let (from, to) = (telling.step(span.from), telling.step(span.to));
    if span.is_single() {
        return to;
    }
    telling.fill("steps-heading", &[("from", &from), ("to", &to)])
}

/// Which steps were taken, and why.
fn taken(telling: &Telling<'_>) -> String {
    let span = &telling.progress.span;
    let count = quantity::count(span.recorded.len() as u64);
    let first = telling.step(span.recorded.first().copied().unwrap_or(span.to));
    let last = telling.step(span.recorded.last().copied().unwrap_or(span.to));
    let key = match (span.is_single(), span.asked) {
        (true, _) => "taken-one",
        (_, [false, false]) => "taken-ends",
        (_, [true, true]) => "taken-both",
        (_, [true, false]) => "taken-from",
        (_, [false, true]) => "taken-to",
    };
    let facts = [("count", count.as_str()), ("first", first.as_str()), ("last", last.as_str())];
    telling.fill(key, &facts)
}

fn head(telling: &Telling<'_>, has_since: bool) -> Table {
    let span = &telling.progress.span;
    let mut heads = vec![(telling.get("head.metric"), Align::Left)];
    if !span.is_single() {
        heads.push((telling.step(span.from), Align::Right));
    }
    heads.push((telling.step(span.to), Align::Right));
    heads.push((telling.get("head.change"), Align::Right));
    if has_since {
        let (from, to) = (quantity::exact(span.from), quantity::exact(span.to));
        heads.push((telling.fill("head.since", &[("from", &from), ("to", &to)]), Align::Right));
    }
    heads.push((telling.get("head.trend"), Align::Left));
    Table::with_heads(heads)
}

fn rate_row(telling: &Telling<'_>, rate: &Rate, has_since: bool) -> Vec<Cell> {
    let cell = |side: &Option<crate::kinds::progress::analysis::Side>| match side {
        Some(side) => Cell::number(share(side.counts), side.counts.share()),
        None => Cell::missing(),
    };
    let mut row = vec![Cell::text(Text::strong(telling.name(&rate.name)))];
    if !telling.progress.span.is_single() {
        row.push(cell(&rate.before));
    }
    row.push(cell(&rate.after));
    row.push(match (points(rate), rate.change()) {
        (Some(shown), Some(change)) => Cell::number(shown, change),
        _ => Cell::missing(),
    });
    if has_since {
        row.push(match (rate.since, rate.design) {
            (Some(since), _) => Cell::number(share(since), since.share()),
            (None, Design::PerStep) => Cell::text("–"),
            (None, _) => Cell::missing(),
        });
    }
    row.push(Cell::text(telling.trend(rate.movement, rate.change(), is_kept(rate))));
    row
}

fn metric_row(telling: &Telling<'_>, metric: &Metric, has_since: bool) -> Vec<Cell> {
    let span = &telling.progress.span;
    let unit = metric.unit(telling.progress);
    let cell = |reading: &Option<RecordedValue>, at: f64| match reading {
        Some(reading) => {
            let shown = value(reading.value, unit);
            let shown = if reading.at == at {
                shown
            } else {
                telling.fill(
                    "at-other-step",
                    &[("value", &shown), ("step", &telling.step(reading.at))],
                )
            };
            if reading.value.is_finite() {
                Cell::number(shown, reading.value)
            } else {
                Cell::text(shown)
            }
        }
        None => Cell::missing(),
    };
    let mut row = vec![Cell::text(Text::strong(telling.name(&metric.name)))];
    if !span.is_single() {
        row.push(cell(&metric.before, span.from));
    }
    row.push(cell(&metric.after, span.to));
    row.push(match (change(metric, unit), metric.change()) {
        (Some(shown), Some(change)) => Cell::number(relative(metric, unit, shown), change),
        _ => Cell::missing(),
    });
    if has_since {
        row.push(Cell::text("–"));
    }
    let trend = telling.trend(metric.movement, metric.change(), false);
    row.push(Cell::text(match metric.trend {
        Ok(found) if metric.movement == Movement::Untested(Untested::Autocorrelated) => {
            let n = quantity::fixed(found.effective, 1);
            let all = quantity::count(metric.points as u64);
            trend.and_plain(telling.fill("worth", &[("n", &n), ("all", &all)]))
        }
        _ => trend,
    }));
    row
}

/// The change, with the relative change of figures that are neither shares nor counts.
fn relative(metric: &Metric, unit: Unit, shown: String) -> String {
    let before = metric.before.as_ref().map(|reading| reading.value).filter(|value| *value > 0.0);
    match (before, metric.change()) {
        (Some(before), Some(change))
            if !unit.is_rate() && !metric.is_counter && unit != Unit::Count && change != 0.0 =>
        {
            let arrow = if change > 0.0 { "↑" } else { "↓" };
            format!("{shown} ({arrow} {})", quantity::relative_change(change / before))
        }
        _ => shown,
    }
}

/// How the table is to be read.
fn notes(telling: &Telling<'_>) -> Vec<String> {
    let progress = telling.progress;
    let tested = progress.rates.iter().filter(|rate| rate.test.is_some()).count();
    let facts = [("tested", tested.to_string()), ("level", telling.level())];
    let has = |design: Design| progress.rates.iter().any(|rate| rate.design == design);
    let mut notes = Vec::new();
    if has(Design::Since) {
        notes.push(telling.fill("note-since", &facts));
    }
    if has(Design::PerStep) {
        notes.push(telling.fill("note-per-step", &facts));
    }
    if tested > 0 {
        notes.push(telling.fill("note-tests", &facts));
    }
    let trends = progress.metrics.iter().filter(|one| !one.is_counter && one.trend.is_ok()).count();
    if trends > 0 {
        notes.push(telling.fill("note-trends", &[("count", trends)]));
    }
    notes
}
