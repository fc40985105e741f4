//! Shares at each step with their intervals, and what was spent against the budget.

use super::progress_wording::ProgressWording;
use crate::kinds::progress::analysis::{Cost, ProgressForecast, ProgressRate};
use crate::quantity::{self, Unit};
use crate::report::block::Block;
use crate::report::chart::{Axis, Chart, ChartLine, LineChart, LineWeight, Marks};
use crate::stats::{Counts, wilson};

/// Shares that are drawn.
const MOST_RATES: usize = 4;
/// Fewer steps are told by the table.
const FEWEST: usize = 3;
/// More of them are drawn together, a few at each point.
const MOST_POINTS: usize = 15;

/// One for each share with steps enough.
pub(super) fn rates(wording: &ProgressWording<'_>) -> Vec<Block> {
    // Of what never, or always, happens a line says nothing.
    let varies = |rate: &&ProgressRate| {
        let share = |(_, counts): &(f64, Counts)| counts.share();
        rate.course.windows(2).any(|two| share(&two[0]) != share(&two[1]))
    };
    let drawn = wording.progress.rates.iter().filter(|rate| rate.course.len() >= FEWEST);
    let drawn = drawn.filter(varies);
    drawn.take(MOST_RATES).map(|rate| Block::chart(rate_chart(wording, rate))).collect()
}

fn rate_chart(wording: &ProgressWording<'_>, rate: &ProgressRate) -> Chart {
    let together = rate.course.len().div_ceil(MOST_POINTS);
    let pooled = rate.course.chunks(together).filter_map(|steps| {
        let sum = |of: fn(&Counts) -> u64| steps.iter().map(|(_, counts)| of(counts)).sum();
        let (at, _) = steps.last()?;
        Some((*at, Counts::new(sum(|counts| counts.x), sum(|counts| counts.n))?))
    });
    let pooled: Vec<(f64, Counts)> = pooled.collect();
    let points = pooled.iter().map(|(at, counts)| [*at, counts.share() * 100.0]).collect();
    let interval = |counts| {
        let interval = wilson(counts, 1.0 - wording.progress.alpha);
        Some([interval.lo * 100.0, interval.hi * 100.0])
    };
    let intervals = pooled.iter().map(|(_, counts)| interval(*counts)).collect();
    let facts = [
        ("name", wording.name(&rate.name)),
        ("level", wording.level()),
        ("steps", together.to_string()),
    ];
    let title =
        wording.fill(if together > 1 { "chart-rate-of-steps" } else { "chart-rate" }, &facts);
    let line = ChartLine { intervals, ..line(wording, points, 0, LineWeight::Dots, Unit::Percent) };
    chart(wording, "rate-by-step", title, vec![line], Unit::Percent)
}

/// What was spent up to each step, what the whole run would cost, and the budget.
pub(super) fn cost(wording: &ProgressWording<'_>, cost: &Cost) -> Option<Block> {
    let [_, last] = [cost.course.first()?, cost.course.last()?];
    if cost.course.len() < FEWEST {
        return None;
    }
    let mut lines = vec![ChartLine {
        name: wording.name(&cost.name),
        ..line(wording, cost.course.clone(), 0, LineWeight::Strong, Unit::Dollars)
    }];
    if let Some(forecast) = cost.forecast {
        lines.extend(ahead(wording, *last, forecast));
    }
    let title = wording.get("chart-cost");
    Some(Block::chart(chart(wording, "cost", title, lines, Unit::Dollars)))
}

fn ahead(
    wording: &ProgressWording<'_>,
    last: [f64; 2],
    forecast: ProgressForecast,
) -> Vec<ChartLine> {
    let [at, _] = last;
    let end = at + forecast.left;
    let [least, most] = forecast.range();
    let named = |key: &str, points, series| ChartLine {
        name: wording.get(key),
        ..line(wording, points, series, LineWeight::Faint, Unit::Dollars)
    };
    let mut lines = vec![named("chart-forecast", vec![last, [end, least]], 1)];
    if most > least {
        let further = vec![last, [end, most]];
        lines.push(line(wording, further, 1, LineWeight::Faint, Unit::Dollars));
    }
    if let Some(budget) = forecast.budget {
        lines.push(named("chart-budget", vec![[at, budget.hi], [end, budget.hi]], 2));
        if budget.lo < budget.hi {
            let lower = vec![[at, budget.lo], [end, budget.lo]];
            lines.push(line(wording, lower, 2, LineWeight::Faint, Unit::Dollars));
        }
    }
    lines
}

fn line(
    wording: &ProgressWording<'_>,
    points: Vec<[f64; 2]>,
    series: usize,
    weight: LineWeight,
    unit: Unit,
) -> ChartLine {
    let ends = [points.first(), points.last()].into_iter().flatten();
    let told = ends.map(|[at, value]| {
        let figure = quantity::figure(value / unit.shown_scale(), unit);
        format!("{} {figure}", quantity::exact(*at))
    });
    let said = told.collect::<Vec<_>>().join(&wording.words.get("punctuation.semicolon"));
    ChartLine {
        name: String::new(),
        said,
        series,
        weight,
        parts: vec![points],
        intervals: Vec::new(),
        broken: Vec::new(),
    }
}

fn chart(
    wording: &ProgressWording<'_>,
    name: &'static str,
    title: String,
    lines: Vec<ChartLine>,
    unit: Unit,
) -> Chart {
    let said = lines.iter().map(|line| format!("{} {}", line.name, line.said).trim().to_owned());
    let description = said.collect::<Vec<_>>().join(&wording.words.get("punctuation.semicolon"));
    let axis = |title: String, unit| Axis { title, unit, is_difference: false };
    let chart = LineChart {
        x: axis(wording.progress.axis.clone(), ""),
        y: axis(String::new(), unit.suffix()),
        scale: String::new(),
        lines,
        events: Vec::new(),
    };
    Chart { name, title, description, marks: Marks::Lines(chart) }
}
