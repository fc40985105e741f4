//! Everything that was noticed, with code and place.

use crate::report::block::Block;
use crate::report::{Material, finding, views};

pub(crate) fn blocks(material: &Material<'_>) -> Vec<Block> {
    finding::blocks(&views::findings(material), material.words)
}
