//! The shipped catalogue of metric names, and aliases. Names match without ASCII case, else exactly.

use std::sync::OnceLock;

use indexmap::IndexMap;
use serde::Deserialize;

use super::{Direction, MetricSpec, SpecOrigin, Unit};

const SHIPPED: &str = include_str!("metric_catalogue.toml");

#[derive(Deserialize)]
struct WireCatalogue {
    metric: Vec<WireMetric>,
}

/// One entry of the catalogue file and of `[[metric]]` in `reportgen.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireMetric {
    names: Vec<String>,
    direction: WireDirection,
    #[serde(default)]
    unit: Unit,
    bounds: Option<(f64, f64)>,
    #[serde(default)]
    outcomes: bool,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum WireDirection {
    Higher,
    Lower,
    Neutral,
    Unknown,
}

/// Meanings by name. The first name of an entry is canonical, the others are aliases.
#[derive(Debug, Clone)]
pub struct MetricCatalogue {
    specs: IndexMap<String, MetricSpec>,
    /// Canonical names by names in lower case.
    canonical: IndexMap<String, String>,
}

impl MetricCatalogue {
    /// The catalogue that ships with the program.
    pub fn shipped() -> &'static Self {
        static CATALOGUE: OnceLock<MetricCatalogue> = OnceLock::new();
        CATALOGUE.get_or_init(|| {
            Self::parse(SHIPPED, SpecOrigin::Catalogue)
                .unwrap_or_else(|_| Self { specs: IndexMap::new(), canonical: IndexMap::new() })
        })
    }

    /// Reads a catalogue in the shipped file's form.
    pub fn parse(text: &str, origin: SpecOrigin) -> Result<Self, toml::de::Error> {
        let wire: WireCatalogue = toml::from_str(text)?;
        let mut specs = IndexMap::new();
        let mut canonical = IndexMap::new();
        for WireMetric { names, direction, unit, bounds, outcomes } in wire.metric {
            let Some(name) = names.first().cloned() else { continue };
            let direction = match direction {
                WireDirection::Higher => Direction::Higher,
                WireDirection::Lower => Direction::Lower,
                WireDirection::Neutral => Direction::Neutral,
                WireDirection::Unknown => Direction::Unknown,
            };
            let bounds = bounds.or_else(|| unit.whole().map(|whole| (0.0, whole)));
            for alias in &names {
                canonical.insert(alias.to_ascii_lowercase(), name.clone());
            }
            let spec = MetricSpec {
                name: name.clone(),
                direction,
                unit,
                bounds,
                outcomes,
                origin,
                derived: false,
            };
            specs.insert(name, spec);
        }
        Ok(Self { specs, canonical })
    }

    /// The canonical name of a name or alias.
    pub fn canonical(&self, name: &str) -> Option<&str> {
        let as_written = self.canonical.get(name);
        as_written.or_else(|| self.canonical.get(&name.to_ascii_lowercase())).map(String::as_str)
    }

    /// The meaning of a name or alias.
    pub fn get(&self, name: &str) -> Option<&MetricSpec> {
        self.specs.get(self.canonical(name)?)
    }
}

/// The canonical name of a metric: the catalogue's when it knows the name, else the name itself.
pub fn canonical_metric(name: &str) -> &str {
    MetricCatalogue::shipped().canonical(name).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_catalogue_parses_and_names_no_metric_twice() {
        let wire: WireCatalogue = toml::from_str(SHIPPED).expect("shipped catalogue");
        let mut seen = std::collections::BTreeSet::new();
        for metric in &wire.metric {
            for name in &metric.names {
                assert!(seen.insert(name.to_ascii_lowercase()), "{name} is listed twice");
            }
        }
        assert!(MetricCatalogue::shipped().get("accepted_at_1").is_some());
    }

    #[test]
    fn aliases_lead_to_the_canonical_name() {
        assert_eq!(canonical_metric("accepted@1"), "accepted_at_1");
        assert_eq!(canonical_metric("nobody_knows_this"), "nobody_knows_this");
        assert_eq!(canonical_metric("是否正确"), "correct");
    }

    #[test]
    fn names_match_without_ascii_case_and_otherwise_exactly() {
        for (name, canonical) in [
            ("ACC", "accuracy"),
            ("ROUGEL", "rougeL"),
            ("Nobody_Knows", "Nobody_Knows"),
            ("accuracy ", "accuracy "),
        ] {
            assert_eq!(canonical_metric(name), canonical);
        }
    }
}
