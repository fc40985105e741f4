//! Errors over the steps of a training: the most frequent kinds by themselves, all others together.

use crate::model::logs::StepTally;
use crate::quantity;
use crate::report::chart::{Axis, Chart, ChartLine, LineChart, LineWeight, Marks};
use crate::text::Catalogue;

/// Kinds that have a line of their own.
const OWN: usize = 2;

/// Most points of a line; of more steps neighbours are taken together, and a point is their mean.
const MOST_POINTS: usize = 60;

/// The chart of these steps and of the kinds of errors, the most frequent first; `None` without errors.
pub(super) fn chart(
    steps: &[(&i64, &StepTally)],
    types: &[&str],
    words: &Catalogue,
) -> Option<Chart> {
    let together = steps.len().div_ceil(MOST_POINTS).max(1);
    let groups: Vec<_> = steps.chunks(together).collect();
    let (own, others) = types.split_at(types.len().min(OWN));
    let lines = own.iter().map(|kind| ((*kind).to_owned(), std::slice::from_ref(kind)));
    let rest = (!others.is_empty()).then(|| (words.get("quality.other-types"), others));
    let lines = lines.chain(rest).enumerate();
    let lines: Vec<ChartLine> =
        lines.map(|(series, (name, kinds))| line(name, series, kinds, &groups)).collect();
    if lines.is_empty() {
        return None;
    }
    let said: Vec<&str> = lines.iter().map(|line| line.said.as_str()).collect();
    let description = said.join(&words.get("punctuation.semicolon"));
    let axis = |title: String| Axis { title, unit: "", is_difference: false };
    let title = match together {
        1 => words.get("quality.steps-chart"),
        _ => words.fill("quality.steps-chart-pooled", &[("steps", together)]),
    };
    let chart = LineChart {
        x: axis(words.get("quality.head-step")),
        y: axis(title.clone()),
        scale: String::new(),
        lines,
        events: Vec::new(),
    };
    let marks = Marks::Lines(chart);
    Some(Chart { name: "errors-by-step", title, description, marks })
}

/// `KeyError: 2 (1), 0 (2)`, the step in brackets.
fn line(
    name: String,
    series: usize,
    kinds: &[&str],
    groups: &[&[(&i64, &StepTally)]],
) -> ChartLine {
    let of_kinds = |tally: &StepTally| -> u64 {
        kinds.iter().filter_map(|kind| tally.errors.get(*kind)).sum()
    };
    let point = |steps: &&[(&i64, &StepTally)]| {
        let count: u64 = steps.iter().map(|(_, tally)| of_kinds(tally)).sum();
        let (first, _) = steps.first()?;
        Some([**first as f64, count as f64 / steps.len() as f64])
    };
    let points: Vec<[f64; 2]> = groups.iter().filter_map(point).collect();
    let figures = points
        .iter()
        .map(|[at, count]| format!("{} ({})", quantity::amount(*count), quantity::exact(*at)));
    let said = format!("{name}: {}", figures.collect::<Vec<_>>().join(", "));
    let (parts, weight) = (vec![points], LineWeight::Dots);
    ChartLine { name, said, series, weight, parts, intervals: Vec::new(), broken: Vec::new() }
}
