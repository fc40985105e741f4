//! The figures of all nights in the index: charts, trends, and what is watched.

use indexmap::IndexMap;

use super::alerts::{figure_name, key, shown_name};
use super::index::{JobLine, Material, TREND, Trend};
use crate::quantity::{self, Unit};
use crate::report::block::{Block, Cell, Table, Text};
use crate::report::chart::{Chart, signs};
use crate::report::nights::night_chart;
use crate::trend::{Alert, FEWEST_NIGHTS, MetricKey, MetricTrend};

/// Figures that are drawn.
const MOST_CHARTS: usize = 3;

pub(super) fn nights(material: &Material<'_>) -> Vec<Block> {
    let words = material.words;
    let mut blocks = charts(material);
    let rows: Vec<(&str, &Trend<'_>)> = material
        .jobs
        .iter()
        .flat_map(|job| job.trends.iter().map(|trend| (job.name, trend)))
        .collect();
    if rows.is_empty() {
        return blocks;
    }
    let known = |trend: &Trend<'_>| trend.values.iter().flatten().copied().collect::<Vec<f64>>();
    let table = Table::of_rows(&rows)
        .left(words.get("nightly.job"), |(job, _)| Text::plain(*job))
        .left(words.get("nightly.metric"), |(_, trend)| Text::code(row_name(trend)))
        .left(words.get("nightly.trend"), |(_, trend)| signs::sparkline(trend.known_from()))
        .right(words.get("nightly.last"), |(_, trend)| {
            let last = known(trend).last().copied();
            Cell::known(last.map(|last| (quantity::figure(last, unit(trend)), last)))
        })
        .right(words.get("nightly.step"), |(_, trend)| {
            let known = known(trend);
            let step = known.iter().rev().take(2).collect::<Vec<_>>();
            match step.as_slice() {
                [last, before] => {
                    let delta = (*last - *before) * unit(trend).shown_scale();
                    let text = quantity::difference_text(delta, [**before, **last], unit(trend));
                    Cell::number(text, delta)
                }
                _ => Cell::dash(),
            }
        });
    blocks.push(table.block());
    let facts = [("nights", quantity::count(TREND.into()))];
    blocks.push(Block::paragraph(words.fill("nightly.trend-note", &facts)));
    blocks.extend(watch_notes(material).into_iter().map(Block::paragraph));
    blocks
}

/// What is watched over nights, and what is not, or not yet.
fn watch_notes(material: &Material<'_>) -> Vec<String> {
    let words = material.words;
    let measured = |trend: &MetricTrend<'_>| {
        trend.history.records().iter().filter(|record| record.value.is_some()).count()
    };
    let (mut is_watched, mut early, mut without) = (false, Vec::new(), Vec::new());
    for job in material.jobs.iter().filter(|job| !job.trends.is_empty()) {
        let own = material.watched.iter().filter(|trend| trend.history.key.job == job.name);
        match own.map(measured).max() {
            None => without.push(job.name.to_owned()),
            Some(nights) if nights < FEWEST_NIGHTS => {
                let facts = [("job", job.name.to_owned()), ("count", nights.to_string())];
                early.push(words.fill("nightly.nights-so-far", &facts));
            }
            Some(_) => is_watched = true,
        }
    }
    let jobs = |names: Vec<String>| ("jobs", names.join(&words.get("punctuation.comma")));
    let fewest = ("fewest", FEWEST_NIGHTS.to_string());
    let watched = is_watched.then(|| words.fill("nightly.watched", std::slice::from_ref(&fewest)));
    let early =
        (!early.is_empty()).then(|| words.fill("nightly.not-watched", &[jobs(early), fewest]));
    let without = (!without.is_empty()).then(|| words.fill("nightly.no-side", &[jobs(without)]));
    [watched, early, without].into_iter().flatten().collect()
}

/// `dataset/metric [dims]`.
fn row_name(trend: &Trend<'_>) -> String {
    let (metric, _, _, dataset, dims) = trend.row.key();
    let name = shown_name(metric, dataset);
    dims.map_or_else(|| name.clone(), |dims| format!("{name} [{dims}]"))
}

fn unit(trend: &Trend<'_>) -> Unit {
    Unit::named(&trend.row.unit).unwrap_or_default()
}

/// The watched figures over nights: those with an open alert, then the first one of each job.
fn charts(material: &Material<'_>) -> Vec<Block> {
    let words = material.words;
    let is_alert = |trend: &&MetricTrend<'_>| {
        let own = |alert: &Alert| alert.state.is_open() && alert.alarm.key == trend.history.key;
        material.alerts.iter().any(own)
    };
    let of_job = |job: &JobLine<'_>| {
        let key = key(job.trends.first()?.row);
        material.watched.iter().find(|trend| trend.history.key == key)
    };
    let alerts = material.watched.iter().filter(is_alert);
    let firsts = material.jobs.iter().filter_map(of_job);
    let drawn: IndexMap<&MetricKey, &MetricTrend<'_>> =
        alerts.chain(firsts).map(|trend| (&trend.history.key, trend)).collect();
    let chart = |(key, trend): (&MetricKey, &MetricTrend<'_>)| {
        let facts = [("job", key.job.clone()), ("metric", figure_name(key))];
        let chart = night_chart(trend, words)?;
        Some(Block::chart(Chart { title: words.fill("nightly.chart", &facts), ..chart }))
    };
    drawn.into_iter().filter_map(chart).take(MOST_CHARTS).collect()
}
