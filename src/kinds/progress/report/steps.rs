//! The step table: every metric at both steps, what changed, and what that may be called.

use super::progress_wording::{ProgressWording, change, is_kept, points, share, value};
use super::{course_charts, rates_chart};
use crate::kinds::progress::analysis::{
    ProgressDesign, ProgressMetric, ProgressMovement, ProgressRate, ProgressUntested, StepShare,
    TimelineValue,
};
use crate::quantity;
use crate::quantity::Unit;
use crate::report::block::{Block, Cell, Table, Text};

/// Rows that are shown openly where none is named.
const MOST_OPEN: usize = 12;

pub(super) fn section(wording: &ProgressWording<'_>) -> Vec<Block> {
    let progress = wording.progress;
    let (open, folded) = shown_openly(wording);
    let mut blocks = vec![Block::heading(heading(wording)), Block::paragraph(taken(wording))];
    let rates = progress.rates.iter().map(Row::Rate);
    let rows: Vec<Row<'_>> = rates.chain(open.into_iter().map(Row::Metric)).collect();
    blocks.extend(rates_chart::block(wording));
    blocks.extend(course_charts::rates(wording));
    blocks.push(table(wording, &rows));
    blocks.extend(notes(wording).into_iter().map(Block::paragraph));
    if !folded.is_empty() {
        let summary = wording.fill("more-metrics", &[("count", folded.len())]);
        let rows: Vec<Row<'_>> = folded.into_iter().map(Row::Metric).collect();
        blocks.push(Block::folded(summary, vec![table(wording, &rows)]));
    }
    blocks
}

enum Row<'a> {
    Rate(&'a ProgressRate),
    Metric(&'a ProgressMetric),
}

/// The metrics of the open table and those that are folded below it: open are those that are named,
/// that moved or have a good side, and others that vary while there is room.
fn shown_openly<'a>(
    wording: &ProgressWording<'a>,
) -> (Vec<&'a ProgressMetric>, Vec<&'a ProgressMetric>) {
    let progress = wording.progress;
    let show = &progress.declared.show;
    let is_named = |metric: &ProgressMetric| {
        show.contains(&metric.name)
            || metric.is_counter
            || progress.declared.averages.contains_key(&metric.name)
    };
    let is_telling = |metric: &ProgressMetric| {
        let moved = matches!(
            metric.movement,
            ProgressMovement::Improved | ProgressMovement::Worsened | ProgressMovement::Changed
        );
        moved || (!metric.is_constant && metric.spec.direction.sign().is_some())
    };
    let is_open =
        |metric: &ProgressMetric| is_named(metric) || (show.is_empty() && is_telling(metric));
    let has_own = !show.is_empty() || !progress.rates.is_empty();
    let taken = progress.metrics.iter().filter(|metric| is_open(metric)).count();
    let mut room = if has_own { 0 } else { MOST_OPEN.saturating_sub(taken) };
    progress.metrics.iter().partition(|metric| {
        let fits = room > 0 && !metric.is_constant && !is_open(metric);
        room -= usize::from(fits);
        fits || is_open(metric)
    })
}

fn heading(wording: &ProgressWording<'_>) -> String {
    let span = &wording.progress.span;
    let (from, to) = (wording.step(span.from), wording.step(span.to));
    if span.is_single() {
        return to;
    }
    wording.fill("steps-heading", &[("from", &from), ("to", &to)])
}

/// Which steps were taken, and why.
fn taken(wording: &ProgressWording<'_>) -> String {
    let span = &wording.progress.span;
    let count = quantity::count(span.recorded.len() as u64);
    let first = wording.step(span.recorded.first().copied().unwrap_or(span.to));
    let last = wording.step(span.recorded.last().copied().unwrap_or(span.to));
    let key = match (span.is_single(), span.asked) {
        (true, _) => "taken-one",
        (_, [false, false]) => "taken-ends",
        (_, [true, true]) => "taken-both",
        (_, [true, false]) => "taken-from",
        (_, [false, true]) => "taken-to",
    };
    let facts = [("count", count.as_str()), ("first", first.as_str()), ("last", last.as_str())];
    wording.fill(key, &facts)
}

fn table(wording: &ProgressWording<'_>, rows: &[Row<'_>]) -> Block {
    let span = &wording.progress.span;
    let has_since = rows.iter().any(|row| matches!(row, Row::Rate(rate) if rate.since.is_some()));
    let since = [("from", quantity::exact(span.from)), ("to", quantity::exact(span.to))];
    Table::of_rows(rows)
        .left(wording.get("head.metric"), |row| {
            Text::strong(wording.name(match row {
                Row::Rate(rate) => &rate.name,
                Row::Metric(metric) => &metric.name,
            }))
        })
        .when(!span.is_single(), |table| {
            table
                .right(wording.step(span.from), |row| match row {
                    Row::Rate(rate) => side_cell(rate.before.as_ref()),
                    Row::Metric(metric) => {
                        value_cell(wording, metric, metric.before.as_ref(), span.from)
                    }
                })
                .optional()
        })
        .right(wording.step(span.to), |row| match row {
            Row::Rate(rate) => side_cell(rate.after.as_ref()),
            Row::Metric(metric) => value_cell(wording, metric, metric.after.as_ref(), span.to),
        })
        .right(wording.get("head.change"), |row| {
            Cell::known(match row {
                Row::Rate(rate) => points(rate).zip(rate.change()),
                Row::Metric(metric) => {
                    let unit = metric.unit(wording.progress);
                    let shown = change(metric, unit).map(|shown| relative(metric, unit, shown));
                    shown.zip(metric.change())
                }
            })
        })
        .when(has_since, |table| {
            table
                .right(wording.fill("head.since", &since), |row| match row {
                    Row::Rate(ProgressRate { since: Some(since), .. }) => {
                        Cell::number(share(*since), since.share())
                    }
                    Row::Rate(rate) if rate.design != ProgressDesign::PerStep => Cell::missing(),
                    _ => Cell::text("–"),
                })
                .optional()
        })
        .left(wording.get("head.trend"), |row| match row {
            Row::Rate(rate) => wording.trend(rate.movement, rate.change(), is_kept(rate)),
            Row::Metric(metric) => trend(wording, metric),
        })
        .block()
}

fn side_cell(side: Option<&StepShare>) -> Cell {
    Cell::known(side.map(|side| (share(side.counts), side.counts.share())))
}

/// A value, with its step where it is not the one of the column.
fn value_cell(
    wording: &ProgressWording<'_>,
    metric: &ProgressMetric,
    recorded: Option<&TimelineValue>,
    step: f64,
) -> Cell {
    let Some(recorded) = recorded else { return Cell::missing() };
    let mut shown = value(recorded.value, metric.unit(wording.progress));
    if recorded.at != step {
        let facts = [("value", shown), ("step", wording.step(recorded.at))];
        shown = wording.fill("at-other-step", &facts);
    }
    if recorded.value.is_finite() { Cell::number(shown, recorded.value) } else { Cell::text(shown) }
}

fn trend(wording: &ProgressWording<'_>, metric: &ProgressMetric) -> Text {
    let text = wording.trend(metric.movement, metric.change(), false);
    match metric.trend {
        Ok(trend)
            if metric.movement == ProgressMovement::Untested(ProgressUntested::Autocorrelated) =>
        {
            let n = quantity::fixed(trend.effective, 1);
            let all = quantity::count(metric.points as u64);
            text.and_plain(wording.fill("worth", &[("n", &n), ("all", &all)]))
        }
        _ => text,
    }
}

/// The change, with the relative change of figures that are neither shares nor counts.
fn relative(metric: &ProgressMetric, unit: Unit, shown: String) -> String {
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
fn notes(wording: &ProgressWording<'_>) -> Vec<String> {
    let progress = wording.progress;
    let tested = progress.rates.iter().filter(|rate| rate.test.is_some()).count();
    let facts = [("tested", tested.to_string()), ("level", wording.level())];
    let has = |design: ProgressDesign| progress.rates.iter().any(|rate| rate.design == design);
    let mut notes = Vec::new();
    if has(ProgressDesign::Since) {
        notes.push(wording.fill("note-since", &facts));
    }
    if has(ProgressDesign::PerStep) {
        notes.push(wording.fill("note-per-step", &facts));
    }
    if tested > 0 {
        notes.push(wording.fill("note-tests", &facts));
    }
    let trends =
        progress.metrics.iter().filter(|metric| !metric.is_counter && metric.trend.is_ok()).count();
    if trends > 0 {
        notes.push(wording.fill("note-trends", &[("count", trends)]));
    }
    notes
}
