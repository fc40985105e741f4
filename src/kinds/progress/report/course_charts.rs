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
    let [first, last] = [cost.course.first()?, cost.course.last()?];
    if cost.course.len() < FEWEST {
        return None;
    }
    let mut lines = vec![ChartLine {
        name: wording.name(&cost.name),
        ..line(wording, cost.course.clone(), 0, LineWeight::Strong, Unit::Dollars)
    }];
    if let Some(forecast) = cost.forecast {
        lines.extend(ahead(wording, [first[0], last[0]], last[1], forecast));
    }
    let title = wording.get("chart-cost");
    Some(Block::chart(chart(wording, "cost", title, lines, Unit::Dollars)))
}

fn ahead(
    wording: &ProgressWording<'_>,
    [start, at]: [f64; 2],
    spent: f64,
    forecast: ProgressForecast,
) -> Vec<ChartLine> {
    let (last, end) = ([at, spent], at + forecast.left);
    let [least, most] = forecast.range();
    let strong = |points| line(wording, points, 1, LineWeight::Strong, Unit::Dollars);
    let name = wording.get("chart-forecast");
    let mut lines = vec![ChartLine { name, ..strong(vec![last, [end, least]]) }];
    if most > least {
        lines.push(strong(vec![last, [end, most]]));
    }
    let mut budgets = forecast.budget.map_or_else(Vec::new, |budget| vec![budget.lo, budget.hi]);
    budgets.dedup();
    lines.extend(budgets.into_iter().map(|budget| {
        let figure = quantity::figure(budget, Unit::Dollars);
        let points = vec![[start, budget], [end, budget]];
        ChartLine {
            name: wording.fill("chart-budget", &[("figure", figure)]),
            ..line(wording, points, 2, LineWeight::Guide, Unit::Dollars)
        }
    }));
    lines
}

fn line(
    wording: &ProgressWording<'_>,
    points: Vec<[f64; 2]>,
    series: usize,
    weight: LineWeight,
    unit: Unit,
) -> ChartLine {
    // Of a line that is seen as a whole its ends.
    let last = points.len().saturating_sub(1);
    let is_told = |at: &usize| weight == LineWeight::Dots || *at == 0 || *at == last;
    let told = points.iter().enumerate().filter(|(at, _)| is_told(at)).map(|(_, point)| point);
    let told = told.map(|[at, value]| {
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
