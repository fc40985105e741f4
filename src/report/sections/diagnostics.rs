//! Everything that was noticed, with code and place.

use super::folded;
use crate::report::block::Block;
use crate::report::{ReportMaterial, finding, views};

pub(crate) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    let findings = views::findings(material);
    let summary = material.words.fill("diagnostics.folded", &[("count", findings.len())]);
    folded(summary, finding::blocks(&findings, material.words))
}
