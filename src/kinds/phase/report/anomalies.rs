//! Declared anomalies: each rule with its figures, and whether it fired.

use super::{PhaseMaterial, phrases};
use crate::conditions::{ClauseOutcome, ConditionLabel, ConditionTruth, Operand, UnknownOperand};
use crate::kinds::phase::analysis::Anomaly;
use crate::quantity::{self, Unit};
use crate::report::block::{Block, Cell, Icon, Table, Text};
use crate::text::Catalogue;

pub(super) fn blocks(PhaseMaterial { phases, arms: material }: &PhaseMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let mut blocks = Vec::new();
    for phase in phases.iter().filter(|phase| !phase.anomalies.is_empty()) {
        blocks.extend(phrases::candidate_heading(material, phase.pair));
        blocks.push(table(&phase.anomalies, words));
        let notes = phase.anomalies.iter().flat_map(|anomaly| {
            let readings = anomaly.judgement.readings.iter();
            readings.filter_map(|reading| note(anomaly, reading, words))
        });
        let notes: Vec<Text> = notes.collect();
        if !notes.is_empty() {
            blocks.push(Block::bullets(notes));
        }
    }
    blocks
}

fn table(anomalies: &[Anomaly<'_>], words: &Catalogue) -> Block {
    let head = |name: &str| words.get(&format!("phase.anomaly-{name}"));
    let text = |label: &Option<ConditionLabel>| {
        label.as_ref().map_or_else(Cell::dash, |label| Cell::text(label.text(words.lang)))
    };
    Table::of_rows(anomalies)
        .left(head("name"), |anomaly| Text::strong(anomaly.rule.name.text(words.lang)))
        .left(head("when"), |anomaly| Text::code(anomaly.rule.when.text()))
        .left(head("reading"), |anomaly| {
            let readings = anomaly.judgement.readings.iter();
            let readings: Vec<String> = readings.map(|reading| figure(reading, words)).collect();
            readings.join(&words.get("punctuation.semicolon"))
        })
        .left(head("state"), |anomaly| state(anomaly, words))
        .left(head("cause"), |anomaly| text(&anomaly.rule.cause))
        .left(head("response"), |anomaly| text(&anomaly.rule.response))
        .block()
}

fn state(anomaly: &Anomaly<'_>, words: &Catalogue) -> Cell {
    let (icon, key) = match anomaly.judgement.outcome {
        ConditionTruth::Holds => (Icon::Bad, "phase.state.fired"),
        ConditionTruth::Fails => (Icon::Good, "phase.state.quiet"),
        ConditionTruth::Unsure { seen: true } => (Icon::Open, "phase.state.cannot-tell-fired"),
        ConditionTruth::Unsure { seen: false } => (Icon::Open, "phase.state.cannot-tell-quiet"),
        ConditionTruth::Unknown => return Cell::missing(),
    };
    Text::marked(icon, words.get(key)).into()
}

/// `+25.0 pp (+17.9 … +32.3, n = 200)`, or why there is no figure.
fn figure(reading: &ClauseOutcome, words: &Catalogue) -> String {
    let figure = match reading.figure {
        Ok(figure) => figure,
        Err(why) => return unknown(why, words),
    };
    let relative = reading.quantity.function.as_deref() == Some("relative");
    let value = number(figure, figure.value, relative);
    if let (Some("count"), Some(n)) = (reading.quantity.function.as_deref(), figure.n) {
        let n = quantity::count(n);
        return words.fill("phase.among", &[("count", &value), ("n", &n)]);
    }
    let mut ground = Vec::new();
    if let Some([lo, hi]) = figure.interval {
        let (lo, hi) = (number(figure, lo, relative), number(figure, hi, relative));
        let unit = match figure.unit {
            _ if relative => Unit::Percent.suffix(),
            unit if figure.is_change => unit.difference_suffix(),
            unit => unit.suffix(),
        };
        let lo = lo.strip_suffix(unit).filter(|_| hi.ends_with(unit)).unwrap_or(&lo);
        ground.push(format!("{lo} … {hi}"));
    }
    if let Some(n) = figure.n {
        ground.push(words.fill("phase.n", &[("n", &quantity::count(n))]));
    }
    if ground.is_empty() {
        return value;
    }
    let ground = ground.join(&words.get("punctuation.semicolon"));
    words.fill("phrase.name-with-detail", &[("name", &value), ("detail", &ground)])
}

fn unknown(why: UnknownOperand, words: &Catalogue) -> String {
    let reason = words.get(&format!("unknown.{}.words", why.name()));
    words.fill("phrase.name-with-detail", &[("name", "?"), ("detail", &reason)])
}

/// A number of a figure; the end of an interval may be open.
fn number(figure: Operand, value: f64, relative: bool) -> String {
    if value.is_infinite() {
        return "∞".to_owned();
    }
    match figure.unit.whole() {
        Some(whole) if relative => quantity::signed_relative_change(value / whole),
        Some(whole) if figure.is_change => {
            quantity::difference_with_decimals(value / whole * 100.0, 1, Unit::Percent)
        }
        None if figure.is_change => {
            let decimals = quantity::decimals(figure.value, figure.unit);
            quantity::difference_with_decimals(value, decimals, figure.unit)
        }
        _ => quantity::figure(value, figure.unit),
    }
}

/// What a reading cannot show: a threshold that these samples cannot tell from nothing, or that
/// nothing moved.
fn note(anomaly: &Anomaly<'_>, reading: &ClauseOutcome, words: &Catalogue) -> Option<Text> {
    let nothing = reading.quantity.name == "separable"
        && reading.quantity.function.as_deref() == Some("count")
        && reading.figure.is_ok_and(|figure| figure.value == 0.0);
    let name = || Text::strong(anomaly.rule.name.text(words.lang));
    if nothing {
        return Some(name().and_plain(words.get("phase.nothing-separable")));
    }
    let figure = reading.figure.ok().filter(|_| reading.is_below_noise())?;
    let [lo, hi] = figure.interval?;
    let half = (hi - lo) / 2.0;
    let relative = reading.quantity.function.as_deref() == Some("relative");
    let half = number(figure, half, relative);
    let threshold = number(figure, reading.threshold?, relative);
    let args = [
        ("threshold", threshold.trim_start_matches('+')),
        ("half", half.trim_start_matches('+')),
        ("n", &figure.n.map_or_else(|| "?".to_owned(), quantity::count)),
    ];
    Some(name().and_plain(words.fill("phase.below-noise", &args)))
}
