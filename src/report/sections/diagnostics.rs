//! Everything that was noticed, with code and place.

use super::accepted;
use crate::diag::Severity;
use crate::report::Material;
use crate::report::block::{Align, Block, Cell, Icon, Table, Text};

pub(super) fn blocks(material: &Material<'_>) -> Vec<Block> {
    let words = material.words;
    let mut findings: Vec<_> = material.diagnostics().collect();
    if findings.is_empty() {
        return Vec::new();
    }
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let heads = ["code", "message", "place", "help"];
    let heads = heads.map(|head| (words.get(&format!("diagnostics.{head}")), Align::Left));
    let mut table = Table::with_heads(heads.into());
    for finding in findings {
        let icon = match finding.severity {
            Severity::Error => Icon::Bad,
            Severity::Warning => Icon::Caution,
            Severity::Info => Icon::Open,
        };
        let place = finding.location.as_ref().map(ToString::to_string);
        let code = match finding.severity {
            Severity::Info => Text::code(finding.code.id()),
            _ => Text::icon(icon).and_plain(" ").and_code(finding.code.id()),
        };
        let label = accepted::label(finding, words)
            .map_or_else(String::new, |label| words.fill("phrase.detail", &[("detail", &label)]));
        let code = if label.is_empty() { code } else { code.and_plain(label) };
        table.push(vec![
            Cell::text(code),
            Cell::text(material.message(finding, words)),
            place.map_or_else(Cell::default, |place| Cell::text(Text::code(place))),
            Cell::text(words.help(finding).unwrap_or_default()),
        ]);
    }
    let text = Text::plain(words.get("diagnostics.explain")).and_code("reportgen explain CODE");
    vec![Block::Table { table }, Block::Paragraph { text }]
}
