//! Everything that was noticed, with code and place.

use crate::report::block::Block;
use crate::report::{ReportMaterial, finding, views};

pub(crate) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    finding::blocks(&views::findings(material), material.words)
}
