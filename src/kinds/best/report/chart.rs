//! The metric over steps with its intervals, and the loss beside it.

use super::{judgement, step, tell_of};
use crate::kinds::best::analysis::Choice;
use crate::quantity::{self, Unit};
use crate::report::block::Block;
use crate::report::chart::{Axis, Chart, ChartEvent, ChartLine, LineChart, LineWeight, Marks};
use crate::text::Catalogue;

/// Nothing where there is one checkpoint: the table says it.
pub(super) fn blocks(choice: &Choice, words: &Catalogue) -> Vec<Block> {
    let known = choice.figures.iter().filter(|figure| figure.value.is_some()).count();
    if known < 2 {
        return Vec::new();
    }
    let (unit, scale) = (choice.spec.unit, choice.spec.unit.shown_scale());
    let points = choice.figures.iter().map(|figure| Some([figure.step, figure.value? * scale]));
    let intervals = choice.figures.iter().filter(|figure| figure.value.is_some());
    let intervals = intervals.map(|figure| figure.ci.map(|ends| ends.map(|end| end * scale)));
    let against = choice.figures.iter().zip(&choice.against);
    let at_steps = |steps: Vec<f64>| -> Vec<[f64; 2]> {
        let own = choice.figures.iter().filter(|figure| steps.contains(&figure.step));
        own.filter_map(|figure| Some([figure.step, figure.value? * scale])).collect()
    };
    let marked = [
        (at_steps(choice.not_separable()), LineWeight::Rings, "best.chart-tie"),
        (at_steps(choice.unjudged()), LineWeight::Crosses, "best.chart-not-judged"),
    ];
    let events = against.filter(|(figure, _)| figure.value.is_some()).map(|(figure, against)| {
        let label = words.get(judgement(choice, figure, against.as_ref()));
        let is_marked = figure.step == choice.chosen().step;
        ChartEvent { at: figure.step, label, is_marked }
    });
    let level = quantity::level(choice.level);
    let args = [("level", level.as_str()), ("metric", &choice.question.metric)];
    let title = words.fill("best.chart", &args);
    let intervals = intervals.collect();
    let steps = tell_of::<&str>(choice, words, "best.head-step", &[]);
    let metric = chart(
        (title, unit, &steps),
        &points.collect::<Vec<_>>(),
        (intervals, events.collect()),
        words,
    );
    let metric = with_marks(metric, marked, words);
    let loss = choice.loss.as_ref().filter(|loss| loss.at.iter().flatten().count() > 1);
    let loss = loss.map(|loss| {
        let at = choice.figures.iter().zip(&loss.at);
        let points = at.map(|(figure, value)| Some([figure.step, (*value)?]));
        let title = loss.metric.clone();
        chart(
            (title, Unit::Plain, &steps),
            &points.collect::<Vec<_>>(),
            (Vec::new(), Vec::new()),
            words,
        )
    });
    [Some(metric), loss].into_iter().flatten().map(Block::chart).collect()
}

/// The chart with rings around the checkpoints that are not told apart from the best, and crosses on those
/// that cannot be compared with it.
fn with_marks(
    mut chart: Chart,
    marked: [(Vec<[f64; 2]>, LineWeight, &str); 2],
    words: &Catalogue,
) -> Chart {
    if let Marks::Lines(lines) = &mut chart.marks {
        let marked = marked.into_iter().filter(|(points, ..)| !points.is_empty());
        lines.lines.extend(marked.map(|(points, weight, key)| ChartLine {
            name: words.get(key),
            said: words.get(key),
            series: if weight == LineWeight::Rings { 0 } else { 2 },
            weight,
            parts: vec![points],
            intervals: Vec::new(),
            broken: Vec::new(),
        }));
    }
    chart
}

fn chart(
    (title, unit, steps): (String, Unit, &str),
    points: &[Option<[f64; 2]>],
    (intervals, events): (Vec<Option<[f64; 2]>>, Vec<ChartEvent>),
    words: &Catalogue,
) -> Chart {
    // A line over a checkpoint without a figure would be made up.
    let parts = points.chunk_by(|a, b| a.is_some() == b.is_some());
    let parts: Vec<Vec<[f64; 2]>> =
        parts.map(|part| part.iter().flatten().copied().collect()).collect();
    let shown = parts.iter().flatten().map(|[at, value]| {
        let figure = quantity::figure(value / unit.shown_scale(), unit);
        format!("{} {figure}", step(*at))
    });
    let description = shown.collect::<Vec<_>>().join(&words.get("punctuation.semicolon"));
    let line = ChartLine {
        name: String::new(),
        said: description.clone(),
        series: 0,
        weight: LineWeight::Dots,
        parts: parts.into_iter().filter(|part| !part.is_empty()).collect(),
        intervals,
        broken: Vec::new(),
    };
    let axis = |title: String, unit| Axis { title, unit, is_difference: false };
    let chart = LineChart {
        x: axis(steps.to_owned(), ""),
        y: axis(String::new(), unit.suffix()),
        scale: String::new(),
        lines: vec![line],
        events,
    }
    .with_scales_named(words);
    Chart { name: "checkpoints", title, description, marks: Marks::Lines(chart) }
}
