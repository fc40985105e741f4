//! The sections of a phase report, and what they share: expectations in cells and sentences.

mod anomalies;
mod conversion;
mod data;
mod errors;
mod quality;

use indexmap::IndexSet;

use super::analysis::{
    Aim, ExpectationClass, ExpectationMeasure, Expected, Fulfilment, JudgedExpectation, Phase,
    UnjudgedExpectation, tally,
};
use crate::compare::Comparison;
use crate::conditions::ThresholdStanding;
use crate::quantity;
use crate::quantity::Unit;
use crate::report::block::{Block, Cell, Icon, Text, Tone};
use crate::report::sections::{self, phrases};
use crate::report::{self, Form, Lead, Part, Report, ReportMaterial};
use crate::text::Catalogue;

const FORM: Form = Form { kind: "phase", title: "report.title-phase", has_sheet: true };

pub(super) struct PhaseMaterial<'a> {
    /// One for each candidate.
    phases: &'a [Phase<'a>],
    arms: &'a ReportMaterial<'a>,
}

pub(super) type Blocks = fn(&PhaseMaterial<'_>) -> Vec<Block>;

/// A part that every report of arms may have.
macro_rules! shared {
    ($id:literal, $section:ident) => {
        Part {
            id: $id,
            title: concat!("section.", $id),
            blocks: |material| sections::$section::blocks(material.arms),
        }
    };
}

pub(super) static PARTS: &[Part<Blocks>] = &[
    Part { id: "phase-quality", title: "section.phase-quality", blocks: quality::blocks },
    Part { id: "phase-errors", title: "section.phase-errors", blocks: errors::blocks },
    Part { id: "phase-conversion", title: "section.phase-conversion", blocks: conversion::blocks },
    Part { id: "phase-anomalies", title: "section.phase-anomalies", blocks: anomalies::blocks },
    shared!("gates", gates),
    shared!("comparability", comparability),
    shared!("results", results),
    shared!("to-run", to_run),
    shared!("samples", samples),
    shared!("score-bins", score_bins),
    shared!("limits", limits),
    shared!("coverage", coverage),
    shared!("setup", setup),
    shared!("training-config", training_config),
    shared!("method", method),
    shared!("diagnostics", diagnostics),
    shared!("reproduce", reproduce),
];

pub(super) fn build(arms: &ReportMaterial<'_>, phases: &[Phase<'_>]) -> Report {
    let material = PhaseMaterial { phases, arms };
    let sections = report::sections(PARTS, |blocks| blocks(&material), arms.words);
    let lead = expectations(phases, arms.words);
    let mut report = report::build(arms, FORM, sections, lead.as_ref());
    report.data.extend(data::phase_view(phases));
    report
}

/// How many expectations came out how, counting only what the whole interval says.
fn expectations(phases: &[Phase<'_>], words: &Catalogue) -> Option<Lead> {
    let all = tally(phases);
    if all.of == 0 {
        return None;
    }
    let met = all.of.saturating_sub(all.failed + all.open + all.unjudged);
    let args = [
        ("met", met),
        ("total", all.of),
        ("failed", all.failed),
        ("open", all.open),
        ("unjudged", all.unjudged),
    ];
    let tone = match all {
        _ if all.failed > 0 => Tone::Danger,
        _ if all.open + all.unjudged > 0 => Tone::Warning,
        _ => Tone::Good,
    };
    let text = words.fill("phase.tally", &args);
    Some(Lead { tone, text, next: next_step(phases, words) })
}

/// What was missed is looked at first, then what was not evaluated; what is open may take more samples.
fn next_step(phases: &[Phase<'_>], words: &Catalogue) -> Option<String> {
    let of_phases =
        || phases.iter().flat_map(|phase| phase.expectations.iter().map(move |one| (phase, one)));
    let expected = || of_phases().map(|(_, one)| one);
    let comma = words.get("punctuation.comma");
    let is_unfound = |one: &&Expected<'_>| {
        one.outcome.class() == ExpectationClass::Unjudged(UnjudgedExpectation::NoFigure)
    };
    let missed = || of_phases().filter(|(_, one)| one.outcome.class() == ExpectationClass::Missed);
    if let Some((phase, first)) = missed().next() {
        let is_of_errors = quality::is_of_errors(phase, first);
        let section = if is_of_errors { "section.phase-errors" } else { "section.phase-quality" };
        let names: IndexSet<&str> = missed().map(|(_, one)| one.declared.name.as_str()).collect();
        let names = names.into_iter().collect::<Vec<_>>().join(&comma);
        let args = [("names", names), ("section", words.get(section))];
        return Some(words.fill("phase.next-missed", &args));
    }
    let unfound: IndexSet<&str> =
        expected().filter(is_unfound).map(|one| one.declared.name.as_str()).collect();
    if !unfound.is_empty() {
        let names = unfound.into_iter().collect::<Vec<_>>().join(&comma);
        return Some(words.fill("phase.next-unfound", &[("names", names)]));
    }
    let needed = expected().filter_map(|one| match &one.outcome {
        Fulfilment::Judged(judged) if !judged.is_sure() => {
            Some((judged.needed?, one.comparison?, &one.declared.name))
        }
        _ => None,
    });
    let (needed, comparison, name) = needed.min_by_key(|(needed, ..)| *needed)?;
    let units = comparison.units()?;
    if needed <= units {
        return None;
    }
    let about = Some(quantity::about(needed)).filter(|about| *about > units).unwrap_or(needed);
    let args = [
        ("name", name.clone()),
        ("needed", sections::limits::with_unit(comparison, about, words)),
        ("units", quantity::count(units)),
    ];
    Some(words.fill("phase.next-larger", &args))
}

/// What is expected, as it is written.
fn expected_cell(expected: &[&Expected<'_>]) -> Cell {
    match expected {
        [] => Cell::dash(),
        many => {
            let texts: Vec<&str> =
                many.iter().map(|expected| expected.declared.text.as_str()).collect();
            Cell::text(texts.join(" · "))
        }
    }
}

/// Where the number went, and how it stands to what was expected.
fn outcome_cell(expected: &[&Expected<'_>], words: &Catalogue) -> Cell {
    let outcomes = expected.iter().map(|expected| outcome(expected, words));
    let Some(outcomes) = outcomes.collect::<Option<Vec<Text>>>() else { return Cell::missing() };
    let pieces = outcomes.into_iter().flat_map(|outcome| [Text::plain(" · "), outcome]);
    Cell::text(Text(pieces.skip(1).flat_map(|piece| piece.0).collect()))
}

/// `None` where a figure is not there.
fn outcome(expected: &Expected<'_>, words: &Catalogue) -> Option<Text> {
    let direction = expected.comparison.and_then(|comparison| comparison.delta);
    let sign = |text: Text| match direction {
        Some(delta) => {
            let icon = phrases::direction_icon(quantity::settled(delta));
            text.0.into_iter().fold(Text::icon(icon).and_plain(" "), Text::and)
        }
        None => text,
    };
    Some(match &expected.outcome {
        Fulfilment::Judged(judged) => {
            let icon = if judged.is_sure() { icon(judged.standing) } else { Icon::Open };
            sign(Text::marked(icon, standing(judged, words)))
        }
        Fulfilment::Ambiguous(both) => {
            let readings = both.each_ref().map(|judged| {
                let standing = standing(judged, words);
                let key = format!("phase.outcome.as-{}", judged.measure.name());
                words.fill(&key, &[("standing", &standing)])
            });
            let readings = readings.join(&words.get("punctuation.comma"));
            let args = [("readings", readings.as_str())];
            sign(Text::marked(Icon::Caution, words.fill("phase.outcome.ambiguous", &args)))
        }
        Fulfilment::Open(UnjudgedExpectation::NoValue) => return None,
        Fulfilment::Open(UnjudgedExpectation::Blocked(code)) => {
            Text::plain(words.fill("phase.outcome.not-comparable", &[("code", code.id())]))
        }
        Fulfilment::Open(why) => {
            let text = words.get(&format!("phase.outcome.{}", why.name()));
            let icon =
                if *why == UnjudgedExpectation::NoTolerance { Icon::Open } else { Icon::Caution };
            sign(Text::marked(icon, text))
        }
    })
}

fn icon(standing: ThresholdStanding) -> Icon {
    match standing {
        ThresholdStanding::Met | ThresholdStanding::Exceeded => Icon::Good,
        ThresholdStanding::Missed => Icon::Caution,
        ThresholdStanding::Violated => Icon::Bad,
    }
}

/// The word of a standing, and whether it is open.
fn standing(judged: &JudgedExpectation, words: &Catalogue) -> String {
    let word = words.get(&format!("phase.outcome.{}", judged.standing.name()));
    let key = match judged.interval {
        _ if judged.is_sure() => return word,
        Some(_) => "phase.open-crossing",
        None => "phase.open-no-interval",
    };
    words.fill(key, &[("standing", &word)])
}

/// What leaves an expectation open, and what would settle it.
fn notes(expected: &[&Expected<'_>], words: &Catalogue) -> Option<Block> {
    let items: Vec<Text> = expected.iter().flat_map(|one| note(one, words)).collect();
    (!items.is_empty()).then(|| Block::bullets(items))
}

fn note(expected: &Expected<'_>, words: &Catalogue) -> Vec<Text> {
    let Some(comparison) = expected.comparison else { return Vec::new() };
    let name = || phrases::cell_name(comparison, words);
    let text = expected.declared.text.as_str();
    match &expected.outcome {
        Fulfilment::Judged(judged) => {
            let crossing = crossing(comparison, judged, words);
            let slight = matches!(expected.aim, Some(Aim::Same { is_slight: true, .. }))
                .then(|| words.fill("phase.slight", &[("text", text)]));
            crossing.into_iter().chain(slight).map(|told| name().and_plain(told)).collect()
        }
        Fulfilment::Ambiguous(both) => {
            let readings: Vec<String> = both
                .iter()
                .map(|judged| {
                    let value = value(comparison, judged.measure, judged.value);
                    let args = [("value", value), ("standing", standing(judged, words))];
                    words.fill(&format!("phase.reading-{}", judged.measure.name()), &args)
                })
                .collect();
            let readings = readings.join(&words.get("punctuation.semicolon"));
            let args = [("text", text), ("readings", readings.as_str())];
            vec![name().and_plain(words.fill("phase.ambiguous", &args))]
        }
        Fulfilment::Open(UnjudgedExpectation::NoTolerance) => {
            // Points are of rates alone; any other tolerance is in the metric's own unit.
            let example = if comparison.cell.spec.unit.is_rate() { "±2pp" } else { "±0.1" };
            let args = [("text", text), ("example", example)];
            vec![name().and_plain(words.fill("phase.no-tolerance", &args))]
        }
        Fulfilment::Open(_) => Vec::new(),
    }
}

/// Which border the interval reaches over, and how many samples would settle it.
fn crossing(
    comparison: &Comparison<'_>,
    judged: &JudgedExpectation,
    words: &Catalogue,
) -> Option<String> {
    let (border, [lo, hi]) = judged.border.zip(judged.interval)?;
    let shown = |at: f64| value(comparison, judged.measure, at);
    let interval = ends(comparison, judged.measure, [lo, hi], border);
    let mut sentence = words.fill(
        "phase.crossing",
        &[
            ("value", &shown(judged.value)),
            ("standing", &words.get(&format!("phase.outcome.{}", judged.standing.name()))),
            ("interval", &interval),
            ("border", &shown(border)),
        ],
    );
    if (judged.value - border).abs() < 1e-9 && judged.measure == ExpectationMeasure::Level {
        sentence.push_str(&words.get("phase.on-border"));
    } else if let (Some(needed), Some(units)) = (judged.needed, comparison.units()) {
        let args = [("needed", quantity::count(needed)), ("n", quantity::count(units))];
        sentence.push_str(&words.fill("phase.needed", &args));
    }
    Some(sentence)
}

/// A value of a measure with its unit.
fn value(comparison: &Comparison<'_>, measure: ExpectationMeasure, value: f64) -> String {
    match measure {
        ExpectationMeasure::Change => phrases::exact_delta_text(comparison, value),
        ExpectationMeasure::Relative => quantity::signed_relative_change(value / 100.0),
        ExpectationMeasure::Level if comparison.cell.spec.unit.is_rate() => {
            quantity::figure(value, Unit::Percent)
        }
        ExpectationMeasure::Level => quantity::figure(value, comparison.cell.spec.unit),
    }
}

/// An interval of a measure, of which the upper end may be open.
/// A limit that would look like the border it reaches over gets another digit.
fn ends(
    comparison: &Comparison<'_>,
    measure: ExpectationMeasure,
    [lo, hi]: [f64; 2],
    border: f64,
) -> String {
    let unit = match measure {
        ExpectationMeasure::Change => comparison.cell.spec.unit.difference_suffix(),
        ExpectationMeasure::Level if !comparison.cell.spec.unit.is_rate() => "",
        ExpectationMeasure::Relative | ExpectationMeasure::Level => Unit::Percent.suffix(),
    };
    let decimals = if unit.is_empty() { phrases::interval_decimals(comparison) } else { 1 };
    let hidden = |decimals: usize| {
        let shown = |at: f64| quantity::fixed(at, decimals);
        let is_hidden = |end: f64| {
            end.is_finite() && (end - border).abs() > 1e-9 && shown(end) == shown(border)
        };
        is_hidden(lo) || is_hidden(hi)
    };
    let decimals = decimals + usize::from(hidden(decimals));
    if hi.is_infinite() {
        return format!("{}{unit} … ∞", quantity::signed(lo, decimals));
    }
    if measure == ExpectationMeasure::Level {
        return format!(
            "{} … {}{unit}",
            quantity::fixed(lo, decimals),
            quantity::fixed(hi, decimals)
        );
    }
    format!("{}{unit}", quantity::interval_text(lo, hi, decimals))
}
