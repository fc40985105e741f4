//! What the gates said that were asked for.

use crate::gate::{Gate, GateOutcome};
use crate::report::block::{Block, Icon, Table, Text};
use crate::report::data::GateView;
use crate::report::{ReportMaterial, views};

pub(crate) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    if material.gates.is_empty() {
        return Vec::new();
    }
    let words = material.words;
    let gates: Vec<_> = material.gates.iter().zip(views::gates(material)).collect();
    let outcome = |(gate, _): &(&Gate, GateView)| {
        let icon = match gate.outcome {
            GateOutcome::Pass => Icon::Good,
            GateOutcome::Fail => Icon::Bad,
            GateOutcome::Inconclusive => Icon::Open,
            GateOutcome::NotGateable => Icon::Severe,
        };
        let name = if gate.is_blocked() { "blocked" } else { gate.outcome.name() };
        Text::marked(icon, words.get(&format!("gates.{name}")))
    };
    let table = Table::of_rows(&gates)
        .left(words.get("gates.name"), |(gate, _)| Text::code(gate.rule.name()))
        .left(words.get("gates.rule"), |(gate, _)| words.get(&format!("gate.{}", gate.rule.name())))
        .left(words.get("gates.outcome"), outcome)
        .left(words.get("gates.reason"), |(_, view)| view.local_reason.as_str());
    vec![table.block()]
}
