//! What the shipped catalogue says of a metric, for people and for programs.

use serde_json::{Value, json};

use crate::model::{KnownMetric, MetricNames, MetricSpec};
use crate::quantity::{Unit, exact};
use crate::text::Catalogue;

/// The meaning of a name by the shipped catalogue.
pub(super) fn known(name: &str) -> Option<KnownMetric> {
    MetricNames::default().known(name)
}

/// Name, good side, unit, possible values, role and sources, a line each: label and text.
pub(super) fn facts(known: &KnownMetric, words: &Catalogue) -> Vec<(String, String)> {
    let KnownMetric { spec, like, source, rule } = known;
    let part = |key: &str| words.get(&format!("explain-metric.{key}"));
    let direction = part(&format!("direction-{}", spec.direction.name()));
    let role = spec.role.map_or_else(|| part("no-role"), |given| given.role.name().to_owned());
    let unit = match spec.unit {
        Unit::Plain => part("unit-plain"),
        unit => unit.name().to_owned(),
    };
    let mut facts = vec![
        (part("direction"), direction),
        (part("unit"), unit),
        (part("values"), values(spec, words)),
        (part("role"), role),
    ];
    facts.extend(like.as_ref().map(|like| (part("like"), like.clone())));
    facts.extend(rule.map(|rule| (part("rule"), rule.to_owned())));
    facts.extend(source.map(|source| (part("source"), source.to_owned())));
    facts
}

fn values(spec: &MetricSpec, words: &Catalogue) -> String {
    let fill = |key: &str, values: &[(&str, &str)]| {
        words.fill(&format!("explain-metric.values-{key}"), values)
    };
    let bound = |value: f64| value.is_finite().then(|| exact(value));
    let bounds = spec.bounds.map(|(low, high)| (bound(low), bound(high)));
    match bounds.unwrap_or_default() {
        _ if spec.outcomes => fill("outcomes", &[]),
        _ if spec.pooled => fill("pooled", &[]),
        (Some(low), Some(high)) => fill("between", &[("low", &low), ("high", &high)]),
        (Some(low), None) => fill("from", &[("low", &low)]),
        (None, Some(high)) => fill("to", &[("high", &high)]),
        (None, None) => fill("any", &[]),
    }
}

/// An open bound is `null`.
pub(super) fn json(name: &str, known: &KnownMetric) -> Value {
    let KnownMetric { spec, like, source, rule } = known;
    json!({
        "metric": name,
        "canonical": spec.name,
        "like": like,
        "direction": spec.direction,
        "unit": spec.unit,
        "bounds": spec.bounds.map(|(low, high)| [low, high]),
        "outcomes": spec.outcomes,
        "pooled": spec.pooled,
        "role": spec.role,
        "source": source,
        "rule": rule,
    })
}
