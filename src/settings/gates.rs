//! `[gate.NAME]`: what has to hold of which results.

use indexmap::IndexMap;
use serde::Deserialize;

use super::margins::WireMargin;
use super::{ConfigFile, OneOrMany};
use crate::gate::{Amount, DeclaredGate, DeclaredRule, GateRule, GateTier, OnInconclusive};
use crate::model::{Margin, MetricNames, MetricRole};
use crate::text::Refusal;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WireGate {
    #[serde(default)]
    tier: GateTier,
    #[serde(default)]
    inconclusive: OnInconclusive,
    metrics: Option<OneOrMany>,
    #[serde(default)]
    roles: Vec<MetricRole>,
    datasets: Option<OneOrMany>,
    margin: Option<WireMargin>,
    max_drop: Option<WireMargin>,
    floor: Option<WireMargin>,
    ceiling: Option<WireMargin>,
    coverage: Option<WireMargin>,
    #[serde(default)]
    complete: bool,
    #[serde(default)]
    expectation: bool,
    freshness: Option<WireMargin>,
}

/// The gates in the order of the file.
///
/// # Errors
/// When a gate has the name of a rule of `--fail-on`, asks for nothing, or has a value that its rule
/// cannot have; with file and line.
pub(super) fn gates(
    file: Option<&ConfigFile>,
    wire: IndexMap<String, WireGate>,
    names: &MetricNames,
) -> Result<Vec<DeclaredGate>, Refusal> {
    let Some(file) = file else { return Ok(Vec::new()) };
    wire.into_iter().map(|(name, wire)| gate(file, name, wire, names)).collect()
}

fn gate(
    file: &ConfigFile,
    name: String,
    wire: WireGate,
    names: &MetricNames,
) -> Result<DeclaredGate, Refusal> {
    let refuse = |key: &'static str, of: &[&str]| {
        let place = file.location(&[&["gate", name.as_str()], of].concat());
        let refusal = Refusal::new(key).with("path", place.path.as_str());
        refusal.with("line", place.line.unwrap_or(1) as usize).with("name", name.as_str())
    };
    if GateRule::ALL.iter().any(|rule| rule.name() == name) {
        return Err(refuse("refused.gate-name", &[]));
    }
    let mut rules = Vec::new();
    let mut add = |key: &'static str,
                   example: &str,
                   written: Option<&WireMargin>,
                   read: &dyn Fn(&str) -> Option<DeclaredRule>|
     -> Result<(), Refusal> {
        let Some(text) = written.map(ToString::to_string) else { return Ok(()) };
        let wrong = || refuse("refused.gate-value", &[key]).with("key", key);
        let wrong = || wrong().with("value", text.as_str()).with("example", example);
        rules.push(read(&text).ok_or_else(wrong)?);
        Ok(())
    };
    let amount = |rule: fn(Amount) -> DeclaredRule| move |text: &str| Amount::parse(text).map(rule);
    let share = |rule: fn(f64) -> DeclaredRule| {
        move |text: &str| Amount::parse(text)?.share().filter(|share| *share > 0.0).map(rule)
    };
    let margin = |text: &str| Margin::parse(text).map(DeclaredRule::Margin);
    add("margin", "\"1pp\"", wire.margin.as_ref(), &margin)?;
    add("max_drop", "\"5%\"", wire.max_drop.as_ref(), &share(DeclaredRule::MaxDrop))?;
    add("floor", "\"80%\"", wire.floor.as_ref(), &amount(DeclaredRule::Floor))?;
    add("ceiling", "\"5%\"", wire.ceiling.as_ref(), &amount(DeclaredRule::Ceiling))?;
    add("coverage", "\"95%\"", wire.coverage.as_ref(), &share(DeclaredRule::Coverage))?;
    let period = |text: &str| text.parse().ok().map(DeclaredRule::Freshness);
    add("freshness", "\"36h\"", wire.freshness.as_ref(), &period)?;
    rules.extend(wire.complete.then_some(DeclaredRule::Complete));
    rules.extend(wire.expectation.then_some(DeclaredRule::Expectation));
    if rules.is_empty() {
        return Err(refuse("refused.gate-empty", &[]));
    }
    let texts = |texts: Option<OneOrMany>| texts.map(Vec::from).unwrap_or_default();
    let metrics = texts(wire.metrics);
    Ok(DeclaredGate {
        tier: wire.tier,
        on_inconclusive: wire.inconclusive,
        metrics: metrics.iter().map(|name| names.canonical(name.trim()).to_owned()).collect(),
        roles: wire.roles,
        datasets: texts(wire.datasets),
        rules,
        name,
    })
}
