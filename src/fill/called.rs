//! What the user says that words of a document mean.

use super::facts::Facts;
use super::readings::Facet;
use crate::model::{DimValue, MetricNames};

/// Words of a document.
#[derive(Debug, Clone)]
pub struct Called {
    pub words: String,
    /// `run`, `metric`, `dataset` or a coordinate, and its value; `None` where they add nothing.
    pub says: Option<(String, String)>,
}

impl Called {
    pub(super) fn facet(&self, facts: &Facts, names: &MetricNames) -> Option<Facet> {
        let (name, value) = self.says.as_ref()?;
        Some(match name.as_str() {
            "run" => facts
                .arms
                .iter()
                .position(|arm| arm.name == *value)
                .map_or(Facet::OtherArm, Facet::Arm),
            "metric" => Facet::Metric(names.canonical(value).to_owned()),
            "dataset" => Facet::Dataset(value.clone()),
            axis => Facet::At(axis.to_owned(), DimValue::parse(value)),
        })
    }

    /// What the runs have in the place of a name that they do not have; `None` where they have it. A
    /// run that is not given may be one of another command.
    pub fn known_instead(&self, facts: &Facts, names: &MetricNames) -> Option<Vec<String>> {
        let (name, value) = self.says.as_ref()?;
        let (has, all): (bool, Vec<&str>) = match name.as_str() {
            "run" => return None,
            "metric" => {
                let metrics = facts.metrics();
                (metrics.contains(names.canonical(value)), metrics.into_iter().collect())
            }
            "dataset" => {
                let datasets = facts.datasets();
                let has = datasets.iter().any(|own| own.eq_ignore_ascii_case(value));
                (has, datasets.into_iter().collect())
            }
            axis => (facts.axes().contains(axis), facts.axes().into_iter().collect()),
        };
        (!has).then(|| all.into_iter().map(str::to_owned).collect())
    }
}
