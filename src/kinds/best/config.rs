//! `[best]` of `reportgen.toml`.

use indexmap::IndexMap;
use serde::Deserialize;

use super::analysis::{At, BestPlan, Tier};
use crate::exit::Failure;

/// `[best]` of `reportgen.toml`.
#[derive(Debug, Default, Deserialize)]
pub(super) struct File {
    #[serde(default)]
    pub(super) best: BestTable,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BestTable {
    pub(super) metric: Option<String>,
    pub(super) dataset: Option<String>,
    pub(super) loss: Option<String>,
    pub(super) model_path: Option<String>,
    #[serde(default)]
    plan: WirePlan,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct WirePlan {
    end: Option<u64>,
    #[serde(default)]
    tier: Vec<WireTier>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireTier {
    name: String,
    datasets: Datasets,
    every: Option<u64>,
    at: Option<WireAt>,
}

/// Names, or names with numbers of samples.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "datasets are a list of names, or a table of names and numbers of samples"
)]
enum Datasets {
    Names(Vec<String>),
    Sizes(IndexMap<String, u64>),
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum WireAt {
    End,
}

impl BestTable {
    /// One path for every checkpoint would name the wrong model.
    pub(super) fn steps_have_a_place(&self) -> Result<(), Failure> {
        match self.model_path.as_deref() {
            Some(path) if !path.contains("{step}") => {
                Err(Failure::refused("refused.model-path", &[("path", path)]))
            }
            _ => Ok(()),
        }
    }

    /// The evaluations that are due.
    pub(super) fn plan(&self) -> Result<BestPlan, Failure> {
        let plan = &self.plan;
        let tier = |tier: &WireTier| {
            let at = match (tier.every, tier.at) {
                (Some(every), None) if every > 0 => At::Every(every),
                (None, Some(WireAt::End)) => At::End,
                _ => {
                    return Err(Failure::refused("refused.tier", &[("tier", &tier.name)]));
                }
            };
            let datasets = match &tier.datasets {
                Datasets::Names(names) => names.iter().map(|name| (name.clone(), None)).collect(),
                Datasets::Sizes(sizes) => {
                    sizes.iter().map(|(name, size)| (name.clone(), Some(*size))).collect()
                }
            };
            Ok(Tier { name: tier.name.clone(), datasets, at })
        };
        let tiers = plan.tier.iter().map(tier).collect::<Result<_, _>>()?;
        Ok(BestPlan { end: plan.end, tiers })
    }
}
