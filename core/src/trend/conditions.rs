//! What a night was measured under, and what of it changed.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::quantity::Night;

/// Something that a night was measured under.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "kind", content = "name", rename_all = "kebab-case")]
pub enum Condition {
    Commit,
    /// The digest of a part: `dataset`, `judge`, `harness`, `model`, `code`, `host`.
    Digest(String),
    /// A key of the configuration.
    Config(String),
}

/// All that is recorded of a night.
pub type Conditions = BTreeMap<Condition, String>;

impl Condition {
    /// Parts whose change makes figures another measure.
    const MEASURES: [&'static str; 2] = ["dataset", "judge"];

    pub fn is_measure(&self) -> bool {
        matches!(self, Self::Digest(part) if Self::MEASURES.contains(&part.as_str()))
    }
}

/// A condition that changed at a night; where a change of level has it, it may be the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suspect {
    pub night: Night,
    pub condition: Condition,
    pub from: Option<String>,
    pub to: Option<String>,
}

/// What changed until that night since the measured one before it. Of commits and digests only where
/// both nights know them; a key of the configuration may also appear or go.
pub(super) fn changed(night: Night, earlier: &Conditions, later: &Conditions) -> Vec<Suspect> {
    let names: BTreeSet<&Condition> = earlier.keys().chain(later.keys()).collect();
    let suspect = |condition: &Condition| {
        let [from, to] = [earlier, later].map(|conditions| conditions.get(condition).cloned());
        let is_known = from.is_some() && to.is_some() || matches!(condition, Condition::Config(_));
        let condition = condition.clone();
        (from != to && is_known).then_some(Suspect { night, condition, from, to })
    };
    names.into_iter().filter_map(suspect).collect()
}
