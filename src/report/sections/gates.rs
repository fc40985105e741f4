//! What the gates said that were asked for.

use crate::gate::GateOutcome;
use crate::report::block::{Align, Block, Cell, Icon, Table, Text};
use crate::report::{Material, views};

pub(crate) fn blocks(material: &Material<'_>) -> Vec<Block> {
    if material.gates.is_empty() {
        return Vec::new();
    }
    let words = material.words;
    let heads = ["name", "rule", "outcome", "reason"];
    let heads = heads.map(|head| (words.get(&format!("gates.{head}")), Align::Left));
    let mut table = Table::with_heads(heads.into());
    for (gate, view) in material.gates.iter().zip(views::gates(material)) {
        let icon = match gate.outcome {
            GateOutcome::Pass => Icon::Good,
            GateOutcome::Fail => Icon::Bad,
            GateOutcome::Inconclusive => Icon::Open,
            GateOutcome::NotGateable => Icon::Severe,
        };
        let name = gate.rule.name();
        let outcome = words.get(&format!("gates.{}", gate.outcome.name()));
        table.push(vec![
            Cell::text(Text::code(name)),
            Cell::text(words.get(&format!("gate.{name}"))),
            Cell::text(Text::icon(icon).and_plain(format!(" {outcome}"))),
            Cell::text(view.local_reason),
        ]);
    }
    vec![Block::Table { table }]
}
