//! The report of `history`.

use serde_json::{Value, json};

use crate::diag::Diagnostic;
use crate::history::{HistoryRow, SCHEMA};
use crate::quantity::{self, Unit};
use crate::report::block::{Block, Cell, Table, Text, Tone};
use crate::report::{FindingView, Headline, Part, Report, Sheet, finding, json_object};
use crate::text::Catalogue;

pub(super) struct Material<'a> {
    rows: &'a [HistoryRow],
    findings: &'a [FindingView],
    words: &'a Catalogue,
}

pub(super) type Blocks = fn(&Material<'_>) -> Vec<Block>;

pub(super) static PARTS: &[Part<Blocks>] = &[
    Part {
        id: "diagnostics",
        title: "section.diagnostics",
        blocks: |material| finding::blocks(material.findings, material.words),
    },
    Part { id: "figures", title: "history.section", blocks: figures },
];

/// Rows of a document; data for programs has all.
const MOST_ROWS: usize = 500;

pub(super) fn report(rows: &[HistoryRow], noticed: &[Diagnostic], words: &Catalogue) -> Report {
    let findings = finding::views(noticed, words);
    let material = Material { rows, findings: &findings, words };
    Report {
        kind: "history",
        paper: Vec::new(),
        gates: Vec::new(),
        sheet: Some(sheet(rows)),
        data: json_object(&json!({ "history_schema": SCHEMA, "rows": rows })),
        lang: words.lang,
        title: words.get("history.title").into(),
        headline: headline(&material),
        brief: figures(&material),
        sections: crate::report::sections(PARTS, |blocks| blocks(&material), words),
        findings,
    }
}

fn sheet(rows: &[HistoryRow]) -> Sheet {
    let cells = |row: &HistoryRow| match serde_json::to_value(row) {
        Ok(Value::Object(fields)) => {
            Value::Array(fields.into_iter().map(|(_, cell)| cell).collect())
        }
        _ => Value::Null,
    };
    Sheet::new(HistoryRow::COLUMNS, rows.iter().map(cells))
}

fn headline(material: &Material<'_>) -> Headline {
    let Material { rows, findings, words } = *material;
    let nights = rows.chunk_by(|a, b| a.night == b.night).count();
    let count = |count: usize| quantity::count(count as u64);
    let facts = [("rows", count(rows.len())), ("nights", count(nights))];
    let tone = if findings.is_empty() { Tone::Good } else { Tone::Warning };
    let text = Text::plain(words.fill("history.headline", &facts));
    Headline::new(tone, text).trusted(finding::trust(findings, words))
}

fn figures(material: &Material<'_>) -> Vec<Block> {
    let Material { rows, words, .. } = *material;
    if rows.is_empty() {
        return Vec::new();
    }
    let left_out = rows.len().saturating_sub(MOST_ROWS);
    // The last nights are the ones that are asked about.
    let rows = rows.get(left_out..).unwrap_or_default();
    let unit = |row: &HistoryRow| {
        Unit::ALL.into_iter().find(|unit| unit.name() == row.unit).unwrap_or_default()
    };
    let known = |text: &Option<String>| text.as_deref().map_or_else(Cell::dash, Cell::text);
    let table = Table::of_rows(rows)
        .left(words.get("nightly.night"), |row| row.night.to_string())
        .left(words.get("nightly.job"), |row| Text::plain(&row.job))
        .left(words.get("nightly.run"), |row| Text::code(&row.run))
        .left(words.get("nightly.metric"), |row| Text::code(&row.metric))
        .left(words.get("history.dataset"), |row| known(&row.dataset))
        .left(words.get("history.dims"), |row| known(&row.dims))
        .optional()
        .when(!rows.iter().all(HistoryRow::is_of_complete_run), |table| {
            let state = |row: &HistoryRow| words.get(&format!("nightly.run-state.{}", row.state));
            table.left(words.get("nightly.state"), state)
        })
        .right(words.get("history.value"), |row| {
            Cell::known(row.value.map(|value| (quantity::figure(value, unit(row)), value)))
        })
        .right(words.get("history.n"), |row| {
            row.n.map_or_else(Cell::dash, |n| Cell::count(n.into()))
        })
        .left(words.get("history.verdict"), |row| match &row.verdict {
            Some(verdict) => words.get(&format!("verdict.{verdict}")).into(),
            None => Cell::dash(),
        });
    let mut blocks = vec![table.block()];
    if left_out > 0 {
        let facts = [("left_out", quantity::count(left_out as u64))];
        blocks.push(Block::paragraph(words.fill("history.left-out", &facts)));
    }
    blocks
}
