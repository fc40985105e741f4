//! What the gates said that were asked for.

use crate::report::block::{Block, Table, Text};
use crate::report::{ReportMaterial, views};

pub(crate) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    if material.gates.is_empty() {
        return Vec::new();
    }
    let words = material.words;
    let gates = views::gates(material);
    let table = Table::of_rows(&gates)
        .left(words.get("gates.name"), |gate| Text::code(gate.name.as_str()))
        .left(words.get("gates.rule"), |gate| gate.local_rule.as_str())
        .left(words.get("gates.outcome"), |gate| {
            Text::marked(gate.icon, words.get(&format!("gates.{}", gate.word)))
        })
        .left(words.get("gates.reason"), |gate| gate.local_reason.as_str());
    vec![table.block()]
}
