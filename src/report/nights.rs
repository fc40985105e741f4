//! Metrics over nights as a chart, and alerts as a table: parts of whatever report shows them.

use crate::quantity::{self, Night};
use crate::stats::nights::Expected;
use crate::text::Catalogue;
use crate::trend::{
    Alarm, AlarmKind, Alert, AlertState, Condition, MetricTrend, Movement, NightRecord, Suspect,
};

use super::block::{Block, Cell, Icon, Table, Text, Tone};
use super::chart::{Axis, Chart, ChartEvent, ChartLine, LineChart, LineWeight, Marks};

/// Half the width of the drawn band, in standard deviations.
const BAND: f64 = 2.0;

/// Up to so many nights each is seen.
const FEW: usize = 60;

/// Most suspects of an alert that are named.
const MOST_SUSPECTS: usize = 4;

/// Level of the intervals of alarms.
const LEVEL: f64 = 0.95;

/// A metric night by night, with the band that the nights before it let expect, and a mark where its
/// level changed or the measure became another one. `None` below two figures.
pub fn night_chart(trend: &MetricTrend<'_>, words: &Catalogue) -> Option<Chart> {
    let history = trend.history;
    let records = history.records();
    let figures = || records.iter().filter_map(|record| Some((record.night, record.value?)));
    let (first, last) = (figures().next()?, figures().next_back()?);
    if first.0 == last.0 {
        return None;
    }
    let metric = metric_name(trend);
    let figure = |value: f64| quantity::figure(value, history.unit);
    let said = words.fill(
        "nights.figures",
        &[
            ("metric", metric.clone()),
            ("first", figure(first.1)),
            ("from", first.0.to_string()),
            ("last", figure(last.1)),
            ("to", last.0.to_string()),
        ],
    );
    let line = |name: String, said: &str, series, weight, parts| ChartLine {
        name,
        said: said.to_owned(),
        series,
        weight,
        parts,
        intervals: Vec::new(),
        broken: Vec::new(),
    };
    let band = words.fill("nights.band", &[("deviations", quantity::exact(BAND))]);
    let expected = |side: f64| {
        let limit = move |expected: Expected| expected.mean + side * BAND * expected.sd;
        parts(trend, last.0, |at, _| trend.scores.get(at)?.expected.map(limit))
    };
    let weight = if records.len() > FEW { LineWeight::Strong } else { LineWeight::Dots };
    let lines = vec![
        line(band.clone(), &band, 2, LineWeight::Faint, expected(-1.0)),
        line(String::new(), &band, 2, LineWeight::Faint, expected(1.0)),
        line(metric.clone(), &said, 1, weight, parts(trend, last.0, |_, record| record.value)),
    ];
    let changes = trend.alarms.iter().map(|alarm| change_text(alarm, words));
    let described: Vec<String> = std::iter::once(said).chain(changes).collect();
    let axis = |title: String, unit| Axis { title, unit, is_difference: false };
    let chart = LineChart {
        x: axis(words.fill("nights.axis", &[("night", last.0)]), ""),
        y: axis(metric.clone(), history.unit.suffix()),
        scale: String::new(),
        lines: lines.into_iter().filter(|line| !line.parts.is_empty()).collect(),
        events: events(trend, last.0, words),
    };
    Some(Chart {
        name: "nights",
        title: metric,
        description: described.join(&words.get("punctuation.semicolon")),
        marks: Marks::Lines(chart),
    })
}

fn metric_name(trend: &MetricTrend<'_>) -> String {
    let key = &trend.history.key;
    let dataset = key.dataset.as_deref().map(|dataset| format!(" / {dataset}"));
    format!("{}{}", key.metric, dataset.unwrap_or_default())
}

/// Points by days before the last night, parted where there is none.
fn parts(
    trend: &MetricTrend<'_>,
    last: Night,
    value: impl Fn(usize, &NightRecord) -> Option<f64>,
) -> Vec<Vec<[f64; 2]>> {
    let scale = trend.history.unit.shown_scale();
    let mut parts: Vec<Vec<[f64; 2]>> = vec![Vec::new()];
    for (at, record) in trend.history.records().iter().enumerate() {
        match (value(at, record), parts.last_mut()) {
            (Some(value), Some(part)) => {
                part.push([days_before(record.night, last), value * scale]);
            }
            _ => parts.push(Vec::new()),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

fn days_before(night: Night, last: Night) -> f64 {
    -(last.days_since(night) as f64)
}

fn events(trend: &MetricTrend<'_>, last: Night, words: &Catalogue) -> Vec<ChartEvent> {
    let event = |night: Night, key: &str| ChartEvent {
        at: days_before(night, last),
        label: words.fill(key, &[("night", night)]),
        is_marked: true,
    };
    let changes = trend.alarms.iter().filter(|alarm| alarm.confirmed.is_some());
    let changes = changes.map(|alarm| event(alarm.start, "nights.marked"));
    changes
        .chain(trend.rebases.iter().map(|rebase| event(rebase.night, "nights.rebased")))
        .collect()
}

fn change_text(alarm: &Alarm, words: &Catalogue) -> String {
    let figure = |value: f64| quantity::figure(value, alarm.unit);
    words.fill(
        "nights.change",
        &[
            ("metric", alarm.key.metric.clone()),
            ("before", figure(alarm.before)),
            ("after", figure(alarm.after)),
            ("start", alarm.start.to_string()),
        ],
    )
}

/// A row for each alert, and how the alarms came to be; nothing without alerts.
pub fn alert_blocks(alerts: &[Alert], false_alarms_a_year: f64, words: &Catalogue) -> Vec<Block> {
    if alerts.is_empty() {
        return Vec::new();
    }
    let word = |key: &str| words.get(&format!("nights.{key}"));
    let size = words.fill("nights.size", &[("level", quantity::level(LEVEL))]);
    let table = Table::of_rows(alerts)
        .left(word("metric"), metric_cell)
        .left(word("status"), |alert| state_cell(alert, words))
        .left(word("level"), |alert| level_cell(&alert.alarm))
        .right(size, |alert| size_cell(&alert.alarm))
        .left(word("since"), |alert| since_cell(&alert.alarm, words))
        .left(word("suspects"), |alert| suspects_cell(&alert.alarm, words))
        .block();
    let count = quantity::exact(false_alarms_a_year);
    vec![table, Block::paragraph(words.fill("nights.method", &[("count", count)]))]
}

fn metric_cell(alert: &Alert) -> Text {
    let key = &alert.alarm.key;
    let text = Text::code(&key.metric);
    let text = key.dataset.iter().fold(text, |text, name| text.and_plain(" / ").and_code(name));
    text.and_plain(" / ").and_code(&key.job)
}

fn state_cell(alert: &Alert, words: &Catalogue) -> Cell {
    let (icon, tone) = match (alert.state, alert.alarm.movement) {
        (AlertState::Candidate, _) => (Icon::Open, Tone::Note),
        (AlertState::Confirmed, Movement::Worse) => (Icon::Bad, Tone::Danger),
        (AlertState::Confirmed, Movement::Changed) => (Icon::Caution, Tone::Warning),
        (AlertState::Acknowledged, _) => (Icon::Running, Tone::Warning),
        (AlertState::Confirmed, Movement::Better)
        | (AlertState::Resolved | AlertState::Accepted, _) => (Icon::Good, Tone::Good),
        (AlertState::Invalid, _) => (Icon::Flat, Tone::Note),
    };
    let mut said = vec![words.get(&format!("nights.state.{}", alert.state.name()))];
    if alert.reopened > 0 {
        said.push(words.fill("nights.reopened", &[("count", alert.reopened)]));
    }
    if alert.alarm.kind == AlarmKind::Exact {
        said.push(words.get("nights.constant"));
    }
    let said = said.join(&words.get("punctuation.comma"));
    Cell { tone: Some(tone), ..Cell::text(Text::marked(icon, said)) }
}

fn level_cell(alarm: &Alarm) -> Cell {
    let [before, after] =
        [alarm.before, alarm.after].map(|level| quantity::figure(level, alarm.unit));
    Cell::number(format!("{before} → {after}"), alarm.after)
}

/// The change with its interval; of a constant figure the change alone.
fn size_cell(alarm: &Alarm) -> Cell {
    let scale = alarm.unit.shown_scale();
    let delta = alarm.after - alarm.before;
    let shown = alarm.interval.map(|limits| limits.map(|limit| limit * scale));
    let text =
        quantity::difference_within(delta * scale, [alarm.before, alarm.after], shown, alarm.unit);
    let interval = shown.map(|[lo, hi]| {
        let decimals = quantity::decimals_for_interval(lo, hi);
        format!(" ({})", quantity::interval_text(lo, hi, decimals))
    });
    Cell::number(format!("{text}{}", interval.unwrap_or_default()), delta)
}

fn since_cell(alarm: &Alarm, words: &Catalogue) -> String {
    if alarm.earliest == alarm.latest {
        return alarm.start.to_string();
    }
    let range = [("earliest", alarm.earliest), ("latest", alarm.latest)];
    format!("{} ({})", alarm.start, words.fill("nights.between", &range))
}

fn suspects_cell(alarm: &Alarm, words: &Catalogue) -> Cell {
    if alarm.suspects.is_empty() {
        return Cell::text(words.get("nights.no-suspects"));
    }
    let gap = words.get("punctuation.semicolon");
    let mut text = Text::empty();
    for (at, suspect) in alarm.suspects.iter().take(MOST_SUSPECTS).enumerate() {
        let text_before = if at > 0 { text.and_plain(&gap) } else { text };
        text = suspect_text(text_before, suspect, words);
    }
    if let Some(more @ 1..) = alarm.suspects.len().checked_sub(MOST_SUSPECTS) {
        text = text.and_plain(&gap);
        text = text.and_plain(words.fill("nights.more-suspects", &[("count", more)]));
    }
    Cell::text(text)
}

fn suspect_text(text: Text, suspect: &Suspect, words: &Catalogue) -> Text {
    let text = match &suspect.condition {
        Condition::Commit => text.and_plain(words.get("nights.commit")),
        Condition::Digest(name) | Condition::Config(name) => text.and_code(name),
    };
    let value = |text: Text, value: &Option<String>| match value {
        Some(value) => text.and_code(value),
        None => text.and_plain("—"),
    };
    let text = value(text.and_plain(" "), &suspect.from).and_plain(" → ");
    value(text, &suspect.to)
}
