//! What was declared to be strange: each rule with what was read, and whether it is there.

use super::{PhaseMaterial, phrases};
use crate::kinds::phase::analysis::Anomaly;
use crate::quantity::{self, Unit};
use crate::report::block::{Align, Block, Cell, Icon, Table, Text};
use crate::rules::{ClauseReading, Figure, Label, Truth, Unknown};
use crate::text::Catalogue;

pub(super) fn blocks(PhaseMaterial { phases, arms: material }: &PhaseMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let mut blocks = Vec::new();
    for phase in phases.iter().filter(|phase| !phase.anomalies.is_empty()) {
        blocks.extend(phrases::candidate_heading(material, phase.pair));
        blocks.push(Block::Table { table: table(&phase.anomalies, words) });
        let below: Vec<Text> = phase
            .anomalies
            .iter()
            .flat_map(|one| one.judgement.readings.iter().filter_map(|r| note(one, r, words)))
            .collect();
        if !below.is_empty() {
            blocks.push(Block::bullets(below));
        }
    }
    blocks
}

fn table(anomalies: &[Anomaly<'_>], words: &Catalogue) -> Table {
    let heads = ["name", "when", "reading", "state", "cause", "response"];
    let heads = heads.map(|head| (words.get(&format!("phase.anomaly-{head}")), Align::Left));
    let mut table = Table::with_heads(heads.into());
    for one in anomalies {
        let readings = one.judgement.readings.iter().map(|reading| told(reading, words));
        let readings: Vec<String> = readings.collect();
        let text = |label: &Option<Label>| {
            Cell::text(label.as_ref().map_or("—", |label| label.text(words.lang)))
        };
        table.push(vec![
            Cell::text(Text::strong(one.rule.name.text(words.lang))),
            Cell::text(Text::code(one.rule.when.text())),
            Cell::text(readings.join(&words.get("punctuation.semicolon"))),
            state(one, words),
            text(&one.rule.cause),
            text(&one.rule.response),
        ]);
    }
    table
}

fn state(one: &Anomaly<'_>, words: &Catalogue) -> Cell {
    let (icon, key) = match one.judgement.outcome {
        Truth::Holds => (Icon::Bad, "phase.state.fired"),
        Truth::Fails => (Icon::Good, "phase.state.quiet"),
        Truth::Unsure { seen: true } => (Icon::Open, "phase.state.cannot-tell-fired"),
        Truth::Unsure { seen: false } => (Icon::Open, "phase.state.cannot-tell-quiet"),
        Truth::Unknown => return Cell::missing(),
    };
    Cell::text(Text::icon(icon).and_plain(" ").and_plain(words.get(key)))
}

/// `+25.0 pp (+17.9 … +32.3, n = 200)`, or why there is no figure.
fn told(reading: &ClauseReading, words: &Catalogue) -> String {
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

fn unknown(why: Unknown, words: &Catalogue) -> String {
    let reason = words.get(&format!("unknown.{}.words", why.name()));
    words.fill("phrase.name-with-detail", &[("name", "?"), ("detail", &reason)])
}

/// A number of a figure; the end of an interval may be open.
fn number(figure: Figure, value: f64, relative: bool) -> String {
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
fn note(one: &Anomaly<'_>, reading: &ClauseReading, words: &Catalogue) -> Option<Text> {
    let nothing = reading.quantity.name == "separable"
        && reading.quantity.function.as_deref() == Some("count")
        && reading.figure.is_ok_and(|figure| figure.value == 0.0);
    let name = || Text::strong(one.rule.name.text(words.lang));
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
