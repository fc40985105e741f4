//! The differences that a report begins with, each with its interval, on one scale for each unit.

use super::Drawn;
use crate::quantity::{self, Unit};
use crate::report::ReportMaterial;
use crate::report::brief;
use crate::report::chart::{
    Axis, Chart, IntervalMark, IntervalPanel, IntervalRow, Marks, RowLook, Side,
};
use crate::report::data::{ComparisonData, ComparisonView, SuiteView};
use crate::text::Catalogue;

pub(super) fn charts(material: &ReportMaterial<'_>, data: &ComparisonData) -> Drawn {
    chart(data, material.words).into()
}

/// One row for each difference of the first table; `None` where no row has an interval.
pub(in crate::report) fn chart(data: &ComparisonData, words: &Catalogue) -> Option<Chart> {
    let shown = brief::shown_first(data);
    let cells = shown.iter().filter_map(|row| comparison(row, data, words));
    let mut rows: Vec<Placed> = brief::first_averages(data)
        .into_iter()
        .map(|suite| average(suite, data, words))
        .chain(cells)
        .collect();
    let mark = |row: &Placed| row.row.marks.first().copied();
    if !rows.iter().any(|row| mark(row).is_some_and(|mark| mark.interval.is_some())) {
        return None;
    }
    let level = shown.iter().find_map(|row| row.delta.as_ref()?.level).map(quantity::level);
    let description = rows.iter().map(|Placed { row, .. }| {
        let args = [("name", &row.name), ("figure", &row.figure), ("word", &row.word)];
        words.fill("chart.row", &args)
    });
    let description = description.collect::<Vec<_>>().join(&words.get("punctuation.semicolon"));
    let metric = without_metric(&mut rows);
    let args =
        [("level", level.unwrap_or_default()), ("metric", metric.clone().unwrap_or_default())];
    let title = if metric.is_some() { "chart.differences-of" } else { "chart.differences" };
    Some(Chart {
        name: "differences",
        description,
        title: words.fill(title, &args),
        marks: Marks::Intervals { panels: panels(rows, words) },
    })
}

/// Takes the metric out of the names of rows that all have the same and say more than it, so that what tells
/// them apart has room. Returns its name.
fn without_metric(rows: &mut [Placed]) -> Option<String> {
    let metric = rows.first()?.metric.clone();
    let place = |row: &Placed| -> Option<String> {
        let own = row.row.name.strip_prefix(&metric)?.strip_prefix(" (")?.strip_suffix(')')?;
        (row.metric == metric).then(|| own.to_owned())
    };
    let places: Vec<String> = rows.iter().map(place).collect::<Option<_>>()?;
    rows.iter_mut().zip(places).for_each(|(row, place)| row.row.name = place);
    Some(metric)
}

/// A row with what decides on which scale it stands.
struct Placed {
    row: IntervalRow,
    unit: Unit,
    metric: String,
    role: Option<&'static str>,
}

impl Placed {
    /// Whether both can be read on one scale: numbers without a unit only of one metric.
    fn shares_scale(&self, other: &Self) -> bool {
        let has_unit = !matches!(self.unit, Unit::Plain | Unit::Count);
        self.unit.name_of_differences() == other.unit.name_of_differences()
            && (has_unit || self.metric == other.metric)
    }
}

/// One panel for each scale, in the order of their first rows; within it the order of the rows stays.
fn panels(rows: Vec<Placed>, words: &Catalogue) -> Vec<IntervalPanel> {
    let first = rows.first().and_then(|row| row.role);
    let has_groups = rows.iter().any(|row| row.role != first);
    let mut scales: Vec<Vec<Placed>> = Vec::new();
    for row in rows {
        match scales.iter_mut().find(|scale| scale.iter().any(|one| one.shares_scale(&row))) {
            Some(scale) => scale.push(row),
            None => scales.push(vec![row]),
        }
    }
    let panel = |scale: Vec<Placed>| {
        let (unit, metric) = scale.first().map(|row| (row.unit, row.metric.clone()))?;
        let mut before = None;
        let rows = scale.into_iter().map(|Placed { mut row, role, .. }| {
            let role = role.unwrap_or("none");
            row.group =
                (has_groups && before != Some(role)).then(|| words.get(&format!("roles.{role}")));
            before = Some(role);
            row
        });
        let key = if unit.is_rate() { "rate" } else { unit.name() };
        let title = words.fill(&format!("chart.difference.{key}"), &[("metric", metric)]);
        let axis = Axis { title, unit: unit.name_of_differences(), is_difference: true };
        Some(IntervalPanel { axis, arms: None, rows: rows.collect() })
    };
    scales.into_iter().filter_map(panel).collect()
}

fn comparison(row: &ComparisonView, data: &ComparisonData, words: &Catalogue) -> Option<Placed> {
    let delta = row.delta.as_ref()?;
    let operands = row.compared().map(Option::unwrap_or_default);
    let figure = quantity::difference_within(delta.absolute, operands, delta.ci, row.unit);
    let margin = row.noninferiority.map(|shown| shown.margin);
    let said = (row.verdict, row.word, row.reason.as_deref());
    Some(Placed {
        unit: row.unit,
        metric: row.metric.clone(),
        role: row.role,
        row: IntervalRow {
            name: brief::row_name(row, data),
            group: None,
            figure: with_interval(figure, delta.ci, |ends| {
                brief::interval_decimals(row.unit, ends)
            }),
            marks: vec![IntervalMark::figure(delta.absolute, delta.ci)],
            margin: margin.map(|margin| [-margin, margin]),
            word: word(said.0, said.1, words),
            look: look(said),
        },
    })
}

fn average(suite: &SuiteView, data: &ComparisonData, words: &Catalogue) -> Placed {
    let mean = suite.macro_mean;
    let [lo, hi] = mean.ci;
    let places = quantity::decimals_for_interval(lo, hi);
    let figure = quantity::difference_with_decimals(mean.delta, places, suite.metric_unit);
    let margin = suite.noninferiority.map(|shown| shown.margin);
    let said = (suite.verdict, suite.word, suite.reason.as_deref());
    Placed {
        unit: suite.metric_unit,
        metric: suite.metric.clone(),
        role: suite.role,
        row: IntervalRow {
            name: brief::average_name(suite, data, words),
            group: None,
            figure: with_interval(figure, Some(mean.ci), |_| places),
            marks: vec![IntervalMark::figure(mean.delta, Some(mean.ci))],
            margin: margin.map(|margin| [-margin, margin]),
            word: word(said.0, said.1, words),
            look: RowLook { is_pooled: true, ..look(said) },
        },
    }
}

/// `+17.0 pp (+11.6 … +23.2)`.
fn with_interval(
    figure: String,
    interval: Option<[f64; 2]>,
    decimals: impl Fn([f64; 2]) -> usize,
) -> String {
    match interval {
        Some(ends @ [lo, hi]) => {
            format!("{figure} ({})", quantity::interval_text(lo, hi, decimals(ends)))
        }
        None => figure,
    }
}

fn word(verdict: &str, instead: Option<&str>, words: &Catalogue) -> String {
    words.get(&format!("verdict.{}", instead.unwrap_or(verdict)))
}

/// What is only described, or not judged, is not decided.
fn look((verdict, instead, reason): (&str, Option<&str>, Option<&str>)) -> RowLook {
    let side = match verdict {
        _ if instead.is_some() => None,
        "better" => Some(Side::Better),
        "worse" => Some(Side::Worse),
        _ => None,
    };
    let is_described = instead == Some("described");
    RowLook {
        is_decided: !is_described && !matches!(verdict, "inconclusive" | "not-assessable"),
        is_blocked: !is_described && verdict == "not-assessable" && reason.is_some(),
        is_pooled: false,
        side,
    }
}
